"""Agents that err: what each action is worth, and how that depends on all other choices.

Every information set h has an agent of its own, who knows no more than the set tells. If all agents
play with positive probabilities, each set has beliefs, and every action a there a payoff u(h, a):
the average over the nodes of what its player then expects. A *logit response* of precision λ takes
better actions more often,

    p(h, a) = exp(λ u(h, a)) / Σ_b exp(λ u(h, b)),

and a profile that is its own logit response is an agent quantal response equilibrium (McKelvey &
Palfrey 1998). Here are u and its derivatives; :mod:`infoset.solvers.qre.path` follows the profiles.

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

The principal branch: from random play, along logit equilibria of ever more precision.

The logarithms x of the probabilities and the precision λ are a logit equilibrium if

    G(x, λ) = x(h, a) − x(h, b) − λ (u(h, a) − u(h, b)) = 0    for all a, with b the likeliest,

and probabilities sum to one at every information set h:

as many equations as actions, with one unknown more. The solutions are curves. One of them starts
at λ = 0, where everyone chooses at random, and for almost every game leads to λ = ∞ without a fork
(McKelvey & Palfrey 1995; Turocy 2005): the *principal branch*. On the way λ may fall for a while,
so neither λ nor x will do to say how far one is, and the curve is followed by its length:

1. the direction of the curve: (G_x, G_λ) v = 0, and no turning back: v · (the one before) > 0;
2. a step of length s along it;
3. Newton's method back to the curve, in the plane that is orthogonal to the direction;
4. s grows where Newton came down at once, and shrinks, for another try, where it did not.

Lengths are measured in units of 1 + |x| and 1 + λ. So where the logarithms of unplayed actions fall
in proportion to λ, as in the end they all do, a step doubles λ, and infinity is near.
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

from infoset.rules.moves import CHANCE
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
        paid = [stake.values() for stake in self.tree.leaf_payoffs]
        return [Fraction(max(own)) - Fraction(min(own)) for own in paid]

    @cached_property
    def paid(self) -> tuple[Floats, ...]:
        """[player][end] its payoffs above its smallest, divided: before, floats may not hold them.

        Where all payoffs are a large number and a little, the little is what matters.
        """
        found = []
        for stake, span in zip(self.tree.leaf_payoffs, self.spans, strict=True):
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


FIRST, LONGEST, SHORTEST = 0.02, 1.0, 1e-9  # steps, in units of 1 + |x| and 1 + λ
ROUNDS = 8  # of Newton's method
NEAR = 1e-9  # where it ends, while λ is small
ROUNDING = 1e-13  # of payoffs: a λ-fold of it cannot be told from zero
EPSILON = 4e-16  # of logarithms: beliefs come from their differences
FARTHEST = 0.35  # by how much a probability may change in one step
SMALL, SPARSE = 100, 0.4  # systems above this size, and with fewer entries, are solved as sparse
ASTRAY = 0.6  # a first correction beyond this may lead to another curve


@dataclass(frozen=True, eq=False)
class Point:
    """A logit equilibrium: logarithms of probabilities, precision, and what follows from them."""

    x: Floats  # [action]
    precision: float  # λ, for payoffs divided by the agents' span
    worth: Worth

    @property
    def loss(self) -> float:
        """The most that anyone loses at an information set, as a part of the span."""
        return float(self.worth.losses(self.x).max(initial=0.0))


def centre(agents: Agents) -> Point:
    """Where the branch starts: everyone chooses at random."""
    x = -np.log(agents.sizes.astype(np.float64))[agents.owner]
    return Point(x, 0.0, agents.at(x))


def branch(agents: Agents) -> Iterator[Point]:
    """The points of the principal branch, one after the other, as far as it can be followed."""
    point, step = centre(agents), FIRST
    ahead = np.zeros(len(agents) + 1)
    ahead[-1] = 1.0
    while True:
        yield point
        unit = 1.0 + np.abs(np.append(point.x, point.precision))
        ahead = _direction(point, ahead, unit)
        while True:
            following, rounds = _corrected(point, ahead, step, unit)
            if following is not None:
                break
            step /= 2
            if not step >= SHORTEST:
                return
        step = min(LONGEST, step * (2.0 if rounds <= 2 else 1.3 if rounds <= 3 else 0.8))
        point = following


class _Equations:
    """G at a point, linearized, without what is known already.

    At each set the likeliest action is left out: probabilities sum to one, so that its logarithm
    changes by minus the sum of the others' changes, weighted with their odds against it.
    """

    def __init__(self, point: Point) -> None:
        agents, worth, x, rate = point.worth.agents, point.worth, point.x, point.precision
        self.count = len(agents)
        likely = _likeliest(agents, x)
        self.other = np.flatnonzero(likely[agents.owner] != np.arange(self.count))
        self.beside = likely[agents.owner[self.other]]
        self.odds = np.exp(x[self.other] - x[self.beside])
        gain = worth.payoff[self.other] - worth.payoff[self.beside]
        self.miss = x[self.other] - x[self.beside] - rate * gain
        self.slope = -gain
        self.rate, self.worth = rate, worth

    def solve(self, row: Floats, side: Floats) -> Floats:
        """The change of (x, λ) with these changes of G, and of its product with a row, the last."""
        size = len(self.other)
        matrix = np.empty((size + 1, size + 1))
        change = self.worth.derivative
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
    """A linear system; not-a-numbers where it has no solution.

    Larger ones are sparse: a choice is worth the same whatever is chosen where it does not lead.
    """
    from scipy.linalg import LinAlgError, lu_factor, lu_solve
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of singular matrices: their steps are refused
        try:
            if len(matrix) > SMALL and np.count_nonzero(matrix) < SPARSE * matrix.size:
                return np.asarray(splu(csc_array(matrix)).solve(side), np.float64)
            return np.asarray(lu_solve(lu_factor(matrix), side), np.float64)
        except (LinAlgError, RuntimeError, ValueError):  # singular, or not finite
            return np.full(len(side), np.nan)


def _likeliest(agents: Agents, x: Floats) -> Longs:
    """[infoset] the action that it takes most often, with which the others are compared."""
    largest = np.repeat(np.maximum.reduceat(x, agents.first), agents.sizes)
    places = np.flatnonzero(x == largest)
    return places[np.searchsorted(agents.owner[places], np.arange(len(agents.first)))]


def _direction(point: Point, before: Floats, unit: Floats) -> Floats:
    """Along the curve, on from the direction before, of length 1 in these units."""
    equations = _Equations(point)
    side = np.zeros(len(equations.other) + 1)
    side[-1] = 1.0
    found = equations.solve(before / unit**2, side)
    return np.asarray(found / np.abs(found / unit).max(), np.float64)


def _corrected(point: Point, ahead: Floats, step: float, unit: Floats) -> tuple[Point | None, int]:
    """The point of the curve in the plane a step ahead, and in how many rounds it was found."""
    agents = point.worth.agents
    guess = np.append(point.x, point.precision) + step * ahead
    last = np.inf
    for rounds in range(1, ROUNDS + 1):
        rate = float(guess[-1])
        if not (rate >= 0.0 and np.isfinite(guess).all()):
            break
        x = agents.softmax(guess[:-1])
        tried = Point(x, rate, agents.at(x))
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


def _nearby(point: Point, other: Point) -> bool:
    """Has no probability jumped?"""
    return bool(np.abs(np.exp(point.x) - np.exp(other.x)).max(initial=0.0) <= FARTHEST)
