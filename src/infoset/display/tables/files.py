"""Tables for files and programs: CSV, JSON, and the format that a file's name asks for.

**CSV** has everything, exactly. Rationals are written as ``2/3`` and floats with all their digits,
so that a table that was edited by hand can be read back; several numbers in one cell are joined by
``"; "`` (without their marks), and a cell with nothing in it is empty. Labels stay what they are,
line breaks and control codes included, because they must come back the same: also those that begin
with ``=``, ``+``, ``-`` or ``@``, which spreadsheets take for formulas. Open files with labels of
people that you do not know as text. Only halves of surrogate pairs, which a UTF-8 file cannot hold,
are spelled out.

**JSON**: rows as mappings. A Fraction is a text ``"p/q"``, as everywhere in this package; an
integer is a number unless JavaScript would round it, and a float is a number unless JSON has none
for it. Several numbers in one cell are a list (without their marks), and an empty cell is null.

A file is written a row at a time, completely or not at all, with every row in it.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from numbers import Integral, Rational
from pathlib import Path
from typing import Any

from infoset.analysis.table import Amounts, Column, Sheet, Table
from infoset.display.tables.cells import amounts, full_rows
from infoset.display.tables.html import page_lines
from infoset.display.tables.latex import sheet_latex_lines, table_latex_lines
from infoset.display.tables.terminal import BOUNDLESS, sheet_lines, table_lines
from infoset.errors import FileError
from infoset.files import write_lines
from infoset.text import encodable, exact_text, is_number, label_text, text

Key = tuple[str, int]  # the name of a column, and how many of that name are before it


def table_csv(table: Table) -> str:
    """All rows below a line with the names of the columns.

    >>> from fractions import Fraction
    >>> columns = (Column("holds"), Column("bet", "probability"))
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
    # With both characters as its line end, the writer puts quotation marks round cells with either.
    writer = csv.writer(line, lineterminator="\r\n")
    for row in _rows(head, body):
        writer.writerow(row)
        yield line.getvalue()[:-2] + "\n"
        line.seek(0)
        line.truncate()


def _rows(head: list[str], body: Iterable[list[Any]]) -> Iterator[list[str]]:
    yield [encodable(name) for name in head]
    for row in body:
        yield [_csv_value(cell) for cell in row]


def _csv_value(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return encodable(cell)
    if is_number(cell):
        return exact_text(cell)
    if isinstance(cell, Amounts):
        return "; ".join(_csv_value(value) for value, _ in amounts(cell))
    return ("no", "yes")[cell] if isinstance(cell, bool) else encodable(text(cell))


SAFE = 2**53  # whole numbers below this are floats too, which is what many readers make of them


def table_records(table: Table) -> list[dict[str, Any]]:
    """A mapping for each row; a second column of one name is called ``name (2)``.

    >>> from fractions import Fraction
    >>> from infoset.analysis.table import Column
    >>> columns = (Column("holds"), Column("bet", "probability"), Column("nodes", "number"))
    >>> table_records(Table("", columns, [("J", Fraction(2, 3), 5), ("K", 0.1, None)]))
    [{'holds': 'J', 'bet': '2/3', 'nodes': 5}, {'holds': 'K', 'bet': 0.1, 'nodes': None}]
    """
    return list(_records(table))


def sheet_records(sheet: Sheet) -> dict[str, Any]:
    """A mapping of the title, the facts, the tables with their rows, and the note.

    >>> sheet_records(Sheet("kuhn()", [Table("none", (), [])], (("value", "-1/18"),)))
    {'title': 'kuhn()', 'facts': {'value': '-1/18'}, 'tables': [{'title': 'none', 'rows': [],
    'note': ''}], 'note': ''}
    """
    tables = [
        {
            "title": encodable(table.title),
            "rows": table_records(table),
            "note": encodable(table.note),
        }
        for table in sheet.tables
    ]
    return {**_top(sheet), "tables": tables, "note": encodable(sheet.note)}


def table_json_lines(table: Table) -> Iterator[str]:
    """A JSON object of the title, the rows and the note, a row at a time."""
    yield f'{{"title": {_dumped(encodable(table.title))}, "rows": ['
    yield from _listed(map(_dumped, _records(table)))
    yield f'], "note": {_dumped(encodable(table.note))}}}\n'


def sheet_json_lines(sheet: Sheet) -> Iterator[str]:
    """:func:`sheet_records` as JSON, a row at a time."""
    yield f'{_dumped(_top(sheet))[:-1]}, "tables": ['
    for at, table in enumerate(sheet.tables):
        yield ",\n" if at else "\n"
        yield from table_json_lines(table)
    yield f'], "note": {_dumped(encodable(sheet.note))}}}\n'


def _records(table: Table) -> Iterator[dict[str, Any]]:
    names = _distinct(column.name for column in table.columns)
    for row in table.rows:
        cells = (_json_value(cell) for _, cell in full_rows(table.columns, row))
        yield dict(zip(names, cells, strict=True))


def _top(sheet: Sheet) -> dict[str, Any]:
    names = _distinct(name for name, _ in sheet.facts)
    values = (encodable(value) for _, value in sheet.facts)
    return {"title": encodable(sheet.title), "facts": dict(zip(names, values, strict=True))}


def _distinct(names: Iterable[str]) -> list[str]:
    """Names as keys, of which no two are the same."""
    taken: dict[str, int] = {}  # a name, and the number that the next of it may have
    for name in map(encodable, names):
        key, count = name, taken.get(name, 1)
        while key in taken:
            count += 1
            key = f"{name} ({count})"
        taken[name] = count
        taken.setdefault(key, 1)
    return list(taken)


def _json_value(cell: Any) -> Any:
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, str):
        return encodable(cell)
    if isinstance(cell, Amounts):
        return [_json_value(value) for value, _ in amounts(cell)]
    if not is_number(cell):
        return encodable(text(cell))
    if isinstance(cell, Integral):
        return int(cell) if abs(int(cell)) < SAFE else exact_text(cell)
    if isinstance(cell, Rational) or not math.isfinite(cell):
        return exact_text(cell)
    return float(cell)


def _listed(items: Iterable[str]) -> Iterator[str]:
    for at, item in enumerate(items):
        yield f",\n{item}" if at else f"\n{item}"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def save_table(content: Table | Sheet, path: Path) -> None:
    r"""Write a table or a sheet; the end of the name says how: csv, tex, html, json or txt.

    >>> import tempfile
    >>> from infoset.analysis.table import Column
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_table(Table("", (Column("holds"),), [("J",), ("K",)]), Path(folder, "hands.csv"))
    ...     Path(folder, "hands.csv").read_text()
    'holds\nJ\nK\n'
    >>> save_table(Table("", (), []), Path("hands.xlsx"))
    Traceback (most recent call last):
    infoset.errors.FileError: hands.xlsx: tables are not written as .xlsx; end the name in .csv, ...
    """
    write = FORMATS.get(path.suffix.lower())
    name = label_text(str(path), 200)
    if write is None:
        kind = f"as {label_text(path.suffix, 20)}" if path.suffix else "without a format"
        *known, last = FORMATS
        raise FileError(
            f"{name}: tables are not written {kind}; end the name in {', '.join(known)} or {last}"
        )
    if not path.parent.is_dir():
        folder = label_text(str(path.parent), 200)
        raise FileError(f"{name}: there is no folder {folder}; make it first, or name another")
    write_lines(path, write(content))


def _csv(content: Table | Sheet) -> Iterator[str]:
    return table_csv_lines(content) if isinstance(content, Table) else sheet_csv_lines(content)


def _tex(content: Table | Sheet) -> Iterator[str]:
    return table_latex_lines(content) if isinstance(content, Table) else sheet_latex_lines(content)


def _json(content: Table | Sheet) -> Iterator[str]:
    return table_json_lines(content) if isinstance(content, Table) else sheet_json_lines(content)


def _txt(content: Table | Sheet) -> Iterator[str]:
    if isinstance(content, Table):
        lines = table_lines(content, width=BOUNDLESS, most=None)
    else:
        lines = sheet_lines(content, width=BOUNDLESS, most=None)
    return (f"{line}\n" for line in lines)


FORMATS: dict[str, Callable[[Table | Sheet], Iterable[str]]] = {
    ".csv": _csv,
    ".tex": _tex,
    ".html": page_lines,
    ".json": _json,
    ".txt": _txt,
}
