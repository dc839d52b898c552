r"""Tables as comma-separated values: everything that is in them, and exact.

Rationals are written as ``2/3`` and floats with all their digits, so that a table that was edited
by hand can be read back exactly; several numbers in one cell are joined by ``"; "`` (which of them
were marked is not told), and a cell with nothing in it is empty.

Labels stay what they are, line breaks and control codes included, because they must come back the
same: also those that begin with ``=``, ``+``, ``-`` or ``@``, which spreadsheets take for
formulas. Open files with labels of people that you do not know as text. Only halves of surrogate
pairs, which have no place in a UTF-8 file, are spelled out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from infoset.examine.tables.cells import amounts, exact_text, full_rows, is_number
from infoset.examine.tables.record import Amounts, Column, Sheet, Table
from infoset.examine.tables.safe import encodable
from infoset.rules.story import text

Key = tuple[str, int]  # the name of a column, and how many of that name are before it


def table_csv(table: Table) -> str:
    """All rows below a line with the names of the columns.

    >>> from fractions import Fraction
    >>> columns = (Column("holds"), Column("bet", "share"))
    >>> print(table_csv(Table("", columns, [("J, [pass]", Fraction(2, 3)), ("K", 0.1)])), end="")
    holds,bet
    "J, [pass]",2/3
    K,0.1
    """
    return "".join(table_csv_lines(table))


def sheet_csv(sheet: Sheet) -> str:
    """All rows of all tables; the first column is the table's title.

    A column that several tables have is one column here; it is empty where a table has none.

    >>> tables = [Table(name, (Column("holds"), Column(name)), [("J", 1)]) for name in "ab"]
    >>> print(sheet_csv(Sheet("", tables)), end="")
    table,holds,a,b
    a,J,1,
    b,J,,1
    """
    return "".join(sheet_csv_lines(sheet))


def table_csv_lines(table: Table) -> Iterator[str]:
    """The lines of :func:`table_csv`, each made when it is asked for."""
    head = [column.name for column in table.columns]
    body = ([cell for _, cell in full_rows(table.columns, row)] for row in table.rows)
    return _written(head, body)


def sheet_csv_lines(sheet: Sheet) -> Iterator[str]:
    """The lines of :func:`sheet_csv`, each made when it is asked for.

    The tables are gone through twice, first for their columns.
    """
    places: dict[Key, int] = {}
    for table in sheet.tables:
        for key in _keys(table.columns):
            places.setdefault(key, len(places) + 1)
    body = (_placed(table, row, places) for table in sheet.tables for row in table.rows)
    return _written(["table", *(name for name, _ in places)], body)


def _keys(columns: Iterable[Column]) -> list[Key]:
    seen: dict[str, int] = {}
    keys = []
    for column in columns:
        keys.append((column.name, seen.get(column.name, 0)))
        seen[column.name] = keys[-1][1] + 1
    return keys


def _placed(table: Table, row: tuple[Any, ...], places: dict[Key, int]) -> list[Any]:
    """A row of a table, with its cells in the columns of the whole sheet."""
    cells: list[Any] = [None] * (len(places) + 1)
    cells[0] = table.title
    for key, (_, cell) in zip(_keys(table.columns), full_rows(table.columns, row), strict=True):
        cells[places[key]] = cell
    return cells


def _written(head: list[str], body: Iterable[list[Any]]) -> Iterator[str]:
    line = StringIO()
    # With both signs as its line end, the writer puts quotation marks round cells with either.
    writer = csv.writer(line, lineterminator="\r\n")
    for row in _rows(head, body):
        writer.writerow(row)
        yield line.getvalue()[:-2] + "\n"
        line.seek(0)
        line.truncate()


def _rows(head: list[str], body: Iterable[list[Any]]) -> Iterator[list[str]]:
    yield [encodable(name) for name in head]
    for row in body:
        yield [_value(cell) for cell in row]


def _value(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return encodable(cell)
    if is_number(cell):
        return exact_text(cell)
    if isinstance(cell, Amounts):
        return "; ".join(_value(value) for value, _ in amounts(cell))
    return ("no", "yes")[cell] if isinstance(cell, bool) else encodable(text(cell))
