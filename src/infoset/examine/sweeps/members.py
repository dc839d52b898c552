"""Which members of a family are meant, and what is known of each.

A :class:`Plan` is the product of the values of all swept parameters, the last one fastest, with
what stays the same and how to solve. What it finds of a member is a :class:`Row`; a member that its
rules refuse, that is too large or that cannot be solved is a row with a note: the others matter as
much.

Rows that are known from before need not be computed again; :meth:`Plan.rows` takes them, by the
names of their games, and hands every new one out at once, so that a sweep can be kept and gone on
with. :attr:`Plan.asked` says what was done with each, in words to compare, and :attr:`Plan.rules`
which rules it was done with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import prod
from numbers import Integral, Real
from typing import Any

import numpy as np

from infoset.errors import InfosetError, ParameterError, nearest
from infoset.examine.sweeps.identity import digest_of
from infoset.rules import Family
from infoset.rules.columns import MAX_NODES
from infoset.rules.story import printable

MOST = 10_000  # members of one sweep

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """What is known of one member; None where nothing is."""

    game: str
    parameters: tuple[Any, ...]  # the values of those that are swept
    players: tuple[str, ...] = ()
    nodes: int | None = None
    infosets: int | None = None
    sequences: int | None = None  # of all players together
    method: str = ""
    value: Any = None  # a Fraction if the answer is exact, else a float; None in games without
    payoffs: tuple[Any, ...] = ()  # [player]
    regret: Any = None
    certificate: str = ""  # "exact", or the bound on the regret
    building: float | None = None  # seconds
    solving: float | None = None  # seconds
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """Which games, and what to do with each."""

    family: Family
    fixed: Mapping[str, Any]
    swept: Mapping[str, tuple[Any, ...]]
    method: str | None = None
    exact: bool | None = None
    seconds: float | None = None  # for each member
    max_nodes: int = MAX_NODES
    solving: bool = True  # or only the sizes

    def __len__(self) -> int:
        """The number of members."""
        return prod(map(len, self.swept.values()))

    @property
    def title(self) -> str:
        """What stays the same, in words."""
        return name_of(self.family, self.fixed).removesuffix("()")

    @property
    def asked(self) -> str:
        """What is done with each member, in words; rows of the same words can stand together."""
        most = f"at most {self.max_nodes} nodes"
        if not self.solving:
            return f"sizes, {most}"
        how = {None: "exact if it can be", True: "exact", False: "floats"}[self.exact]
        limit = "" if self.seconds is None else f", at most {self.seconds:g} s"
        return f"{self.method or 'what suits'}, {how}, {most}{limit}"

    @cached_property
    def rules(self) -> str:
        """A digest of the rules' source; rows of other rules are not of this sweep."""
        return digest_of(self.family)

    def parameters(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """All that is chosen for one member."""
        return {**self.fixed, **dict(zip(self.swept, values, strict=True))}

    def rows(
        self,
        known: Mapping[str, Row] | None = None,
        keep: Callable[[Row], None] | None = None,
        tick: Tick | None = None,
    ) -> Iterator[Row]:
        """The rows, one after the other; an error at the end if not one of them has an answer.

        ``known`` has rows from before, by their games; ``keep`` is given each that is new.
        """
        from infoset.examine.sweeps.running import run_member

        if tick is not None and not callable(tick):
            raise ParameterError(f"tick={tick!r:.40}: it is told how far it is; give a function")
        first: Row | None = None
        answers = 0
        for number, values in enumerate(product(*self.swept.values()), 1):
            name = name_of(self.family, self.parameters(values))
            row = (known or {}).get(name)
            if row is None:
                where = f"{number:,} of {len(self):,}, {printable(name[:80])}"
                row = run_member(self, name, values, _prefixed(tick, where))
                if keep is not None:
                    keep(row)
            first = first or row
            answers += (row.regret if self.solving else row.nodes) is not None
            yield row
        if first is not None and not answers:
            done = "solved" if self.solving else "built"
            raise InfosetError(
                f"{self.title}: none of {len(self):,} members could be {done};"
                f" the first, {first.game}: {first.note}"
            )


def plan(family: Family, parameters: Mapping[str, Any], **options: Any) -> Plan:
    """Which members are meant; slips are said here, before any work.

    >>> from infoset.games import kuhn
    >>> made = plan(kuhn, {"ranks": [3, 4], "bet": 2})
    >>> len(made), made.title, dict(made.swept)
    (2, 'kuhn(bet=2)', {'ranks': (3, 4)})
    """
    if not isinstance(family, Family):
        raise InfosetError(
            f"a family of games can be swept, such as infoset.games.kuhn,"
            f" not {type(family).__name__} {family!r:.40}"
        )
    fixed: dict[str, Any] = {}
    swept: dict[str, tuple[Any, ...]] = {}
    for name, given in parameters.items():
        if name not in family.parameters:
            hint = nearest(name, family.parameters)
            raise ParameterError(f"{family.name} has no parameter {name!r}; {hint}")
        value = _plain(given)
        if not _several(value, family.parameters[name].default):
            fixed[name] = value
            continue
        swept[name] = tuple(map(_plain, islice(_in_order(family, name, value), MOST + 1)))
        if not swept[name]:
            raise ParameterError(f"{family.name}: {name} has no values to sweep over")
    if not swept:
        some = next(iter(family.parameters), "")
        how = f"give several values, as in {some}=3..30" if some else "it has no parameters"
        raise ParameterError(f"{family.name}: nothing to sweep; {how}")
    made = Plan(family, fixed, swept, **options)
    refuse_many(len(made), family.name)
    _check_options(made)
    return made


def _check_options(made: Plan) -> None:
    """Refuse what no member could be solved with, once and not in a row for each."""
    from infoset.solve.table import solver

    seconds, most = made.seconds, made.max_nodes
    if not isinstance(made.method, str | None):
        raise ParameterError(f"method={made.method!r:.40}: give a name, such as 'lp'")
    if made.method is not None:
        solver(made.method)
    if seconds is not None and not (isinstance(seconds, Real) and seconds >= 0):
        raise ParameterError(f"seconds={seconds!r:.40}: it must be 0 or more")
    if not isinstance(most, Integral) or most < 1:
        raise ParameterError(f"max_nodes={most!r:.40}: it must be a whole number from 1")
    if not isinstance(made.exact, bool | None):
        raise ParameterError(f"exact={made.exact!r:.40}: say True, False or None")


def refuse_many(members: int, name: str) -> None:
    """Refuse a sweep over more members than anyone would wait for."""
    if members > MOST:
        raise ParameterError(
            f"{name}: more than {MOST:,} members; choose smaller ranges, or steps as in 3..30..9"
        )


def name_of(family: Family, parameters: Mapping[str, Any]) -> str:
    """A member as its parameters spell it, on one line; also where the rules refuse it.

    >>> from infoset.games import kuhn
    >>> name_of(kuhn, {"bet": 2, "ranks": 1})
    'kuhn(ranks=1, bet=2)'
    """
    given = (f"{name}={parameters[name]!r}" for name in family.parameters if name in parameters)
    return printable(f"{family.name}({', '.join(given)})")


def _plain(value: Any) -> Any:
    """Python's own numbers and lists for numpy's: rules and names of games know only those."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _several(value: object, default: object) -> bool:
    """Is this several values to go through, or one?"""
    for kind in (tuple, AbstractSet):
        if isinstance(value, kind) and isinstance(default, kind):
            return False
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _in_order(family: Family, name: str, values: Iterable[Any]) -> Iterable[Any]:
    """The values as they come, those of a set from the smallest on: it has no order of its own."""
    if not isinstance(values, AbstractSet):
        return values
    try:
        return sorted(values)
    except TypeError:
        raise ParameterError(
            f"{family.name}: {name} is a set, and its values have no order; give a list"
        ) from None


def _prefixed(tick: Tick | None, where: str) -> Tick:
    if tick is None:
        return lambda news: None
    return lambda news: tick(f"{where}: {news}")
