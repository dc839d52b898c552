"""A public form laid out for the kernels of regret minimization: flat arrays of floats.

**Sequences** stand as the form numbers them, player one's first. A decision is a *run*: its
information sets side by side, action by action.

**Payoffs** are not in sparse rows, as those of a tree, but in the matrices of the form's tables
(:mod:`infoset.kernels.public`). For either player a matrix has the player's own sets as rows, so
that a panel of rows is contiguous in memory, and the player's payoffs as entries: player two's are
player one's, negated. Entries of a table are integers without a common divisor, and so are the
factors of all ends; floats hold them exactly unless they are huge. A *unit* turns products of both
into payoffs again.

**Work** is divided among workers in the same pieces for any number of them. A decision *continues*
the one before it if it has the same sets, each after itself: nothing private was learnt in between.
Decisions that continue each other are a *group*; inside it sets do not depend on each other, and a
*panel*, some neighbouring sets of all decisions of the group, is done by one worker at a time.
Groups are on the *level* below the one at which they begin.

**Memory** that a run needs is computed before anything is laid out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset import memory
from infoset.errors import NotApplicable, TooLarge
from infoset.forms.public.plans import work
from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
    PublicLeaf,
)
from infoset.linear.numbers import Array, as_floats, as_unit, integer_sum, nearest_float
from infoset.solvers.cfr.layout import MOST_SEQUENCES

if TYPE_CHECKING:
    from infoset.kernels.public import PanelArrays, Tables
    from infoset.kernels.regret import Form

Longs = npt.NDArray[np.int64]

WIDEST, NARROWEST = 256, 32  # sets of a panel
PANELS = 8  # of a group with sets enough


def continues(form: PublicForm, player: int, number: int) -> bool:
    """Has a decision the same sets as the player's decision before it, each after itself?"""
    one = form.decisions[player][number]
    if one.after == NOT_YET or len(one) != len(form.decisions[player][one.after]):
        return False
    return bool((one.before == np.arange(len(one))).all())


def dealt(weights: npt.ArrayLike, workers: int) -> Longs:
    """[worker] first, one past the last of some pieces of work: neighbours, in parts of equal size.

    >>> dealt([1, 1, 1, 1, 4], 2).tolist()
    [[0, 4], [4, 5]]
    """
    sizes = np.asarray(weights, np.float64)
    middle = np.cumsum(sizes) - sizes / 2
    whole = sizes.sum() or 1.0
    cuts = np.searchsorted(middle, np.arange(1, workers) * whole / workers)
    borders = np.concatenate(([0], cuts, [len(sizes)])).astype(np.int64)
    return np.stack((borders[:-1], borders[1:]), axis=1)


def panels_of(form: PublicForm, workers: int) -> PanelArrays:
    """All groups of both players, cut into panels, level by level."""
    from infoset.kernels.public import PanelArrays

    made = _MadePanels([], [], [], [], [], [])
    levels = []
    for player, own in enumerate(form.decisions):
        first = len(made.worker_ranges)
        for groups in _levels(form, player):
            made.add(own, groups, player * len(form.decisions[0]), workers)
        levels.append((first, len(made.worker_ranges)))
    return PanelArrays(
        members=np.array(made.members, np.int64),
        panels=np.array(made.panels, np.int64).reshape(-1, 4),
        levels=np.array(levels, np.int64),
        worker_ranges=np.array(made.worker_ranges, np.int64).reshape(-1, workers, 2),
        deferred_runs=np.array(made.deferred_runs, np.int64),
        deferred=np.array(made.deferred, np.int64).reshape(-1, 2),
        deferred_work=np.array(made.deferred_work, np.int64).reshape(-1, workers, 2),
    )


@dataclass
class _MadePanels:
    """The lists, as :class:`infoset.kernels.public.PanelArrays` explains them, while they are
    made.
    """

    members: list[int]
    panels: list[tuple[int, int, int, int]]
    worker_ranges: list[Longs]
    deferred_runs: list[int]
    deferred: list[tuple[int, int]]
    deferred_work: list[Longs]

    def add(
        self, own: Sequence[Decision], groups: list[list[int]], first_run: int, workers: int
    ) -> None:
        """Take in the groups of one level."""
        first_panel, first_deferred = len(self.panels), len(self.deferred)
        work, hanging = [], defaultdict(list)
        for group in groups:
            begin = len(self.members)
            self.members += [first_run + number for number in group]
            top, options = own[group[0]], sum(len(own[number].menu) for number in group)
            for low, high in _cuts(len(top)):
                self.panels.append((begin, len(self.members), low, high))
                work.append(options * (high - low))
            hanging[top.after, top.option].append(group[0])
        for tops in hanging.values():
            self.deferred.append((len(self.deferred_runs), len(self.deferred_runs) + len(tops)))
            self.deferred_runs += [first_run + number for number in tops]
        sizes = [sum(len(own[number]) for number in tops) for tops in hanging.values()]
        self.worker_ranges.append(first_panel + dealt(work, workers))
        self.deferred_work.append(first_deferred + dealt(sizes, workers))


def _levels(form: PublicForm, player: int) -> list[list[list[int]]]:
    """[level][group] its decisions, earlier ones first."""
    group_of: list[list[int]] = []
    level_of: list[int] = []
    levels: list[list[list[int]]] = []
    for number, one in enumerate(form.decisions[player]):
        if continues(form, player, number):
            group, level = group_of[one.after], level_of[one.after]
        else:
            group, level = [], 0 if one.after == NOT_YET else level_of[one.after] + 1
            if level == len(levels):
                levels.append([])
            levels[level].append(group)
        group.append(number)
        group_of.append(group)
        level_of.append(level)
    return levels


def _cuts(sets: int) -> list[tuple[int, int]]:
    """The panels of so many sets, about equally large."""
    size = min(max(-(-sets // PANELS), NARROWEST), WIDEST)
    cuts = np.linspace(0, sets, -(-sets // size) + 1).astype(np.int64).tolist()
    return list(pairwise(cuts))


Floats = npt.NDArray[np.float64]

TALLEST = 320  # rows of a matrix in one item
GATHERED = 1 << 16  # weights at a time: they stay in the cache
MOVED = 16  # what it takes to gather and scatter a number, in products


def first_sequence(form: PublicForm, player: int, last: tuple[int, int]) -> int:
    """Where the sequence of the first set stands, of an option at a decision of a player."""
    return (form.sequences[0] if player else 0) + form.first(player, last)


def tables_of(form: PublicForm, precision: np.dtype[Any], workers: int) -> tuple[Tables, float]:
    """What is paid, for so many workers; and in which unit."""
    from infoset.kernels.public import ITEM, Tables

    matrices, factors, unit = _as_matrices(form)
    made = _MadeTables(form, precision, workers)
    for player in range(2):
        made.add(player, matrices, factors)
    none = np.zeros(0, precision)
    tables = Tables(
        entries=np.concatenate([none, *made.entries]),
        items=np.array(made.items, np.int64).reshape(-1, ITEM),
        leaves=np.array(made.leaves, np.int64).reshape(-1, 2),
        factors=np.array(made.factors, precision),
        sets=np.concatenate([np.zeros(0, np.int64), *made.sets]),
        waves=np.array(made.waves, np.int64),
        worker_ranges=np.array(made.worker_ranges, np.int64).reshape(-1, workers, 2),
        room=made.room,
    )
    return tables, unit


def _as_matrices(form: PublicForm) -> tuple[list[list[Floats]], Floats, float]:
    """[table][block] matrices, [end] factors, and what a product of both is in payoffs."""
    matrices, shared = [], []
    for table in form.tables:
        flat = [block.entries.reshape(-1) for block in table.blocks]
        values, divisor = as_floats(np.concatenate([np.zeros(0, np.int64), *flat]))
        cuts = np.cumsum([len(one) for one in flat])[:-1]
        parts = np.split(values, cuts) if flat else []
        matrices.append(
            [part.reshape(b.entries.shape) for part, b in zip(parts, table.blocks, strict=True)]
        )
        shared.append(divisor)
    exact = [end.factor * shared[end.table] for end in form.leaves]
    common = lcm(*(factor.denominator for factor in exact))
    factors, divisor = as_floats(np.array([int(one * common) for one in exact], object))
    largest = [max((float(np.abs(m).max(initial=0)) for m in own), default=0.0) for own in matrices]
    most = max(
        (abs(f) * largest[end.table] for f, end in zip(factors, form.leaves, strict=True)),
        default=0.0,
    )
    unit = as_unit(Fraction(divisor, common), float(most))
    if unit is None:
        raise NotApplicable(f"{form.name}: payoffs are beyond floats; exact methods take them")
    return matrices, factors, unit


class _MadeTables:
    """The lists, as :class:`infoset.kernels.public.Tables` explains them, while they are made."""

    def __init__(self, form: PublicForm, precision: np.dtype[Any], workers: int) -> None:
        self.form, self.precision, self.workers = form, precision, workers
        self.entries: list[npt.NDArray[Any]] = []
        self.items: list[tuple[int, ...]] = []
        self.leaves: list[tuple[int, int]] = []
        self.factors: list[float] = []
        self.sets: list[Longs] = []
        self.waves: list[tuple[int, int]] = []
        self.worker_ranges: list[Longs] = []
        self.room = 1
        self._entries = self._sets = 0  # how many there are so far

    def add(self, player: int, matrices: list[list[Floats]], factors: Floats) -> None:
        """Take in what a player is paid."""
        first = len(self.worker_ranges)
        for wave in _waves(self.form, player):
            begin, work = len(self.items), []
            for piece in wave:
                leaves = len(self.leaves), len(self.leaves) + len(piece.leaves)
                for number in piece.leaves:
                    last = self.form.leaves[number].last
                    own, other = (first_sequence(self.form, p, last[p]) for p in range(2))
                    self.leaves.append((other, own) if player else (own, other))
                    self.factors.append(float(factors[number]))
                for number in piece.blocks:
                    block = self.form.tables[piece.table].blocks[number]
                    matrix = matrices[piece.table][number]
                    work += self._add_block(player, block, matrix, leaves)
            self.worker_ranges.append(begin + dealt(work, self.workers))
        self.waves.append((first, len(self.worker_ranges)))

    def _add_block(
        self, player: int, block: Block, matrix: Floats, leaves: tuple[int, int]
    ) -> list[int]:
        """Cut a block into items; how much work each is."""
        own = -matrix.T if player else matrix
        rows, columns = (block.columns, block.rows) if player else (block.rows, block.columns)
        height, width = own.shape
        if not own.size or leaves[0] == leaves[1]:
            return []
        listed, start = self._list(columns)
        at_once = max(GATHERED // max(width, TALLEST), 1)
        count = min(at_once, leaves[1] - leaves[0])
        panels = -(-height // TALLEST)
        cuts = [height * k // panels for k in range(panels + 1)]
        work = []
        for low, high in pairwise(cuts):
            tall = high - low
            at, first = self._list(rows[low:high])
            shape = (self._entries + low * width, tall, width)
            self.items.append((*leaves, at_once, *shape, at, listed, first, start))
            self.room = max(self.room, count * max(width, tall))
            work.append((leaves[1] - leaves[0]) * (tall * width + MOVED * (tall + width)))
        self.entries.append(np.ascontiguousarray(own, self.precision).reshape(-1))
        self._entries += own.size
        return work

    def _list(self, sets: Longs) -> tuple[int, int]:
        """Where some sets are listed; and the first of them if they are neighbours, else -1."""
        at = self._sets
        self.sets.append(sets)
        self._sets += len(sets)
        return at, int(sets[0]) if (np.diff(sets) == 1).all() else -1


@dataclass(frozen=True)
class _Piece:
    """Blocks of a table that pay different sets, and the ends at which they are paid."""

    table: int
    blocks: range
    leaves: list[int]


def _waves(form: PublicForm, player: int) -> list[list[_Piece]]:
    """Pieces of tables, those together that pay a player for different choices."""
    leaves: list[list[int]] = [[] for _ in form.tables]
    for number, end in enumerate(form.leaves):
        leaves[end.table].append(number)
    waves: list[list[_Piece]] = []
    paid: dict[tuple[int, int], int] = {}  # [last choice] the next wave that may pay for it
    for number, own in enumerate(leaves):
        for blocks in _apart(form, number, player):
            keys = {form.leaves[end].last[player] for end in own}
            wave = max((paid.get(key, 0) for key in keys), default=0)
            if wave == len(waves):
                waves.append([])
            waves[wave].append(_Piece(number, blocks, own))
            paid |= dict.fromkeys(keys, wave + 1)
    return waves


def _apart(form: PublicForm, table: int, player: int) -> list[range]:
    """The blocks of a table, all at once unless they share sets of the player."""
    blocks = form.tables[table].blocks
    sets = [block.columns if player else block.rows for block in blocks]
    every = np.concatenate([np.zeros(0, np.int64), *sets])
    if len(np.unique(every)) == len(every):
        return [range(len(blocks))]
    return [range(number, number + 1) for number in range(len(blocks))]


@dataclass(frozen=True, eq=False)
class PublicLayout:
    """The arrays, and how they belong to the public form."""

    game: PublicForm
    form: Form
    panels: PanelArrays
    tables: Tables
    units: tuple[float, float]  # [player] what an entry of 1 is in payoffs
    workers: int

    @property
    def sequences(self) -> int:
        """How many there are, of both players."""
        return sum(self.game.sequences)

    @property
    def entries(self) -> int:
        """Entries of the payoffs at all ends."""
        return work(self.game)

    @property
    def run_order(self) -> Longs:
        """All runs, what is before a set before it."""
        return np.arange(len(self.form.runs))

    @cached_property
    def places(self) -> tuple[Longs, Longs]:
        """[player][sequence] where it stands."""
        one, two = self.game.sequences
        return np.arange(one), np.arange(one, one + two)

    @cached_property
    def exact_tables(self) -> Tables:
        """The tables in float64, to measure with."""
        if self.form.value.dtype == np.float64:
            return self.tables
        return tables_of(self.game, np.dtype(np.float64), self.workers)[0]


def lay_out_public(form: PublicForm, precision: Any = np.float64, workers: int = 1) -> PublicLayout:
    """Lay out a public form for so many workers.

    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> layout = lay_out_public(pennies())
    >>> layout.sequences, layout.form.runs.tolist()
    (6, [[0, 1, 1, 2, 1], [1, 2, 4, 2, 1]])
    """
    if sum(form.sequences) > MOST_SEQUENCES:
        raise NotApplicable(f"{form.name}: {sum(form.sequences):,} sequences; 2^32 are the most")
    tables, unit = tables_of(form, np.dtype(precision), workers)
    made = _runs(form, np.dtype(precision))
    return PublicLayout(form, made, panels_of(form, workers), tables, (unit, unit), workers)


def _runs(form: PublicForm, precision: np.dtype[Any]) -> Form:
    """Decisions as runs; no payoffs."""
    from infoset.kernels.regret import Form

    runs, before, sets = [], [], 0
    roots = np.array([0, form.sequences[0]])
    for player, own in enumerate(form.decisions):
        for number, one in enumerate(own):
            sequence = int(roots[player] + form.begins[player][number])
            # The value of the first decision of a group is not passed on: see panels_of.
            leave = int(not continues(form, player, number))
            runs.append((sets, sets + len(one), sequence, len(one.menu), leave))
            before.append(roots[player] + form.leading_to(one))
            sets += len(one)
    none = np.zeros(0, np.int64)
    return Form(
        runs=np.array(runs, np.int64).reshape(-1, 5),
        crown=np.zeros((2, 2), np.int64),
        parts=np.zeros((2, 1, 2), np.int64),
        worker_ranges=np.zeros((2, 1, 2), np.int64),
        deferred_ranges=np.zeros((2, 2), np.int64),
        deferred_sets=none,
        before=np.concatenate([none, *before]).astype(np.uint32),
        roots=roots,
        slices=np.zeros(1, np.int64),
        rows=none.astype(np.uint32),
        partner=np.zeros((0, 1), np.uint32),
        value=np.zeros(0, precision),
    )


VECTORS = 6  # weights, pending, regrets, strategy, sums, the best: a number for each sequence
MEASURING = 3  # and these in float64 while regret is measured, or the answer is verified
SETS = 3  # numbers of 8 bytes for each set


def public_bytes_needed(form: PublicForm, precision: str) -> int:
    """The most bytes that laying out a public form and running on it takes, beside the form.

    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> public_bytes_needed(pennies(), "float64"), public_bytes_needed(pennies(), "float32")
    (512, 376)
    """
    number = np.dtype(precision).itemsize
    entries = sum(block.entries.size for table in form.tables for block in table.blocks)
    matrices = entries * 2 * (number + (8 if number < 8 else 0)) + entries * 16
    vectors = sum(form.sequences) * (VECTORS * number + MEASURING * 8)
    return matrices + vectors + sum(form.infosets) * SETS * 8


def check_public_memory(form: PublicForm, precision: str) -> int:
    """Refuse a form that does not fit, saying how much it takes; else how much that is."""
    needed, free = public_bytes_needed(form, precision), memory.available()
    if free is not None and needed > free - memory.KEEP_FREE:
        fits = public_bytes_needed(form, "float32") <= free - memory.KEEP_FREE
        shorter = "; with precision='float32' it would fit" if fits else ""
        mine, yours = (max(size, 0) / 2**30 for size in (needed, free - memory.KEEP_FREE))
        raise TooLarge(
            f"{form.name}: regret minimization takes {mine:,.1f} GiB here, and {yours:,.1f} GiB are"
            f" free{shorter}"
        )
    return needed


# ---------------------------------------------------------------------- scale


def payoff_range(form: PublicForm) -> float:
    """How far apart the highest and the lowest payoff of player one are, and 0.

    It is the scale against which a regret is small or large. An entry of a table is a probability
    times a payoff, summed over plays; chance's part of it is an entry of the meeting at the last
    decision before the end. Where both tables have the same blocks, the quotient is the payoff.
    Where they have not (sets that are paid nothing may be left out of a table), the mean amount
    that the end pays stands for it. Ends that pay nothing are left out of a form, so 0 always
    counts as paid somewhere.

    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> payoff_range(pennies())
    2.0
    """
    known: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    low = high = Fraction(0)
    for end in form.leaves:
        meeting = _last_meeting(form, end)
        if meeting is None:
            amount = abs(end.factor) * _amount(form.tables[end.table])
            paid = [-amount, amount]
        else:
            pair = end.table, meeting.table
            if pair not in known:
                known[pair] = _paid(form.tables[pair[0]], form.tables[pair[1]])
            paid = [one * (end.factor / meeting.factor) for one in known[pair]]
        low, high = min(low, *paid), max(high, *paid)
    return nearest_float(high - low)


def _last_meeting(form: PublicForm, end: PublicLeaf) -> Meeting | None:
    """The meeting at the decision that was last before an end."""
    for player in range(2):
        number, _ = end.last[player]
        if number == NOT_YET:
            continue
        for meeting in form.decisions[player][number].meetings:
            if meeting.last == end.last[1 - player]:
                return meeting
    return None


def _paid(table: PayoffTable, likely: PayoffTable) -> tuple[Fraction, Fraction]:
    """The least and the most of a table's entries, each over its probability by chance."""
    if not _alike(table, likely):
        whole = sum(integer_sum(block.entries) for block in likely.blocks)
        mean = Fraction(_amount(table), whole)
        return -mean, mean
    found: list[Fraction] = []
    for block, chance in zip(table.blocks, likely.blocks, strict=True):
        there = chance.entries > 0
        if there.any():
            found += _extremes(block.entries[there], chance.entries[there])
    return min(found), max(found)


def _extremes(over: Array, under: Array) -> tuple[Fraction, Fraction]:
    """The least and the greatest of some quotients, or one as near to it as floats can tell."""
    if over.dtype == object or under.dtype == object:
        every = [Fraction(int(one), int(two)) for one, two in zip(over, under, strict=True)]
        return min(every), max(every)
    near = over / under
    low, high = (Fraction(int(over[at]), int(under[at])) for at in (near.argmin(), near.argmax()))
    return low, high


def _alike(one: PayoffTable, two: PayoffTable) -> bool:
    """Have two tables the same blocks, but for their entries?"""
    return len(one.blocks) == len(two.blocks) and all(
        np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)
        for a, b in zip(one.blocks, two.blocks, strict=True)
    )


def _amount(table: PayoffTable) -> int:
    """All entries of a table, without their signs."""
    return sum(integer_sum(np.abs(block.entries)) for block in table.blocks)


def pennies() -> PublicForm:
    """Matching pennies as a public form: the smallest game, on which kernels are compiled."""
    one, two = (
        Decision(player, ("heads", "tails"), NOT_YET, 0, _ONE, _ONE + 1, [()], ())
        for player in range(2)
    )
    table = PayoffTable((Block(_ONE, _ONE, np.ones((1, 1), np.int64)),))
    leaves = tuple(
        PublicLeaf(((0, i), (0, j)), 0, Fraction(1 if i == j else -1))
        for i in (0, 1)
        for j in (0, 1)
    )
    counts = PublicCounts(7, 0, 4, (1, 2), (1, 1), (3, 3))
    players = ("even", "odd")
    return PublicForm("pennies", players, ((one,), (two,)), (table,), leaves, Fraction(0), counts)


_ONE = np.zeros(1, np.int64)
