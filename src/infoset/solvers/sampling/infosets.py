"""What sampling keeps of information sets: regrets and averages, labels, and names for files.

**Rows.** An information set is what its mover knows: the key ``(mover, view, options)``. It gets a
row, with sampled regrets and the sum for the average strategy, when a play first reaches it.

**Labels** are those of the tree, although there is none. What a mover knows is in its view. The
view of a game given by its rules lists facts, menus and actions taken, in order; without the menus,
that is the label (:mod:`infoset.tree.knowledge`). The view of a tree's position is the number of an
information set, and that of an engine is what it is.

**Files.** Views may be any hashable values, which files cannot hold. So in a file a row is named by
the digest of its key as text: a key must have the same text in every process, and no two keys may
share one. With it is the label, for sets that no play reaches again after the run was resumed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from numbers import Complex
from typing import Any, NamedTuple

import numpy as np

from infoset.errors import NotApplicable
from infoset.rules.moves import Menu
from infoset.rules.position import View
from infoset.rules.seats import Seats
from infoset.text import brief, text
from infoset.tree import Tree
from infoset.tree.knowledge import known

Key = tuple[str, Hashable, Menu]  # mover, view, options
STATE = 16  # digits of a state's digest: no two of a billion states are likely to share them


class Reading(NamedTuple):
    """An information set as text: its label, its options, and what tells it from others."""

    label: str
    options: Menu
    number: int | None = None  # in the tree, from 1 on, if there is one
    state: Hashable = None  # what is known apart from the options; in a file, a digest of it


def digest(key: Key) -> bytes:
    """The digest of a key as text; refused where that differs from process to process."""
    mover, view, options = key
    try:  # views are long and mostly new, what they are made of is not
        known = f"({','.join(map(_spelled, view))})" if type(view) is tuple else _spelled(view)
        words = f"{_spelled(mover)} {known} {_spelled(options)}"
    except _Unreadable as unreadable:
        raise NotApplicable(
            f"{brief(mover)} knows {brief(str(unreadable))}, whose repr differs in every process,"
            " so no checkpoint can be written; give it a repr that says what it is"
        ) from None
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()


class _Unreadable(Exception):
    """A value whose text differs from process to process."""


@lru_cache(maxsize=1 << 15)
def _spelled(value: object) -> str:
    """A value as text, the same in every process, and for all values that are equal.

    Sets have no order, so they are sorted. Numbers, strings, tuples and sets of any type are
    written as plain ones, if they compare as those do: 1, 1.0 and True are one fact.
    """
    if isinstance(value, str) and type(value).__eq__ is str.__eq__:
        return str.__repr__(value)
    if isinstance(value, tuple) and type(value).__eq__ is tuple.__eq__:
        return f"({','.join(map(_spelled, value))})"
    if isinstance(value, frozenset) and type(value).__eq__ is frozenset.__eq__:
        return f"{{{','.join(sorted(map(_spelled, value)))}}}"
    if isinstance(value, Complex | Decimal):
        return _number(value)
    words = repr(value)
    if " at 0x" in words or "frozenset({" in words:
        raise _Unreadable(words)
    return words


def _number(value: Any) -> str:
    """A number exactly; infinities and complex numbers by their repr."""
    try:
        return str(Fraction(value))
    except (TypeError, ValueError, OverflowError):
        return repr(value)


def written(reading: Reading) -> bytes:
    """A reading for a file: options that JSON cannot hold as text."""
    options = [_plain(option) for option in reading.options]
    words = [reading.label, options, reading.number, brief_state(reading.state)]
    return json.dumps(words, separators=(",", ":")).encode()


def reread(words: bytes) -> Reading:
    """The reading that :func:`written` wrote.

    >>> reread(written(Reading("Q, bet", ("pass", 3, ("a", 1)), 7)))
    Reading(label='Q, bet', options=('pass', 3, ('a', 1)), number=7, state=None)
    """
    label, options, number, state = json.loads(words)
    return Reading(label, tuple(_tuples(option) for option in options), number, state)


def brief_state(state: Any) -> str | None:
    """A state of knowledge in a file: the beginning of its digest."""
    if state is None or isinstance(state, str):
        return state
    mover, view = state
    return digest((mover, view, ())).hex()[:STATE]


def _plain(option: object) -> Any:
    if type(option) is tuple:
        return [_plain(part) for part in option]
    return option if type(option) in (str, int, bool) else text(option)


def _tuples(option: Any) -> Any:
    return tuple(_tuples(part) for part in option) if isinstance(option, list) else option


@dataclass(frozen=True)
class Labels:
    """The labels of one game's information sets."""

    label: Callable[[str, Any], str]  # of a mover and its view
    number: Callable[[Any], int | None] = lambda view: None  # in the tree, of a view
    state: Callable[[str, Any], Hashable] = lambda mover, view: None

    def read(self, key: Key) -> Reading:
        """The reading of a key; options are not added to the label yet."""
        mover, view, options = key
        return Reading(self.label(mover, view), options, self.number(view), self.state(mover, view))


def labels_of_rules(seats: Seats) -> Labels:
    """For a game given by its rules; the text of a fact is made once."""
    words: dict[tuple[str, Hashable], str] = {}

    def label(mover: str, view: View) -> str:
        return _prefix(seats, mover) + known(view, words)

    return Labels(label, state=lambda mover, view: (mover, view[:-1]))  # without what is offered


def labels_of_tree(tree: Tree) -> Labels:
    """For a tree, whose positions have the number of an information set for a view."""
    return Labels(lambda mover, view: tree.labels[view[1]], lambda view: int(view[1]) + 1)


def labels_of_engine(seats: Seats) -> Labels:
    """For a game on an engine of its own."""
    return Labels(lambda mover, view: _prefix(seats, mover) + text(view))


def _prefix(seats: Seats, mover: str) -> str:
    """The agent's name, where several act for one player."""
    team = seats.player_of[seats.agent(mover)]
    return f"{mover}: " if seats.player_of.count(team) > 1 else ""


class InfosetRow:
    """An information set that was reached."""

    __slots__ = ("average", "key", "player", "regrets")

    def __init__(self, key: Key | None, player: int, size: int) -> None:
        """With nothing known of its options yet; no key if it comes from a file."""
        self.key = key
        self.player = player
        self.regrets = [0.0] * size  # [option] sampled regret, summed over weighted iterations
        self.average = [0.0] * size  # [option] the weights of the average strategy, not normalized


class Changed(NamedTuple):
    """What was added to an information set elsewhere."""

    row: int  # its number; -1 if it is new
    key: Key | None
    player: int
    regrets: list[float]  # [option]
    average: list[float]  # [option]


class RegretTable:
    """The rows of a run, in the order in which they were reached."""

    def __init__(self, *, digests: bool = False) -> None:
        """Empty; with digests if it is to be written to a file."""
        self.rows: list[InfosetRow] = []
        self.digests: dict[bytes, InfosetRow] | None = {} if digests else None
        self.forgiving = False  # do rows that no file can hold only prevent checkpoints?
        self.problem = ""  # why it cannot be written to a file any more
        self.readings: list[bytes] = []  # [row] how it reads, as far as a file had or has it
        self._known: dict[Key, InfosetRow] = {}

    def row(self, key: Key, player: int) -> InfosetRow:
        """The row of an information set, made if it is new."""
        found = self._known.get(key)
        if found is not None:
            return found
        name = self._digest(key)
        found = self._filed(key, name)
        if found is None:
            found = InfosetRow(key, player, len(key[2]))
            self.rows.append(found)
            self._known[key] = found
            if self.digests is not None and name:
                self.digests[name] = found
        return found

    def name_rows(self) -> None:
        """Give every row the name that a file has for it, if rows have none yet."""
        if self.problem:
            raise NotApplicable(self.problem)
        if self.digests is None:
            self.digests = {digest(row.key): row for row in self.rows if row.key is not None}
            if len(self.digests) < len(self.rows):
                self.digests = None
                raise NotApplicable(
                    "two information sets read alike, so a checkpoint cannot tell them apart; give"
                    " their facts a repr that differs"
                )

    def copy(self, rows: int | None = None) -> RegretTable:
        """A table with the same rows, or the first of them, to which others can be added."""
        found = RegretTable()
        found.rows, found.readings = self.rows[:rows], self.readings[:rows]
        if self.digests is not None:
            found.digests = dict(islice(self.digests.items(), rows))
        found.forgiving, found.problem = self.forgiving, self.problem
        if rows is None:
            found._known = dict(self._known)
        else:
            found._known = {row.key: row for row in found.rows if row.key is not None}
        return found

    def regrets_alone(self) -> RegretTable:
        """A table with rows of its own, and the same regrets; nothing is averaged there yet."""
        found = RegretTable(digests=self.digests is not None)
        found.forgiving = True  # the run itself says what no file can hold
        for row in self.rows:
            made = InfosetRow(row.key, row.player, len(row.regrets))
            made.regrets[:] = row.regrets
            found.rows.append(made)
            if row.key is not None:
                found._known[row.key] = made
        if self.digests is not None and found.digests is not None:
            places = {id(row): at for at, row in enumerate(self.rows)}
            for name, row in self.digests.items():
                found.digests[name] = found.rows[places[id(row)]]
        return found

    def changes(self, before: Sequence[Sequence[float]]) -> list[Changed]:
        """What was added since the regrets were these and nothing was averaged."""
        found = []
        for at, row in enumerate(self.rows):
            old = before[at] if at < len(before) else [0.0] * len(row.regrets)
            more = [new - former for new, former in zip(row.regrets, old, strict=True)]
            if at >= len(before) or any(more) or any(row.average):
                number = at if at < len(before) else -1
                found.append(Changed(number, row.key, row.player, more, list(row.average)))
        return found

    def take(self, other: RegretTable) -> bool:
        """Become another table, and keep the lists of rows that are in both.

        False, with nothing changed, if rows of this one are not in the other: places may know them.
        """
        if not other._known.keys() >= self._known.keys():
            return False
        same: dict[int, InfosetRow] = {}
        for at, row in enumerate(other.rows):
            mine = None if row.key is None else self._known.get(row.key)
            if mine is not None:
                mine.regrets[:], mine.average[:] = row.regrets, row.average
                other.rows[at] = same[id(row)] = mine
        self.rows = other.rows
        self._known = {row.key: row for row in self.rows if row.key is not None}
        if other.digests is not None:
            self.digests = {name: same.get(id(row), row) for name, row in other.digests.items()}
        return True

    def add(self, changes: Sequence[Changed], share: float) -> None:
        """Add a share of what was found elsewhere, from these rows on."""
        for one in changes:
            if one.row >= 0:
                row = self.rows[one.row]
            else:
                assert one.key is not None
                row = self.row(one.key, one.player)
            if row.key is None and one.key is not None:
                row.key = one.key
                self._known[one.key] = row
            for at, (regret, weight) in enumerate(zip(one.regrets, one.average, strict=True)):
                row.regrets[at] += share * regret
                row.average[at] += share * weight

    def find(self, key: Key) -> InfosetRow | None:
        """The row of an information set, if it was reached, in this run or before."""
        return self._known.get(key) or self._filed(key, self._digest(key))

    def _digest(self, key: Key) -> bytes:
        """What a file calls a key; nothing where there is no file, or it cannot be called so."""
        if self.digests is None:
            return b""
        try:
            return digest(key)
        except NotApplicable as problem:
            self._object(problem)
            return b""

    def _filed(self, key: Key, name: bytes) -> InfosetRow | None:
        """A row that came from a file, known by its key from now on."""
        found = self.digests.get(name) if self.digests is not None else None
        if found is None:
            return None
        if found.key is not None:  # and it is another, or it had been known
            alike = NotApplicable(
                f"{brief(key[0])}: two information sets read alike, {brief(repr(key[1]))}, so a"
                " checkpoint cannot tell them apart; give their facts a repr that differs"
            )
            self._object(alike)
            return None
        found.key = key
        self._known[key] = found
        return found

    def _object(self, problem: NotApplicable) -> None:
        """Say at once that no file can hold this table; late in a run, say it at its end."""
        if not self.forgiving:
            raise problem
        self.problem = self.problem or str(problem)

    def bound(self, players: int, weight: float) -> list[float]:
        """[player] the largest positive regrets of its sets, summed, over the weight of all."""
        total = [0.0] * players
        if not weight:
            return [float("inf")] * players
        for row in self.rows:
            most = max(row.regrets)
            if most > 0:
                total[row.player] += most
        return [part / weight for part in total]

    def columns(self, read: Callable[[Key], Reading]) -> dict[str, np.ndarray[Any, Any]]:
        """All rows as arrays, with how they read; for tables with digests."""
        assert self.digests is not None
        rows = self.rows
        for row in rows[len(self.readings) :]:  # the others came from a file, or went to one
            assert row.key is not None
            self.readings.append(written(read(row.key)))
        return {
            "digests": np.frombuffer(b"".join(self.digests), np.uint8).reshape(-1, 32),
            "players": np.array([row.player for row in rows], np.int16),
            "sizes": np.array([len(row.regrets) for row in rows], np.int32),
            "regrets": np.array([entry for row in rows for entry in row.regrets], np.float64),
            "averages": np.array([entry for row in rows for entry in row.average], np.float64),
            "readings": np.frombuffer(b"".join(self.readings), np.uint8),
            "lengths": np.array([len(reading) for reading in self.readings], np.int32),
        }

    def refill(self, columns: dict[str, np.ndarray[Any, Any]]) -> None:
        """Take the rows from arrays; their keys become known as plays reach them again."""
        assert self.digests is not None
        regrets, averages = columns["regrets"].tolist(), columns["averages"].tolist()
        if not len(regrets) == len(averages) == int(columns["sizes"].sum()):
            raise ValueError("the columns do not have the same number of options")
        at = 0
        for name, player, size in zip(
            columns["digests"], columns["players"].tolist(), columns["sizes"].tolist(), strict=True
        ):
            row = InfosetRow(None, player, size)
            row.regrets[:], row.average[:] = regrets[at : at + size], averages[at : at + size]
            self.rows.append(row)
            self.digests[name.tobytes()] = row
            at += size
        words, at = columns["readings"].tobytes(), 0
        for length in columns["lengths"].tolist():
            self.readings.append(words[at : at + length])
            at += length
        if not len(self.readings) == len(self.rows) or at != len(words):
            raise ValueError("the columns do not have the same number of information sets")

    def reading(self, at: int, read: Callable[[Key], Reading]) -> Reading:
        """How the information set of a row reads: by its key, or as the file had it."""
        key = self.rows[at].key
        return read(key) if key is not None else reread(self.readings[at])


def normalized(weights: Sequence[float]) -> list[float]:
    """Weights as probabilities; uniform where there are none.

    >>> normalized([1.0, 3.0]), normalized([0.0, 0.0])
    ([0.25, 0.75], [0.5, 0.5])
    """
    total = sum(weights)
    if total > 0:
        return [weight / total for weight in weights]
    return [1 / len(weights)] * len(weights)
