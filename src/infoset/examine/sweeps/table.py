"""The table of a sweep: a row for each member, the swept parameters first.

There are only columns that say something: sizes alone have no value and no regret, games without a
value have everyone's payoffs in its place, and notes are there if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from infoset.examine.sweeps.members import Plan, Row
from infoset.examine.tables import NUMBER, TEXT, Amounts, Column, Table
from infoset.rules.story import text


def sweep_table(plan: Plan, rows: Sequence[Row]) -> Table:
    """The rows of a sweep as a table; those of members that could not be built are faint."""
    columns = _swept_columns(plan, rows)  # pairs: a parameter may be called as a column is

    def column(name: str, kind: str, cell: Callable[[Row], Any]) -> None:
        columns.append((Column(name, kind), [cell(row) for row in rows]))

    column("nodes", NUMBER, lambda row: row.nodes)
    column("infosets", NUMBER, lambda row: row.infosets)
    column("sequences", NUMBER, lambda row: row.sequences)
    if plan.solving:
        paid = any(row.payoffs for row in rows) and all(row.value is None for row in rows)
        column("method", TEXT, lambda row: row.method or None)
        column("payoffs" if paid else "value", NUMBER, _worth)
        column("regret", NUMBER, lambda row: row.regret)
        column("certificate", TEXT, lambda row: row.certificate or None)
    column("building (s)", NUMBER, lambda row: row.building)
    if plan.solving:
        column("solving (s)", NUMBER, lambda row: row.solving)
    if any(row.note for row in rows):
        column("note", TEXT, lambda row: row.note or None)
    return Table(
        title=f"{plan.title} over {', '.join(plan.swept)}",
        columns=tuple(head for head, _ in columns),
        rows=list(zip(*(cells for _, cells in columns), strict=True)),
        note="" if len(rows) == len(plan) else f"{len(rows):,} of {len(plan):,} members",
        faint=frozenset(at for at, row in enumerate(rows) if row.nodes is None),
    )


def _swept_columns(plan: Plan, rows: Sequence[Row]) -> list[tuple[Column, list[Any]]]:
    columns = []
    for at, (name, values) in enumerate(plan.swept.items()):
        cells = [row.parameters[at] for row in rows]
        numbers = all(map(is_number, values))
        column = Column(name, NUMBER if numbers else TEXT)
        columns.append((column, cells if numbers else list(map(text, cells))))
    return columns


def _worth(row: Row) -> Any:
    """The value, or what everyone gets where there is none."""
    if row.value is not None or not row.payoffs:
        return row.value
    return Amounts(row.payoffs, (False,) * len(row.payoffs))


def is_number(value: object) -> bool:
    """Is this a number, and not a truth value?"""
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)
