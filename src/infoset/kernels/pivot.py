"""The pivot of a condensed tableau of floats.

A table holds a system x_B = T x_N whose last column multiplies the constant 1. Exchanging the basic
variable of row r with the nonbasic one of column c, whose entry p = T[r, c] is the pivot element,
solves row r for x_c and puts that into the other rows:

    T'[r, c] = 1 / p                T'[r, j] = -T[r, j] / p
    T'[i, c] = T[i, c] / p          T'[i, j] = T[i, j] - T[i, c] T[r, j] / p

So the other rows each get a multiple of the new row r, and those with T[i, c] = 0 stay as they are.
The matrices of game trees are sparse, and remain so for a good part of a path: such rows are passed
over, and of a new row r that is nine tenths zeros only the other entries are added (with one entry
in a hundred, that takes a tenth of the time).

One thread does it. The loop waits for memory: 4 million entries take about 2 ms, and a second
thread brings that to 1.4 ms, at the cost of a slower start and of threads that paths followed side
by side would fight over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from infoset.kernels.compiling import compiled

SPARSE = 10  # an entry reached through an index costs as much as this many in a row


@compiled()
def pivot(table: npt.NDArray[np.float64], row: int, column: int) -> int:
    """Exchange the variables of a row and a column, in place; how many other rows changed.

    ``table[row, column]`` must not be zero. Costs one multiplication and addition for each entry of
    the rows that change.

    >>> table = np.array([[-2.0, 1.0], [4.0, 3.0]])  # a = 1 - 2 c, b = 3 + 4 c
    >>> pivot(table, 0, 0), table  # c = 1/2 - a / 2, b = 5 - 2 a
    (1, array([[-0.5,  0.5],
               [-2. ,  5. ]]))
    """
    element = table[row, column]
    for j in range(table.shape[1]):
        table[row, j] /= -element
    table[row, column] = 1.0 / element
    source = table[row].copy()  # a copy shares no memory with the rows: the loops vectorize
    filled = np.flatnonzero(source)
    sparse = len(filled) * SPARSE < len(source)
    changed = 0
    for i in range(table.shape[0]):
        multiplier = table[i, column]
        if i == row or multiplier == 0.0:
            continue
        changed += 1
        target = table[i]
        target[column] = 0.0  # so that adding the multiple leaves multiplier / element
        if sparse:
            for k in range(len(filled)):
                target[filled[k]] += multiplier * source[filled[k]]
        else:
            for j in range(len(source)):
                target[j] += multiplier * source[j]
    return changed
