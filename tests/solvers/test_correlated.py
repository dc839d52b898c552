"""Correlated equilibria of the normal form, the record of them, and its check."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.display.correlated import correlated_sheet, correlated_text
from infoset.errors import (
    InfosetError,
    NotApplicable,
    NotProved,
    ParameterError,
    StrategyError,
    TooLarge,
)
from infoset.forms.normal import normal_size
from infoset.solvers.correlated import program as assembly
from infoset.solvers.correlated.solver import KINDS, JointEvaluation, weights_of
from infoset.solvers.correlated.solver import correlated as correlated_solution
from infoset.strategy import Pure
from infoset.tree import MatrixGame, Tree, matrix_game
from tests.rules.random_games import random_rules

F = Fraction

# R. J. Aumann, Subjectivity and correlation in randomized strategies, 1974, example 2.7, and
# Correlated equilibrium as an expression of Bayesian rationality, 1987: payoffs outside the convex
# hull of the equilibria, which are (2, 7), (7, 2) and (14/3, 14/3).
CHICKEN = matrix_game(
    [[6, 2], [7, 0]], [[6, 7], [2, 0]], name="chicken", actions=(("yield", "dare"),) * 2
)
# Two places to meet, at each of which one may be kind (10 each) or greedy (11, and 0 for the kind
# one; 2 each if both are). Who is told to be kind somewhere is greedy there instead, so that in a
# correlated equilibrium nobody is kind where the other is. Who must decide before being told cannot
# know where to be greedy, and is met there half of the time.
PLACES = [[10, 0, 0, 0], [11, 2, 0, 0], [0, 0, 10, 0], [0, 0, 11, 2]]
MEETING = matrix_game(PLACES, [list(column) for column in zip(*PLACES, strict=True)], name="meet")


def correlated(*given: Any, **options: Any) -> JointEvaluation:
    """The joint distribution of the solution that is found."""
    found = correlated_solution(*given, **options).evaluation
    assert isinstance(found, JointEvaluation)
    return found


def words(device: JointEvaluation) -> dict[tuple[Any, ...], Fraction]:
    """What is drawn, as actions of one information set each."""
    return {
        tuple(plan.tree.infosets[plan.chosen[0][0]].actions[plan.chosen[0][1]] for plan in plans): p
        for plans, p in device.distribution.items()
    }


# ---------------------------------------------------------------------- published


@pytest.mark.parametrize("kind", KINDS)
def test_aumann_1974_chicken(kind: str) -> None:
    device = correlated(CHICKEN, kind)
    assert device.certificate == "exact"
    assert device.welfare == F(21, 2)
    assert device.payoffs == {"row": F(21, 4), "column": F(21, 4)}
    assert words(device) == {
        ("yield", "yield"): F(1, 2),
        ("yield", "dare"): F(1, 4),
        ("dare", "yield"): F(1, 4),
    }


def test_the_best_for_one_alone() -> None:
    assert correlated(CHICKEN, "ce", "row").payoffs == {"row": 7, "column": 2}
    assert correlated(CHICKEN, "ce", "-row").payoffs == {"row": 2, "column": 7}


def test_prisoners_have_no_use_for_a_device() -> None:
    dilemma = games.prisoners_dilemma()
    for kind in KINDS:
        assert correlated(dilemma, kind).payoffs == solve(dilemma).payoffs


def test_coarse_is_more() -> None:
    told, untold = correlated(MEETING, "ce"), correlated(MEETING, "cce")
    assert told.certificate == untold.certificate == "exact"
    assert told.welfare == 4
    assert untold.welfare == 20
    assert set(words(untold)) == {("row 1", "column 1"), ("row 3", "column 3")}


def test_three_players_on_seltens_horse() -> None:
    horse = games.seltens_horse().tree()
    for kind in ("ce", "cce"):
        device = correlated(horse, kind)
        assert device.certificate == "exact"
        assert device.payoffs == {"one": 3, "two": 3, "three": 2}  # 8 is the most of any leaf
    worst = correlated(horse, "ce", {"one": -1, "two": -1, "three": -1})
    assert worst.certificate == "exact"
    assert worst.welfare >= -3  # (1, 1, 1), that of an equilibrium, is had by a device, too


def test_players_who_forget_are_told_plans() -> None:
    device = correlated(games.absent_minded(), "ce")
    assert device.certificate == "exact"
    assert device.welfare == correlated(games.absent_minded(), "cce").welfare


# ---------------------------------------------------------------------- on random games


def small(seed: int, players: int, depth: int, forgetful: bool = False) -> Tree:
    tree = random_rules(seed, players, depth, forgetful)().tree()
    sizes = normal_size(tree)
    assume(all(size is not None for size in sizes))
    count = 1
    for size in sizes:
        count *= size or 1
    assume(1 < count <= 150)
    return tree


SEEDS = st.integers(0, 10**6)
WEIGHTS = st.lists(st.fractions(-2, 2, max_denominator=3), min_size=3, max_size=3)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(1, 4), weights=WEIGHTS)
def test_what_is_proved_is_a_bound_for_equilibria(
    seed: int, players: int, depth: int, weights: list[Fraction]
) -> None:
    tree = small(seed, players, depth, forgetful=players < 3)
    given = dict(zip(tree.names, weights, strict=False))
    told, untold = (correlated(tree, kind, given) for kind in ("ce", "cce"))
    for device in (told, untold):
        assert device.certificate == "exact"
        assert set(device.regrets.values()) == {0}
        assert sum(device.distribution.values()) == 1
        assert sum(device.outcomes.values()) == 1
        leaves = [
            sum(given[name] * amount for name, amount in leaf.payoffs.items())
            for leaf in tree.leaves
        ]
        assert min(leaves) <= device.welfare <= max(leaves)
    assert told.welfare <= untold.welfare
    if players < 3 and not tree.absent_minded:
        nash = solve(tree, "lemke-howson" if players == 2 else None).payoffs
        assert sum(given[name] * amount for name, amount in nash.items()) <= told.welfare


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, depth=st.integers(1, 4))
def test_floats_are_near_and_say_how_near(seed: int, depth: int) -> None:
    tree = small(seed, 2, depth)
    for kind in KINDS:
        approximate, exact = correlated(tree, kind, exact=False), correlated(tree, kind)
        assert approximate.regret < F(1, 10**9)
        assert abs(approximate.welfare - exact.welfare) < F(1, 10**6)
        assert approximate.certificate != "exact"


# ---------------------------------------------------------------------- the check


def by_hand(
    game: MatrixGame, kind: str, probabilities: dict[tuple[int, int], Fraction]
) -> JointEvaluation:
    tree = game.tree()
    drawn: dict[tuple[Pure, ...], Fraction] = {
        (Pure(tree, "row", ((0, one),)), Pure(tree, "column", ((1, two),))): share
        for (one, two), share in probabilities.items()
    }
    return JointEvaluation(tree, kind, weights_of(tree), drawn, "by hand")


def test_a_wrong_device_is_found_out() -> None:
    crash = {(1, 1): F(1)}
    for kind in KINDS:
        device = by_hand(CHICKEN, kind, crash)
        assert device.regrets == {"row": 2, "column": 2}  # who yields instead has 2, and not 0
        assert device.certificate == "regret at most 2.00e0, proved in rational arithmetic"
    both_yield = by_hand(CHICKEN, "ce", {(0, 0): F(9, 10), (1, 1): F(1, 10)})
    assert both_yield.regrets["row"] == F(9, 10) * 1 + F(1, 10) * 2


def test_what_one_is_told_matters_to_the_check() -> None:
    """Told to yield one would rather dare; told nothing yet, one cannot do better."""
    probabilities = {(0, 0): F(3, 5), (0, 1): F(1, 5), (1, 0): F(1, 5)}
    told, untold = (by_hand(CHICKEN, kind, probabilities) for kind in ("ce", "cce"))
    # told to yield: 3/5 * 6 + 1/5 * 2 = 4; to dare instead: 3/5 * 7 = 21/5
    assert told.regrets == {"row": F(1, 5), "column": F(1, 5)}
    # in all: 4 + 7/5 = 27/5; always to dare: 4/5 * 7 = 28/5; always to yield: 4/5 * 6 + 2/5
    assert untold.regrets == {"row": F(1, 5), "column": F(1, 5)}
    milder = {(0, 0): F(1, 3), (0, 1): F(1, 3), (1, 0): F(1, 3)}
    assert by_hand(CHICKEN, "ce", milder).regret == 0
    assert by_hand(CHICKEN, "ce", milder).certificate == (
        "an equilibrium, proved in rational arithmetic; not proved to be the best"
    )


def test_coarse_deviations_are_fewer() -> None:
    kind_twice = {(0, 0): F(1, 2), (2, 2): F(1, 2)}
    assert by_hand(MEETING, "cce", kind_twice).regret == 0
    assert by_hand(MEETING, "ce", kind_twice).regrets == {"row": 1, "column": 1}  # 11, not 10
    once = {(0, 0): F(1)}
    assert by_hand(MEETING, "cce", once).regrets == {"row": 1, "column": 1}


@pytest.mark.parametrize(
    ("probabilities", "said"),
    [
        ({(0, 0): F(1, 2)}, "chicken: the probabilities sum to 1/2, not to 1"),
        ({(0, 0): F(3, 2), (1, 1): F(-1, 2)}, "has the probability -1/2"),
    ],
)
def test_no_lottery(probabilities: dict[tuple[int, int], Fraction], said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        by_hand(CHICKEN, "ce", probabilities)


def test_plans_must_be_whole_and_for_everyone() -> None:
    tree = CHICKEN.tree()
    silent, told = Pure(tree, "row", ()), Pure(tree, "column", ((1, 0),))
    with pytest.raises(StrategyError, match="has no action at"):
        JointEvaluation(tree, "ce", weights_of(tree), {(silent, told): F(1)}, "by hand")
    with pytest.raises(StrategyError, match="not one plan for each player"):
        JointEvaluation(tree, "ce", weights_of(tree), {(told, told): F(1)}, "by hand")
    stranger = Pure(games.prisoners_dilemma().tree(), "row", ((0, 0),))
    with pytest.raises(StrategyError, match="is a plan of another tree"):
        JointEvaluation(tree, "ce", weights_of(tree), {(stranger, told): F(1)}, "by hand")


# ---------------------------------------------------------------------- welfare


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("row", (1, 0)),
        ("-column", (0, -1)),
        ("2 row + column", (2, 1)),
        ("1/2 row-3*column", (F(1, 2), -3)),
        (" 0.25row - row ", (F(-3, 4), 0)),
        (".5 row", (F(1, 2), 0)),
    ],
)
def test_welfare_in_words(text: str, expected: tuple[Any, Any]) -> None:
    assert tuple(weights_of(CHICKEN.tree(), text).values()) == expected


def test_names_that_look_like_terms() -> None:
    tree = matrix_game([[1]], players=("2 row", "a-b"), name="odd").tree()
    assert weights_of(tree, "2 row - 2 a-b") == {"2 row": 1, "a-b": -2}
    assert weights_of(tree, "2 2 row") == {"2 row": 2, "a-b": 0}
    signed = matrix_game([[1]], players=("-x", "+ y"), name="signed").tree()
    assert weights_of(signed, "-x") == {"-x": 1, "+ y": 0}
    assert weights_of(signed, "- -x - 2 + y") == {"-x": -1, "+ y": -2}


@pytest.mark.parametrize(
    "bad",
    ["", "both", "2", "row column", "2/0 row", "rows", "row +", "+ + row", "__import__('os')"],
)
def test_welfare_that_is_none(bad: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        correlated(CHICKEN, "ce", bad)
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(f"welfare {bad!r}: no player at ")
    assert said.endswith("known: 'column', 'row'")


def test_welfare_of_strangers() -> None:
    with pytest.raises(InfosetError, match="no player 'rwo'; did you mean 'row'"):
        correlated(CHICKEN, "ce", {"rwo": 1})
    with pytest.raises(ParameterError, match="'much' is not a number"):
        correlated(CHICKEN, "ce", {"row": "much"})
    given: Any = 7
    with pytest.raises(ParameterError, match="welfare 7 is neither weights by player nor a text"):
        correlated(CHICKEN, "ce", given)


# ---------------------------------------------------------------------- refused, and stopped


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"no kind 'efc' of correlated.*did you mean 'efce'"):
        correlated(CHICKEN, "efc")
    with pytest.raises(ParameterError, match="seconds=-1"):
        correlated(CHICKEN, "ce", seconds=-1)
    with pytest.raises(NotApplicable, match="2 players, but this game has 3; kind='ce'"):
        correlated(games.seltens_horse(), "efce")
    with pytest.raises(NotApplicable, match=r"perfect recall, but one.* forgets.*; kind='ce'"):
        correlated(games.absent_minded(), "efcce")
    with pytest.raises(TooLarge, match=r"ce of 1,594,323 × 67,108,864 plans.*; take efce or"):
        correlated(games.kuhn(ranks=13), "ce")


def test_no_time() -> None:
    solution = correlated_solution(games.beer_quiche(), "ce", seconds=0)
    device: Any = solution.evaluation
    assert "stopped" in solution.note
    assert sum(device.distribution.values()) == 1
    assert device.certificate != "exact"
    with pytest.raises(NotProved, match=r"stopped before the end.*; the result: "):
        correlated(games.beer_quiche(), "ce", seconds=0, exact=True)


def test_payoffs_far_from_zero_and_in_large_units() -> None:
    far, unit = 10**30, 10**40
    moved = matrix_game([[6 + far, 2 + far], [7 + far, far]], [[6, 7], [2, 0]])
    scaled = matrix_game([[6 * unit, 2 * unit], [7 * unit, 0]], [[6, 7], [2, 0]])
    for kind in KINDS:
        assert correlated(moved, kind, exact=True).payoffs == {
            "row": far + F(21, 4),
            "column": F(21, 4),
        }
        weights = {"row": F(1, unit), "column": 1}
        assert correlated(scaled, kind, weights, exact=True).welfare == F(21, 2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("much", [10**20, 10**60, 10**400])
def test_payoffs_that_floats_cannot_hold_together(kind: str, much: int) -> None:
    """A crash that is worse than anything: the light must never let both dare."""
    crash = matrix_game(
        [[6, 2], [7, -much]], [[6, 7], [2, -much]], actions=(("yield", "dare"),) * 2
    )
    solution = correlated_solution(crash, kind)
    device: Any = solution.evaluation
    assert device.certificate == "exact"
    assert much < 10**400 or "pivots" in solution.work
    # told to yield, with p, p and q: 6 q + 2 p >= 7 q - much p, and 2 p + q = 1
    q = F(much + 2, much + 4)
    assert words(device)["yield", "yield"] == q
    assert device.welfare == 12 * q + 9 * (1 - q)


@pytest.mark.parametrize("kind", KINDS)
def test_where_floats_fail(kind: str) -> None:
    """Only one of the two is hurt, and by so much that floats see nothing else."""
    found = correlated_solution(matrix_game([[6, 2], [7, -(10**30)]], [[6, 7], [2, 0]]), kind)
    assert found.certificate == "exact"
    assert "pivots" in found.work
    assert F(21, 2) < found.evaluation.welfare < 12


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(1, 4))
def test_exact_pivots_find_the_same(seed: int, players: int, depth: int) -> None:
    tree = small(seed, players, depth)
    kinds = KINDS if players == 2 and tree.perfect_recall else ("ce", "cce")
    with pytest.MonkeyPatch.context() as patch:
        found = [correlated(tree, kind) for kind in kinds]
        patch.setattr(assembly, "BEYOND_FLOATS", 0)
        patch.setattr(assembly, "EXACT_FALLBACK", 2_500)
        for kind, by_floats in zip(kinds, found, strict=True):
            solution = correlated_solution(tree, kind)
            pivoted: Any = solution.evaluation
            if "pivots" in solution.work:
                assert pivoted.certificate == "exact"
                assert pivoted.welfare == by_floats.welfare


# ---------------------------------------------------------------------- for people


def test_how_it_reads() -> None:
    device = correlated_solution(CHICKEN, "ce", "2 row - column")
    assert repr(device) == "<Solution of chicken by ce: exact>"
    assert str(device) == correlated_text(device)
    assert str(device).splitlines()[:4] == [
        "chicken",
        "kind         ce: correlated equilibrium",
        "method       one probability for each of 4 profiles of plans",
        "welfare      2 row - column: 12",
    ]
    drawn, endings = device.table()
    assert drawn.column("row") == ["dare"]
    assert endings.column("probability") == [1]
    assert endings.column("play") == ["row: dare, column: yield"]
    assert "<table" in device._repr_html_()
    assert correlated_sheet(device).csv().count("\n") >= 3


def test_what_was_told_on_the_way() -> None:
    heard: list[str] = []
    device = correlated_solution(games.beer_quiche(), tick=heard.append)
    assert heard[-1] == "verifying"
    assert any("linear program of" in line for line in heard)
    assert device.seconds > 0
    assert set(device.work) == {"rows", "columns", "iterations"}
