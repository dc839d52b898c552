"""What a limit of logit equilibria implies to believe, also where no play comes any more.

In the limit some actions are played and the others are not. The probability of a node is that of
nature's moves and of the played actions above it, which has a limit, times that of the unplayed
ones, its *tremble*, which vanishes. So at an information set only the nodes with the largest
tremble count, in the proportion of their trembles' limits:

    belief(n)  ~  τ(n) · nature(n) · product of the played probabilities above n.

Where the nodes of a set have the same unplayed actions above them, as in a subgame that no play
comes to, all their τ are 1, and the beliefs are exact once the probabilities are. Where they do
not, the τ are taken from the end of the branch and rounded to fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from infoset.rules.columns import CHANCE
from infoset.solve.logit.agents import Agents, Bools, Floats
from infoset.solve.logit.path import Point

FALLING = 0.6  # by how much what goes to zero falls, at least, from one point to the other
SAME = 1e-10  # trembles whose logarithms differ by less, in parts of them, are the same

Shares = list[Fraction]  # [action]
Odds = list[list[Fraction]]  # [infoset][node] τ


class Trembles:
    """The trembles of a branch at two points, the second far beyond the first."""

    def __init__(self, before: Point, now: Point, played: Bools) -> None:
        self.agents = agents = now.worth.agents
        self.played = played
        start, nodes = agents.tree.members
        old, new = _logarithms(agents, before.x, played), _logarithms(agents, now.x, played)
        self.ratios: list[list[tuple[float, float]]] = []  # [infoset][node] then and now
        for at in range(len(start) - 1):
            own = nodes[start[at] : start[at + 1]]
            likely = now.worth.belief[own]
            kept = (likely > FALLING * before.worth.belief[own]) & (likely > 0)
            largest = own[int(np.argmax(np.where(kept, likely, -1.0)))]
            self.ratios.append(
                [
                    (_ratio(old[node], old[largest]), _ratio(new[node], new[largest]))
                    if stays
                    else (0.0, 0.0)
                    for node, stays in zip(own.tolist(), kept.tolist(), strict=True)
                ]
            )

    def odds(self, slack: float) -> Odds:
        """τ of every node, as fractions with small denominators, within so many times its error."""
        return [
            [simple(now, 1e-9 + slack * abs(now - then)) for then, now in row]
            for row in self.ratios
        ]

    def beliefs(self, shares: Shares, odds: Odds) -> list[list[Fraction]]:
        """[infoset][node] how likely it is to someone who is there."""
        start, nodes = self.agents.tree.members
        weight = self._weights(shares)
        found = []
        for at, row in enumerate(odds):
            own = nodes[start[at] : start[at + 1]].tolist()
            parts = [tau * weight[node] for tau, node in zip(row, own, strict=True)]
            total = sum(parts)
            found.append([part / total for part in parts])
        return found

    def _weights(self, shares: Shares) -> list[Fraction]:
        """[node] nature's and the played actions' part of its probability."""
        tree, edge = self.agents.tree, self.agents.edge.tolist()
        parent, action = tree.parent.tolist(), tree.action.tolist()
        player, place = tree.player.tolist(), tree.infoset.tolist()
        weight = [Fraction(1)] * len(parent)
        for node in range(1, len(parent)):
            above = parent[node]
            step = Fraction(1)
            if edge[node] >= 0:
                step = shares[edge[node]] if self.played[edge[node]] else step
            elif player[above] == CHANCE:
                step = tree.lotteries[place[above]].probabilities[action[node]] or step
            weight[node] = weight[above] * step if step != 1 else weight[above]
        return weight


def _logarithms(agents: Agents, x: Floats, played: Bools) -> Floats:
    """[node] the logarithm of its tremble."""
    tree, edge = agents.tree, agents.edge
    step = np.where((edge >= 0) & ~played[edge], x[edge], 0.0)
    total = np.zeros(len(tree))
    for level in tree.levels[1:]:
        total[level] = total[tree.parent[level]] + step[level]
    return total


def _ratio(one: float, two: float) -> float:
    """Of two numbers whose logarithms are given; 1 if they are the same but for rounding."""
    if abs(one - two) <= SAME * abs(two):
        return 1.0
    return float(np.exp(min(one - two, 50.0)))


def simple(number: float | Fraction, within: float | Fraction) -> Fraction:
    """The first convergent within a distance: a fraction with a small denominator.

    >>> simple(0.33334, 1e-4), simple(0.25, 0)
    (Fraction(1, 3), Fraction(1, 4))
    """
    exact = Fraction(number)
    over, under = exact.numerator, exact.denominator
    before, now = (0, 1), (1, 0)  # convergents of the continued fraction
    while True:
        whole, rest = divmod(over, under)
        before, now = now, (whole * now[0] + before[0], whole * now[1] + before[1])
        found = Fraction(*now)
        if abs(found - exact) <= within:
            return found
        over, under = under, rest
