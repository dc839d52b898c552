"""Folding: nodes that are drawn as one, so that a picture of a large tree stays small.

**Shapes.** Two subtrees have the same shape if the same players are offered the same choices in the
same order, whatever was dealt before and whatever the payoffs are. In one pass from the leaves up
each node is given a key made of its children's shapes, and equal keys get equal numbers:

    a leaf         ()
    a decision     (player, the texts of its menu, the shapes of its children in order)
    a chance node  (the different shapes among its children)

Chance outcomes that lead to one shape can be drawn as one branch. If that is not enough, so can the
moves of a player: then a decision's key is (player, number of moves, the different shapes among its
children), and after any of these moves the game continues alike, up to names. The tree that is left
has a size that depends on the root's shape alone.

**Groups.** Children are grouped by the move that leads to them, or, if that move makes no
difference to the shape of what follows, by that shape. Since nodes that are drawn as one have the
same shape, so have all nodes of a group. If a strategy is shown, moves that are played are never
grouped with others: at nodes that are reached, each move that is played keeps its name and its
branch, so that a play can be followed move by move. Only if there are very many of them, those that
are played with the same probability are drawn as one. What is not played is grouped by its shape.

**Bundles.** A *bundle* is a set of nodes that are drawn as one; without folding each has one node.
If players' moves are grouped, too, those nearest to the root are still drawn one by one, for as
many levels as there is room for: the size of what is left below follows from the shapes. The
picture grows from the root: of all bundles whose children are not drawn yet, the one with the
largest reach is expanded next, or without a strategy the one nearest to the root. When the picture
is full, those left become triangles. A bundle with more branches than there is room for shows some
of them, and the rest as one: as two if some of the rest is played and some is not.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from infoset.display.drawing.lettering import drawn_text
from infoset.linear.numbers import Floats
from infoset.rules.moves import CHANCE, LEAF
from infoset.text import text
from infoset.tree import Tree


@dataclass(frozen=True)
class Shapes:
    """The shape of every node's subtree."""

    of: list[int]  # [node] the number of its shape
    sizes: list[int]  # [shape] how many nodes are left when what has one shape is drawn once
    moves_too: bool  # are players' moves put together, or only chance's?

    @property
    def drawn(self) -> int:
        """How many nodes are left of the whole tree."""
        return self.sizes[self.of[0]]


def shapes(tree: Tree, moves_too: bool = False) -> Shapes:
    """Find the shapes of all subtrees.

    One pass without recursion: about a microsecond a node.

    >>> from infoset.games import kuhn
    >>> shapes(kuhn().tree()).drawn  # the chance node and one betting tree
    10
    """
    start, child = (column.tolist() for column in tree.children)
    menus = _menu_numbers(tree)
    players, places = tree.player.tolist(), tree.infoset.tolist()
    menu_of = tree.infoset_menu.tolist()
    number: dict[tuple[int, ...], int] = {}
    sizes: list[int] = []
    of = [0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        player = players[node]
        below = [of[at] for at in child[start[node] : start[node + 1]]]
        key: tuple[int, ...]
        if player == LEAF:
            key = (LEAF,)
        elif player == CHANCE:
            below = sorted(set(below))
            key = (CHANCE, *below)
        elif moves_too:
            key = (player, len(below), *sorted(set(below)))
            below = list(key[2:])
        else:
            key = (player, menus[menu_of[places[node]]], *below)
        shape = number.setdefault(key, len(sizes))
        if shape == len(sizes):
            sizes.append(1 + sum(sizes[part] for part in below))
        of[node] = shape
    return Shapes(of, sizes, moves_too)


def _menu_numbers(tree: Tree) -> list[int]:
    """[menu] a number by which menus that read the same are known."""
    known: dict[tuple[str, ...], int] = {}
    return [known.setdefault(tuple(map(text, menu)), len(known)) for menu in tree.menus]


FEW_ENDS = 4  # moves of a player that end the game and are still drawn one by one
FEW_PLAYED = 12  # moves that are played and are all drawn one by one
NEAR = 12  # digits after which two probabilities are the same

Group = list[int]  # nodes of the tree


class Grouping:
    """How the children of nodes of one tree are put together.

    >>> from infoset.display.drawing.folding import shapes
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> [len(group) for group in Grouping(tree, shapes(tree), None).below([0])]  # the deals
    [6]
    """

    def __init__(self, tree: Tree, alike: Shapes | None, reach: Floats | None) -> None:
        """With ``alike`` None, every move has a branch of its own."""
        self.tree, self.alike, self.reach = tree, alike, reach
        self.start, self.child = (column.tolist() for column in tree.children)
        self.player, self.action = tree.player.tolist(), tree.action.tolist()
        self.parent = tree.parent.tolist()
        self.place, self.menu = tree.infoset.tolist(), tree.infoset_menu.tolist()
        self._names: dict[int, list[str]] = {}  # [menu] how its moves read

    def reached(self, nodes: Group) -> float:
        """How likely a play comes to one of these nodes; 0 where no strategy is shown."""
        return float(self.reach[nodes].sum()) if self.reach is not None else 0.0

    def below(self, nodes: Group, one_by_one: bool = False) -> list[Group]:
        """The children of some nodes, those that are drawn as one together."""
        alike, chance = self.alike, self.player[nodes[0]] == CHANCE
        if alike is None or not (chance or alike.moves_too):
            return self._keyed(nodes, lambda below: self.action[below])
        if chance:
            return self._keyed(nodes, lambda below: alike.of[below])
        if self.reached(nodes):
            return self._keyed(nodes, self._by_play(nodes, one_by_one, alike))
        return self._keyed(nodes, self._by_shape(nodes, one_by_one, alike))

    def _by_shape(self, nodes: Group, one_by_one: bool, alike: Shapes) -> Callable[[int], Hashable]:
        """By what follows; by name, too, where that is asked for or where the game ends."""
        if not self._same_menu(nodes):
            return lambda below: alike.of[below]
        ends = {self.action[below] for below in self._all(nodes) if self.player[below] == LEAF}
        apart = 1 < len(ends) <= FEW_ENDS  # to fold or to call is not the same end
        return lambda below: (
            alike.of[below],
            self.action[below] if one_by_one or (apart and self.player[below] == LEAF) else 0,
        )

    def _by_play(self, nodes: Group, one_by_one: bool, alike: Shapes) -> Callable[[int], Hashable]:
        """By name what is played, by shape what is not."""
        weight: dict[str, float] = {}
        for below in self._all(nodes):
            name = self._name(below)
            weight[name] = weight.get(name, 0.0) + self.reached([below])
        crowded = not one_by_one and sum(each > 0 for each in weight.values()) > FEW_PLAYED
        comparable = self._same_menu(nodes)
        idle = self._by_shape(nodes, one_by_one, alike)

        def key(below: int) -> Hashable:
            name = self._name(below)
            if not weight[name] > 0:
                return False, idle(below)
            if not crowded:
                return True, alike.of[below], name
            return True, alike.of[below], round(weight[name], NEAR) if comparable else None

        return key

    def _same_menu(self, nodes: Group) -> bool:
        return len({self.menu[self.place[node]] for node in nodes}) == 1

    def _name(self, below: int) -> str:
        """How the move that leads to a node reads."""
        menu = self.menu[self.place[self.parent[below]]]
        if menu not in self._names:
            self._names[menu] = [
                drawn_text(move) or f"action {number + 1}"
                for number, move in enumerate(self.tree.menus[menu])
            ]
        number: int = self.action[below]
        return self._names[menu][number]

    def _all(self, nodes: Group) -> Group:
        return [
            below for node in nodes for below in self.child[self.start[node] : self.start[node + 1]]
        ]

    def _keyed(self, nodes: Group, key: Callable[[int], Hashable]) -> list[Group]:
        groups: dict[Hashable, Group] = {}
        for below in self._all(nodes):
            groups.setdefault(key(below), []).append(below)
        return sorted(groups.values(), key=lambda group: self.action[group[0]])


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
        return _in_order(_Folding(tree, None, len(tree), reach).grown())
    alike = shapes(tree)
    if alike.drawn > most:
        alike = shapes(tree, moves_too=True)
    return _in_order(_Folding(tree, alike, most, reach).grown())


class _Folding:
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
