"""Polynomials on products of simplices in Bernstein form: exact bounds that converge fast.

On a simplex with corners v₁, …, v_k a polynomial of degree d is Σ c(α) · d!/Πα! · Πλ^α, summed over
all α of k nonnegative integers with sum d, where λ are the barycentric coordinates. The numbers c
are its *net*. The tables by which nets are made, cut and differentiated depend on d and k alone,
and are made once. The factors beside c are nonnegative and sum to 1, so

    min c  <=  polynomial  <=  max c        on the whole simplex,

and the entries at the corners are its values there. On a product of simplices the net has an axis
for each. Cutting a simplex in half at the middle of an edge gives two nets by averaging (de
Casteljau); the distance of max c to the true maximum falls with the square of the size. Everything
is in integers: a cut doubles the denominator d times.

*Concavity.* The net of a derivative is made of differences of the net. If the second derivatives,
each between the least and the largest entry of its net, make a matrix without positive eigenvalue
for all such values, the polynomial is concave on the piece. Then a tangent plane is an upper bound.

Source: R. T. Farouki, The Bernstein polynomial basis: a centennial retrospective, 2012; G. Farin,
Curves and surfaces for computer-aided geometric design (triangular nets, blossoms).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import comb, factorial, perm, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Array
from infoset.strategy.absentminded.polynomial import Point, Polynomial

Longs = npt.NDArray[np.int64]


@cache
def exponents(degree: int, count: int) -> tuple[tuple[int, ...], ...]:
    """All ways to write a degree as a sum of so many nonnegative integers, in order.

    >>> exponents(2, 2)
    ((2, 0), (1, 1), (0, 2))
    """
    if count == 1:
        return ((degree,),)
    return tuple(
        (first, *rest)
        for first in range(degree, -1, -1)
        for rest in exponents(degree - first, count - 1)
    )


@cache
def corner_places(degree: int, count: int) -> Longs:
    """[corner] the place in the net that belongs to it."""
    place = {alpha: at for at, alpha in enumerate(exponents(degree, count))}
    return np.array(
        [place[tuple(degree * (i == corner) for i in range(count))] for corner in range(count)]
    )


@cache
def raised(degree: int, count: int, corner: int) -> Longs:
    """[α of one degree less] the place of α with one more of a corner."""
    place = {alpha: at for at, alpha in enumerate(exponents(degree, count))}
    return np.array(
        [
            place[tuple(power + (i == corner) for i, power in enumerate(alpha))]
            for alpha in exponents(degree - 1, count)
        ]
    )


@cache
def averages(degree: int, count: int, kept: int, lost: int) -> Array:
    """The matrix of a cut of a net, times 2 to the degree: the corner ``lost`` moves halfway."""
    alphas = exponents(degree, count)
    place = {alpha: at for at, alpha in enumerate(alphas)}
    matrix = np.zeros((len(alphas), len(alphas)), object)
    for at, alpha in enumerate(alphas):
        power = alpha[lost]
        for moved in range(power + 1):
            source = list(alpha)
            source[kept] += moved
            source[lost] -= moved
            matrix[at, place[tuple(source)]] = comb(power, moved) << (degree - power)
    return matrix


@cache
def monomial_net(degree: int, powers: tuple[int, ...]) -> Array:
    """The net of a product of powers, times the factorial of the degree."""
    total = sum(powers)
    return np.array(
        [
            prod(perm(a, p) for a, p in zip(alpha, powers, strict=True)) * factorial(degree - total)
            for alpha in exponents(degree, len(powers))
        ],
        object,
    )


Corner = tuple[Fraction, ...]  # the probabilities of a set's actions


class Axis(NamedTuple):
    """A simplex: part of the probabilities that a set's actions may have."""

    own: int  # the set
    degree: int
    corners: tuple[Corner, ...]


@dataclass(frozen=True, eq=False)
class Piece:
    """A polynomial on a product of simplices."""

    axes: tuple[Axis, ...]
    net: Array  # [axis by axis: α] Python's whole numbers
    under: int  # the net over this is what it means
    fixed: Mapping[int, Corner]  # by removed set: its probabilities

    @cached_property
    def most(self) -> Fraction:
        """An upper bound."""
        return Fraction(int(self.net.max()), self.under)

    @cached_property
    def least(self) -> Fraction:
        """A lower bound."""
        return Fraction(int(self.net.min()), self.under)

    @cached_property
    def best_corner(self) -> tuple[Fraction, Point]:
        """The largest value at a corner, and that corner."""
        places = [corner_places(axis.degree, len(axis.corners)) for axis in self.axes]
        values = self.net[np.ix_(*places)] if places else self.net
        at = np.unravel_index(int(values.argmax()), values.shape)
        point = {
            axis.own: list(axis.corners[int(i)]) for axis, i in zip(self.axes, at, strict=True)
        }
        return Fraction(int(values[at]), self.under), point

    # ------------------------------------------------------------------ cutting it up

    def fix(self, number: int, corner: int) -> Piece:
        """The restriction to one corner of an axis, which is removed."""
        axis = self.axes[number]
        place = int(corner_places(axis.degree, len(axis.corners))[corner])
        net = np.empty(self.net.shape[:number] + self.net.shape[number + 1 :], object)
        net[...] = self.net.take(place, axis=number)
        axes = self.axes[:number] + self.axes[number + 1 :]
        return Piece(axes, net, self.under, {**self.fixed, axis.own: axis.corners[corner]})

    def face(self, number: int, lost: int) -> Piece:
        """The restriction to the face of an axis that is opposite to a corner."""
        axis = self.axes[number]
        count = len(axis.corners)
        if count == 2:
            return self.fix(number, 1 - lost)
        kept = [at for at, alpha in enumerate(exponents(axis.degree, count)) if not alpha[lost]]
        corners = axis.corners[:lost] + axis.corners[lost + 1 :]
        axes = list(self.axes)
        axes[number] = axis._replace(corners=corners)
        return Piece(tuple(axes), self.net.take(kept, axis=number), self.under, self.fixed)

    def narrowed(self) -> Piece:
        """A face that is certain to contain a maximum.

        If the polynomial is nondecreasing from one corner of an axis towards another, the first
        corner can be left out.
        """
        for number, axis in enumerate(self.axes):
            count = len(axis.corners)
            rows = [self.net.take(raised(axis.degree, count, at), number) for at in range(count)]
            for lost in range(count):
                for kept in range(count):
                    if kept != lost and (rows[kept] >= rows[lost]).all():
                        return self.face(number, lost).narrowed()
        return self

    def halves(self, number: int) -> tuple[Piece, Piece]:
        """The two halves after a cut through the middle of an axis's longest edge."""
        axis = self.axes[number]
        one, two = longest_edge(axis.corners)
        middle = tuple(
            (a + b) / 2 for a, b in zip(axis.corners[one], axis.corners[two], strict=True)
        )
        found = []
        for kept, lost in ((one, two), (two, one)):
            corners = list(axis.corners)
            corners[lost] = middle
            average = averages(axis.degree, len(corners), kept, lost)
            net = np.moveaxis(np.tensordot(average, self.net, axes=(1, number)), 0, number)
            axes = list(self.axes)
            axes[number] = axis._replace(corners=tuple(corners))
            found.append(Piece(tuple(axes), net, self.under << axis.degree, self.fixed))
        return found[0], found[1]

    # ------------------------------------------------------------------ how it bends

    @cached_property
    def concave(self) -> bool:
        """Is it proved concave? False where that is not known."""
        steps = [
            (number, corner)
            for number, axis in enumerate(self.axes)
            for corner in range(1, len(axis.corners))
        ]
        low = np.zeros((len(steps), len(steps)), object)
        high = low.copy()
        for i, first in enumerate(steps):
            once = self._difference(self.net, first, 0)
            for j, second in enumerate(steps[: i + 1]):
                twice = self._difference(once, second, int(first[0] == second[0]))
                if twice.size:
                    low[i, j] = low[j, i] = int(twice.min())
                    high[i, j] = high[j, i] = int(twice.max())
        spread = (high - low).sum(axis=1).max(initial=0)
        # Twice the middle, plus the spread on the diagonal, is at least twice any such matrix.
        return _no_positive_direction(low + high + np.diag([spread] * len(steps)))

    def _difference(self, net: Array, step: tuple[int, int], lowered: int) -> Array:
        """The net of the derivative towards a corner, from the axis's first one."""
        number, corner = step
        axis = self.axes[number]
        degree, count = axis.degree - lowered, len(axis.corners)
        if degree < 1:
            return np.zeros((0,) * net.ndim, object)
        ups = [raised(degree, count, at) for at in (corner, 0)]
        return np.asarray(degree * (net.take(ups[0], number) - net.take(ups[1], number)), object)

    def contains(self, point: Point) -> bool:
        """Does a point lie in this piece, its border included?"""
        if any(tuple(point[own]) != corner for own, corner in self.fixed.items()):
            return False
        return all(_inside(axis.corners, point[axis.own]) for axis in self.axes)


def whole_piece(given: Polynomial) -> Piece:
    """A polynomial on all probabilities that its sets may have.

    >>> from infoset.games import absent_minded
    >>> from infoset.linear.numbers import Numbers
    >>> from infoset.strategy.absentminded.polynomial import payoff_polynomial
    >>> two_plays_down = Numbers.of([1, 1, 0, 1])
    >>> piece = whole_piece(payoff_polynomial(absent_minded().tree(), 0, two_plays_down))
    >>> piece.net.tolist(), piece.under, piece.most
    ([2, 102, 4], 2, Fraction(51, 1))
    """
    owner = given.choices.owner.tolist()
    axes = tuple(
        Axis(own, degree, _unit_corners(len(given.actions(own))))
        for own, degree in given.degrees.items()
    )
    shape = [len(exponents(axis.degree, len(axis.corners))) for axis in axes]
    net = np.zeros(shape, object)
    for monomial, amount in given.terms.items():
        part: Any = np.array(amount, object)
        for axis in axes:
            first = given.actions(axis.own)[0]
            powers = [0] * len(axis.corners)
            for choice in monomial:
                if owner[choice] == axis.own:
                    powers[choice - first] += 1
            part = np.multiply.outer(part, monomial_net(axis.degree, tuple(powers)))
        net = net + part
    under = given.under * prod(factorial(axis.degree) for axis in axes)
    whole = np.empty(shape, object)
    whole[...] = net  # a single number comes out of the sum without its array
    return Piece(axes, whole, under, {})


def net_size(given: Polynomial) -> int:
    """How many numbers the net of a polynomial has."""
    return prod(
        comb(degree + len(given.actions(own)) - 1, degree) for own, degree in given.degrees.items()
    )


def _unit_corners(count: int) -> tuple[Corner, ...]:
    return tuple(tuple(Fraction(int(i == j)) for j in range(count)) for i in range(count))


def edge_lengths(corners: tuple[Corner, ...]) -> dict[tuple[int, int], Fraction]:
    """By pair of corners: their distance."""
    return {
        (i, j): max(abs(a - b) for a, b in zip(corners[i], corners[j], strict=True))
        for j in range(len(corners))
        for i in range(j)
    }


def longest_edge(corners: tuple[Corner, ...]) -> tuple[int, int]:
    """The two corners that are farthest apart."""
    lengths = edge_lengths(corners)
    return max(lengths, key=lengths.__getitem__)


def _no_positive_direction(matrix: Array) -> bool:
    """Is a symmetric integer matrix negative semidefinite? By elimination."""
    rows = [[-Fraction(int(entry)) for entry in row] for row in matrix]
    for at in range(len(rows)):
        pivot = rows[at][at]
        if pivot < 0 or (not pivot and any(rows[at][at + 1 :])):
            return False
        for below in range(at + 1, len(rows) if pivot else 0):
            factor = rows[below][at] / pivot
            if factor:
                rows[below] = [
                    entry - factor * above
                    for entry, above in zip(rows[below], rows[at], strict=True)
                ]
    return True


def _inside(corners: tuple[Corner, ...], probabilities: list[Fraction]) -> bool:
    """Is a point of the simplex an average of the corners?"""
    if len(corners) == 2 == len(probabilities):
        interval = sorted(corner[0] for corner in corners)
        return interval[0] <= probabilities[0] <= interval[1]
    from flint import fmpq, fmpq_mat

    rows, columns = len(probabilities), len(corners)
    entries = [fmpq(v.numerator, v.denominator) for v in np.array(corners).T.ravel()]
    matrix = fmpq_mat(rows, columns, entries)
    side = fmpq_mat(
        rows,
        1,
        [fmpq(probability.numerator, probability.denominator) for probability in probabilities],
    )
    # Corners are independent, so the weights that come nearest to the point are unique.
    across = matrix.transpose()
    weights = (across * matrix).solve(across * side)
    return matrix * weights == side and all(weights[at, 0] >= 0 for at in range(columns))
