"""Behaviour strategies and realization plans.

A *behaviour strategy* has a probability for every action at every information set. A *realization
plan* has the weight of every sequence of the player's own choices: the product of their
probabilities. The weight is the player's factor in the probability of reaching a node, so that the
weights determine everything that the strategy does to the game. With perfect recall they are the
solutions of E x = e, x >= 0 (Koller, Megiddo & von Stengel 1994, lemma 5.1), a small system;
without, there is no such system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np

from infoset.clock import look
from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Array, Floats, Index, Numbers, group_sums
from infoset.strategy.strategy import (
    Strategy,
    action_number,
    check_tree,
    checked_player,
    distinct_actions,
    given_probability,
    normalized_row,
    own_infoset,
)
from infoset.text import brief, label_among
from infoset.tree import Infoset, Tree
from infoset.tree.choices import Choices

ROUNDING = 1e-9  # the error that is allowed in sums of floats


@dataclass(frozen=True, eq=False, repr=False)
class RealizationPlan(Strategy):
    """The weight of every sequence of a player with perfect recall."""

    tree: Tree
    player: str
    weights: Numbers  # [sequence], the empty one first

    def __post_init__(self) -> None:
        needs_recall(self.tree, self.player, "a realization plan")
        problem = flaw(self.choices, self.weights)
        if problem:
            raise StrategyError(f"{self.tree.name}: {self.player}: {problem}")

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return self.weights.exact

    def at(self, nodes: Index) -> Numbers:
        """The realization weights of nodes.

        Parameters
        ----------
        nodes : int or array of int
            Numbers of nodes.

        Returns
        -------
        Numbers
            [node] its weight.
        """
        return self.weights.take(self.choices.last[nodes])

    def inexact(self) -> RealizationPlan:
        """The same in floats."""
        return RealizationPlan(self.tree, self.player, self.weights.inexact())

    def __getitem__(self, sequence: int) -> Any:
        """The weight of a sequence, by its number."""
        return self.weights[sequence]

    def __repr__(self) -> str:
        return f"<Realization plan of {brief(self.player)}: {len(self.weights):,} sequences>"

    def _repr_html_(self) -> str:
        from infoset.display.show import plan_html

        return plan_html(self)

    @cached_property
    def local(self) -> Array:
        """[choice] its probability, given that its information set is reached; uniform elsewhere.

        The first entry, the empty sequence, is 1.
        """
        choices = self.choices
        if not self.exact:
            weights, groups = np.maximum(self.weights.floats, 0), choices.owner[1:]
            total = group_sums(weights[1:], groups, len(choices.sizes))[groups]
            even = (1.0 / choices.sizes)[groups]
            # Divided by their sum, not by the weight before: beside a tiny one, rounding errors are
            # large.
            with np.errstate(divide="ignore", invalid="ignore"):
                probabilities = np.where(total > 0, weights[1:] / total, even)
            return np.concatenate(([1.0], probabilities))

        weights, above, sizes = self.weights.numerators, choices.above, choices.sizes
        probabilities = np.empty(len(choices), object)
        probabilities[0] = Fraction(1)
        for choice in range(1, len(choices)):
            look()
            whole = int(weights[above[choice]])
            probabilities[choice] = (
                Fraction(int(weights[choice]), whole)
                if whole
                else Fraction(1, int(sizes[choices.owner[choice]]))
            )
        return probabilities


def needs_recall(tree: Tree, player: str, what: str) -> None:
    """Refuse what needs perfect recall, if the player does not have it."""
    recall = tree.recall(checked_player(tree, player))
    if not recall:
        raise NotApplicable(f"{tree.name}: {what} needs perfect recall, but {recall.because}")


def flaw(choices: Choices, weights: Numbers) -> str:
    """Why these weights are not a realization plan; empty if they are."""
    if len(weights) != len(choices):
        return f"{len(weights)} weights for {len(choices)} sequences"
    numerators, sizes = weights.numerators, choices.sizes
    miss = 0 if weights.exact else ROUNDING
    negative = np.flatnonzero(~(numerators >= -miss))
    if len(negative):
        at = int(negative[0])
        return f"the weight of {choices.labels[at]!r} is {weights[at]}"
    if abs(numerators[0] - weights.denominator) > miss:
        return f"the weight of the empty sequence is {weights[0]}, not 1"
    shared = group_sums(numerators[1:], np.repeat(np.arange(len(sizes)), sizes), len(sizes))
    wrong = np.flatnonzero(np.abs(shared - numerators[choices.before]) > miss)
    if not len(wrong):
        return ""
    own = int(wrong[0])
    label = choices.tree.infosets[int(choices.infosets[own])].label
    total = Numbers(shared, weights.denominator)[own]
    return (
        f"at {label!r} the weights sum to {total}, not to the {weights[int(choices.before[own])]}"
        " that leads there"
    )


def plan_from_probabilities(tree: Tree, player: str, probabilities: Array) -> RealizationPlan:
    """The plan of a behaviour strategy: products of probabilities along the sequences."""
    choices = tree.choices[tree.player_number(player)]
    weights = probabilities.copy()
    for stage in choices.stages[1:]:
        look()
        for_sizes = choices.sizes[stage]
        steps = np.arange(int(for_sizes.sum())) - np.repeat(
            np.cumsum(for_sizes) - for_sizes, for_sizes
        )
        here = np.repeat(choices.first[stage], for_sizes) + steps
        weights[here] = weights[choices.above[here]] * probabilities[here]
    exact = probabilities.dtype == object
    numbers = Numbers.of(weights.tolist()) if exact else Numbers(weights)
    return RealizationPlan(tree, player, numbers)


FINE = 1 << 52  # the denominator of weights made from floats


def plan_from_floats(tree: Tree, player: str, approximate: Floats) -> RealizationPlan:
    """An exact plan from floats that need not be a plan.

    Weights that are negative, infinite or NaN count as zero. At every information set the weights
    are normalized, to uniform ones where all are zero, and the weight that leads there is divided
    in that proportion into whole multiples of 2^-52; the largest takes the remainder. So any vector
    with a number for each sequence gives a strategy, and denominators stay small.
    """
    choices = tree.choices[tree.player_number(player)]
    given = np.where(np.isfinite(approximate) & (approximate > 0), approximate, 0.0)
    weights = np.zeros(len(choices), np.int64)
    weights[0] = FINE
    for stage in choices.stages:
        sizes = choices.sizes[stage]
        begin, groups = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(stage)), sizes)
        here = np.repeat(choices.first[stage] - begin, sizes) + np.arange(len(groups))
        own, whole = given[here], weights[choices.before[stage]]
        largest = np.maximum.reduceat(own, begin)[groups]
        with np.errstate(divide="ignore", invalid="ignore"):
            own = np.where(largest > 0, own / largest, 1.0)  # no sum of them can be too large
        probability = own / np.add.reduceat(own, begin)[groups]
        dealt = np.floor(probability * whole[groups]).astype(np.int64)
        # Rounding may exceed the whole by a few parts: never by more than the largest has.
        at = np.lexsort((-dealt, groups))[begin]
        dealt[at] += whole - np.add.reduceat(dealt, begin)
        weights[here] = dealt
    shared = gcd(FINE, int(np.gcd.reduce(weights)))  # all of it for a player without a choice
    return RealizationPlan(tree, player, Numbers(weights // shared, FINE // shared))


@dataclass(frozen=True, eq=False, repr=False)
class Behaviour(Strategy, Mapping[str, dict[Any, Any]]):
    """A probability for every action at every information set of a player, drawn independently.

    Read as a mapping, from the label of an information set to the probabilities of its actions.

    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> timid = behaviour(tree, "dealer", {label: {"pass": 1} for label in ("J, pass", "J, bet")})
    >>> timid["J, bet"]
    {'pass': Fraction(1, 1), 'bet': Fraction(0, 1)}
    >>> timid["K, bet"]
    {'pass': Fraction(1, 2), 'bet': Fraction(1, 2)}
    """

    tree: Tree
    player: str
    probabilities: Array  # [choice] its probability; Fractions, or float64. The empty choice has 1

    def __post_init__(self) -> None:
        probabilities, choices = self.probabilities, self.choices
        if len(probabilities) != len(choices):
            raise StrategyError(
                f"{self.tree.name}: {len(probabilities)} probabilities for"
                f" {len(choices) - 1} choices of"
                f" {self.player} and the empty one"
            )
        miss = 0 if self.exact else ROUNDING
        bad = np.flatnonzero(~((probabilities >= -miss) & (probabilities <= 1 + miss)))
        if len(bad):
            at = int(bad[0])
            raise StrategyError(
                f"{self.tree.name}: {self.player}: the probability of {choices.labels[at]!r} is"
                f" {probabilities[at]}; it must be between 0 and 1"
            )
        owners = np.repeat(np.arange(len(choices.sizes)), choices.sizes)
        total = (
            np.add.reduceat(probabilities, choices.first)
            if self.exact and len(choices.first)
            else group_sums(probabilities[1:], owners, len(choices.sizes))
        )
        wrong = np.flatnonzero(np.abs(total - 1) > miss)
        if len(wrong):
            infoset = self.tree.infosets[int(choices.infosets[wrong[0]])]
            raise StrategyError(
                f"{self.tree.name}: {self.player}: the probabilities at {infoset.label!r} sum to"
                f" {total[wrong[0]]}, not to 1"
            )

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return bool(self.probabilities.dtype == object)

    # ------------------------------------------------------------------ as a mapping

    def __getitem__(self, place: str | Infoset) -> dict[Any, Any]:
        """The probabilities at an information set, given by its label or as a view."""
        own = self._own(place)
        infoset = self.tree.infosets[int(self.choices.infosets[own])]
        first = int(self.choices.first[own])
        given = self.probabilities[first : first + len(infoset.actions)].tolist()
        return dict(zip(distinct_actions(infoset), given, strict=True))

    def _own(self, place: str | Infoset) -> int:
        if isinstance(place, str) and place in self._places:
            return self._places[place]
        infoset = own_infoset(self.tree, self.player, place)
        return int(np.searchsorted(self.choices.infosets, infoset.index))

    @cached_property
    def _places(self) -> dict[str, int]:
        """By label, the own set; sets with the same label have their number behind it."""
        labels = [self.tree.infosets[index].label for index in self.choices.infosets.tolist()]
        count = Counter(labels)
        return {
            label if count[label] == 1 else f"{label} #{index + 1}".strip(): own
            for own, (label, index) in enumerate(
                zip(labels, self.choices.infosets.tolist(), strict=True)
            )
        }

    def __iter__(self) -> Iterator[str]:
        """The labels of the player's information sets, with their numbers if they coincide."""
        return iter(self._places)

    def __eq__(self, other: object) -> bool:
        """The same probabilities, of the same player of the same tree."""
        if not isinstance(other, Behaviour):
            return NotImplemented
        same = self.tree is other.tree and self.player == other.player
        return same and bool((self.probabilities == other.probabilities).all())

    def __hash__(self) -> int:
        return hash((id(self.tree), self.player))

    def __len__(self) -> int:
        return len(self.choices.infosets)

    def __contains__(self, place: object) -> bool:
        if isinstance(place, Infoset):
            return place.tree is self.tree and place.player == self.player
        return isinstance(place, str) and label_among(place, self._places) in self._places

    def __repr__(self) -> str:
        return f"<Behaviour strategy of {brief(self.player)}: {len(self):,} information sets>"

    def __str__(self) -> str:
        from infoset.display.show import strategy_text

        return strategy_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import strategy_html

        return strategy_html(self)

    # ------------------------------------------------------------------ what it does to the game

    @cached_property
    def plan(self) -> RealizationPlan:
        """The realization plan; with perfect recall only."""
        return plan_from_probabilities(self.tree, self.player, self.probabilities)

    def with_plan(self, plan: RealizationPlan) -> Behaviour:
        """The same strategy with its realization plan, which need not be computed then.

        Parameters
        ----------
        plan : RealizationPlan
            The plan of this very strategy; it is not checked.

        Returns
        -------
        Behaviour
            Itself.
        """
        self.__dict__["plan"] = plan
        return self

    def at(self, nodes: Index) -> Numbers:
        """The realization weights of nodes: products of the player's own probabilities.

        Parameters
        ----------
        nodes : int or array of int
            Numbers of nodes.

        Returns
        -------
        Numbers
            [node] its weight.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> uniform(tree, "gambler").at([0, 2])
        Numbers([1, 1/2])
        """
        if self.tree.recall(self.player):
            return self.plan.at(nodes)
        return self._along_paths.take(nodes)

    @cached_property
    def _along_paths(self) -> Numbers:
        """[node] the product of the probabilities on its path; also without perfect recall."""
        tree, number = self.tree, self.tree.player_number(self.player)
        weight = np.ones(len(tree), self.probabilities.dtype)
        if self.exact:
            weight[:] = Fraction(1)
        own_set = np.searchsorted(self.choices.infosets, np.arange(len(tree.infoset_player)))
        for level in tree.levels[1:]:
            look()
            above = tree.parent[level]
            weight[level] = weight[above]
            mine = tree.player[above] == number
            here = level[mine]
            taken = self.choices.first[own_set[tree.infoset[above[mine]]]] + tree.action[here]
            weight[here] = weight[here] * self.probabilities[taken]
        return Numbers.of(weight.tolist()) if self.exact else Numbers(weight)

    def inexact(self) -> Behaviour:
        """The same in floats."""
        return Behaviour(self.tree, self.player, self.probabilities.astype(np.float64))

    def changed(self, rows: Mapping[int, Sequence[Any]]) -> Behaviour:
        """A strategy that does otherwise at some information sets, and the same elsewhere.

        Parameters
        ----------
        rows : mapping
            By the number of an information set of the player: the probabilities of its actions,
            which are not checked.

        Returns
        -------
        Behaviour
            Rational if this one is and the probabilities are.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> uniform(tree, "gambler").changed({0: (1, 0)})[tree.infosets[0].label]
        {'pass': Fraction(1, 1), 'bet': Fraction(0, 1)}
        """
        found, choices = self.probabilities.copy(), self.choices
        for infoset, row in rows.items():
            first = int(choices.first[np.searchsorted(choices.infosets, infoset)])
            found[first : first + len(row)] = [
                Fraction(one) if self.exact else float(one) for one in row
            ]
        return unchecked(self.tree, self.player, found)


def behaviour(
    tree: Tree, player: str, given: Mapping[Any, Mapping[Any, Any]], *, floats: bool = False
) -> Behaviour:
    """A behaviour strategy from probabilities by information set and action.

    Parameters
    ----------
    tree : Tree
        The game.
    player : str
        Whose strategy it is.
    given : mapping
        From information sets, by label or as views, to the probabilities of their actions. Actions
        that are left out have probability 0, and information sets that are left out a uniform
        choice.
    floats : bool
        Compute in floats, and normalize probabilities that miss 1 by at most 10^-6. By default
        numbers are exact, and a float means its decimal.

    Returns
    -------
    Behaviour
        The strategy.

    Raises
    ------
    StrategyError
        If an information set or an action is unknown, or probabilities do not sum to 1.

    See Also
    --------
    infoset.strategy.as_strategy : From files, functions and anything else.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> behaviour(kuhn().tree(), "dealer", {"Q, bet": {"pass": 0.7, "bet": 0.3}})["Q, bet"]
    {'pass': Fraction(7, 10), 'bet': Fraction(3, 10)}
    """
    check_tree(tree)
    choices = tree.choices[tree.player_number(player)]
    probabilities: list[Any] = [1.0 if floats else Fraction(1)]
    for size in choices.sizes.tolist():
        probabilities += [1 / size if floats else Fraction(1, size)] * size
    for place, row_given in given.items():
        infoset = own_infoset(tree, player, place)
        own = int(np.searchsorted(choices.infosets, infoset.index))
        row = [Fraction(0)] * len(infoset.actions)
        for action, probability in row_given.items():
            where = f"{tree.name}: {player}, at {infoset.label!r}, {action!r}"
            row[action_number(infoset, action)] = given_probability(probability, where)
        sums = f"{tree.name}: {player}: the probabilities at {infoset.label!r}"
        first = int(choices.first[own])
        probabilities[first : first + len(row)] = normalized_row(row, sums, floats=floats)
    return Behaviour(tree, player, np.array(probabilities, np.float64 if floats else object))


def uniform(tree: Tree, player: str) -> Behaviour:
    """The behaviour strategy that plays every action with the same probability.

    Parameters
    ----------
    tree : Tree
        The game.
    player : str
        By name.

    Returns
    -------
    Behaviour
        Exact.

    Raises
    ------
    InfosetError
        If there is no such player.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> uniform(kuhn().tree(), "dealer")["K, bet"]
    {'pass': Fraction(1, 2), 'bet': Fraction(1, 2)}
    """
    check_tree(tree)
    return unchecked(tree, player, uniform_probabilities(tree.choices[tree.player_number(player)]))


def uniform_probabilities(choices: Choices) -> Array:
    """[choice] one over the number of actions; the empty choice has 1."""
    sizes = choices.sizes
    parts = np.array(
        [Fraction(1, size) for size in range(1, int(sizes.max(initial=1)) + 1)], object
    )
    return np.concatenate((parts[:1], np.repeat(parts[sizes - 1], sizes)))


def unchecked(tree: Tree, player: str, probabilities: Array) -> Behaviour:
    """A behaviour strategy from probabilities that are known to be right, without checks."""
    made = object.__new__(Behaviour)
    for name, value in (("tree", tree), ("player", player), ("probabilities", probabilities)):
        object.__setattr__(made, name, value)
    return made


def behaviour_of_plan(plan: RealizationPlan) -> Behaviour:
    """The behaviour strategy of a plan; uniform where the plan has weight 0.

    Parameters
    ----------
    plan : RealizationPlan
        Of a player with perfect recall.

    Returns
    -------
    Behaviour
        Equivalent to the plan.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> strategy = uniform(kuhn().tree(), "dealer")
    >>> behaviour_of_plan(strategy.plan) == strategy
    True
    """
    return unchecked(plan.tree, plan.player, plan.local).with_plan(plan)
