"""Stackelberg commitment: a published example, equilibria as bounds, zero-sum games, refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import matrix_game, solve
from infoset.analysis import stackelberg
from infoset.errors import InfosetError, NotApplicable, TooLarge
from infoset.games import kuhn
from infoset.tree import MatrixGame

F = Fraction


def test_the_example_of_conitzer_and_sandholm() -> None:
    table = matrix_game([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    answer = stackelberg(table, "row")
    assert answer.mixture == (F(1, 2), F(1, 2))
    assert (answer.reply, answer.payoffs) == (1, {"row": F(7, 2), "column": F(1, 2)})
    assert answer.value > solve(table).payoffs["row"]
    assert stackelberg(table, "column").payoffs == {"row": 2, "column": 1}


def test_fractions_and_payoffs_beyond_floats() -> None:
    far = 10**400
    table = matrix_game([[F(2, 3), 4 + far], [F(1, 3), 3 + far]], [[F(1, 7), 0], [0, F(1, 7)]])
    answer = stackelberg(table, "row")
    assert answer.mixture == (F(1, 2), F(1, 2))
    assert answer.payoffs == {"row": F(7, 2) + far, "column": F(1, 14)}


@st.composite
def tables(draw: st.DrawFn, zero_sum: bool = False) -> MatrixGame:
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    row = st.lists(st.integers(-4, 4), min_size=width, max_size=width)
    matrix = st.lists(row, min_size=height, max_size=height)
    return matrix_game(draw(matrix), None if zero_sum else draw(matrix))


@given(tables())
@settings(max_examples=40, deadline=None)
def test_commitment_is_worth_at_least_every_equilibrium(table: MatrixGame) -> None:
    solution = solve(table, "enumerate")
    for leader in table.players:
        answer = stackelberg(table, leader)
        assert sum(answer.mixture) == 1
        assert min(answer.mixture) >= 0
        assert answer.value >= max(one.payoffs[leader] for one in solution.equilibria)


@given(tables())
@settings(max_examples=40, deadline=None)
def test_the_reply_is_a_best_response(table: MatrixGame) -> None:
    answer = stackelberg(table, "column")
    paid = [
        [
            sum(x * table.payoffs_of((row, at))[player] for at, x in enumerate(answer.mixture))
            for row in range(table.shape[0])
        ]
        for player in range(2)
    ]
    assert paid[0][answer.reply] == max(paid[0]) == answer.payoffs["row"]
    ties = [own for own, other in zip(paid[1], paid[0], strict=True) if other == max(paid[0])]
    assert max(ties) == paid[1][answer.reply] == answer.value


@given(tables(zero_sum=True))
@settings(max_examples=40, deadline=None)
def test_in_zero_sum_games_it_is_the_value(table: MatrixGame) -> None:
    value = solve(table).value
    assert stackelberg(table, "row").value == value
    assert stackelberg(table, "column").value == -value


def test_of_a_tree() -> None:
    answer = stackelberg(kuhn(), "gambler")
    assert answer.value == F(-1, 18)
    assert answer.table.tables[0].column("probability") == [x for x in answer.mixture if x]


def test_refusals() -> None:
    table = matrix_game([[1, 0], [0, 1]])
    with pytest.raises(InfosetError, match="nobody"):
        stackelberg(table, "nobody")
    with pytest.raises(TooLarge, match="27 × 64"):
        stackelberg(kuhn(), "gambler", most=100)
    three = MatrixGame(("a", "b", "c"), (("x",),) * 3, ((F(0),) * 3,))
    with pytest.raises(NotApplicable, match="3 players"):
        stackelberg(three, "a")
