"""Integer programs as they are written down, row by row, and searched by HiGHS.

    maximize c·v  subject to  lower <= M v <= upper,  floor <= v <= ceiling,  some v are 0 or 1

A draft keeps its numbers as they were meant: floats that are whole, or whole over a power of two.
So what is said of it in floats can be checked in integers (:mod:`infoset.solve.integer.exhaust`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from infoset.linear.engine import TIGHT, engine, run_watched
from infoset.solve.options import Options

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Status = Literal["found", "none", "stopped"]

ONE = 0  # the column that is always 1


@dataclass
class Draft:
    """Columns and rows so far; column 0 is the constant 1."""

    floor: list[float] = field(default_factory=lambda: [1.0])  # [column]
    ceiling: list[float] = field(default_factory=lambda: [1.0])
    whole: list[bool] = field(default_factory=lambda: [False])
    rows: list[dict[int, float]] = field(default_factory=list)  # [row] entry by column
    lower: list[float] = field(default_factory=list)  # [row] -inf where there is none
    upper: list[float] = field(default_factory=list)
    products: dict[tuple[int, ...], int] = field(default_factory=dict)  # column by its factors

    def column(self, ceiling: float, whole: bool = False) -> int:
        """A new variable from 0 to a ceiling; its number."""
        self.floor.append(0.0)
        self.ceiling.append(float(ceiling))
        self.whole.append(whole)
        return len(self.floor) - 1

    def row(
        self, terms: Mapping[int, float], lower: float = -np.inf, upper: float = np.inf
    ) -> None:
        """A condition on the sum of some columns."""
        self.rows.append({column: float(entry) for column, entry in terms.items() if entry})
        self.lower.append(float(lower))
        self.upper.append(float(upper))

    def product(self, factors: tuple[int, ...]) -> int:
        """The column that is 1 where all of these are, and 0 elsewhere.

        Exact where the factors are 0 or 1: it is at most each, and at least 1 less one for each
        factor that is 0.
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
        """HiGHS with this program; without the demand for whole numbers if so said."""
        return engine(
            self.entries,
            objective,
            (np.array(self.floor), np.array(self.ceiling)),
            (np.array(self.lower), np.array(self.upper)),
            whole=np.array(self.whole) if whole else None,
            maximize=True,
        )


@dataclass(frozen=True, eq=False)
class Answer:
    """What HiGHS says of a draft."""

    status: Status
    values: Floats  # [column]; empty unless something was found
    bound: float  # the objective of all else is not larger
    nodes: int  # of its branch and bound


def search(draft: Draft, options: Options, objective: Mapping[int, float] | None = None) -> Answer:
    """A feasible point, the best one if there is an objective, until time is over.

    >>> draft = Draft()
    >>> one, two = draft.column(1, whole=True), draft.column(1, whole=True)
    >>> draft.row({one: 3, two: 5}, upper=6)
    >>> search(draft, Options(), {one: 2, two: 3}).values.tolist()
    [1.0, 0.0, 1.0]
    """
    costs = np.zeros(len(draft.floor))
    for column, cost in (objective or {}).items():
        costs[column] = cost
    highs = draft.engine(costs, whole=True)
    highs.setOptionValue("mip_feasibility_tolerance", TIGHT)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", TIGHT)
    run_watched(highs, (highs.cbMipInterrupt, highs.cbSimplexInterrupt), options.over)
    return _answer(highs, len(costs), any(draft.whole))


def _answer(highs: Any, columns: int, whole: bool) -> Answer:
    import highspy

    status, info = highs.getModelStatus(), highs.getInfo()
    values = np.array(highs.getSolution().col_value, np.float64)
    nodes = max(int(info.mip_node_count), 0)
    if status == highspy.HighsModelStatus.kOptimal and len(values) == columns:
        value = float(info.objective_function_value)
        bound = max(float(info.mip_dual_bound), value) if whole else value
        return Answer("found", values, bound, nodes)
    nothing = np.zeros(0)
    none = (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible)
    if status in none:
        return Answer("none", nothing, -np.inf, nodes)
    if info.primal_solution_status == 2 and len(values) == columns:
        return Answer("stopped", values, float(info.mip_dual_bound), nodes)
    return Answer("stopped", nothing, np.inf, nodes)
