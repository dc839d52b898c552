"""``infoset matrix``: a game as matrices: normal form or sequence form.

The normal form may be shown without what is dominated (:mod:`infoset.forms.dominance`). What is
printed is an excerpt, as :mod:`infoset.display.matrices` makes it; files and JSON have all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.analysis.table import FEW, Sheet, Table
from infoset.cli.files import TABLES, check_target
from infoset.cli.game_arguments import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.output import terminal
from infoset.cli.solve_options import TableFile
from infoset.errors import ParameterError, nearest
from infoset.forms.normal import MOST_PROFILES, normal_form
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.display.matrices import Excerpt
    from infoset.forms.dominance import Elimination
    from infoset.solvers import Solution

COLUMNS = 20  # that are printed where nobody asked for more

InSequences = Annotated[
    bool, typer.Option("--sequence", help="The sequence form, not the normal form.")
]
Whole = Annotated[
    bool, typer.Option("--whole", help="All strategies, also those that always play alike.")
]
Solved = Annotated[
    bool, typer.Option("--solve", help="With --sequence: solve, and show the plans' weights.")
]
Eliminate = Annotated[
    str | None,
    typer.Option(
        "--eliminate",
        metavar="strict|weak",
        help="Remove dominated strategies, again and again; show the rounds and what is left.",
    ),
]
OnlyPure = Annotated[
    bool, typer.Option("--pure", help="With --eliminate: dominated by pure strategies only.")
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        min=1,
        help="Print at most so many rows of a table.",
        show_default=str(FEW),
    ),
]
Columns = Annotated[
    int | None,
    typer.Option(
        "--columns",
        metavar="N",
        min=1,
        help="Print at most so many columns of a matrix.",
        show_default=str(COLUMNS),
    ),
]
MaxProfiles = Annotated[
    int | None,
    typer.Option(
        "--max-profiles",
        min=1,
        help="Give up on larger normal forms.",
        show_default=str(MOST_PROFILES),
    ),
]


def matrix(
    name: GameArgument,
    parameters: ParametersArgument = None,
    sequence: InSequences = False,
    whole: Whole = False,
    eliminate: Eliminate = None,
    pure: OnlyPure = False,
    solve: Solved = False,
    rows: Rows = None,
    columns: Columns = None,
    table: TableFile = None,
    max_profiles: MaxProfiles = None,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
) -> None:
    """Show a game's normal form, or its sequence form, as a table.

    In the normal form best responses are marked, and dominated strategies are named. With
    --eliminate they are removed round by round, as long as there are any.
    """
    _check_pairs(sequence, solve, eliminate, pure)
    for option, given in (
        ("--whole", whole),
        ("--eliminate", eliminate),
        ("--max-profiles", max_profiles),
    ):
        if sequence and given:
            raise ParameterError(
                f"{option} is of the normal form, --sequence of another; say one of them"
            )
    for option, most in (("--rows", rows), ("--columns", columns)):
        if as_json and most is not None:
            raise ParameterError(f"{option} is of what is printed; --json has all")
    if table is not None:
        check_target(table, TABLES)  # said before the work is done
    tree = named_tree(name, parameters, max_nodes, max_moves, patience)
    largest = max_profiles or MOST_PROFILES
    done = None if eliminate is None else _eliminated(tree, whole, largest, eliminate, pure)
    shown = _sequences(tree, solve) if sequence else _strategies(tree, whole, largest, done)
    if table is not None:
        shown.save(table)
    if as_json:
        print(json.dumps(facts(tree, shown, sequence, whole, done)))
    else:
        print("\n\n".join(_printed(shown, rows or FEW, columns or COLUMNS)))


def _check_pairs(sequence: bool, solve: bool, eliminate: str | None, pure: bool) -> None:
    """Some options go with others only."""
    if solve and not sequence:
        raise ParameterError("--solve goes with --sequence, where plans have weights; add that")
    if pure and eliminate is None:
        raise ParameterError("--pure says by what --eliminate removes strategies; add that")
    if eliminate is not None:
        from infoset.forms.dominance import KINDS

        if eliminate not in KINDS:
            raise ParameterError(f"--eliminate {eliminate}: {nearest(eliminate, KINDS)}")


def _printed(shown: Table | Sheet, rows: int, columns: int) -> Iterator[str]:
    """Heading, tables and note, as far as there is room."""
    from infoset.analysis.matrices import Grid
    from infoset.display.matrices import excerpts
    from infoset.text import count_text

    style = terminal()
    sheet = shown if isinstance(shown, Sheet) else Sheet("", (shown,))
    if sheet.title:
        yield Sheet(sheet.title, (), sheet.facts).text(**style)
    found = excerpts(shown, rows, columns, style["width"])
    for one in found:
        parts = (replace(one.table, note=""), _words(_left(one)), _words(one.table.note))
        yield "\n".join(filter(None, (part.text(most=None, **style) for part in parts)))
    if left := len(sheet) - len(found):
        matrices = left + sum(isinstance(one.table, Grid) for one in found)  # all of one size
        size = len(next(table for table in sheet if isinstance(table, Grid)))
        words = f"… {count_text(left, 'more table')}; --rows {matrices * size} shows them"
        yield _words(words).text(**style)
    if sheet.note:
        yield _words(sheet.note).text(**style)


def _words(note: str) -> Table:
    return Table("", (), (), note)


def _left(one: Excerpt) -> str:
    """What is not shown, and how to see it."""
    from infoset.analysis.matrices import Grid
    from infoset.text import count_text

    rows, columns = one.rows, one.columns
    left = [count_text(rows, "more row")] if rows else []
    left += [count_text(columns, "more column")] if columns else []
    if not left:
        return ""
    table = one.table
    if one.narrow:
        remedy = "--table FILE has all"
    else:
        down, across = (
            (table.down, len(table.across)) if isinstance(table, Grid) else (len(table), 0)
        )
        options = [f"--rows {down + rows}"] if rows else []
        options += [f"--columns {across + columns}"] if columns else []
        remedy = f"{' '.join(options)} shows {'it' if rows + columns == 1 else 'them'}"
    return f"… {', '.join(left)}; {remedy}"


def _strategies(tree: Tree, whole: bool, most: int, done: Elimination | None) -> Table | Sheet:
    from infoset.analysis.matrices import elimination_table, normal_table

    if done is not None:
        return elimination_table(done)
    return normal_table(tree, reduced=not whole, most=most)


def _eliminated(tree: Tree, whole: bool, most: int, kind: str, pure: bool) -> Elimination:
    from infoset.forms.dominance import eliminate

    return eliminate(normal_form(tree, not whole, most), kind, by="pure" if pure else "mixed")


def _sequences(tree: Tree, solve: bool) -> Sheet:
    from infoset.analysis.matrices import sequence_table

    plain = sequence_table(tree)  # a game that has none, or too large a one, is not solved first
    return sequence_table(tree, _solution(tree)) if solve else plain


def _solution(tree: Tree) -> Solution:
    from infoset.cli.questions import Strategies

    return Strategies(tree).solution


def facts(
    tree: Tree,
    shown: Table | Sheet,
    sequence: bool,
    whole: bool,
    done: Elimination | None = None,
) -> dict[str, Any]:
    """All that is shown, and every row, as one JSON object; exact numbers as texts ``p/q``."""
    sheet = shown if isinstance(shown, Sheet) else Sheet(shown.title, (shown,))
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
        "form": "sequence" if sequence else "normal" if whole else "reduced normal",
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
