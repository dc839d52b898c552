"""Tables for programs: rows as mappings, ready for JSON.

A Fraction is a text ``"p/q"``, as everywhere in this package; a whole number is a number unless
JavaScript would round it, and a float is a number unless JSON has none for it. Several numbers in
one cell are a list (which of them were marked is not told), and nothing is null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from numbers import Integral, Rational
from typing import Any

from infoset.examine.tables.cells import amounts, exact_text, full_rows, is_number
from infoset.examine.tables.record import Amounts, Sheet, Table
from infoset.examine.tables.safe import encodable
from infoset.rules.story import text

SAFE = 2**53  # whole numbers below this are floats too, which is what many readers make of them


def table_records(table: Table) -> list[dict[str, Any]]:
    """A mapping for each row; a second column of one name is called ``name (2)``.

    >>> from fractions import Fraction
    >>> from infoset.examine.tables import Column
    >>> columns = (Column("holds"), Column("bet", "share"), Column("nodes", "number"))
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
        cells = (_value(cell) for _, cell in full_rows(table.columns, row))
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


def _value(cell: Any) -> Any:
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, str):
        return encodable(cell)
    if isinstance(cell, Amounts):
        return [_value(value) for value, _ in amounts(cell)]
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
