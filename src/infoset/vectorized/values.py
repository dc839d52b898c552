"""Chance histories, and columns of values over them: what one vectorized run computes with.

*Chance histories* are all sequences of outcomes of chance's moves so far, one a row. The next
chance move makes new ones: a row for each row that is still possible and each outcome there, side
by side, in the order of the outcomes. *Deals* are the rows that a run still covers. The same deals
are always the same object, so that whatever was computed for them is found again.

Folded histories keep one row of each class of rows that differ by a permutation of suits
(:mod:`infoset.vectorized.symmetry`), with the number of rows in the class.

A *column* holds a value for each row: a table of the different values, and a code for each row
(dictionary encoding). A function of columns is computed once for each combination of codes that
occurs in the deals of a run. Other combinations may never occur, or only in deals that the rules
have excluded by looking, where the function may make no sense. So codes are filled in as they are
needed, and are -1 until then.

A function of one column, or of several with the same codes, needs no codes of its own: it is
another table over the codes of its *base*, in which values may be equal. Where equality matters (to
look, to reveal, to combine), the column is *recoded*: it gets codes of its own.
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

ROOM = 1 << 62  # what int64 arithmetic may reach


class ChanceHistories:
    """All sequences of outcomes of chance's moves so far, one a row."""

    __slots__ = (
        "_rows_above",
        "above",
        "depth",
        "multiplicity",
        "outcome",
        "under",
        "up",
        "weight",
    )

    def __init__(
        self,
        up: ChanceHistories | None,
        above: Ints,
        outcome: Ints,
        weight: Any,
        under: int,
        multiplicity: Any,
    ) -> None:
        """``weight / under`` is the probability of a row, without its multiplicity."""
        self.up = up
        self.above = above  # [row] the row of ``up`` that it continues
        self.outcome = outcome  # [row] which outcome of chance's last move
        self.weight = weight  # [row] int64, or Python's integers where these do not suffice
        self.under = under
        self.multiplicity = multiplicity  # [row] how many rows of the whole game it represents
        self.depth: int = 0 if up is None else up.depth + 1
        self._rows_above: dict[ChanceHistories, Ints] = {}

    def __len__(self) -> int:
        return len(self.above)

    def rows_in(self, histories: ChanceHistories) -> Ints | None:
        """[row] the row of earlier histories that it continues; None if these are the same."""
        if histories is self:
            return None
        found = self._rows_above.get(histories)
        if found is None:
            found, up = self.above, self.up
            while up is not histories:  # step by step: chance may have moved very often
                assert up is not None
                found, up = up.above[found], up.up
            self._rows_above[histories] = found
        return found


def no_chance_history() -> ChanceHistories:
    """One row: chance has not moved."""
    one = np.ones(1, np.int64)
    return ChanceHistories(None, np.zeros(1, np.int32), np.zeros(1, np.int32), one, 1, one)


class Deals:
    """Some rows of chance histories, in increasing order: those that a run covers."""

    __slots__ = ("_inside", "_multiplicity", "_places", "histories", "rows", "splits")

    def __init__(self, histories: ChanceHistories, rows: Ints | None = None) -> None:
        """These rows, or all."""
        self.histories = histories
        self.rows = np.arange(len(histories), dtype=np.int32) if rows is None else rows
        self.splits: dict[Any, Any] = {}  # what was computed for these deals before
        self._multiplicity = -1  # not counted yet
        self._inside: dict[ChanceHistories, Ints] = {}
        self._places: dict[Deals, Ints] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def multiplicity(self) -> int:
        """How many rows of the whole game these are."""
        if self._multiplicity < 0:
            self._multiplicity = int(self.histories.multiplicity[self.rows].sum())
        return self._multiplicity

    def along(self, histories: ChanceHistories) -> Ints:
        """[place] the rows of earlier histories that these continue, in their order."""
        above = self.histories.rows_in(histories)
        return self.rows if above is None else above[self.rows]

    def inside(self, histories: ChanceHistories) -> Ints:
        """The rows of earlier histories that these continue, each once."""
        if histories is self.histories:
            return self.rows
        found = self._inside.get(histories)
        if found is None:
            there = np.zeros(len(histories), bool)
            there[self.along(histories)] = True
            found = self._inside[histories] = np.flatnonzero(there).astype(np.int32)
        return found

    def places_in(self, other: Deals) -> Ints:
        """[place] the place among earlier deals that each of these continues."""
        found = self._places.get(other)
        if found is None:
            found = np.searchsorted(other.rows, self.along(other.histories)).astype(np.int32)
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
CALLS = 10_000  # of a function between two notes of progress


class ValueColumn:
    """A value for each chance history: a table of values, and a code for each row."""

    __slots__ = (
        "_adopted",
        "_code_of",
        "_known",
        "_recoded",
        "base",
        "codes",
        "histories",
        "room",
        "table",
    )

    def __init__(self, histories: ChanceHistories, base: ValueColumn | None = None) -> None:
        """No code is known yet; or, with a base, those of the base, and no value."""
        self.histories = histories
        self.base = base
        self.codes: Ints = np.full(len(histories), -1, np.int32) if base is None else base.codes
        self.table: list[Any] = []
        self._recoded: ValueColumn | None = None
        self._code_of: dict[Any, int] = {}
        self._known: set[Deals] = set()
        self._adopted = 0  # values that were taken without being looked up
        self.room = 0  # codes it may have, where keys are made of them; 0: not fixed yet

    def code(self, value: Any) -> int:
        """The code of a value; equal values of different types, as 1 and True, have two."""
        if len(self._code_of) < self._adopted:
            self._code_of = {(kind_of(one), one): at for at, one in enumerate(self.table)}
        try:
            found = self._code_of.setdefault((kind_of(value), value), len(self.table))
        except TypeError:  # a list or a dict: each has a code of its own
            found = len(self.table)
        if found == len(self.table):
            self.table.append(value)
        return found

    def adopt(self, values: Sequence[Any]) -> Ints:
        """Take different values as the table; they are hashed when one is first looked up."""
        self.table = list(values)
        self._adopted = len(self.table)
        return np.arange(len(self.table), dtype=np.int32)

    def codes_of(self, values: list[Any]) -> Ints:
        """[value] the codes of many values; the same object is looked up once."""
        different, at = by_identity(values)
        return np.array([self.code(value) for value in different], np.int32)[at]

    def at(self, deals: Deals) -> Ints:
        """[place] the codes in some deals, where they are known."""
        return self.codes[deals.along(self.histories)]

    def equal(self, codes: Ints) -> Ints:
        """Codes in which equal values have one: as facts, 1 and True are the same."""
        if len({kind_of(value) for value in self.table}) == 1:
            return codes
        first: dict[Any, int] = {}
        try:
            same = [first.setdefault(value, at) for at, value in enumerate(self.table)]
        except TypeError:  # refused where they are revealed
            return codes
        return np.array(same, np.int32)[codes]

    def seen_in(self, deals: Deals) -> list[int]:
        """The codes that occur in some deals, in the order of the first row of each."""
        if self.base is not None:
            return self.base.seen_in(deals)
        known = deals.splits.get((self, "codes"))
        if known is None:
            codes = self.codes[deals.inside(self.histories)]
            first = np.full(len(self.table), len(codes), np.int64)
            first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
            there = np.flatnonzero(first < len(codes))
            known = there[np.argsort(first[there], kind="stable")].tolist()
            deals.splits[self, "codes"] = known
        found: list[int] = known
        return found

    def split(self, deals: Deals) -> list[tuple[Any, Deals]]:
        """The deals, split by the value that it has there."""
        known = deals.splits.get(self)
        if known is None:
            codes = self.at(deals)
            known = [
                (self.table[code], Deals(deals.histories, deals.rows[codes == code]))
                for code in self.seen_in(deals)
            ]
            deals.splits[self] = known
        found: list[tuple[Any, Deals]] = known
        return found

    def unknown_in(self, deals: Deals) -> Ints:
        """The rows that some deals continue and that have no code yet."""
        if deals in self._known:
            return self.codes[:0]
        self._known.add(deals)
        rows = deals.inside(self.histories)
        return rows[self.codes[rows] < 0]

    def forget(self, deals: Deals) -> None:
        """Mark the codes in some deals as unknown again."""
        self._known.discard(deals)

    def recoded(self, deals: Deals) -> ValueColumn:
        """The same with codes of its own, as far as some deals need them."""
        if self.base is None:
            return self
        if self._recoded is None:
            self._recoded = ValueColumn(self.histories)
        recoded = self._recoded
        rows = recoded.unknown_in(deals)
        if len(rows):
            seen = self.base.seen_in(deals)
            code = np.full(len(self.table), -1, np.int32)
            code[seen] = recoded.codes_of([self.table[one] for one in seen])
            recoded.codes[rows] = code[self.codes[rows]]
        return recoded


def kind_of(value: Any) -> Any:
    """A value's type, and of a tuple those of its entries: (1,) is not (True,)."""
    if value.__class__ is not tuple:
        return value.__class__
    kinds = tuple(map(type, value))
    return tuple(map(kind_of, value)) if tuple in kinds else kinds


MISSING: Any = object()  # in the table of a column over its base's codes: not computed yet


def map_codes(
    result: ValueColumn, function: Callable[..., Any], operands: Sequence[Any], deals: Deals
) -> None:
    """Compute a function of columns with the same codes, as far as some deals need it."""
    base = result.base
    assert base is not None
    if len(result.table) < len(base.table):
        result.table += [MISSING] * (len(base.table) - len(result.table))
    table = result.table
    missing = [code for code in base.seen_in(deals) if table[code] is MISSING]
    values = [
        map(one.table.__getitem__, missing) if isinstance(one, ValueColumn) else repeat(one)
        for one in operands
    ]
    for code, value in zip(missing, map(function, *values), strict=True):
        table[code] = _plain(value)


def _plain(value: Any) -> Any:
    if value.__class__ is VectorizedValue:
        raise RulesError(
            "a function given to g.map returns a vectorized value; pass that to g.map as an"
            " argument, or, if a function with a cache has kept it from a call without g.map, call"
            " the function by g.map(f, ...) everywhere"
        )
    return value


# Comparisons of two values, as comparisons of their places in a common order.
COMPARED: dict[Any, Callable[[Any, Any], Any]] = {
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
}
ORDERED = (int, str, Fraction, Card)  # types whose values have one order from low to high


def _in_order(operands: Sequence[ValueColumn]) -> bool:
    """Are all values of one type that has an order?"""
    kinds = {value.__class__ for one in operands for value in one.table}
    return len(kinds) == 1 and kinds.pop() in ORDERED


def _compared(
    result: ValueColumn,
    compare: Callable[[Any, Any], Any],
    operands: Sequence[ValueColumn],
    codes: list[Ints],
) -> Ints:
    """[row] the codes of a comparison, by the places of the values in their order."""
    places = {
        value: at for at, value in enumerate(sorted({*operands[0].table, *operands[1].table}))
    }
    one, two = (
        np.array([places[value] for value in side.table], np.int32)[own]
        for side, own in zip(operands, codes, strict=True)
    )
    truths = np.array([result.code(False), result.code(True)], np.int32)
    return np.asarray(truths[compare(one, two).astype(np.int8)])


def deepest(values: Sequence[ValueColumn]) -> ChanceHistories:
    """The latest chance histories among those of some columns."""
    return max((value.histories for value in values), key=lambda histories: histories.depth)


def by_identity(values: list[Any]) -> tuple[list[Any], Ints]:
    """The different objects in a list, and which of them each entry is."""
    names = np.fromiter(map(id, values), np.int64, len(values))
    different = np.unique(names)
    at = np.searchsorted(different, names)
    first = np.empty(len(different), np.int64)
    first[at[::-1]] = np.arange(len(names) - 1, -1, -1)
    order = np.argsort(first)  # as they come in the list
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return [values[one] for one in first[order].tolist()], place[at]


def combinations(columns: Sequence[Ints], sizes: Sequence[int]) -> tuple[Longs, Ints]:
    """Where the different rows of some columns of codes are, and which of them each row is."""
    key = columns[0].astype(np.int64)
    whole = sizes[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        if whole * size >= 1 << 62:  # renumber, so that keys stay small
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
    result: ValueColumn,
    function: Callable[..., Any],
    operands: Sequence[Any],
    deals: Deals,
    note_progress: Callable[[], None],
) -> None:
    """Compute a function of operands, some of them columns, wherever some deals need it.

    ``note_progress`` is called now and then, for the watch on the time limit.
    """
    rows = result.unknown_in(deals)
    if not len(rows):
        return
    columns = [operand for operand in operands if isinstance(operand, ValueColumn)]
    codes = []
    for operand in columns:
        above = result.histories.rows_in(operand.histories)
        codes.append(operand.codes[rows if above is None else above[rows]])
    compare = COMPARED.get(function) if isinstance(function, BuiltinFunctionType) else None
    if compare is not None and len(columns) == len(operands) and _in_order(columns):
        result.codes[rows] = _compared(result, compare, columns, codes)
        return
    first, number = combinations(codes, [len(operand.table) for operand in columns])
    taken = iter(codes)
    values = [
        map(operand.table.__getitem__, next(taken)[first].tolist())
        if isinstance(operand, ValueColumn)
        else repeat(operand, len(first))
        for operand in operands
    ]
    found: list[Any] = []
    every = map(function, *values)
    try:
        while some := list(islice(every, CALLS)):
            found += map(_plain, some)
            if len(some) == CALLS:
                note_progress()
    except BaseException:
        result.forget(deals)  # rules that continue after an error must not find half of it done
        raise
    result.codes[rows] = result.codes_of(found)[number]
