"""How wide the columns of a table in a terminal are, and which of them have room.

First each cell that is shown is measured, in the places that it takes in a terminal (two for many
signs of East Asian scripts). Where the whole is too wide, it gives way in steps: long texts and
heads are cut, then the bars of the probabilities go, then texts are cut shorter, and at last
columns are left out from the right. Tables of one sheet give way together, so that their first
columns keep one width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size

from infoset.examine.tables.cells import BAR, full_rows, words_of
from infoset.examine.tables.record import (
    LABEL,
    LINE,
    PROSE,
    SHARE,
    TEXT,
    Amounts,
    Column,
    Table,
)
from infoset.examine.tables.safe import shown, split

GAP = 2  # places between two columns

# The places of a text, and whether there are bars: the first step with which all fits is taken.
STEPS = (
    *((LINE, True), (LABEL, True), (50, True), (40, True), (24, True)),
    *((24, False), (16, False), (12, False)),
)


class Measured(NamedTuple):
    """The places that a column needs."""

    kind: str
    head: int
    cell: int  # the widest; of a probability, its number
    marks: bool  # whether a cell ends in a mark

    def width(self, longest: int, bars: bool) -> int:
        """With texts of a length at most, and with bars or without."""
        if self.kind == TEXT:
            return min(max(self.head, self.cell), longest, LABEL)
        if self.kind == PROSE:
            return min(max(self.head, self.cell), longest)
        bar = 1 + BAR if bars and self.kind == SHARE else 0
        return max(self.cell + bar, min(self.head, longest))


@dataclass(frozen=True)
class Layout:
    """The columns of a table that are shown, from the left, and their widths."""

    widths: tuple[int, ...]
    measured: tuple[Measured, ...]
    bars: bool
    hidden: int  # columns that have no room


def measure(table: Table, rows: int) -> tuple[Measured, ...]:
    """What the columns need for their heads and for the first rows."""
    plain = [0] * len(table.columns)
    marked = [0] * len(table.columns)
    for row in first_rows(table, rows):
        for at, (_, cell) in enumerate(full_rows(table.columns, row)):
            widths = marked if ends_in_mark(cell) else plain
            most = LINE if table.columns[at].kind == PROSE else LABEL
            widths[at] = max(widths[at], cell_len(words_of(cell, most)))
    return tuple(
        # Where some end in a mark, the others leave the place of one free.
        Measured(column.kind, cell_len(head(column)), max(least + (most > 0), most), most > 0)
        for column, least, most in zip(table.columns, plain, marked, strict=True)
    )


def first_rows(table: Table, rows: int) -> Iterator[tuple[Any, ...]]:
    """The rows that are shown; no others are looked at."""
    return (table.rows[at] for at in range(rows))


def head(column: Column) -> str:
    """The name of a column, as it is shown where there is room."""
    return shown(column.name, LABEL)


def ends_in_mark(cell: object) -> bool:
    """Whether the last of several numbers is marked."""
    return (
        isinstance(cell, Amounts)
        and 0 < len(cell.values) <= len(cell.marked)
        and (cell.marked[len(cell.values) - 1])
    )


def lay_out(measured: Sequence[tuple[Measured, ...]], width: int) -> list[Layout]:
    """The layouts of tables below one another, none wider than so many places.

    >>> wide, narrow = Measured(TEXT, 5, 30, False), Measured(SHARE, 3, 3, False)
    >>> [(layout.widths, layout.bars) for layout in lay_out([(wide, narrow)], 80)]
    [((30, 12), True)]
    >>> [(layout.widths, layout.hidden) for layout in lay_out([(wide, narrow, narrow)], 19)]
    [((12, 3), 1)]
    """
    first = max((columns[0].head for columns in measured if columns), default=0)
    cell = max((columns[0].cell for columns in measured if columns), default=0)
    same = [
        (columns[0]._replace(head=first, cell=cell), *columns[1:]) if columns else ()
        for columns in measured
    ]
    narrow = [_layout(columns, *STEPS[-1]) for columns in same]
    fits = [_total(layout.widths) <= width for layout in narrow]
    for step in STEPS:
        layouts = [_layout(columns, *step) for columns in same]
        pairs = zip(layouts, fits, strict=True)
        if all(_total(layout.widths) <= width for layout, can in pairs if can):
            break
    # A table that loses columns keeps more of them with a first column of its own width.
    return [
        layout if can else _narrowed(_layout(own, *STEPS[-1]), width)
        for own, layout, can in zip(measured, layouts, fits, strict=True)
    ]


def _layout(columns: tuple[Measured, ...], longest: int, bars: bool) -> Layout:
    return Layout(tuple(column.width(longest, bars) for column in columns), columns, bars, 0)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _narrowed(layout: Layout, width: int) -> Layout:
    """Without the columns that have no room; the first one stays, cut if it must be."""
    if not layout.widths or _total(layout.widths) <= width:
        return layout
    kept = [min(layout.widths[0], width)]
    used = kept[0]
    for size in layout.widths[1:]:
        used += GAP + size
        if used > width:
            break
        kept.append(size)
    return replace(layout, widths=tuple(kept), hidden=len(layout.widths) - len(kept))


def fitted(words: str, width: int, *, start_only: bool = False) -> str:
    """A text cut to a number of places: its start and its end, or its start alone.

    >>> fitted("J, [pass], bet", 20), fitted("J, [pass], bet", 10)
    ('J, [pass], bet', 'J, [pa…bet')
    >>> fitted("J, [pass], bet", 10, start_only=True)
    'J, [pass]…'
    """
    if cell_len(words) <= width:
        return words
    if width < 1:
        return ""
    if start_only:
        return f"{set_cell_size(words, width - 1).rstrip()}…"
    front, back = split(width)
    end = words[len(words) - back :]
    while cell_len(end) > back:
        end = end[1:]
    return f"{set_cell_size(words, front)}…{end}"


def wrapped(words: str, width: int) -> list[str]:
    """A sentence in lines of a width; a word that is longer than a line is cut.

    >>> wrapped("a note of several words", 10)
    ['a note of', 'several', 'words']
    """
    lines: list[str] = []
    for word in words.split():
        together = f"{lines[-1]} {word}" if lines else word
        if lines and cell_len(together) <= width:
            lines[-1] = together
        else:
            lines.append(fitted(word, width))
    return lines
