"""Searches as solvers: what they decide is placed on the tree and proved."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from infoset import solve
from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.games import (
    blair_g2,
    goofspiel,
    imp_model,
    kuhn,
    leduc,
    matching_pennies,
    oshi_zumo,
    prisoners_dilemma,
    scissors_paper_stone,
    stacked,
)
from infoset.search import SEARCHES, backward_induction, double_oracle_alphabeta, imp_minimax, smab
from infoset.solvers.registry import SOLVERS, solver
from tests.rules.random_games import random_rules

AT_ONCE = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")


def test_every_search_is_a_row_of_the_table() -> None:
    assert {row.name for row in SOLVERS if row.family == "search"} == set(SEARCHES)


@pytest.mark.parametrize("method", AT_ONCE)
@pytest.mark.parametrize(
    "game",
    [
        goofspiel(),
        goofspiel(cards=3, order="random"),
        oshi_zumo(coins=3),
        stacked(chances=2),
        matching_pennies(),
        scissors_paper_stone(),
    ],
    ids=repr,
)
def test_an_exact_equilibrium_with_the_value_of_the_linear_program(game: Any, method: str) -> None:
    found = solve(game, method)
    assert found.certificate == "exact"
    assert found.value == solve(game, "lp").value
    assert found.work["leaves"] >= 1


@pytest.mark.parametrize("method", AT_ONCE)
def test_floats_are_nearly_as_good_and_their_regret_is_proved(method: str) -> None:
    found = solve(goofspiel(cards=4), method, exact=False)
    assert found.proved
    assert 0 <= found.regret < Fraction(1, 10**9)


def test_a_compiled_answer_is_placed_on_the_tree_of_its_rules() -> None:
    found = smab(goofspiel(cards=4, early_end=True))
    solution = found.on_tree()
    assert (solution.method, solution.tree.name) == ("smab", "goofspiel(cards=4, early_end=True)")
    assert 0 <= solution.regret < Fraction(1, 10**9)
    with pytest.raises(StrategyError, match="is not the tree of"):
        found.on_tree(goofspiel(cards=3).tree())
    with pytest.raises(StrategyError, match="is not the tree of"):
        found.on_tree(kuhn().tree())


def test_one_player_who_remembers_is_searched_unasked() -> None:
    game = imp_model(k=3, b=3, d=3)
    found = solve(game)
    assert (found.method, found.because) == ("imp-alphabeta", "one player, perfect recall")
    assert found.exact
    assert found.value == solve(game, "lp").value
    assert found.work["leaves"] <= 81
    assert solve(blair_g2()).method != "imp-alphabeta"  # a team that forgets


@pytest.mark.parametrize("seed", range(12))
def test_one_player_agrees_with_the_linear_program(seed: int) -> None:
    tree = random_rules(seed, players=1, depth=4)().tree()
    if not tree.perfect_recall:
        pytest.skip("this one forgets")
    for method in ("imp-alphabeta", "imp-minimax"):
        found = solve(tree, method)
        assert found.certificate == "exact"
        assert found.value == solve(tree, "lp").value


def test_what_the_heuristic_loses_is_stated() -> None:
    """Blair, Mutchler & van Lent 1996, section 5.3: −99/2, where 1/2 can be had."""
    found = solve(blair_g2(), "imp-minimax")
    assert found.payoffs == {"team": Fraction(-99, 2)}
    assert found.regret == 50
    assert "heuristic" in found.note
    again = imp_minimax(blair_g2()).on_tree()
    assert (again.payoffs, again.regret) == (found.payoffs, found.regret)


def test_two_players_in_the_dark_get_a_heuristic_with_its_regret() -> None:
    found = solve(kuhn(), "imp-alphabeta")
    assert found.regret > 0
    assert "heuristic" in found.note


def test_the_decisions_of_a_search_that_was_cut_short_are_placed_as_well() -> None:
    found = double_oracle_alphabeta(goofspiel(cards=4, points=True), depth=1)
    assert found.value is None
    solution = found.on_tree()
    assert solution.regret > 0
    low, high = found.evaluation.bounds
    assert low is not None
    assert high is not None
    assert low <= 0 <= high


@pytest.mark.parametrize(
    ("game", "method", "said"),
    [
        (kuhn(), "smab", "perfect information up to simultaneous moves is needed, but gambler at"),
        (leduc(ranks=2), "double-oracle", "these do apply: lp"),
        (goofspiel(players=3), "smab", "2 players, but this game has 3"),
        (prisoners_dilemma(), "backward-induction", "zero-sum games only"),
        (kuhn(), "chance-minimax", "perfect information is needed"),
    ],
)
def test_games_that_do_not_fit(game: Any, method: str, said: str) -> None:
    with pytest.raises(NotApplicable, match=said):
        solve(game, method)


def test_a_stopped_search_says_so_and_its_regret_is_proved_all_the_same() -> None:
    found = backward_induction(goofspiel(cards=5).tree(), stop=lambda: True)
    assert found.value is None
    solution = found.on_tree()
    assert "stop" in solution.note
    assert solution.proved
    assert solution.regret > 0


def test_backward_induction_by_hand() -> None:
    found = backward_induction(matching_pennies(), exact=True)
    assert found.value == 0
    assert found.on_tree().exact
    assert solver("smab").takes.endswith("perfect information up to simultaneous moves")


def test_what_has_too_large_a_tree_is_searched_without_it() -> None:
    game = goofspiel(cards=7, early_end=True)  # about 30,000,000 nodes
    found = solve(game, "smab")
    assert found.method == "smab"
    assert abs(found.value) < 1e-6
    with pytest.raises(ParameterError, match="iterations"):
        solve(game, "smab", iterations=3)
