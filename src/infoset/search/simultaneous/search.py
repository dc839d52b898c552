"""Searches of simultaneous moves: backward induction, alpha-beta (SMAB) and double oracle.

All four take a two-player game with a constant sum and perfect information but for simultaneous
moves: rules with ``g.together``, a tree or a payoff table with pairs of simultaneous moves, or
anything with positions. Chance may move.

*Passes.* To the end of the game one pass gives the value. With a limited depth and no evaluator two
passes bound it: positions at the horizon have their lower bound as value, then their upper bound.
Iterative deepening keeps the result of the deepest completed pass; a pass that reaches no horizon
gives the value. A decision is a pass from the position where it is asked for; if it reaches the
horizon, each player maximizes its guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, Protocol, Unpack

from infoset.errors import NotApplicable, ParameterError, TooLarge
from infoset.memory import refused_beyond
from infoset.rules import Family, Game, Position, ReplayPosition
from infoset.search.limits import SearchStopped
from infoset.search.result import Decision, InfosetDecisions, SearchEvaluation, searched
from infoset.search.settings import (
    WINDOWED,
    BoundedKeywords,
    SimultaneousSettings,
    SmabKeywords,
    StageKeywords,
    check_keywords,
)
from infoset.search.simultaneous.alphabeta import SimultaneousAlphaBeta
from infoset.search.simultaneous.induction import BackwardInduction, solved_stages
from infoset.search.simultaneous.oracle import BoundedDoubleOracle, DoubleOracle
from infoset.search.simultaneous.session import ENDLESS, Mixture, Session, SolvedStage
from infoset.search.simultaneous.stages import HiddenInformation
from infoset.solvers.solution import Solution
from infoset.tree import Tree
from infoset.tree.positions import SimultaneousPosition, TreePosition, hidden
from infoset.tree.source import Source, source


class SearchMethod(Protocol):
    """A search method."""

    def value(self, position: Position, depth: int) -> Any:
        """The value of a position to the first player."""

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a stage."""


METHODS: dict[str, Callable[[Session], SearchMethod]] = {
    "backward-induction": BackwardInduction,
    "smab": SimultaneousAlphaBeta,
    "double-oracle": DoubleOracle,
    "double-oracle-alphabeta": BoundedDoubleOracle,
}
BECAUSE = {
    "backward-induction": "every position down to the leaves has the value of its matrix game",
    "smab": "pruned actions are dominated: a mixture of other actions is as good",
    "double-oracle": "no action outside of the restricted games is a better response",
    "double-oracle-alphabeta": "no action outside of the restricted games is a better response, and"
    " serialized bounds are equal where no matrix game was solved",
}


@dataclass
class PassResult:
    """The bounds of the value so far."""

    low: Any
    high: Any
    value: Any = None
    depth: int | None = None  # the deepest completed pass; None: to the end of the game
    because: str = "no search was completed"
    note: str = ""


def search_positions(source: Source, settings: SimultaneousSettings, compiled: bool) -> Solution:
    """Search a game, in Python or compiled."""
    session = Session(source, settings)
    _check_bounds(session)
    method = _compiled(session) if compiled else METHODS[settings.method](session)
    began = perf_counter()  # without the time of loading and compiling
    if settings.seconds is not None:
        session.deadline = monotonic() + settings.seconds
    progress = PassResult(session.low, session.high, depth=0)  # in the units of the arithmetic
    try:
        with session.recursion():
            _passes(session, method, progress)
    except SearchStopped as stopped:
        progress.note = f"{stopped} after {session.counts['nodes']:,} positions"
    ended = progress.depth is None
    decisions = Decisions(session, method, progress.depth)
    evaluation = SearchEvaluation(
        source=source,
        found=_in_payoffs(session, progress.value),
        bounds=(_in_payoffs(session, progress.low), _in_payoffs(session, progress.high)),
        optimal=ended,
        reason=progress.because,
        decision=decisions,
        lp_seconds=session.arithmetic.tally.seconds,
        depth=progress.depth,
        error=session.error,
        start=session.game.start,
        by_infoset=_by_infoset(session),
    )
    counts, seconds = session.counted(), perf_counter() - began
    return searched(evaluation, settings.method, counts, seconds, progress.note)


def _by_infoset(session: Session) -> InfosetDecisions | None:
    """The decisions at all information sets of a tree that was to be searched to its leaves.

    They are made once for all stages: a search from each of them would repeat what is below.
    """
    start, settings = session.game.start, session.settings
    whole = settings.depth is None and settings.evaluator is None
    if not isinstance(start, SimultaneousPosition) or start.node or not whole:
        return None
    return partial(solved_stages, session, start)


def _compiled(session: Session) -> SearchMethod:
    from infoset.search.simultaneous.compiled import CompiledSearch  # loads numba

    return CompiledSearch(session)


def _in_payoffs(session: Session, amount: Any) -> Any:
    return None if amount is None else session.arithmetic.payoff_of(amount)


def _check_bounds(session: Session) -> None:
    """Refuse searches that need bounds of the payoffs, if none are known."""
    settings = session.settings
    short = session.limited
    if session.low is not None:
        return
    if settings.method in WINDOWED or settings.heuristic_bounds:
        raise NotApplicable(
            f"{session.game.name}: {settings.method} needs bounds of the first player's"
            " payoff; give bounds=(low, high)"
        )
    if short and settings.evaluator is None:
        raise NotApplicable(
            f"{session.game.name}: a search of limited depth needs evaluator=, or"
            " bounds=(low, high) of the first player's payoff"
        )


def _passes(session: Session, method: SearchMethod, progress: PassResult) -> None:
    """All passes from the start, up to the largest depth."""
    settings = session.settings
    most = settings.depth or ENDLESS
    if not session.deepens:
        return _one_depth(session, method, progress, most)
    depth = 1
    while depth <= most:
        _one_depth(session, method, progress, depth)
        if progress.depth is None:
            return None
        if settings.tick is not None:
            settings.tick(f"{depth} stages deep, {session.counts['nodes']:,} positions")
        depth += max(1, depth // 8)
    return None


def _one_depth(session: Session, method: SearchMethod, progress: PassResult, depth: int) -> None:
    """One pass, or two that bound the value from below and above."""
    start = session.game.start
    found = []
    for unknown in (False, True):
        value = one_pass(session, depth, unknown, lambda: method.value(start, depth))
        found.append(value)
        if not session.cut or session.settings.evaluator is not None:
            break
    deep = f"a search of {depth:,} stages"
    if not session.cut:
        progress.value = progress.low = progress.high = found[0]
        progress.depth, progress.because = None, BECAUSE[session.settings.method]
    elif len(found) == 1:
        progress.value, progress.depth = found[0], depth
        progress.because = f"{deep}, with the evaluator at the horizon"
    else:
        progress.low, progress.high = max(progress.low, found[0]), min(progress.high, found[1])
        progress.depth = depth
        progress.because = (
            f"{deep} bounds the value; what lies deeper may be anything within the bounds"
        )
        if progress.low == progress.high:
            progress.value, progress.depth = progress.low, None
            progress.because = f"{deep} gives the same value whatever lies deeper"


def one_pass(session: Session, depth: int, unknown: bool, work: Any) -> Any:
    """One pass; with its own transposition table, if entries depend on the horizon."""
    if session.limited:
        session.table.clear()
    session.cut, session.unknown = False, unknown
    session.start_depth = session.least_depth = depth
    return work()


class Decisions:
    """Decisions at positions, searched when asked for and then remembered."""

    def __init__(self, session: Session, method: SearchMethod, depth: int | None) -> None:
        """To the depth of the search, at least one stage."""
        self.session = session
        self.method = method
        self.depth = ENDLESS if depth is None else max(depth, 1)
        self.known: dict[Any, dict[str, Mixture]] = {}
        self.turn = Lock()  # one search at a time: they share counts and the table

    def __call__(self, position: Position) -> Decision:
        """By mover: the probability of each option; empty where no player moves."""
        at = self.session.game.at(position)
        if not isinstance(at, Hashable):
            made = self.make(at)
        elif at in self.known:
            made = self.known[at]
        else:
            made = self.known[at] = self.make(at)
        # Options as in the rules, which integer stages may only number. A position of the rules, or
        # inside of a stage of a tree, has its own movers.
        asked = position if isinstance(position, ReplayPosition) else at
        inside = isinstance(position, TreePosition) and position.node != getattr(at, "node", None)
        movers = position.movers if asked is position or inside else at.movers
        return {
            mover: dict(zip(asked.options(mover), made[mover], strict=True)) for mover in movers
        }

    def make(self, position: Position) -> dict[str, Mixture]:
        """Search a position for both players' strategies."""
        if position.over or not position.movers:
            return {}
        with self.turn:
            return self.search(position)

    def search(self, position: Position) -> dict[str, Mixture]:
        """The same, while holding the lock."""
        session, settings = self.session, self.session.settings
        depth, session.timed = self.depth, False
        with session.recursion():
            played = [one_pass(session, depth, False, lambda: self.method.played(position, depth))]
            if session.cut and settings.evaluator is None:
                again = one_pass(session, depth, True, lambda: self.method.played(position, depth))
                played.append(again)
        both = (played[0].rows, played[-1].columns)
        number = session.source.seats.player
        return {mover: both[number(mover)] for mover in position.movers}


LONGEST = 100_000  # moves of a play in a compiled search
SMALL = 20_000  # nodes of a tree that is built to find simultaneous moves


def backward_induction(game: Any, **keywords: Unpack[StageKeywords]) -> Solution:
    """Backward induction: a matrix game at every position, solved depth first.

    Memory grows with the length of the game and not with its tree.

    Parameters
    ----------
    game : Game, Family, Tree, MatrixGame or any object with ``position()`` and ``players``
        Two players, constant sum, and no hidden information but simultaneous moves.
    **keywords
        The settings below, all optional.
    exact : bool, default False
        Rational arithmetic; else floats, and ``solution.evaluation.error`` bounds their error.
    bounds : pair of numbers, optional
        Lower and upper bound of the first player's payoff; those that the game declares
        (``@game(bounds=)``) if not given.
    depth : int, optional
        How many stages to look ahead, not counting chance; to the end of the game if not given.
    evaluator : callable, optional
        Estimates the first player's payoff from a position at the horizon. Without one the answer
        is a pair of bounds, from two searches with the lower and the upper bound at the horizon.
    transpositions : bool or callable, optional
        Keep the values of positions that may be reached again: those that are equal, or for which a
        function gives the same. By default if the game has integer stages (``@game(stages=)``),
        whose states identify positions; the papers count without.
    seconds : float, optional
        Stop after so long, with the deepest search that was completed.
    deepening : bool, optional
        Iterative deepening, one stage at a time, and from 16 stages on by an eighth; by default if
        ``seconds`` are given.
    stop : callable, optional
        Called now and then; stops the search if it returns True.
    tick : callable, optional
        Called with a text about the progress.
    compiled : bool, optional
        Use the compiled search, for games with integer stages; by default where possible.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Raises
    ------
    NotApplicable
        If the game has hidden information, not two players, or no constant sum.
    ParameterError
        If a setting is invalid.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> found = backward_induction(goofspiel(cards=4, early_end=True), transpositions=False)
    >>> found.value, found.work["nodes"]
    (0.0, 109)
    """
    return _by_method("backward-induction", game, keywords)


def smab(game: Any, **keywords: Unpack[SmabKeywords]) -> Solution:
    """Simultaneous-move alpha-beta: windows from linear programs, dominated actions pruned.

    The value is that of :func:`backward_induction`. Bounds of the payoffs must be known, from the
    game, a tree or ``bounds``.

    Parameters
    ----------
    game
        As for :func:`backward_induction`.
    **keywords
        Those of :func:`backward_induction`, and the settings below.
    order : {"l-shaped", "lexicographic"}
        The order in which the cells of a matrix are searched.
    moves : {"given", "reversed"}
        "reversed" takes the last options first; the better the first ones are, the more is pruned.
    skip : int, default 0
        No windows until so many rows and as many columns are filled.
    dominance : bool, default False
        Look for dominated actions after every cell.
    deep : bool, default True
        Use bounds from ancestors, too.
    cutoffs : bool, default True
        Leave a position once pure strategies alone decide its window.
    leaves_first : bool, default True
        Examine cells that are leaves first, and those from which the play is forced to its end.
        Without this, ``cutoffs`` and ``static_bound`` it is Algorithm 1 as printed.
    static_bound : bool, default True
        Bound a position by the matrix games of the lower and of the upper bounds of its cells
        before it is searched, if any cell is known.
    drop_crossed : bool, default False
        Where the window of a cell is empty, prune its row and its column without a search.
        Algorithm 1 searches the cell, to tell which of the two to prune.
    heuristic_bounds : bool or callable, optional
        Admissible bounds of a position: a function of it, or True for its own
        (``position.bounds``).
    epsilon : number, optional
        The width of the window that tells which of two actions to prune, by default 1/1000 of the
        range of payoffs; it changes the work, not the value.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> whole = goofspiel(cards=4, early_end=True)
    >>> found = smab(whole, exact=True, moves="reversed", transpositions=False)
    >>> found.value, found.work["nodes"]
    (Fraction(0, 1), 73)
    """
    return _by_method("smab", game, keywords)


def double_oracle(game: Any, **keywords: Unpack[StageKeywords]) -> Solution:
    """Double oracle: each stage by restricted games that grow by best responses.

    The value is that of :func:`backward_induction`.

    Parameters
    ----------
    game
        As for :func:`backward_induction`.
    **keywords
        Those of :func:`backward_induction`.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Examples
    --------
    >>> from infoset.games import oshi_zumo
    >>> found = double_oracle(oshi_zumo(coins=3), exact=True, transpositions=False)
    >>> found.value, found.work["skipped"]
    (Fraction(0, 1), 17)
    """
    return _by_method("double-oracle", game, keywords)


def double_oracle_alphabeta(game: Any, **keywords: Unpack[BoundedKeywords]) -> Solution:
    """Double oracle with serialized alpha-beta bounds: one player commits to its move first.

    Where the lower and the upper bound are equal, no matrix game is solved; elsewhere they prune
    cells and responses. The value is that of :func:`backward_induction`.

    Parameters
    ----------
    game
        As for :func:`backward_induction`.
    **keywords
        Those of :func:`backward_induction`, and ``heuristic_bounds`` as for :func:`smab`.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> found = double_oracle_alphabeta(goofspiel(cards=4, early_end=True), transpositions=False)
    >>> found.value, found.work["nodes"], found.work["serialized"]
    (0.0, 7, 344)
    """
    return _by_method("double-oracle-alphabeta", game, keywords)


def _by_method(method: str, game: Any, keywords: Mapping[str, Any]) -> Solution:
    check_keywords(method, keywords)
    return search_simultaneous(game, SimultaneousSettings(method, **keywords))


@refused_beyond(lambda: "the search", "take a smaller game")
def search_simultaneous(game: Any, settings: SimultaneousSettings) -> Solution:
    """Search a game with settings: compiled where possible, else in Python."""
    given = source(game)
    obstacle = compiled_obstacle(given, settings)
    if settings.compiled and obstacle:
        raise ParameterError(f"compiled=True: {obstacle}; leave it out to search in Python")
    try:
        return search_positions(given, settings, settings.compiled is not False and not obstacle)
    except HiddenInformation as dark:
        tree = _stages_in_tree(game)
        if tree is None:
            raise NotApplicable(str(dark)) from None
    return search_positions(source(tree), settings, compiled=False)


def _stages_in_tree(game: Any) -> Tree | None:
    """The tree of a small game whose rules write simultaneous moves one after the other.

    To the rules these are two moves; only the tree shows that nothing else is hidden.
    """
    if not isinstance(game, Game | Family):
        return None
    try:
        tree = (game() if isinstance(game, Family) else game).tree(max_nodes=SMALL)
    except TooLarge:
        return None
    return tree if hidden(tree) is None else None


def compiled_obstacle(given: Source, settings: SimultaneousSettings) -> str:
    """Why a search cannot run compiled; empty if it can."""
    if given.stages is None:
        return f"{given.name:.80} has no integer stages (stages=)"
    if settings.exact:
        return "compiled searches are in floats"
    if settings.evaluator is not None:
        return "an evaluator is a Python function"
    if given.stages.beginning.longest > LONGEST:
        return f"plays of more than {LONGEST:,} moves are too long"
    if callable(settings.transpositions) or callable(settings.heuristic_bounds):
        return "functions of positions are Python functions"
    return ""
