"""Nodes and information sets as a person thinks of them: thin views on a tree."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError
from infoset.rules.moves import CHANCE, LEAF, Menu
from infoset.text import brief, history_text, text

if TYPE_CHECKING:
    from infoset.tree.record import Tree

V = TypeVar("V")


class Views(Sequence[V], Generic[V]):
    """A lazy sequence: an entry is made when it is accessed."""

    def __init__(self, make: Callable[[int], V], count: int) -> None:
        """Entry i is ``make(i)``."""
        self._make = make
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> V: ...
    @overload
    def __getitem__(self, index: slice) -> list[V]: ...
    def __getitem__(self, index: int | slice) -> V | list[V]:
        if isinstance(index, slice):
            return [self._make(number) for number in range(*index.indices(self._count))]
        at = range(self._count)[index]
        return self._make(at)

    def __repr__(self) -> str:
        return f"<{self._count:,} of them>"


class _View:
    """Something in a tree, identified by its number."""

    __slots__ = ("index", "tree")

    def __init__(self, tree: Tree, index: int) -> None:
        self.tree = tree
        self.index = index

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, _View)
            and (self.index, id(self.tree)) == (other.index, id(other.tree))
        )

    def __hash__(self) -> int:
        return hash((type(self), self.index, id(self.tree)))


class Node(_View):
    """A node of a tree: where someone moves, or where the game is over.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> node = kuhn().tree().root.child("J Q").child("bet")
    >>> node.player, node.infoset.label, str(node)
    ('dealer', 'Q, bet', 'chance: J Q, gambler: bet')
    """

    __slots__ = ()

    @property
    def is_leaf(self) -> bool:
        """Whether the game is over here."""
        return bool(self.tree.player[self.index] == LEAF)

    @property
    def is_chance(self) -> bool:
        """Whether chance moves here."""
        return bool(self.tree.player[self.index] == CHANCE)

    @property
    def player(self) -> str | None:
        """Who moves here; None at a chance node and at a leaf."""
        number = self.tree.player[self.index]
        return self.tree.names[number] if number >= 0 else None

    @property
    def infoset(self) -> Infoset | None:
        """The information set of a decision."""
        if self.tree.player[self.index] < 0:
            return None
        return Infoset(self.tree, int(self.tree.infoset[self.index]))

    @property
    def actions(self) -> Menu:
        """The player's options, or the outcomes of chance."""
        return self.tree.menu(self.index)

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """The probability of each outcome, at a chance node."""
        if not self.is_chance:
            raise InfosetError(f"node {self.index} is not a chance node: it has no probabilities")
        return self.tree.lotteries[int(self.tree.infoset[self.index])].probabilities

    @property
    def parent(self) -> Node | None:
        """The node above, None at the root."""
        above = int(self.tree.parent[self.index])
        return Node(self.tree, above) if above >= 0 else None

    @property
    def children(self) -> list[Node]:
        """The nodes below, in the order of the actions."""
        start, child = self.tree.children
        below = child[start[self.index] : start[self.index + 1]]
        return [Node(self.tree, int(index)) for index in below]

    @property
    def action(self) -> Hashable:
        """The action that leads here from the parent, None at the root."""
        above = int(self.tree.parent[self.index])
        return self.tree.menu(above)[self.tree.action[self.index]] if above >= 0 else None

    @property
    def history(self) -> list[tuple[str | None, Hashable]]:
        """The moves up to here: who did what; None stands for chance."""
        moves: list[tuple[str | None, Hashable]] = []
        node: Node | None = self
        while node is not None and (above := node.parent) is not None:
            moves.append((above.player, node.action))
            node = above
        return moves[::-1]

    @property
    def depth(self) -> int:
        """The number of moves up to here."""
        return len(self.history)

    @property
    def name(self) -> str:
        """The name given to the node in a file, or an empty text."""
        return self.tree.node_names.get(self.index, "")

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player has been paid along the play up to here; at a leaf, its payoffs."""
        total = [Fraction(0)] * len(self.tree.players)
        at = self.index
        while at >= 0:
            paid = self.tree.outcome[at]
            if paid >= 0:
                for player, amount in enumerate(self.tree.payoffs[paid]):
                    total[player] += amount
            at = int(self.tree.parent[at])
        return dict(zip(self.tree.names, total, strict=True))

    def child(self, action: Hashable) -> Node:
        """The node that an action leads to.

        Parameters
        ----------
        action
            The action itself, or as it reads.

        Returns
        -------
        Node
            A child.

        Raises
        ------
        InfosetError
            If there is no such action.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn().tree().root.child("J Q").child("bet").player
        'dealer'
        """
        texts: Menu = tuple(text(known) for known in self.actions)
        for actions in (self.actions, texts):
            if action in actions:
                return self.children[actions.index(action)]
        known_actions = ", ".join(map(text, self.actions)) or "none: the game is over"
        raise InfosetError(f"no action {action!r} at node {self.index}; there are {known_actions}")

    def __str__(self) -> str:
        return history_text(self.history)

    def __repr__(self) -> str:
        kind = "leaf" if self.is_leaf else "chance" if self.is_chance else self.player
        return f"<Node {self.index}: {brief(str(kind))}, {self}>"

    def _repr_html_(self) -> str:
        from infoset.display.show import node_html

        return node_html(self)


class Infoset(_View):
    """An information set: the nodes that a player cannot distinguish.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> infoset = kuhn().tree().find("dealer", "Q, bet")
    >>> len(infoset), [str(node) for node in infoset]
    (2, ['chance: J Q, gambler: bet', 'chance: K Q, gambler: bet'])
    """

    __slots__ = ()

    @property
    def player(self) -> str:
        """Who moves here."""
        return self.tree.names[int(self.tree.infoset_player[self.index])]

    @property
    def label(self) -> str:
        """What the player knows; [brackets] mark its own choices."""
        return self.tree.labels[self.index]

    @property
    def name(self) -> str:
        """Its label in quotes, or its number if that is empty; for messages."""
        return repr(self.label) if self.label else f"#{self.index + 1}"

    @property
    def actions(self) -> Menu:
        """The player's options."""
        return self.tree.menus[int(self.tree.infoset_menu[self.index])]

    @property
    def nodes(self) -> list[Node]:
        """The nodes themselves."""
        return [Node(self.tree, index) for index in self.node_indices.tolist()]

    @property
    def node_indices(self) -> npt.NDArray[np.int64]:
        """The indices of the nodes, in their order."""
        start, node = self.tree.members
        return node[start[self.index] : start[self.index + 1]].astype(np.int64)

    def __len__(self) -> int:
        start, _ = self.tree.members
        return int(start[self.index + 1] - start[self.index])

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return isinstance(node, Node) and node.tree is self.tree and node.infoset == self

    def __str__(self) -> str:
        return f"{brief(self.player)}: {brief(self.label)}"

    def __repr__(self) -> str:
        return f"<Infoset #{self.index + 1}: {self}, {len(self)} node{'s' * (len(self) != 1)}>"

    def _repr_html_(self) -> str:
        from infoset.display.show import infoset_html

        return infoset_html(self)
