"""Cells as spreadsheets write them, and as they should be written for spreadsheets.

Between cells stand commas, semicolons or tabs; the first line that is not blank names the columns.
Numbers have a point or a comma, a percent sign perhaps. A text that begins with ``=``, ``+``, ``-``
or ``@`` would be computed, and is written after an apostrophe.

A fraction would become a date (``1/3``) or a time (``1:3``). So a probability is written twice: as
a decimal of twelve digits, which is there to be edited, and as ``1 over 3``, which stays a text.
The second counts as long as the first is what it rounds to. A spreadsheet may have kept fewer
digits of it, as many as it shows; from six on, that is no edit.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from infoset.errors import FileError
from infoset.examine.tables.safe import shown
from infoset.solve.store import number, spelled
from infoset.solve.text import decimal_near

ASKED = ("player", "information set", "number", "action", "probability")
COLUMNS = (*ASKED, "exact")
NEEDED = ("action", "probability")
MOST_SIGNS = 1000  # of a label in a file
MOST_CELL = 100_000  # signs of any cell
DIGITS = 12  # of a decimal that is written
KEPT = 6  # places after the point that a spreadsheet leaves, at least, unless a person edits them
PERCENT = 101  # up to what a number may be a percentage, of which some sum to about 100
COMPUTED = tuple("=+-@")  # what a spreadsheet takes for a formula

PLAIN = re.compile(r"(?P<whole>[0-9]{0,2000})(?:[.,](?P<part>[0-9]{0,2000}))?"
                   r"(?:[eE](?P<power>[+-]?[0-9]{1,5}))?(?P<percent>\s*%)?")  # fmt: skip
QUOTIENT = re.compile(r"[0-9]{1,4000}\s*/\s*[0-9]{1,4000}|0x[0-9a-f]+/0x[0-9a-f]+")
OVER = " over "


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
            if (longest := max(map(len, cells), default=0)) > MOST_CELL:
                raise csv.Error(f"a cell of {longest:,} signs")
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
        raise FileError(f"{name}:{line}: {what}; the first line is {','.join(ASKED)}")


def written_share(share: Any) -> tuple[str, str]:
    """A probability for two cells: as a decimal, and exactly.

    >>> written_share(Fraction(2, 3)), written_share(Fraction(1)), written_share(0.1)
    (('0.666666666667', '2 over 3'), ('1', '1'), ('0.1', ''))
    """
    if isinstance(share, float):
        return repr(float(share)), ""
    return decimal_near(share, DIGITS), spelled(share).replace("/", OVER)


class Share(NamedTuple):
    """A probability that was read, and how it was written."""

    value: Fraction
    percent: bool = False  # with a percent sign
    edited: bool = True  # or as it was written, and exact


def read_share(said: str, exact: str, place: str) -> Share:
    """What two cells say: the exact one where the other is still what it rounds to; nothing is 0.

    >>> for decimal in ("0.666666666667", "0.666667", "0.67"):
    ...     print(read_share(decimal, "2 over 3", "here").value)
    2/3
    2/3
    67/100
    """
    if not said:
        return Share(Fraction(0))
    meant = _quotient(exact.replace(OVER, "/"))
    if meant is None:
        meant = _decimal(exact)[0]
    value, places = _decimal(said)
    if value is not None and meant is not None and meant <= 1 and _agree(value, places, meant):
        return Share(meant, edited=False)
    if value is None:
        return Share(probability(said, place))
    if value > PERCENT:
        raise _no_probability(said, place)
    return Share(value, said.endswith("%"))


def _agree(value: Fraction, places: int, meant: Fraction) -> bool:
    """Is this the decimal that was written, or what a spreadsheet shows of it?"""
    if places >= KEPT and abs(value - meant) * 2 * 10**places <= 1:
        return True
    return value == _decimal(decimal_near(meant, DIGITS))[0]


def probability(said: str, place: str) -> Fraction:
    """A cell as a number between 0 and 1; nothing is 0.

    >>> [str(probability(cell, "here")) for cell in ("2/3", "0,25", "33.3 %", "1e-3", "")]
    ['2/3', '1/4', '333/1000', '1/1000', '0']
    """
    if not said:
        return Fraction(0)
    value = _quotient(said.replace(OVER, "/"))
    if value is None:
        value, _ = _decimal(said)
    if value is None or value > 1:
        raise _no_probability(said, place)
    return value


def _quotient(said: str) -> Fraction | None:
    """A fraction; None if it is none."""
    if not QUOTIENT.fullmatch(said):
        return None
    try:
        return number(re.sub(r"\s", "", said))
    except ZeroDivisionError:
        return None


def _decimal(said: str) -> tuple[Fraction | None, int]:
    """A decimal, a percentage perhaps, and how many places after the point it says; or None."""
    found = PLAIN.fullmatch(said)
    if not found or not (found["whole"] or found["part"]):
        return None, 0
    part = found["part"] or ""
    places = len(part) - int(found["power"] or 0) + 2 * bool(found["percent"])
    return int(found["whole"] + part or "0") * Fraction(10) ** -places, max(places, 0)


def _no_probability(said: str, place: str) -> FileError:
    date = re.match(r"[0-9]{1,4}[-. /]+([^\W\d]{3}|[0-9]{1,2}[-./])", said)
    hint = "; a spreadsheet has made a date of it: give that column the format text" if date else ""
    return FileError(
        f"{place}: {shown(said, 40)!r} is no probability; write one as 2/3, 0.25 or 25%{hint}"
    )
