"""A vectorized value: what rules get instead of a card, when they are run once for all deals.

Whatever Python lets a value be asked, a vectorized value answers with another one, computed once
for each combination of values that may occur: comparing, calculating, indexing, attributes, calls.
Only what must be answered with a plain value *looks*: truth, ``hash``, ``len``, ``int``, text. Then
the deals of the run are split by the answer, and each part is explored in turn.

Iteration over values of equal length needs no look: it yields vectorized values of their entries.

A value belongs to one execution of the rules. A cache of the rules (``functools.lru_cache``, a dict
outside of them) keeps it longer: as a key, which was hashed, that is looked at, or as a result that
depends on the key. So it was the same in all deals in which that execution ended, and stands for
this plain value from then on. A kept value that was not the same in all of them is refused.

What cannot be seen from inside a value goes unnoticed: ``is``, ``isinstance``, C code that takes a
value apart by itself. :mod:`infoset.vectorized.check` detects such rules.

The objects of a game use this class to pass vectorized values on (``Deck.without``, ``Hand``,
``poker_rank``), so it is defined here, below :mod:`infoset.vectorized`, which computes with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol


class Evaluator(Protocol):
    """What a vectorized value needs of the run that it belongs to."""

    running: bool
    execution: Any  # of the rules, just now; None if they are not being run

    def lift(self, function: Callable[..., Any], *operands: Any) -> Any:
        """A function of values; vectorized, if one of them is."""

    def look(self, value: Any) -> Any:
        """The plain value of a vectorized one, after splitting the deals by it."""

    def known(self, value: Any) -> bool:
        """Whether there is a plain value to be had: by a look, or because it was the same."""


class VectorizedValue:
    """A value for each deal of a run."""

    __slots__ = ("_column", "_execution", "_run")

    _run: Evaluator
    _column: Any  # a ValueColumn of infoset.vectorized.values
    _execution: Any  # of the rules: the one in which it was made

    def __init__(self, run: Evaluator, column: Any) -> None:
        _set_run(self, run)
        _set_column(self, column)
        _set_execution(self, run.execution)

    # ------------------------------------------------------------ answered by a vectorized value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python asks of every object, numpy and copy among them
            raise AttributeError(name)
        return self._run.lift(getattr, self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError("a vectorized value cannot be changed; g.map computes another one from it")

    def __call__(self, *args: Any, **named: Any) -> Any:
        """What the function that it stands for gives, as a method of a hand."""
        return self._run.lift(_called, self, tuple(named), *args, *named.values())

    def __round__(self, digits: Any = None) -> Any:
        return self._run.lift(round, self, digits)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._run.lift(_sliced, self, key.start, key.stop, key.step)
        return self._run.lift(operator.getitem, self, key)

    def __iter__(self) -> Iterator[Any]:
        held = self._run.lift(_in_line, self)
        return iter([held[place] for place in range(len(held))])

    def __reversed__(self) -> Iterator[Any]:
        return iter([self[place] for place in range(len(self) - 1, -1, -1)])

    def __copy__(self) -> VectorizedValue:
        return self  # it cannot be changed

    def __deepcopy__(self, _: Any) -> VectorizedValue:
        return self

    # ------------------------------------------------------------ answered by a look

    def __bool__(self) -> bool:
        return bool(self._run.look(self._run.lift(bool, self)))

    def __contains__(self, item: Any) -> bool:
        return bool(self._run.look(self._run.lift(operator.contains, self, item)))

    def __len__(self) -> int:
        return int(self._run.look(self._run.lift(len, self)))

    def __hash__(self) -> int:
        return hash(self._run.look(self))

    def __int__(self) -> int:
        return int(self._run.look(self))

    def __index__(self) -> int:
        return operator.index(self._run.look(self))

    def __float__(self) -> float:
        return float(self._run.look(self))

    def __str__(self) -> str:
        return str(self._run.look(self)) if self._run.known(self) else repr(self)

    def __format__(self, form: str) -> str:
        return format(self._run.look(self), form)

    def __repr__(self) -> str:
        if self._run.known(self):
            return repr(self._run.look(self))
        return f"<one of {len(self._column.table)} values>"


# Slots are set by their descriptors: __setattr__ refuses, and this is quicker.
_set_run = VectorizedValue.__dict__["_run"].__set__
_set_column = VectorizedValue.__dict__["_column"].__set__
_set_execution = VectorizedValue.__dict__["_execution"].__set__


def _called(function: Callable[..., Any], names: tuple[str, ...], *args: Any) -> Any:
    plain = len(args) - len(names)
    return function(*args[:plain], **dict(zip(names, args[plain:], strict=True)))


def _in_line(value: Any) -> Any:
    """A value to go through place by place; of a set, and of the keys of a dict, a tuple."""
    return value if isinstance(value, Sequence) else tuple(value)


def first_vectorized(values: Iterable[Any]) -> VectorizedValue | None:
    """The first vectorized value among some values, or in a tuple or a list among them."""
    for one in values:
        if one.__class__ is VectorizedValue:
            return one
        if isinstance(one, tuple | list):
            for inner in one:
                if inner.__class__ is VectorizedValue:
                    found: VectorizedValue = inner
                    return found
    return None


def _sliced(value: Any, *ends: Any) -> Any:
    return value[slice(*ends)]


def _two(name: str, function: Callable[..., Any]) -> None:
    """Give vectorized values an operator of two operands, on either side."""

    def left(self: VectorizedValue, other: Any, *modulo: Any) -> Any:  # of pow(x, y, modulo)
        return self._run.lift(pow if modulo else function, self, other, *modulo)

    def right(self: VectorizedValue, other: Any) -> Any:
        return self._run.lift(function, other, self)

    setattr(VectorizedValue, f"__{name}__", left)
    if name not in ("lt", "le", "eq", "ne", "gt", "ge"):
        setattr(VectorizedValue, f"__r{name}__", right)


def _one(name: str, function: Callable[..., Any]) -> None:
    def alone(self: VectorizedValue) -> Any:
        return self._run.lift(function, self)

    setattr(VectorizedValue, f"__{name}__", alone)


def _equip() -> None:
    plain = ("lt", "le", "eq", "ne", "gt", "ge", "add", "sub", "mul", "truediv", "floordiv")
    for name in (*plain, "mod", "pow", "lshift", "rshift", "xor"):
        _two(name, getattr(operator, name))
    _two("and", operator.and_)
    _two("or", operator.or_)
    _two("divmod", divmod)
    for name in ("neg", "pos", "abs", "invert"):
        _one(name, getattr(operator, name))


_equip()
