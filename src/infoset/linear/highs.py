"""Linear programs by HiGHS: floats in, floats out.

Which of its methods is the right one depends on the program. On the sequence forms of most games
the simplex method is ahead, by up to ten times; on some it is hopeless (poker with hands of five
cards takes it a minute, and interior points one second). So the simplex method is given a number of
iterations in proportion to the rows, fewer in large programs, and then interior points take over.
Counting iterations and not seconds keeps the answer the same from run to run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.linear.engine import basic, engine, run_watched
from infoset.linear.lifting import Budget
from infoset.linear.program import Basis, Program, vertex

Floats = npt.NDArray[np.float64]

LARGE = 6_000  # rows of a large program
PATIENCE = 4.0  # iterations of the simplex method for each row
LITTLE_PATIENCE = 0.5  # and in a large program
FEWEST = 1_000  # iterations that are always allowed
CLOSER = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # how close a sketch is asked to come, in turn


@dataclass(frozen=True, eq=False)
class Answer:
    """What floats say about a program. Without a basis, it is a sketch."""

    primal: Floats  # [column]
    dual: Floats  # [row]
    basis: Basis | None
    iterations: int
    how: str  # "simplex" or "interior points"
    stopped: bool = False  # out of time or interrupted; else, without a basis, floats have failed

    @classmethod
    def at(cls, program: Program, basis: Basis, budget: Budget) -> Answer | None:
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
        highs.run()
        return False
    began = time.perf_counter()

    def enough() -> bool:
        if tick is not None:
            tick(f"{what}, {time.perf_counter() - began:.0f} s")
        return stop is not None and stop()

    return run_watched(highs, (highs.cbSimplexInterrupt, highs.cbIpmInterrupt), enough)


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
    basis = Basis(*basic(highs))
    return Answer(primal, dual, basis, iterations, how)
