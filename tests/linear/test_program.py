"""Linear programs: floats find a basis, exact arithmetic proves it, refinement mends it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.program import Basis, Program, vertex
from infoset.linear.refinement import refined
from infoset.linear.sparse import Sparse


def matrix_game_program(table, unit=1.0):
    """Minimize p with p - (A y)_i >= 0 and y a mixed strategy: the value of a matrix game."""
    rows, columns = len(table), len(table[0])
    entries = {(i, j): -table[i][j] for i in range(rows) for j in range(columns) if table[i][j]}
    entries |= {(i, columns): 1 for i in range(rows)} | {(rows, j): 1 for j in range(columns)}
    cost, side = np.zeros(columns + 1, int), np.zeros(rows + 1, int)
    cost[-1] = side[-1] = 1
    return Program(
        Sparse.of(entries, (rows + 1, columns + 1)),
        cost,
        side,
        equal=np.arange(rows + 1) == rows,
        free=np.arange(columns + 1) == columns,
        row_unit=np.where(np.arange(rows + 1) < rows, unit, 1.0),
        column_unit=np.where(np.arange(columns + 1) < columns, 1.0, 1 / unit),
        cost_unit=unit,
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_a_vertex_is_optimal_exactly_when_nobody_can_gain(rows, columns, data):
    line = st.lists(st.integers(-4, 4), min_size=columns, max_size=columns)
    table = data.draw(st.lists(line, min_size=rows, max_size=rows))
    program = matrix_game_program(table)
    answer = highs.minimize(program)
    corner = vertex(program, answer.basis, Budget())
    assert corner is not None
    assert corner.optimal
    y, x = corner.primal.values()[:columns], corner.dual.values()[:rows]
    value = corner.primal.values()[columns]
    assert sum(y) == sum(x) == 1
    assert min(*x, *y, 0) == 0
    assert max(sum(a * b for a, b in zip(row, y, strict=True)) for row in table) == value
    assert (
        min(sum(a * b for a, b in zip(col, x, strict=True)) for col in zip(*table, strict=True))
        == value
    )


def test_a_wrong_basis_is_told_from_an_optimal_one():
    program = matrix_game_program([[2, -1], [-1, 1]])
    wrong = Basis(np.array([True, False, True]), np.array([False, True, False]))
    corner = vertex(program, wrong, Budget())
    assert corner is not None
    assert not corner.optimal
    assert vertex(program, Basis(np.ones(3, bool), np.ones(3, bool)), Budget()) is None


def test_refinement_finds_what_floats_cannot_see():
    tall, needed = 10**9, 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = [
            [int(entry) * (tall if rng.random() < 0.3 else 1) for entry in row]
            for row in rng.integers(-9, 10, (8, 8))
        ]
        program = matrix_game_program(table, unit=2.0**-33)
        answer = highs.minimize(program)
        corner = vertex(program, answer.basis, Budget())
        if corner is None or not corner.optimal:
            needed += 1
            corner = refined(program, answer, Budget())
        assert corner is not None
        assert corner.optimal
    assert needed >= 4  # at this size floats are mostly wrong: the test tests something


def test_refinement_mends_a_wrong_start():
    program = matrix_game_program([[3, -1, 2], [-2, 4, 1], [0, 1, -5]])
    right = highs.minimize(program)
    wrong = Basis(np.array([True, False, False, True]), np.array([False, True, True, False]))
    start = highs.FloatOptimum(np.zeros(4), np.zeros(4), wrong, 0, "simplex")
    mended = refined(program, start, Budget())
    assert mended is not None
    assert mended.optimal
    assert mended.primal.values() == vertex(program, right.basis, Budget()).primal.values()


def test_out_of_time_is_said():
    rng = np.random.default_rng(3)
    table = rng.integers(-99, 100, (300, 300)).tolist()
    answer = highs.minimize(matrix_game_program(table), seconds=0.0)
    assert answer.basis is None
    assert answer.stopped


def test_interior_points_take_over_from_the_simplex_method(monkeypatch):
    monkeypatch.setattr(highs, "PATIENCE", 0.01)
    monkeypatch.setattr(highs, "FEWEST", 1)
    rng = np.random.default_rng(4)
    program = matrix_game_program(rng.integers(-9, 10, (40, 40)).tolist())
    answer = highs.minimize(program)
    assert answer.how == "interior points"
    corner = vertex(program, answer.basis, Budget())
    assert corner is not None
    assert corner.optimal


@pytest.mark.parametrize("unit", [2.0**-8, 1.0, 2.0**8])
def test_units_do_not_change_the_answer(unit):
    answer = highs.minimize(matrix_game_program([[3, -1], [-2, 4]], unit))
    assert np.allclose(answer.primal, [0.5, 0.5, 1.0])
    assert np.allclose(answer.dual[:2], [0.6, 0.4])


def test_a_sketch_is_near_the_answer():
    rng = np.random.default_rng(5)
    program = matrix_game_program(rng.integers(-9, 10, (30, 30)).tolist())
    answer, approximate = highs.minimize(program), highs.approximate(program, seconds=20.0)
    assert approximate.basis is None
    assert approximate.stopped
    assert abs(approximate.primal[-1] - answer.primal[-1]) < 1e-2
    assert np.allclose(approximate.primal[:-1].sum(), 1, atol=1e-3)
    assert not highs.approximate(program, seconds=0.0).primal.any()
