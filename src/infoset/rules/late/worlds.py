"""All that nature may have done, row by row: the worlds that one run of the rules stands for.

A *field* has one row for every way in which nature's moves so far may have come out. The next move
makes a new field below it: a row for each row that was still possible and each outcome there, side
by side, in the order of the outcomes. *Worlds* are the rows that a run still deals with. The same
worlds are always the same object, so that whatever was once found out about them is looked up.

A field that is folded keeps one row of each class of rows that differ by a permutation of suits
(:mod:`infoset.rules.late.symmetry`), and how many rows it stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

ROOM = 1 << 62  # what int64 arithmetic may reach; rules know nothing of infoset.linear


class Field:
    """Rows of outcomes of nature's moves."""

    __slots__ = ("_rows_above", "above", "depth", "outcome", "stands_for", "under", "up", "weight")

    def __init__(
        self, up: Field | None, above: Ints, outcome: Ints, weight: Any, under: int, stands_for: Any
    ) -> None:
        """``weight / under`` is nature's probability of a row that stands for itself alone."""
        self.up = up
        self.above = above  # [row] the row of the field above that it goes on from
        self.outcome = outcome  # [row] which outcome of nature's last move
        self.weight = weight  # [row] int64, or Python's integers where these do not suffice
        self.under = under
        self.stands_for = stands_for  # [row] rows of the whole game
        self.depth: int = 0 if up is None else up.depth + 1
        self._rows_above: dict[Field, Ints] = {}

    def __len__(self) -> int:
        return len(self.above)

    def rows_in(self, field: Field) -> Ints | None:
        """[row] the row of a field above that it comes from; None if that is this field itself."""
        if field is self:
            return None
        found = self._rows_above.get(field)
        if found is None:
            found, up = self.above, self.up
            while up is not field:  # step by step: nature may have moved very often
                assert up is not None
                found, up = up.above[found], up.up
            self._rows_above[field] = found
        return found


def first_field() -> Field:
    """One row: nature has not moved."""
    one = np.ones(1, np.int64)
    return Field(None, np.zeros(1, np.int32), np.zeros(1, np.int32), one, 1, one)


class Worlds:
    """Some rows of a field, in increasing order."""

    __slots__ = ("_inside", "_places", "_stands_for", "field", "rows", "splits")

    def __init__(self, field: Field, rows: Ints | None = None) -> None:
        """These rows, or all."""
        self.field = field
        self.rows = np.arange(len(field), dtype=np.int32) if rows is None else rows
        self.splits: dict[Any, Any] = {}  # what was made of these worlds before
        self._stands_for = -1  # not counted yet
        self._inside: dict[Field, Ints] = {}
        self._places: dict[Worlds, Ints] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def stands_for(self) -> int:
        """How many rows of the whole game these are."""
        if self._stands_for < 0:
            self._stands_for = int(self.field.stands_for[self.rows].sum())
        return self._stands_for

    def along(self, field: Field) -> Ints:
        """[place] the rows of a field above that these come from, in their order."""
        above = self.field.rows_in(field)
        return self.rows if above is None else above[self.rows]

    def inside(self, field: Field) -> Ints:
        """The rows of a field above that these come from, each once."""
        if field is self.field:
            return self.rows
        found = self._inside.get(field)
        if found is None:
            there = np.zeros(len(field), bool)
            there[self.along(field)] = True
            found = self._inside[field] = np.flatnonzero(there).astype(np.int32)
        return found

    def places_in(self, other: Worlds) -> Ints:
        """[place] where each of these, or what it comes from, stands among other worlds."""
        found = self._places.get(other)
        if found is None:
            found = np.searchsorted(other.rows, self.along(other.field)).astype(np.int32)
            self._places[other] = found
        return found


def times(weights: Any, factors: Any) -> Any:
    """Products of whole numbers, entry by entry, without overflow."""
    if weights.dtype == object or factors.dtype == object:
        return weights.astype(object) * factors.astype(object)
    if not len(weights) or int(weights.max()) * int(factors.max(initial=0)) < ROOM:
        return weights * factors
    return weights.astype(object) * factors.astype(object)
