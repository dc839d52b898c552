"""What does not fit is refused in one line that says why, and what would."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.errors import Endless, InfosetError, NotApplicable, ParameterError, RulesError
from infoset.games import blair_g2, imp_model, kuhn, matching_pennies, prisoners_dilemma
from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from infoset.tree.positions import SimultaneousPosition
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
        assert re.search(r"\blcp\b", message)


@pytest.mark.parametrize("each", [kuhn(), blair_g2(), matching_pennies()], ids=repr)
def test_chance_minimax_of_what_is_hidden(each: Any) -> None:
    for given in (each, each.tree()):
        message = refusal(NotApplicable, chance_minimax, given)
        assert "needs perfect information" in message
        assert re.search(r"\bimp-minimax\b.*\blp\b", message)


@pytest.mark.parametrize("search", SEARCHES)
def test_payoffs_beyond_a_bound(search: Any) -> None:
    @game(players=("player",))
    def two_ways(g: Play) -> object:
        return {"a": 3, "b": -4}[g.choose("player", ("a", "b"))]

    for each in (two_ways(), two_ways().tree()):
        message = refusal(RulesError, search, each, bounds=(None, Fraction(5, 2)))
        assert "player gets 3" in message
        assert "more than the bound 5/2" in message
        message = refusal(RulesError, search, each, bounds=(-3, None))
        assert "player gets -4" in message
        assert "less than the bound -3" in message
        assert search(each, bounds=(-4, 3)).value == 3


def test_bounds_that_rules_declare_are_held_to_them() -> None:
    @game(players=("player",), bounds=(0, 2))
    def boasting(g: Play) -> object:
        return {"a": 1, "b": 3}[g.choose("player", ("a", "b"))]

    assert "more than the bound 2" in refusal(RulesError, imp_alphabeta, boasting())
    assert imp_alphabeta(boasting(), bounds=(None, None)).value == 3


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"depth": 0}, "depth=0: it must be a whole number from 1"),
        ({"depth": True}, "depth=True"),
        ({"depth": 1.5}, "depth=1.5"),
        ({"seconds": -1}, "seconds=-1: it must be 0 or more"),
        ({"bounds": (0, "much")}, "bounds=(0, 'much'): give two numbers"),
        ({"bounds": (0, float("nan"))}, "bounds=(0, nan): give two numbers"),
        ({"bounds": (float("inf"), None)}, "None for an open end"),
        ({"bounds": 10}, "bounds=10: give two numbers"),
        ({"bounds": (0, 1, 2)}, "bounds=(0, 1, 2): give two numbers"),
        ({"bounds": (2, 1)}, "bounds=(2, 1): the lower bound is above the upper"),
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
    unknown = random_rules(3, 1, 3)()
    for each, named in (
        (imp_model(), {}),
        (imp_model(), {"seconds": 60, "deepening": False}),
        (unknown, {"seconds": 60}),  # nothing is known of what lies beyond: one look, to the end
    ):
        message = refusal(ParameterError, imp_alphabeta, each, ordering=True, **named)
        assert "evaluator= or deepening=True" in message


@pytest.mark.parametrize("search", SEARCHES[1:])
def test_a_horizon_with_nothing_known_beyond(search: Any) -> None:
    unknown = random_rules(3, 1, 3)()
    for named in ({"depth": 1}, {"deepening": True}, {"depth": 1, "bounds": (None, 40)}):
        assert "needs evaluator=, or bounds=(low, high)" in refusal(
            ParameterError, search, unknown, **named
        )
    # Time alone is no reason to look ahead only a little: it is searched while there is some.
    assert search(unknown, seconds=60).value == search(unknown).value


def test_evaluators_that_say_what_cannot_be() -> None:
    for each in (imp_model(), imp_model().tree()):
        message = refusal(ParameterError, imp_minimax, each, depth=1, evaluator=lambda p: 100)
        assert "evaluator= gave 100 at <Position of imp_model()" in message
        assert message.endswith(("at least 0 and at most 99", "at least 10 and at most 98"))
        for said in ("good", None, float("nan"), float("inf"), [1], np.eye(2)):
            message = refusal(
                ParameterError, imp_minimax, each, depth=1, evaluator=lambda p, said=said: said
            )
            assert f"evaluator= gave {' '.join(repr(said).split())}"[:30] in message
            assert "it must give a number" in message


def test_positions_of_another_game() -> None:
    tree, other = imp_model().tree(), imp_model(seed=1).tree()
    found = imp_minimax(tree)
    start = imp_minimax(other).evaluation.source.start
    walked = imp_minimax(imp_model())
    away = imp_model(seed=1).position()
    for searched, position in (
        (found, start.after(0)),
        (found, start),  # where nobody moves
        (found, away.after(0)),
        (found, SimultaneousPosition(tree)),
        (walked, start.after(0)),
        (walked, away.after(0)),
        (walked, kuhn().position()),
        (walked, "the start"),
        (walked, Corridor(0)),
        (imp_minimax(Corridor(0)), away.after(0)),
        (imp_minimax(Corridor(0)), start.after(0)),
        (imp_minimax(Corridor(0)), Stranger(0)),
        (imp_minimax(Corridor(0)), 42),
    ):
        message = refusal(ParameterError, searched.decide, position)
        assert "is not a position of the searched game" in message
    assert walked.decide(imp_model().position().after(0)) == found.decide(
        found.evaluation.source.start.after(0)
    )


class Corridor:
    """A game on an engine of its own, with two kinds of positions."""

    name = "corridor"
    players = ("walker",)
    bounds = (0, 2)
    movers = ("walker",)
    over = False
    payoffs: Mapping[str, Fraction] = {}

    def __init__(self, door: int) -> None:
        self.door = door

    def position(self) -> Corridor:
        return self

    def options(self, player: str) -> tuple[str, ...]:
        return ("in", "on") if self.door < 2 else ("in",)

    def chances(self) -> tuple[()]:
        return ()

    def after(self, move: str) -> Corridor:
        return Corridor(self.door + 1) if move == "on" else Room(self.door)

    def view(self, player: str) -> int:
        return self.door


class Room(Corridor):
    """The last thing to choose, as a position of another kind."""

    def options(self, player: str) -> tuple[str, ...]:
        return ("sleep", "read")

    def after(self, move: str) -> Corridor:
        end = Corridor(self.door)
        end.over, end.movers = True, ()
        end.payoffs = {"walker": Fraction(self.door if move == "read" else 0)}
        return end

    def view(self, player: str) -> Any:
        return ("in", self.door)


class Stranger(Corridor):
    movers = ("stranger",)


def test_engines_may_have_several_kinds_of_positions() -> None:
    for search in SEARCHES:
        found = search(Corridor(0))
        assert (found.value, found.evaluation.optimal) == (2, True)
        assert found.decide() == {"walker": {"in": 0, "on": 1}}
        room = Corridor(0).after("on").after("in")
        assert found.decide(room) == {"walker": {"sleep": 0, "read": 1}}


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
    assert (found.value, found.evaluation.bounds) == (None, (0, 1))
