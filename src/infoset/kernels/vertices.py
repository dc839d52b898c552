"""Faces of a polyhedron, in exact integers: can this variable be zero there, can it be positive?

*Integers of a fixed width.* A table says basic = (constant + matrix · nonbasic) / determinant in
integers, the constants in its first column. Every entry is a minor of the first table (Edmonds
1967, Bareiss 1968), and Hadamard bounds them all before anything is computed. So a number has as
many *limbs* of 32 bits as that bound needs, in two's complement, least first, and none ever
overflows.

A pivot replaces entries by (p a - b c) / d, a division that leaves no remainder. Then it is enough
to know the product modulo a power of two: divide d by its power of two, and the product by the same
power; the odd rest of d has an inverse modulo 2^(32 limbs), found by Newton's iteration, and
dividing by it is multiplying by the inverse. Products are cut off at the same width: no carries
beyond it, no normalizing, no case that is different.

*Faces.* A polyhedron has a nonnegative variable for each of its facets, zero there. It is kept as a
table at one of its vertices: basic variables by nonbasic ones. A variable that is fixed at zero
loses its column; so the table is that of a *face*, and shrinks as the face does. A face without
columns is a vertex.

Both questions are linear programs. Bland's rule (1977), the first variable of those that may enter
and the first of those that must leave, ends them whatever ties there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.kernels.compiling import compiled

Words = npt.NDArray[np.uint64]  # each holds 32 bits

MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
TOP = np.uint64(31)
ONE = np.uint64(1)
ZERO = np.uint64(0)
TWO = np.uint64(2)


@compiled()
def sign(number: Words) -> int:
    """-1, 0 or 1.

    >>> sign(np.array([0, 0], np.uint64)), sign(np.array([5, 0xFFFFFFFF], np.uint64))
    (0, -1)
    """
    last = len(number) - 1
    if number[last] >> TOP:
        return -1
    for at in range(last + 1):
        if number[at]:
            return 1
    return 0


@compiled()
def negated(number: Words, out: Words) -> None:
    """Minus a number; it may be written over itself."""
    carry = ONE
    for at in range(len(number)):
        word = (number[at] ^ MASK) + carry
        out[at] = word & MASK
        carry = word >> HALF


@compiled()
def widened(number: Words, out: Words) -> None:
    """The same number with more limbs; with fewer, what is left of it modulo a power of two."""
    both = min(len(number), len(out))
    fill = MASK if number[both - 1] >> TOP else ZERO
    for at in range(both):
        out[at] = number[at]
    for at in range(both, len(out)):
        out[at] = fill


@compiled()
def add_product(one: Words, two: Words, out: Words, width: int) -> None:
    """Add one times two to a number, modulo 2^(32 width)."""
    for i in range(width):
        word = one[i]
        if word == ZERO:
            continue
        carry = ZERO
        for j in range(width - i):
            total = word * two[j] + out[i + j] + carry
            out[i + j] = total & MASK
            carry = total >> HALF


@compiled()
def clear(number: Words, width: int) -> None:
    """Zero in the lowest limbs."""
    for at in range(width):
        number[at] = ZERO


@compiled()
def product_below(one: Words, two: Words, three: Words, four: Words, room: Words) -> int:
    """The sign of one · two - three · four; none of them is negative."""
    width = len(one)
    clear(room, 4 * width)
    _whole_product(one, two, room[: 2 * width])
    _whole_product(three, four, room[2 * width : 4 * width])
    for at in range(2 * width - 1, -1, -1):
        if room[at] != room[2 * width + at]:
            return -1 if room[at] < room[2 * width + at] else 1
    return 0


@compiled()
def _whole_product(one: Words, two: Words, out: Words) -> None:
    width = len(one)
    for i in range(width):
        if one[i] == ZERO:
            continue
        carry = ZERO
        for j in range(width):
            total = one[i] * two[j] + out[i + j] + carry
            out[i + j] = total & MASK
            carry = total >> HALF
        out[i + width] = carry


@compiled()
def inverse(odd: Words, out: Words, room: Words, width: int) -> None:
    """The inverse of an odd number modulo 2^(32 width); ``room`` for twice that many limbs."""
    guess = odd[0]  # right in the last three bits; each step doubles how many are
    for _ in range(4):
        guess = (guess * (TWO - odd[0] * guess)) & MASK
    clear(out, width)
    out[0] = guess
    known = 1
    factor, product = room[:width], room[width : 2 * width]
    while known < width:
        known = min(2 * known, width)
        clear(product, known)
        add_product(odd, out, product, known)
        carry = np.uint64(3)  # 2 - product
        for at in range(known):
            word = (product[at] ^ MASK) + carry
            factor[at] = word & MASK
            carry = word >> HALF
        clear(product, known)
        add_product(factor, out, product, known)
        for at in range(known):
            out[at] = product[at]


@compiled()
def power_of_two(number: Words) -> int:
    """How often two divides a number other than zero."""
    at = 0
    while number[at] == ZERO:
        at += 1
    word, count = number[at], 32 * at
    while not word & ONE:
        word >>= ONE
        count += 1
    return count


@compiled()
def shift(number: Words, count: int, width: int) -> None:
    """Divide a number by 2^count, in place; right in the lowest ``width`` limbs."""
    skip, bits = count >> 5, np.uint64(count & 31)
    for at in range(width):
        low, high = number[at + skip], ZERO
        if bits and at + skip + 1 < len(number):
            high = number[at + skip + 1] << (HALF - bits)
        number[at] = (low >> bits | high) & MASK


@compiled()
def size_of(number: Words) -> int:
    """So many bits hold the number, its sign not counted: b - 1 <= log2 |number| <= b."""
    last = len(number) - 1
    fill = MASK if number[last] >> TOP else ZERO
    while last > 0 and number[last] == fill:
        last -= 1
    word, bits = number[last] ^ fill, 32 * last
    while word:
        word >>= ONE
        bits += 1
    return bits + 1 if fill else bits


@compiled()
def _width_after(table: Words, rows: int, columns: int, row: int, column: int, under: int) -> int:
    """Limbs that hold all entries after a pivot, from the sizes of those before."""
    largest, across, down = 0, 0, 0
    for i in range(rows):
        for j in range(columns):
            bits = size_of(table[i, j])
            largest = max(largest, bits)
            if i == row:
                across = max(across, bits)
            if j == column:
                down = max(down, bits)
    bits = max(size_of(table[row, column]) + largest, across + down) + 1 - (under - 1)
    bits = max(bits, largest, under) + 1  # with the sign
    return min(int(bits + 31) >> 5, int(table.shape[2]))


@compiled()
def pivot(
    table: Words,
    rows: int,
    columns: int,
    row: int,
    column: int,
    determinant: Words,
    room: Words,
) -> None:
    """Exchange the variables of a row and a column, in place; the new determinant is positive.

    Of the table only the first ``rows`` and ``columns`` count. With p the pivot element, s its sign
    and d the old determinant, entries become (|p| T[i, j] - s T[i, c] T[r, j]) / d, but s T[i, c]
    in column c, -s T[r, j] in row r, and s d where they meet. ``room`` has place for nine numbers
    of one limb more than the table's, times two.
    """
    most = 2 * table.shape[2] + 2
    width = _width_after(table, rows, columns, row, column, size_of(determinant))
    twos = power_of_two(determinant)
    wide = width + ((twos + 31) >> 5)
    element, factor, total = room[:wide], room[most : most + wide], room[2 * most : 2 * most + wide]
    one, two = room[3 * most : 3 * most + wide], room[4 * most : 4 * most + wide]
    rest, over = room[5 * most : 6 * most], room[6 * most : 7 * most]
    widened(determinant, total)
    shift(total, twos, width)
    inverse(total, over, room[7 * most : 9 * most], width)
    up = sign(table[row, column]) > 0
    widened(table[row, column], element)
    if not up:
        negated(element, element)
    for i in range(rows):
        if i == row:
            continue
        moved = sign(table[i, column]) != 0
        widened(table[i, column], factor)
        if up:
            negated(factor, factor)
        for j in range(columns):
            there = moved and sign(table[row, j]) != 0
            if j == column or (not there and sign(table[i, j]) == 0):
                continue
            clear(total, wide)
            widened(table[i, j], one)
            add_product(element, one, total, wide)
            if there:
                widened(table[row, j], two)
                add_product(factor, two, total, wide)
            if twos:
                shift(total, twos, width)
            clear(rest, width)
            add_product(over, total, rest, width)
            widened(rest[:width], table[i, j])
        if not up:
            negated(table[i, column], table[i, column])
    for j in range(columns):
        if up and j != column:
            negated(table[row, j], table[row, j])
    widened(determinant, table[row, column])
    if not up:
        negated(determinant, table[row, column])
    widened(element[:width], determinant)


def as_words(number: int, width: int) -> Words:
    """An integer in limbs.

    >>> as_words(-1, 2)
    array([4294967295, 4294967295], dtype=uint64)
    """
    given = number.to_bytes(4 * width, "little", signed=True)
    return np.frombuffer(given, "<u4").astype(np.uint64)


def as_integer(words: npt.NDArray[Any]) -> int:
    """An integer from its limbs.

    >>> as_integer(as_words(-7, 3))
    -7
    """
    return int.from_bytes(words.astype("<u4").tobytes(), "little", signed=True)


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
    pivots: Longs  # [2] how many there were, and may be; shared by all faces of a polyhedron
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
    """Go to the part of a face where a variable is zero; False if there is none.

    False, too, if there may be no more pivots; asked again, it goes on from where it is.
    """
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
        if face.pivots[0] >= face.pivots[1]:
            return False
        _exchange(face, leaving, column)
    _drop(face, column)
    return True


@compiled()
def can_rise(face: Face, variables: Longs) -> bool:
    """Is each of some variables positive somewhere on a face? Moves about to find out.

    False, too, if there may be no more pivots.
    """
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
            if face.pivots[0] >= face.pivots[1]:
                return False
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
