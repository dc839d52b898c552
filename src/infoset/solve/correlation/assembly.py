"""A linear program put together block by block, and its largest value, exact where it can be had.

Programs of equilibria are made of blocks: weights, prices, what ties them together, what keeps a
player from deviating. Each block takes columns and rows and puts entries where they cross; all are
whole numbers. The optimum is found in floats and proved in integers
(:mod:`infoset.linear.program`), after a closer look where floats chose a wrong basis
(:mod:`infoset.linear.refine`). Where floats fail altogether, small programs are pivoted through in
integers: one row alone has a right-hand side, that all probability is 1. With "at most 1" in its
place nothing at all is feasible, and a start; and if everything is worth something, all of it is
used in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Array, Numbers, bound, fitted
from infoset.linear.program import Basis, Program, Vertex, vertex
from infoset.linear.refine import refined
from infoset.linear.sparse import Sparse
from infoset.linear.tableau import ALONE, ExactTableau
from infoset.solve.options import Options

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
