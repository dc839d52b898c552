"""V, on positions and on trees, with and without pruning, against its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game, solve
from infoset.games import kuhn, matching_pennies
from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from tests.rules.random_games import random_rules
from tests.search.imp.independent import placed, random_duel, v

SWITCHES = list(product((False, True), repeat=2))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_one_player_has_the_value_of_figure_6(seed: int, depth: int, forgetful: bool) -> None:
    game = random_rules(seed, 1, depth, forgetful)()
    tree = game.tree()
    value = v(game)
    assert v(tree) == value
    for each in (game, tree):
        full = imp_minimax(each)
        assert full.value == value
        assert (full.work["nodes"], full.work["leaves"]) == (len(tree), len(tree.leaf_indices))
        assert full.evaluation.optimal == bool(tree.perfect_recall)
        for sets, immediate in SWITCHES:
            pruned = imp_alphabeta(
                each,
                bounds=(None, 40),
                information_set_pruning=sets,
                immediate_pruning=immediate,
            )
            assert pruned.value == value  # theorem 4
            assert pruned.work["nodes"] <= len(tree)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_one_player_who_is_said_to_play_optimally_does(
    seed: int, depth: int, forgetful: bool
) -> None:
    game = random_rules(seed, 1, depth, forgetful)()
    tree = game.tree()
    for each, start in ((game, game.position()), (tree, None)):
        for search in (imp_minimax, imp_alphabeta):
            found = search(each, bounds=(None, 40))
            got = placed(found, tree, start or found.evaluation.source.start).payoffs["ann"]
            assert got <= found.value  # which no strategy beats
            if found.evaluation.optimal:
                assert got == found.value
                if tree.perfect_recall:
                    assert solve(tree, "lp").value == found.value


BOUNDS = (
    (-5, 5),
    (-7, Fraction(11, 2)),
    (None, 5),
    (-5, None),
    (-5, float("inf")),
    (None, None),
)


@settings(max_examples=35, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from(BOUNDS), st.sampled_from(SWITCHES))
def test_two_players_have_one_value_however_much_is_pruned(
    seed: int, depth: int, bounds: tuple[Any, Any], switches: tuple[bool, bool]
) -> None:
    game = random_duel(seed, depth)()
    tree = game.tree()
    value = v(tree)
    assert imp_minimax(game).value == imp_minimax(tree).value == value
    counts = []
    for each in (game, tree):
        sets, immediate = switches
        pruned = imp_alphabeta(
            each, information_set_pruning=sets, immediate_pruning=immediate, bounds=bounds
        )
        assert pruned.value == value
        counts.append(dict(pruned.work))
    assert counts[0] == counts[1]  # both grounds look at the same
    assert counts[0]["nodes"] <= len(tree)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_two_players_who_are_said_to_play_optimally_are_in_equilibrium(
    seed: int, depth: int, sighted: bool
) -> None:
    game = random_duel(seed, depth, sighted)()
    tree = game.tree()
    for each in (game, tree):
        for search in (imp_minimax, imp_alphabeta):
            found = search(each, bounds=(-5, 5))
            if sighted:
                assert found.evaluation.optimal
            if found.evaluation.optimal:
                both = placed(found, tree, found.evaluation.source.start)
                assert both.regret == 0
                assert both.payoffs["ann"] == found.value == solve(tree, "lp").value


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_chance_minimax_is_backward_induction(seed: int, depth: int) -> None:
    game = random_duel(seed, depth, sighted=True)()
    tree = game.tree()
    exact = solve(tree, "backward").payoffs["ann"]
    for each in (game, tree):
        found = chance_minimax(each)
        assert found.value == exact
        assert found.evaluation.optimal
        assert found.work["nodes"] == len(tree)
        assert placed(found, tree, found.evaluation.source.start).regret == 0


def test_alpha_beta_without_bounds_where_everything_is_seen() -> None:
    game = random_duel(12, 6, sighted=True)()
    pruned = imp_alphabeta(game)
    assert pruned.work["alpha_beta_cutoffs"] > 0
    assert pruned.value == imp_minimax(game).value


@pytest.mark.parametrize("sign", [1, -1])
def test_without_bounds_what_comes_later_may_make_up_for_anything(sign: int) -> None:
    """Safe pays 0. Bold loses 3 in one case, by the other's better move, and wins 10 in one."""
    names = ("ann", "bob") if sign == 1 else ("bob", "ann")

    @game(players=names)
    def gamble(g: Play) -> object:
        if g.choose("ann", ("safe", "bold")) == "safe":
            return g.win("ann", 0)
        g.reveal("bob", "bold")
        case = g.chance(("bad", "good"))
        g.reveal("bob", case)
        answer = g.choose("bob", ("weak", "strong"))
        return g.win("ann", 10 if case == "good" else {"weak": -1, "strong": -3}[answer])

    for each in (gamble(), gamble().tree()):
        for bounds in ((None, None), (float("-inf"), float("inf")), (-10, 10)):
            assert imp_alphabeta(each, bounds=bounds).value == sign * Fraction(7, 2)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(BOUNDS))
def test_larger_games_of_two_have_one_value(seed: int, bounds: tuple[Any, Any]) -> None:
    tree = random_duel(seed, 6)().tree()
    full, pruned = imp_minimax(tree), imp_alphabeta(tree, bounds=bounds)
    assert pruned.value == full.value
    assert pruned.work["leaves"] <= full.work["leaves"]


def test_moves_at_once_are_made_in_the_dark() -> None:
    found = imp_minimax(matching_pennies())
    # Whoever is thought to move second sees the other's coin: a heuristic.
    assert (found.value, found.evaluation.optimal) == (-1, False)
    assert "asked twice" in found.evaluation.reason


def test_kuhn_poker_is_told_as_a_heuristic() -> None:
    for each in (kuhn(), kuhn().tree()):
        full, pruned = imp_minimax(each), imp_alphabeta(each, bounds=(-2, 2))
        assert full.value == pruned.value == 0
        for found in (full, pruned):
            assert not found.evaluation.optimal
            assert found.evaluation.bounds == (-2, 2)  # Kuhn's value is -1/18
        assert imp_minimax(each, bounds=(None, None)).evaluation.bounds == (None, None)
        assert imp_minimax(each, bounds=(None, 3)).evaluation.bounds == (None, 3)
        assert pruned.work["nodes"] < full.work["nodes"]


@pytest.mark.parametrize("search", [imp_minimax, imp_alphabeta])
def test_numbers_of_any_size_are_exact(search: Any) -> None:
    @game(players=("player",))
    def fortune(g: Play) -> object:
        drawn = g.chance(range(3))
        first = g.choose("player", range(3))
        g.reveal("player", drawn)
        second = g.choose("player", range(2))
        return 10**400 * ((7 * first + 5 * second + 3 * drawn) % 11) - Fraction(1, 3)

    for each in (fortune(), fortune().tree()):
        for low in (None, -1):
            found = search(each, bounds=(low, 10**401))
            assert found.value == v(each)
            assert type(found.value) is Fraction
