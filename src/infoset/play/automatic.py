"""The player that suits a game: an equilibrium where it can be had at once, and a search elsewhere.

When a game begins, its tree is built if it has at most ``MOST_NODES`` nodes, and solved for at most
``PATIENCE`` seconds; the method follows from the game, as of :func:`infoset.solve`. A larger game
is played by Monte Carlo tree search over information sets, with several observers, which needs
nothing but the rules, and which thinks for ``THINKING`` seconds at most without a clock, too: a
person waits. What was found is kept for further games and for the other seats.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from infoset.errors import InfosetError, TooLarge
from infoset.play.player import Choice, Clock, Seated, StrategyPlayer
from infoset.play.searching import TreeSearchPlayer
from infoset.solvers import Solution, solve
from infoset.tree.source import source

MOST_NODES = 400_000
PATIENCE = 10.0  # seconds
THINKING = 5.0  # seconds for a move of a search, where there is no clock
KEPT = 4  # games


class Attempt(NamedTuple):
    """A solution of a game, or why there is none."""

    solution: Solution | None
    why: str = ""


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
        The solution, or in words why there is none.

    Examples
    --------
    >>> from infoset.games import blind_tic_tac_toe, kuhn
    >>> solved_at_once(kuhn()).solution
    <Solution of kuhn() by lp: exact>
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
        return Attempt(solve(source(game).tree(MOST_NODES), seconds=PATIENCE))
    except TooLarge:
        return Attempt(None, "it is too large to be solved")
    except InfosetError as problem:
        return Attempt(None, str(problem))


def unsolved_player() -> TreeSearchPlayer:
    """Who plays a game that is not solved at once."""
    return TreeSearchPlayer(observers="multiple", patience=THINKING)


class AutomaticPlayer(Seated):
    """Plays an equilibrium of a game that is solved at once, and searches in any other.

    Attributes
    ----------
    player : Seated or None
        Who decides, since the first game has begun: a :class:`StrategyPlayer` or a
        :class:`TreeSearchPlayer`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import AutomaticPlayer, match
    >>> match(kuhn(), [AutomaticPlayer(), "random"], games=400).standings()[0].low > 0
    True
    """

    player: Seated | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.player is None or self.game is not game:
            solution = solved_at_once(game).solution
            self.player = unsolved_player() if solution is None else StrategyPlayer(solution)
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
