"""Linear programs whose costs are integers too long for floats.

An exact strategy may have probabilities of thousands of digits, and then so has what every sequence
wins against it. Floats are shown the leading digits of such costs, and find a basis. The vertex of
that basis is the same for every cost; the prices are linear in it, so that they are found for parts
of the cost that are short enough, one after the other, and added up. That both are feasible is then
checked in integers as always: it proves that the basis is optimal for the whole cost.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import Any

import numpy as np

from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Array, Numbers, bound, fitted, multiplied
from infoset.linear.program import Basis, Program, vertex
from infoset.solve import lp
from infoset.solve.options import Options

LONG = 900  # binary digits from which a cost is too long
LEADING = 60  # digits of it that floats are shown
PART = 600  # digits of a part for which prices are found


def lowest(program: Program, width: int, options: Options) -> tuple[Any, str]:
    """The first ``width`` variables where a program's cost is least: exact, else floats; a note.

    >>> from infoset.linear.sparse import Sparse
    >>> program = Program(
    ...     Sparse.of({(0, 0): 3, (0, 1): 1}, (1, 2)),  # 3 u + v >= 1
    ...     cost=np.array([2 * 10**1000, 10**1000 + 1], object), side=np.array([1]),
    ...     equal=np.array([False]), free=np.array([False, False]),
    ... )
    >>> lowest(program, 2, Options())
    (Numbers([1/3, 0]), '')
    """
    if max(bound(program.matrix.entries.numerators), bound(program.side)) >= BEYOND_FLOATS:
        return np.zeros(width), lp.NO_BASIS
    length = bound(program.cost).bit_length()
    if length <= LONG:
        _, found, _, note = lp.optimal(program, (0, width), options)
        return found, note
    near = _near(program, length - LEADING)
    answer = highs.minimize(near, options.left, options.tick, options.stop)
    found = answer.primal[:width]
    if answer.basis is None:
        return found, lp.STOPPED if answer.stopped else lp.NO_BASIS
    if options.exact is False:
        return found, ""
    options.tell("exact arithmetic")
    exact = _proved(program, answer.basis, Budget(seconds=options.left))
    if exact is None:
        return found, lp.STOPPED if options.over() else lp.NO_BASIS
    return exact.take(np.arange(width)).lowest(), ""


def _near(program: Program, shift: int) -> Program:
    """The leading digits of the cost, and a unit for them."""
    cost = fitted([int(amount) >> shift for amount in program.cost])
    return replace(program, cost=cost, cost_unit=1 / float(2.0 ** (bound(cost).bit_length() - 1)))


def _proved(program: Program, basis: Basis, budget: Budget) -> Numbers | None:
    """The vertex of a basis, if it is optimal."""
    primal: Numbers | None = None
    prices = []
    for part in _parts(program.cost):
        corner = vertex(replace(program, cost=part), basis, budget)
        if corner is None or not corner.primal_feasible:
            return None
        primal = corner.primal
        prices.append(corner.dual)
    return primal if _feasible(program, _joined(prices)) else None


def _parts(cost: Array) -> list[Array]:
    """The cost as digits of the base 2^PART, the lowest first; the highest have the sign."""
    parts, rest = [], cost.astype(object)
    while bound(rest) >> PART:
        parts.append(fitted(rest & ((1 << PART) - 1)))
        rest = rest >> PART
    return [*parts, fitted(rest)]


def _joined(prices: list[Numbers]) -> Numbers:
    """The prices of the parts, added up."""
    under = lcm(*(own.denominator for own in prices))
    total: Array = np.zeros(len(prices[0]), object)
    for own in prices[::-1]:
        total = (total << PART) + own.numerators.astype(object) * (under // own.denominator)
    return Numbers(fitted(total), under)


def _feasible(program: Program, dual: Numbers) -> bool:
    """Is no variable priced above its cost, and no inequality below zero?"""
    priced = program.matrix.transposed.times(dual)
    reduced = multiplied(program.cost, fitted([priced.denominator])) - priced.numerators
    signs = dual.numerators[~program.equal]
    return not (reduced[program.free].any() or (reduced < 0).any() or (signs < 0).any())
