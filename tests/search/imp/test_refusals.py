"""What does not fit is refused in one line that says why, and what would."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import pytest

from infoset import Play, game
from infoset.errors import Endless, InfosetError, NotApplicable, ParameterError, RulesError
from infoset.games import blair_g2, imp_model, kuhn, matching_pennies, prisoners_dilemma
from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from tests.rules.random_games import random_rules

SEARCHES = (chance_minimax, imp_minimax, imp_alphabeta)


def refusal(kind: type[InfosetError], search: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(kind) as raised:
        search(*given, **named)
    message = str(raised.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("search", SEARCHES)
def test_three_players(search: Any) -> None:
    three = random_rules(1, 3, 3)()
    for each in (three, three.tree()):
        message = refusal(NotApplicable, search, each)
        assert "one player, or for two with a constant sum" in message
        assert "ann, bob, cy" in message


@pytest.mark.parametrize("search", SEARCHES[1:])
def test_two_players_whose_sums_differ(search: Any) -> None:
    for each in (prisoners_dilemma(), prisoners_dilemma().tree()):
        message = refusal(NotApplicable, search, each)
        assert "constant sum, but the payoffs sum to" in message
        assert "lcp" in message


@pytest.mark.parametrize("each", [kuhn(), blair_g2(), matching_pennies()], ids=repr)
def test_chance_minimax_of_what_is_hidden(each: Any) -> None:
    for given in (each, each.tree()):
        message = refusal(NotApplicable, chance_minimax, given)
        assert "needs perfect information" in message
        assert "imp-minimax" in message
        assert "lp" in message


@pytest.mark.parametrize("search", SEARCHES)
def test_payoffs_beyond_a_bound(search: Any) -> None:
    @game(players=("player",))
    def two_ways(g: Play) -> object:
        return {"a": 3, "b": -4}[g.choose("player", ("a", "b"))]

    for each in (two_ways(), two_ways().tree()):
        message = refusal(RulesError, search, each, upper=Fraction(5, 2))
        assert "player gets 3" in message
        assert "more than the bound 5/2" in message
        message = refusal(RulesError, search, each, lower=-3)
        assert "player gets -4" in message
        assert "less than the bound -3" in message
        assert search(each, upper=3, lower=-4).value == 3


def test_bounds_that_rules_declare_are_held_to_them() -> None:
    @game(players=("player",), bounds=(0, 2))
    def boasting(g: Play) -> object:
        return {"a": 1, "b": 3}[g.choose("player", ("a", "b"))]

    assert "more than the bound 2" in refusal(RulesError, imp_alphabeta, boasting())
    assert imp_alphabeta(boasting(), upper=inf).value == 3


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"depth": 0}, "depth=0: it must be a whole number from 1"),
        ({"depth": True}, "depth=True"),
        ({"depth": 1.5}, "depth=1.5"),
        ({"seconds": -1}, "seconds=-1: it must be 0 or more"),
        ({"upper": "much"}, "upper='much': it must be a number"),
        ({"upper": float("nan")}, "upper=nan"),
        ({"upper": 1, "lower": 2}, "give the lower first"),
        ({"evaluator": 3}, "evaluator=3: it must be a function"),
        ({"stop": 3}, "stop=3: it must be a function"),
        ({"tick": 3}, "tick=3: it must be a function"),
        ({"deepening": 1}, "deepening=1: it must be True or False"),
    ],
)
def test_settings_that_are_none(named: dict[str, Any], said: str) -> None:
    for search in SEARCHES:
        assert said in refusal(ParameterError, search, imp_model(), **named)


@pytest.mark.parametrize("name", ["information_set_pruning", "immediate_pruning", "ordering"])
def test_switches_are_true_or_false(name: str) -> None:
    message = refusal(ParameterError, imp_alphabeta, imp_model(), **{name: "yes"})
    assert f"{name}='yes': it must be True or False" in message


def test_nothing_to_order_by() -> None:
    message = refusal(ParameterError, imp_alphabeta, imp_model(), ordering=True)
    assert "evaluator= or deepening=True" in message


@pytest.mark.parametrize("search", SEARCHES[1:])
def test_a_horizon_with_nothing_known_beyond(search: Any) -> None:
    unknown = random_rules(3, 1, 3)()
    for named in ({"depth": 1}, {"deepening": True}, {"depth": 1, "upper": 40}):
        assert "takes evaluator=, or bounds" in refusal(ParameterError, search, unknown, **named)
    # Time alone is no reason to look ahead only a little: it is searched while there is some.
    assert search(unknown, seconds=60).value == search(unknown).value


def test_evaluators_that_say_what_cannot_be() -> None:
    for each in (imp_model(), imp_model().tree()):
        message = refusal(ParameterError, imp_minimax, each, depth=1, evaluator=lambda p: 100)
        assert "evaluator= gave 100 at <Position of imp_model()" in message
        message = refusal(ParameterError, imp_minimax, each, depth=1, evaluator=lambda p: "good")
        assert "it must give a number" in message


def test_positions_of_another_game() -> None:
    tree, other = imp_model().tree(), imp_model(seed=1).tree()
    found = imp_minimax(tree)
    start = imp_minimax(other).source.start
    message = refusal(ParameterError, found.decide, start.after(0))
    assert "no position of the searched tree" in message
    message = refusal(ParameterError, imp_minimax(imp_model()).decide, start.after(0))
    assert "no position of the searched game" in message


class Forever:
    """A game on an engine of its own that does not end."""

    name = "forever"
    players = ("walker",)
    bounds = (0, 1)
    over, movers, payoffs = False, ("walker",), {}

    def position(self) -> Forever:
        return self

    def options(self, player: str) -> tuple[str, ...]:
        return ("on",)

    def chances(self) -> tuple[()]:
        return ()

    def after(self, move: str) -> Forever:
        return self

    def view(self, player: str) -> str:
        return "the road"


def test_a_play_without_an_end() -> None:
    message = refusal(Endless, imp_minimax, Forever())
    assert "forever: a play goes on past 3,000 moves; give depth=" in message
    found = imp_minimax(Forever(), depth=5)
    assert (found.value, found.bounds) == (None, (0, 1))
