"""From a correlation plan to a lottery over pairs of pure plans that does the same.

A lottery is what a device can draw from; and to have found one proves that the weights of a
correlation plan (:mod:`infoset.solve.correlation.plans`) are more than a solution of its equations.
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

from infoset.solve.correlation.plans import RelevantPairs
from infoset.solve.options import Options

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
    >>> from infoset.solve.correlation.plans import relevant_pairs
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
