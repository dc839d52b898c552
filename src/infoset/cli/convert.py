"""``infoset convert``: a game as a file of Gambit's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from infoset.cli.files import check_target
from infoset.cli.game_arguments import GameArgument, Json, MaxMoves, MaxNodes, Patience, named_tree
from infoset.errors import FileError
from infoset.forms import normal_form
from infoset.forms.normal import MOST_PROFILES
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.text import printable
from infoset.tree import MatrixGame, Tree
from infoset.tree.files import is_plain, load_table, plain_labels, save


def convert(
    name: GameArgument,
    parameters: Annotated[
        list[str],
        typer.Argument(metavar="[NAME=VALUE]... FILE", help="Where to: FILE.efg or FILE.nfg."),
    ],
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    max_profiles: Annotated[
        int, typer.Option("--max-profiles", min=1, help="Give up on larger payoff tables.")
    ] = MOST_PROFILES,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Labels in plain ASCII, which Gambit 16 insists on.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a game as FILE.efg (its tree) or FILE.nfg (its reduced normal form)."""
    *given, target = parameters
    path = Path(target)
    if path.suffix.lower() not in (".efg", ".nfg"):
        raise FileError(f"{target!r}: the last word says where to write: FILE.efg or FILE.nfg")
    check_target(path)  # said before the work is done
    tree = named_tree(name, given, max_nodes, max_moves, patience)
    game: Tree | MatrixGame = tree
    if path.suffix.lower() == ".nfg":
        is_table = name.lower().endswith(".nfg")
        game = load_table(name) if is_table else normal_form(tree, most=max_profiles).table()
    if ascii_only:
        game = plain_labels(game)
    save(game, path)
    if as_json:
        print(json.dumps({"game": tree.name, "nodes": len(tree), "file": str(path)}))
    else:
        print(f"{printable(tree.name)}: {len(tree):,} nodes, written to {path}")
        if not ascii_only and not is_plain(game):
            print("its labels are not plain ASCII: for Gambit 16, write them with --ascii")
