"""Backward induction over compiled rules: a matrix game at every position."""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.desk import (
    AT_ONCE,
    CHANCES,
    DESK,
    MET_AGAIN,
    OURS,
    STATE,
    STOP,
    THEIRS,
    arrive,
    cut_off,
    game_value,
    halted,
    overflows,
    paid,
    total_weight,
)
from infoset.kernels.search.memory import entry_of
from infoset.kernels.stages import NATURE, OVER, POINTERS, RULES, Rules


@compiled(types.float64(RULES, DESK, types.int64, types.int64), error_model="numpy")
def backward(rules: Any, desk: Any, frame: int, left: int) -> float:
    """The value of the state in a frame; ``left`` moves deep."""
    state, then = desk.longs[frame, STATE], desk.longs[frame + 1, STATE]
    ours, theirs = desk.longs[frame, OURS], desk.longs[frame, THEIRS]
    turn = rules.turn(state)
    if turn == OVER:
        return paid(rules, desk, state)
    if halted(desk, frame):
        return 0.0
    if turn == NATURE:
        desk.numbers[CHANCES] += 1
        count = rules.options(state, 2, ours)
        if overflows(desk, count, 1):
            return 0.0
        whole, total = total_weight(rules, state, ours, count), 0.0
        for at in range(count):
            share = rules.weight(state, ours[at]) / whole
            if share == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            total += share * backward(rules, desk, frame + 1, left)
        return total
    if left == 0:
        return cut_off(rules, desk, state)
    entry = entry_of(desk, state, left, AT_ONCE)
    if entry >= 0 and desk.known[entry, 0] == desk.known[entry, 1]:
        desk.numbers[MET_AGAIN] += 1
        return float(desk.known[entry, 0])
    rows, columns = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(desk, rows, columns):
        return 0.0
    arrive(desk, left, rows, columns)
    values = desk.floats[frame]
    for row in range(rows):
        for column in range(columns):
            rules.after(state, ours[row], theirs[column], then)
            if rules.turn(then) == OVER:  # most are: not worth a call
                values[row, column] = paid(rules, desk, then)
            else:
                values[row, column] = backward(rules, desk, frame + 1, left - 1)
    if desk.numbers[STOP]:
        return 0.0
    value = game_value(rules, desk, frame, values, rows, columns)
    if entry >= 0:
        desk.known[entry, 0] = desk.known[entry, 1] = value
    return value


@compiled(types.float64(*POINTERS, DESK, types.int64), nogil=True, error_model="numpy")
def enter(
    turn: Any,
    options: Any,
    after: Any,
    payoff: Any,
    weight: Any,
    bounds: Any,
    solve_matrix: Any,
    mixture_bound: Any,
    desk: Any,
    left: int,
) -> float:
    """From the first frame's state."""
    rules = Rules(turn, options, after, payoff, weight, bounds, solve_matrix, mixture_bound)
    return backward(rules, desk, 0, left)
