"""Weak perfect Bayesian equilibrium: which beliefs, set by set, and what where nothing is said.

A profile with a system of beliefs is a *weak perfect Bayesian equilibrium* if it is sequentially
rational and beliefs follow Bayes' rule wherever the profile comes with positive probability
(Mas-Colell, Whinston & Green 1995, definition 9.C.3). Elsewhere beliefs are free, set by set; they
need not agree with each other, nor with the strategies in a subgame, and so such an equilibrium
need not be subgame perfect. With a profile that says what is done everywhere, each information set
is a question of its own (:mod:`.rational`).

*Completions.* An equilibrium that was found as realization plans does not say what a player does at
an information set that its own plan excludes. Such a set is *open*, and the equilibrium is
supported if some behaviour at the open sets, with some beliefs, supports it. Whether a set can be
rational depends only on the sets below it; so the open sets are decided from the last ones up, and
every set is examined as soon as all that it depends on is decided. All pure completions are
searched. An open set where two actions are optimal with one belief may be mixed, which matters if
another player's set depends on it; if there is such a set, and no pure completion was found, mixed
ones are looked for (:mod:`.mixed`).

*Own mistakes.* Where only the player's own choices exclude a set, every consistent belief follows
from the strategies of chance and the others. So the search for sequential equilibria, which goes
through the same completions, takes that belief there and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from infoset.errors import NotProved
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.perfect_bayesian.rational import (
    Continuation,
    Ground,
    Played,
    Row,
    continuation,
)
from infoset.strategy.profile import Profile
from infoset.strategy.subgame_perfect import rows_of

MOST_CHECKS = 2_000  # information sets examined, those seen again included

Beliefs = dict[int, list[Fraction]]  # by information set: of the nodes that chance allows


class Completions:
    """The pure completions of a profile that some beliefs make rational, set by set.

    Attributes
    ----------
    failed : int or None
        An information set that no belief and no completion makes rational.
    rejected : int
        The last set that excluded a completion, a set that is not open if there was one; -1 if
        none did.
    exhaustive : bool
        Have mixed completions been excluded, as far as the search has come?
    """

    def __init__(
        self, ground: Ground, given: Profile, *, fixed: bool = False, consistent: bool = False
    ) -> None:
        """``fixed``: no set is open. ``consistent``: beliefs are for sequential equilibria."""
        self.ground, self.consistent = ground, consistent
        self.reached = {
            at: self._reached(at, given) for at in ground.sets if given.all_beliefs[at] is not None
        }
        self.others = {at: self._by_others(at, given) for at in ground.sets}
        self.played: dict[int, Row | None] = _rows(ground, given, fixed)
        self.open = {at for at in ground.sets if self.played[at] is None}
        self.needs = {at: ground.depends(at, self.played) for at in ground.sets}
        self.order, self.cyclic = self._ordered()
        self.ready = self._ready()
        self.checks = 0
        self.failed: int | None = None
        self.rejected = -1
        self.exhaustive = True
        self._known: dict[tuple[object, ...], list[Fraction] | None] = {}

    def _reached(self, at: int, given: Profile) -> list[Fraction]:
        """Bayes' rule at a set that is reached."""
        place = given.tree.infosets[at]
        found = given.all_beliefs[at]
        assert found is not None
        beliefs = dict(zip(place.node_indices.tolist(), found.values(), strict=True))
        return [beliefs[node] for node in self.ground.nodes[at]]

    def _by_others(self, at: int, given: Profile) -> list[Fraction] | None:
        """What follows from the others' strategies where only the player itself avoids a set."""
        place = given.tree.infosets[at]
        found = given.weights(place)
        weights = dict(zip(place.node_indices.tolist(), found.values(), strict=True))
        kept = [weights[node] for node in self.ground.nodes[at]]
        total = sum(kept)
        return [weight / total for weight in kept] if total else None

    def _ordered(self) -> tuple[list[int], set[int]]:
        """The open sets, those that others depend on first; and those in a circle."""
        left, order, cyclic = set(self.open), list[int](), set[int]()
        while left:
            free = sorted(at for at in left if not self.needs[at] & left)
            if not free:
                free = [max(left)]
                cyclic.update(free)
            order += free
            left -= set(free)
        return order, cyclic

    def _ready(self) -> list[list[int]]:
        """[how many open sets are decided] the sets that can be examined then, and not before."""
        place = {at: number + 1 for number, at in enumerate(self.order)}
        ready: list[list[int]] = [[] for _ in range(len(self.order) + 1)]
        for at in self.ground.sets:
            needed = self.needs[at] | ({at} & self.open)
            ready[max((place[one] for one in needed), default=0)].append(at)
        return ready

    # ------------------------------------------------------------------ one information set

    def belief(self, at: int) -> list[Fraction] | None:
        """A belief that makes a set rational as decided now; None if there is none."""
        concerned = sorted(self.needs[at] | ({at} & self.open))
        key = (at, *(self.played[one] for one in concerned))
        if key not in self._known:
            self.checks += 1
            if self.checks > MOST_CHECKS:
                raise NotProved(f"more than {MOST_CHECKS:,} information sets to examine")
            self._known[key] = self._find(at)
        return self._known[key]

    def _find(self, at: int) -> list[Fraction] | None:
        found = continuation(self.ground, at, self.played)
        known, likely = self.known_belief(at), self.others[at]
        if known is not None:
            return self._if_rational(found, known)
        if likely is not None and self._if_rational(found, likely):
            return likely
        return found.supported_by(self.ground.sizes)

    def known_belief(self, at: int) -> list[Fraction] | None:
        """The only belief that is possible at a set, if there is only one."""
        if len(self.ground.nodes[at]) == 1:
            return [Fraction(1)]
        return self.others[at] if self.consistent else self.reached.get(at)

    def _if_rational(self, found: Continuation, belief: list[Fraction]) -> list[Fraction] | None:
        own, best, _ = found.values(belief, self.ground.sizes)
        return belief if own == best else None

    # ------------------------------------------------------------------ all of them

    def __iter__(self) -> Iterator[tuple[Played, Beliefs]]:
        """Complete behaviour, and beliefs that make it rational."""
        for at in self.ready[0]:
            if self.belief(at) is None:
                self.failed = at
                return
        yield from self._decide(0)

    def _decide(self, depth: int) -> Iterator[tuple[Played, Beliefs]]:
        if depth == len(self.order):
            yield dict(self.played), self._beliefs()
            return
        at, later = self.order[depth], self.ready[depth + 1]
        size = self.ground.sizes[at]
        for action in range(size):
            self.played[at] = tuple(Fraction(int(action == other)) for other in range(size))
            failing = next((one for one in later if self.belief(one) is None), None)
            if failing is None:
                yield from self._decide(depth + 1)
            elif failing not in self.open or self.rejected < 0:
                self.rejected = failing
        if self.exhaustive:
            self.exhaustive = not self._matters(at) or (
                at not in self.cyclic and not self._may_mix(at)
            )
        self.played[at] = None

    def _matters(self, at: int) -> bool:
        """Does what others do best, or believe, depend on whether an open set is mixed?"""
        mover = self.ground.mover[at]
        others = [one for one in self.ground.sets if self.ground.mover[one] != mover]
        if any(at in self.needs[one] for one in others):
            return True
        return self.consistent and self.ground.is_above(at, others)

    def _may_mix(self, at: int) -> bool:
        """Are two actions of an open set optimal with one belief?"""
        for pair in combinations(range(self.ground.sizes[at]), 2):
            halves = (Fraction(int(action in pair), 2) for action in range(self.ground.sizes[at]))
            self.played[at] = tuple(halves)
            if self.belief(at) is not None:
                return True
        return False

    def _beliefs(self) -> Beliefs:
        found: Beliefs = {}
        for at in self.ground.sets:
            belief = self.belief(at)
            assert belief is not None
            found[at] = belief
        return found


def _rows(ground: Ground, given: Profile, fixed: bool) -> dict[int, Row | None]:
    """By information set: what is played there; None where the player's own plan excludes it."""
    played: dict[int, Row | None] = {}
    for number, strategy in enumerate(given):
        for at, row in rows_of(as_behaviour(strategy)).items():
            played[at] = tuple(map(Fraction, row))
        if fixed:
            continue
        choices = ground.tree.choices[number]
        allowed = strategy.at(ground.tree.members[1][ground.tree.members[0][choices.infosets]])
        for at, weight in zip(choices.infosets.tolist(), allowed.numerators.tolist(), strict=True):
            if not weight:
                played[at] = None
    return played
