"""The largest value of a polynomial over behaviour probabilities: branch and bound, with its proof.

1. *a bound:* the largest entry of the polynomial's Bernstein net on a piece
   (:mod:`infoset.strategy.absentminded.bernstein`); on pieces where it is proved concave, a tangent
   plane;
2. *a candidate:* a local maximum (:mod:`infoset.strategy.absentminded.ascent`) or the best corner
   of a piece, moved to where all slopes are equal, exactly where that is rational
   (:mod:`infoset.strategy.absentminded.polishing`);
3. *branching:* a set that is met once takes each of its actions in turn; one that is met several
   times has its probabilities cut in half.

The piece with the largest bound is taken up first. It is over when no bound exceeds the candidate,
or does so by less than a tiny part of what is at stake. Whatever stops it, the largest bound that
is left is a proved one. Everything but the candidates is in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from infoset.strategy.absentminded.ascent import local_maxima
from infoset.strategy.absentminded.bernstein import Piece, edge_lengths, whole_piece
from infoset.strategy.absentminded.polishing import polished
from infoset.strategy.absentminded.polynomial import Point, Polynomial

GAP = Fraction(1, 10**12)  # of the net's largest entry: as good as none where a point is irrational
MOST_WORK = 30_000_000  # numbers of nets and of their differences that are looked at
BENDING = 8  # free probabilities up to which concavity is looked for
CLIMBS = 3  # local maxima that are polished
TRIES = 12  # candidates that are polished; later ones only at each doubling of the work
MANY = 5_000  # work for which one more candidate is polished, at each doubling


def never() -> bool:
    """Do not stop."""
    return False


class Best(NamedTuple):
    """Where a polynomial is largest, as far as it is known."""

    point: Point
    value: Fraction
    most: Fraction  # it is nowhere larger
    pieces: int


def maximum(part: Polynomial, work: int = MOST_WORK, over: Callable[[], bool] = never) -> Best:
    """The largest value of a polynomial over its sets' probabilities, by nets."""
    search = _Search(part)
    search.run(work, over)
    return Best(search.point, search.value, max(search.bound, search.value), search.pieces)


class _Search:
    """The pieces that are still to be looked at, and the best point so far."""

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
        """Until nothing is left above the best point, or the work is done."""
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
        """Is the gap so small that only a proof that there is none would be worth more?"""
        small = self.small * GAP if self.level else self.small
        return self.bound - self.value <= small

    def push(self, piece: Piece) -> None:
        """Keep a piece if something better may be in it."""
        bound = piece.most
        if bound > self.value and _dimension(piece) <= BENDING and piece.concave:
            bound = min(bound, self.under_tangent(piece))
        if bound > self.value:
            heappush(self.waiting, (-bound, self.pieces, piece))

    def under_tangent(self, piece: Piece) -> Fraction:
        """What a concave polynomial does not exceed on a piece: its tangent plane's largest value.

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
        """A point of a piece, with what is fixed or does not matter there."""
        fixed = {own: list(corner) for own, corner in piece.fixed.items()}
        anything = {own: unit(self.part, own, 0) for own in self.part.degrees}
        return {**anything, **fixed, **point}

    def offer(self, piece: Piece, done: int) -> None:
        """Take the best corner if it is better than the best point, and polish it."""
        self.pieces += 1
        value, corner = piece.best_corner
        if value > self.value or (value == self.value and not self.level):
            often = self.tried < TRIES or done >> (self.tried - TRIES) > MANY
            self.take(self.whole_point(piece, corner), value, often)

    def take(self, point: Point, value: Fraction, polish: bool = True) -> None:
        """Take a point if it is at least as good, and what it becomes when it is polished."""
        if value >= self.value:
            self.point, self.value, self.level = point, value, False
        self.tried += polish
        better = polished(self.part, point) if polish else None
        if better is not None and (worth := self.part.value(better.point)) >= self.value:
            self.point, self.value, self.level = better.point, worth, better.level

    def children(self, piece: Piece) -> list[Piece]:
        """A piece in parts: by the actions of a set that is met once, or in halves."""
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
    """The probabilities of a set that takes one action."""
    return [Fraction(int(at == action)) for at in range(len(part.actions(own)))]


def _dot(one: list[Fraction], two: list[Fraction] | tuple[Fraction, ...]) -> Fraction:
    return sum((a * b for a, b in zip(one, two, strict=True) if b), Fraction(0))


def _dimension(piece: Piece) -> int:
    return int(np.sum([len(axis.corners) - 1 for axis in piece.axes]))
