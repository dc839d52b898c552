"""``infoset solve GAME --method smab``: answers of a search, which builds no tree.

What is shown is what the search came to: the value and how it is known, the counts, and what to do
at the start or after the moves that ``--after`` names. ``--verify`` builds the tree and proves the
regret, as any other method does.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.cli.correlated import Written
from infoset.cli.files import write_all
from infoset.cli.output import FEW, terminal
from infoset.cli.progress import status
from infoset.cli.solve_options import IMP, Searching
from infoset.errors import InfosetError, ParameterError
from infoset.rules import Game, Position
from infoset.solvers.interrupt import interruptible
from infoset.text import brief, text

if TYPE_CHECKING:
    from infoset.solvers import Solution
    from infoset.tree import Tree

# What is a setting in Python, and an option here; then what says that it is not wanted.
OPTIONS = {
    "bounds": "--bounds",
    "compiled": "--compiled",
    "deepening": "--time",
    "depth": "--depth",
    "evaluator": "--evaluator",
    "exact": "--exact",
    "information_set_pruning": "--pruning",
    "immediate_pruning": "--pruning",
    "order": "--order",
    "ordering": "--best-first",
    "seconds": "--time",
    "skip": "--skip",
    "transpositions": "--transpositions",
}
AGAINST = {
    "compiled": "--interpreted",
    "exact": "--floats",
    "transpositions": "--no-transpositions",
}
REMEDIES = {"leave it out to search in Python": "--interpreted searches in Python"}

# A setting with its value, if it has one; but no parameter of a game, which is written game(a=, b=)
SETTING = re.compile(
    rf"(?<!\()(?<!, )\b(?P<name>{'|'.join(OPTIONS)})="
    r"(?:(?P<switch>True|False)\b|'(?P<word>[^']*)'|(?P<number>-?\d[\d./]*)|(?P<pair>\([^()]*\)))?"
)


def in_options(message: str) -> str:
    """What a search says of its settings, in the command's words.

    >>> in_options("goofspiel(cards=4, order='up'): stops short; give bounds=(least, most)")
    "goofspiel(cards=4, order='up'): stops short; give --bounds LOW,HIGH"
    >>> in_options("order='round': known: 'l-shaped'"), in_options("give evaluator= or depth=")
    ("--order round: known: 'l-shaped'", 'give --evaluator or --depth')
    """
    for python, command in REMEDIES.items():
        message = message.replace(python, command)
    return SETTING.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    name = found["name"]
    if found["switch"] == "False" and name in AGAINST:
        return AGAINST[name]
    if found["pair"] is not None:
        return f"{OPTIONS[name]} LOW,HIGH"
    value = found["word"] if found["word"] is not None else found["number"]
    return OPTIONS[name] if value is None else f"{OPTIONS[name]} {value}"


@contextmanager
def _in_options() -> Iterator[None]:
    """Whatever is refused here is refused in the command's words."""
    try:
        yield
    except InfosetError as error:
        raise type(error)(in_options(str(error))) from error


def searched(
    game: Game | Tree,
    method: str,
    asked: Searching,
    exact: bool | None,
    seconds: float | None,
) -> Solution:
    """The search, with all that rules have to do for it."""
    from infoset.search import SEARCHES

    wishes = asked.wishes(method, seconds)
    if method not in IMP:
        wishes["exact"] = bool(exact)
    elif exact is False:
        raise ParameterError(f"--floats: {method} counts in exact numbers")
    called = brief(repr(game) if isinstance(game, Game) else game.name)
    with (
        _in_options(),
        redirect_stdout(sys.stderr),  # what rules print is none of ours
        interruptible() as stop,
        status(f"searching {called}") as tick,
    ):
        return SEARCHES[method](game, stop=stop, tick=tick, **wishes)


def show_search(
    found: Solution, asked: Searching, csv: Path | None, table: Path | None, as_json: bool
) -> None:
    """What a search came to, printed and written."""
    from infoset.display.searched import searched_sheet

    Written(table, csv).check("one")
    position = _after(found, asked.after)
    with _in_options(), redirect_stdout(sys.stderr):
        sheet = searched_sheet(found, position)
    told, problem = write_all(
        ("the decisions", csv, sheet.save),
        ("the decisions", table, sheet.save),
    )
    if as_json:
        print(json.dumps(searched_record(found, position), allow_nan=False))
    else:
        parts = (sheet.text(most=FEW, **terminal()), told)
        print("\n\n".join(part for part in parts if part))
    if problem is not None:  # the answer is not lost for it
        raise problem


def _after(found: Solution, moves: tuple[str, ...]) -> Position | None:
    """The position after some moves, as they were typed."""
    from infoset.display.searched import search_of

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
        chosen = tuple(_found(word, menu) for word, menu in zip(words, menus, strict=True))
        position = position.after(chosen if len(chosen) > 1 else chosen[0])
    return position


def _found(word: str, menu: Any) -> Any:
    for option in menu:
        if text(option) == word:
            return option
    listed = ", ".join(map(text, list(menu)[:8]))
    raise ParameterError(f"--after {word!r:.40} is not among {listed:.120}")


def searched_record(found: Solution, position: Position | None = None) -> dict[str, Any]:
    """What a search came to, as one JSON object."""
    from infoset.display.searched import decisions, search_of
    from infoset.text import spelled

    def written(amount: Any) -> Any:
        return None if amount is None else spelled(amount)

    search = search_of(found)
    return {
        "game": found.name,
        "players": list(found.players),
        "nodes": found.work.get("nodes", 0),
        "method": found.method,
        "value": written(found.value),
        "value_bounds": [written(bound) for bound in search.bounds],
        "error": search.error,
        "optimal": search.optimal,
        "because": search.reason,
        "depth": search.depth,
        "counts": dict(found.work),
        "seconds": round(found.seconds, 6),
        "seconds_in_programs": round(search.lp_seconds, 6),
        "note": found.note,
        "decisions": [
            {**row, "plays": [[text(option), spelled(share)] for option, share in row["plays"]]}
            for row in decisions(search, position)
        ],
    }


def verified(found: Solution, tree: Tree) -> Solution:
    """What the search decides, placed on the tree and proved."""
    with _in_options(), redirect_stdout(sys.stderr), status(f"verifying {brief(tree.name)}"):
        return found.on_tree(tree)
