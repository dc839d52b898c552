"""A tree laid out for the kernels of regret minimization: flat arrays of floats.

**Sequences.** All players' sequences are in one vector, players in their order, each with the empty
sequence first. A player's information sets of the same stage (as many own choices before them) with
equally many actions form a *run*: the first action of every set, then the second of every set, and
so on. Inside a run sets are ordered by the sequence before them, so that the children of a sequence
are neighbours.

**Workers.** The sets of one stage are divided among workers, each with everything below it, and
every part is arranged by itself. What is above that stage, the *crown*, is done by one worker. The
sets of the stage itself leave their values to that worker, who adds them up in an order that is the
same for any number of workers: so are all sums, to the last bit.

**Payoffs.** A play is one entry in a sparse row for each player: in the row of the player's own
last sequence, with the last sequences of all others as partners, its value is chance's probability
times the payoff, summed over plays with the same sequences. The most frequent payoff is subtracted
first, which changes no regret (:func:`infoset.forms.sequence.lighter_payoffs`) and often leaves few
entries. Entries are integers without a common divisor: a player's *unit* turns them into payoffs
again. For two players these rows are the matrices A and B of the sequence form; for more they are
its tensor. Four rows at a time make a *slice*, as long as its longest row. Among some thousand
neighbours rows of equal length are brought together, so that little padding is needed.

**Memory** that a run needs is computed before anything is laid out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset import memory
from infoset.clock import look
from infoset.errors import NotApplicable, TooLarge
from infoset.forms.sequence import usual_payoff
from infoset.linear.numbers import (
    ROOM,
    Numbers,
    as_floats,
    as_unit,
    bound,
    fitted,
)
from infoset.tree import Tree
from infoset.tree.choices import Choices

if TYPE_CHECKING:
    from infoset.kernels.regret import Form

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Arranged:
    """One player's information sets in the order of the layout."""

    place: Longs  # [choice] where its sequence stands
    before: Longs  # [set, in the new order] the choice before it
    runs: Longs  # [run] first set, one past its last, first sequence, actions, leave values behind?
    crown: Longs  # first run, one past the last
    parts: Longs  # [worker] first run, one past the last
    deferred: Longs  # sets that leave their values behind, in the order in which they are added
    order: Longs  # all runs; backwards, sums are those of one worker alone


def arrange(choices: Choices, workers: int) -> Arranged:
    """Order a player's information sets for a number of workers.

    >>> from infoset.games import kuhn
    >>> arranged = arrange(kuhn().tree().choices[0], 1)
    >>> arranged.runs.tolist()  # two runs of three sets with two actions
    [[0, 3, 1, 2, 0], [3, 6, 7, 2, 0]]
    >>> arranged.place.tolist()  # all that pass with a card, then all that bet, ...
    [0, 1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12]
    """
    count = len(choices.infosets)
    stage = np.zeros(count, np.int64)
    for depth, sets in enumerate(choices.stages):
        stage[sets] = depth
    cut, part = _divided(choices, stage, workers)
    order = np.lexsort((np.arange(count), choices.before, choices.sizes, stage, part))
    keys = np.stack((part, stage, choices.sizes))[:, order]
    new = np.ones(count, bool)
    new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    begin = np.flatnonzero(new)
    length = np.diff(np.append(begin, count))
    sizes = keys[2, begin]
    sequence = 1 + np.cumsum(length * sizes) - length * sizes
    leave = ((keys[1, begin] == cut) & (workers > 1)).astype(np.int64)

    stands = np.empty(count, np.int64)
    stands[order] = np.arange(count)
    owner = choices.owner[1:]
    run = (np.cumsum(new) - 1)[stands[owner]]
    action = np.arange(len(owner)) - (choices.first[owner] - 1)
    place = np.zeros(len(choices), np.int64)
    place[1:] = sequence[run] + action * length[run] + stands[owner] - begin[run]

    borders = np.searchsorted(keys[0, begin], np.arange(-1, workers + 1))
    deferred = np.flatnonzero(stage == cut) if workers > 1 else np.zeros(0, np.int64)
    # As one worker alone would: longer runs later, so they come first on the way back.
    deferred = deferred[np.lexsort((deferred, choices.before[deferred], -choices.sizes[deferred]))]
    return Arranged(
        place=place,
        before=choices.before[order],
        runs=np.stack((begin, begin + length, sequence, sizes, leave), axis=1),
        crown=borders[:2],
        parts=np.stack((borders[1:-1], borders[2:]), axis=1),
        deferred=stands[deferred],
        order=np.lexsort((-keys[0, begin], sizes, keys[1, begin])),
    )


def _divided(choices: Choices, stage: Longs, workers: int) -> tuple[int, Longs]:
    """The stage from which sets are divided, and [set] the worker; what is above has -1.

    It is the stage with which the busiest worker has least to do.
    """
    part = np.zeros(len(stage), np.int64)
    if workers == 1 or not len(stage):
        return 0, part
    weight = choices.sizes.copy()  # of a set with everything below it
    parent = choices.owner[choices.before]
    for sets in reversed(choices.stages[1:]):
        np.add.at(weight, parent[sets], weight[sets])
    whole, found = int(choices.sizes.sum()), (-1, 0, part)
    for cut, sets in enumerate(choices.stages):
        crown = int(choices.sizes[stage < cut].sum())
        if found[0] >= 0 and crown >= found[0]:
            break
        sets = sets[np.lexsort((sets, choices.before[sets]))]
        own = weight[sets]
        middle = np.cumsum(own) - own / 2  # equal parts of the weight, neighbours together
        to = np.minimum(middle * workers / own.sum(), workers - 1).astype(np.int64)
        busiest = crown + int(np.bincount(to, own, minlength=workers).max())
        if found[0] < 0 or busiest < found[0] - whole // 50:  # no deeper than is worth it
            dealt = np.full(len(stage), -1, np.int64)
            dealt[sets] = to
            found = (busiest, cut, dealt)
    _, cut, part = found
    for sets in choices.stages[cut + 1 :]:
        part[sets] = part[parent[sets]]
    return cut, part


TOGETHER = 4096  # rows among which equal lengths are brought together
MOST_SEQUENCES = 2**32 - 2
FAR = 16  # times as large entries may become for fewer of them


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """The arrays, and how they correspond to the tree."""

    tree: Tree
    form: Form
    run_order: Longs  # all runs, parents first, as one worker alone would take them
    places: tuple[Longs, ...]  # [player][choice] where its sequence stands
    units: tuple[float, ...]  # [player] the payoff that an entry of 1 stands for
    entries: int
    workers: int

    @property
    def game(self) -> Tree:
        """What was laid out."""
        return self.tree

    @property
    def sequences(self) -> int:
        """How many there are, of all players."""
        return sum(len(place) for place in self.places)


def lay_out(tree: Tree, precision: Any = np.float64, workers: int = 1) -> TreeLayout:
    """Lay out a game with perfect recall.

    >>> from infoset.games import kuhn
    >>> layout = lay_out(kuhn().tree())
    >>> layout.sequences, layout.entries, layout.units
    (26, 42, (0.16666666666666666, 0.16666666666666666))
    """
    from infoset.kernels.regret import Form

    arranged = [arrange(choices, workers) for choices in tree.choices]
    sizes = np.array([len(own.place) for own in arranged])
    if sizes.sum() > MOST_SEQUENCES:
        raise NotApplicable(f"{tree.name}: {sizes.sum():,} sequences; 2^32 are the most")
    sequence = np.cumsum(sizes) - sizes  # [player] where its part of each vector begins
    sets, runs, deferred = (
        np.cumsum(counts) - counts
        for counts in (
            np.array([len(own.before) for own in arranged]),
            np.array([len(own.runs) for own in arranged]),
            np.array([len(own.deferred) for own in arranged]),
        )
    )
    places = tuple(begin + own.place for begin, own in zip(sequence, arranged, strict=True))
    rows = []
    for player in range(len(arranged)):
        look()
        rows.append(_rows_of(tree, player, places, workers))
    slices = np.cumsum([len(own.lengths) for own in rows]) - [len(own.lengths) for own in rows]
    every = zip(sequence, sets, arranged, strict=True)
    form = Form(
        runs=np.concatenate([own.runs + np.array((at, at, seq, 0, 0)) for seq, at, own in every]),
        crown=np.array([run + own.crown for run, own in zip(runs, arranged, strict=True)]),
        parts=np.array([run + own.parts for run, own in zip(runs, arranged, strict=True)]),
        worker_ranges=np.array(
            [at + own.worker_ranges for at, own in zip(slices, rows, strict=True)]
        ),
        deferred_ranges=np.array(
            [(at, at + len(own.deferred)) for at, own in zip(deferred, arranged, strict=True)]
        ),
        deferred_sets=np.concatenate(
            [at + own.deferred for at, own in zip(sets, arranged, strict=True)]
        ),
        before=np.concatenate(
            [place[own.before] for place, own in zip(places, arranged, strict=True)]
        ).astype(np.uint32),
        roots=sequence,
        slices=np.append(0, np.cumsum(np.concatenate([own.lengths for own in rows]))),
        rows=np.concatenate([own.rows for own in rows]).astype(np.uint32),
        partner=np.concatenate([own.partner for own in rows]),
        value=np.concatenate([own.value for own in rows]).astype(precision, copy=False),
    )
    order = np.concatenate([run + own.order for run, own in zip(runs, arranged, strict=True)])
    entries = sum(own.entries for own in rows)
    return TreeLayout(tree, form, order, places, tuple(own.unit for own in rows), entries, workers)


@dataclass(frozen=True)
class _Rows:
    """One player's payoffs as slices of rows."""

    lengths: Longs  # [slice] its entries, in units of LANES
    rows: Longs  # [slice * LANES + lane]
    partner: npt.NDArray[np.uint32]  # [entry, other player]
    value: npt.NDArray[np.float64]  # [entry]
    worker_ranges: Longs  # [worker] first slice, one past the last
    unit: float
    entries: int  # without what was filled up


def _rows_of(tree: Tree, player: int, places: tuple[Longs, ...], workers: int) -> _Rows:
    """A player's rows, in the order of its sequences, those of equal length together."""
    from infoset.kernels.regret import LANES

    total = sum(len(place) for place in places)
    choices, amounts, unit = _entries(tree, player)
    own = places[player][choices[player]]
    # Inside a row entries stay in the tree's order, which is the same for any number of workers.
    by_row = np.argsort(own, kind="stable")
    row, first, length = np.unique(own[by_row], return_index=True, return_counts=True)
    together = np.lexsort((np.arange(len(row)), length, np.arange(len(row)) // TOGETHER))
    empty = -len(row) % LANES
    row = np.append(row[together], np.full(empty, total))  # an entry that is never read
    first = np.append(first[together], np.zeros(empty, np.int64))
    length = np.append(length[together], np.zeros(empty, np.int64))

    lengths = length.reshape(-1, LANES).max(axis=1, initial=0)
    begin = np.cumsum(lengths) - lengths
    lane = np.repeat(begin, LANES) * LANES + np.tile(np.arange(LANES), len(lengths))
    step = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    to = np.repeat(lane, length) + LANES * step
    source = by_row[np.repeat(first, length) + step]
    others = [other for other in range(len(places)) if other != player]
    partner = np.zeros((LANES * int(lengths.sum()), len(others)), np.uint32)
    for column, other in enumerate(others):
        partner[to, column] = places[other][choices[other][source]]
    value = np.zeros(len(partner))
    value[to] = amounts[source]
    # Equal work: entries, and as much again for every slice.
    cuts = np.searchsorted(
        np.cumsum(lengths + 1), np.arange(1, workers) * (lengths + 1).sum() / workers
    )
    borders = np.concatenate(([0], cuts, [len(lengths)]))
    worker_ranges = np.stack((borders[:-1], borders[1:]), axis=1)
    return _Rows(lengths, row, partner, value, worker_ranges, unit, len(amounts))


def _entries(tree: Tree, player: int) -> tuple[list[Longs], npt.NDArray[np.float64], float]:
    """[player][entry] the choices that lead there; what each entry pays; and in which unit."""
    leaves, payoffs = tree.leaf_indices, _weighted_payoffs(tree, player)
    paying = np.flatnonzero(payoffs.numerators)
    choices = [own.last[leaves[paying]] for own in tree.choices]
    order, begin = _groups(choices, [len(own) for own in tree.choices])
    totals = payoffs.numerators[paying][order]
    if totals.dtype == np.int64 and bound(totals) * max(len(totals), 1) >= ROOM:
        totals = totals.astype(object)
    totals = np.add.reduceat(totals, begin) if len(begin) else totals
    kept = np.flatnonzero(totals)
    values, shared = as_floats(totals[kept])
    unit = as_unit(Fraction(shared, payoffs.denominator), float(np.abs(values).max(initial=0.0)))
    if unit is None:
        raise NotApplicable(f"{tree.name}: payoffs are beyond floats; exact methods take them")
    return [own[order[begin[kept]]] for own in choices], values, unit


def _weighted_payoffs(tree: Tree, player: int) -> Numbers:
    """[leaf] chance's probability times the payoff, the most frequent one taken off.

    Not where it is that of unlikely leaves alone, and so large that floats, with all others moved
    as far, would no longer tell them apart.
    """
    chance, stake = tree.chance_reach.take(tree.leaf_indices), tree.leaf_payoffs[player]
    usual, _ = usual_payoff(stake)
    plain = chance.times(stake)
    if not usual:
        return plain
    small = stake.numerators.dtype == np.int64 and bound(stake.numerators) < ROOM // 2
    less = stake.numerators - usual if small else fitted(stake.numerators.astype(object) - usual)
    moved = chance.times(Numbers(less, stake.denominator))
    return moved if bound(moved.numerators) <= FAR * bound(plain.numerators) else plain


def _groups(columns: list[Longs], sizes: list[int]) -> tuple[Longs, Longs]:
    """An order in which equal rows are neighbours, and where each group begins."""
    if prod(sizes) < ROOM:
        key = columns[0]
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            key = key * size + column
        order = np.argsort(key, kind="stable")
        differs = np.diff(key[order]) != 0
    else:
        order = np.lexsort(columns[::-1])
        differs = np.zeros(max(len(order) - 1, 0), bool)
        for column in columns:
            differs |= np.diff(column[order]) != 0
    begin = np.flatnonzero(np.concatenate(([True], differs))) if len(order) else order
    return order, begin


WORKING = 12  # numbers of 8 bytes for each leaf while rows are made: keys, orders, sums
OBJECTS = 4  # and so many of Python's integers, where those of 64 bits are too small
VECTORS = 7  # weights, regrets, probabilities, sums, ...: one number for each sequence
MEASURING = 4  # and these in float64 while regret is measured
SETS = 8  # numbers of 8 bytes for each set, likewise


def bytes_needed(tree: Tree, precision: str, coarse: bool) -> int:
    """The most bytes that laying out a game and running on it takes, besides the tree itself.

    >>> from infoset.games import leduc
    >>> bytes_needed(leduc().tree(), "float64", coarse=False) // 2**10
    979
    """
    number = np.dtype(precision).itemsize
    players, leaves = len(tree.players), len(tree.leaf_indices)
    sequences = sum(len(choices) for choices in tree.choices)
    rows = players * leaves * (8 + 4 * (players - 1))  # entries, each with its partners
    working = leaves * ((WORKING + players) * 8 + _integers(tree))
    vectors = sequences * (number * VECTORS + 8 * (MEASURING + coarse))
    # The rows of all players are there twice when they are put together.
    return rows + max(working, rows) + vectors + len(tree.infoset_player) * SETS * 8


def _integers(tree: Tree) -> int:
    """Bytes for each leaf of numbers that do not fit into 64 bits."""
    payoffs = max(bound(stake.numerators) for stake in tree.leaf_payoffs)
    bits = (2 * payoffs * bound(tree.chance_reach.numerators)).bit_length()
    return OBJECTS * (36 + bits // 7) if bits > ROOM.bit_length() else 0


def check_memory(tree: Tree, precision: str, coarse: bool) -> int:
    """The bytes that a run needs; refused if they are not free."""
    needed, free = bytes_needed(tree, precision, coarse), memory.available()
    if free is not None and needed > free - memory.KEEP_FREE:
        fits = bytes_needed(tree, "float32", coarse) <= free - memory.KEEP_FREE
        shorter = "; with precision='float32' it would fit" if fits else ""
        raise TooLarge(
            f"{tree.name}: regret minimization takes {_size(needed)} here, and"
            f" {_size(max(free - memory.KEEP_FREE, 0))} are free{shorter};"
            " external-sampling needs no tree"
        )
    return needed


def _size(count: int) -> str:
    large = count >= 2**30
    return f"{count / 2**30:,.1f} GiB" if large else f"{count / 2**20:,.1f} MiB"
