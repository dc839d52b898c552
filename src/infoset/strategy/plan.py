"""Realization plans: a strategy as the weight of each of its sequences.

The weight of a sequence is the product of the probabilities of its choices. It is what nature and
the other players leave to this player in the probability of reaching a node: all that a strategy
does to a game is in its weights. With perfect recall they are the solutions of E x = e, x >= 0
(Koller, Megiddo & von Stengel 1994, lemma 5.1), a small system; without, there is none such.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Array, Floats, Index, Numbers, added_up
from infoset.rules.story import brief
from infoset.strategy.strategy import Strategy, checked_player
from infoset.tree import Tree
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
        from infoset.examine.faces import plan_html

        return plan_html(self)

    @cached_property
    def local(self) -> Array:
        """[choice] its probability, given that its information set is reached; uniform elsewhere.

        The first entry, the empty sequence, is 1.
        """
        choices = self.choices
        if not self.exact:
            weights, groups = np.maximum(self.weights.floats, 0), choices.owner[1:]
            total = added_up(weights[1:], groups, len(choices.sizes))[groups]
            even = (1.0 / choices.sizes)[groups]
            # Shares of their sum: next to a tiny weight before it, what rounding left is large.
            with np.errstate(divide="ignore", invalid="ignore"):
                shares = np.where(total > 0, weights[1:] / total, even)
            return np.concatenate(([1.0], shares))

        weights, above, sizes = self.weights.numerators, choices.above, choices.sizes
        shares = np.empty(len(choices), object)
        shares[0] = Fraction(1)
        for choice in range(1, len(choices)):
            whole = int(weights[above[choice]])
            shares[choice] = (
                Fraction(int(weights[choice]), whole)
                if whole
                else Fraction(1, int(sizes[choices.owner[choice]]))
            )
        return shares


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
    shared = added_up(numerators[1:], np.repeat(np.arange(len(sizes)), sizes), len(sizes))
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


def plan_from_shares(tree: Tree, player: str, shares: Array) -> RealizationPlan:
    """The plan of a behaviour strategy: products of probabilities along the sequences."""
    choices = tree.choices[tree.player_number(player)]
    weights = shares.copy()
    for stage in choices.stages[1:]:
        for_sizes = choices.sizes[stage]
        steps = np.arange(int(for_sizes.sum())) - np.repeat(
            np.cumsum(for_sizes) - for_sizes, for_sizes
        )
        here = np.repeat(choices.first[stage], for_sizes) + steps
        weights[here] = weights[choices.above[here]] * shares[here]
    exact = shares.dtype == object
    numbers = Numbers.of(weights.tolist()) if exact else Numbers(weights)
    return RealizationPlan(tree, player, numbers)


FINE = 1 << 52  # the denominator of weights made from floats


def plan_from_sketch(tree: Tree, player: str, sketch: Floats) -> RealizationPlan:
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
