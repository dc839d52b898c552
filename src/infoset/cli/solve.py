"""``infoset solve``: an equilibrium of a game, with its proof.

The way is the same for every method: check what was asked, build what the method works on, solve or
load, write files, print. Only what is built and how it is shown differ, by the kind of answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from infoset.cli.game_arguments import named_game, named_tree
from infoset.cli.options import Command, write_options, write_rows
from infoset.cli.output import Answer, deliver
from infoset.cli.progress import status, watching
from infoset.cli.solve_options import (
    LACKING,
    Request,
    kind_of_answer,
    methods_option,
    minimizes_regret,
    searches,
)
from infoset.errors import NoEquilibrium, TooLarge
from infoset.solvers.interrupt import interruptible
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.solvers import Solution
    from infoset.solvers.registry import Solver


def solve(request: Request) -> None:
    """Find an equilibrium and prove it: value, payoffs, regret, certificate, strategies."""
    request.check_idle()
    request = _loading(request)
    request.check()
    answer = FINDERS[request.kind](request)
    deliver(answer, request.output.as_json)


def _loading(request: Request) -> Request:
    """A saved solution says itself what it is of: a tree or a public form."""
    load = request.how.load
    if load is None:
        return request
    from infoset.solvers.container import kind_of, refuse_others

    if request.how.public is None and kind_of(load) == "public":
        request = replace(request, how=replace(request.how, public=True))
    refuse_others(load, "public" if request.how.public else "tree")
    return request


# ---------------------------------------------------------------------- by the kind of answer


def _on_tree(request: Request) -> Answer:
    """Build the tree, and solve it or load a solution of it."""
    from infoset.cli.solutions import NoAnswer, TreeAnswer, check_labels

    found = game = None
    if searches(request.row) and not request.how.subgame_perfect:
        from infoset.cli.searching import run_search

        game = named_game(request.game, request.limits)
        found = run_search(game, request)
    began = time.perf_counter()
    try:
        tree = game if isinstance(game, Tree) else named_tree(request.game, request.limits)
    except TooLarge as large:
        answer = _without_tree(request)
        if answer is None:
            raise TooLarge(f"{large}; --method external-sampling needs no tree") from None
        return answer
    building = time.perf_counter() - began
    check_labels(tree, request.output)
    try:
        if found is not None:
            from infoset.cli.searching import verified

            solution = verified(found, tree)
        else:
            solution = _solution(tree, request)
    except NoEquilibrium as none:
        return NoAnswer(request, tree, str(none))
    pick = request.several.pick
    shown = solution if pick is None else solution.pick(pick)
    return TreeAnswer(request, shown, solution, building, found)


def _without_tree(request: Request) -> Answer | None:
    """An answer on the public form of a game whose tree is too large, if it has one."""
    from infoset.cli.public import fits, on_public_form

    row = request.row
    suits = row is None or row.family == "cfr" or row.name == "lp"
    if request.how.public is not None or request.by_tree or not suits or request.game.is_tree:
        return None
    game = named_game(request.game, request.limits)
    return on_public_form(request, game) if fits(game) else None


def _solution(tree: Tree, request: Request) -> Solution:
    """The solution of a tree: loaded, or solved for now."""
    from infoset.solvers import Solution
    from infoset.solvers import solve as solved
    from infoset.solvers.registry import choose

    how = request.how
    if how.load is not None:
        return Solution.load(how.load, tree)
    method = request.method
    row = None if how.subgame_perfect else choose(tree, method, request.run, how.exact)[0]
    words = f"solving {tree.name}"
    with ExitStack() as stack:
        stop = stack.enter_context(interruptible())
        watch = tick = None
        if minimizes_regret(row):
            watch = stack.enter_context(watching(words))
        else:
            tick = stack.enter_context(status(words))
        solution = solved(
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


def _on_public_form(request: Request) -> Answer:
    from infoset.cli.public import on_public_form

    return on_public_form(request, named_game(request.game, request.limits))


def _sampled(request: Request) -> Answer:
    from infoset.cli.sampling import sampled

    return sampled(request)


def _searched(request: Request) -> Answer:
    from infoset.cli.searching import SearchedAnswer, run_search

    game = named_game(request.game, request.limits)
    return SearchedAnswer(request, run_search(game, request))


def _advised(request: Request) -> Answer:
    from infoset.cli.correlated import correlated, safe
    from infoset.solvers.registry import choose

    tree = named_tree(request.game, request.limits)
    if request.output.player is not None:
        tree.player_number(request.output.player)
    choose(tree, request.method)  # which refuses games that the method does not take
    return (correlated if request.kind == "correlated" else safe)(request, tree)


FINDERS: dict[str, Callable[[Request], Answer]] = {
    "tree": _on_tree,
    "public": _on_public_form,
    "sampled": _sampled,
    "searched": _searched,
    "correlated": _advised,
    "safe": _advised,
}


# ---------------------------------------------------------------------- the help


class SolveCommand(Command[Request]):
    """The command, with help on each method: ``infoset solve --help cfr+``."""

    def get_help_option(self, ctx: click.Context) -> click.Option:
        """An option that takes the name of a method, or nothing."""
        return click.Option(
            ["-h", "--help"],
            is_flag=False,
            flag_value="",
            metavar="[METHOD]",
            is_eager=True,
            expose_value=False,
            callback=self._show_help,
            help="Show this, or what a method does and its own options.",
        )

    def _show_help(
        self, ctx: click.Context, parameter: click.Parameter, method: str | None
    ) -> None:
        if method is None or ctx.resilient_parsing:
            return
        click.echo(self.help_on(ctx, method) if method else ctx.get_help())
        ctx.exit()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the common options, and the names of the others."""
        super().format_options(ctx, formatter)
        special: dict[str, list[str]] = {}
        for one in self.options:
            if one.takes is not None:
                special.setdefault(one.heading, []).append(one.flag)
        with formatter.section("Options of some methods (infoset solve --help METHOD)"):
            write_rows(formatter, [(name, ", ".join(flags)) for name, flags in special.items()])

    def help_on(self, ctx: click.Context, method: str) -> str:
        """What a method does, which games it takes, and its own options."""
        from infoset.solvers.registry import SOLVERS, solver

        row = next((row for row in SOLVERS if row.name == method), None) or solver(method)
        formatter = ctx.make_formatter()
        usage = f"GAME [NAME=VALUE]... --method {row.name} [OPTIONS]"
        formatter.write_usage(ctx.command_path, usage)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"{row.about[0].upper()}{row.about[1:]}.")
        with formatter.section("The method"):
            write_rows(
                formatter,
                [
                    ("games", row.takes),
                    ("works on", row.form),
                    ("gives", row.gives_text),
                    ("exact", row.exact),
                ],
            )
        own = [one for one in self.options if one.takes is not None and one.takes(row)]
        write_options(formatter, own)
        formatter.write_paragraph()
        formatter.write_text(self._others(row))
        return formatter.getvalue().rstrip("\n")

    def _others(self, row: Solver) -> str:
        """What is said about the options that all methods share."""
        kind = kind_of_answer(row)
        names = () if kind == "tree" else LACKING[kind][0]
        idle = [one.flag for one in self.options if one.takes is None and one.name in names]
        but = f" but {', '.join(idle)}" if idle else ""
        return f"It takes all common options{but}; infoset solve --help lists them."


command = SolveCommand("solve", Request, solve, [methods_option()])
