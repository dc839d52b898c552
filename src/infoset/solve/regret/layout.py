"""A game laid out for the kernels of regret minimization: flat arrays of floats.

Every player's sequences stand one after the other in one vector, players in their order, each with
the empty sequence first; :mod:`infoset.solve.regret.arrangement` says how a player's stand.

What a play pays is one entry in a sparse row for each player: at the player's own last sequence,
with the last sequences of all others as partners, worth nature's probability times the payoff, all
plays with the same sequences together. The most frequent payoff is taken off first, which changes
no regret (:func:`infoset.forms.sequence.lighter_payoffs`) and often leaves few entries. Entries are
whole numbers without a common divisor: a player's *unit* turns them into payoffs again. For two
players these rows are the matrices A and B of the sequence form; for more they are its tensor.

Rows are taken four at a time, so four of them make a *slice*, as long as its longest row. Among
some thousand neighbours rows of equal length are brought together; little is filled up in vain.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.forms.sequence import usual_payoff
from infoset.linear.numbers import EXACT_FLOAT, ROOM, Array, Numbers, bound, fitted
from infoset.solve.regret.arrangement import arrange
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.kernels.regret import Form

Longs = npt.NDArray[np.int64]

TOGETHER = 4096  # rows among which equal lengths are brought together
MOST_SEQUENCES = 2**32 - 2
FAR = 16  # times as large entries may become for fewer of them
SMALLEST, LARGEST = 1e-300, 1e300  # between which floats have all their digits, and room


@dataclass(frozen=True, eq=False)
class Layout:
    """The arrays, and how they belong to the tree."""

    tree: Tree
    form: Form
    run_order: (
        Longs  # all runs, what is before a set before it, as one worker alone would take them
    )
    places: tuple[Longs, ...]  # [player][choice] where its sequence stands
    units: tuple[float, ...]  # [player] what an entry of 1 is in payoffs
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


def lay_out(tree: Tree, precision: Any = np.float64, workers: int = 1) -> Layout:
    """Lay out a game of players who forget nothing.

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
    sets, runs, late = (
        np.cumsum(counts) - counts
        for counts in (
            np.array([len(own.before) for own in arranged]),
            np.array([len(own.runs) for own in arranged]),
            np.array([len(own.late) for own in arranged]),
        )
    )
    places = tuple(begin + own.place for begin, own in zip(sequence, arranged, strict=True))
    rows = [_rows_of(tree, player, places, workers) for player in range(len(arranged))]
    slices = np.cumsum([len(own.lengths) for own in rows]) - [len(own.lengths) for own in rows]
    every = zip(sequence, sets, arranged, strict=True)
    form = Form(
        runs=np.concatenate([own.runs + np.array((at, at, seq, 0, 0)) for seq, at, own in every]),
        crown=np.array([run + own.crown for run, own in zip(runs, arranged, strict=True)]),
        parts=np.array([run + own.parts for run, own in zip(runs, arranged, strict=True)]),
        shares=np.array([at + own.shares for at, own in zip(slices, rows, strict=True)]),
        late_ranges=np.array(
            [(at, at + len(own.late)) for at, own in zip(late, arranged, strict=True)]
        ),
        late_sets=np.concatenate([at + own.late for at, own in zip(sets, arranged, strict=True)]),
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
    return Layout(tree, form, order, places, tuple(own.unit for own in rows), entries, workers)


@dataclass(frozen=True)
class _Rows:
    """One player's payoffs as slices of rows."""

    lengths: Longs  # [slice] its entries, in units of LANES
    rows: Longs  # [slice * LANES + lane]
    partner: npt.NDArray[np.uint32]  # [entry, other player]
    value: npt.NDArray[np.float64]  # [entry]
    shares: Longs  # [worker] first slice, one past the last
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
    row = np.append(row[together], np.full(empty, total))  # the place that nobody reads
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
    shares = np.stack((borders[:-1], borders[1:]), axis=1)
    return _Rows(lengths, row, partner, value, shares, unit, len(amounts))


def _entries(tree: Tree, player: int) -> tuple[list[Longs], npt.NDArray[np.float64], float]:
    """[player][entry] the choices that lead there; what each entry pays; and in which unit."""
    ends, worth = tree.ends, _worth(tree, player)
    paying = np.flatnonzero(worth.numerators)
    choices = [own.last[ends[paying]] for own in tree.choices]
    order, begin = _groups(choices, [len(own) for own in tree.choices])
    totals = worth.numerators[paying][order]
    if totals.dtype == np.int64 and bound(totals) * max(len(totals), 1) >= ROOM:
        totals = totals.astype(object)
    totals = np.add.reduceat(totals, begin) if len(begin) else totals
    kept = np.flatnonzero(totals)
    values, shared = as_floats(totals[kept])
    unit = as_unit(Fraction(shared, worth.denominator), float(np.abs(values).max(initial=0.0)))
    if unit is None:
        raise NotApplicable(f"{tree.name}: payoffs are beyond floats; exact methods take them")
    return [own[order[begin[kept]]] for own in choices], values, unit


def _worth(tree: Tree, player: int) -> Numbers:
    """[leaf] nature's probability times the payoff, the most frequent one taken off.

    Not where it is that of unlikely leaves alone, and so large that floats, with all others moved
    as far, would no longer tell them apart.
    """
    nature, stake = tree.nature.take(tree.ends), tree.stakes[player]
    usual, _ = usual_payoff(stake)
    plain = nature.times(stake)
    if not usual:
        return plain
    small = stake.numerators.dtype == np.int64 and bound(stake.numerators) < ROOM // 2
    less = stake.numerators - usual if small else fitted(stake.numerators.astype(object) - usual)
    moved = nature.times(Numbers(less, stake.denominator))
    return moved if bound(moved.numerators) <= FAR * bound(plain.numerators) else plain


def as_unit(unit: Fraction, largest: float) -> float | None:
    """A unit as a float; None where it, or what entries up to ``largest`` come to, is none."""
    if not largest:
        return 1.0  # of no entries; their common denominator says nothing
    try:
        found = float(unit)
    except OverflowError:
        return None
    return found if found > SMALLEST and found * largest < LARGEST else None


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


def as_floats(integers: Array) -> tuple[npt.NDArray[np.float64], int]:
    """Integers as floats without their common divisor, and that divisor.

    Those too large to be floats exactly are rounded, as parts of the largest.
    """
    shared = gcd(*integers.tolist()) if integers.dtype == object else int(np.gcd.reduce(integers))
    shared = shared or 1  # of no numbers it is 0
    reduced = integers // shared if shared > 1 else integers
    largest = bound(reduced)
    if largest <= EXACT_FLOAT:
        return reduced.astype(np.float64), shared
    return np.array([int(one) / largest for one in reduced]), shared * largest
