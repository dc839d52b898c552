"""Published values, through every solver that takes the game; and values computed by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from infoset import games, solve
from infoset.strategy import as_behaviour
from tests.oracles.independent import inspection_value, kuhn_by_cards, kuhn_by_plans
from tests.oracles.published import ALWAYS, LEDUC, LIARS_DICE, VALUES, Worth, methods

F = Fraction


def proved(game: Any, method: str | None = None, exact: bool | None = None) -> Fraction:
    """The value of a game, by a solution that leaves nobody anything to gain."""
    solution = solve(game, method, exact=exact)
    assert solution.regret == 0
    assert solution.certificate == "exact"
    assert solution.value_bounds == (solution.value, solution.value)
    assert isinstance(solution.value, Fraction)
    return solution.value


@pytest.mark.parametrize("known", VALUES, ids=str)
def test_published_values(known: Worth) -> None:
    tree = known.game().tree()
    names = methods(tree)
    assert names
    found = {name: proved(tree, name) for name in names}
    assert found == dict.fromkeys(names, known.value), known.source


def test_kuhn_1950_through_every_solver_for_two() -> None:
    assert methods(games.kuhn().tree()) == [*ALWAYS[1:]]


@pytest.mark.parametrize(
    ("ranks", "ante", "bet"), [(2, 1, 1), (3, 1, 1), (3, 1, 2), (3, 3, 1), (3, 0, 1), (3, 2, 0)]
)
def test_kuhn_against_its_plans_tried_by_hand(ranks: int, ante: int, bet: int) -> None:
    tree = games.kuhn(ranks=ranks, ante=ante, bet=bet).tree()
    by_hand = kuhn_by_plans(ranks, ante, bet)
    for name in methods(tree):
        assert proved(tree, name) == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize(
    ("ranks", "ante", "bet"), [*((k, 1, 1) for k in range(3, 14)), (8, 1, 3), (8, 5, 2), (20, 1, 1)]
)
def test_kuhn_against_its_own_linear_program(ranks: int, ante: int, bet: int) -> None:
    tree = games.kuhn(ranks=ranks, ante=ante, bet=bet).tree()
    by_hand = kuhn_by_cards(ranks, ante, bet)
    value = proved(tree, "lp")
    assert value == pytest.approx(by_hand, abs=1e-9)
    assert proved(tree, "lcp") == value


def test_kuhn_1950_optimal_strategies() -> None:
    """The gambler bets the jack with some a <= 1/3 and the king with 3a; the dealer has no choice.

    Kuhn 1950: the dealer's optimal strategy is unique, the gambler's are a line.
    """
    for name in methods(games.kuhn().tree()):
        solution = solve(games.kuhn(), name)
        gambler, dealer = (as_behaviour(own) for own in solution.strategy.values())
        bluff = gambler["J"]["bet"]
        assert 0 <= bluff <= F(1, 3)
        assert gambler["K"]["bet"] == 3 * bluff
        assert gambler["Q"]["bet"] == 0
        assert gambler["Q, [pass], bet"]["bet"] == bluff + F(1, 3)
        assert [dealer[f"{card}, pass"]["bet"] for card in "JQK"] == [F(1, 3), 0, 1]
        assert [dealer[f"{card}, bet"]["bet"] for card in "JQK"] == [0, F(1, 3), 1]


@pytest.mark.parametrize("stages", range(1, 8))
def test_inspection_against_its_recursion(stages: int) -> None:
    for inspections in range(stages + 1):
        value = inspection_value(stages, inspections)
        assert value == F(2 * inspections, stages) - 1
        tree = games.inspection(stages=stages, inspections=inspections).tree()
        for name in methods(tree, most=2_000):
            if name != "lcp" or tree.sequences("violator") < 30:
                assert proved(tree, name) == value


def test_koller_megiddo_von_stengel_1994_optimal_strategies() -> None:
    tree = games.koller_megiddo_von_stengel().tree()
    for name in methods(tree):
        solution = solve(tree, name)
        first, second = (as_behaviour(own) for own in solution.strategy.values())
        played = {move: p for row in first.values() for move, p in row.items()}
        answer = {move: p for row in second.values() for move, p in row.items()}
        assert (played["r"], played["L"], played["c"]) == (1, F(2, 3), F(1, 3))
        assert (answer["p"], answer["s"]) == (F(5, 6), F(5, 9))


def test_scissors_paper_stone_is_mixed_evenly() -> None:
    for name in methods(games.scissors_paper_stone().tree()):
        solution = solve(games.scissors_paper_stone(), name)
        for own in solution.strategy.values():
            (probabilities,) = own.values()
            assert list(probabilities.values()) == [F(1, 3)] * 3


def test_leduc_to_as_many_digits_as_are_published() -> None:
    value, source = LEDUC
    assert proved(games.leduc()) == pytest.approx(value, abs=1e-9), source


def test_liars_dice() -> None:
    value, source = LIARS_DICE
    assert proved(games.liars_dice(), "lp", exact=True) == value, source


@pytest.mark.parametrize(
    "game",
    [
        games.battleships(width=3, height=1),
        games.battleships(width=3, height=1, ships=(2,)),
        games.leduc(ranks=2, raises=1),
        games.liars_dice(sides=2),
        games.poker(),
        games.poker(cash=4),
        games.three_partition(),
        games.three_partition(sizes=(5, 5, 5)),
        games.oshi_zumo(coins=3),
        games.imp_model(),
    ],
    ids=repr,
)
def test_solvers_agree_where_nothing_is_published(game: Any) -> None:
    tree = game.tree()
    names = methods(tree)
    assert len(names) > 1
    assert len({proved(tree, name) for name in names}) == 1
