"""Which children of some nodes are drawn as one, and which keep a branch of their own.

Children are grouped by the move that leads to them, or where that move makes no difference to the
shape of what follows (:mod:`~infoset.examine.drawing.shapes`) by that shape. Since nodes that are
drawn as one have the same shape, so have all nodes of a group.

Where a strategy is shown, what is played is never put together with what is not: at nodes that a
play reaches, each move that is played keeps its name and its branch, so that the play can be
followed move by move. Only when there are very many of them are those that are played alike, with
the same probability, drawn as one. What is not played is put together by its shape.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from infoset.examine.drawing.lettering import shown
from infoset.examine.drawing.shapes import Shapes
from infoset.linear.numbers import Floats
from infoset.rules.columns import CHANCE, LEAF
from infoset.tree import Tree

FEW_ENDS = 4  # moves of a player that end the game and are still drawn one by one
FEW_PLAYED = 12  # moves that are played and are all drawn one by one
NEAR = 12  # digits after which two probabilities are the same

Group = list[int]  # nodes of the tree


class Grouping:
    """How the children of nodes of one tree are put together.

    >>> from infoset.examine.drawing.shapes import shapes
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
        alike, nature = self.alike, self.player[nodes[0]] == CHANCE
        if alike is None or not (nature or alike.moves_too):
            return self._keyed(nodes, lambda below: self.action[below])
        if nature:
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
                shown(move) or f"action {number + 1}"
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
