"""Kuhn's theorem both ways, and the two ways in which it fails without perfect recall."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.errors import NotApplicable, StrategyError, TooLarge
from infoset.games import absent_minded, kuhn
from infoset.strategy import (
    Behaviour,
    as_behaviour,
    as_mixed,
    as_plan,
    behaviour,
    equivalent,
    mixed,
    profile,
    pure,
    uniform,
)
from infoset.strategy import equivalence as module
from infoset.tree.facts import absent_minded as meets_twice
from tests.strategy.random_strategies import (
    SEEDS,
    path_weight,
    random_behaviour,
    random_mixed,
    random_tree,
)
from tests.strategy.test_profile import signal

HALF = Fraction(1, 2)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3))
def test_with_perfect_recall_every_strategy_has_its_equivalents(seed: int, players: int) -> None:
    tree = random_tree(seed, players, forgetful=False)
    random = Random(seed)
    for player in tree.names:
        one = random_behaviour(tree, player, random)
        drawn = random_mixed(tree, player, random)
        for strategy in (one, drawn, one.plan, drawn.plans[0]):
            for convert in (as_behaviour, as_mixed, as_plan):
                assert equivalent(convert(strategy), strategy)
                assert as_behaviour(convert(strategy)).exact
        weights = [
            path_weight(tree.nodes[int(end)], as_behaviour(drawn)) for end in tree.leaf_indices
        ]
        assert drawn.at(tree.leaf_indices).values() == weights


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_a_forgetful_players_behaviour_is_mixed_unless_it_meets_a_set_twice(seed: int) -> None:
    tree = random_tree(seed, 2)
    random = Random(seed)
    for player in tree.names:
        one = random_behaviour(tree, player, random)
        try:
            drawn = as_mixed(one)
        except NotApplicable:
            assert meets_twice(tree, [tree.player_number(player)])
            continue
        assert equivalent(drawn, one)
        assert equivalent(as_behaviour(drawn), one)
        assert len(drawn) <= len(tree.leaf_indices)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 2))
def test_floats_convert_as_rationals_do(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    for player in tree.names:
        one = random_behaviour(tree, player, random)
        drawn = random_mixed(tree, player, random)
        for strategy, convert in ((one, as_mixed), (drawn, as_behaviour)):
            try:
                expected = convert(strategy)
            except NotApplicable:
                with pytest.raises(NotApplicable):
                    convert(strategy.inexact())
                continue
            near = convert(strategy.inexact())
            assert not near.exact
            assert equivalent(near, expected)


def test_equivalent_tells_strategies_apart() -> None:
    tree = kuhn().tree()
    one = uniform(tree, "dealer")
    other = behaviour(tree, "dealer", {"J, bet": {"pass": Fraction(499, 1000), "bet": 0.501}})
    assert not equivalent(one, other)
    assert not equivalent(one.inexact(), other)
    # Floats that are a rounding apart are the same; rationals never are.
    close = behaviour(
        tree,
        "dealer",
        {"J, bet": {"pass": HALF - Fraction(1, 10**20), "bet": HALF + Fraction(1, 10**20)}},
    )
    assert not equivalent(one, close)
    assert equivalent(one, close.inexact())
    with pytest.raises(StrategyError, match="only strategies of one player in one tree compare"):
        equivalent(one, uniform(tree, "gambler"))
    with pytest.raises(StrategyError, match="only strategies of one player in one tree compare"):
        equivalent(one, uniform(kuhn().tree(), "dealer"))


def test_choices_that_the_own_strategy_rules_out_do_not_matter() -> None:
    tree = kuhn().tree()
    bets = {label: {"bet": 1} for label in "JQK"}
    one = behaviour(tree, "gambler", bets)
    two = behaviour(tree, "gambler", {**bets, "J, [pass], bet": {"bet": 1}})
    assert equivalent(one, two)
    assert as_behaviour(as_mixed(two))["J, [pass], bet"] == {"pass": HALF, "bet": HALF}


# ---------------------------------------------------------------------- without perfect recall


def test_nau_a_mixed_strategy_that_no_behaviour_matches() -> None:
    tree = absent_minded().tree()
    left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    coin = mixed(tree, "one", {left: HALF, right: HALF})
    with pytest.raises(NotApplicable, match="forgets whether it chose L") as refusal:
        as_behaviour(coin)
    assert "weight is 1/2, and would become 1/4" in str(refusal.value)
    assert as_behaviour(mixed(tree, "one", {left: 1, right: 0}))["a or b"] == {"L": 1, "R": 0}


def test_nau_a_behaviour_that_no_mixed_strategy_matches() -> None:
    tree = absent_minded().tree()
    one = behaviour(tree, "one", {"a or b": {"L": Fraction(98, 198), "R": Fraction(100, 198)}})
    with pytest.raises(NotApplicable, match="does the same each time it meets") as refusal:
        as_mixed(one)
    assert "is met at the start and again after one: L" in str(refusal.value)
    with pytest.raises(NotApplicable, match="needs perfect recall"):
        as_plan(one)


@pytest.mark.parametrize("action", ["L", "R"])
def test_an_absent_minded_player_who_never_draws_may_be_mixed(action: str) -> None:
    tree = absent_minded().tree()
    sure = behaviour(tree, "one", {"a or b": {action: 1}})
    assert as_mixed(sure).support == (pure(tree, "one", {"a or b": action}),)


def test_partners_can_agree_in_mixed_strategies_only() -> None:
    tree = signal().tree()
    labels = ("north: nothing yet", "south: nothing yet")
    agreed = [pure(tree, "team", dict.fromkeys(labels, action)) for action in "lr"]
    together = mixed(tree, "team", dict.fromkeys(agreed, HALF))
    assert profile([together]).payoffs["team"] == 1
    with pytest.raises(NotApplicable, match="team, at 'south: nothing yet', forgets whether"):
        as_behaviour(together)
    apart = uniform(tree, "team")
    assert profile([as_mixed(apart)]).payoffs["team"] == profile([apart]).payoffs["team"] == HALF


def test_a_mixed_strategy_of_a_forgetful_player_that_a_behaviour_matches() -> None:
    tree = signal().tree()
    labels = ("north: nothing yet", "south: nothing yet")
    plans = [
        pure(tree, "team", dict(zip(labels, actions, strict=True)))
        for actions in ("ll", "lr", "rl", "rr")
    ]
    weights = (Fraction(1, 12), Fraction(1, 4), Fraction(1, 6), HALF)
    drawn = mixed(tree, "team", dict(zip(plans, weights, strict=True)))
    found = as_behaviour(drawn)
    assert found[labels[0]] == {"l": Fraction(1, 3), "r": Fraction(2, 3)}
    assert found[labels[1]] == {"l": Fraction(1, 4), "r": Fraction(3, 4)}


@game(players={"team": tuple(f"agent {j}" for j in range(16))})
def choir(g: Play) -> object:
    """Sixteen agents say yes or no, none hearing the others, until one says no."""
    for agent in range(16):
        if g.choose(f"agent {agent}", ("yes", "no")) == "no":
            return (agent,)
    return (100,)


def test_draws_ahead_are_not_listed_one_by_one() -> None:
    tree = choir().tree()
    assert tree.pure_strategies("team") == 2**16
    drawn = as_mixed(uniform(tree, "team"))
    assert equivalent(drawn, uniform(tree, "team"))
    assert len(drawn) <= len(tree.leaf_indices) == 17


def test_too_many_paths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PATHS", 3)
    with pytest.raises(TooLarge, match="its 4 own paths to leaves are more than the 3"):
        as_mixed(uniform(signal().tree(), "team"))


def test_a_behaviour_is_itself() -> None:
    one = uniform(kuhn().tree(), "dealer")
    assert as_behaviour(one) is one
    assert isinstance(as_behaviour(one.plan), Behaviour)
    assert as_plan(one.plan) is one.plan
