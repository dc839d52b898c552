"""From a tree to a :class:`Solution`: one file for each method, one table of them all."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Unpack

from infoset.errors import InfosetError, NotApplicable, ParameterError
from infoset.forms.public import PublicForm
from infoset.rules import Family, Game
from infoset.solvers.options import Options
from infoset.solvers.registry import SOLVERS, Solver, choose, solver
from infoset.solvers.settings import TAKES, RunKeywords, Settings
from infoset.solvers.solution import Solution, conclude
from infoset.tree import MatrixGame, Tree

if TYPE_CHECKING:
    from infoset.solvers.convergence import Progress

__all__ = ["SOLVERS", "Options", "Solution", "Solver", "solve"]

Solvable = Game | Family | Tree | MatrixGame


def solve(
    game: Solvable | PublicForm,
    method: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    most: float | None = None,
    subgame_perfect: bool = False,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[Progress], None] | None = None,
    **settings: Unpack[RunKeywords],
) -> Solution:
    """An equilibrium of a game, verified.

    The method follows from the kind of game, unless one is named. With ``exact=True`` the answer is
    proved in rational arithmetic or refused; with ``exact=False`` floats will do, and only the
    regret is proved; otherwise an exact answer is given where it can be had. ``seconds`` stops long
    work, counted from when the tree is built, with what is known by then, and so does ``stop``,
    asked now and then, when it says true. ``tick`` is told now and then how far it is. ``most``
    says how many equilibria are wanted of a method that finds several, ``inf`` for all. With
    ``subgame_perfect`` every subgame is solved for itself, the last ones first.

    Further settings are for regret minimization (``cfr``, ``cfr+``, ...): ``iterations`` and
    ``regret`` stop it, ``checkpoint`` names a file to go on from, ``log`` one for its course; see
    :class:`~infoset.solvers.settings.Settings` for all. ``watch`` is shown how far a run is.

    A public form (:meth:`~infoset.rules.game.Game.public`) is solved as it is, by ``lp`` or by
    regret minimization, with no tree.

    >>> from infoset.games import prisoners_dilemma
    >>> solve(prisoners_dilemma()).method
    'lcp'
    """
    if isinstance(game, PublicForm):
        if most is not None or subgame_perfect:
            word = "subgame_perfect" if most is None else "most"
            raise ParameterError(f"{word}: on a public form one equilibrium is found; leave it out")
        from infoset.solvers.public import solve_public

        return solve_public(
            game,
            method,
            exact=exact,
            seconds=seconds,
            tick=tick,
            stop=stop,
            watch=watch,
            **settings,
        )
    asked = Settings.of(settings)
    _check_run(None if method is None else solver(method), exact, subgame_perfect, asked)
    Options(exact, seconds, tick, stop, most, asked, watch)  # what cannot be is refused at once
    tree = as_tree(game)
    options = Options(exact, seconds, tick, stop, most, asked, watch)  # the clock starts now
    if subgame_perfect:  # a method that does not fit the whole may fit its parts
        _check(None if method is None else solver(method), most, subgame_perfect)
        from infoset.solvers.subgame_perfect import find_subgame_perfect
        from infoset.tree.subgames import subgames

        found = find_subgame_perfect(tree, options, method)
        count = len(subgames(tree))
        because = f"{count:,} subgame{'s' * (count != 1)}, the last ones first"
        return conclude(tree, found, method or "subgame-perfect", because, options)
    row, because = choose(tree, method, asked, exact)
    _check(row, most, subgame_perfect)
    return conclude(tree, row.find(tree, options), row.name, because, options)


def _check(row: Solver | None, most: float | None, subgame_perfect: bool) -> None:
    """Refuse what a method cannot be asked for."""
    if row is not None and row.gives == "correlated":
        raise NotApplicable(
            f"{row.name} gives no strategy for each player but a joint one;"
            f" infoset.solvers.correlated.solver.correlated(game, {row.name!r}) finds it"
        )
    if row is not None and row.gives == "play":
        raise NotApplicable(
            f"{row.name} answers an opponent's strategy; infoset.safe(strategy) does"
        )
    if subgame_perfect and row is not None and row.gives != "one":
        raise ParameterError(f"subgame by subgame one equilibrium is found; {row.name} is no way")
    if subgame_perfect and row is not None and row.name == "quasi-perfect":
        raise ParameterError("quasi-perfect is subgame perfect by itself; leave the other out")
    if most is None:
        return
    whole = isinstance(most, int) and not isinstance(most, bool)
    if not (most == inf or (whole and most >= 1)):
        raise ParameterError(f"most={most!r}: it must be a whole number from 1 on, or inf for all")
    if row is None or subgame_perfect or not row.takes_most:
        several = ", ".join(other.name for other in SOLVERS if other.takes_most)
        finds = row.name if row is not None and not subgame_perfect else "subgame by subgame it"
        raise ParameterError(f"most={most}: {finds} finds one equilibrium; {several} find more")


def _check_run(
    row: Solver | None, exact: bool | None, subgame_perfect: bool, asked: Settings
) -> None:
    """Refuse what no run of regret minimization can be asked for."""
    family = asked.particular if row is None else row.file in TAKES
    if exact and family:
        name = "regret minimization" if row is None else row.name
        raise ParameterError(f"exact: {name} comes near, and proves how near; lp is exact")
    if subgame_perfect and asked.chosen:
        raise ParameterError(
            f"{asked.chosen[0]}: subgame by subgame there is no one run to set it for"
        )


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
