"""The compiled iteration, against a textbook's, against its own Python, and kept from one start
to the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from infoset import games
from infoset.kernels import regret as kernel
from infoset.solvers.cfr.layout import lay_out
from infoset.solvers.cfr.loop import Loop
from infoset.solvers.cfr.variants import VARIANTS, Variant
from infoset.tree import Tree, matrix_game
from tests.rules.random_games import random_rules
from tests.solvers.regret.odd_games import ODD, generic_tree, untied
from tests.solvers.regret.textbook import Textbook

ROWS = [
    replace(row, alternating=alternating) for row in VARIANTS for alternating in (True, False)
] + [
    replace(VARIANTS[3], keep=0.5, cut=2.0, averaging=0.25),
    replace(VARIANTS[3], keep=0.0, cut=inf, averaging=3.0, alternating=False),
]


def named(row: Variant) -> str:
    return (
        f"{row.name}{row.exponents if row.tunable else ''}{'' if row.alternating else ' at once'}"
    )


def assert_same_course(tree: Tree, row: Variant, iterations: int) -> None:
    """Shares, regrets and sums of every iterate are the textbook's."""
    layout = lay_out(tree)
    loop, book = Loop(layout, row), Textbook(tree, row)
    for _ in range(iterations):
        loop.iterate(1)
        book.iterate()
        state = loop.arrays()
        begin = 0
        for player, (place, unit) in enumerate(zip(layout.places, layout.units, strict=True)):
            own = slice(begin + 1, begin + len(place))
            begin += len(place)
            share, summed = book.listed(book.share, player), book.listed(book.summed, player)
            np.testing.assert_allclose(state["share"][own], share, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(state["summed"][own], summed, rtol=1e-9, atol=1e-9)
            regret = np.array(book.listed(book.regret, player))
            scale = 1e-9 * max(np.abs(regret).max(initial=0.0), unit)
            np.testing.assert_allclose(state["regret"][own] * unit, regret, rtol=1e-9, atol=scale)


# ---------------------------------------------------------------------- as the textbook has it


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_every_iterate_is_the_textbooks_on_kuhn(row: Variant) -> None:
    assert_same_course(games.kuhn().tree(), row, 40)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_with_three_players_too(row: Variant) -> None:
    assert_same_course(games.kuhn(players=3).tree(), row, 6)


@pytest.mark.parametrize("row", ROWS, ids=named)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_and_on_random_games_of_any_sum(players: int, row: Variant) -> None:
    for seed in (0, 1, 5 if players < 4 else 7):
        assert_same_course(generic_tree(seed, players, 4), row, 10)


@hypothesis_settings(max_examples=25)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), row=st.sampled_from(ROWS))
def test_and_on_any_random_rules(seed: int, players: int, row: Variant) -> None:
    assert_same_course(untied(random_rules(seed, players, 4)().tree()), row, 5)


@pytest.mark.parametrize("row", ROWS, ids=named)
@pytest.mark.parametrize("odd", [name for name in ODD if name not in ("chain", "lopsided")])
def test_and_where_there_is_next_to_nothing_to_do(odd: str, row: Variant) -> None:
    assert_same_course(ODD[odd](), row, 5)


def test_the_textbook_tells_variants_apart() -> None:
    # Else agreement with it would say little: no two rows play alike on the same game.
    tree, found = games.kuhn().tree(), set()
    for row in ROWS:
        book = Textbook(tree, row)
        for _ in range(8):
            book.iterate()
        found.add(tuple(round(summed / 7, 6) for summed in book.summed.values()))
    assert len(found) == len(ROWS)


# ---------------------------------------------------------------------- compiled

OUTSIDE = """
import json
from infoset.kernels import regret, regret as response, barrier as together
from tests.kernels.test_regret import some_run

found = [some_run(2), some_run(3)]
stats = {
    one.__name__: [sum(one.stats.cache_hits.values()), sum(one.stats.cache_misses.values())]
    for module in (regret, response, together)
    for one in vars(module).values()
    if hasattr(one, "stats")
}
print(json.dumps([found, stats]))
"""


def some_run(players: int) -> dict[str, Any]:
    """All numbers of a run in which every compiled function has its part."""
    loop = Loop(lay_out(generic_tree(3, players, 4)), replace(ROWS[7], averaging=0.5), coarse=True)
    loop.iterate(10)
    found = loop.measure()
    state = {name: array.tolist() for name, array in loop.arrays().items()}
    return {**state, "regrets": found.regrets, "coarse": found.coarse}


def in_a_new_process(**settings: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **settings},
    )
    return json.loads(done.stdout)


def test_compiled_and_plain_agree() -> None:
    # Without numba every function is what stands in the file.
    plain, compiled = in_a_new_process(NUMBA_DISABLE_JIT="1")
    assert not compiled
    for found, wanted in zip([some_run(2), some_run(3)], plain, strict=True):
        assert found.keys() == wanted.keys()
        for name, numbers in wanted.items():
            np.testing.assert_allclose(found[name], numbers, rtol=1e-9, atol=1e-9, err_msg=name)


def test_a_new_process_compiles_nothing() -> None:
    some_run(2)  # compiled here, if it has never been
    _, stats = in_a_new_process()
    assert {name: hits for name, (hits, _) in stats.items() if hits} == {
        "run": 1,
        "average": 1,
        "respond": 1,
        "hindsight": 1,
    }
    assert not any(misses for _, misses in stats.values())


# ---------------------------------------------------------------------- what fades


@pytest.mark.parametrize(
    ("time", "exponent", "kept"),
    [
        *[(1, 0.0, 0.5), (9, 0.0, 0.5), (1, 1.0, 0.5), (3, 1.0, 0.75), (4, 0.5, 2 / 3)],
        *[(4, 1.5, 8 / 9), (1, inf, 1.0), (10**9, inf, 1.0), (1, -inf, 0.0), (7, 1e300, 1.0)],
    ],
)
def test_what_is_kept_of_a_sum(time: int, exponent: float, kept: float) -> None:
    # Brown & Sandholm 2019, section 4: t^A / (t^A + 1).
    assert kernel.discount_factor(time, exponent) == pytest.approx(kept, rel=1e-15)
    assert kernel.discount_factor.py_func(time, exponent) == pytest.approx(kept, rel=1e-15)


def test_shares_are_even_where_nothing_is_above_zero() -> None:
    # Ann gains by nothing that she does: all regrets are zero, and stay so.
    tree = matrix_game([[1, 2], [1, 2], [1, 2]], [[0, 3], [1, 0], [2, 2]]).tree()
    for row in ROWS:
        loop = Loop(lay_out(tree), row)
        loop.iterate(4)
        assert loop.arrays()["share"][1:4].tolist() == [1 / 3] * 3


def test_no_iterations_change_nothing() -> None:
    loop = Loop(lay_out(games.kuhn().tree()), VARIANTS[1], coarse=True)
    loop.iterate(3)
    before = {name: array.copy() for name, array in loop.arrays().items()}
    loop.iterate(0)
    assert loop.done == 3
    assert all((array == before[name]).all() for name, array in loop.arrays().items())


def test_nothing_is_pending_between_iterations() -> None:
    for row in ROWS:
        loop = Loop(lay_out(games.kuhn(players=3).tree()), row, coarse=not row.alternating)
        loop.iterate(2)
        assert not loop.state.pending[:-1].any()
