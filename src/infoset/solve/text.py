"""Payoffs for people: exact while that is short, and how near a decimal is."""

from __future__ import annotations

from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction
from typing import Any

LONG = 24  # signs of a rational that is shown as it is


def amount_text(amount: Any, exact: bool = True) -> str:
    """A payoff for people: exact while that is short, with a decimal where it is no whole number.

    >>> amount_text(Fraction(-1, 18)), amount_text(Fraction(3)), amount_text(Fraction(1, 3**60))
    ('-1/18 (-0.0555556)', '3', '2.358982488e-29 (a fraction of 29 digits)')
    """
    near = decimal_near(amount, 6)
    if isinstance(amount, Fraction) and _short(amount):
        return str(amount) if amount.denominator == 1 else f"{amount} ({near})"
    if exact:
        kind = "whole number" if amount.denominator == 1 else "fraction"
        longer = max(abs(amount.numerator), amount.denominator)
        digits = int(longer.bit_length() * 0.30103) + 1
        return f"{decimal_near(amount, 10)} (a {kind} of {digits:,} digits)"
    return f"about {decimal_near(amount, 10)}"


def decimal_near(number: Any, digits: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """A decimal near a number, or on one side of it; also of one that floats have no room for.

    >>> decimal_near(Fraction(2, 3), 4), decimal_near(Fraction(2, 3 * 10**400), 4)
    ('0.6667', '6.667e-401')
    >>> from decimal import ROUND_FLOOR
    >>> decimal_near(Fraction(2, 3), 4, ROUND_FLOOR), decimal_near(Fraction(-2, 3), 4, ROUND_FLOOR)
    ('0.6666', '-0.6667')
    """
    exact = Fraction(number)
    wide = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    near = wide.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    plain = near.normalize(wide)
    return f"{plain:f}" if -5 <= plain.adjusted() < digits else f"{plain:e}".replace("E", "e")


def _short(amount: Fraction) -> bool:
    most = max(abs(amount.numerator), amount.denominator)
    return most.bit_length() < 4 * LONG and len(str(amount)) <= LONG


def decimal_above(number: Any) -> str:
    """A short decimal that is not below the number.

    >>> decimal_above(Fraction(1, 3)), decimal_above(Fraction(1, 10**20)), decimal_above(0)
    ('3.34e-1', '1.00e-20', '0')
    """
    exact = Fraction(number)
    if exact <= 0:
        return "0"
    power = 0
    while exact >= 10:
        exact, power = exact / 10, power + 1
    while exact < 1:
        exact, power = exact * 10, power - 1
    digits = -(-exact * 100 // 1)
    if digits == 1000:
        digits, power = 100, power + 1
    return f"{int(digits) // 100}.{int(digits) % 100:02d}e{power}"
