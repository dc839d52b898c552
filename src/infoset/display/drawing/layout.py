"""Where nodes are drawn: their levels, the order of branches, links of information sets, places.

Everything here is about plain numbers; nothing knows games.

**Levels.** Each node is one level below its parent or more, and the nodes of an information set
share a level if that is possible. Levels are the longest paths from the root, found by topological
sorting (Kahn 1962), with the nodes of a set as one. If a cycle is left, an information set is
visited twice in a play (absent-mindedness) or two sets occur in either order; then one set that is
partly ready is dropped, and its nodes are placed as if they were not in a set.

**Links.** Members of an information set next to each other are enclosed by an oval. Others are
linked by dashed lines that run beside the level, on either of its two sides and each on a track of
its own. Two links on one side cross if each has one end inside the other's span, so a set goes to
the side where it crosses fewer of those placed before it; a link goes on the first track outside
those whose span meets its own, shortest first, so that links nest.

**Order.** The order of a player's moves has a meaning and is kept; that of chance outcomes is free.
A local search moves one branch at a time to where links become shorter and cross less, until
nothing improves or its budget is spent. The budget is a count, not a time: the same tree is always
drawn the same way.

**Places** across the direction of growth: leaves one after another, parents centred. Each level has
two lanes, one for the moves that lead to it and one for its nodes, and what is written at a node
takes some room before and after it in a lane. Nodes are placed children first. A leaf goes behind
what is in its lane already, a parent to the middle of its children; if it then overlaps with what
is in one of its lanes, its whole subtree is moved (after Reingold and Tilford 1981, with lanes for
contours). Lanes are filled independently, so a shallow leaf may stand above another one's deep
subtree. If payoffs reach into the levels that follow, leaves are put in one row instead: each
behind all the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


def levels(parents: Sequence[int], sets: Sequence[Sequence[int]]) -> list[int]:
    """The level of each node; the root's is 0.

    >>> levels([-1, 0, 1, 0], [(2, 3)])  # node 3 could be on level 1, but it is one with node 2
    [0, 1, 2, 2]
    >>> levels([-1, 0, 1, 0], [(1, 2)])  # one above the other
    [0, 1, 2, 1]
    """
    return _Sorting(parents, sets).sorted()


class _Sorting:
    """Nodes on their way to a level; a group has one."""

    def __init__(self, parents: Sequence[int], sets: Sequence[Sequence[int]]) -> None:
        count = len(parents)
        self.parents = parents
        self.group = list(range(count))  # [node]; a set's group is its first node's number
        self.members = [[node] for node in range(count)]  # [group]
        for nodes in sets:
            for node in nodes[1:]:
                self.group[node] = nodes[0]
                self.members[node] = []
            self.members[nodes[0]] = list(nodes)
        self.children: list[list[int]] = [[] for _ in range(count)]
        for node, above in enumerate(parents):
            if above >= 0:
                self.children[above].append(node)
        self.missing = [len(nodes) for nodes in self.members]  # [group] not yet ready
        self.level = [-1] * count  # [node]
        self.lowest = [0] * count  # [node] where it can be at the earliest
        self.ready = [False] * count  # [node] is its parent done?

    def sorted(self) -> list[int]:
        waiting: deque[int] = deque()
        partly: deque[int] = deque()
        self._make_ready(0, waiting, partly)
        while waiting or partly:
            if not waiting:
                self._let_go(partly.popleft(), waiting)
                continue
            nodes = self.members[waiting.popleft()]
            height = max(self.lowest[node] for node in nodes)
            for node in nodes:
                self.level[node] = height
                for child in self.children[node]:
                    self.lowest[child] = height + 1
                    self._make_ready(child, waiting, partly)
        return self.level

    def _make_ready(self, node: int, waiting: deque[int], partly: deque[int]) -> None:
        group = self.group[node]
        self.ready[node] = True
        self.missing[group] -= 1
        if not self.missing[group]:
            waiting.append(group)
        elif self.missing[group] == len(self.members[group]) - 1:
            partly.append(group)

    def _let_go(self, group: int, waiting: deque[int]) -> None:
        """Take a set apart that is not done; those of its nodes that are ready go on."""
        if not self.missing[group]:
            return
        for node in self.members[group]:
            self.group[node] = node
            self.members[node] = [node]
            self.missing[node] = 0 if self.ready[node] else 1
            if self.ready[node]:
                waiting.append(node)


BEFORE, AFTER = 0, 1  # the sides of a level: towards the root, away from it


@dataclass(frozen=True)
class Link:
    """A set whose members have others between them."""

    number: int  # which set
    side: int
    track: int  # 0 is next to the level


@dataclass(frozen=True)
class Ties:
    """How the sets of one level are drawn."""

    ovals: tuple[int, ...]  # sets, by number
    links: tuple[Link, ...]
    crossings: int

    def tracks(self, side: int) -> int:
        """How many tracks there are on a side."""
        return max((link.track + 1 for link in self.links if link.side == side), default=0)


def ties(places: Sequence[tuple[int, Sequence[int]]]) -> Ties:
    """Oval or link for each set: its number and its members' places in the row of the level.

    >>> ties([(7, (0, 3)), (8, (1, 2)), (9, (4, 5))])
    Ties(ovals=(8, 9), links=(Link(number=7, side=0, track=0),), crossings=0)
    """
    ovals: list[tuple[int, Sequence[int]]] = []
    apart: list[tuple[int, Sequence[int]]] = []
    for number, members in places:
        close = members[-1] - members[0] == len(members) - 1
        (ovals if close else apart).append((number, members))
    sides, crossings = _sides([members for _, members in apart])
    found = []
    for side in (BEFORE, AFTER):
        mine = [entry for entry, of in zip(apart, sides, strict=True) if of == side]
        found += [Link(number, side, track) for number, track in _tracks(mine)]
    return Ties(tuple(number for number, _ in ovals), tuple(found), crossings)


def _sides(sets: list[Sequence[int]]) -> tuple[list[int], int]:
    """A side for each set, and how many pairs of links cross."""
    sides = [BEFORE] * len(sets)
    placed: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    crossings = 0
    for at in sorted(range(len(sets)), key=lambda at: (sets[at][0], sets[at][-1])):
        spans = list(zip(sets[at], sets[at][1:], strict=False))
        counts = [_crossed(spans, side) for side in placed]
        sides[at] = AFTER if counts[AFTER] < counts[BEFORE] else BEFORE
        crossings += min(counts)
        placed[sides[at]].extend(spans)
    return sides, crossings


def _crossed(spans: list[tuple[int, int]], others: list[tuple[int, int]]) -> int:
    return sum(
        low < start < high < end or start < low < end < high
        for start, end in spans
        for low, high in others
    )


def _tracks(sets: list[tuple[int, Sequence[int]]]) -> list[tuple[int, int]]:
    """A track for each set of one side, the shortest first."""
    placed: list[tuple[int, int, int, int]] = []  # start, end, track, number
    for number, members in sorted(sets, key=lambda entry: (entry[1][-1] - entry[1][0], entry[1])):
        start, end = members[0], members[-1]
        taken = [track for low, high, track, _ in placed if low < end and start < high]
        placed.append((start, end, max(taken, default=-1) + 1, number))
    return [(number, track) for _, _, track, number in placed]


BUDGET = 60_000  # looks at a node
MANY = 2000  # nodes of a picture that is too large to read at once
CROSSING = 4  # a crossing weighs as much as this many places that a link passes


class Arrangement:
    """Children of each node, in the order in which they are drawn."""

    def __init__(
        self, parents: Sequence[int], levels: Sequence[int], sets: Sequence[Sequence[int]]
    ) -> None:
        """Begin with the order of the tree."""
        self.levels = levels
        self.sets = [members for members in sets if len(members) > 1]
        self.parents = parents
        self.children: list[list[int]] = [[] for _ in parents]
        for node, above in enumerate(parents):
            if above >= 0:
                self.children[above].append(node)

    def sequence(self) -> list[int]:
        """The nodes, depth first."""
        order: list[int] = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(reversed(self.children[node]))
        return order

    def ranks(self) -> dict[int, int]:
        """The place of each inner node in the row of its level.

        An edge that passes a level on its way further down has a place in that row, too.
        """
        counts = [0] * (max(self.levels) + 1)
        rank: dict[int, int] = {}
        for node in self.sequence():
            level, above = self.levels[node], self.parents[node]
            for passed in range(self.levels[above] + 1 if above >= 0 else level, level):
                counts[passed] += 1
            if self.children[node]:
                rank[node] = counts[level]
                counts[level] += 1
        return rank

    def rows(self) -> dict[int, list[tuple[int, list[int]]]]:
        """By level: the sets there (by their place in ``sets``) and their members' places.

        Of a set on several levels, those that are on one.
        """
        rank = self.ranks()
        found: dict[int, list[tuple[int, list[int]]]] = {}
        for number, members in enumerate(self.sets):
            by_level: dict[int, list[int]] = {}
            for node in members:
                by_level.setdefault(self.levels[node], []).append(rank[node])
            for level, places in by_level.items():
                if len(places) > 1:
                    found.setdefault(level, []).append((number, sorted(places)))
        return found

    def cost(self) -> int:
        """How long the links are, and how much they cross."""
        total = 0
        for row in self.rows().values():
            tied = ties(row)
            longest = max(places[-1] for _, places in row)
            # An oval is worth more than any link can be shortened.
            total += CROSSING * tied.crossings + 3 * longest * len(tied.links)
            total += sum(high - low - 1 for _, places in row for low, high in pairwise(places))
        return total


def arranged(
    parents: Sequence[int],
    levels: Sequence[int],
    sets: Sequence[Sequence[int]],
    free: Sequence[int],
) -> Arrangement:
    """Put the children of the ``free`` nodes, chance's, in a good order.

    >>> found = arranged([-1, 0, 0, 0, 1, 2, 3], [0, 1, 1, 1, 2, 2, 2], [(1, 3)], [0])
    >>> found.children[0]
    [2, 1, 3]
    """
    found = Arrangement(parents, levels, sets)
    movable = [node for node in free if len(found.children[node]) > 1]
    if not found.sets or not movable or len(parents) > MANY:
        return found
    looks = BUDGET // len(parents)
    best = found.cost()
    improved = True
    while improved and best:
        improved = False
        for node in movable:
            for order in _neighbours(found.children[node]):
                if not looks:
                    return found
                looks -= 1
                before, found.children[node] = found.children[node], order
                cost = found.cost()
                if cost < best:
                    best, improved = cost, True
                    break
                found.children[node] = before
    return found


def _neighbours(order: list[int]) -> Iterator[list[int]]:
    """The same with one entry moved elsewhere, near moves first."""
    count = len(order)
    for step in range(1, count):
        for at in range(count):
            for there in (at - step, at + step):
                if 0 <= there < count:
                    moved = order[:at] + order[at + 1 :]
                    moved.insert(there, order[at])
                    yield moved


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
