"""Correlation plans: joint strategies of two players as weights of pairs of sequences.

A device draws a pure plan for each of two players and tells them, at every information set that
they reach, their plan's action there. All effects of the draw on the game are in the weights

    ξ(σ, τ) = the probability that player one's plan makes the choices of σ and player two's of τ,

and only pairs matter whose last choices can be made in one play: the *relevant* ones. Information
sets h of one and k of two are *connected* if a play can pass through both; (σ, τ) is relevant if
either is empty or the sets of their last choices are connected. The weights satisfy

    ξ(∅, ∅) = 1,   ξ(σ_h, τ) = Σ_c ξ(σ_h c, τ)   for every set h and τ relevant to it,
    ξ >= 0,        ξ(σ, τ_k) = Σ_d ξ(σ, τ_k d)   for every set k and σ relevant to it,

where σ_h leads to h (von Stengel & Forges 2008). These equations are linear and few. In
games without chance moves all solutions are weights of some lottery over pairs of plans; with
chance moves not always. Farina & Sandholm (2020) give a sufficient condition: a game is
*triangle-free* if there are no two sets h, h' of one after the same σ and two sets k, k' of two
after the same τ with h connected to k and k', and k' to h'. In other words, among the sets after
one pair of sequences, the graph of connected sets consists of stars, without a path of four.

*Decomposition.* A lottery over pairs of pure plans is what a device can draw from, and finding one
proves that weights are more than a solution of the equations. Pairs of plans are subtracted one
after the other. Each makes only choices whose pairs have positive weight left, and takes the least
of these weights, so that at least one of them becomes zero; the remainder solves the same
equations, scaled. So there are at most as many pairs of plans as pairs of sequences with weight. A
pair of plans is found set by set: an action is chosen that leaves weight with all choices made
before. Where connected sets form stars there always is one, if the centre of a star is decided
first. Elsewhere it may take backtracking, or there may be none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import NotApplicable, TooLarge
from infoset.solvers.correlated.program import ProgramBuilder
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
        """[connected pair] the number of its first pair of sequences; last, the number of pairs."""
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
        """Is every solution of the equations the correlation plan of a lottery?"""
        first, second = self.choices
        beside_one = self.one * len(second) + second.before[self.two]
        beside_two = self.two * len(first) + first.before[self.one]
        middle_of_two = np.unique(beside_one, return_inverse=True, return_counts=True)
        middle_of_one = np.unique(beside_two, return_inverse=True, return_counts=True)
        several = [counts[group] > 1 for _, group, counts in (middle_of_two, middle_of_one)]
        return not (several[0] & several[1]).any()

    def add_equations(self, program: ProgramBuilder, first_column: int) -> None:
        """Add the equations of the weights, except that of the empty pair."""
        for own in (0, 1):
            choices = self.choices[own]
            sets, others = self._relevant_sequences(own)
            sizes = choices.sizes[sets]
            start = program.rows(len(sets), equal=True)
            rows = start + np.arange(len(sets))
            many = np.repeat(np.arange(len(sets)), sizes)
            steps = np.arange(len(many)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            taken = choices.first[sets][many] + steps
            program.put(rows, first_column + self._at(own, choices.before[sets], others), -1)
            program.put(rows[many], first_column + self._at(own, taken, others[many]), 1)

    def _relevant_sequences(self, own: int) -> tuple[Longs, Longs]:
        """The sets of one player, each with every sequence of the other relevant to it."""
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

    def satisfied_by(self, weights: list[int], whole: int) -> bool:
        """Are these weights over ``whole`` a nonnegative solution of the equations?"""
        if weights[0] != whole or min(weights) < 0:
            return False
        for own in (0, 1):
            choices = self.choices[own]
            for h, other in zip(
                *(part.tolist() for part in self._relevant_sequences(own)), strict=True
            ):
                look()
                first = int(choices.first[h])
                taken = np.arange(first, first + int(choices.sizes[h]))
                there = self._at(own, taken, np.full(len(taken), other))
                led = self._at(own, choices.before[[h]], np.array([other]))
                if sum(weights[at] for at in there) != weights[int(led[0])]:
                    return False
        return True


def relevant_pairs(tree: Tree) -> RelevantPairs:
    """The relevant pairs of a two-player game with perfect recall."""
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name}: correlation plans are for 2 players, but this game has"
            f" {len(tree.players)}; kind='ce' and kind='cce' take any number"
        )
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: correlation plans need perfect recall, but"
            f" {tree.perfect_recall.because}; kind='ce' and kind='cce' do not"
        )
    (one, two), (second, first) = _later_sets(tree, 0), _later_sets(tree, 1)
    width = max(len(tree.choices[1].infosets), 1)
    keys = np.concatenate((one * width + two, first * width + second))
    both = np.unique(keys)
    return RelevantPairs(tree, both // width, both % width)


def _later_sets(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """Pairs of a player's sets and the other's sets that are later in the same play."""
    mine, theirs = tree.choices[player], tree.choices[1 - player]
    nodes, width = np.flatnonzero(tree.player == 1 - player), max(len(theirs.infosets), 1)
    sets = np.searchsorted(theirs.infosets, tree.infoset[nodes])
    last, sets = np.divmod(np.unique(mine.last[nodes] * width + sets), width)
    before, here = [last[:0]], [sets[:0]]
    found = 0
    while len(last):
        look()
        last, sets = last[last > 0], sets[last > 0]
        before.append(mine.owner[last])
        here.append(sets)
        last = mine.above[last]
        found += len(last)
        if found > MOST_SETS:
            raise TooLarge(
                f"{tree.name}: correlation plans relate more than {MOST_SETS:,} pairs of"
                " information sets of both players; take a smaller game"
            )
    return np.concatenate(before), np.concatenate(here)


MOST_SETS = 4_000_000  # pairs of information sets; all methods refuse far fewer pairs of sequences


MOST_BACKTRACKS = 200  # backtracking steps for each pair of plans
MOST_STEPS = 20_000_000  # weights that may be examined: some ten seconds
NEGLIGIBLE = 1e-9  # a negligible weight in floats

Drawn = tuple[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]], Any]


@dataclass(frozen=True, eq=False)
class _Sets:
    """Both players' information sets in one list, player two's after player one's."""

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
    def star_centres(self) -> list[list[int]]:
        """[set] the sets connected to it and to another after the same choice: star centres."""
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


def decomposed(
    pairs: RelevantPairs, weights: list[Any], options: Options
) -> tuple[list[Drawn], float]:
    """Decompose weights into pairs of plans and their weights; the part that is left over.

    Nothing is left over if the weights are integers that come from a lottery, and a negligible part
    for floats. More is left where there is no such lottery, or where it takes too long.

    >>> from infoset.games import centipede
    >>> from infoset.solvers.correlated.plans import relevant_pairs
    >>> pairs = relevant_pairs(centipede().tree())
    >>> drawn, left = decomposed(pairs, [1] + [0] * (len(pairs) - 1), Options())
    >>> drawn, left
    ([], 1.0)
    """
    sets, left = _Sets(pairs), list(weights)
    found: list[Drawn] = []
    negligible = NEGLIGIBLE if isinstance(weights[0], float) else 0
    steps = MOST_STEPS
    while left[0] > negligible:
        steps -= len(pairs)
        taken = None if steps < 0 or options.over() else _pair_of_plans(sets, left, negligible)
        if taken is None:
            break
        used = _pairs_of(sets, taken)
        least = min(left[at] for at in used)
        for at in used:
            left[at] -= least
        found.append((_plans(sets, taken), least))
    return found, float(Fraction(left[0]) / Fraction(weights[0])) if weights[0] > 0 else 1.0


def _pair_of_plans(sets: _Sets, left: list[Any], negligible: float) -> dict[int, int] | None:
    """By reached set: an action, such that all pairs of choices have weight left."""
    taken: dict[int, int] = {}
    trail: list[tuple[int, list[int], set[int]]] = []
    waiting = {*sets.after[0], *sets.after[len(sets.pairs.choices[0])]}
    tries = MOST_BACKTRACKS
    while waiting:
        look()
        own = _next_set(sets, waiting)
        trail.append((own, _options(sets, own, taken, left, negligible), waiting - {own}))
        while trail and not trail[-1][1]:
            taken.pop(trail.pop()[0], None)
            tries -= 1
        if not trail or tries < 0:
            return None
        own, actions, rest = trail[-1]
        taken[own] = actions.pop()
        waiting = rest.union(sets.after[sets.choice[own] + taken[own]])
    return taken


def _next_set(sets: _Sets, waiting: set[int]) -> int:
    """The next set to decide: the highest whose star centre is not undecided, too."""
    free = [own for own in waiting if waiting.isdisjoint(sets.star_centres[own])]
    return min(free or waiting, key=lambda own: (sets.depth[own], own))


def _options(
    sets: _Sets, own: int, taken: dict[int, int], left: list[Any], negligible: float
) -> list[int]:
    """The actions with weight left given earlier choices, the heaviest last."""
    beside = [(other, taken[other], base) for other, base in sets.connected[own] if other in taken]
    found = []
    for action in range(sets.sizes[own]):
        least = left[sets.alone[own] + action]
        for other, other_action, base in beside:
            if least <= negligible:
                break
            least = min(least, left[sets.place(own, action, other, other_action, base)])
        if least > negligible:
            found.append((least, action))
    return [action for _, action in sorted(found)]


def _pairs_of(sets: _Sets, taken: dict[int, int]) -> list[int]:
    """The numbers of all relevant pairs of sequences of a pair of plans."""
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
    """Each player's plan, as (information set, action) pairs."""
    first, second = sets.pairs.choices
    infosets = np.concatenate((first.infosets, second.infosets)).tolist()
    chosen = sorted(taken.items())
    return tuple(
        tuple((infosets[own], action) for own, action in chosen if (own < sets.count) == is_one)
        for is_one in (True, False)
    )
