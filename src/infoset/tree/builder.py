"""Trees placed by hand, node by node: for figures in papers, and for files.

A builder starts with one open node, the root. Every open node is given what happens there: a
decision, a chance move, or nothing more, which makes it a leaf. Payoffs may stand at any node;
those along a play add up.

>>> b = Builder(players=("one", "two"), name="entry")
>>> out, into = b.decide(b.root, "one", ("out", "in"))
>>> b.pay(out, (0, 2))
>>> fight, yield_ = b.decide(into, "two", ("fight", "yield"))
>>> b.pay(fight, (-1, -1))
>>> b.pay(yield_, (1, 1))
>>> b.build()
<Tree of entry: 5 nodes, 2 information sets, 2 players>
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import TreeError
from infoset.objects.numbers import exact
from infoset.rules.moves import CHANCE, LEAF, Lottery, Menu, Payoffs, text_for_list, weighed
from infoset.rules.seats import MOST_PLAYERS
from infoset.tree.record import Tree


class Builder:
    """A tree that is placed node by node; nodes are numbers.

    Parameters
    ----------
    players
        Their names.
    name, comment
        Of the tree.

    Examples
    --------
    >>> b = Builder(("one", "two"), "trust")
    >>> keep, trust = b.decide(b.root, "one", ("keep", "trust"))
    >>> b.pay(keep, (1, 1))
    >>> for leaf, payoffs in zip(b.decide(trust, "two", ("give", "take")), ((2, 2), (0, 3))):
    ...     b.pay(leaf, payoffs)
    >>> b.build()
    <Tree of trust: 5 nodes, 2 information sets, 2 players>
    """

    root = 0

    def __init__(self, players: Sequence[str], name: str = "game", comment: str = "") -> None:
        """Begin with an open root."""
        if isinstance(players, str) or not 1 <= len(players) <= MOST_PLAYERS:
            raise TreeError(f"players must be 1 to {MOST_PLAYERS} names, not {players!r}")
        self.players = tuple(players)
        self.name = name
        self.comment = comment
        self._children: list[list[int]] = [[]]
        self._player = [LEAF]
        self._set = [-1]  # of a decision: its information set; of a chance node: its lottery
        self._paid = [-1]
        self._names: dict[int, str] = {}
        self._set_number: dict[tuple[int, Hashable], int] = {}
        self._set_player: list[int] = []
        self._set_menu: list[Menu] = []
        self._set_label: list[str] = []
        self._lotteries: list[Lottery] = []
        self._payoffs: list[Payoffs] = []
        self._payoff_names: list[str] = []

    def decide(
        self,
        node: int,
        player: str | int,
        actions: Iterable[Hashable],
        infoset: Hashable = None,
        *,
        label: str | None = None,
        name: str = "",
    ) -> list[int]:
        """Place a decision at an open node.

        Parameters
        ----------
        node
            An open node.
        player
            By name or by number.
        actions
            What the player may do.
        infoset
            Nodes of a player with the same value are one information set and must offer the same
            actions; without one, the node is alone in its own.
        label
            What the player knows there; the text of ``infoset``, if left out.
        name
            Of the node.

        Returns
        -------
        list of int
            The nodes that the actions lead to, open.

        Raises
        ------
        TreeError
            If the node is not open, or the actions do not fit.

        Examples
        --------
        >>> from infoset import Builder
        >>> b = Builder(("one", "two"))
        >>> for below in b.decide(b.root, "one", ("left", "right")):
        ...     for leaf in b.decide(below, "two", ("left", "right"), infoset="has not seen it"):
        ...         b.pay(leaf, (0, 0))
        >>> b.build()
        <Tree of game: 7 nodes, 2 information sets, 2 players>
        """
        self._check_open(node)
        if isinstance(actions, str):
            raise TreeError(f"node {node}: {text_for_list('actions', actions)}")
        number, menu = self._player_number(player), tuple(actions)
        if not menu:
            raise TreeError(f"node {node}: a decision needs at least one action")
        if not all(isinstance(action, Hashable) for action in menu):
            raise TreeError(f"node {node}: an action in {menu!r} is not hashable; use tuples")
        key = (number, ("alone", node) if infoset is None else ("named", infoset))
        group = self._set_number.get(key)
        if group is None:
            group = self._set_number[key] = len(self._set_player)
            self._set_player.append(number)
            self._set_menu.append(menu)
            plain = "" if infoset is None else str(infoset)
            self._set_label.append(plain if label is None else label)
        elif self._set_menu[group] != menu:
            raise TreeError(
                f"node {node}: information set {infoset!r} of {self.players[number]!r} offers"
                f" {self._set_menu[group]!r}, not {menu!r}"
            )
        return self._open(node, number, group, len(menu), name)

    def chance(
        self,
        node: int,
        outcomes: Mapping[Any, Any] | Iterable[Any],
        weights: Iterable[Any] | None = None,
        *,
        name: str = "",
    ) -> list[int]:
        """Place a chance move at an open node.

        Parameters
        ----------
        node
            An open node.
        outcomes
            A mapping to weights, or a sequence. Every outcome leads to a node, also one of weight 0
            and one that is listed twice.
        weights
            One for each outcome; equally likely, if left out.
        name
            Of the node.

        Returns
        -------
        list of int
            The nodes that the outcomes lead to, open.

        Raises
        ------
        TreeError
            If the node is not open.
        RulesError
            If there are no outcomes, or the weights are not weights.

        Examples
        --------
        >>> from infoset import Builder
        >>> b = Builder(("gambler",))
        >>> rain, sun = b.chance(b.root, {"rain": 1, "sun": 3})
        >>> b.pay(rain, [-1])
        >>> b.pay(sun, [1])
        >>> [str(p) for p in b.build().root.probabilities]
        ['1/4', '3/4']
        """
        values, sizes = weighed(outcomes, weights)
        whole = sum(sizes)
        return self.draw(
            node, Lottery(values, tuple(Fraction(size) / whole for size in sizes)), name=name
        )

    def draw(self, node: int, lottery: Lottery, *, name: str = "") -> list[int]:
        """Place a chance move with a lottery as it is: outcomes may repeat or be impossible.

        Parameters
        ----------
        node
            An open node.
        lottery
            Outcomes and probabilities, which sum to 1.
        name
            Of the node.

        Returns
        -------
        list of int
            The nodes that the outcomes lead to, open.

        Raises
        ------
        TreeError
            If the node is not open.
        """
        self._check_open(node)
        number = len(self._lotteries)
        self._lotteries.append(lottery)
        return self._open(node, CHANCE, number, len(lottery.outcomes), name)

    def pay(self, node: int, payoffs: Mapping[str, Any] | Sequence[Any], name: str = "") -> None:
        """Pay the players when the play comes to a node.

        Parameters
        ----------
        node
            Any node; payoffs along a play add up.
        payoffs
            By name, or in the order of the players.
        name
            Of the outcome.

        Raises
        ------
        TreeError
            If there is no such node, it has payoffs already, or a player has no payoff.
        """
        if isinstance(payoffs, Mapping):
            unknown = set(payoffs) - set(self.players)
            if unknown or len(payoffs) != len(self.players):
                raise TreeError(f"node {node}: pay {', '.join(self.players)}, not {payoffs!r}")
            payoffs = [payoffs[player] for player in self.players]
        if len(payoffs) != len(self.players):
            raise TreeError(f"node {node}: {len(payoffs)} payoffs for {len(self.players)} players")
        self.award(node, self.outcome(payoffs, name))

    def outcome(self, payoffs: Sequence[Any], name: str = "") -> int:
        """A new outcome, to be awarded at any number of nodes.

        Parameters
        ----------
        payoffs
            In the order of the players.
        name
            Of the outcome.

        Returns
        -------
        int
            Its number, for :meth:`award`.

        Examples
        --------
        >>> from infoset import Builder
        >>> b = Builder(("one", "two"))
        >>> draw = b.outcome((0, 0), name="draw")
        >>> for node in b.chance(b.root, ("heads", "tails")):
        ...     b.award(node, draw)
        >>> b.build().outcome_names
        ('draw',)
        """
        self._payoffs.append(tuple(exact(amount) for amount in payoffs))
        self._payoff_names.append(name)
        return len(self._payoffs) - 1

    def award(self, node: int, outcome: int) -> None:
        """Attach an outcome to a node.

        Parameters
        ----------
        node
            Any node without payoffs of its own.
        outcome
            The number that :meth:`outcome` returned.

        Raises
        ------
        TreeError
            If there is no such node or outcome, or the node has payoffs already.
        """
        if not 0 <= node < len(self._player):
            raise TreeError(f"there is no node {node}")
        if not 0 <= outcome < len(self._payoffs):
            raise TreeError(f"there is no outcome {outcome}")
        if self._paid[node] >= 0:
            raise TreeError(f"node {node} has payoffs already")
        self._paid[node] = outcome

    def build(self, *, unpaid: bool = False) -> Tree:
        """The finished tree, its nodes renumbered depth first.

        Parameters
        ----------
        unpaid
            Accept leaves without payoffs on their path.

        Returns
        -------
        Tree
            The record.

        Raises
        ------
        TreeError
            If a leaf has no payoffs on its path and not ``unpaid``.
        """
        order, parent, action = self._depth_first()
        player = np.array([self._player[node] for node in order], np.int8)
        number = np.array([self._set[node] for node in order], np.int32)
        outcome = np.array([self._paid[node] for node in order], np.int32)
        if not unpaid:
            self._check_paid(order, parent, outcome)
        sets = renumber(number, player >= 0)
        draws = renumber(number, player == CHANCE)
        menus: dict[Menu, int] = {}
        menu_number = [menus.setdefault(self._set_menu[old], len(menus)) for old in sets]
        lotteries, number = self._shared_lotteries(number, player == CHANCE, draws)
        named = any(self._payoff_names)
        return Tree(
            name=self.name,
            players=self.players,
            parent=np.array(parent, np.int32),
            action=np.array(action, np.int32),
            player=player,
            infoset=number,
            outcome=outcome,
            infoset_player=np.array([self._set_player[old] for old in sets], np.int8),
            infoset_menu=np.array(menu_number, np.int32),
            menus=tuple(menus),
            labels=tuple(self._set_label[old] for old in sets),
            lotteries=lotteries,
            payoffs=tuple(self._payoffs),
            comment=self.comment,
            outcome_names=tuple(self._payoff_names) if named else (),
            node_names={
                new: self._names[old] for new, old in enumerate(order) if old in self._names
            },
        )

    def _player_number(self, player: str | int) -> int:
        if isinstance(player, int):
            if not 0 <= player < len(self.players):
                raise TreeError(f"no player number {player}; there are {len(self.players)}")
            return player
        if player not in self.players:
            raise TreeError(f"no player {player!r}; there are {', '.join(self.players)}")
        return self.players.index(player)

    def _check_open(self, node: int) -> None:
        if not isinstance(node, int) or not 0 <= node < len(self._player):
            raise TreeError(f"there is no node {node!r}")
        if self._player[node] != LEAF:
            raise TreeError(f"node {node} has its move already")

    def _open(self, node: int, player: int, group: int, actions: int, name: str) -> list[int]:
        self._player[node] = player
        self._set[node] = group
        if name:
            self._names[node] = name
        new = list(range(len(self._player), len(self._player) + actions))
        self._children[node] = new
        self._children += [[] for _ in new]
        self._player += [LEAF] * actions
        self._set += [-1] * actions
        self._paid += [-1] * actions
        return new

    def name_node(self, node: int, name: str) -> None:
        """Give a node a name, a leaf for example.

        Parameters
        ----------
        node
            Any node.
        name
            Its name; the empty text changes nothing.

        Raises
        ------
        TreeError
            If there is no such node.
        """
        if not 0 <= node < len(self._player):
            raise TreeError(f"there is no node {node}")
        if name:
            self._names[node] = name

    def _depth_first(self) -> tuple[list[int], list[int], list[int]]:
        order: list[int] = []
        parent: list[int] = []
        action: list[int] = []
        waiting = [(self.root, -1, -1)]
        while waiting:
            node, above, taken = waiting.pop()
            here = len(order)
            order.append(node)
            parent.append(above)
            action.append(taken)
            below = self._children[node]
            waiting += [(below[j], here, j) for j in range(len(below) - 1, -1, -1)]
        return order, parent, action

    def _check_paid(self, order: list[int], parent: list[int], outcome: Any) -> None:
        paid: list[bool] = []
        for new, old in enumerate(order):
            paid.append(outcome[new] >= 0 or (parent[new] >= 0 and paid[parent[new]]))
            if self._player[old] == LEAF and not paid[new]:
                raise TreeError(f"the leaf {old} pays nothing; give it payoffs")

    def _shared_lotteries(
        self, number: Any, chance: Any, draws: list[int]
    ) -> tuple[tuple[Lottery, ...], Any]:
        """Equal lotteries as one, as in trees built from rules."""
        table: dict[Lottery, int] = {}
        same = np.array(
            [table.setdefault(self._lotteries[old], len(table)) for old in draws], np.int32
        )
        if len(draws):
            number[chance] = same[number[chance]]
        return tuple(table), number


def renumber(number: Any, where: Any) -> list[int]:
    """Renumber entries in the order in which they occur, in place; return the old numbers."""
    found: dict[int, int] = {}
    number[where] = [found.setdefault(old, len(found)) for old in number[where].tolist()]
    return list(found)
