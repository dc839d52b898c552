"""Searches one after the other: to the end of the game, or deeper and deeper until time is up.

A search that looks only some choices ahead needs to know what a position beyond is worth. An
evaluator says; or, without one, there are two searches, for the worst and for the best that may lie
there, and the value is between them, since V only grows with what its leaves pay.

Each search leaves behind how the alternatives did, by which the next can order them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from infoset.errors import ParameterError
from infoset.search.imp.ground import BEST, EVALUATED, WORST, Ground
from infoset.search.imp.request import Request
from infoset.search.imp.sets import UNDECIDED, SetSearch, Stopped
from infoset.search.limits import deep_recursion

FRAMES = 4  # calls within calls for one choice


@dataclass(frozen=True)
class Round:
    """What one look ahead came to."""

    depth: int  # choices ahead; -1: no limit
    complete: bool  # was nothing left beyond the horizon?
    low: Fraction
    high: Fraction
    guessed: bool  # by an evaluator, as far as something was
    chosen: dict[int, int]  # by information set
    twice: int | None  # an information set that was met twice

    @property
    def settled(self) -> bool:
        """Does nothing depend on what lies deeper?"""
        return self.complete or (self.low == self.high and not self.guessed)


@dataclass
class Rounds:
    """All looks ahead: the last that was finished, and what they took together."""

    last: Round | None = None
    stopped: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    ranks: dict[int, list[int]] = field(default_factory=dict)


def run(ground: Ground, request: Request, search: type[SetSearch] = SetSearch) -> Rounds:
    """Look ahead as deep as asked, or deeper and deeper."""
    found = Rounds()
    with deep_recursion(request.name, ground.longest, FRAMES):
        for depth in _planned(ground, request):
            if found.last is not None and request.over():
                found.stopped = True
                break
            try:
                found.last = _round(ground, request, search, depth, found)
            except Stopped:
                found.stopped = True
                break
            if found.last.settled:
                break
    return found


def _planned(ground: Ground, request: Request) -> Iterable[int]:
    """How far to look, once or several times; -1: to the end of the game."""
    can_look = request.evaluator is not None or ground.floored
    deepening = request.deepening
    if deepening is None:  # where nothing is known of what lies beyond, all time is for one look
        deepening = request.seconds is not None and can_look
    if (request.depth is not None or deepening) and not can_look:
        raise ParameterError(
            f"{request.name}: to look only some choices ahead takes evaluator= or"
            " bounds=(low, high), the least and the most that the first player may get"
        )
    if request.ordering and request.evaluator is None and not deepening:
        raise ParameterError(
            f"{request.name}: ordering=True has nothing to order by; give evaluator= or"
            " deepening=True"
        )
    if deepening:
        return _depths(request.depth, request.deepening is True)
    return (-1 if request.depth is None else request.depth,)


def _depths(last: int | None, every: bool) -> Iterator[int]:
    """Deeper and deeper: every depth, or each by half deeper than the one before.

    In time that is short, little should be spent on looks that a deeper one makes useless. Where
    trees grow slowly with their depth, looks at every depth would cost many times the last.
    """
    depth = 1
    while last is None or depth < last:
        yield depth
        depth = depth + 1 if every else max(depth + 1, depth * 3 // 2)
    yield last


def _round(
    ground: Ground, request: Request, search: type[SetSearch], depth: int, found: Rounds
) -> Round:
    """One look ahead."""
    ground.unknown = EVALUATED if request.evaluator is not None else WORST
    low, first, beyond = _searched(ground, request, search, depth, found)
    if request.evaluator is not None or not beyond:
        return Round(depth, not beyond, low, low, beyond > 0, first.chosen, first.twice)
    ground.unknown = BEST
    high, second, _ = _searched(ground, request, search, depth, found)
    # Each player is careful: the first goes by the worst for it, the second by the best.
    chosen = dict(first.chosen)
    for number, taken in second.chosen.items():
        if ground.owner[number] or chosen.get(number, UNDECIDED) == UNDECIDED:
            chosen[number] = taken
    twice = second.twice if first.twice is None else first.twice
    return Round(depth, False, low, high, False, chosen, twice)


def _searched(
    ground: Ground, request: Request, search: type[SetSearch], depth: int, found: Rounds
) -> tuple[Fraction, SetSearch, int]:
    """A search: what the first player gets, the search, and positions beyond the horizon."""
    ground.restart()
    once = search(ground, request, found.ranks)
    try:
        loss = once.run(depth)
    finally:
        found.counts.update(once.counts)
        found.counts["searches"] += 1
    found.ranks = {**found.ranks, **once.ranked}
    return ground.worth(loss), once, ground.horizon


def unpruned(ground: Ground, request: Request, depth: int) -> dict[int, int]:
    """A choice at every information set within reach, by a search that leaves nothing out."""
    thorough = replace(
        request,
        information_set_pruning=False,
        immediate_pruning=False,
        ordering=False,
        deepening=False,
        depth=None if depth < 0 else depth,
        seconds=None,
        stop=None,
    )
    last = run(ground, thorough).last
    return {} if last is None else last.chosen
