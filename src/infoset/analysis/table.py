"""A table as a record: its contents, and nothing about how it looks.

A :class:`Table` has typed columns, and rows that may be made only when they are looked at, so that
a page of a table with a million rows costs a page. A :class:`Sheet` is several tables under one
heading. Both show themselves in a terminal (``str``), in a notebook and as CSV, LaTeX, JSON, by
:mod:`infoset.display.tables`, which is imported when that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from infoset.files import as_path

__all__ = ["FEW", "NUMBER", "PROBABILITY", "PROSE", "TEXT", "Amounts", "Column", "Sheet", "Table"]

TEXT = "text"  # to the left
PROSE = "prose"  # a text that may take a long line
NUMBER = "number"  # to the right; ints, Fractions, floats
PROBABILITY = "probability"  # a probability, drawn as a bar with its number

LABEL = 60  # characters of a text that are shown
LINE = 480  # characters of prose

FEW = 40  # rows of a table, or tables of a sheet, that are shown by default


@dataclass(frozen=True)
class Column:
    """The head of a column, and what is below it."""

    name: str
    kind: str = TEXT
    action: bool = False  # the probability of an action: left out where there is no room for 0


@dataclass(frozen=True)
class Amounts:
    """A cell of several numbers, of which some are marked: a payoff for each player, say."""

    values: tuple[Any, ...]
    marked: tuple[bool, ...]


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    A cell is a text, a number, :class:`Amounts`, or None where there is nothing to say.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Any, ...]]
    note: str = ""  # below the table
    faint: frozenset[int] = field(default_factory=frozenset)  # rows that matter less: dominated

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __getitem__(self, rows: slice) -> Table:
        """The table of some of the rows."""
        kept = range(*rows.indices(len(self.rows)))
        faint = frozenset(at for at, row in enumerate(kept) if row in self.faint)
        return replace(self, rows=[self.rows[at] for at in kept], faint=faint)

    def column(self, name: str) -> list[Any]:
        """The cells of one column."""
        at = [column.name for column in self.columns].index(name)
        return [row[at] for row in self.rows]

    def __str__(self) -> str:
        from infoset.display.tables.terminal import BOUNDLESS, table_text

        return table_text(self, width=BOUNDLESS)

    def _repr_html_(self) -> str:
        from infoset.display.tables.html import table_html

        return table_html(self)

    def text(
        self, *, width: int | None = None, colour: bool = False, most: int | None = FEW
    ) -> str:
        """For a terminal; ``most`` rows, None for all of them."""
        from infoset.display.tables.terminal import table_text

        return table_text(self, width=width, colour=colour, most=most)

    def csv(self) -> str:
        """All rows as comma-separated values, numbers exact."""
        from infoset.display.tables.files import table_csv

        return table_csv(self)

    def latex(self, *, most: int | None = FEW) -> str:
        """A ``tabular`` for a paper."""
        from infoset.display.tables.latex import table_latex

        return table_latex(self, most=most)

    def records(self) -> list[dict[str, Any]]:
        """All rows as mappings for JSON; exact numbers as texts."""
        from infoset.display.tables.files import table_records

        return table_records(self)

    def save(self, path: str | Path) -> None:
        """Write to a file, in the format that its name ends in: csv, tex, html, json, txt."""
        from infoset.display.tables.files import save_table

        save_table(self, as_path(path))


@dataclass(frozen=True)
class Sheet:
    """Several tables under one heading, with facts before them."""

    title: str
    tables: Sequence[Table]
    facts: tuple[tuple[str, str], ...] = ()  # name and value, in words
    note: str = ""

    def __len__(self) -> int:
        """The number of tables."""
        return len(self.tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __getitem__(self, table: int) -> Table:
        return self.tables[table]

    def __str__(self) -> str:
        from infoset.display.tables.terminal import BOUNDLESS, sheet_text

        return sheet_text(self, width=BOUNDLESS)

    def _repr_html_(self) -> str:
        from infoset.display.tables.html import sheet_html

        return sheet_html(self)

    def text(
        self, *, width: int | None = None, colour: bool = False, most: int | None = FEW
    ) -> str:
        """For a terminal; ``most`` rows in all, None for all of them."""
        from infoset.display.tables.terminal import sheet_text

        return sheet_text(self, width=width, colour=colour, most=most)

    def csv(self) -> str:
        """All rows of all tables as one table of comma-separated values.

        Columns that tables do not share are left empty; the first column is the table's title.
        """
        from infoset.display.tables.files import sheet_csv

        return sheet_csv(self)

    def latex(self, *, most: int | None = FEW) -> str:
        """A ``tabular`` for each table."""
        from infoset.display.tables.latex import sheet_latex

        return sheet_latex(self, most=most)

    def records(self) -> dict[str, Any]:
        """Everything as one mapping for JSON."""
        from infoset.display.tables.files import sheet_records

        return sheet_records(self)

    def save(self, path: str | Path) -> None:
        """Write to a file, in the format that its name ends in: csv, tex, html, json, txt."""
        from infoset.display.tables.files import save_table

        save_table(self, as_path(path))
