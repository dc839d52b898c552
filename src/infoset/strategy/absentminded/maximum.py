"""The maximum of a polynomial over behaviour probabilities: branch and bound, with its proof.

1. *a bound:* the largest entry of the polynomial's Bernstein net on a piece
   (:mod:`infoset.strategy.absentminded.bernstein`); on pieces where it is proved concave, a tangent
   plane;
2. *a candidate:* a local maximum (:mod:`infoset.strategy.absentminded.polynomial`) or the best
corner
   of a piece, moved to where all slopes are equal, exactly where that is rational;
3. *branching:* a set that is met once takes each of its actions in turn; one that is met several
   times has its probabilities cut in half.

The piece with the largest bound comes first. The search ends when no bound exceeds the candidate by
more than a tiny part of the largest entry. Whenever it stops, the largest remaining bound is
proved. Everything but the candidates is in rational arithmetic.

*Polishing a candidate.* At the maximum the slopes of all actions in use at a set are the same (else
probability would move to the steeper one). Near such a point Newton's method finds it: slopes in
rational arithmetic, the step from floats, so that each step adds as many digits as a float has. If
the point is rational, its fractions are soon recognised as the simplest ones nearby, and that the
slopes are equal is then checked exactly.

*Polynomials too large for nets* are bounded by a player with perfect recall, who could choose on
every path by itself. Its value, by one pass over the paths, last ones first, bounds that of the
player who must have the same probabilities on all paths to a set. The bound gets closer as the
probabilities are confined: each set has a *box*, a least and a largest probability for every
action, and the pass chooses within it. A box is cut where the paths to a set disagree most; for a
set that no play meets twice, the cut is between actions, since there a pure choice is best.
Candidates are local maxima.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import floor
from typing import NamedTuple

import numpy as np

from infoset.forms.normal import Routes, find_routes
from infoset.linear.numbers import Numbers
from infoset.strategy.absentminded.bernstein import Piece, edge_lengths, whole_piece
from infoset.strategy.absentminded.polynomial import Point, Polynomial, local_maxima
from infoset.tree import Tree

STEPS = 40  # of Newton's method
GRID = 1 << 200  # the precision kept between steps
LARGEST = (10**3, 10**6, 10**9, 10**12)  # largest denominators that are tried, in turn
FINE = 10**15  # the largest denominator of a point that is not rational
ARRIVED = Fraction(1, 10**45)  # the size of the last step


class Polished(NamedTuple):
    """A point, and whether the slopes are exactly equal there."""

    point: Point
    level: bool


def polished(given: Polynomial, start: Point) -> Polished | None:
    """A point near the start at which all actions in use have the same slope; None if not found.

    Sets at which one action has all the probability stay as they are.
    """
    scale = max(map(abs, given.terms.values()), default=0)
    if not scale:
        return Polished(start, True)
    part = Polynomial(given.choices, given.terms, scale)
    point = {own: list(start[own]) for own in given.degrees}
    for _ in range(sum(map(len, point.values())) + 1):
        free = {
            own: [a for a, probability in enumerate(row) if probability]
            for own, row in point.items()
        }
        free = {own: actions for own, actions in free.items() if len(actions) > 1}
        found = _newton(part, point, free)
        if found is None:
            return None
        outside = [
            (own, a)
            for own, row in found.items()
            for a, probability in enumerate(row)
            if probability < 0
        ]
        if not outside:
            level = simplest(part, found, free)
            return Polished({**start, **(level or rounded(found))}, level is not None)
        for own, action in outside:  # at the boundary: continue along it
            point[own][action] = Fraction(0)
            total = sum(point[own])
            point[own] = [probability / total for probability in point[own]]
    return None


def _newton(part: Polynomial, start: Point, free: dict[int, list[int]]) -> Point | None:
    """Newton's method in the free probabilities; None if it does not converge."""
    point = {own: list(row) for own, row in start.items()}
    places = [(own, action) for own, actions in free.items() for action in actions[1:]]
    for _ in range(STEPS if places else 0):
        slopes = part.slopes(point)
        side = [slopes[own][free[own][0]] - slopes[own][action] for own, action in places]
        unit = max(map(abs, side))
        if not unit:
            return point
        matrix = _bending(part, point, free, places)
        right = np.array([float(entry / unit) for entry in side])
        step = np.linalg.lstsq(matrix, right, rcond=1e-13)[0]
        if not np.isfinite(step).all():
            return None
        moves = [Fraction(float(entry)) * unit for entry in step]
        largest = max(map(abs, moves))
        if largest > 2:
            return None
        for (own, action), move in zip(places, moves, strict=True):
            fine = Fraction(round(move * GRID), GRID)
            point[own][action] += fine
            point[own][free[own][0]] -= fine
        if largest < ARRIVED:
            return point
    return None if places else point


def _bending(
    part: Polynomial, point: Point, free: dict[int, list[int]], places: list[tuple[int, int]]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The second derivatives along the moves from each set's first free action to another."""
    pairs = [(part.actions(own)[action], part.actions(own)[free[own][0]]) for own, action in places]
    matrix = np.zeros((len(pairs), len(pairs)))
    for i, (to, away) in enumerate(pairs):
        for j, (onto, off) in enumerate(pairs[: i + 1]):
            matrix[i, j] = matrix[j, i] = (
                part.bends(point, to, onto)
                - part.bends(point, to, off)
                - part.bends(point, away, onto)
                + part.bends(point, away, off)
            )
    return matrix


def simplest(part: Polynomial, near: Point, free: dict[int, list[int]]) -> Point | None:
    """The simplest point nearby at which the free actions have exactly the same slope, if any."""
    for largest in LARGEST:
        point = rounded(near, largest)
        slopes = part.slopes(point)
        if all(
            slopes[own][action] == slopes[own][actions[0]]
            for own, actions in free.items()
            for action in actions
        ):
            return point
    return None


def rounded(near: Point, largest: int = FINE) -> Point:
    """Probabilities with denominators up to this, except the largest one of each set."""
    found: Point = {}
    for own, row in near.items():
        kept = row.index(max(row))
        probabilities = [
            max(probability.limit_denominator(largest), Fraction(0)) for probability in row
        ]
        probabilities[kept] = 1 - sum(probabilities[:kept] + probabilities[kept + 1 :], Fraction(0))
        found[own] = probabilities
    return found


GAP = Fraction(
    1, 10**12
)  # relative to the net's largest entry: the gap that is allowed where a point is irrational
MOST_WORK = 30_000_000  # entries of nets and of their differences
BENDING = 8  # free probabilities, up to which concavity is tested
CLIMBS = 3  # local maxima that are polished
TRIES = 12  # candidates that are polished; later ones only at each doubling of the work
MANY = 5_000  # work for which one more candidate is polished, at each doubling


def never() -> bool:
    """Do not stop."""
    return False


class Best(NamedTuple):
    """The best known point of a polynomial, and an upper bound."""

    point: Point
    value: Fraction
    most: Fraction  # an upper bound
    pieces: int


def maximum(part: Polynomial, work: int = MOST_WORK, over: Callable[[], bool] = never) -> Best:
    """The maximum of a polynomial over its sets' probabilities, by nets."""
    search = _Search(part)
    search.run(work, over)
    return Best(search.point, search.value, max(search.bound, search.value), search.pieces)


class _Search:
    """The open pieces, and the best point so far."""

    def __init__(self, part: Polynomial) -> None:
        self.part = part
        self.level = False  # is the best point exactly where the slopes are equal?
        self.pieces = 0
        self.tried = 0
        self.waiting: list[tuple[Fraction, int, Piece]] = []
        whole = whole_piece(part).narrowed()
        self.small = GAP * max(abs(whole.most), abs(whole.least))
        self.point: Point = {own: unit(part, own, 0) for own in part.degrees}
        self.value = part.value(self.point)
        self.bound = whole.most
        if whole.axes:
            for point in local_maxima(part)[:CLIMBS]:
                self.take(point, part.value(point))
        self.offer(whole, 0)
        self.push(whole)

    def run(self, work: int, over: Callable[[], bool]) -> None:
        """Run until no piece has a bound above the best point, or the work limit is reached."""
        done = 0
        while self.waiting:
            self.bound = -self.waiting[0][0]
            if self.bound <= self.value or self.good_enough:
                return
            if done > work or over():
                return
            piece = heappop(self.waiting)[2]
            for child in map(Piece.narrowed, self.children(piece)):
                done += child.net.size * (1 + _dimension(child) ** 2)
                self.offer(child, done)
                self.push(child)
        self.bound = self.value

    @property
    def good_enough(self) -> bool:
        """Is the gap small enough to stop?"""
        small = self.small * GAP if self.level else self.small
        return self.bound - self.value <= small

    def push(self, piece: Piece) -> None:
        """Keep a piece if it may contain a better point."""
        bound = piece.most
        if bound > self.value and _dimension(piece) <= BENDING and piece.concave:
            bound = min(bound, self.under_tangent(piece))
        if bound > self.value:
            heappush(self.waiting, (-bound, self.pieces, piece))

    def under_tangent(self, piece: Piece) -> Fraction:
        """An upper bound of a concave polynomial on a piece: the maximum of a tangent plane.

        The plane touches at the best point if that is in the piece, else at the best corner.
        """
        inside = piece.contains(self.point)
        value, corner = (self.value, self.point) if inside else piece.best_corner
        point = self.whole_point(piece, corner)
        slopes = self.part.slopes(point)
        rise = Fraction(0)
        for axis in piece.axes:
            at = _dot(slopes[axis.own], point[axis.own])
            rise += max(_dot(slopes[axis.own], corner) for corner in axis.corners) - at
        return value + rise

    def whole_point(self, piece: Piece, point: Point) -> Point:
        """A point of a piece, completed by what is fixed there."""
        fixed = {own: list(corner) for own, corner in piece.fixed.items()}
        anything = {own: unit(self.part, own, 0) for own in self.part.degrees}
        return {**anything, **fixed, **point}

    def offer(self, piece: Piece, done: int) -> None:
        """Use the best corner if it is better than the best point, and polish it."""
        self.pieces += 1
        value, corner = piece.best_corner
        if value > self.value or (value == self.value and not self.level):
            often = self.tried < TRIES or done >> (self.tried - TRIES) > MANY
            self.take(self.whole_point(piece, corner), value, often)

    def take(self, point: Point, value: Fraction, polish: bool = True) -> None:
        """Use a point if it is at least as good, and its polished version."""
        if value >= self.value:
            self.point, self.value, self.level = point, value, False
        self.tried += polish
        better = polished(self.part, point) if polish else None
        if better is not None and (found := self.part.value(better.point)) >= self.value:
            self.point, self.value, self.level = better.point, found, better.level

    def children(self, piece: Piece) -> list[Piece]:
        """The parts of a piece: by the actions of a set that is met once, or in halves."""
        spread = [
            int(np.max(piece.net.max(axis=at) - piece.net.min(axis=at)))
            for at in range(len(piece.axes))
        ]
        once = [at for at, axis in enumerate(piece.axes) if axis.degree == 1]
        if once:
            at = max(once, key=spread.__getitem__)
            return [piece.fix(at, action) for action in range(len(piece.axes[at].corners))]
        lengths = [
            max(edge_lengths(axis.corners).values()) if spread[at] else Fraction(0)
            for at, axis in enumerate(piece.axes)
        ]
        return list(piece.halves(lengths.index(max(lengths))))


def unit(part: Polynomial, own: int, action: int) -> list[Fraction]:
    """The probabilities of a pure choice at a set."""
    return [Fraction(int(at == action)) for at in range(len(part.actions(own)))]


def _dot(one: list[Fraction], two: list[Fraction] | tuple[Fraction, ...]) -> Fraction:
    return sum((a * b for a, b in zip(one, two, strict=True) if b), Fraction(0))


def _dimension(piece: Piece) -> int:
    return int(np.sum([len(axis.corners) - 1 for axis in piece.axes]))


POLISHED = 500  # terms up to which a candidate is made exact
WEIGHT = 100  # the work for a path, in entries of a net

CERTAIN = 1 << 24  # probability 1, in the integers of boxes
UNIT = 1 << 40  # the unit of path values, which are rounded up

Box = tuple[tuple[int, int], ...]  # [action] the least and the largest probability


def bounded(
    tree: Tree,
    number: int,
    others: Numbers,
    given: Polynomial,
    work: int,
    over: Callable[[], bool],
) -> Best:
    """A locally best point, and a proved upper bound that need not be close."""
    best = local_maxima(given)[0]
    if len(given.terms) <= POLISHED:
        better = polished(given, best)
        if better is not None and given.value(better.point) >= given.value(best):
            best = better.point
    if not others.exact:
        others = Numbers.of([Fraction(float(value)) for value in others.numerators])
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.leaf_indices]
    payoffs = others.times(tree.leaf_payoffs[number]).group_sums(path, len(routes.origin))
    value = given.value(best)
    question = _PerfectRecall(routes, payoffs.numerators.tolist(), given.degrees)
    most, asked = question.settle(value * payoffs.denominator, work, over)
    return Best(best, value, max(most / payoffs.denominator, value), asked)


class _PerfectRecall:
    """The relaxation to perfect recall within boxes; in integers, always rounded up."""

    def __init__(self, routes: Routes, payoffs: list[int], degrees: dict[int, int]) -> None:
        self.payoffs = [amount * UNIT for amount in payoffs]  # [path]
        self.branch_points = [
            branch_point for branch_point in routes.branch_points if branch_point.size > 1
        ]
        self.sizes = {branch_point.own: branch_point.size for branch_point in self.branch_points}
        self.degrees = degrees  # by set: how often a play meets it; absent if it does not matter

    def settle(self, value: Fraction, work: int, over: Callable[[], bool]) -> tuple[Fraction, int]:
        """An upper bound, given a value that is attained; and the number of boxes."""
        reached = floor(value * UNIT)
        bound, torn = self.bound({})
        waiting: list[tuple[int, int, int, dict[int, Box]]] = [(-bound, 0, torn, {})]
        asked = 0
        while waiting:
            upper, _, torn, boxes = heappop(waiting)
            done = asked * len(self.branch_points) * WEIGHT > work or over()
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
        """The maximum within the boxes; and the set whose paths disagree most.

        The set is -1 if all paths to each agree.
        """
        total = list(self.payoffs)
        wanted: dict[int, list[tuple[list[int], int]]] = {}
        for path, own, first, size in reversed(self.branch_points):
            after = total[first : first + size]
            probabilities = most_within(after, boxes.get(own))
            most = sum(
                probability * amount
                for probability, amount in zip(probabilities, after, strict=True)
            )
            total[path] -= -most // CERTAIN
            wanted.setdefault(own, []).append((probabilities, max(after) - min(after)))
        torn = {own: _disagreement(wishes) for own, wishes in wanted.items()}
        own = max(torn, key=torn.__getitem__, default=-1)
        return total[0], own if own >= 0 and torn[own] else -1

    def cut(self, own: int, box: Box | None) -> list[Box]:
        """The parts of a set's box; none if it is too small to be cut."""
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
    """The probabilities within a box that maximize the value."""
    if box is None:
        return _pure(len(after), list(after).index(max(after)))
    probabilities = [low for low, _ in box]
    left = CERTAIN - sum(probabilities)
    for action in sorted(range(len(after)), key=lambda action: -after[action]):
        more = min(left, box[action][1] - box[action][0])
        probabilities[action] += more
        left -= more
    return probabilities


def tightened(box: Sequence[tuple[int, int]]) -> Box | None:
    """A box, narrowed by the condition that probabilities sum to 1; None if it is empty then.

    >>> half = CERTAIN // 2
    >>> tightened([(half, CERTAIN), (0, CERTAIN)]) == ((half, CERTAIN), (0, half))
    True
    """
    low, high = sum(low for low, _ in box), sum(high for _, high in box)
    if low > CERTAIN or high < CERTAIN:
        return None
    return tuple((max(a, CERTAIN - (high - b)), min(b, CERTAIN - (low - a))) for a, b in box)


def _disagreement(wishes: list[tuple[list[int], int]]) -> int:
    """What is lost at most if all paths to a set choose the same, up to a factor."""
    if len(wishes) < 2:
        return 0
    ranges = [max(column) - min(column) for column in zip(*(row for row, _ in wishes), strict=True)]
    second = sorted(stake for _, stake in wishes)[-2]
    return int(max(ranges) * second)
