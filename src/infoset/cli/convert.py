"""``infoset convert``: a game as a file of Gambit's."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from infoset.cli.files import check_target
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_tree
from infoset.cli.options import Command, argument, group, option
from infoset.cli.output import JsonOption
from infoset.errors import FileError
from infoset.forms import normal_form
from infoset.forms.normal import MOST_PROFILES
from infoset.text import printable
from infoset.tree import MatrixGame, Tree
from infoset.tree.files import is_plain, load_table, plain_labels, save


@dataclass(frozen=True)
class GameAndFile(GameArguments):
    """A game with its parameters, and then a file."""

    parameters: tuple[str, ...] = argument(
        "Parameters of the game, then the file to write: FILE.efg or FILE.nfg.",
        "[NAME=VALUE]... FILE",
    )


@dataclass(frozen=True)
class Writing:
    """How the file is written."""

    max_profiles: int = option(
        "Give up on larger payoff tables.", default=MOST_PROFILES, minimum=1, keyword="most"
    )
    ascii_only: bool = option(
        "Write labels in plain ASCII, as Gambit 16 needs them.", flags="--ascii", default=False
    )


@dataclass(frozen=True)
class ConvertRequest:
    """All that is asked of ``infoset convert``."""

    game: GameAndFile = group()
    writing: Writing = group()
    output: JsonOption = group()
    limits: LimitOptions = group("Limits")


def convert(request: ConvertRequest) -> None:
    """Write a game as FILE.efg (its tree) or FILE.nfg (its reduced normal form)."""
    name, ascii_only = request.game.name, request.writing.ascii_only
    *given, target = request.game.parameters
    path = Path(target)
    if path.suffix.lower() not in (".efg", ".nfg"):
        raise FileError(f"{target!r}: the last word says where to write: FILE.efg or FILE.nfg")
    check_target(path)  # said before the work is done
    tree = named_tree(replace(request.game, parameters=tuple(given)), request.limits)
    game: Tree | MatrixGame = tree
    if path.suffix.lower() == ".nfg":
        is_table = name.lower().endswith(".nfg")
        game = (
            load_table(name)
            if is_table
            else normal_form(tree, most=request.writing.max_profiles).table()
        )
    if ascii_only:
        game = plain_labels(game)
    save(game, path)
    if request.output.as_json:
        print(json.dumps({"game": tree.name, "nodes": len(tree), "file": str(path)}))
    else:
        print(f"{printable(tree.name)}: {len(tree):,} nodes, written to {path}")
        if not ascii_only and not is_plain(game):
            print("its labels are not plain ASCII: for Gambit 16, write them with --ascii")


command = Command("convert", ConvertRequest, convert)
