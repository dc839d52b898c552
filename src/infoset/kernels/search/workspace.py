"""What a compiled search works on: a few arrays, allocated before it begins.

A play is followed by recursion, and every level of it, a frame, has its own state, menus, matrices
of bounds and strategies. Nothing is allocated on the way. All frames are in two arrays, because a
call with many arguments takes longer than a small matrix game: with one array for each thing,
backward induction took four times as long.

``numbers`` holds the counts, and what controls the search. Another thread stops it by writing
there, and reads its progress.

*Transposition table.* Entries are kept in the order in which they were made; slots, in a table
twice as large, say where that of a state is, by multiplicative hashing and linear probing.
"""

from __future__ import annotations

import os
import time
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.matrix import gap
from infoset.kernels.simplex import workspace
from infoset.kernels.stages import RULES

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


Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# What is counted, under the names that a search in Python gives it.
COUNTS = (
    "nodes",
    "leaves",
    "chances",
    "matrices",
    "skipped",
    "transpositions",
    "serialized",
    "responses",
    "windows",
)
NODES, LEAVES, CHANCES, MATRICES, SKIPPED, MET_AGAIN = range(6)
SERIALIZED, RESPONSES, WINDOWS = range(6, 9)
# Further places in ``numbers``. Where depth ends, what is not known counts as the least there may
# be (HOPE 0) or the most (1).
NANOSECONDS, ASKED, STOP, CUT, BEYOND, HOPE, WIDE, SIZE, FILLED, FRAMES = range(9, 19)
# Is depth limited; the least of it that was left; the most options met; are strategies wanted?
LIMITED, LEAST_LEFT, WIDEST, WHOLE = range(19, 23)
# Of smab:
ORDER, SKIP, DOMINANCE, DEEP, CUTOFFS, LEAVES_FIRST, HEURISTIC, REVERSED = range(23, 31)
STATIC_BOUND, DROP_CROSSED = 31, 32
# What is paid is counted from the middle, in halves of what can be won: (TIMES p + PLUS) / PARTS.
TIMES, PLUS, PARTS = range(33, 36)
LEAST, MOST = 36, 37  # that there is, in units of the rules
TALLY, PAIR, ALL_NUMBERS = 38, 42, 44  # where saddles, programs and pivots are; and two bounds
OUT_OF_BOUNDS, TOO_LONG, TOO_WIDE = 1, 2, 3  # in BEYOND: what rules did that they must not
SPARE = 256  # places behind a menu, so that rules which write beyond it are found out in time
EVERY = 16  # of so many programs one is timed: a look at the clock takes as long as a small one
ENDLESS = 1 << 30  # a depth that no game has

AT_ONCE, FIRST_SHOWS, SECOND_SHOWS = range(3)  # kinds of search
STATE, OURS, THEIRS, ROWS, COLUMNS = range(5)  # lines of a frame of whole numbers
LOW, HIGH, TIE, WORST, EPSILON, ALL_SCALES = range(6)  # places in ``scale``
SCRATCH, WORK, SIDES = range(3)  # further frames of floats, behind those of the play


class Workspace(NamedTuple):
    """The arrays of a search."""

    longs: Longs  # [frame, line, place]
    # [frame, line, place]: lower bounds; from line WIDE on upper bounds; flags of cells; strategies
    floats: Floats
    numbers: Longs
    scale: Floats
    # Positions met before, if they are remembered: where a state's entry is, and the entries.
    slots: Longs
    keys: Longs  # [entry, place], the last of them being the depth left
    known: Floats  # [entry, which] the lower and the upper bound of its value


def _array(kind: Any, dimensions: int) -> Any:
    return types.Array(kind, dimensions, "C")


LONGS1, LONGS2, LONGS3 = (_array(types.int64, dimensions) for dimensions in (1, 2, 3))
FLOATS1, FLOATS2, FLOATS3 = (_array(types.float64, dimensions) for dimensions in (1, 2, 3))
WORKSPACE = types.NamedTuple((LONGS3, FLOATS3, LONGS1, FLOATS1, LONGS1, LONGS2, FLOATS2), Workspace)


def new_workspace(
    size: int, widest: int, longest: int, scale: tuple[float, ...], entries: int
) -> Workspace:
    """The arrays for states of so many numbers, menus so wide and plays so long."""
    frames, wide = longest + 2, widest + 1
    work = workspace(wide + 1)
    lines, across = max(3 * wide + 2, work.shape[0]), max(wide, work.shape[1])
    numbers = np.zeros(ALL_NUMBERS, np.int64)
    numbers[WIDE], numbers[SIZE], numbers[FRAMES] = wide, size, frames
    numbers[LEAST_LEFT], numbers[WIDEST] = ENDLESS, 1
    slots = 1 << (2 * entries).bit_length() if entries else 1
    return Workspace(
        longs=np.zeros((frames, 5, max(size, wide) + SPARE), np.int64),
        floats=np.zeros((frames + 3, lines, across)),
        numbers=numbers,
        scale=np.array([*scale, *[0.0] * (ALL_SCALES - len(scale))]),
        slots=np.zeros(slots, np.int64),
        keys=np.empty((entries, size + 1), np.int64),
        known=np.empty((entries, 2)),
    )


@compiled(types.float64(WORKSPACE, types.int64), error_model="numpy")
def measured(workspace: Any, units: int) -> float:
    """An amount in units of the rules, as it is counted here: divided once, and so rounded once."""
    return (workspace.numbers[TIMES] * units + workspace.numbers[PLUS]) / workspace.numbers[PARTS]


@compiled(types.float64(RULES, WORKSPACE, LONGS1), error_model="numpy")
def paid(rules: Any, workspace: Any, state: Any) -> float:
    """What the first player gets at the end."""
    workspace.numbers[LEAVES] += 1
    amount = measured(workspace, rules.payoff(state))
    if amount < workspace.scale[LOW] or amount > workspace.scale[HIGH]:
        workspace.numbers[BEYOND] = OUT_OF_BOUNDS
        workspace.numbers[STOP] = 1
    return float(amount)


@compiled(types.int64(RULES, LONGS1, LONGS1, types.int64))
def total_weight(rules: Any, state: Any, outcomes: Any, count: int) -> int:
    """What the weights of chance moves sum to."""
    whole = 0
    for at in range(count):
        whole += rules.weight(state, outcomes[at])
    return whole


@compiled(types.UniTuple(types.float64, 2)(RULES, WORKSPACE, LONGS1), error_model="numpy")
def within(rules: Any, workspace: Any, state: Any) -> tuple[float, float]:
    """The least and the most that may come of a state."""
    pair = workspace.numbers[PAIR : PAIR + 2]
    pair[0], pair[1] = workspace.numbers[LEAST], workspace.numbers[MOST]
    rules.bounds(state, pair)
    least, most = measured(workspace, pair[0]), measured(workspace, pair[1])
    return max(least, workspace.scale[LOW]), min(most, workspace.scale[HIGH])


@compiled(types.UniTuple(types.float64, 2)(WORKSPACE))
def scaled(workspace: Any) -> tuple[float, float]:
    """The least and the most that there is."""
    return workspace.scale[LOW], workspace.scale[HIGH]


@compiled(types.UniTuple(types.float64, 2)(RULES, WORKSPACE, LONGS1), error_model="numpy")
def span(rules: Any, workspace: Any, state: Any) -> tuple[float, float]:
    """Bounds on the value of a state before it is searched."""
    return within(rules, workspace, state) if workspace.numbers[HEURISTIC] else scaled(workspace)


@compiled(
    types.UniTuple(types.float64, 2)(RULES, WORKSPACE, types.int64, types.int64, types.int64),
    error_model="numpy",
)
def spans(rules: Any, workspace: Any, frame: int, count: int, whole: int) -> tuple[float, float]:
    """The means of the least and of the most over chance moves."""
    state, then = workspace.longs[frame, STATE], workspace.longs[frame + 1, STATE]
    outcomes = workspace.longs[frame, OURS]
    least = most = 0.0
    for at in range(count):
        probability = rules.weight(state, outcomes[at]) / whole
        if probability == 0.0:
            continue
        rules.after(state, outcomes[at], 0, then)
        low, high = span(rules, workspace, then)
        least += probability * low
        most += probability * high
    return least, most


@compiled(types.float64(RULES, WORKSPACE, LONGS1), error_model="numpy")
def cut_off(rules: Any, workspace: Any, state: Any) -> float:
    """What counts where depth ends: the least or the most that may come of it."""
    workspace.numbers[CUT] = 1
    least, most = within(rules, workspace, state)
    return most if workspace.numbers[HOPE] else least


@compiled(types.boolean(WORKSPACE, types.int64))
def halted(workspace: Any, frame: int) -> bool:
    """Is the search to end here: because it was told to, or because a play is too long?"""
    if frame + 1 >= workspace.numbers[FRAMES]:
        workspace.numbers[BEYOND] = TOO_LONG
        workspace.numbers[STOP] = 1
    return workspace.numbers[STOP] != 0


@compiled(types.boolean(WORKSPACE, types.int64, types.int64))
def overflows(workspace: Any, rows: int, columns: int) -> bool:
    """Are there more options than there may be, or none? Then the search ends."""
    widest = workspace.numbers[WIDE] - 1
    if not (0 < rows <= widest and 0 < columns <= widest):
        workspace.numbers[BEYOND] = TOO_WIDE
        workspace.numbers[STOP] = 1
    return workspace.numbers[STOP] != 0


@compiled(types.void(WORKSPACE, types.int64, types.int64, types.int64))
def arrive(workspace: Any, left: int, rows: int, columns: int) -> None:
    """Count a position at which a player chooses."""
    workspace.numbers[NODES] += 1
    workspace.numbers[LEAST_LEFT] = min(workspace.numbers[LEAST_LEFT], left - 1)
    workspace.numbers[WIDEST] = max(workspace.numbers[WIDEST], max(rows, columns))


@compiled(types.int64(WORKSPACE))
def begin_program(workspace: Any) -> int:
    """Look at the clock, if it is the turn of this program; else 0."""
    workspace.numbers[ASKED] += 1
    return nanoseconds() if workspace.numbers[ASKED] % EVERY == 0 else 0


@compiled(types.void(WORKSPACE, types.int64))
def end_program(workspace: Any, began: int) -> None:
    """Add up the time of those that are timed."""
    if began:
        workspace.numbers[NANOSECONDS] += nanoseconds() - began


@compiled(
    types.float64(RULES, WORKSPACE, types.int64, FLOATS2, types.int64, types.int64),
    error_model="numpy",
)
def game_value(
    rules: Any, workspace: Any, frame: int, matrix: Any, rows: int, columns: int
) -> float:
    """The value of a matrix game; both strategies go to the frame."""
    workspace.numbers[MATRICES] += 1
    began = begin_program(workspace)
    wide, frames = workspace.numbers[WIDE], workspace.numbers[FRAMES]
    ours, theirs = workspace.floats[frame, 3 * wide], workspace.floats[frame, 3 * wide + 1]
    work, tally = workspace.floats[frames + WORK], workspace.numbers[TALLY : TALLY + 4]
    saddles = tally[0]
    value = rules.solve_matrix(matrix, rows, columns, ours, theirs, work, tally)
    if tally[0] == saddles:
        workspace.scale[WORST] = max(
            workspace.scale[WORST], gap(matrix, rows, columns, ours, theirs)
        )
    end_program(workspace, began)
    return value


@compiled(types.float64(RULES, WORKSPACE, types.int64, types.int64), error_model="numpy")
def mixture_value(rules: Any, workspace: Any, count: int, width: int) -> float:
    """The most that a mixture of the rows in the scratch frame aims at above its floors."""
    began = begin_program(workspace)
    frames = workspace.numbers[FRAMES]
    table, sides = workspace.floats[frames + SCRATCH], workspace.floats[frames + SIDES]
    work, tally = workspace.floats[frames + WORK], workspace.numbers[TALLY : TALLY + 4]
    found = rules.mixture_bound(table, count, width, sides[0], sides[1], work, tally)
    end_program(workspace, began)
    return found


@compiled()
def spread(probabilities: Any, kept: Any, count: int, wide: int) -> None:
    """The probabilities of the actions that are left, in their places among all."""
    for at in range(count, wide):
        probabilities[at] = 0.0
    for at in range(count - 1, -1, -1):
        probability = probabilities[at]
        probabilities[at] = 0.0
        probabilities[kept[at]] = probability


@compiled(types.int64(WORKSPACE, LONGS1, types.int64, types.int64), error_model="numpy")
def entry_of(workspace: Any, state: Any, left: int, kind: int) -> int:
    """The entry of a state with so much depth left, made if it is new; −1 if there is no room.

    A new entry knows nothing: its bounds are infinite. What is known of moving in turn, and who
    then shows its move, is kept apart by its kind.
    """
    if len(workspace.keys) == 0:
        return -1
    size = workspace.numbers[SIZE]
    left = (left if workspace.numbers[LIMITED] else 0) * 4 + kind
    mixed = np.uint64(left + 1)
    for at in range(size):
        mixed = (mixed ^ np.uint64(state[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    last = np.uint64(len(workspace.slots) - 1)
    slot = mixed & last
    while workspace.slots[slot] > 0:
        entry = workspace.slots[slot] - 1
        same = workspace.keys[entry, size] == left
        for at in range(size):
            same = same and workspace.keys[entry, at] == state[at]
        if same:
            return int(entry)
        slot = (slot + np.uint64(1)) & last
    entry = workspace.numbers[FILLED]
    if entry == len(workspace.keys):
        return -1
    workspace.numbers[FILLED] += 1
    workspace.slots[slot] = entry + 1
    for at in range(size):
        workspace.keys[entry, at] = state[at]
    workspace.keys[entry, size] = left
    workspace.known[entry, 0], workspace.known[entry, 1] = -np.inf, np.inf
    return int(entry)


@compiled(
    types.Tuple((types.boolean, types.float64))(
        WORKSPACE, types.int64, types.float64, types.float64
    )
)
def recall(workspace: Any, entry: int, alpha: float, beta: float) -> tuple[bool, float]:
    """Does what was found for a position answer a search with this window? And the answer."""
    if entry < 0 or workspace.known[entry, 1] == np.inf:
        return False, 0.0
    low, high = workspace.known[entry, 0], workspace.known[entry, 1]
    if low != high and high > alpha and low < beta:
        return False, 0.0
    workspace.numbers[MET_AGAIN] += 1
    return True, low if low >= beta else high


@compiled(types.void(WORKSPACE, types.int64, types.float64, types.float64, types.float64))
def remember(workspace: Any, entry: int, value: float, alpha: float, beta: float) -> None:
    """Keep what a search with a window has shown."""
    known, tie = workspace.known[entry], workspace.scale[TIE]
    low, high = max(known[0], workspace.scale[LOW]), min(known[1], workspace.scale[HIGH])
    if value <= alpha + tie:
        high = min(high, value)
    elif value >= beta - tie:
        low = max(low, value)
    else:
        low = high = value
    known[0], known[1] = low, high
