"""Backward induction over compiled rules: a matrix game at every position."""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.entry import SEARCH
from infoset.kernels.search.workspace import (
    AT_ONCE,
    CHANCES,
    MET_AGAIN,
    OURS,
    STATE,
    STOP,
    THEIRS,
    WORKSPACE,
    arrive,
    cut_off,
    entry_of,
    game_value,
    halted,
    overflows,
    paid,
    total_weight,
)
from infoset.kernels.stages import CHANCE, OVER, RULES


@compiled(types.float64(RULES, WORKSPACE, types.int64, types.int64), error_model="numpy")
def backward(rules: Any, workspace: Any, frame: int, left: int) -> float:
    """The value of the state in a frame; ``left`` moves deep."""
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    ours, theirs = workspace.longs[frame, OURS], workspace.longs[frame, THEIRS]
    turn = rules.turn(state)
    if turn == OVER:
        return paid(rules, workspace, state)
    if halted(workspace, frame):
        return 0.0
    if turn == CHANCE:
        workspace.numbers[CHANCES] += 1
        count = rules.options(state, 2, ours)
        if overflows(workspace, count, 1):
            return 0.0
        whole, total = total_weight(rules, state, ours, count), 0.0
        for at in range(count):
            probability = rules.weight(state, ours[at]) / whole
            if probability == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            total += probability * backward(rules, workspace, frame + 1, left)
        return total
    if left == 0:
        return cut_off(rules, workspace, state)
    entry = entry_of(workspace, state, left, AT_ONCE)
    if entry >= 0 and workspace.known[entry, 0] == workspace.known[entry, 1]:
        workspace.numbers[MET_AGAIN] += 1
        return float(workspace.known[entry, 0])
    rows, columns = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(workspace, rows, columns):
        return 0.0
    arrive(workspace, left, rows, columns)
    values = workspace.floats[frame]
    for row in range(rows):
        for column in range(columns):
            rules.after(state, ours[row], theirs[column], then)
            if rules.turn(then) == OVER:  # most are: not worth a call
                values[row, column] = paid(rules, workspace, then)
            else:
                values[row, column] = backward(rules, workspace, frame + 1, left - 1)
    if workspace.numbers[STOP]:
        return 0.0
    value = game_value(rules, workspace, frame, values, rows, columns)
    if entry >= 0:
        workspace.known[entry, 0] = workspace.known[entry, 1] = value
    return value


@compiled(SEARCH, error_model="numpy")
def search(rules: Any, workspace: Any, left: int) -> float:
    """From the first frame's state."""
    return backward(rules, workspace, 0, left)
