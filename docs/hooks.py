"""What the pages print from the code, so that it is written down once.

<!-- library -->             the games of the library
<!-- options of describe -->  the arguments and options of a command
"""

from __future__ import annotations

import re
from typing import Any

from infoset.games import LIBRARY
from infoset.rules import Family

LIBRARY_MARK = "<!-- library -->"
OPTIONS_MARK = re.compile(r"<!-- options of (\w+) -->")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the marks of a page; called by MkDocs."""
    if LIBRARY_MARK in markdown:
        markdown = markdown.replace(LIBRARY_MARK, library())
    return OPTIONS_MARK.sub(lambda found: options(found[1]), markdown)


def library() -> str:
    """All games of the library: a table of them, then a section for each."""
    families = sorted(LIBRARY.values(), key=lambda family: family.name)
    rows = [f"| [`{one.name}`](#{one.name}) | {one.summary} |" for one in families]
    table = "\n".join(["| game | what it is |", "|---|---|", *rows])
    return "\n\n".join([table, *map(_section, families)])


def _section(family: Family) -> str:
    parts = [f"## `{family.name}` {{ #{family.name} }}", family.doc]
    if family.parameters:
        given = ", ".join(f"`{parameter(family, name)}`" for name in family.parameters)
        parts.append(f"Parameters: {given}.")
    if family.requires:
        parts.append(f"Needs: {', '.join(f'`{condition}`' for condition in family.requires)}.")
    if family.source:
        parts.append(f"Source: {family.source}.")
    return "\n\n".join(parts)


def parameter(family: Family, name: str) -> str:
    """A parameter with its default, as on the command line: ``ranks=3``."""
    default = family.parameters[name].default
    if default is family.parameters[name].empty:
        return name
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
    return f"{name}={shown}"


def commands() -> dict[str, Any]:
    """The commands by name."""
    from typer.main import get_command

    from infoset.cli.app import app

    return dict(get_command(app).commands)  # type: ignore[attr-defined]


def options(command: str) -> str:
    """What a command takes, as a table."""
    lines = ["| argument or option | meaning | default |", "|---|---|---|"]
    for parameter in commands()[command].params:
        default = parameter.default if isinstance(parameter.default, int | str) else None
        shown = f"`{default}`" if default not in (None, False) else ""
        lines.append(f"| `{_written(parameter)}` | {parameter.help or ''} | {shown} |")
    return "\n".join(lines)


def _written(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    return ", ".join(parameter.opts) + ("" if parameter.is_flag else " N")  # all are numbers
