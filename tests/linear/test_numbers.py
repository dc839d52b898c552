"""Vectors of exact numbers: no operation overflows, and floats are the nearest ones."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infoset.linear.numbers import (
    Numbers,
    bound,
    fitted,
    group_sums,
    integer_sum,
    multiplied,
    nearest_float,
)
from infoset.linear.sparse import Sparse

integers = st.integers(-(2**70), 2**70) | st.integers(-9, 9)
fractions = st.builds(Fraction, integers, st.integers(1, 2**40))


@given(st.lists(st.tuples(integers, integers), min_size=1, max_size=20))
def test_products_do_not_overflow(pairs):
    one, two = (fitted(list(side)) for side in zip(*pairs, strict=True))
    assert multiplied(one, two).tolist() == [a * b for a, b in pairs]


@given(st.lists(st.tuples(integers, st.integers(0, 3)), max_size=20))
def test_sums_by_group_do_not_overflow(entries):
    values, groups = fitted([v for v, _ in entries]), np.array([g for _, g in entries], int)
    expected = [sum(v for v, g in entries if g == group) for group in range(4)]
    assert group_sums(values, groups, 4).tolist() == expected


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | integers, max_size=20))
def test_the_sum_of_all_does_not_overflow(values):
    fits = all(-(2**63) <= one < 2**63 for one in values)
    assert integer_sum(np.array(values, np.int64 if fits else object)) == sum(values)
    assert integer_sum(np.full((2, 3), 2**62)) == 6 * 2**62


def test_what_is_beyond_floats_is_infinite():
    assert nearest_float(Fraction(10**400, 3)) == float("inf")
    assert nearest_float(Fraction(-(10**400))) == -float("inf")
    assert nearest_float(Fraction(1, 10**400)) == 0.0
    assert nearest_float(Fraction(2 * 10**400 + 1, 10**400)) == 2.0


@given(st.lists(fractions, min_size=1, max_size=12))
def test_numbers_are_the_fractions_they_were_made_of(values):
    numbers = Numbers.of(values)
    assert numbers.values() == values
    assert numbers.total == sum(values)
    assert numbers.floats.tolist() == [float(value) for value in values]
    assert numbers.lowest().values() == values
    assert numbers.times(numbers).values() == [value * value for value in values]


def test_one_float_makes_all_floats():
    mixed = Numbers.of([Fraction(1, 2), 0.25])
    assert not mixed.exact
    assert mixed.times(Numbers.of([2, 2])).values() == [1.0, 0.5]


def test_bounds_at_the_edge_of_int64():
    assert fitted([2**62 - 1]).dtype == np.int64
    assert fitted([2**62]).dtype == object
    assert bound(np.array([-(2**63), 5], np.int64)) == 2**63
    assert bound(np.zeros(0, np.int64)) == 0
    assert bound(np.zeros((2, 0), np.int64)) == 0


entries = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 5)), fractions, min_size=0, max_size=12
)


@given(entries, st.lists(fractions, min_size=6, max_size=6))
def test_sparse_products_are_those_of_the_full_matrix(places, vector):
    matrix = Sparse.of(places, (5, 6))
    full = [[places.get((i, j), 0) for j in range(6)] for i in range(5)]
    assert matrix.dense() == full
    expected = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in full]
    assert matrix.times(Numbers.of(vector)).values() == expected
    assert matrix.transposed.dense() == [list(column) for column in zip(*full, strict=True)]
    assert all(matrix[i, j] == full[i][j] for i in range(5) for j in range(6))
    assert np.allclose(matrix.floats.toarray(), np.array(full, float))


def test_entries_at_one_place_are_summed_and_zeros_left_out():
    rows, columns = np.array([1, 0, 1, 0]), np.array([1, 0, 1, 0])
    matrix = Sparse.summed(rows, columns, Numbers.of([1, 2, 3, -2]), (2, 2))
    assert list(matrix) == [(1, 1, 4)]
