"""Exact solutions of integer systems from floats: against FLINT, and where floats are hopeless."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset.linear.lifting import Budget, System, common_denominator, equilibrated
from infoset.linear.sparse import Sparse


def system_of(rows):
    size = len(rows)
    entries = {(i, j): rows[i][j] for i in range(size) for j in range(size) if rows[i][j]}
    return System.of(Sparse.of(entries, (size, size)))


def by_flint(rows, side):
    solved = flint.fmpq_mat(flint.fmpz_mat(rows)).solve(
        flint.fmpq_mat(flint.fmpz_mat([[s] for s in side]))
    )
    return [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(len(rows))]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_agrees_with_flint(data):
    size = data.draw(st.integers(1, 9))
    entry = st.integers(-5, 5) | st.just(0)
    rows = data.draw(
        st.lists(st.lists(entry, min_size=size, max_size=size), min_size=size, max_size=size)
    )
    side = data.draw(st.lists(st.integers(-(10**6), 10**6), min_size=size, max_size=size))
    assume(flint.fmpz_mat(rows).det() != 0)
    system = system_of(rows)
    assert system is not None
    column = np.array(side, object)
    assert system.solve(column, Budget()).values() == by_flint(rows, side)
    upright = [list(row) for row in zip(*rows, strict=True)]
    assert system.solve_transposed(column, Budget()).values() == by_flint(upright, side)


@pytest.mark.parametrize("scale", [10**6, 10**12, 10**24])
def test_entries_of_very_different_size(scale):
    rng = np.random.default_rng(7)
    rows = [
        [int(a) * (scale if (i + j) % 3 == 0 else 1) for j, a in enumerate(row)]
        for i, row in enumerate(rng.integers(-9, 10, (12, 12)))
    ]
    side = [int(s) for s in rng.integers(-9, 10, 12)]
    found = system_of(rows).solve(np.array(side, object), Budget())
    assert found is not None
    assert found.values() == by_flint(rows, side)


def test_long_denominators_need_more_digits_than_a_small_budget_has():
    rng = np.random.default_rng(1)
    rows = rng.integers(-99, 100, (30, 30)).tolist()
    side = [1] + [0] * 29
    found = system_of(rows).solve(np.array(side, object), Budget())
    assert found.values() == by_flint(rows, side)
    assert found.denominator.bit_length() > 100
    assert system_of(rows).solve(np.array(side, object), Budget(digits=100)) is None
    assert system_of(rows).solve(np.array(side, object), Budget(seconds=0.0)) is None


@pytest.mark.parametrize("rows", [[[1, 2], [2, 4]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]])
def test_singular_matrices_are_refused(rows):
    assert system_of(rows) is None


def test_hopeless_floats_give_up_rather_than_err():
    size = 14  # the Hilbert matrix: its condition number is beyond all floats
    whole = int(np.lcm.reduce(np.arange(1, 2 * size)))
    rows = [[whole // (i + j + 1) for j in range(size)] for i in range(size)]
    side = [whole] + [0] * (size - 1)
    found = system_of(rows).solve(np.array(side, object), Budget(seconds=2.0))
    assert found is None or found.values() == by_flint(rows, side)


def test_empty_system():
    assert System.of(Sparse.of({}, (0, 0))).solve(np.zeros(0, object), Budget()).values() == []


def test_common_denominator_of_known_fractions():
    values = [Fraction(1, 3), Fraction(-2, 7), Fraction(5), Fraction(0)]
    digits = 128
    found = np.array([round(value * 2**digits) for value in values], object)
    guess = common_denominator(found, digits, doubt=2)
    assert guess is not None
    assert guess.values() == values
    assert guess.denominator == 21
    assert common_denominator(found, 16, doubt=2) is None


def test_equilibration_brings_powers_of_two_to_one():
    rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    values = np.array([2.0**40, 2.0**20, 2.0**20, 1.0])
    row_unit, column_unit = equilibrated(rows, columns, values, (2, 2))
    assert np.allclose(values * row_unit[rows] * column_unit[columns], 1.0)
