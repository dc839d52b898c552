"""How well players play at equal time: against the exact solution, each other, and OpenSpiel's.

    python benchmarks/play/quality.py [--games 60] [--seconds 0.03] [--jobs 2] [--only kuhn]
        [--tables solution each openspiel] [--players mo-ismcts auto]

For each game, three tables:

- against the exact solution, where the game has one: the mean a game without luck (AIVAT) and its
  interval of 95 %. Nobody can have more than 0 in expectation, the mean over both seats;
- each against each, with ratings; and, of every player that searches, how many positions it draws
  and how many decisions it makes a second without a clock, as it is set by default;
- against the IS-MCTS of OpenSpiel, with twice the time for both: written in C++ on OpenSpiel's own
  version of a game, where that can resample histories, and in Python on ours elsewhere. ``make
  bench`` installs OpenSpiel.

All have the same time for a move. Players keep what they learn from game to game, as in any match.
Games of few moves are played more often. About half an hour on two cores; with other work on them,
players are late and forfeit.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from infoset import Solution, solve
from infoset.errors import InfosetError
from infoset.games import (
    battleships,
    blind_tic_tac_toe,
    goofspiel,
    kuhn,
    leduc,
    liars_dice,
)
from infoset.play import MatchResult, Referee, Seated, Standing, aivat, entrant, match
from infoset.tree.openspiel import SpielGame

BEST = ("auto", "mccfr", "ismcts", "mo-ismcts", "sbmcts", "pimc")  # against OpenSpiel
SEARCHES = (
    "mccfr", "ismcts", "mo-ismcts", "sbmcts", "overconfident", "paranoid", "pimc", "alphamu",
)  # fmt: skip
DECISIONS = 30  # that are timed


class Contest(NamedTuple):
    """A game, how it is solved, and OpenSpiel's name of it if its C++ search can play that."""

    game: Any
    solution: Callable[[Any], Solution] | None
    native: str = ""
    times: int = 1  # as many games


CONTESTS = (
    Contest(kuhn(), solve, "kuhn_poker", times=4),
    Contest(leduc(), solve, "leduc_poker", times=4),
    Contest(liars_dice(), solve, times=2),
    Contest(goofspiel(cards=4, order="random", reveal="winner"), solve, times=3),
    Contest(blind_tic_tac_toe(width=3, height=3), None, times=2),
    Contest(battleships(width=5, height=1, ships=(2,), shots=4), solve, times=2),
    Contest(battleships(width=4, height=4, ships=(3, 2), shots=16), None),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--games", type=int, default=60, help="of each pairing; each against each a third"
    )
    parser.add_argument("--seconds", type=float, default=0.03, help="for a move")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="games with this text in their name")
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--players", nargs="+", default=[], help="instead of all that search")
    asked = parser.parse_args()
    settings = {
        "games": asked.games, "seconds": asked.seconds, "jobs": asked.jobs, "seed": asked.seed,
    }  # fmt: skip
    print(f"{asked.seconds:g} s for a move, {asked.games} games of each pairing or more\n")
    for contest in CONTESTS:
        if asked.only in repr(contest.game):
            began = time.perf_counter()
            print(f"== {contest.game!r}, {asked.games * contest.times} games", flush=True)
            more = {**settings, "games": asked.games * contest.times}
            for name in asked.tables:
                TABLES[name](contest, more, asked.players)
            print(f"({time.perf_counter() - began:.0f} s)\n", flush=True)


def against_solution(contest: Contest, settings: dict[str, Any], players: list[str]) -> None:
    """Every player against the exact solution, luck taken out."""
    if contest.solution is None:
        print("no exact solution: its tree is too large\n")
        return
    solution = contest.solution(contest.game)
    print(f"against the solution ({solution.method}, {solution.certificate})")
    for name in (*(players or SEARCHES), "random"):
        played = match(contest.game, [name, solution], **settings)
        line(first(contest.game, played, solution), played)
    print(flush=True)


def each_against_each(contest: Contest, settings: dict[str, Any], players: list[str]) -> None:
    """A round robin, with ratings and speeds."""
    fewer = {**settings, "games": max(settings["games"] // contest.times // 3, 2)}
    played = match(contest.game, [*(players or SEARCHES), "random"], **fewer)
    ratings = played.ratings()
    print(f"each against each{'':11}{'mean':>8}{'low':>9}{'high':>9}{'rating':>9}"
          f"{'decisions / s':>15}{'drawn / s':>12}")  # fmt: skip
    for one, rating in zip(played.standings(), ratings, strict=True):
        decisions, drawn = speed(contest.game, one.name)
        print(
            f"{one.name:28}{one.mean:+8.3f}{one.low:+9.3f}{one.high:+9.3f}{rating.ordinal:9.1f}"
            f"{decisions:15,.0f}{drawn or 0:12,.0f}"
        )
    report(played)
    print(flush=True)


def speed(game: Any, name: str) -> tuple[float, float]:
    """Decisions a second without a clock, and positions that are drawn for them."""
    player: Any = entrant(name).make()
    timed = Timed(player)
    other: Any = entrant("random").make()
    seats = dict(zip(game.seats.agents, (timed, other), strict=True))
    referee, seed = Referee(game), 0
    while timed.decisions < DECISIONS and timed.seconds < 5:
        referee.play(seats, seed=seed)
        seed += 1
    drawn = getattr(player, "drawn", 0)
    return timed.decisions / max(timed.seconds, 1e-9), drawn / max(timed.seconds, 1e-9)


class Timed(Seated):
    """A player with a stopwatch."""

    def __init__(self, player: Any) -> None:
        self.player, self.decisions, self.seconds = player, 0, 0.0

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        """See Player.begin."""
        self.player.begin(game, seat, clock)

    def told(self, fact: Any) -> None:
        """See Player.told."""
        self.player.told(fact)

    def took(self, option: Any) -> None:
        """See Player."""
        getattr(self.player, "took", lambda option: None)(option)

    def choose(self, options: Any) -> Any:
        """The player's choice, timed."""
        began = time.perf_counter()
        chosen = self.player.choose(options)
        self.seconds += time.perf_counter() - began
        self.decisions += len(options) > 1
        return chosen


def against_openspiel(contest: Contest, settings: dict[str, Any], players: list[str]) -> None:
    """Ours against OpenSpiel's search, at equal time; luck taken out where that is possible."""
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed; `make bench` installs it")
        return
    native, game = bool(contest.native), contest.game
    if native:
        game = SpielGame(pyspiel.load_game(contest.native))
    print(
        f"against OpenSpiel's IS-MCTS, in {'C++ on its own game' if native else 'Python on ours'}"
    )
    solution = None if contest.solution is None else contest.solution(game)
    longer = {**settings, "seconds": 2 * settings["seconds"]}
    ours: list[Any] = [*players] or [*([] if solution is None else [solution]), *BEST]
    for one in ours:
        try:
            played = match(game, [one, "openspiel:ismcts"], **longer)
        except InfosetError as error:
            print(f"{one!s:.28}{error}")
            continue
        line(first(game, played, solution), played)


def first(game: Any, played: MatchResult, solution: Solution | None) -> Standing:
    """What the first of two entrants got; without luck, where that can be said."""
    if solution is not None:
        with suppress(InfosetError):  # forfeits at simultaneous moves
            return aivat(game, played, solution).standings()[0]
    return played.standings()[0]


def line(one: Standing, played: MatchResult) -> None:
    ahead = "ahead" if one.low > 5e-4 else "behind" if one.high < -5e-4 else "level"
    print(f"{one.name:28}{one.mean:+8.3f}{one.low:+9.3f}{one.high:+9.3f}   {ahead}", flush=True)
    report(played)


def report(played: MatchResult) -> None:
    for fault in played.faults():
        print(f"    forfeited: {fault:.120}")


TABLES = {
    "solution": against_solution, "each": each_against_each, "openspiel": against_openspiel,
}  # fmt: skip


if __name__ == "__main__":
    main()
