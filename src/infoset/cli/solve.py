"""``infoset solve``: an equilibrium of a game, with its proof.

The way is the same for every method: check what was asked, build what the method works on, solve or
load (:mod:`infoset.cli.solving`), write files, print (:mod:`infoset.cli.solutions`).
"""

from __future__ import annotations

from dataclasses import replace

import click

from infoset.cli.options import Command, write_options, write_rows
from infoset.cli.output import deliver
from infoset.cli.solve_options import LACKING, SolveRequest, kind_of_answer, methods_option
from infoset.solvers.container import kind_of, refuse_others
from infoset.solvers.registry import SOLVERS, Solver, solver


def solve(request: SolveRequest) -> None:
    """Find an equilibrium and prove it: value, payoffs, regret, certificate, strategies."""
    request.check_idle()
    request = _loading(request)
    request.check()
    from infoset.cli.solving import find  # which help and refusals need not wait for

    deliver(find(request), request.output.as_json)


def _loading(request: SolveRequest) -> SolveRequest:
    """A saved solution says itself what it is of: a tree, a public form or a sampled run."""
    load = request.how.load
    if load is None:
        return request
    if kind_of(load) == "sampled":
        return replace(request, how=replace(request.how, method="external-sampling"))
    if request.how.public is None and kind_of(load) == "public":
        request = replace(request, how=replace(request.how, public=True))
    refuse_others(load, "public" if request.how.public else "tree")
    return request


# ---------------------------------------------------------------------- the help


class SolveCommand(Command[SolveRequest]):
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


command = SolveCommand("solve", SolveRequest, solve, [methods_option()])
