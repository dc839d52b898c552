"""The player that suits a game: an equilibrium where it can be had at once, and a search elsewhere.

When a game begins, its tree is built if it has at most ``MOST_NODES`` nodes, and solved for at most
``PATIENCE`` seconds; the method follows from the game, as of :func:`infoset.solve`. Where the tree
is larger, but the rules are vectorized rules for two, the public form of the game is solved: it may
stand for ``MOST_PUBLIC_NODES`` nodes. Regret minimization then ends at a regret of ``NEAR``, as a
part of the range of payoffs, or when the time is over; an answer with more than ``FAR`` is not
used.

Bridge is played by natural bids, and cards by double-dummy solutions (:mod:`infoset.play.bridge`),
kriegspiel by a search with a compiled board (:mod:`infoset.play.kriegspiel`).
Any other game is played by Monte Carlo tree search over information sets, with several observers,
which needs nothing but the rules. It makes ``ITERATIONS`` for a move, and ends after ``THINKING``
seconds without a clock, too: a person waits. What was found is kept for further games and for the
other seats.

The number of iterations is from ``holdem()``. Compared with the best reply to its equilibrium, a
decision of the search costs 0.46, of a pot of 10, at 1,000 iterations, 0.25 at 4,000, and 0.14 at
16,000 (60 decisions, standard errors 0.09, 0.06 and 0.05), in 0.3, 0.5 and 0.8 s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

from infoset.errors import InfosetError, NotApplicable, TooLarge
from infoset.forms.public import PublicForm
from infoset.play.bridge import bridge_player, plays_bridge
from infoset.play.kriegspiel import KriegspielPlayer
from infoset.play.player import Choice, Clock, Seated, StrategyPlayer
from infoset.play.searching import TreeSearchPlayer
from infoset.rules import Game
from infoset.rules.estimate import TreeSize
from infoset.solvers import Solution, solve
from infoset.solvers.cost import payoff_range
from infoset.solvers.public_solution import PublicEvaluation
from infoset.tree import Tree
from infoset.tree.source import source

MOST_NODES = 400_000  # of a tree
MOST_PUBLIC_NODES = 300_000_000  # that a public form stands for: some 200 iterations in time
PATIENCE = 10.0  # seconds
NEAR, FAR = 1e-4, 1e-2  # regrets as parts of the range of payoffs
ITERATIONS = 4_000  # of a search, for a move
THINKING = 2.0  # seconds for a move of a search, where there is no clock
KEPT = 4  # games
TOO_LARGE = "it is too large to be solved"


class Attempt(NamedTuple):
    """A solution of a game, or why there is none."""

    solution: Solution | None
    why: str = ""

    @property
    def about(self) -> str:
        """Who plays by it, in words.

        >>> Attempt(None, TOO_LARGE).about
        'a search: it is too large to be solved'
        """
        if self.solution is None:
            return f"a search: {self.why}"
        if self.solution.exact:
            return "an equilibrium"
        return f"nearly an equilibrium: {self.solution.certificate}"


_kept: dict[int, tuple[Any, Attempt]] = {}  # by the id of a game, which is kept with it


def solved_at_once(game: Any) -> Attempt:
    """A solution of a game, if it can be had in seconds.

    Parameters
    ----------
    game
        Any game.

    Returns
    -------
    Attempt
        The solution, on the tree or on the public form, or in words why there is none.

    Examples
    --------
    >>> from infoset.games import blind_tic_tac_toe, holdem, kuhn
    >>> solved_at_once(kuhn()).solution
    <Solution of kuhn() by lp: exact>
    >>> solved_at_once(holdem(one="22+ A2+ KT+", two="22+ A2+")).about
    'nearly an equilibrium: regret about 0.00..., computed in floats'
    >>> solved_at_once(blind_tic_tac_toe(width=3, height=3))
    Attempt(solution=None, why='it is too large to be solved')
    """
    if id(game) not in _kept:
        while len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        _kept[id(game)] = game, _attempt(game)
    return _kept[id(game)][1]


def _attempt(game: Any) -> Attempt:
    try:
        return solved(solvable(game))
    except TooLarge:
        return Attempt(None, TOO_LARGE)
    except InfosetError as problem:
        return Attempt(None, str(problem))


def solvable(game: Any) -> Tree | PublicForm:
    """What a game is solved on: its tree, or where that is too large its public form.

    Parameters
    ----------
    game
        Any game.

    Returns
    -------
    Tree or PublicForm
        Small enough to be solved in seconds.

    Raises
    ------
    TooLarge
        If neither is.

    Examples
    --------
    >>> from infoset.games import leduc
    >>> solvable(leduc())
    <Tree of leduc(): 9,451 nodes, 936 information sets, 2 players>
    >>> solvable(leduc(ranks=13))
    <Public form of leduc(ranks=13): 1,179,751 nodes, ...>
    """
    try:
        return source(game).tree(MOST_NODES)
    except TooLarge:
        if not isinstance(game, Game) or not game.vectorized:
            raise
        try:
            form = game.public(progress=_until(PATIENCE), expect=_expected)
            return replace(form, game=None)  # so that no review builds its tree, in minutes
        except NotApplicable:  # not two players, or the sum of payoffs varies
            pass
        raise


def _until(seconds: float) -> Callable[[int], None]:
    """Ends the building of a public form that is too large, or takes too long."""
    end = perf_counter() + seconds

    def progress(nodes: int) -> None:
        if nodes > MOST_PUBLIC_NODES or perf_counter() > end:
            raise TooLarge(TOO_LARGE)

    return progress


def _expected(size: TreeSize) -> None:
    """Ends it by an estimate, before anything large is made."""
    if size.nodes.low > MOST_PUBLIC_NODES:
        raise TooLarge(TOO_LARGE)


def solved(made: Tree | PublicForm) -> Attempt:
    """The solution of what :func:`solvable` returns, if there is one in ``PATIENCE`` seconds.

    Parameters
    ----------
    made
        A tree or a public form.

    Returns
    -------
    Attempt
        The solution, or in words why there is none.

    Raises
    ------
    InfosetError
        As :func:`infoset.solve`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> solved(kuhn().public()).solution
    <Solution of kuhn() by lp: exact>
    """
    if isinstance(made, Tree):
        return Attempt(solve(made, seconds=PATIENCE))
    return judged(solve(made, seconds=PATIENCE, regret=NEAR * payoff_range(made)))


def judged(solution: Solution) -> Attempt:
    """A solution, if it may be played by; else why not: it is far from an equilibrium.

    Parameters
    ----------
    solution
        On a tree or on a public form.

    Returns
    -------
    Attempt
        With the solution or without.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> judged(solve(kuhn().public(), "cfr", iterations=2)).solution is None
    True
    >>> judged(solve(kuhn().public(), "cfr", iterations=20_000)).solution is None
    False
    """
    found = solution.evaluation
    if isinstance(found, PublicEvaluation):
        most = FAR * payoff_range(found.form)
        if float(solution.regret) > most:
            return Attempt(None, f"it is solved in part only: {solution.certificate}")
    return Attempt(solution)


def unsolved_player(game: Any) -> Seated:
    """Who plays a game that is not solved at once."""
    if plays_bridge(game):
        return bridge_player(patience=THINKING)
    if getattr(game, "name", "") == "kriegspiel":
        return KriegspielPlayer()
    return TreeSearchPlayer(iterations=ITERATIONS, observers="multiple", patience=THINKING)


def unsolved_name(game: Any) -> str:
    """The same by name, as in :mod:`infoset.play.names`.

    >>> from infoset.games import blind_tic_tac_toe, bridge, kriegspiel
    >>> [unsolved_name(game()) for game in (bridge, kriegspiel, blind_tic_tac_toe)]
    ['bridge', 'kriegspiel', 'mo-ismcts']
    """
    if getattr(game, "name", "") == "kriegspiel":
        return "kriegspiel"
    return "bridge" if plays_bridge(game) else "mo-ismcts"


class AutomaticPlayer(Seated):
    """Plays an equilibrium of a game that is solved at once, and searches in any other.

    Attributes
    ----------
    player : Seated or None
        Who decides, since the first game has begun: a :class:`StrategyPlayer`, or a search.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import AutomaticPlayer, match
    >>> match(kuhn(), [AutomaticPlayer(), "random"], games=400).standings()[0].low > 0
    True
    """

    player: Seated | None = None

    @property
    def about(self) -> str:
        """Who decides, in words, since the first game has begun."""
        return "" if self.player is None else solved_at_once(self.game).about

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.player is None or self.game is not game:
            solution = solved_at_once(game).solution
            self.player = unsolved_player(game) if solution is None else StrategyPlayer(solution)
        super().begin(game, seat, clock)
        self.player.begin(game, seat, clock)

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """What the equilibrium or the search says."""
        assert self.player is not None
        return self.player.decide(view, options)

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """What the equilibrium or the search keeps of it."""
        assert self.player is not None
        self.player.skip(view, options)
