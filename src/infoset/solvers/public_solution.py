"""Solutions on a public form: realization plans of both players, evaluated without a tree.

Payoffs and regrets are those of a :class:`~infoset.strategy.public.PublicProfile`, which shares no
code with the solvers: in rational arithmetic where the form is small, in floats where it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.forms.public.plans import GRID
from infoset.forms.public.record import PublicForm
from infoset.linear.numbers import Number, Numbers
from infoset.solvers.evaluation import Evaluation, Probabilities, TreeEvaluation
from infoset.strategy.public import PublicProfile, PublicStrategy
from infoset.text import brief, decimal_above, decimal_near

if TYPE_CHECKING:
    from infoset.rules import Game

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PublicEvaluation(Evaluation):
    """Strategies of both players on a public form.

    ``verified`` is what payoffs and regrets are computed from. ``profile`` is what tables show:
    fractions where the plans are those of an exact method, floats where they are rounded averages;
    and a best response where a player's own plan lets no play come, so that every probability is
    one that a reader can act on.
    """

    kind = "public form"
    alternative = (
        "strategy, table (with where=: reach, values and beliefs), plot, csv and"
        " evaluation.profile (action values, best responses) need no tree"
    )
    form: PublicForm
    verified: PublicProfile
    rounded: bool = False  # are the plans floats that were rounded to be verified exactly?
    game: Game | None = None  # whose tree the strategies can be placed on

    @property
    def name(self) -> str:
        """The game's name."""
        return self.form.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""
        return self.form.players

    @cached_property
    def profile(self) -> PublicProfile:
        """The strategies with reach, values and beliefs at every decision, as tables show them."""
        return self.floats if self.rounded else self.verified.completed

    @cached_property
    def floats(self) -> PublicProfile:
        """The same in floats, for plots and sums over many information sets."""
        return self.verified.completed.inexact()

    @cached_property
    def plans(self) -> tuple[Floats, Floats]:
        """By player, by sequence: realization weights in floats, as the form numbers sequences."""
        one, two = (own.plan.floats for own in self.verified.strategies)
        return one, two

    @cached_property
    def strategy(self) -> Mapping[str, Mapping[str, Probabilities]]:
        """By player, by label: the probability of each action."""
        return MappingProxyType(dict(zip(self.players, self.profile.strategies, strict=True)))

    @property
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff."""
        return self.verified.payoffs

    @property
    def value(self) -> Number:
        """The first player's payoff; the sum of payoffs is constant on every public form."""
        return self.payoffs[self.players[0]]

    @property
    def value_bounds(self) -> tuple[Number, Number]:
        """What player one's plan guarantees, and what player two's concedes at most."""
        first, second = self.verified.best_response_values.values()
        total = self.form.total if self.proved else float(self.form.total)
        return total - second, first

    @property
    def regrets(self) -> dict[str, Number]:
        """By player: the gain of a best response to the other's plan."""
        return self.verified.regrets

    @property
    def proved(self) -> bool:
        """Are regrets computed in rational arithmetic?"""
        return self.verified.exact

    @property
    def exact(self) -> bool:
        """Is this an equilibrium, proved in rational arithmetic?"""
        return self.proved and not self.verified.regret

    @property
    def certificate(self) -> str:
        """``"exact"``, or the regret and how it is known."""
        if self.exact:
            return "exact"
        if self.proved:
            largest = decimal_above(self.verified.regret)
            return f"regret at most {largest}, proved in rational arithmetic"
        return f"regret about {decimal_near(self.verified.regret, 6)}, computed in floats"

    def tree_evaluation(self) -> TreeEvaluation:
        """The same strategies on the tree of the game."""
        return self._on_tree

    @cached_property
    def _on_tree(self) -> TreeEvaluation:
        from infoset.display.show import public_strategies_on_tree

        if self.game is None:
            raise NotApplicable(
                f"{brief(self.name)}: this needs the tree, and the public form does not know its"
                f" game; on_tree(game) places it there, and {self.alternative}"
            )
        return public_strategies_on_tree(self, self.game)

    def with_game(self, game: Any) -> PublicEvaluation:
        """The same, told which game the form was built from."""
        return replace(self, game=game)


def evaluate_plans(form: PublicForm, plans: tuple[Floats, Floats], exact: bool) -> PublicEvaluation:
    """Plans in floats, evaluated; exactly, if their weights are whole multiples of 2^-52."""
    numbers = [
        Numbers(np.array([int(weight) for weight in (plan * GRID).tolist()], object), GRID)
        if exact
        else Numbers(plan)
        for plan in plans
    ]
    return evaluate_weights(form, (numbers[0], numbers[1]), rounded=exact)


def evaluate_weights(
    form: PublicForm, weights: tuple[Numbers, Numbers], rounded: bool = False
) -> PublicEvaluation:
    """Realization weights of both players, evaluated."""
    one, two = (
        PublicStrategy(form, player, own) for player, own in zip(form.players, weights, strict=True)
    )
    return PublicEvaluation(form, PublicProfile(form, (one, two)), rounded, form.game)
