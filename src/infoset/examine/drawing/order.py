"""In which order nature's branches are drawn: so that information sets lie close and do not cross.

The order of a player's moves says something and is kept; that of nature's outcomes does not, so it
is free. A local search moves one branch at a time to where links become shorter and cross less,
until nothing helps or its budget of looks is spent. The budget is a count, not a time: the same
tree is always drawn the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from infoset.examine.drawing.links import ties

BUDGET = 60_000  # looks at a node
MANY = 2000  # nodes of a picture that nobody takes in at once anyway
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
    """Put the children of the ``free`` nodes, nature's, in a good order.

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
