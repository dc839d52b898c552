r"""A table as a record: what is in it, and nothing about how it looks.

A :class:`Table` has typed columns and rows that may be made only when they are looked at, so that
a page of a table with a million rows costs a page. A :class:`Sheet` is several tables under one
heading. Both show themselves in a terminal (``str``), in a notebook and as CSV, LaTeX, JSON; the
formats are in the modules beside this one.

Labels from anywhere, made safe to show: on one line, of bounded length, as text.

The names of players, actions and information sets come from files that anyone may have written.
Here they are put on one line, with control codes and marks of writing direction spelled out, cut
to a length, and escaped for the format that they go into. What is cut is not looked at, so that a
label of a megabyte costs as much as a short one.

LaTeX without packages has its own traps besides the ten special signs: ``\\`` takes a ``[`` or a
``*`` that follows it for its own argument, ``<`` and ``|`` are other signs in its default font,
two hyphens join to a dash, and card suits are mathematics.

The cells of a table as words and numbers, for people and for programs.

For people a number is short (``2/3``, ``0.1818``, ``294,883``); for programs it is exact (``2/3``,
``12345/67891``), or, where it was a float, the shortest decimal that gives the same float again.

Tables: a record, and a module for each format that shows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from itertools import chain, islice, repeat
from numbers import Rational, Real
from pathlib import Path
from typing import Any

from infoset.text import MOST_SHOWN, decimal_near, probability_text, shown, text

TEXT = "text"  # to the left
PROSE = "prose"  # a text that is worth a long line
NUMBER = "number"  # to the right; ints, Fractions, floats
PROBABILITY = "share"  # a probability, drawn as a bar with its number

LABEL = 60  # signs of a text that are shown
LINE = 240  # signs of prose

FEW = 40  # rows of a table, or tables of a sheet, that are shown where nobody asked for all


@dataclass(frozen=True)
class Column:
    """The head of a column, and what is below it."""

    name: str
    kind: str = TEXT


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

        save_table(self, Path(path))


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

        save_table(self, Path(path))


LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "{}$&#_%"},
    **{sign: f"{{{sign}}}" for sign in "[]*"},
    **{sign: f"${sign}$" for sign in "<>|"},
    '"': "''",
    "`": r"\`{}",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "…": r"\ldots{}",
    "−": "$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "∞": r"$\infty$",
    "∅": r"$\emptyset$",
}
_LATEX = str.maketrans(LATEX)


def encodable(words: str) -> str:
    r"""A text as it is, but for halves of surrogate pairs, which no file can hold: spelled out.

    >>> encodable("K♠"), encodable("\ud800")
    ('K♠', '\\ud800')
    """
    return words.encode(errors="backslashreplace").decode()


def html_text(words: str, most: int = MOST_SHOWN) -> str:
    """A text for the body or a quoted attribute of HTML.

    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return escape(shown(words, most))


def latex_text(words: str, most: int = MOST_SHOWN) -> str:
    r"""A text for LaTeX, also as the first of a row of a ``tabular``; it needs no package.

    Signs of other scripts stay as they are; XeLaTeX and LuaLaTeX set them.

    >>> print(latex_text("[pass] 50% K♠"))
    {[}pass{]} 50\% K$\spadesuit$
    """
    line = shown(words, most).translate(_LATEX)
    return line.replace("--", "-{}-").replace("--", "-{}-")  # the second for the odd ones of a row


LARGE = 10**6  # from here on, decimals have ten digits in all and not four after the point
WHOLE = 10**15  # from here on, whole numbers are rounded
GROUPED = 10**4  # from here on, whole numbers have commas
BITS = 900  # twice as large or as small, this often, and there is no float for it
STRING_BITS = 14_000  # of a whole number that Python turns into text: 4300 digits
BLOCKS = " ▏▎▍▌▋▊▉█"  # none to eight eighths
BAR = 8  # blocks of a whole bar


def is_number(cell: object) -> bool:
    """Whether a cell is a number; truth values are words."""
    return isinstance(cell, Real) and not isinstance(cell, bool)


def number_text(value: Any, *, commas: bool = True) -> str:
    """A number for people, in few signs.

    >>> [number_text(value) for value in (Fraction(2, 3), -3, 294883, 2.0, 1 / 3, 10**40)]
    ['2/3', '-3', '294,883', '2', '0.3333', '1e+40']
    >>> number_text(Fraction(1, 10**400)), number_text(294883, commas=False)
    ('1e-400', '294883')
    """
    if not isinstance(value, Rational) and not math.isfinite(value):
        return str(float(value))
    exact = _exact(value)
    if exact.denominator == 1 and abs(exact.numerator) < WHOLE:
        whole = exact.numerator
        return f"{whole:,}" if commas and abs(whole) >= GROUPED else str(whole)
    if abs(exact.numerator.bit_length() - exact.denominator.bit_length()) > BITS:
        return decimal_near(exact, 4)
    if abs(exact) >= LARGE:
        return decimal_near(exact, 10)
    return probability_text(exact if isinstance(value, Rational) else float(value))


def _exact(value: Any) -> Fraction:
    """A number as what it is exactly; numpy's have Python's whole numbers within."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def exact_text(value: Any) -> str:
    """A number for programs, from which it can be read back as it was.

    >>> exact_text(Fraction(2, 3)), exact_text(3), exact_text(0.1), exact_text(Fraction(4, 2))
    ('2/3', '3', '0.1', '2')
    """
    if not isinstance(value, Rational):
        return repr(float(value))
    exact = _exact(value)
    top = _digits(exact.numerator)
    return top if exact.denominator == 1 else f"{top}/{_digits(exact.denominator)}"


def _digits(whole: int) -> str:
    if whole.bit_length() < STRING_BITS:
        return str(whole)
    from flint import fmpz

    return str(fmpz(whole))  # which knows no limit, and needs no quadratic time


def bar(value: Any) -> str:
    """A probability as a bar of eighths of a block; it is full for 1 only, and empty for 0 only.

    >>> bar(Fraction(2, 3)), bar(1), bar(1e-9), bar(0)
    ('█████▎', '████████', '▏', '')
    """
    if not value > 0:  # nan is neither
        return ""
    eighths = max(1, int(min(value, 1) * (len(BLOCKS) - 1) * BAR))
    full, rest = divmod(eighths, len(BLOCKS) - 1)
    return BLOCKS[-1] * full + BLOCKS[rest].strip()


def words_of(cell: object, most: int) -> str:
    """A cell for people, as plain text on one line.

    >>> words_of(Amounts((1, -1), (True, False)), 60), words_of(None, 60), words_of("[pass]", 60)
    ('1*, -1', '', '[pass]')
    """
    if isinstance(cell, str):
        return shown(cell, most)
    if cell is None:
        return ""
    if is_number(cell):
        return number_text(cell)
    if isinstance(cell, Amounts):
        told = (amount_words(value) + "*" * mark for value, mark in amounts(cell, most))
        return shown(", ".join(told), most)
    return shown(("no", "yes")[cell] if isinstance(cell, bool) else text(cell), most)


def amount_words(value: object) -> str:
    """One of several numbers; without commas, which stand between them."""
    return number_text(value, commas=False) if is_number(value) else words_of(value, 20)


def amounts(cell: Amounts, most: int | None = None) -> Iterator[tuple[Any, bool]]:
    """The values of a cell, each with whether it is marked, or the first of them.

    >>> list(amounts(Amounts((1, 2), (True,))))
    [(1, True), (2, False)]
    """
    marks = chain(cell.marked, repeat(False))
    return islice(zip(cell.values, marks, strict=False), most)


def full_rows(columns: Sequence[Column], row: tuple[Any, ...]) -> Iterator[tuple[Column, Any]]:
    """The cells of a row with their columns; None where a row is too short."""
    return zip(columns, chain(row, repeat(None)), strict=False)


def several(count: int, what: str) -> str:
    """So many of something.

    >>> several(1, "more row"), several(9958, "more row")
    ('1 more row', '9,958 more rows')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


__all__ = ["FEW", "NUMBER", "PROBABILITY", "PROSE", "TEXT", "Amounts", "Column", "Sheet", "Table"]
