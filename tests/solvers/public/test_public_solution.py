"""Answers on public forms: verified anew, exactly where they are small, and read set by set."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from infoset.errors import InfosetError, ParameterError, StrategyError
from infoset.forms.public.plans import GRID, rounded_plan
from infoset.linear.numbers import Numbers
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.public import solve_public
from infoset.solvers.public_solution import evaluate_plans
from infoset.solvers.solution import Solution
from infoset.strategy import Profile, RealizationPlan, profile
from infoset.strategy.public import public_profile
from tests.oracles.public import Seats
from tests.solvers.public.forms import NAMES, orders, public, trees

SMALL = tuple(name for name in NAMES if name not in ("kuhn of 40", "leduc"))


def solved(name: str, **wishes: object) -> Solution:
    return solve_public(public(name), iterations=wishes.pop("iterations", 20), **wishes)  # type: ignore[arg-type]


def on_tree(solution: Solution, name: str) -> Profile:
    """The same plans as exact strategies on the tree."""
    tree, plans = trees()[name], []
    for player, order in enumerate(orders(name)):
        numerators = np.zeros(len(order), np.int64)
        numerators[order] = (solution.evaluation.plans[player] * GRID).astype(np.int64)
        plans.append(RealizationPlan(tree, tree.names[player], Numbers(numerators, GRID)))
    return profile(plans)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_proved_is_what_the_tree_proves_of_the_same_plans(name: str) -> None:
    solution = solved(name, prove=True)
    expected = on_tree(solution, name)
    assert solution.payoffs == expected.payoffs
    assert solution.regrets == expected.regrets
    assert all(isinstance(one, Fraction) for one in solution.regrets.values())
    assert solution.exploitability == sum(expected.regrets.values())
    low, high = solution.value_bounds
    assert high - low == solution.exploitability
    assert low <= solution.value <= high


@pytest.mark.parametrize("name", NAMES)
def test_floats_verify_what_the_loop_has_measured(name: str) -> None:
    solution = solved(name, prove=False)
    assert solution.convergence is not None
    scale = float(max(abs(one) for pay in trees()[name].payoffs for one in pay))
    best = min(point.regret for point in solution.convergence.points)
    assert solution.regret == pytest.approx(best, abs=1e-12 * scale)
    exact = public_profile(
        solution.evaluation.form,
        tuple(
            rounded_plan(solution.evaluation.form, p, solution.evaluation.plans[p])
            for p in range(2)
        ),
        exact=True,
    )
    assert list(solution.regrets.values()) == pytest.approx(
        [float(one) for one in exact.regrets.values()], abs=1e-12 * scale
    )


def test_plans_on_the_grid_add_up_exactly() -> None:
    form = public("leduc")
    solution = solved("leduc", prove=True)
    for player in range(2):
        whole = (solution.evaluation.plans[player] * GRID).astype(np.int64)
        assert (whole / GRID == solution.evaluation.plans[player]).all()
        assert whole[0] == GRID
        for number, one in enumerate(form.decisions[player]):
            begin = form.begins[player][number]
            own = whole[begin : begin + len(one) * len(one.menu)].reshape(len(one.menu), len(one))
            before = 0
            if one.after >= 0:
                size = len(form.decisions[player][one.after])
                before = form.begins[player][one.after] + one.option * size
            assert (own.sum(axis=0) == whole[before + one.before]).all()
            assert own.min() >= 0


@pytest.mark.parametrize("name", SMALL)
def test_reach_and_values_are_those_of_the_tree(name: str) -> None:
    solution, tree = solved(name, prove=True), trees()[name]
    expected = TreeEvaluation(tree, on_tree(solution, name)).profile
    start, nodes = tree.members
    for player, who in enumerate(tree.names):
        seats = Seats(tree, player)
        worth = expected.continuation_values(np.arange(len(tree)), player)
        for number, members in enumerate(seats.members):
            reach, values = (
                solution.evaluation.floats.reach(who, number),
                solution.evaluation.floats.values(player, number),
            )
            for at, own in enumerate(members):
                infoset = int(seats.choices.infosets[own])
                assert reach[at] == pytest.approx(
                    float(expected.infoset_reach(tree.infosets[infoset])), abs=1e-12
                )
                there = nodes[start[infoset] : start[infoset + 1]]
                let = expected.reach(there, without=player).floats
                paid = sum(w * float(worth[node]) for w, node in zip(let, there, strict=True))
                if let.sum():
                    assert values[at] == pytest.approx(paid / let.sum(), rel=1e-6, abs=1e-9)
                else:
                    assert np.isnan(values[at])


def test_kuhn_by_words() -> None:
    # Kuhn 1950: the dealer with a king bets, and calls; with a jack it never calls.
    solution = solve_public(public("kuhn"), "predictive-cfr+", regret=1e-7)
    dealer = solution.strategy["dealer"]
    assert dealer["K, bet"]["bet"] == pytest.approx(1, abs=1e-4)
    assert dealer["J, bet"]["bet"] == pytest.approx(0, abs=1e-4)
    assert dealer["J, pass"]["bet"] == pytest.approx(1 / 3, abs=1e-2)
    assert len(dealer) == 6
    assert sorted(dealer) == sorted({"K, bet", "K, pass", "Q, bet", "Q, pass", "J, bet", "J, pass"})
    low, high = solution.value_bounds
    assert low <= Fraction(-1, 18) <= high
    assert high - low <= Fraction(2, 10**7)
    assert solution.certificate.endswith("proved in rational arithmetic")
    assert "nothing yet" not in dealer


def test_what_is_not_there_is_said() -> None:
    solution = solved("kuhn", iterations=2)
    with pytest.raises(StrategyError, match="dealer has no information set 'A, bet'"):
        solution.strategy["dealer"]["A, bet"]
    with pytest.raises(ParameterError, match="decision=7: gambler has 2, counted from 0"):
        solution.evaluation.floats.probabilities("gambler", 7)
    with pytest.raises(InfosetError, match="no player 'deeler'"):
        solution.evaluation.floats.probabilities("deeler", 0)


def test_where_chance_never_leads_there_is_no_value() -> None:
    solution = solved("kuhn", iterations=1)
    plans = (_always(solution, 0, first=0), solution.evaluation.plans[1])
    never = evaluate_plans(solution.evaluation.form, plans, exact=False)
    # Whoever always passes lets nobody come to where there was a bet.
    values = never.floats.values("dealer", 0)
    reach = never.floats.reach("dealer", 0)
    assert (np.isnan(values) == (reach == 0)).all()
    assert np.isnan(values).sum() == 3
    assert reach.sum() == pytest.approx(1)


def _always(solution: Solution, player: int, first: int) -> np.ndarray:
    form = solution.evaluation.form
    plan = np.zeros(form.sequences[player])
    plan[0] = 1
    for number, one in enumerate(form.decisions[player]):
        begin = form.begins[player][number] + first * len(one)
        plan[begin : begin + len(one)] = 1 if one.after < 0 or one.option == first else 0
    return plan


def test_it_says_what_it_is() -> None:
    solution = solved("kuhn", iterations=5, prove=False)
    assert repr(solution).startswith("<Solution of kuhn() by discounted-cfr: regret about 0.")
    lines = str(solution).splitlines()
    assert lines[0] == "kuhn()"
    assert any(line.startswith("method") and "discounted-cfr" in line for line in lines)
    assert any(line.startswith("certificate") and "computed in floats" in line for line in lines)
