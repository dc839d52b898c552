"""Linear programs some of whose variables are whole numbers, by HiGHS: floats in, floats out.

    maximize c·v  subject to  lower <= M v <= upper,  floor <= v <= ceiling,  some v whole

The answer is what branch and bound finds with all gaps closed, as far as floats can tell: rows may
be missed by 10⁻⁹ and whole variables by 10⁻⁶, so that terms of the objective a million times below
the largest are not to be relied on. Who needs more rounds the whole variables and computes the rest
exactly.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Status = Literal["optimal", "infeasible", "unbounded", "stopped"]

TIGHT = 1e-9  # how far from feasible floats may be
POLL = 0.1  # seconds between looks at the keyboard


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
    highs = _highs(program)
    highs.setOptionValue("time_limit", max(float(seconds), 0.01))
    _run(highs)
    return _answer(program, highs)


def _highs(program: WholeProgram) -> Any:
    import highspy

    columns = len(program.objective)
    order = np.lexsort((program.rows, program.columns))
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = len(program.lower), columns
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = program.objective
    model.col_lower_, model.col_upper_ = program.floor, program.ceiling
    model.row_lower_, model.row_upper_ = program.lower, program.upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    start = np.concatenate(([0], np.cumsum(np.bincount(program.columns, minlength=columns))))
    model.a_matrix_.start_ = start.astype(np.int32)
    model.a_matrix_.index_ = program.rows[order].astype(np.int32)
    model.a_matrix_.value_ = program.entries[order]
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    model.integrality_ = [kinds[int(whole)] for whole in program.whole]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", TIGHT)
    highs.setOptionValue("primal_feasibility_tolerance", TIGHT)
    highs.setOptionValue("dual_feasibility_tolerance", TIGHT)
    highs.passModel(model)
    return highs


def _run(highs: Any) -> None:
    """Run in a thread of its own, so that the keyboard is heard."""
    stop = threading.Event()

    def look(event: Any) -> None:
        if stop.is_set():
            event.interrupt()

    highs.cbMipInterrupt.subscribe(look)
    highs.cbSimplexInterrupt.subscribe(look)
    worker = threading.Thread(target=highs.run, daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(POLL)
    finally:  # an interrupt passes through, and should not leave HiGHS at work behind it
        stop.set()


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
