"""What must hold of every answer, on random games and random strategies."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Game, solve
from infoset.analysis.questions import (
    action_values,
    beliefs,
    best_reply,
    compare,
    deviation,
    outcome,
    plays,
    unreached,
)
from infoset.games import kuhn, leduc
from infoset.strategy import Behaviour, Profile, behaviour, profile
from infoset.strategy.continuation import continuation_values
from infoset.tree import Tree
from tests.strategy.random_strategies import SEEDS, random_behaviour, random_tree, walked

PLAYERS = st.integers(1, 3)
F = Fraction


def drawn(seed: int, players: int, forgetful: bool = True) -> tuple[Tree, dict[str, Behaviour]]:
    tree = random_tree(seed, players, forgetful)
    random = Random(seed)
    return tree, {player: random_behaviour(tree, player, random) for player in tree.names}


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_values_below_are_those_of_a_walk(seed: int, players: int) -> None:
    """Also below nodes that no play comes to, and for players who forget."""
    tree, own = drawn(seed, players)
    played = profile(own)
    for number in range(players):
        expected = [walked(node, own)[number] for node in tree.nodes]
        assert continuation_values(played, np.arange(len(tree)), number) == expected
    near = profile(strategy.inexact() for strategy in own.values())
    floats = continuation_values(near, np.arange(len(tree)), 0)
    assert floats == pytest.approx([float(walked(node, own)[0]) for node in tree.nodes], abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_plays_and_outcomes(seed: int, players: int) -> None:
    tree, own = drawn(seed, players)
    played = profile(own)
    every = plays(played, None)
    assert sum(play.probability for play in every.plays) == 1
    some = plays(played, 3)
    shown = [play.probability for play in some.plays]
    assert shown == sorted(shown, reverse=True)
    assert sum(shown) + some.rest == 1
    assert len(some.plays) == min(3, some.count)
    assert shown == sorted((play.probability for play in every.plays), reverse=True)[:3]
    assert outcome(played).payoffs == played.payoffs
    for node in [*tree.nodes][:: max(1, len(tree) // 12)]:
        answer = outcome(played, node)
        assert answer.payoffs is not None
        assert list(answer.payoffs.values()) == walked(node, own)
        assert sum(share for _, share in answer.endings) == 1
        for at, player in enumerate(tree.names):
            mean = sum(paid[at] * share for paid, share in answer.endings)
            assert mean == answer.payoffs[player]


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_beliefs_and_values(seed: int, players: int) -> None:
    tree, own = drawn(seed, players)
    played = profile(own)
    for infoset in tree.infosets:
        answer = beliefs(played, infoset)
        probabilities = [belief.probability for belief in answer.nodes]
        assert probabilities == [None] * len(probabilities) or sum(probabilities) == 1
        known = played.beliefs(infoset)
        assert (answer.reach > 0) == (known is not None) == (not answer.mistakes)
        if known is not None:
            assert probabilities == list(known.values())
        if tree.absent_minded:
            continue
        values = action_values(played, infoset)
        defined = played.action_values(infoset)
        if defined is not None:
            assert [one.value for one in values.actions] == list(defined.values())
            assert min(one.regret for one in values.actions) == 0
            assert any(one.best for one in values.actions)
    missed = {one.infoset.index for one in unreached(played).sets}
    reach = [played.infoset_reach(infoset) for infoset in tree.infosets]
    assert missed == {at for at, chance in enumerate(reach) if not chance}


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_a_deviation_is_what_the_payoff_changes_by(seed: int, players: int) -> None:
    tree, own = drawn(seed, players)
    if tree.absent_minded:
        return
    played, random = profile(own), Random(seed)
    for infoset in [*tree.infosets][:6]:
        mine = own[infoset.player]
        assert deviation(played, infoset, mine[infoset]).change == 0
        action = random.choice(infoset.actions)
        otherwise = behaviour(
            tree,
            infoset.player,
            {
                **{one: mine[one] for one in tree.infosets_of(infoset.player)},
                infoset: {action: 1},
            },
        )
        changed = profile({**own, infoset.player: otherwise}).payoffs[infoset.player]
        before = played.payoffs[infoset.player]
        assert deviation(played, infoset, action).change == changed - before


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_what_a_reply_gains_is_the_regret(seed: int, players: int) -> None:
    tree, own = drawn(seed, players, forgetful=False)
    played = profile(own)
    for player in tree.names:
        answer = best_reply(played, player)
        assert answer.gain == played.regrets[player]
        assert sum(place.gain for place in answer.places) == answer.gain
        reply = profile({**own, player: answer.strategy})
        assert reply.payoffs[player] == answer.value


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=PLAYERS)
def test_distances(seed: int, players: int) -> None:
    tree, own = drawn(seed, players)
    random = Random(seed + 1)
    other = {player: random_behaviour(tree, player, random) for player in tree.names}
    one, two = profile(own), profile(other)
    there, back = compare(one, two), compare(two, one)
    assert there.total_variation == back.total_variation
    assert there.distance == back.distance
    assert 0 <= there.total_variation <= 1
    assert sum(difference.size for difference in there.differences) == sum(there.distance.values())
    assert compare(one, one).total_variation == 0
    sizes = [d.size * (d.reach[0] + d.reach[1]) for d in there.differences]
    if not tree.absent_minded:
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("game", [kuhn(), leduc(ranks=2)], ids=repr)
def test_at_an_exact_equilibrium_nothing_gains(game: Game) -> None:
    solution = solve(game)
    assert solution.exact
    for infoset in solution.tree.infosets[::3]:
        for action in infoset.actions:
            assert deviation(solution, infoset, action).change <= 0
    for player in solution.tree.names:
        assert best_reply(solution, player).gain == 0


def test_large_games_are_asked_quickly() -> None:
    """A question about one set touches what is below it, in a few operations on arrays."""
    tree = leduc().tree()
    random = Random(1)
    played: Profile = profile(random_behaviour(tree, player, random) for player in tree.names)
    first = tree.infosets[0]
    values = action_values(played, first)
    assert "steps" not in vars(played)  # nothing was walked
    assert [one.value for one in values.actions] == list(
        (played.action_values(first) or {}).values()
    )
