"""``infoset solve GAME --public``: games by what everybody sees, with no tree.

The public form is built from rules that are run for all deals at once, and solved by the exact
linear program or by regret minimization. ``infoset solve`` also comes here unasked, where the tree
of such a game would be too large.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.progress import progress, status
from infoset.cli.running import Running, watching
from infoset.cli.showing import FEW, terminal, write_all
from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.rules import Game
from infoset.rules.columns import MAX_MOVES, PATIENCE
from infoset.rules.story import brief, text
from infoset.solve.interrupt import interruptible

if TYPE_CHECKING:
    from infoset.forms.public import PublicForm
    from infoset.solve.public.solution import PublicSolution
    from infoset.tree import Tree

MANY = 20_000  # information sets that are written out for programs, at most

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
    player: str | None
    where: tuple[str, ...]
    rows: int | None
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


def fits(game: Game | Tree) -> bool:
    """May a game have a public form: are its rules late-bound, and are there two players?"""
    late = isinstance(game, Game) and game.late
    return late and len(game.players) == 2


def public_answer(game: Game | Tree, wanted: Wanted, running: Running) -> None:
    """Build the public form, solve it, show and write what came of it."""
    if not isinstance(game, Game):
        raise NotApplicable(
            f"{brief(game.name)}: a public form is built from rules, and this is a tree; leave"
            " --public out"
        )
    if wanted.player is not None and wanted.player not in game.players:
        hint = nearest(wanted.player, game.players)
        raise ParameterError(f"--player {wanted.player!r:.60}: no such player; {hint}")
    began = time.perf_counter()
    form = built(game, wanted.fold, wanted.max_moves, wanted.patience, wanted.merge)
    building = time.perf_counter() - began
    found = _solved(form, wanted, running)
    if not wanted.as_json:
        print(_text(found, wanted))
    else:
        print(json.dumps(public_record(found, building, wanted.player), allow_nan=False))
    told, problem = write_all(
        ("the solution", wanted.save, found.save),
        ("the strategies", wanted.csv, lambda path: _write_csv(found, wanted, path)),
        ("the tables", wanted.table, lambda path: _sheet(found, wanted).save(path)),
        (
            "the plot",
            wanted.plot,
            lambda path: _plot(found, wanted, path),
        ),
    )
    written = "\n".join(part for part in (told, running.write(found)) if part)
    if written and not wanted.as_json:
        print(f"\n{written}")
    if problem is not None:  # the answer is not lost for it
        raise problem


def _write_csv(found: PublicSolution, wanted: Wanted, path: Path) -> None:
    from infoset.tree.files.atomic import write_bytes

    write_bytes(path, (lines.encode() for lines in found.csv(wanted.player)))


def _plot(found: PublicSolution, wanted: Wanted, path: Path) -> None:
    style = {} if wanted.theme is None else {"theme": wanted.theme}
    found.plot(wanted.player, path, where=wanted.where, **style)


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


def _solved(form: PublicForm, wanted: Wanted, running: Running) -> PublicSolution:
    from infoset.solve import solve
    from infoset.solve.public.solution import PublicSolution

    if wanted.load is not None:
        return PublicSolution.load(wanted.load, form)
    settings = running.settings
    wishes = {name: getattr(settings, name) for name in settings.chosen}
    with ExitStack() as stack:
        words, stop = f"solving {brief(form.name)}", stack.enter_context(interruptible())
        watch, tick = stack.enter_context(_telling(words, wanted.method))
        return solve(
            form,
            wanted.method,
            exact=wanted.exact,
            seconds=wanted.seconds,
            stop=stop,
            watch=watch,
            tick=tick,
            **wishes,
        )


@contextmanager
def _telling(words: str, method: str | None) -> Iterator[tuple[Any, Any]]:
    """A bar for a run, a line for a program."""
    if method == "lp":
        with status(words) as tick:
            yield None, tick
    else:
        with watching(words) as watch:
            yield watch, None


def _text(found: PublicSolution, wanted: Wanted) -> str:
    """All that is shown, for the terminal."""
    from infoset.examine.public_report import public_facts
    from infoset.examine.tables import Sheet

    style, asked = terminal(), wanted.player is not None or bool(wanted.where)
    most = wanted.rows or (None if wanted.where else FEW)
    texts = [Sheet(found.form.name, (), public_facts(found)).text(most=None, **style)]
    names = found.form.players if wanted.player is None else (wanted.player,)
    texts += [found.table(name, where=wanted.where).text(most=most, **style) for name in names]
    if not asked:
        texts.append("--where TEXT looks inside, --csv FILE writes all of it")
    return "\n\n".join(texts)


def _sheet(found: PublicSolution, wanted: Wanted) -> Any:
    from dataclasses import replace

    from infoset.examine.public_report import public_facts
    from infoset.examine.tables import Sheet

    names = found.form.players if wanted.player is None else (wanted.player,)
    tables = [
        replace(table, title=f"{name}, {table.title}" if table.title else name)
        for name in names
        for table in found.table(name, where=wanted.where)
    ]
    return Sheet(found.form.name, tables, public_facts(found))


def public_record(
    found: PublicSolution, building: float, player: str | None = None
) -> dict[str, Any]:
    """An answer as one JSON object; strategies are left out where they are very long."""
    form = found.form
    names = form.players if player is None else (player,)
    short = sum(form.infosets[form.player_number(name)] for name in names) <= MANY
    low, high = found.value_bounds
    return {
        "game": form.name,
        "players": list(form.players),
        **form_record(form),
        "method": found.method,
        "because": found.because,
        "payoffs": {name: str(paid) for name, paid in found.payoffs.items()},
        "value": str(found.value),
        "value_bounds": [str(low), str(high)],
        "regret": str(found.regret),
        "regrets": {name: str(one) for name, one in found.regrets.items()},
        "exploitability": str(found.exploitability),
        "certificate": found.certificate,
        "work": dict(found.work),
        "note": found.note,
        "building": round(building, 6),
        "seconds": round(found.seconds, 6),
        "course": None if found.course is None else found.course.record,
        "strategies": [
            {
                "player": name,
                "behaviour": [
                    {
                        "knows": label,
                        "plays": [[text(option), share] for option, share in shares.items()],
                    }
                    for label, shares in found.strategy[name].items()
                ],
            }
            for name in (names if short else ())
        ],
    }


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
