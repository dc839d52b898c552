"""Complementary pivoting, on tableaus of integers or floats.

*Tableaus.* Rows are basic variables, columns nonbasic ones and the right-hand side:
basic = right-hand side + matrix · nonbasic. Variables are numbers, by custom w = 0..N−1,
z = N..2N−1, then extra ones without a partner: a covering variable t is an extra column, and a
bound on it an extra row, slack = 1 − t. A pivot solves one row for one nonbasic variable and
substitutes that in the other rows. Integers are
kept over one common denominator (Edmonds 1967, Bareiss 1968); floats go through a compiled kernel.

*Paths.* A linear complementarity problem asks for w, z ≥ 0 with w = q + M z and w_i z_i = 0 for
each i. Lemke's method and the Lemke–Howson method both walk along edges of the polyhedron on which
every pair but one is complementary:

1. A nonbasic variable enters: it grows from zero, and the basic variables change with it.
2. The first basic variable to fall to zero leaves (the ratio test). If none does, it is a ray.
3. If it is one of those that end the path, the point is complementary. Otherwise its partner
   (z_i for w_i, w_i for z_i) enters next, since no other one keeps the pairs complementary.

They differ in the variable that enters first and in those that end the path: Lemke–Howson starts
with z_k on w = 1 − [[0, A], [Bᵀ, 0]] z and ends when w_k or z_k leaves; Lemke starts from the basis
that :func:`cover` makes and ends when the covering variable leaves.

**Ties.** When several variables fall to zero together, a careless choice may cycle.
The lexicographic rule chooses as if the right-hand side were q + (ε, ε², ...) for a tiny ε > 0, the
powers given to the rows as they stand where the path begins. The coefficients of ε^i are the column
of B⁻¹ for the i-th of those rows' variables: minus its column in the tableau while it is nonbasic,
a unit vector while it is basic. No two rows tie then, no basis returns, and every path ends.
Starting each path with its own powers asks of the start no more than a right-hand side ≥ 0.

Sources: Lemke 1965; Lemke and Howson 1964; Cottle, Pang and Stone 1992, §4.4 and §4.9; Dantzig,
Orden and Wolfe 1955 for the lexicographic rule; Edmonds 1967 and Bareiss 1968 for integer pivots.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import TableauError, TooLarge

if TYPE_CHECKING:
    from flint import fmpz

Number = TypeVar("Number", Fraction, float)
Matrix = Sequence[Sequence[Any]] | npt.NDArray[Any]
Vector = Sequence[Any] | npt.NDArray[Any]

ROOM = 8 << 30  # bytes that a tableau may take, with what it is made from
ALONE = -1  # the partner of a variable that has none
SMALL = 1e-10  # a column's entries below this part of its largest count as zero
TIED = 1e-10  # so do right-hand sides, next to the largest
STURDY = 1e-6  # of tied pivot elements, those below this part of the largest are passed over


def check_room(pairs: int, what: str, entry: int = 8) -> None:
    """Refuse a tableau of this many pairs if it would not fit; said before it is laid out."""
    needed = 2 * entry * (pairs + 1) ** 2  # itself, and what it is made from
    if needed > ROOM:
        raise TooLarge(
            f"{what}: pivoting on {pairs:,} pairs takes {needed / 2**30:,.1f} GiB, more than"
            f" {ROOM / 2**30:.0f}; take a smaller game"
        )


def partners(pairs: int, extra: int = 0) -> npt.NDArray[np.int64]:
    """The partner of each variable: w_i of z_i, z_i of w_i, and none of the extra ones.

    >>> partners(2, extra=1)
    array([ 2,  3,  0,  1, -1])
    """
    first = np.arange(pairs)
    return np.concatenate([first + pairs, first, np.full(extra, ALONE)])


class Tableau(ABC, Generic[Number]):
    """basic = right-hand side + matrix · nonbasic, and the names (numbers) of its variables."""

    _dtype: type

    def __init__(
        self, matrix: Matrix, rhs: Vector, rows: Vector, columns: Vector, partner: Vector
    ) -> None:
        self.rows = np.array(rows, np.int64)
        self.columns = np.array(columns, np.int64)
        self.partner = np.array(partner, np.int64)
        given: npt.NDArray[Any] = np.array(matrix, self._dtype)
        constants: npt.NDArray[Any] = np.array(rhs, self._dtype)
        shape = (len(self.rows), len(self.columns))
        if given.shape != shape or constants.shape != shape[:1]:
            found = f"a matrix of shape {given.shape}, right-hand side {constants.shape}"
            raise TableauError(f"{found}: {shape} and {shape[:1]} fit the variables given")
        self._check_names()
        self._load(np.column_stack([given, constants]))

    def _check_names(self) -> None:
        names, known = np.sort(np.concatenate([self.rows, self.columns])), len(self.partner)
        if not np.array_equal(names, np.arange(known)):
            raise TableauError(f"variables {names.tolist()}: use each of 0..{known - 1} once")
        for variable, other in enumerate(self.partner.tolist()):
            if other != ALONE and not (0 <= other < known and self.partner[other] == variable):
                raise TableauError(f"partner[{variable}] is {other}, but not the other way round")
        self._place = np.empty(known, np.int64)  # a row, or ~column
        self._place[self.rows] = np.arange(len(self.rows))
        self._place[self.columns] = ~np.arange(len(self.columns))

    @property
    def basis(self) -> tuple[int, ...]:
        """The basic variables, by row."""
        return tuple(self.rows.tolist())

    def place(self, variable: int) -> int:
        """The row of a basic variable, ~column (a negative number) of a nonbasic one."""
        return int(self._place[variable])

    def column_of(self, variable: int) -> int:
        """The column of a variable that is to enter."""
        if not 0 <= variable < len(self._place) or self._place[variable] >= 0:
            raise TableauError(f"variable {variable} cannot enter: choose one of {self.columns}")
        return int(~self._place[variable])

    def exchange(self, row: int, column: int) -> int:
        """Pivot: the column's variable enters, the row's leaves; returns the one that left."""
        self._pivot(row, column)
        entering, leaving = self.columns[column], self.rows[row]
        self.rows[row], self.columns[column] = entering, leaving
        self._place[entering], self._place[leaving] = row, ~column
        return int(leaving)

    def value(self, row: int) -> Number:
        """The value of a row's variable."""
        return self.entry(row, len(self.columns))

    @abstractmethod
    def _load(self, table: npt.NDArray[Any]) -> None:
        """Keep the matrix, with the right-hand side as its last column."""

    @abstractmethod
    def entry(self, row: int, column: int) -> Number:
        """An entry of the matrix or, in the last column, of the right-hand side."""

    @abstractmethod
    def negative(self) -> list[int]:
        """The rows whose right-hand side is negative."""

    @abstractmethod
    def tied(self, column: int) -> list[int]:
        """The rows that fall to zero first as the column's variable grows; [] on a ray."""

    @abstractmethod
    def narrow(self, rows: list[int], column: int, power: int) -> list[int]:
        """Those of the tied rows for which entry[power] / entry[column] is least."""

    @abstractmethod
    def _pivot(self, row: int, column: int) -> None:
        """Replace the entries by those after the exchange."""


class ExactTableau(Tableau[Fraction]):
    """A tableau of rationals, kept as integers over one denominator.

    Each row is first multiplied by the least common denominator of its entries. From then on every
    entry is a minor of the first matrix, over the minor that is the basis's determinant; so the
    division by the previous determinant in each pivot leaves no remainder (Edmonds, Bareiss), and
    numbers never grow beyond Hadamard's bound. Whole-matrix operations of FLINT do the pivot: for
    60 pairs 0.6 ms, against 1.3 ms with arrays of Python's integers.

    >>> from infoset.linear.pivoting import follow, values
    >>> tableau = ExactTableau([[-2]], [1], rows=[0], columns=[1], partner=partners(1))
    >>> follow(tableau, entering=1, ends={0}).pivots, values(tableau)
    (1, {1: Fraction(1, 2)})
    """

    _dtype = object

    def _load(self, table: npt.NDArray[Any]) -> None:
        from flint import fmpz, fmpz_mat  # loading it takes longer than many a game

        self._scale = [1] * len(self.partner)
        self._table = fmpz_mat(*table.shape)
        for row, variable in enumerate(self.basis):
            look()
            line = [_rational(number) for number in table[row]]
            self._scale[variable] = scale = lcm(*(number.denominator for number in line))
            for column, number in enumerate(line):
                self._table[row, column] = int(number * scale)
        self._determinant = fmpz(1)

    def _line(self, column: int) -> list[fmpz]:
        return [self._table[row, column] for row in range(len(self.rows))]

    def entry(self, row: int, column: int) -> Fraction:
        """An entry, of the row as it was scaled."""
        return Fraction(int(self._table[row, column]), int(self._determinant))

    def value(self, row: int) -> Fraction:
        """The value of a row's variable, as it was given."""
        return super().value(row) / self._scale[int(self.rows[row])]

    def negative(self) -> list[int]:
        """The rows whose right-hand side is negative."""
        return [row for row, number in enumerate(self._line(len(self.columns))) if number < 0]

    def tied(self, column: int) -> list[int]:
        """The rows that fall to zero first; scaling a row changes no ratio."""
        entries, rhs = self._line(column), self._line(len(self.columns))
        falling = [row for row, entry in enumerate(entries) if entry < 0]
        return _least([(rhs[row], -entries[row], row) for row in falling])

    def narrow(self, rows: list[int], column: int, power: int) -> list[int]:
        """Those of the tied rows whose perturbation by this power of ε is the least ratio."""
        table = self._table
        return _least([(-table[row, power], -table[row, column], row) for row in rows])

    def _pivot(self, row: int, column: int) -> None:
        """One rank-one update; the changes to its two factors make row and column come out right.

        With p the pivot element, d the old determinant and s the sign of p, the new entries over
        the new determinant |p| are (|p| T[i, j] − s T[i, c] T[r, j]) / d, but s T[i, c] in column
        c, −s T[r, j] in row r, and s d where they meet.
        """
        element, old = self._table[row, column], self._determinant
        sign = 1 if element > 0 else -1
        down = self._line(column)
        across = [-sign * self._table[row, j] for j in range(len(self.columns) + 1)]
        down[row] = element + old
        across[column] = sign * old - abs(element)
        matrix = type(self._table)
        update = matrix(len(down), 1, down) * matrix(1, len(across), across)
        self._table = (abs(element) * self._table + update) / old  # FLINT refuses a remainder
        self._determinant = abs(element)


def _rational(number: Any) -> Fraction:
    if isinstance(number, float | np.floating):
        raise TableauError(f"{number!r} in an exact tableau: give an int or a Fraction")
    return Fraction(number) if isinstance(number, Fraction) else Fraction(int(number))


def _least(ratios: list[tuple[fmpz, fmpz, int]]) -> list[int]:
    """The rows of the least (numerator, denominator > 0, row); by cross-multiplication."""
    best = ratios[:1]
    for ratio in ratios[1:]:
        difference = ratio[0] * best[0][1] - best[0][0] * ratio[1]
        if difference < 0:
            best = [ratio]
        elif difference == 0:
            best.append(ratio)
    return [row for _, _, row in best]


class FloatTableau(Tableau[float]):
    """A tableau of floats; its numbers should be scaled to be about one.

    Rows tie when the step leaves them below ``TIED`` of the largest right-hand side; entries of the
    entering column below ``SMALL`` of its largest are taken for zero. A pivot costs about 2 ms
    for 2,000 pairs. The basis at the end is what can be trusted; the values carry rounding errors.

    >>> from infoset.linear.pivoting import follow, values
    >>> tableau = FloatTableau([[-2.0]], [1.0], rows=[0], columns=[1], partner=partners(1))
    >>> follow(tableau, entering=1, ends={0}).pivots, values(tableau)
    (1, {1: 0.5})
    """

    _dtype = float

    def _load(self, table: npt.NDArray[Any]) -> None:
        from infoset.kernels.pivot import pivot  # here, since numba takes its time to load

        self._table: npt.NDArray[np.float64] = np.ascontiguousarray(table)
        self._kernel = pivot

    def entry(self, row: int, column: int) -> float:
        """An entry of the matrix or, in the last column, of the right-hand side."""
        return float(self._table[row, column])

    def negative(self) -> list[int]:
        """The rows whose right-hand side is negative beyond rounding."""
        rhs = self._table[:, -1]
        return [int(row) for row in np.flatnonzero(rhs < -TIED * np.abs(rhs).max(initial=0))]

    def tied(self, column: int) -> list[int]:
        """The rows that fall to zero first, without those whose pivot element is tiny."""
        slopes, rhs = -self._table[:, column], self._table[:, -1]
        falling = np.flatnonzero(slopes > SMALL * np.abs(slopes).max(initial=0))
        if not len(falling):
            return []
        slopes, heights = slopes[falling], np.maximum(rhs[falling], 0)
        step = (heights / slopes).min()
        close = heights - step * slopes <= TIED * np.abs(rhs).max()
        sturdy = slopes >= STURDY * slopes[close].max()
        return [int(row) for row in falling[close & sturdy]]

    def narrow(self, rows: list[int], column: int, power: int) -> list[int]:
        """Those of the tied rows whose perturbation is the least ratio, up to rounding."""
        ratios = self._table[rows, power] / self._table[rows, column]
        close = ratios <= ratios.min() + TIED * (1 + np.abs(ratios).max())
        return [row for row, kept in zip(rows, close, strict=True) if kept]

    def _pivot(self, row: int, column: int) -> None:
        self._kernel(self._table, row, column)


__all__ = [
    "ALONE",
    "ExactTableau",
    "FloatTableau",
    "Path",
    "Status",
    "Tableau",
    "TableauError",
    "cover",
    "follow",
    "partners",
    "values",
]

Rule = Literal["lexicographic", "first"]


class Status(Enum):
    """How a path ended."""

    FOUND = "found"  # one of the variables that end it left
    RAY = "ray"  # nothing stopped the entering variable, or only a bound without a partner
    TOO_MANY = "too many pivots"
    CYCLE = "cycle"  # only under the rule "first"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Path:
    """Where a path ended, after how many pivots."""

    status: Status
    pivots: int
    entering: int  # the last variable to enter or, where it could not, the one whose turn it was
    leaving: int  # the last variable to leave; ALONE if none did


def values(tableau: Tableau[Number]) -> dict[int, Number]:
    """The value of each basic variable; all others are zero.

    >>> from fractions import Fraction
    >>> values(ExactTableau([[3]], [Fraction(1, 2)], rows=[0], columns=[1], partner=partners(1)))
    {0: Fraction(1, 2)}
    """
    return {variable: tableau.value(row) for row, variable in enumerate(tableau.basis)}


def cover(tableau: Tableau[Any], variable: int) -> int:
    """Lemke's first step: raise a variable just until no right-hand side is negative.

    Returns the variable that left; its partner is the one to enter next. ``ALONE`` if there was
    nothing to do: the basis is a solution as it stands. The variable's entries in the negative
    rows must be positive.

    >>> tableau = ExactTableau([[2, 1]], [-1], rows=[0], columns=[1, 2], partner=partners(1, 1))
    >>> left = cover(tableau, 2)
    >>> follow(tableau, tableau.partner[left], ends={2}).status, values(tableau)
    (<Status.FOUND: 'found'>, {1: Fraction(1, 2)})
    """
    column, rows = tableau.column_of(variable), tableau.negative()
    constant = len(tableau.columns)
    for row in rows:
        if tableau.entry(row, column) <= 0:
            name = tableau.rows[row]
            raise TableauError(f"variable {variable} does not raise variable {name}: cover it too")
    if not rows:
        return ALONE
    last = max(rows, key=lambda row: -tableau.entry(row, constant) / tableau.entry(row, column))
    return tableau.exchange(last, column)


def follow(
    tableau: Tableau[Any],
    entering: int,
    ends: Collection[int],
    *,
    rule: Rule = "lexicographic",
    most: int = 1_000_000,
    tick: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
    every: int = 16,
) -> Path:
    """Pivot along the path that starts with a variable entering, until one of ``ends`` leaves.

    The tableau is changed in place; its right-hand side must start out ≥ 0. A variable without a
    partner that is not in ``ends`` stops the path too: it bounds a ray. Before the first pivot and
    then before each ``every``-th one, ``tick`` hears the number of pivots, and ``stop`` is asked.
    The rule "first" takes the first of tied rows; it may cycle, which is noticed.

    >>> matrix = [[0, 0, -3, -1], [0, 0, -1, -2], [-2, -1, 0, 0], [-1, -3, 0, 0]]
    >>> tableau = ExactTableau(matrix, [1] * 4, range(4), range(4, 8), partners(4))
    >>> follow(tableau, entering=4, ends={0, 4})
    Path(status=<Status.FOUND: 'found'>, pivots=2, entering=6, leaving=0)
    """
    column = tableau.column_of(entering)
    if negative := tableau.negative():
        name, value = tableau.rows[negative[0]], tableau.value(negative[0])
        raise TableauError(f"variable {name} starts at {value}: make it ≥ 0, as cover() does")
    order, pivots, leaving = tableau.basis, 0, ALONE
    seen: set[tuple[bytes, int]] = set()
    status: Status | None = None
    while status is None:
        if pivots % every == 0 and _asked_to_stop(pivots, tick, stop):
            status = Status.STOPPED
        elif rule == "first" and _been_here(tableau, entering, seen):
            status = Status.CYCLE
        elif not (rows := tableau.tied(column)):
            status = Status.RAY
        elif pivots == most:
            status = Status.TOO_MANY
        else:
            leaving = tableau.exchange(_chosen(tableau, rows, column, ends, order, rule), column)
            pivots += 1
            if leaving in ends:
                status = Status.FOUND
            elif tableau.partner[leaving] == ALONE:
                status = Status.RAY
            else:
                entering = int(tableau.partner[leaving])
                column = tableau.column_of(entering)
    return Path(status, pivots, int(entering), leaving)


def _asked_to_stop(
    pivots: int, tick: Callable[[int], object] | None, stop: Callable[[], bool] | None
) -> bool:
    if tick is not None:
        tick(pivots)
    return stop is not None and stop()


def _been_here(tableau: Tableau[Any], entering: int, seen: set[tuple[bytes, int]]) -> bool:
    """Has the path passed here before? The rule "first" looks at nothing else, and would repeat."""
    state = (tableau.rows.tobytes(), entering)
    known = state in seen
    seen.add(state)
    return known


def _chosen(
    tableau: Tableau[Any],
    rows: list[int],
    column: int,
    ends: Collection[int],
    order: tuple[int, ...],
    rule: Rule,
) -> int:
    """The row to leave, of those tied."""
    for row in rows:
        # All tied variables are zero at the point that this pivot reaches, whichever of them
        # leaves. If one of the ends is among them, the point is a solution already; letting
        # another one leave would only hide that, and walk on from it.
        if tableau.rows[row] in ends:
            return row
    if rule == "first":
        return rows[0]
    for variable in order:
        if len(rows) == 1:
            break
        place = tableau.place(variable)
        if place < 0:
            rows = tableau.narrow(rows, column, ~place)
        else:  # a unit vector: of the tied rows, only its own moves up
            rows = [row for row in rows if row != place]
    return max(rows, key=lambda row: abs(tableau.entry(row, column)))  # floats may tie to the end


def maximize_row(
    tableau: Tableau[Any], goal: int, most: int, stop: Callable[[], bool] | None = None
) -> int | None:
    """Pivot until the variable of a row is as large as it can be: the simplex method.

    The right-hand side must be feasible, and the row's variable bounded. Of the variables that
    increase it the first enters, of those that tie the first leaves: so no basis is repeated
    (Bland 1977).

    Returns
    -------
    int or None
        The number of pivots; None if more than ``most`` were needed, or it was told to stop.
    """
    for pivots in range(most):
        raising = [at for at in range(len(tableau.columns)) if tableau.entry(goal, at) > 0]
        if not raising:
            return pivots
        if stop is not None and stop():
            return None
        entering = min(raising, key=lambda at: int(tableau.columns[at]))
        leaving = min(tableau.tied(entering), key=lambda row: int(tableau.rows[row]))
        tableau.exchange(leaving, entering)
    return None
