"""All that nature may have done, row by row: the worlds that one run of the rules stands for.

A *field* has one row for every way in which nature's moves so far may have come out. The next move
makes a new field below it: a row for each row that was still possible and each outcome there, side
by side, in the order of the outcomes. *Worlds* are the rows that a run still deals with. The same
worlds are always the same object, so that whatever was once found out about them is looked up.

A field that is folded keeps one row of each class of rows that differ by a permutation of suits
(:mod:`infoset.vectorized.symmetry`), and how many rows it stands for.

What stands for a value in all worlds at once: a table of the values, and a code for each world.

A function of such values is computed once for each combination of them that occurs in the worlds of
a run. Others may never occur, or only in worlds that the rules have excluded by looking, where the
function may make no sense: so codes are filled in as they are needed, and -1 until then.

A function of one such value, or of several that have the same codes, needs no codes of its own: it
is another table over the same ones, a *loose* value, in whose table entries may be equal. Where it
matters which are (to look, to reveal, to combine), it is *tightened*: it gets codes of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice, repeat
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import RulesError
from infoset.objects.cards import Card
from infoset.objects.vectorized import VectorizedValue

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

ROOM = 1 << 62  # what int64 arithmetic may reach; rules know nothing of infoset.linear


class ChanceHistories:
    """Rows of outcomes of nature's moves."""

    __slots__ = ("_rows_above", "above", "depth", "outcome", "stands_for", "under", "up", "weight")

    def __init__(
        self,
        up: ChanceHistories | None,
        above: Ints,
        outcome: Ints,
        weight: Any,
        under: int,
        stands_for: Any,
    ) -> None:
        """``weight / under`` is nature's probability of a row that stands for itself alone."""
        self.up = up
        self.above = above  # [row] the row of the field above that it goes on from
        self.outcome = outcome  # [row] which outcome of nature's last move
        self.weight = weight  # [row] int64, or Python's integers where these do not suffice
        self.under = under
        self.stands_for = stands_for  # [row] rows of the whole game
        self.depth: int = 0 if up is None else up.depth + 1
        self._rows_above: dict[ChanceHistories, Ints] = {}

    def __len__(self) -> int:
        return len(self.above)

    def rows_in(self, field: ChanceHistories) -> Ints | None:
        """[row] the row of a field above that it comes from; None if that is this field itself."""
        if field is self:
            return None
        found = self._rows_above.get(field)
        if found is None:
            found, up = self.above, self.up
            while up is not field:  # step by step: nature may have moved very often
                assert up is not None
                found, up = up.above[found], up.up
            self._rows_above[field] = found
        return found


def no_chance_history() -> ChanceHistories:
    """One row: nature has not moved."""
    one = np.ones(1, np.int64)
    return ChanceHistories(None, np.zeros(1, np.int32), np.zeros(1, np.int32), one, 1, one)


class Deals:
    """Some rows of a field, in increasing order."""

    __slots__ = ("_inside", "_places", "_stands_for", "field", "rows", "splits")

    def __init__(self, field: ChanceHistories, rows: Ints | None = None) -> None:
        """These rows, or all."""
        self.field = field
        self.rows = np.arange(len(field), dtype=np.int32) if rows is None else rows
        self.splits: dict[Any, Any] = {}  # what was made of these worlds before
        self._stands_for = -1  # not counted yet
        self._inside: dict[ChanceHistories, Ints] = {}
        self._places: dict[Deals, Ints] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def stands_for(self) -> int:
        """How many rows of the whole game these are."""
        if self._stands_for < 0:
            self._stands_for = int(self.field.stands_for[self.rows].sum())
        return self._stands_for

    def along(self, field: ChanceHistories) -> Ints:
        """[place] the rows of a field above that these come from, in their order."""
        above = self.field.rows_in(field)
        return self.rows if above is None else above[self.rows]

    def inside(self, field: ChanceHistories) -> Ints:
        """The rows of a field above that these come from, each once."""
        if field is self.field:
            return self.rows
        found = self._inside.get(field)
        if found is None:
            there = np.zeros(len(field), bool)
            there[self.along(field)] = True
            found = self._inside[field] = np.flatnonzero(there).astype(np.int32)
        return found

    def places_in(self, other: Deals) -> Ints:
        """[place] where each of these, or what it comes from, stands among other worlds."""
        found = self._places.get(other)
        if found is None:
            found = np.searchsorted(other.rows, self.along(other.field)).astype(np.int32)
            self._places[other] = found
        return found


def times(weights: Any, factors: Any) -> Any:
    """Products of whole numbers, entry by entry, without overflow."""
    if weights.dtype == object or factors.dtype == object:
        return weights.astype(object) * factors.astype(object)
    if not len(weights) or int(weights.max()) * int(factors.max(initial=0)) < ROOM:
        return weights * factors
    return weights.astype(object) * factors.astype(object)


DENSE = 1 << 22  # combinations up to which those that occur are marked instead of sorted
CALLS = 10_000  # of a function between two signs of life


class Hidden:
    """A value that depends on what nature did."""

    __slots__ = (
        "_adopted",
        "_code_of",
        "_known",
        "_tight",
        "base",
        "codes",
        "field",
        "room",
        "table",
    )

    def __init__(self, field: ChanceHistories, base: Hidden | None = None) -> None:
        """No code is known yet; or, with a base, those of the base, and no value."""
        self.field = field
        self.base = base
        self.codes: Ints = np.full(len(field), -1, np.int32) if base is None else base.codes
        self.table: list[Any] = []
        self._tight: Hidden | None = None
        self._code_of: dict[Any, int] = {}
        self._known: set[Deals] = set()
        self._adopted = 0  # values that came without being looked up
        self.room = 0  # codes it may come to have, where keys are made of them; 0: not said yet

    def code(self, value: Any) -> int:
        """The code of a value; equal values of different types are kept apart, as 1 and True."""
        if len(self._code_of) < self._adopted:
            self._code_of = {(kind_of(one), one): at for at, one in enumerate(self.table)}
        try:
            found = self._code_of.setdefault((kind_of(value), value), len(self.table))
        except TypeError:  # a list or a dict: each stands for itself
            found = len(self.table)
        if found == len(self.table):
            self.table.append(value)
        return found

    def adopt(self, values: Sequence[Any]) -> Ints:
        """Take different values as the table; they are not hashed before someone asks for one."""
        self.table = list(values)
        self._adopted = len(self.table)
        return np.arange(len(self.table), dtype=np.int32)

    def codes_of(self, values: list[Any]) -> Ints:
        """[value] the codes of many values; the same object is looked up once."""
        different, at = by_identity(values)
        return np.array([self.code(value) for value in different], np.int32)[at]

    def at(self, deals: Deals) -> Ints:
        """[place] the codes in some worlds, where they are known."""
        return self.codes[deals.along(self.field)]

    def equal(self, codes: Ints) -> Ints:
        """Codes, those of equal values made one: as facts, 1 and True are the same."""
        if len({kind_of(value) for value in self.table}) == 1:
            return codes
        first: dict[Any, int] = {}
        try:
            same = [first.setdefault(value, at) for at, value in enumerate(self.table)]
        except TypeError:  # whoever makes facts of them will say so
            return codes
        return np.array(same, np.int32)[codes]

    def seen_in(self, deals: Deals) -> list[int]:
        """The codes that occur in some worlds, in the order of the first row of each."""
        if self.base is not None:
            return self.base.seen_in(deals)
        known = deals.splits.get((self, "codes"))
        if known is None:
            codes = self.codes[deals.inside(self.field)]
            first = np.full(len(self.table), len(codes), np.int64)
            first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
            there = np.flatnonzero(first < len(codes))
            known = there[np.argsort(first[there], kind="stable")].tolist()
            deals.splits[self, "codes"] = known
        found: list[int] = known
        return found

    def split(self, deals: Deals) -> list[tuple[Any, Deals]]:
        """The worlds by the value that it has there."""
        known = deals.splits.get(self)
        if known is None:
            codes = self.at(deals)
            known = [
                (self.table[code], Deals(deals.field, deals.rows[codes == code]))
                for code in self.seen_in(deals)
            ]
            deals.splits[self] = known
        found: list[tuple[Any, Deals]] = known
        return found

    def unknown_in(self, deals: Deals) -> Ints:
        """The rows, of its own field, that some worlds come from and that have no code yet."""
        if deals in self._known:
            return self.codes[:0]
        self._known.add(deals)
        rows = deals.inside(self.field)
        return rows[self.codes[rows] < 0]

    def forget(self, deals: Deals) -> None:
        """The codes in some worlds were not found after all."""
        self._known.discard(deals)

    def tightened(self, deals: Deals) -> Hidden:
        """The same with codes of its own, as far as some worlds need them."""
        if self.base is None:
            return self
        if self._tight is None:
            self._tight = Hidden(self.field)
        tight = self._tight
        rows = tight.unknown_in(deals)
        if len(rows):
            seen = self.base.seen_in(deals)
            code = np.full(len(self.table), -1, np.int32)
            code[seen] = tight.codes_of([self.table[one] for one in seen])
            tight.codes[rows] = code[self.codes[rows]]
        return tight


def kind_of(value: Any) -> Any:
    """A value's type, and of a tuple those of its entries: (1,) is not (True,)."""
    return tuple(map(kind_of, value)) if value.__class__ is tuple else value.__class__


MISSING: Any = object()  # in the table of a loose value: nobody has needed it yet


def loose(
    result: Hidden, function: Callable[..., Any], operands: Sequence[Any], deals: Deals
) -> None:
    """Compute a function of operands that have the same codes, as far as some worlds need it."""
    base = result.base
    assert base is not None
    if len(result.table) < len(base.table):
        result.table += [MISSING] * (len(base.table) - len(result.table))
    tables = [one.table if isinstance(one, Hidden) else None for one in operands]
    for code in base.seen_in(deals):
        if result.table[code] is MISSING:
            pairs = zip(operands, tables, strict=True)
            values = [one if table is None else table[code] for one, table in pairs]
            result.table[code] = _plain(function(*values))


def _plain(value: Any) -> Any:
    if value.__class__ is VectorizedValue:
        raise RulesError("a function given to g.map gives a stand-in; hand that in as a value")
    return value


# What comparing two values comes to, where it is known how they are ordered.
COMPARED: dict[Any, Callable[[Any, Any], Any]] = {
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
}
ORDERED = (int, str, Fraction, Card)  # types whose values have one order from low to high


def _in_order(hidden: Sequence[Hidden]) -> bool:
    """Are all values of one type that has an order?"""
    kinds = {value.__class__ for one in hidden for value in one.table}
    return len(kinds) == 1 and kinds.pop() in ORDERED


def _compared(
    result: Hidden,
    compare: Callable[[Any, Any], Any],
    hidden: Sequence[Hidden],
    columns: list[Ints],
) -> Ints:
    """[row] the codes of a comparison, by the places of the values in their order."""
    places = {value: at for at, value in enumerate(sorted({*hidden[0].table, *hidden[1].table}))}
    one, two = (
        np.array([places[value] for value in side.table], np.int32)[column]
        for side, column in zip(hidden, columns, strict=True)
    )
    codes = np.array([result.code(False), result.code(True)], np.int32)
    return np.asarray(codes[compare(one, two).astype(np.int8)])


def deepest(values: Sequence[Hidden]) -> ChanceHistories:
    """The field that all of these values can be told in."""
    return max((value.field for value in values), key=lambda field: field.depth)


def by_identity(values: list[Any]) -> tuple[list[Any], Ints]:
    """The different objects in a list, and which of them each entry is."""
    names = np.fromiter(map(id, values), np.int64, len(values))
    _, first, at = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # as they come in the list
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return [values[one] for one in first[order].tolist()], place[at]


def combinations(columns: Sequence[Ints], sizes: Sequence[int]) -> tuple[Longs, Ints]:
    """Where the different rows of some columns of codes are, and which of them each row is."""
    key = columns[0].astype(np.int64)
    whole = sizes[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        if whole * size >= 1 << 62:  # as few numbers as there are different ones
            _, key = np.unique(key, return_inverse=True)
            whole = int(key.max(initial=0)) + 1
        key = key * size + column
        whole *= size
    return numbered(key, whole)


def numbered(key: Longs, size: int) -> tuple[Longs, Ints]:
    """Where each different key occurs, and the number of each; keys are smaller than ``size``."""
    if size > max(DENSE, 4 * len(key)):
        _, first, number = np.unique(key, return_index=True, return_inverse=True)
        return first, number.astype(np.int32)
    place = np.full(size, -1, np.int32)
    place[key[::-1]] = np.arange(len(key) - 1, -1, -1, dtype=np.int32)
    there = place[place >= 0]
    place[place >= 0] = np.arange(len(there), dtype=np.int32)
    return there.astype(np.int64), place[key]


def fill(
    result: Hidden,
    function: Callable[..., Any],
    operands: Sequence[Any],
    deals: Deals,
    worked: Callable[[], None],
) -> None:
    """Compute a function of operands, some of them hidden, wherever some worlds need it.

    ``worked`` is called now and then, so that whoever watches sees that it goes on.
    """
    rows = result.unknown_in(deals)
    if not len(rows):
        return
    hidden = [operand for operand in operands if isinstance(operand, Hidden)]
    columns = []
    for operand in hidden:
        above = result.field.rows_in(operand.field)
        columns.append(operand.codes[rows if above is None else above[rows]])
    compare = COMPARED.get(function) if isinstance(function, BuiltinFunctionType) else None
    if compare is not None and len(hidden) == len(operands) and _in_order(hidden):
        result.codes[rows] = _compared(result, compare, hidden, columns)
        return
    first, number = combinations(columns, [len(operand.table) for operand in hidden])
    taken = iter(columns)
    values = [
        map(operand.table.__getitem__, next(taken)[first].tolist())
        if isinstance(operand, Hidden)
        else repeat(operand, len(first))
        for operand in operands
    ]
    found: list[Any] = []
    every = map(function, *values)
    try:
        while some := list(islice(every, CALLS)):
            found += map(_plain, some)
            if len(some) == CALLS:
                worked()
    except BaseException:
        result.forget(deals)  # rules that go on after an error must not find half of it done
        raise
    result.codes[rows] = result.codes_of(found)[number]
