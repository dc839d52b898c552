"""Strategies as people write and read them: mappings, tables, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.errors import InfosetError, NotApplicable, StrategyError
from infoset.games import absent_minded, kuhn, poker
from infoset.linear.numbers import Numbers
from infoset.strategy import (
    Behaviour,
    Mixed,
    Pure,
    RealizationPlan,
    behaviour,
    behaviour_of_plan,
    mixed,
    pure,
    uniform,
)
from tests.strategy.random_strategies import random_behaviour

TREE = kuhn().tree()
OTHER = kuhn().tree()
BOLD = {"J": "bet", "Q": "bet", "K": "bet"}
THIRD = Fraction(1, 3)


def bold() -> Pure:
    return pure(TREE, "gambler", BOLD)


def weights(*values: Any) -> RealizationPlan:
    return RealizationPlan(TREE, "gambler", Numbers.of(values))


REFUSED: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {  # and what is said of it
    "sum": (
        lambda: behaviour(TREE, "dealer", {"J, bet": {"pass": 0.5, "bet": 0.6}}),
        ("dealer", "'J, bet'", "11/10"),
    ),
    "negative": (
        lambda: behaviour(TREE, "dealer", {"J, bet": {"pass": 1.5, "bet": -0.5}}),
        ("dealer", "'J, bet, [pass]'", "3/2", "between 0 and 1"),
    ),
    "no number": (
        lambda: behaviour(TREE, "dealer", {"J, bet": {"pass": "half"}}),
        ("dealer", "'J, bet'", "'pass'", "'half'", "Fraction"),
    ),
    "not finite": (
        lambda: behaviour(TREE, "dealer", {"J, bet": {"pass": float("nan")}}, floats=True),
        ("dealer", "'J, bet'", "'pass'", "nan", "Fraction"),
    ),
    "action": (
        lambda: behaviour(TREE, "dealer", {"J, bet": {"pas": 1}}),
        ("dealer", "'J, bet'", "'pas'", "did you mean 'pass'?"),
    ),
    "infoset": (
        lambda: behaviour(TREE, "dealer", {"J, bat": {"pass": 1}}),
        ("'dealer'", "'J, bat'", "did you mean 'J, bet'?"),
    ),
    "player": (
        lambda: uniform(TREE, "deeler"),
        ("'deeler'", "did you mean 'dealer'?"),
    ),
    "another player's": (
        lambda: behaviour(TREE, "dealer", {TREE.find("gambler", "J"): {"pass": 1}}),
        ("'J'", "of gambler, not of dealer"),
    ),
    "another tree's": (
        lambda: behaviour(TREE, "gambler", {OTHER.find("gambler", "J"): {"pass": 1}}),
        ("gambler", "<Infoset #1: gambler: J, 2 nodes>", "another tree", "label"),
    ),
    "how many": (
        lambda: Behaviour(TREE, "gambler", np.ones(3)),
        ("gambler", "3 probabilities", "12 choices"),
    ),
    "pure: action": (
        lambda: pure(TREE, "gambler", {"J": "bett"}),
        ("gambler", "'J'", "'bett'", "did you mean 'bet'?"),
    ),
    "pure: another tree's": (
        lambda: pure(TREE, "gambler", {OTHER.find("gambler", "J"): "bet"}),
        ("gambler", "<Infoset #1: gambler: J, 2 nodes>", "another tree", "label"),
    ),
    "pure: open": (
        lambda: pure(TREE, "gambler", {**BOLD, "J": "pass"}),
        ("gambler", "'J, [pass], bet'", "one of pass, bet"),
    ),
    "mixed: sum": (
        lambda: mixed(TREE, "gambler", {bold(): 0.9}),
        ("gambler", "9/10", "not to 1"),
    ),
    "mixed: none": (
        lambda: mixed(TREE, "gambler", {}),
        ("gambler", "sum to 0", "not to 1"),
    ),
    "mixed: negative": (
        lambda: mixed(TREE, "gambler", {bold(): 2, some("gambler"): -1}),
        ("gambler", "{some}", "-1", ">= 0"),
    ),
    "mixed: twice": (
        lambda: Mixed(TREE, "gambler", (bold(), bold()), Numbers.of([THIRD, 2 * THIRD])),
        ("gambler", "twice", "add up"),
    ),
    "mixed: how many": (
        lambda: Mixed(TREE, "gambler", (bold(),), Numbers.of([THIRD, 2 * THIRD])),
        ("gambler", "2 probabilities", "1 pure"),
    ),
    "mixed: another player's": (
        lambda: mixed(TREE, "dealer", {bold(): 1}),
        ("dealer", "Pure(gambler: J → bet; Q → bet; K → bet)", "another player"),
    ),
    "mixed: another tree's": (
        lambda: mixed(OTHER, "gambler", {bold(): 1}),
        ("gambler", "Pure(gambler: J → bet; Q → bet; K → bet)", "another player or tree"),
    ),
    "mixed: open": (
        lambda: mixed(TREE, "gambler", {Pure(TREE, "gambler", ((0, 1),)): 1}),
        ("gambler", "Pure(gambler: J → bet)", "'Q'", "no action"),
    ),
    "plan: how many": (
        lambda: weights(1, 2),
        ("gambler", "2 weights", "13 sequences"),
    ),
    "plan: sum": (
        lambda: weights(1, *[THIRD, THIRD, 0, THIRD] * 3),
        ("gambler", "'J'", "2/3", "not to the 1"),
    ),
    "plan: negative": (
        lambda: weights(1, *[-1, 2, 0, -1] * 3),
        ("gambler", "'J, [pass]'", "-1"),
    ),
    "plan: empty": (
        lambda: weights(2, *[1, 1, 0, 1] * 3),
        ("gambler", "empty sequence", "2, not 1"),
    ),
}


def some(player: str) -> Pure:
    sets = TREE.infosets_of(player)
    return Pure(TREE, player, tuple((infoset.index, 0) for infoset in sets))


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_strategy_is_refused_in_one_line(case: str) -> None:
    make, facts = REFUSED[case]
    with pytest.raises(InfosetError) as refusal:
        make()
    message = str(refusal.value)
    assert message.startswith("kuhn(): ")
    assert "\n" not in message
    for fact in facts:
        assert fact.replace("{some}", repr(some("gambler"))) in message


def test_a_plan_needs_recall() -> None:
    tree = absent_minded().tree()
    with pytest.raises(NotApplicable, match="needs perfect recall, but one, at 'a or b', forgets"):
        RealizationPlan(tree, "one", Numbers.of([1, 1, 0]))


def test_rounding_in_floats_is_no_flaw_and_more_than_that_is() -> None:
    near = {"J, bet": {"pass": 1 / 3, "bet": 2 / 3 + 1e-12}}
    assert not behaviour(TREE, "dealer", near, floats=True).exact
    with pytest.raises(StrategyError):
        behaviour(TREE, "dealer", {"J, bet": {"pass": 1 / 3, "bet": 2 / 3 + 1e-5}}, floats=True)


def test_a_plan_of_floats_that_is_tiny_somewhere_is_still_a_behaviour() -> None:
    """Rounding that is nothing next to 1 is large next to the weight that leads there."""
    tiny = 1e-10
    plan = RealizationPlan(
        TREE,
        "gambler",
        Numbers(np.array([1, tiny, 1 - tiny, 2 * tiny, -tiny / 2, *[0.5, 0.5, 0.5, 0] * 2])),
    )
    found = behaviour_of_plan(plan)
    assert found["J, [pass], bet"] == {"pass": 1, "bet": 0}


@game(players=("ann",))
def many_lotteries(g: Play) -> object:
    """More chance nodes than information sets."""
    for weight in (1, 2, 3, 4):
        if g.chance(("on", "off"), (1, weight)) == "off":
            return (0,)
    return (1 if g.choose("ann", ("x", "y")) == "x" else 0,)


def test_lotteries_are_not_taken_for_information_sets() -> None:
    tree = many_lotteries().tree()
    strategy = pure(tree, "ann", {tree.infosets[0]: "x"})
    likely = [leaf.payoffs["ann"] for leaf in tree.leaves]
    assert strategy.at(tree.leaf_indices).values() == [
        0 if leaf.history[-1] == ("ann", "y") else 1 for leaf in tree.leaves
    ]
    assert sum(likely) == 1


# ---------------------------------------------------------------------- reading


def test_mixed_strategies_read_as_mappings() -> None:
    one, two = bold(), some("gambler")
    lottery = mixed(TREE, "gambler", {one: 0.25, two: 0.75})
    assert dict(lottery) == {one: Fraction(1, 4), two: Fraction(3, 4)}
    assert one in lottery
    assert lottery.support == (one, two)
    assert mixed(TREE, "gambler", {one: 1, two: 0}).support == (one,)
    assert lottery.inexact()[two] == 0.75
    assert isinstance(mixed(TREE, "gambler", {one: 0.25, two: 0.75}, floats=True)[one], float)
    assert repr(one) in repr(lottery).replace("(J", "Pure(gambler: J")


def test_a_table_has_every_label_and_one_header_for_each_menu() -> None:
    tree = poker().tree()
    player = tree.names[0]
    heading, *tables = str(random_behaviour(tree, player, Random(1))).split("\n\n")
    assert heading == player
    assert [table.splitlines()[0] for table in tables] == ["at the start", "after [pass], bet 1"]
    for table, moves in zip(tables, (["pass", "bet", "1"], ["fold", "call"]), strict=True):
        _, head, *rows = table.splitlines()
        assert head.split() == ["private", *moves]
        assert [row.split()[0] for row in rows] == ["J", "Q", "K"]


def test_columns_are_aligned() -> None:
    given = {"J, pass": {"pass": Fraction(1, 1000), "bet": Fraction(999, 1000)}}
    lines = str(behaviour(TREE, "dealer", given)).splitlines()
    assert lines[0] == "dealer"
    assert lines[3:5] == [
        "private  pass             bet",
        "J        1/1000 ▏         0.9990 ███████▉",
    ]


def test_nothing_to_choose_is_said() -> None:
    @game(players=("ann", "bob"))
    def lonely(g: Play) -> object:
        g.choose("ann", ("x", "y"))
        return (0, 0)

    assert str(uniform(lonely().tree(), "bob")) == "bob\n\nnothing to choose"


def test_long_rationals_and_floats_are_shown_as_decimals() -> None:
    long = Fraction(123456789, 987654321)
    given = {"J, bet": {"pass": long, "bet": 1 - long}}
    exact = behaviour(TREE, "dealer", given)
    for strategy in (exact, exact.inexact()):
        assert "J        0.1250 ▉         0.8750 ███████" in str(strategy).splitlines()
