"""What a compiled search works on: a few arrays, made before it begins.

A play is followed by recursion, and every level of it, a frame, has its own state, menus, matrices
of bounds and strategies. Nothing is allocated on the way. All frames lie in two arrays, because a
call that hands over many takes longer than a small matrix game: with one array for each thing that
is kept, backward induction took four times as long.

``numbers`` holds what is counted, and what steers the search. Another thread stops it by writing
there, and reads how far it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from infoset.kernels.clock import nanoseconds
from infoset.kernels.compiling import compiled
from infoset.kernels.matrix import gap, workspace
from infoset.kernels.stages import RULES

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
# What is paid is counted from the middle, in halves of what can be won: (TIMES p + PLUS) / PARTS.
TIMES, PLUS, PARTS = range(31, 34)
LEAST, MOST = 34, 35  # that there is, in units of the rules
TALLY, PAIR, ALL_NUMBERS = 36, 40, 42  # where saddles, programs and pivots are; and two bounds
OUT_OF_BOUNDS, TOO_LONG, TOO_WIDE = 1, 2, 3  # in BEYOND: what rules did that they must not
SPARE = 256  # places behind a menu, so that rules which write beyond it are found out in time
EVERY = 16  # of so many programs one is timed: a look at the clock takes as long as a small one
ENDLESS = 1 << 30  # a depth that no game has

AT_ONCE, FIRST_SHOWS, SECOND_SHOWS = range(3)  # kinds of search
STATE, OURS, THEIRS, ROWS, COLUMNS = range(5)  # lines of a frame of whole numbers
LOW, HIGH, TIE, WORST, EPSILON, ALL_SCALES = range(6)  # places in ``scale``
SCRATCH, WORK, SIDES = range(3)  # further frames of floats, behind those of the play


class Desk(NamedTuple):
    """The arrays of a search."""

    longs: Longs  # [frame, line, place]
    # [frame, line, place]: lower bounds; from line WIDE on upper ones; then what is done; shares
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
DESK = types.NamedTuple((LONGS3, FLOATS3, LONGS1, FLOATS1, LONGS1, LONGS2, FLOATS2), Desk)


def new_desk(size: int, widest: int, longest: int, scale: tuple[float, ...], entries: int) -> Desk:
    """A desk for states of so many numbers, menus so wide and plays so long."""
    frames, wide = longest + 2, widest + 1
    work = workspace(wide + 1)
    lines, across = max(3 * wide + 2, work.shape[0]), max(wide, work.shape[1])
    numbers = np.zeros(ALL_NUMBERS, np.int64)
    numbers[WIDE], numbers[SIZE], numbers[FRAMES] = wide, size, frames
    numbers[LEAST_LEFT], numbers[WIDEST] = ENDLESS, 1
    slots = 1 << (2 * entries).bit_length() if entries else 1
    return Desk(
        longs=np.zeros((frames, 5, max(size, wide) + SPARE), np.int64),
        floats=np.zeros((frames + 3, lines, across)),
        numbers=numbers,
        scale=np.array([*scale, *[0.0] * (ALL_SCALES - len(scale))]),
        slots=np.zeros(slots, np.int64),
        keys=np.empty((entries, size + 1), np.int64),
        known=np.empty((entries, 2)),
    )


@compiled(types.float64(DESK, types.int64), error_model="numpy")
def measured(desk: Any, units: int) -> float:
    """An amount in units of the rules, as it is counted here: divided once, and so rounded once."""
    return (desk.numbers[TIMES] * units + desk.numbers[PLUS]) / desk.numbers[PARTS]


@compiled(types.float64(RULES, DESK, LONGS1), error_model="numpy")
def paid(rules: Any, desk: Any, state: Any) -> float:
    """What the first player gets at the end."""
    desk.numbers[LEAVES] += 1
    amount = measured(desk, rules.payoff(state))
    if amount < desk.scale[LOW] or amount > desk.scale[HIGH]:
        desk.numbers[BEYOND] = OUT_OF_BOUNDS
        desk.numbers[STOP] = 1
    return float(amount)


@compiled(types.int64(RULES, LONGS1, LONGS1, types.int64))
def total_weight(rules: Any, state: Any, outcomes: Any, count: int) -> int:
    """What the weights of nature's moves sum to."""
    whole = 0
    for at in range(count):
        whole += rules.weight(state, outcomes[at])
    return whole


@compiled(types.UniTuple(types.float64, 2)(RULES, DESK, LONGS1), error_model="numpy")
def within(rules: Any, desk: Any, state: Any) -> tuple[float, float]:
    """The least and the most that may come of a state."""
    pair = desk.numbers[PAIR : PAIR + 2]
    pair[0], pair[1] = desk.numbers[LEAST], desk.numbers[MOST]
    rules.bounds(state, pair)
    least, most = measured(desk, pair[0]), measured(desk, pair[1])
    return max(least, desk.scale[LOW]), min(most, desk.scale[HIGH])


@compiled(types.UniTuple(types.float64, 2)(DESK))
def scaled(desk: Any) -> tuple[float, float]:
    """The least and the most that there is."""
    return desk.scale[LOW], desk.scale[HIGH]


@compiled(types.UniTuple(types.float64, 2)(RULES, DESK, LONGS1), error_model="numpy")
def span(rules: Any, desk: Any, state: Any) -> tuple[float, float]:
    """The least and the most that a search takes a state to be worth before it looks."""
    return within(rules, desk, state) if desk.numbers[HEURISTIC] else scaled(desk)


@compiled(
    types.UniTuple(types.float64, 2)(RULES, DESK, types.int64, types.int64, types.int64),
    error_model="numpy",
)
def spans(rules: Any, desk: Any, frame: int, count: int, whole: int) -> tuple[float, float]:
    """The means of the least and of the most over nature's moves."""
    state, then = desk.longs[frame, STATE], desk.longs[frame + 1, STATE]
    outcomes = desk.longs[frame, OURS]
    least = most = 0.0
    for at in range(count):
        share = rules.weight(state, outcomes[at]) / whole
        if share == 0.0:
            continue
        rules.after(state, outcomes[at], 0, then)
        low, high = span(rules, desk, then)
        least += share * low
        most += share * high
    return least, most


@compiled(types.float64(RULES, DESK, LONGS1), error_model="numpy")
def cut_off(rules: Any, desk: Any, state: Any) -> float:
    """What counts where depth ends: the least or the most that may come of it."""
    desk.numbers[CUT] = 1
    least, most = within(rules, desk, state)
    return most if desk.numbers[HOPE] else least


@compiled(types.boolean(DESK, types.int64))
def halted(desk: Any, frame: int) -> bool:
    """Is the search to end here: because it was told to, or because a play is too long?"""
    if frame + 1 >= desk.numbers[FRAMES]:
        desk.numbers[BEYOND] = TOO_LONG
        desk.numbers[STOP] = 1
    return desk.numbers[STOP] != 0


@compiled(types.boolean(DESK, types.int64, types.int64))
def overflows(desk: Any, rows: int, columns: int) -> bool:
    """Are there more options than there may be, or none? Then the search ends."""
    widest = desk.numbers[WIDE] - 1
    if not (0 < rows <= widest and 0 < columns <= widest):
        desk.numbers[BEYOND] = TOO_WIDE
        desk.numbers[STOP] = 1
    return desk.numbers[STOP] != 0


@compiled(types.void(DESK, types.int64, types.int64, types.int64))
def arrive(desk: Any, left: int, rows: int, columns: int) -> None:
    """Count a position where somebody chooses."""
    desk.numbers[NODES] += 1
    desk.numbers[LEAST_LEFT] = min(desk.numbers[LEAST_LEFT], left - 1)
    desk.numbers[WIDEST] = max(desk.numbers[WIDEST], max(rows, columns))


@compiled(types.int64(DESK))
def begin_program(desk: Any) -> int:
    """Look at the clock, if it is the turn of this program; else 0."""
    desk.numbers[ASKED] += 1
    return nanoseconds() if desk.numbers[ASKED] % EVERY == 0 else 0


@compiled(types.void(DESK, types.int64))
def end_program(desk: Any, began: int) -> None:
    """Add up the time of those that are timed."""
    if began:
        desk.numbers[NANOSECONDS] += nanoseconds() - began


@compiled(
    types.float64(RULES, DESK, types.int64, FLOATS2, types.int64, types.int64), error_model="numpy"
)
def game_value(rules: Any, desk: Any, frame: int, matrix: Any, rows: int, columns: int) -> float:
    """The value of a matrix game; both strategies go to the frame."""
    desk.numbers[MATRICES] += 1
    began = begin_program(desk)
    wide, frames = desk.numbers[WIDE], desk.numbers[FRAMES]
    ours, theirs = desk.floats[frame, 3 * wide], desk.floats[frame, 3 * wide + 1]
    work, tally = desk.floats[frames + WORK], desk.numbers[TALLY : TALLY + 4]
    saddles = tally[0]
    value = rules.solve_matrix(matrix, rows, columns, ours, theirs, work, tally)
    if tally[0] == saddles:
        desk.scale[WORST] = max(desk.scale[WORST], gap(matrix, rows, columns, ours, theirs))
    end_program(desk, began)
    return value


@compiled(types.float64(RULES, DESK, types.int64, types.int64), error_model="numpy")
def mixture_value(rules: Any, desk: Any, count: int, width: int) -> float:
    """The most that a mixture of the rows in the scratch frame aims at above its floors."""
    began = begin_program(desk)
    frames = desk.numbers[FRAMES]
    table, sides = desk.floats[frames + SCRATCH], desk.floats[frames + SIDES]
    work, tally = desk.floats[frames + WORK], desk.numbers[TALLY : TALLY + 4]
    found = rules.mixture_bound(table, count, width, sides[0], sides[1], work, tally)
    end_program(desk, began)
    return found


@compiled()
def spread(shares: Any, kept: Any, count: int, wide: int) -> None:
    """The shares of the actions that are left, in their places among all."""
    for at in range(count, wide):
        shares[at] = 0.0
    for at in range(count - 1, -1, -1):
        share = shares[at]
        shares[at] = 0.0
        shares[kept[at]] = share
