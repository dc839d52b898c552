"""A solution as ``infoset solve`` shows it: text, files, JSON; of every kind of result.

The facts come first, then what each player does. A long strategy is summarized by situations
unless something is asked for. Two kinds of result have no strategy of each player: a correlated
equilibrium shows what is drawn, a search what to do at the start or after the moves of ``--after``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from infoset.analysis.equilibria import equilibria_table
from infoset.analysis.public_states import PublicStates
from infoset.analysis.public_strategy import matching, no_such_set
from infoset.analysis.strategy_tables import FOLDED, players_with, rows_of
from infoset.analysis.table import Sheet
from infoset.cli import records
from infoset.cli.output import FEW, Output, Writing, terminal
from infoset.cli.solve_options import SolveRequest
from infoset.display.correlated import correlated_sheet
from infoset.display.report import facts, fitting, sampled_facts, solution_sheet, strategy_source
from infoset.display.searched import counted, search_of, searched_sheet
from infoset.errors import InfosetError, ParameterError
from infoset.forms.public import PublicForm
from infoset.rules import Position
from infoset.solvers import Solution
from infoset.text import printable, text
from infoset.tree import Tree

PROOF = "--prove proves it where the tree fits"
MORE = "--where TEXT looks inside, --page N turns pages, --csv FILE writes all"
FOR_ASK = "writes what infoset ask --strategy reads"


@dataclass(frozen=True)
class SolutionAnswer:
    """A solution of any kind that has strategies: of a tree, a public form, a sampled run.

    ``among`` has the other equilibria, if one was picked.
    """

    request: SolveRequest
    solution: Solution
    kind: str = "tree"
    seconds_building: float = 0.0
    among: Solution | None = None
    searched: Solution | None = None  # the search whose decisions were placed on the tree

    def __post_init__(self) -> None:
        if self.kind != "sampled":  # of which nobody knew the labels before
            self.output.check_page(max(self._lengths.values()))

    @property
    def output(self) -> Output:
        """What is shown and written."""
        return self.request.output

    @property
    def _names(self) -> tuple[str, ...]:
        """The players whose strategies are shown; of a safe one, who plays it."""
        safety = self.solution.safety
        return self.output.names(self.solution.players if safety is None else (safety.player,))

    @cached_property
    def _lengths(self) -> dict[str, int]:
        """By player who is shown: its information sets; those without a fitting label are out."""
        where = self.output.where
        names = fitting(self.solution, self._names, where)
        return {name: self._length(name, where) for name in names}

    def _length(self, name: str, where: tuple[str, ...]) -> int:
        if self.kind in ("tree", "safe"):
            return rows_of(self.solution.tree_evaluation.strategy[name], where)
        source = strategy_source(self.solution, name)
        return int(sum(source.find(where).sizes)) if where else source.infosets

    # ------------------------------------------------------------------ files

    def files(self) -> Sequence[Writing]:
        """The solution, its strategies, tables, plot and tree."""
        output, solution = self.output, self.solution
        player = self._names[0] if len(self._names) == 1 else None
        picture = self.request.picture
        return (
            ("the solution", output.save, solution.save),
            ("the strategies", output.csv, lambda path: solution.save_csv(path, player)),
            ("the tables", output.table, lambda path: self._sheet().save(path)),
            (
                "the plot",
                output.plot,
                lambda path: solution.plot(player, path, where=output.where, **picture.of_plots),
            ),
            ("the tree", output.draw, lambda path: solution.draw(path, **picture.of_drawings)),
        )

    def notes(self) -> str:
        """The counts of a search, what a file of strategies is not, and what a run wrote."""
        lines = ["" if self.searched is None else f"searched: {counted(self.searched)}"]
        csv, how = self.output.csv, self.request.how
        if self.kind == "public" and csv is not None and csv.exists():
            folded = records.form_of(self.solution).folded
            way = "--no-fold, and no --merge," if how.merge else "--no-fold"
            words = f"strategies are written as folded ({folded}); {way} {FOR_ASK}"
            lines += [words] if folded else []
        lines.append(run_notes(self.request, self.among or self.solution))
        if self.kind == "sampled" and not self.output.as_json:
            _ = self._lengths  # refused only now where no label fits: the answer is not lost
        return "\n".join(line for line in lines if line)

    # ------------------------------------------------------------------ text

    def _facts(self) -> tuple[tuple[str, str], ...]:
        if self.kind == "sampled":
            return sampled_facts(self.solution, PROOF)
        return facts(self.solution, self.among)

    def _heading(self) -> str:
        """The facts for the terminal; of a safe strategy, a table of what it wins."""
        safety = self.solution.safety
        if safety is None:
            return Sheet(self.solution.name, (), self._facts()).text(most=None, **terminal())
        names = (self.solution.name, safety.player, safety.model.player)
        game, player, other = map(printable, names)
        proof = "" if safety.proved else f" ({safety.certificate})"
        return f"{game}: {player} against a model of {other}{proof}\n{safety}"

    def _by_situations(self, length: int) -> bool | None:
        """Is a strategy summarized by situations? None where that follows from its length."""
        if self.output.page is not None:
            return False
        if self.kind == "public" and length > records.MANY and self.output.rows is None:
            return True
        return None if self.output.player is None else False

    def _cut(self, length: int) -> bool:
        """Is there more to a strategy than is shown?"""
        output = self.output
        asked = output.player is not None or output.page is not None or bool(output.where)
        most = FEW if self.kind == "sampled" else FOLDED
        return self._by_situations(length) is True or (not asked and length > most)

    def _sheets(self) -> dict[str, Sheet]:
        """By player: what is shown."""
        where, rows = self.output.where, self.output.page_rows
        try:
            lengths = self._lengths
        except InfosetError:
            if self.kind != "sampled":
                raise
            return {}  # the facts are shown all the same
        return {
            name: solution_sheet(
                self.solution, name, where=where, fold=self._by_situations(length), rows=rows
            )
            for name, length in lengths.items()
        }

    def _sheet(self) -> Sheet:
        """All that is shown in one sheet, for a file."""
        tables = [equilibria_table(self.solution)] if self.solution.others else []
        for name, sheet in self._sheets().items():
            tables += [
                replace(table, title=f"{name}, {table.title}" if table.title else name)
                for table in sheet
            ]
        return Sheet(self.solution.name, tables, self._facts())

    def text(self) -> str:
        """All that is asked for, for the terminal."""
        style, output, sheets = terminal(), self.output, self._sheets()
        texts = [self._heading()]
        among = self.among or self.solution
        if among.others:
            texts.append(equilibria_table(among).text(most=output.rows or FEW, **style))
            number = 1 + among.equilibria.index(self.solution.verified)
            texts.append(f"equilibrium {number} in full; --pick N shows another, --json has all")
        for name, sheet in sheets.items():
            most = output.rows or (FEW if self._cut(self._lengths[name]) else None)
            texts.append(sheet.text(most=most, **style))
        longest = max(self._lengths.values()) if sheets else 0
        if output.page is not None:
            texts.append(f"page {output.page} of {output.pages(longest)}")
        if self._by_situations(longest) is True:
            texts.append(f"{longest:,} information sets are too many to list; {MORE}")
        elif self._cut(longest):
            texts.append(f"--player NAME shows all, {MORE}")
        return "\n\n".join(texts)

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        solution, names = self.solution, self._names
        if self.kind == "public":
            return records.public_record(solution, names, self.seconds_building)
        if self.kind == "sampled":
            return records.sampled_record(solution, names)
        if self.kind == "safe":
            return records.safe_record(solution)
        return records.solution_record(solution, names, self.seconds_building, self.among)


def run_notes(request: SolveRequest, solution: Solution) -> str:
    """Plot the convergence of a run, and say which files it wrote."""
    plot = request.run_plot.log_plot
    if plot is not None:
        if solution.convergence is None:
            raise ParameterError(
                f"--log-plot: {solution.method} has no convergence to plot; --method cfr+ has"
            )
        title = "" if request.picture.no_title else solution.name
        solution.convergence.plot(plot, title=title)
    kinds = (("checkpoint", request.run.checkpoint), ("log", request.run.log), ("plot", plot))
    return "\n".join(
        f"{kind} in {printable(str(file))}"
        for kind, file in kinds
        # What could not be written is in the note; a run may end before it writes anything.
        if file is not None and file.exists() and f"{printable(str(file))}: " not in solution.note
    )


def check_tree_labels(tree: Tree, output: Output) -> None:
    """Refuse a player or labels that a tree does not have, before it is solved."""
    if output.player is not None:
        tree.player_number(output.player)
    players_with(tree, output.names(tree.names), output.where)


def check_form_labels(form: PublicForm, output: Output) -> None:
    """Refuse labels or a page that a public form does not have, before it is solved."""
    names = output.names(form.players)
    lengths = [form.infosets[form.player_number(name)] for name in names]
    if output.where:
        found = [matching(PublicStates(form, name), output.where) for name in names]
        lengths = [int(own.sizes.sum()) for own in found if len(own)]
        if not lengths:
            raise no_such_set(form, names, output.where)
    output.check_page(max(lengths))


# ---------------------------------------------------------------------- without strategies of each


@dataclass(frozen=True)
class WholeAnswer:
    """A correlated equilibrium or a search: one sheet shows what was found."""

    request: SolveRequest
    solution: Solution
    sheet: Sheet
    recorded: Callable[[], dict[str, Any]]

    def files(self) -> Sequence[Writing]:
        """The tables, and pictures of a search, whose decisions are placed on the tree."""
        output, solution, picture = self.request.output, self.solution, self.request.picture
        return (
            ("the solution", output.save, solution.save),
            ("the tables", output.csv, self.sheet.save),
            ("the tables", output.table, self.sheet.save),
            ("the plot", output.plot, lambda path: solution.plot(None, path, **picture.of_plots)),
            ("the tree", output.draw, lambda path: solution.draw(path, **picture.of_drawings)),
        )

    def notes(self) -> str:
        """Nothing more."""
        return ""

    def text(self) -> str:
        """All that is shown, for the terminal."""
        return self.sheet.text(most=FEW, **terminal())

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        return self.recorded()


def joint_answer(request: SolveRequest, solution: Solution) -> WholeAnswer:
    """A correlated equilibrium."""
    sheet = correlated_sheet(solution)
    return WholeAnswer(request, solution, sheet, lambda: records.joint_record(solution))


def searched_answer(request: SolveRequest, solution: Solution) -> WholeAnswer:
    """What a search found, at the start or after some moves."""
    position = _after(search_of(solution).source.start, request.search.after)
    with redirect_stdout(sys.stderr):  # what rules print is no part of the answer
        sheet = searched_sheet(solution, position)
    return WholeAnswer(
        request, solution, sheet, lambda: records.searched_record(solution, position)
    )


def _after(position: Position, moves: tuple[str, ...]) -> Position | None:
    """The position after some moves, as they were typed; None if there are none."""
    for typed in moves:
        menus = [position.options(mover) for mover in position.movers]
        if not menus:
            menus = [[outcome for outcome, _ in position.chances()]]
        if position.over or not menus[0]:
            raise ParameterError(f"--after {typed!r:.40}: the game is over before")
        words = [part.strip() for part in typed.split(",")] if len(menus) > 1 else [typed]
        if len(words) != len(menus):
            who = ", ".join(position.movers)
            raise ParameterError(
                f"--after {typed!r:.40}: give a move for each of {who}, with a comma between"
            )
        chosen = tuple(_move(word, menu) for word, menu in zip(words, menus, strict=True))
        position = position.after(chosen if len(chosen) > 1 else chosen[0])
    return position if moves else None


def _move(word: str, menu: Any) -> Any:
    for option in menu:
        if text(option) == word:
            return option
    listed = ", ".join(map(text, list(menu)[:8]))
    raise ParameterError(f"--after {word!r:.40} is not among {listed:.120}")


@dataclass(frozen=True)
class NoAnswer:
    """That there is no equilibrium of the kind, which is an answer, too."""

    request: SolveRequest
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
        return records.no_solution_record(self.tree, self.request.method, self.because)
