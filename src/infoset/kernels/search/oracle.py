"""Double oracle over compiled rules.

The same as :mod:`infoset.search.simultaneous.oracle`, where it is explained, reply by reply and
count by count. The actions that are played so far are listed in a frame's whole numbers, sorted.
"""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.cells import open_cells
from infoset.kernels.search.desk import (
    AT_ONCE,
    CHANCES,
    COLUMNS,
    DESK,
    FRAMES,
    MET_AGAIN,
    OURS,
    RESPONSES,
    ROWS,
    SCRATCH,
    SKIPPED,
    STATE,
    STOP,
    THEIRS,
    TIE,
    WIDE,
    arrive,
    cut_off,
    game_value,
    halted,
    overflows,
    paid,
    spread,
    total_weight,
)
from infoset.kernels.search.memory import entry_of
from infoset.kernels.stages import NATURE, OVER, POINTERS, RULES, Rules


@compiled(types.float64(RULES, DESK, types.int64, types.int64, types.int64), error_model="numpy")
def play(rules: Any, desk: Any, frame: int, rows: int, columns: int) -> float:
    """Solve the game among the actions so far; the shares go to their places among all."""
    wide, frames = desk.numbers[WIDE], desk.numbers[FRAMES]
    matrix, low = desk.floats[frames + SCRATCH], desk.floats[frame]
    ours, theirs = desk.longs[frame, ROWS], desk.longs[frame, COLUMNS]
    for i in range(rows):
        for j in range(columns):
            matrix[i, j] = low[ours[i], theirs[j]]
    value = game_value(rules, desk, frame, matrix, rows, columns)
    spread(low[3 * wide], ours, rows, wide)
    spread(low[3 * wide + 1], theirs, columns, wide)
    return value


@compiled(types.int64(DESK, types.int64, types.int64, types.int64, types.int64))
def grow(desk: Any, frame: int, line: int, count: int, action: int) -> int:
    """Take an action in, if there is one and it is new; how many there are."""
    actions = desk.longs[frame, line]
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


@compiled(types.float64(RULES, DESK, types.int64, types.int64), error_model="numpy")
def oracle(rules: Any, desk: Any, frame: int, left: int) -> float:
    """The value of the state in a frame; ``left`` moves deep."""
    state, then = desk.longs[frame, STATE], desk.longs[frame + 1, STATE]
    ours, theirs = desk.longs[frame, OURS], desk.longs[frame, THEIRS]
    numbers = desk.numbers
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
        whole, total = total_weight(rules, state, ours, count), 0.0
        for at in range(count):
            share = rules.weight(state, ours[at]) / whole
            if share == 0.0:
                continue
            rules.after(state, ours[at], 0, then)
            total += share * oracle(rules, desk, frame + 1, left)
        return total
    if left == 0:
        return cut_off(rules, desk, state)
    entry = entry_of(desk, state, left, AT_ONCE)
    if entry >= 0 and desk.known[entry, 0] == desk.known[entry, 1]:
        numbers[MET_AGAIN] += 1
        return float(desk.known[entry, 0])
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(desk, height, width):
        return 0.0
    arrive(desk, left, height, width)
    open_cells(desk, frame, height, width)
    wide, tie = numbers[WIDE], desk.scale[TIE]
    values, done = desk.floats[frame], desk.floats[frame, 2 * wide :]
    rows = columns = 1
    looked, value = 0, 0.0
    while True:
        # Fill in the game among the actions so far, solve it, and let both reply: the first player
        # to the second's shares, then the second to the first's.
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
                    share = 1.0
                    if step == 0:
                        i = desk.longs[frame, ROWS, own]
                        j = desk.longs[frame, COLUMNS, other]
                    elif step == 1:
                        i, j, share = own, other, values[3 * wide + 1, other]
                    else:
                        i, j, share = other, own, values[3 * wide, other]
                    if share == 0.0:
                        continue
                    if done[i, j] == 0.0:
                        rules.after(state, ours[i], theirs[j], then)
                        values[i, j] = oracle(rules, desk, frame + 1, left - 1)
                        done[i, j] = 1.0
                        looked += 1
                        if numbers[STOP]:
                            return 0.0
                    total += share * values[i, j]
                if step == 1 and total > best:
                    best, gainer = total, own
                elif step == 2 and -total > best:
                    best, gainer = -total, own
            if step == 0:
                value = play(rules, desk, frame, rows, columns)
            elif step == 1:
                gainers = (gainer, -1)
            else:
                gainers = (gainers[0], gainer)
        before = rows + columns
        rows = grow(desk, frame, ROWS, rows, gainers[0])
        columns = grow(desk, frame, COLUMNS, columns, gainers[1])
        if rows + columns == before:
            break
    numbers[SKIPPED] += height * width - looked
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
    return oracle(rules, desk, 0, left)
