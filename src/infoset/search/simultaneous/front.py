"""The searches of simultaneous moves, as they are called.

All four take a game of two players with a constant sum, in which everyone always knows where the
play stands but for the moves being made at the same time: rules with ``g.together``, a tree or a
payoff table in which pairs of moves are such, or anything with positions. Nature may move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from infoset.errors import NotApplicable, ParameterError, TooLarge
from infoset.rules import Family, Game, Position
from infoset.search.result import Searched
from infoset.search.simultaneous.answering import search_positions
from infoset.search.simultaneous.ground import Hidden
from infoset.search.simultaneous.machine import LONGEST
from infoset.search.simultaneous.request import Bounding, Evaluator, Request
from infoset.search.source import Source, source
from infoset.tree import Tree
from infoset.tree.together import hidden

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
) -> Searched:
    """Solve every stage from the ends of the game up: one matrix game a position.

    Depth first, in memory that grows with the length of the game and not with its tree. ``exact``
    counts in fractions; else floats, with ``Searched.error`` saying how far off they may be.

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
    >>> found.value, found.counts["nodes"]
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
) -> Searched:
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
    >>> found.value, found.counts["nodes"]
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
) -> Searched:
    """Solve each stage by a restricted game that takes in best replies until none gains.

    The value is that of :func:`backward_induction`, which describes the settings.

    >>> from infoset.games import oshi_zumo
    >>> found = double_oracle(oshi_zumo(coins=3), exact=True, transpositions=False)
    >>> found.value, found.counts["skipped"]
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
) -> Searched:
    """Double oracle on positions that are first bounded by letting either player move in turn.

    Where both bounds are equal, no matrix game is solved; where not, they prune cells and replies.
    The value is that of :func:`backward_induction`, which describes the settings that both have;
    ``bounds`` and ``heuristic_bounds`` are as for :func:`smab`.

    >>> from infoset.games import goofspiel
    >>> found = double_oracle_alphabeta(goofspiel(cards=4, early_end=True), transpositions=False)
    >>> found.value, found.counts["nodes"], found.counts["serialized"]
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


def search_simultaneous(game: Any, request: Request) -> Searched:
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
