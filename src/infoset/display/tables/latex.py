r"""Tables for a paper: plain ``tabular``, which needs no package.

Numbers are set as mathematics (``$2/3$``, ``$-1$``), marked ones underlined; a probability is its
number alone. The title and the note of a single table are comments, since a paper has captions of
its own; in a sheet they are text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from infoset.analysis.table import FEW, LABEL, LINE, PROSE, TEXT, Amounts, Sheet, Table
from infoset.display.tables.cells import amount_cell, amounts, cell_text, full_rows, latex_text
from infoset.text import count_text, is_number, label_text, number_text

TITLE = 200  # characters of a title or a fact
NOTE = 2000  # characters of a note
BREAK = "\n\\medskip\\noindent %s\\par"  # a paragraph with a space above it


def table_latex(table: Table, *, most: int | None = FEW) -> str:
    r"""A ``tabular`` of the first ``most`` rows, None for all of them.

    >>> from fractions import Fraction
    >>> from infoset.analysis.table import Column
    >>> columns = (Column("holds"), Column("bet", "probability"))
    >>> print(table_latex(Table("kuhn", columns, [("J", Fraction(2, 3)), ("K", 1)])), end="")
    % kuhn
    \begin{tabular}{lr}
    \hline
    holds & bet \\
    \hline
    J & $2/3$ \\
    K & $1$ \\
    \hline
    \end{tabular}
    """
    return "".join(table_latex_lines(table, most=most))


def sheet_latex(sheet: Sheet, *, most: int | None = FEW) -> str:
    """Each table with its title above it; ``most`` rows of each, and ``most`` tables."""
    return "".join(sheet_latex_lines(sheet, most=most))


def table_latex_lines(table: Table, *, most: int | None = None) -> Iterator[str]:
    """The lines of :func:`table_latex`, each made when it is asked for."""
    if table.title:
        yield f"% {label_text(table.title, TITLE)}\n"
    yield from _tabular(table, most)
    if table.note:
        yield f"% {label_text(table.note, NOTE)}\n"


def sheet_latex_lines(sheet: Sheet, *, most: int | None = None) -> Iterator[str]:
    """The lines of :func:`sheet_latex`, each made when it is asked for."""
    yield from _paragraph(sheet.title, TITLE, r"\noindent\textbf{%s}\par")
    if sheet.facts:
        yield "\\noindent\\begin{tabular}{ll}\n"
        yield from (
            f"{latex_text(name, LABEL)} & {latex_text(value, TITLE)} \\\\\n"
            for name, value in sheet.facts
        )
        yield "\\end{tabular}\\par\n"
    tables = len(sheet.tables) if most is None else min(most, len(sheet.tables))
    for at in range(tables):
        table = sheet.tables[at]
        yield "\n\\medskip\n"
        yield from _paragraph(table.title, TITLE, r"\noindent\textit{%s}\par")
        yield "\\noindent\n"
        yield from _tabular(table, most)
        yield "\\par\n"
        yield from _paragraph(table.note, NOTE, r"\noindent %s\par")
    if left := len(sheet.tables) - tables:
        yield from _paragraph(f"… {count_text(left, 'more table')}", TITLE, BREAK)
    yield from _paragraph(sheet.note, NOTE, BREAK)


def _paragraph(words: str, most: int, form: str) -> Iterator[str]:
    if words:
        yield form.replace("%s", latex_text(words, most)) + "\n"


def _tabular(table: Table, most: int | None) -> Iterator[str]:
    kinds = "".join("l" if column.kind in (TEXT, PROSE) else "r" for column in table.columns) or "l"
    rows = len(table) if most is None else min(most, len(table))
    yield f"\\begin{{tabular}}{{{kinds}}}\n\\hline\n"
    yield _line(latex_text(column.name, LABEL) for column in table.columns)
    yield "\\hline\n"
    for row in islice(table.rows, rows):
        cells = full_rows(table.columns, row)
        yield _line(_cell(cell, LINE if one.kind == PROSE else LABEL) for one, cell in cells)
    if left := len(table) - rows:
        words = latex_text(f"… {count_text(left, 'more row')}")
        yield f"\\multicolumn{{{len(kinds)}}}{{l}}{{{words}}} \\\\\n"
    yield "\\hline\n\\end{tabular}\n"


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _cell(cell: Any, most: int = LABEL) -> str:
    if isinstance(cell, Amounts):
        told = ", ".join(_amount(value, mark) for value, mark in amounts(cell, LABEL))
        return told if len(cell.values) <= LABEL else told + r", \ldots{}"
    return (
        _number(number_text(cell)) if is_number(cell) else latex_text(cell_text(cell, most), most)
    )


def _amount(value: Any, mark: bool) -> str:
    told = _number(amount_cell(value)) if is_number(value) else latex_text(amount_cell(value))
    return rf"\underline{{{told}}}" if mark else told


def _number(digits: str) -> str:
    """A number as mathematics: commas without their space, powers of ten as powers."""
    if digits in ("inf", "-inf", "nan"):
        return {"inf": r"$\infty$", "-inf": r"$-\infty$", "nan": "nan"}[digits]
    mantissa, _, power = digits.replace(",", "{,}").partition("e")
    return rf"${mantissa}\cdot 10^{{{int(power)}}}$" if power else f"${mantissa}$"
