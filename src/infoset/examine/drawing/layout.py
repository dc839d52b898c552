"""Where nodes are across the direction of growth: leaves one after another, parents centred.

A drawing grows along one axis, level by level; here the other axis is dealt with. Each level has
two lanes, one for the moves that lead to it and one for its nodes, and what a node writes takes
some room before and after it in a lane. Nodes are placed children first. A leaf goes behind what is
in its lane already, a parent to the middle of its children; if it then runs into what is in one of
its lanes, its whole subtree moves on (after Reingold and Tilford 1981, with lanes for contours).

Lanes are filled independently, so a shallow leaf may stand above another one's deep subtree. Where
that is not wanted, since payoffs reach into the levels that follow, leaves are put in one row: each
behind all the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GAP = 2.0  # between any two texts
FAMILY = 6.0  # more between leaves of different parents
EVEN = 0.75  # leaves are spaced alike as this share of them needs it


@dataclass(frozen=True)
class Room:
    """What a node needs in one lane, on either side of it."""

    lane: int
    before: float
    after: float


def places(
    sequence: Sequence[int],
    parents: Sequence[int],
    rooms: Sequence[Sequence[Room]],
    one_row: bool = False,
) -> list[float]:
    """[node] its place across, from the nodes in the order in which they are drawn.

    >>> needs = [[Room(0, 5, 5)], [Room(1, 10, 10)], [Room(1, 10, 10)]]
    >>> places([0, 1, 2], [-1, 0, 0], needs)
    [21.0, 10.0, 32.0]
    """
    return _Placing(sequence, parents, rooms, one_row).placed()


class _Placing:
    """Nodes on their way to a place; nodes are numbered as they are drawn."""

    def __init__(
        self,
        sequence: Sequence[int],
        parents: Sequence[int],
        rooms: Sequence[Sequence[Room]],
        one_row: bool,
    ) -> None:
        self.sequence, self.one_row = sequence, one_row
        number = {node: at for at, node in enumerate(sequence)}
        self.parents = [number.get(parents[node], -1) for node in sequence]
        self.rooms = [rooms[node] for node in sequence]
        count = len(sequence)
        self.size = [1] * count  # [node] of its subtree
        self.first, self.last = [-1] * count, [-1] * count  # [node] of its children
        self.lowest = [max(room.lane for room in node) for node in self.rooms]  # of its subtree
        for node in range(count - 1, 0, -1):
            above = self.parents[node]
            self.size[above] += self.size[node]
            self.lowest[above] = max(self.lowest[above], self.lowest[node])
            self.first[above] = node
            if self.last[above] < 0:
                self.last[above] = node
        self.free = np.zeros(self.lowest[0] + 1)  # [lane] where it is free from here on
        self.family = [-1] * len(self.free)  # [lane] whose child was the last in it
        self.at = np.zeros(count)
        self.end = 0.0  # where the leaves so far end

    def placed(self) -> list[float]:
        alike = self._usual()
        ready: list[int] = []
        for node in range(len(self.sequence)):
            if self.size[node] == 1:
                self._leaf(node, alike)
            else:
                ready.append(node)
            while ready and ready[-1] + self.size[ready[-1]] == node + 1:
                self._centre(ready.pop())
        found = [0.0] * len(self.sequence)
        for node, place in zip(self.sequence, self.at.tolist(), strict=True):
            found[node] = place
        return found

    def _usual(self) -> float:
        """The room that makes most leaves stand alike."""
        leaves = [at for at, size in enumerate(self.size) if size == 1]
        needs = [max(room.before + room.after for room in self.rooms[at]) for at in leaves]
        return float(np.quantile(needs, EVEN, method="lower")) if needs else 0.0

    def _leaf(self, node: int, alike: float) -> None:
        place = 0.0
        for room in self.rooms[node]:
            more = max(0.0, alike - room.before - room.after) / 2
            start = max(self.free[room.lane], self.end if self.one_row else 0.0)
            if start > 0 and self.family[room.lane] != self.parents[node]:
                start += FAMILY
            place = max(place, start + more + room.before)
        self.at[node] = place
        for room in self.rooms[node]:
            more = max(0.0, alike - room.before - room.after) / 2
            self.end = max(self.end, place + room.after + more + GAP)
        self._take(node, alike)

    def _centre(self, node: int) -> None:
        place = (self.at[self.first[node]] + self.at[self.last[node]]) / 2
        self.at[node] = place
        rooms = self.rooms[node]
        short = max(self.free[room.lane] + room.before - place for room in rooms)
        if short > 0:
            self.at[node : node + self.size[node]] += short
            self.end += short
            own = max(room.lane for room in rooms)  # its subtree's lanes are those behind
            self.free[own + 1 : self.lowest[node] + 1] += short
        self._take(node, 0.0)

    def _take(self, node: int, alike: float) -> None:
        for room in self.rooms[node]:
            more = max(0.0, alike - room.before - room.after) / 2
            self.free[room.lane] = self.at[node] + room.after + more + GAP
            self.family[room.lane] = self.parents[node]
