"""From a tree to a :class:`Solution`: one file for each method, one table of them all."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

from infoset.errors import InfosetError, ParameterError
from infoset.rules import Family, Game
from infoset.solve.options import Options
from infoset.solve.solution import Solution, conclude
from infoset.solve.table import SOLVERS, Solver, choose
from infoset.tree import MatrixGame, Tree

__all__ = ["SOLVERS", "Options", "Solution", "Solver", "solve"]

Solvable = Game | Family | Tree | MatrixGame


def solve(
    game: Solvable,
    method: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """An equilibrium of a game, verified.

    The method follows from the kind of game, unless one is named. With ``exact=True`` the answer is
    proved in rational arithmetic or refused; with ``exact=False`` floats will do, and only the
    regret is proved; otherwise an exact answer is given where it can be had. ``seconds`` stops long
    work with what is known by then, and so does ``stop``, asked now and then, when it says true.
    ``tick`` is told now and then how far it is.

    >>> from infoset.games import prisoners_dilemma
    >>> solve(prisoners_dilemma()).method
    'lcp'
    """
    tree = as_tree(game)
    if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
        raise ParameterError(f"seconds={seconds!r}: it must be 0 or more")
    options = Options(exact, seconds, tick, stop)
    row, because = choose(tree, method)
    return conclude(tree, row.find(tree, options), row.name, because, options)


def as_tree(game: Solvable) -> Tree:
    """The tree of whatever is given as a game."""
    if isinstance(game, Tree):
        return game
    if isinstance(game, Family):
        game = game()
    if not isinstance(game, Game | MatrixGame):
        raise InfosetError(
            f"a game, a tree or a payoff table can be solved, not {type(game).__name__}"
            f" {game!r:.40}; load() reads files, and infoset.games has the library"
        )
    return game.tree()


class _Callable(ModuleType):
    """``from infoset import solve`` names this package; called, it is its function."""

    __call__ = staticmethod(solve)


sys.modules[__name__].__class__ = _Callable
