"""Integer programs: assembled row by row, solved by HiGHS, proved infeasible in exact arithmetic.

    maximize c·v  subject to  lower <= M v <= upper,  floor <= v <= ceiling,  some v are 0 or 1

All coefficients are integers, or integers over a power of two, so that what HiGHS says in floats
can be checked exactly.

*Infeasibility.* HiGHS says "infeasible" in floats; here a branch and bound proves it. Branch on a
binary variable; a branch ends where its linear program is infeasible. Then there are multipliers y
of the rows (Farkas 1902) such that no point within the variables' bounds satisfies

    Σ y·(M v)  <=  Σ_{y > 0} y·upper + Σ_{y < 0} y·lower,

although every feasible point must. Floats suggest y, which is rounded to integers. For any y, if
the minimum of the left side exceeds the right side, that is a proof, and both are computed in
integers. A branch whose proof fails is branched on further, which loses nothing; one without free
binary variables is a pure profile, and is judged by the players' exact payoffs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.linear.highs import TIGHT, engine, run, run_watched
from infoset.linear.numbers import fitted, group_sums, multiplied
from infoset.solvers.options import Options

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Status = Literal["found", "none", "stopped"]

ONE = 0  # the column that is constantly 1


@dataclass
class BinaryProgram:
    """An integer program under construction; column 0 is the constant 1."""

    floor: list[float] = field(default_factory=lambda: [1.0])  # [column]
    ceiling: list[float] = field(default_factory=lambda: [1.0])
    whole: list[bool] = field(default_factory=lambda: [False])
    rows: list[dict[int, float]] = field(default_factory=list)  # [row] entry by column
    lower: list[float] = field(default_factory=list)  # [row] -inf where there is none
    upper: list[float] = field(default_factory=list)
    products: dict[tuple[int, ...], int] = field(default_factory=dict)  # column by its factors

    def column(self, ceiling: float, whole: bool = False) -> int:
        """A new variable from 0 to a ceiling; its number."""
        look()
        self.floor.append(0.0)
        self.ceiling.append(float(ceiling))
        self.whole.append(whole)
        return len(self.floor) - 1

    def row(
        self, terms: Mapping[int, float], lower: float = -np.inf, upper: float = np.inf
    ) -> None:
        """Bound a linear combination of columns from below, from above, or both."""
        look()
        self.rows.append({column: float(entry) for column, entry in terms.items() if entry})
        self.lower.append(float(lower))
        self.upper.append(float(upper))

    def product(self, factors: tuple[int, ...]) -> int:
        """The column that is the product of binary columns.

        It is at most each factor, and at least 1 less the number of factors that are 0.
        """
        key = tuple(sorted(set(factors) - {ONE}))
        if len(key) < 2:
            return key[0] if key else ONE
        if key not in self.products:
            found = self.products[key] = self.column(1.0)
            for factor in key:
                self.row({found: 1.0, factor: -1.0}, upper=0.0)
            self.row({found: 1.0, **dict.fromkeys(key, -1.0)}, lower=1.0 - len(key))
        return self.products[key]

    @property
    def entries(self) -> tuple[Longs, Longs, Floats]:
        """Rows, columns and values of the matrix."""
        sizes = [len(terms) for terms in self.rows]
        at = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        columns = np.fromiter((c for terms in self.rows for c in terms), np.int64, len(at))
        values = np.fromiter((v for terms in self.rows for v in terms.values()), float, len(at))
        return at, columns, values

    def engine(self, objective: Floats, whole: bool) -> Any:
        """HiGHS with this program; its linear relaxation unless ``whole``."""
        return engine(
            self.entries,
            objective,
            (np.array(self.floor), np.array(self.ceiling)),
            (np.array(self.lower), np.array(self.upper)),
            whole=np.array(self.whole) if whole else None,
            maximize=True,
        )


@dataclass(frozen=True, eq=False)
class BinaryAnswer:
    """What HiGHS says of an integer program."""

    status: Status
    values: Floats  # [column]; empty unless a point was found
    bound: float  # an upper bound of the objective
    nodes: int  # of its branch and bound


def search(
    program: BinaryProgram, options: Options, objective: Mapping[int, float] | None = None
) -> BinaryAnswer:
    """A feasible point, optimal if there is an objective, as far as time allows.

    >>> program = BinaryProgram()
    >>> one, two = program.column(1, whole=True), program.column(1, whole=True)
    >>> program.row({one: 3, two: 5}, upper=6)
    >>> search(program, Options(), {one: 2, two: 3}).values.tolist()
    [1.0, 0.0, 1.0]
    """
    costs = np.zeros(len(program.floor))
    for column, cost in (objective or {}).items():
        costs[column] = cost
    highs = program.engine(costs, whole=True)
    highs.setOptionValue("mip_feasibility_tolerance", TIGHT)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", TIGHT)
    highs.setOptionValue("time_limit", max(options.left, 0.01))
    run_watched(highs, (highs.cbMipInterrupt, highs.cbSimplexInterrupt), options.over)
    return _answer(highs, len(costs), any(program.whole))


def _answer(highs: Any, columns: int, whole: bool) -> BinaryAnswer:
    import highspy

    status, info = highs.getModelStatus(), highs.getInfo()
    values = np.array(highs.getSolution().col_value, np.float64)
    nodes = max(int(info.mip_node_count), 0)
    if status == highspy.HighsModelStatus.kOptimal and len(values) == columns:
        value = float(info.objective_function_value)
        bound = max(float(info.mip_dual_bound), value) if whole else value
        return BinaryAnswer("found", values, bound, nodes)
    none_found = np.zeros(0)
    none = (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible)
    if status in none:
        return BinaryAnswer("none", none_found, -np.inf, nodes)
    if info.primal_solution_status == 2 and len(values) == columns:
        return BinaryAnswer("stopped", values, float(info.mip_dual_bound), nodes)
    return BinaryAnswer("stopped", none_found, np.inf, nodes)


MOST_BRANCHES = 5_000  # unless an exact answer is required,
MOST_WORK = 20_000_000  # and branches times entries of the matrix
DIGITS = 24  # binary digits of rounded multipliers
SPLIT = 1e-6  # distance from 0 and 1 beyond which a value is fractional

Array = npt.NDArray[Any]
Fixed = dict[int, float]


def prove_infeasible(
    program: BinaryProgram, judge: Callable[[Floats], bool], options: Options
) -> int | None:
    """The number of branches of a proof that there is no solution; None if the proof fails.

    ``judge`` decides whether a point with binary values is a solution after all.

    >>> program = BinaryProgram()
    >>> one, two = program.column(1, whole=True), program.column(1, whole=True)
    >>> program.row({one: 2, two: 2}, 1, 1)
    >>> prove_infeasible(program, lambda values: True, Options())
    5
    """
    proof = FarkasProof(program)
    relaxation = program.engine(np.zeros(len(program.floor)), whole=False)
    relaxation.setOptionValue("presolve", "off")  # after presolve there is no dual ray
    whole = np.flatnonzero(program.whole)
    waiting: list[Fixed] = [{}]
    branches, most, held = 0, _most_branches(program, options), Fixed()
    while waiting:
        if branches >= most or options.over():
            return None
        fixed = waiting.pop()
        branches += 1
        _change(relaxation, program, held, fixed)
        held = fixed
        relaxation.setOptionValue("time_limit", max(options.left, 0.01))
        values = _relaxed(relaxation)
        if values is None and proof.holds(fixed, _multipliers(relaxation)):
            continue
        column = _next_column(whole, fixed, values)
        if column is None:
            if judge(_point(len(program.floor), fixed)):
                return None
            continue
        if values is not None and _settled(values[whole]) and judge(values):
            return None
        near = 1.0 if values is not None and values[column] > 0.5 else 0.0
        waiting += [{**fixed, column: 1.0 - near}, {**fixed, column: near}]
    return branches


def _most_branches(program: BinaryProgram, options: Options) -> float:
    """The branches that a proof may take: none for floats, any number for an exact answer."""
    if options.exact is not None:
        return inf if options.exact else 0
    entries = sum(map(len, program.rows))
    return min(MOST_BRANCHES, MOST_WORK // max(entries, 1))


class FarkasProof:
    """The program in integers: entries and bounds over powers of two."""

    def __init__(self, program: BinaryProgram) -> None:
        self.at, self.columns, values = program.entries
        exact = [Fraction(value) for value in values.tolist()]
        self.over = max((value.denominator for value in exact), default=1)
        self.entries = fitted([int(value * self.over) for value in exact])
        self.sides = (
            [_side(bound) for bound in program.lower],
            [_side(bound) for bound in program.upper],
        )
        self.floor = [Fraction(bound) for bound in program.floor]
        self.ceiling = [Fraction(bound) for bound in program.ceiling]

    def holds(self, fixed: Fixed, multipliers: Floats | None) -> bool:
        """Do these multipliers, or their negatives, prove that the branch is infeasible?"""
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
        sums = group_sums(multiplied(given[self.at], self.entries), self.columns, len(self.floor))
        least = Fraction(0)
        for column in np.flatnonzero(sums).tolist():
            bound = self.floor[column] if sums[column] > 0 else self.ceiling[column]
            held = fixed.get(column)
            least += int(sums[column]) * (bound if held is None else Fraction(held))
        return least > allowed * self.over


def _side(bound: float) -> Fraction | None:
    return Fraction(bound) if np.isfinite(bound) else None


def _change(relaxation: Any, program: BinaryProgram, held: Fixed, fixed: Fixed) -> None:
    """Change the bounds of one branch to those of another."""
    for column in held.keys() - fixed.keys():
        relaxation.changeColBounds(column, program.floor[column], program.ceiling[column])
    for column, value in fixed.items():
        if held.get(column) != value:
            relaxation.changeColBounds(column, value, value)


def _relaxed(relaxation: Any) -> Floats | None:
    """A point of the branch's linear relaxation; None if it is infeasible."""
    import highspy

    run(relaxation)
    if relaxation.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    return np.array(relaxation.getSolution().col_value, np.float64)


def _multipliers(relaxation: Any) -> Floats | None:
    _, there, ray = relaxation.getDualRay()
    return np.array(ray, np.float64) if there else None


def _settled(values: Floats) -> bool:
    return bool((np.minimum(values, 1.0 - values) < SPLIT).all())


def _next_column(whole: Array, fixed: Fixed, values: Floats | None) -> int | None:
    """The column to branch on: of those not fixed, the one nearest to one half."""
    free = [column for column in whole.tolist() if column not in fixed]
    if not free or values is None:
        return free[0] if free else None
    return int(min(free, key=lambda column: abs(values[column] - 0.5)))


def _point(columns: int, fixed: Fixed) -> Floats:
    values = np.zeros(columns)
    values[list(fixed)] = list(fixed.values())
    return values
