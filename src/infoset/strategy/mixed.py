"""Mixed strategies: a lottery over pure strategies, drawn once before the play begins.

With weights μ on pure strategies p the player's part in reaching a node is Σ μ(p) · p(node), where
p(node) is 1 if the choices of p lead there and 0 if not: a mixed strategy's realization weights are
the averages of those of its pure ones (Koller, Megiddo & von Stengel 1994, section 4). Since one
draw is for the whole play, choices at different information sets may depend on each other, and two
visits of one set get the same choice. Behaviour strategies have it the other way round;
:mod:`infoset.strategy.kuhn` says when that makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import StrategyError
from infoset.linear.numbers import Index, Numbers, multiplied
from infoset.rules.story import brief
from infoset.strategy.plan import ROUNDING
from infoset.strategy.pure import MOST_WORDS, Pure
from infoset.strategy.strategy import Strategy, checked_player, given_probability
from infoset.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Mixed(Strategy, Mapping[Pure, Any]):
    """A probability for each of some pure strategies; all others have 0.

    Read as a mapping, from pure strategies to their probabilities.

    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import pure
    >>> tree = absent_minded().tree()
    >>> left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    >>> coin = mixed(tree, "one", {left: 0.5, right: 0.5})
    >>> coin
    Mixed(one: 1/2 (a or b → L), 1/2 (a or b → R))
    >>> coin[left], len(coin)
    (Fraction(1, 2), 2)
    """

    tree: Tree
    player: str
    plans: tuple[Pure, ...]  # all different
    weights: Numbers  # [plan] its probability

    def __post_init__(self) -> None:
        problem = self._flaw()
        if problem:
            raise StrategyError(f"{self.tree.name}: {self.player}: {problem}")

    def _flaw(self) -> str:
        """What keeps this from being a mixed strategy; empty if nothing does."""
        checked_player(self.tree, self.player)
        if len(self.plans) != len(self.weights):
            return f"{len(self.weights)} probabilities for {len(self.plans)} pure strategies"
        for plan in self.plans:
            if plan.tree is not self.tree or plan.player != self.player:
                return f"{plan} is of {plan.player} in {plan.tree.name}: of another player or tree"
            if plan.undecided is not None:
                place = self.tree.infosets[plan.undecided].label
                return f"{plan} comes to {place!r} and has no action there"
        if len({plan.chosen for plan in self.plans}) != len(self.plans):
            return "a pure strategy is there twice; add up its probabilities"
        miss = 0 if self.exact else ROUNDING
        negative = np.flatnonzero(~(self.weights.numerators >= -miss))
        if len(negative):
            at = int(negative[0])
            return f"the probability of {self.plans[at]} is {self.weights[at]}; it must be >= 0"
        total = self.weights.total
        return f"the probabilities sum to {total}, not to 1" if abs(total - 1) > miss else ""

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return self.weights.exact

    @cached_property
    def support(self) -> tuple[Pure, ...]:
        """The pure strategies that are played with positive probability."""
        return tuple(plan for plan, weight in self.items() if weight > 0)

    def at(self, nodes: Index) -> Numbers:
        """The player's part in the probability of reaching each node."""
        numerators = self.weights.numerators
        total = np.zeros(len(nodes), numerators.dtype)
        for plan, weight in zip(self.plans, numerators, strict=True):
            total = total + multiplied(plan.at(nodes).numerators, np.array([weight]))
        return Numbers(total, self.weights.denominator)  # no sum is above the denominator

    # ------------------------------------------------------------------ as a mapping

    @cached_property
    def _number(self) -> dict[Pure, int]:
        return {plan: at for at, plan in enumerate(self.plans)}

    def __getitem__(self, plan: Pure) -> Any:
        """The probability of a pure strategy that the lottery names."""
        return self.weights[self._number[plan]]

    def __iter__(self) -> Iterator[Pure]:
        return iter(self.plans)

    def __len__(self) -> int:
        return len(self.plans)

    def __eq__(self, other: object) -> bool:
        """The same probabilities of the same pure strategies, of one player of one tree."""
        if not isinstance(other, Mixed):
            return NotImplemented
        same = self.tree is other.tree and self.player == other.player
        return same and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash((id(self.tree), self.player))

    def __repr__(self) -> str:
        said = ", ".join(f"{weight} ({plan.words})" for plan, weight in self.items())
        return f"Mixed({brief(self.player)}: {brief(said, MOST_WORDS)})"

    def __str__(self) -> str:
        from infoset.examine.faces import strategy_text

        return strategy_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import strategy_html

        return strategy_html(self)

    def inexact(self) -> Mixed:
        """The same in floats."""
        return Mixed(self.tree, self.player, self.plans, self.weights.inexact())


def mixed(tree: Tree, player: str, given: Mapping[Pure, Any], *, floats: bool = False) -> Mixed:
    """A mixed strategy from the probabilities of pure ones.

    Numbers are taken as exact, a float as its decimal, unless ``floats`` is said.
    """
    weights = [
        given_probability(value, f"{tree.name}: {player}: {plan}") for plan, value in given.items()
    ]
    numbers = Numbers.of(weights)
    return Mixed(tree, player, tuple(given), numbers.inexact() if floats else numbers)
