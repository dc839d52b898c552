"""Cells as spreadsheets write them, and as they should be written for spreadsheets.

Between cells stand commas, semicolons or tabs; the first line that is not blank names the columns.
Numbers have a point or a comma, a percent sign perhaps. A text that begins with ``=``, ``+``, ``-``
or ``@`` would be computed, and is written after an apostrophe.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from fractions import Fraction

from infoset.errors import FileError
from infoset.examine.tables.safe import shown
from infoset.solve.store import number

COLUMNS = ("player", "information set", "number", "action", "probability")
NEEDED = ("action", "probability")
MOST_SIGNS = 1000  # of a label in a file
COMPUTED = tuple("=+-@")  # what a spreadsheet takes for a formula

PLAIN = re.compile(r"(?P<whole>[0-9]{0,2000})(?:[.,](?P<part>[0-9]{0,2000}))?"
                   r"(?:[eE](?P<power>[+-]?[0-9]{1,3}))?(?P<percent>\s*%)?")  # fmt: skip
QUOTIENT = re.compile(r"[0-9]{1,4000}\s*/\s*[0-9]{1,4000}|0x[0-9a-f]+/0x[0-9a-f]+")


def plain_text(words: str) -> str:
    r"""A label as files have it: one line, not endless.

    >>> plain_text(" two\nlines ")
    'two lines'
    """
    return shown(words, MOST_SIGNS).strip()


def written_cell(words: str) -> str:
    """A label for a cell.

    >>> written_cell("=1+1"), written_cell("-1"), written_cell("bet")
    ("'=1+1", '-1', 'bet')
    """
    plain = plain_text(words)
    return f"'{plain}" if plain.startswith(COMPUTED) and not PLAIN.fullmatch(plain[1:]) else plain


def spellings(cell: str) -> tuple[str, ...]:
    """What a cell may stand for: itself, or a formula without its apostrophe."""
    return (cell, cell[1:]) if cell.startswith("'") and cell[1:].startswith(COMPUTED) else (cell,)


def rows_of(name: str, content: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows below the header: line, and cells by column."""
    head: list[str] | None = None
    skipped = 1 if re.match(r'"?sep=.', content) else 0  # as some spreadsheets begin
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=_delimiter(content))
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if reader.line_num <= skipped or not any(cells):
                continue
            if head is None:
                head = [cell.casefold() for cell in cells]
                _check_head(name, reader.line_num, head)
            else:
                yield reader.line_num, dict(zip(head, cells, strict=False))
    except csv.Error as problem:
        raise FileError(f"{name}:{reader.line_num}: not a table of cells: {problem}") from None


def _delimiter(content: str) -> str:
    """What stands between the cells of the first line that has any."""
    lines = io.StringIO(content)
    first = next((line for line in lines if line.strip() and not re.match('"?sep=.', line)), "")
    return max(",;\t", key=first.count)


def _check_head(name: str, line: int, head: list[str]) -> None:
    lacks = [column for column in NEEDED if column not in head]
    if not {"information set", "number"} & set(head):
        lacks.append("information set")
    twice = [column for column in COLUMNS if head.count(column) > 1]
    if lacks or twice:
        what = f"no column {lacks[0]!r}" if lacks else f"two columns {twice[0]!r}"
        raise FileError(f"{name}:{line}: {what}; the first line is {','.join(COLUMNS)}")


def probability(said: str, place: str) -> Fraction:
    """A cell as a number between 0 and 1; nothing is 0.

    >>> [str(probability(cell, "here")) for cell in ("2/3", "0,25", "33.3 %", "1e-3", "")]
    ['2/3', '1/4', '333/1000', '1/1000', '0']
    """
    value: Fraction | None = None
    if not said:
        return Fraction(0)
    decimal = PLAIN.fullmatch(said)
    if QUOTIENT.fullmatch(said):
        try:
            value = number(re.sub(r"\s", "", said))
        except ZeroDivisionError:
            value = None
    elif decimal and (decimal["whole"] or decimal["part"]):
        part = decimal["part"] or ""
        value = Fraction(int(decimal["whole"] + part or "0")) / 10 ** len(part)
        value *= Fraction(10) ** int(decimal["power"] or 0) / (100 if decimal["percent"] else 1)
    if value is None or value > 1:
        date = re.match(r"[0-9]{1,4}[-. /]+([^\W\d]{3}|[0-9]{1,2}[-./])", said)
        hint = (
            "; a spreadsheet has made a date of it: give that column the format text"
            if date
            else ""
        )
        raise FileError(
            f"{place}: {shown(said, 40)!r} is no probability; write one as 2/3, 0.25 or 25%{hint}"
        )
    return value
