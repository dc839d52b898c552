"""Evolutionarily stable strategies: known games, and mutants that do invade."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import matrix_game
from infoset.analysis import evolutionary_stability
from infoset.errors import NotApplicable, StrategyError
from infoset.games import prisoners_dilemma
from infoset.tree import MatrixGame

F = Fraction


def symmetric(table: list[list[Any]]) -> MatrixGame:
    return matrix_game(table, list(zip(*table, strict=True)))


THIRDS = (F(1, 3),) * 3
KNOWN = [
    ("hawk and dove", [[-2, 2], [0, 1]], (F(1, 3), F(2, 3)), True),
    ("hawks alone", [[-2, 2], [0, 1]], (1, 0), False),
    ("prisoners' dilemma", [[3, 0], [5, 1]], (0, 1), True),
    ("coordination, mixed", [[1, 0], [0, 1]], (F(1, 2), F(1, 2)), False),
    ("scissors, paper, stone", [[0, 1, -1], [-1, 0, 1], [1, -1, 0]], THIRDS, False),
    ("a win is worth more", [[0, 2, -1], [-1, 0, 2], [2, -1, 0]], THIRDS, True),
    ("a win is worth less", [[0, 1, -2], [-2, 0, 1], [1, -2, 0]], THIRDS, False),
    ("all the same", [[0, 0], [0, 0]], (1, 0), False),
    ("each alone fails, both invade", [[0, 0, 0], [0, -1, 2], [0, 2, -1]], (1, 0, 0), False),
    ("both fail", [[0, 0, 0], [0, -2, 1], [0, 1, -2]], (1, 0, 0), True),
    ("one strategy", [[1]], (1,), True),
]


@pytest.mark.parametrize(("name", "table", "x", "stable"), KNOWN, ids=[row[0] for row in KNOWN])
def test_known_games(name: str, table: list[list[int]], x: tuple[Any, ...], stable: bool) -> None:
    assert evolutionary_stability(symmetric(table), x).stable is stable


def paid(table: list[list[int]], x: tuple[Fraction, ...], y: tuple[Fraction, ...]) -> Fraction:
    return sum((p * q * table[i][j] for i, p in enumerate(x) for j, q in enumerate(y)), F(0))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_mutants_invade_or_there_is_none(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 4))
    row = st.lists(st.integers(-2, 2), min_size=size, max_size=size)
    table = data.draw(st.lists(row, min_size=size, max_size=size))
    weight = st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)

    def mixture() -> tuple[Fraction, ...]:
        drawn = data.draw(weight)
        return tuple(F(one, sum(drawn)) for one in drawn)

    def resists(x: tuple[Fraction, ...], y: tuple[Fraction, ...]) -> bool:
        return (paid(table, x, x), paid(table, x, y)) > (paid(table, y, x), paid(table, y, y))

    x, y = mixture(), mixture()
    answer = evolutionary_stability(symmetric(table), x)
    if answer.mutant is None:
        assert x == y or resists(x, y)
    else:
        assert answer.mutant != x
        assert sum(answer.mutant) == 1
        assert min(answer.mutant) >= 0
        assert not resists(x, answer.mutant)


def test_refusals() -> None:
    with pytest.raises(NotApplicable, match="not symmetric"):
        evolutionary_stability(matrix_game([[1, 0], [0, 1]]), (1, 0))
    with pytest.raises(NotApplicable, match="1 × 2"):
        evolutionary_stability(matrix_game([[1, 0]]), (1,))
    for wrong in [(1,), (F(1, 2), F(1, 3)), (2, -1), ()]:
        with pytest.raises(StrategyError, match="2 strategies"):
            evolutionary_stability(symmetric([[1, 0], [0, 1]]), wrong)
    for none in [3, ["x", "y"], "hd"]:
        with pytest.raises(StrategyError, match="is no mixture"):
            evolutionary_stability(symmetric([[1, 0], [0, 1]]), none)  # type: ignore[arg-type]


def test_strategies_may_be_named() -> None:
    assert evolutionary_stability(prisoners_dilemma(), {"defect": 1}).stable
    assert not evolutionary_stability(prisoners_dilemma(), {"cooperate": 1}).stable
    with pytest.raises(StrategyError, match="did you mean 'defect'"):
        evolutionary_stability(prisoners_dilemma(), {"defct": 1})
