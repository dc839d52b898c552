"""From passes of a search to its answer: one pass, deeper and deeper ones, and decisions.

To the end of the game one pass gives the value. With a depth and no evaluator two do: what lies
deeper counts as the least that it could be, then as the most, and the value is in between. Deeper
and deeper passes keep what the deepest finished one says; a pass that was nowhere cut short is the
answer. A decision is a pass from where it is asked for. Where the game goes on below what may be
looked at, either player does what is best if the rest turns out worst for it.

The searches of simultaneous moves, as they are called.

All four take a game of two players with a constant sum, in which everyone always knows where the
play stands but for the moves being made at the same time: rules with ``g.together``, a tree or a
payoff table in which pairs of moves are such, or anything with positions. Nature may move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, Protocol

from infoset.errors import NotApplicable, ParameterError, TooLarge
from infoset.rules import Family, Game, Position, ReplayPosition
from infoset.search.result import Decision, SearchEvaluation, searched
from infoset.search.simultaneous.alphabeta import SimultaneousAlphaBeta
from infoset.search.simultaneous.compiled import LONGEST, Machine
from infoset.search.simultaneous.induction import BackwardInduction
from infoset.search.simultaneous.oracle import BoundedDoubleOracle, DoubleOracle
from infoset.search.simultaneous.session import ENDLESS, Played, Session, Shares, Stopped
from infoset.search.simultaneous.settings import WINDOWED, Bounding, Evaluator, Request
from infoset.search.simultaneous.stages import Hidden
from infoset.solvers.solution import Solution
from infoset.tree import Tree
from infoset.tree.positions import TreePosition, hidden
from infoset.tree.source import Source, source


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


def search_positions(source: Source, request: Request, compiled: bool) -> Solution:
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
    evaluation = SearchEvaluation(
        source=source,
        found=_worth(session, progress.value),
        bounds=(_worth(session, progress.low), _worth(session, progress.high)),
        optimal=ended,
        reason=progress.because,
        decision=decisions,
        lp_seconds=session.arithmetic.tally.seconds,
        depth=progress.depth,
        error=session.error,
        start=session.ground.start,
    )
    counts, seconds = session.counted(), perf_counter() - began
    return searched(evaluation, request.method, counts, seconds, progress.note)


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


SMALL = 20_000  # nodes of a tree that is built to look for moves made at once

Transpositions = bool | Callable[[Position], Hashable]


def backward_induction(
    game: Any,
    *,
    exact: bool = False,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    transpositions: Transpositions | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
    compiled: bool | None = None,
) -> Solution:
    """Solve every stage from the ends of the game up: one matrix game a position.

    Depth first, in memory that grows with the length of the game and not with its tree. ``exact``
    counts in fractions; else floats, and ``solution.evaluation.error`` bounds their error.

    ``depth`` looks so many stages ahead, where nature's moves do not count. What lies deeper is
    worth what ``evaluator(position)`` says, to the first player. Without one the answer is a pair
    of bounds, from two searches in which it is worth the least and the most: what the game declares
    (``@game(bounds=)``), or ``bounds``. With ``seconds`` the search goes one stage deeper each
    time (``deepening``), and the deepest that was finished in time is the answer.

    ``transpositions`` keeps what was found of a position, for when it comes up again: positions
    that are equal, or for which a function gives the same. None keeps it where the game has its
    rules over whole numbers (``@game(stages=)``), whose states tell; the papers count without.
    ``compiled`` asks for the compiled search, which takes such a game; None takes it where it can.
    ``stop`` and ``tick`` are called now and then.

    >>> from infoset.games import goofspiel
    >>> found = backward_induction(goofspiel(cards=4, early_end=True), transpositions=False)
    >>> found.value, found.work["nodes"]
    (0.0, 109)
    """
    request = Request(
        "backward-induction",
        exact=exact,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        transpositions=transpositions,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
        compiled=compiled,
    )
    return search_simultaneous(game, request)


def smab(
    game: Any,
    *,
    order: str = "l-shaped",
    moves: str = "given",
    skip: int = 0,
    dominance: bool = False,
    deep: bool = True,
    cutoffs: bool = True,
    leaves_first: bool = True,
    heuristic_bounds: bool | Bounding | None = None,
    epsilon: Any = None,
    exact: bool = False,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    transpositions: Transpositions | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
    compiled: bool | None = None,
) -> Solution:
    """Search with windows, and leave out rows and columns that are dominated whatever they hold.

    The value is that of :func:`backward_induction`, which describes the settings that both have.
    ``bounds`` must be known: they come from the game, a tree, or are given.

    ``order`` of the cells: around those done in the shape of an L, or ``"lexicographic"``.
    ``moves="reversed"`` takes the last options first; the more is pruned, the better the first ones
    are. ``skip`` computes no window until so many rows and as many columns are filled.
    ``dominance`` looks for dominated actions after every cell. ``deep=False`` takes no bounds from
    further up. ``cutoffs=False`` leaves out what a pure strategy alone decides, and
    ``leaves_first=False`` the look at cells with which the game ends: then it is Algorithm 1 as
    printed.

    ``heuristic_bounds`` are bounds of a position that always hold: a function of it, or True for
    its own (``position.bounds``). ``epsilon`` is the width of the window that tells which of two
    actions to give up, by default 1/1000 of what can be won; it changes the work, not the value.

    >>> from infoset.games import goofspiel
    >>> whole = goofspiel(cards=4, early_end=True)
    >>> found = smab(whole, exact=True, moves="reversed", transpositions=False)
    >>> found.value, found.work["nodes"]
    (Fraction(0, 1), 73)
    """
    request = Request(
        "smab",
        order=order,
        moves=moves,
        skip=skip,
        dominance=dominance,
        deep=deep,
        cutoffs=cutoffs,
        leaves_first=leaves_first,
        heuristic_bounds=heuristic_bounds,
        epsilon=epsilon,
        exact=exact,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        transpositions=transpositions,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
        compiled=compiled,
    )
    return search_simultaneous(game, request)


def double_oracle(
    game: Any,
    *,
    exact: bool = False,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    transpositions: Transpositions | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
    compiled: bool | None = None,
) -> Solution:
    """Solve each stage by a restricted game that takes in best replies until none gains.

    The value is that of :func:`backward_induction`, which describes the settings.

    >>> from infoset.games import oshi_zumo
    >>> found = double_oracle(oshi_zumo(coins=3), exact=True, transpositions=False)
    >>> found.value, found.work["skipped"]
    (Fraction(0, 1), 17)
    """
    request = Request(
        "double-oracle",
        exact=exact,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        transpositions=transpositions,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
        compiled=compiled,
    )
    return search_simultaneous(game, request)


def double_oracle_alphabeta(
    game: Any,
    *,
    heuristic_bounds: bool | Bounding | None = None,
    exact: bool = False,
    bounds: tuple[Any, Any] | None = None,
    depth: int | None = None,
    evaluator: Evaluator | None = None,
    transpositions: Transpositions | None = None,
    seconds: float | None = None,
    deepening: bool | None = None,
    stop: Callable[[], bool] | None = None,
    tick: Callable[[str], None] | None = None,
    compiled: bool | None = None,
) -> Solution:
    """Double oracle on positions that are first bounded by letting either player move in turn.

    Where both bounds are equal, no matrix game is solved; where not, they prune cells and replies.
    The value is that of :func:`backward_induction`, which describes the settings that both have;
    ``bounds`` and ``heuristic_bounds`` are as for :func:`smab`.

    >>> from infoset.games import goofspiel
    >>> found = double_oracle_alphabeta(goofspiel(cards=4, early_end=True), transpositions=False)
    >>> found.value, found.work["nodes"], found.work["serialized"]
    (0.0, 7, 344)
    """
    request = Request(
        "double-oracle-alphabeta",
        heuristic_bounds=heuristic_bounds,
        exact=exact,
        bounds=bounds,
        depth=depth,
        evaluator=evaluator,
        transpositions=transpositions,
        seconds=seconds,
        deepening=deepening,
        stop=stop,
        tick=tick,
        compiled=compiled,
    )
    return search_simultaneous(game, request)


def search_simultaneous(game: Any, request: Request) -> Solution:
    """Search a game as requested: compiled where that can be, else position by position."""
    given = source(game)
    hindrance = compiled_hindrance(given, request)
    if request.compiled and hindrance:
        raise ParameterError(f"compiled=True: {hindrance}; leave it out to search in Python")
    try:
        return search_positions(given, request, request.compiled is not False and not hindrance)
    except Hidden as dark:
        tree = _stages_in_tree(game)
        if tree is None:
            raise NotApplicable(str(dark)) from None
    return search_positions(source(tree), request, compiled=False)


def _stages_in_tree(game: Any) -> Tree | None:
    """The tree of a game whose rules let players choose unseen one after the other, if small.

    To its rules these are two moves. That nothing else is hidden, only the tree can tell.
    """
    if not isinstance(game, Game | Family):
        return None
    try:
        tree = (game() if isinstance(game, Family) else game).tree(max_nodes=SMALL)
    except TooLarge:
        return None
    return tree if hidden(tree) is None else None


def compiled_hindrance(given: Source, request: Request) -> str:
    """Why a search cannot run compiled; nothing if it can."""
    if given.stages is None:
        return f"{given.name:.80} has no rules over whole numbers (stages=)"
    if request.exact:
        return "compiled searches count in floats"
    if request.evaluator is not None:
        return "an evaluator is Python"
    if given.stages.beginning.longest > LONGEST:
        return f"plays of more than {LONGEST:,} moves are too long"
    if callable(request.transpositions) or callable(request.heuristic_bounds):
        return "functions of positions are Python"
    return ""
