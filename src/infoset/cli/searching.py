"""``infoset solve GAME --method smab``: answers of a search, which builds no tree.

What is shown is what the search came to: the value and how it is known, the counts, and what to do
at the start or after the moves that ``--after`` names. With ``--verify`` the decisions are placed
on the tree, and their regret is proved as that of any other method.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from infoset.analysis.table import Sheet
from infoset.cli.output import FEW, Writing, terminal
from infoset.cli.progress import status
from infoset.cli.solve_options import IMP, Request
from infoset.display.searched import decisions, search_of, searched_sheet
from infoset.errors import ParameterError
from infoset.rules import Game, Position
from infoset.search import SEARCHES
from infoset.solvers import Solution
from infoset.solvers.interrupt import interruptible
from infoset.text import brief, spelled, text
from infoset.tree import Tree


def run_search(game: Game | Tree, request: Request) -> Solution:
    """Search a game by its rules."""
    method, exact = request.method or "", request.how.exact
    keywords = request.search.keywords(method, request.how.seconds)
    if method not in IMP:
        keywords["exact"] = bool(exact)
    elif exact is False:
        raise ParameterError(f"--floats: {method} computes in exact numbers")
    name = brief(repr(game) if isinstance(game, Game) else game.name)
    with (
        redirect_stdout(sys.stderr),  # what rules print is no part of the answer
        interruptible() as stop,
        status(f"searching {name}") as tick,
    ):
        return SEARCHES[method](game, stop=stop, tick=tick, **keywords)


def verified(found: Solution, tree: Tree) -> Solution:
    """What the search decides, placed on the tree and proved."""
    with redirect_stdout(sys.stderr), status(f"verifying {brief(tree.name)}"):
        return found.on_tree(tree)


@dataclass(frozen=True)
class SearchedAnswer:
    """What a search came to."""

    request: Request
    found: Solution

    @cached_property
    def _position(self) -> Position | None:
        return _after(self.found, self.request.search.after)

    @cached_property
    def _sheet(self) -> Sheet:
        with redirect_stdout(sys.stderr):
            return searched_sheet(self.found, self._position)

    def files(self) -> Sequence[Writing]:
        """The decisions."""
        output, sheet = self.request.output, self._sheet
        return (
            ("the decisions", output.csv, sheet.save),
            ("the decisions", output.table, sheet.save),
        )

    def notes(self) -> str:
        """Nothing more."""
        return ""

    def text(self) -> str:
        """All that is shown, for the terminal."""
        return self._sheet.text(most=FEW, **terminal())

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        found, search = self.found, search_of(self.found)
        return {
            "game": found.name,
            "players": list(found.players),
            "nodes": found.work.get("nodes", 0),
            "method": found.method,
            "value": _written(found.value),
            "value_bounds": [_written(bound) for bound in search.bounds],
            "error": search.error,
            "optimal": search.optimal,
            "because": search.reason,
            "depth": search.depth,
            "counts": dict(found.work),
            "seconds": round(found.seconds, 6),
            "seconds_in_programs": round(search.lp_seconds, 6),
            "note": found.note,
            "decisions": [
                {**row, "plays": [[text(option), spelled(one)] for option, one in row["plays"]]}
                for row in decisions(search, self._position)
            ],
        }


def _written(amount: Any) -> Any:
    return None if amount is None else spelled(amount)


def _after(found: Solution, moves: tuple[str, ...]) -> Position | None:
    """The position after some moves, as they were typed."""
    if not moves:
        return None
    position = search_of(found).source.start
    for typed in moves:
        menus = [position.options(mover) for mover in position.movers]
        if not menus:
            menus = [[outcome for outcome, _ in position.chances()]]
        if position.over or not menus[0]:
            raise ParameterError(f"--after {typed!r:.40}: the game is over before")
        words = [part.strip() for part in typed.split(",")] if len(menus) > 1 else [typed]
        if len(words) != len(menus):
            who = ", ".join(position.movers)
            raise ParameterError(
                f"--after {typed!r:.40}: give a move for each of {who}, with a comma between"
            )
        chosen = tuple(_move(word, menu) for word, menu in zip(words, menus, strict=True))
        position = position.after(chosen if len(chosen) > 1 else chosen[0])
    return position


def _move(word: str, menu: Any) -> Any:
    for option in menu:
        if text(option) == word:
            return option
    listed = ", ".join(map(text, list(menu)[:8]))
    raise ParameterError(f"--after {word!r:.40} is not among {listed:.120}")
