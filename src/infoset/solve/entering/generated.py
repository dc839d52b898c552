"""A player's pure strategies, made from the tree as they are asked for.

A plan is given as 0 or 1 for each of its player's sequences: does it play along it? What it is paid
against a plan of the other's is linear in both. So what a sequence pays against a plan is computed
once, when that plan becomes known, and what all plans pay against a mixture of such ones is a sum
of few vectors, over which the best plan is found by backward induction.

Payoffs are whole numbers here: they are freed of what their entries share, and lifted until even
the least is positive, which changes nothing about who is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.sequence import SequenceForm
from infoset.linear.numbers import ROOM, Array, Numbers, bound, fitted
from infoset.linear.sparse import Sparse
from infoset.strategy import Mixed, Pure
from infoset.strategy.response import climb

Longs = npt.NDArray[np.int64]


class Known:
    """The plans of a player that have been made so far, and what they are paid.

    >>> from infoset.forms.sequence import sequence_form
    >>> from infoset.games import matching_pennies
    >>> from infoset.strategy import uniform
    >>> form = sequence_form(matching_pennies().tree())
    >>> one, two = Known(form, 0), Known(form, 1)
    >>> first = one.best_against(uniform(form.tree, form.tree.names[1]).plan.weights)
    >>> first.tolist()
    [1, 1, 0]
    >>> two.meet(first)
    >>> excess, answer = two.best({0: [1]}, allowed=1)
    >>> answer.tolist()
    [1, 0, 1]
    """

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.choices = form.choices[player]
        given = form.payoffs[player] if player == 0 else form.payoffs[player].transposed
        amounts = given.entries.numerators
        shared = gcd(*amounts.tolist()) or 1
        whole = Numbers(fitted(amounts // shared))
        self.payoffs = Sparse(given.rows, given.columns, whole, given.shape)
        least = min(form.tree.stakes[player].values()) * given.entries.denominator
        self.lift = 1 - int(least // shared)  # added to all payoffs: then they are at least 1
        self.plans: list[Longs] = []  # own ones, in the order in which they entered
        self.replies: list[Array] = []  # [the other's plan][own sequence] what it pays against it
        self.sizes: list[int] = []  # [the other's plan] the sum of the absolute values of that
        self.paid: list[list[int]] = []  # [own plan][the other's plan]

    def worth(self, weights: Numbers) -> Array:
        """[own sequence] what it pays against weights of the other's sequences, lifted."""
        paid = self.payoffs.times(weights).numerators.astype(object)
        paid[0] += self.lift * int(weights.numerators[0])
        return fitted(paid) if bound(paid) * len(paid) < ROOM else paid

    def best_against(self, weights: Numbers) -> Longs:
        """The plan that is best against weights of the other's sequences."""
        return self._along(climb(self.choices, self.worth(weights))[1])

    def _along(self, actions: Longs) -> Longs:
        """[own sequence] 1 if these actions lead along it, else 0."""
        choices = self.choices
        plan = np.zeros(len(choices), np.int64)
        plan[0] = 1
        for stage in choices.stages:
            met = stage[plan[choices.before[stage]] == 1]
            plan[choices.first[met] + actions[met]] = 1
        return plan

    def forget(self) -> None:
        """The last plan is not needed after all."""
        self.plans.pop()
        self.paid.pop()

    def enter(self, plan: Longs) -> None:
        """An own plan enters: it has a loss from now on."""
        self.plans.append(plan)
        self.paid.append([int(plan @ reply) for reply in self.replies])

    def meet(self, other: Longs) -> None:
        """A plan of the other enters: it has a weight from now on, which is zero."""
        reply = self.worth(Numbers(other))
        self.replies.append(reply)
        self.sizes.append(int(np.abs(reply.astype(object)).sum()))
        for plan, paid in zip(self.plans, self.paid, strict=True):
            paid.append(int(plan @ reply))

    def mixed(self, plans: Sequence[Longs], weights: Sequence[int]) -> Mixed:
        """A lottery over own plans, by weights of any sum."""
        choices, total = self.choices, sum(weights)
        tree, player = choices.tree, choices.tree.names[choices.player]
        made = []
        for plan in plans:
            taken = np.flatnonzero(plan)[1:]
            own = choices.owner[taken]
            actions = (taken - choices.first[own]).tolist()
            chosen = sorted(zip(choices.infosets[own].tolist(), actions, strict=True))
            made.append(Pure(tree, player, tuple(chosen)))
        shares = Numbers.of(Fraction(weight, total) for weight in weights)
        return Mixed(tree, player, tuple(made), shares)

    def best(self, weights: Mapping[int, Sequence[Any]], allowed: Any) -> tuple[int, Longs]:
        """The best plan against weights, each a polynomial in ε; and by how much it is too good.

        Of that only the sign counts. The powers are packed so far apart that no carry reaches the
        next one: a plan is worth at most the sum of all absolute values.
        """
        replies = np.array([self.replies[plan] for plan in weights]).astype(object)
        lines = [[int(number) for number in line] for line in weights.values()]
        largest = max(abs(number) for line in lines for number in line)
        most = largest * sum(self.sizes[plan] for plan in weights) + int(allowed)
        bits = (2 * most + 1).bit_length() + 1
        packed = [_packed(line, bits) for line in lines]
        total, actions = climb(self.choices, np.array(packed, object) @ replies)
        target = int(allowed) << bits * (len(lines[0]) - 1)
        return int(total[0]) - target, self._along(actions)


def _packed(numbers: list[int], bits: int) -> int:
    """Coefficients of 1, ε, ε², ... as one integer, times a power of 1 / ε = 2 ^ bits."""
    total = 0
    for number in numbers:
        total = (total << bits) + number
    return total
