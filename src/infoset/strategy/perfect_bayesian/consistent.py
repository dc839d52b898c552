"""Sequential equilibrium: are there trembles whose limit supports given strategies?

Let every action a that is not played have the probability ξ(a) ε^K(a) instead, with ξ(a) > 0 and a
whole number K(a) ≥ 1. As ε goes to 0, a node's probability is c ∏ ξ(a) ε^ΣK(a), over the unplayed
actions on the way to it; c has what chance and the played actions contribute. Of the nodes of an
information set those with the smallest exponent ΣK get the belief, in proportion to c ∏ ξ. Kreps &
Wilson (1982, lemma A1) show that consistent assessments are exactly those that arise in this way.

So a node is described by c and its *monomial*, the set of unplayed actions on the way to it. Common
factors of the monomials of a set do not matter; and a monomial that contains another never has the
smallest exponent. Where one minimal monomial is left, the belief is *forced*, whatever the trembles
are: so in every subgame, and wherever only one player's single mistake leads. Other sets are
*free*: any nonempty subset of their monomials may be those with the smallest exponent, their
*support*, as far as the supports of all sets agree with one K.

*Search.* Sets whose monomials have actions in common are decided together, the others apart. For
chosen supports there are two systems, each a cone (:mod:`infoset.linear.cones`):

    K(a) ≥ 1,  ΣK equal within a support, and larger by 1 or more for the set's other monomials;
    t(M) > 0 for monomials in supports, with  Σ t(M) Σ c(x) [u(x) - u(x, a)] ≥ 0  for each action a.

Here u(x, a) is the player's payoff from node x on if it plays a, and follows its strategy later;
for consistent beliefs it is enough that no single action gains (Hendon, Jacobsen & Sloth 1996). In
place of ∏ ξ there is one unknown t(M) for each monomial, the same in all sets: a relaxation. So if
no supports satisfy both systems, it is proved that no trembles support the strategies. If some do,
ξ follows from t by elimination, in products and quotients; where the t(M) contradict each other
because monomials share actions, nothing is proved for these supports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from infoset.errors import NotProved
from infoset.linear.cones import cone_point
from infoset.linear.numbers import Numbers
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy.assessment import Trembles
from infoset.strategy.perfect_bayesian.rational import Choice, Ground, Row

Monomial = frozenset[Choice]
Complete = Mapping[int, Row]  # by information set: the probabilities of its actions
Expression = Mapping[Any, Fraction]  # a linear one: by unknown, its coefficient
Support = tuple[int, ...]  # some of the monomials of a set

MOST_SUPPORTS = 256  # of one information set that are tried
MOST_PROGRAMS = 2_000  # systems that are solved
MOST_POWERS = 400  # of ε in a player's weights


@dataclass(frozen=True)
class FreeSet:
    """An information set whose beliefs depend on the trembles."""

    infoset: int
    monomials: tuple[Monomial, ...]  # the minimal ones, without their common factor
    gains: tuple[tuple[Expression, ...], ...]  # [monomial, row] what must be 0 or more, in sum

    @property
    def actions(self) -> frozenset[Choice]:
        """The unplayed actions that beliefs depend on."""
        return frozenset().union(*self.monomials)


@dataclass(frozen=True)
class Inconsistent:
    """That no trembles support the strategies: a set where none do, alone or with others."""

    infoset: int
    forced: bool  # is the belief there the same for all trembles?
    together: bool = False  # does it take other sets to exclude them?


class TrembleSearch:
    """The search for trembles that support complete strategies."""

    def __init__(self, ground: Ground, played: Complete) -> None:
        self.ground, self.played = ground, played
        self.programs = Programs()
        self.relaxed = False  # were there supports of which nothing was proved?

    def find(self) -> tuple[Trembles, ...] | Inconsistent | None:
        """[player] trembles; or that there are none, proved; None where that is not known."""
        free: list[FreeSet] = []
        for at in self.ground.sets:
            found = self._examined(at)
            if isinstance(found, FreeSet):
                free.append(found)
            elif not found:
                return Inconsistent(at, forced=True)
        orders: dict[Choice, int] = {}
        factors: dict[Choice, Fraction] = {}
        for group in _linked(free):
            solved = self._solve(group)
            if isinstance(solved, Inconsistent):
                return solved
            if solved is None:
                return None
            orders.update(solved[0])
            factors.update(solved[1])
        return self._trembles(orders, factors)

    # ------------------------------------------------------------------ nodes and sets

    def _examined(self, at: int) -> FreeSet | bool:
        """A set with several minimal monomials; of one with a forced belief, is it rational?"""
        nodes = self.ground.nodes[at]
        described = [self._described[node] for node in nodes]
        common = frozenset.intersection(*(monomial for monomial, _ in described))
        reduced = [monomial - common for monomial, _ in described]
        minimal = [m for m in dict.fromkeys(reduced) if not any(other < m for other in reduced)]
        rows = [[Fraction(0)] * self.ground.sizes[at] for _ in minimal]
        for node, monomial, (_, weight) in zip(nodes, reduced, described, strict=True):
            if monomial in minimal:
                row = rows[minimal.index(monomial)]
                for action, loss in enumerate(self._losses(node)):
                    row[action] += weight * loss
        if len(minimal) == 1:
            return min(rows[0]) >= 0
        gains = (tuple({m: gain} for gain in row) for m, row in zip(minimal, rows, strict=True))
        return FreeSet(at, tuple(minimal), tuple(gains))

    def _losses(self, node: int) -> list[Fraction]:
        """[action] what its player gets there less than by its strategy."""
        mover, row = self.ground.player[node], self.played[self.ground.set_of[node]]
        after = [self._values[child][mover] for child in self.ground.below[node]]
        own = sum((share * value for share, value in zip(row, after, strict=True)), Fraction(0))
        return [own - value for value in after]

    @property
    def _described(self) -> list[tuple[Monomial, Fraction]]:
        """[node] its monomial and what chance and played actions contribute."""
        if not hasattr(self, "_monomials"):
            ground = self.ground
            found: list[tuple[Monomial, Fraction]] = [(frozenset(), Fraction(1))]
            found *= len(ground.player)
            for node, kind in enumerate(ground.player):
                if kind == LEAF:
                    continue
                monomial, weight = found[node]
                for action, (child, share) in enumerate(self._steps(node)):
                    unplayed = kind != CHANCE and not share
                    more = monomial | {(ground.set_of[node], action)} if unplayed else monomial
                    found[child] = more, weight if unplayed else weight * share
            self._monomials = found
        return self._monomials

    @property
    def _values(self) -> list[list[Fraction]]:
        """[node, player] the expected payoff from there on."""
        if not hasattr(self, "_expected"):
            ground, players = self.ground, range(len(self.ground.pays))
            found: list[list[Fraction]] = [[] for _ in ground.player]
            for node in range(len(found) - 1, -1, -1):
                if ground.player[node] == LEAF:
                    found[node] = [pays[node] for pays in ground.pays]
                    continue
                steps = [(found[child], share) for child, share in self._steps(node) if share]
                found[node] = [
                    sum((share * value[one] for value, share in steps), Fraction(0))
                    for one in players
                ]
            self._expected = found
        return self._expected

    def _steps(self, node: int) -> Iterator[tuple[int, Any]]:
        ground, place = self.ground, self.ground.set_of[node]
        chance = ground.player[node] == CHANCE
        row = ground.tree.lotteries[place].probabilities if chance else self.played[place]
        return zip(ground.below[node], row, strict=True)

    # ------------------------------------------------------------------ supports

    def _solve(
        self, group: Sequence[FreeSet]
    ) -> tuple[dict[Choice, int], dict[Choice, Fraction]] | Inconsistent | None:
        """Orders and factors for sets that share actions; or that there are none."""
        search = SupportSearch(group, self.programs)
        for chosen in search:
            orders, weights = search.orders(chosen), search.weights(chosen)
            assert orders is not None
            assert weights is not None
            factors = solved_in_products(_equations(group, chosen, weights))
            if factors is not None:
                return orders, factors
            self.relaxed = True
        if self.relaxed or not search.complete:
            return None
        if search.failed is not None:
            return Inconsistent(search.failed, forced=False)
        return Inconsistent(group[-1].infoset, forced=False, together=True)

    # ------------------------------------------------------------------ trembles

    def _trembles(
        self, orders: Mapping[Choice, int], factors: Mapping[Choice, Fraction]
    ) -> tuple[Trembles, ...] | None:
        """[player] its weights as polynomials; None if these have too many terms."""
        tree, found = self.ground.tree, []
        for player, choices in zip(tree.names, tree.choices, strict=True):
            weights: list[dict[int, Fraction]] = [{} for _ in range(len(choices))]
            weights[0] = {0: Fraction(1)}
            for own in (at for stage in choices.stages for at in stage.tolist()):
                place, first = int(choices.infosets[own]), int(choices.first[own])
                above = weights[int(choices.before[own])]
                for action, local in enumerate(self._local(place, orders, factors)):
                    weights[first + action] = _product(above, local)
            most = 1 + max(max(terms) for terms in weights)
            if most > MOST_POWERS:
                return None
            powers = tuple(
                Numbers.of([terms.get(power, Fraction(0)) for terms in weights])
                for power in range(most)
            )
            found.append(Trembles(tree, player, powers))
        return tuple(found)

    def _local(
        self, place: int, orders: Mapping[Choice, int], factors: Mapping[Choice, Fraction]
    ) -> list[dict[int, Fraction]]:
        """[action] its probability as a polynomial; what slips take is missing from the others."""
        size = self.ground.sizes[place]
        row = self.played.get(place) or (Fraction(1, size),) * size
        slips = {
            action: {orders.get((place, action), 1): factors.get((place, action), Fraction(1))}
            for action, share in enumerate(row)
            if not share
        }
        rest = {0: Fraction(1)}
        for slip in slips.values():
            for order, factor in slip.items():
                rest[order] = rest.get(order, Fraction(0)) - factor
        return [
            slips[action]
            if action in slips
            else {power: share * number for power, number in rest.items()}
            for action, share in enumerate(row)
        ]


@dataclass
class Programs:
    """How many systems have been solved; past a limit nothing is proved."""

    count: int = 0

    def solve(
        self, positive: Sequence[Expression], at_least: Sequence[Expression]
    ) -> dict[Any, Fraction] | None:
        """By unknown: a number of 0 or more; None if it is proved that there are none."""
        self.count += 1
        if self.count > MOST_PROGRAMS:
            raise NotProved(f"more than {MOST_PROGRAMS:,} linear programs to solve")
        column: dict[Any, int] = {}
        rows = [
            {column.setdefault(unknown, len(column)): number for unknown, number in row.items()}
            for row in (*at_least, *positive)
        ]
        found = cone_point(len(column), rows[: len(at_least)], rows[len(at_least) :])
        return None if found is None else {unknown: found[at] for unknown, at in column.items()}


class SupportSearch:
    """Supports of free sets, one for each, for which orders and weights exist.

    Attributes
    ----------
    complete : bool
        Have all supports been considered?
    failed : int or None
        An information set that no support makes rational, even by itself.
    """

    def __init__(
        self,
        group: Sequence[FreeSet],
        programs: Programs,
        positive: Sequence[Expression] = (),
    ) -> None:
        """``positive``: what must be positive beside the unknowns."""
        self.group, self.programs, self.positive = group, programs, positive
        self.complete = True
        self.failed: int | None = None

    def __iter__(self) -> Iterator[list[Support]]:
        offered: list[list[Support]] = []
        for one in self.group:
            supports = self._offered(one)
            if not supports:
                self.failed = one.infoset
                return
            offered.append(supports)
        yield from self._agreeing(offered, [])

    def _offered(self, one: FreeSet) -> list[Support]:
        """The supports that make a set rational by itself, the smallest first."""
        count = len(one.monomials)
        every = (s for size in range(1, count + 1) for s in combinations(range(count), size))
        found: list[Support] = []
        for tried, support in enumerate(every):
            if tried == MOST_SUPPORTS:
                self.complete = False
                break
            if self._weights([one], [support], ()) is not None:
                found.append(support)
        return found

    def _agreeing(
        self, offered: Sequence[Sequence[Support]], chosen: list[Support]
    ) -> Iterator[list[Support]]:
        """One support of each set so that both systems have solutions."""
        if len(chosen) == len(self.group):
            if not self.positive or self.weights(chosen) is not None:
                yield list(chosen)
            return
        for support in offered[len(chosen)]:
            chosen.append(support)
            alone = len(chosen) == 1
            if self.orders(chosen) is not None and (
                alone or self._weights(self.group[: len(chosen)], chosen, ()) is not None
            ):
                yield from self._agreeing(offered, chosen)
            chosen.pop()

    def orders(self, chosen: Sequence[Support]) -> dict[Choice, int] | None:
        """By action: the exponents K, for the first sets; None if there are none."""
        equal: list[Expression] = []
        group = self.group[: len(chosen)]
        actions = sorted(frozenset().union(*(one.actions for one in group)))
        larger: list[Expression] = [{action: Fraction(1)} for action in actions]
        for one, support in zip(group, chosen, strict=True):
            least = one.monomials[support[0]]
            for at, monomial in enumerate(one.monomials):
                row = dict.fromkeys(monomial - least, Fraction(1))
                row |= dict.fromkeys(least - monomial, Fraction(-1))
                if at not in support:
                    larger.append(row)
                elif row:
                    equal += [row, {action: -number for action, number in row.items()}]
        if not actions:
            return {}
        found = self.programs.solve(larger, equal)
        if found is None:
            return None
        under = lcm(*(number.denominator for number in found.values()))
        return {action: int(number * under) for action, number in found.items()}

    def weights(self, chosen: Sequence[Support]) -> dict[Any, Fraction] | None:
        """By unknown: the weights that make all sets rational; None if there are none."""
        return self._weights(self.group, chosen, self.positive)

    def _weights(
        self,
        group: Sequence[FreeSet],
        chosen: Sequence[Support],
        positive: Sequence[Expression],
    ) -> dict[Any, Fraction] | None:
        rows: list[Expression] = []
        for one, support in zip(group, chosen, strict=True):
            each_row = zip(*(one.gains[at] for at in support), strict=True)
            rows += [added(*parts) for parts in each_row]
        unknowns = dict.fromkeys(unknown for row in (*rows, *positive) for unknown in row)
        each: list[Expression] = [{unknown: Fraction(1)} for unknown in unknowns]
        return self.programs.solve([*each, *positive], rows) if each else {}


def added(*parts: Expression) -> dict[Any, Fraction]:
    """The sum of linear expressions."""
    found: dict[Any, Fraction] = {}
    for part in parts:
        for unknown, number in part.items():
            found[unknown] = found.get(unknown, Fraction(0)) + number
    return found


def _equations(
    group: Sequence[FreeSet], chosen: Sequence[Support], weights: Mapping[Any, Fraction]
) -> list[tuple[dict[Choice, int], Fraction]]:
    """What the factors of the actions must satisfy: powers of them, and their product."""
    found = []
    for one, support in zip(group, chosen, strict=True):
        first = one.monomials[support[0]]
        for at in support[1:]:
            other = one.monomials[at]
            powers = dict.fromkeys(other - first, 1) | dict.fromkeys(first - other, -1)
            found.append((powers, weights[other] / weights[first]))
    return found


def _product(one: Mapping[int, Fraction], two: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The product of two polynomials, by power."""
    found: dict[int, Fraction] = {}
    for power, number in one.items():
        for other, factor in two.items():
            found[power + other] = found.get(power + other, Fraction(0)) + number * factor
    return found


def _linked(free: Sequence[FreeSet]) -> list[list[FreeSet]]:
    """Sets in groups: those of different groups have no action in common."""
    groups: list[tuple[set[Choice], list[FreeSet]]] = []
    for one in free:
        actions, members = set(one.actions), [one]
        apart = []
        for known, others in groups:
            if known & actions:
                actions |= known
                members = others + members
            else:
                apart.append((known, others))
        groups = [*apart, (actions, members)]
    return [members for _, members in groups]


def solved_in_products(
    equations: Sequence[tuple[Mapping[Choice, int], Fraction]],
) -> dict[Choice, Fraction] | None:
    """Positive rationals ξ with ∏ ξ(a)^power = number for each equation; None if none are found.

    Elimination, where an unknown with power 1 or -1 is left in each equation; unknowns that remain
    are 1.

    >>> a, b, c = (0, 0), (0, 1), (1, 0)
    >>> solved_in_products([({a: 1, b: -1}, Fraction(2)), ({b: 1, c: -1}, Fraction(3))])
    {(0, 1): Fraction(3, 1), (0, 0): Fraction(6, 1)}
    >>> solved_in_products([({a: 1, b: -1}, Fraction(2)), ({a: 1, b: -1}, Fraction(3))]) is None
    True
    """
    left = [({a: power for a, power in powers.items() if power}, n) for powers, n in equations]
    solved: list[tuple[Choice, dict[Choice, int], Fraction]] = []
    while left:
        powers, number = left.pop(0)
        if not powers:
            if number != 1:
                return None
            continue
        unknown = next((a for a, power in powers.items() if abs(power) == 1), None)
        if unknown is None:
            return None
        solved.append((unknown, powers, number))
        sign = powers[unknown]
        rest = []
        for others, value in left:
            times = others.get(unknown, 0) * sign
            merged = {a: others.get(a, 0) - times * powers.get(a, 0) for a in {**others, **powers}}
            kept = {a: power for a, power in merged.items() if power}
            rest.append((kept, value / number**times))
        left = rest
    found: dict[Choice, Fraction] = {}
    for unknown, powers, number in reversed(solved):
        for a, power in powers.items():
            if a != unknown:
                number /= found.get(a, Fraction(1)) ** power
        found[unknown] = number ** powers[unknown]
    return found
