"""The package's docstrings as Markdown: examples in fences, roles as plain code.

Docstrings are written for ``help()``: examples stand as ``>>>`` lines, and names have roles, as in
``:class:`Play```. Markdown would take the first for quotations and print the second as they are.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

ROLE = re.compile(r":(?:attr|class|func|meth|mod):(?=`)")
EXAMPLE = re.compile(r"^( *)>>> .*\n(?:\1(?!>>>).*\S.*\n?|\1>>> .*\n?)*", re.MULTILINE)


def as_markdown(docstring: str) -> str:
    """A docstring with its examples fenced and without roles."""
    plain = ROLE.sub("", docstring) + "\n"
    return EXAMPLE.sub(_fenced, plain)


def _fenced(example: re.Match[str]) -> str:
    indent = example[1]
    return f"{indent}```pycon\n{example[0].rstrip()}\n{indent}```\n"


class Docstrings(Extension):
    """Rewrites every docstring as it is loaded."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
