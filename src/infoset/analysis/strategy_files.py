"""Cells as spreadsheets write them, and as they should be written for spreadsheets.

Between cells stand commas, semicolons or tabs; the first line that is not blank names the columns.
Numbers have a point or a comma, a percent sign perhaps. A text that begins with ``=``, ``+``, ``-``
or ``@`` would be computed, and is written after an apostrophe.

A fraction would become a date (``1/3``) or a time (``1:3``). So a probability is written twice: as
a decimal of twelve digits, which is there to be edited, and as ``1 over 3``, which stays a text.
The second counts as long as the first is what it rounds to. A spreadsheet may have kept fewer
digits of it, as many as it shows; from six on, that is no edit.

The rows of a file with strategies, understood one by one.

Each row says which information set it is about, by number, by label or by both, which of its
actions, and how likely that is. Every slip is refused with its line and the nearest that exists.

Strategies as tables that a person can edit: CSV out, CSV in.

A file has a row for each action of each information set:

    player,information set,number,action,probability,exact
    gambler,J,#1,pass,0.666666666667,2 over 3
    gambler,J,#1,bet,0.333333333333,1 over 3

The probability is what to edit; ``exact`` counts only as long as the probability is what it rounds
to, and may be left out. Spreadsheets make dates of fractions, and leave it alone.

What spreadsheets make of a file is read as well: semicolons or tabs between the cells, a byte order
mark, blank lines, other columns and another order of them, ``0.25``, ``0,25``, ``25%``, ``1/4``. An
information set is known by its number, or by its label where that is enough; if both are there they
must agree. An action that is left out, or has an empty cell, has probability 0; but the
probabilities at a set must sum to one. Sums that miss it by at most 0.011, as of thirds that were
written 0.33, are divided out, and a note says so if it is not the last digits only. Where they sum
to 100, give or take 1, they are percentages, and a note says that. A set that is left out
altogether is refused, since a typing error must not pass for a wish, unless ``missing`` says what
to do there.

A cell that a spreadsheet would compute (``=...``, ``@...``) is written after an apostrophe, which
reading takes off again: labels come from files that anyone may have written. An action that is
nothing but blanks is written ``(blank)``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from infoset.analysis.questions.answer import Subject, is_solved, listed, played, seen
from infoset.analysis.questions.names import checked_tree, closest, name_of
from infoset.analysis.situations import numbered
from infoset.analysis.strategy_tables import Line, behaviour_lines
from infoset.analysis.table import shown
from infoset.errors import FileError, ParameterError, StrategyError
from infoset.files import read_text, write_lines
from infoset.solvers.storage import number, spelled
from infoset.strategy import Behaviour, Profile, Strategy
from infoset.strategy.behaviour import uniform_probabilities
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.strategy import distinct_actions
from infoset.text import decimal_near, text
from infoset.tree import Infoset, Tree

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


def plain_text(words: str) -> str:
    r"""A label as files have it: one line, not endless.

    >>> plain_text(" two\nlines ")
    'two lines'
    """
    return shown(words, MOST_SIGNS).strip()


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


def probability_cells(share: Any) -> tuple[str, str]:
    """A probability for two cells: as a decimal, and exactly.

    >>> probability_cells(Fraction(2, 3)), probability_cells(Fraction(1)), probability_cells(0.1)
    (('0.666666666667', '2 over 3'), ('1', '1'), ('0.1', ''))
    """
    if isinstance(share, float):
        return repr(float(share)), ""
    return decimal_near(share, DIGITS), spelled(share).replace("/", OVER)


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
        return number(re.sub(r"\s", "", said))
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
        f"{place}: {shown(said, 40)!r} is no probability; write one as 2/3, 0.25 or 25%{hint}"
    )


NEAR = Fraction(11, 1000)  # by how much a sum may miss one
ROUNDED = Fraction(1, 10**9)  # by how much it may without a word
HUNDRED = 100  # what percentages sum to, give or take one
BLANK = "(blank)"  # an action that is nothing or blanks; cells are read without those
NUMBER = re.compile(r"#?([0-9]{1,9})")
MOST_NUMBERS = 6  # of sets that read alike, in a message


def action_names(options: Iterable[Hashable]) -> list[str]:
    """The actions of a set as files have them: no two read the same.

    >>> action_names((1, "1", "2", " "))
    ['1', '1 (2)', '2', '(blank)']
    """
    return numbered(plain_text(text(option)) or BLANK for option in options)


@dataclass(eq=False)
class Rows:
    """The rows of a file, as far as they were read: whose set, which action, what probability."""

    name: str
    tree: Tree

    def __post_init__(self) -> None:
        checked_tree(self.tree)
        self.probabilities: dict[int, dict[int, Share]] = {}  # by information set and action
        self.lines: dict[tuple[int, int], int] = {}  # where that was said
        self.notes: list[str] = []
        self._known: dict[tuple[str, str, str], Infoset] = {}
        self._actions: dict[int, dict[str, int]] = {}  # by information set: its actions' names

    def take(self, line: int, cells: Mapping[str, str]) -> None:
        """Note the probability that a row says."""
        place = f"{self.name}:{line}"
        key = (cells.get("player", ""), cells.get("information set", ""), cells.get("number", ""))
        if key not in self._known:
            self._known[key] = self._infoset(place, *key)
        infoset = self._known[key]
        names = self._names(infoset)
        said = cells.get("action", "")
        found = [names[word] for word in spellings(said or BLANK) if word in names]
        if not found:
            hint = closest(said, names)
            raise FileError(f"{place}: {name_of(infoset)} has no action {shown(said)!r}; {hint}")
        where = (infoset.index, found[0])
        if where in self.lines:
            raise FileError(
                f"{place}: {name_of(infoset)}, {shown(said)} has its probability in line"
                f" {self.lines[where]} already"
            )
        self.lines[where] = line
        share = read_probability(cells.get("probability", ""), cells.get("exact", ""), place)
        self.probabilities.setdefault(infoset.index, {})[found[0]] = share

    def _names(self, infoset: Infoset) -> dict[str, int]:
        if infoset.index not in self._actions:
            names = action_names(distinct_actions(infoset))
            self._actions[infoset.index] = {name: at for at, name in enumerate(names)}
        return self._actions[infoset.index]

    def _infoset(self, place: str, player: str, label: str, number_: str) -> Infoset:
        names = [plain_text(name) for name in self.tree.names]
        owner = [at for at, name in enumerate(names) if name in spellings(player)]
        if player and not owner:
            raise FileError(f"{place}: no player {shown(player)!r}; {closest(player, names)}")
        if number_:
            return self._numbered(place, label, number_, owner)
        if not label:
            raise FileError(f"{place}: no information set is named; give its label or its number")
        tables = self.tree.labelled(plain_text)
        own = [tables[at] for at in owner] or tables
        mine = sorted(
            {at for table in own for word in spellings(label) for at in table.get(word, ())}
        )
        if len(mine) == 1:
            return self.tree.infosets[mine[0]]
        if mine:
            numbers = ", ".join(f"#{at + 1}" for at in mine[:MOST_NUMBERS])
            raise FileError(
                f"{place}: {len(mine)} information sets read {shown(label)!r}; give the number too:"
                f" {numbers}"
            )
        known = (word for table in own for word in table if word)
        whose = f"{shown(player)} has no information set" if player else "no information set"
        raise FileError(f"{place}: {whose} {shown(label)!r}; {closest(label, known)}")

    def _numbered(self, place: str, label: str, number_: str, owner: list[int]) -> Infoset:
        count = len(self.tree.infoset_player)
        read = NUMBER.fullmatch(number_)
        if read is None or not 1 <= int(read[1]) <= count:
            raise FileError(
                f"{place}: no information set {shown(number_)!r}; they are #1 to #{count:,}"
            )
        infoset = self.tree.infosets[int(read[1]) - 1]
        known = plain_text(infoset.label)
        same = not label or known in spellings(label)
        if not same or (owner and self.tree.infoset_player[infoset.index] not in owner):
            raise FileError(
                f"{place}: #{infoset.index + 1} is {name_of(infoset)}, not what its row says;"
                " correct one of them, or leave the number out"
            )
        return infoset

    def checked(self, index: int) -> dict[int, Fraction]:
        """The probabilities at a set, made to sum to one if they nearly do, or are percentages."""
        probabilities = self.probabilities[index]
        found = {action: share.value for action, share in probabilities.items()}
        total = sum(found.values(), Fraction(0))
        if total == 1:
            return found
        if abs(total - 1) > NEAR:
            found, total = self._percentages(index, total)
            self._note(index, total, "; they were taken as percent")
        elif abs(total - 1) > ROUNDED:
            self._note(index, total, "; they were divided by that")
        return {action: share / total for action, share in found.items()}

    def _percentages(self, index: int, total: Fraction) -> tuple[dict[int, Fraction], Fraction]:
        """The numbers at a set as percentages, and their sum; refused if they are none."""
        probabilities = self.probabilities[index]
        found = {
            action: share.value * (HUNDRED if share.percent else 1)
            for action, share in probabilities.items()
        }
        hundred = sum(found.values(), Fraction(0))
        untouched = any(share.value and not share.edited for share in probabilities.values())
        if untouched or abs(hundred - HUNDRED) > 1:
            raise FileError(f"{self._sum(index, total)}, not to 1; correct them from this line on")
        return found, hundred

    def _note(self, index: int, total: Fraction, what: str) -> None:
        self.notes.append(self._sum(index, total) + what)

    def _sum(self, index: int, total: Fraction) -> str:
        line = min(self.lines[index, action] for action in self.probabilities[index])
        whose = name_of(self.tree.infosets[index])
        return f"{self.name}:{line}: the probabilities of {whose} sum to {float(total):.6g}"


Source = str | PathLike[str]


class Edited(Mapping[str, Behaviour]):
    """The strategies in a file, by player, and what was done to make them strategies."""

    def __init__(self, strategies: Mapping[str, Behaviour], notes: tuple[str, ...]) -> None:
        """Strategies by player; the notes are for whoever wrote the file."""
        self._strategies = dict(strategies)
        self.notes = notes

    def __getitem__(self, player: str) -> Behaviour:
        return self._strategies[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strategies)

    def __len__(self) -> int:
        return len(self._strategies)

    def __repr__(self) -> str:
        return f"<Strategies of {listed(self._strategies)}>"


# ---------------------------------------------------------------------- out


Several = Strategy | Mapping[str, Strategy] | Iterable[Strategy] | Subject


def strategy_csv(strategies: Several) -> str:
    """A strategy, or those of several players, as a table to be edited.

    :func:`read_strategies` gives the same strategies again, exactly if they are.

    >>> from infoset.games import matching_pennies
    >>> from infoset.strategy import uniform
    >>> print(strategy_csv(uniform(matching_pennies().tree(), "even")), end="")
    player,information set,number,action,probability,exact
    even,nothing yet,#1,heads,0.5,1 over 2
    even,nothing yet,#1,tails,0.5,1 over 2
    """
    return "".join(_lines(strategies))


def write_strategies(path: Source, strategies: Several) -> None:
    """Write :func:`strategy_csv` to a file; the file is complete or as it was before."""
    write_lines(_checked(path), _lines(strategies))


def _lines(strategies: Several) -> Iterator[str]:
    own = map(as_behaviour, _listed(strategies))
    return csv_lines((one.player, behaviour_lines(one)) for one in own)


def csv_lines(strategies: Iterable[tuple[str, Iterable[Line]]]) -> Iterator[str]:
    """The text of a file, a piece for each information set, from those of some players."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    options: Sequence[Hashable] | None = None
    cells: list[str] = []
    for player, lines in strategies:
        for line in lines:
            if options is not line.options:  # the same for many information sets
                options = line.options
                cells = [label_cell(name) for name in action_names(options)]
            number_ = "" if line.number is None else f"#{line.number}"
            head = (label_cell(player), label_cell(line.label), number_)
            for action, probability in zip(cells, line.probabilities, strict=True):
                table.writerow((*head, action, *probability_cells(probability)))
            yield written.getvalue()
            written.seek(0)
            written.truncate()
    yield written.getvalue()


def _listed(strategies: Any) -> list[Strategy]:
    if isinstance(strategies, Strategy):
        return [strategies]
    if isinstance(strategies, Profile) or is_solved(strategies):
        return list(played(strategies))
    several = strategies.values() if isinstance(strategies, Mapping) else strategies
    found = list(several) if isinstance(several, Iterable) else [several]
    for one in found:
        if not isinstance(one, Strategy):
            raise StrategyError(f"{seen(one)} is no strategy; solution.strategy has one a player")
    return found


# ---------------------------------------------------------------------- in


def read_strategy(source: Source, tree: Tree, *, missing: Any = "refuse") -> Behaviour:
    """The strategy in a file, which has one player's; see :func:`read_strategies`."""
    found = read_strategies(source, tree, missing=missing)
    if len(found) != 1:
        raise FileError(
            f"{_name(source)}: strategies of {listed(found)}, where one is wanted;"
            " read_strategies() reads them all"
        )
    return next(iter(found.values()))


def read_strategies(source: Source, tree: Tree, *, missing: Any = "refuse") -> Edited:
    r"""The strategies in a CSV file, or in a text of several lines, by player.

    ``missing`` is what becomes of information sets that a player's rows leave out: ``"refuse"``,
    ``"uniform"``, or strategies to take it from, as a Solution, a Profile or a mapping.

    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> found = read_strategies("player;action;probability;number\n;heads;25%;1\n;tails;0,75;1\n",
    ...                         tree)
    >>> found["even"]["nothing yet"]
    {'heads': Fraction(1, 4), 'tails': Fraction(3, 4)}
    """
    file = Rows(_name(_checked(source)), tree)
    for line, cells in rows_of(file.name, _content(source)):
        file.take(line, cells)
    if not file.probabilities:
        raise FileError(f"{file.name}: no strategy is in it; a row is player,{','.join(ASKED[1:])}")
    fill = _filling(tree, missing)
    probabilities = {infoset: file.checked(infoset) for infoset in sorted(file.probabilities)}
    owners = {tree.infosets[infoset].player for infoset in probabilities}
    strategies = {}
    for player in tree.names:
        if player in owners:
            strategies[player] = _behaviour(file, player, probabilities, fill)
    return Edited(strategies, tuple(file.notes))


def _checked(source: Source) -> Source:
    if not isinstance(source, str | PathLike):
        raise ParameterError(f"{seen(source)} names no file; give a name or a path")
    return source


def _name(source: Source) -> str:
    return "the text" if isinstance(source, str) and "\n" in source else shown(str(source))


def _content(source: Source) -> str:
    if isinstance(source, str) and "\n" in source:
        return source.removeprefix("\ufeff")
    return read_text(source)


# ---------------------------------------------------------------------- what is left out


def _filling(tree: Tree, missing: Any) -> Any:
    """Strategies for what is left out: by player, None to refuse, or "uniform"."""
    if isinstance(missing, str):
        if missing in ("refuse", "uniform"):
            return None if missing == "refuse" else missing
        raise ParameterError(f"missing={missing!r}; {closest(missing, ('refuse', 'uniform'))}")
    if isinstance(missing, Profile) or is_solved(missing):
        return {strategy.player: strategy for strategy in played(missing)}
    if isinstance(missing, Mapping):
        return missing
    raise ParameterError(f"missing={seen(missing)}: say 'refuse', 'uniform', or give strategies")


def _behaviour(
    file: Rows, player: str, given: Mapping[int, Mapping[int, Fraction]], fill: Any
) -> Behaviour:
    tree = file.tree
    choices = tree.choices[tree.player_number(player)]
    left = [at for at in choices.infosets.tolist() if at not in given]
    if left and (fill is None or (fill != "uniform" and player not in fill)):
        more = f", nor of {len(left) - 1:,} others" if len(left) > 1 else ""
        raise FileError(
            f"{file.name}: no rows of {name_of(tree.infosets[left[0]])} (#{left[0] + 1}){more};"
            " add them, or fill them in with missing='uniform' or missing=solution"
        )
    probabilities = uniform_probabilities(choices)
    if left and fill != "uniform":
        strategy = fill[player]
        if not isinstance(strategy, Strategy) or strategy.tree is not tree:
            raise StrategyError(f"{tree.name}: {seen(strategy)} is no strategy of this tree")
        probabilities = np.array(
            [Fraction(share) for share in as_behaviour(strategy).probabilities], object
        )
    for own, index in enumerate(choices.infosets.tolist()):
        if index in given:
            first, size = int(choices.first[own]), int(choices.sizes[own])
            probabilities[first : first + size] = [
                given[index].get(at, Fraction(0)) for at in range(size)
            ]
    return Behaviour(tree, player, probabilities)
