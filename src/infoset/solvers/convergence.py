"""The convergence of a run: the regret after so many seconds and iterations.

A point has the regret of the strategies that the run would have returned then, the largest of a
player; and, where they were computed, each player's own, and how far the average joint play is from
a coarse correlated equilibrium: what a player would gain by committing to one plan beforehand,
which may be negative.

A convergence is written as CSV, floats with all their digits, so that reading restores it exactly;
and as a record for JSON, which goes into checkpoints.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.files import read_text, write_lines
from infoset.text import brief, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST = ("seconds", "iterations", "regret")  # columns that every file has
REGRET, COARSE = "regret ", "coarse "  # a player's name follows
TELL = 0.1  # seconds between two reports of progress


@dataclass(frozen=True)
class Point:
    """What was measured of a run at one moment; numbers of any kind become plain ones.

    >>> Point(0.5, 100, 0.01).regret
    0.01
    >>> Point(0.5, 100, float("nan"))
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: regret=nan: a point needs a finite number
    """

    seconds: float
    iterations: int
    regret: float
    regrets: tuple[float, ...] = ()  # by player; empty where not computed
    coarse: tuple[float, ...] = ()  # by player: what a commitment would gain; empty likewise

    def __post_init__(self) -> None:
        whole = isinstance(self.iterations, Integral) and not isinstance(self.iterations, bool)
        if not whole or self.iterations < 0:
            raise ParameterError(f"iterations={self.iterations!r:.60}: it must be a count")
        seconds = _finite("seconds", self.seconds)
        if seconds < 0:
            raise ParameterError(f"seconds={self.seconds!r:.60}: it must be 0 or more")
        plain = {
            "seconds": seconds,
            "iterations": int(self.iterations),
            "regret": _finite("regret", self.regret),
            "regrets": tuple(_finite("regrets", amount) for amount in self.regrets),
            "coarse": tuple(_finite("coarse", amount) for amount in self.coarse),
        }
        for name, value in plain.items():
            object.__setattr__(self, name, value)


def _finite(name: str, given: Any) -> float:
    try:
        number = float(given) if isinstance(given, Real) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ParameterError(f"{name}={given!r:.60}: a point needs a finite number")
    return number


@dataclass(frozen=True, repr=False)
class Convergence:
    """The points of a run, in order: as a table, a plot, a file.

    >>> points = (Point(0.1, 10, 0.5), Point(0.2, 100, 0.05))
    >>> convergence = Convergence("CFR+", ("one", "two"), points)
    >>> convergence
    <Convergence of CFR+: 2 points, 100 iterations in 0.2 s, regret 0.05>
    >>> convergence.at_regret(0.1).iterations
    100
    >>> print(convergence.csv(), end="")
    seconds,iterations,regret,regret one,regret two,coarse one,coarse two
    0.1,10,0.5,,,,
    0.2,100,0.05,,,,
    """

    name: str  # what a plot calls it: the method
    players: tuple[str, ...]
    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "points", tuple(self.points))
        if not all(isinstance(words, str) for words in (self.name, *self.players)):
            raise ParameterError("the names of a convergence and of its players must be texts")
        for number, point in enumerate(self.points, 1):
            for name, amounts in (("regrets", point.regrets), ("coarse", point.coarse)):
                if len(amounts) not in (0, len(self.players)):
                    raise ParameterError(
                        f"point {number}: {len(amounts)} {name} of {len(self.players)} players"
                    )
            if number > 1:
                _refuse_step_back(number, self.points[number - 2], point)

    @property
    def last(self) -> Point | None:
        """The last point; None where there is none yet."""
        return self.points[-1] if self.points else None

    def at_regret(self, regret: float) -> Point | None:
        """The first point with at most this regret; None if there is none."""
        return next((point for point in self.points if point.regret <= regret), None)

    def csv(self) -> str:
        """All points as comma-separated values, below a line with the names of the columns.

        A player's name is what it is, also where it has commas or line breaks; only zeros and
        halves of surrogate pairs, which no text file holds, are spelled out.
        """
        return "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        names = [_encodable(player) for player in self.players]
        head = [*FIRST, *(REGRET + name for name in names), *(COARSE + name for name in names)]
        yield _line(head)
        nothing = ("",) * len(names)
        for point in self.points:
            cells = [repr(point.seconds), str(point.iterations), repr(point.regret)]
            cells += map(repr, point.regrets) if point.regrets else nothing
            cells += map(repr, point.coarse) if point.coarse else nothing
            yield _line(cells)

    def save(self, path: str | Path) -> None:
        """Write the points to a CSV file, which is complete or as it was before."""
        write_lines(path, self._lines())

    @classmethod
    def read(cls, path: str | Path, name: str | None = None) -> Convergence:
        """Read a CSV file; by default it is named like the file."""
        words = Path(path).stem if name is None else name
        return _parsed(read_text(path), words, printable(os.fspath(path)))

    @classmethod
    def parse(cls, text: str, name: str = "convergence") -> Convergence:
        """Read the text of :meth:`csv`."""
        return _parsed(text, name, brief(name, 60))

    @property
    def record(self) -> dict[str, Any]:
        """The points for JSON; :meth:`from_record` reads them again."""
        points = [
            [point.seconds, point.iterations, point.regret, [*point.regrets], [*point.coarse]]
            for point in self.points
        ]
        return {"name": self.name, "players": list(self.players), "points": points}

    @classmethod
    def from_record(cls, record: Any) -> Convergence:
        """The convergence of which :attr:`record` was made."""
        try:
            players, points = record["players"], record["points"]
            if not isinstance(players, list):
                raise TypeError
            return cls(record["name"], tuple(players), tuple(Point(*given) for given in points))
        except (LookupError, TypeError, ValueError) as problem:
            said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
            raise FileError(f"this is no record of a convergence: {said}") from None

    def __repr__(self) -> str:
        last = self.last
        told = "no points yet"
        if last is not None:
            count = f"{len(self.points):,} point{'s' * (len(self.points) > 1)}"
            told = f"{count}, {last.iterations:,} iterations in {last.seconds:.3g} s"
            told += f", regret {last.regret:.3g}"
        return f"<Convergence of {brief(self.name)}: {told}>"

    def __str__(self) -> str:
        from infoset.display.show import convergence_text

        return convergence_text(self)

    def plot(self, file: str | Path | None = None, **options: Any) -> Figure:
        """Regret against time; written to a file if one is named (png, svg, pdf).

        The average joint play has a line of its own where it is known. Options: ``against``
        ("seconds", "iterations"), ``title``, ``theme`` ("light", "dark").
        Several runs in one figure: :func:`infoset.display.plots.convergence.plot_convergence`.
        """
        from infoset.display.show import plot_convergence

        joint = self.joint_play
        return plot_convergence([self] if joint is None else [self, joint], file, **options)

    @property
    def joint_play(self) -> Convergence | None:
        """How far joint play was from a coarse correlated equilibrium; None if not measured.

        >>> known = Point(0.1, 10, 0.5, (0.5, 0.1), (-0.1, 0.2))
        >>> Convergence("CFR", ("one", "two"), (known,)).joint_play
        <Convergence of CFR, joint play: 1 point, 10 iterations in 0.1 s, regret 0.2>
        """
        points = tuple(
            Point(point.seconds, point.iterations, max(0.0, *point.coarse))
            for point in self.points
            if point.coarse
        )
        return Convergence(f"{self.name}, joint play", (), points) if points else None

    def _repr_svg_(self) -> str | None:
        from infoset.display.show import convergence_svg

        return convergence_svg(self)


@dataclass(frozen=True)
class Progress:
    """How far a run has come: what ``watch`` is called with, regularly and at the end."""

    iterations: int
    seconds: float
    points: tuple[Point, ...]  # what was measured so far
    part: float | None  # how much of it is done, from 0 to 1; None where that is not known
    goal: float | None  # the regret at which it stops

    def __str__(self) -> str:
        known = f", regret {self.points[-1].regret:.2g}" if self.points else ""
        several = "s" * (self.iterations != 1)
        return f"{self.iterations:,} iteration{several}{known} after {self.seconds:.1f} s"


def _refuse_step_back(number: int, before: Point, point: Point) -> None:
    if point.iterations <= before.iterations:
        raise ParameterError(
            f"point {number}: iterations={point.iterations} after {before.iterations}; they must"
            " increase"
        )
    if point.seconds < before.seconds:
        raise ParameterError(
            f"point {number}: seconds={point.seconds} after {before.seconds}; it must not decrease"
        )


# ---------------------------------------------------------------------- CSV


def _encodable(words: str) -> str:
    return words.replace("\0", r"\x00").encode(errors="backslashreplace").decode()


def _line(cells: list[str]) -> str:
    written = io.StringIO()
    # With both signs as its line end, the writer puts quotation marks round cells with either.
    csv.writer(written, lineterminator="\r\n").writerow(cells)
    return written.getvalue()[:-2] + "\n"


def _parsed(text: str, name: str, place: str) -> Convergence:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    players: tuple[str, ...] | None = None
    points: list[Point] = []
    try:
        for cells in reader:
            if players is None:
                players = _players(cells)
            elif cells:
                points.append(_point(cells, len(players)))
                if len(points) > 1:
                    _refuse_step_back(len(points), *points[-2:])
        if players is None:
            raise FileError(f"no log of a run; its first line begins with {','.join(FIRST)}")
    except (ValueError, csv.Error) as problem:
        said = problem if isinstance(problem, InfosetError) else "this is no line of a log"
        raise FileError(f"{place}:{max(reader.line_num, 1)}: {said}") from None
    return Convergence(name, players, tuple(points))


def _players(head: list[str]) -> tuple[str, ...]:
    """The names in the first line, if it is that of a log."""
    count = (len(head) - len(FIRST)) // 2
    names = tuple(cell.removeprefix(REGRET) for cell in head[len(FIRST) : len(FIRST) + count])
    if head != [*FIRST, *(REGRET + name for name in names), *(COARSE + name for name in names)]:
        raise FileError(f"no log of a run; its first line begins with {','.join(FIRST)}")
    return names


def _point(cells: list[str], players: int) -> Point:
    if len(cells) != len(FIRST) + 2 * players:
        raise FileError(f"{len(cells)} cells, and there are {len(FIRST) + 2 * players} columns")
    own, coarse = cells[3 : 3 + players], cells[3 + players :]
    return Point(float(cells[0]), int(cells[1]), float(cells[2]), _amounts(own), _amounts(coarse))


def _amounts(cells: list[str]) -> tuple[float, ...]:
    return tuple(map(float, cells)) if any(cells) else ()
