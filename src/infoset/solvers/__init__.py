"""From a tree to a :class:`Solution`: one file for each method, one table of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Unpack

from infoset.errors import InfosetError, NotApplicable, ParameterError, TooLarge
from infoset.forms.public import PublicForm
from infoset.memory import refused_beyond
from infoset.rules import Family, Game
from infoset.solvers.options import Options, answered_in_time
from infoset.solvers.registry import LARGE, SOLVERS, Solver, check_settings, choose, solver
from infoset.solvers.settings import TAKES, RunKeywords, Settings
from infoset.solvers.solution import Solution, conclude
from infoset.tree import MatrixGame, Tree
from infoset.tree.openspiel import SpielGame, is_openspiel

if TYPE_CHECKING:
    from infoset.solvers.convergence import Progress

__all__ = ["SOLVERS", "Options", "Solution", "Solver", "solve"]

Solvable = Game | Family | Tree | MatrixGame | SpielGame


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

    Parameters
    ----------
    game : Game, Family, Tree, MatrixGame or PublicForm
        The game. A public form (:meth:`~infoset.rules.game.Game.public`) is solved as it is, with
        no tree, by ``lp`` or by regret minimization.
    method : str, optional
        A name of the table of solvers (:data:`~infoset.solvers.registry.SOLVERS`). By default the
        method follows from the kind of game. Sampling and searches are verified on the tree; where
        it is too large they do without, as :func:`~infoset.sample` and :mod:`infoset.search` do.
    exact : bool, optional
        True: the answer is proved in rational arithmetic, or refused. False: floats will do, and
        only the regret is proved. By default an exact answer is given where it can be had.
    seconds : float, optional
        Stop after so long, counted from when the tree is built, with the best answer by then. An
        exact method that has none is refused, at most some 2 seconds later; only Gambit's methods
        cannot be stopped.
    most : int or inf, optional
        How many equilibria are wanted of a method that finds several; ``inf`` for all.
    subgame_perfect : bool
        Solve every subgame for itself, the last ones first.
    tick : callable, optional
        Called now and then with a line about the progress.
    stop : callable, optional
        Asked now and then; the work stops when it returns true.
    watch : callable, optional
        Called with the :class:`~infoset.solvers.convergence.Progress` of an iterative run.
    **settings
        Of regret minimization: ``iterations`` and ``regret`` stop it, ``checkpoint`` names a file
        to resume from, ``log`` one for its convergence; all of them are fields of
        :class:`~infoset.solvers.settings.Settings`. They select it where no method is named; a
        ``regret`` alone does so where it should be reached before an exact answer.

    Returns
    -------
    Solution
        Strategies, value, payoffs and regrets, with the certificate.

    Raises
    ------
    NotApplicable
        If the method does not take such games; the message names those that do.
    NotProved
        If ``exact=True`` and no proof was found.
    OutOfTime
        If an exact method has no answer after ``seconds``.
    ParameterError
        If a setting is not one of the method's.
    TooLarge
        If the tree does not fit; the message says which method needs none, by measurement.

    Examples
    --------
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
    named = None if method is None else solver(method)
    _check_run(named, exact, subgame_perfect, asked)
    Options(exact, seconds, tick, stop, most, asked, watch)  # what cannot be is refused at once
    try:
        tree = as_tree(game)
    except TooLarge as large:
        if named is None or named.form != "positions" or subgame_perfect:
            raise _with_advice(large, game) from None
        check_settings(named, asked.chosen)
        _check(named, most, subgame_perfect)
        options = Options(exact, seconds, tick, stop, most, asked, watch)
        return named.find_without_tree(game, options)
    options = Options(exact, seconds, tick, stop, most, asked, watch)  # the clock starts now
    if subgame_perfect:  # a method that does not fit the whole may fit its parts
        _check(None if method is None else solver(method), most, subgame_perfect)
        from infoset.solvers.subgame_perfect import find_subgame_perfect
        from infoset.tree.subgames import subgames

        with _feasible("subgame-perfect", tree, options):
            found = find_subgame_perfect(tree, options, method)
            count = len(subgames(tree))
            because = f"{count:,} subgame{'s' * (count != 1)}, the last ones first"
            return conclude(tree, found, method or "subgame-perfect", because, options)
    row, because = choose(tree, method, asked, exact)
    _check(row, most, subgame_perfect)
    if row.gives == "correlated":
        from infoset.solvers.correlated.solver import correlated

        return correlated(tree, row.name, exact=exact, seconds=seconds, tick=tick, stop=stop)
    if row.family not in ("", "search"):  # runs look at their limit themselves
        with refused_beyond(lambda: _sized(row.name, tree), _instead(tree, row)):
            return conclude(tree, row.find(tree, options), row.name, because, options)
    with _feasible(row.name, tree, options):
        return conclude(tree, row.find(tree, options), row.name, because, options)


@contextmanager
def _feasible(method: str, tree: Tree, options: Options) -> Iterator[None]:
    """Refuse what needs more memory than there is, or more time than is allowed."""
    what, instead = partial(_sized, method, tree), _instead(tree)
    with refused_beyond(what, instead), answered_in_time(options, what, instead):
        yield


def _sized(method: str, tree: Tree) -> str:
    """A method and the size of the game that it was to solve, for a message."""
    sequences = sum(map(tree.sequences, tree.names))
    return f"{tree.name}: {method} on {len(tree):,} nodes and {sequences:,} sequences"


def _instead(tree: Tree, row: Solver | None = None) -> str:
    """What to do where memory or time does not suffice."""
    iterative = solver(LARGE)
    if (row is not None and row.family == "cfr") or iterative.lacks(tree):
        return "take a smaller game"
    return f"take a smaller game, or {LARGE}, which needs the least"


def _check(row: Solver | None, most: float | None, subgame_perfect: bool) -> None:
    """Refuse what a method cannot be asked for."""
    if row is not None and row.gives == "reply":
        raise NotApplicable(
            f"{row.name} answers an opponent's strategy; infoset.safe(strategy) does"
        )
    if subgame_perfect and row is not None and row.gives != "one":
        raise ParameterError(
            f"subgame_perfect: {row.name} cannot solve subgames one by one; leave it out"
        )
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
    family = asked.particular if row is None else row.family in TAKES
    if exact and family:
        name = "regret minimization" if row is None else row.name
        raise ParameterError(f"exact=True: {name} approximates, and proves its regret; lp is exact")
    if subgame_perfect and asked.chosen:
        raise ParameterError(
            f"{asked.chosen[0]}= does not apply: subgame by subgame there is no single run"
        )


def _with_advice(large: TooLarge, game: Solvable) -> TooLarge:
    """The refusal of a tree, with a method that needs none."""
    from infoset.solvers.sampling.speed import without_tree

    advice = without_tree(game)
    return TooLarge(f"{large}; {advice}" if advice else str(large), size=large.size)


def as_tree(game: Solvable) -> Tree:
    """The tree of whatever is given as a game."""
    if isinstance(game, Tree):
        return game
    if isinstance(game, Family):
        game = game()
    if is_openspiel(game):
        game = SpielGame(game)
    if not isinstance(game, Game | MatrixGame | SpielGame):
        raise InfosetError(
            f"a game, a tree or a payoff table can be solved, not {type(game).__name__}"
            f" {game!r:.40}; load() reads files, and infoset.games has the library"
        )
    return game.tree()
