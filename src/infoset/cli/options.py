"""Options of the commands, each declared once.

An option is a field of a small frozen record: its type says what is read, its metadata how it is
written, what it does and which methods take it. A command is a function of one *request*, a record
of such records. The parser, the help, the tables of the documentation and the refusals of options
that do not go together are made from these declarations. So is the translation of the library's
messages, which name keywords (``max_nodes=``), into what is typed (``--max-nodes``).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields
from math import isnan
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from infoset.cli.messages import in_options
from infoset.errors import InfosetError, ParameterError
from infoset.parallel import CLUSTERS

if TYPE_CHECKING:
    from infoset.solvers.registry import Solver

WIDTH = 100  # columns of the help, at most
NAMES = 26  # and of those that the options have
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}
METAVARS: dict[Any, str] = {int: "N", float: "X", Path: "FILE", str: "TEXT"}

Takes = Callable[["Solver | None"], bool]  # does a method take an option? None: none was named


@dataclass(frozen=True)
class Option:
    """One option of a command, as its field declares it."""

    group: str  # the field of the request that holds its record
    name: str  # its field in that record
    type: Any  # of what is read: int, float, str, Path, bool, or a tuple of numbers
    default: Any
    flags: tuple[str, ...]  # "--exact" and, of a switch, "--floats"; none for an argument
    help: str
    metavar: str = ""
    unset: str = ""  # what holds if it is not given, in words
    minimum: float | None = None
    many: bool = False  # may it be repeated?
    keyword: str = ""  # what the library calls it
    takes: Takes | None = None  # which methods take it, if not all do
    heading: str = ""

    @property
    def key(self) -> str:
        """Its name among the parsed values."""
        return f"{self.group}__{self.name}"

    @property
    def flag(self) -> str:
        """How messages call it."""
        return self.flags[0] if self.flags else self.metavar

    @property
    def usage(self) -> str:
        """How it is written: ``--time SECONDS``, ``--exact / --floats``."""
        if not self.flags or self.type is bool:
            return " / ".join(self.flags) or self.metavar
        return f"{self.flag} {self.metavar}"

    @property
    def about(self) -> str:
        """The help, and in brackets what holds if nothing is said."""
        told = f" [default: {self.unset}]" if self.unset not in ("", "none") else ""
        return f"{self.help}{told}"

    @property
    def flagged(self) -> str:
        """The same for the translation of messages: ``--exact/--floats``."""
        return f"{'/'.join(self.flags)} {self.metavar}".strip()

    def value(self, request: object) -> Any:
        """What a request has for it."""
        return getattr(getattr(request, self.group), self.name)

    def typed(self, value: object) -> str:
        """How it was typed to have this value: ``--floats`` for False."""
        return self.flags[1] if value is False and len(self.flags) > 1 else self.flag


def option(
    help: str,
    *,
    flags: str = "",
    metavar: str = "",
    default: Any = None,
    unset: str = "",
    minimum: float | None = None,
    keyword: str = "",
    takes: Takes | None = None,
) -> Any:
    """Declare a field of a record as an option.

    Parameters
    ----------
    help
        What it does, in a sentence.
    flags
        ``--name`` or ``--yes/--no``; if left out, made from the name of the field.
    metavar
        What its value is called; if left out, made from the type of the field.
    default, unset
        Its value if it is not given, and what then happens, in words.
    minimum
        The least number that it takes.
    keyword
        What the library calls it, if not like the field.
    takes
        Which methods take it, if not all do.
    """
    told = {"help": help, "flags": flags, "metavar": metavar, "default": unset, "minimum": minimum}
    return field(default=default, metadata={**told, "keyword": keyword, "takes": takes})


def jobs_option(help: str) -> Any:
    """``--jobs N``, of every command that divides its work."""
    return option(help, minimum=1, unset="1, or all of the cluster")


def cluster_option() -> Any:
    """``--cluster``, of every command that divides its work."""
    return option(
        f"Work on a cluster: {CLUSTERS}.",
        metavar="WHICH",
        unset="processes here",
    )


def argument(help: str, metavar: str, *, default: Any = MISSING) -> Any:
    """Declare a field of a record as an argument, known by its place."""
    return field(default=default, metadata={"help": help, "metavar": metavar, "argument": True})


def group(
    heading: str = "",
    *,
    takes: Takes | None = None,
    each: Callable[[str], Takes] | None = None,
    metavars: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Declare a field of a request as a group of options with a heading in the help.

    What only some methods take is left to the help on these methods: ``takes`` says which do, or
    ``each``, by the name of the option. ``metavars`` are for records of the library, which have
    none.
    """
    told = {"heading": heading, "takes": takes, "each": each, "metavars": metavars}
    return field(metadata=told)


def options_of(request: Any) -> tuple[Option, ...]:
    """All options of a request, in their order."""
    return tuple(_declared(request))


def _declared(request: type) -> Iterator[Option]:
    hints = get_type_hints(request)
    for part in fields(request):
        inner = get_type_hints(hints[part.name])
        for one in fields(hints[part.name]):
            if "help" in one.metadata:
                yield _option(part, one, inner[one.name])


def _option(part: Field[Any], one: Field[Any], hint: Any) -> Option:
    told, each = one.metadata, part.metadata.get("each")
    named = part.metadata.get("metavars", {})
    kind, many = _kind(hint)
    flags: tuple[str, ...] = ()
    if not told.get("argument"):
        plain = f"--{one.name.replace('_', '-')}"
        switch = f"{plain}/--no-{plain[2:]}" if kind is bool and one.default is not False else plain
        flags = tuple((told.get("flags") or switch).split("/"))
    return Option(
        group=part.name,
        name=one.name,
        type=kind,
        default=one.default,
        flags=flags,
        help=told["help"],
        metavar=told.get("metavar") or named.get(one.name) or METAVARS.get(kind, ""),
        unset=told.get("default") or _plain(one.default),
        minimum=told.get("minimum"),
        many=many,
        keyword=told.get("keyword") or one.name,
        takes=told.get("takes") or (each(one.name) if each else part.metadata.get("takes")),
        heading=part.metadata.get("heading", ""),
    )


def _plain(default: Any) -> str:
    """A default as it would be typed; nothing for what needs no word."""
    if isinstance(default, bool) or not isinstance(default, int | float | str):
        return ""
    return (
        f"{default:,}"
        if isinstance(default, int)
        else f"{default:g}"
        if isinstance(default, float)
        else default
    )


def _kind(hint: Any) -> tuple[Any, bool]:
    """What is read for a field of this type, and whether it may be repeated."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis:
        return get_args(hint)[0], True
    return hint, False


# ---------------------------------------------------------------------- the parser

R = TypeVar("R")


class Command(click.Command, Generic[R]):
    """A command: a function of one request."""

    def __init__(
        self,
        name: str,
        request: type[R],
        run: Callable[[R], object],
        more: Sequence[click.Option] = (),
    ) -> None:
        self.options = options_of(request)
        self.request = request
        self.more = tuple(more)  # beside those of the request, such as --methods

        def callback(**given: Any) -> object:
            with translated(self.options):
                return run(self.made(given))

        parameters = [*(_parameter(one) for one in self.options), *more]
        super().__init__(
            name, context_settings=CONTEXT, callback=callback, params=parameters, help=run.__doc__
        )

    def made(self, given: Mapping[str, Any]) -> R:
        """The request with these values, by the options' keys; others are as if not given."""
        hints = get_type_hints(self.request)
        values: dict[str, dict[str, Any]] = {part: {} for part in hints}
        for one in self.options:
            if one.key in given:
                values[one.group][one.name] = _read(one, given[one.key])
        return self.request(**{part: hints[part](**values[part]) for part in values})

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments and options below their headings, but for those of single methods."""
        write_options(formatter, [one for one in self.options if one.takes is None])
        mine = {one.key for one in self.options}
        others = [one for one in self.get_params(ctx) if one.name not in mine]
        rows = [row for one in others if (row := one.get_help_record(ctx)) is not None]
        with formatter.section("Help"):
            write_rows(formatter, rows)


def _read(one: Option, value: Any) -> Any:
    """A value as its field has it: numbers with commas between them become a tuple."""
    if value is None or get_origin(one.type) is not tuple:
        return value
    count = len(get_args(one.type))
    try:
        found = tuple(float(part) for part in value.split(","))
    except ValueError:
        found = ()
    if len(found) != count:
        raise ParameterError(
            f"{one.flag} {value!r:.60}: write {count} numbers with commas between, as {one.metavar}"
        )
    return found


class NumberRange(click.FloatRange):
    """Numbers from the smallest on; what is not a number is in no range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number that is written; called by click."""
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def _parameter(one: Option) -> click.Parameter:
    kind: Any = one.type  # of a path only its name: whether it is a file, the command checks
    if one.minimum is not None:
        whole = one.type is int
        kind = click.IntRange(int(one.minimum)) if whole else NumberRange(one.minimum)
    elif get_origin(one.type) is tuple:
        kind = str
    if not one.flags:
        required = one.default is MISSING
        return click.Argument(
            [one.key],
            type=kind,
            metavar=one.metavar,
            nargs=-1 if one.many else 1,
            required=required,
        )
    if one.type is bool:
        names = ["/".join(one.flags), one.key]
        return click.Option(names, is_flag=True, default=one.default, help=one.help)
    return click.Option(
        [one.flag, one.key],
        type=kind,
        metavar=one.metavar,
        multiple=one.many,
        default=one.default,
        help=one.help,
    )


# ---------------------------------------------------------------------- the help


def write_options(formatter: click.HelpFormatter, shown: Iterable[Option]) -> None:
    """Write options, a section for each heading."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for one in shown:
        heading = one.heading or ("Options" if one.flags else "Arguments")
        sections.setdefault(heading, []).append((one.usage, one.about))
    for heading, rows in sections.items():
        with formatter.section(heading):
            write_rows(formatter, rows)


def write_rows(formatter: click.HelpFormatter, rows: Sequence[tuple[str, str]]) -> None:
    """Write two columns; unlike those of click, lines do not end within ``--log-plot``."""
    wide = min(NAMES, max(len(name) for name, _ in rows))
    margin = " " * formatter.current_indent
    room = formatter.width - len(margin) - wide - 2
    for name, about in rows:
        first, *others = wrap(about, room, break_on_hyphens=False) or [""]
        if len(name) > wide:
            formatter.write(f"{margin}{name}\n")
            name = ""
        for start, line in ((name, first), *(("", line) for line in others)):
            formatter.write(f"{margin}{start:<{wide}}  {line}\n")


# ---------------------------------------------------------------------- messages and refusals


@contextmanager
def translated(options: Iterable[Option]) -> Iterator[None]:
    """Whatever the library refuses here is refused in the words of the command."""
    try:
        yield
    except InfosetError as error:
        words = in_options(str(error), {one.keyword: one.flagged for one in options if one.flags})
        if words == str(error):
            raise
        raise type(error)(words) from error


def given(request: Any) -> Iterator[tuple[Option, Any]]:
    """The options that were given, with their values."""
    for one in options_of(type(request)):
        value = one.value(request)
        if one.flags and value != one.default:
            yield one, value


def refuse_unfit(request: Any, row: Solver | None) -> None:
    """Refuse an option that the method does not take; ``row`` is None if none was named."""
    for one, value in given(request):
        if one.takes is not None and not one.takes(row):
            fitting = ", ".join(takers(one))
            if row is None:
                raise ParameterError(f"{one.typed(value)} goes with --method {fitting}")
            raise ParameterError(
                f"{one.typed(value)} does not go with --method {row.name}; it goes with {fitting}"
            )


def takers(one: Option) -> list[str]:
    """The methods that take an option."""
    from infoset.solvers.registry import SOLVERS

    return [row.name for row in SOLVERS if one.takes is None or one.takes(row)]
