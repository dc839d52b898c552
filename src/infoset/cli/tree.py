"""``infoset tree``: a game's tree as text, or all of it for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from infoset.cli.files import DRAWINGS, check_target
from infoset.cli.game_arguments import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.output import Look, Most, Orientation, Theme
from infoset.errors import ParameterError
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.text import printable, text
from infoset.tree import Tree
from infoset.tree.outline import MOST_LINES, draw


def tree(
    name: GameArgument,
    parameters: ParametersArgument = None,
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, help="Draw so many moves deep.")
    ] = None,
    lines: Annotated[
        int | None,
        typer.Option("--lines", min=1, help="At most so many lines.", show_default=f"{MOST_LINES}"),
    ] = None,
    drawn: Annotated[
        Path | None,
        typer.Option(
            "--draw",
            metavar="FILE",
            help="Write a picture instead (svg, png, pdf, tex).",
            show_default=False,
        ),
    ] = None,
    orientation: Orientation = None,
    theme: Theme = None,
    most: Most = None,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
) -> None:
    """Draw a game's tree with its information sets, as text or as a picture."""
    look = Look(orientation, theme, most)
    look.check(drawn)
    if drawn is not None:
        check_target(drawn, DRAWINGS)
    for option, given in (("--depth", depth), ("--lines", lines)):
        if given is not None and (drawn is not None or as_json):
            raise ParameterError(f"{option} is for the tree as text, not for --draw or --json")
    grown = named_tree(name, parameters, max_nodes, max_moves, patience)
    if drawn is not None:
        grown.draw(drawn, **look.options)
        if not as_json:
            sizes = f"{printable(grown.name)}: {len(grown):,} nodes"
            print(f"{sizes}, drawn in {printable(str(drawn))}")
            return
    if as_json:
        print(json.dumps(everything(grown)))
    else:
        print(draw(grown, lines or MOST_LINES, depth))


def everything(tree: Tree) -> dict[str, Any]:
    """The whole tree as one JSON object; numbers that need not be whole as texts."""
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infosets),
        "parent": tree.parent.tolist(),
        "action": tree.action.tolist(),
        "player": tree.player.tolist(),
        "infoset": tree.infoset.tolist(),
        "outcome": tree.outcome.tolist(),
        "information_sets": [
            {
                "player": infoset.player,
                "label": infoset.label,
                "actions": [text(action) for action in infoset.actions],
            }
            for infoset in tree.infosets
        ],
        "lotteries": [
            {
                "outcomes": [text(outcome) for outcome in lottery.outcomes],
                "probabilities": [str(chance) for chance in lottery.probabilities],
            }
            for lottery in tree.lotteries
        ],
        "payoffs": [[str(amount) for amount in vector] for vector in tree.payoffs],
    }
