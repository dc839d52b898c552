"""Best replies and comparisons, against numbers computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import solve
from infoset.analysis.questions import best_reply, compare
from infoset.errors import InfosetError, ParameterError, StrategyError
from infoset.games import absent_minded, kuhn, prisoners_dilemma, scissors_paper_stone
from infoset.strategy import behaviour, mixed, profile, pure, uniform
from tests.analysis.questions.by_hand import bluffing, horse

F = Fraction


def test_a_reply_to_scissors_too_often() -> None:
    solution = solve(scissors_paper_stone())
    tree = solution.tree
    one, two = tree.names
    (place,) = tree.infosets_of(two)
    often = behaviour(tree, two, {place: {"scissors": F(1, 2), "paper": F(1, 4), "stone": F(1, 4)}})
    answer = best_reply(often, solution=solution)
    assert (answer.player, answer.value, answer.own, answer.equilibrium) == (one, F(1, 4), 0, 0)
    assert answer.strategy.words.endswith("stone")
    assert "equilibrium strategy gets" in dict(answer.table.facts)
    assert [(r.action, r.probability, r.gain) for r in answer.places] == [
        ("stone", F(1, 3), F(1, 4))
    ]
    assert dict(answer.table.facts)["gain"] == "1/4 (0.25)"
    alone = best_reply(often)
    assert (alone.own, alone.equilibrium, alone.gain) == (None, None, None)
    assert [r.action for r in alone.places] == ["stone"]
    assert [table.title for table in alone.table] == ["the reply"]
    assert alone.table[0].column("stone") == [1]


def test_gains_fall_to_the_sets_where_they_are_made() -> None:
    solution = solve(kuhn())
    answer = best_reply(uniform(solution.tree, "dealer"), solution=solution)
    assert answer.value == F(1, 2)
    assert sum(place.gain for place in answer.places) == answer.gain == answer.value - answer.own
    gains = [place.gain for place in answer.places]
    assert gains == sorted(gains, reverse=True)


def test_nothing_is_gained_on_an_equilibrium() -> None:
    for player, titles in (("gambler", ["at the start", "after [pass], bet"]),
                           ("dealer", ["after pass", "after bet"])):  # fmt: skip
        answer = best_reply(bluffing(), player)
        assert (answer.gain, list(answer.places)) == (0, [])
        assert "gains nothing by it" in answer.note
        assert answer.note == answer.table.note
        assert [table.title for table in answer.table] == [f"the reply, {one}" for one in titles]


def test_the_reply_is_held_against_the_strategy_that_was_given() -> None:
    solution = solve(kuhn())
    both = {player: uniform(solution.tree, player) for player in solution.tree.names}
    given = best_reply(both, "gambler", solution=solution)
    assert (given.own, given.equilibrium, given.gain) == (F(1, 8), F(-1, 18), F(3, 8))
    assert given.whose == "own strategy"
    assert best_reply(profile(both), "gambler", solution=solution).own == F(1, 8)
    solved = best_reply(both["dealer"], solution=solution)
    assert (solved.own, solved.whose) == (F(1, 6), "equilibrium strategy")
    assert best_reply(solution, "gambler").whose == "equilibrium strategy"
    by_profile = best_reply(both["dealer"], solution=profile(both))
    assert (by_profile.own, by_profile.whose) == (F(1, 8), "own strategy")


def test_the_tables_show_what_the_reply_does() -> None:
    solution = solve(kuhn())
    answer = best_reply(uniform(solution.tree, "dealer"), solution=solution)
    gains, first, second = answer.table
    assert gains.title == "where it deviates"
    assert (first.title, second.title) == (
        "the reply, at the start",
        "the reply, after [pass], bet",
    )
    assert dict(zip("JQK", first.column("bet"), strict=True)) == {"J": 1, "Q": 1, "K": 0}
    everyone = profile([answer.strategy, uniform(solution.tree, "dealer")])
    assert first.column("value") == [F(-1, 2), F(1, 2), F(3, 2)]
    assert sum(first.column("value")) / 3 == everyone.payoffs["gambler"] == answer.value


def test_who_replies() -> None:
    tree = kuhn().tree()
    with pytest.raises(ParameterError, match="one of gambler or dealer"):
        best_reply(bluffing())
    with pytest.raises(InfosetError, match="no player 'nobody'"):
        best_reply(uniform(tree, "dealer"), "nobody")
    both = {player: uniform(tree, player) for player in tree.names}
    assert best_reply(both, "gambler").own == profile(both).payoffs["gambler"]
    with pytest.raises(StrategyError, match="another tree"):
        best_reply(uniform(tree, "dealer"), solution=bluffing())
    with pytest.raises(StrategyError, match="no strategy"):
        best_reply({"dealer": 3}, "gambler")  # type: ignore[dict-item]
    three = horse("across", "across", "R")
    with pytest.raises(ParameterError, match="two has no strategy; give one, or a solution="):
        best_reply(three["three"], "one")
    assert best_reply(three["three"], "one", solution=three).value == 1
    assert best_reply(horse("down", "across", "L"), "two").gain == 0


def test_forgetful_repliers() -> None:
    tree = absent_minded().tree()
    at_random = profile(uniform(tree, player) for player in tree.names)
    answer = best_reply(at_random, "one")
    assert (answer.value, answer.own) == (F(7, 2), 27)
    assert "absent-minded" in answer.note
    assert [place.gain for place in answer.places] == [None]


def test_two_equilibria_of_kuhn_may_be_exchanged() -> None:
    tree = kuhn().tree()
    never = behaviour(
        tree,
        "gambler",
        {
            **{label: {"pass": 1} for label in ("J", "Q", "K", "J, [pass], bet")},
            "Q, [pass], bet": {"bet": F(1, 3), "pass": F(2, 3)},
            "K, [pass], bet": {"bet": 1},
        },
    )
    first = bluffing()
    second = profile([never, behaviour(tree, "dealer", dict(first["dealer"]))])  # type: ignore[call-overload]
    answer = compare(first, second)  # of another tree of the same game
    assert answer.equilibria == (True, True)
    assert answer.interchangeable is True
    assert not answer.same
    assert answer.distance["dealer"] == 0
    # J: 1/3, K: 1, Q after a bet: 1/3, each on two actions; K after a bet is the same.
    assert answer.distance["gambler"] == 2 * (F(1, 3) + 1 + F(1, 3))
    labels = [one.infoset.label for one in answer.differences]
    assert labels == ["K", "J", "Q, [pass], bet"]
    assert answer.differences[0].size == 2
    assert answer.differences[0].reach == (F(1, 3), F(1, 3))
    assert answer.table[1].column("second")[0] == "pass: 1"
    assert dict(answer.table.facts)["interchangeable"] == "yes"


def test_the_two_pure_equilibria_of_the_horse_may_not() -> None:
    answer = compare(horse("across", "across", "R"), horse("down", "across", "L"))
    assert answer.equilibria == (True, True)
    assert answer.interchangeable is False
    assert answer.total_variation == 1
    assert [one.infoset.player for one in answer.differences] == ["one", "three"]


def test_what_is_no_equilibrium_is_not_exchanged() -> None:
    tree = kuhn().tree()
    at_random = profile(uniform(tree, player) for player in tree.names)
    answer = compare(at_random, solve(tree))
    assert answer.equilibria == (False, True)
    assert answer.interchangeable is None
    assert compare(at_random, at_random).same
    assert "no information set is played differently" in compare(at_random, at_random).table.note


def test_only_one_game_compares() -> None:
    with pytest.raises(StrategyError, match="not the same game"):
        compare(bluffing(), solve(prisoners_dilemma()))


def test_mixed_strategies_compare_by_their_plays() -> None:
    tree = absent_minded().tree()
    left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    drawn = profile([mixed(tree, "one", {left: F(1, 2), right: F(1, 2)}), uniform(tree, "two")])
    answer = compare(drawn, profile(uniform(tree, player) for player in tree.names))
    assert answer.distance == {"one": None, "two": 0}
    assert answer.total_variation == F(1, 4)
    assert "not compared set by set" in answer.table.note


def test_a_strategy_under_another_name_is_refused() -> None:
    solution = solve(kuhn())
    with pytest.raises(StrategyError, match="given for 'dealer' is one of 'gambler'"):
        best_reply({"dealer": solution.strategy["gambler"]})
