"""The simplex method with twice the digits, for where floats fall short.

Numbers of very different sizes, or an unlucky pivot, can lead a quick descent
(:mod:`infoset.kernels.simplex`) astray. Then this one starts over. Its numbers are sums of two
floats, some 32 digits (Dekker 1971), and the first 14 say what is given, so that differences are
exact. Each dictionary is made anew from the first one, by the largest pivots, so that errors do not
pile up. It takes the steepest column once more, and if that fails, too, goes by Bland's rule
(1977), which cannot go round in circles: of the columns and of the rows that will do, the one whose
variable comes first. On games of 8 by 8 that takes 10 to 20 times as long, of 13 by 13 some 50
times; it is seldom needed.

The second third of ``work`` holds the second floats, the last one the first dictionary, and in the
row under its d the labels that are asked for.
"""

from __future__ import annotations

import numpy as np

from infoset.kernels.compiling import compiled
from infoset.kernels.simplex import (
    ASTRAY,
    ENDLESS,
    MINIMUM,
    Floats,
    Longs,
    descend,
    inlined,
    label_places,
    swap_labels,
)

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
