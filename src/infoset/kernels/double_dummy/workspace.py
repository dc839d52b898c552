"""What a search of a bridge deal writes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from infoset.kernels.double_dummy.cards import RANKS

PLIES = 56
MOVES = 16

COUNTERS = (
    "nodes",
    "tricks",
    "found",
    "quick",
    "sure",
    "second",
    "used",
    "slots",
    "emptied",
    "stored",
    "steps",
)
NODES, TRICKS, FOUND, QUICKS, SURES, SECONDS, USED, SLOTS, CLEARED, STORED, STEPS = range(11)

# Rows of the stack.
(
    LEFT,  # cards not yet played
    START,  # the same at the beginning of the trick
    PLAYER,
    LED,  # suit
    BEST,  # the card that takes the trick so far
    BEST_LOW,  # the lowest card equal to it
    WINNER,  # whose it is
    NEED,  # tricks that the first side has still to take
    WANTED,  # the relevant cards so far
    COUNT,
    AT,
    KEY,
    FIRST_PATTERN,
    SECOND_PATTERN,
    SKIPPED,  # four rows
) = range(15)
ROWS = 18

# Where the weights of the order begin, and how many there are of each kind.
GUESS_SUIT, GUESS_CARD = 1, 2  # the first one is no weight
LEAD_LENGTHS = 4
LEAD_OWNERS = LEAD_LENGTHS + 960
LEAD_RUFFS = LEAD_OWNERS + 768
FOLLOW = LEAD_RUFFS + 256
FOLLOW_OWNERS = FOLLOW + 960
RUFF = FOLLOW_OWNERS + 768
THROW = RUFF + 256
THROW_LENGTH = THROW + 2048
WEIGHTS = THROW_LENGTH + 256

SCALE = 32  # of a weight, since scores are integers; a higher card counts one less
FEATURES = 5  # weights of a move
RATE, SHARE, POWER, UPDATES = range(4)  # how it is learnt


class Lesson(NamedTuple):
    """What learning the weights needs."""

    features: Any  # by ply and card
    spent: Any  # by ply and move: the counter of positions when it began
    exact: Any  # the weights
    squares: Any  # of the steps so far, by weight
    rates: Any


class Workspace(NamedTuple):
    """What a search writes to."""

    words: Any
    slots: Any
    entries: Any
    masks: Any
    trail: Any
    stack: Any
    moves: Any
    counters: Any
    weights: Any
    learning: Lesson


def workspace(mebibytes: int = 64, learning: bool = False) -> Workspace:
    """With a table of so many MiB; it has fewer slots where there is less room for entries."""
    slots = _aligned(2 << min(13 + mebibytes.bit_length() - 1, 19))
    slots[:] = 0
    weights = np.load(Path(__file__).with_name("order.npy"))
    plies = PLIES if learning else 1
    return Workspace(
        words=np.zeros(4 << RANKS, np.int64),
        slots=slots,
        entries=_aligned((mebibytes << 20) // 8),
        masks=_masks(),
        trail=np.zeros(128, np.int64),
        stack=np.zeros((PLIES, ROWS), np.int64),
        moves=np.zeros(PLIES * MOVES, np.int64),
        counters=np.zeros(len(COUNTERS), np.int64),
        weights=weights,
        learning=Lesson(
            features=np.zeros((plies, 64, FEATURES), np.int64),
            spent=np.zeros((plies, MOVES + 1), np.int64),
            exact=weights / SCALE,
            squares=np.ones(WEIGHTS),
            rates=np.zeros(4),
        ),
    )


def _aligned(size: int) -> Any:
    """Memory that begins where a line of the cache begins, so that no entry is in two of them."""
    room = np.empty(size + 8, np.int64)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + size]


def _masks() -> Any:
    """What is compared of two suits, by the number of top cards of each."""
    return np.array(
        [(1 << 2 * (tops & 15)) - 1 | (1 << 2 * (tops >> 4)) - 1 << 26 for tops in range(256)],
        np.int64,
    )
