"""Double oracle over compiled rules.

The same as :mod:`infoset.search.simultaneous.oracle`, where it is explained, reply by reply and
count by count. The actions that are played so far are listed in a frame's whole numbers, sorted.
"""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.cells import open_cells, play
from infoset.kernels.search.entry import SEARCH
from infoset.kernels.search.workspace import (
    AT_ONCE,
    CHANCES,
    COLUMNS,
    MET_AGAIN,
    OURS,
    RESPONSES,
    ROWS,
    SKIPPED,
    STATE,
    STOP,
    THEIRS,
    TIE,
    WIDE,
    WORKSPACE,
    arrive,
    cut_off,
    entry_of,
    halted,
    overflows,
    paid,
    total_weight,
)
from infoset.kernels.stages import CHANCE, OVER, RULES


@compiled(types.int64(WORKSPACE, types.int64, types.int64, types.int64, types.int64))
def grow(workspace: Any, frame: int, line: int, count: int, action: int) -> int:
    """Take an action in, if there is one and it is new; how many there are."""
    actions = workspace.longs[frame, line]
    if action < 0:
        return count
    for at in range(count):
        if actions[at] == action:
            return count
    at = count
    while at > 0 and actions[at - 1] > action:
        actions[at] = actions[at - 1]
        at -= 1
    actions[at] = action
    return count + 1


@compiled(types.float64(RULES, WORKSPACE, types.int64, types.int64), error_model="numpy")
def oracle(rules: Any, workspace: Any, frame: int, left: int) -> float:
    """The value of the state in a frame; ``left`` moves deep."""
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    ours, theirs = workspace.longs[frame, OURS], workspace.longs[frame, THEIRS]
    numbers = workspace.numbers
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
        whole, total = total_weight(rules, state, ours, count), 0.0
        for at in range(count):
            probability = rules.weight(state, ours[at]) / whole
            if probability == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            total += probability * oracle(rules, workspace, frame + 1, left)
        return total
    if left == 0:
        return cut_off(rules, workspace, state)
    entry = entry_of(workspace, state, left, AT_ONCE)
    if entry >= 0 and workspace.known[entry, 0] == workspace.known[entry, 1]:
        numbers[MET_AGAIN] += 1
        return float(workspace.known[entry, 0])
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(workspace, height, width):
        return 0.0
    arrive(workspace, left, height, width)
    open_cells(workspace, frame, height, width)
    wide, tie = numbers[WIDE], workspace.scale[TIE]
    values, done = workspace.floats[frame], workspace.floats[frame, 2 * wide :]
    rows = columns = 1
    looked, value = 0, 0.0
    while True:
        # Fill in the game among the actions so far, solve it, and let both reply: the first player
        # to the second's strategy, then the second to the first's.
        gainers = (-1, -1)
        for step in range(3):
            best = -1.0
            if step == 0:
                first, second = rows, columns
            elif step == 1:
                numbers[RESPONSES] += 1
                first, second, best = height, width, value + tie
            else:
                numbers[RESPONSES] += 1
                first, second, best = width, height, -value + tie
            gainer = -1
            for own in range(first):
                total = 0.0
                for other in range(second):
                    probability = 1.0
                    if step == 0:
                        i = workspace.longs[frame, ROWS, own]
                        j = workspace.longs[frame, COLUMNS, other]
                    elif step == 1:
                        i, j, probability = own, other, values[3 * wide + 1, other]
                    else:
                        i, j, probability = other, own, values[3 * wide, other]
                    if probability == 0.0:
                        continue
                    if done[i, j] == 0.0:
                        rules.after(state, ours[i], theirs[j], then)
                        values[i, j] = oracle(rules, workspace, frame + 1, left - 1)
                        done[i, j] = 1.0
                        looked += 1
                        if numbers[STOP]:
                            return 0.0
                    total += probability * values[i, j]
                if step == 1 and total > best:
                    best, gainer = total, own
                elif step == 2 and -total > best:
                    best, gainer = -total, own
            if step == 0:
                value = play(rules, workspace, frame, rows, columns)
            elif step == 1:
                gainers = (gainer, -1)
            else:
                gainers = (gainers[0], gainer)
        before = rows + columns
        rows = grow(workspace, frame, ROWS, rows, gainers[0])
        columns = grow(workspace, frame, COLUMNS, columns, gainers[1])
        if rows + columns == before:
            break
    numbers[SKIPPED] += height * width - looked
    if entry >= 0:
        workspace.known[entry, 0] = workspace.known[entry, 1] = value
    return value


@compiled(SEARCH, error_model="numpy")
def search(rules: Any, workspace: Any, left: int) -> float:
    """From the first frame's state."""
    return oracle(rules, workspace, 0, left)
