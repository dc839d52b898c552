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
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.solve.correlation.assembly import Assembly
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
