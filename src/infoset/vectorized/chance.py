"""Nature's move in all worlds at once: the field of its outcomes below the field there was.

What nature draws from may depend on what it drew before: the deck without the cards that were dealt
is another one in every world. For each different lottery its outcomes are listed once; the rows of
the new field then are put together by array operations: every world, as often as its lottery has
outcomes, with the products of probabilities as whole numbers over one denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset import memory
from infoset.errors import TooLarge
from infoset.rules.moves import Lottery, Menu, deal_lottery
from infoset.vectorized.values import (
    ROOM,
    ChanceHistories,
    Deals,
    Hidden,
    Ints,
    Longs,
    by_identity,
    times,
)

if TYPE_CHECKING:
    from infoset.vectorized.explore import VectorizedPlay

MOST_ROWS = 200_000_000  # of one field: a gigabyte for each thing that is known about it
SMALL = 1 << 26  # bytes that are always taken
BYTES_A_ROW = 100  # while it is made; afterwards less than half of it


@dataclass(frozen=True, eq=False)
class Draw:
    """A move of nature: what comes of it, and the worlds then."""

    outcome: Hidden
    entries: tuple[Hidden, ...]  # of a deal of several hands: each hand
    after: Deals
    terms: Hidden | None  # what the lottery depends on, if it is not the same in all worlds
    numbers: Ints  # [code of the terms] the lottery's number; one number if there are no terms
    drawn: tuple[Hidden, ...]  # all outcomes up to here, hand by hand, the first ones first


@dataclass(frozen=True)
class _Lotteries:
    """The different lotteries of a move, their outcomes one after the other."""

    first: Longs  # [lottery] where its outcomes begin
    sizes: Longs
    codes: Ints  # [entry] the code of the outcome
    weight: Any  # [entry] its probability, times ``under``
    under: int


def drawn(
    late: VectorizedPlay, make: Callable[..., Lottery], terms: Callable[..., Any], packed: Any
) -> Draw:
    """Nature's move: lotteries made of some terms, which may be a stand-in for many."""
    deals = late.deals
    hidden: Hidden | None = packed._hidden if hasattr(packed, "_hidden") else None
    if hidden is None:
        which: list[int] = [0]
        given = [late.lotteries.number(make, terms(*packed))]
    else:
        which = hidden.seen_in(deals)
        given = []
        for code in which:
            given.append(late.lotteries.number(make, terms(*hidden.table[code])))
            if len(given) == 1 and make is deal_lottery and _equally_many(hidden, which):
                _check_room(len(given[0][1]) * len(deals), late.symmetry is not None)
            late.worked += 1
    numbers = np.full(1 + max(which), -1, np.int32)
    numbers[which] = [number for number, _ in given]
    place = np.zeros(1 + max(which), np.int64)
    place[which] = np.arange(len(which))
    lottery = np.zeros(len(deals), np.int64) if hidden is None else place[hidden.at(deals)]

    values = Hidden(deals.field)  # for its codes alone; its field is made below
    every = _every([(late.lotteries.table[number], menu) for number, menu in given], values)
    count = every.sizes[lottery]
    rows = int(count.sum())
    _check_room(rows, late.symmetry is not None)
    above = np.repeat(deals.rows, count)
    outcome = (np.arange(rows) - np.repeat(np.cumsum(count) - count, count)).astype(np.int32)
    entry = np.repeat(every.first[lottery], count) + outcome
    weight, under = _lowest(
        times(deals.field.weight[above], every.weight[entry]), deals.field.under * every.under
    )
    late.worked += 1
    codes = every.codes[entry]
    said = packed if hidden is None else hidden.table[which[0]]
    hands = _hands(values) if make is deal_lottery and len(said[1]) > 1 else []
    so_far = (*late.drawn, *([hand for hand, _ in hands] or [values]))
    stands_for = np.ones(rows, np.int64)
    if late.symmetry is not None:
        columns = [_along(deals.field, fact, above) for fact in late.drawn]
        columns += [own[codes] for _, own in hands] or [codes]
        least, stands_for = late.symmetry.classes(columns, so_far)
        above, outcome, codes = above[least], outcome[least], codes[least]
        weight, stands_for = weight[least], stands_for[least]
    late.worked += 1
    field = ChanceHistories(deals.field, above, outcome, weight, under, stands_for)
    values.field, values.codes = field, codes
    for hand, own in hands:
        hand.field, hand.codes = field, own[codes]
    entries = tuple([hand for hand, _ in hands])
    return Draw(values, entries, Deals(field), hidden, numbers, so_far)


def _equally_many(terms: Hidden, codes: Sequence[int]) -> bool:
    """Are there as many deals in all worlds: equally many different cards, into the same hands?"""
    try:
        said = {
            (len(deck), len(set(deck)), sizes, hands)
            for deck, sizes, hands in map(terms.table.__getitem__, codes)
        }
    except TypeError:  # whoever deals from it will say so
        return False
    cards, different, _, _ = next(iter(said))
    return len(said) == 1 and cards == different


def _check_room(rows: int, folded: bool) -> None:
    """Refuse a field that memory has no room for, before it is made."""
    room, needed = memory.available(), rows * BYTES_A_ROW
    scarce = room is not None and needed > SMALL and needed > room - memory.KEEP_FREE
    if rows > MOST_ROWS or scarce:
        free = "" if room is None else f", and {room / 2**30:,.1f} GiB are free"
        fold = "" if folded else "fold suits that are alike (Deck(..., alike=True)), or "
        raise TooLarge(
            f"nature's moves have {rows:,} outcomes together, which take {needed / 2**30:,.1f} GiB"
            f" to run the rules for at once{free}; {fold}choose smaller parameters"
        )


def _along(field: ChanceHistories, fact: Hidden, rows: Ints) -> Ints:
    above = field.rows_in(fact.field)
    return fact.codes[rows if above is None else above[rows]]


def _every(given: Sequence[tuple[Lottery, Menu]], values: Hidden) -> _Lotteries:
    sizes = np.array([len(menu) for _, menu in given], np.int64)
    chances = [one for lottery, _ in given for one in lottery.probabilities]
    known, at = by_identity(chances)
    under = lcm(*(one.denominator for one in known))
    weight = [one.numerator * (under // one.denominator) for one in known]
    numbers = np.array(weight, np.int64 if max(weight) < ROOM else object)[at]
    alone = len(given) == 1  # then its outcomes are different already
    every = [value for _, menu in given for value in menu]
    codes = values.adopt(every) if alone else values.codes_of(every)
    return _Lotteries(np.cumsum(sizes) - sizes, sizes, codes, numbers, under)


def _lowest(weight: Any, under: int) -> tuple[Any, int]:
    """Weights without what all of them and their denominator share."""
    if weight.dtype == object:
        shared = gcd(under, *weight.tolist())
    else:
        shared = gcd(int(np.gcd.reduce(weight)), under)
    return (weight // shared, under // shared) if shared > 1 else (weight, under)


def _hands(values: Hidden) -> list[tuple[Hidden, Ints]]:
    """A deal's hands, one by one, and the code of each by that of the deal; fields come later."""
    found = []
    for place in range(len(values.table[0])):
        hand = Hidden(values.field)
        found.append((hand, hand.codes_of([deal[place] for deal in values.table])))
    return found
