"""What stands for a value in all worlds at once: a table of the values, and a code for each world.

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

from infoset.errors import RulesError
from infoset.rules.cards import Card
from infoset.rules.late.standin import Standin
from infoset.rules.late.worlds import Field, Ints, Longs, Worlds

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

    def __init__(self, field: Field, base: Hidden | None = None) -> None:
        """No code is known yet; or, with a base, those of the base, and no value."""
        self.field = field
        self.base = base
        self.codes: Ints = np.full(len(field), -1, np.int32) if base is None else base.codes
        self.table: list[Any] = []
        self._tight: Hidden | None = None
        self._code_of: dict[Any, int] = {}
        self._known: set[Worlds] = set()
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

    def at(self, worlds: Worlds) -> Ints:
        """[place] the codes in some worlds, where they are known."""
        return self.codes[worlds.along(self.field)]

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

    def seen_in(self, worlds: Worlds) -> list[int]:
        """The codes that occur in some worlds, in the order of the first row of each."""
        if self.base is not None:
            return self.base.seen_in(worlds)
        known = worlds.splits.get((self, "codes"))
        if known is None:
            codes = self.codes[worlds.inside(self.field)]
            first = np.full(len(self.table), len(codes), np.int64)
            first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
            there = np.flatnonzero(first < len(codes))
            known = there[np.argsort(first[there], kind="stable")].tolist()
            worlds.splits[self, "codes"] = known
        found: list[int] = known
        return found

    def split(self, worlds: Worlds) -> list[tuple[Any, Worlds]]:
        """The worlds by the value that it has there."""
        known = worlds.splits.get(self)
        if known is None:
            codes = self.at(worlds)
            known = [
                (self.table[code], Worlds(worlds.field, worlds.rows[codes == code]))
                for code in self.seen_in(worlds)
            ]
            worlds.splits[self] = known
        found: list[tuple[Any, Worlds]] = known
        return found

    def unknown_in(self, worlds: Worlds) -> Ints:
        """The rows, of its own field, that some worlds come from and that have no code yet."""
        if worlds in self._known:
            return self.codes[:0]
        self._known.add(worlds)
        rows = worlds.inside(self.field)
        return rows[self.codes[rows] < 0]

    def forget(self, worlds: Worlds) -> None:
        """The codes in some worlds were not found after all."""
        self._known.discard(worlds)

    def tightened(self, worlds: Worlds) -> Hidden:
        """The same with codes of its own, as far as some worlds need them."""
        if self.base is None:
            return self
        if self._tight is None:
            self._tight = Hidden(self.field)
        tight = self._tight
        rows = tight.unknown_in(worlds)
        if len(rows):
            seen = self.base.seen_in(worlds)
            code = np.full(len(self.table), -1, np.int32)
            code[seen] = tight.codes_of([self.table[one] for one in seen])
            tight.codes[rows] = code[self.codes[rows]]
        return tight


def kind_of(value: Any) -> Any:
    """A value's type, and of a tuple those of its entries: (1,) is not (True,)."""
    return tuple(map(kind_of, value)) if value.__class__ is tuple else value.__class__


MISSING: Any = object()  # in the table of a loose value: nobody has needed it yet


def loose(
    result: Hidden, function: Callable[..., Any], operands: Sequence[Any], worlds: Worlds
) -> None:
    """Compute a function of operands that have the same codes, as far as some worlds need it."""
    base = result.base
    assert base is not None
    if len(result.table) < len(base.table):
        result.table += [MISSING] * (len(base.table) - len(result.table))
    tables = [one.table if isinstance(one, Hidden) else None for one in operands]
    for code in base.seen_in(worlds):
        if result.table[code] is MISSING:
            pairs = zip(operands, tables, strict=True)
            values = [one if table is None else table[code] for one, table in pairs]
            result.table[code] = _plain(function(*values))


def _plain(value: Any) -> Any:
    if value.__class__ is Standin:
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


def deepest(values: Sequence[Hidden]) -> Field:
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
    worlds: Worlds,
    worked: Callable[[], None],
) -> None:
    """Compute a function of operands, some of them hidden, wherever some worlds need it.

    ``worked`` is called now and then, so that whoever watches sees that it goes on.
    """
    rows = result.unknown_in(worlds)
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
        result.forget(worlds)  # rules that go on after an error must not find half of it done
        raise
    result.codes[rows] = result.codes_of(found)[number]
