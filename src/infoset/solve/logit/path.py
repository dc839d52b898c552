"""The principal branch: from random play, along logit equilibria of ever more precision.

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

import numpy as np

from infoset.solve.logit.agents import Agents, Floats, Longs, Worth

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
