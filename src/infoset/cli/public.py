"""``infoset solve GAME --public``: games solved on their public form, without a tree.

The public form is built from vectorized rules and solved by the exact linear program or by regret
minimization. ``infoset solve`` also comes here where the tree of such a game would be too large.

A long strategy is summarized by situations unless something is asked for. A player's whole strategy
may have more rows than anyone reads; then it is summarized all the same, and pages have the rows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infoset.analysis.public_states import PublicStates
from infoset.analysis.public_strategy import matching, no_such_set
from infoset.analysis.strategy_tables import FOLDED
from infoset.analysis.table import Sheet
from infoset.cli.game_arguments import LimitOptions
from infoset.cli.output import FEW, Output, Writing, terminal
from infoset.cli.progress import progress, telling
from infoset.cli.solutions import run_notes
from infoset.cli.solve_options import Request
from infoset.display.report import facts
from infoset.errors import NotApplicable
from infoset.forms.public import PublicForm
from infoset.rules import Game
from infoset.solvers import Solution, solve
from infoset.solvers.interrupt import interruptible
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.public_store import folded_as
from infoset.text import brief, spelled, text
from infoset.tree import Tree

MANY = 20_000  # information sets that are listed, at most, or written out for programs
MORE = "--where TEXT looks inside, --page N turns pages, --csv FILE writes all"
FOR_ASK = "writes what infoset ask --strategy reads"

Counts = dict[str, int]  # by player who is shown: its rows


def fits(game: Game | Tree) -> bool:
    """May a game have a public form: are its rules vectorized, and are there two players?"""
    return isinstance(game, Game) and game.vectorized and len(game.players) == 2


def built(
    game: Game | Tree, limits: LimitOptions, *, fold: bool = True, merge: bool = False
) -> PublicForm:
    """The public form of a game, with a word about how far it is."""
    if not isinstance(game, Game):
        raise NotApplicable(
            f"{brief(game.name)}: a public form is built from rules, and this is a tree; leave"
            " out --public"
        )
    with (
        redirect_stdout(sys.stderr),  # what rules print is no part of the answer
        progress(f"the public form of {brief(repr(game))}") as tick,
    ):
        return game.public(
            fold=fold,
            merge=merge,
            max_moves=limits.max_moves,
            patience=limits.patience,
            progress=tick,
        )


def on_public_form(request: Request, game: Game | Tree) -> PublicAnswer:
    """Build the public form, and solve it or load a solution of it."""
    how, output = request.how, request.output
    if isinstance(game, Game):
        output.check_player(game.players)
    fold, merge = how.fold, how.merge
    if how.load is not None:  # the form that it is of, whatever was not said
        folded, merged = folded_as(how.load)
        fold, merge = fold and folded, merge or merged
    began = time.perf_counter()
    form = built(game, request.limits, fold=fold, merge=merge)
    building = time.perf_counter() - began
    counts = _counts(form, output)
    return PublicAnswer(request, _solution(form, request), counts, building)


def _counts(form: PublicForm, output: Output) -> Counts:
    """By player: how many information sets are asked for; refused where there are none.

    Players without a label that fits are left out.
    """
    names = output.names(form.players)
    found = {name: form.infosets[form.player_number(name)] for name in names}
    if output.where:
        fitting = {name: matching(PublicStates(form, name), output.where) for name in names}
        found = {name: int(own.sizes.sum()) for name, own in fitting.items() if len(own)}
        if not found:
            raise no_such_set(form, names, output.where)
    output.check_page(max(found.values()))
    return found


def _solution(form: PublicForm, request: Request) -> Solution:
    how = request.how
    if how.load is not None:
        return Solution.load(how.load, form)
    with ExitStack() as stack:
        stop = stack.enter_context(interruptible())
        watch, tick = stack.enter_context(telling(f"solving {brief(form.name)}"))
        found = solve(
            form,
            request.method,
            exact=how.exact,
            seconds=how.seconds,
            stop=stop,
            watch=watch,
            tick=tick,
            **request.keywords,
        )
    return found if request.because is None else replace(found, because=request.because)


@dataclass(frozen=True)
class PublicAnswer:
    """A solution of a public form."""

    request: Request
    solution: Solution
    counts: Counts
    seconds_building: float

    @property
    def output(self) -> Output:
        """What is shown and written."""
        return self.request.output

    def files(self) -> Sequence[Writing]:
        """The solution, its strategies, tables and plot."""
        output = self.output
        return (
            ("the solution", output.save, self.solution.save),
            ("the strategies", output.csv, self._write_csv),
            ("the tables", output.table, lambda path: self._sheet().save(path)),
            ("the plot", output.plot, self._plot),
        )

    def notes(self) -> str:
        """That folded strategies are no file for ``infoset ask``, and what a run wrote."""
        form, csv = form_of(self.solution), self.output.csv
        lines = []
        if form.folded and csv is not None and csv.exists():
            way = "--no-fold, and no --merge," if self.request.how.merge else "--no-fold"
            lines.append(f"strategies are written as folded ({form.folded}); {way} {FOR_ASK}")
        lines.append(run_notes(self.request, self.solution, form.name))
        return "\n".join(line for line in lines if line)

    def _write_csv(self, path: Path) -> None:
        self.solution.save_csv(path, self.output.player)

    def _plot(self, path: Path) -> None:
        look = self.request.picture.of_plots
        self.solution.plot(self.output.player, path, where=self.output.where, **look)

    def _by_situations(self, count: int) -> bool | None:
        """Is a strategy summarized by situations? None where that follows from its length."""
        if self.output.page is not None:
            return False
        if count > MANY and self.output.rows is None:
            return True
        return None if self.output.player is None else False

    def _cut(self, count: int) -> bool:
        """Is there more to a strategy than is shown?"""
        output = self.output
        asked = output.player is not None or output.page is not None or bool(output.where)
        return self._by_situations(count) is True or (not asked and count > FOLDED)

    def _sheets(self) -> dict[str, Sheet]:
        where, rows = self.output.where, self.output.page_rows
        return {
            name: self.solution.table(name, where=where, fold=self._by_situations(count), rows=rows)
            for name, count in self.counts.items()
        }

    def _sheet(self) -> Sheet:
        """All that is shown in one sheet, for a file."""
        tables = [
            replace(table, title=f"{name}, {table.title}" if table.title else name)
            for name, sheet in self._sheets().items()
            for table in sheet
        ]
        return Sheet(form_of(self.solution).name, tables, facts(self.solution))

    def text(self) -> str:
        """All that is asked for, for the terminal."""
        style, output, solution = terminal(), self.output, self.solution
        texts = [Sheet(form_of(solution).name, (), facts(solution)).text(most=None, **style)]
        for name, sheet in self._sheets().items():
            most = output.rows or (FEW if self._cut(self.counts[name]) else None)
            texts.append(sheet.text(most=most, **style))
        longest = max(self.counts.values())
        if output.page is not None:
            texts.append(f"page {output.page} of {output.pages(longest)}")
        if self._by_situations(longest) is True:
            texts.append(f"{longest:,} information sets are too many to list; {MORE}")
        elif self._cut(longest):
            texts.append(f"--player NAME shows all, {MORE}")
        return "\n\n".join(texts)

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        return public_record(self.solution, self.seconds_building, self.output.player)


def form_of(solution: Solution) -> PublicForm:
    """The public form that a solution is on."""
    assert isinstance(solution.evaluation, PublicEvaluation)
    return solution.evaluation.form


def public_record(found: Solution, building: float, player: str | None = None) -> dict[str, Any]:
    """A solution as one JSON object; strategies are left out where they are very long.

    Exact numbers are texts, "p/q"; what was computed in floats are numbers.
    """
    form = form_of(found)
    names = form.players if player is None else (player,)
    short = sum(form.infosets[form.player_number(name)] for name in names) <= MANY
    return {
        "game": form.name,
        "players": list(form.players),
        **form_record(form),
        "method": found.method,
        "because": found.because,
        "payoffs": {name: _number(paid) for name, paid in found.payoffs.items()},
        "value": _number(found.value),
        "value_bounds": [_number(bound) for bound in found.value_bounds or ()],
        "regret": _number(found.regret),
        "regrets": {name: _number(one) for name, one in found.regrets.items()},
        "exploitability": _number(found.exploitability),
        "certificate": found.certificate,
        "exact": found.exact,
        "work": dict(found.work),
        "note": found.note,
        "seconds": round(found.seconds, 6),
        "seconds_building": round(building, 6),
        "course": None if found.convergence is None else found.convergence.record,
        "strategies": [_strategy_record(found, name) for name in (names if short else ())],
    }


def _number(amount: Any) -> Any:
    return amount if isinstance(amount, float) else spelled(amount)


def _strategy_record(found: Solution, player: str) -> dict[str, Any]:
    """As of a tree; probabilities are exact where the plan is."""
    assert isinstance(found.evaluation, PublicEvaluation)
    form, profile = found.evaluation.form, found.evaluation.profile
    labels = iter(found.strategy[player])  # in the order of the form
    seat = form.player_number(player)
    rows = []
    for number, one in enumerate(form.decisions[seat]):
        probabilities = profile.probabilities(seat, number).T.tolist()
        rows += [
            {
                "knows": label,
                "plays": [
                    [text(option), _number(probability)]
                    for option, probability in zip(one.menu, own, strict=True)
                ],
            }
            for own, label in zip(probabilities, labels, strict=False)
        ]
    return {"player": player, "behaviour": rows}


def form_record(form: PublicForm) -> dict[str, Any]:
    """How large a public form is, and the tree that it represents."""
    counts = form.counts
    return {
        "nodes": counts.nodes,
        "infosets": sum(counts.infosets),
        "decisions": sum(counts.decisions),
        "chances": counts.chance,
        "leaves": counts.leaves,
        "sequences": list(counts.sequences),
        "folded": form.folded,
        "kept_infosets": list(form.infosets),
        "kept_sequences": list(form.sequences),
        "tables": len(form.tables),
        "entries": sum(block.entries.size for table in form.tables for block in table.blocks),
        "ends": len(form.ends),
    }
