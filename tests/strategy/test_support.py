"""Small supports: the same weights, and no more pure strategies than the theorem allows."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.games import kuhn, leduc
from infoset.linear.numbers import Numbers
from infoset.strategy import Mixed, equivalent, peel, small_support, uniform
from infoset.strategy.mixed import independent
from tests.strategy.random_strategies import (
    SEEDS,
    all_pure,
    random_behaviour,
    random_mixed,
    random_tree,
)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(0, 6))
def test_peeling_keeps_the_weights_and_the_bound(seed: int, players: int, depth: int) -> None:
    tree = random_tree(seed, players, forgetful=False, depth=depth)
    for player in tree.names:
        plan = random_behaviour(tree, player, Random(seed)).plan
        drawn = peel(plan)
        assert equivalent(drawn, plan)
        sizes = plan.choices.sizes
        most = 1 + int((sizes - 1).sum())
        assert len(drawn) == len(drawn.support) <= most <= len(tree.leaf_indices)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 2))
def test_small_supports_are_equivalent_and_independent(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    for player in tree.names:
        drawn = random_mixed(tree, player, Random(seed), 30)
        small = small_support(drawn)
        assert equivalent(small, drawn)
        assert set(small) <= set(drawn.support)
        vectors = np.array([plan.at(tree.leaf_indices).numerators for plan in small])
        assert np.linalg.matrix_rank(vectors) == len(small) <= len(tree.leaf_indices)


def test_hundreds_of_pure_strategies_become_few() -> None:
    tree = kuhn(ranks=4).tree()
    plans = all_pure(tree, "gambler")  # 2 to the 8th
    random = Random(1)
    whole = [random.randint(1, 10**6) for _ in plans]
    weights = Numbers.of(Fraction(weight, sum(whole)) for weight in whole)
    drawn = Mixed(tree, "gambler", tuple(plans), weights)
    small = small_support(drawn)
    assert equivalent(small, drawn)
    assert len(small) <= 1 + 8 < len(plans)


def test_a_large_plan_is_peeled_within_the_bound() -> None:
    plan = uniform(leduc().tree(), "one").plan
    assert len(peel(plan)) <= 1 + int((plan.choices.sizes - 1).sum())


def test_floats_are_peeled_too() -> None:
    tree = kuhn().tree()
    plan = random_behaviour(tree, "dealer", Random(3)).inexact().plan
    drawn = peel(plan)
    assert not drawn.exact
    assert equivalent(drawn, plan)
    assert equivalent(small_support(drawn), plan)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_averages_are_kept_with_entries_that_grow(data: st.DataObject) -> None:
    count, length = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 5))
    entry = st.integers(0, 10**9)
    row = st.lists(entry, min_size=length, max_size=length).filter(any)
    vectors = np.array(data.draw(st.lists(row, min_size=count, max_size=count)), np.int64)
    weights = [Fraction(data.draw(st.integers(0, 9)), 7) for _ in range(count)]
    moved = independent(vectors, weights)
    assert all(weight >= 0 for weight in moved)
    large = vectors.astype(object)
    assert list(np.array(moved) @ large) == list(np.array(weights) @ large)
    assert sum(weight > 0 for weight in moved) <= length
