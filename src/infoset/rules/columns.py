"""What a build writes, and how far it may go: the raw columns of a tree, and its limits."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from infoset.rules.moves import Lottery, Payoffs

CHANCE = -1  # in the player column: nature moves here
LEAF = -2  # in the player column: the game is over here
LEAVES = -(2**30)  # in the column `what`: payoffs number 0; the next are counted downwards

MAX_NODES = 10_000_000
MAX_MOVES = 10_000  # of one play
CHECK_EVERY = 50_000  # nodes between two looks at memory and progress


@dataclass(frozen=True)
class Limits:
    """How far a build may go before it is given up."""

    max_nodes: int = MAX_NODES
    max_moves: int = MAX_MOVES
    patience: float = 10.0  # seconds of computing that one run of the rules may take
    progress: Callable[[int], None] | None = None  # called with the number of nodes, now and then


class Columns:
    """One entry a node, parents before children, and the tables that the entries point into.

    The node's kind is in ``what``: an information set's number at a decision; ``-1 - lottery`` at a
    chance node; ``LEAVES - payoffs`` where the game is over. New nodes are appended to short lists,
    which Python does fast, and packed away into four bytes an entry now and then.
    """

    __slots__ = ("_packed", "action", "lotteries", "parent", "payoffs", "what")

    def __init__(self) -> None:
        """No nodes."""
        self.parent: list[int] = []
        self.action: list[int] = []
        self.what: list[int] = []
        self.lotteries: list[Lottery] = []
        self.payoffs: list[Payoffs] = []
        self._packed = (bytearray(), bytearray(), bytearray())

    def pack(self) -> None:
        """Move the lists' entries into packed storage."""
        if not self.what:  # the storage may be in use by then
            return
        for stored, fresh in zip(self._packed, (self.parent, self.action, self.what), strict=True):
            stored += struct.pack(f"{len(fresh)}i", *fresh)
            fresh.clear()

    def packed(self) -> tuple[bytearray, bytearray, bytearray]:
        """All of parent, action and what, as 32-bit integers in the machine's order."""
        self.pack()
        return self._packed
