"""From passes of a search to its answer: one pass, deeper and deeper ones, and decisions.

To the end of the game one pass gives the value. With a depth and no evaluator two do: what lies
deeper counts as the least that it could be, then as the most, and the value is in between. Deeper
and deeper passes keep what the deepest finished one says; a pass that was nowhere cut short is the
answer. A decision is a pass from where it is asked for. Where the game goes on below what may be
looked at, either player does what is best if the rest turns out worst for it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, Protocol

from infoset.errors import NotApplicable
from infoset.rules import Position, ReplayPosition
from infoset.search.result import Decision, Searched
from infoset.search.simultaneous.arithmetic import Played, Shares
from infoset.search.simultaneous.induction import BackwardInduction
from infoset.search.simultaneous.machine import Machine
from infoset.search.simultaneous.oracle import BoundedDoubleOracle, DoubleOracle
from infoset.search.simultaneous.pruning import SimultaneousAlphaBeta
from infoset.search.simultaneous.request import WINDOWED, Request
from infoset.search.simultaneous.session import ENDLESS, Session, Stopped
from infoset.search.source import Source
from infoset.tree.walking import TreePosition


class Method(Protocol):
    """A way to search."""

    def value(self, position: Position, depth: int) -> Any:
        """What a position is worth to the first player."""

    def played(self, position: Position, depth: int) -> Played:
        """The matrix game of a position at which somebody chooses."""


METHODS: dict[str, Any] = {
    "backward-induction": BackwardInduction,
    "smab": SimultaneousAlphaBeta,
    "double-oracle": DoubleOracle,
    "double-oracle-alphabeta": BoundedDoubleOracle,
}
BECAUSE = {
    "backward-induction": "every position down to the ends has the value of its matrix game",
    "smab": "what was given up is dominated: a mixture of other actions is as good",
    "double-oracle": "no action outside of the restricted games is a better reply",
    "double-oracle-alphabeta": "no action outside of the restricted games is a better reply, and"
    " bounds by moving in turn are equal where no matrix game was solved",
}


@dataclass
class Progress:
    """What is known of the value so far."""

    low: Any
    high: Any
    value: Any = None
    depth: int | None = None  # the deepest finished pass; None: to the end of the game
    because: str = "no search was finished"
    note: str = ""


def search_positions(source: Source, request: Request, compiled: bool) -> Searched:
    """Search a game position by position, in Python or compiled."""
    session = Session(source, request)
    _check_bounds(session)
    method: Method = Machine(session) if compiled else METHODS[request.method](session)
    began = perf_counter()  # what is loaded and compiled by now does not count
    if request.seconds is not None:
        session.deadline = monotonic() + request.seconds
    progress = Progress(session.low, session.high, depth=0)  # in amounts, as they are counted
    try:
        with session.room():
            _passes(session, method, progress)
    except Stopped as stopped:
        progress.note = f"{stopped} after {session.counts['nodes']:,} positions"
    ended = progress.depth is None
    decisions = Decisions(session, method, progress.depth)
    return Searched(
        source=source,
        method=request.method,
        value=_worth(session, progress.value),
        bounds=(_worth(session, progress.low), _worth(session, progress.high)),
        optimal=ended,
        because=progress.because,
        counts=session.counted(),
        decision=decisions,
        seconds=perf_counter() - began,
        lp_seconds=session.arithmetic.tally.seconds,
        depth=progress.depth,
        error=session.error,
        note=progress.note,
        start=session.ground.start,
    )


def _worth(session: Session, amount: Any) -> Any:
    return None if amount is None else session.arithmetic.worth(amount)


def _check_bounds(session: Session) -> None:
    """Windows need ends, and so does what is not looked at."""
    request = session.request
    short = session.limited
    if session.low is not None:
        return
    if request.method in WINDOWED or request.heuristic_bounds:
        raise NotApplicable(
            f"{session.ground.name}: {request.method} prunes by the least and the most that the"
            " first player may get; give bounds=(least, most)"
        )
    if short and request.evaluator is None:
        raise NotApplicable(
            f"{session.ground.name}: a search that stops short needs an evaluator, or to know what"
            " the first player may get: give bounds=(least, most)"
        )


def _passes(session: Session, method: Method, progress: Progress) -> None:
    """All passes from the start, as deep as they may go."""
    request = session.request
    most = request.depth or ENDLESS
    if not session.deepens:
        return _one_depth(session, method, progress, most)
    depth = 1
    while depth <= most:
        _one_depth(session, method, progress, depth)
        if progress.depth is None:
            return None
        if request.tick is not None:
            request.tick(f"{depth} stages deep, {session.counts['nodes']:,} positions")
        depth += 1
    return None


def _one_depth(session: Session, method: Method, progress: Progress, depth: int) -> None:
    """One pass, or two that bound the value from below and from above."""
    start = session.ground.start
    found = []
    for unknown in (False, True):
        value = one_pass(session, depth, unknown, lambda: method.value(start, depth))
        found.append(value)
        if not session.cut or session.request.evaluator is not None:
            break
    deep = f"a search of {depth:,} stages"
    if not session.cut:
        progress.value = progress.low = progress.high = found[0]
        progress.depth, progress.because = None, BECAUSE[session.request.method]
    elif len(found) == 1:
        progress.value, progress.depth = found[0], depth
        progress.because = f"{deep}, and what the evaluator says of the rest"
    else:
        progress.low, progress.high = max(progress.low, found[0]), min(progress.high, found[1])
        progress.depth = depth
        progress.because = f"{deep} bounds the value; what lies deeper may be the least or the most"
        if progress.low == progress.high:
            progress.value, progress.depth = progress.low, None
            progress.because = f"{deep} comes to the same whatever lies deeper"


def one_pass(session: Session, depth: int, unknown: bool, work: Any) -> Any:
    """A pass; with a table of its own, if what is in it may depend on where passes stop."""
    if session.limited:
        session.table.clear()
    session.cut, session.unknown = False, unknown
    session.start_depth = session.least_depth = depth
    return work()


class Decisions:
    """What to do at a position, searched when it is asked for and then remembered."""

    def __init__(self, session: Session, method: Method, depth: int | None) -> None:
        """As deep as the search came, at least one stage."""
        self.session = session
        self.method = method
        self.depth = ENDLESS if depth is None else max(depth, 1)
        self.known: dict[Any, dict[str, Shares]] = {}
        self.turn = Lock()  # one search at a time: they share what is counted and remembered

    def __call__(self, position: Position) -> Decision:
        """By mover the probability of each option; nothing where nobody moves."""
        at = self.session.ground.at(position)
        if not isinstance(at, Hashable):
            made = self.make(at)
        elif at in self.known:
            made = self.known[at]
        else:
            made = self.known[at] = self.make(at)
        # Options as the rules have them; over whole numbers they may be bare. Who asks by the rules
        # or inside of a stage is told of those who move there.
        asked = position if isinstance(position, ReplayPosition) else at
        inside = isinstance(position, TreePosition) and position.node != getattr(at, "node", None)
        movers = position.movers if asked is position or inside else at.movers
        return {
            mover: dict(zip(asked.options(mover), made[mover], strict=True)) for mover in movers
        }

    def make(self, position: Position) -> dict[str, Shares]:
        """Search a position, and read what both players do."""
        if position.over or not position.movers:
            return {}
        with self.turn:
            return self.search(position)

    def search(self, position: Position) -> dict[str, Shares]:
        """The same, while nobody else does."""
        session, request = self.session, self.session.request
        depth, session.minding = self.depth, False
        with session.room():
            played = [one_pass(session, depth, False, lambda: self.method.played(position, depth))]
            if session.cut and request.evaluator is None:
                again = one_pass(session, depth, True, lambda: self.method.played(position, depth))
                played.append(again)
        both = (played[0].rows, played[-1].columns)
        number = session.source.seats.player
        return {mover: both[number(mover)] for mover in position.movers}
