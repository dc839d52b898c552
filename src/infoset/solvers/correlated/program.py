"""A linear program put together block by block, and its largest value, exact where it can be had.

Programs of equilibria are made of blocks: weights, prices, what ties them together, what keeps a
player from deviating. Each block takes columns and rows and puts entries where they cross; all are
whole numbers. The optimum is found in floats and proved in integers
(:mod:`infoset.linear.program`), after a closer look where floats chose a wrong basis
(:mod:`infoset.linear.refinement`). Where floats fail altogether, small programs are pivoted
through in
integers: one row alone has a right-hand side, that all probability is 1. With "at most 1" in its
place nothing at all is feasible, and a start; and if everything is worth something, all of it is
used in the end.

What a search for a correlated equilibrium hands back: a device that draws plans.

And what is the same for all kinds of them: the welfare of each leaf as whole numbers, floats as
probabilities, and something to draw where nothing was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.normal import Plan
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Array, Floats, Numbers, bound, fitted
from infoset.linear.pivoting import ALONE, ExactTableau
from infoset.linear.program import Basis, Program, Vertex, vertex
from infoset.linear.refinement import refined
from infoset.linear.sparse import Sparse
from infoset.solvers.options import Options
from infoset.strategy.behaviour import FINE
from infoset.tree import Tree

Longs = npt.NDArray[np.int64]

NO_BASIS = "no exact basis was found; these are floats, made into probabilities"
STOPPED = "stopped before the end; this is how far it was"
SKETCHING = 0.4  # the part of the time that is kept for a sketch, if there is no end before
AT_MOST = 10.0  # seconds that a sketch may take
AFTER_STOP = 2.0  # and if somebody waits who has said stop
BEARABLE = 20_000  # rows times columns up to which exact pivots take over where floats fail
MOST_PIVOTS = 5_000  # and how many of them


@dataclass(frozen=True, eq=False)
class Optimum:
    """Where a program is largest: proved in integers, or what floats say."""

    values: Numbers  # [column]
    work: dict[str, int]
    note: str = ""

    @property
    def exact(self) -> bool:
        """Is it proved that these values are feasible, and that none are better?"""
        return self.values.exact


@dataclass
class Assembly:
    """Columns, rows and entries so far.

    Maximize 2 a + b, where a + b = 1 and a - 3 b >= 0 says too little to matter:

    >>> program = Assembly()
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
        """New variables, at least 0 unless free; the number of the first."""
        first = self.shape[1]
        self.free.append(np.full(count, free))
        self.column_unit.append(np.full(count, unit))
        self.shape = (self.shape[0], first + count)
        return first

    def rows(self, count: int, *, equal: bool = False, side: int = 0, unit: float = 1.0) -> int:
        """New conditions, that their entries' sum is at least ``side`` or equal to it."""
        first = self.shape[0]
        self.equal.append(np.full(count, equal))
        self.side.append(np.full(count, side, np.int64))
        self.row_unit.append(np.full(count, 1 / unit))
        self.shape = (first + count, self.shape[1])
        return first

    def put(self, rows: Any, columns: Any, values: Any) -> None:
        """Whole numbers where rows and columns cross; several at one place add up."""
        rows, columns = np.asarray(rows, np.int64), np.asarray(columns, np.int64)
        self.entries.append((rows, columns, np.broadcast_to(np.asarray(values), rows.shape)))

    def program(self, goal: Array) -> Program:
        """Minimize what is to be maximized, negated."""
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
        """The values at which ``goal``, a whole number for each column, is largest.

        Floats where exactness is not wanted, or cannot be had; the note says which.
        """
        program = self.program(goal)
        options.tell(f"linear program of {program.shape[0]:,} rows")
        if max(bound(program.matrix.entries.numerators), bound(program.cost)) >= BEYOND_FLOATS:
            nothing = Optimum(Numbers(np.zeros(program.shape[1])), {"iterations": 0}, NO_BASIS)
            return _by_pivots(program, options) or nothing
        seconds = options.left if options.seconds is None else options.left * (1 - SKETCHING)
        answer = highs.minimize(program, seconds, options.tick, options.stop)
        work = {"rows": program.shape[0], "columns": program.shape[1]}
        work["iterations"] = answer.iterations
        if answer.stopped:
            most = AFTER_STOP if options.seconds is None else AT_MOST
            answer = highs.sketch(program, min(options.left, most), options.tick)
        floats = Numbers(answer.primal)
        if answer.basis is None and answer.stopped:
            return Optimum(floats, work, STOPPED)
        if options.exact is False and answer.basis is not None:
            return Optimum(floats, work)
        corner = None if answer.basis is None else _corner(program, answer, answer.basis, options)
        if corner is not None:
            return Optimum(corner.primal.lowest(), work)
        sketch = Optimum(floats, work, STOPPED if options.over() else NO_BASIS)
        return _by_pivots(program, options) or sketch


def _corner(
    program: Program, answer: highs.Answer, basis: Basis, options: Options
) -> Vertex | None:
    """The optimal vertex that floats point to, or one near it; None if none is found."""
    options.tell("exact arithmetic")
    budget = Budget(seconds=options.left)
    corner = vertex(program, basis, budget)
    if corner is None or not corner.optimal:
        options.tell("refinement")
        corner = refined(program, answer, budget)
    return corner


def _by_pivots(program: Program, options: Options) -> Optimum | None:
    """The same by the simplex method in integers; None if it takes too long, or is not wanted.

    Equations are two inequalities, and free columns two with opposite signs. Of the variables that
    raise the goal the first enters, of those that tie the first leaves: so no basis returns (Bland
    1977). The goal is one more basic variable, which never leaves.
    """
    rows, columns = program.shape
    if rows * columns > BEARABLE or options.exact is False:
        return None
    options.tell("floats failed; exact pivots")
    grid = np.zeros((rows, columns), object)
    grid[program.matrix.rows, program.matrix.columns] = program.matrix.entries.numerators
    (total,) = np.flatnonzero(program.side)
    goal = grid[total] - program.cost  # and 1 for all probability that is used
    others = np.arange(rows) != total
    grid = np.vstack((grid[others], -grid[others & program.equal], -grid[total], goal))
    grid = np.hstack((grid, -grid[:, program.free]))
    names = np.arange(sum(grid.shape))
    width = grid.shape[1]
    rhs = [0] * (len(grid) - 2) + [1, 0]
    table = ExactTableau(grid, rhs, names[width:], names[:width], [ALONE] * len(names))
    pivots = _raised(table, len(grid) - 1, options)
    if pivots is None:
        return None
    places = [table.place(variable) for variable in range(width)]
    found = [table.value(place) if place >= 0 else Fraction(0) for place in places]
    for column, negative in zip(np.flatnonzero(program.free), found[columns:], strict=True):
        found[column] -= negative
    return Optimum(Numbers.of(found[:columns]), {"pivots": pivots})


def _raised(table: ExactTableau, goal: int, options: Options) -> int | None:
    """Pivot until nothing raises the row of the goal; how often, or None if it takes too long."""
    for pivots in range(MOST_PIVOTS):
        raising = [at for at in range(len(table.columns)) if table.entry(goal, at) > 0]
        if not raising:
            return pivots
        if options.over():
            return None
        entering = min(raising, key=lambda at: int(table.columns[at]))
        leaving = min(table.tied(entering), key=lambda row: int(table.rows[row]))
        table.exchange(leaving, entering)
    return None


def unit_of(integers: Array) -> float:
    """A power of two near the largest of some whole numbers: what floats should count in."""
    largest = min(max(bound(integers), 1), BEYOND_FLOATS)
    return float(2.0 ** (largest.bit_length() - 1))


Draws = Sequence[tuple[tuple[Plan, ...], Fraction]]


@dataclass(frozen=True)
class Device:
    """A lottery over profiles of plans, or the weights of pairs of sequences alone."""

    draws: Draws  # a plan for each player, and how likely; empty if only the weights are known
    how: str  # what was done, in words
    work: Mapping[str, int]
    optimal: bool  # is it proved that no equilibrium of the kind has more welfare?
    note: str = ""
    plan: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)  # by sequences


def combined(weights: Sequence[Fraction], amounts: Sequence[tuple[Array, int]]) -> Array:
    """Σ weight × numerators / denominator, as whole numbers in some unit without common factor."""
    whole = lcm(*(w.denominator * under for w, (_, under) in zip(weights, amounts, strict=True)))
    total: Any = 0
    for weight, (over, under) in zip(weights, amounts, strict=True):
        total = total + over.astype(object) * int(weight * whole / under)
    shared = gcd(*total.ravel().tolist()) or 1
    return np.asarray(total // shared)


def welfare_at_leaves(tree: Tree, weights: Mapping[str, Fraction]) -> Array:
    """[end] nature's probability times the welfare there, as whole numbers in some unit.

    Welfare is counted from the least. Some end is always reached, so this takes the same off all
    lotteries; and of welfare far from zero only the differences are left, which floats see better.
    """
    amounts = [(stake.numerators, stake.denominator) for stake in tree.leaf_payoffs]
    paid = combined([weights[player] for player in tree.names], amounts)
    chance = tree.nature.take(tree.leaf_indices).lowest()
    total = (paid - paid.min()) * chance.numerators.astype(object)
    return np.asarray(total // (gcd(*total.tolist()) or 1))


def probabilities(sketch: Floats) -> list[Fraction]:
    """Floats as exact probabilities near to them; the largest takes the rounding."""
    kept = np.where(np.isfinite(sketch) & (sketch > 0), sketch, 0.0)
    total = kept.sum()
    if not total > 0:
        kept, total = np.ones(len(sketch)), float(len(sketch))
    whole = np.rint(kept / total * FINE).astype(np.int64)
    whole[int(np.argmax(whole))] += FINE - int(whole.sum())
    return [Fraction(int(share), FINE) for share in fitted(whole)]


def something(tree: Tree) -> Draws:
    """The first action everywhere: to have an answer at all, whose regret says what it is worth."""
    plans = tuple(
        tuple((int(infoset), 0) for infoset in choices.infosets) for choices in tree.choices
    )
    return ((plans, Fraction(1)),)
