"""A player's expected payoff as a polynomial in the probabilities of its own choices.

With the others' strategies fixed, a leaf adds its value (the probability by chance and the others,
times the payoff) times the product of the player's own choices on the way there:

    u(b) = Σ value(path) · Π b(choice)        over the player's paths, choices on a path multiplied

If no play meets an information set twice, the polynomial is linear in each set's probabilities, and
some pure strategy is best. Under absent-mindedness (Piccione & Rubinstein 1997) squares and
products appear, and the maximum may be interior.

*Backward induction.* A set that is met once, after one product m of own choices only, adds
m · Σ b(a) w(a); as m >= 0, the best action there is the one with the largest w, whatever happens
elsewhere. It is substituted, and the set is removed. Repeated, this is dynamic programming wherever
the player has perfect recall; what remains are the sets at which imperfect recall matters.

*Local maxima* are found in floats by exponentiated gradient ascent: from some starts, the
probability of every action grows in proportion to exp(step · slope). A step that lowers the value
is halved and one that raises it is doubled, so that the value never falls. Nothing is proved there;
the points are candidates.
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

Monomial = tuple[int, ...]  # own choices, in order; one that is made twice occurs twice
Point = dict[int, list[Fraction]]  # by own set: the probabilities of its actions


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A sum of products of a player's choices, in integers over a denominator."""

    choices: Choices
    terms: Mapping[Monomial, int]
    under: int = 1
    settled: Mapping[int, int] = field(default_factory=dict)  # by removed own set: its action

    @cached_property
    def degrees(self) -> dict[int, int]:
        """By own set: its largest exponent, how often one play meets it."""
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
        """The value at a point."""
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
        # In integers over one denominator: fractions would be reduced at every step.
        whole = Numbers.of(
            [probability for probabilities in point.values() for probability in probabilities]
        )
        under = int(whole.denominator)
        choices = [choice for own in point for choice in self.actions(own)]
        probability = dict(zip(choices, map(int, whole.numerators), strict=True))
        by_length: dict[int, int] = {}
        for monomial, amount in terms:
            part = amount
            for choice in monomial:
                part *= probability[choice]
                if not part:
                    break
            by_length[len(monomial)] = by_length.get(len(monomial), 0) + part
        total = sum(
            (Fraction(part, under**length) for length, part in by_length.items()), Fraction(0)
        )
        return total / self.under

    def taking(self, own: int, action: int) -> Polynomial:
        """The restriction to one action at a set."""
        mine = self.actions(own)
        terms: dict[Monomial, int] = {}
        for monomial, amount in self.terms.items():
            if any(choice in mine and choice != mine[action] for choice in monomial):
                continue
            rest = tuple(choice for choice in monomial if choice not in mine)
            terms[rest] = terms.get(rest, 0) + amount
        return Polynomial(self.choices, _nonzero(terms), self.under)

    def parts(self) -> list[Polynomial]:
        """Summands of which no two share a set: each is maximized by itself.

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
    """A player's payoff in its own choices, after backward induction.

    ``others`` is as for :func:`~infoset.strategy.response.tree_best_response`; floats count as the
    rationals that they are.

    >>> from infoset.games import absent_minded
    >>> tree = absent_minded().tree()
    >>> dict(payoff_polynomial(tree, 0, Numbers.of([1, 1, 0, 1])).terms)  # two plays D
    {(2,): 2, (1, 1): 1, (1, 2): 100}
    """
    if not others.exact:
        others = Numbers.of([Fraction(float(value)) for value in others.numerators])
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.leaf_indices]
    payoffs = others.times(tree.leaf_payoffs[number]).group_sums(path, len(routes.origin))
    choices = tree.choices[number]
    first = choices.first.tolist()
    products: list[Monomial] = [()] * len(routes.origin)
    for before, own, on, size in routes.branch_points:
        for action in range(size if size > 1 else 0):
            products[on + action] = tuple(sorted((*products[before], first[own] + action)))
    terms: dict[Monomial, int] = {}
    for product, amount in zip(products, payoffs.numerators.tolist(), strict=True):
        if amount:
            terms[product] = terms.get(product, 0) + int(amount)
    return backed_up(Polynomial(choices, _nonzero(terms), payoffs.denominator))


def backed_up(given: Polynomial) -> Polynomial:
    """The same without the sets whose best action does not depend on the other choices.

    ``settled`` has that action; the maximum is the same.
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
            product, coefficients = rests
            actions = given.actions(own)
            amounts = [coefficients.get(choice, 0) for choice in actions]
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
    """The one product after which a set is met, and by choice what follows; None if several."""
    product: Monomial | None = None
    coefficients: dict[int, int] = {}
    for monomial in known:
        if monomial not in terms:
            continue
        mine = [choice for choice in monomial if owner[choice] == own]
        rest = tuple(choice for choice in monomial if owner[choice] != own)
        if len(mine) > 1 or (product is not None and rest != product):
            return None
        product = rest
        coefficients[mine[0]] = terms[monomial]
    return (product or (), coefficients)


def _nonzero(terms: Mapping[Monomial, int]) -> dict[Monomial, int]:
    return {monomial: amount for monomial, amount in terms.items() if amount}


Floats = npt.NDArray[np.float64]

STARTS = 6
STEPS = 150
STILL = 1e-13  # a change of the value that ends the ascent
SHORTEST = 1e-6  # the smallest step
GONE = 1e-7  # a probability that counts as 0
DENOMINATOR = 10**9


def local_maxima(given: Polynomial) -> list[Point]:
    """Local maxima, by ascent from the uniform point and from random ones, the best first."""
    if not given.degrees:
        return [{}]
    climb = _Ascent(given)
    starts = np.random.default_rng(0).exponential(size=(climb.count, STARTS))
    starts[:, 0] = 1.0
    values, probabilities = climb.up(climb.normal(starts))
    return [climb.point(probabilities[:, at]) for at in np.argsort(-values, kind="stable").tolist()]


class _Ascent:
    """A polynomial as arrays: each term's places and coefficient. Ascents are columns."""

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
        one = self.count  # the place of a constant factor 1
        self.places = np.array(
            [[*map(place.__getitem__, m), *[one] * (longest - len(m))] for m in given.terms],
            np.int64,
        ).reshape(len(given.terms), longest)
        largest = max(map(abs, given.terms.values()), default=1)
        self.amounts = np.array([float(Fraction(a, largest)) for a in given.terms.values()])

    def normal(self, probabilities: Floats) -> Floats:
        """Each set's probabilities, normalized in each ascent."""
        return np.asarray(probabilities / np.add.reduceat(probabilities, self.first)[self.owner])

    def slopes(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """[ascent] the value, and [choice, ascent] its derivatives."""
        count = probabilities.shape[1]
        factors = np.concatenate((probabilities, np.ones((1, count))))[
            self.places
        ]  # [term, at, ascent]
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
        """[ascent] the value where it ends, and [choice, ascent] the probabilities there.

        All run together, each with its own step, until none improves.
        """
        value, slopes = self.slopes(probabilities)
        step = np.ones(len(value))
        for _ in range(STEPS):
            top = np.maximum.reduceat(slopes, self.first)[self.owner]
            trial = self.normal(probabilities * np.exp(step * (slopes - top)))
            reached, further = self.slopes(trial)
            still = np.abs(trial - probabilities).max(axis=0) < STILL
            up = reached >= value
            probabilities, slopes = (
                np.where(up, trial, probabilities),
                np.where(up, further, slopes),
            )
            value, step = np.where(up, reached, value), np.where(up, step * 2, step / 4)
            if (still | (step < SHORTEST)).all():
                break
        return value, probabilities

    def point(self, probabilities: Floats) -> Point:
        """Floats as fractions nearby, without negligible ones."""
        found: Point = {}
        for at, own in enumerate(self.sets):
            mine = [
                float(s) for s, owner in zip(probabilities, self.owner, strict=True) if owner == at
            ]
            row = [Fraction(s).limit_denominator(DENOMINATOR) if s > GONE else 0 for s in mine]
            kept = row.index(max(row))
            row[kept] = 1 - sum(row[:kept] + row[kept + 1 :], Fraction(0))
            found[own] = [Fraction(probability) for probability in row]
        return found
