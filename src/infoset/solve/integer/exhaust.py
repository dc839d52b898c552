"""That an integer program has no solution, proved in whole numbers by branch and bound.

HiGHS says "infeasible" in floats. Here the same is said with proofs. Branch on a column that is to
be 0 or 1, both ways, and so on; each branch ends where its linear program has no solution. Then
there are multipliers y of the rows (Farkas 1902) for which no point within the columns' bounds has

    Σ y·(M v)  <=  Σ_{y > 0} y·upper + Σ_{y < 0} y·lower,

although every solution must. Floats suggest y, which is rounded to whole numbers; whatever y is,
if the left side is larger even where it is least, that is a proof, and the sums are taken in
integers. A branch whose proof fails is branched on, for nothing is lost by that; one with nothing
left to branch on is a pure profile, and is judged by what the players get from it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import added_up, fitted, multiplied
from infoset.solve.integer.draft import Draft, Floats
from infoset.solve.options import Options

MOST_BRANCHES = 5_000  # where nobody insists on an exact answer,
MOST_WORK = 20_000_000  # and branches times entries of the program
DIGITS = 24  # binary ones that multipliers are rounded to
SPLIT = 1e-6  # how far from 0 and 1 a column is split

Array = npt.NDArray[Any]
Fixed = dict[int, float]


def exhaust(draft: Draft, judge: Callable[[Floats], bool], options: Options) -> int | None:
    """How many branches it takes to prove that there is no solution; None if that fails.

    ``judge`` says of a point whose whole columns are 0s and 1s whether it is a solution after all.

    >>> draft = Draft()
    >>> one, two = draft.column(1, whole=True), draft.column(1, whole=True)
    >>> draft.row({one: 2, two: 2}, 1, 1)
    >>> exhaust(draft, lambda values: True, Options())
    5
    """
    proof = _Proof(draft)
    program = draft.engine(np.zeros(len(draft.floor)), whole=False)
    program.setOptionValue("presolve", "off")  # it would keep the multipliers to itself
    whole = np.flatnonzero(draft.whole)
    waiting: list[Fixed] = [{}]
    branches, most, held = 0, _most_branches(draft, options), Fixed()
    while waiting:
        if branches >= most or options.over():
            return None
        fixed = waiting.pop()
        branches += 1
        _change(program, draft, held, fixed)
        held = fixed
        values = _relaxed(program)
        if values is None and proof.holds(fixed, _multipliers(program)):
            continue
        column = _next_column(whole, fixed, values)
        if column is None:
            if judge(_point(len(draft.floor), fixed)):
                return None
            continue
        if values is not None and _settled(values[whole]) and judge(values):
            return None
        near = 1.0 if values is not None and values[column] > 0.5 else 0.0
        waiting += [{**fixed, column: 1.0 - near}, {**fixed, column: near}]
    return branches


def _most_branches(draft: Draft, options: Options) -> float:
    """How many branches a proof may take: none where floats will do, any if it must be exact."""
    if options.exact is not None:
        return inf if options.exact else 0
    entries = sum(map(len, draft.rows))
    return min(MOST_BRANCHES, MOST_WORK // max(entries, 1))


class _Proof:
    """The program in integers: entries and bounds over powers of two."""

    def __init__(self, draft: Draft) -> None:
        self.at, self.columns, values = draft.entries
        exact = [Fraction(value) for value in values.tolist()]
        self.over = max((value.denominator for value in exact), default=1)
        self.entries = fitted([int(value * self.over) for value in exact])
        self.sides = (
            [_side(bound) for bound in draft.lower],
            [_side(bound) for bound in draft.upper],
        )
        self.floor = [Fraction(bound) for bound in draft.floor]
        self.ceiling = [Fraction(bound) for bound in draft.ceiling]

    def holds(self, fixed: Fixed, multipliers: Floats | None) -> bool:
        """Do these multipliers, or their opposites, prove that the branch has no solution?"""
        if multipliers is None or not np.abs(multipliers).max(initial=0.0) > 0:
            return False
        largest = float(np.abs(multipliers).max())
        rounded = np.rint(multipliers / largest * (1 << DIGITS)).astype(np.int64)
        return self._holds(fixed, rounded) or self._holds(fixed, -rounded)

    def _holds(self, fixed: Fixed, multipliers: Array) -> bool:
        given = multipliers.copy()
        allowed = Fraction(0)
        for row in np.flatnonzero(given).tolist():
            side = self.sides[int(given[row] > 0)][row]
            if side is None:
                given[row] = 0
            else:
                allowed += int(given[row]) * side
        sums = added_up(multiplied(given[self.at], self.entries), self.columns, len(self.floor))
        least = Fraction(0)
        for column in np.flatnonzero(sums).tolist():
            bound = self.floor[column] if sums[column] > 0 else self.ceiling[column]
            held = fixed.get(column)
            least += int(sums[column]) * (bound if held is None else Fraction(held))
        return least > allowed * self.over


def _side(bound: float) -> Fraction | None:
    return Fraction(bound) if np.isfinite(bound) else None


def _change(program: Any, draft: Draft, held: Fixed, fixed: Fixed) -> None:
    """From the bounds of one branch to those of another."""
    for column in held.keys() - fixed.keys():
        program.changeColBounds(column, draft.floor[column], draft.ceiling[column])
    for column, value in fixed.items():
        if held.get(column) != value:
            program.changeColBounds(column, value, value)


def _relaxed(program: Any) -> Floats | None:
    """A point of the branch's linear program; None if there is none."""
    import highspy

    program.run()
    if program.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    return np.array(program.getSolution().col_value, np.float64)


def _multipliers(program: Any) -> Floats | None:
    _, there, ray = program.getDualRay()
    return np.array(ray, np.float64) if there else None


def _settled(values: Floats) -> bool:
    return bool((np.minimum(values, 1.0 - values) < SPLIT).all())


def _next_column(whole: Array, fixed: Fixed, values: Floats | None) -> int | None:
    """What to branch on: the column nearest to one half that is not fixed."""
    free = [column for column in whole.tolist() if column not in fixed]
    if not free or values is None:
        return free[0] if free else None
    return int(min(free, key=lambda column: abs(values[column] - 0.5)))


def _point(columns: int, fixed: Fixed) -> Floats:
    values = np.zeros(columns)
    values[list(fixed)] = list(fixed.values())
    return values
