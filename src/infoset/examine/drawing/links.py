"""How the members of an information set are tied together on their level.

Members next to each other are enclosed by an oval. Others are linked by dashed lines that run
beside the level, on either of its two sides and each on a track of its own. Two links on one side
cross if each has one end inside the other's span, so a set goes to the side where it crosses fewer
of those placed before it; a link goes on the first track outside those whose span meets its own,
shortest first, so that links nest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BEFORE, AFTER = 0, 1  # the sides of a level: towards the root, away from it


@dataclass(frozen=True)
class Link:
    """A set whose members have others between them."""

    number: int  # which set
    side: int
    track: int  # 0 is next to the level


@dataclass(frozen=True)
class Ties:
    """How the sets of one level are drawn."""

    ovals: tuple[int, ...]  # sets, by number
    links: tuple[Link, ...]
    crossings: int

    def tracks(self, side: int) -> int:
        """How many tracks there are on a side."""
        return max((link.track + 1 for link in self.links if link.side == side), default=0)


def ties(places: Sequence[tuple[int, Sequence[int]]]) -> Ties:
    """Oval or link for each set: its number and its members' places in the row of the level.

    >>> ties([(7, (0, 3)), (8, (1, 2)), (9, (4, 5))])
    Ties(ovals=(8, 9), links=(Link(number=7, side=0, track=0),), crossings=0)
    """
    ovals: list[tuple[int, Sequence[int]]] = []
    apart: list[tuple[int, Sequence[int]]] = []
    for number, members in places:
        close = members[-1] - members[0] == len(members) - 1
        (ovals if close else apart).append((number, members))
    sides, crossings = _sides([members for _, members in apart])
    found = []
    for side in (BEFORE, AFTER):
        mine = [entry for entry, of in zip(apart, sides, strict=True) if of == side]
        found += [Link(number, side, track) for number, track in _tracks(mine)]
    return Ties(tuple(number for number, _ in ovals), tuple(found), crossings)


def _sides(sets: list[Sequence[int]]) -> tuple[list[int], int]:
    """A side for each set, and how many pairs of links cross."""
    sides = [BEFORE] * len(sets)
    placed: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    crossings = 0
    for at in sorted(range(len(sets)), key=lambda at: (sets[at][0], sets[at][-1])):
        spans = list(zip(sets[at], sets[at][1:], strict=False))
        counts = [_crossed(spans, side) for side in placed]
        sides[at] = AFTER if counts[AFTER] < counts[BEFORE] else BEFORE
        crossings += min(counts)
        placed[sides[at]].extend(spans)
    return sides, crossings


def _crossed(spans: list[tuple[int, int]], others: list[tuple[int, int]]) -> int:
    return sum(
        low < start < high < end or start < low < end < high
        for start, end in spans
        for low, high in others
    )


def _tracks(sets: list[tuple[int, Sequence[int]]]) -> list[tuple[int, int]]:
    """A track for each set of one side, the shortest first."""
    placed: list[tuple[int, int, int, int]] = []  # start, end, track, number
    for number, members in sorted(sets, key=lambda entry: (entry[1][-1] - entry[1][0], entry[1])):
        start, end = members[0], members[-1]
        taken = [track for low, high, track, _ in placed if low < end and start < high]
        placed.append((start, end, max(taken, default=-1) + 1, number))
    return [(number, track) for _, _, track, number in placed]
