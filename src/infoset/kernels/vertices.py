"""Faces of a polyhedron, in integers: can this variable be zero there, can it be positive?

A polyhedron has a nonnegative variable for each of its facets, zero there. It is kept as a table at
one of its corners, its numbers in limbs (:mod:`infoset.kernels.limbs`): basic variables by
nonbasic ones. A variable that is set to zero for good loses its column; so the table is that of a
*face*, and shrinks as the face does. A face without columns is a corner.

Both questions are linear programs. Bland's rule (1977), the first variable of those that may enter
and the first of those that must leave, brings them to an end whatever ties there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.kernels.compiling import compiled
from infoset.kernels.limbs import Words, negated, pivot, product_below, sign, widened

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

GONE = 1 << 40  # the place of a variable whose column was dropped
NUMBERS = 18  # room for so many numbers of one limb more is taken


class Face(NamedTuple):
    """The table of a face: (constants + matrix · nonbasic) / determinant, constants in column 0."""

    table: Words  # [row, column, limb]
    determinant: Words  # [limb], positive
    rows: Longs  # [row] the basic variables
    columns: Longs  # [column] the nonbasic ones; first, how many columns there are
    places: Longs  # [variable] its row, or -column, or GONE
    pivots: Longs  # [1] how many there were; shared by all faces of a polyhedron
    room: Words  # to compute in; shared, too


@compiled()
def _exchange(face: Face, row: int, column: int) -> None:
    rows, columns = face.rows, face.columns
    pivot(face.table, len(rows), columns[0], row, column, face.determinant, face.room)
    entering, leaving = columns[column], rows[row]
    rows[row], columns[column] = entering, leaving
    face.places[entering], face.places[leaving] = row, -column
    face.pivots[0] += 1


@compiled()
def _drop(face: Face, column: int) -> None:
    """Set a column's variable to zero for good; the last column takes its place."""
    columns = face.columns
    columns[0] -= 1
    last = columns[0]
    face.places[columns[column]] = GONE
    if column != last:
        for row in range(len(face.rows)):
            widened(face.table[row, last], face.table[row, column])
        columns[column] = columns[last]
        face.places[columns[column]] = -column


@compiled()
def _first_down(face: Face, column: int, preferred: int) -> int:
    """The row that falls to zero first as a column's variable grows; -1 if none does.

    Of several the preferred one, else that of the first variable.
    """
    table, rows, room = face.table, face.rows, face.room
    width = table.shape[2]
    slope, least = room[:width], room[width : 2 * width]
    best = -1
    for row in range(len(rows)):
        if sign(table[row, column]) >= 0:
            continue
        negated(table[row, column], slope)
        order = -1
        if best >= 0:
            order = product_below(table[row, 0], least, table[best, 0], slope, room[2 * width :])
        before = row == preferred or (best != preferred and rows[row] < rows[best])
        if order < 0 or (order == 0 and before):
            best = row
            widened(slope, least)
    return best


@compiled()
def _entering(face: Face, row: int, wanted: int) -> int:
    """The column of the first variable whose entry in a row has the wanted sign; or -1."""
    columns, best = face.columns, -1
    for column in range(1, columns[0]):
        first = best < 0 or columns[column] < columns[best]
        if first and sign(face.table[row, column]) == wanted:
            best = column
    return best


@compiled()
def tightened(face: Face, variable: int) -> bool:
    """Go to the part of a face where a variable is zero; False if there is none."""
    row = face.places[variable]
    if row == GONE:
        return True
    if row < 0:
        _drop(face, -row)
        return True
    column = leaving = -1
    while leaving != row:
        zero = sign(face.table[row, 0]) == 0  # then any exchange leaves all values alone
        column = _entering(face, row, -1)
        if column < 0 and zero:
            column = _entering(face, row, 1)
        if column < 0:
            return zero  # zero all over the face, or positive all over it
        leaving = row if zero else _first_down(face, column, row)
        _exchange(face, leaving, column)
    _drop(face, column)
    return True


@compiled()
def can_rise(face: Face, variables: Longs) -> bool:
    """Is each of some variables positive somewhere on a face? Moves about to find out."""
    for variable in variables:
        row = face.places[variable]
        if row == GONE:
            return False
        while row < 0 or sign(face.table[row, 0]) == 0:
            column = -row if row < 0 else _entering(face, row, 1)
            if column < 0:
                return False
            leaving = _first_down(face, column, -1)
            if leaving < 0 or sign(face.table[leaving, 0]) > 0:
                break
            _exchange(face, leaving, column)
            row = face.places[variable]
    return True


@compiled()
def narrowed(face: Face, zero: Longs, positive: Longs) -> bool:
    """Go to the part of a face where some variables are zero; False if there is none, or if one of
    some others is zero all over it.

    Both questions in one call: to hand over a face takes longer than to answer most of them.
    """
    for variable in zero:
        if not tightened(face, variable):
            return False
    return can_rise(face, positive)


@compiled()
def about(face: Face, out: Floats) -> None:
    """About how large the variables are at the face's corner; zero exactly where they are zero."""
    for variable in range(len(out)):
        row = face.places[variable]
        out[variable] = 0.0
        if row < 0 or row == GONE or sign(face.table[row, 0]) == 0:
            continue
        over, under = 0.0, 0.0
        for limb in range(len(face.determinant) - 1, -1, -1):
            over = over * 4294967296.0 + face.table[row, 0, limb]
            under = under * 4294967296.0 + face.determinant[limb]
            if over > 1e30 or under > 1e30:
                break
        out[variable] = max(over / under, 1e-30) if under > 0.0 else 1e30
