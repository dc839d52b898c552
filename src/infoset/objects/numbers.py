"""Exact numbers: every payoff and probability is a rational number.

Ints and Fractions are taken as they are. A float or a Decimal means the decimal that it prints as:
``0.1`` is 1/10, not the binary fraction 3602879701896397/36028797018963968 that stores it.
"""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from fractions import Fraction

from infoset.errors import RulesError
from infoset.objects.vectorized import VectorizedValue


def exact(value: object) -> Fraction:
    """The rational number that a value denotes.

    Parameters
    ----------
    value
        An int, a Fraction, a Decimal, or a float, which denotes the decimal that it prints as.
        A vectorized value gives a vectorized one.

    Returns
    -------
    Fraction
        The exact number.

    Raises
    ------
    RulesError
        If it is not a finite number.

    Examples
    --------
    >>> exact(3), exact(0.1), exact(Fraction(1, 3))
    (Fraction(3, 1), Fraction(1, 10), Fraction(1, 3))
    >>> exact("3")
    Traceback (most recent call last):
    ...
    infoset.errors.RulesError: '3' is not a number; use an int, a Fraction or a float
    """
    if isinstance(value, numbers.Rational):  # numpy's integers among them, which overflow
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal) and value.is_finite():
        return Fraction(value)
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return Fraction(float.__repr__(value) if isinstance(value, float) else str(value))
    if value.__class__ is VectorizedValue:
        found: Fraction = value._run.lift(exact, value)
        return found
    raise RulesError(f"{value!r} is not a number; use an int, a Fraction or a float")
