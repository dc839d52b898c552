"""The commands, put together; each is loaded when it is used."""

from __future__ import annotations

from importlib import import_module

import click

from infoset import __version__
from infoset.cli.options import CONTEXT

# By name: what each command does, for the list of them; the rest is in the module of that name.
COMMANDS = {
    "games": "List the games of the library, or show the rules of one.",
    "describe": "Say how large a game is, and which properties it has.",
    "tree": "Draw a game's tree with its information sets, as text or as a picture.",
    "solve": "Find an equilibrium and prove it.",
    "ask": "Ask what a solution means: beliefs, values, plays, best replies.",
    "matrix": "Show a game's normal form or sequence form.",
    "sweep": "Build and solve many members of a family of games.",
    "view": "Inspect a game in the browser.",
    "play": "Play a game yourself, and learn what your moves cost.",
    "match": "Let players play many games, and compare them.",
    "convert": "Write a game as a file of Gambit (.efg, .nfg).",
}


class Commands(click.Group):
    """A group whose commands are imported when they are called, so that the help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name."""
        if name not in COMMANDS:
            return None
        found = import_module(f"infoset.cli.{name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = Commands(
    "infoset",
    help="Write down the rules of a game; get its tree, its equilibria, their proof and pictures.",
    context_settings=CONTEXT,
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=lambda ctx, parameter, asked: _version(ctx, asked),
            help="Show the version.",
        )
    ],
)


def call(arguments: list[str]) -> int:
    """Run a command; its exit status.

    Not by ``app.main``, which answers interrupts and closed pipes in its own way.
    """
    try:
        with app.make_context("infoset", arguments) as context:
            app.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    return 0


def _version(ctx: click.Context, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"infoset {__version__}")
        ctx.exit()
