"""A tree seen as stages: two players who move one after the other, unseen, move at once.

In an extensive form, moves at the same time are written as one after the other with the second
player in the dark. Where a node that its player tells from all others has all of its children in
one information set of another player, and that set has no other nodes, the two may as well move
together: neither knows what the other does. Any other information set of several nodes is hidden
information, and no stage.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import TreeError
from infoset.rules.moves import Menu
from infoset.rules.story import text
from infoset.tree.record import Tree
from infoset.tree.views import Infoset
from infoset.tree.walking import TreePosition, told_apart


class TogetherPosition(TreePosition):
    """A node of a tree as a stage; equal at the same node of the same tree.

    >>> from infoset.games import matching_pennies
    >>> start = TogetherPosition(matching_pennies().tree())
    >>> len(start.movers), start.after(("heads", "tails")).over
    (2, True)
    """

    __slots__ = ("joined",)

    def __init__(
        self, tree: Tree, node: int = 0, joined: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """At a node; ``joined`` are the nodes at which two move at once, if known already."""
        super().__init__(tree, node)
        self.joined = joins(tree) if joined is None else joined

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here: the node's player, and the one that does not see it."""
        above = super().movers
        return above + super().child(0).movers if self.joined[self.node] else above

    def options(self, player: str | None = None) -> Menu:
        """What a mover may choose from; options that read alike are numbered."""
        movers = self.movers
        if len(movers) < 2 or player not in movers:
            return super().options(player)
        at = self.node if player == movers[0] else super().child(0).node
        return told_apart(self.tree.menu(at))

    def after(self, move: Any) -> TogetherPosition:
        """The position after a move; after two at once, given as a pair in movers' order."""
        if not self.joined[self.node]:
            return self._at(super().after(move))
        if not isinstance(move, tuple) or len(move) != 2:
            raise TreeError(
                f"{self.tree.name}: give a pair of moves, for {' and '.join(self.movers)},"
                f" not {text(move)}"
            )
        first = TreePosition(self.tree, self.node).after(move[0])
        return self._at(first.after(move[1]))

    def child(self, number: int) -> TogetherPosition:
        """The position after the move of this number, of those by one."""
        return self._at(super().child(number))

    def view(self, player: str) -> tuple[str, int]:
        """Where the player knows to be."""
        movers = self.movers
        if len(movers) == 2 and player == movers[1]:
            return TreePosition(self.tree, super().child(0).node).view(player)
        return super().view(player)

    def _at(self, position: TreePosition) -> TogetherPosition:
        return TogetherPosition(self.tree, position.node, self.joined)


def joins(tree: Tree) -> npt.NDArray[np.bool_]:
    """[node] do two players move at once here?"""
    start, _ = tree.children
    first, member = tree.members
    sizes = np.diff(first)
    joined = np.zeros(len(tree), np.bool_)
    for infoset in np.flatnonzero(sizes > 1).tolist():
        nodes = member[first[infoset] : first[infoset + 1]]
        above = np.unique(tree.parent[nodes])
        if len(above) > 1 or above[0] < 0:
            continue
        node = int(above[0])
        mover = int(tree.player[node])
        if mover < 0 or mover == int(tree.infoset_player[infoset]):
            continue
        alone = sizes[tree.infoset[node]] == 1
        joined[node] = alone and start[node + 1] - start[node] == len(nodes)
    return joined


def hidden(tree: Tree, joined: npt.NDArray[np.bool_] | None = None) -> Infoset | None:
    """The first information set that hides more than a move made at the same time, if any.

    >>> from infoset.games import kuhn, matching_pennies
    >>> hidden(matching_pennies().tree()) is None, hidden(kuhn().tree()).player
    (True, 'gambler')
    """
    joined = joins(tree) if joined is None else joined
    first, member = tree.members
    for infoset in np.flatnonzero(np.diff(first) > 1).tolist():
        if not joined[tree.parent[member[first[infoset]]]]:
            return Infoset(tree, infoset)
    return None
