"""What a command does with an answer: the options that say so, files, the terminal, JSON.

Every kind of answer goes the same way. What could not be written is refused before the work;
files are written before anything is printed, so that they are there even if nobody reads to the
end; a file that fails costs neither the others nor the answer.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from infoset.cli.files import DRAWINGS, PLOTS, TABLES, check_target, write_all
from infoset.cli.options import option
from infoset.errors import InfosetError, ParameterError, nearest

A_PAGE = 40  # rows
FEW = 20  # rows of a strategy that is shown in part
MOST_DRAWN = 200  # nodes of a drawing

Writing = tuple[str, Path | None, Callable[[Path], object]]  # what, where to, and how


class CommandOutput(Protocol):
    """What a command found, as far as printing and writing it go."""

    def files(self) -> Sequence[Writing]:
        """What can be written, where it was asked for."""

    def notes(self) -> str:
        """What else was written or is worth saying, below the answer."""

    def text(self) -> str:
        """All that is shown, for the terminal."""

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object; exact numbers as texts ``p/q``."""


def deliver(answer: CommandOutput, as_json: bool) -> None:
    """Write the files of an answer, then print it.

    Raises
    ------
    InfosetError
        The first thing that went wrong, after everything else was written and printed.
    """
    told, problem = write_all(*answer.files())
    parts = [told]
    try:
        parts.append(answer.notes())
    except InfosetError as trouble:
        problem = problem or trouble
    if as_json:
        print(json.dumps(answer.record(), allow_nan=False))
    else:
        below = "\n".join(part for part in parts if part)
        print("\n\n".join(part for part in (answer.text(), below) if part))
    if problem is not None:
        raise problem


def terminal() -> dict[str, Any]:
    """How a table should be written: as wide as the terminal, and in colour if there is one."""
    if not sys.stdout.isatty():
        return {"width": None, "colour": False}
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return {"width": shutil.get_terminal_size().columns, "colour": not plain}


def json_option() -> Any:
    """``--json``, of every command."""
    return option("Print one JSON object, for programs.", flags="--json", default=False)


def table_option(what: str) -> Any:
    """``--table FILE``, of every command with tables."""
    return option(f"Write {what} (csv, tex, html, json, txt).")


@dataclass(frozen=True)
class JsonOption:
    """Whether programs are to read what is printed."""

    as_json: bool = json_option()


def no_title_option() -> Any:
    """``--no-title``, of every command with pictures."""
    return option("Leave the title out of pictures, as for slides.", default=False)


def check_no_title(given: bool, *pictures: Path | None) -> None:
    """Refuse ``--no-title`` where no picture is asked for."""
    if given and not any(pictures):
        raise ParameterError("--no-title goes with a picture: --draw FILE or --plot FILE")


@dataclass(frozen=True)
class PictureOptions:
    """How drawings and plots look."""

    orientation: str | None = option(
        "Draw the tree down, across or auto.", metavar="WAY", unset="auto"
    )
    theme: str | None = option(
        "Colours of pictures: light, dark or auto.", metavar="NAME", unset="auto"
    )
    nodes: int | None = option(
        "Collapse parts of drawings with more nodes.", minimum=3, unset=str(MOST_DRAWN)
    )
    no_title: bool = no_title_option()

    def check(self, draw: Path | None, plot: Path | None = None) -> None:
        """Refuse values that there are not, and options without a picture."""
        for name, given, known in (
            ("--orientation", self.orientation, ("down", "across", "auto")),
            ("--theme", self.theme, ("light", "dark", "auto")),
        ):
            if given is not None and given not in known:
                raise ParameterError(f"{name} {given!r} is not known; {nearest(given, known)}")
        if self.theme is not None and draw is None and plot is None:
            raise ParameterError("--theme goes with a picture: --draw FILE or --plot FILE")
        for name, value in (("--orientation", self.orientation), ("--nodes", self.nodes)):
            if draw is None and value is not None:
                raise ParameterError(f"{name} goes with --draw FILE")

    @property
    def of_drawings(self) -> dict[str, Any]:
        """The keywords of a drawing."""
        return {
            "orientation": self.orientation or "auto",
            "theme": self.theme or "auto",
            "most": self.nodes or MOST_DRAWN,
            "title": not self.no_title,
        }

    @property
    def of_plots(self) -> dict[str, Any]:
        """The keywords of a plot."""
        return {"theme": "dark" if self.theme == "dark" else "light", "title": not self.no_title}


@dataclass(frozen=True)
class Output:
    """Which part of an answer is shown, and which files are written."""

    player: str | None = option(
        "Show all of this player's strategy.",
        metavar="NAME",
        unset="everyone's, long ones summarized",
    )
    where: tuple[str, ...] = option(
        "Only information sets with TEXT in their label, or that match it with * and ?; cards and"
        " ranges as AhKh, AKs, 66+; may be repeated.",
        default=(),
    )
    rows: int | None = option(
        "At most so many rows of each strategy.",
        minimum=1,
        unset="what fits a screen; all with --player",
    )
    page: int | None = option(
        f"This page of a long strategy, of --rows rows each or of {A_PAGE}.", minimum=1
    )
    as_json: bool = json_option()
    csv: Path | None = option("Write the strategies as CSV, which infoset ask reads.")
    table: Path | None = table_option("what is shown")
    plot: Path | None = option("Plot the probabilities of actions (png, svg, pdf).")
    draw: Path | None = option("Draw the tree with the strategies (svg, png, pdf, tex).")
    save: Path | None = option("Write the solution to a file, for --load.")

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that were asked for."""
        every = (self.save, self.csv, self.table, self.plot, self.draw)
        return tuple(file for file in every if file is not None)

    def check(self, picture: PictureOptions) -> None:
        """Refuse files that could not be written."""
        picture.check(self.draw, self.plot)
        for target, formats in (
            (self.save, ()),
            (self.csv, (".csv",)),
            (self.table, TABLES),
            (self.plot, PLOTS),
            (self.draw, DRAWINGS),
        ):
            if target is not None:
                check_target(target, formats)

    def check_player(self, players: Sequence[str]) -> None:
        """Refuse a player that there is not."""
        if self.player is not None and self.player not in players:
            hint = nearest(self.player, players)
            raise ParameterError(f"--player {self.player!r:.60}: no such player; {hint}")

    def names(self, players: Sequence[str]) -> tuple[str, ...]:
        """The players whose strategies are shown."""
        return tuple(players) if self.player is None else (self.player,)

    @property
    def page_size(self) -> int:
        """Rows of a page."""
        return self.rows or A_PAGE

    @property
    def page_rows(self) -> range | None:
        """The rows of the page that was asked for."""
        if self.page is None:
            return None
        return range((self.page - 1) * self.page_size, self.page * self.page_size)

    def pages(self, longest: int) -> int:
        """The number of pages of a strategy with so many rows."""
        return max(1, -(-longest // self.page_size))

    def check_page(self, longest: int) -> None:
        """Refuse a page that a strategy with so many rows does not have."""
        pages = self.pages(longest)
        if self.page is not None and self.page > pages:
            several = "is only one page" if pages == 1 else f"are only {pages:,} pages"
            raise ParameterError(f"--page {self.page}: there {several}")
