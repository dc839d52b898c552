"""Proofs that a game has no equilibrium in behaviour strategies, by subdivision of all profiles.

The behaviour strategies of all players together are a product of simplices, one for each
information set. For a strategy d of player i, the gain of i by deviating to d is a polynomial in
all probabilities. If on some piece of the product the smallest Bernstein coefficient
(:mod:`infoset.strategy.absentminded.bernstein`) is positive, i gains by d at every profile of the
piece, which therefore contains no equilibrium. For a piece that no known deviation excludes, the
best responses to the profile in its middle are tried; if these do not exclude it either, it is
bisected. When all pieces are excluded, there is no equilibrium, and the smallest gain is a lower
bound of the regret of every profile.

Coefficients are computed in floats first; the exclusion of a piece is then verified exactly. Source
of the question: P. C. Wichardt, Existence of Nash equilibria in finite extensive form games with
imperfect recall: a counterexample, 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from infoset.linear.numbers import Array
from infoset.solvers.behaviour.candidates import BehaviourAgents
from infoset.strategy.absentminded.bernstein import (
    Corner,
    edge_lengths,
    exponents,
    net_size,
    whole_piece,
)
from infoset.strategy.absentminded.polynomial import Monomial, Polynomial
from infoset.strategy.absentminded.response import behaviour_response
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.profile import profile
from infoset.tree import Tree
from infoset.tree.choices import Choices

MOST_COEFFICIENTS = 4_000  # Bernstein coefficients up to which a proof is tried
MOST_BOXES = 600
FEW = 40  # deviations up to which more are computed even if one excludes the piece
CLOSE = Fraction(9, 10)
SHORT = 10**4  # a denominator that is shown exactly
SURE = 1e-9  # of the largest payoff: floats above count as positive

Corners = tuple[tuple[Corner, ...], ...]  # [axis] of a piece


class NonexistenceProof(NamedTuple):
    """The result of a proof."""

    complete: bool  # is there no equilibrium?
    at_least: Fraction  # then a lower bound of the regret of every profile
    boxes: int


@dataclass(frozen=True, eq=False)
class _Deviation:
    """The gain of a player by one strategy, as a polynomial on all profiles."""

    coefficients: Array  # Bernstein coefficients over all axes, integers
    under: int

    @cached_property
    def floats(self) -> Array:
        return (self.coefficients / self.under).astype(np.float64)

    def least(self, transformations: list[Any], exact: bool) -> Any:
        """The smallest coefficient on a piece, given by its ``transformations``."""
        coefficients = self.coefficients if exact else self.floats
        for at, turn in enumerate(transformations):
            coefficients = np.moveaxis(np.tensordot(turn, coefficients, axes=(1, at)), 0, at)
        return Fraction(coefficients.min()) / self.under if exact else float(coefficients.min())


def prove_nonexistence(
    agents: BehaviourAgents, regret: Fraction, over: Callable[[], bool]
) -> NonexistenceProof | None:
    """Try to prove that there is no equilibrium; None if the game is too large.

    ``regret`` is the smallest one found at any profile: the lower bound need not be closer to it
    than ten percent.
    """
    if agents.begin[-1] > MOST_COEFFICIENTS:
        return None
    proof = _Subdivision(agents)
    if not proof.axes or net_size(proof.shape) > MOST_COEFFICIENTS:
        return None
    return proof.run(regret * CLOSE, over)


class _Subdivision:
    """Branch and bound over pieces, with the deviations that exclude them."""

    def __init__(self, agents: BehaviourAgents) -> None:
        self.agents, self.tree = agents, agents.tree
        self.joint = joint_choices(self.tree)
        self.payoffs = [payoff(self.tree, self.joint, n) for n in range(len(self.tree.players))]
        terms = {monomial: 1 for paid in self.payoffs for monomial in paid.terms}
        self.shape = Polynomial(self.joint, terms)
        self.axes = list(self.shape.degrees.items())  # (set, degree)
        self.known: list[_Deviation] = []

    def run(self, enough: Fraction, over: Callable[[], bool]) -> NonexistenceProof:
        """Subdivide until all pieces are excluded and the bound is good enough.

        The piece with the smallest gain is bisected first. Once all are excluded, as many boxes
        again may be spent on a better bound.
        """
        whole = tuple(
            tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))
            for size in (len(self.shape.actions(own)) for own, _ in self.axes)
        )
        waiting, boxes, most = [(self.gain(whole), 0, whole)], 1, MOST_BOXES
        while True:
            gain, _, corners = heappop(waiting)
            if gain and most == MOST_BOXES:
                most = min(2 * boxes + 20, MOST_BOXES)
            if gain >= enough or boxes >= most or over():
                return NonexistenceProof(gain > 0, gain, boxes)
            for part in self.halves(corners):
                heappush(waiting, (max(gain, self.gain(part)), boxes, part))
                boxes += 1

    def gain(self, corners: Corners) -> Fraction:
        """A lower bound of some player's gain on a piece; 0 if none is known."""
        floats = self.transformations(corners, False)
        sure = SURE * float(self.agents.scale)
        tried = [(deviation.least(floats, exact=False), deviation) for deviation in self.known]
        best, by = max(tried, key=lambda pair: pair[0], default=(0.0, None))
        if best <= sure or len(self.known) < FEW:
            fresh = [(one.least(floats, exact=False), one) for one in self.responses(corners)]
            better, other = max(fresh, key=lambda pair: pair[0], default=(0.0, None))
            if other is not None and better > max(best, sure):
                best, by = better, other
                self.known.append(other)
        if by is None or best <= sure:
            return Fraction(0)
        exact = Fraction(by.least(self.transformations(corners, True), exact=True))
        return max(exact, Fraction(0))

    def transformations(self, corners: Corners, exact: bool) -> list[Any]:
        """[axis] the transformation of coefficients to a piece."""
        return [
            _transformation(degree, own_corners, exact)
            for (_, degree), own_corners in zip(self.axes, corners, strict=True)
        ]

    def responses(self, corners: Corners) -> list[_Deviation]:
        """Every player's best response to the profile in the middle of a piece."""
        middle = {
            own: [sum(column) / len(rows) for column in zip(*rows, strict=True)]
            for (own, _), rows in zip(self.axes, corners, strict=True)
        }
        probabilities = self.agents.as_fractions(self.agents.uniform())
        order = _places(self.agents)
        for own, row in middle.items():
            probabilities[order[own]] = row
        together = profile(self.agents.strategies(probabilities))
        found = []
        for number in range(len(self.tree.players)):
            others = together.reach(self.tree.leaf_indices, without=number)
            best = behaviour_response(self.tree, number, others, work=500_000)
            if best.value > together.payoffs[self.tree.names[number]]:
                found.append(self.deviation(number, best.strategy))
        return found

    def deviation(self, number: int, strategy: Behaviour) -> _Deviation:
        """The gain of a player by a strategy, as a polynomial in all probabilities."""
        paid = self.payoffs[number]
        choices = self.tree.choices[number]
        probability: dict[int, Fraction] = {}
        for own, infoset in enumerate(choices.infosets.tolist()):
            first = int(choices.first[own])
            for at, choice in enumerate(paid.actions(infoset)):
                probability[choice] = strategy.probabilities[first + at]
        gains: dict[Monomial, Fraction] = {}
        for monomial, amount in paid.terms.items():
            gains[monomial] = gains.get(monomial, Fraction(0)) - amount
            rest = tuple(choice for choice in monomial if choice not in probability)
            factor = Fraction(amount)
            for choice in monomial:
                factor *= probability.get(choice, 1)
            gains[rest] = gains.get(rest, Fraction(0)) + factor
        # Zero terms make every axis appear with its degree.
        under = int(np.lcm.reduce(np.array([g.denominator for g in gains.values()], object)))
        terms = {monomial: int(gain * under) for monomial, gain in gains.items()}
        whole = whole_piece(Polynomial(self.joint, {**dict.fromkeys(self.shape.terms, 0), **terms}))
        return _Deviation(whole.net, whole.under * under * paid.under)

    def halves(self, corners: Corners) -> list[Corners]:
        """Bisect a piece at its longest edge."""
        edges = [max(edge_lengths(rows).items(), key=lambda edge: edge[1]) for rows in corners]
        at = max(range(len(edges)), key=lambda axis: edges[axis][1])
        (one, two), _ = edges[at]
        rows = corners[at]
        middle = tuple((a + b) / 2 for a, b in zip(rows[one], rows[two], strict=True))
        return [
            (
                *corners[:at],
                tuple(middle if i == lost else row for i, row in enumerate(rows)),
                *corners[at + 1 :],
            )
            for lost in (one, two)
        ]


def joint_choices(tree: Tree) -> Choices:
    """The choices at all information sets of all players, numbered together."""
    sizes = tree.menu_sizes.astype(np.int64)
    none = np.zeros(0, np.int64)
    first = 1 + np.cumsum(sizes) - sizes
    return Choices(tree, -1, np.arange(len(sizes)), sizes, first, none, none)


def payoff(tree: Tree, joint: Choices, number: int) -> Polynomial:
    """A player's payoff as a polynomial in all players' choices."""
    weighted = tree.chance_reach.take(tree.leaf_indices).times(tree.leaf_payoffs[number])
    first = joint.first.tolist()
    parent, action = tree.parent.tolist(), tree.action.tolist()
    mover, infoset = tree.player.tolist(), tree.infoset.tolist()
    sizes = tree.menu_sizes.tolist()
    above: list[Monomial] = [()] * len(tree)
    for node in range(1, len(tree)):
        before = parent[node]
        above[node] = above[before]
        if mover[before] >= 0 and sizes[infoset[before]] > 1:
            above[node] = tuple(sorted((*above[before], first[infoset[before]] + action[node])))
    terms: dict[Monomial, int] = {}
    for end, amount in zip(tree.leaf_indices.tolist(), weighted.numerators.tolist(), strict=True):
        terms[above[end]] = terms.get(above[end], 0) + int(amount)
    return Polynomial(joint, terms, weighted.denominator)


def _places(agents: BehaviourAgents) -> dict[int, slice]:
    """By information set of the tree: the place of its choices in the vector of all."""
    infosets = [own for choices in agents.tree.choices for own in choices.infosets.tolist()]
    return {
        infoset: slice(own.start, own.stop)
        for infoset, own in zip(infosets, agents.sets, strict=True)
    }


def _transformation(degree: int, corners: tuple[Corner, ...], exact: bool) -> Any:
    """The matrix from Bernstein coefficients on the simplex to those between some corners.

    Entry (α, β) is the coefficient of e^β in Π (corner as a sum of e)^α: the blossom.
    """
    rows = []
    alphas = exponents(degree, len(corners))
    for alpha in alphas:
        lines = [corners[at] for at, power in enumerate(alpha) for _ in range(power)]
        entry = dict.fromkeys(alphas, Fraction(0))
        for picked in product(range(len(corners)), repeat=degree):
            factor = Fraction(1)
            for line, at in zip(lines, picked, strict=True):
                factor *= line[at]
            if factor:
                entry[tuple(picked.count(at) for at in range(len(corners)))] += factor
        rows.append([entry[beta] for beta in alphas])
    table = np.array(rows, object)
    return table if exact else table.astype(np.float64)


def simple_below(number: Fraction) -> Fraction:
    """A short fraction not above a number, and close to it.

    >>> simple_below(Fraction(15, 32)), simple_below(Fraction(10**20, 3 * 10**20 + 1))
    (Fraction(15, 32), Fraction(333, 1000))
    """
    if number.denominator <= SHORT or number <= 0:
        return number
    unit = Fraction(1, 1000)
    while number < 100 * unit:
        unit /= 10
    return number // unit * unit
