"""What is paid on the public form, as products of matrices.

All ends of a table share its matrices, so that for a *block* M of it, with X the other player's
weights at its ends, one row for each end, times the end's factor,

    Y = X M'    is what the player's sequences at these ends get: Y[end, set] is added to the
                sequence that the player ended with.

BLAS does this product. Around it weights are gathered and payoffs scattered, in pieces as long as
the block is wide.

Workers share *items*: a block, or a panel of its rows if it has many. The items are the same for
any number of workers, and so are the results, to the last bit. Items of one *wave* pay different
sequences, so that nobody comes into another's way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infoset.kernels.blocks import U
from infoset.kernels.compiling import compiled

FEW = 2  # ends up to which a product is done row by row: to pack the matrix would cost more

_compiled = compiled(nogil=True, error_model="numpy")


class Tables(NamedTuple):
    """What is paid: matrices of all tables, for either player its own sets by the other's."""

    entries: Any  # all matrices, by rows, one after the other; player two's with its own payoffs
    items: Any  # [item] see the names below
    ends: Any  # [end] the player's first sequence there, the other's first sequence
    factors: Any  # [end]
    sets: Any  # rows and columns of blocks, as sets
    waves: Any  # [player] first wave, one past the last
    shares: Any  # [wave, worker] first item, one past the last
    room: int  # numbers that the weights at an item's ends take, or the payoffs, at most


# What an item is: a row of numbers.
FIRST_END, END_OF_ENDS, AT_ONCE = 0, 1, 2  # of Tables.ends, and how many are done at a time
MATRIX, ROWS, COLUMNS = 3, 4, 5  # where the entries begin, and how many there are
ROW_SETS, COLUMN_SETS = 6, 7  # where the sets are listed
ROW_START, COLUMN_START = 8, 9  # the first set, if they are neighbours; else -1
ITEM = 10


@_compiled
def _gather(
    first: int, count: int, item: Any, tables: Tables, weight: Any, given: Any, columns: int
) -> None:
    start, at = item[COLUMN_START], item[COLUMN_SETS]
    for e in range(count):
        factor, begin = tables.factors[first + e], tables.ends[first + e, 1]
        to = U(e * columns)
        if start >= 0:
            source = U(begin + start)
            for j in range(U(columns)):
                given[to + j] = factor * weight[source + j]
        else:
            for j in range(columns):
                given[to + U(j)] = factor * weight[begin + tables.sets[at + j]]


@_compiled
def _scatter(
    first: int, count: int, item: Any, tables: Tables, paid: Any, rows: int, pending: Any
) -> None:
    start, at = item[ROW_START], item[ROW_SETS]
    for e in range(count):
        begin, source = tables.ends[first + e, 0], U(e * rows)
        if start >= 0:
            to = U(begin + start)
            for j in range(U(rows)):
                pending[to + j] += paid[source + j]
        else:
            for j in range(rows):
                pending[begin + tables.sets[at + j]] += paid[source + U(j)]


@_compiled
def product(
    first: int, end: int, tables: Tables, weight: Any, pending: Any, given: Any, paid: Any
) -> None:
    """What the ends of some items pay, added to the player's sequences there."""
    for k in range(first, end):
        item = tables.items[k]
        rows, columns = item[ROWS], item[COLUMNS]
        matrix = tables.entries[item[MATRIX] : item[MATRIX] + rows * columns]
        by_rows = matrix.reshape((rows, columns))
        begin = item[FIRST_END]
        while begin < item[END_OF_ENDS]:
            count = min(item[AT_ONCE], item[END_OF_ENDS] - begin)
            _gather(begin, count, item, tables, weight, given, columns)
            if count <= FEW:
                for e in range(count):
                    own = paid[e * rows : (e + 1) * rows]
                    np.dot(by_rows, given[e * columns : (e + 1) * columns], own)
            else:
                out = paid[: count * rows].reshape((count, rows))
                weights = given[: count * columns].reshape((count, columns))
                np.dot(weights, by_rows.T, out)
            _scatter(begin, count, item, tables, paid, rows, pending)
            begin += count
