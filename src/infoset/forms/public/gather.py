"""Decisions in the making: which blocks are one decision, and how its sets are numbered.

Blocks at which a player knows the same but for what is hidden (a line, :mod:`rules.late.lines`) and
has the same menu are one decision; the codes that occur in their worlds are its sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infoset.errors import NotApplicable
from infoset.forms.public.record import NOT_YET, Longs
from infoset.forms.public.tables import Piece, connected
from infoset.rules.late.blocks import Block as Nodes
from infoset.rules.late.explore import Late
from infoset.rules.late.lines import Line, Part
from infoset.rules.late.worlds import Worlds
from infoset.rules.moves import Menu
from infoset.tree.knowing import Word

Last = tuple[int, int]  # a decision and an option; (NOT_YET, 0)


@dataclass(eq=False)
class Group:
    """A decision in the making."""

    number: int  # among the player's
    line: Line
    menu: Menu
    met: Any  # [code of the line's part] is there a set?
    after: Last
    first: Nodes  # the first block that has it
    codes: Any = None  # [set] its code
    index: Any = None  # [code] the number of the set
    before_meetings: dict[Last, list[Piece]] = field(default_factory=dict)


class Gathering:
    """All decisions of what was explored, with the sets that are met."""

    def __init__(self, name: str, late: Late) -> None:
        """Go through all blocks."""
        self.groups: tuple[list[Group], list[Group]] = ([], [])
        self._by_line: dict[tuple[Line, Menu], Group] = {}
        self._indices: dict[Any, Any] = {}
        self._occurring: dict[tuple[Part, Worlds], Any] = {}
        self._rows: dict[Part, Any] = {}
        self._states: dict[Any, tuple[Longs, Longs]] = {}
        for block in late.blocks:
            if block.kind >= 0:
                self._take(name, block)
        for player, own in enumerate(self.groups):
            for group in own:
                group.codes, group.index = self._numbered(player, group)

    @property
    def sequences(self) -> int:
        """Of both players, one of the empty ones included."""
        return 1 + sum(
            int(group.met.sum()) * len(group.menu) for own in self.groups for group in own
        )

    def last(self, line: Line) -> Last:
        """The player's last choice on a line."""
        for one in _up(line):
            if one.before is not None and one.last[0] == "took":
                menu, option = one.last[1]
                return (self._by_line[one.before, menu].number, option)
        return (NOT_YET, 0)

    def axis(self, player: int, last: Last) -> tuple[Part, Any] | None:
        """By what the rows, or the columns, of a table are found; None if there is only one."""
        if last[0] == NOT_YET:
            return None
        group = self.groups[player][last[0]]
        return group.line.part, group.index

    def before(self, player: int, group: Group) -> Longs:
        """[set] the player's set before it."""
        if group.after[0] == NOT_YET:
            return np.zeros(len(group.codes), np.int64)
        earlier = self.groups[player][group.after[0]]
        part = group.line.part
        rows = self._row_of(part)[group.codes]
        above = part.field.rows_in(earlier.line.part.field)
        there = rows if above is None else above[rows]
        found: Longs = earlier.index[earlier.line.part.codes[there]]
        return found

    def _take(self, name: str, block: Nodes) -> None:
        line = block.lines[block.kind]
        if any(one.before is None and one.last == "knows" for one in _up(line)):
            raise NotApplicable(
                f"{name}: the public form needs players who forget nothing; this one says knowing="
            )
        key = (line, block.menu)
        group = self._by_line.get(key)
        if group is None:
            own = self.groups[block.kind]
            met = np.zeros(len(line.part), bool)
            group = Group(len(own), line, block.menu, met, self.last(line), block)
            own.append(group)
            self._by_line[key] = group
        group.met[self._codes(line.part, block.worlds)] = True
        piece = Piece(block.worlds, None, None, (1,))
        other = self.last(block.lines[1 - block.kind])
        group.before_meetings.setdefault(other, []).append(piece)

    def _codes(self, part: Part, worlds: Worlds) -> Any:
        """The codes that occur in some worlds; many decisions ask for the same."""
        key = (part, worlds)
        if key not in self._occurring:
            there = np.zeros(len(part), bool)
            there[part.at(worlds)] = True
            self._occurring[key] = np.flatnonzero(there)
        return self._occurring[key]

    def _row_of(self, part: Part) -> Any:
        """[code] a row of its field that has it."""
        if part not in self._rows:
            first = np.zeros(len(part) + 1, np.int64)
            first[part.codes] = np.arange(len(part.codes))  # what has no code, -1, goes to the end
            self._rows[part] = first[:-1]
        return self._rows[part]

    def _numbered(self, player: int, group: Group) -> tuple[Any, Any]:
        """[set] its code, and [code] its set; the same arrays for decisions divided alike.

        Sets that may meet the same sets of the other player stand side by side: those are the
        entries of a table that are needed together.
        """
        key = (group.line.part, group.met.tobytes())
        if key not in self._indices:
            codes = np.flatnonzero(group.met)
            public = self._publics(group.first)[player]
            known = np.full(len(group.met), len(public), np.int64)
            known[: len(public)] = public
            codes = codes[np.argsort(known[codes], kind="stable")]
            index = np.full(len(group.met), -1, np.int64)
            index[codes] = np.arange(len(codes))
            self._indices[key] = codes, index
        found: tuple[Any, Any] = self._indices[key]
        return found

    def _publics(self, block: Nodes) -> tuple[Longs, Longs]:
        """[player][code] which of the public states of a block it belongs to: sets that meet."""
        parts = tuple(line.part for line in block.lines)
        key = (*parts, block.worlds)
        if key not in self._states:
            one, two = (part.at(block.worlds).astype(np.int64) for part in parts)
            self._states[key] = connected(one, two)[1:]
        return self._states[key]


class Words(Sequence[tuple[Word, ...]]):
    """What a player knows at the sets of a decision, put into words when it is looked at."""

    def __init__(self, line: Line, codes: Longs) -> None:
        """The sets with these codes of a line."""
        self.line = line
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        words = []
        for kind, what in self.line.words(int(self.codes[at])):
            if kind == "took":
                words.append(Word(what[0][what[1]], own=True))
            else:
                words.append(Word(what, own=False))
        return tuple(words)


def _up(line: Line) -> Iterator[Line]:
    """A line and those that it goes on from, the last ones first."""
    one: Line | None = line
    while one is not None:
        yield one
        one = one.before
