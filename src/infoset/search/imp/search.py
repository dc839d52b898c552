"""Searches one after the other: to the end of the game, or deeper and deeper until time is up.

A search that looks only some choices ahead needs to know what a position beyond is worth. An
evaluator says; or, without one, there are two searches, for the worst and for the best that may lie
there, and the value is between them, since V only grows with what its leaves pay.

Each search leaves behind how the alternatives did, by which the next can order them.

From what a search found to an answer that says what it is worth.

One player in the dark: chance-minimax, IMP-minimax and IMP-alpha-beta, for anything walkable.

A player who does not know at which of some positions it is must do the same at all of them. So the
search does not go from position to position but from set to set: all positions that are still
possible, each with its probability, are moved on together, and those that look alike to the one who
moves are decided together. With one player who forgets nothing this is right, and takes one pass.
With two, or with a player who forgets, it is a heuristic: to find the right pure strategies is then
NP-hard. Every answer says which it is.

Source: Blair, Mutchler & van Lent, Perfect recall and pruning in games with imperfect information,
1996; IMP-minimax is due to Wilson, Computing equilibria of two-person games from the extensive
form, 1972.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from infoset.errors import NotApplicable, ParameterError
from infoset.rules import Position
from infoset.search.imp.alphabeta import UNDECIDED, SetSearch, SightedSearch, Stopped
from infoset.search.imp.positions import BEST, EVALUATED, WORST, Ground, PositionGround, TreeGround
from infoset.search.imp.settings import Bounds, Request, not_constant
from infoset.search.limits import deep_recursion
from infoset.search.result import Decision, SearchEvaluation, searched
from infoset.solvers.evaluation import Number
from infoset.solvers.solution import Solution
from infoset.text import bounded_number, brief
from infoset.tree.positions import TreePosition
from infoset.tree.source import Source, source

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


class Choices:
    """What to do at a position: a pure choice for each who moves.

    Where pruning left an information set undecided, one search that prunes nothing decides all of
    these when the first is asked for. Sets beyond the horizon, or those that a search which was
    stopped did not come to, take their first option.
    """

    def __init__(self, ground: Ground, request: Request, found: Rounds) -> None:
        """From what was found; the search goes on here if it must."""
        self._ground = ground
        self._request = request
        self._chosen = {} if found.last is None else dict(found.last.chosen)
        self._depth = -1 if found.last is None else found.last.depth
        prunes = request.information_set_pruning or request.immediate_pruning
        self._open = prunes and found.last is not None and not found.stopped

    def __call__(self, position: Position) -> Decision:
        """By mover: 1 for the option taken, 0 for the others."""
        if not self._ground.has(position):
            name, given = self._request.name, brief(repr(position), 100)
            raise ParameterError(
                f"{name}: {given} is no position of the searched game; go there from its start,"
                " solution.evaluation.source.start"
            )
        decided: dict[str, dict[Hashable, Number]] = {}
        for mover in position.movers:
            taken = self._taken(position, mover)
            options = position.options(mover)
            decided[mover] = {option: int(at == taken) for at, option in enumerate(options)}
        return decided

    def by_infoset(self) -> list[Sequence[Number]]:
        """[infoset] of a tree: 1 for the option taken, 0 for the others."""
        width = self._ground.width
        if any(map(self._undecided, range(len(width)))):
            self._decide_rest()
        rows: dict[tuple[int, int], Sequence[Number]] = {}
        chosen = [max(self._chosen.get(number, 0), 0) for number in range(len(width))]
        for pair in {*zip(width, chosen, strict=True)}:
            rows[pair] = tuple(int(at == pair[1]) for at in range(pair[0]))
        return [rows[pair] for pair in zip(width, chosen, strict=True)]

    def _taken(self, position: Position, mover: str) -> int:
        number = self._ground.place(position, mover)
        if number is None or self._undecided(number):
            self._decide_rest()
            number = self._ground.place(position, mover)
        return 0 if number is None else max(self._chosen.get(number, 0), 0)

    def _undecided(self, number: int) -> bool:
        return self._chosen.get(number, UNDECIDED) == UNDECIDED

    def _decide_rest(self) -> None:
        """Decide what pruning left open, once."""
        if self._open:
            self._open = False
            for number, taken in unpruned(self._ground, self._request, self._depth).items():
                if self._undecided(number):
                    self._chosen[number] = taken


def answer(
    source: Source, request: Request, ground: Ground, bounds: Bounds, found: Rounds
) -> Solution:
    """The answer of a search."""
    last = found.last
    choices = Choices(ground, request, found)
    evaluation = SearchEvaluation(
        source=source,
        found=last.low if last is not None and last.low == last.high else None,
        bounds=_certain(source, bounds, last),
        optimal=last is not None and last.settled and last.twice is None,
        reason=_because(source, request, ground, last),
        decision=choices,
        depth=_deep(last),
        by_infoset=choices.by_infoset if isinstance(ground, TreeGround) else None,
    )
    note = "" if not found.stopped else _stopped(last)
    seconds = time.perf_counter() - request.began
    return searched(evaluation, request.method, dict(found.counts), seconds, note)


def _certain(source: Source, bounds: Bounds, last: Round | None) -> Bounds:
    """Between which the value of the game lies for certain; ``bounds`` are those of payoffs.

    Where no set was met twice, the choices keep what the search found. What one player computes who
    forgets, no strategy beats, but it may be that none gets it either. With two, what is computed
    says nothing about the value.
    """
    if last is None or last.guessed:
        return bounds
    if last.twice is None:
        return last.low, last.high
    return (bounds[0], last.high) if len(source.seats.players) == 1 else bounds


def _deep(last: Round | None) -> int | None:
    """How far it looked; None: nothing depends on what lies deeper."""
    if last is None:
        return 0
    return None if last.settled else last.depth


def _stopped(last: Round | None) -> str:
    if last is None:
        return "stopped before an answer was found"
    return f"stopped; the deepest look that was finished went {_ahead(last)}"


def _ahead(last: Round) -> str:
    return f"{last.depth} choices ahead" if last.depth != 1 else "1 choice ahead"


def _because(source: Source, request: Request, ground: Ground, last: Round | None) -> str:
    """Why the value is right, or what it is worth if not."""
    if last is None:
        return "the search was stopped before it came to an answer"
    if last.guessed:
        return f"it looked {_ahead(last)}, and went by the evaluator beyond"
    if not last.settled:
        cut = f"it looked {_ahead(last)}, and beyond anything between the bounds may be paid"
        if last.twice is None:
            return cut
        between = f"{bounded_number(last.low)} to {bounded_number(last.high)}"
        return f"{cut}: {between} by {_heuristic(source, ground, last)}"
    same = "" if last.complete else f"{_ahead(last)} it is the same whatever lies deeper, and "
    if last.twice is None:
        if request.method == "chance-minimax":
            return f"{same}everyone always knows where the play stands"
        strategies = "one strategy" if len(source.seats.players) == 1 else "a strategy for each"
        return f"{same}no information set was met twice, so that the choices are {strategies}"
    return _heuristic(source, ground, last)


def _heuristic(source: Source, ground: Ground, last: Round) -> str:
    """What was not right about the search."""
    mover, known = ground.told(last.twice or 0)
    if len(source.seats.players) == 1:
        forgets = _forgets(source, ground, mover, known)
        return f"a heuristic: {forgets}; no strategy gets more than {bounded_number(last.high)}"
    return f"a heuristic: {mover}, knowing {known!r}, was asked twice, as if it could tell more"


def _forgets(source: Source, ground: Ground, mover: str, known: str) -> str:
    """What the one player forgets: in a tree it is known, in positions it showed."""
    if isinstance(ground, TreeGround):
        return ground.tree.perfect_recall.because
    player = source.seats.players[0]
    agent = "" if mover == player else f" as {mover}"
    return f"{player} forgets what it chose or knew before, when it moves{agent}, knowing {known!r}"


Evaluator = Callable[[Position], Any]


def chance_minimax(
    game: Any,
    *,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
) -> Solution:
    """The best, the worst or the average of what follows, where everyone sees everything.

    For one player, or for two with a constant sum. ``depth`` is how many choices to look ahead;
    nature's do not count. What lies beyond is worth what ``evaluator`` says for the first player,
    or else anything between ``bounds``, the least and the most that the first player may get: the
    game's own if they are left out, with None for an open end. With ``deepening`` it looks one
    choice ahead, then two, and so on, and where only ``seconds`` are given, in larger and larger
    steps; the deepest look that was finished is the answer.

    >>> from infoset.games import blair_g1, blair_g2
    >>> chance_minimax(blair_g1()).value
    Fraction(1, 1)
    >>> chance_minimax(blair_g2())
    Traceback (most recent call last):
    ...
    infoset.errors.NotApplicable: blair_g2(): chance-minimax needs perfect information, ...
    """
    played = source(game)
    request = Request(
        "chance-minimax",
        played.name,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
    )
    return _search(played, request, SightedSearch)


def imp_minimax(
    game: Any,
    *,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
) -> Solution:
    """The best that one player in the dark can do, positions that look alike decided together.

    For one player it looks at every leaf once, and is optimal if the player forgets nothing. With
    two players and a constant sum the second takes what is worst for the first: a heuristic. The
    answer says whether it is optimal, and why. If an information set is met again, the later choice
    is kept; the value is V as computed, and what the choices come to may be less. The bounds and
    the horizon are those of :func:`chance_minimax`.

    >>> from infoset.games import blair_g2
    >>> found = imp_minimax(blair_g2(variant="unseen"))
    >>> found.value, found.evaluation.optimal
    (Fraction(0, 1), True)
    >>> found = imp_minimax(blair_g2())
    >>> found.value, found.evaluation.optimal
    (Fraction(1, 1), False)
    """
    played = source(game)
    request = Request(
        "imp-minimax",
        played.name,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
    )
    return _search(played, request, SetSearch)


def imp_alphabeta(
    game: Any,
    *,
    information_set_pruning: bool = True,
    immediate_pruning: bool = True,
    ordering: bool = False,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
) -> Solution:
    """The value of :func:`imp_minimax`, without looking at what cannot change it.

    ``bounds`` are the least and the most that the first player may get: the game's own if they are
    left out, with None for an open end. One player needs the most only. What is left of a sum is
    cut off when even at the most it would not make an alternative the best (information-set
    pruning), and the other alternatives when one gives the most that there is (immediate pruning).
    With ``ordering`` alternatives that looked good are tried first: by the search before if it
    looks deeper and deeper, or else by the evaluator one choice ahead.

    Choices that pruning left open are made when they are asked for, by a search without pruning.
    ``counts`` has nodes and leaves looked at, shares of information sets, their alternatives, and
    the cutoffs of each kind.

    >>> from infoset.games import imp_model
    >>> game = imp_model(k=2, b=3, d=4)
    >>> full, pruned = imp_minimax(game), imp_alphabeta(game, bounds=(0, 99))
    >>> full.value == pruned.value, full.work["leaves"], pruned.work["leaves"]
    (True, 216, 181)
    """
    played = source(game)
    request = Request(
        "imp-alphabeta",
        played.name,
        information_set_pruning=information_set_pruning,
        immediate_pruning=immediate_pruning,
        ordering=ordering,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
    )
    return _search(played, request, SetSearch)


def _search(played: Source, request: Request, search: type[SetSearch]) -> Solution:
    """Check that the game fits, search it, and answer."""
    _check_players(played, request.method)
    ground: Ground
    bounds = request.bounded(played.bounds)
    if isinstance(played.start, TreePosition):
        tree = played.start.tree
        if len(tree.players) == 2 and not (constant := tree.constant_sum):
            raise not_constant(played.name, request.method, constant.because)
        ground = TreeGround(tree, bounds, request.evaluator)
    else:
        ground = PositionGround(played, bounds, request)
    return answer(played, request, ground, bounds, run(ground, request, search))


def _check_players(played: Source, method: str) -> None:
    players = played.seats.players
    if len(players) > 2:
        raise NotApplicable(
            f"{played.name}: {method} is for one player, or for two with a constant sum, and this"
            f" game has {len(players)}: {', '.join(players)}; backward and behaviour fit"
        )
