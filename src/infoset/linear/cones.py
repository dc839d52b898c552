"""Points of polyhedral cones, exactly: is there a v ≥ 0 with A v ≥ 0 and B v > 0?

All right-hand sides are zero, so that a solution may be multiplied by any positive number, and
B v > 0 means the same as B v ≥ 1. That makes it a linear program with zero as a feasible start,

    maximize  δ   subject to   A v ≥ 0,   B v ≥ δ,   δ ≤ 1,   v ≥ 0,

whose optimum is 1 if there is such a v, and 0 if there is none (Motzkin's theorem of the
alternative: then some combination of the rows contradicts itself, and the last tableau holds it).
It is solved by the simplex method in integers (:mod:`infoset.linear.pivoting`), so that both
answers are proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotProved
from infoset.linear.pivoting import ALONE, ExactTableau, maximize_row

Row = Mapping[int, Any]  # by column: a rational

MOST_ENTRIES = 40_000  # rows times columns of a tableau
MOST_PIVOTS = 3_000


def cone_point(
    columns: int, at_least: Sequence[Row], positive: Sequence[Row]
) -> list[Fraction] | None:
    """A point of a cone, exactly.

    Parameters
    ----------
    columns : int
        How many variables there are, all nonnegative.
    at_least : sequence of rows
        What must be 0 or more.
    positive : sequence of rows
        What must be more than 0, and is made 1 or more.

    Returns
    -------
    list of Fraction or None
        [column] the point; None if it is proved that there is none.

    Raises
    ------
    NotProved
        If that takes too many pivots, or too large a tableau.

    Examples
    --------
    >>> cone_point(2, [{0: 1, 1: -3}], [{1: 1}])
    [Fraction(3, 1), Fraction(1, 1)]
    >>> cone_point(2, [{0: 1, 1: -3}, {0: -1, 1: 1}], [{1: 1}]) is None
    True
    """
    height, width = len(at_least) + len(positive) + 2, columns + 1
    if height * width > MOST_ENTRIES:
        raise NotProved(f"a linear program of {height:,} rows and {width:,} columns is too large")
    grid = np.zeros((height, width), object)  # the last column is δ
    for at, row in enumerate([*at_least, *positive]):
        for column, number in row.items():
            grid[at, column] = number
    grid[len(at_least) : -1, columns] = -1  # B v - δ, and 1 - δ
    grid[-1, columns] = 1
    names = np.arange(width + height)
    sides = [0] * (height - 2) + [1, 0]
    table = ExactTableau(grid, sides, names[width:], names[:width], [ALONE] * len(names))
    if maximize_row(table, height - 1, MOST_PIVOTS) is None:
        raise NotProved(f"a linear program takes more than {MOST_PIVOTS:,} pivots")
    if not table.value(height - 1):
        return None
    places = [table.place(variable) for variable in range(columns)]
    return [table.value(place) if place >= 0 else Fraction(0) for place in places]
