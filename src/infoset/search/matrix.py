"""Matrix games, and mixtures with lower bounds: the linear programs at a node with two movers.

In floats these are the kernels that compiled searches call, so that a search in Python and a
compiled one agree to the last bit. Exact results are proved. For a matrix A and strategies x of the
row player, who maximizes, and y of the column player,

    min_j (xA)_j  ≤  value  ≤  max_i (Ay)_i ,

and where both sides are equal, they are the value. Floats find a basis: which rows are best
responses and which columns are in the support. Two square systems, solved in rationals, give x and
y, and both sides are compared. Where floats found a wrong basis, the Lemke–Howson method in
integers finds another (its equilibrium of the game A against −A is a pair of optimal strategies).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import InfosetError, NotProved, ParameterError
from infoset.linear.pivoting import ExactTableau, cover, follow, partners, values
from infoset.objects.numbers import exact as rational

Number = int | float | Fraction
Matrix = Sequence[Sequence[Number]] | npt.NDArray[Any]
Vector = Sequence[Number] | npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Fractions = list[list[Fraction]]

ZERO = Fraction(0)


class MatrixAnswer(NamedTuple):
    """The solution of a matrix game.

    Attributes
    ----------
    value : float or Fraction
        To the row player.
    rows, columns : tuple of numbers
        An optimal strategy of each player.
    saddle : bool
        Is a pair of pure strategies optimal?
    """

    value: float | Fraction
    rows: tuple[float | Fraction, ...]
    columns: tuple[float | Fraction, ...]
    saddle: bool


def solve_matrix_game(matrix: Matrix, exact: bool = False) -> MatrixAnswer:
    """The value and optimal strategies of a zero-sum matrix game.

    Parameters
    ----------
    matrix : sequence of rows, or array
        The payoffs of the row player, who maximizes.
    exact : bool, default False
        Compute in Fractions, and prove the result; a float in the matrix then means the decimal
        that it prints as. In floats the value is the midpoint between both players' guarantees,
        which differ by some 1e-14 of the range of payoffs.

    Returns
    -------
    MatrixAnswer
        Value, both strategies, and whether they are a saddle point; of several saddle points the
        first in the order of rows.

    Raises
    ------
    ParameterError
        If the matrix is empty, ragged or has entries that are not finite numbers.

    Examples
    --------
    >>> solve_matrix_game([[3, -1], [-2, 1]], exact=True)
    MatrixAnswer(value=Fraction(1, 7), rows=(Fraction(3, 7), Fraction(4, 7)),
                 columns=(Fraction(2, 7), Fraction(5, 7)), saddle=False)
    >>> solve_matrix_game([[6, 1, 0], [3, 3, 3], [0, 1, 6]])
    MatrixAnswer(value=3.0, rows=(0.0, 1.0, 0.0), columns=(0.0, 1.0, 0.0), saddle=True)
    """
    if exact:
        return _exact_game(_rationals(matrix))
    from infoset.kernels.matrix import solve_matrix
    from infoset.kernels.simplex import workspace

    given = _floats(matrix)
    rows, columns = given.shape
    x, y, tally = np.empty(rows), np.empty(columns), np.zeros(4, np.int64)
    value = solve_matrix(given, rows, columns, x, y, workspace(rows, columns), tally)
    return MatrixAnswer(value, tuple(x.tolist()), tuple(y.tolist()), bool(tally[0]))


def bounded_mixture(
    table: Matrix, floors: Vector, aims: Vector, exact: bool = False
) -> float | Fraction | None:
    """The largest objective of a mixture of rows whose columns have lower bounds.

    The mixture x of the table's rows has ``Σ_i x_i table[i][j] ≥ floors[j]`` for every j and
    maximizes ``Σ_i x_i aims[i]``; None if there is none. In floats, a bound missed by less than
    1e-11 of the largest distance between an entry and its bound counts as satisfied.

    >>> bounded_mixture([[6, 0], [0, 6]], floors=[2, 2], aims=[9, 0], exact=True)
    Fraction(6, 1)
    >>> bounded_mixture([[6, 0], [0, 6]], floors=[4, 4], aims=[9, 0]) is None
    True
    """
    if len(table) != len(aims):
        raise ParameterError(f"{len(table)} rows and {len(aims)} aims; give one aim for each row")
    for i, row in enumerate(table):
        if len(row) != len(floors):
            raise ParameterError(
                f"row {i} has {len(row)} entries for {len(floors)} floors; give one for each"
            )
    if not len(table):
        return None
    if exact:
        aim = _rationals([aims])[0]
        if not len(floors):
            return max(aim)
        return _exact_mixture(_rationals(table), _rationals([floors])[0], aim)
    from infoset.kernels.matrix import mixture_bound
    from infoset.kernels.simplex import workspace

    count, width = len(table), len(floors)
    given = _floats(table) if width else np.empty((count, 0))
    floor = _floats([floors])[0] if width else np.empty(0)
    work, tally = workspace(count, width), np.zeros(4, np.int64)
    bound = mixture_bound(given, count, width, floor, _floats([aims])[0], work, tally)
    return None if bound == -np.inf else bound


def _floats(matrix: Any) -> Floats:
    """The matrix in floats, or an error that names the bad entry."""
    try:
        given = np.array(matrix)
        if given.dtype.kind not in "iufb" or given.ndim != 2:
            raise ValueError
        made = given.astype(np.float64, order="C")
    except ValueError:  # ragged, or of other numbers, or of none
        try:
            made = np.array([[float(entry) for entry in row] for row in _rationals(matrix)])
        except OverflowError:
            raise ParameterError("numbers beyond floats: ask for exact=True") from None
    low, high = (float(made.min()), float(made.max())) if made.size else (inf, inf)
    if not isfinite(high - low):
        _rationals(matrix)  # says if it is empty, or a single number is wrong
        raise ParameterError(
            f"numbers from {low} to {high} are too far apart for floats: ask for exact=True"
        )
    return made


def _rationals(matrix: Any) -> Fractions:
    """The matrix in Fractions, or an error that names the bad entry."""
    made: Fractions = []
    try:
        for i, row in enumerate(matrix):
            look()
            made.append([])
            for j, entry in enumerate(row):
                try:
                    made[-1].append(rational(entry))
                except InfosetError as error:
                    raise ParameterError(f"row {i}, column {j}: {error}") from None
    except TypeError:
        raise ParameterError(f"{matrix!r:.40} is not a matrix: give a list of rows") from None
    for i, line in enumerate(made):
        if len(line) != len(made[0]):
            raise ParameterError(
                f"row {i} has {len(line)} entries and row 0 has {len(made[0])}: make them equal"
            )
    if not made or not made[0]:
        raise ParameterError(f"{matrix!r:.40} has no entry: give at least one row and one column")
    return made


def _exact_game(matrix: Fractions) -> MatrixAnswer:
    rows, columns = len(matrix), len(matrix[0])
    least = [min(row) for row in matrix]
    most = [max(column) for column in zip(*matrix, strict=True)]
    if max(least) == min(most):
        value = max(least)
        i = least.index(value)
        j = next(c for c in range(columns) if most[c] == value == matrix[i][c])
        return MatrixAnswer(value, _pure(rows, i), _pure(columns, j), True)
    found = _at_basis(matrix, *_float_basis(matrix, min(least), max(most)))
    if found is None:
        found = _by_lemke_howson(matrix, min(least), max(most))
    if found is None:
        raise NotProved(f"a matrix game of {rows} × {columns}: no optimal strategies were proved")
    return found


def _pure(length: int, at: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(k == at)) for k in range(length))


def _float_basis(matrix: Fractions, low: Fraction, high: Fraction) -> tuple[list[int], list[int]]:
    """The best-response rows and the support of columns, in floats."""
    from infoset.kernels.matrix import corner, solve_matrix
    from infoset.kernels.simplex import workspace

    rows, columns = len(matrix), len(matrix[0])
    width = high - low
    given = np.array([_scaled(row, low, width) for row in matrix])
    x, y, tally = np.empty(rows), np.empty(columns), np.zeros(4, np.int64)
    work = workspace(rows, columns)
    solve_matrix(given, rows, columns, x, y, work, tally)
    if tally[2]:
        return corner(work, rows, columns)
    return np.flatnonzero(x).tolist(), np.flatnonzero(y).tolist()


def _scaled(row: list[Fraction], low: Fraction, width: Fraction) -> list[float]:
    """A row in floats from 0 to 1."""
    look()
    return [float((entry - low) / width) for entry in row]


def _at_basis(matrix: Fractions, replies: list[int], played: list[int]) -> MatrixAnswer | None:
    """The strategies of a basis, if they prove each other optimal."""
    from flint import fmpq, fmpq_mat

    size = len(replies)
    if size != len(played):
        return None
    system = fmpq_mat(size + 1, size + 1)
    for r, i in enumerate(replies):
        for c, j in enumerate(played):
            entry = matrix[i][j]
            system[r, c] = fmpq(entry.numerator, entry.denominator)
        system[r, size], system[size, r] = fmpq(-1), fmpq(1)
    side = fmpq_mat(size + 1, 1)
    try:
        side[size, 0] = fmpq(1)
        y = _spread(system.solve(side), played, len(matrix[0]))
        side[size, 0] = fmpq(-1)
        x = _spread(system.transpose().solve(side), replies, len(matrix))
    except ZeroDivisionError:  # the system is singular
        return None
    return _proved(matrix, x, y)


def _spread(solution: Any, places: list[int], length: int) -> list[Fraction]:
    probabilities = [ZERO] * length
    for k, place in enumerate(places):
        probabilities[place] = Fraction(int(solution[k, 0].p), int(solution[k, 0].q))
    return probabilities


def _proved(matrix: Fractions, x: list[Fraction], y: list[Fraction]) -> MatrixAnswer | None:
    """The solution, if both are strategies with equal guarantees."""
    if min(x) < 0 or min(y) < 0 or sum(x) != 1 or sum(y) != 1:
        return None
    low = min(_dot(x, column) for column in zip(*matrix, strict=True))
    high = max(_dot(y, row) for row in matrix)
    return MatrixAnswer(low, tuple(x), tuple(y), False) if low == high else None


def _dot(probabilities: Sequence[Fraction], numbers: Sequence[Fraction]) -> Fraction:
    look()
    return sum((s * number for s, number in zip(probabilities, numbers, strict=True) if s), ZERO)


def _by_lemke_howson(matrix: Fractions, low: Fraction, high: Fraction) -> MatrixAnswer | None:
    """Optimal strategies by the Lemke–Howson method on positive payoffs."""
    rows, columns = len(matrix), len(matrix[0])
    pairs = rows + columns
    gains = [[ZERO] * pairs for _ in range(pairs)]
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            gains[i][rows + j] = low - entry - 1
            gains[rows + j][i] = entry - high - 1
    names = range(2 * pairs)
    tableau = ExactTableau(gains, [1] * pairs, names[:pairs], names[pairs:], partners(pairs))
    follow(tableau, entering=pairs, ends={0, pairs})
    at = values(tableau)
    x = [at.get(pairs + i, ZERO) for i in range(rows)]
    y = [at.get(pairs + rows + j, ZERO) for j in range(columns)]
    if not sum(x) or not sum(y):
        return None
    return _proved(matrix, [a / sum(x) for a in x], [a / sum(y) for a in y])


def _exact_mixture(
    table: Fractions, floors: list[Fraction], aims: list[Fraction]
) -> Fraction | None:
    """The optimum with its proof, by Lemke's method on a program and its dual.

    The program maximizes Σ x_i gain_i for x ≥ 0, Σ x ≤ 1 and Σ_i x_i over_ij ≥ 0, with a positive
    objective: its optimum has Σ x = 1, or x = 0 if no mixture is feasible.
    """
    over = [[entry - floor for entry, floor in zip(row, floors, strict=True)] for row in table]
    best = max(range(len(aims)), key=lambda i: aims[i])
    if min(over[best]) >= 0:
        return aims[best]
    if any(max(column) < 0 for column in zip(*over, strict=True)):
        return None
    gains = [aim - min(aims) + 1 for aim in aims]
    x, weights = _by_lemke(over, gains)
    kept = min(x) >= 0 and sum(x) <= 1
    kept = kept and all(_dot(x, column) >= 0 for column in zip(*over, strict=True))
    ceiling = [_dot(weights, row) + gain for row, gain in zip(over, gains, strict=True)]
    if not kept or min(weights) < 0 or max(*ceiling, ZERO) != _dot(x, gains):
        raise NotProved(f"a mixture of {len(aims)} rows over {len(floors)} floors: no bound proved")
    return _dot(x, aims) if sum(x) else None


def _by_lemke(over: Fractions, gains: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """A mixture of rows and weights of columns: the solutions of the program and its dual."""
    count, width = len(over), len(over[0])
    pairs = count + width + 1
    rows = [[ZERO] * pairs + [Fraction(1)] for _ in range(pairs)]
    for i in range(count):
        for j in range(width):
            rows[i][count + j], rows[count + j][i] = -over[i][j], over[i][j]
        rows[i][pairs - 1], rows[pairs - 1][i] = Fraction(1), Fraction(-1)
    side = [-gain for gain in gains] + [ZERO] * width + [Fraction(1)]
    names, covering = range(2 * pairs + 1), 2 * pairs
    tableau = ExactTableau(rows, side, names[:pairs], names[pairs:], partners(pairs, 1))
    left = cover(tableau, covering)
    follow(tableau, int(tableau.partner[left]), ends={covering})
    at = values(tableau)
    x = [at.get(pairs + i, ZERO) for i in range(count)]
    return x, [at.get(pairs + count + j, ZERO) for j in range(width)]
