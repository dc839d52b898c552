"""Arrays of numbers that are exact where they are meant to be.

:class:`Numbers` is a vector of rationals over one common denominator, or of floats (denominator 1).
Code that adds, multiplies and compares such vectors is written once and is then exact on the one
and fast on the other. Numerators are int64 where every result fits, and Python's integers where
one might not: each operation looks at the largest entries before it chooses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import pieces

Number = Fraction | float  # exact numbers are Fractions, all others floats
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Index = npt.NDArray[Any]

ROOM = 1 << 62  # what int64 arithmetic may reach
EXACT_FLOAT = 1 << 53  # integers up to here are floats too
MOST_DIVIDED = 10**12  # integers times their bits, squared: their divisor takes half a second
BEYOND_FLOATS = 1 << 1000  # from here on they are too large for arithmetic in floats

SMALLEST, LARGEST = 1e-300, 1e300  # between which floats have all their digits, and room


def bound(integers: Array) -> int:
    """The largest absolute value."""
    if not integers.size:
        return 0
    return max(abs(int(integers.max())), abs(int(integers.min())))


def fitted(integers: Iterable[int] | Array) -> Array:
    """Integers as int64 if they fit, as Python's otherwise."""
    given = np.asarray(
        integers if isinstance(integers, np.ndarray | list) else list(integers), dtype=object
    )
    return given.astype(np.int64) if bound(given) < ROOM else given


def multiplied(one: Array, two: Array) -> Array:
    """The products of integers (or of floats), entry by entry, without overflow."""
    if one.dtype == np.int64 and two.dtype == np.int64 and bound(one) * bound(two) >= ROOM:
        one = one.astype(object)
    elif "u" in (one.dtype.kind, two.dtype.kind):  # numpy's choice for 2^63 to 2^64: times int64
        one = one.astype(object)  # it makes floats
    if object not in (one.dtype, two.dtype):
        return np.asarray(one * two)
    one, two = np.broadcast_arrays(one, two)
    product = np.empty(one.shape, object)
    for part in pieces(len(product)):
        product[part] = one[part] * two[part]
    return product


def added(one: Array, two: Array) -> Array:
    """The sums of integers, entry by entry, without overflow."""
    if one.dtype == np.int64 and two.dtype == np.int64 and bound(one) + bound(two) >= ROOM:
        one = one.astype(object)
    return np.asarray(one + two)


def group_sums(values: Array, groups: Index, count: int) -> Array:
    """``total[g]``: the sum of the values whose group is g, without overflow."""
    if values.dtype == np.float64:
        return np.bincount(groups, values, minlength=count)
    if values.dtype == np.int64 and bound(values) * max(len(values), 1) >= ROOM:
        values = values.astype(object)
    total = np.zeros(count, values.dtype)
    if values.dtype != object:
        np.add.at(total, groups, values)
        return total
    for part in pieces(len(values)):
        np.add.at(total, groups[part], values[part])
    return total


def integer_sum(integers: Array) -> int:
    """The sum of all integers, without overflow."""
    fits = integers.dtype != object and bound(integers) * integers.size < ROOM
    return int(integers.sum() if fits else integers.sum(dtype=object))


def _divide_slowly(integers: Array) -> bool:
    """Would it take long to find a common divisor? The time is quadratic in the digits."""
    return integers.dtype == object and (
        integers.size * bound(integers).bit_length() ** 2 > MOST_DIVIDED
    )


def nearest_float(number: Fraction | int) -> float:
    """The float nearest to a number; infinite where it is beyond all floats.

    >>> nearest_float(Fraction(1, 3)), nearest_float(-(10**400))
    (0.3333333333333333, -inf)
    """
    return _nearest(number.numerator, number.denominator)


def _nearest(over: int, under: int) -> float:
    try:
        return over / under
    except OverflowError:  # beyond all floats
        return inf if (over > 0) == (under > 0) else -inf


@dataclass(frozen=True, eq=False)
class Numbers:
    """A vector of rationals over a common denominator, or of floats.

    >>> half = Numbers.of([Fraction(1, 2), Fraction(1, 3)])
    >>> half
    Numbers([1/2, 1/3])
    >>> half.times(half).values()
    [Fraction(1, 4), Fraction(1, 9)]
    >>> Numbers.of([0.5, 0.25]).exact
    False
    """

    numerators: Array  # int64 or Python's integers; float64 where nothing is exact
    denominator: int = 1

    @classmethod
    def of(cls, values: Iterable[Any]) -> Numbers:
        """Ints and Fractions over their common denominator; floats if any of them is one."""
        given = list(values)
        if any(issubclass(kind, float) for kind in set(map(type, given))):
            return cls(np.array([float(value) for value in given]))
        under = lcm(*{value.denominator for value in given})
        if under == 1:
            return cls(fitted([value.numerator for value in given]), 1)
        return cls(
            fitted([value.numerator * (under // value.denominator) for value in given]), under
        )

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return self.numerators.dtype != np.float64

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, index: int | slice) -> Any:
        """One number, a Fraction or a float; a list of them for a slice."""
        if isinstance(index, slice):
            return Numbers(self.numerators[index], self.denominator).values()
        if self.exact:
            return Fraction(int(self.numerators[index]), self.denominator)
        return float(self.numerators[index])

    def __repr__(self) -> str:
        return f"Numbers([{', '.join(str(value) for value in self.values())}])"

    def values(self) -> list[Any]:
        """All of them, as Fractions or floats."""
        if not self.exact:
            return list(map(float, self.numerators))
        under, numerators = self.denominator, self.numerators
        return [
            Fraction(int(over), under) for part in pieces(len(self)) for over in numerators[part]
        ]

    @cached_property
    def floats(self) -> Floats:
        """The nearest floats."""
        if not self.exact:
            return self.numerators
        if (
            self.numerators.dtype == np.int64
            and max(self.denominator, bound(self.numerators)) <= EXACT_FLOAT
        ):  # two exact floats: their quotient is rounded once
            return self.numerators / np.float64(self.denominator)
        under, found = self.denominator, np.empty(len(self))
        for part in pieces(len(self)):
            found[part] = [_nearest(int(over), under) for over in self.numerators[part]]
        return found

    def inexact(self) -> Numbers:
        """The same as floats."""
        return self if not self.exact else Numbers(self.floats)

    def take(self, index: Index) -> Numbers:
        """Those at the given places."""
        return Numbers(self.numerators[index], self.denominator)

    def times(self, other: Numbers) -> Numbers:
        """Entry by entry."""
        if not (self.exact and other.exact):
            return Numbers(self.floats * other.floats)
        return Numbers(
            multiplied(self.numerators, other.numerators), self.denominator * other.denominator
        )

    def group_sums(self, groups: Index, count: int) -> Numbers:
        """``total[g]``: the sum of the numbers whose group is g."""
        return Numbers(group_sums(self.numerators, groups, count), self.denominator)

    @property
    def total(self) -> Any:
        """The sum."""
        if not self.exact:
            return float(self.numerators.sum())
        sums = (sum(map(int, self.numerators[part])) for part in pieces(len(self)))
        return Fraction(sum(sums), self.denominator)

    def lowest(self) -> Numbers:
        """The same over the smallest common denominator; not where it takes long to find."""
        if not self.exact or self.denominator == 1 or _divide_slowly(self.numerators):
            return self
        shared = self.denominator
        for part in pieces(len(self)):
            shared = gcd(shared, *map(int, self.numerators[part]))
            if shared == 1:
                return self
        reduced = [
            int(over) // shared for part in pieces(len(self)) for over in self.numerators[part]
        ]
        return Numbers(fitted(reduced), self.denominator // shared)


def as_unit(unit: Fraction, largest: float) -> float | None:
    """A unit as a float; None where it, or what entries up to ``largest`` come to, is none."""
    if not largest:
        return 1.0  # of no entries; their common denominator says nothing
    try:
        found = float(unit)
    except OverflowError:
        return None
    return found if found > SMALLEST and found * largest < LARGEST else None


def as_floats(integers: Array) -> tuple[npt.NDArray[np.float64], int]:
    """Integers as floats without their common divisor, and that divisor.

    Those too large to be floats exactly are rounded, as parts of the largest. So are those that are
    so long, and so many, that to find their divisor would take seconds.
    """
    if integers.dtype != object:
        shared = int(np.gcd.reduce(integers))
    else:
        shared = 1 if _divide_slowly(integers) else gcd(*integers.tolist())
    shared = shared or 1  # of no numbers it is 0
    reduced = integers // shared if shared > 1 else integers
    largest = bound(reduced)
    if largest <= EXACT_FLOAT:
        return reduced.astype(np.float64), shared
    return np.array([int(one) / largest for one in reduced]), shared * largest
