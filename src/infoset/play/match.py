"""Matches: many games between players, arranged so that luck cancels.

A *round* has one deal: the same seed for chance, and for what is drawn from players' probabilities.
In a round everyone sits in every seat once, in turn. So a good hand helps each of the players in
one game of the round, and the mean of a round is free of much of the luck of the deal. Means of
different rounds are independent; :mod:`infoset.play.standings` makes intervals of them.

With more entrants than seats, every group that fills the seats plays each deal: a round robin, with
ratings and a table of who got what against whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import comb, inf
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from uuid import uuid4

from infoset.errors import ParameterError
from infoset.parallel import check_workers, workers
from infoset.play.isolation import IsolatedPlayer
from infoset.play.names import Entrant, Known, entrant
from infoset.play.player import Player
from infoset.play.records import MatchGame, RecordFile
from infoset.play.referee import Referee
from infoset.play.standings import PayoffTally, Rating, Standing, paid_by_entrant, rated
from infoset.text import brief

LARGEST_BATCH = 64  # games that a worker plays before it reports
MOST_GAMES = 10_000_000


class Fixture(NamedTuple):
    """A game to be played: its number, its round, and the entrants in the order of the seats."""

    number: int
    seed: str
    entrants: tuple[int, ...]


@dataclass
class MatchResult:
    """The games of a match, and what they say.

    Attributes
    ----------
    game : str
        Its name.
    entrants : tuple of str
        As they were given; games have their numbers, from 0.
    seats : int
        The number of players of the game.
    games : list of MatchGame
        In the order of their numbers, once the match is over.
    seconds : float
        How long it took.
    known : dict
        By the number of an entrant: what it plays by, where that is known beforehand.
    """

    game: str
    entrants: tuple[str, ...]
    seats: int
    games: list[MatchGame] = field(default_factory=list)
    seconds: float = 0.0
    known: dict[int, Known] = field(default_factory=dict, repr=False, compare=False)
    _tally: PayoffTally | None = field(default=None, init=False, repr=False, compare=False)
    _tallied: list[MatchGame] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def round_size(self) -> int:
        """The games of a round, in which all groups have the same deal: game k is in k // this."""
        return self.seats * comb(len(self.entrants), self.seats)

    def standings(self) -> list[Standing]:
        """Of all entrants, in their order; games since the last call are added to what it found."""
        if self._tally is None or self._tallied != self.games[: len(self._tallied)]:
            self._tally, self._tallied = PayoffTally(self.entrants, self.round_size), []
        for game in self.games[len(self._tallied) :]:
            forfeit = game.record.forfeit
            lost = None if forfeit is None else game.seats.get(forfeit.player or forfeit.seat)
            self._tally.add(game.number, paid_by_entrant(game, game.record.payoffs), lost)
            self._tallied.append(game)
        return self._tally.standings()

    def ratings(self) -> list[Rating]:
        """How strong the entrants are, by who got more in each game, in the order of the games.

        Returns
        -------
        list of Rating
            In the order of the entrants, with ``mu``, ``sigma`` and ``ordinal``.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> always_pass = lambda player, state, options: {"pass": 1}
        >>> played = match(kuhn(), [solve(kuhn()), always_pass], games=100)
        >>> exact, passive = played.ratings()
        >>> exact.ordinal > passive.ordinal
        True
        """
        return rated(self.entrants, self.games)

    def mean_against(self, one: int, two: int) -> float | None:
        """What an entrant got a game in those where another one sat; None if there were none."""
        paid = [
            paid_by_entrant(game, game.record.payoffs)[one]
            for game in self.games
            if {one, two} <= set(game.seats.values())
        ]
        return float(sum(paid) / len(paid)) if paid else None

    def faults(self) -> list[str]:
        """Why entrants have forfeited: each reason once, with how often."""
        counts: dict[str, int] = {}
        for game in self.games:
            forfeit = game.record.forfeit
            if forfeit is not None:
                lost = game.seats.get(forfeit.player or forfeit.seat)
                name = forfeit.seat if lost is None else self.entrants[lost]
                said = f"{name}: {forfeit.reason}"
                counts[said] = counts.get(said, 0) + 1
        return [
            said if count == 1 else f"{said} ({count:,} times)" for said, count in counts.items()
        ]


# ------------------------------------------------------------------------ the schedule


def fixtures(seats: int, entrants: int, games: int, seed: int) -> list[Fixture]:
    """All games of a match: whole rounds, at least ``games`` of each group that fills the seats.

    >>> [fixture.entrants for fixture in fixtures(2, 2, 4, seed=0)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """
    rounds = -(-games // seats)
    groups = list(combinations(range(entrants), seats))
    made: list[Fixture] = []
    for number in range(rounds):
        for group in groups:
            for turn in range(seats):
                order = group[turn:] + group[:turn]
                made.append(Fixture(len(made), f"{seed} {number}", order))
    return made


# ------------------------------------------------------------------------ playing


def match(
    game: Any,
    players: Sequence[Any],
    *,
    games: int = 100,
    seed: int = 0,
    seconds: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    record: str | Path | None = None,
    watch: Callable[[MatchResult, int], None] | None = None,
) -> MatchResult:
    """Play a match.

    Parameters
    ----------
    game
        Any game; or, to be made again in every process, a function without arguments that gives it.
    players
        Entrants: names such as ``"random"`` or ``"solution:kuhn.sol"``, players, classes of
        players, or strategies of any kind.
    games
        For each group of entrants that fills the seats; rounded up to whole rounds.
    seed
        Decides the deals and all that is drawn.
    seconds
        For each move; a player that takes longer loses the game.
    jobs
        Processes that play at the same time; 1 by default, or as many as the cluster has room for.
        The games are the same for any number.
    cluster
        ``"ray"``, ``"dask"`` or the address of such a cluster, on which the games are then played;
        see :func:`infoset.parallel.workers`. Games whose process dies are played again.
    record
        A file to which every game is appended as a line of JSON; games that it has are not played
        again.
    watch
        Called with the result so far and the number of all games, after every game.

    Returns
    -------
    MatchResult
        With the standings.

    Raises
    ------
    ParameterError
        If there are too few entrants, or a setting is out of range.
    FileError
        If the file is the record of another match.
    NotReached
        If no cluster answers.
    WorkerLost
        If processes die over and over in the same games.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> played = match(kuhn(), [solve(kuhn()), "random"], games=200)
    >>> played.standings()[0].mean > 0
    True
    """
    entrants = [entrant(one, at) for at, one in enumerate(players)]
    make = game if _makes_a_game(game) else partial(_same, game)
    referee = Referee(make())
    _check(referee, entrants, games, seconds)
    check_workers(jobs, cluster)
    seats = referee.seats.players
    result = MatchResult(referee.source.name, tuple(one.name for one in entrants), len(seats))
    result.known = {at: one.known for at, one in enumerate(entrants) if one.known is not None}
    wanted = fixtures(len(seats), len(entrants), games, seed)
    began = perf_counter()
    work = _Work(make, tuple(entrants), inf if seconds is None else seconds)
    described = {
        "game": result.game, "players": list(result.entrants), "seed": seed, "time": seconds,
    }  # fmt: skip
    with _record(record, described) as file:
        if file is not None:
            numbers = range(len(wanted))
            result.games = [one for one in file.games if one.number in numbers]
        done = {one.number for one in result.games}
        left = [fixture for fixture in wanted if fixture.number not in done]
        for played in _played(work, referee, left, jobs, cluster):
            result.games.append(played)
            if file is not None:
                file.add(played)
            result.seconds = perf_counter() - began
            if watch is not None:
                watch(result, len(wanted))
    result.games.sort(key=lambda one: one.number)
    result.seconds = perf_counter() - began
    return result


class _NoRecord:
    """No file is written."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


def _record(path: str | Path | None, described: Mapping[str, Any]) -> RecordFile | _NoRecord:
    return _NoRecord() if path is None else RecordFile(Path(path), described)


def _same(game: Any) -> Any:
    return game


def _makes_a_game(game: Any) -> bool:
    """Is it a function that makes the game, rather than the game?"""
    known = hasattr(game, "position") or hasattr(game, "rules") or hasattr(game, "get_type")
    return callable(game) and not known


def _check(
    referee: Referee, entrants: Sequence[Entrant], games: int, seconds: float | None
) -> None:
    seats = referee.seats.players
    if len(entrants) < len(seats):
        raise ParameterError(
            f"{brief(referee.source.name)} is a game for {len(seats)} ({', '.join(seats)});"
            f" {len(entrants)} given: name a player for each seat, or more for a round robin"
        )
    if not 1 <= games <= MOST_GAMES:
        raise ParameterError(f"games= must be from 1 to {MOST_GAMES:,}, not {games:,}")
    if seconds is not None and not 0 < seconds < inf:
        raise ParameterError(f"seconds= must be more than 0, not {seconds:g}")


@dataclass(frozen=True)
class _Work:
    """What a process needs to play games of the match."""

    make: Callable[[], Any]
    entrants: tuple[Entrant, ...]
    seconds: float
    token: str = field(default_factory=lambda: uuid4().hex)  # tells matches apart

    def play(self, referee: Referee, hired: _Hired, fixture: Fixture) -> MatchGame:
        """Play one game."""
        seats = referee.seats
        players = {
            agent: hired.player(fixture.entrants[seats.player_of[at]], agent)
            for at, agent in enumerate(seats.agents)
        }
        played = referee.play(players, seed=fixture.seed, seconds=self.seconds)
        return MatchGame(
            fixture.number, dict(zip(seats.players, fixture.entrants, strict=True)), played
        )


class _Hired:
    """The players of a process: one for each entrant and seat, made when it is first needed."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.entrants = entrants
        self.players: dict[tuple[int, str], Player] = {}

    def player(self, number: int, seat: str) -> Player:
        if (number, seat) not in self.players:
            self.players[number, seat] = self.entrants[number].make()
        return self.players[number, seat]

    def dismiss(self) -> None:
        """End what players have started."""
        for player in self.players.values():
            if isinstance(player, IsolatedPlayer):
                player.close()


def _played(
    work: _Work, referee: Referee, left: Sequence[Fixture], jobs: int | None, cluster: str | None
) -> Iterator[MatchGame]:
    """All games, as they end."""
    if cluster is None and ((jobs or 1) == 1 or len(left) < 2):
        hired = _Hired(work.entrants)
        try:
            for fixture in left:
                yield work.play(referee, hired, fixture)
        finally:
            hired.dismiss()
        return
    with workers(jobs, cluster) as those:
        size = max(1, min(len(left) // (4 * those.count), LARGEST_BATCH))
        batches = [left[at : at + size] for at in range(0, len(left), size)]
        for games in those.results(partial(_batch, work), batches, called=_numbers):
            yield from games


_AT_WORK: dict[str, tuple[Referee, _Hired]] = {}  # in a worker process: its match, by token


def _batch(work: _Work, batch: Sequence[Fixture]) -> list[MatchGame]:
    """Play some games in a worker process, which keeps its players for further ones."""
    if work.token not in _AT_WORK:
        for _, hired in _AT_WORK.values():
            hired.dismiss()
        _AT_WORK.clear()
        _AT_WORK[work.token] = Referee(work.make()), _Hired(work.entrants)
    referee, hired = _AT_WORK[work.token]
    return [work.play(referee, hired, fixture) for fixture in batch]


def _numbers(batch: Sequence[Fixture]) -> str:
    """Some games, as messages call them."""
    return f"games {batch[0].number:,} to {batch[-1].number:,}"
