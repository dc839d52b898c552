"""The linear programs of correlated equilibria: assembled block by block, maximized exactly.

Programs of equilibria consist of blocks: weights, values, consistency equations, incentive
constraints. Each block adds columns and rows and puts integers where they cross. The optimum is
found in floats and proved in integers (:mod:`infoset.linear.program`), after refinement where
floats chose a wrong basis (:mod:`infoset.linear.refinement`). Where floats fail altogether, small
programs are solved by the simplex method in integers. Only one row has a right-hand side: the
probabilities sum to 1. With "at most 1" instead, zero is feasible, and a starting point; since all
welfare is made positive, all probability is used in the optimum.

The result is a :class:`Device`, which draws plans for the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.forms.normal import Plan
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Array, Numbers, bound, fitted
from infoset.linear.pivoting import ALONE, ExactTableau, maximize_row
from infoset.linear.program import Program
from infoset.linear.sparse import Sparse
from infoset.solvers.lp import exact_vertex
from infoset.solvers.options import Options
from infoset.tree import Tree

Longs = npt.NDArray[np.int64]

NO_BASIS = "no exact basis was found; these probabilities are from floats"
STOPPED = "stopped before the end; these probabilities are not optimal"
RESERVED = 0.4  # the part of the time reserved for an approximation, if the program does not end
MOST_RESERVED = 10.0  # seconds that it may take
AFTER_STOP = 2.0  # and if stopped by request
EXACT_FALLBACK = 20_000  # rows times columns up to which exact pivots follow where floats fail
MOST_PIVOTS = 5_000


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimum of a program: proved in integers, or in floats."""

    values: Numbers  # [column]
    work: dict[str, int]
    note: str = ""

    @property
    def exact(self) -> bool:
        """Are these values proved to be feasible and optimal?"""
        return self.values.exact


@dataclass
class ProgramBuilder:
    """A linear program under construction.

    Maximize 2 a + b, where a + b = 1 and a - 3 b >= 0:

    >>> program = ProgramBuilder()
    >>> a, total = program.columns(2), program.rows(1, equal=True, side=1)
    >>> program.put([total, total], [a, a + 1], [1, 1])
    >>> program.put([program.rows(1)] * 2, [a, a + 1], [1, -3])
    >>> program.maximize(np.array([2, 1]), Options()).values
    Numbers([1, 0])
    """

    free: list[Any] = field(default_factory=list)
    column_unit: list[Any] = field(default_factory=list)
    equal: list[Any] = field(default_factory=list)
    side: list[Any] = field(default_factory=list)
    row_unit: list[Any] = field(default_factory=list)
    entries: list[tuple[Any, Any, Any]] = field(default_factory=list)
    shape: tuple[int, int] = (0, 0)

    def columns(self, count: int, *, free: bool = False, unit: float = 1.0) -> int:
        """Add variables, nonnegative unless free; return the number of the first."""
        first = self.shape[1]
        self.free.append(np.full(count, free))
        self.column_unit.append(np.full(count, unit))
        self.shape = (self.shape[0], first + count)
        return first

    def rows(self, count: int, *, equal: bool = False, side: int = 0, unit: float = 1.0) -> int:
        """Add rows whose sums are at least ``side``, or equal to it; return the first's number."""
        first = self.shape[0]
        self.equal.append(np.full(count, equal))
        self.side.append(np.full(count, side, np.int64))
        self.row_unit.append(np.full(count, 1 / unit))
        self.shape = (first + count, self.shape[1])
        return first

    def put(self, rows: Any, columns: Any, values: Any) -> None:
        """Add integers where rows and columns cross."""
        look()
        rows, columns = np.asarray(rows, np.int64), np.asarray(columns, np.int64)
        self.entries.append((rows, columns, np.broadcast_to(np.asarray(values), rows.shape)))

    def program(self, goal: Array) -> Program:
        """The program that minimizes the negated objective."""
        rows, columns, values = (np.concatenate(part) for part in zip(*self.entries, strict=True))
        cost = fitted([-int(amount) for amount in goal])
        return Program(
            matrix=Sparse.summed(rows, columns, Numbers(fitted(values)), self.shape),
            cost=cost,
            side=np.concatenate(self.side),
            equal=np.concatenate(self.equal),
            free=np.concatenate(self.free),
            row_unit=np.concatenate(self.row_unit),
            column_unit=np.concatenate(self.column_unit),
            cost_unit=1 / unit_of(cost),
        )

    def maximize(self, goal: Array, options: Options) -> Optimum:
        """The values that maximize ``goal``, an integer for each column.

        In floats where exactness is not wanted, or not possible; the note says which.
        """
        program = self.program(goal)
        options.tell(f"linear program of {program.shape[0]:,} rows")
        if max(bound(program.matrix.entries.numerators), bound(program.cost)) >= BEYOND_FLOATS:
            nothing = Optimum(Numbers(np.zeros(program.shape[1])), {"iterations": 0}, NO_BASIS)
            return _by_pivots(program, options) or nothing
        seconds = options.left if options.seconds is None else options.left * (1 - RESERVED)
        answer = highs.minimize(program, seconds, options.tick, options.stop)
        work = {"rows": program.shape[0], "columns": program.shape[1]}
        work["iterations"] = answer.iterations
        if answer.stopped:
            most = AFTER_STOP if options.seconds is None else MOST_RESERVED
            answer = highs.approximate(program, min(options.left, most), options.tick)
        floats = Numbers(answer.primal)
        if answer.basis is None and answer.stopped:
            return Optimum(floats, work, STOPPED)
        if options.exact is False and answer.basis is not None:
            return Optimum(floats, work)
        options.tell("exact arithmetic")
        corner = exact_vertex(program, answer, Budget(seconds=options.left), options.tell)
        if corner is not None:
            return Optimum(corner.primal.lowest(), work)
        approximation = Optimum(floats, work, STOPPED if options.over() else NO_BASIS)
        return _by_pivots(program, options) or approximation


def _by_pivots(program: Program, options: Options) -> Optimum | None:
    """The optimum by the simplex method in integers; None if it takes too long.

    Equations are two inequalities, and free columns two with opposite signs. The objective is one
    more basic variable, which never leaves.
    """
    rows, columns = program.shape
    if rows * columns > EXACT_FALLBACK or options.exact is False or options.over():
        return None
    options.tell("floats failed; exact pivots")
    grid = np.zeros((rows, columns), object)
    grid[program.matrix.rows, program.matrix.columns] = program.matrix.entries.numerators
    (total,) = np.flatnonzero(program.side)
    goal = grid[total] - program.cost  # and 1 for all probability
    others = np.arange(rows) != total
    grid = np.vstack((grid[others], -grid[others & program.equal], -grid[total], goal))
    grid = np.hstack((grid, -grid[:, program.free]))
    names = np.arange(sum(grid.shape))
    width = grid.shape[1]
    rhs = [0] * (len(grid) - 2) + [1, 0]
    table = ExactTableau(grid, rhs, names[width:], names[:width], [ALONE] * len(names))
    pivots = maximize_row(table, len(grid) - 1, MOST_PIVOTS, options.over)
    if pivots is None:
        return None
    places = [table.place(variable) for variable in range(width)]
    found = [table.value(place) if place >= 0 else Fraction(0) for place in places]
    for column, negative in zip(np.flatnonzero(program.free), found[columns:], strict=True):
        found[column] -= negative
    return Optimum(Numbers.of(found[:columns]), {"pivots": pivots})


def unit_of(integers: Array) -> float:
    """A power of two near the largest of some integers, as the unit of floats."""
    largest = min(max(bound(integers), 1), BEYOND_FLOATS)
    return float(2.0 ** (largest.bit_length() - 1))


Draws = Sequence[tuple[tuple[Plan, ...], Fraction]]


@dataclass(frozen=True)
class Device:
    """A lottery over profiles of plans, or a correlation plan alone."""

    draws: Draws  # a plan for each player, and its probability; may be empty
    how: str  # the algorithm, in words
    work: Mapping[str, int]
    optimal: bool  # is it proved that no equilibrium of the kind has more welfare?
    note: str = ""
    plan: Mapping[tuple[int, int], Fraction] = field(
        default_factory=dict
    )  # weights by pair of sequences


def combined(weights: Sequence[Fraction], amounts: Sequence[tuple[Array, int]]) -> Array:
    """Σ weight × numerators / denominator, as integers without common factor."""
    whole = lcm(*(w.denominator * under for w, (_, under) in zip(weights, amounts, strict=True)))
    total: Any = 0
    for weight, (over, under) in zip(weights, amounts, strict=True):
        total = total + over.astype(object) * int(weight * whole / under)
    shared = gcd(*total.ravel().tolist()) or 1
    return np.asarray(total // shared)


def welfare_at_leaves(tree: Tree, weights: Mapping[str, Fraction]) -> Array:
    """[leaf] chance's probability times the welfare there, as integers in some unit.

    Welfare is measured from its minimum. Every play ends at some leaf, so this subtracts a constant
    from all lotteries; floats resolve small differences better without a large constant.
    """
    amounts = [(stake.numerators, stake.denominator) for stake in tree.leaf_payoffs]
    paid = combined([weights[player] for player in tree.names], amounts)
    chance = tree.chance_reach.take(tree.leaf_indices).lowest()
    total = (paid - paid.min()) * chance.numerators.astype(object)
    return np.asarray(total // (gcd(*total.tolist()) or 1))


def first_actions(tree: Tree) -> Draws:
    """The first action everywhere, where nothing better was found."""
    plans = tuple(
        tuple((int(infoset), 0) for infoset in choices.infosets) for choices in tree.choices
    )
    return ((plans, Fraction(1)),)
