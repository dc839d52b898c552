"""Bounds for a player who forgets, from one who does not: for polynomials too large for nets.

A player who remembered could choose at every path by itself. What that gets, in one pass over the
paths, last ones first, is a bound for the player who must have the same probabilities on all paths
to a set. The bound gets closer as the probabilities are confined: each set has a *box*, a least
and a largest probability for every action, and the pass chooses within it. A box is cut where the
paths to a set most want different things; for a set that no play meets twice, the cut is between
actions, since there a pure choice is best.

Candidates are local maxima (:mod:`infoset.strategy.absentminded.ascent`), the best of all among
them or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import floor

import numpy as np

from infoset.forms.plans import Routes, find_routes
from infoset.linear.numbers import Numbers
from infoset.strategy.absentminded.ascent import local_maxima
from infoset.strategy.absentminded.maximum import Best
from infoset.strategy.absentminded.polishing import polished
from infoset.strategy.absentminded.polynomial import Polynomial
from infoset.tree import Tree

POLISHED = 500  # terms up to which a candidate is made exact
WEIGHT = 100  # what a path costs, in numbers of a net

CERTAIN = 1 << 24  # probability 1, in the whole numbers of boxes
UNIT = 1 << 40  # the unit of what paths are worth; all is rounded up in it

Box = tuple[tuple[int, int], ...]  # [action] the least and the largest probability


def bounded(
    tree: Tree,
    number: int,
    others: Numbers,
    given: Polynomial,
    work: int,
    over: Callable[[], bool],
) -> Best:
    """A locally best point, and a bound on all others that is proved and need not be close."""
    best = local_maxima(given)[0]
    if len(given.terms) <= POLISHED:
        better = polished(given, best)
        if better is not None and given.value(better.point) >= given.value(best):
            best = better.point
    if not others.exact:
        others = Numbers.of([Fraction(float(value)) for value in others.numerators])
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.ends]
    worth = others.times(tree.stakes[number]).added_up(path, len(routes.origin))
    value = given.value(best)
    question = _Remembering(routes, worth.numerators.tolist(), given.degrees)
    most, asked = question.settle(value * worth.denominator, work, over)
    return Best(best, value, max(most / worth.denominator, value), asked)


class _Remembering:
    """One who remembers, but must stay within boxes; in whole numbers, always rounded up."""

    def __init__(self, routes: Routes, worth: list[int], degrees: dict[int, int]) -> None:
        self.worth = [amount * UNIT for amount in worth]  # [path]
        self.partings = [parting for parting in routes.partings if parting.size > 1]
        self.sizes = {parting.own: parting.size for parting in self.partings}
        self.degrees = degrees  # by set: how often a play comes; not there if it does not matter

    def settle(self, value: Fraction, work: int, over: Callable[[], bool]) -> tuple[Fraction, int]:
        """A bound on everything, given a value that is attained; and the boxes looked at."""
        reached = floor(value * UNIT)
        bound, torn = self.bound({})
        waiting: list[tuple[int, int, int, dict[int, Box]]] = [(-bound, 0, torn, {})]
        asked = 0
        while waiting:
            upper, _, torn, boxes = heappop(waiting)
            done = asked * len(self.partings) * WEIGHT > work or over()
            parts = [] if done or torn < 0 else self.cut(torn, boxes.get(torn))
            if -upper <= reached or not parts:  # if all paths agree the bound is attained
                return max(Fraction(-upper, UNIT), value), asked
            for box in parts:
                asked += 1
                further = {**boxes, torn: box}
                bound, next_torn = self.bound(further)
                if bound > reached:
                    heappush(waiting, (-bound, asked, next_torn, further))
        return value, asked

    def bound(self, boxes: dict[int, Box]) -> tuple[int, int]:
        """The most within the boxes; and the set whose paths want different things the most.

        The set is -1 if all paths to each want the same.
        """
        total = list(self.worth)
        wanted: dict[int, list[tuple[list[int], int]]] = {}
        for path, own, first, size in reversed(self.partings):
            after = total[first : first + size]
            shares = most_within(after, boxes.get(own))
            most = sum(share * amount for share, amount in zip(shares, after, strict=True))
            total[path] -= -most // CERTAIN
            wanted.setdefault(own, []).append((shares, max(after) - min(after)))
        torn = {own: _disagreement(wishes) for own, wishes in wanted.items()}
        own = max(torn, key=torn.__getitem__, default=-1)
        return total[0], own if own >= 0 and torn[own] else -1

    def cut(self, own: int, box: Box | None) -> list[Box]:
        """A set's box in parts; none if it is too small to be cut."""
        size = self.sizes[own]
        now = box or ((0, CERTAIN),) * size
        if self.degrees.get(own, 1) == 1:
            return [tuple((w, w) for w in _pure(size, action)) for action in range(size)]
        widths = [high - low for low, high in now]
        at = widths.index(max(widths))
        if widths[at] < 2:
            return []
        low, high = now[at]
        middle = (low + high) // 2
        lower, upper = list(now), list(now)
        lower[at], upper[at] = (low, middle), (middle, high)
        return [tight for part in (lower, upper) if (tight := tightened(part)) is not None]


def _pure(size: int, action: int) -> list[int]:
    return [CERTAIN * (at == action) for at in range(size)]


def most_within(after: Sequence[int], box: Box | None) -> list[int]:
    """The probabilities within a box that give the most."""
    if box is None:
        return _pure(len(after), list(after).index(max(after)))
    shares = [low for low, _ in box]
    left = CERTAIN - sum(shares)
    for action in sorted(range(len(after)), key=lambda action: -after[action]):
        more = min(left, box[action][1] - box[action][0])
        shares[action] += more
        left -= more
    return shares


def tightened(box: Sequence[tuple[int, int]]) -> Box | None:
    """A box with what its probabilities' sum implies; None if nothing sums to 1 in it.

    >>> half = CERTAIN // 2
    >>> tightened([(half, CERTAIN), (0, CERTAIN)]) == ((half, CERTAIN), (0, half))
    True
    """
    low, high = sum(low for low, _ in box), sum(high for _, high in box)
    if low > CERTAIN or high < CERTAIN:
        return None
    return tuple((max(a, CERTAIN - (high - b)), min(b, CERTAIN - (low - a))) for a, b in box)


def _disagreement(wishes: list[tuple[list[int], int]]) -> int:
    """How much is lost at most if all paths to a set do the same, up to a factor."""
    if len(wishes) < 2:
        return 0
    ranges = [max(column) - min(column) for column in zip(*(row for row, _ in wishes), strict=True)]
    second = sorted(stake for _, stake in wishes)[-2]
    return int(max(ranges) * second)
