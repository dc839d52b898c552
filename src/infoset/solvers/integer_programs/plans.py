"""Payoffs as whole numbers of one unit, for integer programs in floats.

All leaves are weighed by nature's probability and by what they pay, less the least that they pay.
Over the common denominator, and without common factor, these are whole numbers of one *unit*. Pure
strategies get whole units, so that the least gain is one.

Floats hold whole numbers exactly while they are not too large. So all weights together are brought
down to a million or so, by a power of two, which changes no digit. Where they are farther apart
than floats can say, a program is near to what was meant: whatever it finds must be judged by what
the players get from it, and that it finds nothing proves nothing.

Pure strategies as the 0s and 1s of an integer program, and what players want as its rows.

A player's pure strategy is a column for each of its paths (:mod:`infoset.forms.normal`): 1 if the
strategy makes all choices of the path. Where a path comes to an information set it goes on in
exactly one way,

    x(path) = Σ x(path, action),

and a player who forgets, and comes to a set by several paths, goes on in the same way on all of
them: x(path, action) <= c(set, action), Σ c = 1. All leaves are weighed by nature's probability and
by what they pay, less the least that they pay, as whole numbers w. So the least gain is one unit.

*Replies.* The others together let a leaf be reached if the product g of their columns is 1. What a
player who remembers can still get at an information set is a column p; it is the most that any
action gets, and the action that is played gets it:

    0 <= p(set) − Σ w·g − Σ p(later set) <= M·(1 − x(path, action)) + ε

with sums over the leaves and the sets that come right after the action. M is as large as p may be.
The ε keep the true solutions off the borders of what is allowed; they add up to half a unit at
most, and a gain is one at least. For two players g is a column of the other's, and this is the
linear complementarity problem of the sequence form (Koller, Megiddo & von Stengel 1994) in whole
numbers.

A player who forgets has no such p. Its replies are rows of their own, written when they are needed:

    Σ w·(x·g) >= Σ w·g  over the leaves that the reply lets be reached,  less half a unit.

*Floors.* What the other, if it remembers, cannot but leave a player is a column q for each of the
other's sets, at most what any of its actions leaves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from math import floor, gcd

import numpy as np
import numpy.typing as npt

from infoset.forms.normal import Parting, Routes, find_routes
from infoset.linear.numbers import EXACT_FLOAT
from infoset.solvers.integer_programs.program import ONE, Draft
from infoset.solvers.integer_programs.program import Floats as ProgramFloats
from infoset.strategy import Pure
from infoset.tree import Tree

LARGE = 1 << 20  # all weights together are made no larger than this, by powers of two
FINE = 2.0**-20  # a difference below this would be lost among floats

Floats = npt.NDArray[np.float64]


class Weights:
    """What a player weighs leaves by: whole numbers of one unit, and powers of two beyond.

    >>> from infoset.games import kuhn
    >>> weights = Weights(kuhn().tree(), 0)
    >>> weights.value(0), weights.value(1), weights.units(Fraction(-1, 6))
    (Fraction(-2, 1), Fraction(-11, 6), Fraction(11, 1))
    """

    def __init__(self, tree: Tree, number: int) -> None:
        stake = tree.leaf_payoffs[number]
        least = min(map(int, stake.numerators))
        self.least = stake.values()[int(np.argmin(stake.numerators))]
        spread = [int(amount) - least for amount in stake.numerators]
        chance = tree.nature.take(tree.leaf_indices)
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
        """A payoff in units; pure strategies get whole ones."""
        return Fraction((value - self.least) * self.over / self.unit)

    def scaled(self, units: Fraction | int) -> float:
        """A number of units as programs have it; also where there are more than floats can say."""
        return float(Fraction(units) / (1 << self.shift))

    def at_most(self, amount: float) -> int:
        """The whole units in an amount of a program, with what floats may have missed."""
        return floor(Fraction(amount) * (1 << self.shift))

    @property
    def half(self) -> float:
        """Half a unit, or more, if floats would not see that."""
        return max(self.scale / 2, FINE)

    def value(self, units: int) -> Fraction:
        """The payoff of a number of units."""
        return Fraction(Fraction(units * self.unit, self.over) + self.least)


Longs = npt.NDArray[np.int64]


class Paths:
    """Where one player's own choices lead."""

    def __init__(self, tree: Tree, number: int) -> None:
        self.tree, self.number, self.routes = tree, number, find_routes(tree, number)
        self.path: Longs = np.array(self.routes.path, np.int64)[tree.leaf_indices]  # [leaf]
        self.partings = [parting for parting in self.routes.partings if parting.size > 1]

    def plan(self, choose: Callable[[Parting], int]) -> Pure:
        """The reduced plan that follows from what is chosen where a set is first come to."""
        alive, chosen = {0}, dict[int, int]()
        for parting in self.routes.partings:
            path, own, first, size = parting
            if path in alive:
                if own not in chosen:
                    chosen[own] = choose(parting) if size > 1 else 0
                alive.add(first + chosen[own])
        infosets = self.routes.infosets
        taken = tuple((infosets[own], chosen[own]) for own in sorted(chosen))
        return Pure(self.tree, self.tree.names[self.number], taken)

    def reduced(self, strategy: Pure) -> Pure:
        """The strategy without what it says of sets that it does not let the player come to."""
        actions, infosets = strategy.action_at, self.routes.infosets
        return self.plan(lambda parting: int(actions[infosets[parting.own]]))


class Ways(Paths):
    """The columns of one player's pure strategies."""

    def __init__(self, draft: Draft, tree: Tree, number: int) -> None:
        super().__init__(tree, number)
        paths = len(self.routes.origin)
        self.column = [ONE] + [draft.column(1.0, whole=True) for _ in range(1, paths)]
        comes = np.bincount([parting.own for parting in self.partings] or [0])
        common: dict[int, list[int]] = {}  # by set that several paths come to: its actions' columns
        for path, own, first, size in self.partings:
            onward = self.column[first : first + size]
            draft.row({self.column[path]: -1.0, **dict.fromkeys(onward, 1.0)}, 0.0, 0.0)
            if comes[own] < 2:
                continue
            if own not in common:
                common[own] = [draft.column(1.0, whole=True) for _ in range(size)]
                draft.row(dict.fromkeys(common[own], 1.0), 1.0, 1.0)
            for action, column in zip(common[own], onward, strict=True):
                draft.row({column: 1.0, action: -1.0}, upper=0.0)

    def read(self, values: ProgramFloats) -> Pure:
        """The reduced plan that the columns' values say."""

        def choose(parting: Parting) -> int:
            onward = self.column[parting.first : parting.first + parting.size]
            return int(np.argmax(values[onward]))

        return self.plan(choose)

    def taken(self, strategy: Pure) -> list[int]:
        """The columns that are 1 in a strategy, the constant one left out."""
        alive = {0}
        for path, own, first, _ in self.partings:
            if path in alive:
                alive.add(first + int(strategy.action_at[self.routes.infosets[own]]))
        return [self.column[path] for path in sorted(alive) if path]


def add_replies(draft: Draft, everyone: list[Ways], number: int, weights: Weights) -> None:
    """A player who remembers does not gain by anything else."""
    ways = everyone[number]
    pays = _by_path(draft, everyone, number, weights)
    after = _later(ways)
    most = _ceilings(ways, _most_by_path(everyone, number, weights), after)
    value = [draft.column(most[at]) for at in range(len(ways.partings))]
    room = max(_share(len(ways.partings)) * weights.scale, FINE)
    for at, (_, _, first, size) in enumerate(ways.partings):
        for path in range(first, first + size):
            terms = defaultdict(float, {value[at]: 1.0})
            for column, weight in pays[path].items():
                terms[column] -= weight
            for later in after[path]:
                terms[value[later]] -= 1.0
            draft.row(terms, lower=0.0)
            terms[ways.column[path]] += most[at]
            draft.row(terms, upper=most[at] + room)


def add_reply(
    draft: Draft, everyone: list[Ways], number: int, weights: Weights, reply: Pure
) -> None:
    """What a player gets is not less than by this reply."""
    lets = reply.at(everyone[number].tree.leaf_indices).numerators
    terms: defaultdict[int, float] = defaultdict(float)
    for leaf in np.flatnonzero(weights.leaf).tolist():
        columns = [ways.column[ways.path[leaf]] for ways in everyone]
        terms[draft.product(tuple(columns))] += weights.leaf[leaf]
        if lets[leaf]:
            del columns[number]
            terms[draft.product(tuple(columns))] -= weights.leaf[leaf]
    draft.row(terms, lower=-weights.half)


def add_floor(draft: Draft, own: Ways, other: Paths, weights: Weights) -> dict[int, float]:
    """What the other cannot but leave a player, as a sum of columns; the other must remember."""
    leaves: list[defaultdict[int, float]] = [defaultdict(float) for _ in other.routes.origin]
    below = np.zeros(len(leaves))
    for leaf in np.flatnonzero(weights.leaf).tolist():
        leaves[other.path[leaf]][own.column[own.path[leaf]]] += weights.leaf[leaf]
        below[other.path[leaf]] += weights.leaf[leaf]
    after = _later(other)
    most = _ceilings(other, below, after)
    value = [draft.column(most[at]) for at in range(len(other.partings))]
    for at, (_, _, first, size) in enumerate(other.partings):
        for path in range(first, first + size):
            terms = leaves[path]
            for later in after[path]:
                terms[value[later]] += 1.0
            draft.row({**terms, value[at]: -1.0}, lower=0.0)
    return {**leaves[0], **{value[later]: 1.0 for later in after[0]}}


def add_ceiling(draft: Draft, sure: int, own: Ways, other: Pure, weights: Weights) -> None:
    """The column ``sure`` is at most what one strategy of the other leaves."""
    lets = other.at(own.tree.leaf_indices).numerators
    terms: defaultdict[int, float] = defaultdict(float, {sure: -1.0})
    for leaf in np.flatnonzero((lets > 0) & (weights.leaf > 0)).tolist():
        terms[own.column[own.path[leaf]]] += weights.leaf[leaf]
    draft.row(terms, lower=0.0)


def exclude(draft: Draft, everyone: list[Ways], strategies: tuple[Pure, ...]) -> None:
    """Not these again: some path that they take is not taken.

    That leaves out nothing else, for no plan takes all paths of another and one more.
    """
    taken = [
        column for ways, own in zip(everyone, strategies, strict=True) for column in ways.taken(own)
    ]
    draft.row(dict.fromkeys(taken, 1.0), upper=len(taken) - 1.0)


def _share(sets: int) -> float:
    """A power of two that adds up to half at most over so many sets."""
    return float(2.0 ** -(1 + max(sets, 1).bit_length()))


def _later(ways: Paths) -> list[list[int]]:
    """[path] the partings that come right after it."""
    after: list[list[int]] = [[] for _ in ways.routes.origin]
    for at, parting in enumerate(ways.partings):
        after[parting.path].append(at)
    return after


def _by_path(
    draft: Draft, everyone: list[Ways], number: int, weights: Weights
) -> list[dict[int, float]]:
    """[own path] what the leaves at its end pay, by the column of what the others do."""
    others = [ways for ways in everyone if ways.number != number]
    pays: list[dict[int, float]] = [defaultdict(float) for _ in everyone[number].routes.origin]
    own = everyone[number].path
    for leaf in np.flatnonzero(weights.leaf).tolist():
        column = draft.product(tuple(ways.column[ways.path[leaf]] for ways in others))
        pays[own[leaf]][column] += weights.leaf[leaf]
    return pays


def _most_by_path(everyone: list[Ways], number: int, weights: Weights) -> ProgramFloats:
    """[own path] the most that its leaves can pay, whatever pure strategy any one other plays."""
    own = everyone[number].path
    size = len(everyone[number].routes.origin)
    most: ProgramFloats = np.bincount(own, weights.leaf, minlength=size).astype(np.float64)
    order = np.argsort(own, kind="stable")
    cuts = np.searchsorted(own[order], np.arange(len(most) + 1))
    for path in range(len(most)):
        leaves = order[cuts[path] : cuts[path + 1]]
        for ways in everyone:
            if ways.number != number and len(leaves) > 1:
                kindest = _kindest(ways.routes, ways.path[leaves], weights.leaf[leaves])
                most[path] = min(most[path], kindest)
    return most


def _kindest(routes: Routes, paths: Longs, amounts: ProgramFloats) -> float:
    """The most that one who remembers lets be reached of amounts at the ends of its paths."""
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
    while waiting:  # later partings first
        parting: Parting = routes.partings[-heappop(waiting)]
        after = (total.get(parting.first + action, 0.0) for action in range(parting.size))
        total[parting.path] += max(after)
        meet(parting.path)
    return total[0]


def _ceilings(ways: Paths, leaves: ProgramFloats, after: list[list[int]]) -> list[float]:
    """[parting] the most that can be paid from there on."""
    most = [0.0] * len(ways.partings)
    for at in range(len(ways.partings) - 1, -1, -1):
        _, _, first, size = ways.partings[at]
        most[at] = max(
            float(leaves[path]) + sum(most[later] for later in after[path])
            for path in range(first, first + size)
        )
    return most
