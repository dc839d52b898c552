"""How a profile plays a tree, summed over nodes that are drawn as one.

The probability of a branch between two bundles of nodes is the reach of the one below over the
reach of the one above, which is the average over the nodes weighted by their reach. Where no play
comes, the reach says nothing: there it is what the strategy would do, on a plain average over the
nodes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import NotApplicable
from infoset.linear.numbers import Floats, Numbers
from infoset.rules.columns import CHANCE
from infoset.strategy import Behaviour, Profile
from infoset.strategy.kuhn import as_behaviour
from infoset.tree import Tree

MANY_STEPS = 1000  # rationals that are still added up exactly


@dataclass(frozen=True, eq=False)
class Played:
    """A profile, and how likely it makes every node."""

    profile: Profile
    reach: Numbers  # [node]

    @cached_property
    def floats(self) -> Floats:
        """[node] how likely it is, roughly."""
        return self.reach.floats

    def total(self, nodes: list[int]) -> Any:
        """How likely these nodes are together; exact where the strategies are."""
        over = sum(self.reach.numerators[nodes].tolist())
        return Fraction(over, self.reach.denominator) if self.reach.exact else over

    def share(self, above: list[int], below: list[int]) -> Any | None:
        """How likely a move is that leads from some nodes to others; None if that is open."""
        whole = self.total(above)
        if whole:
            return self.total(below) / whole
        return self._would(above, below)

    def expected(self, tree: Tree, nodes: list[int]) -> list[Any] | None:
        """What each player is paid at these nodes on average; None if no play comes there."""
        weights: dict[int, Any] = {}
        for paid, weight in zip(
            tree.outcome[nodes].tolist(), self.reach.numerators[nodes].tolist(), strict=True
        ):
            weights[paid] = weights.get(paid, 0) + weight
        whole = sum(weights.values())
        if not whole:
            return None
        weights.pop(-1, None)
        exact = self.reach.exact
        shares = {paid: Fraction(w, whole) if exact else w / whole for paid, w in weights.items()}
        return [
            sum(share * tree.payoffs[paid][player] for paid, share in shares.items())
            for player in range(len(tree.players))
        ]

    def _would(self, above: list[int], below: list[int]) -> Any | None:
        """How likely a move would be at nodes where no play comes, all of them alike."""
        tree = self.profile.tree
        mover = int(tree.player[above[0]])
        places = tree.infoset[tree.parent[below]].tolist()
        steps = Counter(zip(places, tree.action[below].tolist(), strict=True))
        exact = len(steps) <= MANY_STEPS
        total: Any = 0
        for (place, action), times in steps.items():
            step = self._step(mover, place, action)
            if step is None:
                return None
            total += times * (step if exact else float(step))
        return total / len(above)

    def _step(self, mover: int, place: int, action: int) -> Any | None:
        """The probability of a move at an information set, as the mover's strategy has it."""
        if mover == CHANCE:
            return self.profile.tree.lotteries[place].probabilities[action]
        behaviour = self._behaviours[mover]
        if behaviour is None:
            return None
        own = int(np.searchsorted(behaviour.choices.infosets, place))
        return behaviour.shares[int(behaviour.choices.first[own]) + action]

    @cached_property
    def _behaviours(self) -> list[Behaviour | None]:
        """[player] its strategy as a choice at each information set; None if it is not one."""
        found: list[Behaviour | None] = []
        for strategy in self.profile:
            try:
                found.append(as_behaviour(strategy))
            except NotApplicable:
                found.append(None)
        return found


def played(profile: Profile) -> Played:
    """How likely a profile makes the nodes of its tree.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, uniform
    >>> tree = kuhn().tree()
    >>> at_random = played(profile(uniform(tree, player) for player in tree.names))
    >>> at_random.total([1, 2]), at_random.share([1], [2])
    (Fraction(1, 4), Fraction(1, 2))
    """
    return Played(profile, profile.reach(np.arange(len(profile.tree))))
