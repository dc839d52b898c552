"""Sequential rationality: is everyone, wherever it may stand, doing the best that it can?

At an information set a player believes something about which node it is at. From there on nature
and the others do what they do, and the player may still choose at this set and at all of its own
that come after it. An assessment is sequentially rational if at no set any way of going on is worth
more to the player, by its beliefs there, than its own strategy (Kreps & Wilson 1982). No play need
come to the set, and no tremble is needed to ask: it is a fact about strategies and beliefs.

1. Put the beliefs on the nodes of the set, and follow nature and the others down to the leaves.
   What a leaf pays, times the weight with which it is come to, is earned by the last own choice
   above it.
2. Own sets below, last ones first: what a choice is worth is what it earns and what the sets after
   it are worth; what a set is worth is the best of its choices, or what the strategy makes of them.

With perfect recall own sets below a set are below one of its choices each, so that one pass does.
Comparing whole ways of going on, and not only one action at a time, makes the check right for any
beliefs whatever: for consistent beliefs the two are the same. All in rational arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotApplicable
from infoset.rules.columns import LEAF
from infoset.rules.story import text
from infoset.strategy.assessment import Assessment, checked
from infoset.strategy.kuhn import as_behaviour
from infoset.strategy.text import number
from infoset.tree import Infoset, Tree
from infoset.tree.facts import Fact


@dataclass(frozen=True)
class Rationality(Fact):
    """Whether an assessment is sequentially rational; if not, where it fails and by how much."""

    infoset: Infoset | None = None
    gain: Any = 0  # what the player would gain there by the best way of going on
    action: Any = None  # how that begins


def is_sequentially_rational(assessment: Assessment) -> Rationality:
    """Does everyone do its best at every information set, given its beliefs? If not, where not.

    Of several sets where it fails the one where most is to be gained is named. Sets to which nature
    itself gives probability 0 are passed over: nobody's error leads there.

    >>> from infoset.games import entry_game
    >>> from infoset.strategy import behaviour
    >>> from infoset.strategy.assessment import assessment
    >>> tree = entry_game().tree()
    >>> threat = [behaviour(tree, "entrant", {tree.infosets_of("entrant")[0]: {"out": 1}}),
    ...           behaviour(tree, "incumbent", {"in": {"fight": 1}})]
    >>> print(is_sequentially_rational(assessment(threat)))
    no: at 'in' incumbent gets 0, and 2 by 'accommodate'
    """
    assessment = checked(assessment)
    tree = assessment.tree
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: sequential rationality needs perfect recall, but"
            f" {tree.perfect_recall.because}"
        )
    ways = _Ways(assessment)
    worst: Rationality | None = None
    start, nodes = tree.members
    possible = tree.nature.numerators[nodes] > 0
    for infoset in tree.infosets:
        if not possible[start[infoset.index] : start[infoset.index + 1]].any():
            continue
        own, best, action = ways.below(infoset)
        if best > own and (worst is None or best - own > worst.gain):
            amounts = f"gets {number(own)}, and {number(best)} by"
            if number(own) == number(best):
                amounts = f"gains {number(best - own)} by"
            said = f"at {infoset.name} {infoset.player} {amounts} {text(infoset.actions[action])!r}"
            where = tuple(infoset.nodes)
            worst = Rationality(False, said, where, infoset, best - own, infoset.actions[action])
    if worst is None:
        return Rationality(True, "nobody can gain anywhere, by its own beliefs")
    return worst


class _Ways:
    """Ways of going on from an information set, and what they are worth."""

    def __init__(self, assessment: Assessment) -> None:
        tree = assessment.tree
        self.tree, self.beliefs = tree, assessment.beliefs
        self.steps = assessment.profile.steps
        self.shares = [as_behaviour(strategy).shares for strategy in assessment.profile]
        self.start, self.child = (column.tolist() for column in tree.children)
        self.player, self.set_of = tree.player.tolist(), tree.infoset.tolist()
        self.action = tree.action.tolist()
        self.pays = [
            dict(zip(tree.ends.tolist(), stake.values(), strict=True)) for stake in tree.stakes
        ]
        self.first = _first_choices(tree)

    def below(self, infoset: Infoset) -> tuple[Any, Any, int]:
        """What the strategy and the best way are worth at a set, and how the best one begins."""
        mover = self.tree.player_number(infoset.player)
        earned, after = self._spread(infoset, mover)
        own: dict[int, Any] = {}  # by set: worth under the strategy; and at best
        best: dict[int, Any] = {}
        chosen = 0
        for place in reversed(after):  # first met, first in line: those below come later
            first, size = self.first[place], int(self.tree.menu_sizes[place])
            shares = self.shares[mover][first : first + size]
            played, most = Fraction(0), None
            for at in range(size):
                money, following = earned.get(first + at, (Fraction(0), ()))
                played += shares[at] * (money + sum(own[lower] for lower in following))
                value = money + sum(best[lower] for lower in following)
                if most is None or value > most:
                    most, chosen = value, at
            own[place], best[place] = played, most
        return own[infoset.index], best[infoset.index], chosen

    def _spread(
        self, infoset: Infoset, mover: int
    ) -> tuple[dict[int, tuple[Any, list[int]]], list[int]]:
        """By own choice below: what it earns and the own sets that follow; and all those sets."""
        earned: dict[int, tuple[Any, list[int]]] = {}
        after = [infoset.index]
        met = {infoset.index}
        begin, end = self.tree.members[0][infoset.index : infoset.index + 2].tolist()
        nodes = self.tree.members[1][begin:end].tolist()
        believed = self.beliefs[infoset.index].values()
        stack = [(node, weight, -1) for node, weight in zip(nodes, believed, strict=True) if weight]
        stack.reverse()
        while stack:
            node, weight, choice = stack.pop()
            kind, place = self.player[node], self.set_of[node]
            if kind == LEAF:
                money, following = earned.get(choice, (Fraction(0), []))
                earned[choice] = money + weight * self.pays[mover][node], following
                continue
            mine = kind == mover
            if mine and place not in met:
                met.add(place)
                after.append(place)
                earned.setdefault(choice, (Fraction(0), []))[1].append(place)
            below = self.child[self.start[node] : self.start[node + 1]]
            for child in reversed(below):
                if mine:
                    stack.append((child, weight, self.first[place] + self.action[child]))
                elif self.steps[child]:
                    stack.append((child, weight * self.steps[child], choice))
        return earned, after


def _first_choices(tree: Tree) -> list[int]:
    """[information set] the number of its first choice, among those of its player."""
    first = np.zeros(len(tree.infoset_player), np.int64)
    for choices in tree.choices:
        first[choices.infosets] = choices.first
    return first.tolist()
