"""``infoset matrix``: a game as matrices: normal form or sequence form.

The normal form may be shown without what is dominated (:mod:`infoset.forms.dominance`). What is
printed is an excerpt, as :mod:`infoset.display.matrices` makes it; files and JSON have all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infoset.analysis.matrices import Grid, elimination_table, normal_table, sequence_table
from infoset.analysis.table import FEW, Sheet, Table
from infoset.cli.ask import solved
from infoset.cli.files import TABLES, check_target
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_tree
from infoset.cli.options import Command, group, option
from infoset.cli.output import json_option, table_option, terminal
from infoset.display.matrices import COLUMNS, Excerpt, excerpts
from infoset.errors import ParameterError, nearest
from infoset.forms.dominance import KINDS, Elimination
from infoset.forms.dominance import eliminate as eliminated
from infoset.forms.normal import MOST_PROFILES, normal_form
from infoset.text import count_text
from infoset.tree import Tree


@dataclass(frozen=True)
class MatrixOptions:
    """Which form is shown."""

    sequence: bool = option("The sequence form, not the normal form.", default=False)
    solve: bool = option("With --sequence: solve, and show the realization plans.", default=False)
    whole: bool = option("All pure strategies, not only reduced ones.", default=False)
    eliminate: str | None = option(
        "Remove dominated strategies iteratively; show the rounds and what is left.",
        metavar="strict|weak",
    )
    pure: bool = option("With --eliminate: dominated by pure strategies only.", default=False)
    max_profiles: int | None = option(
        "Give up on larger normal forms.", minimum=1, unset=f"{MOST_PROFILES:,}", keyword="most"
    )

    @property
    def most(self) -> int:
        """Entries of the largest normal form that is built."""
        return self.max_profiles or MOST_PROFILES

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.solve and not self.sequence:
            raise ParameterError("--solve goes with --sequence, where plans have weights; add that")
        if self.pure and self.eliminate is None:
            raise ParameterError("--pure says by what --eliminate removes strategies; add that")
        if self.eliminate is not None and self.eliminate not in KINDS:
            raise ParameterError(f"--eliminate {self.eliminate}: {nearest(self.eliminate, KINDS)}")
        for flag, given in (
            ("--whole", self.whole),
            ("--eliminate", self.eliminate),
            ("--max-profiles", self.max_profiles),
        ):
            if self.sequence and given:
                raise ParameterError(
                    f"{flag} is of the normal form, --sequence of another; give one of them"
                )


@dataclass(frozen=True)
class MatrixOutput:
    """How much is printed, and which file is written."""

    rows: int | None = option("Print at most so many rows of a table.", minimum=1, unset=str(FEW))
    columns: int | None = option(
        "Print at most so many columns of a matrix, in several blocks if they do not fit.",
        minimum=1,
        unset=f"{COLUMNS}, or those that fit",
    )
    as_json: bool = json_option()
    table: Path | None = table_option("all of it")

    def check(self) -> None:
        """Refuse what would do nothing, and a file that could not be written."""
        for flag, most in (("--rows", self.rows), ("--columns", self.columns)):
            if self.as_json and most is not None:
                raise ParameterError(f"{flag} is of what is printed; --json has all")
        if self.table is not None:
            check_target(self.table, TABLES)


@dataclass(frozen=True)
class MatrixRequest:
    """All that is asked of ``infoset matrix``."""

    game: GameArguments = group()
    form: MatrixOptions = group("Form")
    output: MatrixOutput = group("Output")
    limits: LimitOptions = group("Limits")


def matrix(request: MatrixRequest) -> None:
    """Show a game's normal form, or its sequence form, as a table.

    In the normal form best responses are marked, and dominated strategies are named. With
    --eliminate they are removed round by round, as long as there are any.
    """
    form, output = request.form, request.output
    form.check()
    output.check()
    tree = named_tree(request.game, request.limits)
    done = _elimination(tree, form)
    if form.sequence:
        shown: Table | Sheet = _sequences(tree, form.solve)
    elif done is not None:
        shown = elimination_table(done)
    else:
        shown = normal_table(tree, reduced=not form.whole, most=form.most)
    if output.table is not None:
        shown.save(output.table)
    if output.as_json:
        print(json.dumps(facts(tree, shown, form, done)))
    else:
        print("\n\n".join(_printed(shown, output.rows or FEW, output.columns)))


def _elimination(tree: Tree, form: MatrixOptions) -> Elimination | None:
    if form.eliminate is None:
        return None
    whole = normal_form(tree, not form.whole, form.most)
    return eliminated(whole, form.eliminate, by="pure" if form.pure else "mixed")


def _sequences(tree: Tree, solve: bool) -> Sheet:
    plain = sequence_table(tree)  # a game that has none, or too large a one, is not solved first
    if not solve:
        return plain
    return sequence_table(tree, solved(tree))


def _printed(shown: Table | Sheet, rows: int, columns: int | None) -> Iterator[str]:
    """Heading, tables and note, as far as there is room."""
    style = terminal()
    sheet = shown if isinstance(shown, Sheet) else Sheet("", (shown,))
    if sheet.title:
        yield Sheet(sheet.title, (), sheet.facts).text(**style)
    found = excerpts(shown, rows, columns, style["width"])
    for one in found:
        parts = (replace(one.table, note=""), _words(_left(one)), _words(one.table.note))
        yield "\n".join(filter(None, (part.text(most=None, **style) for part in parts)))
    ends = [one for one in found if not one.continued]
    if left := len(sheet) - len(ends):
        matrices = left + sum(isinstance(one.table, Grid) for one in ends)  # all of one size
        size = len(next(table for table in sheet if isinstance(table, Grid)))
        words = f"… {count_text(left, 'more table')}; --rows {matrices * size} shows them"
        yield _words(words).text(**style)
    if sheet.note:
        yield _words(sheet.note).text(**style)


def _words(note: str) -> Table:
    return Table("", (), (), note)


def _left(one: Excerpt) -> str:
    """What is not shown, and how to see it."""
    rows, columns = one.rows, one.columns
    left = [count_text(rows, "more row")] if rows else []
    left += [count_text(columns, "more column")] if columns else []
    if not left:
        return ""
    down = one.table.down if isinstance(one.table, Grid) else len(one.table)
    options = [f"--rows {down + rows}"] if rows else []
    options += [f"--columns {one.across + columns}"] if columns else []
    remedy = f"{' '.join(options)} shows {'it' if rows + columns == 1 else 'them'}"
    return f"… {', '.join(left)}; {remedy}"


def facts(
    tree: Tree, shown: Table | Sheet, form: MatrixOptions, done: Elimination | None = None
) -> dict[str, Any]:
    """All that is shown, and every row, as one JSON object; exact numbers as texts ``p/q``."""
    sheet = shown if isinstance(shown, Sheet) else Sheet(shown.title, (shown,))
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
        "form": "sequence" if form.sequence else "normal" if form.whole else "reduced normal",
        **({} if done is None else {"elimination": _elimination_facts(done)}),
        **sheet.records(),
    }


def _elimination_facts(done: Elimination) -> dict[str, Any]:
    """The rounds, and what is left; strategies by their numbers in the whole form."""
    names = done.form.tree.names
    return {
        "kind": done.kind,
        "by": done.by,
        "rounds": [
            [
                {
                    "player": names[one.player],
                    "strategy": one.strategy,
                    "strictly": one.how.strictly,
                    "by": {str(at): str(weight) for at, weight in one.how.by},
                }
                for one in gone
            ]
            for gone in done.rounds
        ],
        "left": {name: list(own) for name, own in zip(names, done.left, strict=True)},
        "solvable": done.solvable,
    }


command = Command("matrix", MatrixRequest, matrix)
