"""A run is the same however it is cut up, and what it measures is true of the tree."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from infoset import games
from infoset.kernels import regret as kernel
from infoset.linear.numbers import Numbers
from infoset.solvers.cfr.layout import lay_out
from infoset.solvers.cfr.loop import Loop, total_weight
from infoset.solvers.cfr.variants import VARIANTS, Variant
from infoset.strategy import RealizationPlan, profile
from infoset.strategy.response import tree_best_response
from infoset.tree import Tree, matrix_game
from tests.rules.random_games import random_rules
from tests.solvers.regret.odd_games import ODD, generic_tree

AT_ONCE = tuple(replace(row, alternating=False) for row in VARIANTS)
WORKERS = (1, 2, 3, 5)


def named(row: Variant) -> str:
    return row.name if row.alternating else f"{row.name} at once"


def bits(loop: Loop) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in loop.arrays().items()}


def new_loop(tree: Tree, row: Variant, workers: int = 1, precision: Any = np.float64) -> Loop:
    return Loop(lay_out(tree, precision, workers), row, coarse=not row.alternating)


# ---------------------------------------------------------------------- however it is cut up


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("name", [*ODD, "leduc", "kuhn of three", "random"])
def test_any_number_of_workers_makes_the_same_bits(name: str, precision: Any) -> None:
    tree = {
        **ODD,
        "leduc": lambda: games.leduc().tree(),
        "kuhn of three": lambda: games.kuhn(players=3, ranks=5).tree(),
        "random": lambda: generic_tree(11, 3, 5),
    }[name]()
    rows = (*VARIANTS[1:], AT_ONCE[0])
    for row in rows if precision is np.float64 else rows[-2:]:
        found = []
        for workers in WORKERS:
            loop = new_loop(tree, row, workers, precision)
            loop.iterate(5)
            coarse = loop.measure().coarse
            found.append((bits(loop), coarse, [w.tobytes() for w in loop.weights(loop.plan())]))
        assert all(one == found[0] for one in found[1:])


def test_and_measures_the_same_regrets() -> None:
    found = set()
    for workers in WORKERS:
        loop = new_loop(games.leduc().tree(), VARIANTS[1], workers)
        loop.iterate(30)
        found.add(loop.measure().regrets)
    assert len(found) == 1


@hypothesis_settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 3),
    workers=st.integers(2, 6),
    row=st.sampled_from(VARIANTS + AT_ONCE),
)
def test_also_on_random_games(seed: int, players: int, workers: int, row: Variant) -> None:
    tree = random_rules(seed, players, 5)().tree()
    one, several = new_loop(tree, row), new_loop(tree, row, workers)
    for loop in (one, several):
        loop.iterate(4)
    assert bits(one) == bits(several)


@pytest.mark.parametrize("row", VARIANTS + AT_ONCE, ids=named)
def test_batches_and_looks_make_no_difference(row: Variant) -> None:
    tree = games.kuhn(players=3).tree() if not row.alternating else games.kuhn().tree()
    whole, pieces = new_loop(tree, row), new_loop(tree, row)
    whole.iterate(21)
    for size in (1, 2, 0, 5, 13):
        pieces.iterate(size)
        pieces.measure()
    assert whole.done == pieces.done == 21
    assert bits(whole) == bits(pieces)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("row", VARIANTS + AT_ONCE, ids=named)
def test_a_restored_run_goes_on_to_the_last_bit(row: Variant, precision: Any) -> None:
    tree = games.kuhn(ranks=4).tree()
    whole = new_loop(tree, row, 1, precision)
    whole.iterate(9)
    kept, done = whole.arrays(), whole.done
    whole.iterate(8)
    other = new_loop(tree, row, 3, precision)  # and other hands do it
    other.iterate(2)
    other.restore(done, kept)
    other.iterate(8)
    assert bits(whole) == bits(other)


def test_a_worker_that_fails_stops_all(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, loop = kernel.run, new_loop(games.leduc().tree(), VARIANTS[1], 3)

    def run(*arguments: Any) -> None:
        if arguments[-3] == 1:  # the second worker
            raise MemoryError("no room")
        plain(*arguments)

    monkeypatch.setattr(kernel, "run", run)
    threads = threading.active_count()
    with pytest.raises(MemoryError, match="no room"):
        loop.iterate(10)
    assert loop.done == 0
    assert threading.active_count() <= threads


def test_a_worker_that_cannot_start_stops_all(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, begun = new_loop(games.leduc().tree(), VARIANTS[1], 3), []
    plain = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        plain(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(RuntimeError, match="can't start"):
        loop.iterate(10)
    begun[0].join(30)
    assert not begun[0].is_alive()


def test_what_is_kept_does_not_change_when_the_run_goes_on() -> None:
    loop = new_loop(games.kuhn().tree(), AT_ONCE[1])
    loop.iterate(3)
    kept = loop.arrays()
    before = {name: array.copy() for name, array in kept.items()}
    loop.iterate(3)
    assert all((kept[name] == before[name]).all() for name in kept)
    assert bits(loop) != {name: array.tobytes() for name, array in before.items()}


# ---------------------------------------------------------------------- what is measured


def profile_of(loop: Loop) -> Any:
    tree = loop.layout.tree
    return profile(
        RealizationPlan(tree, name, Numbers(weights))
        for name, weights in zip(tree.names, loop.weights(loop.plan()), strict=True)
    )


def assert_measured_right(tree: Tree, row: Variant, iterations: int, workers: int = 1) -> None:
    loop = new_loop(tree, row, workers)
    loop.iterate(iterations)
    wanted = list(profile_of(loop).regrets.values())
    stake = max(float(np.ptp(stake.floats)) for stake in tree.leaf_payoffs)
    far = max(float(np.abs(stake.floats).max()) for stake in tree.leaf_payoffs)
    # The profile subtracts payoffs as they are, the layout without what they have in common.
    scale = 1e-12 * stake + 1e-14 * far
    np.testing.assert_allclose(loop.measure().regrets, wanted, rtol=1e-12, atol=scale)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("row", VARIANTS + AT_ONCE, ids=named)
def test_regrets_are_those_of_the_profile(row: Variant, workers: int) -> None:
    for iterations in (0, 1, 7):
        assert_measured_right(games.kuhn().tree(), row, iterations, workers)
        assert_measured_right(games.kuhn(players=3).tree(), row, iterations, workers)
    assert_measured_right(games.leduc().tree(), row, 5, workers)


@pytest.mark.parametrize("name", ODD)
def test_regrets_at_the_edges(name: str) -> None:
    for row in (VARIANTS[0], VARIANTS[1], AT_ONCE[4]):
        for iterations in (0, 1, 6):
            assert_measured_right(ODD[name](), row, iterations, 2)


@hypothesis_settings(max_examples=40)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 4), iterations=st.integers(0, 12))
def test_regrets_on_random_games(seed: int, players: int, iterations: int) -> None:
    assert_measured_right(generic_tree(seed, players, 4), AT_ONCE[seed % 5], iterations)


def commitments(tree: Tree, row: Variant, iterations: int) -> list[float]:
    """What each player would have gained by one plan against all that was played, by brute force.

    Iteration t plays what iteration t - 1 made, and counts (t - 1)^C.
    """
    loop, players = new_loop(tree, row), range(len(tree.players))
    faced = [np.zeros(len(tree.leaf_indices)) for _ in players]
    gained, counted = np.zeros(len(players)), 0.0
    for time in range(1, iterations + 1):
        count = (time - 1) ** row.averaging if time > 1 else 0.0
        played = profile(
            RealizationPlan(tree, name, Numbers(weights))
            for name, weights in zip(
                tree.names, loop.weights(loop.state.weight.astype(float)), strict=True
            )
        )
        for player, amount in enumerate(played.payoffs.values()):
            faced[player] += count * played.reach(tree.leaf_indices, without=player).floats
            gained[player] += count * amount
        counted += count
        loop.iterate(1)
    best = [tree_best_response(tree, player, Numbers(faced[player])).value for player in players]
    return [(float(most) - got) / counted for most, got in zip(best, gained, strict=True)]


@pytest.mark.parametrize("row", AT_ONCE, ids=named)
@pytest.mark.parametrize(
    "name", ["kuhn", "kuhn of three", "dilemma", "one", "two", "three", "four"]
)
def test_coarse_regrets_are_those_of_all_iterates(name: str, row: Variant) -> None:
    numbers = {"one": 1, "two": 2, "three": 3, "four": 4}
    tree = {
        "kuhn": lambda: games.kuhn().tree(),
        "kuhn of three": lambda: games.kuhn(players=3).tree(),
        "dilemma": lambda: games.prisoners_dilemma().tree(),
    }.get(name, lambda: generic_tree(5 if name != "four" else 7, numbers[name], 4))()
    for iterations in (2, 3, 9):
        loop = new_loop(tree, row)
        loop.iterate(iterations)
        wanted = commitments(tree, row, iterations)
        scale = 1e-12 * max(float(np.abs(stake.floats).max()) for stake in tree.leaf_payoffs)
        np.testing.assert_allclose(loop.measure().coarse, wanted, rtol=1e-9, atol=scale)


def test_long_sums_in_float32_do_not_flatter_joint_play() -> None:
    # Both come so near that what float32 would leave out of long sums is a thousand times as much.
    found = []
    for precision in (np.float64, np.float32):
        loop = new_loop(games.kuhn(players=3).tree(), AT_ONCE[1], 1, precision)
        loop.iterate(50_000)
        found.append(loop.measure().coarse)
    assert max(found[0]) < 1e-8
    np.testing.assert_allclose(found[1], found[0], atol=1e-8)


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 3.0, 0.5, 2.25])
def test_what_all_iterations_count(exponent: float) -> None:
    for done in (0, 1, 2, 3, 50):
        wanted = sum(time**exponent for time in range(1, done))
        assert total_weight(done, exponent) == pytest.approx(wanted, rel=1e-15)
    loop = new_loop(games.kuhn().tree(), replace(AT_ONCE[3], averaging=exponent))
    loop.iterate(60)
    assert loop.state.summed[0] == pytest.approx(total_weight(60, exponent), rel=1e-13)


def test_before_anything_counts_nothing_is_said_of_joint_play() -> None:
    loop = new_loop(games.kuhn(players=3).tree(), AT_ONCE[1])
    assert loop.measure().coarse == ()
    loop.iterate(1)
    assert loop.measure().coarse == ()
    loop.iterate(1)
    assert len(loop.measure().coarse) == 3


def test_coarse_regrets_may_be_less_than_nothing() -> None:
    # Found by trying random games; the averages by themselves have regret, joint play has none.
    first = [[-2, -1, 2], [0, 2, 0], [4, -1, 2]]
    second = [[2, -4, -4], [-1, 1, 2], [1, 2, 0]]
    loop = new_loop(matrix_game(first, second).tree(), AT_ONCE[4])
    loop.iterate(22)
    found = loop.measure()
    assert max(found.coarse) < 0 < 0.1 < found.regret


def test_numbers_beyond_floats_are_not_taken_for_no_regret() -> None:
    loop = new_loop(games.kuhn().tree(), VARIANTS[0])
    loop.iterate(3)
    loop.state.summed[3] = np.inf
    assert not loop.measure().regret <= 1
