"""Pure strategies as binary variables of an integer program, and best responses as its rows.

A player's pure strategy has a binary column for each of its paths (:mod:`infoset.forms.normal`): 1
if the strategy makes all choices of the path. At an information set a path continues with exactly
one action,

    x(path) = Σ x(path, action),

and a player with imperfect recall, who reaches a set by several paths, takes the same action on all
of them: x(path, action) <= c(set, action), Σ c = 1.

*Units.* Leaves are weighed by chance's probability times the payoff, less the smallest payoff. Over
the common denominator, and without common factor, these weights w are integers: multiples of one
*unit*. Pure strategies get whole units, so that the smallest positive gain is one unit. Floats hold
integers exactly while they are not too large, so all weights together are scaled to about a million
by a power of two, which changes no digit. Where weights are farther apart than floats can express,
the program is only close to the intended one: whatever it finds must be judged by exact payoffs,
and that it finds nothing proves nothing.

*Best responses.* The others together allow a leaf to be reached if the product g of their columns
is 1. The continuation value of a player with perfect recall at an information set is a column p; it
is the maximum over the actions, and is attained by the action that is played:

    0 <= p(set) − Σ w·g − Σ p(later set) <= M·(1 − x(path, action)) + ε

with sums over the leaves and the sets that come right after the action; M is an upper bound of p.
The ε keep true solutions away from the boundary; they add up to half a unit at most, and a gain is
at least one. For two players g is a column of the other player, and this is the linear
complementarity problem of the sequence form (Koller, Megiddo & von Stengel 1994) in integers.

A player with imperfect recall has no such p. Its deviations are rows of their own, added when they
are needed:

    Σ w·(x·g) >= Σ w·g  over the leaves that the deviation allows,  less half a unit.

*Guarantees.* What a strategy guarantees against an opponent with perfect recall is a column q for
each of the opponent's information sets, at most what any of the opponent's actions leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from math import floor, gcd

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.forms.normal import BranchPoint, Routes, find_routes
from infoset.linear.numbers import EXACT_FLOAT
from infoset.solvers.integer_programs.program import ONE, BinaryProgram
from infoset.strategy import Pure
from infoset.tree import Tree

LARGE = 1 << 20  # bound of the sum of all weights, after scaling
FINE = 2.0**-20  # the smallest difference that floats resolve here

Floats = npt.NDArray[np.float64]


class LeafWeights:
    """The weights of leaves for one player: integers of one unit, scaled by a power of two.

    >>> from infoset.games import kuhn
    >>> weights = LeafWeights(kuhn().tree(), 0)
    >>> weights.value(0), weights.value(1), weights.units(Fraction(-1, 6))
    (Fraction(-2, 1), Fraction(-11, 6), Fraction(11, 1))
    """

    def __init__(self, tree: Tree, number: int) -> None:
        stake = tree.leaf_payoffs[number]
        least = min(map(int, stake.numerators))
        self.least = stake.values()[int(np.argmin(stake.numerators))]
        spread = [int(amount) - least for amount in stake.numerators]
        chance = tree.chance_reach.take(tree.leaf_indices)
        whole = [int(n) * amount for n, amount in zip(chance.numerators, spread, strict=True)]
        self.unit = gcd(*whole) or 1  # of 1 over the two denominators
        self.over = chance.denominator * stake.denominator
        counts = [amount // self.unit for amount in whole]
        total = sum(counts)
        self.fits = total < EXACT_FLOAT  # so that all sums are exact as floats
        self.shift = max(total.bit_length() - LARGE.bit_length(), 0)
        self.scale = 2.0**-self.shift  # of a unit; 0 if that is too small for floats
        self.leaf: Floats = np.array([self.scaled(count) for count in counts])
        self.total = float(self.leaf.sum())

    def units(self, value: Fraction) -> Fraction:
        """A payoff in units; pure strategies get whole units."""
        return Fraction((value - self.least) * self.over / self.unit)

    def scaled(self, units: Fraction | int) -> float:
        """A number of units as a coefficient, also where floats cannot express it exactly."""
        return float(Fraction(units) / (1 << self.shift))

    def at_most(self, amount: float) -> int:
        """The whole units in a value of the program."""
        return floor(Fraction(amount) * (1 << self.shift))

    @property
    def half(self) -> float:
        """Half a unit, or more where floats cannot resolve that."""
        return max(self.scale / 2, FINE)

    def value(self, units: int) -> Fraction:
        """The payoff of a number of units."""
        return Fraction(Fraction(units * self.unit, self.over) + self.least)


Longs = npt.NDArray[np.int64]


class PlanPaths:
    """The paths of one player's own choices."""

    def __init__(self, tree: Tree, number: int) -> None:
        self.tree, self.number, self.routes = tree, number, find_routes(tree, number)
        self.path: Longs = np.array(self.routes.path, np.int64)[tree.leaf_indices]  # [leaf]
        self.branch_points = [
            branch_point for branch_point in self.routes.branch_points if branch_point.size > 1
        ]

    def plan(self, choose: Callable[[BranchPoint], int]) -> Pure:
        """The reduced plan given by a choice at each information set when first reached."""
        alive, chosen = {0}, dict[int, int]()
        for branch_point in self.routes.branch_points:
            path, own, first, size = branch_point
            if path in alive:
                if own not in chosen:
                    chosen[own] = choose(branch_point) if size > 1 else 0
                alive.add(first + chosen[own])
        infosets = self.routes.infosets
        taken = tuple((infosets[own], chosen[own]) for own in sorted(chosen))
        return Pure(self.tree, self.tree.names[self.number], taken)

    def reduced(self, strategy: Pure) -> Pure:
        """The strategy without actions at information sets that it does not reach."""
        actions, infosets = strategy.action_at, self.routes.infosets
        return self.plan(lambda branch_point: int(actions[infosets[branch_point.own]]))


class PlanColumns(PlanPaths):
    """The binary columns of one player's pure strategies."""

    def __init__(self, program: BinaryProgram, tree: Tree, number: int) -> None:
        super().__init__(tree, number)
        paths = len(self.routes.origin)
        self.column = [ONE] + [program.column(1.0, whole=True) for _ in range(1, paths)]
        comes = np.bincount([branch_point.own for branch_point in self.branch_points] or [0])
        common: dict[int, list[int]] = {}  # by set that several paths reach: its actions' columns
        for path, own, first, size in self.branch_points:
            onward = self.column[first : first + size]
            program.row({self.column[path]: -1.0, **dict.fromkeys(onward, 1.0)}, 0.0, 0.0)
            if comes[own] < 2:
                continue
            if own not in common:
                common[own] = [program.column(1.0, whole=True) for _ in range(size)]
                program.row(dict.fromkeys(common[own], 1.0), 1.0, 1.0)
            for action, column in zip(common[own], onward, strict=True):
                program.row({column: 1.0, action: -1.0}, upper=0.0)

    def read(self, values: Floats) -> Pure:
        """The reduced plan of a solution's values."""

        def choose(branch_point: BranchPoint) -> int:
            onward = self.column[branch_point.first : branch_point.first + branch_point.size]
            return int(np.argmax(values[onward]))

        return self.plan(choose)

    def taken(self, strategy: Pure) -> list[int]:
        """The columns that are 1 in a strategy, without the constant one."""
        alive = {0}
        for path, own, first, _ in self.branch_points:
            if path in alive:
                alive.add(first + int(strategy.action_at[self.routes.infosets[own]]))
        return [self.column[path] for path in sorted(alive) if path]


def add_best_response_rows(
    program: BinaryProgram, everyone: list[PlanColumns], number: int, weights: LeafWeights
) -> None:
    """Require that a player with perfect recall plays a best response."""
    each = everyone[number]
    pays = _payoffs_by_path(program, everyone, number, weights)
    after = _partings_after(each)
    most = _upper_bounds(each, _most_by_path(everyone, number, weights), after)
    value = [program.column(most[at]) for at in range(len(each.branch_points))]
    room = max(_tolerance(len(each.branch_points)) * weights.scale, FINE)
    for at, (_, _, first, size) in enumerate(each.branch_points):
        for path in range(first, first + size):
            terms = defaultdict(float, {value[at]: 1.0})
            for column, weight in pays[path].items():
                terms[column] -= weight
            for later in after[path]:
                terms[value[later]] -= 1.0
            program.row(terms, lower=0.0)
            terms[each.column[path]] += most[at]
            program.row(terms, upper=most[at] + room)


def add_deviation_row(
    program: BinaryProgram,
    everyone: list[PlanColumns],
    number: int,
    weights: LeafWeights,
    reply: Pure,
) -> None:
    """Require that a player does not gain by this deviation."""
    allowed = reply.at(everyone[number].tree.leaf_indices).numerators
    terms: defaultdict[int, float] = defaultdict(float)
    for leaf in np.flatnonzero(weights.leaf).tolist():
        columns = [each.column[each.path[leaf]] for each in everyone]
        terms[program.product(tuple(columns))] += weights.leaf[leaf]
        if allowed[leaf]:
            del columns[number]
            terms[program.product(tuple(columns))] -= weights.leaf[leaf]
    program.row(terms, lower=-weights.half)


def add_guarantee(
    program: BinaryProgram, own: PlanColumns, other: PlanPaths, weights: LeafWeights
) -> dict[int, float]:
    """What a strategy guarantees against an opponent with perfect recall, as a sum of columns."""
    leaves: list[defaultdict[int, float]] = [defaultdict(float) for _ in other.routes.origin]
    below = np.zeros(len(leaves))
    for leaf in np.flatnonzero(weights.leaf).tolist():
        leaves[other.path[leaf]][own.column[own.path[leaf]]] += weights.leaf[leaf]
        below[other.path[leaf]] += weights.leaf[leaf]
    after = _partings_after(other)
    most = _upper_bounds(other, below, after)
    value = [program.column(most[at]) for at in range(len(other.branch_points))]
    for at, (_, _, first, size) in enumerate(other.branch_points):
        for path in range(first, first + size):
            terms = leaves[path]
            for later in after[path]:
                terms[value[later]] += 1.0
            program.row({**terms, value[at]: -1.0}, lower=0.0)
    return {**leaves[0], **{value[later]: 1.0 for later in after[0]}}


def add_reply_bound(
    program: BinaryProgram, sure: int, own: PlanColumns, other: Pure, weights: LeafWeights
) -> None:
    """The column ``sure`` is at most the payoff against one strategy of the opponent."""
    allowed = other.at(own.tree.leaf_indices).numerators
    terms: defaultdict[int, float] = defaultdict(float, {sure: -1.0})
    for leaf in np.flatnonzero((allowed > 0) & (weights.leaf > 0)).tolist():
        terms[own.column[own.path[leaf]]] += weights.leaf[leaf]
    program.row(terms, lower=0.0)


def exclude(
    program: BinaryProgram, everyone: list[PlanColumns], strategies: tuple[Pure, ...]
) -> None:
    """Exclude a profile: not all of its paths may be taken.

    No other profile is excluded, because no plan takes all paths of another and one more.
    """
    taken = [
        column for each, own in zip(everyone, strategies, strict=True) for column in each.taken(own)
    ]
    program.row(dict.fromkeys(taken, 1.0), upper=len(taken) - 1.0)


def _tolerance(sets: int) -> float:
    """A power of two whose sum over so many sets is at most one half."""
    return float(2.0 ** -(1 + max(sets, 1).bit_length()))


def _partings_after(each: PlanPaths) -> list[list[int]]:
    """[path] the branch_points that come right after it."""
    after: list[list[int]] = [[] for _ in each.routes.origin]
    for at, branch_point in enumerate(each.branch_points):
        after[branch_point.path].append(at)
    return after


def _payoffs_by_path(
    program: BinaryProgram, everyone: list[PlanColumns], number: int, weights: LeafWeights
) -> list[dict[int, float]]:
    """[own path] the payoffs of the leaves at its end, by the column of the others' product."""
    others = [each for each in everyone if each.number != number]
    pays: list[dict[int, float]] = [defaultdict(float) for _ in everyone[number].routes.origin]
    own = everyone[number].path
    for leaf in np.flatnonzero(weights.leaf).tolist():
        column = program.product(tuple(each.column[each.path[leaf]] for each in others))
        pays[own[leaf]][column] += weights.leaf[leaf]
    return pays


def _most_by_path(everyone: list[PlanColumns], number: int, weights: LeafWeights) -> Floats:
    """[own path] an upper bound of what its leaves pay against any pure strategy of one other."""
    own = everyone[number].path
    size = len(everyone[number].routes.origin)
    most: Floats = np.bincount(own, weights.leaf, minlength=size).astype(np.float64)
    order = np.argsort(own, kind="stable")
    cuts = np.searchsorted(own[order], np.arange(len(most) + 1))
    for path in range(len(most)):
        look()
        leaves = order[cuts[path] : cuts[path + 1]]
        for each in everyone:
            if each.number != number and len(leaves) > 1:
                kindest = _most_allowed(each.routes, each.path[leaves], weights.leaf[leaves])
                most[path] = min(most[path], kindest)
    return most


def _most_allowed(routes: Routes, paths: Longs, amounts: Floats) -> float:
    """The largest sum of amounts at the ends of paths that one pure strategy reaches."""
    total: defaultdict[int, float] = defaultdict(float)
    waiting: list[int] = []
    met: set[int] = set()

    def meet(path: int) -> None:
        origin = routes.origin[path]
        if origin >= 0 and origin not in met:
            met.add(origin)
            heappush(waiting, -origin)

    for path, amount in zip(paths.tolist(), amounts.tolist(), strict=True):
        total[path] += amount
        meet(path)
    while waiting:  # later branch_points first
        branch_point: BranchPoint = routes.branch_points[-heappop(waiting)]
        after = (total.get(branch_point.first + action, 0.0) for action in range(branch_point.size))
        total[branch_point.path] += max(after)
        meet(branch_point.path)
    return total[0]


def _upper_bounds(each: PlanPaths, leaves: Floats, after: list[list[int]]) -> list[float]:
    """[branch point] an upper bound of the payoffs from there on."""
    most = [0.0] * len(each.branch_points)
    for at in range(len(each.branch_points) - 1, -1, -1):
        _, _, first, size = each.branch_points[at]
        most[at] = max(
            float(leaves[path]) + sum(most[later] for later in after[path])
            for path in range(first, first + size)
        )
    return most
