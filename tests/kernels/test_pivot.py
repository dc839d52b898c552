"""The compiled pivot, against its own Python and against what a pivot means."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from infoset.kernels.pivot import SPARSE, pivot

Table = npt.NDArray[np.float64]


def random_table(seed: int, density: float, shape: tuple[int, int] = (12, 41)) -> Table:
    generator = np.random.default_rng(seed)
    table = generator.standard_normal(shape) * (generator.random(shape) < density)
    table[3, 5] = -1.5
    return table


@pytest.mark.parametrize("density", [1.0, 0.5, 0.02])
def test_compiled_and_plain_agree(density: float) -> None:
    for seed in range(5):
        compiled = random_table(seed, density)
        plain = compiled.copy()
        assert pivot(compiled, 3, 5) == pivot.py_func(plain, 3, 5)
        np.testing.assert_allclose(compiled, plain, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("density", [1.0, 0.5, 0.02])
def test_a_solution_of_the_system_stays_one(density: float) -> None:
    for seed in range(5):
        table = random_table(seed, density)
        nonbasic = np.append(np.random.default_rng(seed).standard_normal(40), 1.0)
        basic = table @ nonbasic
        pivot(table, 3, 5)
        basic[3], nonbasic[5] = nonbasic[5], basic[3]
        np.testing.assert_allclose(table @ nonbasic, basic, atol=1e-12)


def test_both_ways_through_a_row_are_taken() -> None:
    # The densities above are chosen for this: else one of the two loops would go untested.
    filled = [np.count_nonzero(random_table(0, density)[3]) for density in (1.0, 0.02)]
    assert filled[0] * SPARSE >= 41 > filled[1] * SPARSE


def test_a_pivot_and_its_reverse_cancel() -> None:
    table = random_table(1, 1.0)
    before = table.copy()
    pivot(table, 3, 5)
    assert not np.allclose(table, before)
    pivot(table, 3, 5)
    np.testing.assert_allclose(table, before, atol=1e-12)


def test_rows_with_a_zero_in_the_column_are_left_as_they_are() -> None:
    table = random_table(2, 1.0)
    table[[0, 7], 5] = 0.0
    before = table.copy()
    assert pivot(table, 3, 5) == 9  # of 12: not the pivot row, not these two
    assert np.array_equal(table[[0, 7]], before[[0, 7]])
