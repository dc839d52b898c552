"""Sparse matrices of exact numbers: coordinates, integer numerators, one denominator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Array, Index, Numbers, group_sums, multiplied

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Sparse:
    """A sparse matrix of rationals; entries in order of rows, then columns, none of them twice.

    >>> grid = Sparse.of({(0, 0): Fraction(1, 2), (1, 2): 3}, (2, 3))
    >>> grid[0, 0], grid[1, 1], grid.entries.values()
    (Fraction(1, 2), Fraction(0, 1), [Fraction(1, 2), Fraction(3, 1)])
    >>> grid.times(Numbers.of([1, 1, 2])).values()
    [Fraction(1, 2), Fraction(6, 1)]
    """

    rows: Longs
    columns: Longs
    entries: Numbers
    shape: tuple[int, int]

    @classmethod
    def of(cls, entries: dict[tuple[int, int], Any], shape: tuple[int, int]) -> Sparse:
        """From entries by row and column."""
        places = sorted(entries)
        rows = np.array([row for row, _ in places], np.int64)
        columns = np.array([column for _, column in places], np.int64)
        return cls(rows, columns, Numbers.of(entries[place] for place in places), shape)

    @classmethod
    def summed(
        cls, rows: Index, columns: Index, entries: Numbers, shape: tuple[int, int]
    ) -> Sparse:
        """From entries of which several may share a place; what comes to zero is left out."""
        key = rows.astype(np.int64) * shape[1] + columns
        places, group = np.unique(key, return_inverse=True)
        total = entries.group_sums(group, len(places))
        kept = np.flatnonzero(total.numerators)
        places = places[kept]
        return cls(places // shape[1], places % shape[1], total.take(kept), shape)

    def __len__(self) -> int:
        """How many entries are not zero."""
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<{self.shape[0]:,} × {self.shape[1]:,} matrix, {len(self):,} entries>"

    def __getitem__(self, place: tuple[int, int]) -> Any:
        """One entry."""
        row, column = (range(size)[at] for at, size in zip(place, self.shape, strict=True))
        key = self.rows * self.shape[1] + self.columns
        at = int(np.searchsorted(key, row * self.shape[1] + column))
        if at < len(key) and key[at] == row * self.shape[1] + column:
            return self.entries[at]
        return Fraction(0)

    def __iter__(self) -> Iterator[tuple[int, int, Any]]:
        """Row, column and entry, of those that are not zero."""
        return zip(self.rows.tolist(), self.columns.tolist(), self.entries.values(), strict=True)

    @property
    def transposed(self) -> Sparse:
        """Rows as columns."""
        order = np.lexsort((self.rows, self.columns))
        return Sparse(
            self.columns[order], self.rows[order], self.entries.take(order), self.shape[::-1]
        )

    def times(self, vector: Numbers) -> Numbers:
        """The matrix times a column of numbers."""
        terms = self.entries.times(vector.take(self.columns))
        return terms.group_sums(self.rows, self.shape[0])

    @cached_property
    def floats(self) -> csr_array:
        """For fast arithmetic: scipy's compressed rows."""
        from scipy.sparse import csr_array

        start = np.zeros(self.shape[0] + 1, np.int32)
        np.cumsum(np.bincount(self.rows, minlength=self.shape[0]), out=start[1:])
        return csr_array((self.entries.floats, self.columns.astype(np.int32), start), self.shape)

    def dense(self) -> list[list[Any]]:
        """All entries, zeros too, row by row."""
        grid = [[Fraction(0)] * self.shape[1] for _ in range(self.shape[0])]
        for row, column, entry in self:
            grid[row][column] = entry
        return grid


def integer_product(rows: Index, columns: Index, values: Array, vector: Array, count: int) -> Array:
    """A matrix of integers times a vector of integers, without overflow."""
    return group_sums(multiplied(values, vector[columns]), rows, count)
