"""``infoset matrix``: a game as matrices: normal form or sequence form."""

from __future__ import annotations

import json
from pathlib import Path
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
from infoset.cli.progress import interruptible, status
from infoset.cli.showing import TABLES, check_target, terminal
from infoset.errors import ParameterError
from infoset.examine.tables.record import FEW
from infoset.forms.normal import MOST_PROFILES
from infoset.rules.columns import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.examine.tables.record import Sheet, Table
    from infoset.solve import Solution

InSequences = Annotated[
    bool, typer.Option("--sequence", help="The sequence form, not the normal form.")
]
Full = Annotated[
    bool, typer.Option("--full", help="All strategies, also those that always play alike.")
]
Solved = Annotated[
    bool, typer.Option("--solve", help="With --sequence: solve, and show the plans' weights.")
]
Most = Annotated[int, typer.Option("--most", min=1, help="Print so many rows at most.")]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Write all of it to FILE.csv, .tex, .html, .json or .txt.",
        show_default=False,
    ),
]
MaxProfiles = Annotated[
    int, typer.Option("--max-profiles", min=1, help="Give up on larger normal forms.")
]


def matrix(
    name: GameArgument,
    parameters: ParametersArgument = None,
    sequence: InSequences = False,
    full: Full = False,
    solve: Solved = False,
    most: Most = FEW,
    save: Save = None,
    max_profiles: MaxProfiles = MOST_PROFILES,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
) -> None:
    """Show a game's normal form, or its sequence form, as a table.

    In the normal form best responses are marked, and dominated strategies are named.
    """
    _fitting(sequence, full, solve)
    if save is not None:
        check_target(save, TABLES)  # said before the work is done
    tree = named_tree(name, parameters, max_nodes, max_moves, patience)
    shown = _sequences(tree, solve) if sequence else _strategies(tree, full, max_profiles)
    if save is not None:
        shown.save(save)
    if as_json:
        print(json.dumps(facts(tree, shown, sequence, full)))
    else:
        print(shown.text(most=most, **terminal()))


def _fitting(sequence: bool, full: bool, solve: bool) -> None:
    if solve and not sequence:
        raise ParameterError("--solve goes with --sequence, where plans have weights; add that")
    if sequence and full:
        raise ParameterError("--full is of the normal form, --sequence of another; say one of them")


def _strategies(tree: Tree, full: bool, most: int) -> Table | Sheet:
    from infoset.examine.matrices import normal_table

    return normal_table(tree, reduced=not full, most=most)


def _sequences(tree: Tree, solve: bool) -> Sheet:
    from infoset.examine.matrices import sequence_table

    plain = sequence_table(tree)  # a game that has none, or too large a one, is not solved first
    return sequence_table(tree, _solution(tree)) if solve else plain


def _solution(tree: Tree) -> Solution:
    from infoset.solve import solve

    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        return solve(tree, tick=tick, stop=stop)


def facts(tree: Tree, shown: Table | Sheet, sequence: bool, full: bool) -> dict[str, Any]:
    """All that is shown, and every row, as one JSON object; exact numbers as texts ``p/q``."""
    from infoset.examine.tables.record import Sheet

    sheet = shown if isinstance(shown, Sheet) else Sheet(shown.title, (shown,))
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
        "form": "sequence" if sequence else "normal" if full else "reduced normal",
        **sheet.records(),
    }
