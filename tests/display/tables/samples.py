"""Tables that the tests of every format show, and sequences that tell what was looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, overload

from hypothesis import strategies as st

from infoset.analysis.table import NUMBER, PROBABILITY, Amounts, Column, Sheet, Table

HANDS = Table(
    "gambler",
    (Column("holds"), Column("[bet]", PROBABILITY), Column("worth", NUMBER)),
    [("J", Fraction(2, 3), -1), ("K", 1, Fraction(12345, 67891)), ("Q, [pass]", 0.0, None)],
    note="a note",
    faint=frozenset({1}),
)
MATRIX = Table(
    "payoffs",
    (Column(""), Column("left", NUMBER), Column("right", NUMBER)),
    [
        ("top", Amounts((1, -1), (True, False)), Amounts((10, -10), (False, True))),
        ("low", Amounts((Fraction(1, 3), 0), (False, False)), Amounts((2, -2), (True, True))),
    ],
)
SHEET = Sheet("kuhn()", (HANDS, MATRIX), (("method", "lp"), ("certificate", "exact")), "the end")

HOSTILE = (
    "<script>alert('&amp;')</script>",
    "two\r\nlines\r",
    "\x1b[2J\x00\x07",
    "\u202egnp.exe\u200f\u2066",
    r"\input{/etc/passwd} $x_1^2$ 50% #1 & ~{}",
    "[bold red]not markup[/] :smile:",
    "*star",
    "[2cm]",
    "\ud800 alone",
    "",
    "=1+2",
    "-1,\"quoted\"; 'x'",
    "日本語" * 30,
    "x" * 10**6,
    "\u202e" * 10**5,
    "e" + "\u0301" * 5000,
    "a b " * 10**5,
)


def hostile_table(label: str) -> Table:
    """The label wherever a table can have one."""
    return Table(label, (Column(label), Column(label, NUMBER)), [(label, label), (None, 1)], label)


def hostile_sheet(label: str) -> Sheet:
    return Sheet(label, [hostile_table(label)] * 8, ((label, label),), label)


class Watched(Sequence[Any]):
    """Entries that are made when they are asked for, and the numbers of those that were."""

    def __init__(self, size: int, make: Callable[[int], Any]) -> None:
        self.size, self.make = size, make
        self.asked: list[int] = []

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Any]: ...
    def __getitem__(self, at: int | slice) -> Any:
        assert isinstance(at, int), "a slice of a lazy sequence may be all of it"
        if not 0 <= at < self.size:
            raise IndexError(at)
        self.asked.append(at)
        return self.make(at)


labels = st.text(st.characters(exclude_categories=()), max_size=90) | st.sampled_from(HOSTILE[:13])
numbers = (
    st.integers()
    | st.fractions()
    | st.floats()
    | st.integers(-(10**400), 10**400)
    | st.builds(Fraction, st.integers(-9, 9), st.integers(1, 10**350))
)
probabilities = st.fractions(0, 1) | st.floats(0, 1)
several = st.lists(st.tuples(numbers, st.booleans()), max_size=4).map(
    lambda pairs: Amounts(tuple(value for value, _ in pairs), tuple(mark for _, mark in pairs))
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Any table: any labels, any numbers, rows too short, cells of the wrong kind."""
    kinds = draw(st.lists(st.sampled_from(("text", NUMBER, PROBABILITY)), min_size=1, max_size=5))
    columns = tuple(Column(draw(labels), kind) for kind in kinds)
    cells = st.none() | labels | numbers | probabilities | several | st.booleans()
    rows = draw(st.lists(st.lists(cells, max_size=len(columns)).map(tuple), max_size=4))
    return Table(draw(labels), columns, rows, draw(labels), draw(st.frozensets(st.integers(0, 3))))
