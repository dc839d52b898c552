"""HiGHS: linear programs and mixed-integer programs, floats in, floats out.

Everything that uses HiGHS is here: a model from arrays, a run that can be stopped, the basis that
it ends with.

*Linear programs.* Which method is best depends on the program. On the sequence forms of most games
the simplex method is faster, by up to ten times; on some it is too slow (poker with hands of five
cards takes it a minute, and interior points one second). So the simplex method is given a number of
iterations in proportion to the rows, fewer in large programs, and then interior points take over.
Counting iterations and not seconds keeps the answer the same from run to run.

*Mixed-integer programs.*

    maximize c·v  subject to  lower <= M v <= upper,  floor <= v <= ceiling,  some v integer

The answer is what branch and bound finds with all gaps closed, within the tolerances of floats:
rows may be violated by 10⁻⁹ and integer variables by 10⁻⁶, so that terms of the objective a million
times below the largest are not reliable. Callers that need more round the integer variables and
compute the rest exactly.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from infoset.clock import look, seconds_left
from infoset.linear.lifting import Budget
from infoset.linear.program import Basis, Program, vertex

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

TIGHT = 1e-9  # how far from feasible floats may be
POLL = 0.1  # seconds between looks at the clock and the keyboard
LAST_WAIT = 60.0  # seconds that the end of the process waits for a run that was left


def engine(
    entries: tuple[Longs, Longs, Floats],
    cost: Floats,
    columns: tuple[Floats, Floats],
    rows: tuple[Floats, Floats],
    *,
    whole: Bools | None = None,
    maximize: bool = False,
) -> Any:
    """HiGHS with a program, quiet and at tight tolerances.

    ``entries`` are rows, columns and values of the matrix, in any order, no place twice;
    ``columns`` and ``rows`` are lower and upper bounds; ``whole`` says which columns are whole.
    """
    import highspy

    at_row, at_column, values = entries
    order = np.lexsort((at_row, at_column))
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = len(rows[0]), len(cost)
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = columns
    model.row_lower_, model.row_upper_ = rows
    if maximize:
        model.sense_ = highspy.ObjSense.kMaximize
    if whole is not None:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[int(one)] for one in whole]
    start = np.concatenate(([0], np.cumsum(np.bincount(at_column, minlength=len(cost)))))
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = start.astype(np.int32)
    model.a_matrix_.index_ = at_row[order].astype(np.int32)
    model.a_matrix_.value_ = values[order]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("primal_feasibility_tolerance", TIGHT)
    highs.setOptionValue("dual_feasibility_tolerance", TIGHT)
    highs.passModel(model)
    return highs


def run(highs: Any) -> None:
    """Run, in a thread of its own where there is a limit on time.

    Raises
    ------
    OutOfTime
        If HiGHS has not ended by then: presolving and factorizing do not look at its clock.
    """
    if isinf(seconds_left()):
        highs.run()
    else:
        run_watched(highs, (), lambda: False)


def run_watched(highs: Any, callbacks: Sequence[Any], enough: Callable[[], bool]) -> bool:
    """Run in a thread of its own; ``enough`` is asked now and then, and true stops the run.

    ``callbacks`` are those of HiGHS's interrupts that count here. True if the run was stopped.

    Raises
    ------
    OutOfTime
        As :func:`run`.
    """
    asked = threading.Event()

    def heed(event: Any) -> None:
        if asked.is_set():
            event.interrupt()

    for callback in callbacks:
        callback.subscribe(heed)
    worker = threading.Thread(target=highs.run, daemon=True)
    worker.start()
    stopped = False
    try:
        while worker.is_alive():
            worker.join(POLL)
            if worker.is_alive():
                look()
            if not stopped and enough():
                stopped = True
                asked.set()
    finally:  # an interrupt passes through, and should not leave HiGHS at work behind it
        asked.set()
        if worker.is_alive():  # a process that ends below HiGHS is aborted
            atexit.register(worker.join, LAST_WAIT)
    return stopped


def basic(highs: Any) -> tuple[Bools, Bools]:
    """Which columns and which rows are basic.

    Read status by status: HiGHS's list of basic variables is not there, and ends the process, after
    programs that presolving has solved.
    """
    import highspy

    held, status = highs.getBasis(), highspy.HighsBasisStatus.kBasic
    return (
        np.array([one == status for one in held.col_status], np.bool_),
        np.array([one == status for one in held.row_status], np.bool_),
    )


LARGE = 6_000  # rows of a large program
PATIENCE = 4.0  # iterations of the simplex method for each row
LITTLE_PATIENCE = 0.5  # and in a large program
FEWEST = 1_000  # iterations that are always allowed
CLOSER = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # tolerances of the first-order method, in turn


@dataclass(frozen=True, eq=False)
class FloatOptimum:
    """What floats say about a program. Without a basis, it is approximate."""

    primal: Floats  # [column]
    dual: Floats  # [row]
    basis: Basis | None
    iterations: int
    how: str  # "simplex", "interior points" or "pdlp"
    stopped: bool = False  # out of time or interrupted; else, without a basis, floats have failed

    @classmethod
    def at(cls, program: Program, basis: Basis, budget: Budget) -> FloatOptimum | None:
        """What belongs to a basis, optimal or not; None if that cannot be told."""
        corner = vertex(program, basis, budget)
        if corner is None:
            return None
        return cls(corner.primal.floats, corner.dual.floats, basis, 0, "simplex")


def minimize(
    program: Program,
    seconds: float = 1e9,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> FloatOptimum:
    """Solve a program in floats, until done, out of time, or told to stop."""
    began = time.perf_counter()
    highs = _highs(program)
    rows = program.shape[0]
    patience = int(rows * (LITTLE_PATIENCE if rows > LARGE else PATIENCE)) + FEWEST
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("simplex_iteration_limit", patience)
    stopped = _run(highs, seconds, "simplex", tick, stop)
    left = seconds - (time.perf_counter() - began)
    answer = _answer(program, highs, "simplex", stopped=stopped or left <= 0)
    if answer.basis is not None or answer.stopped:
        return answer
    highs = _highs(program)
    highs.setOptionValue("solver", "ipm")
    stopped = _run(highs, left, "interior points", tick, stop)
    stopped = stopped or time.perf_counter() - began >= seconds
    return _answer(program, highs, "interior points", answer.iterations, stopped=stopped)


def approximate(
    program: Program, seconds: float, tick: Callable[[str], None] | None = None
) -> FloatOptimum:
    """A rough answer in a short time: a first-order method (PDLP), more and more closely.

    It gives no answer before it has reached its tolerance, so the first tolerance is large. Without
    any answer, both sides are zero.
    """
    began = time.perf_counter()
    found = FloatOptimum(
        np.zeros(program.shape[1]), np.zeros(program.shape[0]), None, 0, "pdlp", True
    )
    for close in CLOSER:
        left = seconds - (time.perf_counter() - began)
        if left <= 0:
            break
        highs = _highs(program)
        highs.setOptionValue("solver", "pdlp")
        for what in ("pdlp_optimality", "primal_feasibility", "dual_feasibility"):
            highs.setOptionValue(f"{what}_tolerance", close)
        _run(highs, left, f"pdlp to {close:g}", tick, None)
        if time.perf_counter() - began >= seconds:
            break
        found = _answer(program, highs, "pdlp", stopped=True)
    return found


def _highs(program: Program) -> Any:
    """HiGHS with the program, in units that floats like."""
    rows, columns = program.shape
    row_unit = np.broadcast_to(program.row_unit, rows)
    column_unit = np.broadcast_to(program.column_unit, columns)
    matrix, side = program.matrix, program.side.astype(np.float64) * row_unit
    values = matrix.entries.floats * row_unit[matrix.rows] * column_unit[matrix.columns]
    return engine(
        (matrix.rows, matrix.columns, values),
        program.cost.astype(np.float64) * column_unit * program.cost_unit,
        (np.where(program.free, -np.inf, 0.0), np.full(columns, np.inf)),
        (side, np.where(program.equal, side, np.inf)),
    )


def _run(
    highs: Any,
    seconds: float,
    what: str,
    tick: Callable[[str], None] | None,
    stop: Callable[[], bool] | None,
) -> bool:
    """Run; a large program so that someone can watch and stop it; true if it was stopped.

    To be asked at every iteration slows HiGHS down: small programs are left alone, they take about
    a second at most.
    """
    highs.setOptionValue("time_limit", max(float(seconds), 0.01))
    if highs.getNumRow() <= LARGE:
        run(highs)
        return False
    began = time.perf_counter()

    def enough() -> bool:
        if tick is not None:
            tick(f"{what}, {time.perf_counter() - began:.0f} s")
        return stop is not None and stop()

    return run_watched(highs, (highs.cbSimplexInterrupt, highs.cbIpmInterrupt), enough)


def _answer(
    program: Program, highs: Any, how: str, before: int = 0, *, stopped: bool
) -> FloatOptimum:
    import highspy

    solution, info = highs.getSolution(), highs.getInfo()
    rows, columns = program.shape
    primal = np.zeros(columns)
    dual = np.zeros(rows)
    if len(solution.col_value) == columns:
        primal = np.array(solution.col_value) * program.column_unit
    if len(solution.row_dual) == rows:
        dual = np.array(solution.row_dual) * program.row_unit / program.cost_unit
    iterations = before + max(info.simplex_iteration_count, 0) + max(info.ipm_iteration_count, 0)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal or not info.basis_validity:
        return FloatOptimum(primal, dual, None, iterations, how, stopped)
    basis = Basis(*basic(highs))
    return FloatOptimum(primal, dual, basis, iterations, how)


Status = Literal["optimal", "infeasible", "unbounded", "stopped"]


@dataclass(frozen=True, eq=False)
class IntegerProgram:
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
class IntegerAnswer:
    """The best that was found, and how much better anything else could be."""

    values: Floats  # [column]; empty where nothing feasible was found
    objective: float
    bound: float  # no feasible point has a larger objective
    status: Status  # "stopped" by the clock: values and bound are as far as it got


def maximize_integer(program: IntegerProgram, seconds: float = 1e9) -> IntegerAnswer:
    """Solve, until done or out of time.

    >>> knapsack = IntegerProgram(
    ...     objective=np.array([5.0, 4.0, 3.0]),
    ...     rows=np.zeros(3, np.int64), columns=np.arange(3), entries=np.array([2.0, 3.0, 1.0]),
    ...     lower=np.array([-np.inf]), upper=np.array([4.0]),
    ...     floor=np.zeros(3), ceiling=np.ones(3), whole=np.ones(3, np.bool_))
    >>> answer = maximize_integer(knapsack)
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
    return _answer_whole(program, highs)


def _answer_whole(program: IntegerProgram, highs: Any) -> IntegerAnswer:
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
        return IntegerAnswer(np.zeros(0), -np.inf, bound, status)
    value = float(program.objective @ found)
    bound = info.mip_dual_bound if program.whole.any() else value
    return IntegerAnswer(found, value, max(float(bound), value), status)
