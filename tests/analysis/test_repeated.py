"""Repeated games with discounting: grim trigger and minmax payoffs, by the textbooks' formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from infoset import Play, game, matrix_game, solve
from infoset.analysis import grim_trigger, minmax_payoffs
from infoset.errors import NotApplicable, StrategyError
from infoset.games import entry_game, kuhn, matching_pennies, prisoners_dilemma
from infoset.tree.matrix import MatrixGame

F = Fraction


def dilemma(reward: int, sucker: int, temptation: int, punishment: int) -> MatrixGame:
    row = [[reward, sucker], [temptation, punishment]]
    return matrix_game(row, list(zip(*row, strict=True)), actions=(("c", "d"),) * 2)


@pytest.mark.parametrize(
    ("reward", "sucker", "temptation", "punishment"), [(3, 0, 5, 1), (2, -1, 3, 0), (7, 1, 20, 2)]
)
def test_osborne_rubinstein_1994_prisoners_dilemma(
    reward: int, sucker: int, temptation: int, punishment: int
) -> None:
    found = grim_trigger(dilemma(reward, sucker, temptation, punishment), ("c", "c"))
    assert found.discount == F(temptation - reward, temptation - punishment)


@game(players=("one", "two"))
def cournot(g: Play, demand: int = 24, most: int = 12) -> object:
    """Two firms choose quantities; the price is the demand less their sum."""
    mine, yours = g.together({firm: range(most + 1) for firm in g.players}).values()
    return (demand - mine - yours) * mine, (demand - mine - yours) * yours


@pytest.mark.parametrize("demand", [24, 48])
def test_gibbons_1992_cournot_duopoly(demand: int) -> None:
    stage = cournot(demand=demand, most=demand)
    found = grim_trigger(stage, (demand // 4,) * 2, equilibrium=(demand // 3,) * 2)
    assert found.discount == F(9, 17)
    assert minmax_payoffs(stage) == {"one": 0, "two": 0}  # the other sells so much that none pays


def test_by_the_definition() -> None:
    """Nobody deviates at the bound, and somebody does below it."""
    stage = matrix_game([[4, 0, 1], [6, 2, 0], [0, 1, 3]], [[4, 5, 0], [0, 2, 1], [1, 0, 3]])
    equilibrium = solve(stage)
    for outcome in product(range(3), repeat=2):
        found = grim_trigger(stage, outcome, equilibrium)
        for name, bound in found.discounts.items():
            stay, leave = found.payoffs[name], found.deviations[name]
            for delta in (F(0), F(1, 10), F(1, 3), F(1, 2), F(9, 10), F(999, 1000)):
                deviates = (1 - delta) * leave + delta * found.equilibrium[name] > stay
                assert deviates == (bound is None or delta < bound)


def test_no_discount_factor_will_do() -> None:
    found = grim_trigger(dilemma(3, 0, 5, 1), {"column": "d", "row": "c"})
    assert found.discounts == {"row": None, "column": 0}
    assert found.discount is None
    assert "none below 1" in str(found)


def test_three_players() -> None:
    @game(players=("a", "b", "c"))
    def public_good(g: Play) -> object:
        given = g.together(dict.fromkeys(g.players, (0, 1)))
        share = F(sum(given.values()) * 2, 3)
        return {player: share - given[player] for player in g.players}

    found = grim_trigger(public_good(), (1, 1, 1), (0, 0, 0))  # keeps 4/3 instead of 1, then 0
    assert found.discount == F(1, 4)
    with pytest.raises(NotApplicable, match="3 players"):
        minmax_payoffs(public_good())


def test_minmax_payoffs_are_mixed() -> None:
    value = solve(matching_pennies()).value
    assert value is not None
    assert list(minmax_payoffs(matching_pennies()).values()) == [value, -value]
    assert minmax_payoffs(prisoners_dilemma()) == {"row": -3, "column": -3}


@pytest.mark.parametrize(
    ("outcome", "equilibrium", "said"),
    [
        (("c",), None, "row, column"),
        ("cc", None, "'cc' is no outcome"),
        (("c", "x"), None, "column has no action 'x'"),
        ((0, 2), None, "column has no action 2"),
        ({"row": "c"}, None, "row, column"),
        (("c", "c"), ("c", "d"), "row gets 0 and could get 1"),
    ],
)
def test_what_is_refused(outcome: object, equilibrium: object, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        grim_trigger(dilemma(3, 0, 5, 1), outcome, equilibrium)  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", [kuhn(), entry_game()], ids=repr)
def test_moves_in_turn_are_refused(stage: object) -> None:
    with pytest.raises(NotApplicable, match="simultaneous"):
        grim_trigger(stage, (0, 0))  # type: ignore[arg-type]
