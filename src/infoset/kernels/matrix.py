"""Zero-sum matrix games, and mixtures of rows under constraints, in floats: the programs of
searches.

*Matrix games.* The rows maximize. Let t be what the columns pay at most by their strategy y:

    least t   with   s_i = t − Σ_j a_ij y_j ≥ 0 ,   Σ_j y_j = 1 ,   y ≥ 0 .

At the column of least maximum, j, and the row i of its maximum, y_j and t follow from the others:
the dictionary (:mod:`infoset.kernels.simplex`) whose other variables are the y besides y_j, and
s_i, is feasible, and near the optimum. No first phase is needed. At the minimum, right-hand sides
are the columns' strategy and the objective's row is the rows'.

The result of a descent is checked on the matrix itself; where floats are not enough, a descent with
twice the digits starts over. Then the gap between what the two strategies guarantee is some 1e-14
of the spread of the payoffs, and at most 1e-12. (Payoffs that spread over eighteen orders of
magnitude can defeat even that; one did of 20,000 such games of 20 by 20. :func:`gap` tells.)

Nothing is allocated; probabilities, ``work`` and ``tally`` are all that changes. ``tally`` counts
games with a saddle point, programs, pivots, and programs that started over. The same input gives
the same bits, whatever was in ``work`` before.

*Mixtures.* The largest Σ x_i aim_i, x a mixture of rows with Σ_i x_i a_ij ≥ f_j for every j, is by
duality

    least t   with   s_i = t − aim_i − Σ_j (a_ij − f_j) z_j ≥ 0 ,   z ≥ 0 ,

which is feasible with z = 0 and t the best aim; if t is unbounded, no mixture satisfies the
constraints. These are the programs of Saffidine, Finnsson and Buro 2012, figures 4 and 5 (the
latter with all signs reversed), and with equal aims those of figures 1 to 3. They need two phases
as they are printed there, and one this way. Results are checked and counted as for games.
"""

from __future__ import annotations

import numpy as np

from infoset.kernels.compiling import compiled
from infoset.kernels.simplex import (
    ATTEMPTS,
    ENDLESS,
    GRAIN,
    MINIMUM,
    PROGRAM,
    Floats,
    Longs,
    attempt_descent,
    border,
    clear,
    inlined,
    label_places,
    unit_of,
    workspace,
)

__all__ = ["corner", "gap", "solve_matrix", "workspace"]

CLOSE = 1e-12  # part of the spread: a wider gap makes a game start over


@inlined
def look(matrix: Floats, rows: int, columns: int, work: Floats) -> tuple[int, int, bool, float]:
    """A saddle point, or a place to start; whether it is the former; the spread of the payoffs."""
    lower, bottom = -np.inf, np.inf
    for c in range(columns):
        work[0, c] = matrix[0, c]
    for r in range(rows):
        least = matrix[r, 0]
        for c in range(columns):
            entry = matrix[r, c]
            least = min(least, entry)
            work[0, c] = max(work[0, c], entry)
        lower = max(lower, least)
        bottom = min(bottom, least)
    upper, top, j = np.inf, -np.inf, 0
    for c in range(columns):
        if work[0, c] < upper:
            upper, j = work[0, c], c
        top = max(top, work[0, c])
    if lower == upper:
        return *first_saddle(matrix, rows, columns, upper, work), True, top - bottom
    i = 0
    for r in range(rows):
        if matrix[r, j] > matrix[i, j]:
            i = r
    return i, j, False, top - bottom


@inlined
def first_saddle(
    matrix: Floats, rows: int, columns: int, value: float, work: Floats
) -> tuple[int, int]:
    """The first saddle point, where there is one; column maxima are in ``work[0]``."""
    for r in range(rows):
        place = -1
        for c in range(columns):
            if matrix[r, c] < value:
                place = -1
                break
            if place < 0 and matrix[r, c] == value and work[0, c] == value:
                place = c
        if place >= 0:
            return r, place
    return 0, 0


@inlined
def lay_game(
    matrix: Floats, rows: int, columns: int, i: int, j: int, unit: float, grain: float, work: Floats
) -> None:
    """The dictionary where column j is played and row i is a best reply.

    Labels are c for y_c and −1 − r for s_r. Row i is that of y_j, column j that of s_i. Adding and
    taking away a ``grain`` rounds payoffs to a multiple of its last digit.
    """
    down, across = label_places(work)
    base = matrix[i, j]
    for c in range(columns):
        work[rows, c] = ((matrix[i, c] - base) * unit + grain) - grain
        work[down, c] = c
    for r in range(rows):
        start = ((matrix[r, j] - base) * unit + grain) - grain
        for c in range(columns):
            work[r, c] = ((((matrix[r, c] - base) * unit + grain) - grain) - start) - work[rows, c]
        work[r, j] = -1.0
        work[r, columns] = -start
        work[r, across] = -1.0 - r
    for c in range(columns + 1):
        work[i, c] = 1.0
    work[i, j], work[i, across] = 0.0, j
    work[rows, j], work[rows, columns], work[down, j] = 1.0, 0.0, -1.0 - i
    border(work, rows, columns)


@inlined
def read_probabilities(
    rows: int, columns: int, row_probabilities: Floats, column_probabilities: Floats, work: Floats
) -> None:
    """Both strategies at the minimum, made to sum to one."""
    down, across = label_places(work)
    clear(row_probabilities, rows)
    clear(column_probabilities, columns)
    whole = 0.0
    for r in range(rows):
        if work[r, across] >= 0.0 and work[r, columns] > 0.0:
            column_probabilities[int(work[r, across])] = work[r, columns]
            whole += work[r, columns]
    for c in range(columns):
        column_probabilities[c] /= whole
    whole = 0.0
    for c in range(columns):
        if work[down, c] < 0.0 and work[rows, c] > 0.0:
            row_probabilities[int(-1.0 - work[down, c])] = work[rows, c]
            whole += work[rows, c]
    for r in range(rows):
        row_probabilities[r] /= whole


@inlined
def guarantees(
    matrix: Floats,
    rows: int,
    columns: int,
    row_probabilities: Floats,
    column_probabilities: Floats,
    work: Floats,
) -> tuple[float, float]:
    """What the rows get at least and what the columns pay at most by these strategies.

    Overwrites the row of d.
    """
    high = -np.inf
    for c in range(columns):
        work[rows, c] = 0.0
    for r in range(rows):
        own, paid = row_probabilities[r], 0.0
        for c in range(columns):
            paid += column_probabilities[c] * matrix[r, c]
        high = max(high, paid)
        if own > 0.0:
            for c in range(columns):
                work[rows, c] += own * matrix[r, c]
    low = work[rows, 0]
    for c in range(columns):
        low = min(low, work[rows, c])
    return low, high


@compiled(PROGRAM, error_model="numpy")
def solve_matrix(
    matrix: Floats,
    rows: int,
    columns: int,
    row_probabilities: Floats,
    column_probabilities: Floats,
    work: Floats,
    tally: Longs,
) -> float:
    """The value of ``matrix[:rows, :columns]`` to the rows, and optimal strategies.

    If there is a saddle point, the first one in the order of rows, and its entry; else the value is
    the midpoint between what the two strategies guarantee. ``tally[0]`` or ``tally[1]`` grows by
    one, the latter also for two by two, which takes no pivot.
    """
    i, j, saddle, spread = look(matrix, rows, columns, work)
    if saddle:
        clear(row_probabilities, rows)
        clear(column_probabilities, columns)
        row_probabilities[i], column_probabilities[j] = 1.0, 1.0
        tally[0] += 1
        return float(matrix[i, j])
    tally[1] += 1
    if rows == 2 and columns == 2:
        across, down = matrix[0, 0] - matrix[0, 1], matrix[0, 0] - matrix[1, 0]
        across_below, down_right = matrix[1, 1] - matrix[1, 0], matrix[1, 1] - matrix[0, 1]
        row_probabilities[0] = across_below / (across + across_below)
        row_probabilities[1] = across / (across + across_below)
        column_probabilities[0] = down_right / (down + down_right)
        column_probabilities[1] = down / (down + down_right)
        low, high = guarantees(matrix, 2, 2, row_probabilities, column_probabilities, work)
        return 0.5 * (low + high)
    unit = unit_of(spread)
    low, high = -np.inf, np.inf
    for attempt in range(ATTEMPTS):
        grain = GRAIN if attempt > 0 else 0.0
        lay_game(matrix, rows, columns, i, j, unit, grain, work)
        ended = attempt_descent(work, rows, columns, attempt, tally)
        read_probabilities(rows, columns, row_probabilities, column_probabilities, work)
        low, high = guarantees(matrix, rows, columns, row_probabilities, column_probabilities, work)
        if ended == MINIMUM and high - low <= CLOSE * spread:
            break
    return 0.5 * (low + high)


@compiled(error_model="numpy")
def gap(
    matrix: Floats, rows: int, columns: int, row_probabilities: Floats, column_probabilities: Floats
) -> float:
    """max_i (A y)_i − min_j (x A)_j: how far two strategies are from proving each other optimal."""
    low, high = np.inf, -np.inf
    for c in range(columns):
        own = 0.0
        for r in range(rows):
            own += row_probabilities[r] * matrix[r, c]
        low = min(low, own)
    for r in range(rows):
        own = 0.0
        for c in range(columns):
            own += column_probabilities[c] * matrix[r, c]
        high = max(high, own)
    return high - low


def corner(work: Floats, rows: int, columns: int) -> tuple[list[int], list[int]]:
    """The rows that are best replies and the columns in play where a game's program ended.

    As many of the one as of the other: equal payoffs on those rows and probabilities that sum
    to one are a square system, whose solution is that vertex.
    """
    down = work.shape[0] // 3 - 1
    replies = sorted(int(-1 - label) for label in work[down, :columns] if label < 0)
    played = sorted(int(label) for label in work[:rows, -1] if label >= 0)
    return replies, played


MET = 1e-11  # part of the largest distance to a floor: one missed by less counts as kept
PROVED = 1e-11  # part of the spread of the aims: a wider gap makes a mixture start over


@inlined
def farthest(table: Floats, count: int, width: int, floors: Floats) -> float:
    """The largest distance of an entry to its floor; −1 if a column is wholly below its floor."""
    size = 0.0
    for j in range(width):
        for i in range(count):
            size = max(size, abs(table[i, j] - floors[j]))
    for j in range(width):
        most = -np.inf
        for i in range(count):
            most = max(most, table[i, j] - floors[j])
        if most < -MET * size:
            return -1.0
    return size


@inlined
def stands(table: Floats, i: int, width: int, floors: Floats, missed: float) -> bool:
    """Does one row keep to the floors alone?"""
    least = np.inf
    for j in range(width):
        least = min(least, table[i, j] - floors[j])
    return least >= -missed


@inlined
def lay_mixture(
    table: Floats,
    count: int,
    width: int,
    floors: Floats,
    aims: Floats,
    best: int,
    lowered: float,
    unit: float,
    aim_unit: float,
    grain: float,
    work: Floats,
) -> None:
    """The dictionary where z = 0 and the best aim is the bound; floors may be lowered.

    Labels are j for z_j and −1 − i for s_i. The last row stands where that of the best would.
    Adding and taking away a ``grain`` rounds numbers to a multiple of its last digit.
    """
    down, across = label_places(work)
    last = count - 1
    for j in range(width):
        over = ((table[best, j] - floors[j]) + lowered) * unit
        work[last, j] = (over + grain) - grain
        work[down, j] = j
    for i in range(count):
        if i == best:
            continue
        r = best if i == last else i
        for j in range(width):
            over = ((table[i, j] - floors[j]) + lowered) * unit
            work[r, j] = ((over + grain) - grain) - work[last, j]
        work[r, width] = -1.0
        work[r, width + 1] = ((aims[best] - aims[i]) * aim_unit + grain) - grain
        work[r, across] = -1.0 - i
    work[last, width], work[last, width + 1], work[down, width] = 1.0, 0.0, -1.0 - best
    border(work, last, width + 1)


@inlined
def read_mixture(
    table: Floats,
    count: int,
    width: int,
    floors: Floats,
    aims: Floats,
    missed: float,
    scale: float,
    work: Floats,
) -> tuple[float, float]:
    """What the mixture at the minimum reaches, −inf if it misses a floor; what no mixture exceeds.

    ``scale`` turns right-hand sides into z. Overwrites the lower half.
    """
    down, across = label_places(work)
    mixture, last = down + 1, count - 1
    clear(work[mixture], count)
    whole = 0.0
    for c in range(width + 1):
        if work[down, c] < 0.0 and work[last, c] > 0.0:
            work[mixture, int(-1.0 - work[down, c])] = work[last, c]
            whole += work[last, c]
    reached = 0.0
    for i in range(count):
        work[mixture, i] /= whole
        reached += work[mixture, i] * aims[i]
    for j in range(width):
        over = 0.0
        for i in range(count):
            over += work[mixture, i] * (table[i, j] - floors[j])
        if over < -missed:  # a pivot on a small number can leave a d too large
            return -np.inf, np.inf
    weights = mixture + 1
    clear(work[weights], width)
    for r in range(last):
        if work[r, across] >= 0.0 and work[r, width + 1] > 0.0:
            work[weights, int(work[r, across])] = work[r, width + 1] * scale
    ceiling = -np.inf
    for i in range(count):
        ceiling = max(ceiling, aims[i] + weighed(table, i, width, floors, work[weights]))
    return reached, ceiling


@inlined
def hopeless(
    table: Floats, count: int, width: int, floors: Floats, missed: float, work: Floats
) -> bool:
    """Does the direction in which t falls without end prove that no mixture keeps to the floors?

    It does if columns weighed by it, weights z with Σ z = 1, are below their floors for every row:
    Σ_j z_j (table[i, j] − floors[j]) < −missed. Overwrites the lower half.
    """
    down, across = label_places(work)
    weights, last = down + 1, count - 1
    column = int(work[last + 1, 0])
    clear(work[weights], width)
    whole = 0.0
    if work[down, column] >= 0.0:
        work[weights, int(work[down, column])] = 1.0
        whole = 1.0
    for r in range(last):
        if work[r, across] >= 0.0 and work[r, column] < 0.0:
            work[weights, int(work[r, across])] = -work[r, column]
            whole -= work[r, column]
    for i in range(count):
        if not weighed(table, i, width, floors, work[weights]) < -missed * whole:
            return False
    return True


@inlined
def weighed(table: Floats, i: int, width: int, floors: Floats, weights: Floats) -> float:
    """Σ_j weights[j] (table[i, j] − floors[j])."""
    total = 0.0
    for j in range(width):
        total += weights[j] * (table[i, j] - floors[j])
    return total


@compiled(PROGRAM, error_model="numpy")
def mixture_bound(
    table: Floats, count: int, width: int, floors: Floats, aims: Floats, work: Floats, tally: Longs
) -> float:
    """The most Σ_i x_i aims[i] of mixtures with Σ_i x_i table[i, j] ≥ floors[j], −inf without any.

    i < ``count``, j < ``width``. A floor missed by less than ``MET`` times the largest distance of
    an entry to its floor counts as kept. Without a program: no row at all; a column wholly below
    its floor; a row with the best aim that keeps to the floors alone.
    """
    best, least = 0, np.inf
    for i in range(count):
        if aims[i] > aims[best]:
            best = i
        least = min(least, aims[i])
    size = farthest(table, count, width, floors)
    if count == 0 or size < 0.0:
        return -np.inf
    for i in range(count):
        if aims[i] == aims[best] and stands(table, i, width, floors, MET * size):
            return float(aims[i])
    tally[1] += 1
    unit, aim_unit = unit_of(size), unit_of(aims[best] - least)
    scale = unit / aim_unit
    for attempt in range(ATTEMPTS):
        # After the first, it may be a question of the tolerance: half of it is spent on the floors.
        lowered, grain = (0.5 * MET * size, GRAIN) if attempt > 0 else (0.0, 0.0)
        lay_mixture(table, count, width, floors, aims, best, lowered, unit, aim_unit, grain, work)
        ended = attempt_descent(work, count - 1, width + 1, attempt, tally)
        if ended == ENDLESS and (
            attempt > 0 or hopeless(table, count, width, floors, MET * size, work)
        ):
            return -np.inf
        if ended == MINIMUM:
            reached, ceiling = read_mixture(
                table, count, width, floors, aims, MET * size, scale, work
            )
            proved = ceiling - reached <= PROVED * (aims[best] - least)
            if reached > -np.inf and (attempt > 0 or proved):
                return reached
    return -np.inf
