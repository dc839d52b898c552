"""Linear programs some of whose variables are whole numbers, by HiGHS: floats in, floats out.

    maximize c·v  subject to  lower <= M v <= upper,  floor <= v <= ceiling,  some v whole

The answer is what branch and bound finds with all gaps closed, as far as floats can tell: rows may
be missed by 10⁻⁹ and whole variables by 10⁻⁶, so that terms of the objective a million times below
the largest are not to be relied on. Who needs more rounds the whole variables and computes the rest
exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from infoset.linear.engine import TIGHT, engine, run_watched

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Status = Literal["optimal", "infeasible", "unbounded", "stopped"]


@dataclass(frozen=True, eq=False)
class WholeProgram:
    """Something to maximize; the matrix by coordinates, none of them twice."""

    objective: Floats  # [column]
    rows: Longs  # [entry]
    columns: Longs  # [entry]
    entries: Floats  # [entry]
    lower: Floats  # [row] -inf where there is none
    upper: Floats  # [row]
    floor: Floats  # [column]
    ceiling: Floats  # [column]
    whole: Bools  # [column]


@dataclass(frozen=True, eq=False)
class WholeAnswer:
    """The best that was found, and how much better anything else could be."""

    values: Floats  # [column]; empty where nothing feasible was found
    objective: float
    bound: float  # no feasible point has a larger objective
    status: Status  # "stopped" by the clock: values and bound are as far as it got


def maximize_whole(program: WholeProgram, seconds: float = 1e9) -> WholeAnswer:
    """Solve, until done or out of time.

    >>> knapsack = WholeProgram(
    ...     objective=np.array([5.0, 4.0, 3.0]),
    ...     rows=np.zeros(3, np.int64), columns=np.arange(3), entries=np.array([2.0, 3.0, 1.0]),
    ...     lower=np.array([-np.inf]), upper=np.array([4.0]),
    ...     floor=np.zeros(3), ceiling=np.ones(3), whole=np.ones(3, np.bool_))
    >>> answer = maximize_whole(knapsack)
    >>> answer.status, answer.values.tolist(), answer.objective
    ('optimal', [1.0, 0.0, 1.0], 8.0)
    """
    highs = engine(
        (program.rows, program.columns, program.entries),
        program.objective,
        (program.floor, program.ceiling),
        (program.lower, program.upper),
        whole=program.whole,
        maximize=True,
    )
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", TIGHT)
    highs.setOptionValue("time_limit", max(float(seconds), 0.01))
    run_watched(highs, (highs.cbMipInterrupt, highs.cbSimplexInterrupt), lambda: False)
    return _answer(program, highs)


def _answer(program: WholeProgram, highs: Any) -> WholeAnswer:
    import highspy

    known: dict[Any, Status] = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        highspy.HighsModelStatus.kUnbounded: "unbounded",
        highspy.HighsModelStatus.kUnboundedOrInfeasible: "infeasible",
    }
    status = known.get(highs.getModelStatus(), "stopped")
    info = highs.getInfo()
    found = np.array(highs.getSolution().col_value, np.float64)
    feasible = info.primal_solution_status == 2 and len(found) == len(program.objective)
    if not feasible or status in ("infeasible", "unbounded"):
        bound = -np.inf if status == "infeasible" else np.inf
        return WholeAnswer(np.zeros(0), -np.inf, bound, status)
    value = float(program.objective @ found)
    bound = info.mip_dual_bound if program.whole.any() else value
    return WholeAnswer(found, value, max(float(bound), value), status)
