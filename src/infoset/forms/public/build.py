"""The public form of a game, directly from its rules: no node of its tree is built.

Vectorized rules leave blocks of deals (:mod:`infoset.vectorized.explore`).

*Decisions.* Blocks at which a player knows the same but for what is hidden, and has the same menu,
are one decision; the codes of what is hidden that occur in their deals are its information sets.

*Tables.* Where a run ends, its deals say which sets of the players' last decisions meet, with which
probability by chance, and what is then paid: one number for each deal, summed by pairs of sets.
Payoffs are first divided by their common factor: most ends differ only in the stakes, and ends of
the same deals, between sets that are divided alike, with the same numbers but for a factor, have
the same table, which is built once. The blocks of a table are the connected components of the graph
of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset import memory
from infoset.errors import NotApplicable, TooLarge
from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Longs,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
    PublicLeaf,
)
from infoset.forms.public.words import KnownWords
from infoset.linear.graphs import connected_components
from infoset.linear.numbers import EXACT_FLOAT, ROOM
from infoset.rules.moves import CHANCE, LEAF, Menu
from infoset.rules.replay import garbage_collection_paused
from infoset.rules.running import MAX_MOVES, SECONDS_PER_MOVE, UNLIMITED, Limits
from infoset.vectorized import run_vectorized
from infoset.vectorized.evaluation import NodeBlock as Nodes
from infoset.vectorized.explore import VectorizedPlay
from infoset.vectorized.knowledge import Partition, Pattern
from infoset.vectorized.values import Deals, ValueColumn

if TYPE_CHECKING:
    from infoset.rules import Game
    from infoset.rules.estimate import TreeSize


@dataclass(frozen=True)
class PaidDeals:
    """Worlds in which something is paid: a code for each, and what each code is paid."""

    deals: Deals
    codes: Any  # an array over the rows of a field; None if all are paid the same
    histories: Any
    amounts: tuple[int, ...]  # [code]; one alone if all are paid the same


@dataclass(frozen=True, eq=False)
class Layout:
    """The blocks of a table, and where each of its deals stands in them."""

    rows: tuple[Longs, ...]  # [block] sets of player one
    columns: tuple[Longs, ...]  # [block] sets of player two
    begins: Longs  # [block] its first entry, all entries in a row; and their number
    at: Longs  # [deal] its entry


def layout_of(
    axes: Sequence[tuple[Partition, Any] | None],
    deals: Sequence[Deals],
    room: Callable[[int], None],
) -> Layout:
    """Where deals stand in a table whose blocks are the components of the sets that meet in them.

    ``axes`` say by which part of the deals the sets of a player are found, and the number of the
    set for each code; None for a player who has not chosen yet. ``room`` is told how many entries
    there will be.
    """
    rows, columns = (np.concatenate([_sets(axis, one) for one in deals]) for axis in axes)
    count, of_row, of_column = connected(rows, columns)
    row_order, row_start = _grouped(of_row, count)
    column_order, column_start = _grouped(of_column, count)
    high, wide = np.diff(row_start), np.diff(column_start)
    begins = np.concatenate(([0], np.cumsum(high * wide)))
    room(int(begins[-1]))
    # [row] where its first entry stands, and [column] how far from there.
    first = np.zeros(len(of_row), np.int64)
    own = of_row[row_order]
    first[row_order] = begins[own] + (np.arange(len(own)) - row_start[own]) * wide[own]
    along = np.zeros(len(of_column), np.int64)
    along[column_order] = np.arange(len(column_order)) - column_start[of_column[column_order]]
    return Layout(
        tuple(np.split(row_order, row_start[1:-1])),
        tuple(np.split(column_order, column_start[1:-1])),
        begins,
        first[rows] + along[columns],
    )


def _sets(axis: tuple[Partition, Any] | None, deals: Deals) -> Longs:
    """[deal] the number of a player's set."""
    if axis is None:
        return np.zeros(len(deals), np.int64)
    found: Longs = axis[1][axis[0].at(deals)]
    return found


def table_of(layout: Layout, pieces: Sequence[PaidDeals], under: int) -> PayoffTable:
    """The table of some pieces: the probability by chance times the payoff, times ``under``."""
    amounts = [_amounts(piece, under // piece.deals.histories.under) for piece in pieces]
    entries = _summed(layout.at, np.concatenate(amounts), int(layout.begins[-1]))
    pairs = zip(layout.rows, layout.columns, pairwise(layout.begins.tolist()), strict=True)
    return PayoffTable(
        tuple(
            Block(rows, columns, entries[begin:end].reshape(len(rows), len(columns)))
            for rows, columns, (begin, end) in pairs
        )
    )


def with_factor(parts: Sequence[tuple[Nodes, Any]]) -> tuple[list[PaidDeals], Fraction]:
    """The payoffs at some leaves as integers, and the factor that was taken out."""
    paid: list[tuple[Nodes, Any, dict[int, Fraction]]] = []
    for block, what in parts:
        if isinstance(what, ValueColumn):
            codes = what.seen_in(block.deals)
            paid.append((block, what, {code: Fraction(what.table[code][0]) for code in codes}))
        else:
            paid.append((block, None, {0: Fraction(what[0])}))
    every = [one for *_, amounts in paid for one in amounts.values()]
    under = lcm(*(one.denominator for one in every))
    shared = gcd(*(int(one * under) for one in every))
    first = next((one for one in every if one), None)
    if first is None:
        return [], Fraction(0)
    factor = Fraction(shared if first > 0 else -shared, under)
    pieces = []
    for block, what, amounts in paid:
        whole = {code: int(one / factor) for code, one in amounts.items()}
        if len(set(whole.values())) == 1:
            pieces.append(PaidDeals(block.deals, None, None, (next(iter(whole.values())),)))
            continue
        values = tuple(whole.get(code, 0) for code in range(max(whole) + 1))
        pieces.append(PaidDeals(block.deals, what.codes, what.histories, values))
    return pieces, factor


def _amounts(piece: PaidDeals, times: int) -> Any:
    """[deal] the probability by chance times the payoff, in integers."""
    deals = piece.deals
    weight, several = deals.histories.weight, deals.histories.multiplicity
    paid = max(1, *map(abs, piece.amounts))  # where nothing is, the rest of the product must fit
    most = int(weight.max()) * int(several.max()) * times * paid
    if most >= ROOM:
        weight = weight.astype(object)
    amounts = weight[deals.rows] * several[deals.rows] * times
    if piece.codes is None:
        return amounts * piece.amounts[0]
    above = deals.histories.rows_in(piece.histories)
    rows = deals.rows if above is None else above[deals.rows]
    kind = np.int64 if most < ROOM else object
    return amounts * np.array(piece.amounts, kind)[piece.codes[rows]]


def connected(rows: Longs, columns: Longs) -> tuple[int, Longs, Longs]:
    """The components of pairs of rows and columns: how many, of each row, of each column, or -1."""
    least = connected_components(rows, columns, int(rows.max()) + 1)
    met = np.zeros(len(least), bool)
    met[rows] = True
    order = np.unique(least[met])
    of_rows = np.full(len(least), -1, np.int64)
    of_rows[met] = np.searchsorted(order, least[met])
    of_columns = np.full(int(columns.max()) + 1, -1, np.int64)
    of_columns[columns] = of_rows[rows]
    return len(order), of_rows, of_columns


def _grouped(partition: Longs, count: int) -> tuple[Longs, Longs]:
    """The members of each part, one part after the other, and where each begins."""
    members = np.flatnonzero(partition >= 0)
    order = members[np.argsort(partition[members], kind="stable")]
    return order, np.concatenate(([0], np.cumsum(np.bincount(partition[members], minlength=count))))


def _summed(at: Longs, amounts: Any, size: int) -> Any:
    """Amounts added up by where they belong, exactly."""
    if amounts.dtype == object:
        found = np.zeros(size, object)
        np.add.at(found, at, amounts)
        return found
    whole = float(np.abs(amounts).astype(np.float64).sum())
    if whole < EXACT_FLOAT:
        return np.bincount(at, amounts, size).astype(np.int64)
    found = np.zeros(size, np.int64 if whole < ROOM else object)
    np.add.at(found, at, amounts)
    return found


Last = tuple[int, int]  # a decision and an option; (NOT_YET, 0)


@dataclass(eq=False)
class Group:
    """A decision while the form is built."""

    number: int  # among the player's
    pattern: Pattern
    menu: Menu
    met: Any  # [code of the line's part] is there a set?
    after: Last
    first: Nodes  # the first block that has it
    codes: Any = None  # [set] its code
    index: Any = None  # [code] the number of the set
    before_meetings: dict[Last, list[PaidDeals]] = field(default_factory=dict)


class Gathering:
    """All decisions of what was explored, with the sets that are met."""

    def __init__(self, name: str, run: VectorizedPlay) -> None:
        """Go through all blocks."""
        self.groups: tuple[list[Group], list[Group]] = ([], [])
        self._by_line: dict[tuple[Pattern, Menu], Group] = {}
        self._indices: dict[Any, Any] = {}
        self._occurring: dict[tuple[Partition, Deals], Any] = {}
        self._rows: dict[Partition, Any] = {}
        self._states: dict[Any, tuple[Longs, Longs]] = {}
        for block in run.blocks:
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

    def last(self, pattern: Pattern) -> Last:
        """The player's last choice on a line."""
        for one in _up(pattern):
            if one.before is not None and one.last[0] == "took":
                menu, option = one.last[1]
                return (self._by_line[one.before, menu].number, option)
        return (NOT_YET, 0)

    def axis(self, player: int, last: Last) -> tuple[Partition, Any] | None:
        """By what the rows, or the columns, of a table are found; None if there is only one."""
        if last[0] == NOT_YET:
            return None
        group = self.groups[player][last[0]]
        return group.pattern.partition, group.index

    def before(self, player: int, group: Group) -> Longs:
        """[set] the player's set before it."""
        if group.after[0] == NOT_YET:
            return np.zeros(len(group.codes), np.int64)
        earlier = self.groups[player][group.after[0]]
        partition = group.pattern.partition
        rows = self._row_of(partition)[group.codes]
        above = partition.histories.rows_in(earlier.pattern.partition.histories)
        there = rows if above is None else above[rows]
        found: Longs = earlier.index[earlier.pattern.partition.codes[there]]
        return found

    def _take(self, name: str, block: Nodes) -> None:
        pattern = block.patterns[block.kind]
        if any(one.before is None and one.last == "knows" for one in _up(pattern)):
            raise NotApplicable(
                f"{name}: the public form needs perfect recall; this game declares knowing="
            )
        key = (pattern, block.menu)
        group = self._by_line.get(key)
        if group is None:
            own = self.groups[block.kind]
            met = np.zeros(len(pattern.partition), bool)
            group = Group(len(own), pattern, block.menu, met, self.last(pattern), block)
            own.append(group)
            self._by_line[key] = group
        group.met[self._codes(pattern.partition, block.deals)] = True
        piece = PaidDeals(block.deals, None, None, (1,))
        other = self.last(block.patterns[1 - block.kind])
        group.before_meetings.setdefault(other, []).append(piece)

    def _codes(self, partition: Partition, deals: Deals) -> Any:
        """The codes that occur in some deals; many decisions ask for the same."""
        key = (partition, deals)
        if key not in self._occurring:
            there = np.zeros(len(partition), bool)
            there[partition.at(deals)] = True
            self._occurring[key] = np.flatnonzero(there)
        return self._occurring[key]

    def _row_of(self, partition: Partition) -> Any:
        """[code] a row of its field that has it."""
        if partition not in self._rows:
            first = np.zeros(len(partition) + 1, np.int64)
            first[partition.codes] = np.arange(
                len(partition.codes)
            )  # what has no code, -1, goes to the end
            self._rows[partition] = first[:-1]
        return self._rows[partition]

    def _numbered(self, player: int, group: Group) -> tuple[Any, Any]:
        """[set] its code, and [code] its set; the same arrays for decisions divided alike.

        Sets that may meet the same sets of the other player stand side by side: those are the
        entries of a table that are needed together.
        """
        key = (group.pattern.partition, group.met.tobytes())
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
        parts = tuple(pattern.partition for pattern in block.patterns)
        key = (*parts, block.deals)
        if key not in self._states:
            one, two = (partition.at(block.deals).astype(np.int64) for partition in parts)
            self._states[key] = connected(one, two)[1:]
        return self._states[key]


def _up(pattern: Pattern) -> Iterator[Pattern]:
    """A line and those that it goes on from, the last ones first."""
    one: Pattern | None = pattern
    while one is not None:
        yield one
        one = one.before


def public_form(
    game: Game,
    *,
    fold: bool = True,
    merge: bool = False,
    max_moves: int = MAX_MOVES,
    seconds_per_move: float = SECONDS_PER_MOVE,
    progress: Callable[[int], None] | None = None,
    expect: Callable[[TreeSize], None] | None = None,
) -> PublicForm:
    """The public form of a game of two whose rules are run for all deals at once.

    Parameters
    ----------
    game
        Of two players, with ``@game(vectorized=True)``.
    fold
        Identify suits that the deck says are alike wherever no player can distinguish them. If not,
        the form has all information sets of the game.
    merge
        Identify information sets that are strategically identical
        (:mod:`infoset.forms.public.merge`).
    max_moves, seconds_per_move
        Limits on one play, and on the time between two moves of the rules.
    progress
        Called with the number of nodes so far.
    expect
        Called with an estimate of the tree's size, if the form takes longer to build.

    Returns
    -------
    PublicForm
        With exact payoffs.

    Raises
    ------
    TooLarge
        If memory does not suffice; where random probes show that, at once
        (:mod:`infoset.vectorized.estimate`).
    NotApplicable
        If the game is not of this kind.
    RulesError
        If the rules fail, or look at a card.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> public_form(kuhn(ranks=13))
    <Public form of kuhn(ranks=13): 1,405 nodes, 52 information sets, 3 tables>
    """
    _check(game)
    limits = Limits(UNLIMITED, max_moves, seconds_per_move, progress, expect)
    with garbage_collection_paused():
        form = _Building(repr(game), run_vectorized(game, limits, fold=fold)).form()
    form = replace(form, game=game)
    if not merge:
        return form
    from infoset.forms.public.merge import merged

    return merged(form)


def _check(game: Game) -> None:
    if not game.vectorized:
        raise NotApplicable(
            f"{game!r}: the public form is built from vectorized rules; declare them with"
            " @game(vectorized=True), or solve the tree"
        )
    if len(game.players) != 2 or len(game.seats.agents) != 2:
        count = len(game.players)
        who = f"{count} players" if count != 2 else "teams"
        raise NotApplicable(
            f"{game!r}: the public form is for two players, and this game has {who}; solve its"
            " tree: cfr+ and external-sampling take any number"
        )


class _Building:
    """The state of a form that is being built."""

    def __init__(self, name: str, run: VectorizedPlay) -> None:
        self.name = name
        self.run = run
        self.gathered = Gathering(name, run)
        self.tables: list[PayoffTable] = []
        self.known: dict[Any, int] = {}  # tables by what they are made of
        self.layout: tuple[Any, Layout | None] = (None, None)  # the last one, and what it is of

    def form(self) -> PublicForm:
        """All of it."""
        run = self.run
        leaves, total = self._ends()
        decisions = tuple(
            tuple(self._decision(player, group) for group in own)
            for player, own in enumerate(self.gathered.groups)
        )
        return PublicForm(
            name=self.name,
            players=(run.players[0], run.players[1]),
            decisions=(decisions[0], decisions[1]),
            tables=tuple(self.tables),
            leaves=leaves,
            total=total,
            counts=self._counts((decisions[0], decisions[1])),
            folded="" if run.symmetry is None else str(run.symmetry),
            deck=None if run.symmetry is None else run.symmetry.deck,
        )

    # ------------------------------------------------------------------ what is paid

    def _ends(self) -> tuple[tuple[PublicLeaf, ...], Fraction]:
        pieces: dict[tuple[Last, Last], list[tuple[Nodes, Any]]] = {}
        totals: set[Fraction] = set()
        for block in self.run.blocks:
            if block.kind != LEAF:
                continue
            paid = block.what
            every = [paid]
            if isinstance(paid, ValueColumn):
                every = [paid.table[code] for code in paid.seen_in(block.deals)]
            totals |= {Fraction(one) + Fraction(two) for one, two in every}
            last = (self.gathered.last(block.patterns[0]), self.gathered.last(block.patterns[1]))
            pieces.setdefault(last, []).append((block, paid))
        if len(totals) > 1:
            low, high = min(totals), max(totals)
            raise NotApplicable(
                f"{self.name}: the public form is for two-player constant-sum games; here"
                f" both together get {low} or {high}; solve its tree"
            )
        leaves = []
        for last, parts in pieces.items():
            made, factor = with_factor(parts)
            if factor:
                number, under = self._table(last, made)
                leaves.append(PublicLeaf(last, number, factor / under))
        return tuple(leaves), totals.pop()

    def _table(self, last: tuple[Last, Last], pieces: Sequence[PaidDeals]) -> tuple[int, int]:
        """The number of a table, made if it is new, and what its entries are to be divided by."""
        axes = tuple(self.gathered.axis(player, last[player]) for player in (0, 1))
        where = (
            *(index if index is None else (id(index[0]), id(index[1])) for index in axes),
            *(id(one.deals) for one in pieces),
        )
        key = (where, *((id(one.codes), one.amounts) for one in pieces))
        under = lcm(*(piece.deals.histories.under for piece in pieces))
        if key not in self.known:
            of, layout = self.layout
            if layout is None or of != where:  # one at a time: they are as large as the deals
                deals = [piece.deals for piece in pieces]
                layout = layout_of(axes, deals, self._check_room)
                self.layout = (where, layout)
            self.known[key] = len(self.tables)
            self.tables.append(table_of(layout, pieces, under))
        return self.known[key], under

    def _check_room(self, entries: int) -> None:
        """Refuse tables that do not fit into memory, before they are built."""
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
        codes, partition = group.codes, group.pattern.partition
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
            stands_for=self._multiplicity(partition, codes),
            words=KnownWords(group.pattern, codes),
            meetings=tuple(meetings),
        )

    def _multiplicity(self, partition: Partition, codes: Longs) -> Longs:
        symmetry = self.run.symmetry
        if symmetry is None or not partition.facts:
            return np.ones(len(codes), np.int64)
        views = np.array(partition.views, np.int32)[codes]
        return symmetry.classes(list(views.T), partition.facts)[1]

    def _counts(self, decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]) -> PublicCounts:
        nodes = dict.fromkeys((LEAF, CHANCE, 0, 1), 0)
        for block in self.run.blocks:
            nodes[block.kind] += block.deals.multiplicity
        sets = [sum(int(one.stands_for.sum()) for one in own) for own in decisions]
        sequences = [
            1 + sum(len(one.menu) * int(one.stands_for.sum()) for one in own) for own in decisions
        ]
        return PublicCounts(
            nodes=sum(nodes.values()),
            chance=nodes[CHANCE],
            leaves=nodes[LEAF],
            decisions=(nodes[0], nodes[1]),
            infosets=(sets[0], sets[1]),
            sequences=(sequences[0], sequences[1]),
        )
