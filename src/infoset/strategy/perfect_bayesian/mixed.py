"""Mixed behaviour at open sets: which supports are possible, and with which probabilities.

*Supports.* If no pure completion supports an equilibrium, open sets may be mixed. Choose the
support of each, from the last sets up, in all ways. The probabilities within supports are unknown;
so let a play that comes to such a node go on with any split of its weight, node by node. That is a
relaxation. In it, that no action of a set gains and that those of its support are equally good is
linear in the weights of its nodes and in the splits. Supports that leave a set without a solution
are excluded, for any number of players. If all are, it is proved that no behaviour off the path
supports the equilibrium.

*Two players.* With two players the rest is decided, too. The nodes of a set of player j differ in
what chance and player i did, since j recalls its own choices; so their weights are those of i's
sequences: the leading coefficients y of i's trembling realization plan. An unplayed action has a
coefficient of its own; played ones divide that of the sequence before them, in the given parts or,
at an open set, in unknown ones. Where j goes on, it may follow any action of its supports, as these
are equally good. So for given supports all conditions for j's sets are linear in y, without
products, and those for i's sets are another system of the same kind. The probabilities at i's open
sets are quotients of y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

from infoset.errors import NotProved
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy.perfect_bayesian.consistent import (
    Expression,
    FreeSet,
    Monomial,
    Programs,
    SupportSearch,
    added,
)
from infoset.strategy.perfect_bayesian.rational import Ground, Row
from infoset.strategy.perfect_bayesian.weak import Completions

Actions = tuple[int, ...]  # the support of an open set

MOST_CHECKS = 1_000  # systems of single sets
EMPTY: Monomial = frozenset()


class MixedSupports:
    """The supports of open sets with which every set may be rational, by itself."""

    def __init__(self, completions: Completions) -> None:
        self.ground, self.given = completions.ground, completions
        self.supports: dict[int, Actions] = {}
        self.checks = 0
        self._known: dict[tuple[object, ...], bool] = {}

    def __iter__(self) -> Iterator[dict[int, Actions]]:
        """Supports that are not all of one action."""
        for supports in self._decide(0):
            if any(len(actions) > 1 for actions in supports.values()):
                yield supports

    def _decide(self, depth: int) -> Iterator[dict[int, Actions]]:
        order = self.given.order
        if depth == len(order):
            yield dict(self.supports)
            return
        at, size = order[depth], self.ground.sizes[order[depth]]
        for count in range(1, size + 1):
            for actions in combinations(range(size), count):
                self.supports[at] = actions
                if all(map(self._possible, self.given.ready[depth + 1])):
                    yield from self._decide(depth + 1)
        del self.supports[at]

    def _possible(self, at: int) -> bool:
        """May a set be rational with the supports decided so far?"""
        concerned = sorted(self.given.needs[at] | ({at} & self.given.open))
        key = (at, *(self.supports[one] for one in concerned))
        if key not in self._known:
            self.checks += 1
            if self.checks > MOST_CHECKS:
                raise NotProved("there are too many ways to mix off the path of play")
            self._known[key] = self._relaxed(at)
        return self._known[key]

    def _relaxed(self, at: int) -> bool:
        ground, belief = self.ground, self.given.known_belief(at)
        mover, played = ground.mover[at], support_of(self.given.played, self.supports, at)
        nonnegative: list[Expression] = []
        values: list[dict[Any, Fraction]] = [{} for _ in range(ground.sizes[at])]
        start: list[dict[Any, Fraction]] = []
        for number, node in enumerate(ground.nodes[at]):
            weight = {node: Fraction(1)} if belief is None else {-1: belief[number]}
            start.append(weight)
            for action, child in enumerate(ground.below[node]):
                value = self._value(child, weight, mover, nonnegative)
                values[action] = added(values[action], value)
        rows = optimal_rows(values, played)
        return Programs().solve([added(*start)], [*rows, *nonnegative]) is not None

    def _value(
        self, node: int, weight: Expression, mover: int, nonnegative: list[Expression]
    ) -> dict[Any, Fraction]:
        """What a player gets from a node with some weight on, splits being unknown."""
        ground = self.ground
        if ground.player[node] == LEAF:
            return times(weight, ground.pays[mover][node])
        place = ground.set_of[node]
        if ground.player[node] != CHANCE and self.given.played[place] is None:
            parts = _split(weight, [(node, action) for action in self.supports[place]], nonnegative)
            below = [ground.below[node][action] for action in self.supports[place]]
            pairs = list(zip(below, parts, strict=True))
        else:
            steps = ground.steps(node, self.given.played)
            pairs = [(child, times(weight, share or Fraction(0))) for child, share in steps]
        return added(*(self._value(to, part, mover, nonnegative) for to, part in pairs))


def support_of(
    played: Mapping[int, Row | None], supports: Mapping[int, Actions], at: int
) -> Actions:
    """The actions that are played at a set: as given, or as decided where it is open."""
    row = played[at]
    if row is None:
        return supports[at]
    return tuple(action for action, share in enumerate(row) if share)


def optimal_rows(values: list[dict[Any, Fraction]], support: Actions) -> list[Expression]:
    """What must be 0 or more if the actions of a support are equally good, and none is better."""
    first = values[support[0]]
    rows = [added(first, times(value, Fraction(-1))) for value in values]
    return [*rows, *(times(rows[action], Fraction(-1)) for action in support)]


def times(one: Expression, factor: Fraction) -> dict[Any, Fraction]:
    """A linear expression, multiplied."""
    return {unknown: number * factor for unknown, number in one.items()} if factor else {}


def _split(
    whole: Expression, names: list[Any], nonnegative: list[Expression]
) -> list[dict[Any, Fraction]]:
    """Parts of a whole: unknowns, and what these leave."""
    parts: list[dict[Any, Fraction]] = [{name: Fraction(1)} for name in names[:-1]]
    last = added(whole, *(times(part, Fraction(-1)) for part in parts))
    if parts:
        nonnegative.append(last)
    return [*parts, last]


class TwoPlayers:
    """For given supports: the probabilities at open sets of a sequential equilibrium."""

    def __init__(
        self, ground: Ground, played: Mapping[int, Row | None], supports: Mapping[int, Actions]
    ) -> None:
        self.ground, self.supports, self.programs = ground, supports, Programs()
        self.played = played
        self.support = {at: support_of(played, supports, at) for at in ground.sets}

    def completed(self) -> dict[int, Row] | None:
        """By information set: what is played everywhere; None if it is proved that nothing can be.

        Raises
        ------
        NotProved
            If there are too many possibilities.
        """
        found = {at: row for at, row in self.played.items() if row is not None}
        for player in range(2):
            rows = self._mixed(player)
            if rows is None:
                return None
            found.update(rows)
        return found

    def _mixed(self, player: int) -> dict[int, Row] | None:
        """What one player does at its open sets, so that the other is rational everywhere."""
        sequences = _Sequences(self, player)
        group = [
            sequences.examined(at) for at in self.ground.sets if self.ground.mover[at] != player
        ]
        search = SupportSearch(group, self.programs, sequences.positive)
        for chosen in search:
            weights = search.weights(chosen)
            assert weights is not None
            return sequences.probabilities(weights)
        if not search.complete:
            raise NotProved("there are too many ways to mix off the path of play")
        return None


class _Sequences:
    """Leading coefficients of one player's sequences, and the other's sets in terms of them."""

    def __init__(self, game: TwoPlayers, player: int) -> None:
        self.game, self.ground, self.player = game, game.ground, player
        self.choices = game.ground.tree.choices[player]
        self.last: list[int] = self.choices.last.tolist()  # [node]
        self.positive: list[Expression] = []
        self.weight: list[dict[Any, Fraction]] = [{} for _ in range(len(self.choices))]
        self.slips: list[Monomial] = [EMPTY] * len(self.choices)  # the unplayed actions in it
        self.weight[0] = {0: Fraction(1)}
        for own in (at for stage in self.choices.stages for at in stage.tolist()):
            self._add(own)

    def _add(self, own: int) -> None:
        """The sequences that end at one of the player's sets."""
        place, first = int(self.choices.infosets[own]), int(self.choices.first[own])
        before = int(self.choices.before[own])
        support = self.game.support.get(place, (0,))  # anything where chance never comes
        row = self.game.played.get(place)
        for action in range(self.ground.sizes[place]):
            self.weight[first + action] = {first + action: Fraction(1)}
            self.slips[first + action] = self.slips[before] | {(place, action)}
        if row is None:
            parts = _split(self.weight[before], [first + at for at in support], self.positive)
        else:
            parts = [times(self.weight[before], row[action]) for action in support]
        for action, part in zip(support, parts, strict=True):
            self.weight[first + action] = part
            self.slips[first + action] = self.slips[before]

    def examined(self, at: int) -> FreeSet:
        """A set of the other player: its monomials, and what makes it rational."""
        nodes, support = self.ground.nodes[at], self.game.support[at]
        slips = [self.slips[self.last[node]] for node in nodes]
        common = frozenset.intersection(*slips)
        reduced = [monomial - common for monomial in slips]
        minimal = [m for m in dict.fromkeys(reduced) if not any(other < m for other in reduced)]
        gains = []
        for monomial in minimal:
            values: list[dict[Any, Fraction]] = [{} for _ in range(self.ground.sizes[at])]
            for node, own in zip(nodes, reduced, strict=True):
                if own == monomial:
                    for action, child in enumerate(self.ground.below[node]):
                        values[action] = added(values[action], self._value(child))
            gains.append(tuple(optimal_rows(values, support)))
        return FreeSet(at, tuple(minimal), tuple(gains))

    def _value(self, node: int) -> dict[Any, Fraction]:
        """What the other player gets from a node on, times the probability of getting there."""
        ground, kind = self.ground, self.ground.player[node]
        if kind == LEAF:
            paid = ground.pays[1 - self.player][node] * self._chance[node]
            return times(self.weight[self.last[node]], paid)
        below = ground.below[node]
        if kind == CHANCE:
            below = [child for child in below if ground.possible[child]]
        elif kind == self.player:
            below = [below[action] for action in self.game.support[ground.set_of[node]]]
        else:
            below = [below[self.game.support[ground.set_of[node]][0]]]
        return added(*map(self._value, below))

    @cached_property
    def _chance(self) -> list[Fraction]:
        return self.ground.tree.chance_reach.values()

    def probabilities(self, weights: Mapping[Any, Fraction]) -> dict[int, Row]:
        """By open set of the player: the probabilities of its actions."""
        found: dict[int, Row] = {}
        for own, place in enumerate(self.choices.infosets.tolist()):
            if self.game.played.get(place) is not None or place not in self.game.support:
                continue
            first, support = int(self.choices.first[own]), self.game.support[place]
            parts = {at: self._number(first + at, weights) for at in support}
            total = sum(parts.values())
            found[place] = tuple(
                parts.get(at, Fraction(0)) / total for at in range(self.ground.sizes[place])
            )
        return found

    def _number(self, sequence: int, weights: Mapping[Any, Fraction]) -> Fraction:
        """A coefficient in numbers; unknowns that nothing depends on are 1."""
        parts = self.weight[sequence].items()
        return sum((number * weights.get(at, Fraction(1)) for at, number in parts), Fraction(0))
