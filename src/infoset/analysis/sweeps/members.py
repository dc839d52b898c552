"""The members of a sweep: which games, what was found of each, and by which rules.

A :class:`SweepPlan` is the product of the values of all swept parameters, the last one fastest,
with the
fixed parameters and how to solve. What is found of a member is a :class:`SweepRow`; a member that
its rules refuse, that is too large or that cannot be solved is a row with a note, since the others
matter as much. Building, measuring and solving each add to the row; an error ends the steps and
becomes the note, and so a game that is built but not solved still has its size. The time of a
member is for all steps together; loading a solver is not counted.

Rows that are already known need not be computed again: :meth:`SweepPlan.rows` takes them, by the
names of their games, and yields every new one at once, so that a sweep can be saved and resumed.
:attr:`SweepPlan.asked` says what was done with each, to be compared, and :attr:`SweepPlan.rules`
identifies
the rules: after a change of these, saved values would be wrong. So each row has a digest of the
source that its rules were read from, which is known before anything is built:

- of rules in a file, the whole file, and the files of its folder from which it imports something,
  since rules call other functions;
- of the library's, the version of the package and the source of the game;
- of rules that were typed in, what Python kept of them.

Rules that are made by a function can differ in its arguments, so plain values that they refer to
count as well. Time and place of the file do not.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, partial
from hashlib import sha256
from itertools import islice, product
from math import inf, prod
from numbers import Integral, Real
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from infoset.analysis.sweeps.tracked import LARGEST, Quantity, jump
from infoset.errors import InfosetError, ParameterError, TooLarge, nearest
from infoset.parallel import Workers, check_workers, workers
from infoset.rules import Family, Play, game
from infoset.rules.running import MAX_NODES
from infoset.text import parameter_text, printable

if TYPE_CHECKING:
    from infoset.solvers import Solution
    from infoset.tree import Tree

DIGITS = 16  # of the digest that are kept
HERE = Path(__file__).resolve().parents[2]  # the package
INSTALLED = {"site-packages", "dist-packages"}
PLAIN = (bool, int, float, complex, Fraction, str, bytes, type(None))


def digest_of(family: Family) -> str:
    """A short text that is another one after any change of the rules.

    >>> from infoset.games import kuhn, leduc
    >>> digest_of(kuhn) == digest_of(kuhn) != digest_of(leduc)
    True
    """
    import infoset

    rules = inspect.unwrap(family.rules)
    own = str(family.__module__).startswith(f"{infoset.__name__}.")
    parts = [family.name.encode(), infoset.__version__.encode() if own else b""]
    parts += _sources(rules, sys.modules.get(str(family.__module__)))
    for name, value in sorted({**family.defaults, **_held(rules)}.items()):
        parts.append(f"{name}={value!r}".encode(errors="replace") if _is_plain(value) else b"")
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())  # so that it counts where a part ends
    return f"sha256:{digest.hexdigest()[:DIGITS]}"


def _sources(rules: Any, module: ModuleType | None) -> list[bytes]:
    """What the rules were read from."""
    file = _file(module)
    try:
        if module is not None and file is not None and Path(inspect.getfile(rules)).samefile(file):
            return [path.read_bytes() for path in sorted(_beside(module, file.parent))]
    except (TypeError, OSError, ValueError):  # a function that was typed in, or its file is gone
        pass
    return [_typed(rules)]


def _file(module: ModuleType | None) -> Path | None:
    """Where a module was read from."""
    name = getattr(module, "__file__", None)
    path = Path(name) if isinstance(name, str) else None
    return path.resolve() if path is not None and path.is_file() else None


def _beside(module: ModuleType, folder: Path) -> set[Path]:
    """The file of a module, those in its folder from which it has something, and so on."""
    found: set[Path] = set()
    left = [module]
    while left:
        one = left.pop()
        path = _file(one)
        if path is not None and path not in found and _is_own(path, folder):
            found.add(path)
            left += _used(one)
    return found


def _is_own(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder, and of the same author: not installed there, and not ours."""
    if not path.is_relative_to(folder) or INSTALLED & set(path.relative_to(folder).parts):
        return False
    return folder.is_relative_to(HERE) or not path.is_relative_to(HERE)


def _used(module: ModuleType) -> Iterator[ModuleType]:
    """The modules that a module's names come from."""
    for value in list(vars(module).values()):
        name = value.__name__ if isinstance(value, ModuleType) else _module_of(value)
        source = sys.modules.get(name)
        if source is not None:
            yield source


def _module_of(value: Any) -> str:
    return str(getattr(value, "__module__", "")) if callable(value) else ""


def _held(rules: Any) -> dict[str, Any]:
    """What a function took from the one that made it."""
    names = getattr(getattr(rules, "__code__", None), "co_freevars", ())
    held = {}
    for name, cell in zip(names, getattr(rules, "__closure__", None) or (), strict=False):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            held[name] = cell.cell_contents
    return held


def _typed(rules: Any) -> bytes:
    """The source of rules that are in no file, or what they were compiled to."""
    try:
        return inspect.getsource(rules).encode(errors="replace")
    except (OSError, TypeError):
        code = getattr(rules, "__code__", None)
        return b"" if code is None else _compiled(code)


def _compiled(code: Any) -> bytes:
    constants = [
        _compiled(constant) if inspect.iscode(constant) else repr(constant).encode(errors="replace")
        for constant in code.co_consts
    ]
    return b"\0".join([code.co_code, repr(code.co_names).encode(errors="replace"), *constants])


def _is_plain(value: object) -> bool:
    """Whether a value is written the same each time."""
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN)


MOST = 10_000  # members of one sweep

Tick = Callable[[str], None]


@dataclass(frozen=True)
class SweepRow:
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
    equilibria: int | None = None  # how many there are, by methods that list several
    tracked: tuple[Any, ...] = ()  # [quantity] of the plan


@dataclass(frozen=True)
class SweepPlan:
    """Which games, and what to do with each."""

    family: Family
    fixed: Mapping[str, Any]
    swept: Mapping[str, tuple[Any, ...]]
    method: str | None = None
    exact: bool | None = None
    seconds: float | None = None  # for each member
    max_nodes: int = MAX_NODES
    solving: bool = True  # or only the sizes
    track: tuple[Quantity, ...] = ()

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
        limit += "".join(f", {quantity.name}" for quantity in self.track)
        return f"{self.method or 'what suits'}, {how}, {most}{limit}"

    @property
    def lists_several(self) -> bool:
        """Does the method look for several equilibria?"""
        from infoset.solvers.registry import solver

        return self.solving and self.method is not None and solver(self.method).gives == "several"

    @cached_property
    def rules(self) -> str:
        """A digest of the rules' source; rows of other rules are not of this sweep."""
        return digest_of(self.family)

    def parameters(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """All that is chosen for one member."""
        return {**self.fixed, **dict(zip(self.swept, values, strict=True))}

    def rows(
        self,
        known: Mapping[str, SweepRow] | None = None,
        keep: Callable[[SweepRow], None] | None = None,
        tick: Tick | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> Iterator[SweepRow]:
        """The rows, one after the other; an error at the end if not one of them has an answer.

        ``known`` has rows from before, by their games; ``keep`` is given each that is new.
        ``jobs`` and ``cluster`` say who solves members, as in :func:`infoset.parallel.workers`.
        """
        if tick is not None and not callable(tick):
            raise ParameterError(f"tick={tick!r:.40}: give a function of the progress")
        check_workers(jobs, cluster)
        first: SweepRow | None = None
        answers = 0
        for row in self._found(dict(known or {}), keep, tick, jobs, cluster):
            first = first or row
            answers += (row.regret if self.solving else row.nodes) is not None
            yield row
        if first is not None and not answers:
            done = "solved" if self.solving else "built"
            raise InfosetError(
                f"{self.title}: none of {len(self):,} members could be {done};"
                f" the first, {first.game}: {first.note}"
            )

    def _found(
        self,
        known: Mapping[str, SweepRow],
        keep: Callable[[SweepRow], None] | None,
        tick: Tick | None,
        jobs: int | None,
        cluster: str | None,
    ) -> Iterator[SweepRow]:
        """Rows in order: those that are known, and the others from whoever solves them."""
        members = [
            _Member(at, name_of(self.family, self.parameters(values)), values)
            for at, values in enumerate(product(*self.swept.values()), 1)
        ]
        new = [member for member in members if member.name not in known]
        before: dict[tuple[Any, ...], Solution | None] = {}  # along the first parameter
        with contextlib.ExitStack() as stack:
            those = stack.enter_context(workers(jobs, cluster)) if new else Workers(1)
            tell = tick if those.alone else None  # others cannot be listened to
            found = those.results(
                partial(_run, self, tell), new, ordered=True, called=_Member.__str__
            )
            stack.callback(found.close)
            for member in members:
                row = known.get(member.name)
                if row is None:
                    if tick is not None and not those.alone:
                        tick(f"{member.number:,} of {len(self):,}, {printable(member.name[:80])}")
                    row, solution = next(found)
                    row = _compared(row, before.get(member.values[1:]), solution)
                    before[member.values[1:]] = solution
                    if keep is not None:
                        keep(row)
                yield row


class _Member(NamedTuple):
    """A member of a sweep, with its number from 1 on."""

    number: int
    name: str
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return self.name


def _run(plan: SweepPlan, tick: Tick | None, member: _Member) -> tuple[SweepRow, Solution | None]:
    where = f"{member.number:,} of {len(plan):,}, {printable(member.name[:80])}"
    return run_member(plan, member.name, member.values, _prefixed(tick, where))


def plan(family: Family, parameters: Mapping[str, Any], **options: Any) -> SweepPlan:
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
    made = SweepPlan(family, fixed, swept, **options)
    refuse_many(len(made), family.name)
    _check_options(made)
    return made


def _check_options(made: SweepPlan) -> None:
    """Refuse what no member could be solved with, once and not in a row for each."""
    from infoset.solvers.registry import solver

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
    chosen = [name for name in family.parameters if name in parameters]
    given = (f"{name}={parameter_text(parameters[name])}" for name in chosen)
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


def _compared(row: SweepRow, before: Solution | None, found: Solution | None) -> SweepRow:
    """A row, with a note if another equilibrium than that of the neighbour was selected."""
    said = "" if before is None or found is None else jump(before, found)
    return replace(row, note=f"{row.note}; {said}" if row.note else said) if said else row


def run_member(
    plan: SweepPlan, name: str, values: tuple[Any, ...], tick: Tick
) -> tuple[SweepRow, Solution | None]:
    """Build and solve one member, as far as it goes; and its solution, if it is small."""
    row = SweepRow(name, values)
    try:
        tick("building")
        _warm("backward")
        began = time.perf_counter()
        member = plan.family(**plan.parameters(values))
        row = replace(row, players=member.players)
        tree = member.tree(plan.max_nodes, progress=_watch(plan, began, tick))
        row = replace(
            row,
            nodes=len(tree),
            infosets=len(tree.infoset_player),
            sequences=sum(map(tree.sequences, tree.names)),
            building=round(time.perf_counter() - began, 6),
        )
        if not plan.solving:
            return row, None
        left = None if plan.seconds is None else max(plan.seconds + began - time.perf_counter(), 0)
        return _solved(plan, row, tree, left, tick)
    except InfosetError as error:
        return replace(row, note=_note(plan, values, str(error))), None
    except MemoryError:
        return replace(row, note="out of memory"), None


def _watch(plan: SweepPlan, began: float, tick: Tick) -> Callable[[int], None]:
    """Say how many nodes there are so far, and give up when the time is over."""

    def watch(nodes: int) -> None:
        tick(f"building, {nodes:,} nodes")
        if plan.seconds is not None and time.perf_counter() - began > plan.seconds:
            raise TooLarge(f"not built in {plan.seconds:g} s ({nodes:,} nodes so far)")

    return watch


def _solved(
    plan: SweepPlan, row: SweepRow, tree: Tree, seconds: float | None, tick: Tick
) -> tuple[SweepRow, Solution | None]:
    from infoset.solvers import solve
    from infoset.solvers.registry import choose
    from infoset.text import decimal_above

    solver_row = choose(tree, plan.method)[0]
    _warm(solver_row.name)
    most = inf if plan.lists_several and solver_row.takes_most else None
    found = solve(tree, plan.method, exact=plan.exact, seconds=seconds, tick=tick, most=most)
    bound = f"regret at most {decimal_above(found.regret)}"
    floats = "" if found.proved else ", in floats"

    def shown(amount: Any) -> Any:
        return amount if found.exact or amount is None else _float(amount)

    tracked = [quantity.of(found) for quantity in plan.track]
    said = dict.fromkeys(part for part in (found.note, *(why for _, why in tracked)) if part)
    row = replace(
        row,
        method=found.method,
        value=shown(found.value),
        payoffs=tuple(shown(found.payoffs[player]) for player in tree.names),
        regret=shown(found.regret),
        certificate="exact" if found.exact else f"{bound}{floats}",
        solving=round(found.seconds, 6),
        note=_note(plan, row.parameters, "; ".join(said)),
        equilibria=_counted(found) if plan.lists_several else None,
        tracked=tuple(shown(amount) for amount, _ in tracked),
    )
    return row, found if len(tree) <= LARGEST and found.equilibrium else None


def _counted(found: Solution) -> int | None:
    """How many equilibria there are, where that is known."""
    return found.work.get("equilibria") or (len(found.equilibria) if found.complete else None)


@cache
def _warm(method: str) -> None:
    """Solve something tiny first, so that loading a solver is not counted as a member's time."""
    from infoset.solvers import solve

    @game(players=("one", "two"))
    def tiny(g: Play) -> object:
        g.reveal("two", g.choose("one", (0, 1)))
        return g.win("one" if g.choose("two", (0, 1)) else "two")

    solve(tiny(), method)


def _float(amount: Any) -> Any:
    """The nearest float, where there is one: an answer that is near needs no long fractions."""
    try:
        return float(amount)
    except OverflowError:
        return amount


def _note(plan: SweepPlan, values: tuple[Any, ...], words: str) -> str:
    """A message on one line, without the name of the game before it, which leaves defaults out."""
    defaults, chosen = plan.family.defaults, plan.parameters(values)
    other = {name: chosen[name] for name in chosen if chosen[name] != defaults.get(name)}
    plain = printable(" ".join(words.split()))
    return plain.removeprefix(f"{name_of(plan.family, other)}: ")
