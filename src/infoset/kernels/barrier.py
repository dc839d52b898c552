"""A barrier inside compiled code: where workers wait for each other.

Workers are threads that run the same compiled loop without Python's lock, each on its own part of
the arrays. Between two steps each waits until all have come. A step may take microseconds, so they
wait by looking again and again, and give their core away only when it takes long.

``gate`` holds counters, far enough apart to lie in different cache lines: how many have come, how
often all have, and whether someone will never come. The last to come sets the first back and raises
the second, and the second is what the others look at. All are changed by atomic additions, which
order memory as well: what any worker wrote before the gate, all see behind it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from infoset.kernels.compiling import compiled

HERE, TURN, BROKEN = 0, 8, 16  # the places of the counters: 64 bytes apart
PATIENCE = 2_000  # looks, some microseconds, until the core is given away

_give_way: Any = (
    types.ExternalFunction("sched_yield", types.int32())
    if os.name == "posix"
    else numba.njit(lambda: 0)
)


_Raised = Callable[[npt.NDArray[np.int64], int, int], int]  # as compiled code calls it


@intrinsic
def _raise_counter(typing: Any, counters: Any, at: Any, amount: Any) -> Any:
    """Increment a counter atomically and return its old value."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        array = make_array(kind)(context, builder, values[0])  # type: ignore[no-untyped-call]
        place = cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
            context, builder, kind, array, [values[1]]
        )
        return builder.atomic_rmw("add", place, values[2], "seq_cst")

    return types.int64(counters, types.intp, types.int64), code


_raised: _Raised = _raise_counter  # type: ignore[assignment]


def new_barrier() -> npt.NDArray[np.int64]:
    """Where workers can meet; all of them must be given the same."""
    return np.zeros(24, np.int64)


def break_barrier(gate: npt.NDArray[np.int64]) -> None:
    """Let everyone through from now on, since someone will not come; their work is void."""
    gate[BROKEN] = 1


@compiled(nogil=True)
def wait(gate: npt.NDArray[np.int64], workers: int) -> None:
    """Come back when all workers have come here."""
    if workers == 1:
        return
    turn = _raised(gate, TURN, 0)
    if _raised(gate, HERE, 1) == workers - 1:
        _raised(gate, HERE, -workers)
        _raised(gate, TURN, 1)
        return
    looks = 0
    while _raised(gate, TURN, 0) == turn and not _raised(gate, BROKEN, 0):
        looks += 1
        if looks > PATIENCE:
            _give_way()
