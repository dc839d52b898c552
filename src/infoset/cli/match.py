"""``infoset match``: many games between players, with intervals.

What has an equals sign before any colon is a parameter of the game, all else is a player:
``infoset match kuhn ranks=4 random solution:kuhn.sol``.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import click

from infoset.analysis.table import Column, Table
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game, named_tree
from infoset.cli.options import Command, argument, cluster_option, group, jobs_option, option
from infoset.cli.output import JsonOption, Writing, deliver, terminal
from infoset.cli.progress import counting
from infoset.errors import InfosetError, ParameterError
from infoset.play.aivat import AivatResult, aivat
from infoset.play.match import MatchResult, match
from infoset.play.names import ABOUT, saved_solution
from infoset.play.standings import Standing
from infoset.solvers.solution import Solution
from infoset.text import brief, count_text, printable

STOPPED = 130
EVERY = 0.2  # seconds between two looks at the standings
HURRIED = 3.0  # seconds after an interrupt in which further ones are the same one


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
    aivat: Path | None = option(
        "Take the luck out of the means, by a saved solution of the game.", metavar="FILE"
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

    def __init__(
        self, result: MatchResult, earned: AivatResult | None, valued: bool, asked: int
    ) -> None:
        """Of a match, or of the part that was played; without luck, if that was asked for."""
        self.asked = -(-asked // result.seats) * result.round_size
        self.result = result
        self.earned = earned
        self.valued = valued

    def files(self) -> list[Writing]:
        """The record is written as games end."""
        return []

    def notes(self) -> str:
        """Whose strategies were known, and faults of players."""
        said = [f"forfeited, {brief(fault)}" for fault in self.result.faults()]
        if len(self.result.games) > self.asked:
            said.append(
                f"the record has more than the {count_text(self.asked, 'game')} asked for, and all"
                " of them count"
            )
        if self.earned is not None:
            known = ", ".join(map(printable, self.earned.known))
            whose = f"chance and of the moves of {known}" if known else "chance"
            said.insert(0, f"AIVAT: the luck of {whose} is taken out")
        return "\n".join(said)

    def text(self) -> str:
        """A table of the standings; of more than fit the seats, also who met whom."""
        result = self.result
        head = (
            f"{printable(result.game)}: {count_text(len(result.games), 'game')} in"
            f" {result.seconds:.1f} s"
        )
        parts = [head, _standings(result, self.earned).text(most=None, **terminal())]
        if _round_robin(result):
            parts.append(_cross_table(result).text(most=None, **terminal()))
        return "\n\n".join(parts)

    def record(self) -> dict[str, Any]:
        """For programs."""
        result, earned = self.result, self.earned
        players: list[dict[str, Any]] = [
            {
                "name": one.name,
                **_bounds(one),
                "games": one.games,
                "forfeits": one.forfeits,
                "rating": {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.ordinal},
            }
            for one, rating in zip(result.standings(), result.ratings(), strict=True)
        ]
        if self.valued:
            found = [None] * len(players) if earned is None else map(_bounds, earned.standings())
            for player, bounds in zip(players, found, strict=True):
                player["aivat"] = bounds
        return {
            "game": result.game,
            "games": len(result.games),
            "seconds": result.seconds,
            "players": players,
            "faults": result.faults(),
        }


def _round_robin(result: MatchResult) -> bool:
    return len(result.entrants) > result.seats


def _bounds(one: Standing) -> dict[str, float | None]:
    finite = isfinite(one.low)
    return {
        "mean": one.mean,
        "low": one.low if finite else None,
        "high": one.high if finite else None,
    }


def _standings(result: MatchResult, earned: AivatResult | None) -> Table:
    found = result.standings()
    columns = {
        "player": [printable(one.name) for one in found],
        "mean": [f"{one.mean:+.4f}" for one in found],
        "95% interval": [_interval(one) for one in found],
    }
    if earned is not None:
        without = earned.standings()
        columns["AIVAT mean"] = [f"{one.mean:+.4f}" for one in without]
        columns["AIVAT interval"] = [_interval(one) for one in without]
    if _round_robin(result):
        ratings = result.ratings()
        columns["rating"] = [f"{one.mu:.2f} ± {one.sigma:.2f}" for one in ratings]
    columns["games"] = [f"{one.games:,}" for one in found]
    columns["forfeits"] = [f"{one.forfeits:,}" if one.forfeits else "" for one in found]
    rows = list(zip(*columns.values(), strict=True))
    return Table("standings", tuple(map(Column, columns)), rows)


def _interval(one: Standing) -> str:
    return f"{one.low:+.4f} to {one.high:+.4f}" if isfinite(one.low) else "–"


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
    solution = None if how.aivat is None else _solution(request, how.aivat)
    latest: list[MatchResult] = []
    with _patient():
        problem = _played(request, latest)
        if latest:
            try:
                unfit = _deliver(request, latest[-1], solution)
            except InfosetError as error:
                unfit = error
            problem = problem or unfit
    if isinstance(problem, KeyboardInterrupt):
        raise click.exceptions.Exit(STOPPED)
    if problem is not None:
        raise problem


def _played(request: MatchRequest, latest: list[MatchResult]) -> BaseException | None:
    """Play the match, and keep the result so far; what has ended it before its end."""
    game, how = request.game, request.how
    with _watching(latest, brief(game.name)) as watch, redirect_stdout(sys.stderr):
        try:
            latest[:] = [
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
            ]
        except (Exception, KeyboardInterrupt) as error:
            return error
    return None


@contextmanager
def _patient() -> Iterator[None]:
    """Take a Ctrl-C that soon follows another for the same one.

    So that processes are ended, and standings shown, between the first and those of a hurried hand.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    first = [-inf]

    def interrupt(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - first[0] > HURRIED:
            first[0] = time.monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _solution(request: MatchRequest, path: Path) -> Solution:
    """A saved solution of the game, on its tree."""
    alone, limits = request.game.alone, request.limits
    game = named_game(alone, limits)
    return saved_solution(path, game, named_tree(alone, limits))


def _deliver(
    request: MatchRequest, result: MatchResult, solution: Solution | None
) -> InfosetError | None:
    """Print what was found; why luck cannot be taken out, if that was asked for."""
    earned, problem = None, None
    result.standings()  # refuses payoffs that have no means
    if solution is not None:
        try:
            game = named_game(request.game.alone, request.limits)
            earned = aivat(game, result, solution)
        except InfosetError as error:
            problem = error
    output = MatchOutput(result, earned, valued=solution is not None, asked=request.how.games)
    deliver(output, request.output.as_json)
    return problem


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
