"""Square sparse systems of integers, solved exactly from a float factorization.

Let K z = b with integers in K and b. A float factorization of K gives z to some ten digits. Take
those, as integers d over a power of two, and compute what is left over *exactly*:

    d = round(2^k K^-1 r),   r <- 2^k r - K d,   z = sum of d_i / 2^(k i)

The residual r stays as small as it was, since d is off by little more than a rounding, so that
every round adds k binary digits of the true solution, for the price of one float solve and one
product of a sparse integer matrix with a vector of machine integers. After some rounds the solution
is known to so many digits that its common denominator shows (continued fractions), and a last exact
product K z = b proves the guess.

Sources: J. H. Wilkinson's iterative refinement; Z. Wan, *An algorithm to solve integer linear
systems exactly using numerical methods*, 2006; D. Steffy, *Exact solutions to linear systems of
equations using output sensitive lifting*, 2010.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from math import frexp
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import PIECE, look
from infoset.linear.numbers import BEYOND_FLOATS, ROOM, Array, Numbers, bound, fitted
from infoset.linear.sparse import Sparse, integer_product

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

DIGITS = 40  # binary digits asked of one float solve at first
FEWER = 4  # by how many that is lowered where floats are not as good
FEWEST_DIGITS = 4  # below this the factorization says nothing
FIRST_LOOK = 120  # binary digits at which a common denominator is first looked for
SCALINGS = 6  # rounds of bringing rows and columns to one size
SPARE = 8  # digits known beyond those that a denominator needs, against guesses by chance


@dataclass
class Budget:
    """How far exact arithmetic may go: binary digits, seconds from now, and until it is told."""

    digits: int = 1 << 16
    seconds: float = 1e9
    stop: Callable[[], bool] | None = None
    began: float = field(default_factory=time.perf_counter)

    @property
    def spent(self) -> bool:
        """Is the time over?"""
        late = time.perf_counter() - self.began > self.seconds
        return late or (self.stop is not None and self.stop())


@dataclass(frozen=True, eq=False)
class System:
    """A square integer matrix with its float factorization."""

    matrix: Sparse
    factors: Any  # SuperLU of row_unit * matrix * column_unit
    row_unit: Floats  # powers of two: they cost no digit
    column_unit: Floats

    @classmethod
    def part(cls, matrix: Sparse, rows: Longs, columns: Longs) -> System | None:
        """Some rows and as many columns of a matrix; None if that is singular to floats."""
        row_at = np.full(matrix.shape[0], -1, np.int64)
        column_at = np.full(matrix.shape[1], -1, np.int64)
        row_at[rows], column_at[columns] = np.arange(len(rows)), np.arange(len(columns))
        kept = np.flatnonzero((row_at[matrix.rows] >= 0) & (column_at[matrix.columns] >= 0))
        square = Sparse(
            row_at[matrix.rows[kept]],
            column_at[matrix.columns[kept]],
            Numbers(fitted(matrix.entries.numerators[kept])),
            (len(rows), len(rows)),
        )
        return cls.of(square)

    @classmethod
    def of(cls, square: Sparse) -> System | None:
        """Factorize; None if the matrix is singular to floats, or beyond them."""
        from scipy.sparse import csc_array
        from scipy.sparse.linalg import splu

        if not square.shape[0]:
            return cls(square, None, np.ones(0), np.ones(0))
        if bound(square.entries.numerators) >= BEYOND_FLOATS:
            return None
        values = square.entries.floats
        row_unit, column_unit = equilibrated(square.rows, square.columns, values, square.shape)
        scaled = values * row_unit[square.rows] * column_unit[square.columns]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                factors = splu(csc_array((scaled, (square.rows, square.columns)), square.shape))
            except RuntimeError:  # exactly singular
                return None
        return cls(square, factors, row_unit, column_unit)

    def solve(self, side: Array, budget: Budget) -> Numbers | None:
        """The exact z with K z = side; None if it cannot be found within the budget."""
        return _lifted(self, side, budget, False)

    def solve_transposed(self, side: Array, budget: Budget) -> Numbers | None:
        """The exact z with K'z = side."""
        return _lifted(self, side, budget, True)

    def approximate(self, side: Floats, transposed: bool) -> Floats:
        """K^-1 side in floats."""
        if transposed:
            return np.asarray(
                self.row_unit * self.factors.solve(self.column_unit * side, "T"), np.float64
            )
        return np.asarray(self.column_unit * self.factors.solve(self.row_unit * side), np.float64)


def equilibrated(
    rows: Longs, columns: Longs, values: Floats, shape: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Powers of two for rows and columns that bring the entries near to one.

    Each line is divided by the geometric mean of its largest and smallest entry, in turns. Where
    all entries are of one size already, nothing is changed.
    """
    row_unit, column_unit = np.zeros(shape[0]), np.zeros(shape[1])  # exponents
    size = np.abs(values)
    if not len(size) or size.max() < 1e4 * size.min():
        return np.ones(shape[0]), np.ones(shape[1])
    exponent = np.log2(size)
    for _ in range(SCALINGS):
        for at, unit in ((rows, row_unit), (columns, column_unit)):
            scaled = exponent + row_unit[rows] + column_unit[columns]
            high, low = np.full(len(unit), -np.inf), np.full(len(unit), np.inf)
            np.maximum.at(high, at, scaled)
            np.minimum.at(low, at, scaled)
            unit -= np.where(np.isfinite(high), np.round((high + low) / 2), 0.0)
    return np.exp2(row_unit), np.exp2(column_unit)


def _lifted(system: System, side: Array, budget: Budget, transposed: bool) -> Numbers | None:
    if not len(side):
        return Numbers(np.zeros(0, np.int64))
    if bound(side) >= BEYOND_FLOATS:
        return None
    lift = _Lift(system, side, transposed)
    following = FIRST_LOOK
    while lift.digits < budget.digits and not budget.spent:
        look()
        if not lift.step():
            return None
        if lift.done:
            return Numbers(fitted(lift.found), 1 << lift.digits).lowest()
        if lift.digits >= following:
            following = lift.digits * 3 // 2
            guess = common_denominator(lift.found, lift.digits, lift.doubt())
            if guess is not None and lift.solves(guess, side):
                return guess
    return None


class _Lift:
    """A solution in the making: ``found / 2^digits``, and the exact residual."""

    def __init__(self, system: System, side: Array, transposed: bool) -> None:
        self.system = system
        self.transposed = transposed
        matrix = system.matrix
        self.rows, self.columns = matrix.rows, matrix.columns
        if transposed:
            self.rows, self.columns = self.columns, self.rows
        self.values = matrix.entries.numerators
        self.residual = fitted(np.asarray(side, object))
        self.found: Array = np.zeros(len(side), object)
        self.digits = 0
        self.step_digits = DIGITS

    @property
    def done(self) -> bool:
        """Nothing is left over: the solution is a binary fraction."""
        return not self.residual.any()

    def step(self) -> bool:
        """Add some digits; false if the factorization is too poor to add any.

        Rounding leaves a residual of about the row sums of K. If more is left over, the floats were
        worse than the digits asked of them, and fewer are asked from then on.
        """
        most = max(bound(self.residual), 2 * self._rounding())
        while self.step_digits >= FEWEST_DIGITS:
            digits = self.step_digits
            part = self._digits_of(digits)
            if part is None:
                return False
            left = _shifted(self.residual, digits) - self._times(part)
            if bound(left) <= most:
                self.residual = fitted(left) if left.dtype == object else left
                self.found = (self.found << digits) + part
                self.digits += digits
                return True
            self.step_digits -= FEWER
        return False

    def _rounding(self) -> int:
        if not hasattr(self, "_most"):
            ones = np.ones(len(self.found), np.int64)
            self._most = bound(self._times(ones, np.abs(self.values))) + 1
        return self._most

    def _digits_of(self, digits: int) -> Array | None:
        """round(2^digits K^-1 residual), as integers."""
        size = bound(self.residual)
        shift = max(0, size.bit_length() - 1000)
        floats = (
            self.residual.astype(np.float64)
            if not shift
            else np.array([float(r >> shift) for r in self.residual])
        )
        solution = self.system.approximate(floats, self.transposed)
        if not np.isfinite(solution).all():
            return None
        largest = float(np.abs(solution).max(initial=0.0))
        if not shift and largest < 2.0 ** (62 - digits):
            return np.rint(np.ldexp(solution, digits)).astype(np.int64)
        return fitted([_rounded(value, digits + shift) for value in solution.tolist()])

    def doubt(self) -> int:
        """How many of the last digits may be wrong: the size of what the residual still adds."""
        rest = self.system.approximate(self.residual.astype(np.float64), self.transposed)
        return int(np.log2(1 + np.abs(rest).max(initial=0.0))) + 4

    def _times(self, vector: Array, values: Array | None = None) -> Array:
        entries = self.values if values is None else values
        return integer_product(self.rows, self.columns, entries, vector, len(self.found))

    def solves(self, guess: Numbers, side: Array) -> bool:
        """Does the guess satisfy the system, exactly?"""
        left = self._times(guess.numerators)
        right = np.asarray(side, object) * guess.denominator
        return bool((left == right).all())


def _shifted(integers: Array, digits: int) -> Array:
    if integers.dtype == np.int64 and bound(integers) << digits >= ROOM:
        integers = integers.astype(object)
    return np.asarray(integers << digits)


def _rounded(value: float, digits: int) -> int:
    """round(value * 2^digits), however large."""
    mantissa, exponent = frexp(value)
    whole, shift = int(mantissa * (1 << 53)), exponent - 53 + digits
    return whole << shift if shift >= 0 else (whole + (1 << -shift - 1)) >> -shift


def common_denominator(found: Array, digits: int, doubt: int) -> Numbers | None:
    """Rationals near ``found / 2^digits`` with a small common denominator, or None.

    The last ``doubt`` digits are not to be trusted. Entries are gone through one by one: most are
    whole numbers over the denominator found so far; the others go into continued fractions.
    """
    room = (digits - doubt) // 2 - SPARE
    if room <= 0:
        return None
    under, whole = 1, 1 << digits
    half, most = whole >> 1, 1 << room
    numerators: list[int] = []
    for at, entry in enumerate(found.tolist()):
        if not at % PIECE:
            look()
        over = entry * under
        nearest = (over + half) >> digits
        if abs(over - (nearest << digits)) >> doubt >= under:
            extra = _best_denominator(over, whole, most // under)
            if extra is None:
                return None
            numerators = [over * extra for over in numerators]
            under *= extra
            over *= extra
            nearest = (over + half) >> digits
            if abs(over - (nearest << digits)) >> doubt >= under:
                return None
        numerators.append(nearest)
    return Numbers(fitted(numerators), under)


def _best_denominator(over: int, under: int, most: int) -> int | None:
    """The denominator of the last convergent of over/under with a denominator of at most this."""
    before, now = 0, 1
    rest, divisor = under, over % under
    while divisor:
        step = rest // divisor
        following = before + step * now
        if following > most:
            break
        before, now = now, following
        rest, divisor = divisor, rest - step * divisor
    return now if 1 < now <= most else None
