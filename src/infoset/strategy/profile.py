"""Profiles: one strategy for each player, with payoffs, reach, beliefs, values and regret.

Everything rests on one fact: the probability of a node is the product of the realization weights of
chance and of each player (Koller, Megiddo & von Stengel 1994, equation 12). With exact
strategies every number here is a Fraction, with floats a float; the code is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Index, Number, Numbers, integer_sum
from infoset.rules.moves import CHANCE
from infoset.strategy.continuation import continuation_values
from infoset.strategy.mixed import Pure
from infoset.strategy.response import Response, tree_best_response
from infoset.strategy.strategy import Strategy, distinct_actions
from infoset.text import brief
from infoset.tree import Infoset, Node, Tree
from infoset.tree.facts import absent_minded


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A strategy for every player of a tree, and what follows from them.

    Parameters
    ----------
    tree : Tree
        The game.
    strategies : tuple of Strategy
        [player] one for each.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> tree = kuhn().tree()
    >>> at_random = profile(uniform(tree, player) for player in tree.names)
    >>> at_random.payoffs
    {'gambler': Fraction(1, 8), 'dealer': Fraction(-1, 8)}
    >>> at_random.regrets
    {'gambler': Fraction(3, 8), 'dealer': Fraction(13, 24)}
    """

    tree: Tree
    strategies: tuple[Strategy, ...]  # [player]

    def __getitem__(self, player: str) -> Strategy:
        """A player's strategy."""
        return self.strategies[self.tree.player_number(player)]

    def __iter__(self) -> Iterator[Strategy]:
        """The strategies, in the order of the players."""
        return iter(self.strategies)

    def __repr__(self) -> str:
        return f"<Profile of {brief(self.tree.name)}>"

    def _repr_html_(self) -> str:
        from infoset.display.show import profile_html

        return profile_html(self)

    @cached_property
    def exact(self) -> bool:
        """Are all strategies rational?"""
        return all(strategy.exact for strategy in self.strategies)

    def reach(self, nodes: Index, without: int | None = None) -> Numbers:
        """The probability of reaching nodes.

        Parameters
        ----------
        nodes : int or array of int
            Numbers of nodes.
        without : int, optional
            The number of a player whose own choices are taken as certain: counterfactual reach.

        Returns
        -------
        Numbers
            [node] its probability.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.reach(tree.leaf_indices).total
        Fraction(1, 1)
        """
        product = self.tree.chance_reach.take(nodes)
        for number, strategy in enumerate(self.strategies):
            if number != without:
                product = product.times(strategy.at(nodes))
        return product

    @cached_property
    def payoffs(self) -> dict[str, Number]:
        """By player: the expected payoff."""
        reach = self.reach(self.tree.leaf_indices)
        return {
            player: reach.times(stake).total
            for player, stake in zip(self.tree.names, self.tree.leaf_payoffs, strict=True)
        }

    def best_response(self, player: str) -> Response:
        """A player's best response to the others' strategies.

        Parameters
        ----------
        player : str
            By name.

        Returns
        -------
        Response
            A pure strategy and its value. Exactly the best with perfect recall; otherwise it has an
            upper bound, where it is not proved to be the best.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.best_response("gambler").value
        Fraction(1, 2)
        """
        number = self.tree.player_number(player)
        return tree_best_response(
            self.tree, number, self.reach(self.tree.leaf_indices, without=number)
        )

    @cached_property
    def responses(self) -> dict[str, Response]:
        """Every player's best response."""
        leaves = self.tree.leaf_indices
        every = range(len(self.strategies))
        found = self._counterfactual(self.tree.chance_reach.take(leaves), every)
        return {
            self.tree.names[number]: tree_best_response(self.tree, number, reach)
            for number, reach in found
        }

    def _counterfactual(self, others: Numbers, players: range) -> Iterator[tuple[int, Numbers]]:
        """Each of these players with the product of all others' weights at the leaves.

        ``others`` is the product of all that are not among them. Halves share what they have in
        common: of n players, n log n products are made, not n².
        """
        if len(players) == 1:
            yield players[0], others
            return
        middle = len(players) // 2
        halves = (players[:middle], players[middle:])
        for here, there in (halves, halves[::-1]):
            product = others
            for number in there:
                product = product.times(self.strategies[number].at(self.tree.leaf_indices))
            yield from self._counterfactual(product, here)

    @cached_property
    def regrets(self) -> dict[str, Number]:
        """By player: what its best response gains over its strategy.

        Where a best response is not proved to be the best, its upper bound counts. At least 0, but
        for an absent-minded player: its behaviour strategies may do better than all the pure ones
        that best responses are chosen from.
        """
        return {
            player: (response.value if response.most is None else response.most)
            - self.payoffs[player]
            for player, response in self.responses.items()
        }

    @property
    def regret(self) -> Number:
        """The largest of the regrets; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    # ------------------------------------------------------------------ at an information set

    def _checked(self, infoset: Infoset) -> Infoset:
        if not isinstance(infoset, Infoset):
            raise StrategyError(
                f"{infoset!r} is not an information set; tree.find(player, label) finds one by"
                f" label"
            )
        if infoset.tree is not self.tree:
            raise StrategyError(f"{infoset!r} is an information set of another tree")
        return infoset

    def weights(self, infoset: Infoset) -> Numbers:
        """[node] the probability that chance and the others reach it: what beliefs follow from.

        A player with perfect recall has made the same choices before all nodes of the set, so that
        its own part does not matter, and beliefs are defined where only the player itself avoids
        the set. One with imperfect recall may have chosen differently before different nodes; there
        its own part counts, too.

        Parameters
        ----------
        infoset : Infoset
            An information set of the profile's tree.

        Returns
        -------
        Numbers
            [node] in the order of ``infoset.nodes``; they need not sum to 1.

        Raises
        ------
        StrategyError
            If it is no information set of this tree.
        """
        number = self.tree.player_number(self._checked(infoset).player)
        recalls = self.tree.recall(infoset.player)
        return self.reach(infoset.node_indices, without=number if recalls else None)

    def beliefs(self, infoset: Infoset) -> dict[Node, Number] | None:
        """The probability of each node of an information set, given that a play is there.

        Parameters
        ----------
        infoset : Infoset
            An information set of the profile's tree.

        Returns
        -------
        dict or None
            By node. None if no play comes there, so that the strategies imply nothing.

        Raises
        ------
        StrategyError
            If it is no information set of this tree.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> list(at_random.beliefs(tree.find("dealer", "Q, bet")).values())
        [Fraction(1, 2), Fraction(1, 2)]
        """
        reach = self.reach(self._checked(infoset).node_indices)
        found = normalized(reach)
        if found is None:
            return None
        return dict(zip(infoset.nodes, found.values(), strict=True))

    @cached_property
    def all_beliefs(self) -> tuple[Numbers | None, ...]:
        """[information set] the beliefs at its nodes, in their order; None where no play comes."""
        start, nodes = self.tree.members
        reach = self.reach(nodes)
        return tuple(
            normalized(Numbers(reach.numerators[begin:end], reach.denominator))
            for begin, end in pairwise(start.tolist())
        )

    def infoset_reach(self, infoset: Infoset) -> Number:
        """The probability that a play comes through the set.

        Under absent-mindedness a play may come twice; then its first visit counts.

        Parameters
        ----------
        infoset : Infoset
            An information set of the profile's tree.

        Returns
        -------
        Fraction or float
            The probability.

        Raises
        ------
        StrategyError
            If it is no information set of this tree.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.infoset_reach(tree.find("dealer", "Q, bet"))
        Fraction(1, 6)
        """
        nodes = self._checked(infoset).node_indices
        if not self.tree.recall(infoset.player):
            nodes = np.array([node.index for node in _first_visits(infoset)])
        total: Number = self.reach(nodes).total
        return total

    def infoset_value(self, infoset: Infoset, weights: Numbers | None = None) -> Any:
        """What the player expects at an information set.

        Parameters
        ----------
        infoset : Infoset
            An information set of the profile's tree.
        weights : Numbers, optional
            [node] how likely each node is, up to a factor; by default :meth:`weights`.

        Returns
        -------
        Fraction, float or None
            None if the beliefs are undefined: the others never reach the set, and it has several
            nodes.

        Raises
        ------
        StrategyError
            If it is no information set of this tree.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.infoset_value(tree.find("dealer", "K, bet"))
        Fraction(1, 2)
        """
        number = self.tree.player_number(self._checked(infoset).player)
        values = self._averaged(infoset.node_indices[:, None], number, infoset, weights)
        return None if values is None else values[0]

    def action_values(self, infoset: Infoset) -> dict[Any, Any] | None:
        """What the player expects after each action, if all later choices follow the strategies.

        Parameters
        ----------
        infoset : Infoset
            An information set of the profile's tree.

        Returns
        -------
        dict or None
            By action. Nodes weigh as in :meth:`weights`. None if the beliefs are undefined.

        Raises
        ------
        NotApplicable
            If a play may come to the set twice: the value of an action is then not defined.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.action_values(tree.find("dealer", "K, bet"))
        {'pass': Fraction(-1, 1), 'bet': Fraction(2, 1)}
        """
        tree, number = self.tree, self.tree.player_number(self._checked(infoset).player)
        twice = absent_minded(tree, [] if tree.recall(infoset.player) else [number])
        if twice:
            raise NotApplicable(
                f"{tree.name}: {twice.because}; the value of an action is then not well defined"
            )
        start, child = tree.children
        after = child[start[infoset.node_indices][:, None] + np.arange(len(infoset.actions))]
        values = self._averaged(after, number, infoset)
        return None if values is None else dict(zip(distinct_actions(infoset), values, strict=True))

    def _averaged(
        self, after: Index, player: int, infoset: Infoset, weights: Numbers | None = None
    ) -> list[Any] | None:
        """[column] continuation values of nodes, averaged by the weights of their rows."""
        if len(after) == 1:
            weights = Numbers.of([1])  # a player at a singleton set knows the node
        elif weights is None:
            weights = self.weights(infoset)
        met = np.flatnonzero(weights.numerators > 0)
        if not len(met):
            return None
        rows = weights.take(met).values()
        flat = self.continuation_values(after[met].ravel(), player)
        columns = [flat[at :: after.shape[1]] for at in range(after.shape[1])]
        total = sum(rows)
        return [
            sum(weight * value for weight, value in zip(rows, column, strict=True)) / total
            for column in columns
        ]

    def continuation_values(self, nodes: Index, player: int) -> list[Any]:
        """What a player expects once the play is at a node; see :mod:`.continuation`.

        Parameters
        ----------
        nodes : array of int
            Numbers of nodes.
        player : int
            The player's number.

        Returns
        -------
        list
            [node] the expected payoff.

        Examples
        --------
        >>> from infoset import profile, uniform
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> at_random = profile(uniform(tree, player) for player in tree.names)
        >>> at_random.continuation_values([0], 0)
        [Fraction(1, 8)]
        """
        return continuation_values(self, nodes, player)

    @cached_property
    def steps(self) -> list[Any]:
        """[node] the probability of the move that leads there, given its parent."""
        from infoset.strategy.equivalence import as_behaviour

        tree = self.tree
        steps = np.full(len(tree), Fraction(1), object)
        above = np.maximum(tree.parent, 0)  # the root has nothing above it; it is set below
        mover, place = tree.player[above], tree.infoset[above]
        sizes = np.array([len(lottery.outcomes) for lottery in tree.lotteries], np.int64)
        chances = [p for lottery in tree.lotteries for p in lottery.probabilities]
        drawn = np.flatnonzero(mover == CHANCE)
        at = (np.cumsum(sizes) - sizes)[place[drawn]] + tree.action[drawn]
        steps[drawn] = np.array([*chances, None], object)[at]
        for number, strategy in enumerate(self.strategies):
            own = as_behaviour(strategy)
            taken = np.flatnonzero(mover == number)
            sets = np.searchsorted(own.choices.infosets, place[taken])
            steps[taken] = own.probabilities[own.choices.first[sets] + tree.action[taken]]
        steps[0] = Fraction(1)
        return steps.tolist() if self.exact else list(map(float, steps))


def normalized(weights: Numbers) -> Numbers | None:
    """Weights divided by their sum; None if that is 0."""
    total = weights.total
    if not total:
        return None
    if not weights.exact:
        return Numbers(weights.numerators / total)
    return Numbers(weights.numerators, integer_sum(weights.numerators)).lowest()


def _first_visits(infoset: Infoset) -> list[Any]:
    """The nodes of the set above which no other of its nodes lies."""
    inside = {node.index for node in infoset.nodes}
    found = []
    for node in infoset.nodes:
        above = node.parent
        while above is not None and above.index not in inside:
            above = above.parent
        if above is None:
            found.append(node)
    return found


def profile(strategies: Mapping[str, Strategy] | Any) -> Profile:
    """A profile from one strategy for each player, in any order.

    Parameters
    ----------
    strategies : mapping or iterable of Strategy
        One for each player, all of the same tree.

    Returns
    -------
    Profile
        The profile.

    Raises
    ------
    StrategyError
        If a player has no strategy or two, or trees differ.

    Examples
    --------
    >>> from infoset import uniform
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> profile({player: uniform(tree, player) for player in tree.names}).payoffs["gambler"]
    Fraction(1, 8)

    See Also
    --------
    infoset.strategy.as_profile : From files, functions, mappings and anything else.
    """
    given = _listed(strategies)
    tree = given[0].tree
    by_player = {strategy.player: strategy for strategy in given}
    if any(strategy.tree is not tree for strategy in given):
        raise StrategyError(f"{tree.name}: the strategies belong to different trees")
    missing = [player for player in tree.names if player not in by_player]
    if missing or len(given) != len(by_player):
        raise StrategyError(
            f"{tree.name}: one strategy for each player; "
            + (f"{missing[0]!r} has none" if missing else "someone has two")
        )
    return Profile(tree, tuple(checked_strategy(by_player[player]) for player in tree.names))


def checked_strategy(strategy: Strategy) -> Strategy:
    """A strategy; a pure one that reaches an information set without choosing there is refused."""
    silent = strategy.undecided if isinstance(strategy, Pure) else None
    if silent is not None:
        tree = strategy.tree
        raise StrategyError(
            f"{tree.name}: {strategy!r} comes to {tree.infosets[silent].label!r} and has no action"
            " there"
        )
    return strategy


def _listed(strategies: Any) -> list[Strategy]:
    """The given strategies as a list."""
    if isinstance(strategies, Strategy):
        given: list[Any] = [strategies]
    elif isinstance(strategies, Mapping):
        given = list(strategies.values())
    else:
        given = list(strategies) if isinstance(strategies, Iterable) else [strategies]
    if not given:
        raise StrategyError("a profile needs a strategy for every player; none was given")
    for entry in given:
        if not isinstance(entry, Strategy):
            raise StrategyError(
                f"{entry!r:.60} is not a strategy; behaviour() makes one, as_profile() converts"
            )
    return given
