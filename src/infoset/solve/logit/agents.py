"""Agents that err: what each action is worth, and how that depends on all other choices.

Every information set h has an agent of its own, who knows no more than the set tells. If all agents
play with positive probabilities, each set has beliefs, and every action a there a payoff u(h, a):
the average over the nodes of what its player then expects. A *logit response* of precision λ takes
better actions more often,

    p(h, a) = exp(λ u(h, a)) / Σ_b exp(λ u(h, b)),

and a profile that is its own logit response is an agent quantal response equilibrium (McKelvey &
Palfrey 1998). Here are u and its derivatives; :mod:`infoset.solve.logit.path` follows the profiles.

*Logarithms.* For large λ most probabilities are far below the smallest float, while their ratios,
which the beliefs are made of, are not. So the unknowns are the logarithms x(h, a) of the
probabilities, each free; the log of the reach of a node is a sum of them, and beliefs are taken
from differences.

*Derivatives.* Let the edge (h, a) lead to node c, and a later edge (k, b) to node d below it. Then

    du(h, a) / dx(k, b)  has the part   belief(parent of c) · P(c → d) · value of d for h's player,
    du(k, b) / dx(h, a)  has the part   belief(parent of d) · (value of d for k's player − u(k, b)):

what happens later changes the worth of an action, what happened before the beliefs. One entry for
each pair of a node and a decision above it, added up: nodes times depth.

*Impossible moves.* Where nature gives an outcome probability 0, beliefs look at the nodes with the
fewest impossible moves above them, as if those had probability ε → 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log

import numpy as np
import numpy.typing as npt

from infoset.rules.columns import CHANCE
from infoset.tree import Tree

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SMALLEST = 10**6  # a player whose payoffs differ by less than the span over this is scaled apart


@dataclass(frozen=True, eq=False)
class Agents:
    """A tree as its agents see it: actions numbered through, information set by information set."""

    tree: Tree

    # ------------------------------------------------------------------ what does not change

    @cached_property
    def sizes(self) -> Longs:
        """[infoset] how many actions it has."""
        return self.tree.menu_sizes.astype(np.int64)

    @cached_property
    def first(self) -> Longs:
        """[infoset] the number of its first action."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def owner(self) -> Longs:
        """[action] its information set."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def __len__(self) -> int:
        return int(self.sizes.sum())

    @cached_property
    def span(self) -> Fraction:
        """The largest difference of payoffs of one player."""
        return max(self._differences) or Fraction(1)

    @cached_property
    def spans(self) -> tuple[Fraction, ...]:
        """[player] what its payoffs are divided by: the span.

        Next to payoffs that are a million times larger a player would hardly ever learn what is
        better; it gets a unit of its own.
        """
        return tuple(
            own if 0 < own * SMALLEST < self.span else self.span for own in self._differences
        )

    @cached_property
    def _differences(self) -> list[Fraction]:
        """[player] its largest payoff less its smallest."""
        paid = [stake.values() for stake in self.tree.stakes]
        return [Fraction(max(own)) - Fraction(min(own)) for own in paid]

    @cached_property
    def paid(self) -> tuple[Floats, ...]:
        """[player][end] its payoffs above its smallest, divided: before, floats may not hold them.

        Where all payoffs are a large number and a little, the little is what matters.
        """
        found = []
        for stake, span in zip(self.tree.stakes, self.spans, strict=True):
            amounts = stake.values()
            least = min(amounts)
            found.append(np.array([float((amount - least) / span) for amount in amounts]))
        return tuple(found)

    @cached_property
    def edge(self) -> Longs:
        """[node] the action that leads there; -1 after nature's moves and at the root."""
        tree = self.tree
        above = np.maximum(tree.parent, 0)
        decided = (tree.player[above] >= 0) & (tree.parent >= 0)
        sets = np.where(decided, tree.infoset[above], 0)
        begin = self.first if len(self.first) else np.zeros(1, np.int64)
        return np.where(decided, begin[sets] + tree.action, -1)

    @cached_property
    def nature(self) -> tuple[Floats, Longs]:
        """[node] the log of nature's move that leads there; how many moves above are impossible."""
        tree = self.tree
        step, impossible = np.zeros(len(tree)), np.zeros(len(tree), np.int64)
        above = np.maximum(tree.parent, 0)
        for node in np.flatnonzero((tree.player[above] == CHANCE) & (tree.parent >= 0)).tolist():
            chance = tree.lotteries[tree.infoset[above[node]]].probabilities[tree.action[node]]
            if chance:
                step[node] = log(chance)
            else:
                impossible[node] = 1
        for level in tree.levels[1:]:
            impossible[level] += impossible[tree.parent[level]]
        return step, impossible

    @cached_property
    def _believed(self) -> Bools:
        """[decision, as in members] may its set believe in it?"""
        start, nodes = self.tree.members
        count = self.nature[1][nodes]
        least = np.minimum.reduceat(count, start[:-1]) if len(nodes) else count
        return np.asarray(count == np.repeat(least, np.diff(start)), np.bool_)

    @cached_property
    def pairs(self) -> tuple[Longs, Longs]:
        """All (c, d): edges of decisions lead to both, and d is below c."""
        parent, edge = self.tree.parent, self.edge
        over = np.full(len(parent), -1, np.int64)  # the nearest edge of a decision above
        for level in self.tree.levels[1:]:
            above = parent[level]
            over[level] = np.where(edge[above] >= 0, above, over[above])
        low = np.flatnonzero(edge >= 0)
        high = over[low]
        found: list[tuple[Longs, Longs]] = []
        while True:
            kept = high >= 0
            high, low = high[kept], low[kept]
            if not len(low):
                break
            found.append((high, low))
            high = over[high]
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        return np.concatenate([c for c, _ in found]), np.concatenate([d for _, d in found])

    @cached_property
    def groups(self) -> tuple[tuple[Longs, Longs], ...]:
        """[level below the root] where each family of siblings begins, and its parent."""
        found = []
        for level in self.tree.levels[1:]:
            above = self.tree.parent[level].astype(np.int64)
            begin = np.flatnonzero(np.concatenate(([True], above[1:] != above[:-1])))
            found.append((begin, above[begin]))
        return tuple(found)

    # ------------------------------------------------------------------ at a profile

    def at(self, x: Floats) -> Worth:
        """Beliefs, values and payoffs where the logarithms of the probabilities are these."""
        tree, edge = self.tree, self.edge
        step, impossible = self.nature
        move = np.where(edge >= 0, x[edge] if len(x) else 0.0, step)
        reach = np.zeros(len(tree))
        for level in tree.levels[1:]:
            reach[level] = reach[tree.parent[level]] + move[level]
        value = np.zeros((len(tree.players), len(tree)))
        for player, paid in enumerate(self.paid):
            value[player, tree.ends] = paid
        above = np.maximum(tree.parent, 0)
        weight = np.where(impossible > impossible[above], 0.0, np.exp(move))
        for level, (begin, families) in zip(
            reversed(tree.levels[1:]), reversed(self.groups), strict=True
        ):
            value[:, families] = np.add.reduceat(value[:, level] * weight[level], begin, axis=1)
        belief = self._beliefs(reach)
        low = np.flatnonzero(edge >= 0)
        up = tree.parent[low]
        told = value[tree.player[up], low]
        summed = np.bincount(edge[low], belief[up] * told, minlength=len(self))
        payoff = np.asarray(summed, np.float64)
        return Worth(self, reach, value, belief, payoff)

    def _beliefs(self, reach: Floats) -> Floats:
        """[node] how likely it is to someone at its information set; 0 where nobody decides."""
        start, nodes = self.tree.members
        belief = np.zeros(len(self.tree))
        if not len(nodes):
            return belief
        sizes = np.diff(start)
        here = np.where(self._believed, reach[nodes], -np.inf)
        largest = np.maximum.reduceat(here, start[:-1])
        weight = np.exp(here - np.repeat(largest, sizes))
        belief[nodes] = weight / np.repeat(np.add.reduceat(weight, start[:-1]), sizes)
        return belief

    def softmax(self, scores: Floats) -> Floats:
        """[action] the logarithm of its probability, if these are the logs of its odds."""
        if not len(scores):
            return scores
        largest = np.maximum.reduceat(scores, self.first)
        shifted = scores - np.repeat(largest, self.sizes)
        total = np.log(np.add.reduceat(np.exp(shifted), self.first))
        return np.asarray(shifted - np.repeat(total, self.sizes), np.float64)


@dataclass(frozen=True, eq=False)
class Worth:
    """What a profile makes of the tree, payoffs divided by the agents' spans."""

    agents: Agents
    reach: Floats  # [node] the log of its probability, impossible moves not counted
    value: Floats  # [player, node] what it expects there
    belief: Floats  # [node] within its information set
    payoff: Floats  # [action] u, what it is worth to the one who takes it

    @cached_property
    def derivative(self) -> Floats:
        """[action, action] how u of the one changes with the logarithm x of the other."""
        agents, tree = self.agents, self.agents.tree
        high, low = agents.pairs
        edge, count = agents.edge, len(agents)
        impossible = agents.nature[1]
        above_high, above_low = tree.parent[high], tree.parent[low]
        later = (
            self.belief[above_high]
            * np.exp(np.minimum(self.reach[low] - self.reach[high], 0.0))
            * self.value[tree.player[above_high], low]
        )
        later[impossible[low] > impossible[high]] = 0.0
        before = self.belief[above_low] * (
            self.value[tree.player[above_low], low] - self.payoff[edge[low]]
        )
        total = np.bincount(edge[high] * count + edge[low], later, minlength=count * count)
        total += np.bincount(edge[low] * count + edge[high], before, minlength=count * count)
        return np.asarray(total, np.float64).reshape(count, count)

    def losses(self, x: Floats) -> Floats:
        """[infoset] by how much its best action beats what it does."""
        agents = self.agents
        if not len(x):
            return np.zeros(0)
        best = np.maximum.reduceat(self.payoff, agents.first)
        return np.asarray(best - np.add.reduceat(np.exp(x) * self.payoff, agents.first), np.float64)
