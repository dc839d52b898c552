"""Behaviour strategies: a probability for every action at every information set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import StrategyError
from infoset.linear.numbers import Array, Index, Numbers, added_up
from infoset.rules.story import brief
from infoset.strategy.plan import ROUNDING, RealizationPlan, plan_from_shares
from infoset.strategy.strategy import (
    Strategy,
    action_number,
    distinct_actions,
    given_probability,
    own_infoset,
)
from infoset.tree import Infoset, Tree
from infoset.tree.choices import Choices


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
    shares: Array  # [choice] its probability; Fractions, or float64. The empty choice has 1

    def __post_init__(self) -> None:
        shares, choices = self.shares, self.choices
        if len(shares) != len(choices):
            raise StrategyError(
                f"{self.tree.name}: {len(shares)} probabilities for {len(choices) - 1} choices of"
                f" {self.player} and the empty one"
            )
        miss = 0 if self.exact else ROUNDING
        bad = np.flatnonzero(~((shares >= -miss) & (shares <= 1 + miss)))
        if len(bad):
            at = int(bad[0])
            raise StrategyError(
                f"{self.tree.name}: {self.player}: the probability of {choices.labels[at]!r} is"
                f" {shares[at]}; it must be between 0 and 1"
            )
        owners = np.repeat(np.arange(len(choices.sizes)), choices.sizes)
        total = (
            np.add.reduceat(shares, choices.first)
            if self.exact and len(choices.first)
            else added_up(shares[1:], owners, len(choices.sizes))
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
        return bool(self.shares.dtype == object)

    # ------------------------------------------------------------------ as a mapping

    def __getitem__(self, place: str | Infoset) -> dict[Any, Any]:
        """The probabilities at an information set, given by its label or as a view."""
        own = self._own(place)
        infoset = self.tree.infosets[int(self.choices.infosets[own])]
        first = int(self.choices.first[own])
        given = self.shares[first : first + len(infoset.actions)].tolist()
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
        return same and bool((self.shares == other.shares).all())

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
        from infoset.examine.faces import strategy_text

        return strategy_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import strategy_html

        return strategy_html(self)

    # ------------------------------------------------------------------ what it does to the game

    @cached_property
    def plan(self) -> RealizationPlan:
        """The same as weights of sequences; with perfect recall only."""
        return plan_from_shares(self.tree, self.player, self.shares)

    def knowing_plan(self, plan: RealizationPlan) -> Behaviour:
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
        weight = np.ones(len(tree), self.shares.dtype)
        if self.exact:
            weight[:] = Fraction(1)
        own_set = np.searchsorted(self.choices.infosets, np.arange(len(tree.infoset_player)))
        for level in tree.levels[1:]:
            above = tree.parent[level]
            weight[level] = weight[above]
            mine = tree.player[above] == number
            here = level[mine]
            taken = self.choices.first[own_set[tree.infoset[above[mine]]]] + tree.action[here]
            weight[here] = weight[here] * self.shares[taken]
        return Numbers.of(weight.tolist()) if self.exact else Numbers(weight)

    def inexact(self) -> Behaviour:
        """The same in floats."""
        return Behaviour(self.tree, self.player, self.shares.astype(np.float64))


def behaviour(
    tree: Tree, player: str, given: Mapping[Any, Mapping[Any, Any]], *, floats: bool = False
) -> Behaviour:
    """A behaviour strategy from probabilities by information set and action.

    Information sets are named by their labels or given as views; actions that are left out have
    probability 0, and information sets that are left out a uniform choice. Numbers are taken as
    exact, a float as its decimal, unless ``floats`` is said.
    """
    choices = tree.choices[tree.player_number(player)]
    shares = [1.0 if floats else Fraction(1)]
    for size in choices.sizes.tolist():
        shares += [1 / size if floats else Fraction(1, size)] * size
    for place, probabilities in given.items():
        infoset = own_infoset(tree, player, place)
        own = int(np.searchsorted(choices.infosets, infoset.index))
        row = [0.0 if floats else Fraction(0)] * len(infoset.actions)
        for action, probability in probabilities.items():
            where = f"{tree.name}: {player}, at {infoset.label!r}, {action!r}"
            value = given_probability(probability, where)
            row[action_number(infoset, action)] = float(value) if floats else value
        first = int(choices.first[own])
        shares[first : first + len(row)] = row
    return Behaviour(tree, player, np.array(shares, np.float64 if floats else object))


def uniform(tree: Tree, player: str) -> Behaviour:
    """Every action with the same probability."""
    return unchecked(tree, player, even_shares(tree.choices[tree.player_number(player)]))


def even_shares(choices: Choices) -> Array:
    """[choice] one over the number of actions; the empty choice has 1."""
    sizes = choices.sizes
    parts = np.array(
        [Fraction(1, size) for size in range(1, int(sizes.max(initial=1)) + 1)], object
    )
    return np.concatenate((parts[:1], np.repeat(parts[sizes - 1], sizes)))


def unchecked(tree: Tree, player: str, shares: Array) -> Behaviour:
    """A behaviour strategy from shares that are known to be right: checks take a while."""
    made = object.__new__(Behaviour)
    for name, value in (("tree", tree), ("player", player), ("shares", shares)):
        object.__setattr__(made, name, value)
    return made


def behaviour_of_plan(plan: RealizationPlan) -> Behaviour:
    """The behaviour that a plan stands for; uniform where the plan does not come."""
    return unchecked(plan.tree, plan.player, plan.local).knowing_plan(plan)
