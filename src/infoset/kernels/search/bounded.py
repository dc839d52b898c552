"""Double oracle with bounds by serialized moves, over compiled rules.

The same as the bounded search of :mod:`infoset.search.simultaneous.oracle`, where it is explained,
count by count.
"""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.cells import open_cells, play
from infoset.kernels.search.entry import SEARCH
from infoset.kernels.search.oracle import grow
from infoset.kernels.search.workspace import (
    AT_ONCE,
    CHANCES,
    COLUMNS,
    FIRST_SHOWS,
    HEURISTIC,
    HIGH,
    LOW,
    OURS,
    RESPONSES,
    ROWS,
    SECOND_SHOWS,
    SERIALIZED,
    SKIPPED,
    STATE,
    STOP,
    THEIRS,
    TIE,
    WHOLE,
    WIDE,
    WORKSPACE,
    arrive,
    cut_off,
    entry_of,
    halted,
    overflows,
    paid,
    recall,
    remember,
    scaled,
    span,
    spans,
    total_weight,
    within,
)
from infoset.kernels.stages import CHANCE, OVER, RULES

WINDOW = (types.float64, types.float64)


@compiled(
    types.float64(RULES, WORKSPACE, types.int64, *WINDOW, types.int64, types.int64),
    error_model="numpy",
)
def in_turn(
    rules: Any, workspace: Any, frame: int, alpha: float, beta: float, left: int, shows: int
) -> float:
    """The value if one player always shows its move, or a bound of it at the window's edge."""
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
            value = in_turn(rules, workspace, frame + 1, below, above, left, shows)
            known += probability * value
            if value <= below + tie:
                return min(known + most, alpha)
            if value >= above - tie:
                return max(known + least, beta)
        return known
    if left == 0:
        return cut_off(rules, workspace, state)
    entry = entry_of(workspace, state, left, shows)
    met, value = recall(workspace, entry, alpha, beta)
    if met:
        return value
    numbers[SERIALIZED] += 1
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(workspace, height, width):
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
                found = in_turn(rules, workspace, frame + 1, start, end, left - 1, shows)
            else:
                found = in_turn(rules, workspace, frame + 1, -end, -start, left - 1, shows)
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
        remember(workspace, entry, value, alpha, beta)
    return value


@compiled(types.void(WORKSPACE, types.int64, types.int64, types.int64, types.float64, *WINDOW))
def note(
    workspace: Any, frame: int, i: int, j: int, value: float, alpha: float, beta: float
) -> None:
    """Keep what a search of a cell with a window shows."""
    wide, tie, floats = workspace.numbers[WIDE], workspace.scale[TIE], workspace.floats[frame]
    low, high = floats[i, j], floats[wide + i, j]
    if value <= alpha + tie:
        floats[wide + i, j] = max(low, min(high, value))
    elif value >= beta - tie:
        floats[i, j] = min(high, max(low, value))
    else:
        floats[i, j] = floats[wide + i, j] = value


@compiled(types.float64(RULES, WORKSPACE, types.int64, *WINDOW, types.int64), error_model="numpy")
def bounded(rules: Any, workspace: Any, frame: int, alpha: float, beta: float, left: int) -> float:
    """The value of the state in a frame, or a bound of it at the edge of the window.

    Where strategies are wanted, the first frame's matrix game is solved whatever bounds say.
    """
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    ours, theirs = workspace.longs[frame, OURS], workspace.longs[frame, THEIRS]
    numbers, tie = workspace.numbers, workspace.scale[TIE]
    hurry = frame > 0 or numbers[WHOLE] == 0
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
            value = bounded(rules, workspace, frame + 1, below, above, left)
            known += probability * value
            if value <= below + tie:
                return min(known + most, alpha)
            if value >= above - tie:
                return max(known + least, beta)
        return known
    if left == 0:
        return cut_off(rules, workspace, state)
    low, high = scaled(workspace)
    known_low, known_high = low, high
    entry = -1
    if hurry:
        entry = entry_of(workspace, state, left, AT_ONCE)
        met, value = recall(workspace, entry, alpha, beta)
        if met:
            return value
        low, high = span(rules, workspace, state)
        whole = workspace.scale[LOW] < workspace.scale[HIGH]
        if whole and (low == high or high <= alpha or low >= beta):
            return low if low >= beta else high
        known_low, known_high = low, high
        start, end = max(alpha, low - 1.0), min(beta, high + 1.0)
        upper = in_turn(rules, workspace, frame, start, end, left, SECOND_SHOWS)
        if upper < end:
            high = max(low, min(high, upper))
        if high > start:
            lower = in_turn(rules, workspace, frame, start, end, left, FIRST_SHOWS)
            if lower > start:
                low = min(high, max(low, lower))
        if numbers[STOP]:
            return 0.0
        if high <= alpha or low >= beta or high - low <= tie:
            value = low if low >= beta else high
            if entry >= 0:
                remember(workspace, entry, value, alpha, beta)
            return value
    height, width = rules.options(state, 0, ours), rules.options(state, 1, theirs)
    if overflows(workspace, height, width):
        return 0.0
    arrive(workspace, left, height, width)
    open_cells(workspace, frame, height, width)
    wide, floats = numbers[WIDE], workspace.floats[frame]
    if numbers[HEURISTIC]:
        for i in range(height):
            for j in range(width):
                rules.after(state, ours[i], theirs[j], then)
                floats[i, j], floats[wide + i, j] = within(rules, workspace, then)
    rows = columns = 1
    unseen, value, out = height * width, 0.0, False
    while True:
        for a in range(rows):
            for b in range(columns):
                i, j = workspace.longs[frame, ROWS, a], workspace.longs[frame, COLUMNS, b]
                if floats[i, j] == floats[wide + i, j]:
                    continue
                if floats[2 * wide + i, j] == 0.0:
                    floats[2 * wide + i, j] = 1.0
                    unseen -= 1
                start, end = floats[i, j] - 1.0, floats[wide + i, j] + 1.0
                rules.after(state, ours[i], theirs[j], then)
                found = bounded(rules, workspace, frame + 1, start, end, left - 1)
                if numbers[STOP]:
                    return 0.0
                note(workspace, frame, i, j, found, start, end)
        value = play(rules, workspace, frame, rows, columns)
        gainers = (-1, -1)
        for side in range(2):
            numbers[RESPONSES] += 1
            sign = 1.0 if side == 0 else -1.0
            best, gainer = value, -1
            hope = wide if side == 0 else 0  # the line of the bounds that this player hopes for
            probabilities = floats[3 * wide + 1] if side == 0 else floats[3 * wide]
            others = width if side == 0 else height
            for own in range(height if side == 0 else width):
                hoped = 0.0
                for k in range(others):
                    if probabilities[k] != 0.0:
                        i, j = (own, k) if side == 0 else (k, own)
                        hoped += probabilities[k] * floats[hope + i, j]
                worse = False
                for k in range(others):
                    if probabilities[k] == 0.0:
                        continue
                    worse = sign * (hoped - best) <= tie
                    if worse:
                        break
                    i, j = (own, k) if side == 0 else (k, own)
                    if floats[i, j] == floats[wide + i, j]:
                        continue
                    if floats[2 * wide + i, j] == 0.0:
                        floats[2 * wide + i, j] = 1.0
                        unseen -= 1
                    hoped -= probabilities[k] * floats[hope + i, j]
                    needed = (best - hoped) / probabilities[k]
                    start, end = floats[i, j] - 1.0, floats[wide + i, j] + 1.0
                    if side == 0:
                        start = max(needed, start)
                    else:
                        end = min(needed, end)
                    rules.after(state, ours[i], theirs[j], then)
                    found = bounded(rules, workspace, frame + 1, start, end, left - 1)
                    if numbers[STOP]:
                        return 0.0
                    note(workspace, frame, i, j, found, start, end)
                    hoped += probabilities[k] * floats[hope + i, j]
                    worse = sign * (hoped - best) <= tie
                    if worse:
                        break
                if not worse and sign * (hoped - best) > tie:
                    best, gainer = hoped, own
            if side == 0:
                high = min(high, best)
                gainers = (gainer, -1)
            else:
                low = max(low, best)
                gainers = (gainers[0], gainer)
        out = hurry and (high <= alpha or low >= beta or high - low <= tie)
        before = rows + columns
        if not out:
            rows = grow(workspace, frame, ROWS, rows, gainers[0])
            columns = grow(workspace, frame, COLUMNS, columns, gainers[1])
        if out or rows + columns == before:
            break
    numbers[SKIPPED] += unseen
    if out:
        value = low if low >= beta else high
    if hurry:
        value = min(max(value, known_low), known_high)
    if entry >= 0:
        remember(workspace, entry, value, alpha, beta)
    return value


@compiled(SEARCH, error_model="numpy")
def search(rules: Any, workspace: Any, left: int) -> float:
    """From the first frame's state, with a window that holds all."""
    low, high = workspace.scale[LOW] - 1.0, workspace.scale[HIGH] + 1.0
    return bounded(rules, workspace, 0, low, high, left)
