"""All extreme equilibria, next to those that Gambit enumerates in rational arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from infoset import matrix_game
from infoset.solvers.enumerate.solver import find
from infoset.solvers.options import Options

pygambit = pytest.importorskip("pygambit", reason="pygambit (the extra `gambit`) is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("largest", [2, 50])  # with ties, and mostly without
@pytest.mark.parametrize("seed", range(6))
def test_gambit_finds_the_same(seed: int, largest: int) -> None:
    draw = np.random.default_rng(seed)
    shape = tuple(draw.integers(2, 6, 2))
    first, second = draw.integers(0, largest + 1, (2, *shape))
    theirs = pygambit.nash.enummixed_solve(
        pygambit.Game.from_arrays(first, second), rational=True
    ).equilibria
    named = {
        tuple(
            tuple(Fraction(str(share)) for _, share in own)
            for _, own in equilibrium.mixed_strategies()
        )
        for equilibrium in theirs
    }
    found = find(matrix_game(first.tolist(), second.tolist()).tree(), Options())
    ours = [
        tuple(tuple(plan.weights.values()[1:]) for plan in pair)
        for pair in (found.strategies, *found.others)
    ]
    assert len(ours) == len(theirs)
    assert set(ours) == named
