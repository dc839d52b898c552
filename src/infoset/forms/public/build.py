"""The public form of a game, straight from its rules: no node of its tree is made.

Rules that were run for all deals at once leave blocks (:mod:`infoset.rules.late.explore`). A block
at which a player moves, with all that the player may know there, is a decision. Where a run ends,
its worlds say which sets of the players' last decisions meet, how likely nature makes that, and
what is then paid: one number for each world, added up by pairs of sets.

Most ends differ in nothing but the stakes: ends in the same worlds, between sets that are divided
alike, with the same numbers but for a factor, have the same table, which is made once
(:mod:`infoset.forms.public.tables`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotApplicable, TooLarge
from infoset.forms.public.record import (
    NOT_YET,
    Counts,
    Decision,
    End,
    Longs,
    Meeting,
    PublicForm,
    Table,
)
from infoset.forms.public.tables import Piece, connected, table_of, with_factor
from infoset.rules import memory
from infoset.rules.columns import CHANCE, LEAF, MAX_MOVES, PATIENCE, Limits
from infoset.rules.grow import uncollected
from infoset.rules.late.blocks import Block as Nodes
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import Hidden
from infoset.rules.late.lines import Line, Part
from infoset.rules.late.worlds import Worlds
from infoset.rules.moves import Menu
from infoset.tree.knowing import Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from infoset.rules import Game

UNLIMITED = 1 << 62  # nodes: they are counted, not made

Last = tuple[int, int]  # a decision and an option; (NOT_YET, 0)


def public_form(
    game: Game,
    *,
    fold: bool = True,
    merge: bool = False,
    max_moves: int = MAX_MOVES,
    patience: float = PATIENCE,
    progress: Callable[[int], None] | None = None,
) -> PublicForm:
    """The public form of a game of two whose rules are run for all deals at once.

    With ``fold``, suits that the deck says are alike are taken as one wherever nobody can tell them
    apart; without, the form has all information sets of the game. With ``merge``, those that are
    strategically identical are one (:mod:`infoset.forms.public.merge`).

    >>> from infoset.games import kuhn
    >>> public_form(kuhn(ranks=13))
    <Public form of kuhn(ranks=13): 1,405 nodes, 52 information sets, 3 tables>
    """
    _check(game)
    limits = Limits(UNLIMITED, max_moves, patience, progress)
    with uncollected():
        form = _Building(repr(game), game.grow_late(limits, fold=fold)).form()
    if not merge:
        return form
    from infoset.forms.public.merge import merged

    return merged(form)


def _check(game: Game) -> None:
    if not game.late:
        raise NotApplicable(
            f"{game!r}: the public form is built from rules that are run for all deals at once;"
            " say @game(late=True), or solve the tree"
        )
    if len(game.players) != 2 or len(game.seats.agents) != 2:
        count = len(game.players)
        who = f"{count} players" if count != 2 else "teams"
        raise NotApplicable(
            f"{game!r}: the public form is one of two players, and this game has {who}; solve its"
            " tree: cfr+ and external-sampling take any number"
        )


@dataclass(eq=False)
class _Group:
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


class _Building:
    """What is known while a form is built."""

    def __init__(self, name: str, late: Late) -> None:
        self.name = name
        self.late = late
        self.groups: tuple[list[_Group], list[_Group]] = ([], [])
        self.by_line: dict[tuple[Line, Menu], _Group] = {}
        self.tables: list[Table] = []
        self.known: dict[Any, int] = {}  # tables by what they are made of
        self.indices: dict[Any, Any] = {}
        self.occurring: dict[tuple[Part, Worlds], Any] = {}
        self.rows: dict[Part, Any] = {}
        self.states: dict[Any, tuple[Longs, Longs]] = {}

    def form(self) -> PublicForm:
        """All of it."""
        late = self.late
        self._gather()
        ends, total = self._ends()
        decisions = tuple(
            tuple(self._decision(player, group) for group in self.groups[player])
            for player in (0, 1)
        )
        return PublicForm(
            name=self.name,
            players=(late.players[0], late.players[1]),
            decisions=(decisions[0], decisions[1]),
            tables=tuple(self.tables),
            ends=ends,
            total=total,
            counts=self._counts((decisions[0], decisions[1])),
            folded="" if late.symmetry is None else str(late.symmetry),
            deck=None if late.symmetry is None else late.symmetry.deck,
        )

    def _gather(self) -> None:
        """All decisions, with the sets that are met."""
        for block in self.late.blocks:
            if block.kind < 0:
                continue
            line = block.lines[block.kind]
            if any(one.before is None and one.last == "knows" for one in _up(line)):
                raise NotApplicable(
                    f"{self.name}: the public form needs players who forget nothing; this one says"
                    " knowing="
                )
            key = (line, block.menu)
            group = self.by_line.get(key)
            if group is None:
                own = self.groups[block.kind]
                met = np.zeros(len(line.part), bool)
                group = _Group(len(own), line, block.menu, met, self._last(line), block)
                own.append(group)
                self.by_line[key] = group
            group.met[self._codes(line.part, block.worlds)] = True
            piece = Piece(block.worlds, None, None, (1,))
            other = self._last(block.lines[1 - block.kind])
            group.before_meetings.setdefault(other, []).append(piece)
        for player, own in enumerate(self.groups):
            for group in own:
                group.codes, group.index = self._numbered(player, group)

    def _codes(self, part: Part, worlds: Worlds) -> Any:
        """The codes that occur in some worlds; many decisions ask for the same."""
        key = (part, worlds)
        if key not in self.occurring:
            there = np.zeros(len(part), bool)
            there[part.at(worlds)] = True
            self.occurring[key] = np.flatnonzero(there)
        return self.occurring[key]

    def _row_of(self, part: Part) -> Any:
        """[code] a row of its field that has it."""
        if part not in self.rows:
            first = np.zeros(len(part) + 1, np.int64)
            first[part.codes] = np.arange(len(part.codes))  # what has no code, -1, goes to the end
            self.rows[part] = first[:-1]
        return self.rows[part]

    def _numbered(self, player: int, group: _Group) -> tuple[Any, Any]:
        """[set] its code, and [code] its set; the same arrays for decisions divided alike.

        Sets that may meet the same sets of the other player stand side by side: those are the
        entries of a table that are needed together.
        """
        key = (group.line.part, group.met.tobytes())
        if key not in self.indices:
            codes = np.flatnonzero(group.met)
            public = self._publics(group.first)[player]
            known = np.full(len(group.met), len(public), np.int64)
            known[: len(public)] = public
            codes = codes[np.argsort(known[codes], kind="stable")]
            index = np.full(len(group.met), -1, np.int64)
            index[codes] = np.arange(len(codes))
            self.indices[key] = codes, index
        found: tuple[Any, Any] = self.indices[key]
        return found

    def _publics(self, block: Nodes) -> tuple[Longs, Longs]:
        """[player][code] which of the public states of a block it belongs to: sets that meet."""
        parts = tuple(line.part for line in block.lines)
        key = (*parts, block.worlds)
        if key not in self.states:
            one, two = (part.at(block.worlds).astype(np.int64) for part in parts)
            self.states[key] = connected(one, two)[1:]
        return self.states[key]

    def _last(self, line: Line) -> Last:
        """The player's last choice on a line."""
        for one in _up(line):
            if one.before is not None and one.last[0] == "took":
                menu, option = one.last[1]
                return (self.by_line[one.before, menu].number, option)
        return (NOT_YET, 0)

    # ------------------------------------------------------------------ what is paid

    def _ends(self) -> tuple[tuple[End, ...], Fraction]:
        pieces: dict[tuple[Last, Last], list[tuple[Nodes, Any]]] = {}
        totals: set[Fraction] = set()
        for block in self.late.blocks:
            if block.kind != LEAF:
                continue
            paid = block.what
            every = [paid]
            if isinstance(paid, Hidden):
                every = [paid.table[code] for code in paid.seen_in(block.worlds)]
            totals |= {Fraction(one) + Fraction(two) for one, two in every}
            last = (self._last(block.lines[0]), self._last(block.lines[1]))
            pieces.setdefault(last, []).append((block, paid))
        if len(totals) > 1:
            low, high = min(totals), max(totals)
            raise NotApplicable(
                f"{self.name}: the public form is one of two players with opposed interests; here"
                f" both together get {low} or {high}; solve its tree"
            )
        ends = []
        for last, parts in pieces.items():
            made, factor = with_factor(parts)
            if factor:
                number, under = self._table(last, made)
                ends.append(End(last, number, factor / under))
        return tuple(ends), totals.pop()

    def _table(self, last: tuple[Last, Last], pieces: Sequence[Piece]) -> tuple[int, int]:
        """The number of a table, made if it is new, and what its entries are to be divided by."""
        axes = tuple(self._axis(player, last[player]) for player in (0, 1))
        key = (
            *(index if index is None else (id(index[0]), id(index[1])) for index in axes),
            *((id(one.worlds), id(one.codes), one.amounts) for one in pieces),
        )
        under = lcm(*(piece.worlds.field.under for piece in pieces))
        if key not in self.known:
            self.known[key] = len(self.tables)
            self.tables.append(table_of(axes, pieces, under, self._check_room))
        return self.known[key], under

    def _axis(self, player: int, last: Last) -> tuple[Part, Any] | None:
        """By what the rows, or the columns, of a table are found; None if there is only one."""
        if last[0] == NOT_YET:
            return None
        group = self.groups[player][last[0]]
        return group.line.part, group.index

    def _check_room(self, entries: int) -> None:
        """Refuse tables that memory has no room for, before they are made."""
        room = memory.available()
        sequences = 1 + sum(
            int(group.met.sum()) * len(group.menu) for own in self.groups for group in own
        )
        needed = 16 * entries + 64 * sequences  # a table and its floats, what a run keeps
        if room is not None and needed > room - memory.KEEP_FREE:
            raise TooLarge(
                f"{self.name}: its public form has {sequences:,} sequences and a table of"
                f" {entries:,} entries, which take {needed / 2**30:,.2f} GiB to solve, and"
                f" {room / 2**30:,.2f} GiB are free; fold suits that are alike, or choose smaller"
                " parameters"
            )

    # ------------------------------------------------------------------ decisions

    def _decision(self, player: int, group: _Group) -> Decision:
        codes, part = group.codes, group.line.part
        meetings = []
        for last, pieces in group.before_meetings.items():
            mine = (group.number, 0)
            both = (mine, last) if player == 0 else (last, mine)
            number, under = self._table(both, pieces)
            meetings.append(Meeting(last, number, Fraction(1, under)))
        return Decision(
            player=player,
            menu=group.menu,
            after=group.after[0],
            option=group.after[1],
            before=self._before(player, group, codes),
            stands_for=self._stands_for(part, codes),
            words=Words(group.line, codes),
            meetings=tuple(meetings),
        )

    def _before(self, player: int, group: _Group, codes: Longs) -> Longs:
        """[set] the player's set before it."""
        if group.after[0] == NOT_YET:
            return np.zeros(len(codes), np.int64)
        earlier = self.groups[player][group.after[0]]
        part = group.line.part
        rows = self._row_of(part)[codes]
        above = part.field.rows_in(earlier.line.part.field)
        there = rows if above is None else above[rows]
        found: Longs = earlier.index[earlier.line.part.codes[there]]
        return found

    def _stands_for(self, part: Part, codes: Longs) -> Longs:
        symmetry = self.late.symmetry
        if symmetry is None or not part.facts:
            return np.ones(len(codes), np.int64)
        views = np.array(part.views, np.int32)[codes]
        return symmetry.classes(list(views.T), part.facts)[1]

    def _counts(self, decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]) -> Counts:
        nodes = dict.fromkeys((LEAF, CHANCE, 0, 1), 0)
        for block in self.late.blocks:
            nodes[block.kind] += block.worlds.stands_for
        sets = [sum(int(one.stands_for.sum()) for one in own) for own in decisions]
        sequences = [
            1 + sum(len(one.menu) * int(one.stands_for.sum()) for one in own) for own in decisions
        ]
        return Counts(
            nodes=sum(nodes.values()),
            chance=nodes[CHANCE],
            leaves=nodes[LEAF],
            decisions=(nodes[0], nodes[1]),
            infosets=(sets[0], sets[1]),
            sequences=(sequences[0], sequences[1]),
        )


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
