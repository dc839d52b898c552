"""One player in the dark: chance-minimax, IMP-minimax and IMP-alpha-beta, for anything walkable.

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

from collections.abc import Callable
from typing import Any

from infoset.errors import NotApplicable
from infoset.rules import Position
from infoset.search.imp.answer import answer
from infoset.search.imp.bounds import not_constant
from infoset.search.imp.ground import Ground
from infoset.search.imp.positions import PositionGround
from infoset.search.imp.request import Request
from infoset.search.imp.rounds import run
from infoset.search.imp.sets import SetSearch, SightedSearch
from infoset.search.imp.trees import TreeGround
from infoset.search.result import Searched
from infoset.search.source import Source, source
from infoset.tree.walking import TreePosition

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
) -> Searched:
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
) -> Searched:
    """The best that one player in the dark can do, positions that look alike decided together.

    For one player it looks at every leaf once, and is optimal if the player forgets nothing. With
    two players and a constant sum the second takes what is worst for the first: a heuristic. The
    answer says whether it is optimal, and why. If an information set is met again, the later choice
    is kept; the value is V as computed, and what the choices come to may be less. The bounds and
    the horizon are those of :func:`chance_minimax`.

    >>> from infoset.games import blair_g2
    >>> found = imp_minimax(blair_g2(variant="unseen"))
    >>> found.value, found.optimal
    (Fraction(0, 1), True)
    >>> found = imp_minimax(blair_g2())
    >>> found.value, found.optimal
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
) -> Searched:
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
    >>> full.value == pruned.value, full.counts["leaves"], pruned.counts["leaves"]
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


def _search(played: Source, request: Request, search: type[SetSearch]) -> Searched:
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
