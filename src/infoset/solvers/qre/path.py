"""The principal branch of agent quantal response equilibria, by a predictor-corrector homotopy.

*Agents.* Every information set h has an agent of its own. If all agents play with positive
probabilities, there are beliefs at each set, and every action a there has a payoff u(h, a): the
belief-weighted average of the player's continuation values. A *logit response* of precision λ,

    p(h, a) = exp(λ u(h, a)) / Σ_b exp(λ u(h, b)),

takes better actions more often, and a profile that is its own logit response is an agent quantal
response equilibrium (McKelvey & Palfrey 1998).

*Logarithms.* For large λ most probabilities are far below the smallest float, while their ratios,
which determine the beliefs, are not. So the unknowns are the logarithms x(h, a) of the
probabilities; the log of the reach of a node is a sum of them, and beliefs follow from differences.

*Derivatives.* Let the edge (h, a) lead to node c, and a later edge (k, b) to node d below it. Then

    du(h, a) / dx(k, b)  has the term   belief(parent of c) · P(c → d) · value of d for h's player,
    du(k, b) / dx(h, a)  has the term   belief(parent of d) · (value of d for k's player − u(k, b)):

later actions change continuation values, earlier ones change beliefs. There is one term for each
pair of a node and a decision above it: nodes times depth.

*Zero-probability outcomes.* Where chance gives an outcome probability 0, beliefs are taken over the
nodes with the fewest such outcomes above them, as if those had probability ε → 0.

*The branch.* The logarithms x and the precision λ are a logit equilibrium if

    G(x, λ) = x(h, a) − x(h, b) − λ (u(h, a) − u(h, b)) = 0    for all a, with b the likeliest,

and probabilities sum to one at every information set h: as many equations as actions, with one more
unknown. The solutions form curves. One of them starts at λ = 0 with uniform play, and for almost
every game leads to λ = ∞ without bifurcation (McKelvey & Palfrey 1995; Turocy 2005): the *principal
branch*. λ need not be monotone along it, so that the curve is parametrized by arc length:

1. the tangent of the curve: (G_x, G_λ) v = 0, oriented by v · (previous tangent) > 0;
2. a predictor step of length s along it;
3. a corrector: Newton's method in the plane orthogonal to the tangent;
4. s grows where Newton's method converged at once, and is halved where it did not.

Lengths are measured in units of 1 + |x| and 1 + λ. So where the logarithms of unplayed actions
decrease in proportion to λ, as they all do eventually, a step doubles λ.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.rules.moves import CHANCE
from infoset.tree import Tree

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SMALLEST = 10**6  # payoffs with a range below that of the game over this are scaled separately


@dataclass(frozen=True, eq=False)
class LogitAgents:
    """The agents of a tree: all actions, numbered information set by information set."""

    tree: Tree

    # ------------------------------------------------------------------ structure

    @cached_property
    def sizes(self) -> Longs:
        """[infoset] its number of actions."""
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
    def scale(self) -> Fraction:
        """The largest range of payoffs of a player."""
        return max(self._ranges) or Fraction(1)

    @cached_property
    def scales(self) -> tuple[Fraction, ...]:
        """[player] the scale of its payoffs: the largest range.

        A player whose payoffs are a million times smaller would respond to them only at extreme
        precisions; it gets a scale of its own.
        """
        return tuple(own if 0 < own * SMALLEST < self.scale else self.scale for own in self._ranges)

    @cached_property
    def _ranges(self) -> list[Fraction]:
        """[player] its largest payoff less its smallest."""
        return [
            Fraction(int(stake.numerators.max()) - int(stake.numerators.min()), stake.denominator)
            for stake in self.tree.leaf_payoffs
        ]

    @cached_property
    def paid(self) -> tuple[Floats, ...]:
        """[player][leaf] its payoffs less the smallest, over its scale, in floats.

        Differences and quotients are taken exactly: only they need to fit into floats.
        """
        found = []
        for stake, scale in zip(self.tree.leaf_payoffs, self.scales, strict=True):
            amounts, place = np.unique(stake.numerators, return_inverse=True)
            unit = 1 / (stake.denominator * scale)
            above = [float((int(amount) - int(amounts[0])) * unit) for amount in amounts]
            found.append(np.array(above)[place])
        return tuple(found)

    @cached_property
    def edge(self) -> Longs:
        """[node] the action that leads there; -1 after chance moves and at the root."""
        tree = self.tree
        above = np.maximum(tree.parent, 0)
        decided = (tree.player[above] >= 0) & (tree.parent >= 0)
        sets = np.where(decided, tree.infoset[above], 0)
        begin = self.first if len(self.first) else np.zeros(1, np.int64)
        return np.where(decided, begin[sets] + tree.action, -1)

    @cached_property
    def chance(self) -> tuple[Floats, Longs]:
        """[node] the log probability of the chance outcome that leads there; zero ones above it."""
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
        """[decision, as in members] may it have a positive belief?"""
        start, nodes = self.tree.members
        count = self.chance[1][nodes]
        least = np.minimum.reduceat(count, start[:-1]) if len(nodes) else count
        return np.asarray(count == np.repeat(least, np.diff(start)), np.bool_)

    @cached_property
    def pairs(self) -> tuple[Longs, Longs]:
        """All (c, d) to which decisions lead, with d below c."""
        parent, edge = self.tree.parent, self.edge
        over = np.full(
            len(parent), -1, np.int64
        )  # the nearest node above to which a decision leads
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
        """[level below the root] the first of each group of siblings, and its parent."""
        found = []
        for level in self.tree.levels[1:]:
            above = self.tree.parent[level].astype(np.int64)
            begin = np.flatnonzero(np.concatenate(([True], above[1:] != above[:-1])))
            found.append((begin, above[begin]))
        return tuple(found)

    # ------------------------------------------------------------------ at a profile

    def at(self, x: Floats) -> ProfileValues:
        """Beliefs, values and payoffs at these logarithms of probabilities."""
        tree, edge = self.tree, self.edge
        step, impossible = self.chance
        move = np.where(edge >= 0, x[edge] if len(x) else 0.0, step)
        reach = np.zeros(len(tree))
        for level in tree.levels[1:]:
            reach[level] = reach[tree.parent[level]] + move[level]
        value = np.zeros((len(tree.players), len(tree)))
        for player, paid in enumerate(self.paid):
            value[player, tree.leaf_indices] = paid
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
        return ProfileValues(self, reach, value, belief, payoff)

    def _beliefs(self, reach: Floats) -> Floats:
        """[node] its belief within its information set; 0 elsewhere."""
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
        """[action] the logarithm of its probability, from unnormalized ones."""
        if not len(scores):
            return scores
        largest = np.maximum.reduceat(scores, self.first)
        shifted = scores - np.repeat(largest, self.sizes)
        total = np.log(np.add.reduceat(np.exp(shifted), self.first))
        return np.asarray(shifted - np.repeat(total, self.sizes), np.float64)


@dataclass(frozen=True, eq=False)
class ProfileValues:
    """Reach, values and beliefs of a profile, payoffs over the agents' scales."""

    agents: LogitAgents
    reach: Floats  # [node] the log of its probability, without zero-probability outcomes
    value: Floats  # [player, node] continuation value
    belief: Floats  # [node] within its information set
    payoff: Floats  # [action] u, to the player who takes it

    @cached_property
    def derivative(self) -> Floats:
        """[action, action] the derivative of u of the first by x of the second."""
        agents, tree = self.agents, self.agents.tree
        high, low = agents.pairs
        edge, count = agents.edge, len(agents)
        impossible = agents.chance[1]
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
        """[infoset] the gain of its best action."""
        agents = self.agents
        if not len(x):
            return np.zeros(0)
        best = np.maximum.reduceat(self.payoff, agents.first)
        return np.asarray(best - np.add.reduceat(np.exp(x) * self.payoff, agents.first), np.float64)


FIRST, LONGEST, SHORTEST = 0.02, 1.0, 1e-9  # steps, in units of 1 + |x| and 1 + λ
ROUNDS = 8  # of Newton's method
NEAR = 1e-9  # the residual at which it ends, for small λ
ROUNDING = 1e-13  # of payoffs, which λ multiplies
EPSILON = 4e-16  # of logarithms, whose differences give the beliefs
FARTHEST = 0.35  # the most that a probability may change in one step
SMALL, SPARSE = 100, 0.4  # larger systems with fewer entries are solved as sparse
ASTRAY = 0.6  # a longer first correction may lead to another curve


@dataclass(frozen=True, eq=False)
class PathPoint:
    """A logit equilibrium: logarithms of probabilities, precision, and the resulting values."""

    x: Floats  # [action]
    precision: float  # λ, for payoffs over the agents' scales
    evaluation: ProfileValues

    @property
    def loss(self) -> float:
        """The largest gain at an information set, in units of the scale."""
        return float(self.evaluation.losses(self.x).max(initial=0.0))


def centre(agents: LogitAgents) -> PathPoint:
    """The start of the branch: uniform play."""
    x = -np.log(agents.sizes.astype(np.float64))[agents.owner]
    return PathPoint(x, 0.0, agents.at(x))


def branch(agents: LogitAgents) -> Iterator[PathPoint]:
    """The points of the principal branch, as far as it can be followed."""
    point, step = centre(agents), FIRST
    ahead = np.zeros(len(agents) + 1)
    ahead[-1] = 1.0
    while True:
        yield point
        unit = 1.0 + np.abs(np.append(point.x, point.precision))
        ahead = _tangent(point, ahead, unit)
        while True:
            following, rounds = _corrector(point, ahead, step, unit)
            if following is not None:
                break
            step /= 2
            if not step >= SHORTEST:
                return
        step = min(LONGEST, step * (2.0 if rounds <= 2 else 1.3 if rounds <= 3 else 0.8))
        point = following


class _Equations:
    """The linearization of G at a point, reduced.

    At each set the likeliest action is eliminated: probabilities sum to one, so that its logarithm
    changes by minus the sum of the others' changes, weighted with their odds against it.
    """

    def __init__(self, point: PathPoint) -> None:
        agents, evaluation, x, rate = (
            point.evaluation.agents,
            point.evaluation,
            point.x,
            point.precision,
        )
        self.count = len(agents)
        likeliest = _likeliest(agents, x)
        self.other = np.flatnonzero(likeliest[agents.owner] != np.arange(self.count))
        self.beside = likeliest[agents.owner[self.other]]
        self.odds = np.exp(x[self.other] - x[self.beside])
        gain = evaluation.payoff[self.other] - evaluation.payoff[self.beside]
        self.miss = x[self.other] - x[self.beside] - rate * gain
        self.slope = -gain
        self.rate, self.evaluation = rate, evaluation

    def solve(self, row: Floats, side: Floats) -> Floats:
        """The change of (x, λ) that changes G, and the product with a last row, by ``side``."""
        look()
        size = len(self.other)
        matrix = np.empty((size + 1, size + 1))
        change = self.evaluation.derivative
        rows = change[self.other] - change[self.beside]
        rows *= -self.rate
        matrix[:size, :size] = rows[:, self.other] - rows[:, self.beside] * self.odds
        places = np.arange(size)
        matrix[places, places] += 1.0
        together = self.beside[:, None] == self.beside[None, :]
        matrix[:size, :size] += together * self.odds
        matrix[:size, size] = self.slope
        matrix[size, :size] = row[self.other] - row[self.beside] * self.odds
        matrix[size, size] = row[-1]
        found = _solved(matrix, side)
        whole = np.zeros(self.count + 1)
        whole[self.other], whole[-1] = found[:size], found[size]
        whole[: self.count] -= np.bincount(
            self.beside, self.odds * found[:size], minlength=self.count
        )
        return whole


def _solved(matrix: Floats, side: Floats) -> Floats:
    """The solution of a linear system; not-a-numbers if it is singular.

    Larger systems are sparse: a payoff does not depend on actions elsewhere in the tree.
    """
    from scipy.linalg import LinAlgError, lu_factor, lu_solve
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about singular matrices, whose steps are rejected
        try:
            if len(matrix) > SMALL and np.count_nonzero(matrix) < SPARSE * matrix.size:
                return np.asarray(splu(csc_array(matrix)).solve(side), np.float64)
            return np.asarray(lu_solve(lu_factor(matrix), side), np.float64)
        except (LinAlgError, RuntimeError, ValueError):  # singular, or not finite
            return np.full(len(side), np.nan)


def _likeliest(agents: LogitAgents, x: Floats) -> Longs:
    """[infoset] its most likely action, the reference of the others."""
    largest = np.repeat(np.maximum.reduceat(x, agents.first), agents.sizes)
    places = np.flatnonzero(x == largest)
    return places[np.searchsorted(agents.owner[places], np.arange(len(agents.first)))]


def _tangent(point: PathPoint, before: Floats, unit: Floats) -> Floats:
    """The tangent of length 1 in these units, oriented by the previous one."""
    equations = _Equations(point)
    side = np.zeros(len(equations.other) + 1)
    side[-1] = 1.0
    found = equations.solve(before / unit**2, side)
    return np.asarray(found / np.abs(found / unit).max(), np.float64)


def _corrector(
    point: PathPoint, ahead: Floats, step: float, unit: Floats
) -> tuple[PathPoint | None, int]:
    """The point of the curve in the plane a step ahead, and the rounds that it took."""
    agents = point.evaluation.agents
    guess = np.append(point.x, point.precision) + step * ahead
    last = np.inf
    for rounds in range(1, ROUNDS + 1):
        rate = float(guess[-1])
        if not (rate >= 0.0 and np.isfinite(guess).all()):
            break
        x = agents.softmax(guess[:-1])
        tried = PathPoint(x, rate, agents.at(x))
        equations = _Equations(tried)
        close = NEAR + rate * (ROUNDING + EPSILON * float(np.abs(x).max()))
        if rounds > 1 and np.abs(equations.miss).max(initial=0.0) <= close:
            return (tried, rounds) if _nearby(point, tried) else (None, rounds)
        change = equations.solve(ahead / unit**2, np.append(-equations.miss, 0.0))
        size = float(np.abs(change / unit).max())
        if size > close and not size < (ASTRAY * step if rounds == 1 else 0.5 * last):
            break
        last = size
        guess = np.append(x, rate) + change
    return None, ROUNDS


def _nearby(point: PathPoint, other: PathPoint) -> bool:
    """Is no probability far from where it was?"""
    return bool(np.abs(np.exp(point.x) - np.exp(other.x)).max(initial=0.0) <= FARTHEST)
