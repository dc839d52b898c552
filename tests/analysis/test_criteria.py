"""Pareto optimality and minimax regret, against slow and obvious computations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import matrix_game
from infoset.analysis import minimax_regret, pareto
from infoset.errors import InfosetError, TooLarge
from infoset.games import kuhn, prisoners_dilemma
from infoset.tree import MatrixGame

F = Fraction


@st.composite
def tables(draw: st.DrawFn) -> MatrixGame:
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    players = tuple("abc"[: len(shape)])
    strategies = tuple(tuple(range(size)) for size in shape)
    count = len(list(product(*strategies)))
    vector = st.tuples(*[st.fractions(-3, 3, max_denominator=3)] * len(shape))
    payoffs = draw(st.lists(vector, min_size=count, max_size=count))
    return MatrixGame(players, strategies, tuple(payoffs))


@given(tables())
@settings(max_examples=60, deadline=None)
def test_no_profile_dominates_an_optimal_one(table: MatrixGame) -> None:
    def dominates(one: tuple[Fraction, ...], two: tuple[Fraction, ...]) -> bool:
        return one != two and all(a >= b for a, b in zip(one, two, strict=True))

    everything = list(product(*map(range, table.shape)))
    expected = [
        profile
        for profile in everything
        if not any(
            dominates(table.payoffs_of(other), table.payoffs_of(profile)) for other in everything
        )
    ]
    answer = pareto(table)
    assert list(answer.profiles) == expected
    assert list(answer.payoffs) == [table.payoffs_of(profile) for profile in expected]


def test_defecting_together_is_not_pareto_optimal() -> None:
    answer = pareto(prisoners_dilemma())
    assert ("defect", "defect") not in answer.labels
    assert len(answer.table) == len(answer.profiles) == 3


def test_every_profile_of_a_large_zero_sum_game_is_optimal() -> None:
    table = matrix_game([[200 * i + j for j in range(200)] for i in range(200)])
    assert len(pareto(table).profiles) == 40_000  # comparing all pairs would take minutes


def worst_regret(table: MatrixGame, player: int, mixture: tuple[Fraction, ...]) -> Fraction:
    others = [range(size) for size in table.shape]
    others[player] = range(1)
    found = []
    for profile in product(*others):
        paid = [
            table.payoffs_of((*profile[:player], own, *profile[player + 1 :]))[player]
            for own in range(table.shape[player])
        ]
        found.append(max(paid) - sum(x * y for x, y in zip(mixture, paid, strict=True)))
    return max(found)


@given(tables(), st.data())
@settings(max_examples=60, deadline=None)
def test_no_mixture_has_less_regret(table: MatrixGame, data: st.DataObject) -> None:
    player = data.draw(st.integers(0, len(table.players) - 1))
    size = table.shape[player]
    answer = minimax_regret(table, table.players[player])
    assert sum(answer.mixture) == 1
    assert min(answer.mixture) >= 0
    assert answer.regret == worst_regret(table, player, answer.mixture)
    weights = data.draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    other = tuple(F(weight, sum(weights)) for weight in weights)
    assert answer.regret <= worst_regret(table, player, other)
    assert answer.regret <= min(answer.pure.values())


def test_regret_of_an_uncertain_investment() -> None:
    table = matrix_game([[10, 0], [4, 3]])
    answer = minimax_regret(table, "row")  # 6 (1 - x) = 3 x
    assert (answer.mixture, answer.regret, answer.pure) == ((F(2, 3), F(1, 3)), 2, {0: 3, 1: 6})


def test_regret_of_payoffs_beyond_floats() -> None:
    far = 10**400
    answer = minimax_regret(matrix_game([[10 * far, 0], [4 * far, 3 * far]]), "row")
    assert (answer.mixture, answer.regret) == ((F(2, 3), F(1, 3)), 2 * far)


def test_refusals() -> None:
    with pytest.raises(InfosetError, match="nobody"):
        minimax_regret(kuhn(), "nobody")
    with pytest.raises(TooLarge, match="27 × 64"):
        minimax_regret(kuhn(), "gambler", most=100)
    with pytest.raises(TooLarge, match="27 × 64"):
        pareto(kuhn(), most=100)
