"""Assessments: beliefs, sequential rationality and consistency, against published answers."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Numbers
from infoset.strategy import Behaviour, behaviour, profile, uniform
from infoset.strategy.assessment import (
    Assessment,
    Trembles,
    assessment,
    is_consistent,
    is_sequentially_rational,
    perturbed_assessment,
)
from infoset.tree import Tree
from tests.rules.random_games import random_rules
from tests.strategy.random_strategies import random_behaviour

F = Fraction
SEEDS = st.integers(0, 10**6)


def plays(tree: Tree, player: str, *actions: Any) -> Behaviour:
    """One action for sure at each of a player's sets, in order."""
    sets = tree.infosets_of(player)
    return behaviour(
        tree, player, {place: {action: 1} for place, action in zip(sets, actions, strict=True)}
    )


def horse(one: str, two: str, three: str, left: Any) -> Assessment:
    """Selten's horse with a belief of the third that the first went down."""
    tree = games.seltens_horse().tree()
    played = [plays(tree, *pair) for pair in zip(tree.names, (one, two, three), strict=True)]
    return assessment(played, {tree.infosets_of("three")[0]: [1 - left, left]})


# ---------------------------------------------------------------------- Selten's horse


def test_the_equilibrium_that_nobody_believes_in_fails_at_player_two() -> None:
    """Selten 1975: (down, across, L) is an equilibrium, and player 2 would go down if asked."""
    doubtful = horse("down", "across", "L", F(1))
    assert doubtful.profile.regret == 0
    found = is_sequentially_rational(doubtful)
    assert not found
    assert found.infoset == doubtful.tree.infosets_of("two")[0]
    assert (found.gain, found.action) == (3, "down")
    assert found.because == "at 'nothing yet' two gets 1, and 4 by 'down'"


def test_the_other_one_is_rational_if_the_third_doubts_the_first_little() -> None:
    """Kreps & Wilson 1982: (across, across, R) with a belief of at most 1/3 in down."""
    for left in (F(0), F(1, 4), F(1, 3)):
        assert is_sequentially_rational(horse("across", "across", "R", left))
    found = is_sequentially_rational(horse("across", "across", "R", F(1, 2)))
    assert found.infoset is not None
    assert (found.infoset.player, found.gain, found.action) == ("three", F(1, 2), "L")


def test_without_trembles_consistency_is_not_told_off_the_path() -> None:
    with pytest.raises(NotApplicable, match="no play comes to 'nothing yet' of three"):
        is_consistent(horse("across", "across", "R", F(1, 4)))


# ---------------------------------------------------------------------- an empty threat


def test_an_empty_threat_is_named() -> None:
    tree = games.entry_game().tree()
    threat = [plays(tree, "entrant", "out"), plays(tree, "incumbent", "fight")]
    assert profile(threat).regret == 0
    found = is_sequentially_rational(assessment(threat))
    assert str(found) == "no: at 'in' incumbent gets 0, and 2 by 'accommodate'"
    kept = [plays(tree, "entrant", "in"), plays(tree, "incumbent", "accommodate")]
    assert is_sequentially_rational(assessment(kept))
    assert is_consistent(assessment(kept))


def test_beer_and_quiche_pool_on_quiche_by_a_belief_that_is_consistent() -> None:
    """Cho & Kreps 1987: both pooling equilibria are sequential; only beer is intuitive."""
    tree = games.beer_quiche().tree()
    sender = plays(tree, "sender", "quiche", "quiche")
    receiver = behaviour(tree, "receiver", {"quiche": {"retreat": 1}, "beer": {"duel": 1}})
    beer = tree.find("receiver", "beer")
    weak = [F(0), F(1)]
    assert is_sequentially_rational(assessment([sender, receiver], {beer: weak}))
    strong = assessment([sender, receiver], {beer: [F(9, 10), F(1, 10)]})
    found = is_sequentially_rational(strong)
    assert (found.infoset, found.action) == (beer, "retreat")


# ---------------------------------------------------------------------- trembles


def trembling(tree: Tree, player: str, *powers: list[int]) -> Trembles:
    return Trembles(tree, player, tuple(Numbers.of(power) for power in powers))


def test_beliefs_are_the_limit_of_trembles() -> None:
    """If the first errs as often as the second, the third's belief is even; faster, it is sure."""
    tree = games.seltens_horse().tree()
    across = [1, 1, 0], [0, -1, 1]
    rarely = [1, 1, 0], [0, 0, 0], [0, -1, 1]
    right = [1, 0, 1], [0, 1, -1]
    third = tree.infosets_of("three")[0]
    for first, second, belief in (
        (across, across, [F(1, 2), F(1, 2)]),
        (rarely, across, [1, 0]),
        (across, rarely, [0, 1]),
    ):
        found = perturbed_assessment(
            [
                trembling(tree, player, *powers)
                for player, powers in zip(tree.names, (first, second, right), strict=True)
            ]
        )
        assert found.belief(third) == belief
        assert is_consistent(found)
    # With even odds L pays 1 and R 1/2 of it: the third would rather go left.
    assert not is_sequentially_rational(
        perturbed_assessment(
            [
                trembling(tree, name, *p)
                for name, p in zip(tree.names, (across, across, right), strict=True)
            ]
        )
    )


def test_trembles_that_are_none_are_found_out() -> None:
    tree = games.seltens_horse().tree()
    good = [1, 1, 0], [0, -1, 1]
    played = perturbed_assessment([trembling(tree, name, *good) for name in tree.names])
    assert is_consistent(played)
    for bad, why in (
        (([1, 1, 0], [0, 0, 0]), "is not positive"),
        (([1, 1, 0], [0, 1, 1]), "is not shared out"),
        (([1, 1, 0], [1, 0, 1]), "is not shared out"),
        (([1, 2, 0], [0, -1, 1]), "sum to 2"),
        (([1, 1, 0], [0, 1, -1]), "is not positive"),
    ):
        broken = (trembling(tree, tree.names[0], *bad), *played.trembles[1:])
        fact = is_consistent(Assessment(played.profile, played.beliefs, broken))
        assert not fact
        assert why in fact.because


def test_other_strategies_or_beliefs_than_the_limit_are_found_out() -> None:
    tree = games.seltens_horse().tree()
    good = [1, 1, 0], [0, -1, 1]
    played = perturbed_assessment([trembling(tree, name, *good) for name in tree.names])
    wrong = (*played.beliefs[:2], Numbers.of([F(1, 3), F(2, 3)]))
    fact = is_consistent(Assessment(played.profile, wrong, played.trembles))
    assert "of three: the beliefs are not the limit" in fact.because
    moved = profile(
        [plays(tree, "one", "across"), plays(tree, "two", "across"), plays(tree, "three", "R")]
    )
    fact = is_consistent(Assessment(moved, played.beliefs, played.trembles))
    assert "of three: the strategy is not the limit" in fact.because


# ---------------------------------------------------------------------- any assessment


def brute_gain(given: Assessment, infoset: Any) -> Fraction:
    """The best of all pure ways of going on from a set, one by one."""
    from itertools import product

    tree, player = given.tree, infoset.player
    number = tree.player_number(player)
    base = {s.player: s for s in given.profile}
    own = tree.infosets_of(player)

    def worth(strategy: Behaviour) -> Fraction:
        values = profile({**base, player: strategy}).continuation_values(
            np.arange(len(tree)), number
        )
        beliefs = given.belief(infoset)
        return sum((b * values[n.index] for b, n in zip(beliefs, infoset.nodes, strict=True)), F(0))

    assert number >= 0
    ways = product(*(range(len(place.actions)) for place in own))
    best = max(worth(Behaviour(tree, player, _pure_shares(tree, number, way))) for way in ways)
    return best - worth(base[player])


def _pure_shares(tree: Tree, number: int, way: tuple[int, ...]) -> Any:
    import numpy as np

    choices = tree.choices[number]
    probabilities = [F(1)]
    for size, taken in zip(choices.sizes.tolist(), way, strict=True):
        probabilities += [F(int(action == taken)) for action in range(size)]
    return np.array(probabilities, object)


@settings(max_examples=40)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(1, 4))
def test_the_gain_is_that_of_the_best_way_of_going_on(seed: int, players: int, depth: int) -> None:
    tree = random_rules(seed, players, depth)().tree()
    if len(tree) > 80 or max(map(tree.pure_strategies, tree.names)) > 64:
        return
    played = [random_behaviour(tree, player, Random(seed)) for player in tree.names]
    even = {place: [F(1, len(place.nodes))] * len(place.nodes) for place in tree.infosets}
    given = assessment(played, even)
    found = is_sequentially_rational(given)
    gains = {place: brute_gain(given, place) for place in tree.infosets}
    assert bool(found) == (max(gains.values(), default=F(0)) == 0)
    if not found:
        assert found.gain == max(gains.values())
        assert gains[found.infoset] == found.gain


@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(1, 5))
def test_backward_induction_is_sequentially_rational(seed: int, depth: int) -> None:
    tree = random_rules(seed, 1, depth)().tree()
    if tree.perfect_information:
        assert is_sequentially_rational(assessment(solve(tree, "backward").strategy))


# ---------------------------------------------------------------------- what is refused


def test_bad_beliefs_are_refused_in_a_line() -> None:
    tree = games.seltens_horse().tree()
    third = tree.infosets_of("three")[0]
    played = [uniform(tree, player) for player in tree.names]
    other = games.kuhn().tree().infosets[0]
    for said, why in (
        ({third: [F(1, 2)]}, "1 probabilities for 2 nodes"),
        ({third: [F(1, 2), F(1, 4)]}, "sum to 1, not to 3/4"),
        ({third: [F(3, 2), F(-1, 2)]}, "0 or more"),
        ({third: ["x", 1]}, "beliefs at 'nothing yet'"),
        ({third: {tree.root: 1}}, "is not a node of this information set"),
        ({other: [1, 0]}, "is not an information set of seltens_horse"),
        ({"three": [1, 0]}, "is not an information set of seltens_horse"),
    ):
        with pytest.raises(StrategyError, match=why) as refusal:
            assessment(played, said)
        assert "\n" not in str(refusal.value)
    kept = [plays(tree, "one", "across"), plays(tree, "two", "across"), uniform(tree, "three")]
    with pytest.raises(StrategyError, match="'nothing yet' of three is not reached"):
        assessment(kept)
    with pytest.raises(StrategyError, match="not an information set"):
        assessment(played).belief(other)


def test_players_who_forget_have_no_sequential_rationality() -> None:
    tree = games.absent_minded().tree()
    played = [uniform(tree, player) for player in tree.names]
    with pytest.raises(NotApplicable, match="needs perfect recall"):
        is_sequentially_rational(assessment(played))


def test_beliefs_by_node_and_by_order_are_the_same() -> None:
    tree = games.seltens_horse().tree()
    third = tree.infosets_of("three")[0]
    played = [uniform(tree, player) for player in tree.names]
    by_node = assessment(played, {third: {third.nodes[1]: F(1, 3), third.nodes[0]: F(2, 3)}})
    assert by_node.belief(third) == [F(2, 3), F(1, 3)]
    assert assessment(played).belief(third) == [F(1, 3), F(2, 3)]  # by Bayes' rule
    fact = is_consistent(by_node)
    assert "Bayes' rule says otherwise" in fact.because
