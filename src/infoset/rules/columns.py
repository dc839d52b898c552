"""What a build writes, and how far it may go: the raw columns of a tree, and its limits."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from infoset.rules.moves import Payoffs

CHANCE = -1  # in the player column: nature moves here
LEAF = -2  # in the player column: the game is over here
LEAVES = -(2**30)  # in the column `what`: payoffs number 0; the next are counted downwards

MAX_NODES = 10_000_000
MAX_MOVES = 10_000  # of one play
PATIENCE = 10.0  # seconds of computing between two moves
CHECK_EVERY = 50_000  # nodes between two looks at memory and progress


@dataclass(frozen=True)
class Limits:
    """How far a build may go before it is given up."""

    max_nodes: int = MAX_NODES
    max_moves: int = MAX_MOVES
    patience: float = PATIENCE  # seconds of computing that one run of the rules may take
    progress: Callable[[int], None] | None = None  # called with the number of nodes, now and then


class Columns:
    """What a depth-first walk over all plays writes down, and the payoffs that it points to.

    ``what`` has one entry a node, its kind: an information set's number at a decision;
    ``-1 - lottery`` at a chance node; ``LEAVES - payoffs`` where the game is over. A run of the
    rules goes from where it leaves the runs before it straight down to a leaf, by first options.
    So the shape of the tree needs only two entries a run: ``above`` and ``taken``, the node and the
    option below which its first new node hangs. ``known`` has, for every decision, the states of
    knowledge that the agents are in.

    New entries are appended to lists, which Python does fast, and packed away into four bytes each
    now and then.
    """

    __slots__ = ("_packed", "above", "known", "payoffs", "taken", "what")

    def __init__(self) -> None:
        """No nodes."""
        self.what: list[int] = []
        self.above: list[int] = []
        self.taken: list[int] = []
        self.known: list[int] = []
        self.payoffs: list[Payoffs] = []
        self._packed = (bytearray(), bytearray(), bytearray(), bytearray())

    def pack(self) -> None:
        """Move the lists' entries into packed storage."""
        if not self.what:  # the storage may be in use by then
            return
        fresh_entries = (self.what, self.above, self.taken, self.known)
        for stored, fresh in zip(self._packed, fresh_entries, strict=True):
            stored += struct.pack(f"{len(fresh)}i", *fresh)
            fresh.clear()

    def packed(self) -> tuple[bytearray, ...]:
        """All of what, above, taken and known, as 32-bit integers in the machine's order."""
        self.pack()
        return self._packed
