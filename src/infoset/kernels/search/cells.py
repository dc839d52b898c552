"""The cells of a stage in a compiled search: which remain, and the window in which one matters.

The same as :mod:`infoset.search.simultaneous.alphabeta`, where the programs are explained. Lower
bounds are the first WIDE lines of a frame of floats, upper ones the next, and then come marks of
what is done. The remaining rows and columns are listed in the frame's integers, with their count in
the last place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.workspace import (
    COLUMNS,
    DEEP,
    FRAMES,
    HIGH,
    LOW,
    ROWS,
    SCRATCH,
    SIDES,
    TIE,
    WIDE,
    WORKSPACE,
    game_value,
    mixture_value,
    spread,
)
from infoset.kernels.stages import RULES

SHAPED, LEXICOGRAPHIC = 0, 1  # orders of cells
PAIR = types.UniTuple(types.float64, 2)
CELL = types.UniTuple(types.int64, 2)
FRAME = types.int64


@compiled(types.void(WORKSPACE, FRAME, types.int64, types.int64))
def open_cells(workspace: Any, frame: int, rows: int, columns: int) -> None:
    """Nothing is known yet, and everything is left."""
    wide, floats = workspace.numbers[WIDE], workspace.floats[frame]
    for i in range(rows):
        workspace.longs[frame, ROWS, i] = i
        for j in range(columns):
            floats[i, j] = workspace.scale[LOW]
            floats[wide + i, j] = workspace.scale[HIGH]
            floats[2 * wide + i, j] = 0.0
    for j in range(columns):
        workspace.longs[frame, COLUMNS, j] = j


@compiled(types.void(WORKSPACE, FRAME, types.int64, types.int64, types.float64))
def settle(workspace: Any, frame: int, a: int, b: int, value: float) -> None:
    """The value of a cell is known."""
    wide, floats = workspace.numbers[WIDE], workspace.floats[frame]
    floats[a, b] = floats[wide + a, b] = value
    floats[2 * wide + a, b] = 1.0


@compiled(types.boolean(WORKSPACE, FRAME, types.int64, types.int64, types.int64))
def is_left(workspace: Any, frame: int, line: int, count: int, action: int) -> bool:
    """Is an action among those that are left?"""
    left = False
    for at in range(count):
        left = left or workspace.longs[frame, line, at] == action
    return left


@compiled(types.int64(WORKSPACE, FRAME, types.int64, types.int64, types.int64))
def drop(workspace: Any, frame: int, line: int, count: int, action: int) -> int:
    """Give an action up; how many are left."""
    left = workspace.longs[frame, line]
    kept = 0
    for at in range(count):
        if left[at] != action:
            left[kept] = left[at]
            kept += 1
    return kept


@compiled(
    types.float64(RULES, WORKSPACE, types.int64, types.int64, types.int64), error_model="numpy"
)
def play(rules: Any, workspace: Any, frame: int, rows: int, columns: int) -> float:
    """Solve the game among the actions listed; probabilities go to their places among all."""
    wide, frames = workspace.numbers[WIDE], workspace.numbers[FRAMES]
    matrix, low = workspace.floats[frames + SCRATCH], workspace.floats[frame]
    ours, theirs = workspace.longs[frame, ROWS], workspace.longs[frame, COLUMNS]
    for i in range(rows):
        for j in range(columns):
            matrix[i, j] = low[ours[i], theirs[j]]
    value = game_value(rules, workspace, frame, matrix, rows, columns)
    spread(low[3 * wide], ours, rows, wide)
    spread(low[3 * wide + 1], theirs, columns, wide)
    return value


@compiled(CELL(types.int64, types.int64, types.int64, types.int64, types.int64))
def next_cell(order: int, a: int, b: int, rows: int, columns: int) -> tuple[int, int]:
    """The cell after a cell; beyond the last row there is none."""
    if order == LEXICOGRAPHIC:
        return (a, b + 1) if b + 1 < columns else (a + 1, 0)
    if a <= b:  # along the row of a corner, then down its column
        if b + 1 < columns:
            return a, b + 1
        if a + 1 < rows:
            return a + 1, a
        return rows, 0
    if a + 1 < rows:
        return a + 1, b
    return (b + 1, b + 1) if b + 1 < min(rows, columns) else (rows, 0)


@compiled(types.int64(WORKSPACE, FRAME, types.int64, types.int64, types.int64, types.int64))
def filled(workspace: Any, frame: int, rows: int, columns: int, height: int, width: int) -> int:
    """How many of all rows are filled, and as many columns: the lesser number of both."""
    done = workspace.floats[frame, 2 * workspace.numbers[WIDE] :]
    ours, theirs = workspace.longs[frame, ROWS], workspace.longs[frame, COLUMNS]
    open_rows = open_columns = 0
    for i in range(rows):
        whole = True
        for j in range(columns):
            whole = whole and done[ours[i], theirs[j]] != 0.0
        open_rows += not whole
    for j in range(columns):
        whole = True
        for i in range(rows):
            whole = whole and done[ours[i], theirs[j]] != 0.0
        open_columns += not whole
    return min(height - open_rows, width - open_columns)


@compiled(
    PAIR(
        *(RULES, WORKSPACE, FRAME, types.int64, types.int64, types.int64, types.int64),
        *(types.float64, types.float64),
    ),
    error_model="numpy",
)
def window(
    rules: Any,
    workspace: Any,
    frame: int,
    a: int,
    b: int,
    rows: int,
    columns: int,
    alpha: float,
    beta: float,
) -> tuple[float, float]:
    """Between which values that of a cell matters: α_ab and β_ab."""
    wide, frames = workspace.numbers[WIDE], workspace.numbers[FRAMES]
    low, high = workspace.floats[frame], workspace.floats[frame, wide:]
    table, sides = workspace.floats[frames + SCRATCH], workspace.floats[frames + SIDES]
    ours, theirs = workspace.longs[frame, ROWS], workspace.longs[frame, COLUMNS]
    count = 0
    for i in range(rows + 1):
        artificial = i == rows
        if (artificial and not workspace.numbers[DEEP]) or (not artificial and ours[i] == a):
            continue
        width = 0
        for j in range(columns):
            if theirs[j] != b:
                table[count, width] = alpha if artificial else low[ours[i], theirs[j]]
                width += 1
        sides[1, count] = alpha if artificial else low[ours[i], b]
        count += 1
    width = 0
    for j in range(columns):
        if theirs[j] != b:
            sides[0, width] = high[a, theirs[j]]
            width += 1
    below = mixture_value(rules, workspace, count, width)
    count = 0
    for j in range(columns + 1):
        artificial = j == columns
        if (artificial and not workspace.numbers[DEEP]) or (not artificial and theirs[j] == b):
            continue
        width = 0
        for i in range(rows):
            if ours[i] != a:
                table[count, width] = -beta if artificial else -high[ours[i], theirs[j]]
                width += 1
        sides[1, count] = -beta if artificial else -high[a, theirs[j]]
        count += 1
    width = 0
    for i in range(rows):
        if ours[i] != a:
            sides[0, width] = -low[ours[i], b]
            width += 1
    above = -mixture_value(rules, workspace, count, width)
    if below == -np.inf:
        below = workspace.scale[LOW] - 1.0
    if above == np.inf:
        above = workspace.scale[HIGH] + 1.0
    return below, above


@compiled(
    types.boolean(RULES, WORKSPACE, FRAME, types.int64, types.int64, types.int64, types.boolean),
    error_model="numpy",
)
def dominated(
    rules: Any, workspace: Any, frame: int, action: int, rows: int, columns: int, is_row: bool
) -> bool:
    """Is some mixture of the other rows, or columns, at least as good everywhere?"""
    wide, frames = workspace.numbers[WIDE], workspace.numbers[FRAMES]
    low, high = workspace.floats[frame], workspace.floats[frame, wide:]
    table, sides = workspace.floats[frames + SCRATCH], workspace.floats[frames + SIDES]
    ours, theirs = workspace.longs[frame, ROWS], workspace.longs[frame, COLUMNS]
    count = 0
    if is_row:
        for i in range(rows):
            if ours[i] != action:
                for j in range(columns):
                    table[count, j] = low[ours[i], theirs[j]]
                sides[1, count] = 0.0
                count += 1
        for j in range(columns):
            sides[0, j] = high[action, theirs[j]]
        return mixture_value(rules, workspace, count, columns) > -np.inf
    for j in range(columns):
        if theirs[j] != action:
            for i in range(rows):
                table[count, i] = -high[ours[i], theirs[j]]
            sides[1, count] = 0.0
            count += 1
    for i in range(rows):
        sides[0, i] = -low[ours[i], action]
    return mixture_value(rules, workspace, count, rows) > -np.inf


@compiled(
    types.Tuple((types.boolean, types.float64))(
        WORKSPACE, FRAME, types.int64, types.int64, types.float64, types.float64
    ),
    error_model="numpy",
)
def settled(
    workspace: Any, frame: int, rows: int, columns: int, alpha: float, beta: float
) -> tuple[bool, float]:
    """Do pure strategies show that the value lies beyond the window? A bound of it, if so."""
    wide, tie = workspace.numbers[WIDE], workspace.scale[TIE]
    low, high = workspace.floats[frame], workspace.floats[frame, wide:]
    ours, theirs = workspace.longs[frame, ROWS], workspace.longs[frame, COLUMNS]
    held = np.inf
    for j in range(columns):
        most = -np.inf
        for i in range(rows):
            most = max(most, high[ours[i], theirs[j]])
        held = min(held, most)
    if held <= alpha + tie:
        return True, held
    sure = -np.inf
    for i in range(rows):
        least = np.inf
        for j in range(columns):
            least = min(least, low[ours[i], theirs[j]])
        sure = max(sure, least)
    return sure >= beta - tie, sure
