"""Positions that a compiled search has met before: where their bounds are kept.

Entries lie one after the other in the order in which they were made; slots, in a table twice as
large, say where that of a state is, found by multiplying and shifting and then one after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.desk import (
    DESK,
    FILLED,
    HIGH,
    LIMITED,
    LONGS1,
    LOW,
    MET_AGAIN,
    SIZE,
    TIE,
)


@compiled(types.int64(DESK, LONGS1, types.int64, types.int64), error_model="numpy")
def entry_of(desk: Any, state: Any, left: int, kind: int) -> int:
    """The entry of a state with so much depth left, made if it is new; −1 if there is no room.

    A new entry knows nothing: its bounds are infinite. What is known of moving in turn, and who
    then shows its move, is kept apart by its kind.
    """
    if len(desk.keys) == 0:
        return -1
    size = desk.numbers[SIZE]
    left = (left if desk.numbers[LIMITED] else 0) * 4 + kind
    mixed = np.uint64(left + 1)
    for at in range(size):
        mixed = (mixed ^ np.uint64(state[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    last = np.uint64(len(desk.slots) - 1)
    slot = mixed & last
    while desk.slots[slot] > 0:
        entry = desk.slots[slot] - 1
        same = desk.keys[entry, size] == left
        for at in range(size):
            same = same and desk.keys[entry, at] == state[at]
        if same:
            return int(entry)
        slot = (slot + np.uint64(1)) & last
    entry = desk.numbers[FILLED]
    if entry == len(desk.keys):
        return -1
    desk.numbers[FILLED] += 1
    desk.slots[slot] = entry + 1
    for at in range(size):
        desk.keys[entry, at] = state[at]
    desk.keys[entry, size] = left
    desk.known[entry, 0], desk.known[entry, 1] = -np.inf, np.inf
    return int(entry)


@compiled(
    types.Tuple((types.boolean, types.float64))(DESK, types.int64, types.float64, types.float64)
)
def recall(desk: Any, entry: int, alpha: float, beta: float) -> tuple[bool, float]:
    """Does what was found for a position answer a search with this window? And the answer."""
    if entry < 0 or desk.known[entry, 1] == np.inf:
        return False, 0.0
    low, high = desk.known[entry, 0], desk.known[entry, 1]
    if low != high and high > alpha and low < beta:
        return False, 0.0
    desk.numbers[MET_AGAIN] += 1
    return True, low if low >= beta else high


@compiled(types.void(DESK, types.int64, types.float64, types.float64, types.float64))
def remember(desk: Any, entry: int, value: float, alpha: float, beta: float) -> None:
    """Keep what a search with a window has shown."""
    known, tie = desk.known[entry], desk.scale[TIE]
    low, high = max(known[0], desk.scale[LOW]), min(known[1], desk.scale[HIGH])
    if value <= alpha + tie:
        high = min(high, value)
    elif value >= beta - tie:
        low = max(low, value)
    else:
        low = high = value
    known[0], known[1] = low, high
