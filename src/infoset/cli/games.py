"""``infoset games``: the library."""

from __future__ import annotations

import json
from dataclasses import dataclass

from infoset.cli.game_arguments import named_family
from infoset.cli.options import Command, argument, group
from infoset.cli.output import JsonOption
from infoset.games import LIBRARY
from infoset.rules import Family


@dataclass(frozen=True)
class GameName:
    """A game of the library or of a file."""

    name: str | None = argument("Show the rules of this one.", "[NAME]", default=None)


@dataclass(frozen=True)
class GamesRequest:
    """All that is asked of ``infoset games``."""

    game: GameName = group()
    output: JsonOption = group()


def games(request: GamesRequest) -> None:
    """List the games of the library, or show the rules of one."""
    name, as_json = request.game.name, request.output.as_json
    if name is not None:
        family = named_family(name)
        print(json.dumps(_facts(family)) if as_json else _page(family))
    elif as_json:
        listed = [_facts(family) for family in LIBRARY.values()]
        print(json.dumps({"games": listed}))
    else:
        _table()


def _parameters(family: Family) -> str:
    return " ".join(
        name if parameter.default is parameter.empty else f"{name}={_value(parameter.default)}"
        for name, parameter in family.parameters.items()
    )


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _facts(family: Family) -> dict[str, object]:
    defaults = {
        name: value if isinstance(value, int | str | bool) else _value(value)
        for name, value in family.defaults.items()
    }
    return {
        "game": family.name,
        "parameters": defaults,
        "requires": list(family.requires),
        "summary": family.summary,
        "source": family.source,
    }


def _page(family: Family) -> str:
    lines = [f"{family.name} {_parameters(family)}".strip(), "", family.doc]
    if family.requires:
        lines += ["", f"Needs: {', '.join(family.requires)}."]
    if family.source:
        lines += ["", f"Source: {family.source}."]
    return "\n".join(lines)


def _table() -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("parameters")
    table.add_column("what it is")
    for family in sorted(LIBRARY.values(), key=lambda one: one.name):
        table.add_row(family.name, _parameters(family), family.summary)
    Console(highlight=False, markup=False).print(table)


command = Command("games", GamesRequest, games)
