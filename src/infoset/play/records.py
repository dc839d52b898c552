"""Games on disk: one line of JSON a game, written as soon as it is over.

The first line says which match it is. A file that ends in the middle of a line, because its writer
was killed, is complete up to there; the rest is dropped, and the game is played again.

A move is ``[seat, text]``. Where several options of the menu read alike, the place of the option
that was taken follows, from 0 on: ``["a", "1", 1]``.

Before a match continues, every line is read and every game is played through again: a line that
was damaged or edited is refused, and the file stays as it is. While a match writes, it holds a lock
on the file, which the system releases when its process ends, however that ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from infoset.errors import FileError, InfosetError
from infoset.files import file_name, refuse_special, system_errors
from infoset.play.referee import Forfeit, GameRecord
from infoset.rules import Position
from infoset.text import brief, read_number, spelled, text

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VERSION = 1
LARGEST_NUMBER = 2**53  # of a game; no match has as many
SAID = 80  # characters of what a line has that a message repeats
ADDED = ("rules", "files")  # what headers of earlier records do not have


@dataclass(frozen=True)
class PlacedMove:
    """A recorded move where several options read alike: its text, and its place in the menu."""

    text: str
    place: int

    def __str__(self) -> str:
        return self.text

    def among(self, menu: Sequence[Hashable]) -> Hashable:
        """The option that was taken; LookupError if there is none that reads so."""
        option = menu[self.place]
        if text(option) != self.text:
            raise LookupError
        return option


@dataclass(frozen=True)
class MatchGame:
    """A game of a match: its number, who sat where, and what was played."""

    number: int
    seats: dict[str, int]  # by player of the game: the number of the entrant
    record: GameRecord

    def line(self, start: Position | None = None) -> str:
        """One line of JSON; from the start of the game, also which of options that read alike."""
        played = self.record
        moves = played.moves if start is None else placed(start, played)
        facts = {
            "game": self.number,
            "seats": self.seats,
            "moves": [[seat, *_written(move)] for seat, move in moves],
            "payoffs": {player: spelled(paid) for player, paid in played.payoffs.items()},
            "forfeit": None if played.forfeit is None else vars(played.forfeit),
            "seconds": {seat: round(spent, 6) for seat, spent in played.seconds.items()},
        }
        return json.dumps(facts, ensure_ascii=False)

    @classmethod
    def read(cls, facts: Any) -> MatchGame:
        """The same from what a line says; moves are texts then, or :class:`PlacedMove`.

        Raises
        ------
        FileError
            If the line does not say what a line says.
        """
        told = _Told(facts)
        seats = told.entries("seats", _is_number)
        record = GameRecord(
            tuple(map(_move, told.listed("moves"))),
            {player: _payoff(paid) for player, paid in told.entries("payoffs", _is_text).items()},
            _forfeit(told.given("forfeit")),
            {seat: float(spent) for seat, spent in told.entries("seconds", _is_time).items()},
        )
        if record.payoffs.keys() != seats.keys() or not seats:
            raise FileError("its payoffs are not those of its seats")
        number = told.given("game")
        if not _is_number(number):
            raise FileError(f"its game is {_said(number)}, and not a whole number from 0 on")
        return cls(number, seats, record)


# ------------------------------------------------------------------------ reading a line


class _Told:
    """What a line says, each part of the kind that it has to be."""

    def __init__(self, facts: Any) -> None:
        if not isinstance(facts, dict):
            raise FileError(f"it has {_said(facts)} in place of a game")
        self.facts = facts

    def given(self, name: str) -> Any:
        if name not in self.facts:
            raise FileError(f"it has no {name!r}")
        return self.facts[name]

    def listed(self, name: str) -> list[Any]:
        found = self.given(name)
        if not isinstance(found, list):
            raise FileError(f"its {name} are {_said(found)}")
        return found

    def entries(self, name: str, kind: Callable[[Any], bool]) -> dict[str, Any]:
        found = self.given(name)
        if not isinstance(found, dict) or not all(map(kind, found.values())):
            raise FileError(f"its {name} are {_said(found)}")
        return found


def _said(value: Any) -> str:
    """What a line has, in a message."""
    try:
        return brief(json.dumps(value, ensure_ascii=False), SAID)
    except RecursionError:
        return "brackets within brackets"


def _plain(value: Any) -> str:
    """A value of a header, as Python writes it."""
    return _said(value) if isinstance(value, list | dict) else f"{value!r:.{SAID}}"


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST_NUMBER


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < LARGEST_NUMBER and isfinite(value)


def _move(given: Any) -> tuple[str | None, Hashable]:
    """A move of a line."""
    if isinstance(given, list) and 2 <= len(given) <= 3:
        seat, said, *places = given
        if (seat is None or _is_text(seat)) and _is_text(said) and all(map(_is_number, places)):
            return seat, PlacedMove(said, places[0]) if places else said
    raise FileError(f"{_said(given)} is not a move")


def _payoff(given: str) -> Fraction:
    try:
        return read_number(given)
    except (ValueError, ZeroDivisionError):
        raise FileError(f"the payoff {_said(given)} is not a number such as -1/18") from None


def _forfeit(given: Any) -> Forfeit | None:
    if given is None:
        return None
    told = isinstance(given, dict) and all(map(_is_text, given.values()))
    if told and {"seat", "reason"} <= given.keys() <= {"seat", "reason", "player"}:
        return Forfeit(**given)
    raise FileError(f"its forfeit is {_said(given)}")


def _written(move: Hashable) -> tuple[str] | tuple[str, int]:
    return (move.text, move.place) if isinstance(move, PlacedMove) else (text(move),)


def _facts(line: bytes) -> Any:
    """What a line of JSON says."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # a million brackets within one another
        raise FileError("it is not JSON, or only a part of it") from None


# ------------------------------------------------------------------------ reading a file


def _complete(data: bytes) -> list[bytes]:
    """The lines of a file but for one that was not finished."""
    return data.split(b"\n")[:-1]


def _games(
    name: str, lines: Iterable[bytes], check: Callable[[MatchGame], MatchGame]
) -> Iterator[MatchGame]:
    """The games of all lines behind the first; one that is there twice is counted once."""
    known: dict[int, tuple[int, bytes]] = {}  # by the game's number: its line
    for at, line in enumerate(lines, 2):
        try:
            game = MatchGame.read(_facts(line))
            if game.number in known:
                before, same = known[game.number]
                if same == line:
                    continue
                raise FileError(f"line {before} has game {game.number} already, and differs")
            known[game.number] = at, line
            game = check(game)
        except InfosetError as problem:
            raise FileError(
                f"{name}:{at}: not a line of this record: {problem}; remove the line, and the match"
                " plays its game again"
            ) from None
        yield game


def _check_header(name: str, line: bytes, header: Mapping[str, Any]) -> None:
    """Refuse the record of another match, or of one whose rules or players were others."""
    try:
        facts = _facts(line)
    except FileError:
        raise FileError(
            f"{name}:1: not a line of a match's record; move the file away, or give another"
        ) from None
    if not isinstance(facts, dict) or facts.get("infoset match") != VERSION:
        raise FileError(f"{name}: not the record of a match; give another file")
    for key, value in header.items():
        if facts.get(key) != value and key not in ADDED:
            raise FileError(
                f"{name} is the record of another match: its {key}"
                f" {'are' if key == 'players' else 'is'} {_plain(facts.get(key))}, not"
                f" {_plain(value)}; give another file"
            )
    before, now = facts.get("rules"), header.get("rules")
    if before and now and before != now:
        raise FileError(
            f"{name}: the rules of {brief(str(header['game']))} have changed since these games were"
            " played; give another file"
        )
    files = facts.get("files")
    for player, digest in header.get("files", {}).items():
        if isinstance(files, dict) and files.get(player, digest) != digest:
            raise FileError(
                f"{name}: the file of {brief(player)} has changed since these games were played;"
                " give another file"
            )


class RecordFile:
    """The file of a match: what it has from before, and where new games are appended."""

    def __init__(
        self,
        path: Path,
        match: Mapping[str, Any],
        check: Callable[[MatchGame], MatchGame] = lambda game: game,
    ) -> None:
        """Open or begin the file of a match that is described by these facts.

        ``check`` gets every game that the file has, and returns it with its moves as options; of
        what cannot be a game of the match it raises FileError. Nothing is written before.
        """
        self.path = path
        self.games: list[MatchGame] = []
        self.name = file_name(path)
        with system_errors(self.name, "written"):
            if path.exists():
                refuse_special(self.name, path)
            self._file: IO[bytes] = path.open("a+b")  # writes at the end, wherever it reads
            try:
                self._lock()
                self._begin({"infoset match": VERSION, **match}, check)
            except BaseException:
                self._file.close()
                raise

    def _lock(self) -> None:
        """Refuse a file that a match is writing at this time."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(
                f"{self.name}: another match writes this record at this time; wait for its end, or"
                " give another file"
            ) from None
        except OSError:
            pass  # a file system without locks

    def _begin(self, header: Mapping[str, Any], check: Callable[[MatchGame], MatchGame]) -> None:
        """Read and check what is complete, and drop the rest; or write the header."""
        self._file.seek(0)
        data = self._file.read()
        lines = _complete(data)
        first = json.dumps(header, ensure_ascii=False)
        if lines:
            _check_header(self.name, lines[0], header)
            self.games = list(_games(self.name, lines[1:], check))
            self._file.truncate(data.rfind(b"\n") + 1)
            return
        before = {key: value for key, value in header.items() if key not in ADDED}
        possible = (_encoded(first), _encoded(json.dumps(before, ensure_ascii=False)))
        if not any(line.startswith(data) for line in possible):
            raise FileError(f"{self.name}: not the record of a match; give another file")
        self._file.truncate(0)
        self._write(first)

    def add(self, line: str) -> None:
        """Append the line of a game; it is on its way to the disk when this returns."""
        with system_errors(self.name, "written"):
            self._write(line)

    def _write(self, line: str) -> None:
        self._file.write(_encoded(line))
        self._file.flush()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, where: TracebackType | None
    ) -> None:
        self._file.close()


def _encoded(line: str) -> bytes:
    return line.encode("utf-8", "surrogatepass") + b"\n"


def read_records(path: str | os.PathLike[str]) -> list[MatchGame]:
    """The games of a record file.

    Parameters
    ----------
    path
        A file that a match has written.

    Returns
    -------
    list of MatchGame
        In the order in which they ended.

    Raises
    ------
    FileError
        If it cannot be read, or is no record of a match.
    """
    name = file_name(path)
    with system_errors(name, "read"):
        refuse_special(name, path)
        data = Path(path).read_bytes()
    lines = _complete(data)
    if not lines:
        raise FileError(f"{name}: it has no complete line, and is not the record of a match")
    _check_header(name, lines[0], {})
    return list(_games(name, lines[1:], lambda game: game))


# ------------------------------------------------------------------------ playing it again


def replayed(start: Position, record: GameRecord) -> Position:
    """The position at which a recorded game ended, found again move by move.

    Parameters
    ----------
    start
        The start of the game.
    record
        Its moves may be texts, as a file has them.

    Returns
    -------
    Position
        After the last move.

    Raises
    ------
    FileError
        If a move is not legal where it was made.
    """
    position = start
    for at, made in steps(start, record):
        position = _after(at, made)
    return position


def steps(start: Position, record: GameRecord) -> Iterator[tuple[Position, tuple[Hashable, ...]]]:
    """The positions of a recorded game, each with the moves that were made there, in order.

    As of :func:`replayed`. A simultaneous move is several moves, in the order of the movers.
    """
    for position, _, made in _turns(start, record.moves):
        yield position, made


Menu = Sequence[Hashable]


def _turns(
    position: Position, moves: Sequence[tuple[str | None, Hashable]]
) -> Iterator[tuple[Position, list[Menu], tuple[Hashable, ...]]]:
    """The positions of a recorded game, with the menus there and the options that were taken."""
    at = 0
    while at < len(moves):
        if position.over:
            raise FileError(f"a move, {_shown(moves[at][1])}, comes after the end of the game")
        movers: Sequence[str | None] = position.movers or (None,)
        turn = moves[at : at + len(movers)]
        if [seat for seat, _ in turn] != list(movers):
            raise FileError(
                f"a move, {_shown(turn[0][1])}, is that of {turn[0][0] or 'chance'}, where"
                f" {' and '.join(seat or 'chance' for seat in movers)} moved"
            )
        menus = [_menu(position, seat) for seat in movers]
        made = tuple(_found(move, menu) for (_, move), menu in zip(turn, menus, strict=True))
        yield position, menus, made
        position = _after(position, made)
        at += len(turn)


def _menu(position: Position, seat: str | None) -> Menu:
    if seat is None:
        return tuple(outcome for outcome, _ in position.chances())
    return tuple(position.options(seat))


def _after(position: Position, made: tuple[Hashable, ...]) -> Position:
    return position.after(made if len(made) > 1 else made[0])


def _found(move: Any, menu: Menu) -> Hashable:
    """The option that a recorded move is: at its place, itself, or as it reads."""
    if isinstance(move, PlacedMove):
        try:
            return move.among(menu)
        except LookupError:
            pass
    else:
        if move in menu:
            return menu[menu.index(move)]
        for option in menu:
            if text(option) == move:
                return option
    raise FileError(f"a recorded move, {_shown(move)}, is not legal where it was made")


def _shown(move: Any) -> str:
    return brief(text(move), SAID)


def placed(start: Position, record: GameRecord) -> tuple[tuple[str | None, Hashable], ...]:
    """The moves of a game as they are recorded: with a place where options read alike."""
    taken = [
        _told_apart(option, menu)
        for _, menus, made in _turns(start, record.moves)
        for option, menu in zip(made, menus, strict=True)
    ]
    return tuple((seat, move) for (seat, _), move in zip(record.moves, taken, strict=True))


def _told_apart(option: Hashable, menu: Menu) -> Hashable:
    if all(type(one) is str for one in menu):
        return option
    said = text(option)
    if sum(text(one) == said for one in menu) < 2:
        return option
    return PlacedMove(said, menu.index(option))
