"""The commands, put together, and the options that they share."""

from __future__ import annotations

from typing import Annotated

import typer

from infoset import __version__
from infoset.cli import ask, convert, describe, games, matrix, solve, sweep, tree

app = typer.Typer(
    name="infoset",
    help="Write down the rules of a game; get its tree, its equilibria, their proof and pictures.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"infoset {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version.")
    ] = False,
) -> None:
    """Write down the rules of a game; get its tree, its equilibria, their proof and pictures."""


app.command()(games.games)
app.command()(describe.describe)
app.command()(tree.tree)
app.command()(solve.solve)
app.command()(ask.ask)
app.command()(matrix.matrix)
app.command()(sweep.sweep)
app.command()(convert.convert)
