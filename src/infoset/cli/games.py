"""``infoset games``: the library."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from infoset.cli.game_arguments import Json
from infoset.games import LIBRARY
from infoset.rules import Family


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Tell all about one game.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games of the library, or tell the rules of one."""
    from infoset.cli.game_arguments import named_family

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
