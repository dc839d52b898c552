"""How ``infoset solve`` comes to an answer: build what the method works on, then solve or load.

By the kind of answer that is a tree, a public form, or nothing but the rules: a search and a
sampled run walk positions. A game whose tree is too large is solved on its public form, if it has
one and nothing was asked for that only a tree has.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

from infoset.cli.game_arguments import named_game, named_tree, public_form
from infoset.cli.output import CommandOutput
from infoset.cli.progress import status, telling, watching
from infoset.cli.solutions import (
    NoAnswer,
    SolutionAnswer,
    check_form_labels,
    check_tree_labels,
    joint_answer,
    searched_answer,
)
from infoset.cli.solve_options import IMP, SolveRequest, minimizes_regret, searches
from infoset.display.report import sampled_of
from infoset.errors import NoEquilibrium, ParameterError, TooLarge
from infoset.rules import Game
from infoset.search import SEARCHES
from infoset.solvers import Solution, solve
from infoset.solvers.correlated.solver import correlated
from infoset.solvers.interrupt import interruptible
from infoset.solvers.public_store import folded_as
from infoset.solvers.registry import choose
from infoset.solvers.safe.solver import safe
from infoset.solvers.sampling import sample
from infoset.solvers.sampling.run import DEFAULT_ITERATIONS
from infoset.solvers.sampling.speed import without_tree
from infoset.strategy import Strategy
from infoset.strategy.convert import read_strategies
from infoset.text import brief, printable
from infoset.tree import Tree
from infoset.tree.openspiel import SpielGame

# A run of sampling that nothing limits has 10,000 iterations, so that a small game gives the same
# answer every time, and so many seconds at most, so that a large one gives any.
SECONDS = 60.0
ENDED = f"ended after {SECONDS:.0f} s, as nothing said when; --time gives it longer"


def find(request: SolveRequest) -> CommandOutput:
    """The answer to a request that was checked."""
    return FINDERS[request.kind](request)


# ---------------------------------------------------------------------- on the tree


def _on_tree(request: SolveRequest) -> CommandOutput:
    """Build the tree, and solve it or load a solution of it."""
    found = game = None
    if searches(request.row) and not request.how.subgame_perfect:
        game = named_game(request.game, request.limits)
        found = _search(game, request)
    began = time.perf_counter()
    try:
        tree = game if isinstance(game, Tree) else named_tree(request.game, request.limits)
    except TooLarge as large:
        if _may_do_without_tree(request):
            return _on_public_form(request)
        raise _with_advice(large, named_game(request.game, request.limits)) from None
    building = time.perf_counter() - began
    check_tree_labels(tree, request.output)
    try:
        solution = _solution(tree, request) if found is None else _placed(found, tree)
    except NoEquilibrium as none:
        return NoAnswer(request, tree, str(none))
    pick = request.several.pick
    shown = solution if pick is None else solution.pick(pick)
    return SolutionAnswer(request, shown, "tree", building, solution, found)


def _with_advice(large: TooLarge, game: Game | Tree | SpielGame, *, form: bool = True) -> TooLarge:
    """What is too large, with what to do instead, where that is known."""
    advice = "" if isinstance(game, Tree) else without_tree(game, form=form)
    return TooLarge(f"{large}; {advice}" if advice else str(large), size=large.size)


def _may_do_without_tree(request: SolveRequest) -> bool:
    """May a game whose tree is too large be solved on its public form?"""
    row = request.row
    suits = row is None or row.family == "cfr" or row.name == "lp"
    if request.how.public is not None or request.by_tree or not suits or not request.game.has_rules:
        return False
    game = named_game(request.game, request.limits)
    return isinstance(game, Game) and game.vectorized and len(game.players) == 2


def _solution(tree: Tree, request: SolveRequest) -> Solution:
    """The solution of a tree: loaded, or solved for now."""
    how, method = request.how, request.method
    if how.load is not None:
        return Solution.load(how.load, tree)
    row = None if how.subgame_perfect else choose(tree, method, request.run, how.exact)[0]
    words = f"solving {tree.name}"
    with ExitStack() as stack:
        stop = stack.enter_context(interruptible())
        watch = tick = None
        if minimizes_regret(row):
            watch = stack.enter_context(watching(words))
        else:
            tick = stack.enter_context(status(words))
        solution = solve(
            tree,
            method,
            exact=how.exact,
            seconds=how.seconds,
            most=request.several.wanted,
            subgame_perfect=how.subgame_perfect,
            tick=tick,
            stop=stop,
            watch=watch,
            **request.keywords,
        )
    return solution if request.because is None else replace(solution, because=request.because)


def _correlated(request: SolveRequest) -> CommandOutput:
    """The correlated equilibrium with the greatest welfare."""
    tree, how = _applicable_tree(request), request.how
    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        found = correlated(
            tree,
            request.method or "",
            request.objective.welfare,
            exact=how.exact,
            seconds=how.seconds,
            tick=tick,
            stop=stop,
        )
    return joint_answer(request, found)


def _safe(request: SolveRequest) -> CommandOutput:
    """The strategy that wins most against a known opponent and risks little."""
    tree, how, player = _applicable_tree(request), request.how, request.output.player
    assert request.opponent.against is not None  # checked with the request
    model = _strategy_of_opponent(tree, request.opponent.against, player)
    with status(f"solving {tree.name}"):
        found = safe(model, request.opponent.risk, player, exact=how.exact, seconds=how.seconds)
    return SolutionAnswer(request, found, "safe")


def _applicable_tree(request: SolveRequest) -> Tree:
    """The tree, if the method takes such a game."""
    tree = named_tree(request.game, request.limits)
    check_tree_labels(tree, request.output)
    choose(tree, request.method)
    return tree


def _strategy_of_opponent(tree: Tree, path: Path, player: str | None) -> Strategy:
    """The opponent's strategy in a file that a solution or its strategies were written to."""
    named = printable(str(path))
    if path.suffix.lower() == ".json":
        found: dict[str, Any] = dict(Solution.load(path, tree).tree_evaluation.strategy)
    else:
        found = dict(read_strategies(path, tree))
    if player is not None:
        others = [name for name in tree.names if name != player and name in found]
        if not others:
            raise ParameterError(f"{named}: no strategy of {player}'s opponent in it")
        return found[others[0]]  # type: ignore[no-any-return]
    if len(found) != 1:
        names = " or ".join(f"--player {name!r}" for name in tree.names)
        raise ParameterError(f"{named} has everyone's strategy; say who you are: {names}")
    return next(iter(found.values()))  # type: ignore[no-any-return]


# ---------------------------------------------------------------------- on the public form


def _on_public_form(request: SolveRequest) -> CommandOutput:
    """Build the public form, and solve it or load a solution of it."""
    how, output = request.how, request.output
    game = named_game(request.game, request.limits)
    if isinstance(game, Game):
        output.check_player(game.players)
    fold, merge = how.fold, how.merge
    if how.load is not None:  # the form that it is of, whatever was not said
        folded, merged = folded_as(how.load)
        fold, merge = fold and folded, merge or merged
    began = time.perf_counter()
    try:
        form = public_form(game, request.limits, fold=fold, merge=merge)
    except TooLarge as large:
        raise _with_advice(large, game, form=False) from None
    building = time.perf_counter() - began
    check_form_labels(form, output)
    if how.load is not None:
        return SolutionAnswer(request, Solution.load(how.load, form), "public", building)
    with ExitStack() as stack:
        stop = stack.enter_context(interruptible())
        watch, tick = stack.enter_context(telling(f"solving {brief(form.name)}"))
        found = solve(
            form,
            request.method,
            exact=how.exact,
            seconds=how.seconds,
            stop=stop,
            watch=watch,
            tick=tick,
            **request.keywords,
        )
    if request.because is not None:
        found = replace(found, because=request.because)
    return SolutionAnswer(request, found, "public", building)


# ---------------------------------------------------------------------- by positions


def _searched(request: SolveRequest) -> CommandOutput:
    game = named_game(request.game, request.limits)
    return searched_answer(request, _search(game, request))


def _search(game: Game | Tree | SpielGame, request: SolveRequest) -> Solution:
    """Search a game by its rules."""
    method, exact = request.method or "", request.how.exact
    keywords = request.search.keywords(method, request.how.seconds)
    if method not in IMP:
        keywords["exact"] = bool(exact)
    elif exact is False:
        raise ParameterError(f"--floats: {method} computes in exact numbers")
    with (
        redirect_stdout(sys.stderr),  # what rules print is no part of the answer
        interruptible() as stop,
        status(f"searching {_name(game)}") as tick,
    ):
        return SEARCHES[method](game, stop=stop, tick=tick, **keywords)


def _placed(found: Solution, tree: Tree) -> Solution:
    """What a search decides, placed on the tree and proved."""
    with redirect_stdout(sys.stderr), status(f"verifying {brief(tree.name)}"):
        return found.on_tree(tree)


def _sampled(request: SolveRequest) -> CommandOutput:
    """Sample a game; the first Ctrl-C ends the run with what is known by then."""
    game = named_game(request.game, request.limits)
    request.output.check_player(game.names if isinstance(game, Tree) else game.players)
    if request.how.load is not None:
        with redirect_stdout(sys.stderr):
            found = Solution.load(request.how.load, game)
        return SolutionAnswer(request, _estimated(found), "sampled")
    keywords = {name: value for name, value in request.keywords.items() if name != "prove"}
    keywords["seconds"] = request.how.seconds
    endless = request.how.seconds is None and not {"iterations", "regret"} & set(keywords)
    if endless:
        keywords |= {"iterations": DEFAULT_ITERATIONS, "seconds": SECONDS}
    method = (request.method or "").removesuffix("-sampling")
    with redirect_stdout(sys.stderr), interruptible() as stop:
        with watching(f"sampling {_name(game)}") as watch:
            found = sample(game, method, stop=stop, watch=watch, **keywords)
        notes = (found.note, _ended(found, endless, stop))
        found = replace(found, note="; ".join(note for note in notes if note))
        return SolutionAnswer(request, _estimated(found), "sampled")


def _estimated(found: Solution) -> Solution:
    """The same, with what is estimated in simulated plays."""
    with redirect_stdout(sys.stderr), status("simulating plays"):
        _ = sampled_of(found).simulation
    with redirect_stdout(sys.stderr), status("estimating the exploitability"):
        _ = sampled_of(found).estimated_exploitability
    return found


def _ended(found: Solution, endless: bool, stop: Callable[[], bool]) -> str:
    """Why a run ended without being asked to, or had nothing to do."""
    run = sampled_of(found)
    if run.iterations and run.run.resumed == run.iterations:
        return "nothing was left to do since the checkpoint; --iterations or --time ask for more"
    if stop():
        return "interrupted"
    return ENDED if endless and run.iterations < DEFAULT_ITERATIONS else ""


def _name(game: Game | Tree | SpielGame) -> str:
    return brief(repr(game) if isinstance(game, Game) else game.name)


FINDERS: dict[str, Callable[[SolveRequest], CommandOutput]] = {
    "tree": _on_tree,
    "public": _on_public_form,
    "sampled": _sampled,
    "searched": _searched,
    "correlated": _correlated,
    "safe": _safe,
}
