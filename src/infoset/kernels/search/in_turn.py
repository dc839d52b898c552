"""Bounds by moving in turn, over compiled rules.

The same as :mod:`infoset.search.simultaneous.serialized`, where it is explained, count by count.
"""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.desk import (
    CHANCES,
    DESK,
    FIRST_SHOWS,
    OURS,
    SERIALIZED,
    STATE,
    STOP,
    THEIRS,
    TIE,
    cut_off,
    halted,
    overflows,
    paid,
    span,
    spans,
    total_weight,
)
from infoset.kernels.search.memory import entry_of, recall, remember
from infoset.kernels.stages import NATURE, OVER, RULES

WINDOW = (types.float64, types.float64)


@compiled(
    types.float64(RULES, DESK, types.int64, *WINDOW, types.int64, types.int64), error_model="numpy"
)
def in_turn(
    rules: Any, desk: Any, frame: int, alpha: float, beta: float, left: int, shows: int
) -> float:
    """The value if one player always shows its move, or a bound of it at the window's edge."""
    state, then = desk.longs[frame, STATE], desk.longs[frame + 1, STATE]
    ours, theirs = desk.longs[frame, OURS], desk.longs[frame, THEIRS]
    numbers, tie = desk.numbers, desk.scale[TIE]
    turn = rules.turn(state)
    if turn == OVER:
        return paid(rules, desk, state)
    if halted(desk, frame):
        return 0.0
    if turn == NATURE:
        numbers[CHANCES] += 1
        count = rules.options(state, 2, ours)
        if overflows(desk, count, 1):
            return 0.0
        whole = total_weight(rules, state, ours, count)
        least, most = spans(rules, desk, frame, count, whole)
        known = 0.0
        for at in range(count):
            share = rules.weight(state, ours[at]) / whole
            if share == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            low, high = span(rules, desk, then)
            least -= share * low
            most -= share * high
            below, above = (alpha - known - most) / share, (beta - known - least) / share
            value = in_turn(rules, desk, frame + 1, below, above, left, shows)
            known += share * value
            if value <= below + tie:
                return min(known + most, alpha)
            if value >= above - tie:
                return max(known + least, beta)
        return known
    if left == 0:
        return cut_off(rules, desk, state)
    entry = entry_of(desk, state, left, shows)
    met, value = recall(desk, entry, alpha, beta)
    if met:
        return value
    numbers[SERIALIZED] += 1
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(desk, height, width):
        return 0.0
    # Who shows its move maximizes what the other leaves of it; seen from the second player all
    # signs are turned round.
    sign = 1.0 if shows == FIRST_SHOWS else -1.0
    outer, inner = (height, width) if shows == FIRST_SHOWS else (width, height)
    floor, ceiling = (alpha, beta) if shows == FIRST_SHOWS else (-beta, -alpha)
    best = -float("inf")
    for own in range(outer):
        start = max(floor, best)
        worst = float("inf")
        for reply in range(inner):
            end = min(ceiling, worst)
            i, j = (own, reply) if shows == FIRST_SHOWS else (reply, own)
            rules.after(state, ours[i], theirs[j], then)
            if shows == FIRST_SHOWS:
                found = in_turn(rules, desk, frame + 1, start, end, left - 1, shows)
            else:
                found = in_turn(rules, desk, frame + 1, -end, -start, left - 1, shows)
            worst = min(worst, sign * found)
            if worst <= start:
                break
        best = max(best, worst)
        if best >= ceiling:
            break
    if numbers[STOP]:
        return 0.0
    value = sign * best
    if entry >= 0:
        remember(desk, entry, value, alpha, beta)
    return value
