"""Numbers, matrix games and programs of a search: in floats or exact, counted and timed alike.

In floats these are the kernels that a compiled search calls. Where the least l and the most h that
may be paid are known, floats count from the middle, in halves of what can be won: an amount v is
(2v − l − h) / (h − l), between −1 and 1, however large or small payoffs are. ``tie`` is how far
apart two floats may be and still count as equal; exact numbers are equal or they are not. What can
be said of a program by looking at it is no program: a floor that no row reaches, or a row that aims
highest and keeps to every floor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from time import perf_counter
from typing import Any, NamedTuple

from infoset.rules.exact import exact as rational
from infoset.search.matrix import bounded_mixture, solve_matrix_game
from infoset.search.result import Number

TIE = 1e-11  # of what can be won: floats that differ by less are taken as equal
Shares = tuple[Number, ...]


class Played(NamedTuple):
    """A matrix game's value, and what both sides do."""

    value: Any
    rows: Shares
    columns: Shares


class Tally:
    """How many matrix games and programs were solved, and what they took."""

    def __init__(self) -> None:
        self.matrices = self.saddles = self.programs = 0
        self.seconds = 0.0
        self.gap = 0.0  # the widest between what both sides' strategies guarantee
        self.widest = 1  # rows or columns of a matrix


class ExactNumbers:
    """Fractions, and answers that prove themselves."""

    is_exact = True

    def __init__(self) -> None:
        import infoset.kernels.matrix  # noqa: F401  # loaded before any clock starts

        self.tally = Tally()

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Nothing is to be measured: numbers are taken as they are."""

    def number(self, value: Any) -> Number:
        """A probability, or nothing at all."""
        return rational(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound of one."""
        return rational(value)

    def width(self, value: Any) -> Number:
        """The difference of two amounts."""
        return rational(value)

    def worth(self, amount: Any) -> Any:
        """What an amount stands for."""
        return amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> Played:
        """Solve a matrix game."""
        began = perf_counter()
        found = solve_matrix_game(matrix, exact=True)
        self.tally.seconds += perf_counter() - began
        self.tally.matrices += 1
        self.tally.saddles += found.saddle
        self.tally.programs += not found.saddle
        return Played(found.value, found.rows, found.columns)

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The most that a mixture of rows aims at above its floors; None if there is none."""
        if not table or any(max(row[j] for row in table) < floor for j, floor in enumerate(floors)):
            return None
        best = max(aims)
        for row, aim in zip(table, aims, strict=True):
            if aim == best and all(x >= floor for x, floor in zip(row, floors, strict=True)):
                return best
        began = perf_counter()
        found = bounded_mixture(table, floors, aims, exact=True)
        self.tally.seconds += perf_counter() - began
        self.tally.programs += 1
        return found


class FloatNumbers:
    """Floats, by the compiled kernels."""

    is_exact = False

    def __init__(self) -> None:
        self.tally = Tally()
        self.middle, self.half = Fraction(0), Fraction(1)
        self._size = 0
        self._grow(8)

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Count amounts from the middle between the least and the most, in halves of the span."""
        self.middle, self.half = (low + high) / 2, (high - low) / 2 or Fraction(1)

    def number(self, value: Any) -> Number:
        """A probability, or nothing at all."""
        return float(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound of one."""
        return float((rational(value) - self.middle) / self.half)

    def width(self, value: Any) -> Number:
        """The difference of two amounts."""
        return float(rational(value) / self.half)

    def worth(self, amount: Any) -> Any:
        """What an amount stands for."""
        return float(self.middle) + float(self.half) * amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> Played:
        """Solve a matrix game."""
        rows, columns = len(matrix), len(matrix[0])
        self._lay(matrix, rows, columns)
        before = int(self._counted[0])
        began = perf_counter()
        value = self._solve(
            self._table, rows, columns, self._floors, self._aims, self._work, self._counted
        )
        self.tally.seconds += perf_counter() - began
        self.tally.matrices += 1
        saddle = int(self._counted[0]) - before
        self.tally.saddles += saddle
        self.tally.programs += 1 - saddle
        if not saddle:
            apart = self._gap(self._table, rows, columns, self._floors, self._aims)
            self.tally.gap = max(self.tally.gap, float(apart))
        x, y = self._floors[:rows].tolist(), self._aims[:columns].tolist()
        return Played(float(value), tuple(x), tuple(y))

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The most that a mixture of rows aims at above its floors; None if there is none."""
        if not table:
            return None
        count, width = len(table), len(floors)
        self._lay(table, count, width)
        self._floors[:width] = floors
        self._aims[:count] = aims
        before = int(self._counted[1])
        began = perf_counter()
        found = self._bound(
            self._table, count, width, self._floors, self._aims, self._work, self._counted
        )
        self.tally.seconds += perf_counter() - began
        self.tally.programs += int(self._counted[1]) - before
        return None if found == float("-inf") else float(found)

    def _lay(self, table: Sequence[Sequence[Any]], rows: int, columns: int) -> None:
        if max(rows, columns) > self._size:
            self._grow(2 * max(rows, columns))
        if columns:
            self._table[:rows, :columns] = table

    def _grow(self, size: int) -> None:
        import numpy as np

        from infoset.kernels import matrix as kernels
        from infoset.kernels.mixtures import mixture_bound

        self._size = size
        self._table = np.zeros((size, size))
        self._floors, self._aims = np.zeros(size), np.zeros(size)
        self._work, self._counted = kernels.workspace(size), np.zeros(4, np.int64)
        self._solve, self._gap = kernels.solve_matrix, kernels.gap
        self._bound = mixture_bound


Arithmetic = ExactNumbers | FloatNumbers


def arithmetic(exact: bool) -> Arithmetic:
    """Exact numbers, or floats."""
    return ExactNumbers() if exact else FloatNumbers()


def shares(found: Sequence[Number], places: Sequence[int], whole: int) -> Shares:
    """The shares of some of the actions, 0 for the others.

    >>> shares((0.25, 0.75), (0, 2), 3)
    (0.25, 0, 0.75)
    """
    made: list[Number] = [0] * whole
    for share, place in zip(found, places, strict=True):
        made[place] = share
    return tuple(made)


def added(amounts: Iterable[Any]) -> Any:
    """The sum, one after the other: some versions of Python add floats in a way of their own."""
    whole: Any = 0
    for amount in amounts:
        whole += amount
    return whole
