"""HiGHS itself: a model from arrays, a run that can be watched, the basis it ends with.

Everything that talks to HiGHS goes through here: linear programs (:mod:`highs`), their refinement
(:mod:`refine`), programs with whole variables (:mod:`whole`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

TIGHT = 1e-9  # how far from feasible floats may be
POLL = 0.1  # seconds between looks at the clock and the keyboard


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


def run_watched(highs: Any, callbacks: Sequence[Any], enough: Callable[[], bool]) -> bool:
    """Run in a thread of its own; ``enough`` is asked now and then, and true stops the run.

    ``callbacks`` are those of HiGHS's interrupts that count here. True if the run was stopped.
    """
    asked = threading.Event()

    def look(event: Any) -> None:
        if asked.is_set():
            event.interrupt()

    for callback in callbacks:
        callback.subscribe(look)
    worker = threading.Thread(target=highs.run, daemon=True)
    worker.start()
    stopped = False
    try:
        while worker.is_alive():
            worker.join(POLL)
            if not stopped and enough():
                stopped = True
                asked.set()
    finally:  # an interrupt passes through, and should not leave HiGHS at work behind it
        asked.set()
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
