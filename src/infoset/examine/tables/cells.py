"""The cells of a table as words and numbers, for people and for programs.

For people a number is short (``2/3``, ``0.1818``, ``294,883``); for programs it is exact (``2/3``,
``12345/67891``), or, where it was a float, the shortest decimal that gives the same float again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice, repeat
from numbers import Rational, Real
from typing import Any

from infoset.examine.tables.record import Amounts, Column
from infoset.examine.tables.safe import shown
from infoset.rules.story import text
from infoset.solve.text import decimal_near
from infoset.strategy.text import number

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
    return number(exact if isinstance(value, Rational) else float(value))


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
