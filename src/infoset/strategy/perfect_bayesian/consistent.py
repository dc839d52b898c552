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

MOST_SUPPORTS = 256  # of one information set that are tried
MOST_PROGRAMS = 2_000  # systems that are solved
MOST_POWERS = 400  # of ε in a player's weights


@dataclass(frozen=True)
class _FreeSet:
    """An information set whose beliefs depend on the trembles."""

    infoset: int
    monomials: tuple[Monomial, ...]  # the minimal ones, without their common factor
    gains: tuple[tuple[Fraction, ...], ...]  # [monomial, action] Σ c(x) [u(x) - u(x, a)]

    @property
    def actions(self) -> frozenset[Choice]:
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
        self.programs = 0
        self.relaxed = False  # were there supports of which nothing was proved?

    def find(self) -> tuple[Trembles, ...] | Inconsistent | None:
        """[player] trembles; or that there are none, proved; None where that is not known."""
        free: list[_FreeSet] = []
        for at in self.ground.sets:
            found = self._examined(at)
            if isinstance(found, _FreeSet):
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

    def _examined(self, at: int) -> _FreeSet | bool:
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
        return _FreeSet(at, tuple(minimal), tuple(map(tuple, rows)))

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
        self, group: Sequence[_FreeSet]
    ) -> tuple[dict[Choice, int], dict[Choice, Fraction]] | Inconsistent | None:
        """Orders and factors for sets that share actions; or that there are none."""
        complete = True
        offered: list[list[tuple[int, ...]]] = []
        for one in group:
            supports, all_of_them = self._supports(one)
            complete = complete and all_of_them
            if not supports:
                return Inconsistent(one.infoset, forced=False) if all_of_them else None
            offered.append(supports)
        for chosen in self._agreeing(group, offered, []):
            found = self._realized(group, chosen)
            if found is not None:
                return found
            self.relaxed = True
        if self.relaxed or not complete:
            return None
        return Inconsistent(group[-1].infoset, forced=False, together=True)

    def _supports(self, one: _FreeSet) -> tuple[list[tuple[int, ...]], bool]:
        """The supports that make a set rational by itself, the smallest first; and if all are."""
        count = len(one.monomials)
        every = (s for size in range(1, count + 1) for s in combinations(range(count), size))
        found: list[tuple[int, ...]] = []
        for tried, support in enumerate(every):
            if tried == MOST_SUPPORTS:
                return found, False
            if self._weights([one], [support]) is not None:
                found.append(support)
        return found, True

    def _agreeing(
        self,
        group: Sequence[_FreeSet],
        offered: Sequence[Sequence[tuple[int, ...]]],
        chosen: list[tuple[int, ...]],
    ) -> Iterator[list[tuple[int, ...]]]:
        """One support of each set so that both systems have solutions."""
        if len(chosen) == len(group):
            yield list(chosen)
            return
        for support in offered[len(chosen)]:
            chosen.append(support)
            part = group[: len(chosen)]
            alone = len(chosen) == 1
            if self._orders(part, chosen) is not None and (
                alone or self._weights(part, chosen) is not None
            ):
                yield from self._agreeing(group, offered, chosen)
            chosen.pop()

    def _solved(
        self, columns: int, at_least: list[dict[int, Any]], positive: list[dict[int, Any]]
    ) -> list[Fraction] | None:
        self.programs += 1
        if self.programs > MOST_PROGRAMS:
            raise NotProved(f"more than {MOST_PROGRAMS:,} linear programs to solve")
        return cone_point(columns, at_least, positive)

    def _orders(
        self, group: Sequence[_FreeSet], chosen: Sequence[tuple[int, ...]]
    ) -> dict[Choice, int] | None:
        """The exponents K, whole numbers; None if there are none."""
        actions = sorted(frozenset().union(*(one.actions for one in group)))
        column = {action: at for at, action in enumerate(actions)}
        equal: list[dict[int, Any]] = []
        larger: list[dict[int, Any]] = [{at: 1} for at in range(len(actions))]
        for one, support in zip(group, chosen, strict=True):
            least = one.monomials[support[0]]
            for at, monomial in enumerate(one.monomials):
                row = {column[action]: 1 for action in monomial - least}
                row |= {column[action]: -1 for action in least - monomial}
                if at in support:
                    equal += [row, {place: -number for place, number in row.items()}]
                else:
                    larger.append(row)
        found = self._solved(len(actions), [row for row in equal if row], larger)
        if found is None:
            return None
        under = lcm(*(number.denominator for number in found))
        return {action: int(found[at] * under) for action, at in column.items()}

    def _weights(
        self, group: Sequence[_FreeSet], chosen: Sequence[tuple[int, ...]]
    ) -> dict[Monomial, Fraction] | None:
        """The weights t of the monomials in supports; None if there are none."""
        column: dict[Monomial, int] = {}
        rows: list[dict[int, Any]] = []
        for one, support in zip(group, chosen, strict=True):
            inside = [column.setdefault(one.monomials[at], len(column)) for at in support]
            for action in range(len(one.gains[0])):
                gains = [one.gains[at][action] for at in support]
                rows.append(dict(zip(inside, gains, strict=True)))
        found = self._solved(len(column), rows, [{at: 1} for at in range(len(column))])
        if found is None:
            return None
        return {monomial: found[at] for monomial, at in column.items()}

    def _realized(
        self, group: Sequence[_FreeSet], chosen: Sequence[tuple[int, ...]]
    ) -> tuple[dict[Choice, int], dict[Choice, Fraction]] | None:
        """Orders and factors of the actions; None if the weights contradict each other."""
        orders, weights = self._orders(group, chosen), self._weights(group, chosen)
        assert orders is not None
        assert weights is not None
        equations = []
        for one, support in zip(group, chosen, strict=True):
            first = one.monomials[support[0]]
            for at in support[1:]:
                other = one.monomials[at]
                powers = dict.fromkeys(other - first, 1) | dict.fromkeys(first - other, -1)
                equations.append((powers, weights[other] / weights[first]))
        factors = solved_in_products(equations)
        return None if factors is None else (orders, factors)

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
                row = (
                    self.played.get(place)
                    or (Fraction(1, self.ground.sizes[place]),) * (self.ground.sizes[place])
                )
                missing = {0: Fraction(1)}  # what the unplayed actions leave to the played ones
                slips: dict[int, tuple[int, Fraction]] = {}
                for action, share in enumerate(row):
                    if not share:
                        order = orders.get((place, action), 1)
                        factor = factors.get((place, action), Fraction(1))
                        slips[action] = order, factor
                        missing[order] = missing.get(order, Fraction(0)) - factor
                for action, share in enumerate(row):
                    if share:
                        local = {power: share * number for power, number in missing.items()}
                    else:
                        local = {slips[action][0]: slips[action][1]}
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


def _product(one: Mapping[int, Fraction], two: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The product of two polynomials, by power."""
    found: dict[int, Fraction] = {}
    for power, number in one.items():
        for other, factor in two.items():
            found[power + other] = found.get(power + other, Fraction(0)) + number * factor
    return found


def _linked(free: Sequence[_FreeSet]) -> list[list[_FreeSet]]:
    """Sets in groups: those of different groups have no action in common."""
    groups: list[tuple[set[Choice], list[_FreeSet]]] = []
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
