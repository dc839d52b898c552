"""Play against a known opponent: what is won, what is risked, and that nothing does better."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from infoset import games, solve
from infoset.errors import InfosetError, NotApplicable, NotProved, ParameterError, StrategyError
from infoset.forms.normal import normal_form
from infoset.solvers.safe.solver import frontier, restricted, safe
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Pure, as_mixed, behaviour, profile, pure, uniform
from infoset.strategy.evaluation import best_response
from infoset.strategy.models import biased, erring
from infoset.tree import Tree, matrix_game
from tests.solvers.test_properties import zero_sum
from tests.strategy.random_strategies import all_pure, random_behaviour, random_tree

F = Fraction
SEEDS = st.integers(0, 10**6)
TREE = games.kuhn().tree()
EQUILIBRIUM = solve(TREE).strategy
CALLS = biased(EQUILIBRIUM["dealer"], "bet", by=F(1, 2), where=", bet")


def random_zero_sum(seed: int) -> Tree:
    return zero_sum(random_tree(seed, 2, forgetful=False))


def chosen(found: Solution) -> Behaviour:
    """The safe strategy itself."""
    strategy = found.strategy[found.safety.player]
    assert isinstance(strategy, Behaviour)
    return strategy


def right(found: Solution) -> Solution:
    """What a safe strategy says of itself, computed anew with all of the opponent's strategies."""
    tree, player = found.tree, found.safety.player
    assert found.exact
    assert profile((chosen(found), found.safety.model)).payoffs[player] == found.safety.wins
    worst = min(
        profile((chosen(found), other)).payoffs[player]
        for other in all_pure(tree, found.safety.model.player)
    )
    assert worst == found.safety.guarantee
    assert found.safety.value - found.safety.epsilon <= found.safety.guarantee <= found.safety.value
    assert found.safety.guarantee <= found.safety.wins <= found.safety.best.wins
    if found.safety.wins == found.safety.best.wins:
        assert found.safety.guarantee >= found.safety.best.guarantee
    return found


# ---------------------------------------------------------------------- best responses


def test_a_best_response_beats_all_pure_strategies() -> None:
    response = best_response(TREE, CALLS)
    every = [profile((own, CALLS)).payoffs["gambler"] for own in all_pure(TREE, "gambler")]
    assert response.player == "gambler"
    assert response.value == max(every)
    assert profile((response.strategy, CALLS)).payoffs["gambler"] == response.value


def test_whoever_has_no_strategy_answers() -> None:
    tree = games.seltens_horse().tree()
    plans = {player: uniform(tree, player) for player in tree.names}
    for player in tree.names:
        others = [plan for name, plan in plans.items() if name != player]
        expected = profile(plans).best_response(player).value
        assert best_response(tree, others).player == player
        assert best_response(tree, others).value == expected
        assert best_response(tree, plans, player).value == expected
        assert best_response(tree, profile(plans), player).value == expected


def test_a_forgetful_player_answers_as_well() -> None:
    """One who does not know whether it was here before: of its pure strategies, the better."""
    tree = games.absent_minded().tree()
    model = uniform(tree, "two")
    assert best_response(model.tree, model).value == max(
        profile((own, model)).payoffs["one"] for own in all_pure(tree, "one")
    )


# ---------------------------------------------------------------------- safe play


def test_kuhn_against_one_who_calls_too_often() -> None:
    """The numbers by hand: the linear program over the 27 plans of the gambler, in floats."""
    form = normal_form(TREE)
    table = form.matrix(0)
    number = {tuple(sorted(plan)): at for at, plan in enumerate(form.plans[1])}
    against = np.zeros(form.shape[1])
    for plan, weight in as_mixed(CALLS).items():
        against[number[plan.chosen]] += float(weight)
    for epsilon in (F(0), F(1, 100), F(1, 18), F(1, 4), F(2)):
        found = right(safe(CALLS, epsilon))
        answer = linprog(
            -table @ against,
            A_ub=-table.T,
            b_ub=np.full(form.shape[1], float(epsilon + F(1, 18))),
            A_eq=np.ones((1, form.shape[0])),
            b_eq=[1.0],
        )
        assert float(found.safety.wins) == pytest.approx(-answer.fun, abs=1e-9)


def test_giving_up_nothing_is_optimal_and_never_worse_than_an_equilibrium() -> None:
    for player in TREE.names:
        other = next(name for name in TREE.names if name != player)
        model = erring(EQUILIBRIUM[other], F(1, 10))
        found = right(safe(model))
        assert found.safety.guarantee == found.safety.value == solve(TREE).payoffs[player]
        assert found.safety.wins >= profile((EQUILIBRIUM[player], model)).payoffs[player]


def test_giving_up_all_is_a_best_response() -> None:
    found = right(safe(CALLS, 100))
    assert found.safety.wins == found.safety.best.wins == best_response(TREE, CALLS).value


def test_against_an_optimal_opponent_nothing_is_to_be_had() -> None:
    assert right(safe(EQUILIBRIUM["dealer"], 1)).safety.wins == F(-1, 18)


@settings(max_examples=40)
@given(seed=SEEDS, seat=st.integers(0, 1), epsilon=st.fractions(0, 3, max_denominator=20))
def test_random_games(seed: int, seat: int, epsilon: Fraction) -> None:
    tree = random_zero_sum(seed)
    model = random_behaviour(tree, tree.names[seat], Random(seed))
    found = safe(model, epsilon, exact=True)
    if np.prod(tree.choices[seat].sizes) <= 500:
        right(found)
    assert found.safety.guarantee >= found.safety.value - epsilon
    # what may still be given up is of no use
    if found.safety.guarantee > found.safety.value - epsilon:
        assert found.safety.wins == found.safety.best.wins
    assert safe(model, 0).safety.wins <= found.safety.wins <= found.safety.best.wins


@settings(max_examples=15)
@given(seed=SEEDS, seat=st.integers(0, 1))
def test_the_frontier_rises_and_is_concave(seed: int, seat: int) -> None:
    tree = random_zero_sum(seed)
    model = random_behaviour(tree, tree.names[seat], Random(seed))
    points = frontier(model, [F(step, 4) for step in range(9)])
    gains = [two.safety.wins - one.safety.wins for one, two in pairwise(points)]
    assert all(gain >= 0 for gain in gains)
    assert all(two <= one for one, two in pairwise(gains))


def test_a_constant_sum_will_do() -> None:
    tree = matrix_game([[3, 0], [1, 2]], [[2, 5], [4, 3]]).tree()
    model = behaviour(tree, tree.names[1], {tree.infosets_of(tree.names[1])[0]: {"column 1": 1}})
    found = right(safe(model, F(1, 10)))
    assert found.safety.value == F(3, 2)
    assert found.safety.guarantee == F(7, 5)


# ---------------------------------------------------------------------- restricted responses


@pytest.mark.parametrize("share", [F(1, 100), F(1, 3), F(4, 5), F(99, 100)])
def test_a_restricted_response_is_on_the_frontier(share: Fraction) -> None:
    """Johanson, Zinkevich & Bowling 2007, theorem 1: none as safe as it wins more."""
    found = right(restricted(CALLS, share))
    assert found.safety.wins == safe(CALLS, found.safety.epsilon).safety.wins
    mean = share * found.safety.wins + (1 - share) * found.safety.guarantee
    for epsilon in (0, F(1, 50), F(1, 10), 1):
        other = safe(CALLS, epsilon)
        assert share * other.safety.wins + (1 - share) * other.safety.guarantee <= mean


def test_a_restricted_response_at_the_ends() -> None:
    assert right(restricted(CALLS, 0)).safety.guarantee == F(-1, 18)
    assert right(restricted(CALLS, 1)).safety.wins == best_response(TREE, CALLS).value


# ---------------------------------------------------------------------- long numbers, short time


def test_a_model_of_very_many_digits() -> None:
    """Probabilities of some thousand digits: the cost is longer than floats are."""
    third = F(1, 3**1500)
    model = behaviour(TREE, "dealer", {"Q, bet": {"pass": F(1, 2) + third, "bet": F(1, 2) - third}})
    found = right(safe(model, F(1, 10), exact=True))
    plain = right(safe(uniform(TREE, "dealer"), F(1, 10), exact=True))
    assert found.safety.wins.denominator > 10**500
    assert 0 < abs(found.safety.wins - plain.safety.wins) < F(1, 10**500)


def test_an_epsilon_of_very_many_digits_is_kept_but_not_proved() -> None:
    epsilon = F(1, 10) + F(1, 3**1500)
    found = safe(uniform(TREE, "dealer"), epsilon)
    assert not found.exact
    assert abs(found.safety.guarantee - (found.safety.value - epsilon)) < F(1, 10**50)
    with pytest.raises(NotProved):
        safe(uniform(TREE, "dealer"), epsilon, exact=True)


def test_in_floats_the_numbers_are_those_of_the_strategy() -> None:
    tree = games.leduc().tree()
    model = uniform(tree, tree.names[1])
    found = safe(model, F(1, 2), exact=False)
    assert not found.exact or found.safety.guarantee >= found.safety.value - found.safety.epsilon
    assert profile((chosen(found), model)).payoffs[found.safety.player] == found.safety.wins
    assert abs(found.safety.guarantee - (found.safety.value - F(1, 2))) < F(1, 10**6)


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_out_of_time_it_is_safe_all_the_same(seconds: float) -> None:
    tree = games.leduc().tree()
    found = safe(uniform(tree, tree.names[1]), F(1, 10), seconds=seconds)
    assert found.exact or "not proved to win most" in str(found)
    assert found.safety.guarantee >= found.safety.value - F(1, 10) - F(1, 10**6)
    with pytest.raises(NotProved, match="more seconds"):
        safe(uniform(tree, tree.names[1]), F(1, 10), seconds=0, exact=True)


def test_payoffs_beyond_floats() -> None:
    """Nothing is found by floats: then what is safe is given, and not called more than that."""
    tree = matrix_game([[10**400, -1], [-(10**400), 1]]).tree()
    found = safe(uniform(tree, tree.names[1]), 1)
    assert not found.exact
    assert found.safety.value == found.safety.guarantee == 0


@pytest.mark.parametrize("much", [F(10**400), F(1, 10**400 + 1)], ids=["large", "small"])
def test_amounts_that_floats_have_no_room_for(much: Any) -> None:
    """Their own unit or a denominator may be too long: what comes is safe, and can be read.

    The row player's optimal mixture makes both columns worth 21 much / (7 much + 3).
    """
    tree = matrix_game([[7 * much, 0], [0, 3]]).tree()
    found = safe(uniform(tree, "column"), F(1, 10))
    assert found.safety.value == 21 * much / (7 * much + 3)
    assert found.safety.value - found.safety.guarantee <= F(1, 10)
    assert found.safety.best.wins == max(7 * much, 3) / F(2)
    assert len(repr(found)) < 120
    assert len(str(found.safety)) < 400


# ---------------------------------------------------------------------- as it reads


def test_as_it_reads() -> None:
    game = poker_of_four()
    assert str(safe(game, F(1, 10)).safety).splitlines() == [
        "                            wins  guarantees",
        "at most 1/10 given up          0     -17/120",
        "best response to the model     0        -1/6",
        "value of the game                      -1/24",
    ]
    assert str(frontier(game, [0, F(1, 100)])).splitlines() == [
        "epsilon     wins  guarantees",
        "      0  -0.0260       -1/24",
        "  1/100  -0.0223     -31/600",
    ]


def poker_of_four() -> Behaviour:
    """A dealer who calls too often."""
    return biased(solve(games.poker(ranks=4)).strategy["dealer"], "call", by=F(1, 4))


# ---------------------------------------------------------------------- what is refused


HORSE = games.seltens_horse().tree()
SOMEONE: Any = "dealer"
DILEMMA = games.prisoners_dilemma().tree()


@pytest.mark.parametrize(
    ("make", "kind", "said"),
    [
        (lambda: safe(CALLS, -0.1), ParameterError, "epsilon=-0.1: it must be 0 or more"),
        (lambda: safe(CALLS, float("inf")), ParameterError, "epsilon=inf"),
        (lambda: safe(CALLS, seconds=-1), ParameterError, "seconds=-1: it must be 0 or more"),
        (
            lambda: restricted(CALLS, 0, seconds=SOMEONE),
            ParameterError,
            "seconds='dealer': it must",
        ),
        (lambda: restricted(CALLS, 1.5), ParameterError, "p=1.5: it must be from 0 to 1"),
        (lambda: safe([uniform(HORSE, HORSE.names[0])]), NotApplicable, "it has 3 players"),
        (lambda: safe(uniform(DILEMMA, DILEMMA.names[0])), NotApplicable, "do not sum"),
        (lambda: safe(SOMEONE), StrategyError, "is not a strategy"),
        (lambda: safe([]), StrategyError, "no strategy was given"),
        (
            lambda: best_response(TREE, profile(EQUILIBRIUM)),
            StrategyError,
            "say which player responds",
        ),
        (lambda: best_response(HORSE, uniform(HORSE, HORSE.names[0])), StrategyError, "have none"),
        (
            lambda: best_response(TREE, [CALLS, uniform(HORSE, HORSE.names[0])]),
            StrategyError,
            "no player",
        ),
        (lambda: best_response(TREE, CALLS, "dealer"), StrategyError, "gambler has no strategy"),
        (lambda: best_response(TREE, CALLS, "nobody"), InfosetError, "nobody"),
        (
            lambda: best_response(TREE, Pure(TREE, "dealer", ())),
            StrategyError,
            "has no action there",
        ),
    ],
)
def test_what_is_refused_in_one_line(make: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_forgetful_players_cannot_play_safe() -> None:
    tree = next(
        made
        for seed in range(100)
        if not (made := zero_sum(random_tree(seed, 2, forgetful=True))).perfect_recall
    )
    with pytest.raises(NotApplicable, match="best_response"):
        safe(uniform(tree, tree.names[0]))


def test_a_pure_strategy_is_a_model_too() -> None:
    never = pure(TREE, "dealer", dict.fromkeys(TREE.infosets_of("dealer"), "pass"))
    found = right(safe(never, F(1, 6)))
    assert found.safety.best.wins == 1  # always bet: the dealer folds
    assert found.safety.wins > safe(never).safety.wins
