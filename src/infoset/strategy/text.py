"""Probabilities and payoffs in few signs.

Rationals are shown as they are while they are short, and as decimals when they are not.
"""

from __future__ import annotations

from decimal import MAX_EMAX, Context, Decimal
from fractions import Fraction
from typing import Any

SHORT = 7  # signs of a rational that is shown as it is
TINY = 1e-4  # below this, decimals of four digits would not tell it from zero


def number(value: Any) -> str:
    """A probability, in few signs.

    >>> [number(Fraction(*pair)) for pair in ((2, 3), (1, 1), (12345, 67891), (1, 10**12))]
    ['2/3', '1', '0.1818', '1e-12']
    >>> number(1 / 3), number(1.0), number(0.0)
    ('0.3333', '1', '0')
    >>> number(Fraction(10**400, 3))
    '3.3333e+399'
    """
    if isinstance(value, Fraction) and value.denominator < 10**SHORT and len(str(value)) <= SHORT:
        return str(value)
    try:
        near = float(value)
    except OverflowError:
        wide = Context(prec=5, Emax=MAX_EMAX)
        return f"{wide.divide(Decimal(value.numerator), Decimal(value.denominator)):.4e}"
    if near in (0.0, 1.0) and value == near:
        return str(int(near))
    return f"{near:.0e}" if 0 < abs(near) < TINY else f"{near:.4f}"
