"""Best responses: the most that one player can get when the others' strategies are fixed.

With perfect recall this is one pass over the player's own choices, last ones first: what a choice
is worth is the sum over the leaves at which it is the last one (nature's and the others'
probability times the payoff), plus the best of every information set that comes next after it.
Exact if the weights are.

Without perfect recall choices depend on each other in ways that no such pass can follow (finding
the best is NP-hard, Koller & Megiddo 1992); :mod:`infoset.strategy.forgetful` branches and bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import ROOM, Array, Numbers, bound
from infoset.rules.story import brief
from infoset.tree import Tree
from infoset.tree.choices import Choices

if TYPE_CHECKING:
    from infoset.strategy.pure import Pure

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Response:
    """A best response: what it is worth, and a pure strategy that gets that."""

    tree: Tree
    player: str
    value: Any  # Fraction or float
    actions: Longs  # [own information set] the action to take
    how: str = "exact"  # or "by integer programming": then floats say that there is no better one
    most: Any = None  # no strategy is worth more; None where the value itself is that

    @cached_property
    def strategy(self) -> Pure:
        """The pure strategy."""
        from infoset.strategy.pure import Pure

        choices = self.tree.choices[self.tree.player_number(self.player)]
        taken = zip(choices.infosets.tolist(), self.actions.tolist(), strict=True)
        return Pure(self.tree, self.player, tuple(taken))

    def __repr__(self) -> str:
        return f"<Best response of {brief(self.player)}: worth {self.value}>"

    def _repr_html_(self) -> str:
        from infoset.examine.faces import response_html

        return response_html(self)


def best_response(tree: Tree, number: int, others: Numbers) -> Response:
    """The best response of a player.

    ``others`` is, for each of the tree's ``ends``, the probability that nature and everyone else do
    their part in reaching it.
    """
    player = tree.names[number]
    if not tree.recall(player):
        from infoset.strategy.forgetful import forgetful_response

        return forgetful_response(tree, number, others)
    choices = tree.choices[number]
    worth = others.times(tree.stakes[number]).added_up(choices.last[tree.ends], len(choices))
    total, actions = climb(choices, worth.numerators)
    return Response(tree, player, Numbers(total, worth.denominator)[0], actions)


def climb(choices: Choices, worth: Array) -> tuple[Array, Longs]:
    """[choice] what it is worth, all that follows included; and the best action of every set.

    ``worth`` is what each choice pays by itself, where the play ends with no further one.
    """
    if worth.dtype == np.int64 and bound(worth) * len(worth) >= ROOM:  # the sums may not fit
        worth = worth.astype(object)
    total = worth.copy()
    actions = np.zeros(len(choices.infosets), np.int64)
    for stage in reversed(choices.stages):
        sizes = choices.sizes[stage]
        begin = np.cumsum(sizes) - sizes
        places = np.repeat(choices.first[stage] - begin, sizes) + np.arange(int(sizes.sum()))
        values = total[places]
        best = np.maximum.reduceat(values, begin)
        hit = np.flatnonzero(values == np.repeat(best, sizes))
        # The first action that is best: of several hits in a set, the first one is written last.
        owner = np.repeat(np.arange(len(stage)), sizes)
        actions[stage[owner[hit[::-1]]]] = (places - np.repeat(choices.first[stage], sizes))[
            hit[::-1]
        ]
        np.add.at(total, choices.before[stage], best)
    return total, actions
