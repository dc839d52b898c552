"""What a player expects, as a polynomial in the probabilities of its own choices.

With the others' strategies fixed, a leaf adds its worth (nature's and the others' probability times
the payoff) times the product of the player's own choices on the way there:

    u(b) = Σ worth(path) · Π b(choice)        over the player's paths, choices on a path multiplied

A player who comes to each information set at most once gets a polynomial that is linear in each
set's probabilities, and then some pure strategy is best. Where a play may come to a set twice
(absent-mindedness, Piccione & Rubinstein 1997), squares and products appear, and the best may lie
strictly between.

*Backing up.* A set that is come to once, and after one product m of own choices only, adds
m · Σ b(a) w(a); as m >= 0, the best action there is the one with the largest w, whatever happens
elsewhere. It is filled in, and the set is gone. Repeated, this is dynamic programming wherever the
player remembers; what is left are the sets at which forgetting matters.

Good points of a polynomial over behaviour probabilities, quickly and in floats: climbing.

From some starts, the probability of every action grows in proportion to exp(step · slope). A step
that leads down is halved and one that leads up is doubled, so the value never falls. Where that
ends no small change helps: a local maximum, mostly. Nothing is proved here; these are candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from infoset.forms.normal import find_routes
from infoset.linear.numbers import Numbers
from infoset.tree import Tree
from infoset.tree.choices import Choices

Monomial = tuple[int, ...]  # own choices, in order; one that is made twice stands there twice
Point = dict[int, list[Fraction]]  # by own set: the probabilities of its actions


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A sum of products of a player's choices, in whole numbers over a denominator."""

    choices: Choices
    terms: Mapping[Monomial, int]
    under: int = 1
    settled: Mapping[int, int] = field(default_factory=dict)  # by own set: its action, backed up

    @cached_property
    def degrees(self) -> dict[int, int]:
        """By own set that still matters: how often one play comes there."""
        owner = self.choices.owner.tolist()
        most: dict[int, int] = {}
        for monomial in self.terms:
            sets = [owner[choice] for choice in monomial]
            for own in set(sets):
                most[own] = max(most.get(own, 0), sets.count(own))
        return dict(sorted(most.items()))

    def actions(self, own: int) -> range:
        """The choices of a set."""
        first = int(self.choices.first[own])
        return range(first, first + int(self.choices.sizes[own]))

    def value(self, point: Point) -> Fraction:
        """What it is worth at a point."""
        return self._sum(point, self.terms.items())

    def slopes(self, point: Point) -> Point:
        """By set and action: the derivative by that probability."""
        found: Point = {own: [Fraction(0)] * len(self.actions(own)) for own in self.degrees}
        for choice, terms in self.derivatives.items():
            own = int(self.choices.owner[choice])
            found[own][choice - self.actions(own)[0]] = self._sum(point, terms)
        return found

    @cached_property
    def derivatives(self) -> dict[int, list[tuple[Monomial, int]]]:
        """By choice: the terms of the derivative by its probability."""
        found: dict[int, list[tuple[Monomial, int]]] = {}
        for monomial, amount in self.terms.items():
            for choice in set(monomial):
                at = monomial.index(choice)
                rest = monomial[:at] + monomial[at + 1 :]
                found.setdefault(choice, []).append((rest, amount * monomial.count(choice)))
        return found

    def bends(self, point: Point, one: int, two: int) -> float:
        """The second derivative by two choices, as a float."""
        terms = self.derivatives.get(one, ())
        again = [
            ((*rest[: rest.index(two)], *rest[rest.index(two) + 1 :]), amount * rest.count(two))
            for rest, amount in terms
            if two in rest
        ]
        return float(self._sum(point, again))

    def _sum(self, point: Point, terms: Iterable[tuple[Monomial, int]]) -> Fraction:
        # In whole numbers over one denominator: fractions would be reduced at every step.
        whole = Numbers.of([share for probabilities in point.values() for share in probabilities])
        under = int(whole.denominator)
        choices = [choice for own in point for choice in self.actions(own)]
        share = dict(zip(choices, map(int, whole.numerators), strict=True))
        by_length: dict[int, int] = {}
        for monomial, amount in terms:
            part = amount
            for choice in monomial:
                part *= share[choice]
                if not part:
                    break
            by_length[len(monomial)] = by_length.get(len(monomial), 0) + part
        total = sum(
            (Fraction(part, under**length) for length, part in by_length.items()), Fraction(0)
        )
        return total / self.under

    def taking(self, own: int, action: int) -> Polynomial:
        """The same with one action taken at a set."""
        mine = self.actions(own)
        terms: dict[Monomial, int] = {}
        for monomial, amount in self.terms.items():
            if any(choice in mine and choice != mine[action] for choice in monomial):
                continue
            rest = tuple(choice for choice in monomial if choice not in mine)
            terms[rest] = terms.get(rest, 0) + amount
        return Polynomial(self.choices, _nonzero(terms), self.under)

    def parts(self) -> list[Polynomial]:
        """Sums of which no two share a set: each may be made largest by itself.

        The constant goes with the first; without sets there is one part.
        """
        owner = self.choices.owner.tolist()
        leader = {own: own for own in self.degrees}

        def find(own: int) -> int:
            while leader[own] != own:
                own = leader[own]
            return own

        for monomial in self.terms:
            for choice in monomial[1:]:
                leader[find(owner[choice])] = find(owner[monomial[0]])
        groups: dict[int, dict[Monomial, int]] = {find(own): {} for own in self.degrees} or {-1: {}}
        for monomial, amount in self.terms.items():
            group = find(owner[monomial[0]]) if monomial else next(iter(groups))
            groups[group][monomial] = amount
        return [Polynomial(self.choices, terms, self.under) for terms in groups.values()]


def payoff_polynomial(tree: Tree, number: int, others: Numbers) -> Polynomial:
    """A player's payoff in its own choices, with all backed up that can be.

    ``others`` is, for each of the tree's ``leaf_indices``, the probability that nature and
    everyone else do their part in reaching it; floats count as the rationals that they are.

    >>> from infoset.games import absent_minded
    >>> tree = absent_minded().tree()
    >>> dict(payoff_polynomial(tree, 0, Numbers.of([1, 1, 0, 1])).terms)  # two plays D
    {(2,): 2, (1, 1): 1, (1, 2): 100}
    """
    if not others.exact:
        others = Numbers.of([Fraction(float(value)) for value in others.numerators])
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.leaf_indices]
    worth = others.times(tree.leaf_payoffs[number]).group_sums(path, len(routes.origin))
    choices = tree.choices[number]
    first = choices.first.tolist()
    products: list[Monomial] = [()] * len(routes.origin)
    for before, own, on, size in routes.branch_points:
        for action in range(size if size > 1 else 0):
            products[on + action] = tuple(sorted((*products[before], first[own] + action)))
    terms: dict[Monomial, int] = {}
    for product, amount in zip(products, worth.numerators.tolist(), strict=True):
        if amount:
            terms[product] = terms.get(product, 0) + int(amount)
    return backed_up(Polynomial(choices, _nonzero(terms), worth.denominator))


def backed_up(given: Polynomial) -> Polynomial:
    """The same without the sets at which the best action does not depend on what is done elsewhere.

    ``settled`` says what that action is; the largest value stays what it was.
    """
    owner = given.choices.owner.tolist()
    terms, settled = dict(given.terms), dict(given.settled)
    waiting = sorted(given.degrees, reverse=True)
    while waiting:
        later = []
        by_set = _by_set(terms, owner)
        for own in waiting:
            rests = _lone_product(by_set.get(own, []), terms, own, owner)
            if rests is None:
                later.append(own)
                continue
            product, worth = rests
            actions = given.actions(own)
            amounts = [worth.get(choice, 0) for choice in actions]
            settled[own] = amounts.index(max(amounts))
            for choice in actions:
                terms.pop(tuple(sorted((*product, choice))), None)
            if max(amounts):
                terms[product] = terms.get(product, 0) + max(amounts)
                for choice in set(product):
                    by_set.setdefault(owner[choice], []).append(product)
        if len(later) == len(waiting):
            break
        waiting = later
    return Polynomial(given.choices, _nonzero(terms), given.under, settled)


def _by_set(terms: Mapping[Monomial, int], owner: Sequence[int]) -> dict[int, list[Monomial]]:
    found: dict[int, list[Monomial]] = {}
    for monomial in terms:
        for own in {owner[choice] for choice in monomial}:
            found.setdefault(own, []).append(monomial)
    return found


def _lone_product(
    known: list[Monomial], terms: Mapping[Monomial, int], own: int, owner: Sequence[int]
) -> tuple[Monomial, dict[int, int]] | None:
    """The one product after which a set is come to, and by choice what follows; None if several."""
    product: Monomial | None = None
    worth: dict[int, int] = {}
    for monomial in known:
        if monomial not in terms:
            continue
        mine = [choice for choice in monomial if owner[choice] == own]
        rest = tuple(choice for choice in monomial if owner[choice] != own)
        if len(mine) > 1 or (product is not None and rest != product):
            return None
        product = rest
        worth[mine[0]] = terms[monomial]
    return (product or (), worth)


def _nonzero(terms: Mapping[Monomial, int]) -> dict[Monomial, int]:
    return {monomial: amount for monomial, amount in terms.items() if amount}


Floats = npt.NDArray[np.float64]

STARTS = 6
STEPS = 150
STILL = 1e-13  # a move that leads nowhere
SHORTEST = 1e-6  # a step after which a climb is over
GONE = 1e-7  # a probability that counts as none
DENOMINATOR = 10**9


def local_maxima(given: Polynomial) -> list[Point]:
    """Where climbs from even odds and from random starts end, the best first."""
    if not given.degrees:
        return [{}]
    climb = _Climb(given)
    starts = np.random.default_rng(0).exponential(size=(climb.count, STARTS))
    starts[:, 0] = 1.0
    values, probabilities = climb.up(climb.normal(starts))
    return [climb.point(probabilities[:, at]) for at in np.argsort(-values, kind="stable").tolist()]


class _Climb:
    """A polynomial as arrays: each term's places and amount. Climbs are columns."""

    def __init__(self, given: Polynomial) -> None:
        self.given = given
        self.sets = list(given.degrees)
        place: dict[int, int] = {}
        owner: list[int] = []
        for at, own in enumerate(self.sets):
            for choice in given.actions(own):
                place[choice] = len(owner)
                owner.append(at)
        self.owner = np.array(owner)  # [choice] the number of its set
        self.first = np.searchsorted(self.owner, np.arange(len(self.sets)))
        self.count = len(owner)
        longest = max(map(len, given.terms), default=0)
        one = self.count  # the place of a factor that is 1
        self.places = np.array(
            [[*map(place.__getitem__, m), *[one] * (longest - len(m))] for m in given.terms],
            np.int64,
        ).reshape(len(given.terms), longest)
        largest = max(map(abs, given.terms.values()), default=1)
        self.amounts = np.array([float(Fraction(a, largest)) for a in given.terms.values()])

    def normal(self, probabilities: Floats) -> Floats:
        """Each set's shares with sum 1, climb by climb."""
        return np.asarray(probabilities / np.add.reduceat(probabilities, self.first)[self.owner])

    def slopes(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """[climb] the value, and [choice, climb] its derivatives."""
        count = probabilities.shape[1]
        factors = np.concatenate((probabilities, np.ones((1, count))))[
            self.places
        ]  # [term, at, climb]
        total = np.zeros((self.count + 1, count))
        before = np.repeat(self.amounts[:, None, None], factors.shape[1] + 1, axis=1) * np.ones(
            count
        )
        before[:, 1:] *= np.cumprod(factors, axis=1)
        after = np.ones((len(factors), count))
        for at in range(factors.shape[1] - 1, -1, -1):
            np.add.at(total, self.places[:, at], before[:, at] * after)
            after *= factors[:, at]
        return before[:, -1].sum(axis=0), total[: self.count]

    def up(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """[climb] what it is worth where a climb ends, and [choice, climb] the shares there.

        The climbs go on together, each with a step of its own, until none gets anywhere.
        """
        value, slopes = self.slopes(probabilities)
        step = np.ones(len(value))
        for _ in range(STEPS):
            top = np.maximum.reduceat(slopes, self.first)[self.owner]
            trial = self.normal(probabilities * np.exp(step * (slopes - top)))
            worth, further = self.slopes(trial)
            still = np.abs(trial - probabilities).max(axis=0) < STILL
            up = worth >= value
            probabilities, slopes = (
                np.where(up, trial, probabilities),
                np.where(up, further, slopes),
            )
            value, step = np.where(up, worth, value), np.where(up, step * 2, step / 4)
            if (still | (step < SHORTEST)).all():
                break
        return value, probabilities

    def point(self, probabilities: Floats) -> Point:
        """Floats as fractions nearby, without what is as good as nothing."""
        found: Point = {}
        for at, own in enumerate(self.sets):
            mine = [
                float(s) for s, owner in zip(probabilities, self.owner, strict=True) if owner == at
            ]
            row = [Fraction(s).limit_denominator(DENOMINATOR) if s > GONE else 0 for s in mine]
            kept = row.index(max(row))
            row[kept] = 1 - sum(row[:kept] + row[kept + 1 :], Fraction(0))
            found[own] = [Fraction(share) for share in row]
        return found
