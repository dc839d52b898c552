"""Correlation plans: what two players do together, as weights of pairs of sequences.

A device draws a pure plan for each of two players and tells them, at every information set that
they come to, what their plan does there. All that the draw does to the game is in the weights

    ξ(σ, τ) = the probability that player one's plan makes the choices of σ and player two's of τ,

and only pairs matter whose last choices can be made in one play: the *relevant* ones. Information
sets h of one and k of two are *connected* if a play can come through both; (σ, τ) is relevant if
either is empty or the sets at which they end are connected. The weights obey

    ξ(∅, ∅) = 1,   ξ(σ_h, τ) = Σ_c ξ(σ_h c, τ)   for every set h and τ relevant to it,
    ξ >= 0,        ξ(σ, τ_k) = Σ_d ξ(σ, τ_k d)   for every set k and σ relevant to it,

where σ_h leads to h (von Stengel & Forges 2008). These are linear, and few. Are all solutions
weights of some lottery over pairs of plans? In games without chance moves, yes; with chance moves,
not always. Farina & Sandholm 2020 found what it takes: a game is *triangle-free* if there are no
two sets h, h' of one after the same σ and two sets k, k' of two after the same τ with h connected
to k and k', and k' to h'. In other words, among the sets after one pair of sequences, those that
are connected hang together like stars, and never in a row of four.

From a correlation plan to a lottery over pairs of pure plans that does the same.

A lottery is what a device can draw from; and to have found one proves that the weights of a
correlation plan (:mod:`infoset.solvers.correlated.plans`) are more than a solution of its
equations.
Pairs of plans are taken off, one after the other. Each makes only choices whose pairs have some
weight left, and takes the least of these weights, so that one more of them is used up; what is left
is a solution of the same equations, scaled. So there are no more pairs of plans than pairs of
sequences with weight.

A pair of plans is looked for set by set: which action leaves weight with all that was chosen
before? Where connected sets hang together like stars there always is one, if the middle of a star
is asked first. Elsewhere it may take another try, or there may be none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.solvers.correlated.program import Assembly
from infoset.solvers.options import Options
from infoset.tree import Tree
from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class RelevantPairs:
    """The relevant pairs of sequences of a two-player game with perfect recall, numbered.

    First (∅, τ) for every τ, then (σ, ∅), then a block for each connected pair of sets.

    >>> from infoset.games import beer_quiche, kuhn
    >>> pairs = relevant_pairs(beer_quiche().tree())
    >>> len(pairs), pairs.triangle_free
    (25, False)
    """

    tree: Tree
    one: Longs  # [connected pair] own set of player one
    two: Longs  # [connected pair] own set of player two; in order of one, then of two

    @property
    def choices(self) -> tuple[Choices, Choices]:
        """Both players' choices."""
        first, second = self.tree.choices
        return first, second

    @cached_property
    def base(self) -> Longs:
        """[connected pair] the number of its first pair of sequences; then how many there are."""
        sizes = self.choices[0].sizes[self.one] * self.choices[1].sizes[self.two]
        alone = len(self.choices[0]) + len(self.choices[1]) - 1
        return alone + np.concatenate(([0], np.cumsum(sizes)))

    def __len__(self) -> int:
        return int(self.base[-1])

    @cached_property
    def _keys(self) -> Longs:
        return self.one * len(self.choices[1].infosets) + self.two

    def at(self, one: Longs, two: Longs) -> Longs:
        """The numbers of pairs of sequences, which must be relevant."""
        first, second = self.choices
        if not len(self.one):
            return np.where(one == 0, two, len(second) - 1 + one)
        h, k = first.owner[one], second.owner[two]
        place = np.searchsorted(self._keys, h * len(second.infosets) + k)
        inside = (one - first.first[h]) * second.sizes[k] + two - second.first[k]
        block = self.base[np.minimum(place, len(self.base) - 1)] + inside
        return np.where(one == 0, two, np.where(two == 0, len(second) - 1 + one, block))

    @cached_property
    def sequences(self) -> tuple[Longs, Longs]:
        """[pair] the sequence of player one; and of player two."""
        first, second = self.choices
        widths = second.sizes[self.two]
        sizes = first.sizes[self.one] * widths
        pair = np.repeat(np.arange(len(sizes)), sizes)
        inside = np.arange(len(pair)) - (self.base[:-1] - self.base[0])[pair]
        own = first.first[self.one][pair] + inside // widths[pair]
        other = second.first[self.two][pair] + inside % widths[pair]
        alone_one, alone_two = np.arange(1, len(first)), np.arange(len(second))
        none_one, none_two = np.zeros(len(alone_two), np.int64), np.zeros(len(alone_one), np.int64)
        return (
            np.concatenate((none_one, alone_one, own)),
            np.concatenate((alone_two, none_two, other)),
        )

    @cached_property
    def triangle_free(self) -> bool:
        """Do the equations describe exactly what a device can do?"""
        first, second = self.choices
        beside_one = self.one * len(second) + second.before[self.two]
        beside_two = self.two * len(first) + first.before[self.one]
        middle_of_two = np.unique(beside_one, return_inverse=True, return_counts=True)
        middle_of_one = np.unique(beside_two, return_inverse=True, return_counts=True)
        several = [counts[group] > 1 for _, group, counts in (middle_of_two, middle_of_one)]
        return not (several[0] & several[1]).any()

    def constrain(self, program: Assembly, first_column: int) -> None:
        """Add the equations that weights obey, but for the weight 1 of the empty pair."""
        for own in (0, 1):
            choices = self.choices[own]
            sets, others = self._shared(own)
            sizes = choices.sizes[sets]
            start = program.rows(len(sets), equal=True)
            rows = start + np.arange(len(sets))
            many = np.repeat(np.arange(len(sets)), sizes)
            steps = np.arange(len(many)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            taken = choices.first[sets][many] + steps
            program.put(rows, first_column + self._at(own, choices.before[sets], others), -1)
            program.put(rows[many], first_column + self._at(own, taken, others[many]), 1)

    def _shared(self, own: int) -> tuple[Longs, Longs]:
        """A set of one player with every sequence of the other that is relevant to it."""
        mine, theirs = (self.one, self.two) if own == 0 else (self.two, self.one)
        other = self.choices[1 - own]
        sizes = other.sizes[theirs]
        pair = np.repeat(np.arange(len(mine)), sizes)
        steps = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        alone = np.arange(len(self.choices[own].infosets))
        return (
            np.concatenate((alone, mine[pair])),
            np.concatenate((np.zeros(len(alone), np.int64), other.first[theirs][pair] + steps)),
        )

    def _at(self, own: int, mine: Longs, theirs: Longs) -> Longs:
        return self.at(mine, theirs) if own == 0 else self.at(theirs, mine)

    def obeyed_by(self, weights: list[int], whole: int) -> bool:
        """Are these weights over ``whole`` a solution of the equations, none negative?"""
        if weights[0] != whole or min(weights) < 0:
            return False
        for own in (0, 1):
            choices = self.choices[own]
            for h, other in zip(*(part.tolist() for part in self._shared(own)), strict=True):
                first = int(choices.first[h])
                taken = np.arange(first, first + int(choices.sizes[h]))
                there = self._at(own, taken, np.full(len(taken), other))
                led = self._at(own, choices.before[[h]], np.array([other]))
                if sum(weights[at] for at in there) != weights[int(led[0])]:
                    return False
        return True


def relevant_pairs(tree: Tree) -> RelevantPairs:
    """The relevant pairs of a game of two players who forget nothing."""
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name}: correlation plans are for 2 players, and this game has"
            f" {len(tree.players)}; kind='ce' and kind='cce' take any number"
        )
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: correlation plans need perfect recall, but"
            f" {tree.perfect_recall.because}; kind='ce' and kind='cce' do without"
        )
    (one, two), (second, first) = _met(tree, 0), _met(tree, 1)
    width = max(len(tree.choices[1].infosets), 1)
    keys = np.concatenate((one * width + two, first * width + second))
    both = np.unique(keys)
    return RelevantPairs(tree, both // width, both % width)


def _met(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """Own sets of a player, each with one of the other at which it moves later in the same play."""
    mine, theirs = tree.choices[player], tree.choices[1 - player]
    nodes, width = np.flatnonzero(tree.player == 1 - player), max(len(theirs.infosets), 1)
    sets = np.searchsorted(theirs.infosets, tree.infoset[nodes])
    last, sets = np.divmod(np.unique(mine.last[nodes] * width + sets), width)
    before, here = [last[:0]], [sets[:0]]
    while len(last):
        last, sets = last[last > 0], sets[last > 0]
        before.append(mine.owner[last])
        here.append(sets)
        last = mine.above[last]
    return np.concatenate(before), np.concatenate(here)


TRIES = 200  # sets at which a choice may be taken back, for each pair of plans
MOST_STEPS = 20_000_000  # weights that may be looked at: some ten seconds
NOTHING = 1e-9  # what counts as no weight in floats

Drawn = tuple[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]], Any]


@dataclass(frozen=True, eq=False)
class _Sets:
    """Both players' sets in one row, player two's after player one's."""

    pairs: RelevantPairs

    @cached_property
    def count(self) -> int:
        return len(self.pairs.choices[0].infosets)

    @cached_property
    def sizes(self) -> list[int]:
        return [size for choices in self.pairs.choices for size in choices.sizes.tolist()]

    @cached_property
    def alone(self) -> list[int]:
        """[set] the number of the pair of its first action and the empty sequence."""
        first, second = self.pairs.choices
        return [*(len(second) - 1 + first.first).tolist(), *second.first.tolist()]

    @cached_property
    def connected(self) -> list[list[tuple[int, int]]]:
        """[set] the sets connected to it, with the number of the first pair of both."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.sizes]
        pairs = self.pairs
        rows = (pairs.one.tolist(), (self.count + pairs.two).tolist(), pairs.base.tolist())
        for one, two, base in zip(*rows, strict=False):
            found[one].append((two, base))
            found[two].append((one, base))
        return found

    @cached_property
    def before(self) -> list[int]:
        """[set] the place in ``after`` of the choice that leads there."""
        first, second = self.pairs.choices
        return [*first.before.tolist(), *(len(first) + second.before).tolist()]

    @cached_property
    def depth(self) -> list[int]:
        """[set] the depth of its first node."""
        tree = self.pairs.tree
        depth = np.zeros(len(tree), np.int64)
        for deep, level in enumerate(tree.levels):
            depth[level] = deep
        start, nodes = tree.members
        first, second = self.pairs.choices
        infosets = np.concatenate((first.infosets, second.infosets))
        found: list[int] = depth[nodes[start[infosets]]].tolist()
        return found

    @cached_property
    def middles(self) -> list[list[int]]:
        """[set] the sets connected to it and to another that comes after the same choice."""
        several = [
            {led for led, times in Counter(self.before[o] for o, _ in own).items() if times > 1}
            for own in self.connected
        ]
        return [
            [other for other, _ in own if self.before[at] in several[other]]
            for at, own in enumerate(self.connected)
        ]

    @cached_property
    def after(self) -> list[list[int]]:
        """[choice, player two's after player one's] the sets that come next."""
        found: list[list[int]] = [[] for _ in range(sum(map(len, self.pairs.choices)))]
        for own, before in enumerate(self.before):
            found[before].append(own)
        return found

    @cached_property
    def choice(self) -> list[int]:
        """[set] the place of its first action in ``after``."""
        first, second = self.pairs.choices
        return [*first.first.tolist(), *(len(first) + second.first).tolist()]

    def place(self, own: int, action: int, other: int, other_action: int, base: int) -> int:
        """The number of a pair of choices."""
        if own < self.count:
            return base + action * self.sizes[other] + other_action
        return base + other_action * self.sizes[own] + action


def peeled(pairs: RelevantPairs, weights: list[Any], options: Options) -> tuple[list[Drawn], float]:
    """Pairs of plans and their weights, and what part of all weight is left over.

    Nothing is, if the weights are whole numbers that come from a lottery; of floats next to
    nothing. More is where there is no such lottery, or where it takes too long.

    >>> from infoset.games import centipede
    >>> from infoset.solvers.correlated.plans import relevant_pairs
    >>> pairs = relevant_pairs(centipede().tree())
    >>> drawn, left = peeled(pairs, [1] + [0] * (len(pairs) - 1), Options())
    >>> drawn, left
    ([], 1.0)
    """
    sets, left = _Sets(pairs), list(weights)
    found: list[Drawn] = []
    nothing = NOTHING if isinstance(weights[0], float) else 0
    steps = MOST_STEPS
    while left[0] > nothing:
        steps -= len(pairs)
        taken = None if steps < 0 or options.over() else _inside(sets, left, nothing)
        if taken is None:
            break
        used = _used(sets, taken)
        least = min(left[at] for at in used)
        for at in used:
            left[at] -= least
        found.append((_plans(sets, taken), least))
    return found, float(Fraction(left[0]) / Fraction(weights[0])) if weights[0] > 0 else 1.0


def _inside(sets: _Sets, left: list[Any], nothing: float) -> dict[int, int] | None:
    """By set that is reached: an action, such that all pairs of them have weight left."""
    taken: dict[int, int] = {}
    trail: list[tuple[int, list[int], set[int]]] = []
    waiting = {*sets.after[0], *sets.after[len(sets.pairs.choices[0])]}
    tries = TRIES
    while waiting:
        own = _next(sets, waiting)
        trail.append((own, _options(sets, own, taken, left, nothing), waiting - {own}))
        while trail and not trail[-1][1]:
            taken.pop(trail.pop()[0], None)
            tries -= 1
        if not trail or tries < 0:
            return None
        own, actions, rest = trail[-1]
        taken[own] = actions.pop()
        waiting = rest.union(sets.after[sets.choice[own] + taken[own]])
    return taken


def _next(sets: _Sets, waiting: set[int]) -> int:
    """The highest of the sets that are not at the rim of a star whose middle waits, too."""
    free = [own for own in waiting if waiting.isdisjoint(sets.middles[own])]
    return min(free or waiting, key=lambda own: (sets.depth[own], own))


def _options(
    sets: _Sets, own: int, taken: dict[int, int], left: list[Any], nothing: float
) -> list[int]:
    """The actions that go with what was chosen, the one with most weight last."""
    beside = [(other, taken[other], base) for other, base in sets.connected[own] if other in taken]
    found = []
    for action in range(sets.sizes[own]):
        least = left[sets.alone[own] + action]
        for other, other_action, base in beside:
            if least <= nothing:
                break
            least = min(least, left[sets.place(own, action, other, other_action, base)])
        if least > nothing:
            found.append((least, action))
    return [action for _, action in sorted(found)]


def _used(sets: _Sets, taken: dict[int, int]) -> list[int]:
    """The numbers of all relevant pairs of sequences that a pair of plans makes."""
    used = [0]
    for own, action in taken.items():
        used.append(sets.alone[own] + action)
        if own < sets.count:
            used += [
                sets.place(own, action, other, taken[other], base)
                for other, base in sets.connected[own]
                if other in taken
            ]
    return used


def _plans(sets: _Sets, taken: dict[int, int]) -> Any:
    """Each player's part, as (information set, action) pairs."""
    first, second = sets.pairs.choices
    infosets = np.concatenate((first.infosets, second.infosets)).tolist()
    chosen = sorted(taken.items())
    return tuple(
        tuple((infosets[own], action) for own, action in chosen if (own < sets.count) == is_one)
        for is_one in (True, False)
    )
