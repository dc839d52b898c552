"""What commands share when they show something: the terminal's width, pages, files.

What ``infoset solve --json`` says, as one object.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.files import DRAWINGS, PLOTS, TABLES, check_target, write_all
from infoset.errors import InfosetError, ParameterError, nearest

if TYPE_CHECKING:
    from infoset.analysis.table import Sheet
    from infoset.solvers import Solution
    from infoset.tree import Tree

A_PAGE = 40  # rows
MOST_DRAWN = 200  # nodes of a picture

Orientation = Annotated[
    str | None,
    typer.Option(
        "--orientation",
        metavar="WAY",
        help="Which way a drawing grows: down, across or auto.",
        show_default="auto",
    ),
]
Theme = Annotated[
    str | None,
    typer.Option(
        "--theme",
        metavar="NAME",
        help="The paper of pictures: light, dark or auto.",
        show_default="auto",
    ),
]
Most = Annotated[
    int | None,
    typer.Option(
        "--nodes",
        metavar="N",
        min=3,
        help="Fold a drawing of more nodes than these.",
        show_default=f"{MOST_DRAWN}",
    ),
]
FEW = 20  # rows of a folded strategy


def terminal() -> dict[str, Any]:
    """How a table should be written: as wide as the terminal, and in colour if there is one."""
    if not sys.stdout.isatty():
        return {"width": None, "colour": False}
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return {"width": shutil.get_terminal_size().columns, "colour": not plain}


def game_facts(tree: Tree) -> dict[str, Any]:
    """What every JSON object about a solved game begins with."""
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
    }


@dataclass(frozen=True)
class Look:
    """How a drawing should look, as far as anything was said."""

    orientation: str | None
    theme: str | None
    most: int | None

    def check(self, draw: Path | None, plot: Path | None = None) -> None:
        """Refuse a way to grow or a paper that there is not, and looks with nothing to draw."""
        for option, given, known in (
            ("--orientation", self.orientation, ("down", "across", "auto")),
            ("--theme", self.theme, ("light", "dark", "auto")),
        ):
            if given is not None and given not in known:
                raise ParameterError(f"{option} {given!r} is not known; {nearest(given, known)}")
        if self.theme is not None and draw is None and plot is None:
            raise ParameterError("--theme goes with a picture: --draw FILE or --plot FILE")
        if draw is None and self.orientation is not None:
            raise ParameterError("--orientation goes with --draw FILE")
        if draw is None and self.most is not None:
            raise ParameterError("--nodes goes with --draw FILE")

    @property
    def options(self) -> dict[str, Any]:
        """What a drawing is told."""
        return {
            "orientation": self.orientation or "auto",
            "theme": self.theme or "auto",
            "most": self.most or MOST_DRAWN,
        }


@dataclass(frozen=True)
class Shown:
    """Which part of a solution is asked for."""

    player: str | None
    where: tuple[str, ...]
    rows: int | None
    page: int | None

    def names(self, tree: Tree) -> tuple[str, ...]:
        """The players whose strategies are asked for."""
        return tree.names if self.player is None else (self.player,)

    @property
    def _range(self) -> range | None:
        if self.page is None:
            return None
        size = self.rows or A_PAGE
        return range((self.page - 1) * size, self.page * size)

    def _found(self, solution: Solution) -> dict[str, Sheet]:
        """By player: what is shown; players in whose labels nothing fits are left out."""
        from infoset.analysis.strategy_tables import players_with
        from infoset.display.report import solution_sheet

        fold = None if self.player is None and self.page is None else False
        return {
            name: solution_sheet(solution, name, where=self.where, fold=fold, rows=self._range)
            for name in players_with(solution.tree, self.names(solution.tree), self.where)
        }

    def check(self, tree: Tree) -> None:
        """Refuse labels that there are not, before the work is done."""
        from infoset.analysis.strategy_tables import players_with

        players_with(tree, self.names(tree), self.where)

    def check_page(self, solution: Solution) -> None:
        """Refuse a page that there is not, before anything is printed."""
        pages = self._pages(solution)
        if self.page is not None and self.page > pages:
            several = "is only one page" if pages == 1 else f"are only {pages:,} pages"
            raise ParameterError(f"--page {self.page}: there {several}")

    def _pages(self, solution: Solution) -> int:
        """The number of pages of the longest strategy that is shown."""
        from infoset.analysis.strategy_tables import players_with, rows_of

        names = players_with(solution.tree, self.names(solution.tree), self.where)
        strategies = solution.tree_evaluation.strategy
        longest = max(rows_of(strategies[name], self.where) for name in names)
        return max(1, -(-longest // (self.rows or A_PAGE)))

    def save(self, solution: Solution, path: Path) -> None:
        """Write the tables of all that is shown to one file."""
        from infoset.analysis.equilibria import equilibria_table
        from infoset.analysis.table import Sheet, Table
        from infoset.display.report import facts

        tables = [equilibria_table(solution)] if solution.others else []
        for name, sheet in self._found(solution).items():
            for table in sheet:
                title = f"{name}, {table.title}" if table.title else name
                tables.append(Table(title, table.columns, table.rows, table.note, table.faint))
        Sheet(solution.tree.name, tables, facts(solution)).save(path)

    def text(self, solution: Solution, among: Solution | None = None) -> str:
        """All that is asked for, for the terminal; ``among`` has the other equilibria, too."""
        from infoset.analysis.equilibria import equilibria_table
        from infoset.analysis.table import Sheet
        from infoset.display.report import facts

        style = terminal()
        among = among or solution
        found = self._found(solution)
        cut = {name for name in found if self._folded(solution, name)}
        texts = [Sheet(solution.tree.name, (), facts(solution, among)).text(most=None, **style)]
        if among.others:
            texts.append(equilibria_table(among).text(most=self.rows or FEW, **style))
            number = 1 + among.equilibria.index(solution.verified)
            told = f"equilibrium {number} in full; --pick N shows another, --json has all"
            texts.append(told)
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
        from infoset.analysis.strategy_tables import FOLDED

        asked = self.player is not None or self.page is not None or self.where
        return not asked and len(solution.tree.infosets_of(name)) > FOLDED


@dataclass(frozen=True)
class Files:
    """What of a solution is written where, beside what is printed."""

    save: Path | None
    csv: Path | None
    table: Path | None
    plot: Path | None
    draw: Path | None
    look: Look

    @property
    def named(self) -> tuple[Path, ...]:
        """The files that were asked for."""
        every = (self.save, self.csv, self.table, self.plot, self.draw)
        return tuple(file for file in every if file is not None)

    def check(self) -> None:
        """Refuse what could not be written."""
        self.look.check(self.draw, self.plot)
        places = [os.path.realpath(file) for file in self.named]
        for file, place in zip(self.named, places, strict=True):
            if places.count(place) > 1:
                raise ParameterError(f"{file}: two things cannot be written to one file")
        for target, formats in (
            (self.save, ()),
            (self.csv, (".csv",)),
            (self.table, TABLES),
            (self.plot, PLOTS),
            (self.draw, DRAWINGS),
        ):
            if target is not None:
                check_target(target, formats)

    def write(self, solution: Solution, view: Shown) -> tuple[str, InfosetError | None]:
        """Write all of them; what was written, in words, and what went wrong, if something did."""
        return write_all(
            ("the solution", self.save, solution.save),
            ("the strategies", self.csv, lambda path: self._strategies(solution, view, path)),
            ("the tables", self.table, lambda path: view.save(solution, path)),
            ("the plot", self.plot, lambda path: self._plot(solution, view, path)),
            ("the tree", self.draw, lambda path: self._draw(solution, path)),
        )

    def _strategies(self, solution: Solution, view: Shown, path: Path) -> None:
        from infoset.strategy.files import write_strategies

        strategies = solution.tree_evaluation.strategy
        write_strategies(path, [strategies[name] for name in view.names(solution.tree)])

    def _plot(self, solution: Solution, view: Shown, path: Path) -> None:
        paper = "dark" if self.look.theme == "dark" else "light"
        solution.plot(view.player, path, where=view.where, theme=paper)

    def _draw(self, solution: Solution, path: Path) -> None:
        solution.draw(path, **self.look.options)


def facts(solution: Any, building: float, player: str | None, among: Any = None) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``.

    ``among`` has the other equilibria, if one was picked.
    """
    from infoset.solvers.storage import strategy_record
    from infoset.text import spelled

    tree = solution.tree
    names = tree.names if player is None else (player,)
    value, bounds = solution.value, solution.value_bounds
    return {
        **game_facts(tree),
        "method": solution.method,
        "because": solution.because,
        "value": None if value is None else spelled(value),
        "value_bounds": None if bounds is None else [spelled(bound) for bound in bounds],
        "payoffs": {name: spelled(amount) for name, amount in solution.payoffs.items()},
        "regret": spelled(solution.regret),
        "regrets": {name: spelled(amount) for name, amount in solution.regrets.items()},
        "certificate": solution.certificate,
        "exact": solution.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        **({} if solution.convergence is None else {"course": solution.convergence.record}),
        "seconds_building": round(building, 6),
        "strategies": [strategy_record(solution.strategy[name]) for name in names],
        **several_facts(among or solution, names),
    }


def several_facts(solution: Any, names: Iterable[str]) -> dict[str, Any]:
    """What only some methods find: all equilibria, how they hang together, and beliefs."""
    from infoset.solvers.evaluation import readable
    from infoset.solvers.storage import strategy_record
    from infoset.text import spelled

    found: dict[str, Any] = {}
    if solution.others or solution.complete:
        found["complete"] = solution.complete
        found["equilibria"] = [
            {
                "payoffs": {name: spelled(amount) for name, amount in one.payoffs.items()},
                "regret": spelled(one.regret),
                "strategies": [strategy_record(readable(one[name], one)) for name in names],
            }
            for one in solution.equilibria
        ]
        found["components"] = [component.record for component in solution.components]
    if solution.assessment is not None:
        beliefs = solution.assessment.beliefs
        found["sequential"] = bool(solution.sequential)
        found["sequential_because"] = solution.sequential.because
        found["beliefs"] = [[spelled(share) for share in own.values()] for own in beliefs]
    return found


def no_facts(tree: Any, method: str | None, because: str) -> dict[str, Any]:
    """That there is no equilibrium of the kind, as one JSON object."""
    return {
        **game_facts(tree),
        "method": method,
        "because": because,
        "complete": True,
        "equilibria": [],
    }
