"""``infoset view``: the application in the browser, for any game."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infoset.cli.files import check_target
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game
from infoset.cli.options import Command, group, option
from infoset.cli.progress import status
from infoset.errors import InfosetError, ParameterError
from infoset.files import write_lines
from infoset.text import brief


@dataclass(frozen=True)
class NamedGame:
    """A game as it is named on the command line, with parameters to be chosen."""

    arguments: GameArguments
    limits: LimitOptions

    @property
    def name(self) -> str:
        """What was typed."""
        return self.arguments.name

    @property
    def file(self) -> Path | None:
        """The file of the rules, if it is one."""
        given = self.arguments
        return given.file if given.has_rules and str(given.file).endswith(".py") else None

    def open(self, parameters: Sequence[str]) -> Any:
        """The game with these parameters."""
        with redirect_stdout(sys.stderr):  # what rules print is no part of the answer
            return named_game(replace(self.arguments, parameters=tuple(parameters)), self.limits)


@dataclass(frozen=True)
class ServerOptions:
    """Where the application is served."""

    port: int = option("The port; any that is free if it is 0.", default=8000, minimum=0)
    host: str = option(
        "Listen at this address, too; elsewhere than here, pages need a token.",
        metavar="ADDRESS",
        default="127.0.0.1",
    )
    no_browser: bool = option("Do not open the browser.", default=False)


@dataclass(frozen=True)
class SavedOptions:
    """The application as a file."""

    out: Path | None = option(
        "Write a page that works from disk, with the solution in it, instead of serving one."
    )
    method: str | None = option("Of that solution.", metavar="METHOD", unset="as of infoset solve")
    time: float | None = option("Stop solving after so long.", metavar="SECONDS", minimum=0)


@dataclass(frozen=True)
class ViewRequest:
    """All that is asked of ``infoset view``."""

    game: GameArguments = group()
    saved: SavedOptions = group("A page that works from disk")
    server: ServerOptions = group("Server")
    limits: LimitOptions = group("Limits")


def view(request: ViewRequest) -> None:
    """Inspect a game in the browser: its tree, its equilibria, and what they mean."""
    from infoset.page.server import Pages

    opener = NamedGame(request.game, request.limits)
    first = request.game.parameters
    if request.saved.out is not None:
        save(opener, first, request.saved)
        return
    for flag, given in (("--method", request.saved.method), ("--time", request.saved.time)):
        if given is not None:
            raise ParameterError(f"{flag} is for --out; in the browser, choose there")
    try:
        opener.open(first)  # what is no game is refused here
    except InfosetError:
        if opener.file is None or not opener.file.is_file():
            raise  # a file of rules that is being written is shown with its error
    run_server(Pages(opener, first), request.server, brief(opener.name))


def save(opener: NamedGame, parameters: tuple[str, ...], asked: SavedOptions) -> None:
    """Solve a game, and write the page."""
    from infoset.page.saved import page
    from infoset.page.worker import built
    from infoset.solvers import solve

    assert asked.out is not None
    check_target(asked.out, (".html",))
    game = opener.open(parameters)
    with status(f"solving {brief(opener.name)}"):
        tree = built(game, opener.limits.max_nodes)
        solution = solve(tree, asked.method, seconds=asked.time)
    write_lines(asked.out, [page(game, solution, parameters)])
    size = asked.out.stat().st_size
    print(f"{brief(solution.name)}: written to {asked.out} ({size:,} bytes)")


def run_server(pages: Any, asked: ServerOptions, name: str, fragment: str = "") -> None:
    """Serve until it is stopped, with a free port if the usual one is taken."""
    from infoset.page.server import serve

    printed = sys.stdout

    def ready(address: str) -> None:
        address += fragment
        print(f"{name}: {address} (Ctrl-C ends it)", file=printed, flush=True)
        if not asked.no_browser:
            webbrowser.open(address)

    with redirect_stdout(sys.stderr):  # what rules print is no answer
        try:
            serve(pages, host=asked.host, port=asked.port, ready=ready)
        except InfosetError:
            if asked.port != ServerOptions.port:
                raise
            serve(pages, host=asked.host, port=0, ready=ready)


command = Command("view", ViewRequest, view)
