"""Tables for a terminal: aligned columns, no boxes, bars for probabilities.

A head in one line, then a line for each row. Texts are to the left, numbers to the right, and a
probability is its number with a bar of eighths of a block. Long labels are cut in their middle, a
table that is too wide gives way as :mod:`~infoset.examine.tables.layout` says, and past a number of
rows it says how many are left. Labels are text and nothing else: ``[pass]`` is no markup here.

Colour is added to what is there anyway, so that nothing is lost without it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from rich.cells import cell_len
from rich.style import Style

from infoset.examine.tables.cells import BAR, bar, full_rows, is_number, several, words_of
from infoset.examine.tables.layout import (
    GAP,
    Layout,
    Measured,
    ends_in_mark,
    first_rows,
    fitted,
    head,
    lay_out,
    measure,
    wrapped,
)
from infoset.examine.tables.record import FEW, LABEL, LINE, PROSE, SHARE, TEXT, Sheet, Table
from infoset.examine.tables.safe import shown

BOUNDLESS = 10**6  # places of a line that nobody will wrap
TITLE = 200  # signs of a title or a fact
NOTE = 2000  # signs of a note
PAGE = 100  # places of a line of a note where there is no limit
COUNTED = 10_000  # tables whose rows are counted, though they are not shown

STYLES = {
    "title": Style(bold=True),
    "head": Style(color="cyan"),
    "bar": Style(color="blue"),
    "faint": Style(dim=True),
}
Piece = tuple[str, str]  # words, and the style that they have in colour


def table_text(
    table: Table, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> str:
    """A table as text; ``most`` rows, None for all of them.

    No line is wider than ``width``. None stands for the width of the terminal, or, where the
    output goes elsewhere, for as much as it needs.

    >>> from fractions import Fraction
    >>> from infoset.examine.tables import Column
    >>> columns = (Column("gambler"), Column("[bet]", SHARE), Column("worth", "number"))
    >>> rows = [("J", Fraction(1, 3), -1), ("K", 1, Fraction(7, 6))]
    >>> print(table_text(Table("How to play", columns, rows), width=80))
    How to play
    gambler  [bet]         worth
    J        1/3 ██▋          -1
    K          1 ████████    7/6
    """
    return "\n".join(table_lines(table, width=width, colour=colour, most=most))


def sheet_text(
    sheet: Sheet, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> str:
    """The tables of a sheet below one another; ``most`` rows in all, None for all of them.

    Tables are shown whole, as many as there is room for; only the first one may be cut.

    >>> from infoset.examine.tables import Column
    >>> columns = (Column("holds"), Column("bets"))
    >>> table = Table("gambler", columns, [("J", "often"), ("Q", "never")])
    >>> print(sheet_text(Sheet("kuhn()", [table] * 3, (("value", "-1/18"),)), width=80, most=3))
    kuhn()
    value  -1/18
    <BLANKLINE>
    gambler
    holds  bets
    J      often
    Q      never
    <BLANKLINE>
    … 2 more tables of 4 rows
    """
    return "\n".join(sheet_lines(sheet, width=width, colour=colour, most=most))


def table_lines(
    table: Table, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> Iterator[str]:
    """The lines of a table, one at a time; each row is made twice, first to be measured."""
    places = _places(width)
    rows = len(table) if most is None else min(len(table), most)
    (layout,) = lay_out([measure(table, rows)], places)
    yield from _drawn(_table(table, rows, layout, places), colour)


def sheet_lines(
    sheet: Sheet, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> Iterator[str]:
    """The lines of a sheet, one at a time."""
    places = _places(width)
    chosen = _chosen(sheet, most)
    layouts = lay_out([measure(sheet.tables[at], rows) for at, rows in chosen], places)
    yield from _drawn(_top(sheet, places), colour)
    for (at, rows), layout in zip(chosen, layouts, strict=True):
        yield ""
        yield from _drawn(_table(sheet.tables[at], rows, layout, places), colour)
    left = _left(sheet, len(chosen))
    foot = [[(line, "faint")] for line in wrapped(left, places)]
    foot += [[(line, "")] for line in _note(sheet.note, places)]
    if foot:
        yield ""
    yield from _drawn(foot, colour)


def _places(width: int | None) -> int:
    if width is not None:
        return max(width, 1)
    watched = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if watched else BOUNDLESS


def _chosen(sheet: Sheet, most: int | None) -> list[tuple[int, int]]:
    """The tables that are shown, each with how many of its rows."""
    chosen: list[tuple[int, int]] = []
    room = most
    for at in range(len(sheet.tables)):
        rows = len(sheet.tables[at])
        if room is not None:
            if chosen and max(rows, 1) > room:
                break
            rows = min(rows, room)
            room -= max(rows, 1)
        chosen.append((at, rows))
    return chosen


def _left(sheet: Sheet, shown: int) -> str:
    """What is left to show; the rows are counted only where the tables are there already."""
    left = len(sheet.tables) - shown
    if left == 0:
        return ""
    told = f"… {several(left, 'more table')}"
    if isinstance(sheet.tables, list | tuple) and left <= COUNTED:
        told += f" of {several(sum(map(len, sheet.tables[shown:])), 'row')}"
    return told


def _top(sheet: Sheet, places: int) -> Iterator[list[Piece]]:
    yield from _title(sheet.title, places)
    names = [shown(name, LABEL) for name, _ in sheet.facts]
    widest = max(map(cell_len, names), default=0)
    margin = min(widest + GAP, places // 2)
    for name, (_, value) in zip(names, sheet.facts, strict=True):
        lines = wrapped(shown(value, TITLE), places - margin) or [""]
        before = fitted(name, max(margin - GAP, 0))
        for line in lines:
            yield [(_padded(before, margin), "head"), (line, "")]
            before = ""


def _title(title: str, places: int) -> Iterator[list[Piece]]:
    for line in wrapped(shown(title, TITLE), places):
        yield [(line, "title")]


def _note(note: str, places: int) -> list[str]:
    return wrapped(shown(note, NOTE), min(places, PAGE) if places == BOUNDLESS else places)


def _table(table: Table, rows: int, layout: Layout, places: int) -> Iterator[list[Piece]]:
    yield from _title(table.title, places)
    if layout.widths:
        yield _head(table, layout)
        for at, row in enumerate(first_rows(table, rows)):
            yield _row(table, row, layout, at in table.faint)
    left = [several(len(table) - rows, "more row")] if rows < len(table) else []
    left += [several(layout.hidden, "more column")] if layout.hidden else []
    for line in wrapped("… " + ", ".join(left), places) if left else ():
        yield [(line, "faint")]
    for line in _note(table.note, places):
        yield [(line, "")]


def _head(table: Table, layout: Layout) -> list[Piece]:
    pieces: list[Piece] = []
    for column, width in zip(table.columns, layout.widths, strict=False):
        left = column.kind in (TEXT, PROSE) or (column.kind == SHARE and layout.bars)
        pieces += [(_aligned(fitted(head(column), width), width, left), "head"), (" " * GAP, "")]
    return pieces


def _row(table: Table, row: tuple[Any, ...], layout: Layout, faint: bool) -> list[Piece]:
    pieces: list[Piece] = []
    columns = zip(layout.widths, layout.measured, strict=False)
    for (width, measured), (_, cell) in zip(columns, full_rows(table.columns, row), strict=False):
        pieces += [*_cell(cell, width, measured, layout.bars), (" " * GAP, "")]
    return [(words, "faint") for words, _ in pieces] if faint else pieces


def _cell(cell: Any, width: int, measured: Measured, bars: bool) -> list[Piece]:
    words = words_of(cell, LINE if measured.kind == PROSE else LABEL)
    if measured.kind in (TEXT, PROSE):
        cut = fitted(words, width, start_only=measured.kind == PROSE)
        return [(_aligned(cut, width, left=True), "")]
    if measured.kind == SHARE and bars:
        blocks = bar(cell) if is_number(cell) else ""
        number = _aligned(fitted(words, width), min(measured.cell, width), left=False)
        return [(f"{number} ", ""), (blocks.ljust(max(BAR, width - measured.cell - 1)), "bar")]
    if measured.marks and not ends_in_mark(cell):
        words += " "  # so that the numbers stand below one another, and not their marks
    return [(_aligned(fitted(words, width), width, left=False), "")]


def _aligned(words: str, width: int, left: bool) -> str:
    return _padded(words, width) if left else " " * (width - cell_len(words)) + words


def _padded(words: str, width: int) -> str:
    return words + " " * (width - cell_len(words))


def _drawn(lines: Iterable[list[Piece]], colour: bool) -> Iterator[str]:
    """Lines of pieces as text, without blanks at their ends."""
    for pieces in lines:
        while pieces and not pieces[-1][0].rstrip(" "):
            pieces.pop()
        if pieces:
            pieces[-1] = (pieces[-1][0].rstrip(" "), pieces[-1][1])
        yield "".join(_styled(*piece) if colour else piece[0] for piece in pieces)


def _styled(words: str, style: str) -> str:
    if not style or not words.strip(" "):
        return words
    return STYLES[style].render(words)
