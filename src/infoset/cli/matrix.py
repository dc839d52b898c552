"""``infoset matrix``: a game as matrices: normal form or sequence form.

What is printed is an excerpt, as :mod:`infoset.examine.matrices.excerpt` makes it; files and JSON
have all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.naming import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.showing import TABLES, check_target, terminal
from infoset.cli.solve import TableFile
from infoset.errors import ParameterError
from infoset.examine.tables.record import FEW, Sheet, Table
from infoset.forms.normal import MOST_PROFILES
from infoset.rules.columns import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.examine.matrices.excerpt import Excerpt
    from infoset.solve import Solution

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

    In the normal form best responses are marked, and dominated strategies are named.
    """
    if solve and not sequence:
        raise ParameterError("--solve goes with --sequence, where plans have weights; add that")
    for option, given in (("--whole", whole), ("--max-profiles", max_profiles)):
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
    shown = _sequences(tree, solve) if sequence else _strategies(tree, whole, largest)
    if table is not None:
        shown.save(table)
    if as_json:
        print(json.dumps(facts(tree, shown, sequence, whole)))
    else:
        print("\n\n".join(_printed(shown, rows or FEW, columns or COLUMNS)))


def _printed(shown: Table | Sheet, rows: int, columns: int) -> Iterator[str]:
    """Heading, tables and note, as far as there is room."""
    from infoset.examine.matrices.excerpt import excerpts
    from infoset.examine.matrices.words import Grid
    from infoset.examine.tables.cells import several

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
        words = f"… {several(left, 'more table')}; --rows {matrices * len(sheet[0])} shows them"
        yield _words(words).text(**style)
    if sheet.note:
        yield _words(sheet.note).text(**style)


def _words(note: str) -> Table:
    return Table("", (), (), note)


def _left(one: Excerpt) -> str:
    """What is not shown, and how to see it."""
    from infoset.examine.matrices.words import Grid
    from infoset.examine.tables.cells import several

    rows, columns = one.rows, one.columns
    left = [several(rows, "more row")] if rows else []
    left += [several(columns, "more column")] if columns else []
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


def _strategies(tree: Tree, whole: bool, most: int) -> Table | Sheet:
    from infoset.examine.matrices import normal_table

    return normal_table(tree, reduced=not whole, most=most)


def _sequences(tree: Tree, solve: bool) -> Sheet:
    from infoset.examine.matrices import sequence_table

    plain = sequence_table(tree)  # a game that has none, or too large a one, is not solved first
    return sequence_table(tree, _solution(tree)) if solve else plain


def _solution(tree: Tree) -> Solution:
    from infoset.cli.asking import Strategies

    return Strategies(tree).solution


def facts(tree: Tree, shown: Table | Sheet, sequence: bool, whole: bool) -> dict[str, Any]:
    """All that is shown, and every row, as one JSON object; exact numbers as texts ``p/q``."""
    sheet = shown if isinstance(shown, Sheet) else Sheet(shown.title, (shown,))
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
        "form": "sequence" if sequence else "normal" if whole else "reduced normal",
        **sheet.records(),
    }
