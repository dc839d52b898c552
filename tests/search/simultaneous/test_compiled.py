"""Compiled searches do what the same searches in Python do: to the last bit and the last count."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infoset import game
from infoset.errors import NotApplicable, ParameterError, RulesError
from infoset.games import goofspiel, oshi_zumo, pursuit, stacked
from infoset.rules import Beginning, Family, Play, Stages
from infoset.rules.stages import OVER, PLAYERS
from infoset.search import SEARCHES, Solution, backward_induction, double_oracle, smab
from infoset.search.settings import BoundedKeywords, SmabKeywords

METHODS = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")
PRUNED = ("smab", "double-oracle-alphabeta")

GAMES = (
    goofspiel(cards=4, early_end=True),
    goofspiel(cards=4, points=True, order="ascending"),
    goofspiel(cards=3, order="random", prizes_up=False),
    goofspiel(cards=3, points=True, order="random", prizes_up=False),
    oshi_zumo(coins=3),
    oshi_zumo(coins=6, size=2, min_bid=1),
    stacked(width=3, height=4, depth=2, correlated=False),
    stacked(chances=2),
    pursuit(pursuers=2, turns=2),
)
SETTINGS: tuple[dict[str, Any], ...] = (
    {"transpositions": False},
    {"transpositions": True},
    {"depth": 2, "transpositions": False},
    {"deepening": True, "transpositions": True},
    {"heuristic_bounds": True, "transpositions": True, "depth": 2},
    {"order": "lexicographic", "dominance": True, "transpositions": False},
    {"moves": "reversed", "skip": 1, "transpositions": False},
    {"skip": 1, "deep": False, "cutoffs": False, "transpositions": False},
    {"leaves_first": False, "skip": 2, "epsilon": 0.1, "transpositions": False},
    {"static_bound": False, "moves": "reversed", "skip": 2, "transpositions": False},
    {"drop_crossed": True, "moves": "reversed", "transpositions": False},
    {"drop_crossed": True, "static_bound": False, "cutoffs": False, "transpositions": True},
    {"skip": 2, "cutoffs": False, "dominance": True, "transpositions": True},
    {"heuristic_bounds": True, "moves": "reversed", "skip": 1, "transpositions": False},
)


def fits(method: str, asked: dict[str, Any]) -> bool:
    own = SmabKeywords.__optional_keys__ - BoundedKeywords.__optional_keys__
    if method != "smab" and own & set(asked):
        return False
    return method in PRUNED or "heuristic_bounds" not in asked


def facts(found: Solution) -> tuple[Any, ...]:
    """All that must be the same."""
    counts = dict(found.work)
    return (
        found.value,
        found.evaluation.bounds,
        counts,
        found.evaluation.error,
        found.evaluation.depth,
        found.evaluation.optimal,
        found.evaluation.reason,
    )


def first_decisions(found: Solution) -> Any:
    start = found.evaluation.source.start
    while not start.movers:
        start = start.after(start.chances()[0][0])
    return found.decide(start)


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("method", METHODS)
def test_the_same_values_counts_and_decisions(game: Any, method: str) -> None:
    half = SETTINGS[GAMES.index(game) % 2 :: 2]  # every setting is tried in half of the games
    for asked in filter(lambda each: fits(method, each), half):
        search = SEARCHES[method]
        slow, fast = search(game, compiled=False, **asked), search(game, compiled=True, **asked)
        assert facts(fast) == facts(slow), asked
        assert first_decisions(fast) == first_decisions(slow), asked


@example(
    seed=1, width=2, height=3, depth=3, chances=2, correlated=True, points=False, heuristic=True,
    skip=1,
)  # fmt: skip
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(2, 4),
    height=st.integers(2, 4),
    depth=st.integers(1, 2),
    chances=st.sampled_from((0, 0, 2, 3)),
    correlated=st.booleans(),
    points=st.booleans(),
    heuristic=st.booleans(),
    skip=st.integers(0, 2),
)
@settings(max_examples=12, deadline=None)
def test_random_stacked_games(heuristic: bool, skip: int, **params: Any) -> None:
    game = stacked(**params)
    for method in METHODS:
        asked: dict[str, Any] = {"transpositions": False}
        if method == "smab":
            asked |= {"heuristic_bounds": heuristic, "skip": skip}
        slow = SEARCHES[method](game, compiled=False, **asked)
        fast = SEARCHES[method](game, compiled=True, **asked)
        assert facts(fast) == facts(slow)
    exact = backward_induction(game, exact=True).value
    assert exact is not None
    assert fast.value == pytest.approx(float(exact), abs=max(fast.evaluation.error, 1e-12))


@pytest.mark.parametrize(("cards", "nodes"), [(4, 109), (5, 1_926), (6, 58_173), (7, 2_578_710)])
def test_the_positions_of_goofspiel(cards: int, nodes: int) -> None:
    """Saffidine, Finnsson & Buro 2012, table 2."""
    found = backward_induction(goofspiel(cards=cards, early_end=True), transpositions=False)
    assert found.work["nodes"] == found.work["matrices"] == nodes
    assert abs(found.value or 0) <= found.evaluation.error < 1e-9


def test_what_is_remembered_is_not_looked_at_twice() -> None:
    game = goofspiel(cards=7, early_end=True)
    found = backward_induction(game, transpositions=True)
    assert found.work["nodes"] == 27_024
    again = double_oracle(game)  # unasked where states tell positions apart
    assert again.work["transpositions"] > 0
    assert again.work["nodes"] < 27_024


def test_decisions_below_the_start_are_those_of_a_search_there() -> None:
    game = goofspiel(cards=4, points=True)
    found, there = smab(game), game.position().after((2, 4)).after((1, 1))
    slow = smab(game, compiled=False, transpositions=False)
    assert found.decide(there) == slow.decide(there)
    assert set(found.decide(there)) == {"player 1", "player 2"}


def test_a_search_stops_when_it_is_told_to() -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    found = backward_induction(goofspiel(cards=9, early_end=True), transpositions=False, stop=stop)
    assert found.value is None
    assert found.evaluation.bounds == (-1.0, 1.0)
    assert "stop" in found.note
    assert found.work["nodes"] > 0


def test_time_ends_a_search_with_what_is_sure() -> None:
    told: list[str] = []
    found = double_oracle(goofspiel(cards=12, points=True), seconds=0.7, tick=told.append)
    low, high = found.evaluation.bounds
    assert low is not None
    assert high is not None
    assert -78 < low <= 0 <= high < 78
    assert found.evaluation.depth is not None
    assert any("positions" in words for words in told)


# ---------------------------------------------------------------------- what cannot be compiled


def beginning() -> Beginning:
    return Beginning((0,), widest=2, longest=2, low=-1, high=1)


def turn(state: Any) -> int:
    return OVER if state[0] else PLAYERS


def options(state: Any, who: int, menu: Any) -> int:
    menu[0], menu[1] = 1, 2
    return 2


def after(state: Any, first: int, second: int, then: Any) -> None:
    then[0] = 10 * first + second


def payoff(state: Any) -> int:
    return 1 if state[0] in (11, 22) else -1


def pennies(stages: Stages, pays: int = 1) -> Any:
    @game(players=("one", "two"), bounds=(-1, 1), stages=stages)
    def coins(g: Play) -> object:
        one, two = g.together({"one": (1, 2), "two": (1, 2)}).values()
        return g.win("one" if one == two else "two", pays)

    return coins()


def test_a_game_of_ones_own_compiles() -> None:
    found = smab(pennies(Stages(beginning, turn, options, after, payoff)), compiled=True)
    assert found.value == 0
    assert found.decide() == {"one": {1: 0.5, 2: 0.5}, "two": {1: 0.5, 2: 0.5}}


def test_stages_that_say_something_else_are_found_out() -> None:
    wrong = Stages(beginning, turn, options, after, lambda state: 0)
    with pytest.raises(RulesError, match=r"its rules and its stages differ after .*: one gets"):
        smab(pennies(wrong), compiled=True)


def test_stages_that_cannot_be_compiled_are_named() -> None:
    def fraction(state: Any) -> int:
        return int(Fraction(state[0] in (11, 22)) * 2 - 1)

    with pytest.raises(RulesError, match="payoff of its stages cannot be compiled"):
        smab(pennies(Stages(beginning, turn, options, after, fraction)), compiled=True)


def _go_on(state: Any, first: int, second: int, then: Any) -> None:
    then[0] = state[0] + 1
    then[1] = 0 if first == 1 and second == 1 else (1 if first == 1 else 2)


@game(
    players=("one", "two"),
    bounds=(-1, 1),
    stages=Stages(
        lambda longest, widest: Beginning((0, 0), widest, longest, -1, 1),
        lambda state: OVER if state[0] >= 30 or state[1] else PLAYERS,
        options,
        _go_on,
        lambda state: 1 if state[1] == 1 else -1,
    ),
)
def patience(g: Play, longest: int = 31, widest: int = 3) -> object:
    """Both go on together, up to 30 times; whoever stops first loses, and both at once one."""
    for _ in range(30):
        one, two = g.together({"one": (1, 2), "two": (1, 2)}).values()
        g.reveal("one", two)
        g.reveal("two", one)
        if (one, two) != (1, 1):
            return g.win("one" if one == 1 else "two")
    return g.win("two")


def test_payoffs_beyond_the_bounds_are_found_out_where_random_plays_do_not_come() -> None:
    """Thirty times both go on: one play in 4^30."""
    stages = patience().family.stages
    assert stages is not None
    beyond = replace(stages, payoff=lambda state: 5 if state[0] >= 30 else 1 - 2 * (state[1] - 1))
    family = Family(patience.rules, ("one", "two"), bounds=(-1, 1), stages=beyond)
    for method in METHODS:
        with pytest.raises(RulesError, match="a payoff is not between its bounds -1 and 1"):
            SEARCHES[method](family(), compiled=True)


def test_plays_longer_than_was_said_end_the_search_and_nothing_else() -> None:
    for method in METHODS:
        with pytest.raises(RulesError, match="more moves than longest=5"):
            SEARCHES[method](patience(longest=5), compiled=True)
    assert abs(backward_induction(patience(), compiled=True).value or 0) <= 1


def test_games_without_stages_are_searched_in_python_or_refused() -> None:
    hidden = goofspiel(cards=3, reveal="winner")
    with pytest.raises(ParameterError, match=r"compiled=True: .* has no integer stages"):
        smab(hidden, compiled=True)
    with pytest.raises(NotApplicable, match="hidden information"):
        smab(hidden)
    with pytest.raises(ParameterError, match="compiled=True: compiled searches are in floats"):
        smab(goofspiel(cards=3), compiled=True, exact=True)
