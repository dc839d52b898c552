"""What a solution on a public form says where a player's own strategy does not let a play come."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.forms.public import PublicForm
from infoset.forms.public.merge import merged
from infoset.games import holdem, kuhn, leduc
from infoset.linear.numbers import Numbers
from infoset.rules import Game
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.public import solve_public
from infoset.solvers.public_solution import PublicEvaluation, evaluate_plans
from infoset.solvers.solution import Solution
from infoset.strategy import RealizationPlan, profile
from infoset.tree import Tree
from tests.oracles.public import Seats, public_form_of_tree
from tests.rules.random_games import random_rules
from tests.solvers.test_properties import zero_sum

F = Fraction
RIVER = holdem(bets=(1, 2), raises=2, one="AA 65s KQs", two="KQs KJs QJs 99")
GAMES = [kuhn(), kuhn(ranks=5), leduc(ranks=2), leduc(raises=1), RIVER]


def evaluated(solution: Solution) -> PublicEvaluation:
    assert isinstance(solution.evaluation, PublicEvaluation)
    return solution.evaluation


def open_sets(solution: Solution) -> list[tuple[str, int, int]]:
    """Player, decision and set, wherever the player's own plan has weight 0."""
    form, found = evaluated(solution).form, []
    for number, player in enumerate(form.players):
        weights = evaluated(solution).verified.strategies[number].plan.numerators
        for decision, one in enumerate(form.decisions[number]):
            missed = np.flatnonzero(weights[form.leading_to(one)] == 0)
            found += [(player, decision, at) for at in missed.tolist()]
    return found


def plays_best_responses(solution: Solution) -> int:
    """Check every set that the player's own plan does not reach; how many the other reaches."""
    shown, reached = evaluated(solution).profile, 0
    for player, decision, at in open_sets(solution):
        played = shown.probabilities(player, decision)[:, at].tolist()
        values = shown.action_values(player, decision)[:, at].tolist()
        if values[0] is None:
            assert played == [F(1, len(played))] * len(played)
            continue
        best = values.index(max(values))
        assert played == [F(int(action == best)) for action in range(len(played))]
        assert shown.values(player, decision)[at] == max(values)
        reached += 1
    return reached


def test_aces_call_where_folding_costs_more() -> None:
    solution = solve(RIVER.public())
    label = "A♠ A♥, [check], all in"
    assert solution.strategy["one"][label] == {"fold": 0, "call": 1}
    decision, at = RIVER.public().labels[0][label]
    assert evaluated(solution).profile.values("one", decision)[at] == F(-175, 41)
    assert solution.on_tree().strategy["one"][label] == {"fold": 0, "call": 1}
    assert solve(RIVER).strategy["one"][label] == {"fold": 0, "call": 1}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_best_responses_are_filled_in_and_change_no_payoff(game: Game) -> None:
    for form in (game.public(), merged(game.public())):
        solution = solve_public(form, exact=True)
        assert solution.exact
        plays_best_responses(solution)
        found = evaluated(solution)
        assert found.profile.payoffs == found.verified.payoffs == solution.payoffs
        assert found.profile.regrets == dict.fromkeys(form.players, 0)


def test_there_are_such_sets() -> None:
    assert plays_best_responses(solve(RIVER.public())) > 0
    assert plays_best_responses(solve(leduc().public(), exact=True)) > 0


@pytest.mark.parametrize("method", ["lp", "cfr+", "discounted-cfr"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_on_the_tree_the_same_strategies_are_filled_in_alike(game: Game, method: str) -> None:
    options = {} if method == "lp" else {"iterations": 40, "prove": True}
    solution = solve(game.public(fold=False), method, **options)  # type: ignore[arg-type]
    tree = solution.on_tree()
    assert tree.regrets == solution.regrets
    for player in solution.players:
        ours, theirs = solution.strategy[player], tree.strategy[player]
        assert ours.keys() == theirs.keys()
        for label, row in ours.items():
            assert row == pytest.approx(dict(theirs[label]), abs=0 if method == "lp" else 1e-9)


def test_floats_are_filled_in_as_well() -> None:
    solution = solve(RIVER.public())
    floats = evaluate_plans(RIVER.public(), evaluated(solution).plans, exact=False)
    assert floats.strategy["one"]["A♠ A♥, [check], all in"] == {"fold": 0, "call": 1}
    assert floats.strategy["one"]["A♠ A♥, [check], bet 10"] == pytest.approx(
        {"fold": 1 / 3, "call": 1 / 3, "all in": 1 / 3}
    )


def test_a_saved_solution_says_the_same(tmp_path: object) -> None:
    solution = solve(RIVER.public())
    solution.save(f"{tmp_path}/river")
    again = Solution.load(f"{tmp_path}/river", RIVER)
    assert dict(again.strategy["one"]) == dict(solution.strategy["one"])
    assert again.csv() == solution.csv()


def in_order_of_the_tree(tree: Tree, form: PublicForm, solution: Solution) -> TreeEvaluation:
    """The same plans, found set by set on a tree that the form was made of."""
    plans = []
    for number, player in enumerate(tree.names):
        own = evaluated(solution).verified.strategies[number].plan
        weights = np.zeros(form.sequences[number], object)
        weights[Seats(tree, number).order()] = own.numerators
        plans.append(RealizationPlan(tree, player, Numbers(weights, own.denominator)))
    return TreeEvaluation(tree, profile(plans))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(2, 6))
def test_random_games_are_filled_in_as_on_the_tree(seed: int, depth: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    assume(tree.counts.nodes < 400)
    form = public_form_of_tree(tree)
    solution = solve_public(form)
    plays_best_responses(solution)
    expected = in_order_of_the_tree(tree, form, solution)
    for number, player in enumerate(tree.names):
        seats, theirs = Seats(tree, number), expected.strategy[player]
        for decision, members in enumerate(seats.members):
            ours = evaluated(solution).profile.probabilities(player, decision)
            for at, own in enumerate(members):
                infoset = tree.infosets[int(seats.choices.infosets[own])]
                assert ours[:, at].tolist() == list(theirs[infoset].values())  # type: ignore[index]
