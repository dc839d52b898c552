"""Games and numbers at the edge: each of these once gave a wrong answer or a traceback."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from infoset import Builder, InfosetError, Solution, games, matrix_game, solve
from infoset.display.report import report_text
from infoset.errors import FileError, ParameterError, StrategyError, TooLarge
from infoset.solvers.container import sealed
from infoset.solvers.evaluation import readable
from infoset.strategy import Pure, as_plan, behaviour, profile, uniform
from infoset.text import decimal_near

F = Fraction


def test_what_is_certain_contains_the_value() -> None:
    solution = solve(games.kuhn(), exact=False)
    assert not solution.exact
    line = next(line for line in report_text(solution).splitlines() if "certainly" in line)
    low, high = (F(word) for word in line.split() if word.startswith("-0"))
    assert low <= F(-1, 18) <= high


def test_bounds_do_not_depend_on_outcomes_that_never_happen() -> None:
    builder = Builder(("a", "b"))
    builder.outcome((9, 9))
    for leaf, amount in zip(builder.decide(builder.root, "a", ("x", "y")), (1, 2), strict=True):
        builder.pay(leaf, (amount, -amount))
    solution = solve(builder.build())
    assert (solution.value, solution.value_bounds) == (2, (2, 2))


def absent_minded_driver() -> Builder:
    builder = Builder(("driver",))
    leave, stay = builder.decide(0, "driver", ("exit", "go"), infoset="X")
    builder.pay(leave, (0,))
    leave, stay = builder.decide(stay, "driver", ("exit", "go"), infoset="X")
    builder.pay(leave, (4,))
    builder.pay(stay, (1,))
    return builder


def test_the_absent_minded_driver_is_told_that_there_may_be_better() -> None:
    solution = solve(absent_minded_driver().build())
    assert (solution.value, solution.certificate) == (1, "exact")
    assert "among mixed strategies" in solution.note
    assert not solve(games.kuhn()).note


@pytest.mark.parametrize("least", [20, int(1.9 * 2**30)])
def test_large_chances_do_not_hide_a_set_from_its_best_reply(least: int) -> None:
    builder = Builder(("a", "b"))
    for node in builder.chance(0, range(3), [least + 2, least + 4, least + 10]):
        for below in builder.decide(node, "a", ("l", "r"), infoset="mix", label="mix"):
            out, inside = builder.decide(below, "b", ("out", "in"), infoset="gate", label="gate")
            builder.pay(out, (-5, 5))
            leaves = builder.decide(inside, "b", ("bad", "good"), infoset="inside", label="inside")
            for leaf, amount in zip(leaves, (-1, 1), strict=True):
                builder.pay(leaf, (-amount, amount))
    tree, half = builder.build(), least // 2 + 1
    probabilities = {"l": F(half, 2 * half + 1), "r": F(half + 1, 2 * half + 1)}
    one = as_plan(behaviour(tree, "a", {"mix": probabilities}))
    two = as_plan(behaviour(tree, "b", {"gate": {"out": 1}}))
    assert readable(two, profile([one, two]))["inside"] == {"bad": 0, "good": 1}


def test_actions_of_the_same_name_keep_their_probabilities() -> None:
    builder = Builder(("a", "b"))
    for node, sign in zip(builder.decide(0, "a", ("", "")), (1, -1), strict=True):
        for leaf, amount in zip(
            builder.decide(node, "b", ("z", "z"), infoset=1), (1, -1), strict=True
        ):
            builder.pay(leaf, (sign * amount, -sign * amount))
    tree = builder.build()
    solution = solve(tree)
    assert solution.strategy["b"][tree.infosets[1]] == {"z (1)": F(1, 2), "z (2)": F(1, 2)}
    values = solution.profile.action_values(tree.infosets[1])
    assert values == {"z (1)": 0, "z (2)": 0}
    made = behaviour(tree, "b", {tree.infosets[1]: {"z (2)": 1}})
    assert made[tree.infosets[1]] == {"z (1)": 0, "z (2)": 1}


def test_strategies_are_equal_only_to_their_like() -> None:
    tree = matrix_game([[1, 0], [0, 1]], actions=(("h", "t"),) * 2).tree()
    assert uniform(tree, "row") == uniform(tree, "row")
    assert uniform(tree, "row") != uniform(tree, "column")
    assert len({uniform(tree, "row"), uniform(tree, "row")}) == 1


def test_sets_of_one_label_are_told_apart_by_number() -> None:
    builder = Builder(("a",))
    for node in builder.chance(0, ("x", "y")):
        for leaf in builder.decide(node, "a", ("l", "r")):
            builder.pay(leaf, (1,))
    strategy = uniform(builder.build(), "a")
    assert len(dict(strategy)) == 2
    assert all(strategy[key] == {"l": F(1, 2), "r": F(1, 2)} for key in strategy)


def test_a_profile_refuses_what_is_no_whole_strategy() -> None:
    tree = matrix_game([[1, 1], [1, 1]]).tree()
    with pytest.raises(StrategyError, match="has no action there"):
        profile([Pure(tree, "row", ()), uniform(tree, "column")])
    with pytest.raises(StrategyError, match="'column' has none"):
        profile(uniform(tree, "row"))
    with pytest.raises(StrategyError, match="is not a strategy"):
        profile([1])
    with pytest.raises(StrategyError, match="5 is no information set"):
        behaviour(tree, "row", {5: {}})


def test_names_are_distinct_whatever_they_are() -> None:
    builder = Builder(("A (3)", "A", "A", ""))
    builder.pay(0, (0, 0, 0, 0))
    assert len(set(builder.build().names)) == 4


def test_a_common_factor_of_payoffs_does_not_matter() -> None:
    solution = solve(games.kuhn(ranks=60, ante=10**310, bet=10**310))
    assert solution.exact
    assert solution.value == solve(games.kuhn(ranks=60)).value * 10**310


def test_chances_whose_common_denominator_is_long() -> None:
    builder = Builder(("a", "b"))
    for node, total in zip(
        builder.decide(0, "a", ("l", "r")), (2**32 + 1, 2**32 + 15), strict=True
    ):
        weights = [total // 8] * 7
        weights.append(total - sum(weights))
        for amount, leaf in enumerate(builder.chance(node, range(8), weights)):
            builder.pay(leaf, (amount, -amount))
    tree = builder.build()
    assert tree.chance_reach.take(tree.leaf_indices).total == 2
    assert solve(tree).exact


def test_numbers_of_thousands_of_digits_are_shown() -> None:
    tall = 10**5000
    game = matrix_game([[tall, -1], [-3, 2]], [[1, 2], [3, -tall]])
    assert "certificate  exact" in str(solve(game))
    flat = matrix_game([[tall, -tall]], [[0, 2 * tall]])
    assert "(a whole number of 5,001 digits)" in str(solve(flat))


def test_decimals_are_rounded_as_asked() -> None:
    assert decimal_near(F(10**400), 4) == "1e+400"
    assert decimal_near(F(0), 4) == "0"
    assert decimal_near(F(1, 2), 4) == "0.5"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("work", {"a": float("inf")}, "damaged"),
        ("seconds", 10**400, "damaged"),
        ("seconds", float("nan"), "damaged"),
    ],
)
def test_hostile_records_with_a_right_checksum(
    field: str, value: object, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    solve(games.kuhn()).save(path)
    record = json.loads(path.read_text())
    del record["checksum"]
    record[field] = value
    record = sealed(record)
    path.write_text(json.dumps(record))
    with pytest.raises(FileError, match=words):
        Solution.load(path, games.kuhn())


def test_hostile_notes_are_shown_on_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    solve(games.kuhn()).save(path)
    record = json.loads(path.read_text())
    del record["checksum"]
    record["note"] = "x\nvalue        999\x1b[2J"
    record = sealed(record)
    path.write_text(json.dumps(record))
    shown = str(Solution.load(path, games.kuhn()))
    assert "\nvalue        999" not in shown
    assert "\x1b" not in shown


def test_payoffs_beyond_floats_in_floats() -> None:
    tree = matrix_game([[10**400, 0], [0, 1]]).tree()
    rough = profile([uniform(tree, name).inexact() for name in tree.names])
    assert rough.payoffs["row"] == float("inf")


@pytest.mark.parametrize("seconds", [-1, float("nan"), "5"])
def test_strange_times_are_refused(seconds: object) -> None:
    with pytest.raises(ParameterError, match="it must be 0 or more"):
        solve(games.kuhn(), seconds=seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["kuhn", 5, None])
def test_what_is_no_game_is_refused(game: object) -> None:
    with pytest.raises(InfosetError, match="can be solved"):
        solve(game)  # type: ignore[arg-type]


def test_pivoting_without_room_is_refused_beforehand() -> None:
    with pytest.raises(TooLarge, match=r"pivoting on 49,142 pairs takes 36\.0 GiB"):
        solve(games.liars_dice(), "lcp")
