"""``infoset tree``: a game's tree as text, or all of it for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infoset.cli.files import DRAWINGS, check_target
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_tree
from infoset.cli.options import Command, group, option
from infoset.cli.output import JsonOption, PictureOptions, check_no_title
from infoset.cli.records import tree_record
from infoset.errors import ParameterError
from infoset.text import printable, text
from infoset.tree import Tree
from infoset.tree.outline import MOST_LINES, draw


@dataclass(frozen=True)
class DrawingOptions:
    """What is drawn."""

    depth: int | None = option("Draw so many moves deep.", minimum=0)
    lines: int | None = option("At most so many lines.", minimum=1, unset=f"{MOST_LINES}")
    draw: Path | None = option("Write a picture instead (svg, png, pdf, tex).")


@dataclass(frozen=True)
class TreeRequest:
    """All that is asked of ``infoset tree``."""

    game: GameArguments = group()
    drawing: DrawingOptions = group()
    output: JsonOption = group()
    picture: PictureOptions = group("Pictures")
    limits: LimitOptions = group("Limits")


def tree(request: TreeRequest) -> None:
    """Draw a game's tree with its information sets, as text or as a picture."""
    asked, picture, as_json = request.drawing, request.picture, request.output.as_json
    picture.check(asked.draw)
    check_no_title(picture.no_title, asked.draw)
    if asked.draw is not None:
        check_target(asked.draw, DRAWINGS)
    for flag, given in (("--depth", asked.depth), ("--lines", asked.lines)):
        if given is not None and (asked.draw is not None or as_json):
            raise ParameterError(f"{flag} is for the tree as text, not for --draw or --json")
    built = named_tree(request.game, request.limits)
    if asked.draw is not None:
        built.draw(asked.draw, **picture.of_drawings)
        if not as_json:
            sizes = f"{printable(built.name)}: {len(built):,} nodes"
            print(f"{sizes}, drawn in {printable(str(asked.draw))}")
            return
    if as_json:
        print(json.dumps(everything(built)))
    else:
        print(draw(built, asked.lines or MOST_LINES, asked.depth))


def everything(tree: Tree) -> dict[str, Any]:
    """The whole tree as one JSON object; numbers that need not be whole as texts."""
    return {
        **tree_record(tree),
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


command = Command("tree", TreeRequest, tree)
