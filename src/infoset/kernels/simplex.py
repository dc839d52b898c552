"""The simplex method on small dictionaries, in floats, and with twice the digits where they fail.

A dictionary says what the basic variables and the objective are, in terms of the others:

    basic_r = rhs_r − Σ_c T[r, c] other_c ,      objective = o + Σ_c d_c other_c ,   all ≥ 0.

With every rhs ≥ 0 it is feasible. An other variable with d_c < 0 lowers the objective as it
grows, until the first basic variable falls to zero, and those two change places. Where no d_c is
below zero, this is a minimum, and the d_c solve the dual program. Where nothing falls, the
objective has no minimum, and the dual program no solution.

**Ties.** The matrices of games that are won or lost are full of ties, and with ties comes the
danger of cycling. So the right-hand sides are taken to be rhs_r + ε δ_r with an ε
below any number: of the rows that tie, the one with the least δ_r / T[r, c] leaves. The δ are
scattered, so that those do not tie again, and no basis returns. They are one more column, pivoted
with the others, where a lexicographic rule needs as many as there are rows (Dantzig, Orden and
Wolfe 1955).

**Layout.** The first third of ``work`` holds T in its first rows and columns, then the columns rhs
and δ; under T is the row of d, then a copy of the pivot row. Its last row and the last column hold
the variables' labels. The other thirds are for careful descents: the second floats, and the first
dictionary. Rows are filled up with zeros to lanes of ``LANES`` numbers, which a processor takes in
one stroke.

**Compiling.** What is called by name is compiled for itself, and once more with every function that
calls it, level by level. So only the two descents, which programs share, are functions of their
own; their parts, and those of the programs, are written out where they are called. And loops take
the place of slices, which bring along seconds' worth of code for shapes that do not match.

**Twice the digits.** Numbers of very different sizes, or an unlucky pivot, can lead a descent in
floats astray. The caller's check of its result shows that; then a careful descent starts over. Its
numbers are sums of two floats, some 32 digits (Dekker 1971), and the first 14 say what is given, so
that differences are exact. Each dictionary is recomputed from the first one, by the largest pivots,
so that errors do not accumulate. It takes the steepest column once more, and if that fails, too,
goes by Bland's rule (1977), which cannot cycle: of the admissible columns and rows, the one whose
variable comes first. On games of 8 by 8 that takes 10 to 20 times as long, of 13 by 13 some 50
times; it is seldom needed.

The second third of ``work`` holds the second floats, the last one the first dictionary, and in the
row under its d the labels that are asked for.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import types

from infoset.kernels.compiling import compiled

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

NUMBER, LONGS = types.int64, types.Array(types.int64, 1, "C")
FLOATS, TABLE = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
# A table, its rows and columns in use, two vectors, a workspace and a tally: a value.
PROGRAM = types.float64(TABLE, NUMBER, NUMBER, FLOATS, FLOATS, TABLE, LONGS)

LANES = 4
BORDER = 2  # the columns rhs and δ
BELOW = 3  # the rows under T: d, the copy, labels
SPARE = 2  # rows and columns beyond the widest: an artificial action, and one more

MINIMUM, ENDLESS, ASTRAY = 0, 1, 2  # how a descent ends

# All numbers of a dictionary are brought to about one before it is pivoted.
STEEP = 1e-13  # a d_c is below zero if it is below minus this
STURDY = 1e-10  # entries below this are not pivoted on
TIED = 1e-12  # ratios that differ by less tie

inlined = compiled(error_model="numpy", inline="always")


def workspace(rows: int, columns: int | None = None) -> Floats:
    """Room for matrices of up to so many rows and columns, or as many of both; and two more each.

    >>> workspace(3).shape, workspace(3, 100).shape
    ((24, 9), (24, 105))
    """
    wide = (rows if columns is None else columns) + SPARE
    across = -(-(wide + BORDER) // LANES) * LANES
    return np.zeros((3 * (rows + SPARE + BELOW), across + 1))


@inlined
def label_places(work: Floats) -> tuple[int, int]:
    """The row with the labels of the columns, and the column with those of the rows."""
    return work.shape[0] // 3 - 1, work.shape[1] - 1


@inlined
def padded(columns: int) -> int:
    """The length of a row with its border, in whole lanes."""
    return (columns + BORDER + LANES - 1) // LANES * LANES


@inlined
def clear(numbers: Floats, count: int) -> None:
    """Set the first numbers to zero."""
    for c in range(count):
        numbers[c] = 0.0


@inlined
def unit_of(spread: float) -> float:
    """A power of two, which costs no digit, that brings the spread to about one."""
    return math.ldexp(1.0, -max(-1000, min(1000, math.frexp(spread)[1])))


@inlined
def border(work: Floats, rows: int, columns: int) -> None:
    """Fill in δ, and zeros up to the last lane, once T, rhs and d are there."""
    state = 20120722
    for r in range(rows):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        work[r, columns + 1] = 1.0 + state / 2147483648.0
        for c in range(columns + BORDER, padded(columns)):
            work[r, c] = 0.0
    for c in range(columns + 1, padded(columns)):
        work[rows, c] = 0.0


@compiled(error_model="numpy")
def descend(work: Floats, rows: int, columns: int, tally: Longs) -> int:
    """Pivot to the minimum, the steepest column first; how it ended.

    ``tally[2]`` grows by the pivots. Where there is no end, ``work[rows + 1, 0]`` is the column
    that led there.
    """
    for _ in range(5 * (rows + columns) + 20):
        column, least = -1, -STEEP
        for c in range(columns):
            if work[rows, c] < least:
                column, least = c, work[rows, c]
        if column < 0:
            return MINIMUM
        row, least, lean = -1, np.inf, np.inf
        for r in range(rows):
            entry = work[r, column]
            if entry > STURDY:
                ratio = work[r, columns] / entry
                if ratio < least + TIED:
                    own = work[r, columns + 1] / entry
                    if ratio < least - TIED or own < lean:
                        row, lean = r, own
                        least = min(least, ratio)
        if row < 0:
            work[rows + 1, 0] = column
            return ENDLESS
        exchange(work, rows, columns, row, column)
        tally[2] += 1
    return ASTRAY


@inlined
def exchange(work: Floats, rows: int, columns: int, row: int, column: int) -> None:
    """Solve a row for a column's variable, and put that into the other rows."""
    length, copy = padded(columns), rows + 1
    inverse = 1.0 / work[row, column]
    work[row, column] = 1.0
    for c in range(length):
        entry = work[row, c] * inverse
        work[row, c] = entry
        work[copy, c] = entry
    for r in range(rows + 1):
        factor = work[r, column]
        if r != row and factor != 0.0:
            work[r, column] = 0.0
            for c in range(0, length, LANES):
                # All are read before any is written, or else the compiler must take them singly.
                first = work[r, c] - factor * work[copy, c]
                second = work[r, c + 1] - factor * work[copy, c + 1]
                third = work[r, c + 2] - factor * work[copy, c + 2]
                fourth = work[r, c + 3] - factor * work[copy, c + 3]
                work[r, c], work[r, c + 1] = first, second
                work[r, c + 2], work[r, c + 3] = third, fourth
    swap_labels(work, row, column)


@inlined
def swap_labels(work: Floats, row: int, column: int) -> None:
    """The variables of a row and a column change places."""
    down, across = label_places(work)
    leaving = work[row, across]
    work[row, across] = work[down, column]
    work[down, column] = leaving


# As for a quick descent; entries are zero or at least DUST.
CAREFULLY_STEEP = 1e-18
CAREFULLY_TIED = 1e-15  # part of the ratio, which is worked out in floats
DUST = 1e-26
ATTEMPTS = 3  # quickly, with twice the digits, and so by Bland's rule
GRAIN = 96.0  # 3 · 2⁵: its last digit is 2⁻⁴⁶, some 10⁻¹⁴, and numbers of that grain differ exactly
SPLIT = 134217729.0  # 2²⁷ + 1: cuts a float into two halves of its digits


@compiled(error_model="numpy")
def descend_carefully(work: Floats, rows: int, columns: int, bland: bool, tally: Longs) -> int:
    """:func:`descend` with twice the digits; ``bland``: by the rule that goes in no circles."""
    down, across = label_places(work)
    by = down if bland else rows
    keep_first(work)
    for _ in range(50 * (rows + columns)):
        column = -1
        for c in range(columns):
            if work[rows, c] < -CAREFULLY_STEEP and (column < 0 or work[by, c] < work[by, column]):
                column = c
        if column < 0:
            return MINIMUM
        row, least = -1, np.inf
        for r in range(rows):
            if work[r, column] > 0.0:
                ratio = max(work[r, columns], 0.0) / work[r, column]
                tied = ratio <= least * (1.0 + CAREFULLY_TIED)
                if ratio < least * (1.0 - CAREFULLY_TIED) or (
                    tied and work[r, across] < work[row, across]
                ):
                    row, least = r, ratio
        if row < 0:
            work[rows + 1, 0] = column
            return ENDLESS
        swap_labels(work, row, column)
        rebuild(work, rows, columns)
        tally[2] += 1
    return ASTRAY


@inlined
def keep_first(work: Floats) -> None:
    """Copy the dictionary to the last third."""
    third = work.shape[0] // 3
    for r in range(third):
        for c in range(work.shape[1]):
            work[2 * third + r, c] = work[r, c]


@inlined
def rebuild(work: Floats, rows: int, columns: int) -> None:
    """Make the dictionary that the labels ask for from the first one, largest pivots first."""
    down, across = label_places(work)
    first = 2 * (down + 1)
    asked = first + rows + 1
    for c in range(columns):
        work[asked, c] = work[down, c]
    for r in range(down + 1):
        for c in range(across + 1):
            if r <= rows or r == down:
                work[r, c] = work[first + r, c]
            work[down + 1 + r, c] = 0.0
    for _ in range(rows):
        row, column, largest = -1, -1, 0.0
        for r in range(rows):
            if is_among(work[asked], columns, work[r, across]):
                for c in range(columns):
                    if abs(work[r, c]) > largest and not is_among(
                        work[asked], columns, work[down, c]
                    ):
                        row, column, largest = r, c, abs(work[r, c])
        if row < 0:
            return
        exchange_carefully(work, rows, columns, row, column)


@inlined
def is_among(labels: Floats, count: int, label: float) -> bool:
    """Is a label among the first ones?"""
    found = False
    for c in range(count):
        found = found or labels[c] == label
    return found


@inlined
def exchange_carefully(work: Floats, rows: int, columns: int, row: int, column: int) -> None:
    """:func:`exchange`, on sums of two floats."""
    low = work.shape[0] // 3
    factor, factor_low = inverse(work[row, column], work[low + row, column])
    work[row, column], work[low + row, column] = 1.0, 0.0
    for c in range(columns + 1):
        work[row, c], work[low + row, c] = times(
            work[row, c], work[low + row, c], factor, factor_low
        )
    for r in range(rows + 1):
        factor, factor_low = work[r, column], work[low + r, column]
        if r == row or factor == 0.0:
            continue
        work[r, column], work[low + r, column] = 0.0, 0.0
        for c in range(columns + 1):
            part, part_low = times(factor, factor_low, work[row, c], work[low + row, c])
            entry, rest = minus(work[r, c], work[low + r, c], part, part_low)
            if abs(entry) < DUST:
                entry, rest = 0.0, 0.0
            work[r, c], work[low + r, c] = entry, rest
    swap_labels(work, row, column)


@inlined
def product(a: float, b: float) -> tuple[float, float]:
    """The product of two floats as a float and its rounding error (Dekker)."""
    whole = a * b
    cut = SPLIT * a
    a_high = cut - (cut - a)
    cut = SPLIT * b
    b_high = cut - (cut - b)
    a_low, b_low = a - a_high, b - b_high
    return whole, ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low


@inlined
def times(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """(a + a_low) (b + b_low)."""
    whole, error = product(a, b)
    error += a * b_low + a_low * b
    high = whole + error
    return high, error - (high - whole)


@inlined
def minus(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """(a + a_low) − (b + b_low); with both low parts zero, without any error."""
    whole = a - b
    turned = whole - a
    error = ((a - (whole - turned)) - (b + turned)) + (a_low - b_low)
    high = whole + error
    return high, error - (high - whole)


@inlined
def inverse(a: float, a_low: float) -> tuple[float, float]:
    """1 / (a + a_low)."""
    rough = 1.0 / a
    whole, error = product(rough, a)
    low = (((1.0 - whole) - error) - rough * a_low) * rough
    high = rough + low
    return high, low - (high - rough)


@inlined
def attempt_descent(work: Floats, rows: int, columns: int, attempt: int, tally: Longs) -> int:
    """Descend quickly at the first attempt, then with twice the digits, then by Bland's rule.

    ``tally[3]`` grows by one at the second.
    """
    if attempt == 0:
        return descend(work, rows, columns, tally)
    if attempt == 1:
        tally[3] += 1
    return descend_carefully(work, rows, columns, attempt == 2, tally)
