"""Games on disk: one line of JSON a game, written as soon as it is over.

The first line says which match it is. A file that ends in the middle of a line, because its writer
was killed, is complete up to there; the rest is dropped, and the game is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from infoset.errors import FileError
from infoset.files import file_name, refuse_special, system_errors
from infoset.play.referee import Forfeit, GameRecord
from infoset.rules import Position
from infoset.text import brief, text

VERSION = 1


@dataclass(frozen=True)
class MatchGame:
    """A game of a match: its number, who sat where, and what was played."""

    number: int
    seats: dict[str, int]  # by player of the game: the number of the entrant
    record: GameRecord

    def line(self) -> str:
        """One line of JSON."""
        played = self.record
        facts = {
            "game": self.number,
            "seats": self.seats,
            "moves": [[seat, text(move)] for seat, move in played.moves],
            "payoffs": {player: str(paid) for player, paid in played.payoffs.items()},
            "forfeit": None if played.forfeit is None else vars(played.forfeit),
            "seconds": {seat: round(spent, 6) for seat, spent in played.seconds.items()},
        }
        return json.dumps(facts, ensure_ascii=False)

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> MatchGame:
        """The same from what a line says; moves are texts then."""
        lost = facts["forfeit"]
        forfeit = None if lost is None else Forfeit(**{key: str(lost[key]) for key in lost})
        record = GameRecord(
            tuple((seat, move) for seat, move in facts["moves"]),
            {player: Fraction(paid) for player, paid in facts["payoffs"].items()},
            forfeit,
            {seat: float(spent) for seat, spent in facts["seconds"].items()},
        )
        seats = {str(player): int(number) for player, number in facts["seats"].items()}
        return cls(int(facts["game"]), seats, record)


class RecordFile:
    """The file of a match: what it has from before, and where new games are appended."""

    def __init__(self, path: Path, match: Mapping[str, Any]) -> None:
        """Open or begin the file of a match that is described by these facts."""
        self.path = path
        self.games: list[MatchGame] = []
        name = file_name(path)
        header = {"infoset match": VERSION, **match}
        with system_errors(name, "written"):
            kept = 0
            if path.exists():
                refuse_special(name, path)
                kept = self._read(name, header)
            self._file: IO[bytes] = path.open("r+b" if kept else "wb")
            if kept:
                self._file.truncate(kept)
                self._file.seek(kept)
            else:
                self._write(json.dumps(header, ensure_ascii=False))

    def _read(self, name: str, header: Mapping[str, Any]) -> int:
        """Read what is complete; the number of its bytes."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                facts = json.loads(line)
                if number == 1:
                    _check_header(name, facts, header)
                else:
                    self.games.append(MatchGame.read(facts))
            except FileError:
                raise
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
                raise FileError(
                    f"{name}:{number}: not a line of a match's record; move the file away, or give"
                    " another"
                ) from None
        return len(whole)

    def add(self, game: MatchGame) -> None:
        """Append a game; it is on its way to the disk when this returns."""
        with system_errors(file_name(self.path), "written"):
            self._write(game.line())

    def _write(self, line: str) -> None:
        self._file.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, where: TracebackType | None
    ) -> None:
        self._file.close()


def _check_header(name: str, facts: Any, header: Mapping[str, Any]) -> None:
    if not isinstance(facts, dict) or facts.get("infoset match") != VERSION:
        raise FileError(f"{name}: not the record of a match; give another file")
    for key, value in header.items():
        if facts.get(key) != value:
            raise FileError(
                f"{name} is the record of another match: its {key} is {facts.get(key)!r:.60}, not"
                f" {value!r:.60}; give another file"
            )


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
    return list(_games(name, data[: data.rfind(b"\n") + 1].splitlines()))


def _games(name: str, lines: list[bytes]) -> Iterator[MatchGame]:
    for number, line in enumerate(lines, 1):
        try:
            facts = json.loads(line)
            if number > 1:
                yield MatchGame.read(facts)
            elif facts["infoset match"] != VERSION:
                raise ValueError
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            raise FileError(f"{name}:{number}: not a line of a match's record") from None
    if not lines:
        raise FileError(f"{name}: empty; it is not the record of a match")


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
        position = at.after(made if len(made) > 1 else made[0])
    return position


def steps(start: Position, record: GameRecord) -> Iterator[tuple[Position, tuple[Hashable, ...]]]:
    """The positions of a recorded game, each with the moves that were made there, in order.

    As of :func:`replayed`. A simultaneous move is several moves, in the order of the movers.
    """
    position, moves = start, list(record.moves)
    while moves:
        menus: list[Any] = [position.options(seat) for seat in position.movers]
        menus = menus or [[outcome for outcome, _ in position.chances()]]
        made = tuple(_found(move, menu) for (_, move), menu in zip(moves, menus, strict=False))
        del moves[: len(made)]
        yield position, made
        position = position.after(made if len(made) > 1 else made[0])


def _found(move: Any, menu: Any) -> Any:
    for option in menu:
        if option == move or text(option) == move:
            return option
    raise FileError(f"a recorded move, {brief(str(move))}, is not legal where it was made")
