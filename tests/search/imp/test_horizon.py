"""Looking some choices ahead: evaluators, bounds, deeper and deeper, in order, until stopped."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game, solve
from infoset.games import blair_g2, imp_model, matching_pennies
from infoset.games.imp_model import scrambled
from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from tests.rules.random_games import random_rules
from tests.search.imp.independent import placed, random_duel

SEARCHES = (imp_minimax, imp_alphabeta)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans(), st.booleans())
def test_bounds_close_in_on_the_value(seed: int, depth: int, forgetful: bool, two: bool) -> None:
    rules = random_duel(seed, depth) if two else random_rules(seed, 1, depth, forgetful)
    tree = rules().tree()
    computed, value = imp_minimax(tree), true_value(tree)
    low, high = -40, 40
    for ahead in range(1, 2 * depth + 1):
        answers = [search(tree, depth=ahead, bounds=(-40, 40)) for search in SEARCHES]
        for found in answers:
            assert found.evaluation.bounds[0] <= value <= found.evaluation.bounds[1]
            if found.evaluation.depth is not None:
                assert (found.value, found.evaluation.optimal, found.evaluation.depth) == (
                    None,
                    False,
                    ahead,
                )
                assert f"looked {ahead} choice" in found.evaluation.reason
            else:
                assert found.value == computed.value
            if found.evaluation.optimal:
                assert found.evaluation.bounds == (value, value)
            if not found.work["horizon"]:
                assert found.evaluation.depth is None
        if not any("heuristic" in found.evaluation.reason for found in answers):
            assert answers[0].evaluation.bounds == answers[1].evaluation.bounds
            assert low <= answers[0].evaluation.bounds[0] <= answers[0].evaluation.bounds[1] <= high
            low, high = answers[0].evaluation.bounds
        elif not two:
            assert answers[0].evaluation.bounds[1] <= high
            high = answers[0].evaluation.bounds[1]
    assert answers[0].evaluation.depth is None


def true_value(tree: Any) -> Fraction:
    """Of two players by a linear program; of one, who may forget, by a search of all strategies."""
    if len(tree.names) == 2:
        value: Fraction = solve(tree, "lp").value
        return value
    found = imp_minimax(tree)
    best: Fraction = placed(found, tree, found.evaluation.source.start).best_response("ann").value
    return best


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_bounds_hold_for_what_can_be_got(seed: int, depth: int) -> None:
    """Where no set is met twice, what is chosen gets as much as the lower bound says."""
    game_ = random_rules(seed, 1, depth)()
    tree = game_.tree()
    for ahead in (1, 2):
        for search in SEARCHES:
            found = search(game_, depth=ahead, bounds=(-40, 40))
            got = placed(found, tree, found.evaluation.source.start).payoffs["ann"]
            assert got >= found.evaluation.bounds[0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 5))
def test_both_players_are_careful_about_what_lies_beyond(seed: int, depth: int) -> None:
    tree = random_duel(seed, depth, sighted=True)().tree()
    for ahead in (1, 2, 3) if tree.perfect_information else ():
        for search in SEARCHES:
            found = search(tree, depth=ahead, bounds=(-5, 5))
            both = placed(found, tree, found.evaluation.source.start)
            assert 3 - both.best_response("bob").value >= found.evaluation.bounds[0]
            assert both.best_response("ann").value <= found.evaluation.bounds[1]


@game(players=("player",), bounds=(0, 10))
def staircase(g: Play, steps: int = 3) -> object:
    """Up a staircase in the dark: stop for what it is worth, or go on."""
    for step in range(steps):
        if g.choose("player", ("stop", "on")) == "stop":
            return step
    return 10


def test_evaluator_says_what_lies_beyond() -> None:
    def hopeful(position: Any) -> float:
        assert not position.over
        return 7.5

    for each in (staircase(), staircase().tree()):
        for search in SEARCHES:
            found = search(each, depth=1, evaluator=hopeful)
            assert (found.value, found.evaluation.depth, found.evaluation.optimal) == (
                Fraction(15, 2),
                1,
                False,
            )
            assert found.evaluation.bounds == (0, 10)
            assert found.work["horizon"] == 1
            assert "evaluator" in found.evaluation.reason
            assert found.decide()["player"] == {"stop": 0, "on": 1}
            deep = search(each, depth=3, evaluator=hopeful)
            assert (deep.value, deep.evaluation.depth, deep.evaluation.optimal) == (10, None, True)
            glum = search(each, depth=2, evaluator=lambda position: Fraction(1, 3))
            assert glum.value == 1
            assert glum.decide()["player"] == {"stop": 0, "on": 1}


@game(players=("player",), bounds=(0, 10))
def jackpot(g: Play, rounds: int = 4) -> object:
    """All that there is at once, or a walk in which nothing is seen."""
    if g.choose("player", ("take", "wait")) == "take":
        return 10
    return sum(g.choose("player", (0, 1)) for _ in range(rounds))


@pytest.mark.parametrize("search", SEARCHES)
def test_nothing_that_lies_deeper_can_matter(search: Any) -> None:
    for each in (jackpot(), jackpot().tree()):
        for asked in ({"depth": 1}, {"deepening": True}, {"depth": 3, "seconds": 60}):
            found = search(each, **asked)
            assert (found.value, found.evaluation.optimal, found.evaluation.depth) == (
                10,
                True,
                None,
            )
            assert found.evaluation.bounds == (10, 10)
            # Where taking loses nothing, immediate pruning has seen all; else waiting is unknown.
            assert found.work["searches"] == (1 if search is imp_alphabeta else 2)
            assert ("1 choice ahead" in found.evaluation.reason) == (search is imp_minimax)
        assert found.on_tree().regret == 0
        glum = search(each, depth=1, evaluator=lambda position: 3)
        assert (glum.value, glum.evaluation.depth) == (10, None if search is imp_alphabeta else 1)


def test_chance_is_no_choice() -> None:
    found = imp_minimax(blair_g2(), depth=1)
    assert found.work["nodes"] == 2 * (1 + 2 + 2 + 2)  # twice: chance, A and B, what follows
    assert found.evaluation.bounds == (0, 1)


def test_a_joint_move_is_searched_to_its_end() -> None:
    found = imp_minimax(matching_pennies(), depth=1, bounds=(-1, 1))
    assert (found.value, found.evaluation.depth, found.work["horizon"]) == (-1, None, 0)
    in_turn = imp_minimax(matching_pennies().tree(), depth=1)
    assert (in_turn.evaluation.bounds, in_turn.work["horizon"]) == ((-1, 1), 2 * 2)


def test_deepening_finishes_where_nothing_is_left_beyond() -> None:
    told: list[str] = []
    for each in (staircase(steps=5), staircase(steps=5).tree()):
        for search in SEARCHES:
            found = search(each, deepening=True, tick=told.append)
            assert (found.value, found.evaluation.depth, found.evaluation.optimal) == (
                10,
                None,
                True,
            )
            assert found.work["searches"] == 2 * 4 + 1
            in_time = search(each, seconds=60)
            assert dict(in_time.work) == dict(found.work)
            at_once = search(each, seconds=60, deepening=False)
            assert (at_once.value, at_once.work["searches"]) == (10, 1)
            three = search(each, deepening=True, depth=3)
            assert (three.value, three.evaluation.bounds, three.evaluation.depth) == (
                None,
                (2, 10),
                3,
            )


@game(players=("first", "second"))
def mirrored(g: Play, k: int, b: int, d: int, pays: Any) -> object:
    """The IMP-model with the second player in it, whom the first pays and can only watch."""
    hidden = g.chance(range(k ** (d - 1)))
    leaf = rest = hidden
    for depth in range(1, d):
        if depth > 1:
            rest, digit = divmod(rest, k)
            g.reveal("second", digit)
        leaf = leaf * b + g.choose("second", range(b))
    return g.win("second", pays(leaf))


def better_and_better(leaf: int) -> int:
    """The best move is the last of four everywhere, and the first move matters most."""
    return [0, 3, 6, 9][leaf % 4] + [0, 20, 40, 60][leaf // 4 % 4] + 80 * (leaf // 16 % 4)


def moves_so_far(position: Any) -> int:
    made, node = 0, position.tree.nodes[position.node]
    while node.parent is not None and not node.parent.is_chance:
        made += int(node.action)
        node = node.parent
    return made


def test_in_short_time_some_depths_are_left_out() -> None:
    tree = staircase(steps=12).tree()
    assert imp_minimax(tree, deepening=True).work["searches"] == 2 * 11 + 1
    found = imp_minimax(tree, seconds=60)  # 1, 2, 3, 4, 6, 9 and 13 choices ahead
    assert (found.value, found.work["searches"]) == (11, 2 * 6 + 1)
    seven = imp_minimax(tree, seconds=60, depth=7)  # 1, 2, 3, 4, 6 and 7
    assert (seven.evaluation.depth, seven.evaluation.bounds, seven.work["searches"]) == (
        7,
        (6, 11),
        2 * 6,
    )


def test_order_saves_leaves() -> None:
    """Found to be best at depth 1, or at first sight, the last move is tried first."""
    alone = imp_model(k=2, b=4, d=4, payoffs=better_and_better).tree()
    second = mirrored(k=2, b=4, d=4, pays=better_and_better).tree()
    counted = []
    for tree, sign in ((alone, 1), (second, -1)):
        bounds = (-1, 310) if sign == 1 else (-310, 1)
        value = imp_minimax(tree).value

        def evaluator(position: Any, sign: int = sign) -> int:
            return sign * moves_so_far(position)

        ask = partial(imp_alphabeta, tree, bounds=bounds, evaluator=evaluator)
        plain = ask(deepening=True)
        ordered = ask(ordering=True, deepening=True)
        glanced = ask(ordering=True)
        assert plain.value == ordered.value == glanced.value == value
        assert ordered.work["leaves"] < plain.work["leaves"] == 512
        assert glanced.work["leaves"] < 512
        assert glanced.work["glances"] > 0
        assert glanced.work["horizon"] == plain.work["glances"] == 0
        counted.append([dict(found.work) for found in (plain, ordered, glanced)])
    assert counted[0] == counted[1]  # what one saves for itself, the other saves against it


@pytest.mark.parametrize("size", [(2, 3, 4), (3, 2, 4), (3, 3, 3)])
def test_the_second_player_prunes_as_the_first_does(size: tuple[int, int, int]) -> None:
    k, b, d = size
    for seed in range(5):
        first = imp_alphabeta(imp_model(k=k, b=b, d=d, seed=seed).tree(), bounds=(0, 99))

        def pays(leaf: int, seed: int = seed) -> int:
            return scrambled(leaf, seed)

        second = imp_alphabeta(mirrored(k=k, b=b, d=d, pays=pays).tree(), bounds=(-99, 0))
        assert second.value == -first.value
        assert dict(second.work) == dict(first.work)
        assert first.work["information_set_cutoffs"] > 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.booleans())
def test_order_does_not_change_the_value(seed: int, depth: int, two: bool) -> None:
    rules = random_duel(seed, depth) if two else random_rules(seed, 1, depth, forgetful=True)
    value = imp_minimax(rules()).value
    for each in (rules(), rules().tree()):
        by_rounds = imp_alphabeta(each, bounds=(-40, 40), deepening=True, ordering=True)
        assert by_rounds.value == value
        at_sight = imp_alphabeta(
            each, bounds=(-40, 40), evaluator=lambda position: 1, ordering=True
        )
        assert at_sight.value == value


def test_stopped_before_the_first_answer() -> None:
    tree = imp_model(k=3, b=3, d=5).tree()
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    found = imp_minimax(tree, stop=stop)
    assert len(asked) == 3
    assert (found.value, found.evaluation.optimal, found.evaluation.bounds) == (
        None,
        False,
        (0, 99),
    )
    assert (found.evaluation.depth, found.note) == (0, "stopped before an answer was found")
    assert 0 < found.work["nodes"] < len(tree)
    assert found.decide(found.evaluation.source.start.after(0)) == {"player": {1: 1, 2: 0, 3: 0}}


@pytest.mark.parametrize("search", SEARCHES)
def test_stopped_while_deepening_keeps_the_deepest_look(search: Any) -> None:
    tree = imp_model(k=3, b=3, d=5).tree()
    looks = 0

    def stop() -> bool:
        nonlocal looks
        looks += 1
        return looks > 2

    found = search(tree, deepening=True, stop=stop)
    assert found.evaluation.depth is not None
    assert found.evaluation.depth > 1
    look = "stopped; the deepest completed search looked"
    assert found.note == f"{look} {found.evaluation.depth} choices ahead"
    assert found.value is None
    assert found.evaluation.bounds == search(tree, depth=found.evaluation.depth).evaluation.bounds
    exact = search(tree).value
    assert 0 <= found.evaluation.bounds[0] <= exact <= found.evaluation.bounds[1] <= 99


def test_no_time_at_all() -> None:
    for each in (imp_model(k=3, b=3, d=5), imp_model(k=3, b=3, d=5).tree()):
        found = imp_minimax(each, seconds=0)
        assert found.note.startswith("stopped")
        assert found.work["nodes"] < 9_000


def test_progress_is_told() -> None:
    told: list[str] = []
    imp_alphabeta(imp_model(k=3, b=3, d=5).tree(), tick=told.append)
    assert told
    assert all(line.startswith("imp-alphabeta: ") and line.endswith(" nodes") for line in told)


@game(players=("player",), bounds=(0, 1))
def long_way(g: Play, moves: int = 1200) -> object:
    for _ in range(moves):
        if g.choose("player", ("on", "stop")) == "stop":
            return 0
    return 1


@game(players=("one", "two"), bounds=(-1, 1))
def hot_seat(g: Play, moves: int) -> object:
    """Who stops first loses."""
    for turn in range(moves):
        mover = ("one", "two")[turn % 2]
        taken = g.choose(mover, ("on", "stop"))
        g.reveal(("one", "two"), taken)
        if taken == "stop":
            return g.win(mover, -1)
    return g.win("one", 0)


def test_deep_games_do_not_exhaust_the_stack() -> None:
    limit = sys.getrecursionlimit()
    tree, turns = long_way(moves=1_800).tree(), hot_seat(moves=1_100).tree()
    for search in (chance_minimax, imp_minimax, imp_alphabeta):
        assert search(tree).value == 1
        assert search(long_way(moves=200)).value == 1
        assert search(turns).value == 0
    assert sys.getrecursionlimit() == limit


def test_what_pruning_left_open_is_decided_when_asked() -> None:
    """One player who forgets nothing: then every set has one best choice, the first of equals."""
    given_rules = imp_model(k=2, b=3, d=4)
    tree = given_rules.tree()
    full = imp_minimax(tree).evaluation.by_infoset()
    pruned = imp_alphabeta(tree)
    assert pruned.work["sets"] < len(tree.infosets) == imp_minimax(tree).work["sets"]
    assert pruned.evaluation.by_infoset() == full
    walked = imp_alphabeta(given_rules)
    everywhere = placed(walked, tree, walked.evaluation.source.start)["player"]
    assert [full[infoset][action] for infoset, action in everywhere.chosen] == [1] * len(full)
