"""What the pages print from the code, so that it is written down once.

<!-- library -->             the games of the library
<!-- solvers -->             the methods of solving
<!-- options of describe -->  the arguments and options of a command
<!-- rules of kuhn -->        the rules of a game of the library, as they are written
<!-- notebook NAME -->        a notebook of docs/notebooks with its outputs
"""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from infoset.cli.options import Command, takers
from infoset.games import LIBRARY
from infoset.rules import Family
from infoset.solvers.registry import SOLVERS, Solver

LIBRARY_MARK = "<!-- library -->"
SOLVERS_MARK = "<!-- solvers -->"
OPTIONS_MARK = re.compile(r"<!-- options of (\w+) -->")
RULES_MARK = re.compile(r"<!-- rules of (\w+) -->")
NOTEBOOK_MARK = re.compile(r"<!-- notebook ([\w-]+) -->")
NOTEBOOKS = Path(__file__).parent / "notebooks"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the marks of a page; called by MkDocs."""
    if LIBRARY_MARK in markdown:
        markdown = markdown.replace(LIBRARY_MARK, library())
    if SOLVERS_MARK in markdown:
        markdown = markdown.replace(SOLVERS_MARK, solvers())
    markdown = markdown.replace("<BLANKLINE>\n", "\n")  # what doctests need, and readers do not
    markdown = RULES_MARK.sub(lambda found: rules(found[1]), markdown)
    markdown = NOTEBOOK_MARK.sub(lambda found: notebook(found[1]), markdown)
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


def solvers() -> str:
    """All methods: a table of what they take and give, then a section for each."""
    lines = ["| method | games | works on | gives | exact |", "|---|---|---|---|---|"]
    lines += [
        f"| [`{row.name}`](#{row.name}) | "
        + " | ".join((row.takes, row.form, row.gives_text, row.exact))
        + " |"
        for row in SOLVERS
    ]
    return "\n\n".join(["\n".join(lines), *map(_method, SOLVERS)])


def _method(row: Solver) -> str:
    textbook_page = f"How it works: [the textbook](../textbook/{row.textbook_page or row.name}.md)."
    about = f"{row.about[0].upper()}{row.about[1:]}."
    return "\n\n".join([f"### `{row.name}` {{ #{row.name} }}", about, textbook_page])


def commands() -> dict[str, Command[Any]]:
    """The commands by name."""
    from infoset.cli.app import COMMANDS

    return {name: import_module(f"infoset.cli.{name}").command for name in COMMANDS}


def options(command: str) -> str:
    """What a command takes, as a table; options of some methods only say which they are."""
    lines = ["| argument or option | meaning | default |", "|---|---|---|"]
    for one in commands()[command].options:
        told = one.help.replace("|", "\\|")
        if one.takes is not None:
            told += f" ({', '.join(takers(one))})"
        default = "" if one.unset == "none" else one.unset
        lines.append(f"| `{one.usage}` | {told} | {default} |")
    lines += [f"| `{one.opts[0]}` | {one.help} | |" for one in commands()[command].more]
    return "\n".join(lines)


def rules(name: str) -> str:
    """The rules of a game of the library."""
    return f"```python\n{inspect.getsource(LIBRARY[name].rules).rstrip()}\n```"


def notebook(name: str) -> str:
    """A notebook as a page: its text, its code, and what came of it."""
    content = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
    parts = []
    for cell in content["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(output["data"]) for output in cell["outputs"] if "data" in output]
    return "\n\n".join(parts)


def _output(data: dict[str, Any]) -> str:
    """What a cell showed, in the richest of its forms."""
    if "text/html" in data:
        return f"<div>{''.join(data['text/html'])}</div>"
    if "image/svg+xml" in data:
        return f"<div>{''.join(data['image/svg+xml'])}</div>"
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        return f'<div><img alt="" src="data:image/png;base64,{picture}"></div>'
    return f"```text\n{''.join(data['text/plain'])}\n```"
