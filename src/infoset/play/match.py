"""Matches: many games between players, arranged so that luck cancels.

A *round* has one deal: the same seed for chance, and for what is drawn from players' probabilities.
In a round everyone sits in every seat once, in turn. So a good hand helps each of the players in
one game of the round, and the mean of a round is free of much of the luck of the deal. Means of
different rounds are independent; :mod:`infoset.play.standings` makes intervals of them.

With more entrants than seats, every group that fills the seats plays each deal: a round robin, with
ratings and a table of who got what against whom.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import file_digest
from itertools import combinations
from math import comb, inf
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from uuid import uuid4

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.files import file_name, system_errors
from infoset.parallel import check_workers, workers
from infoset.play.isolation import IsolatedPlayer
from infoset.play.names import Entrant, Known, entrant
from infoset.play.player import Player
from infoset.play.records import MatchGame, RecordFile, steps
from infoset.play.referee import GameRecord, Referee
from infoset.play.standings import PayoffTally, Rating, Standing, paid_by_entrant, rated
from infoset.solvers.sampling import places
from infoset.text import brief, spelled

LARGEST_BATCH = 64  # games that a worker plays before it reports
MOST_GAMES = 10_000_000
DIGITS = 16  # of the digest of a player's file
REMEMBERED = 10_000  # plays of a record that need not be run again when they come again


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
    groups = list(combinations(range(entrants), seats))
    return [_fixture(number, groups, seed) for number in range(_count(games, groups))]


def _count(games: int, groups: Sequence[tuple[int, ...]]) -> int:
    """The number of all games, in whole rounds."""
    seats = len(groups[0])
    return -(-games // seats) * seats * len(groups)


def _fixture(number: int, groups: Sequence[tuple[int, ...]], seed: int) -> Fixture:
    """The game of this number: in every round, each group in each order of seats."""
    seats = len(groups[0])
    of_round, at = divmod(number, seats * len(groups))
    group, turn = groups[at // seats], at % seats
    return Fixture(number, f"{seed} {of_round}", group[turn:] + group[:turn])


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
        A file to which every game is appended as a line of JSON. Games that it has are not played
        again, and belong to the result, also if they are more than were asked for.
    watch
        Called with the result so far and the number of all games: after every game, and before the
        first if the record has some.

    Returns
    -------
    MatchResult
        With the standings.

    Raises
    ------
    ParameterError
        If there are too few entrants, or a setting is out of range.
    FileError
        If the file is the record of another match, of other rules or of a player that has changed
        since; if a line of it is no game of this match; if another match is writing it.
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
    work = _Work(
        make, tuple(entrants), inf if seconds is None else seconds, recorded=record is not None
    )
    with _record(record, referee, result, players, seed, seconds) as file:
        if file is not None:
            result.games = file.games
        done = {one.number for one in result.games}
        left = [fixture for fixture in wanted if fixture.number not in done]
        whole = len(done) + len(left)
        if done and watch is not None:
            watch(result, whole)
        for played, line in _played(work, referee, left, jobs, cluster):
            if file is not None:
                file.add(line)
            result.games.append(played)
            result.seconds = perf_counter() - began
            if watch is not None:
                watch(result, whole)
    result.games.sort(key=lambda one: one.number)
    result.seconds = perf_counter() - began
    return result


# ------------------------------------------------------------------------ the record


class _NoRecord:
    """No file is written."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


def _record(
    path: str | Path | None,
    referee: Referee,
    result: MatchResult,
    players: Sequence[Any],
    seed: int,
    seconds: float | None,
) -> RecordFile | _NoRecord:
    if path is None:
        return _NoRecord()
    files = {one: _file_of(one) for one in players if isinstance(one, str)}
    described = {
        "game": result.game,
        "players": list(result.entrants),
        "seed": seed,
        "time": seconds,
        "rules": places.source(referee.game).rules()[:DIGITS],
        "files": {one: _digest(file) for one, file in files.items() if file is not None},
    }
    groups = list(combinations(range(len(result.entrants)), result.seats))
    return RecordFile(Path(path), described, _Recorded(referee, groups, seed).checked)


def _file_of(player: str) -> str | None:
    """The file that a player's name names.

    >>> _file_of("mine.py:Bold"), _file_of("solution:kuhn.sol"), _file_of("random")
    ('mine.py', 'kuhn.sol', None)
    """
    kind, _, given = player.partition(":")
    if kind.endswith(".py"):
        return kind
    return given.partition(",")[0] if kind in ("solution", "strategy", "responding") else None


def _digest(path: str) -> str:
    name = file_name(path)
    with system_errors(name, "read"), open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()[:DIGITS]


Moves = tuple[tuple[str | None, Hashable], ...]


class _Recorded:
    """Checks the games of a record: are they of this match, and do they end as they say?"""

    def __init__(self, referee: Referee, groups: Sequence[tuple[int, ...]], seed: int) -> None:
        self.referee = referee
        self.groups = groups
        self.seed = seed
        self.most = _count(MOST_GAMES, groups)
        self.played_again = lru_cache(REMEMBERED)(self._played_again)

    def checked(self, game: MatchGame) -> MatchGame:
        """The game with its moves as options; else FileError."""
        seats, record = self.referee.seats, game.record
        if game.number >= self.most:
            raise FileError(f"no match has a game {game.number:,}")
        sits = _fixture(game.number, self.groups, self.seed).entrants
        if game.seats != dict(zip(seats.players, sits, strict=True)):
            raise FileError(f"in game {game.number}, the seats are those of other players")
        if not record.seconds.keys() <= set(seats.agents):
            raise FileError(f"it has times of others than {', '.join(seats.agents)}")
        moves, payoffs = self.played_again(record.moves)
        if record.forfeit is not None:
            payoffs = self._forfeited(record)
        if payoffs is None:
            raise FileError("its game is not over after the last move")
        if payoffs != record.payoffs:
            said, true = (
                ", ".join(map(spelled, one.values())) for one in (record.payoffs, payoffs)
            )
            raise FileError(f"it pays {brief(said, 80)}, where the rules pay {brief(true, 80)}")
        return replace(game, record=replace(record, moves=moves))

    def _played_again(self, moves: Moves) -> tuple[Moves, dict[str, Fraction] | None]:
        """Moves as options, and what they lead to; None if the game is not over."""
        end, options = self.referee.source.start, list[Hashable]()
        for position, made in steps(end, GameRecord(moves, {})):
            options += made
            end = position.after(made if len(made) > 1 else made[0])
        found = tuple((seat, option) for (seat, _), option in zip(moves, options, strict=True))
        if not end.over:
            return found, None
        return found, {player: Fraction(paid) for player, paid in end.payoffs.items()}

    def _forfeited(self, record: GameRecord) -> dict[str, Fraction]:
        """What a game pays that a seat has forfeited."""
        forfeit, seats = record.forfeit, self.referee.seats
        assert forfeit is not None
        if forfeit.seat not in seats.agents:
            raise FileError(f"there is no seat {brief(forfeit.seat, 80)} that could forfeit")
        if (forfeit.player or forfeit.seat) != self.referee.player_of(forfeit.seat):
            raise FileError(f"{forfeit.seat} is no seat of {brief(forfeit.player, 80)}")
        return self.referee.forfeited(forfeit.seat)


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
    for one in entrants:
        one.check(referee.game)


@dataclass(frozen=True)
class _Work:
    """What a process needs to play games of the match."""

    make: Callable[[], Any]
    entrants: tuple[Entrant, ...]
    seconds: float
    recorded: bool = False
    token: str = field(default_factory=lambda: uuid4().hex)  # tells matches apart

    def play(self, referee: Referee, hired: _Hired, fixture: Fixture) -> tuple[MatchGame, str]:
        """Play one game; it, and its line if it is recorded."""
        seats = referee.seats
        players = {
            agent: hired.player(fixture.entrants[seats.player_of[at]], agent)
            for at, agent in enumerate(seats.agents)
        }
        played = referee.play(players, seed=fixture.seed, seconds=self.seconds)
        sits = dict(zip(seats.players, fixture.entrants, strict=True))
        game = MatchGame(fixture.number, sits, played)
        return game, game.line(referee.source.start) if self.recorded else ""


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
) -> Iterator[tuple[MatchGame, str]]:
    """All games with their lines, as they end."""
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
        for games, problem in those.results(partial(_batch, work), batches, called=_numbers):
            yield from games
            if problem is not None:
                raise problem


_AT_WORK: dict[str, tuple[Referee, _Hired]] = {}  # in a worker process: its match, by token


def _batch(
    work: _Work, batch: Sequence[Fixture]
) -> tuple[list[tuple[MatchGame, str]], InfosetError | None]:
    """Play some games in a worker process, which keeps its players for further ones.

    If the rules fail in one of them, those before it count.
    """
    if work.token not in _AT_WORK:
        for _, hired in _AT_WORK.values():
            hired.dismiss()
        _AT_WORK.clear()
        _AT_WORK[work.token] = Referee(work.make()), _Hired(work.entrants)
    referee, hired = _AT_WORK[work.token]
    games: list[tuple[MatchGame, str]] = []
    for fixture in batch:
        try:
            played = work.play(referee, hired, fixture)
        except InfosetError as problem:
            return games, problem
        games.append(played)
    return games, None


def _numbers(batch: Sequence[Fixture]) -> str:
    """Some games, as messages call them."""
    return f"games {batch[0].number:,} to {batch[-1].number:,}"
