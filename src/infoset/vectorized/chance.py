"""A chance move in all deals at once: new chance histories below those there were.

What chance draws from may depend on what it drew before: the deck without the cards that were dealt
is another one in every deal. The outcomes of each different lottery are listed once. The rows of
the new histories are then put together by array operations: every deal, as often as its lottery has
outcomes, with the products of probabilities as integers over one denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset import memory
from infoset.errors import TooLarge
from infoset.linear.numbers import fitted
from infoset.rules.moves import Lottery, deal_lottery
from infoset.vectorized.values import (
    ROOM,
    ChanceHistories,
    Deals,
    Ints,
    Longs,
    ValueColumn,
    by_identity,
    times,
)

if TYPE_CHECKING:
    from infoset.vectorized.explore import VectorizedPlay

MOST_ROWS = 200_000_000  # of chance histories: a gigabyte for each column
SMALL = 1 << 26  # bytes that are always taken
BYTES_A_ROW = 100  # while it is made; afterwards less than half of it


@dataclass(frozen=True, eq=False)
class Draw:
    """A chance move: its outcome as columns, and the deals after it."""

    outcome: ValueColumn
    entries: tuple[ValueColumn, ...]  # of a deal of several hands: each hand
    after: Deals
    terms: ValueColumn | None  # what the lottery depends on, if it is not the same in all deals
    lotteries: tuple[Lottery, ...]  # one for each of the terms that occur
    place: Longs  # [code of the terms] which of the lotteries; one entry if there are no terms
    drawn: tuple[ValueColumn, ...]  # all outcomes up to here, hand by hand, the first ones first


@dataclass(frozen=True)
class _Lotteries:
    """The different lotteries of a move, their outcomes one after the other."""

    first: Longs  # [lottery] where its outcomes begin
    sizes: Longs
    codes: Ints  # [entry] the code of the outcome
    weight: Any  # [entry] its probability, times ``under``
    under: int


def drawn(
    run: VectorizedPlay, make: Callable[..., Lottery], terms: Callable[..., Any], packed: Any
) -> Draw:
    """A chance move by lotteries that ``make`` makes of some terms, plain or vectorized.

    ``packed`` are the terms as the rules gave them, and ``terms`` reads them.
    """
    deals = run.deals
    given_by: ValueColumn | None = packed._column if hasattr(packed, "_column") else None
    which = [0] if given_by is None else given_by.seen_in(deals)
    terms_of = [packed] if given_by is None else [given_by.table[code] for code in which]
    given: list[Lottery] = []
    for each in terms_of:
        given.append(make(*terms(*each)))
        if len(given) == 1 and make is deal_lottery and _equally_many(terms_of):
            _check_room(len(given[0].outcomes) * len(deals), run.symmetry is not None)
        run.steps_done += 1
    place = np.zeros(1 + max(which), np.int64)
    place[which] = np.arange(len(which))
    lottery = np.zeros(len(deals), np.int64) if given_by is None else place[given_by.at(deals)]
    several = make is deal_lottery and len(terms_of[0][1]) > 1
    outcome, hands, so_far = _extended(run, given, lottery, several)
    return Draw(outcome, hands, Deals(outcome.histories), given_by, tuple(given), place, so_far)


def _extended(
    run: VectorizedPlay,
    given: Sequence[Lottery],
    lottery: Longs,
    several: bool,
) -> tuple[ValueColumn, tuple[ValueColumn, ...], tuple[ValueColumn, ...]]:
    """The outcome of a chance move as a column of new histories, its hands, all outcomes so far.

    ``lottery`` says by which of the given ones each deal is continued; ``several`` that an outcome
    is a tuple of hands.
    """
    deals = run.deals
    values = ValueColumn(deals.histories)  # for its codes alone; its histories are made below
    every = _every(given, values)
    count = every.sizes[lottery]
    rows = int(count.sum())
    _check_room(rows, run.symmetry is not None)
    above = np.repeat(deals.rows, count)
    outcome = (np.arange(rows) - np.repeat(np.cumsum(count) - count, count)).astype(np.int32)
    entry = np.repeat(every.first[lottery], count) + outcome
    weight, under = _lowest(
        times(deals.histories.weight[above], every.weight[entry]),
        deals.histories.under * every.under,
    )
    run.steps_done += 1
    codes = every.codes[entry]
    hands = _hands(values) if several else []
    so_far = (*run.drawn, *([hand for hand, _ in hands] or [values]))
    multiplicity = np.ones(rows, np.int64)
    if run.symmetry is not None:
        columns = [_along(deals.histories, fact, above) for fact in run.drawn]
        columns += [own[codes] for _, own in hands] or [codes]
        least, multiplicity = run.symmetry.classes(columns, so_far)
        above, outcome, codes = above[least], outcome[least], codes[least]
        weight, multiplicity = weight[least], multiplicity[least]
    run.steps_done += 1
    histories = ChanceHistories(deals.histories, above, outcome, weight, under, multiplicity)
    values.histories, values.codes = histories, codes
    for hand, own in hands:
        hand.histories, hand.codes = histories, own[codes]
    return values, tuple([hand for hand, _ in hands]), so_far


def _equally_many(terms: Sequence[Any]) -> bool:
    """Whether all lotteries have equally many outcomes: as many different cards, the same hands."""
    try:
        shapes = {(len(deck), len(set(deck)), sizes, hands) for deck, sizes, hands in terms}
    except TypeError:  # refused where the lottery is made
        return False
    cards, different, _, _ = next(iter(shapes))
    return len(shapes) == 1 and cards == different


def _check_room(rows: int, folded: bool) -> None:
    """Refuse chance histories that do not fit into memory, before they are made."""
    room, needed = memory.available(), rows * BYTES_A_ROW
    scarce = room is not None and needed > SMALL and needed > room - memory.KEEP_FREE
    if rows > MOST_ROWS or scarce:
        free = "" if room is None else f", and {room / 2**30:,.1f} GiB are free"
        fold = "" if folded else "fold interchangeable suits (Deck(..., alike=True)), or "
        raise TooLarge(
            f"chance moves have {rows:,} outcomes together, which take {needed / 2**30:,.1f} GiB in"
            f" a vectorized run{free}; {fold}choose smaller parameters"
        )


def _along(histories: ChanceHistories, fact: ValueColumn, rows: Ints) -> Ints:
    above = histories.rows_in(fact.histories)
    return fact.codes[rows if above is None else above[rows]]


def _every(given: Sequence[Lottery], values: ValueColumn) -> _Lotteries:
    sizes = np.array([len(lottery.outcomes) for lottery in given], np.int64)
    numbers, under = _weights([lottery.probabilities for lottery in given])
    alone = len(given) == 1  # then its outcomes are different already
    every = [value for lottery in given for value in lottery.outcomes]
    codes = values.adopt(every) if alone else values.codes_of(every)
    return _Lotteries(np.cumsum(sizes) - sizes, sizes, codes, numbers, under)


def _weights(chances: list[tuple[Fraction, ...]]) -> tuple[Any, int]:
    """[entry] the probabilities of all lotteries, one after the other, times a denominator.

    Many lotteries share theirs: decks of equally many cards, say.
    """
    different, which = by_identity(chances)
    known, at = by_identity([one for own in different for one in own])
    under = lcm(*(one.denominator for one in known))
    whole = [one.numerator * (under // one.denominator) for one in known]
    weight = np.array(whole, np.int64 if max(whole) < ROOM else object)[at]
    if len(different) == len(chances):
        return weight, under
    parts = np.split(weight, np.cumsum([len(own) for own in different])[:-1])
    return np.concatenate([parts[one] for one in which.tolist()]), under


def _lowest(weight: Any, under: int) -> tuple[Any, int]:
    """Weights and their denominator, divided by their greatest common divisor.

    What was too large for int64 before may fit now: hands that exclude each other have lotteries
    with many denominators, and their products are mostly alike.
    """
    if weight.dtype == object:
        shared = gcd(under, *weight.tolist())
        return fitted(weight // shared), under // shared
    shared = gcd(int(np.gcd.reduce(weight)), under)
    return (weight // shared, under // shared) if shared > 1 else (weight, under)


def _hands(values: ValueColumn) -> list[tuple[ValueColumn, Ints]]:
    """The hands of a deal as columns, each with its code by the code of the deal."""
    found = []
    for place in range(len(values.table[0])):
        hand = ValueColumn(values.histories)
        found.append((hand, hand.codes_of([deal[place] for deal in values.table])))
    return found
