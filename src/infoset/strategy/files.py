"""Strategies as tables that a person can edit: CSV files, written and read.

A file has a row for each action of each information set:

    player,information set,number,action,probability,exact
    gambler,J,#1,pass,0.666666666667,2 over 3
    gambler,J,#1,bet,0.333333333333,1 over 3

*Probabilities.* A spreadsheet would turn a fraction into a date (``1/3``) or a time (``1:3``). So a
probability is written twice: as a decimal of twelve digits, which is there to be edited, and as
``1 over 3``, which stays a text. The second, the column ``exact``, counts as long as the first is
what it rounds to, and may be left out. A spreadsheet may have kept fewer digits of the decimal, as
many as it shows; six or more of them are not an edit.

*What spreadsheets make of a file* is read as well: semicolons or tabs between the cells, a byte
order mark, blank lines, other columns and another order of them, ``0.25``, ``0,25``, ``25%``,
``1/4``. An information set is identified by its number, or by its label where that is unique; if
both are given they must agree. An action that is left out, or has an empty cell, has probability 0;
but the probabilities at an information set must sum to 1. Sums that miss 1 by at most 0.011, as of
thirds that were written 0.33, are divided out, and a note says so unless only the last digits
differ. Where they sum to 100, give or take 1, they are percentages, and a note says that. Every
error names its line and the nearest name that exists.

*Safe cells.* A text that begins with ``=``, ``+``, ``-`` or ``@`` would be computed by a
spreadsheet, and is written after an apostrophe, which reading removes again: labels come from files
that anyone may have written. An action that is nothing but blanks is written ``(blank)``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from os import PathLike
from typing import Any, NamedTuple

from infoset.errors import FileError, ParameterError, StrategyError
from infoset.files import read_text, write_lines
from infoset.forms.public.record import PublicForm
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.infosets import InformationSets
from infoset.strategy.public import PublicStrategy
from infoset.strategy.strategy import Strategy, distinct_actions
from infoset.text import (
    closest,
    decimal_near,
    distinct_texts,
    label_among,
    label_text,
    one_line,
    read_number,
    repr_text,
    spelled,
    text,
    typed_label,
)
from infoset.tree.knowledge import in_order

ASKED = ("player", "information set", "number", "action", "probability")
COLUMNS = (*ASKED, "exact")
NEEDED = ("action", "probability")
MOST_SIGNS = 1000  # of a label in a file
MOST_CELL = 100_000  # signs of any cell
DIGITS = 12  # of a decimal that is written
KEPT = 6  # places after the point that a spreadsheet leaves, at least, unless a person edits them
PERCENT = 101  # up to what a number may be a percentage, of which some sum to about 100
COMPUTED = tuple("=+-@")  # what a spreadsheet takes for a formula

PLAIN = re.compile(r"(?P<whole>[0-9]{0,2000})(?:[.,](?P<part>[0-9]{0,2000}))?"
                   r"(?:[eE](?P<power>[+-]?[0-9]{1,5}))?(?P<percent>\s*%)?")  # fmt: skip
QUOTIENT = re.compile(r"[0-9]{1,4000}\s*/\s*[0-9]{1,4000}|0x[0-9a-f]+/0x[0-9a-f]+")
OVER = " over "

Source = str | PathLike[str]


def plain_text(words: str) -> str:
    r"""A label as files have it: one line, not endless.

    >>> plain_text(" two\nlines ")
    'two lines'
    """
    return one_line(words, MOST_SIGNS).strip()


def label_cell(words: str) -> str:
    """A label for a cell.

    >>> label_cell("=1+1"), label_cell("-1"), label_cell("bet")
    ("'=1+1", '-1', 'bet')
    """
    plain = plain_text(words)
    return f"'{plain}" if plain.startswith(COMPUTED) and not PLAIN.fullmatch(plain[1:]) else plain


def spellings(cell: str) -> tuple[str, ...]:
    """What a cell may stand for: itself, or a formula without its apostrophe."""
    return (cell, cell[1:]) if cell.startswith("'") and cell[1:].startswith(COMPUTED) else (cell,)


def rows_of(name: str, content: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows below the header: line, and cells by column."""
    head: list[str] | None = None
    skipped = 1 if re.match(r'"?sep=.', content) else 0  # as some spreadsheets begin
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=_delimiter(content))
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if (longest := max(map(len, cells), default=0)) > MOST_CELL:
                raise csv.Error(f"a cell of {longest:,} signs")
            if reader.line_num <= skipped or not any(cells):
                continue
            if head is None:
                head = [cell.casefold() for cell in cells]
                _check_head(name, reader.line_num, head)
            else:
                yield reader.line_num, dict(zip(head, cells, strict=False))
    except csv.Error as problem:
        raise FileError(f"{name}:{reader.line_num}: not a table of cells: {problem}") from None


def _delimiter(content: str) -> str:
    """What stands between the cells of the first line that has any."""
    lines = io.StringIO(content)
    first = next((line for line in lines if line.strip() and not re.match('"?sep=.', line)), "")
    return max(",;\t", key=first.count)


def _check_head(name: str, line: int, head: list[str]) -> None:
    lacks = [column for column in NEEDED if column not in head]
    if not {"information set", "number"} & set(head):
        lacks.append("information set")
    twice = [column for column in COLUMNS if head.count(column) > 1]
    if lacks or twice:
        what = f"no column {lacks[0]!r}" if lacks else f"two columns {twice[0]!r}"
        raise FileError(f"{name}:{line}: {what}; the first line is {','.join(ASKED)}")


def probability_cells(probability: Any) -> tuple[str, str]:
    """A probability for two cells: as a decimal, and exactly.

    >>> probability_cells(Fraction(2, 3)), probability_cells(Fraction(1)), probability_cells(0.1)
    (('0.666666666667', '2 over 3'), ('1', '1'), ('0.1', ''))
    """
    if isinstance(probability, float):
        return repr(float(probability)), ""
    return decimal_near(probability, DIGITS), spelled(probability).replace("/", OVER)


class Share(NamedTuple):
    """A probability that was read, and how it was written."""

    value: Fraction
    percent: bool = False  # with a percent sign
    edited: bool = True  # or as it was written, and exact


def read_probability(said: str, exact: str, place: str) -> Share:
    """What two cells say: the exact one where the other is still what it rounds to; nothing is 0.

    >>> for decimal in ("0.666666666667", "0.666667", "0.67"):
    ...     print(read_probability(decimal, "2 over 3", "here").value)
    2/3
    2/3
    67/100
    """
    if not said:
        return Share(Fraction(0))
    meant = _quotient(exact.replace(OVER, "/"))
    if meant is None:
        meant = _decimal(exact)[0]
    value, places = _decimal(said)
    if value is not None and meant is not None and meant <= 1 and _agree(value, places, meant):
        return Share(meant, edited=False)
    if value is None:
        return Share(probability(said, place))
    if value > PERCENT:
        raise _no_probability(said, place)
    return Share(value, said.endswith("%"))


def _agree(value: Fraction, places: int, meant: Fraction) -> bool:
    """Is this the decimal that was written, or what a spreadsheet shows of it?"""
    if places >= KEPT and abs(value - meant) * 2 * 10**places <= 1:
        return True
    return value == _decimal(decimal_near(meant, DIGITS))[0]


def probability(said: str, place: str) -> Fraction:
    """A cell as a number between 0 and 1; nothing is 0.

    >>> [str(probability(cell, "here")) for cell in ("2/3", "0,25", "33.3 %", "1e-3", "")]
    ['2/3', '1/4', '333/1000', '1/1000', '0']
    """
    if not said:
        return Fraction(0)
    value = _quotient(said.replace(OVER, "/"))
    if value is None:
        value, _ = _decimal(said)
    if value is None or value > 1:
        raise _no_probability(said, place)
    return value


def _quotient(said: str) -> Fraction | None:
    """A fraction; None if it is none."""
    if not QUOTIENT.fullmatch(said):
        return None
    try:
        return read_number(re.sub(r"\s", "", said))
    except ZeroDivisionError:
        return None


def _decimal(said: str) -> tuple[Fraction | None, int]:
    """A decimal, a percentage perhaps, and how many places after the point it says; or None."""
    found = PLAIN.fullmatch(said)
    if not found or not (found["whole"] or found["part"]):
        return None, 0
    part = found["part"] or ""
    places = len(part) - int(found["power"] or 0) + 2 * bool(found["percent"])
    return int(found["whole"] + part or "0") * Fraction(10) ** -places, max(places, 0)


def _no_probability(said: str, place: str) -> FileError:
    date = re.match(r"[0-9]{1,4}[-. /]+([^\W\d]{3}|[0-9]{1,2}[-./])", said)
    hint = "; a spreadsheet has made a date of it: give that column the format text" if date else ""
    return FileError(
        f"{place}: {label_text(said, 40)!r} is no probability; write one as 2/3, 0.25 or 25%{hint}"
    )


NEAR = Fraction(11, 1000)  # by how much a sum may miss one
ROUNDED = Fraction(1, 10**9)  # by how much it may without a word
HUNDRED = 100  # what percentages sum to, give or take one
BLANK = "(blank)"  # an action that is nothing or blanks; cells are read without those
NUMBER = re.compile(r"#?([0-9]{1,9})")
MOST_NUMBERS = 6  # of sets that read alike, in a message


def action_names(actions: Iterable[Hashable]) -> list[str]:
    """The actions of an information set as files have them: no two read the same.

    >>> action_names((1, "1", "2", " "))
    ['1', '1 (2)', '2', '(blank)']
    """
    return distinct_texts(plain_text(text(action)) or BLANK for action in actions)


# ---------------------------------------------------------------------- writing


class Line(NamedTuple):
    """An information set in a file."""

    label: str
    number: int | None  # counted from 1; None where the label is enough
    options: Sequence[Hashable]
    probabilities: Sequence[Any]  # [option]


def csv_lines(strategies: Iterable[tuple[str, Iterable[Line]]]) -> Iterator[str]:
    """The text of a file, a piece at a time, from the information sets of some players."""
    yield f"{','.join(COLUMNS)}\n"
    options: Sequence[Hashable] | None = None
    actions: list[str] = []
    for player, lines in strategies:
        name = _quoted(label_cell(player))
        for line in lines:
            if options is not line.options:  # the same for many information sets
                options = line.options
                actions = [_quoted(label_cell(action)) for action in action_names(options)]
            number = "" if line.number is None else f"#{line.number}"
            head = f"{name},{_quoted(label_cell(line.label))},{number}"
            pairs = zip(actions, line.probabilities, strict=True)
            rows = [f"{head},{action},{_probability_text(share)}\n" for action, share in pairs]
            yield "".join(rows)


def _quoted(cell: str) -> str:
    """A cell of one line, as files have it between commas."""
    if "," not in cell and '"' not in cell:
        return cell
    return '"' + cell.replace('"', '""') + '"'


def _probability_text(share: Any) -> str:
    """The two cells of a probability."""
    return f"{float(share)!r}," if isinstance(share, float) else _exact_text(share)


@lru_cache(maxsize=1 << 12)  # many are the same: 0, 1, 1/2
def _exact_text(share: Any) -> str:
    return ",".join(probability_cells(share))


def behaviour_lines(strategy: Behaviour) -> Iterator[Line]:
    """The information sets of a behaviour strategy, as files have them."""
    choices, infosets = strategy.choices, strategy.tree.infosets
    places = dict(zip(choices.infosets.tolist(), choices.first.tolist(), strict=True))
    for index in in_order(strategy.tree, list(places)):
        options, first = distinct_actions(infosets[index]), places[index]
        own = strategy.probabilities[first : first + len(options)].tolist()
        yield Line(infosets[index].label, index + 1, options, own)


def public_lines(
    form: PublicForm, player: int, probabilities: Callable[[int], Any]
) -> Iterator[Line]:
    """The information sets of a player's strategy on a public form, decision by decision.

    ``probabilities`` gives those of a decision, [action, set]. Of sets that are folded into one,
    the first is named. One whose label is not unique without it has its number, which is not the
    number that it has in a tree.
    """
    labels = form.labels[player]
    for number, decision in enumerate(form.decisions[player]):
        rows, names = probabilities(number).T.tolist(), labels.at(number)
        for at in labels.order(number).tolist():
            yield Line(names[at], labels.number(number, at), decision.menu, rows[at])


def strategy_csv(strategies: Any) -> str:
    """A strategy, or those of several players, as a table to be edited.

    Parameters
    ----------
    strategies : Strategy, PublicStrategy, Solution, Profile, mapping or iterable
        Strategies of a tree or of a public form.

    Returns
    -------
    str
        The content of a CSV file. :func:`~infoset.strategy.convert.read_strategies` gives the same
        strategies again, exactly if they are rational.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> from infoset.strategy import uniform
    >>> print(strategy_csv(uniform(matching_pennies().tree(), "even")), end="")
    player,information set,number,action,probability,exact
    even,nothing yet,#1,heads,0.5,1 over 2
    even,nothing yet,#1,tails,0.5,1 over 2
    """
    return "".join(_lines(strategies))


def write_strategies(path: Source, strategies: Any) -> None:
    """Write :func:`strategy_csv` to a file; the file is complete or as it was before."""
    write_lines(_checked(path), _lines(strategies))


def _lines(strategies: Any) -> Iterator[str]:
    return csv_lines(
        (
            one.player,
            public_lines(one.form, one.number, one.probabilities)
            if isinstance(one, PublicStrategy)
            else behaviour_lines(as_behaviour(one)),
        )
        for one in _listed(strategies)
    )


def _listed(strategies: Any) -> list[Any]:
    if isinstance(strategies, Strategy | PublicStrategy):
        return [strategies]
    if not isinstance(strategies, Mapping):
        strategies = getattr(strategies, "strategy", strategies)  # of a solution
    several = strategies.values() if isinstance(strategies, Mapping) else strategies
    found = list(several) if isinstance(several, Iterable) else [several]
    for one in found:
        if not isinstance(one, Strategy | PublicStrategy):
            raise StrategyError(
                f"{repr_text(one)} is no strategy; solution.strategy has one a player"
            )
    return found


# ---------------------------------------------------------------------- reading


@dataclass(eq=False)
class Rows:
    """The rows of a file, as far as they were read: whose set, which action, what probability."""

    name: str
    sets: InformationSets

    def __post_init__(self) -> None:
        self.probabilities: dict[int, dict[int, Share]] = {}  # by information set and action
        self.lines: dict[tuple[int, int], int] = {}  # where that was said
        self.notes: list[str] = []
        self._known: dict[tuple[str, str, str], int] = {}
        self._actions: dict[int, dict[str, int]] = {}  # by information set: its actions' names

    def take(self, line: int, cells: Mapping[str, str]) -> None:
        """Note the probability that a row says."""
        place = f"{self.name}:{line}"
        key = (cells.get("player", ""), cells.get("information set", ""), cells.get("number", ""))
        if key not in self._known:
            self._known[key] = self._infoset(place, *key)
        index = self._known[key]
        names = self._names(index)
        said = cells.get("action", "")
        found = [names[word] for word in spellings(said or BLANK) if word in names]
        if not found:
            hint = closest(said, names)
            raise FileError(
                f"{place}: {self.sets.name_at(index)} has no action {label_text(said)!r}; {hint}"
            )
        where = (index, found[0])
        if where in self.lines:
            raise FileError(
                f"{place}: {self.sets.name_at(index)}, {label_text(said)} has its probability in"
                f" line {self.lines[where]} already"
            )
        self.lines[where] = line
        probability = read_probability(cells.get("probability", ""), cells.get("exact", ""), place)
        self.probabilities.setdefault(index, {})[found[0]] = probability

    @cached_property
    def _labelled(self) -> Sequence[Mapping[str, Sequence[int]]]:
        return self.sets.labelled(plain_text)

    def _names(self, index: int) -> dict[str, int]:
        if index not in self._actions:
            names = action_names(self.sets.actions(index))
            self._actions[index] = {name: at for at, name in enumerate(names)}
        return self._actions[index]

    def _infoset(self, place: str, player: str, label: str, number_: str) -> int:
        names = [plain_text(name) for name in self.sets.players]
        owner = [at for at, name in enumerate(names) if name in spellings(player)]
        if player and not owner:
            raise FileError(f"{place}: no player {label_text(player)!r}; {closest(player, names)}")
        if number_:
            return self._numbered(place, label, number_, owner)
        if not label:
            raise FileError(f"{place}: no information set is named; give its label or its number")
        tables = self._labelled
        own = [tables[at] for at in owner] or tables
        mine = sorted(
            {
                at
                for table in own
                for word in spellings(label)
                for at in table.get(label_among(word, table), ())
            }
        )
        if len(mine) == 1:
            return mine[0]
        if mine:
            numbers = ", ".join(f"#{at + 1}" for at in mine[:MOST_NUMBERS])
            raise FileError(
                f"{place}: {len(mine)} information sets read {label_text(label)!r}; give the number"
                f" too: {numbers}"
            )
        known = (word for table in own for word in table if word)
        whose = f"{label_text(player)} has no information set" if player else "no information set"
        raise FileError(f"{place}: {whose} {label_text(label)!r}; {closest(label, known)}")

    def _numbered(self, place: str, label: str, number_: str, owner: list[int]) -> int:
        count = len(self.sets)
        read = NUMBER.fullmatch(number_)
        if read is None or not 1 <= int(read[1]) <= count:
            raise FileError(
                f"{place}: no information set {label_text(number_)!r}; they are #1 to #{count:,}"
            )
        index = int(read[1]) - 1
        known = plain_text(self.sets.label(index))
        # As it is written, or as it is shown and typed: a ten as T, cards in any order.
        same = not label or any(
            word == known or typed_label(word) == typed_label(known) for word in spellings(label)
        )
        if not same or (owner and self.sets.owner(index) not in owner):
            raise FileError(
                f"{place}: #{index + 1} is {self.sets.name_at(index)}, not what its row says;"
                " correct one of them, or leave the number out"
            )
        return index

    def checked(self, index: int) -> dict[int, Fraction]:
        """The probabilities at a set, made to sum to one if they nearly do, or are percentages."""
        probabilities = self.probabilities[index]
        found = {action: probability.value for action, probability in probabilities.items()}
        total = sum(found.values(), Fraction(0))
        if total == 1:
            return found
        if abs(total - 1) > NEAR:
            found, total = self._percentages(index, total)
            self._note(index, total, "; they were taken as percent")
        elif abs(total - 1) > ROUNDED:
            self._note(index, total, "; they were divided by that")
        return {action: probability / total for action, probability in found.items()}

    def _percentages(self, index: int, total: Fraction) -> tuple[dict[int, Fraction], Fraction]:
        """The numbers at a set as percentages, and their sum; refused if they are none."""
        probabilities = self.probabilities[index]
        found = {
            action: probability.value * (HUNDRED if probability.percent else 1)
            for action, probability in probabilities.items()
        }
        hundred = sum(found.values(), Fraction(0))
        untouched = any(
            probability.value and not probability.edited for probability in probabilities.values()
        )
        if untouched or abs(hundred - HUNDRED) > 1:
            raise FileError(f"{self._sum(index, total)}, not to 1; correct them from this line on")
        return found, hundred

    def _note(self, index: int, total: Fraction, what: str) -> None:
        self.notes.append(self._sum(index, total) + what)

    def _sum(self, index: int, total: Fraction) -> str:
        line = min(self.lines[index, action] for action in self.probabilities[index])
        whose = self.sets.name_at(index)
        return f"{self.name}:{line}: the probabilities of {whose} sum to {float(total):.6g}"


@dataclass(frozen=True, eq=False)
class FileRows:
    """The probabilities in a file, by information set and action."""

    name: str
    rows: Mapping[int, Sequence[Fraction]]  # by information set: [action]
    notes: tuple[str, ...]  # for the author of the file: what was done to make sums 1


def read_rows(source: Source, sets: InformationSets) -> FileRows:
    """The probabilities in a CSV file, or in a text of several lines.

    Raises
    ------
    FileError
        If a row cannot be understood, or probabilities do not sum to 1.
    """
    file = Rows(_name(_checked(source)), sets)
    for line, cells in rows_of(file.name, _content(source)):
        file.take(line, cells)
    if not file.probabilities:
        raise FileError(f"{file.name}: no strategy is in it; a row is player,{','.join(ASKED[1:])}")
    rows = {}
    for index in sorted(file.probabilities):
        given = file.checked(index)
        rows[index] = [given.get(at, Fraction(0)) for at in range(len(sets.actions(index)))]
    return FileRows(file.name, rows, tuple(file.notes))


def _checked(source: Source) -> Source:
    if not isinstance(source, str | PathLike):
        raise ParameterError(f"{repr_text(source)} names no file; give a name or a path")
    return source


def _name(source: Source) -> str:
    return "the text" if isinstance(source, str) and "\n" in source else label_text(str(source))


def _content(source: Source) -> str:
    if isinstance(source, str) and "\n" in source:
        return source.removeprefix("\ufeff")
    return read_text(source)
