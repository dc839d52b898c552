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

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotApplicable, TooLarge
from infoset.forms.public.gather import Gathering, Group, Last, Words
from infoset.forms.public.record import (
    Counts,
    Decision,
    End,
    Longs,
    Meeting,
    PublicForm,
    Table,
)
from infoset.forms.public.tables import Piece, table_of, with_factor
from infoset.rules import memory
from infoset.rules.columns import CHANCE, LEAF, MAX_MOVES, PATIENCE, Limits
from infoset.rules.grow import uncollected
from infoset.rules.late.blocks import Block as Nodes
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import Hidden
from infoset.rules.late.lines import Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from infoset.rules import Game

UNLIMITED = 1 << 62  # nodes: they are counted, not made


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


class _Building:
    """What is known while a form is built."""

    def __init__(self, name: str, late: Late) -> None:
        self.name = name
        self.late = late
        self.gathered = Gathering(name, late)
        self.tables: list[Table] = []
        self.known: dict[Any, int] = {}  # tables by what they are made of

    def form(self) -> PublicForm:
        """All of it."""
        late = self.late
        ends, total = self._ends()
        decisions = tuple(
            tuple(self._decision(player, group) for group in own)
            for player, own in enumerate(self.gathered.groups)
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
            last = (self.gathered.last(block.lines[0]), self.gathered.last(block.lines[1]))
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
        axes = tuple(self.gathered.axis(player, last[player]) for player in (0, 1))
        key = (
            *(index if index is None else (id(index[0]), id(index[1])) for index in axes),
            *((id(one.worlds), id(one.codes), one.amounts) for one in pieces),
        )
        under = lcm(*(piece.worlds.field.under for piece in pieces))
        if key not in self.known:
            self.known[key] = len(self.tables)
            self.tables.append(table_of(axes, pieces, under, self._check_room))
        return self.known[key], under

    def _check_room(self, entries: int) -> None:
        """Refuse tables that memory has no room for, before they are made."""
        room = memory.available()
        sequences = self.gathered.sequences
        needed = 16 * entries + 64 * sequences  # a table and its floats, what a run keeps
        if room is not None and needed > room - memory.KEEP_FREE:
            raise TooLarge(
                f"{self.name}: its public form has {sequences:,} sequences and a table of"
                f" {entries:,} entries, which take {needed / 2**30:,.2f} GiB to solve, and"
                f" {room / 2**30:,.2f} GiB are free; fold suits that are alike, or choose smaller"
                " parameters"
            )

    # ------------------------------------------------------------------ decisions

    def _decision(self, player: int, group: Group) -> Decision:
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
            before=self.gathered.before(player, group),
            stands_for=self._stands_for(part, codes),
            words=Words(group.line, codes),
            meetings=tuple(meetings),
        )

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
