"""What runs for all deals leave behind, and what they are made of: blocks of nodes, steps.

Values for all worlds at once, along a script: what stand-ins do when they are asked something.

Here a run of the rules is at some place of its script, in some worlds. A function of stand-ins is
known again by itself and its operands, so that every run but the first finds its values ready. A
look is a step of the script: the worlds are split by what is seen, and the run goes on in one part.
"""

from __future__ import annotations

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
from infoset.vectorized.knowledge import Line
from infoset.vectorized.values import (
    Deals,
    Hidden,
    deepest,
    fill,
    kind_of,
    loose,
    no_chance_history,
)

LOOK = -3  # a step of the script that makes no node


class Block:
    """Nodes that one run makes at once, one for each of its worlds."""

    __slots__ = ("deals", "kind", "lines", "menu", "minds", "option", "parent", "what")

    def __init__(
        self, kind: int, deals: Deals, parent: Block | None, option: int, lines: tuple[Line, ...]
    ) -> None:
        self.kind = kind  # the agent who moves; CHANCE; or LEAF
        self.deals = deals
        self.parent = parent
        self.option = option  # of a decision above: the one that leads here
        self.lines = lines  # [agent] what everyone knows
        self.minds = lines  # [agent] the same before the mover forgets (``knowing=``)
        self.menu: Menu = ()
        self.what: Any = None  # of chance: the draw; of a leaf: payoffs, plain or hidden


class Frame:
    """A step of the script."""

    __slots__ = ("after", "answers", "at", "block", "count", "kind")

    def __init__(self, kind: int, answers: Any, after: Any, block: Block | None) -> None:
        self.kind = kind  # the agent; CHANCE; or LOOK
        self.answers = answers  # [option] what the rules are told
        self.after = after  # [option] the worlds then; one for all, unless it is a look
        self.at = 0
        self.count = 1 if kind == CHANCE else len(answers)
        self.block = block

    @property
    def deals(self) -> Deals:
        """Those after what was chosen."""
        found: Deals = self.after[self.at] if self.kind == LOOK else self.after
        return found


MANY = 1_000_000  # worlds from which a step takes long

# Types of values that hold no others.
SINGLE = frozenset(
    (VectorizedValue, Card, Deck, int, str, bool, float, Fraction, NoneType, FunctionType)
)

Computed = tuple[Callable[..., Any], list[Any], Hidden]  # a function, its operands, its values


class VectorizedEvaluation(Play):
    """A play in all worlds at once, as far as values go."""

    __slots__ = (
        "_cache",
        "_depth",
        "_limits",
        "_looked_at",
        "_mapping",
        "_start",
        "computed",
        "deals",
        "frames",
        "guide",
        "running",
        "scripted",
        "worked",
    )

    def __init__(self, seats: Seats, limits: Limits) -> None:
        """At the start of an empty script, before nature has moved."""
        super().__init__(seats)
        self._limits = limits
        self._start = self.deals = Deals(no_chance_history())
        self.frames: list[Frame] = []
        self.scripted = 0
        self._depth = 0
        self.running = False
        self.worked = 0  # signs of life
        # Which way to go where the script is at its end; the first one, if nobody says.
        self.guide: Callable[[Frame], int] | None = None
        self._mapping = False  # is a function of the rules computed for all worlds just now?
        self._cache: dict[Any, Any] = {}
        self.computed: list[Computed] = []  # kept alive, so that what is known by them stays theirs
        self._looked_at: list[Any] = []  # by draws; kept alive likewise

    def lift(self, function: Callable[..., Any], *operands: Any) -> Any:
        """A function of values, some of which may be stand-ins: then so is what it gives."""
        operands = tuple([one if one.__class__ in SINGLE else self.packed(one) for one in operands])
        for operand in operands:
            if operand.__class__ is VectorizedValue:
                break
        else:
            return function(*operands)
        self._check_mapping()
        try:
            return self._lifted(function, operands)
        except (InfosetError, MemoryError, RecursionError):
            raise
        except Exception:
            return self._where_it_works(function, operands)

    def _lifted(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> VectorizedValue:
        terms = [one._hidden if one.__class__ is VectorizedValue else one for one in operands]
        hidden = [term for term in terms if term.__class__ is Hidden]
        alike = all(one.codes is hidden[0].codes for one in hidden)
        if not alike:
            terms = [one.tightened(self.deals) if one.__class__ is Hidden else one for one in terms]
        key = key_of(function, terms)
        made: VectorizedValue | None = self._cache.get(key) if key is not None else None
        if made is None:
            base = hidden[0].base or hidden[0]
            made = VectorizedValue(
                self, Hidden(base.field, base) if alike else Hidden(deepest(hidden))
            )
            if key is not None:
                self._cache[key] = made
                self.computed.append((function, terms, made._hidden))
        self._mapping = True
        try:
            if alike:
                loose(made._hidden, function, terms, self.deals)
            else:
                fill(made._hidden, function, terms, self.deals, self._called)
        finally:
            self._mapping = False
        self.breathe()
        return made

    def _where_it_works(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
        """A function that fails in some worlds: they are told apart by a look, and it fails there.

        As the rules, deal by deal, would have it: they may catch the error.
        """
        failed = self.look(self._lifted(_failure, (function, *operands)))
        if failed is not None:
            raise failed.error
        return self._lifted(function, operands)

    def _called(self) -> None:
        self.worked += 1

    def breathe(self) -> None:
        """Give a sign of life after long work for all worlds, which is no loop of the rules'."""
        if len(self.deals) > MANY:  # by size, not by time: memory that fills up takes time, too
            self.worked += 1

    def _check_mapping(self) -> None:
        if self._mapping:
            raise RulesError("a function given to g.map uses a stand-in; hand it in as a value")

    def look(self, value: Any) -> Any:
        """What a stand-in is: the worlds are split by it, unless it is the same in all of them."""
        if value.__class__ is not VectorizedValue:
            return value
        if not self.running:
            raise RulesError(
                "a value that was dealt is looked at when the play is over: it was kept, or is in"
                " an object that was revealed or offered; reveal it by itself, or in a tuple"
            )
        self._check_mapping()
        hidden = value._hidden.tightened(self.deals)
        codes = hidden.seen_in(self.deals)
        if len(codes) == 1:
            return hidden.table[codes[0]]
        depth = self._depth
        self._depth = depth + 1
        if depth < self.scripted:
            frame = self.frames[depth]
            if frame.kind != LOOK:
                raise self.changed(frame, None, ())
            self.deals = frame.deals
            return frame.answers[frame.at]
        parts = hidden.split(self.deals)
        if any(seen.__class__ is Failure for seen, _ in parts):  # an error should not wait
            parts = sorted(parts, key=lambda part: part[0].__class__ is not Failure)
        answers, after = [seen for seen, _ in parts], [deals for _, deals in parts]
        frame = self.step(Frame(LOOK, answers, after, None))
        self.deals = frame.deals
        return frame.answers[frame.at]

    def signs(self) -> int:
        """Signs of life so far: a number that grows."""
        return self.worked

    def plain(self, value: Any) -> Any:
        """A value, looked at if it is a stand-in."""
        return self.look(value) if value.__class__ is VectorizedValue else value

    def packed(self, value: Any) -> Any:
        """A tuple with stand-ins in it as one stand-in; a list, a set and a dict likewise."""
        kind = type(value)
        if kind in SINGLE:
            return value
        if issubclass(kind, tuple) or kind is list:
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
        if moves >= self._limits.max_moves:  # a look is none
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

    def changed(self, frame: Frame, player: str | None, options: Iterable[Any]) -> NotRepeatable:
        """The error for rules that ask something else than they asked before."""
        who = self.agents[frame.kind] if frame.kind >= 0 else None
        before = question_text(who, frame.answers if who else ())
        now = question_text(player, options)
        return NotRepeatable(f"one run {before}, another with the same choices {now}")


class Failure:
    """An error instead of a value; equal to another that says the same."""

    __slots__ = ("_said", "error")

    def __init__(self, error: Exception) -> None:
        self.error = error
        self._said = (error.__class__, str(error))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failure) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)


def _failure(function: Callable[..., Any], *values: Any) -> Failure | None:
    """How a function of these values fails, if it does."""
    try:
        function(*values)
    except Exception as error:
        return Failure(error.with_traceback(None))
    return None


def _same(values: Iterable[Any], others: Iterable[Any]) -> bool:
    """Are these the same objects, and none a stand-in?"""
    pairs = zip(values, others, strict=True)
    return all(one is other and one.__class__ is not VectorizedValue for one, other in pairs)


def _held(kind: Callable[[Any], Any], *entries: Any) -> Any:
    return kind(entries)


def _dict(names: tuple[Any, ...], *values: Any) -> dict[Any, Any]:
    return dict(zip(names, values, strict=True))


def key_of(function: Callable[..., Any], terms: list[Any]) -> Any:
    """What a function of some values is known by; None if it cannot be known again.

    A function that the rules make anew in every run is known by its code and what it encloses.
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
        tuple([(kind_of(one), id(one) if one.__class__ is Hidden else one) for one in terms]),
    )
    if any(one.__class__ is VectorizedValue for one in plain):
        raise RulesError("a function given to g.map encloses a stand-in; hand it in as a value")
    try:
        hash(key)
    except TypeError:
        return None
    return key
