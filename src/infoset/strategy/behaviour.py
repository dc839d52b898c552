"""Realization plans: a strategy as the weight of each of its sequences.

The weight of a sequence is the product of the probabilities of its choices. It is what nature and
the other players leave to this player in the probability of reaching a node: all that a strategy
does to a game is in its weights. With perfect recall they are the solutions of E x = e, x >= 0
(Koller, Megiddo & von Stengel 1994, lemma 5.1), a small system; without, there is none such.

Behaviour strategies: a probability for every action at every information set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Array, Floats, Index, Numbers, group_sums
from infoset.strategy.strategy import (
    Strategy,
    action_number,
    checked_player,
    distinct_actions,
    given_probability,
    own_infoset,
)
from infoset.text import brief
from infoset.tree import Infoset, Tree
from infoset.tree.choices import Choices

ROUNDING = 1e-9  # by how much floats may miss what they should sum to


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
        """The player's part in the probability of reaching each node."""
        return self.weights.take(self.choices.last[nodes])

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
            # Shares of their sum: next to a tiny weight before it, what rounding left is large.
            with np.errstate(divide="ignore", invalid="ignore"):
                probabilities = np.where(total > 0, weights[1:] / total, even)
            return np.concatenate(([1.0], probabilities))

        weights, above, sizes = self.weights.numerators, choices.above, choices.sizes
        probabilities = np.empty(len(choices), object)
        probabilities[0] = Fraction(1)
        for choice in range(1, len(choices)):
            whole = int(weights[above[choice]])
            probabilities[choice] = (
                Fraction(int(weights[choice]), whole)
                if whole
                else Fraction(1, int(sizes[choices.owner[choice]]))
            )
        return probabilities


def needs_recall(tree: Tree, player: str, what: str) -> None:
    """Refuse where a player forgets, saying what."""
    recall = tree.recall(checked_player(tree, player))
    if not recall:
        raise NotApplicable(f"{tree.name}: {what} needs perfect recall, but {recall.because}")


def flaw(choices: Choices, weights: Numbers) -> str:
    """What keeps these weights from being a realization plan; empty if nothing does."""
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


def plan_from_floats(tree: Tree, player: str, sketch: Floats) -> RealizationPlan:
    """The exact plan nearest in spirit to some floats that need be no plan at all.

    Weights that are negative, infinite or no numbers count as zero. At every information set the
    weights are taken as shares, even ones where all are zero, by which the weight that leads there
    is dealt out in whole parts of 2^-52; what is left over goes to the largest. So any vector with
    a number for each sequence is turned into a strategy, and numbers stay small.
    """
    choices = tree.choices[tree.player_number(player)]
    given = np.where(np.isfinite(sketch) & (sketch > 0), sketch, 0.0)
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
        share = own / np.add.reduceat(own, begin)[groups]
        dealt = np.floor(share * whole[groups]).astype(np.int64)
        # Rounding may deal out too much, by a few parts: never more than the largest has.
        at = np.lexsort((-dealt, groups))[begin]
        dealt[at] += whole - np.add.reduceat(dealt, begin)
        weights[here] = dealt
    return RealizationPlan(tree, player, Numbers(weights, FINE))


@dataclass(frozen=True, eq=False, repr=False)
class Behaviour(Strategy, Mapping[str, dict[Any, Any]]):
    """What a player does at each of its information sets, one independent draw each.

    Read as a mapping, from what the player knows to the probabilities of its actions.

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
        """By label: the own set; sets of the same label go by label and number."""
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
        return place in self._places

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
        """The same as weights of sequences; with perfect recall only."""
        return plan_from_probabilities(self.tree, self.player, self.probabilities)

    def with_plan(self, plan: RealizationPlan) -> Behaviour:
        """The same strategy, told its plan, which it then need not compute."""
        self.__dict__["plan"] = plan
        return self

    def at(self, nodes: Index) -> Numbers:
        """The player's part in the probability of reaching each node."""
        if self.tree.recall(self.player):
            return self.plan.at(nodes)
        return self._along_paths.take(nodes)

    @cached_property
    def _along_paths(self) -> Numbers:
        """[node] the product of the probabilities on the path; right without recall, too."""
        tree, number = self.tree, self.tree.player_number(self.player)
        weight = np.ones(len(tree), self.probabilities.dtype)
        if self.exact:
            weight[:] = Fraction(1)
        own_set = np.searchsorted(self.choices.infosets, np.arange(len(tree.infoset_player)))
        for level in tree.levels[1:]:
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


def behaviour(
    tree: Tree, player: str, given: Mapping[Any, Mapping[Any, Any]], *, floats: bool = False
) -> Behaviour:
    """A behaviour strategy from probabilities by information set and action.

    Information sets are named by their labels or given as views; actions that are left out have
    probability 0, and information sets that are left out a uniform choice. Numbers are taken as
    exact, a float as its decimal, unless ``floats`` is said.
    """
    choices = tree.choices[tree.player_number(player)]
    probabilities = [1.0 if floats else Fraction(1)]
    for size in choices.sizes.tolist():
        probabilities += [1 / size if floats else Fraction(1, size)] * size
    for place, row_given in given.items():
        infoset = own_infoset(tree, player, place)
        own = int(np.searchsorted(choices.infosets, infoset.index))
        row = [0.0 if floats else Fraction(0)] * len(infoset.actions)
        for action, probability in row_given.items():
            where = f"{tree.name}: {player}, at {infoset.label!r}, {action!r}"
            value = given_probability(probability, where)
            row[action_number(infoset, action)] = float(value) if floats else value
        first = int(choices.first[own])
        probabilities[first : first + len(row)] = row
    return Behaviour(tree, player, np.array(probabilities, np.float64 if floats else object))


def uniform(tree: Tree, player: str) -> Behaviour:
    """Every action with the same probability."""
    return unchecked(tree, player, uniform_probabilities(tree.choices[tree.player_number(player)]))


def uniform_probabilities(choices: Choices) -> Array:
    """[choice] one over the number of actions; the empty choice has 1."""
    sizes = choices.sizes
    parts = np.array(
        [Fraction(1, size) for size in range(1, int(sizes.max(initial=1)) + 1)], object
    )
    return np.concatenate((parts[:1], np.repeat(parts[sizes - 1], sizes)))


def unchecked(tree: Tree, player: str, probabilities: Array) -> Behaviour:
    """A behaviour strategy from shares that are known to be right: checks take a while."""
    made = object.__new__(Behaviour)
    for name, value in (("tree", tree), ("player", player), ("probabilities", probabilities)):
        object.__setattr__(made, name, value)
    return made


def behaviour_of_plan(plan: RealizationPlan) -> Behaviour:
    """The behaviour that a plan stands for; uniform where the plan does not come."""
    return unchecked(plan.tree, plan.player, plan.local).with_plan(plan)
