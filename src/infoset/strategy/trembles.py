"""Trembles: strategies that play every action, with weights that are polynomials in a small ε.

A player's realization weights are x(ε) = x⁰ + x¹ ε + x² ε² + …, one vector for each power. They are
a strategy for all small ε > 0 if E x⁰ = e, E xᵏ = 0 for k > 0, and of every sequence the first
coefficient that is not zero is positive. As ε goes to 0 all questions are decided by these first
terms, c ε^k: a product's first term is the product of first terms, and of a sum those with the
lowest power remain. So limits of conditional probabilities are exact and need no small number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import StrategyError
from infoset.linear.numbers import Numbers
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.plan import flaw
from infoset.tree import Tree
from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Trembles:
    """One player's weights as polynomials: ``powers[k]`` has the coefficients of ε^k.

    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> slip = Trembles(tree, tree.names[0], (Numbers.of([1, 1, 0]), Numbers.of([0, -1, 1])))
    >>> slip.flaw, slip.lowest.tolist()
    ('', [0, 0, 1])
    """

    tree: Tree
    player: str
    powers: tuple[Numbers, ...]

    def __post_init__(self) -> None:
        for weights in self.powers:
            if len(weights) != len(self.choices):
                raise StrategyError(
                    f"{self.tree.name}: {self.player}: {len(weights)} weights for"
                    f" {len(self.choices)} sequences"
                )

    def __repr__(self) -> str:
        return f"<Trembles of {self.player}: powers of ε up to {len(self.powers) - 1}>"

    @property
    def choices(self) -> Choices:
        """The player's choices, numbered."""
        return self.tree.choices[self.tree.player_number(self.player)]

    @cached_property
    def lowest(self) -> Longs:
        """[sequence] the lowest power of ε in its weight; one beyond the last if it has none."""
        found = np.full(len(self.choices), len(self.powers), np.int64)
        for power in range(len(self.powers) - 1, -1, -1):
            found[self.powers[power].numerators != 0] = power
        return found

    @cached_property
    def leading(self) -> list[Fraction]:
        """[sequence] the coefficient of that power; 0 if there is none."""
        beyond = len(self.powers)
        return [
            self.powers[power][sequence] if power < beyond else Fraction(0)
            for sequence, power in enumerate(self.lowest.tolist())
        ]

    @cached_property
    def flaw(self) -> str:
        """What keeps these from being strategies that play everything; empty if nothing does."""
        for sequence, coefficient in enumerate(self.leading):
            if coefficient <= 0:
                return f"the weight of {self.choices.labels[sequence]!r} is not positive"
        # All powers together make a plan exactly if they do for so many values of ε, as numbers:
        # at ε = 0 and, since E x = e is linear, power by power.
        choices, groups = self.choices, self.choices.owner[1:]
        for power, weights in enumerate(self.powers):
            if not power:
                told = flaw(choices, weights)
                if told:
                    return told
                continue
            total = weights.take(np.arange(1, len(choices))).added_up(groups, len(choices.sizes))
            if (
                weights.numerators[0]
                or (total.numerators != weights.numerators[choices.before]).any()
            ):
                return f"what ε^{power} adds is not shared out"
        return ""


def limit_shares(trembles: Trembles) -> Behaviour:
    """The behaviour strategy that trembles come to as ε goes to 0, at every information set."""
    choices, lowest, leading = trembles.choices, trembles.lowest, trembles.leading
    shares: list[Any] = [Fraction(1)]
    for first, size in zip(choices.first.tolist(), choices.sizes.tolist(), strict=True):
        shares += _shares(list(zip(lowest[first:], leading[first : first + size], strict=False)))
    return Behaviour(trembles.tree, trembles.player, np.array(shares, object))


def limit_beliefs(tree: Tree, trembles: Sequence[Trembles]) -> tuple[Numbers, ...]:
    """[information set] what Bayes' rule makes of the trembles, as ε goes to 0.

    Nature does not tremble: where its own moves have probability 0, all nodes are equally likely.
    """
    start, nodes = tree.members
    powers = np.zeros(len(nodes), np.int64)
    weights = tree.nature.take(nodes).values()
    for own in trembles:
        last = own.choices.last[nodes]
        powers += own.lowest[last]
        leading = own.leading
        weights = [w * leading[at] for w, at in zip(weights, last.tolist(), strict=True)]
    terms = list(zip(powers.tolist(), weights, strict=True))
    return tuple(
        Numbers.of(_shares(terms[begin:end]))
        for begin, end in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)
    )


def _shares(terms: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    """Terms c ε^k in proportion, as ε goes to 0: of those with the lowest power; others vanish."""
    if not any(weight for _, weight in terms):
        return [Fraction(1, len(terms))] * len(terms)
    least = min(power for power, weight in terms if weight)
    total = sum((weight for power, weight in terms if power == least), Fraction(0))
    return [weight / total if power == least else Fraction(0) for power, weight in terms]
