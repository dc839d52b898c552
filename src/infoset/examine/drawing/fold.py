"""What is drawn as one: bundles of nodes, grown from the root until the picture is full.

A *bundle* is a set of nodes that are drawn as one; without folding each has one node. Its children
are grouped (:mod:`~infoset.examine.drawing.groups`) by the moves that led there, or by the shape of
what follows; what is played is never one with what is not.

Where players' moves are put together too, those nearest to the root are still drawn one by one, for
as many levels as there is room for: the size of what is left below follows from the shapes.

The picture grows from the root: of all bundles whose children are not drawn yet, the most reached
one is opened next, or without a strategy the one nearest to the root. When the picture is full,
those left become triangles. A bundle with more branches than there is room for shows some of them,
and the rest as one: as two where some of the rest is played and some is not.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from infoset.examine.drawing.groups import Group, Grouping
from infoset.examine.drawing.shapes import Shapes, shapes
from infoset.linear.numbers import Floats
from infoset.rules.columns import LEAF
from infoset.tree import Tree


@dataclass
class Bundle:
    """Nodes of the tree that are drawn as one."""

    nodes: Group
    parent: int  # the bundle above, -1 at the root
    below: list[int] = field(default_factory=list)  # bundles
    rest: int = 0  # of how many groups this is what there was no room for; 0: it is one group
    closed: bool = False  # drawn as a triangle


def bundles(tree: Tree, fold: bool, most: int, reach: Floats | None = None) -> list[Bundle]:
    """The bundles of a picture, parents before children, each subtree in one piece.

    With ``fold``, as much is folded as brings the picture below ``most`` bundles: deals, then
    moves, then whole subtrees. Without, there is one bundle for each node.

    >>> from infoset.games import leduc
    >>> tree = leduc().tree()
    >>> len(tree), len(bundles(tree, True, 200))
    (9451, 91)
    """
    if not fold:
        return _in_order(_Growth(tree, None, len(tree), reach).grown())
    alike = shapes(tree)
    if alike.drawn > most:
        alike = shapes(tree, moves_too=True)
    return _in_order(_Growth(tree, alike, most, reach).grown())


class _Growth:
    """A picture in the making."""

    def __init__(self, tree: Tree, alike: Shapes | None, most: int, reach: Floats | None) -> None:
        self.most = most
        self.alike = alike
        self.grouping = Grouping(tree, alike, reach)
        self.found = [Bundle([0], -1)]

    def grown(self) -> list[Bundle]:
        one_by_one = self._levels_one_by_one()
        waiting: list[tuple[float, int, int]] = [(0.0, 0, 0)]  # urgency, depth, bundle
        while waiting:
            _, depth, at = heapq.heappop(waiting)
            bundle = self.found[at]
            if self.grouping.player[bundle.nodes[0]] == LEAF:
                continue
            room = self.most - len(self.found)
            below = self.grouping.below(bundle.nodes, depth < one_by_one)
            groups, rest = self._that_fit(below, room)
            bundle.closed = not groups
            for group in groups:
                urgency = -self.grouping.reached(group)
                heapq.heappush(waiting, (urgency, depth + 1, len(self.found)))
                self._add(at, group)
            for left in self._played_or_not(rest):
                self._add(at, [node for group in left for node in group])
                self.found[-1].rest, self.found[-1].closed = len(left), True
        return self.found

    def _add(self, above: int, group: Group) -> None:
        self.found[above].below.append(len(self.found))
        self.found.append(Bundle(group, above))

    def _played_or_not(self, groups: list[Group]) -> list[list[Group]]:
        """The groups that a play reaches and those that none does, where there are any."""
        parts: dict[bool, list[Group]] = {}
        for group in groups:
            parts.setdefault(self.grouping.reached(group) > 0, []).append(group)
        return [parts[played] for played in sorted(parts, reverse=True)]

    def _levels_one_by_one(self) -> int:
        """From the root, on how many levels all moves can be drawn one by one."""
        alike = self.alike
        if alike is None or not alike.moves_too:
            return 0
        total, depth = alike.drawn, 0
        level: list[Group] = [[0]]
        while level and total <= self.most:
            below: list[Group] = []
            for nodes in level:
                apart = self.grouping.below(nodes, one_by_one=True)
                total += sum(alike.sizes[alike.of[group[0]]] for group in apart)
                total -= sum(alike.sizes[shape] for shape in {alike.of[g[0]] for g in apart})
                below += apart
            level, depth = below, depth + 1
        return depth - 1

    def _that_fit(self, groups: list[Group], room: int) -> tuple[list[Group], list[Group]]:
        """The groups that are drawn by themselves, and those that are not."""
        if len(groups) <= room:
            return groups, []
        if room < 3:
            return [], []
        kept = set(range(room // 2))  # half of the room, so that something is left for others
        if self.grouping.reach is not None:
            weight = [self.grouping.reached(group) for group in groups]
            likely = sorted(range(len(groups)), key=lambda at: -weight[at])
            kept = set(likely[: room // 2])
        inside = [group for at, group in enumerate(groups) if at in kept]
        return inside, [group for at, group in enumerate(groups) if at not in kept]


def _in_order(found: list[Bundle]) -> list[Bundle]:
    """The bundles in depth-first order, renumbered."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting.extend(reversed(found[at].below))
    place = {old: new for new, old in enumerate(order)}
    for bundle in found:
        bundle.parent = place.get(bundle.parent, -1)
        bundle.below = [place[below] for below in bundle.below]
    return [found[old] for old in order]
