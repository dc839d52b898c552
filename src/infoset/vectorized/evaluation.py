"""Evaluation of vectorized values along a script, and the blocks of nodes that a run leaves.

A run of the rules is at some step of its script, in some deals. A function of vectorized values is
found again by the function and its operands, so that every run but the first finds its results
ready. A look is a step of the script: the deals are split by what is seen, and the run continues in
one part. A decision, a chance move and a leaf are *blocks*: one node for each of the run's deals.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType, NoneType
from typing import Any

from infoset.errors import Endless, InfosetError, NotRepeatable, RulesError
from infoset.objects.cards import Card, Deck
from infoset.objects.vectorized import VectorizedValue
from infoset.rules.moves import CHANCE, Menu, as_menu
from infoset.rules.play import Play
from infoset.rules.running import Limits
from infoset.rules.seats import Seats
from infoset.text import question_text
from infoset.vectorized.knowledge import Pattern
from infoset.vectorized.values import (
    Deals,
    ValueColumn,
    deepest,
    fill,
    kind_of,
    map_codes,
    no_chance_history,
)

LOOK = -3  # a step of the script that makes no node


class NodeBlock:
    """Nodes that one run makes at once, one for each of its deals."""

    __slots__ = ("deals", "kind", "menu", "option", "parent", "patterns", "patterns_before", "what")

    def __init__(
        self,
        kind: int,
        deals: Deals,
        parent: NodeBlock | None,
        option: int,
        patterns: tuple[Pattern, ...],
    ) -> None:
        self.kind = kind  # the agent who moves; CHANCE; or LEAF
        self.deals = deals
        self.parent = parent
        self.option = option  # of a decision above: the one that leads here
        self.patterns = patterns  # [agent] what everyone knows
        self.patterns_before = patterns  # [agent] the same before the mover forgets (``knowing=``)
        self.menu: Menu = ()
        self.what: Any = None  # of chance: the draw; of a leaf: payoffs, plain or a column


class Frame:
    """A step of the script."""

    __slots__ = ("after", "answers", "at", "block", "count", "kind")

    def __init__(self, kind: int, answers: Any, after: Any, block: NodeBlock | None) -> None:
        self.kind = kind  # the agent; CHANCE; or LOOK
        self.answers = answers  # [option] what the rules are told
        self.after = after  # [option] the deals then; one for all, unless it is a look
        self.at = 0
        self.count = 1 if kind == CHANCE else len(answers)
        self.block = block

    @property
    def deals(self) -> Deals:
        """Those after what was chosen."""
        found: Deals = self.after[self.at] if self.kind == LOOK else self.after
        return found


class Execution:
    """Once through the rules: what the values belong to that are made on the way."""

    __slots__ = ("deals",)

    deals: Deals  # in which it ended


MANY = 1_000_000  # deals from which a step takes long

# Types of values that hold no others.
SINGLE = frozenset(
    (VectorizedValue, Card, Deck, int, str, bool, float, Fraction, NoneType, FunctionType)
)

PLAIN = SINGLE - {VectorizedValue}

Computed = tuple[Callable[..., Any], list[Any], ValueColumn]  # a function, its operands, its values


class VectorizedEvaluation(Play):
    """A play in all deals at once: how its values are evaluated."""

    __slots__ = (
        "_cache",
        "_depth",
        "_limits",
        "_looked_at",
        "_mapping",
        "_start",
        "computed",
        "deals",
        "execution",
        "frames",
        "guide",
        "running",
        "scripted",
        "steps_done",
    )

    def __init__(self, seats: Seats, limits: Limits) -> None:
        """At the start of an empty script, before chance has moved."""
        super().__init__(seats)
        self._limits = limits
        self._start = self.deals = Deals(no_chance_history())
        self.frames: list[Frame] = []
        self.scripted = 0
        self._depth = 0
        self.running = False
        self.execution: Execution | None = None
        self.steps_done = 0  # for the watch on the time limit
        # Chooses at the end of the script; without it, the first option is taken.
        self.guide: Callable[[Frame], int] | None = None
        self._mapping = False  # is a function of the rules being computed just now?
        self._cache: dict[Any, Any] = {}
        self.computed: list[Computed] = []  # kept alive: keys hold their ids
        self._looked_at: list[Any] = []  # terms of draws; kept alive likewise

    def lift(self, function: Callable[..., Any], *operands: Any) -> Any:
        """A function of values; vectorized, if one of the values is."""
        operands = tuple([one if one.__class__ in SINGLE else self.packed(one) for one in operands])
        vectorized = [one for one in operands if one.__class__ is VectorizedValue]
        if not vectorized:
            return function(*operands)
        if any(one._execution is not self.execution for one in vectorized):
            return self._lift_kept(function, operands)
        if self._mapping:
            return self._in_mapping(function, operands)
        try:
            return self._lifted(function, operands)
        except (InfosetError, MemoryError, RecursionError):
            raise
        except Exception:
            return self._where_it_works(function, operands)

    def _lift_kept(self, function: Callable[..., Any], operands: Iterable[Any]) -> Any:
        """A function of values of which some were kept; this run may be over, and another going."""
        operands = [of_now(one) for one in operands]
        for one in operands:
            if one.__class__ is VectorizedValue:
                return one._run.lift(function, *operands)
        return function(*operands)

    def _in_mapping(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        """Refused, except that a cache may compare its keys."""
        seen = [same_in(self.deals, one) for one in operands]
        if function is not operator.eq or any(one is DIFFERENT for one in seen):
            raise RulesError(
                "a function given to g.map uses a vectorized value; pass that to g.map as an"
                " argument, or, if a function with a cache has kept it from a call without g.map,"
                " call the function by g.map(f, ...) everywhere"
            )
        return function(*seen)

    def _lifted(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> VectorizedValue:
        terms = [one._column if one.__class__ is VectorizedValue else one for one in operands]
        columns = [term for term in terms if term.__class__ is ValueColumn]
        alike = all(one.codes is columns[0].codes for one in columns)
        if not alike:
            terms = [
                one.recoded(self.deals) if one.__class__ is ValueColumn else one for one in terms
            ]
        key = key_of(function, terms)
        column: ValueColumn | None = self._cache.get(key) if key is not None else None
        if column is None:
            base = columns[0].base or columns[0]
            column = ValueColumn(base.histories, base) if alike else ValueColumn(deepest(columns))
            if key is not None:
                self._cache[key] = column
                self.computed.append((function, terms, column))
        self._mapping = True
        try:
            if alike:
                map_codes(column, function, terms, self.deals)
            else:
                fill(column, function, terms, self.deals, self._called)
        finally:
            self._mapping = False
        self.note_progress()
        return VectorizedValue(self, column)

    def _where_it_works(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        """A function that fails in some deals: a look separates these, and it fails there.

        So it is in plain runs, in which the rules may catch the error.
        """
        failed = self.look(self._lifted(_failure, (function, *operands)))
        if failed is not None:
            raise failed.error
        return self._lifted(function, operands)

    def _called(self) -> None:
        self.steps_done += 1

    def note_progress(self) -> None:
        """Note progress after long work for many deals: the rules are not in an endless loop."""
        if len(self.deals) > MANY:  # by size, not by time: memory that fills up takes time, too
            self.steps_done += 1

    def look(self, value: Any) -> Any:
        """The plain value of a vectorized one: splits the deals, unless it is the same in all."""
        if value.__class__ is not VectorizedValue:
            return value
        if value._execution is not self.execution:
            return of_now(value)
        if self._mapping:
            self._in_mapping(hash, (value,))
        column = value._column.recoded(self.deals)
        codes = column.seen_in(self.deals)
        if len(codes) == 1:
            return column.table[codes[0]]
        frame = self._scripted_frame(LOOK)
        if frame is not None:
            return frame.answers[frame.at]
        parts = column.split(self.deals)
        if any(seen.__class__ is Failure for seen, _ in parts):  # errors are raised first
            parts = sorted(parts, key=lambda part: part[0].__class__ is not Failure)
        answers, after = [seen for seen, _ in parts], [deals for _, deals in parts]
        frame = self.step(Frame(LOOK, answers, after, None))
        self.deals = frame.deals
        return frame.answers[frame.at]

    def known(self, value: VectorizedValue) -> bool:
        """Whether a value can be looked at, or was the same in all deals when its run ended."""
        if value._execution is self.execution:
            return True
        return same_in(value._execution.deals, value) is not DIFFERENT

    def progress(self) -> int:
        """How far the run has come: a number that grows."""
        return self.steps_done

    def plain(self, value: Any) -> Any:
        """A value, looked at if it is vectorized."""
        return self.look(value) if value.__class__ is VectorizedValue else value

    def packed(self, value: Any) -> Any:
        """A container with vectorized values in it as one vectorized value; others as they are."""
        kind = type(value)
        if kind is VectorizedValue:
            return value if value._execution is self.execution else of_now(value)
        if kind in SINGLE:
            return value
        if issubclass(kind, tuple) or kind is list:
            if PLAIN.issuperset(map(type, value)):
                return value
            entries = [self.packed(entry) for entry in value]
            make = getattr(kind, "_make", kind)
            if any(entry.__class__ is VectorizedValue for entry in entries):
                return self.lift(_held, make, *entries)
            return value if _same(value, entries) else make(entries)
        if issubclass(kind, Mapping):
            entries = [self.packed(entry) for entry in value.values()]
            names = self._hashed(value)
            if _same(value, names) and _same(value.values(), entries):
                return value
            return self.lift(_dict, tuple(names), *entries)
        if issubclass(kind, set | frozenset):
            entries = self._hashed(value)
            return value if _same(value, entries) else kind(entries)
        if issubclass(kind, Iterator):
            return self.packed(tuple(value))
        return value

    def _hashed(self, values: Iterable[Any]) -> list[Any]:
        """Plain values: they have been hashed, which was a look."""
        return [self.plain(self.packed(value)) for value in values]

    def menu_of(self, options: Any) -> Menu:
        """The options, looked at where they depend on what was dealt."""
        menu = as_menu(self.plain(options))
        packed = [self.packed(option) for option in menu]
        return menu if _same(menu, packed) else tuple([self.plain(option) for option in packed])

    def step(self, frame: Frame) -> Frame:
        """One more step, after the end of the script."""
        moves = len(self.frames)
        if moves >= self._limits.max_moves:  # looks do not count
            moves = sum(one.kind != LOOK for one in self.frames)
        if frame.kind != LOOK and moves >= self._limits.max_moves:
            raise Endless(
                f"a play has gone on for {self._limits.max_moves:,} moves without an end;"
                " if the game is that long, raise max_moves="
            )
        if self.guide is not None:
            frame.at = self.guide(frame)
        self.frames.append(frame)
        self.scripted = self._depth
        return frame

    def _scripted_frame(self, kind: int) -> Frame | None:
        """Go one step deeper: the step of the script there, of this kind; None beyond its end."""
        depth = self._depth
        self._depth = depth + 1
        if depth >= self.scripted:
            return None
        frame = self.frames[depth]
        if frame.kind != kind:
            raise self.changed(frame, None, ())
        self.deals = frame.deals
        return frame

    def changed(self, frame: Frame, player: str | None, options: Iterable[Any]) -> NotRepeatable:
        """The error for rules that ask something else than they asked before."""
        who = self.agents[frame.kind] if frame.kind >= 0 else None
        before = question_text(who, frame.answers if who else ())
        now = question_text(player, options)
        return NotRepeatable(f"one run {before}, another with the same choices {now}")


class KeptValue(RulesError):
    """A vectorized value of an earlier execution of the rules."""


def of_now(value: Any) -> Any:
    """A value of an execution that is going; for one kept from an earlier, what it was then."""
    if value.__class__ is not VectorizedValue or value._execution is value._run.execution:
        return value
    seen = same_in(value._execution.deals, value)
    if seen is DIFFERENT:
        raise KeptValue(
            "a vectorized value is used after its run of the rules: a cache (lru_cache, a dict) has"
            " kept it, or an object that was revealed or offered; call the function with the cache"
            " by g.map(f, ...), and reveal a value by itself, or in a tuple"
        )
    return seen


DIFFERENT: Any = object()


def same_in(deals: Deals, value: Any) -> Any:
    """The plain value that a vectorized one has in all of these deals, or DIFFERENT."""
    if value.__class__ is not VectorizedValue:
        return value
    column = value._column.recoded(deals)
    codes = column.seen_in(deals)
    return column.table[codes[0]] if len(codes) == 1 else DIFFERENT


class Failure:
    """An error instead of a value; equal to another with the same message."""

    __slots__ = ("_said", "error")

    def __init__(self, error: Exception) -> None:
        self.error = error
        self._said = (error.__class__, str(error))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failure) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)


def _failure(function: Callable[..., Any], *values: Any) -> Failure | None:
    """The error that a function of these values raises, or None."""
    try:
        function(*values)
    except Exception as error:
        return Failure(error.with_traceback(None))
    return None


def _same(values: Iterable[Any], others: Iterable[Any]) -> bool:
    """Are these the same objects, and none a vectorized value?"""
    pairs = zip(values, others, strict=True)
    return all(one is other and one.__class__ is not VectorizedValue for one, other in pairs)


def _held(kind: Callable[[Any], Any], *entries: Any) -> Any:
    return kind(entries)


def _dict(names: tuple[Any, ...], *values: Any) -> dict[Any, Any]:
    return dict(zip(names, values, strict=True))


def key_of(function: Callable[..., Any], terms: list[Any]) -> Any:
    """The key by which a function of some values is found again; None if it has none.

    A function that the rules define again in every run is identified by its code and closure.
    """
    if function.__class__ is FunctionType:
        cells = function.__closure__ or ()
        try:
            enclosed = tuple([cell.cell_contents for cell in cells])
        except ValueError:
            return None
        by_name = tuple((function.__kwdefaults__ or {}).items())
        named: Any = (function.__code__, function.__defaults__, by_name, enclosed)
        plain = [*enclosed, *(function.__defaults__ or ()), *[value for _, value in by_name]]
    else:
        named, plain = function, []
    key = (
        named,
        tuple([kind_of(one) for one in plain]),
        tuple([(kind_of(one), id(one) if one.__class__ is ValueColumn else one) for one in terms]),
    )
    if any(one.__class__ is VectorizedValue for one in plain):
        raise RulesError(
            "a function given to g.map encloses a vectorized value; pass it to g.map as an argument"
        )
    try:
        hash(key)
    except TypeError:
        return None
    return key
