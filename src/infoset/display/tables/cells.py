r"""The cells of a table as text, escaped for the format that they go into.

LaTeX without packages has its own traps besides the ten special characters: ``\\`` takes a ``[`` or
a ``*`` that follows it for its own argument, ``<`` and ``|`` are other characters in its default
font, two hyphens join to a dash, and card suits are mathematics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, islice, repeat
from typing import Any

from infoset.analysis.table import Amounts, Column
from infoset.text import LABEL, is_number, label_text, number_text, text

BLOCKS = " ▏▎▍▌▋▊▉█"  # none to eight eighths
BAR = 8  # blocks of a whole bar

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "{}$&#_%"},
    **{sign: f"{{{sign}}}" for sign in "[]*"},
    **{sign: f"${sign}$" for sign in "<>|"},
    '"': "''",
    "`": r"\`{}",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "…": r"\ldots{}",
    "−": "$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "∞": r"$\infty$",
    "∅": r"$\emptyset$",
}
_LATEX = str.maketrans(LATEX)


def bar(value: Any) -> str:
    """A probability as a bar of eighths of a block; it is full for 1 only, and empty for 0 only.

    >>> bar(2 / 3), bar(1), bar(1e-9), bar(0)
    ('█████▎', '████████', '▏', '')
    """
    if not value > 0:  # nan is neither
        return ""
    eighths = max(1, int(min(value, 1) * (len(BLOCKS) - 1) * BAR))
    full, rest = divmod(eighths, len(BLOCKS) - 1)
    return BLOCKS[-1] * full + BLOCKS[rest].strip()


def cell_text(cell: object, most: int) -> str:
    """A cell for people, as plain text on one line.

    >>> cell_text(Amounts((1, -1), (True, False)), 60), cell_text(None, 60), cell_text("[pass]", 60)
    ('1*, -1', '', '[pass]')
    >>> cell_text(Amounts(tuple(range(100)), ()), 20)
    '0, 1, 2, 3, 4, 5, …'
    """
    if isinstance(cell, str):
        return label_text(cell, most)
    if cell is None:
        return ""
    if is_number(cell):
        return number_text(cell)
    if isinstance(cell, Amounts):
        return _amounts_text(cell, most)
    return label_text(("no", "yes")[cell] if isinstance(cell, bool) else text(cell), most)


def _amounts_text(cell: Amounts, most: int) -> str:
    """As many of the numbers as have room, each of them whole; if there are more, … ends them."""
    told: list[str] = []
    for value, mark in amounts(cell, most):
        told.append(amount_cell(value) + "*" * mark)
        if len(", ".join(told)) > most:
            break
    if len(told) == len(cell.values) and len(", ".join(told)) <= most:
        return ", ".join(told)
    while told and len(", ".join([*told, "…"])) > most:
        told.pop()
    return ", ".join([*told, "…"])


def amount_cell(value: object) -> str:
    """One of several numbers; without commas, which stand between them."""
    return number_text(value, commas=False) if is_number(value) else cell_text(value, 20)


def amounts(cell: Amounts, most: int | None = None) -> Iterator[tuple[Any, bool]]:
    """The values of a cell, each with whether it is marked, or the first of them.

    >>> list(amounts(Amounts((1, 2), (True,))))
    [(1, True), (2, False)]
    """
    marks = chain(cell.marked, repeat(False))
    return islice(zip(cell.values, marks, strict=False), most)


def full_rows(columns: Sequence[Column], row: tuple[Any, ...]) -> Iterator[tuple[Column, Any]]:
    """The cells of a row with their columns; None where a row is too short."""
    return zip(columns, chain(row, repeat(None)), strict=False)


def html_text(words: str, most: int = LABEL) -> str:
    """A text for the body or a quoted attribute of HTML.

    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return escape(label_text(words, most))


def latex_text(words: str, most: int = LABEL) -> str:
    r"""A text for LaTeX, also as the first of a row of a ``tabular``; it needs no package.

    Signs of other scripts stay as they are; XeLaTeX and LuaLaTeX set them.

    >>> print(latex_text("[pass] 50% K♠"))
    {[}pass{]} 50\% K$\spadesuit$
    """
    line = label_text(words, most).translate(_LATEX)
    return line.replace("--", "-{}-").replace("--", "-{}-")  # the second for the odd ones of a row
