"""What a search for a correlated equilibrium hands back: a device that draws plans.

And what is the same for all kinds of them: the welfare of each leaf as whole numbers, floats as
probabilities, and something to draw where nothing was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from infoset.forms.plans import Plan
from infoset.linear.numbers import Array, Floats, fitted
from infoset.strategy.plan import FINE
from infoset.tree import Tree

Draws = Sequence[tuple[tuple[Plan, ...], Fraction]]


@dataclass(frozen=True)
class Device:
    """A lottery over profiles of plans, or the weights of pairs of sequences alone."""

    draws: Draws  # a plan for each player, and how likely; empty if only the weights are known
    how: str  # what was done, in words
    work: Mapping[str, int]
    optimal: bool  # is it proved that no equilibrium of the kind has more welfare?
    note: str = ""
    plan: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)  # by sequences


def combined(weights: Sequence[Fraction], amounts: Sequence[tuple[Array, int]]) -> Array:
    """Σ weight × numerators / denominator, as whole numbers in some unit without common factor."""
    whole = lcm(*(w.denominator * under for w, (_, under) in zip(weights, amounts, strict=True)))
    total: Any = 0
    for weight, (over, under) in zip(weights, amounts, strict=True):
        total = total + over.astype(object) * int(weight * whole / under)
    shared = gcd(*total.ravel().tolist()) or 1
    return np.asarray(total // shared)


def welfare_at_ends(tree: Tree, weights: Mapping[str, Fraction]) -> Array:
    """[end] nature's probability times the welfare there, as whole numbers in some unit.

    Welfare is counted from the least. Some end is always reached, so this takes the same off all
    lotteries; and of welfare far from zero only the differences are left, which floats see better.
    """
    amounts = [(stake.numerators, stake.denominator) for stake in tree.stakes]
    paid = combined([weights[player] for player in tree.names], amounts)
    chance = tree.nature.take(tree.ends).lowest()
    total = (paid - paid.min()) * chance.numerators.astype(object)
    return np.asarray(total // (gcd(*total.tolist()) or 1))


def probabilities(sketch: Floats) -> list[Fraction]:
    """Floats as exact probabilities near to them; the largest takes the rounding."""
    kept = np.where(np.isfinite(sketch) & (sketch > 0), sketch, 0.0)
    total = kept.sum()
    if not total > 0:
        kept, total = np.ones(len(sketch)), float(len(sketch))
    whole = np.rint(kept / total * FINE).astype(np.int64)
    whole[int(np.argmax(whole))] += FINE - int(whole.sum())
    return [Fraction(int(share), FINE) for share in fitted(whole)]


def something(tree: Tree) -> Draws:
    """The first action everywhere: to have an answer at all, whose regret says what it is worth."""
    plans = tuple(
        tuple((int(infoset), 0) for infoset in choices.infosets) for choices in tree.choices
    )
    return ((plans, Fraction(1)),)
