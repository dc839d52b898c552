"""Tables for a terminal: aligned columns, no boxes, bars for probabilities.

A head in one line, then a line for each row. Texts are to the left, numbers to the right, and a
probability is its number with a bar of eighths of a block. Past a number of rows a line says how
many are left. Labels are text and nothing else: ``[pass]`` is no markup here. Colour repeats what
is there anyway, so that nothing is lost without it.

Each cell that is shown is measured, in the places that it takes in a terminal (two for many
characters of East Asian scripts). A table that is too wide is narrowed in steps: long texts and
heads are wrapped, then the bars of the probabilities go, then texts are wrapped at fewer places. If
that is not enough, actions that are never played lose their columns, and are named below the table;
and at last the columns that have no room are continued in a further block, below the first column
again. Tables of one sheet are narrowed together, so that their first columns have the same
width.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.style import Style

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
from infoset.display.tables.cells import BAR, bar, cell_text, full_rows
from infoset.text import count_text, is_number, label_text, split_length
from infoset.tree.views import Views

GAP = 2  # places between two columns

# The places of a text, and whether there are bars: the first step with which all fits is taken.
STEPS = (
    *((LINE, True), (LABEL, True), (50, True), (40, True), (24, True)),
    *((24, False), (16, False), (12, False)),
)


class ColumnWidth(NamedTuple):
    """The places that a column needs."""

    kind: str
    head: int
    cell: int  # the widest; of a probability, its number
    marks: bool  # whether a cell ends in a mark

    def width(self, longest: int, bars: bool) -> int:
        """With texts of a length at most, and with bars or without."""
        if self.kind in (TEXT, PROSE):
            return min(max(self.head, self.cell), longest)
        bar = 1 + BAR if bars and self.kind == PROBABILITY else 0
        return max(self.cell + bar, min(self.head, longest))


@dataclass(frozen=True)
class Layout:
    """The columns of a table that are shown, from the left, and their widths."""

    widths: tuple[int, ...]
    measured: tuple[ColumnWidth, ...]
    bars: bool
    hidden: int  # columns that have no room


def measure(table: Table, rows: int) -> tuple[ColumnWidth, ...]:
    """What the columns need for their heads and for the first rows."""
    plain = [0] * len(table.columns)
    marked = [0] * len(table.columns)
    for row in first_rows(table, rows):
        for at, (_, cell) in enumerate(full_rows(table.columns, row)):
            widths = marked if ends_in_mark(cell) else plain
            widths[at] = max(widths[at], cell_len(cell_text(cell, _most(table.columns[at].kind))))
    return tuple(
        # Where some end in a mark, the others leave the place of one free.
        ColumnWidth(column.kind, cell_len(head(column)), max(least + (most > 0), most), most > 0)
        for column, least, most in zip(table.columns, plain, marked, strict=True)
    )


def _most(kind: str) -> int:
    """Characters of a cell that are shown; of more its start and its end."""
    return LINE if kind in (TEXT, PROSE) else LABEL


def first_rows(table: Table, rows: int) -> Iterator[tuple[Any, ...]]:
    """The rows that are shown; no others are looked at."""
    return (table.rows[at] for at in range(rows))


def head(column: Column) -> str:
    """The name of a column, as it is shown where there is room."""
    return label_text(column.name, LABEL)


def ends_in_mark(cell: object) -> bool:
    """Whether the last of several numbers is marked."""
    return (
        isinstance(cell, Amounts)
        and 0 < len(cell.values) <= len(cell.marked)
        and (cell.marked[len(cell.values) - 1])
    )


def lay_out(measured: Sequence[tuple[ColumnWidth, ...]], width: int) -> list[Layout]:
    """The layouts of tables below one another, none wider than so many places.

    >>> wide, narrow = ColumnWidth(TEXT, 5, 30, False), ColumnWidth(PROBABILITY, 3, 3, False)
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
        _widened(layout, width) if can else _narrowed(_layout(own, *STEPS[-1]), width)
        for own, layout, can in zip(measured, layouts, fits, strict=True)
    ]


def _widened(layout: Layout, width: int) -> Layout:
    """With the places that are left over for a text in the last column."""
    if len(layout.widths) < 2 or layout.measured[-1].kind not in (TEXT, PROSE):
        return layout
    most = layout.measured[-1].width(LINE, layout.bars)
    last = max(layout.widths[-1], min(most, layout.widths[-1] + width - _total(layout.widths)))
    return replace(layout, widths=(*layout.widths[:-1], last))


def _layout(columns: tuple[ColumnWidth, ...], longest: int, bars: bool) -> Layout:
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
    front, back = split_length(width)
    end = words[len(words) - back :]
    while cell_len(end) > back:
        end = end[1:]
    return f"{set_cell_size(words, front)}…{end}"


def wrapped(words: str, width: int) -> list[str]:
    """A sentence in lines of a width; a word that is longer than a line is cut.

    >>> wrapped("a note of several words", 10)
    ['a note of', 'several', 'words']
    """
    return wrapped_between(words.split(), width)


def wrapped_between(words: Iterable[str], width: int) -> list[str]:
    """Words, or names of several words, in lines of a width that break between them only.

    >>> wrapped_between(["never played:", "bet 10,", "bet 20"], 22)
    ['never played: bet 10,', 'bet 20']
    """
    lines: list[str] = []
    for word in words:
        together = f"{lines[-1]} {word}" if lines else word
        if lines and cell_len(together) <= width:
            lines[-1] = together
        else:
            lines.append(fitted(word, width))
    return lines


class Folded(NamedTuple):
    """What is shown of a table."""

    table: Table
    measured: tuple[ColumnWidth, ...]
    never: tuple[str, ...] = ()  # the names of columns that are named below it


def _folded(table: Table, rows: int, width: int) -> Folded:
    """A table without the actions that are never played, where it is too wide with them.

    Which actions these are is seen in the rows that are shown.
    """
    found = measure(table, rows)
    (layout,) = lay_out([found], width)
    if not layout.hidden:
        return Folded(table, found)
    actions = [at for at, column in enumerate(table.columns) if column.action]
    played = {at for row in first_rows(table, rows) for at in actions if row[at]}
    never = [at for at in actions if at not in played]
    if not never:
        return Folded(table, found)
    gone = set(never)
    kept = [at for at in range(len(table.columns)) if at not in gone]
    less = _with_columns(table, kept)
    return Folded(less, measure(less, rows), tuple(table.columns[at].name for at in never))


def _never_played(names: Sequence[str], rows: int, whole: int, places: int) -> list[str]:
    """The lines that name columns that are not shown."""
    told = [label_text(name, LABEL) for name in names[:NAMED]]
    told += [f"… {len(names) - NAMED:,} more"] if len(names) > NAMED else []
    if not told:
        return []
    before = "never played:" if rows == whole else "never played in these rows:"
    return wrapped_between([before, *(f"{name}," for name in told[:-1]), told[-1]], places)


NAMED = 60  # actions that are never played and named
BLOCKS = 12  # in which the columns of a table are continued
AFTER_COMMAS = re.compile(r"(?<=[,;]) ")
INDENT = 2  # places before what is continued in a cell
BOUNDLESS = 10**6  # columns of a line that is never wrapped
TITLE = 200  # characters of a title or a fact
NOTE = 2000  # characters of a note
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
    >>> from infoset.analysis.table import Column
    >>> columns = (Column("gambler"), Column("[bet]", PROBABILITY), Column("value", "number"))
    >>> rows = [("J", Fraction(1, 3), -1), ("K", 1, Fraction(7, 6))]
    >>> print(table_text(Table("How to play", columns, rows), width=80))
    How to play
    gambler  [bet]         value
    J        1/3 ██▋          -1
    K          1 ████████    7/6
    """
    return "\n".join(table_lines(table, width=width, colour=colour, most=most))


def sheet_text(
    sheet: Sheet, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> str:
    """The tables of a sheet below one another; ``most`` rows in all, None for all of them.

    Tables are shown whole, as many as there is room for; only the first one may be cut.

    >>> from infoset.analysis.table import Column
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
    found = _folded(table, rows, places)
    (layout,) = lay_out([found.measured], places)
    yield from _drawn(_table(found, rows, layout, places), colour)


def sheet_lines(
    sheet: Sheet, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> Iterator[str]:
    """The lines of a sheet, one at a time."""
    places = _places(width)
    chosen = _chosen(sheet, most)
    found = [_folded(table, rows, places) for table, rows in chosen]
    layouts = lay_out([one.measured for one in found], places)
    yield from _drawn(_top(sheet, places), colour)
    for one, (_, rows), layout in zip(found, chosen, layouts, strict=True):
        yield ""
        yield from _drawn(_table(one, rows, layout, places), colour)
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


def _chosen(sheet: Sheet, most: int | None) -> list[tuple[Table, int]]:
    """The tables that are shown, each made once, with how many of its rows."""
    chosen: list[tuple[Table, int]] = []
    room = most
    for at in range(len(sheet.tables)):
        table = sheet.tables[at]
        rows = len(table)
        if room is not None:
            if chosen and max(rows, 1) > room:
                break
            rows = min(rows, room)
            room -= max(rows, 1)
        chosen.append((table, rows))
    return chosen


def _left(sheet: Sheet, shown: int) -> str:
    """What is left to show; the rows are counted only where the tables are there already."""
    left = len(sheet.tables) - shown
    if left == 0:
        return ""
    told = f"… {count_text(left, 'more table')}"
    if isinstance(sheet.tables, list | tuple) and left <= COUNTED:
        told += f" of {count_text(sum(map(len, sheet.tables[shown:])), 'row')}"
    return told


def _top(sheet: Sheet, places: int) -> Iterator[list[Piece]]:
    yield from _title(sheet.title, places)
    names = [label_text(name, LABEL) for name, _ in sheet.facts]
    widest = max(map(cell_len, names), default=0)
    margin = min(widest + GAP, places // 2)
    for name, (_, value) in zip(names, sheet.facts, strict=True):
        lines = wrapped(label_text(value, TITLE), places - margin) or [""]
        before = fitted(name, max(margin - GAP, 0))
        for line in lines:
            yield [(_padded(before, margin), "head"), (line, "")]
            before = ""


def _title(title: str, places: int) -> Iterator[list[Piece]]:
    for line in wrapped(label_text(title, TITLE), places):
        yield [(line, "title")]


def _note(note: str, places: int) -> list[str]:
    return wrapped(label_text(note, NOTE), min(places, PAGE) if places == BOUNDLESS else places)


def _table(found: Folded, rows: int, layout: Layout, places: int) -> Iterator[list[Piece]]:
    table = found.table
    yield from _title(table.title, places)
    yield from _block(table, rows, layout)
    blocks = 1
    while layout.hidden and len(layout.widths) > 1 and blocks < BLOCKS:
        table, layout = _continued(table, rows, layout, places)
        yield []
        yield from _block(table, rows, layout)
        blocks += 1
    left = [count_text(len(table) - rows, "more row")] if rows < len(table) else []
    left += [count_text(layout.hidden, "more column")] if layout.hidden else []
    for line in wrapped("… " + ", ".join(left), places) if left else ():
        yield [(line, "faint")]
    never = _never_played(found.never, rows, len(table), places)
    for line in (*never, *_note(table.note, places)):
        yield [(line, "")]


def _block(table: Table, rows: int, layout: Layout) -> Iterator[list[Piece]]:
    if not layout.widths:
        return
    yield from _heads(table, layout)
    for at, row in enumerate(first_rows(table, rows)):
        yield from _row(table, row, layout, at in table.faint)


def _continued(table: Table, rows: int, layout: Layout, places: int) -> tuple[Table, Layout]:
    """The first column again, and those that had no room."""
    rest = _with_columns(table, (0, *range(len(layout.widths), len(table.columns))))
    (found,) = lay_out([measure(rest, rows)], places)
    return rest, found


def _with_columns(table: Table, kept: Sequence[int]) -> Table:
    """Some of the columns of a table."""

    def row(at: int) -> tuple[Any, ...]:
        cells = [cell for _, cell in full_rows(table.columns, table.rows[at])]
        return tuple(cells[place] for place in kept)

    columns = tuple(table.columns[at] for at in kept)
    return replace(table, columns=columns, rows=Views(row, len(table)))


def _heads(table: Table, layout: Layout) -> Iterator[list[Piece]]:
    """The names of the columns: in one line, unless one has to be wrapped."""
    names = [
        hung(head(column), width)
        for column, width in zip(table.columns, layout.widths, strict=False)
    ]
    for at in range(max(map(len, names), default=0)):
        pieces: list[Piece] = []
        for column, width, lines in zip(table.columns, layout.widths, names, strict=False):
            left = column.kind in (TEXT, PROSE) or (column.kind == PROBABILITY and layout.bars)
            line = lines[at] if at < len(lines) else ""
            pieces += [(_aligned(line, width, left), "head"), (" " * GAP, "")]
        yield pieces


def _row(table: Table, row: tuple[Any, ...], layout: Layout, faint: bool) -> Iterator[list[Piece]]:
    """The lines of a row: several where a text is wrapped."""
    columns = zip(layout.widths, layout.measured, strict=False)
    pairs = zip(columns, full_rows(table.columns, row), strict=False)
    cells = [
        (width, _lines(cell, width, measured, layout.bars))
        for (width, measured), (_, cell) in pairs
    ]
    for at in range(max((len(lines) for _, lines in cells), default=0)):
        pieces: list[Piece] = []
        for width, lines in cells:
            line = lines[at] if at < len(lines) else [(" " * width, "")]
            pieces += [*line, (" " * GAP, "")]
        yield [(words, "faint") for words, _ in pieces] if faint else pieces


def _lines(cell: Any, width: int, measured: ColumnWidth, bars: bool) -> list[list[Piece]]:
    """A cell in lines: one, unless it is a text that is wrapped."""
    if measured.kind not in (TEXT, PROSE):
        return [_cell(cell, width, measured, bars)]
    words = cell_text(cell, _most(measured.kind))
    return [[(_aligned(line, width, left=True), "")] for line in hung(words, width)]


def hung(words: str, width: int) -> list[str]:
    """A text in lines of a width, all but the first indented; no sign of it is left out.

    Lines break after commas, where what is between them has room in a line; else between words,
    and a word that is longer than a line goes on in the next, after a slash if it has one.

    >>> hung("J, [pass], bet", 10), hung("bet: 1/3, pass: 2/3", 16)
    (['J, [pass],', '  bet'], ['bet: 1/3,', '  pass: 2/3'])
    >>> hung("abcdefghij", 6)
    ['abcdef', '  ghij']
    """
    if cell_len(words) <= width or width < 3 * INDENT:
        return [fitted(words, width)]
    lines = [""]
    for part in AFTER_COMMAS.split(words):
        whole = cell_len(part) <= width - INDENT
        for piece in [part] if whole else part.split(" "):
            _hang(lines, piece, width)
    return [line for line in lines if line.strip()]


def _hang(lines: list[str], words: str, width: int) -> None:
    """Add some words to the last line, or to a new one where they have no room."""
    while True:
        indent = " " * INDENT if len(lines) > 1 else ""
        line = f"{lines[-1]} {words}" if lines[-1] else f"{indent}{words}"
        if cell_len(line) <= width:
            lines[-1] = line
            return
        if lines[-1]:
            lines.append("")
            continue
        taken = len(words) - 1
        while cell_len(indent + words[:taken]) > width:
            taken -= 1
        taken = words.rfind("/", 0, taken) + 1 or taken  # between the actions of a plan
        lines[-1], words = indent + words[:taken], words[taken:]
        lines.append("")


def _cell(cell: Any, width: int, measured: ColumnWidth, bars: bool) -> list[Piece]:
    words = cell_text(cell, LABEL)
    if measured.kind == PROBABILITY and bars:
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
