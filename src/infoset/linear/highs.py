"""HiGHS, for linear programs and for programs with whole variables: floats in, floats out.

Which of its methods is the right one depends on the program. On the sequence forms of most games
the simplex method is ahead, by up to ten times; on some it is hopeless (poker with hands of five
cards takes it a minute, and interior points one second). So the simplex method is given a number of
iterations in proportion to the rows, fewer in large programs, and then interior points take over.
Counting iterations and not seconds keeps the answer the same from run to run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.linear.program import Basis, Program

Floats = npt.NDArray[np.float64]

LARGE = 6_000  # rows of a large program
PATIENCE = 4.0  # iterations of the simplex method for each row
LITTLE_PATIENCE = 0.5  # and in a large program
FEWEST = 1_000  # iterations that are always allowed
TIGHT = 1e-9  # how far from feasible floats may be
CLOSER = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # how close a sketch is asked to come, in turn
POLL = 0.1  # seconds between looks at the clock and the keyboard


@dataclass(frozen=True, eq=False)
class Answer:
    """What floats say about a program. Without a basis, it is a sketch."""

    primal: Floats  # [column]
    dual: Floats  # [row]
    basis: Basis | None
    iterations: int
    how: str  # "simplex" or "interior points"
    stopped: bool = False  # out of time or interrupted; else, without a basis, floats have failed


def minimize(
    program: Program,
    seconds: float = 1e9,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Answer:
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


def sketch(program: Program, seconds: float, tick: Callable[[str], None] | None = None) -> Answer:
    """A rough answer in a short time: a first-order method (PDLP), more and more closely.

    It says nothing while it has not come as close as it was asked to, so it is asked for little
    first. Without any answer, both sides are zero.
    """
    began = time.perf_counter()
    found = Answer(np.zeros(program.shape[1]), np.zeros(program.shape[0]), None, 0, "sketch", True)
    for close in CLOSER:
        left = seconds - (time.perf_counter() - began)
        if left <= 0:
            break
        highs = _highs(program)
        highs.setOptionValue("solver", "pdlp")
        for what in ("pdlp_optimality", "primal_feasibility", "dual_feasibility"):
            highs.setOptionValue(f"{what}_tolerance", close)
        _run(highs, left, f"sketch to {close:g}", tick, None)
        if time.perf_counter() - began >= seconds:
            break
        found = _answer(program, highs, "sketch", stopped=True)
    return found


def _highs(program: Program) -> Any:
    """HiGHS with the program, in units that floats like."""
    import highspy

    rows, columns = program.shape
    matrix = program.matrix
    order = np.lexsort((matrix.rows, matrix.columns))
    row_unit = np.broadcast_to(program.row_unit, rows)
    column_unit = np.broadcast_to(program.column_unit, columns)
    values = matrix.entries.floats * row_unit[matrix.rows] * column_unit[matrix.columns]
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = rows, columns
    model.col_cost_ = program.cost.astype(np.float64) * column_unit * program.cost_unit
    model.col_lower_ = np.where(program.free, -np.inf, 0.0)
    model.col_upper_ = np.full(columns, np.inf)
    side = program.side.astype(np.float64) * row_unit
    model.row_lower_ = side
    model.row_upper_ = np.where(program.equal, side, np.inf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    start = np.concatenate(([0], np.cumsum(np.bincount(matrix.columns, minlength=columns))))
    model.a_matrix_.start_ = start.astype(np.int32)
    model.a_matrix_.index_ = matrix.rows[order].astype(np.int32)
    model.a_matrix_.value_ = values[order]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("primal_feasibility_tolerance", TIGHT)
    highs.setOptionValue("dual_feasibility_tolerance", TIGHT)
    highs.passModel(model)
    return highs


def _run(
    highs: Any,
    seconds: float,
    what: str,
    tick: Callable[[str], None] | None,
    stop: Callable[[], bool] | None,
) -> bool:
    """Run; a large program in a thread of its own, so that someone can watch and stop it.

    True if it was stopped. A new thread costs HiGHS some 20 ms, and to be asked at every iteration
    would slow it down further: small programs are left alone, they take about a second at most.
    """
    highs.setOptionValue("time_limit", max(float(seconds), 0.01))
    enough = threading.Event()

    def look(event: Any) -> None:
        if enough.is_set():
            event.interrupt()

    if highs.getNumRow() <= LARGE:
        highs.run()
        return False
    highs.cbSimplexInterrupt.subscribe(look)
    highs.cbIpmInterrupt.subscribe(look)
    worker = threading.Thread(target=highs.run, daemon=True)
    began = time.perf_counter()
    worker.start()
    stopped = False
    try:
        while worker.is_alive():
            worker.join(POLL)
            if tick is not None:
                tick(f"{what}, {time.perf_counter() - began:.0f} s")
            if not stopped and stop is not None and stop():
                stopped = True
                enough.set()
    finally:  # an interrupt passes through, and should not leave HiGHS at work behind it
        enough.set()
    worker.join()
    return stopped


def _answer(program: Program, highs: Any, how: str, before: int = 0, *, stopped: bool) -> Answer:
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
        return Answer(primal, dual, None, iterations, how, stopped)
    held = highs.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    basis = Basis(
        np.array([status == basic for status in held.col_status]),
        np.array([status == basic for status in held.row_status]),
    )
    return Answer(primal, dual, basis, iterations, how)
