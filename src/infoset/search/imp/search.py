"""IMP search, for a player with imperfect information: IMP-minimax, IMP-alpha-beta, chance-minimax.

A player who does not know at which of several positions it is must take the same action at all of
them. So the search does not proceed from position to position but from set to set: all possible
positions, each with its probability, are advanced together, and those in one information set are
decided together. For one player with perfect recall this is optimal, and takes one pass. With two
players, or with imperfect recall, it is a heuristic: finding optimal pure strategies is then
NP-hard. Every answer says which it is.

*Limited depth.* A search that looks only some choices ahead needs values of the positions at the
horizon. An evaluator gives them; without one there are two searches, with the worst and with the
best possible values, and the value lies in between, since V is monotone in the payoffs of leaves.
Iterative deepening searches deeper and deeper until time is up; each search records how the
alternatives did, by which the next can order them.

Source: Blair, Mutchler & van Lent, Perfect recall and pruning in games with imperfect information,
1996; IMP-minimax is due to Wilson, Computing equilibria of two-person games from the extensive
form, 1972.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Unpack

from infoset.errors import NotApplicable, ParameterError
from infoset.linear.numbers import Number
from infoset.memory import refused_beyond
from infoset.rules import Position
from infoset.search.imp.alphabeta import UNDECIDED, PerfectInformationSearch, SetSearch
from infoset.search.imp.positions import (
    BEST,
    EVALUATED,
    WORST,
    PositionGame,
    SearchedGame,
    TreeGame,
)
from infoset.search.limits import SearchStopped, deep_recursion, not_constant
from infoset.search.result import Decision, SearchEvaluation, searched
from infoset.search.settings import (
    Bounds,
    ImpSettings,
    PruningKeywords,
    SearchKeywords,
    check_keywords,
)
from infoset.solvers.solution import Solution
from infoset.text import bounded_number, brief
from infoset.tree.positions import TreePosition
from infoset.tree.source import Source, source

FRAMES = 4  # nested calls for one choice


@dataclass(frozen=True)
class Round:
    """The result of a search to one depth."""

    depth: int  # choices ahead; -1: no limit
    complete: bool  # was no position at the horizon?
    low: Fraction
    high: Fraction
    guessed: bool  # does it depend on an evaluator?
    chosen: dict[int, int]  # by information set
    repeated: int | None  # an information set that was met twice

    @property
    def settled(self) -> bool:
        """Is the result independent of what lies deeper?"""
        return self.complete or (self.low == self.high and not self.guessed)


@dataclass
class Rounds:
    """The last completed search, and the counts of all."""

    last: Round | None = None
    stopped: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    ranks: dict[int, list[int]] = field(default_factory=dict)


def run(game: SearchedGame, settings: ImpSettings, search: type[SetSearch] = SetSearch) -> Rounds:
    """Search to the given depth, or deeper and deeper."""
    found = Rounds()
    with deep_recursion(settings.name, game.longest, FRAMES):
        for depth in _planned(game, settings):
            if found.last is not None and settings.over():
                found.stopped = True
                break
            try:
                found.last = _round(game, settings, search, depth, found)
            except SearchStopped:
                found.stopped = True
                break
            if found.last.settled:
                break
    return found


def _planned(game: SearchedGame, settings: ImpSettings) -> Iterable[int]:
    """The depths to search; -1: to the end of the game."""
    can_look = settings.evaluator is not None or game.bounded_below
    deepening = settings.deepening
    if deepening is None:  # without values at the horizon, all time is for one search
        deepening = settings.seconds is not None and can_look
    if (settings.depth is not None or deepening) and not can_look:
        raise ParameterError(
            f"{settings.name}: a search of limited depth needs evaluator=, or bounds=(low, high) of"
            " the first player's payoff"
        )
    if settings.ordering and settings.evaluator is None and not deepening:
        raise ParameterError(
            f"{settings.name}: ordering=True needs evaluator= or deepening=True to order by"
        )
    if deepening:
        return _depths(settings.depth, settings.deepening is True)
    return (-1 if settings.depth is None else settings.depth,)


def _depths(last: int | None, every: bool) -> Iterator[int]:
    """Increasing depths: every depth, or each half as deep again as the one before.

    Where trees grow slowly with their depth, searching every depth would cost many times the last
    search.
    """
    depth = 1
    while last is None or depth < last:
        yield depth
        depth = depth + 1 if every else max(depth + 1, depth * 3 // 2)
    yield last


def _round(
    game: SearchedGame, settings: ImpSettings, search: type[SetSearch], depth: int, found: Rounds
) -> Round:
    """A search to one depth."""
    game.unknown = EVALUATED if settings.evaluator is not None else WORST
    low, first, beyond = _searched(game, settings, search, depth, found)
    if settings.evaluator is not None or not beyond:
        return Round(depth, not beyond, low, low, beyond > 0, first.chosen, first.repeated)
    game.unknown = BEST
    high, second, _ = _searched(game, settings, search, depth, found)
    # Each player takes the values at the horizon that are worst for it.
    chosen = dict(first.chosen)
    for number, taken in second.chosen.items():
        if game.owner[number] or chosen.get(number, UNDECIDED) == UNDECIDED:
            chosen[number] = taken
    repeated = second.repeated if first.repeated is None else first.repeated
    return Round(depth, False, low, high, False, chosen, repeated)


def _searched(
    game: SearchedGame, settings: ImpSettings, search: type[SetSearch], depth: int, found: Rounds
) -> tuple[Fraction, SetSearch, int]:
    """The first player's payoff, the search, and the number of positions at the horizon."""
    game.restart()
    once = search(game, settings, found.ranks)
    try:
        loss = once.run(depth)
    finally:
        found.counts.update(once.counts)
        found.counts["searches"] += 1
    found.ranks = {**found.ranks, **once.ranked}
    return game.value_of(loss), once, game.horizon


def unpruned(game: SearchedGame, settings: ImpSettings, depth: int) -> dict[int, int]:
    """A choice at every information set that is reached, by a search without pruning."""
    thorough = replace(
        settings,
        information_set_pruning=False,
        immediate_pruning=False,
        ordering=False,
        deepening=False,
        depth=None if depth < 0 else depth,
        seconds=None,
        stop=None,
    )
    last = run(game, thorough).last
    return {} if last is None else last.chosen


class ImpDecisions:
    """Decisions at positions: a pure choice for each mover.

    Information sets that pruning left undecided are all decided by one search without pruning when
    the first of them is asked for. Sets beyond the horizon, or that a stopped search did not reach,
    take their first option.
    """

    def __init__(self, game: SearchedGame, settings: ImpSettings, found: Rounds) -> None:
        """From the result of a search, which may be continued here."""
        self._ground = game
        self._request = settings
        self._chosen = {} if found.last is None else dict(found.last.chosen)
        self._depth = -1 if found.last is None else found.last.depth
        prunes = settings.information_set_pruning or settings.immediate_pruning
        self._open = prunes and found.last is not None and not found.stopped

    def __call__(self, position: Position) -> Decision:
        """By mover: 1 for the option taken, 0 for the others."""
        if not self._ground.has(position):
            name, given = self._request.name, brief(repr(position), 100)
            raise ParameterError(
                f"{name}: {given} is not a position of the searched game; start from"
                " solution.evaluation.source.start"
            )
        decided: dict[str, dict[Hashable, Number]] = {}
        for mover in position.movers:
            taken = self._taken(position, mover)
            options = position.options(mover)
            decided[mover] = {option: int(at == taken) for at, option in enumerate(options)}
        return decided

    def by_infoset(self, over: Callable[[], bool] | None = None) -> list[Sequence[Number]]:
        """[infoset] of a tree: 1 for the option taken, 0 for the others."""
        width = self._ground.width
        if not (over and over()) and any(map(self._undecided, range(len(width)))):
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
        """Decide what pruning left undecided, once."""
        if self._open:
            self._open = False
            for number, taken in unpruned(self._ground, self._request, self._depth).items():
                if self._undecided(number):
                    self._chosen[number] = taken


def answer(
    source: Source, settings: ImpSettings, game: SearchedGame, bounds: Bounds, found: Rounds
) -> Solution:
    """The result of a search."""
    last = found.last
    choices = ImpDecisions(game, settings, found)
    evaluation = SearchEvaluation(
        source=source,
        found=last.low if last is not None and last.low == last.high else None,
        bounds=_certain(source, bounds, last),
        optimal=last is not None and last.settled and last.repeated is None,
        reason=_because(source, settings, game, last),
        decision=choices,
        depth=_deep(last),
        by_infoset=choices.by_infoset if isinstance(game, TreeGame) else None,
    )
    note = "" if not found.stopped else _stopped(last)
    seconds = time.perf_counter() - settings.began
    return searched(evaluation, settings.method, dict(found.counts), seconds, note)


def _certain(source: Source, bounds: Bounds, last: Round | None) -> Bounds:
    """Bounds of the value of the game; ``bounds`` are those of payoffs.

    If no information set was visited twice, the choices attain what the search found. With
    imperfect recall of one player V is an upper bound that may not be attained; with two players V
    says nothing about the value.
    """
    if last is None or last.guessed:
        return bounds
    if last.repeated is None:
        return last.low, last.high
    return (bounds[0], last.high) if len(source.seats.players) == 1 else bounds


def _deep(last: Round | None) -> int | None:
    """The depth of the search; None if nothing depends on what lies deeper."""
    if last is None:
        return 0
    return None if last.settled else last.depth


def _stopped(last: Round | None) -> str:
    if last is None:
        return "stopped before an answer was found"
    return f"stopped; the deepest completed search looked {_ahead(last)}"


def _ahead(last: Round) -> str:
    return f"{last.depth} choices ahead" if last.depth != 1 else "1 choice ahead"


def _because(source: Source, settings: ImpSettings, game: SearchedGame, last: Round | None) -> str:
    """Why the value is correct, or why it may not be."""
    if last is None:
        return "the search was stopped before it had an answer"
    if last.guessed:
        return f"it looked {_ahead(last)}, and used the evaluator at the horizon"
    if not last.settled:
        cut = f"it looked {_ahead(last)}, and payoffs beyond may be anything within the bounds"
        if last.repeated is None:
            return cut
        between = f"{bounded_number(last.low)} to {bounded_number(last.high)}"
        return f"{cut}: {between} by {_heuristic(source, game, last)}"
    same = "" if last.complete else f"the value {_ahead(last)} is the same whatever follows, and "
    if last.repeated is None:
        if settings.method == "chance-minimax":
            return f"{same}all players have perfect information"
        strategies = "one strategy" if len(source.seats.players) == 1 else "a strategy for each"
        return f"{same}no information set was visited twice, so that the choices form {strategies}"
    return _heuristic(source, game, last)


def _heuristic(source: Source, game: SearchedGame, last: Round) -> str:
    """Why the search is a heuristic here."""
    mover, known = game.describe(last.repeated or 0)
    if len(source.seats.players) == 1:
        forgets = _forgets(source, game, mover, known)
        return f"a heuristic: {forgets}; no strategy gets more than {bounded_number(last.high)}"
    return f"a heuristic: {mover}, knowing {known!r}, was asked twice, as if it knew more"


def _forgets(source: Source, game: SearchedGame, mover: str, known: str) -> str:
    """What a single player forgets: known in a tree, observed in positions."""
    if isinstance(game, TreeGame):
        return game.tree.perfect_recall.because
    player = source.seats.players[0]
    agent = "" if mover == player else f" as {mover}"
    return f"{player} forgets what it chose or knew before, when it moves{agent}, knowing {known!r}"


@refused_beyond(lambda: "the search", "take a smaller game")
def chance_minimax(game: Any, **keywords: Unpack[SearchKeywords]) -> Solution:
    """Minimax with chance nodes, for games of perfect information.

    For one player, or for two with a constant sum.

    Parameters
    ----------
    game : Game, Family, Tree, MatrixGame or any object with ``position()`` and ``players``
        What is searched; no tree is built.
    **keywords
        The settings below, all optional.
    bounds : pair of numbers, optional
        Lower and upper bound of the first player's payoff, None for an open end; the game's own if
        not given.
    depth : int, optional
        How many choices to look ahead, not counting chance; to the end of the game if not given.
    evaluator : callable, optional
        Estimates the first player's payoff from a position at the horizon. Without one the answer
        is a pair of bounds.
    seconds : float, optional
        Stop after so long, with the deepest search that was completed.
    deepening : bool, optional
        Iterative deepening: one choice ahead, then two, and so on. If only ``seconds`` are given,
        in larger and larger steps.
    stop : callable, optional
        Called now and then; stops the search if it returns True.
    tick : callable, optional
        Called with a text about the progress.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Raises
    ------
    NotApplicable
        If the game has hidden information, more than two players, or no constant sum.
    ParameterError
        If a setting is invalid.

    Examples
    --------
    >>> from infoset.games import blair_g1, blair_g2
    >>> chance_minimax(blair_g1()).value
    Fraction(1, 1)
    >>> chance_minimax(blair_g2())
    Traceback (most recent call last):
    ...
    infoset.errors.NotApplicable: blair_g2(): chance-minimax needs perfect information, ...
    """
    return _search(game, "chance-minimax", keywords, PerfectInformationSearch)


@refused_beyond(lambda: "the search", "take a smaller game")
def imp_minimax(game: Any, **keywords: Unpack[SearchKeywords]) -> Solution:
    """IMP-minimax: the positions of an information set are decided together.

    For one player it examines every leaf once, and is optimal with perfect recall. With two players
    and a constant sum the second minimizes the first player's payoff: a heuristic. The answer says
    whether it is optimal, and why. If an information set is visited again, the later choice is
    kept; the value is V as computed, and the payoff of the choices may be less.

    Parameters
    ----------
    game
        As for :func:`chance_minimax`.
    **keywords
        ``bounds``, ``depth``, ``evaluator``, ``seconds``, ``deepening``, ``stop`` and ``tick``, as
        for :func:`chance_minimax`.

    Returns
    -------
    Solution
        Its ``evaluation`` has the value, why it is correct, and decisions at any position.

    Examples
    --------
    >>> from infoset.games import blair_g2
    >>> found = imp_minimax(blair_g2(variant="unseen"))
    >>> found.value, found.evaluation.optimal
    (Fraction(0, 1), True)
    >>> found = imp_minimax(blair_g2())
    >>> found.value, found.evaluation.optimal
    (Fraction(1, 1), False)
    """
    return _search(game, "imp-minimax", keywords, SetSearch)


@refused_beyond(lambda: "the search", "take a smaller game")
def imp_alphabeta(game: Any, **keywords: Unpack[PruningKeywords]) -> Solution:
    """IMP-alpha-beta: the value of :func:`imp_minimax`, without what cannot change it.

    Choices at information sets that pruning left undecided are made when they are asked for, by a
    search without pruning.

    Parameters
    ----------
    game
        As for :func:`chance_minimax`.
    information_set_pruning : bool, default True
        Cut off the rest of a sum when even the upper bound would not make the alternative best.
        For one player this needs the upper bound only.
    immediate_pruning : bool, default True
        Cut off the other alternatives when one attains the upper bound.
    ordering : bool, default False
        Try promising alternatives first: by the previous search if it deepens, or else by the
        evaluator one choice ahead.
    **keywords
        ``bounds``, ``depth``, ``evaluator``, ``seconds``, ``deepening``, ``stop`` and ``tick``, as
        for :func:`chance_minimax`.

    Returns
    -------
    Solution
        Its ``work`` counts nodes and leaves examined, partial information sets, their alternatives,
        and the cutoffs of each kind.

    Examples
    --------
    >>> from infoset.games import imp_model
    >>> game = imp_model(k=2, b=3, d=4)
    >>> full, pruned = imp_minimax(game), imp_alphabeta(game, bounds=(0, 99))
    >>> full.value == pruned.value, full.work["leaves"], pruned.work["leaves"]
    (True, 216, 181)
    """
    pruning = {"information_set_pruning": True, "immediate_pruning": True, **keywords}
    return _search(game, "imp-alphabeta", pruning, SetSearch)


def _search(
    given: Any, method: str, keywords: Mapping[str, Any], search: type[SetSearch]
) -> Solution:
    """Check that the method applies to a game, search it, and make the result."""
    check_keywords(method, keywords)
    played = source(given)
    settings = ImpSettings(method, name=played.name, **keywords)
    _check_players(played, method)
    game: SearchedGame
    bounds = settings.bounded(played.bounds)
    if isinstance(played.start, TreePosition):
        tree = played.start.tree
        if len(tree.players) == 2 and not (constant := tree.constant_sum):
            raise not_constant(played.name, method, constant.because)
        game = TreeGame(tree, bounds, settings.evaluator)
    else:
        game = PositionGame(played, bounds, settings)
    return answer(played, settings, game, bounds, run(game, settings, search))


def _check_players(played: Source, method: str) -> None:
    players = played.seats.players
    if len(players) > 2:
        raise NotApplicable(
            f"{played.name}: {method} is for one player, or for two with a constant sum, and this"
            f" game has {len(players)}: {', '.join(players)}; backward and behaviour fit"
        )
