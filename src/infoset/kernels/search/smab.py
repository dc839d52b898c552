"""Simultaneous-move alpha-beta over compiled rules.

The same as :mod:`infoset.search.simultaneous.alphabeta`, where it is explained, cell by cell and
count by count.
"""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.cells import (
    dominated,
    drop,
    filled,
    is_left,
    next_cell,
    open_cells,
    play,
    settle,
    settled,
    window,
)
from infoset.kernels.search.entry import SEARCH
from infoset.kernels.search.workspace import (
    AT_ONCE,
    CHANCES,
    COLUMNS,
    CUTOFFS,
    DOMINANCE,
    DROP_CROSSED,
    EPSILON,
    FRAMES,
    HEURISTIC,
    HIGH,
    LEAVES_FIRST,
    LOW,
    ORDER,
    OURS,
    REVERSED,
    ROWS,
    SKIP,
    SKIPPED,
    STATE,
    STATIC_BOUND,
    STOP,
    THEIRS,
    TIE,
    WHOLE,
    WIDE,
    WINDOWS,
    WORKSPACE,
    arrive,
    cut_off,
    entry_of,
    game_value,
    halted,
    overflows,
    paid,
    recall,
    remember,
    span,
    spans,
    total_weight,
    within,
)
from infoset.kernels.stages import CHANCE, OVER, RULES

PAIR = types.UniTuple(types.int64, 2)
WINDOW = (types.float64, types.float64)


@compiled(types.int64(RULES, WORKSPACE, types.int64, types.int64, types.int64), error_model="numpy")
def look(rules: Any, workspace: Any, frame: int, rows: int, columns: int) -> int:
    """Note what is known of the cells before any is searched; with how many the game ends."""
    ends = 0
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    ours, theirs = workspace.longs[frame, OURS], workspace.longs[frame, THEIRS]
    wide, floats = workspace.numbers[WIDE], workspace.floats[frame]
    for a in range(rows):
        for b in range(columns):
            rules.after(state, ours[a], theirs[b], then)
            if workspace.numbers[LEAVES_FIRST] and rules.turn(then) == OVER:
                settle(workspace, frame, a, b, paid(rules, workspace, then))
                ends += 1
            elif workspace.numbers[HEURISTIC]:
                low, high = within(rules, workspace, then)
                floats[a, b], floats[wide + a, b] = low, high
                floats[2 * wide + a, b] = 1.0 if low == high else 0.0
    return ends


@compiled(PAIR(RULES, WORKSPACE, types.int64, types.int64, types.int64), error_model="numpy")
def prune(rules: Any, workspace: Any, frame: int, rows: int, columns: int) -> tuple[int, int]:
    """Give up dominated rows and columns until there are none; how many of each are left."""
    frames = workspace.numbers[FRAMES]
    marked = workspace.longs[frames - 1]  # of a frame that no play reaches
    again = True
    while again:
        again = False
        for line in (ROWS, COLUMNS):
            is_row = line == ROWS
            count = rows if is_row else columns
            for at in range(count):
                action = workspace.longs[frame, line, at]
                marked[line, at] = (
                    action
                    if dominated(rules, workspace, frame, action, rows, columns, is_row)
                    else -1
                )
            for at in range(count):
                action = marked[line, at]
                left = rows if is_row else columns
                if action < 0 or left < 2:
                    continue
                if not dominated(rules, workspace, frame, action, rows, columns, is_row):
                    continue  # the others may be fewer by now
                left = drop(workspace, frame, line, left, action)
                again = True
                if is_row:
                    rows = left
                else:
                    columns = left
    return rows, columns


@compiled(
    types.float64(RULES, WORKSPACE, types.int64, *WINDOW, types.int64, types.int64, types.int64),
    error_model="numpy",
)
def rest(
    rules: Any,
    workspace: Any,
    frame: int,
    alpha: float,
    beta: float,
    rows: int,
    columns: int,
    gave: int,
) -> float:
    """The value of the cells that are left; ``gave``: 1 if rows were pruned, 2 if columns."""
    if rows == 0:
        return alpha
    if columns == 0:
        return beta
    value = play(rules, workspace, frame, rows, columns)
    if gave & 1 and value < alpha:
        return alpha
    if gave & 2 and value > beta:
        return beta
    return value


@compiled(types.float64(RULES, WORKSPACE, types.int64, *WINDOW, types.int64), error_model="numpy")
def smab(rules: Any, workspace: Any, frame: int, alpha: float, beta: float, left: int) -> float:
    """The value of the state in a frame, or a bound of it at the edge of the window."""
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    ours, theirs = workspace.longs[frame, OURS], workspace.longs[frame, THEIRS]
    numbers, tie = workspace.numbers, workspace.scale[TIE]
    turn = rules.turn(state)
    if turn == OVER:
        return paid(rules, workspace, state)
    if halted(workspace, frame):
        return 0.0
    if turn == CHANCE:
        numbers[CHANCES] += 1
        count = rules.options(state, 2, ours)
        if overflows(workspace, count, 1):
            return 0.0
        whole = total_weight(rules, state, ours, count)
        least, most = spans(rules, workspace, frame, count, whole)
        known = 0.0
        for at in range(count):
            probability = rules.weight(state, ours[at]) / whole
            if probability == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            low, high = span(rules, workspace, then)
            least -= probability * low
            most -= probability * high
            below, above = (
                (alpha - known - most) / probability,
                (beta - known - least) / probability,
            )
            value = smab(rules, workspace, frame + 1, below, above, left)
            known += probability * value
            if value <= below + tie:
                return min(known + most, alpha)
            if value >= above - tie:
                return max(known + least, beta)
        return known
    if left == 0:
        return cut_off(rules, workspace, state)
    entry = entry_of(workspace, state, left, AT_ONCE)
    met, value = recall(workspace, entry, alpha, beta)
    if met:
        return value
    low, high = span(rules, workspace, state)
    if workspace.scale[LOW] < workspace.scale[HIGH] and (
        low == high or high <= alpha or low >= beta
    ):
        return low if low >= beta else high
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(workspace, height, width):
        return 0.0
    arrive(workspace, left, height, width)
    open_cells(workspace, frame, height, width)
    unseen = height * width
    if numbers[LEAVES_FIRST] or numbers[HEURISTIC]:
        unseen -= look(rules, workspace, frame, height, width)
    rows, columns, gave = height, width, 0
    wide, floats = numbers[WIDE], workspace.floats[frame]
    ended = False
    floor, ceiling = workspace.scale[LOW] - 1.0, workspace.scale[HIGH] + 1.0
    first, last = alpha, beta  # the window, narrowed by the static bound
    something = unseen < height * width or numbers[HEURISTIC] != 0
    if numbers[STATIC_BOUND] and something and unseen and (frame or not numbers[WHOLE]):
        value = game_value(rules, workspace, frame, floats, height, width)
        ended = value >= beta - tie
        if not ended:
            floor = value
            value = game_value(rules, workspace, frame, floats[wide:], height, width)
            ended = value <= alpha + tie or value <= floor + tie
            ceiling = value
        first, last = max(alpha, floor), min(beta, ceiling)
    a, b = 0, 0
    while a < height and not ended:
        row, column = a, b
        a, b = next_cell(numbers[ORDER], a, b, height, width)
        if numbers[REVERSED]:
            row, column = height - 1 - row, width - 1 - column
        if (
            floats[2 * wide + row, column] != 0.0
            or not is_left(workspace, frame, ROWS, rows, row)
            or not is_left(workspace, frame, COLUMNS, columns, column)
        ):
            continue
        if numbers[CUTOFFS]:
            ended, value = settled(workspace, frame, rows, columns, first, last)
            if ended:
                if gave & 1 and value < first:
                    value = first
                elif gave & 2 and value > last:
                    value = last
                value = min(max(value, floor), ceiling)
                break
        below, above = workspace.scale[LOW] - 1.0, workspace.scale[HIGH] + 1.0
        skip = numbers[SKIP]
        if skip == 0 or filled(workspace, frame, rows, columns, height, width) >= skip:
            numbers[WINDOWS] += 1
            below, above = window(rules, workspace, frame, row, column, rows, columns, first, last)
        verdict = 0  # 1: the row is pruned; 2: the column; 3: both; 0: neither
        if floats[wide + row, column] <= below + tie:
            verdict = 1
        elif floats[row, column] >= above - tie:
            verdict = 2
        elif numbers[DROP_CROSSED] and below >= above - tie:
            verdict = 3
        else:
            unseen -= 1
            narrow = below >= above - tie
            end = below + workspace.scale[EPSILON] if narrow else above
            rules.after(state, ours[row], theirs[column], then)
            found = smab(rules, workspace, frame + 1, below, end, left - 1)
            if numbers[STOP]:
                return 0.0
            if found <= below + tie:
                verdict = 1
            elif narrow or found >= above - tie:
                verdict = 2
            else:
                settle(workspace, frame, row, column, found)
        gave |= verdict
        if verdict & 1:
            rows = drop(workspace, frame, ROWS, rows, row)
        if verdict & 2:
            columns = drop(workspace, frame, COLUMNS, columns, column)
        if numbers[DOMINANCE] and rows and columns:
            before = rows, columns
            rows, columns = prune(rules, workspace, frame, rows, columns)
            gave |= int(rows < before[0]) | 2 * int(columns < before[1])
    numbers[SKIPPED] += unseen
    if not ended:
        value = rest(rules, workspace, frame, first, last, rows, columns, gave)
        value = min(max(value, floor), ceiling)
    value = min(max(value, low), high)  # of a pass that stops short, heuristics may know more
    if entry >= 0:
        remember(workspace, entry, value, alpha, beta)
    return value


@compiled(SEARCH, error_model="numpy")
def search(rules: Any, workspace: Any, left: int) -> float:
    """From the first frame's state, with a window that holds all."""
    low, high = workspace.scale[LOW] - 1.0, workspace.scale[HIGH] + 1.0
    return smab(rules, workspace, 0, low, high, left)
