"""What strategies come to, against walks of the tree; and floats against rationals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.errors import NotApplicable, StrategyError
from infoset.games import absent_minded, kuhn
from infoset.strategy import behaviour, profile, pure, uniform
from tests.strategy.random_strategies import (
    SEEDS,
    all_pure,
    path_weight,
    random_behaviour,
    random_tree,
    walked,
)

PLAYERS = st.integers(1, 3)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_payoffs_and_reach_are_those_of_a_walk(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    own = {player: random_behaviour(tree, player, random) for player in tree.names}
    played = profile(own)
    assert list(played.payoffs.values()) == walked(tree.root, own)
    nodes = np.arange(len(tree))
    for player, strategy in own.items():
        weights = [path_weight(node, strategy) for node in tree.nodes]
        assert strategy.at(nodes).values() == weights
        number = tree.player_number(player)
        expected = [walked(node, own)[number] for node in tree.nodes]
        assert played.continuation_values(np.arange(len(tree)), number) == expected
    assert played.reach(tree.leaf_indices).total == 1


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_floats_agree_with_rationals(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    own = {player: random_behaviour(tree, player, random) for player in tree.names}
    exact, near = profile(own), profile(strategy.inexact() for strategy in own.values())
    assert exact.exact
    assert not near.exact
    for player in tree.names:
        assert isinstance(exact.payoffs[player], Fraction)
        assert isinstance(near.payoffs[player], float)
        assert near.payoffs[player] == pytest.approx(float(exact.payoffs[player]), abs=1e-9)
        assert near.regrets[player] == pytest.approx(float(exact.regrets[player]), abs=1e-9)
    for infoset in tree.infosets:
        assert near.infoset_reach(infoset) == pytest.approx(float(exact.infoset_reach(infoset)))
        beliefs, nearly = exact.beliefs(infoset), near.beliefs(infoset)
        assert (beliefs is None) == (nearly is None)
        if beliefs is not None and nearly is not None:
            assert sum(beliefs.values()) == 1
            assert list(nearly.values()) == pytest.approx(list(map(float, beliefs.values())))
        if tree.absent_minded:
            continue
        values, almost = exact.action_values(infoset), near.action_values(infoset)
        assert (values is None) == (almost is None)
        if values is not None and almost is not None:
            assert list(almost.values()) == pytest.approx(
                list(map(float, values.values())), abs=1e-9
            )


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_best_responses_are_the_best_of_all_pure_strategies(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    own = {player: random_behaviour(tree, player, random) for player in tree.names}
    played = profile(own)
    for player in tree.names:
        if tree.pure_strategies(player) > 300:
            continue
        response = played.best_response(player)
        values = {
            plan: profile({**own, player: plan}).payoffs[player] for plan in all_pure(tree, player)
        }
        assert response.value == max(values.values()) == values[response.strategy]
        assert response.how == "exact"
        if not tree.absent_minded:
            assert played.regrets[player] >= 0


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_values_of_actions_average_to_the_value_of_the_set(seed: int) -> None:
    tree = random_tree(seed, 2, forgetful=False)
    random = Random(seed)
    own = {player: random_behaviour(tree, player, random) for player in tree.names}
    played = profile(own)
    for infoset in tree.infosets:
        beliefs = played.beliefs(infoset)
        if beliefs is None:
            continue
        number = tree.player_number(infoset.player)
        expected = sum(weight * walked(node, own)[number] for node, weight in beliefs.items())
        values = played.action_values(infoset)
        assert values is not None
        probabilities = own[infoset.player][infoset]
        assert sum(probabilities[action] * value for action, value in values.items()) == expected


@game(players={"team": ("north", "south")})
def signal(g: Play) -> object:
    """South does not know what North did, and is right if it does the same."""
    north = g.choose("north", ("l", "r"))
    south = g.choose("south", ("l", "r"))
    return (1 if north == south else 0,)


def test_values_of_a_forgetful_players_actions_weigh_what_it_did_itself() -> None:
    tree = signal().tree()
    left = behaviour(tree, "team", {"north: nothing yet": {"l": 1}})
    assert profile([left]).action_values(tree.find("team", "south: nothing yet")) == {
        "l": 1,
        "r": 0,
    }


def test_values_of_an_absent_minded_players_actions_are_refused_and_others_are_not() -> None:
    tree = absent_minded().tree()
    played = profile(uniform(tree, player) for player in tree.names)
    with pytest.raises(NotApplicable, match="is met at the start and again after one: L"):
        played.action_values(tree.find("one", "a or b"))
    assert played.action_values(tree.find("two", "nothing yet")) == {"U": 1, "D": 2}


def test_nau_the_absent_minded_behaviour_beats_every_pure_strategy() -> None:
    tree = absent_minded().tree()
    share = Fraction(98, 198)
    one = behaviour(tree, "one", {"a or b": {"L": share, "R": 1 - share}})
    played = profile([one, pure(tree, "two", {"nothing yet": "D"})])
    assert played.payoffs["one"] == -99 * share**2 + 98 * share + 2
    assert played.best_response("one").value == 2
    assert played.regrets["one"] < 0


def test_profiles_that_are_none_are_refused() -> None:
    tree, other = kuhn().tree(), kuhn(ranks=4).tree()
    gambler, dealer = uniform(tree, "gambler"), uniform(tree, "dealer")
    with pytest.raises(StrategyError, match="'dealer' has none"):
        profile([gambler])
    with pytest.raises(StrategyError, match="someone has two"):
        profile([gambler, dealer, dealer])
    with pytest.raises(StrategyError, match="different trees"):
        profile([gambler, uniform(other, "dealer")])
    with pytest.raises(StrategyError, match="none was given"):
        profile([])
