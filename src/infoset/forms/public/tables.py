"""Tables of a public form: what is paid in some worlds, added up by pairs of sets.

Where a run ends, its worlds say which sets of the players' last decisions meet, how likely nature
makes that, and what is then paid. What is paid is first divided by its common factor, so that ends
that differ only in their stakes come to the same numbers. The sets that can meet, directly or by
way of others, are the blocks of a table: the connected parts of the graph of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from infoset.forms.public.record import Block, Longs, Table
from infoset.linear.numbers import EXACT_FLOAT, ROOM
from infoset.rules.late.blocks import Block as Nodes
from infoset.rules.late.hidden import Hidden
from infoset.rules.late.lines import Part
from infoset.rules.late.worlds import Worlds


@dataclass(frozen=True)
class Piece:
    """Worlds in which something is paid: a code for each, and what each code is paid."""

    worlds: Worlds
    codes: Any  # an array over the rows of a field; None if all are paid the same
    field: Any
    amounts: tuple[int, ...]  # [code]; one alone if all are paid the same


def table_of(
    axes: Sequence[tuple[Part, Any] | None],
    pieces: Sequence[Piece],
    under: int,
    room: Callable[[int], None],
) -> Table:
    """The table of some pieces: nature's probability times what is paid, times ``under``.

    ``axes`` say by which part of the worlds the sets of a player are found, and the number of the
    set for each code; None for a player who has not chosen yet. ``room`` is told how many entries
    there will be.
    """
    sides: list[list[Any]] = [[], []]
    amounts = []
    for piece in pieces:
        worlds = piece.worlds
        for side, axis in zip(sides, axes, strict=True):
            zero = np.zeros(len(worlds), np.int64)
            side.append(zero if axis is None else axis[1][axis[0].at(worlds)])
        amounts.append(_amounts(piece, under // worlds.field.under))
    rows, columns = (np.concatenate(side) for side in sides)
    return Table(tuple(_blocks(rows, columns, np.concatenate(amounts), room)))


def _blocks(
    rows: Longs, columns: Longs, amounts: Any, room: Callable[[int], None]
) -> Iterator[Block]:
    count, of_row, of_column = connected(rows, columns)
    row_order, row_start = _grouped(of_row, count)
    column_order, column_start = _grouped(of_column, count)
    high, wide = np.diff(row_start), np.diff(column_start)
    start = np.concatenate(([0], np.cumsum(high * wide)))
    room(int(start[-1]))
    part = of_row[rows]
    at = _places(row_order)[rows] - row_start[part]
    across = _places(column_order)[columns] - column_start[part]
    entries = _summed(start[part] + at * wide[part] + across, amounts, int(start[-1]))
    for one in range(count):
        shape = (int(high[one]), int(wide[one]))
        yield Block(
            row_order[row_start[one] : row_start[one + 1]],
            column_order[column_start[one] : column_start[one + 1]],
            entries[start[one] : start[one + 1]].reshape(shape),
        )


def with_factor(parts: Sequence[tuple[Nodes, Any]]) -> tuple[list[Piece], Fraction]:
    """What is paid at some leaves as whole numbers, and the factor that was taken out."""
    paid: list[tuple[Nodes, Any, dict[int, Fraction]]] = []
    for block, what in parts:
        if isinstance(what, Hidden):
            codes = what.seen_in(block.worlds)
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
            pieces.append(Piece(block.worlds, None, None, (next(iter(whole.values())),)))
            continue
        values = tuple(whole.get(code, 0) for code in range(max(whole) + 1))
        pieces.append(Piece(block.worlds, what.codes, what.field, values))
    return pieces, factor


def _amounts(piece: Piece, times: int) -> Any:
    """[world] nature's probability times what is paid, in whole numbers."""
    worlds = piece.worlds
    weight, several = worlds.field.weight, worlds.field.stands_for
    paid = max(1, *map(abs, piece.amounts))  # where nothing is, the rest of the product must fit
    most = int(weight.max()) * int(several.max()) * times * paid
    if most >= ROOM:
        weight = weight.astype(object)
    amounts = weight[worlds.rows] * several[worlds.rows] * times
    if piece.codes is None:
        return amounts * piece.amounts[0]
    above = worlds.field.rows_in(piece.field)
    rows = worlds.rows if above is None else above[worlds.rows]
    kind = np.int64 if most < ROOM else object
    return amounts * np.array(piece.amounts, kind)[piece.codes[rows]]


def connected(rows: Longs, columns: Longs) -> tuple[int, Longs, Longs]:
    """Which rows and columns hang together: how many parts there are, and which part each is in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    high, wide = int(rows.max()) + 1, int(columns.max()) + 1
    ones = np.ones(len(rows), bool)
    size = high + wide
    graph = coo_array((ones, (rows, high + columns)), shape=(size, size))
    _, part = connected_components(graph, directed=False)
    used = np.zeros(size, bool)
    used[rows] = used[high + columns] = True
    number = np.full(int(part.max()) + 1, -1, np.int64)
    of_rows = part[:high]
    first = np.unique(of_rows[used[:high]], return_index=True)
    order = first[0][np.argsort(first[1], kind="stable")]
    number[order] = np.arange(len(order))
    found = np.where(used, number[part], -1)
    return len(order), found[:high], found[high:]


def _grouped(part: Longs, count: int) -> tuple[Longs, Longs]:
    """The members of each part, one part after the other, and where each begins."""
    members = np.flatnonzero(part >= 0)
    order = members[np.argsort(part[members], kind="stable")]
    return order, np.concatenate(([0], np.cumsum(np.bincount(part[members], minlength=count))))


def _places(order: Longs) -> Longs:
    """[member] its place in an order."""
    place = np.zeros(int(order.max()) + 1, np.int64)
    place[order] = np.arange(len(order))
    return place


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
