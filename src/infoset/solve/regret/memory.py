"""How much memory a run of regret minimization takes, known before anything is laid out."""

from __future__ import annotations

import numpy as np

from infoset.errors import TooLarge
from infoset.linear.numbers import ROOM, bound
from infoset.rules import memory
from infoset.tree import Tree

WORKING = 12  # numbers of 8 bytes for each leaf while rows are made: keys, orders, sums
OBJECTS = 4  # and so many of Python's integers, where those of 64 bits are too small
VECTORS = 7  # weights, regrets, shares, sums, ...: one number for each sequence
MEASURING = 4  # and these in float64 while regret is measured
SETS = 8  # numbers of 8 bytes for each set, likewise


def bytes_needed(tree: Tree, precision: str, coarse: bool) -> int:
    """The most bytes that laying out a game and running on it takes, beside the tree itself.

    >>> from infoset.games import leduc
    >>> bytes_needed(leduc().tree(), "float64", coarse=False) // 2**10
    979
    """
    number = np.dtype(precision).itemsize
    players, leaves = len(tree.players), len(tree.ends)
    sequences = sum(len(choices) for choices in tree.choices)
    rows = players * leaves * (8 + 4 * (players - 1))  # entries, each with its partners
    working = leaves * ((WORKING + players) * 8 + _integers(tree))
    vectors = sequences * (number * VECTORS + 8 * (MEASURING + coarse))
    # The rows of all players are there twice when they are put together.
    return rows + max(working, rows) + vectors + len(tree.infoset_player) * SETS * 8


def _integers(tree: Tree) -> int:
    """Bytes for each leaf of numbers that do not fit into 64 bits."""
    payoffs = max(bound(stake.numerators) for stake in tree.stakes)
    bits = (2 * payoffs * bound(tree.nature.numerators)).bit_length()
    return OBJECTS * (36 + bits // 7) if bits > ROOM.bit_length() else 0


def check_memory(tree: Tree, precision: str, coarse: bool) -> int:
    """Refuse a game that does not fit, saying how much it takes; else how much that is."""
    needed, free = bytes_needed(tree, precision, coarse), memory.available()
    if free is not None and needed > free - memory.KEEP_FREE:
        fits = bytes_needed(tree, "float32", coarse) <= free - memory.KEEP_FREE
        shorter = "; with precision='float32' it would fit" if fits else ""
        raise TooLarge(
            f"{tree.name}: regret minimization takes {_size(needed)} here, and"
            f" {_size(max(free - memory.KEEP_FREE, 0))} are free{shorter};"
            " external-sampling needs no tree"
        )
    return needed


def _size(count: int) -> str:
    large = count >= 2**30
    return f"{count / 2**30:,.1f} GiB" if large else f"{count / 2**20:,.1f} MiB"
