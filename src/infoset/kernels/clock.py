"""A clock for compiled code."""

from __future__ import annotations

import os
import time
from typing import Any

import numba
import numpy as np
from numba import types

from infoset.kernels.compiling import compiled

MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)

_clock_gettime: Any = (
    types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))
    if os.name == "posix"
    else numba.njit(lambda which, into: 0)
)


@compiled(types.int64())
def nanoseconds() -> int:
    """Nanoseconds since some moment; 0 where the system has no such clock."""
    into = np.zeros(2, np.int64)
    _clock_gettime(MONOTONIC, into.ctypes)
    return int(into[0] * 1_000_000_000 + into[1])
