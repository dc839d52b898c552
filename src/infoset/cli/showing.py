"""What commands share when they show something: the terminal's width, pages, files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.errors import FileError, ParameterError, nearest

if TYPE_CHECKING:
    from infoset.examine.tables import Sheet
    from infoset.solve import Solution

PLOTS = (".png", ".svg", ".pdf")
DRAWINGS = (".svg", ".png", ".pdf", ".tex")
TABLES = (".csv", ".tex", ".html", ".json", ".txt")
A_PAGE = 40  # rows
MOST_DRAWN = 200  # nodes of a picture

Orientation = Annotated[
    str,
    typer.Option(
        "--orientation", metavar="WAY", help="Which way a picture grows: down, across or auto."
    ),
]
Theme = Annotated[
    str,
    typer.Option("--theme", metavar="NAME", help="The paper of pictures: light, dark or auto."),
]
Most = Annotated[
    int,
    typer.Option("--nodes", metavar="N", min=1, help="Fold a picture of more nodes than these."),
]
FEW = 20  # rows of a folded strategy


def terminal() -> dict[str, Any]:
    """How a table should be written: as wide as the terminal, and in colour if there is one."""
    if not sys.stdout.isatty():
        return {"width": None, "colour": False}
    return {"width": shutil.get_terminal_size().columns, "colour": not os.environ.get("NO_COLOR")}


def check_target(path: Path, formats: Sequence[str] = ()) -> None:
    """Refuse a file that could not be written, before there is anything to write."""
    if formats and path.suffix.lower() not in formats:
        *most, last = formats
        raise FileError(f"{path}: the name must end in {', '.join(most)} or {last}")
    if path.is_dir():
        raise FileError(f"{path}: this is a folder; name a file")
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}")


def check_look(orientation: str, theme: str) -> None:
    """Refuse a way to grow or a paper that there is not, before there is anything to draw."""
    for option, given, known in (
        ("--orientation", orientation, ("down", "across", "auto")),
        ("--theme", theme, ("light", "dark", "auto")),
    ):
        if given not in known:
            raise ParameterError(f"{option} {given!r} is not known; {nearest(given, known)}")


@dataclass(frozen=True)
class Shown:
    """Which part of a solution is asked for."""

    player: str | None
    where: tuple[str, ...]
    rows: int | None
    page: int | None

    def names(self, solution: Solution) -> tuple[str, ...]:
        """The players whose strategies are shown."""
        return solution.tree.names if self.player is None else (self.player,)

    @property
    def _range(self) -> range | None:
        if self.page is None:
            return None
        size = self.rows or A_PAGE
        return range((self.page - 1) * size, self.page * size)

    def _found(self, solution: Solution) -> dict[str, Sheet]:
        """By player: what is shown; players in whose labels nothing fits are left out."""
        from infoset.examine.report import solution_sheet

        fold = None if self.player is None and self.page is None else False
        found: dict[str, Sheet] = {}
        problem: ParameterError | None = None
        for name in self.names(solution):
            try:
                found[name] = solution_sheet(
                    solution, name, where=self.where, fold=fold, rows=self._range
                )
            except ParameterError as error:
                problem = error
        if problem is not None and not found:
            raise problem
        if self.page is not None and not any(len(sheet) for sheet in found.values()):
            raise ParameterError(
                f"--page {self.page}: there are only {self._pages(solution)} pages"
            )
        return found

    def _pages(self, solution: Solution) -> int:
        """The number of pages of the longest strategy that is shown."""
        from infoset.examine.strategies import rows_of

        longest = 1
        for name in self.names(solution):
            with suppress(ParameterError):
                longest = max(longest, rows_of(solution.strategy[name], self.where))
        return -(-longest // (self.rows or A_PAGE))

    def check(self, solution: Solution) -> None:
        """Refuse what finds nothing, before anything is written."""
        if self.where:
            self._found(solution)

    def save(self, solution: Solution, path: Path) -> None:
        """Write the tables of all that is shown to one file."""
        from infoset.examine.tables import Sheet, Table

        tables = []
        for name, sheet in self._found(solution).items():
            for table in sheet:
                title = f"{name}, {table.title}" if table.title else name
                tables.append(Table(title, table.columns, table.rows, table.note, table.faint))
        Sheet(solution.tree.name, tables).save(path)

    def text(self, solution: Solution) -> str:
        """All that is asked for, for the terminal."""
        from infoset.examine.report import facts
        from infoset.examine.tables import Sheet

        style = terminal()
        found = self._found(solution)
        cut = {name for name in found if self._folded(solution, name)}
        texts = [Sheet(solution.tree.name, (), facts(solution)).text(most=None, **style)]
        for name, sheet in found.items():
            most = self.rows or (FEW if name in cut else None)
            texts.append(sheet.text(most=most, **style))
        if self.page is not None:
            texts.append(f"page {self.page} of {self._pages(solution)}")
        if cut:
            texts.append("--player NAME shows all, --where TEXT looks inside, --page N turns pages")
        return "\n\n".join(texts)

    def _folded(self, solution: Solution, name: str) -> bool:
        """Is there more to this strategy than is shown unasked?"""
        from infoset.examine.strategies import FOLDED

        asked = self.player is not None or self.page is not None or self.where
        return not asked and len(solution.tree.infosets_of(name)) > FOLDED
