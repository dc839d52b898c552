"""A solution of a tree as ``infoset solve`` shows it: text, files, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infoset.analysis.equilibria import equilibria_table
from infoset.analysis.strategy_tables import FOLDED, players_with, rows_of
from infoset.analysis.table import Sheet, Table
from infoset.cli.output import FEW, Output, Writing, terminal
from infoset.cli.solve_options import Request
from infoset.display.report import facts, solution_sheet
from infoset.errors import ParameterError
from infoset.solvers import Solution
from infoset.solvers.evaluation import readable
from infoset.solvers.storage import strategy_record
from infoset.text import printable, spelled
from infoset.tree import Tree


@dataclass(frozen=True)
class TreeAnswer:
    """A solution of a tree, or one of several equilibria ``among`` the others."""

    request: Request
    solution: Solution
    among: Solution
    seconds_building: float
    searched: Solution | None = None  # the search whose decisions were placed on the tree

    def __post_init__(self) -> None:
        self.output.check_page(self._longest)

    @property
    def output(self) -> Output:
        """What is shown and written."""
        return self.request.output

    @property
    def _longest(self) -> int:
        """Rows of the longest strategy that is shown."""
        strategies, where = self.solution.tree_evaluation.strategy, self.output.where
        return max(rows_of(strategies[name], where) for name in self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        """The players who are shown; those without a label that fits are left out."""
        tree = self.solution.tree
        return tuple(players_with(tree, self.output.names(tree.names), self.output.where))

    def files(self) -> Sequence[Writing]:
        """The solution, its strategies, tables, plot and tree."""
        output, solution = self.output, self.solution
        return (
            ("the solution", output.save, solution.save),
            ("the strategies", output.csv, self._write_csv),
            ("the tables", output.table, lambda path: self._sheet().save(path)),
            ("the plot", output.plot, self._plot),
            ("the tree", output.draw, self._draw),
        )

    def notes(self) -> str:
        """The counts of a search, and what a run wrote."""
        from infoset.display.searched import counted

        found = self.searched
        lines = ["" if found is None else f"searched: {counted(found)}"]
        lines.append(run_notes(self.request, self.among, self.among.tree.name))
        return "\n".join(line for line in lines if line)

    def _draw(self, path: Path) -> None:
        self.solution.draw(path, **self.request.picture.of_drawings)

    def _write_csv(self, path: Path) -> None:
        from infoset.strategy.files import write_strategies

        solution = self.solution
        names = self.output.names(solution.tree.names)
        strategies = solution.tree_evaluation.strategy
        write_strategies(path, [strategies[name] for name in names])

    def _plot(self, path: Path) -> None:
        look = self.request.picture.of_plots
        self.solution.plot(self.output.player, path, where=self.output.where, **look)

    def _sheets(self) -> dict[str, Sheet]:
        """By player: what is shown."""
        output = self.output
        fold = None if output.player is None and output.page is None else False
        return {
            name: solution_sheet(
                self.solution, name, where=output.where, fold=fold, rows=output.page_rows
            )
            for name in self._names
        }

    def _sheet(self) -> Sheet:
        """All that is shown in one sheet, for a file."""
        solution = self.solution
        tables = [equilibria_table(solution)] if solution.others else []
        for name, sheet in self._sheets().items():
            for table in sheet:
                title = f"{name}, {table.title}" if table.title else name
                tables.append(Table(title, table.columns, table.rows, table.note, table.faint))
        return Sheet(solution.tree.name, tables, facts(solution))

    def text(self) -> str:
        """All that is asked for, for the terminal."""
        style, solution, among, output = terminal(), self.solution, self.among, self.output
        texts = [Sheet(solution.tree.name, (), facts(solution, among)).text(most=None, **style)]
        if among.others:
            texts.append(equilibria_table(among).text(most=output.rows or FEW, **style))
            number = 1 + among.equilibria.index(solution.verified)
            texts.append(f"equilibrium {number} in full; --pick N shows another, --json has all")
        sheets = self._sheets()
        cut = {name for name in sheets if self._summarized(name)}
        for name, sheet in sheets.items():
            most = output.rows or (FEW if name in cut else None)
            texts.append(sheet.text(most=most, **style))
        if output.page is not None:
            texts.append(f"page {output.page} of {output.pages(self._longest)}")
        if cut:
            texts.append("--player NAME shows all, --where TEXT looks inside, --page N turns pages")
        return "\n\n".join(texts)

    def _summarized(self, name: str) -> bool:
        """Is there more to this strategy than is shown if nothing is asked for?"""
        output = self.output
        asked = output.player is not None or output.page is not None or output.where
        return not asked and len(self.solution.tree.infosets_of(name)) > FOLDED

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        solution, tree = self.solution, self.solution.tree
        names = self.output.names(tree.names)
        value, bounds = solution.value, solution.value_bounds
        strategies = solution.tree_evaluation.strategy
        return {
            **tree_record(tree),
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
            "seconds_building": round(self.seconds_building, 6),
            "strategies": [strategy_record(strategies[name]) for name in names],
            **_several_record(self.among, names),
        }


def run_notes(request: Request, solution: Any, title: str) -> str:
    """Plot the convergence of a run below a title, and say which files it wrote."""
    plot = request.run_plot.log_plot
    if plot is not None:
        if solution.convergence is None:
            raise ParameterError(
                f"--log-plot: {solution.method} has no convergence to plot; --method cfr+ has"
            )
        solution.convergence.plot(plot, title=title)
    kinds = (("checkpoint", request.run.checkpoint), ("log", request.run.log), ("plot", plot))
    return "\n".join(
        f"{kind} in {printable(str(file))}"
        for kind, file in kinds
        # What could not be written is in the note.
        if file is not None and f"{printable(str(file))}: " not in solution.note
    )


def check_labels(tree: Tree, output: Output) -> None:
    """Refuse a player or labels that there are not, before the work is done."""
    if output.player is not None:
        tree.player_number(output.player)
    players_with(tree, output.names(tree.names), output.where)


def tree_record(tree: Tree) -> dict[str, Any]:
    """What every JSON object about a solved tree begins with."""
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
    }


def _several_record(solution: Solution, names: Iterable[str]) -> dict[str, Any]:
    """What only some methods find: all equilibria, their components, and beliefs."""
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
        sequential = solution.sequential
        found["sequential"] = bool(sequential)
        found["sequential_because"] = "" if sequential is None else sequential.because
        found["beliefs"] = [[spelled(share) for share in own.values()] for own in beliefs]
    return found


@dataclass(frozen=True)
class NoAnswer:
    """That there is no equilibrium of the kind, which is an answer, too."""

    request: Request
    tree: Tree
    because: str

    def files(self) -> Sequence[Writing]:
        """Nothing."""
        return ()

    def notes(self) -> str:
        """Refuse files that would be empty."""
        if self.request.output.files:
            raise ParameterError("there is no solution to write to a file")
        return ""

    def text(self) -> str:
        """Why there is none."""
        return self.because

    def record(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return {
            **tree_record(self.tree),
            "method": self.request.how.method,
            "because": self.because,
            "complete": True,
            "equilibria": [],
        }
