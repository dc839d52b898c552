"""The tables of a public form as matrices of floats, cut into items that workers share.

For either player a matrix has the player's own sets as rows, so that a panel of rows is one piece
of memory, and what the player gets as entries: player two's are player one's with the other sign.
Entries of a table are whole numbers without a common divisor, and so are the factors of all ends:
floats have them exactly unless they are huge.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.forms.public.record import Block, PublicForm
from infoset.solve.public.panels import dealt
from infoset.solve.regret.layout import as_floats, as_unit

if TYPE_CHECKING:
    from infoset.kernels.products import Tables

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TALLEST = 320  # rows of a matrix in one item
GATHERED = 1 << 16  # weights at a time: they stay in the cache
MOVED = 16  # what it takes to gather and scatter a number, in products


def first_sequence(form: PublicForm, player: int, last: tuple[int, int]) -> int:
    """Where the sequence of the first set stands, of an option at a decision of a player."""
    return (form.sequences[0] if player else 0) + form.first(player, last)


def tables_of(form: PublicForm, precision: np.dtype[Any], workers: int) -> tuple[Tables, float]:
    """What is paid, for so many workers; and in which unit."""
    from infoset.kernels.products import ITEM, Tables

    matrices, factors, unit = _as_matrices(form)
    made = _Made(form, precision, workers)
    for player in range(2):
        made.add(player, matrices, factors)
    none = np.zeros(0, precision)
    tables = Tables(
        entries=np.concatenate([none, *made.entries]),
        items=np.array(made.items, np.int64).reshape(-1, ITEM),
        ends=np.array(made.ends, np.int64).reshape(-1, 2),
        factors=np.array(made.factors, precision),
        sets=np.concatenate([np.zeros(0, np.int64), *made.sets]),
        waves=np.array(made.waves, np.int64),
        shares=np.array(made.shares, np.int64).reshape(-1, workers, 2),
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
    exact = [end.factor * shared[end.table] for end in form.ends]
    common = lcm(*(factor.denominator for factor in exact))
    factors, divisor = as_floats(np.array([int(one * common) for one in exact], object))
    largest = [max((float(np.abs(m).max(initial=0)) for m in own), default=0.0) for own in matrices]
    most = max(
        (abs(f) * largest[end.table] for f, end in zip(factors, form.ends, strict=True)),
        default=0.0,
    )
    unit = as_unit(Fraction(divisor, common), float(most))
    if unit is None:
        raise NotApplicable(f"{form.name}: payoffs are beyond floats; exact methods take them")
    return matrices, factors, unit


class _Made:
    """The lists, as :class:`infoset.kernels.products.Tables` explains them, while they are made."""

    def __init__(self, form: PublicForm, precision: np.dtype[Any], workers: int) -> None:
        self.form, self.precision, self.workers = form, precision, workers
        self.entries: list[npt.NDArray[Any]] = []
        self.items: list[tuple[int, ...]] = []
        self.ends: list[tuple[int, int]] = []
        self.factors: list[float] = []
        self.sets: list[Longs] = []
        self.waves: list[tuple[int, int]] = []
        self.shares: list[Longs] = []
        self.room = 1
        self._entries = self._sets = 0  # how many there are so far

    def add(self, player: int, matrices: list[list[Floats]], factors: Floats) -> None:
        """Take in what a player is paid."""
        first = len(self.shares)
        for wave in _waves(self.form, player):
            begin, work = len(self.items), []
            for piece in wave:
                ends = len(self.ends), len(self.ends) + len(piece.ends)
                for number in piece.ends:
                    last = self.form.ends[number].last
                    own, other = (first_sequence(self.form, p, last[p]) for p in range(2))
                    self.ends.append((other, own) if player else (own, other))
                    self.factors.append(float(factors[number]))
                for number in piece.blocks:
                    block = self.form.tables[piece.table].blocks[number]
                    matrix = matrices[piece.table][number]
                    work += self._add_block(player, block, matrix, ends)
            self.shares.append(begin + dealt(work, self.workers))
        self.waves.append((first, len(self.shares)))

    def _add_block(
        self, player: int, block: Block, matrix: Floats, ends: tuple[int, int]
    ) -> list[int]:
        """Cut a block into items; how much work each is."""
        own = -matrix.T if player else matrix
        rows, columns = (block.columns, block.rows) if player else (block.rows, block.columns)
        height, width = own.shape
        if not own.size or ends[0] == ends[1]:
            return []
        listed, start = self._list(columns)
        at_once = max(GATHERED // max(width, TALLEST), 1)
        count = min(at_once, ends[1] - ends[0])
        panels = -(-height // TALLEST)
        cuts = [height * k // panels for k in range(panels + 1)]
        work = []
        for low, high in pairwise(cuts):
            tall = high - low
            at, first = self._list(rows[low:high])
            shape = (self._entries + low * width, tall, width)
            self.items.append((*ends, at_once, *shape, at, listed, first, start))
            self.room = max(self.room, count * max(width, tall))
            work.append((ends[1] - ends[0]) * (tall * width + MOVED * (tall + width)))
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
    ends: list[int]


def _waves(form: PublicForm, player: int) -> list[list[_Piece]]:
    """Pieces of tables, those together that pay a player for different choices."""
    ends: list[list[int]] = [[] for _ in form.tables]
    for number, end in enumerate(form.ends):
        ends[end.table].append(number)
    waves: list[list[_Piece]] = []
    paid: dict[tuple[int, int], int] = {}  # [last choice] the next wave that may pay for it
    for number, own in enumerate(ends):
        for blocks in _apart(form, number, player):
            keys = {form.ends[end].last[player] for end in own}
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
