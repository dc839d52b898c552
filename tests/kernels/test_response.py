"""Average plans and best responses, against every pure strategy and against plain sums."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from infoset import games
from infoset.kernels.regret import BLOCK, average, hindsight, respond
from infoset.solvers.cfr.layout import TreeLayout, lay_out
from infoset.tree import Tree
from infoset.tree.builder import Builder
from tests.solvers.regret.odd_games import ODD, generic_tree
from tests.solvers.regret.test_layout import payoff

GAMES = {
    "kuhn": lambda: games.kuhn(ranks=2).tree(),
    "random of one": lambda: generic_tree(0, 1, 3),
    "random of two": lambda: generic_tree(0, 2, 4),
    "random of three": lambda: generic_tree(0, 3, 4),
    "one set": ODD["one set"],
    "bob never moves": ODD["bob never moves"],
    "bob does not care": ODD["bob does not care"],
    "only a leaf": ODD["only a leaf"],
}


def random_plan(layout: TreeLayout, seed: int) -> np.ndarray:
    sums = np.random.default_rng(seed).random(layout.sequences + 1)
    plan = np.zeros(layout.sequences + 1)
    average(layout.form, layout.run_order, sums, plan)
    return plan


def pure_plans(layout: TreeLayout, player: int) -> Any:
    """Every pure plan of a player, as weights of its sequences."""
    choices = layout.tree.choices[player]
    for taken in product(*(range(size) for size in choices.sizes.tolist())):
        weights = np.zeros(len(choices))
        weights[0] = 1.0
        for stage in choices.stages:
            for own in stage.tolist():
                weights[choices.first[own] + taken[own]] = weights[choices.before[own]]
        yield weights


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("name", GAMES)
def test_best_is_the_best_of_all_pure_plans(name: str, workers: int) -> None:
    layout = lay_out(GAMES[name](), workers=workers)
    players = len(layout.units)
    plan = random_plan(layout, 5)
    pending, found = np.zeros(layout.sequences + 1), np.zeros((players, 2))
    respond(layout.form, layout.run_order, np.concatenate(layout.places), plan, pending, found)
    assert not pending.any()
    for player, place in enumerate(layout.places):
        unit = layout.units[player]
        assert found[player, 0] * unit == pytest.approx(payoff(layout, plan, player), rel=1e-12)
        every = []
        for weights in pure_plans(layout, player):
            other = plan.copy()
            other[place] = weights
            every.append(payoff(layout, other, player))
        assert found[player, 1] * unit == pytest.approx(max(every), rel=1e-12, abs=1e-12 * unit)


@pytest.mark.parametrize("name", GAMES)
def test_hindsight_is_the_best_plan_against_any_sums(name: str) -> None:
    layout = lay_out(GAMES[name]())
    faced = np.random.default_rng(3).normal(size=layout.sequences + 1)
    pending, found = np.zeros(layout.sequences + 1), np.zeros(len(layout.units))
    kept = faced.copy()
    hindsight(layout.form, layout.run_order, faced, pending, found)
    assert (faced == kept).all()
    for player, place in enumerate(layout.places):
        best = max(float(weights @ faced[place]) for weights in pure_plans(layout, player))
        assert found[player] == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("workers", [1, 3])
def test_averages_are_plans(workers: int, dtype: Any) -> None:
    layout = lay_out(games.leduc().tree(), dtype, workers)
    sums = np.random.default_rng(1).random(layout.sequences + 1).astype(dtype)
    sums[::3] = 0.0
    plan = np.zeros(layout.sequences + 1)
    average(layout.form, layout.run_order, sums, plan)
    even = 0
    for place, choices in zip(layout.places, layout.tree.choices, strict=True):
        weights, given = plan[place], sums[place].astype(float)
        assert weights[0] == 1.0
        for own, (first, size) in enumerate(zip(choices.first, choices.sizes, strict=True)):
            here, whole = slice(first, first + size), weights[choices.before[own]]
            total = given[here].sum()
            share = given[here] / total if total > 0 else np.full(size, 1 / size)
            even += total == 0
            np.testing.assert_allclose(weights[here], whole * share, rtol=1e-12)
    assert even  # some sets had no sums at all


def wide(sets: int) -> Tree:
    """So many sets of one player in one run."""
    builder = Builder(("ann", "bob"), "wide")
    for number, node in enumerate(builder.chance(builder.root, range(sets))):
        for action, end in enumerate(builder.decide(node, "ann", ("l", "r"))):
            amount = (number * (1 + 2 * action)) % 7
            builder.pay(end, (amount, -amount))
    return builder.build()


@pytest.mark.parametrize("sets", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_blocks_end_where_they_should(sets: int) -> None:
    tree = wide(sets)
    layout = lay_out(tree)
    plan, pending, found = random_plan(layout, 2), np.zeros(layout.sequences + 1), np.zeros((2, 2))
    respond(layout.form, layout.run_order, np.concatenate(layout.places), plan, pending, found)
    paid = np.array(tree.leaf_payoffs[0].floats).reshape(sets, 2)
    values, counts = np.unique(paid, return_counts=True)
    usual = values[np.argmax(counts)]
    shares = plan[layout.places[0]][1:].reshape(sets, 2)
    found *= np.array(layout.units)[:, None]
    assert found[0, 1] == pytest.approx((paid.max(axis=1) - usual).sum() / sets, rel=1e-12)
    assert found[0, 0] == pytest.approx(((paid - usual) * shares).sum() / sets, rel=1e-12)
    assert found[1, 0] == found[1, 1]  # bob has nothing to choose
