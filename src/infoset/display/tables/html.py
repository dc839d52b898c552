"""Tables for notebooks and pages: one ``<div>`` that brings its own style.

Colours come from the page that it stands on: text is in the page's colour, lines are a grey that
shows on light and on dark, and backgrounds are left alone, so that one output reads in Jupyter, in
an editor and in documentation. A probability is a number with a bar beside it; a number that was
shortened is shown exactly when it is pointed at. The output is well-formed XML as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from numbers import Rational
from typing import Any

from infoset.analysis.table import (
    FEW,
    LABEL,
    LINE,
    PROBABILITY,
    PROSE,
    TEXT,
    Amounts,
    Column,
    Sheet,
    Table,
)
from infoset.display.tables.cells import amount_cell, amounts, cell_text, full_rows, html_text
from infoset.text import amount_text, count_text, exact_text, is_number, number_text

POINTED = 400  # characters of a text or a number that is shown in full when it is pointed at
TITLE = 200  # characters of a title or a fact
NOTE = 2000  # characters of a note
OPEN = 6  # tables of a sheet that are not folded

STYLE = """<style>
div.infoset{font-size:.9rem;line-height:1.4;margin:.4em 0}
div.infoset .infoset-scroll{overflow-x:auto}
div.infoset table.infoset-table{border-collapse:collapse;border:0;margin:.2em 0 .6em;width:auto;
display:table;font-size:inherit;background:none;font-variant-numeric:tabular-nums}
div.infoset table.infoset-table caption{caption-side:top;text-align:left;font-weight:600;
color:inherit;padding:.2em 0;white-space:nowrap}
div.infoset table.infoset-table tr,div.infoset table.infoset-table tbody tr:nth-child(n){
background:none;border:0}
div.infoset table.infoset-table th,div.infoset table.infoset-table td{padding:.15em .6em;border:0;
text-align:left;vertical-align:baseline;white-space:nowrap;color:inherit;background:none;
min-width:0}
div.infoset table.infoset-table thead th{font-weight:600;
border-bottom:1px solid rgba(128,128,128,.6)}
div.infoset table.infoset-table tbody tr:hover{background:rgba(128,128,128,.12)}
div.infoset table.infoset-table th:first-child,div.infoset table.infoset-table td:first-child{
padding-left:.15em}
div.infoset table.infoset-table .infoset-right{text-align:right}
div.infoset table.infoset-table td.infoset-gauge{padding-left:0;vertical-align:middle}
div.infoset tr.infoset-faint td{opacity:.55}
div.infoset .infoset-bar{display:inline-block;width:4.5em;height:.7em;
background:rgba(128,128,128,.18);border-radius:2px;overflow:hidden}
div.infoset .infoset-bar span{display:block;height:100%;background:#4477aa}
div.infoset .infoset-marked{font-weight:700;text-decoration:underline}
div.infoset .infoset-heading{font-weight:700;font-size:1.1em;margin:.2em 0}
div.infoset .infoset-note{margin:.2em 0 .6em;max-width:50em}
div.infoset .infoset-more{margin:-.3em 0 .6em;opacity:.7}
div.infoset summary{cursor:pointer;font-weight:600}
div.infoset summary .infoset-count{font-weight:400;opacity:.7}
@media (prefers-color-scheme:dark){div.infoset .infoset-bar span{background:#6699cc}}
</style>
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>
:root{{color-scheme:light dark}}
body{{font-family:system-ui,sans-serif;margin:1.5em;background:Canvas;color:CanvasText}}
</style>
</head>
<body>
"""


def table_html(table: Table, *, most: int | None = FEW) -> str:
    """A table for a notebook; ``most`` rows, None for all of them.

    >>> from infoset.analysis.table import Column
    >>> print(table_html(Table("", (Column("holds"),), [("<J>",)])).partition("</style>")[2])
    <BLANKLINE>
    <div class="infoset-scroll"><table class="infoset-table">
    <thead><tr><th scope="col"><bdi>holds</bdi></th></tr></thead>
    <tbody>
    <tr><td><bdi>&lt;J&gt;</bdi></td></tr>
    </tbody></table></div>
    </div>
    <BLANKLINE>
    """
    return "".join(_lines(table, most))


def sheet_html(sheet: Sheet, *, most: int | None = FEW) -> str:
    """A sheet for a notebook; ``most`` rows of each table, and ``most`` tables.

    Where there are many tables, all but the first can be unfolded.
    """
    return "".join(_lines(sheet, most))


def page_lines(content: Table | Sheet) -> Iterator[str]:
    """A whole page with every row, a line at a time."""
    yield PAGE.format(title=html_text(content.title, TITLE) or "infoset")
    yield from _lines(content, None)
    yield "</body>\n</html>\n"


def _lines(content: Table | Sheet, most: int | None) -> Iterator[str]:
    yield f'<div class="infoset">{STYLE}'
    if isinstance(content, Table):
        yield from _table(content, most, content.title)
    else:
        yield from _sheet(content, most)
    yield "</div>\n"


def _sheet(sheet: Sheet, most: int | None) -> Iterator[str]:
    yield from _paragraph(sheet.title, "heading", TITLE)
    if sheet.facts:
        yield '<div class="infoset-scroll"><table class="infoset-table"><tbody>\n'
        for name, value in sheet.facts:
            told = f"<bdi>{html_text(value, TITLE)}</bdi>"
            yield f'<tr><th scope="row">{html_text(name)}</th><td>{told}</td></tr>\n'
        yield "</tbody></table></div>\n"
    tables = len(sheet.tables) if most is None else min(most, len(sheet.tables))
    for at in range(tables):
        table = sheet.tables[at]
        if len(sheet.tables) <= OPEN:
            yield from _table(table, most, table.title)
        else:
            yield from _folded(table, most, at)
    if left := len(sheet.tables) - tables:
        yield from _paragraph(f"… {count_text(left, 'more table')}", "more", TITLE)
    yield from _paragraph(sheet.note, "note", NOTE)


def _folded(table: Table, most: int | None, at: int) -> Iterator[str]:
    title = html_text(table.title, TITLE) or f"table {at + 1:,}"
    count = f'<span class="infoset-count">({count_text(len(table), "row")})</span>'
    yield '<details open="">' if at < OPEN else "<details>"
    yield f"<summary><bdi>{title}</bdi> {count}</summary>\n"
    yield from _table(table, most, "")
    yield "</details>\n"


def _paragraph(words: str, kind: str, most: int) -> Iterator[str]:
    if words:
        yield f'<p class="infoset-{kind}"><bdi>{html_text(words, most)}</bdi></p>\n'


def _table(table: Table, most: int | None, title: str) -> Iterator[str]:
    rows = len(table) if most is None else min(most, len(table))
    yield '<div class="infoset-scroll"><table class="infoset-table">\n'
    if title:
        yield f"<caption><bdi>{html_text(title, TITLE)}</bdi></caption>\n"
    yield f"<thead><tr>{''.join(map(_head, table.columns))}</tr></thead>\n<tbody>\n"
    for at, row in enumerate(islice(table.rows, rows)):
        faint = ' class="infoset-faint"' if at in table.faint else ""
        cells = "".join(_cell(column, cell) for column, cell in full_rows(table.columns, row))
        yield f"<tr{faint}>{cells}</tr>\n"
    yield "</tbody></table></div>\n"
    if left := len(table) - rows:
        yield from _paragraph(f"… {count_text(left, 'more row')}", "more", TITLE)
    yield from _paragraph(table.note, "note", NOTE)


def _head(column: Column) -> str:
    kind = {TEXT: "", PROSE: "", PROBABILITY: ' colspan="2"'}.get(
        column.kind, ' class="infoset-right"'
    )
    return f'<th scope="col"{kind}>{_label(column.name)}</th>'


def _cell(column: Column, cell: Any) -> str:
    if isinstance(cell, Amounts):
        inner = ", ".join(_amount(value, mark) for value, mark in amounts(cell, LABEL))
        inner += ", …" if len(cell.values) > LABEL else ""
    elif is_number(cell):
        inner = _number(cell, number_text(cell))
    else:
        most = LINE if column.kind == PROSE else LABEL
        inner = _label(cell if isinstance(cell, str) else cell_text(cell, POINTED), most)
    if column.kind in (TEXT, PROSE):
        return f"<td>{inner}</td>"
    told = f'<td class="infoset-right">{inner}</td>'
    return told + _gauge(cell) if column.kind == PROBABILITY else told


def _gauge(cell: Any) -> str:
    """A probability as a bar, in a column of its own so that the numbers stay aligned."""
    if not is_number(cell) or not cell >= 0:
        return '<td class="infoset-gauge"></td>'
    width = f"{100 * float(min(cell, 1)):.4g}"  # cut first: a large one may have no float
    bar = f'<span class="infoset-bar"><span style="width:{width}%"></span></span>'
    return f'<td class="infoset-gauge" aria-hidden="true">{bar}</td>'


def _label(words: str, most: int = LABEL) -> str:
    if not words:
        return ""
    told, whole = html_text(words, most), html_text(words, POINTED)
    pointed = "" if told == whole else f' title="{whole}"'
    return f"<bdi{pointed}>{told}</bdi>"


def _amount(value: Any, mark: bool) -> str:
    words = amount_cell(value)
    told = _number(value, words) if is_number(value) else _label(words)
    return f'<b class="infoset-marked">{told}</b>' if mark else told


def _number(value: Any, words: str) -> str:
    """A number, and where it was shortened, what it is exactly."""
    exact, told = exact_text(value), words.replace(",", "")
    if exact == told or (not isinstance(value, Rational) and float(told) == value):
        return words
    if len(exact) > POINTED:
        exact = amount_text(Fraction(value))
    return f'<span title="{html_text(exact, POINTED)}">{words}</span>'
