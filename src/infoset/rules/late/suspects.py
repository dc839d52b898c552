"""Where suits may not be alike: functions of cards that tell them apart.

Plays at random hardly ever meet a rule for one deal in a million. Functions do: all that the rules
do with cards unseen are functions that were computed for every combination of values that occurs.
If suits are alike, a function of the values with suits exchanged is its value, exchanged likewise,

    f(moved x) = moved f(x)         for every permutation and every x that occurs,

and since one x of every class occurs in a folded run, and all permutations are tried, that is a
test for all of the game. A function that fails it need not matter: one that sorts cards prefers a
suit, and what becomes of the order may be the same. So it makes its worlds *suspects*, in which
plays are then run with suits exchanged (:mod:`infoset.rules.late.check`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from infoset.rules.cards import Card, Hand
from infoset.rules.late.hidden import MISSING, Hidden, combinations
from infoset.rules.late.lifting import Computed
from infoset.rules.late.symmetry import Symmetry
from infoset.rules.late.worlds import Field, Longs

CALLS = 1 << 18  # of a function, at most; of more combinations, some are chosen
FEW = 8  # suspects of a function that are followed up

Suspect = tuple[Field, int, int]  # a field, a row of it, a permutation


def suspects(computed: Sequence[Computed], symmetry: Symmetry) -> Iterator[Suspect]:
    """Worlds in which a function of cards is not the same with suits exchanged."""
    for function, terms, result in computed:
        if any(isinstance(one, Hidden) and _has_cards(one) for one in terms):
            rows, codes, found = _occurring(terms, result, max(1, CALLS // len(symmetry)))
            odd = _odd(function, terms, codes, [result.table[one] for one in found], symmetry)
            for _, (at, order) in zip(range(FEW), odd, strict=False):
                yield result.field, int(rows[at]), order


def _has_cards(hidden: Hidden) -> bool:
    return any(value.__class__ in (Card, Hand, tuple, frozenset) for value in hidden.table)


def _occurring(
    terms: Sequence[Any], result: Hidden, most: int
) -> tuple[Longs, list[list[int]], list[int]]:
    """Combinations that were computed: a row of each, codes of the operands, code of the result."""
    hidden = [one for one in terms if isinstance(one, Hidden)]
    rows = np.flatnonzero(result.codes >= 0)
    if result.base is not None:
        known = np.array([value is not MISSING for value in result.table], bool)
        codes = result.codes[rows]
        inside = codes < len(known)
        rows = rows[inside][known[codes[inside]]]
    columns = []
    for one in hidden:
        above = result.field.rows_in(one.field)
        columns.append(one.codes[rows if above is None else above[rows]])
    first, _ = combinations(columns, [len(one.table) for one in hidden])
    if len(first) > most:
        first = np.sort(random.Random(2).sample(first.tolist(), most))
    return rows[first], [one[first].tolist() for one in columns], result.codes[rows[first]].tolist()


def _odd(
    function: Any,
    terms: Sequence[Any],
    codes: list[list[int]],
    found: list[Any],
    symmetry: Symmetry,
) -> Iterator[tuple[int, int]]:
    """Combinations, by their number, and permutations that do not go together."""
    for order in range(1, len(symmetry)):
        taken = iter(codes)
        values = [
            map([symmetry.moved(value, order) for value in one.table].__getitem__, next(taken))
            if isinstance(one, Hidden)
            else repeat(one, len(found))
            for one in terms
        ]
        for at, (result, given) in enumerate(zip(found, zip(*values, strict=True), strict=True)):
            if not _same(function, given, symmetry.moved(result, order)):
                yield at, order


def _same(function: Any, given: tuple[Any, ...], expected: Any) -> bool:
    try:
        return bool(function(*given) == expected)
    except Exception:  # it makes no sense there, or cannot be compared
        return False
