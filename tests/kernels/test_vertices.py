"""Pivots in limbs, against Python's integers; faces of a cube and of a square pyramid."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from infoset.kernels.vertices import (
    NUMBERS,
    Face,
    about,
    as_integer,
    as_words,
    can_rise,
    inverse,
    narrowed,
    pivot,
    product_below,
    sign,
    size_of,
    tightened,
)

numbers = some.integers(-(2**94), 2**94 - 1)


@given(numbers)
def test_there_and_back(number: int) -> None:
    words = as_words(number, 3)
    assert as_integer(words) == number
    assert sign(words) == (number > 0) - (number < 0)
    assert abs(number) <= 2 ** size_of(words)


@given(some.integers(0, 2**95 - 1))
def test_an_odd_number_times_its_inverse_is_one(half: int) -> None:
    odd = (2 * half + 1) % 2**96
    words = np.frombuffer(odd.to_bytes(12, "little"), "<u4").astype(np.uint64)
    found, room = np.zeros(3, np.uint64), np.zeros(6, np.uint64)
    inverse(words, found, room, 3)
    assert odd * (as_integer(found) % 2**96) % 2**96 == 1


@given(*[some.integers(0, 2**94)] * 4)
def test_products_are_compared(one: int, two: int, three: int, four: int) -> None:
    a, b, c, d = (as_words(number, 3) for number in (one, two, three, four))
    difference = one * two - three * four
    found = product_below(a, b, c, d, np.zeros(12, np.uint64))
    assert found == (difference > 0) - (difference < 0)


def pivoted(table: list[list[int]], row: int, column: int, under: int) -> list[list[int]]:
    element = table[row][column]
    plus = 1 if element > 0 else -1
    made = [
        [
            (abs(element) * own - plus * line[column] * top) // under
            for own, top in zip(line, table[row], strict=True)
        ]
        for line in table
    ]
    for at, line in enumerate(table):
        made[at][column] = plus * line[column]
    made[row] = [-plus * own for own in table[row]]
    made[row][column] = plus * under
    return made


@pytest.mark.parametrize("size", [2, 5, 9])
@pytest.mark.parametrize("compiled", [True, False])
def test_pivots_in_limbs_are_those_of_integers(size: int, compiled: bool) -> None:
    draw = random.Random(size)
    work: Any = pivot if compiled else pivot.py_func
    table = [[draw.randint(-60, 60) for _ in range(size + 1)] for _ in range(size)]
    width, under = size // 2 + 1, 1
    words = np.array([[as_words(entry, width) for entry in line] for line in table])
    determinant, room = as_words(1, width), np.zeros(NUMBERS * (width + 1), np.uint64)
    for _ in range(12):
        row, column = draw.randrange(size), draw.randrange(size + 1)
        if not table[row][column]:
            continue
        element = abs(table[row][column])
        table = pivoted(table, row, column, under)
        work(words, size, size + 1, row, column, determinant, room)
        under = element
        assert as_integer(determinant) == under
        assert [[as_integer(entry) for entry in line] for line in words] == table


def face(table: list[list[int]]) -> Face:
    """The rows' variables are numbered after those of the columns."""
    rows, columns = len(table), len(table[0]) - 1
    return Face(
        table=np.array([[as_words(entry, 2) for entry in line] for line in table]),
        determinant=as_words(1, 2),
        rows=np.arange(columns, columns + rows),
        columns=np.array([columns + 1, *range(columns)]),
        places=np.array([*range(-1, -columns - 1, -1), *range(rows)]),
        pivots=np.array([0, 1 << 62]),
        room=np.zeros(NUMBERS * 3, np.uint64),
    )


def cube() -> Face:
    return face([[1, -1, 0, 0], [1, 0, -1, 0], [1, 0, 0, -1]])  # a, b, c and 1 - a, 1 - b, 1 - c


def pyramid() -> Face:
    """Variables a, b, c; then c - a, c + a... with four sides that meet where all are zero."""
    return face([[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, -1, 1], [1, -1, -1, -1]])


def test_opposite_sides_of_a_cube_do_not_meet() -> None:
    sides = cube()
    assert tightened(sides, 3)  # a = 1
    assert not tightened(sides, 0)  # and a = 0


def test_a_corner_of_a_cube() -> None:
    sides = cube()
    assert all(tightened(sides, side) for side in (3, 1, 5))
    assert sides.columns[0] == 1
    found = np.empty(6)
    about(sides, found)
    assert found.tolist() == [1, 0, 1, 0, 1, 0]


def test_on_a_face_of_a_cube_its_own_variable_cannot_rise() -> None:
    sides = cube()
    assert can_rise(sides, np.arange(6))
    assert tightened(sides, 4)
    assert can_rise(sides, np.array([0, 1, 2, 3, 5]))
    assert not can_rise(sides, np.array([4]))


def test_what_ties_imply_is_found_out() -> None:
    sides = pyramid()
    assert can_rise(sides, np.arange(7))
    assert tightened(sides, 0)  # a = 0: so the first row, which is a, is zero all over
    assert not can_rise(sides, np.array([3]))
    assert can_rise(sides, np.array([1, 2, 4, 5, 6]))
    assert tightened(sides, 5)  # c = b
    assert tightened(sides, 1)
    assert not can_rise(sides, np.array([2]))


def test_narrowing_asks_both_at_once() -> None:
    assert narrowed(cube(), np.array([3, 1]), np.array([0, 2, 4, 5]))
    assert not narrowed(cube(), np.array([3, 0]), np.array([], np.int64))  # no such part
    assert not narrowed(cube(), np.array([3, 1]), np.array([1]))  # zero all over it
