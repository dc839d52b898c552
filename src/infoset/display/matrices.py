"""The part of a matrix that fits on a screen.

Of a large matrix the first rows and the first columns are shown, with all of its margins: what
dominates a strategy, or its value, matters more than another payoff. One of few columns is shown
whole: where a line has no room for them, they are continued in further blocks below. Keys are
always shown, since numbers mean nothing without them; they contain at least the columns in sight.
What is left out is counted, so that what prints it can say how to see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from infoset.analysis.matrices import Grid, Key
from infoset.analysis.table import FEW, LINE, PROSE, Sheet, Table
from infoset.display.tables.terminal import GAP, fitted, measure
from infoset.text import label_text
from infoset.tree.views import Views

MATRICES = 3  # that are shown, however many rows they have: payoffs and both players' constraints
COLUMNS = 20  # up to which a matrix is shown whole, and beyond which it is shown in part
NAME = 24  # places of a name or a remark, for which columns give way
PHRASE = 40  # places of what is not the last column, for which the last one gives way
SPELLED = 12  # characters that one sign may take when it is spelled out
MEASURED = 100  # rows that are kept until they are drawn


@dataclass(frozen=True)
class Excerpt:
    """What is shown of a table, and how much is not."""

    table: Table
    rows: int = 0  # left out
    columns: int = 0
    across: int = 0  # columns of strategies that are shown, in this block and those before
    continued: bool = False  # are the next columns of the same rows in the next one?


def excerpts(
    matrix: Table | Sheet,
    rows: int = FEW,
    columns: int | None = None,
    width: int | None = None,
) -> list[Excerpt]:
    """What is shown of the tables of a matrix: at most so many rows and columns of each.

    ``width`` is the places of a line; None is no limit. Columns that are asked for, and all of a
    matrix that has no more than 20, are shown in as many blocks as it takes; of a larger matrix,
    those that fit. Of several
    matrices, one for each combination of the strategies of players three, four, …, there are as
    many as ``rows`` rows allow, and at least three.

    >>> from infoset.analysis.matrices import normal_table
    >>> from infoset.games import kuhn
    >>> payoffs, gambler, dealer = excerpts(normal_table(kuhn()), rows=5, columns=7)
    >>> payoffs.rows, payoffs.columns, [column.name for column in payoffs.table.columns][-3:]
    (22, 57, ['#5', '#6', 'dominated'])
    >>> [row[0] for row in dealer.table], dealer.rows
    (['#0', '#1', '#2', '#3', '#4', '#5', '#6'], 57)
    """
    tables = matrix.tables if isinstance(matrix, Sheet) else [matrix]
    wide = 0  # columns in sight
    found = []
    for table in _chosen(tables, rows):
        if isinstance(table, Grid):
            found += _grid(table, rows, columns, width)
            wide = wide or len(table.across) - found[-1].columns
        else:
            across = isinstance(table, Key) and table.across
            found.append(_first(table, max(rows, wide) if across else rows))
    return [replace(one, table=_with_long_lines(one.table, width)) for one in found]


def _chosen(tables: Any, rows: int) -> Iterator[Table]:
    """The first matrices, and all keys; these come among the matrices or at the end."""
    used = matrices = at = 0
    for at in range(len(tables)):
        table = tables[at]
        if isinstance(table, Grid):
            used += len(table)
            matrices += 1
            if matrices > MATRICES and used > rows:
                break
        yield table
    else:
        return
    keys: list[Table] = []
    for number in range(len(tables) - 1, at, -1):
        if not isinstance(tables[number], Key):
            break
        keys.append(tables[number])
    yield from reversed(keys)


def _first(table: Table, rows: int) -> Excerpt:
    return Excerpt(table[:rows], max(len(table) - rows, 0))


def _grid(grid: Grid, rows: int, columns: int | None, width: int | None) -> list[Excerpt]:
    """The first rows and columns of strategies, and all margins.

    If all columns are wanted and they do not fit, they go on in further blocks, below the same
    rows; of a matrix with more columns than that, one block is shown.
    """
    down = min(grid.down, rows)
    asked = grid.across[: columns or COLUMNS]
    whole = columns is not None or len(asked) == len(grid.across)
    blocks = [asked] if width is None else _blocks(_cut(grid, down, asked), width, whole)
    last = len(blocks) - 1
    found = [
        Excerpt(_cut(grid, down, across, first=at == 0, last=at == last), continued=at < last)
        for at, across in enumerate(blocks)
    ]
    shown = sum(map(len, blocks))
    left = len(grid.across) - shown
    return [*found[:-1], replace(found[-1], rows=grid.down - down, columns=left, across=shown)]


def _cut(grid: Grid, down: int, across: range, *, first: bool = True, last: bool = True) -> Grid:
    """Some columns of strategies; the title on the first block, note and margin on the last."""
    margin = range(grid.across.stop, len(grid.columns)) if last else range(0)
    kept = [*range(grid.across.start), *across, *margin]

    @lru_cache(maxsize=MEASURED)
    def row(at: int) -> tuple[Any, ...]:
        cells = grid.rows[at if at < down else at - down + grid.down]
        return tuple(cells[column] for column in kept)

    return replace(
        grid,
        title=grid.title if first else "",
        note=grid.note if last else "",
        columns=tuple(grid.columns[at] for at in kept),
        rows=Views(row, down + len(grid) - grid.down),
        faint=frozenset(at for at in grid.faint if at < down),
        across=range(grid.across.start, grid.across.start + len(across)),
        down=down,
    )


def _blocks(grid: Grid, width: int, whole: bool) -> list[range]:
    """The columns of strategies, block by block, next to margins that can be read.

    A block has one at least, except that the last one may have nothing but the margin.
    """
    places = [column.width(NAME, True) + GAP for column in measure(grid, len(grid))]
    room = width + GAP - sum(places[: grid.across.start])
    margin = sum(places[grid.across.stop :])
    blocks, free = [], room - (0 if whole else margin)
    start = grid.across.start
    for column in grid.across:
        if places[column] > free and column > start:
            blocks.append(range(start, column))
            start, free = column, room
        free -= places[column]
    if not whole:
        return blocks[:1] or [grid.across]
    blocks.append(range(start, grid.across.stop))
    return blocks if margin <= free else [*blocks, range(0)]


def _with_long_lines(table: Table, width: int | None) -> Table:
    """The same, where it ends in prose, with all the places that are left for that, cut at its end.

    A sentence that goes on can be guessed; one without its middle cannot.
    """
    if width is not None or not table.columns or table.columns[-1].kind != PROSE:
        return table  # in a terminal, texts are wrapped
    last = len(table.columns) - 1
    room = LINE
    if width is not None:
        before = measure(table, len(table))[:-1]
        room = width - sum(column.width(PHRASE, True) + GAP for column in before)
        if room < len(table.columns[-1].name):
            return table  # then every column gives way

    def row(at: int) -> tuple[Any, ...]:
        *cells, words = table.rows[at]
        for place in range(last):
            if table.columns[place].kind == PROSE:
                cells[place] = _ended(cells[place], PHRASE if width else LINE)
        return (*cells, _ended(words, min(room, LINE)))

    return replace(table, rows=Views(row, len(table)))


def _ended(words: Any, room: int) -> Any:
    """A text cut at its end; only the part that can be in sight is looked at."""
    if not isinstance(words, str):
        return words
    start = words[: LINE + 1]
    return fitted(label_text(start, len(start) * SPELLED), room, start_only=True)
