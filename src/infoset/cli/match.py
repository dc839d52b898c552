"""``infoset match``: many games between players, with intervals.

What has an equals sign before any colon is a parameter of the game, all else is a player:
``infoset match kuhn ranks=4 random solution:kuhn.sol``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import click

from infoset.analysis.table import Column, Table
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game
from infoset.cli.options import Command, argument, cluster_option, group, jobs_option, option
from infoset.cli.output import JsonOption, Writing, deliver, terminal
from infoset.cli.progress import counting
from infoset.errors import ParameterError
from infoset.play.match import MatchResult, match
from infoset.play.names import ABOUT
from infoset.text import brief, count_text, printable

STOPPED = 130
EVERY = 0.2  # seconds between two looks at the standings


@dataclass(frozen=True)
class GameAndPlayers(GameArguments):
    """A game with its parameters, and then the players."""

    parameters: tuple[str, ...] = argument(
        "Parameters of the game, then players: " + "; ".join(ABOUT) + ".",
        "[NAME=VALUE]... PLAYER PLAYER...",
        default=(),
    )

    @property
    def players(self) -> tuple[str, ...]:
        """The words that are no parameters."""
        return tuple(word for word in self.parameters if not _is_parameter(word))

    @property
    def alone(self) -> GameArguments:
        """The game without the players."""
        given = tuple(word for word in self.parameters if _is_parameter(word))
        return GameArguments(self.name, given)


def _is_parameter(word: str) -> bool:
    """Is it NAME=VALUE? A player's settings stand behind a colon.

    >>> _is_parameter("ranks=4"), _is_parameter("pimc:samples=20"), _is_parameter("random")
    (True, False, False)
    """
    return word.partition("=")[0].isidentifier() and "=" in word


@dataclass(frozen=True)
class MatchOptions:
    """How the match is played."""

    games: int = option("Games of each pairing, seats changed in turn.", default=100, minimum=1)
    seed: int = option("Decides the deals and all that is drawn.", default=0)
    jobs: int | None = jobs_option("Processes that play at the same time.")
    cluster: str | None = cluster_option()
    seconds: float | None = option(
        "Time for a move; who takes longer loses.", flags="--time", metavar="SECONDS"
    )
    record: Path | None = option(
        "Append each game to FILE.jsonl; what is there is not played again.", metavar="FILE"
    )


@dataclass(frozen=True)
class MatchRequest:
    """All that is asked of ``infoset match``."""

    game: GameAndPlayers = group()
    how: MatchOptions = group()
    output: JsonOption = group()
    limits: LimitOptions = group("Limits")


class MatchOutput:
    """The standings, and who met whom."""

    def __init__(self, result: MatchResult) -> None:
        """Of a match, or of the part that was played."""
        self.result = result

    def files(self) -> list[Writing]:
        """The record is written as games end."""
        return []

    def notes(self) -> str:
        """Faults of players."""
        return "\n".join(f"forfeited, {brief(fault)}" for fault in self.result.faults())

    def text(self) -> str:
        """A table of the standings; of more than fit the seats, also who met whom."""
        result = self.result
        head = (
            f"{printable(result.game)}: {count_text(len(result.games), 'game')} in"
            f" {result.seconds:.1f} s"
        )
        parts = [head, _standings(result).text(most=None, **terminal())]
        if len(result.entrants) > result.seats:
            parts.append(_cross_table(result).text(most=None, **terminal()))
        return "\n\n".join(parts)

    def record(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.result.game,
            "games": len(self.result.games),
            "seconds": self.result.seconds,
            "players": [
                {
                    "name": one.name,
                    "mean": one.mean,
                    "low": one.low if isfinite(one.low) else None,
                    "high": one.high if isfinite(one.high) else None,
                    "games": one.games,
                    "forfeits": one.forfeits,
                }
                for one in self.result.standings()
            ],
            "faults": self.result.faults(),
        }


def _standings(result: MatchResult) -> Table:
    columns = ("player", "mean", "95% interval", "games", "forfeits")
    rows = [
        (
            printable(one.name),
            f"{one.mean:+.4f}",
            f"{one.low:+.4f} to {one.high:+.4f}" if isfinite(one.low) else "–",
            f"{one.games:,}",
            f"{one.forfeits:,}" if one.forfeits else "",
        )
        for one in result.standings()
    ]
    return Table("standings", tuple(map(Column, columns)), rows)


def _cross_table(result: MatchResult) -> Table:
    numbers = range(len(result.entrants))
    columns = ("against", *(str(at + 1) for at in numbers))
    rows = []
    for one in numbers:
        means = [None if one == two else result.mean_against(one, two) for two in numbers]
        shown = ["" if mean is None else f"{mean:+.3f}" for mean in means]
        rows.append((f"{one + 1} {printable(result.entrants[one])}", *shown))
    return Table("a game against each", tuple(map(Column, columns)), rows)


def play_match(request: MatchRequest) -> None:
    """Let players play many games: what each gets, with an interval."""
    game, how = request.game, request.how
    if not game.players:
        known = ", ".join(ABOUT)
        raise ParameterError(f"name the players behind the game: {known}")
    latest: list[MatchResult] = []
    stopped = False
    with _watching(latest, brief(game.name)) as watch, redirect_stdout(sys.stderr):
        try:
            match(
                partial(named_game, game.alone, request.limits),
                game.players,
                games=how.games,
                seed=how.seed,
                seconds=how.seconds,
                jobs=how.jobs,
                cluster=how.cluster,
                record=how.record,
                watch=watch,
            )
        except KeyboardInterrupt:
            stopped = True
    if latest:
        deliver(MatchOutput(latest[-1]), request.output.as_json)
    if stopped:
        raise click.exceptions.Exit(STOPPED)


@contextmanager
def _watching(latest: list[MatchResult], what: str) -> Iterator[Callable[[MatchResult, int], None]]:
    """Keep the result so far, and show the first player's mean with its interval."""
    shown = [0.0]
    with counting(f"playing {what}") as show:

        def watch(result: MatchResult, games: int) -> None:
            latest[:] = [result]
            if show is not None and time.perf_counter() - shown[0] > EVERY:
                shown[0] = time.perf_counter()
                first = result.standings()[0]
                half = f" ± {first.high - first.mean:.3f}" if isfinite(first.high) else ""
                said = f"{first.name} {first.mean:+.3f}{half}"
                show(len(result.games), games, said)

        yield watch


command = Command("match", MatchRequest, play_match)
