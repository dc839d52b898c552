"""Which part of a solution on a public form is shown, and written to a file of tables.

As of trees: a strategy that is long is told by situations unless something is asked for. A player's
whole strategy may have more rows here than anyone reads, or than a terminal holds; then it is told
by situations all the same, and pages have the rows.

``infoset solve GAME --public``: games by what everybody sees, with no tree.

The public form is built from rules that are run for all deals at once, and solved by the exact
linear program or by regret minimization. ``infoset solve`` also comes here unasked, where the tree
of such a game would be too large.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.files import write_all
from infoset.cli.output import A_PAGE, FEW, terminal
from infoset.cli.progress import progress
from infoset.cli.solve_options import Running, telling
from infoset.errors import InfosetError, NotApplicable, ParameterError, nearest
from infoset.rules import Game
from infoset.rules.running import MAX_MOVES, PATIENCE
from infoset.solvers.interrupt import interruptible
from infoset.text import brief, text

if TYPE_CHECKING:
    from infoset.analysis.table import Sheet
    from infoset.forms.public import PublicForm
    from infoset.solvers.solution import Solution
    from infoset.tree import Tree

MANY = 20_000  # information sets that are listed, at most, or written out for programs
MORE = "--where TEXT looks inside, --page N turns pages, --csv FILE writes all"

Counts = dict[str, int]  # by player who is shown: its rows


@dataclass(frozen=True)
class PublicView:
    """What is asked for: a player, labels, a number of rows, a page."""

    player: str | None = None
    where: tuple[str, ...] = ()
    rows: int | None = None
    page: int | None = None

    def check_player(self, game: Game) -> None:
        """Refuse a player that there is not."""
        if self.player is not None and self.player not in game.players:
            hint = nearest(self.player, game.players)
            raise ParameterError(f"--player {self.player!r:.60}: no such player; {hint}")

    def counts(self, form: PublicForm) -> Counts:
        """By player: how many information sets are asked for; refused where that is none.

        Needs no solution, so that a slip is said before the work is done. Players in whose labels
        nothing fits are left out.
        """
        names = form.players if self.player is None else (self.player,)
        found = {name: form.infosets[form.player_number(name)] for name in names}
        if self.where:
            from infoset.analysis.public_states import PublicStates
            from infoset.analysis.public_strategy import matching, no_such_set

            fitting = {name: matching(PublicStates(form, name), self.where) for name in names}
            found = {name: int(own.sizes.sum()) for name, own in fitting.items() if len(own)}
            if not found:
                raise no_such_set(form, names, self.where)
        pages = self._pages(found)
        if self.page is not None and self.page > pages:
            several = "is only one page" if pages == 1 else f"are only {pages:,} pages"
            raise ParameterError(f"--page {self.page}: there {several}")
        return found

    def _pages(self, counts: Counts) -> int:
        """The number of pages of the longest strategy that is shown."""
        return max(1, -(-max(counts.values()) // (self.rows or A_PAGE)))

    def _by_situations(self, count: int) -> bool | None:
        """Is a strategy told by situations? None where that follows from its length."""
        if self.page is not None:
            return False
        if count > MANY and self.rows is None:
            return True
        return None if self.player is None else False

    def _cut(self, count: int) -> bool:
        """Is there more to a strategy than is shown?"""
        from infoset.analysis.strategy_tables import FOLDED

        asked = self.player is not None or self.page is not None or bool(self.where)
        return self._by_situations(count) is True or (not asked and count > FOLDED)

    def _sheets(self, found: Solution, counts: Counts) -> dict[str, Sheet]:
        size = self.rows or A_PAGE
        only = None if self.page is None else range((self.page - 1) * size, self.page * size)
        return {
            name: found.table(name, where=self.where, fold=self._by_situations(count), rows=only)
            for name, count in counts.items()
        }

    def text(self, found: Solution, counts: Counts) -> str:
        """All that is asked for, for the terminal."""
        from infoset.analysis.table import Sheet
        from infoset.display.report import facts

        style = terminal()
        texts = [Sheet(form_of(found).name, (), facts(found)).text(most=None, **style)]
        for name, sheet in self._sheets(found, counts).items():
            most = self.rows or (FEW if self._cut(counts[name]) else None)
            texts.append(sheet.text(most=most, **style))
        if self.page is not None:
            texts.append(f"page {self.page} of {self._pages(counts)}")
        longest = max(counts.values())
        if self._by_situations(longest) is True:
            texts.append(f"{longest:,} information sets are too many to list; {MORE}")
        elif self._cut(longest):
            texts.append(f"--player NAME shows all, {MORE}")
        return "\n\n".join(texts)

    def sheet(self, found: Solution, counts: Counts) -> Sheet:
        """The same in one sheet, for a file."""
        from infoset.analysis.table import Sheet
        from infoset.display.report import facts

        tables = [
            replace(table, title=f"{name}, {table.title}" if table.title else name)
            for name, sheet in self._sheets(found, counts).items()
            for table in sheet
        ]
        return Sheet(form_of(found).name, tables, facts(found))


ASKED_ABOUT = "writes what infoset ask --strategy reads"

Public = Annotated[
    bool | None,
    typer.Option(
        "--public/--tree",
        help="On the public form, which needs no tree: late-bound games of two.",
        show_default="where the tree is too large",
    ),
]
Fold = Annotated[
    bool,
    typer.Option(
        "--fold/--no-fold", help="With --public: take suits that are alike as one, without loss."
    ),
]
Merge = Annotated[
    bool,
    typer.Option("--merge", help="With --public: merge strategically identical information sets."),
]


@dataclass(frozen=True)
class Wanted:
    """What is asked of an answer."""

    method: str | None
    exact: bool | None
    seconds: float | None
    view: PublicView
    as_json: bool
    fold: bool = True
    merge: bool = False
    csv: Path | None = None
    table: Path | None = None
    plot: Path | None = None
    save: Path | None = None
    load: Path | None = None
    theme: str | None = None
    max_moves: int = MAX_MOVES
    patience: float = PATIENCE
    because: str | None = None  # why this method, where that is known here


def fits(game: Game | Tree) -> bool:
    """May a game have a public form: are its rules late-bound, and are there two players?"""
    late = isinstance(game, Game) and game.vectorized
    return late and len(game.players) == 2


def public_answer(game: Game | Tree, wanted: Wanted, running: Running) -> None:
    """Build the public form, solve it, show and write what came of it."""
    from infoset.solvers.public_store import folded_as

    if not isinstance(game, Game):
        raise NotApplicable(
            f"{brief(game.name)}: a public form is built from rules, and this is a tree; leave"
            " --public out"
        )
    view = wanted.view
    view.check_player(game)
    fold, merge = wanted.fold, wanted.merge
    if wanted.load is not None:  # the form that it is of, whatever was not said
        folded, merged = folded_as(wanted.load)
        fold, merge = fold and folded, merge or merged
    began = time.perf_counter()
    form = built(game, fold, wanted.max_moves, wanted.patience, merge)
    building = time.perf_counter() - began
    counts = view.counts(form)  # what there is not is said before the work is done
    found = _solved(form, wanted, running)
    told, problem = _written(found, counts, wanted, running)  # also if nobody reads the answer
    if wanted.as_json:
        print(json.dumps(public_record(found, building, view.player), allow_nan=False))
    else:
        print("\n\n".join([view.text(found, counts), *([told] if told else [])]))
    if problem is not None:  # the answer is not lost for it
        raise problem


def _written(
    found: Solution, counts: Counts, wanted: Wanted, running: Running
) -> tuple[str, InfosetError | None]:
    """Write all files; what was written, in words, and what went wrong, if something did."""
    view, form = wanted.view, form_of(found)
    told, problem = write_all(
        ("the solution", wanted.save, found.save),
        ("the strategies", wanted.csv, lambda path: _write_csv(found, view.player, path)),
        ("the tables", wanted.table, lambda path: view.sheet(found, counts).save(path)),
        ("the plot", wanted.plot, lambda path: _plot(found, wanted, path)),
    )
    parts = [told]
    if form.folded and "the strategies to" in told:
        way = "--no-fold, and no --merge," if wanted.merge else "--no-fold"
        parts.append(f"strategies are written as folded ({form.folded}); {way} {ASKED_ABOUT}")
    try:
        parts.append(running.write(found, form.name))
    except InfosetError as trouble:
        problem = problem or trouble
    return "\n".join(part for part in parts if part), problem


def form_of(found: Solution) -> PublicForm:
    """The public form that a solution is on."""
    from infoset.solvers.public_solution import PublicEvaluation

    assert isinstance(found.evaluation, PublicEvaluation)
    return found.evaluation.form


def _write_csv(found: Solution, player: str | None, path: Path) -> None:
    found.save_csv(path, player)


def _plot(found: Solution, wanted: Wanted, path: Path) -> None:
    paper = "dark" if wanted.theme == "dark" else "light"
    found.plot(wanted.view.player, path, where=wanted.view.where, theme=paper)


def built(
    game: Game, fold: bool, max_moves: int, patience: float, merge: bool = False
) -> PublicForm:
    """The public form of a game, with a word about how far it is."""
    with (
        redirect_stdout(sys.stderr),  # what rules print is none of ours
        progress(f"the public form of {brief(repr(game))}") as tick,
    ):
        return game.public(
            fold=fold, merge=merge, max_moves=max_moves, patience=patience, progress=tick
        )


def _solved(form: PublicForm, wanted: Wanted, running: Running) -> Solution:
    from infoset.solvers import solve
    from infoset.solvers.solution import Solution

    if wanted.load is not None:
        return Solution.load(wanted.load, form)
    settings = running.settings
    wishes = {name: getattr(settings, name) for name in settings.chosen}
    with ExitStack() as stack:
        stop = stack.enter_context(interruptible())
        watch, tick = stack.enter_context(telling(f"solving {brief(form.name)}"))
        found = solve(
            form,
            wanted.method,
            exact=wanted.exact,
            seconds=wanted.seconds,
            stop=stop,
            watch=watch,
            tick=tick,
            **wishes,
        )
    return found if wanted.because is None else replace(found, because=wanted.because)


def public_record(found: Solution, building: float, player: str | None = None) -> dict[str, Any]:
    """An answer as one JSON object; strategies are left out where they are very long.

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
    from infoset.text import spelled

    return amount if isinstance(amount, float) else spelled(amount)


def _strategy_record(found: Solution, player: str) -> dict[str, Any]:
    """As of a tree; probabilities are exact where the plan is."""
    from infoset.solvers.public_solution import PublicEvaluation

    assert isinstance(found.evaluation, PublicEvaluation)
    profile = found.evaluation.profile
    labels = iter(found.strategy[player])  # in the order of the form
    seat = form_of(found).player_number(player)
    rows = []
    for number, one in enumerate(form_of(found).decisions[seat]):
        probabilities = profile.probabilities(seat, number).T.tolist()
        rows += [
            {
                "knows": label,
                "plays": [
                    [text(option), _number(share)]
                    for option, share in zip(one.menu, own, strict=True)
                ],
            }
            for own, label in zip(probabilities, labels, strict=False)
        ]
    return {"player": player, "behaviour": rows}


def form_record(form: PublicForm) -> dict[str, Any]:
    """How large a public form is, and the tree that it stands for."""
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
