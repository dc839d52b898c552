"""Searches that stop short: at a depth, by the clock, or because they are told to."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.errors import NotApplicable, ParameterError
from infoset.games import goofspiel
from infoset.rules import Position
from infoset.search.simultaneous import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    smab,
)
from tests.search.simultaneous.stacked import stacked

SEARCHES = (backward_induction, smab, double_oracle, double_oracle_alphabeta)
SEEDS = st.integers(0, 10**6)


@settings(max_examples=12, deadline=None)
@given(SEEDS)
def test_bounds_of_a_depth_close_in_on_the_value(seed: int) -> None:
    whole = stacked(seed, depth=4, widest=2)
    value = backward_induction(whole, exact=True).value
    for search in SEARCHES:
        widths = []
        for depth in (1, 2, 3, 4):
            found = search(whole, exact=True, depth=depth)
            low, high = found.evaluation.bounds
            assert low <= value <= high
            assert found.evaluation.optimal == (low == high)
            assert found.value == (value if found.evaluation.optimal else None)
            assert (found.evaluation.depth is None) == found.evaluation.optimal
            widths.append(high - low)
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] == 0


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_all_methods_make_the_same_of_an_evaluator(seed: int, depth: int) -> None:
    whole = stacked(seed, depth=4, widest=2)

    def evaluator(position: Position) -> int:
        return hash(position.moves) % 9 - 4  # type: ignore[attr-defined]

    found = [search(whole, exact=True, depth=depth, evaluator=evaluator) for search in SEARCHES]
    assert len({each.value for each in found}) == 1
    if not found[0].evaluation.optimal:
        assert found[0].evaluation.depth == depth
        assert "evaluator" in found[0].evaluation.reason


def test_chance_is_no_stage() -> None:
    @game(players=("ann", "bob"), bounds=(-1, 1))
    def coin_first(g: Play) -> object:
        side = g.chance((1, -1), (3, 1))
        g.reveal(g.players, side)
        won = side * g.choose("ann", (0, 1))
        return won, -won

    found = backward_induction(coin_first(), exact=True, depth=1)
    assert found.value == Fraction(3, 4)
    assert (found.work["nodes"], found.work["chances"]) == (2, 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_depth_looks_no_further(search: Any) -> None:
    seen: set[int] = set()

    def evaluator(position: Position) -> int:
        seen.add(len(position.options("player 1")))
        return 0

    whole = goofspiel(cards=5)
    found = search(whole, exact=True, depth=2, evaluator=evaluator)
    assert seen == {3}
    assert found.value == 0
    assert not found.evaluation.optimal
    assert found.work["nodes"] + found.work["serialized"] > 0
    # one card is no choice
    assert search(whole, exact=True, depth=4, evaluator=evaluator).evaluation.optimal


@pytest.mark.parametrize("search", [smab, double_oracle_alphabeta])
def test_bounds_that_positions_know_narrow_those_of_a_depth(search: Any) -> None:
    whole = goofspiel(cards=4, points=True)
    assert search(whole.tree(), exact=True, depth=2).evaluation.bounds == (-8, 8)  # paid anywhere
    for asked in (None, True):
        found = search(whole, exact=True, depth=2, heuristic_bounds=asked)
        assert found.evaluation.bounds == (-3, 3)  # all of the last two prizes


def test_deepening_ends_with_the_value_if_there_is_time() -> None:
    told: list[str] = []
    found = backward_induction(
        goofspiel(cards=4), exact=True, seconds=60, compiled=False, tick=told.append
    )
    assert found.evaluation.optimal
    assert found.evaluation.depth is None
    assert found.value == 0
    assert [words.split(",")[0] for words in told] == ["1 stages deep", "2 stages deep"]


def test_deepening_stays_within_a_depth() -> None:
    found = smab(goofspiel(cards=5), exact=True, depth=2, deepening=True)
    assert found.evaluation.depth == 2
    assert found.evaluation.bounds == (-1, 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_that_is_stopped_says_what_it_knows(search: Any) -> None:
    asked = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 1

    found = search(goofspiel(cards=6), exact=True, deepening=False, stop=stop)
    assert found.value is None
    assert found.evaluation.bounds == (-1, 1)
    assert not found.evaluation.optimal
    assert found.note.startswith("stopped by request after")
    assert found.evaluation.reason == "no search was completed"
    assert len(asked) == 2
    decided = found.decide()  # one stage deep
    assert sum(decided["player 1"].values()) == 1


def test_time_ends_a_search() -> None:
    found = backward_induction(goofspiel(cards=9), exact=True, seconds=0.1, compiled=False)
    assert found.note.startswith("time is over after")
    assert found.evaluation.depth is not None
    assert found.seconds < 20


def test_a_decision_short_of_the_end_is_cautious_on_both_sides() -> None:
    """Both take what is sure, 0, over what might be anything."""
    for mover in ("ann", "bob"):

        @game(players=("ann", "bob"), bounds=(-1, 1))
        def venture(g: Play, mover: str = mover) -> object:
            if g.choose(mover, ("risky", "sure")) == "sure":
                return 0, 0
            g.reveal(g.players, "risky")
            won = g.choose(g.other(mover), (-1, 1))
            return won, -won

        for search in SEARCHES:
            found = search(venture(), exact=True, depth=1)
            assert found.decide() == {mover: {"risky": 0, "sure": 1}}


def test_bounds_of_a_position_outdo_what_is_seen_below_it() -> None:
    @game(players=("ann", "bob"), bounds=(-1, 1))
    def three_steps(g: Play) -> object:
        for _ in range(3):
            g.reveal("bob", g.choose("ann", (0, 1)))
        return 1, -1

    def bounds(position: Any) -> tuple[Any, Any]:
        return (Fraction(1, 2) if len(position.moves) == 1 else -1), 1

    found = smab(three_steps(), exact=True, depth=2, heuristic_bounds=bounds)
    assert found.evaluation.bounds == (Fraction(1, 2), 1)
    other = double_oracle_alphabeta(three_steps(), exact=True, depth=2, heuristic_bounds=bounds)
    assert other.evaluation.bounds == (-1, 1)  # moving in turn looks at no bounds


def test_an_evaluator_must_keep_to_the_bounds() -> None:
    with pytest.raises(ParameterError, match="the evaluator's 7 is outside of the bounds -1 to 1"):
        smab(goofspiel(cards=4), exact=True, depth=1, evaluator=lambda position: 7)
    with pytest.raises(ParameterError, match=r"gave 'seven' at .*; it must give a number"):
        smab(goofspiel(cards=4), exact=True, depth=1, evaluator=lambda position: "seven")


@dataclass(frozen=True)
class Countdown:
    """A game on an engine of its own: ann takes a coin at each of many turns, or ends it."""

    left: int
    taken: bool = False
    players = ("ann", "bob")
    bounds = (0, 1)
    chances = staticmethod(tuple)

    def position(self) -> Countdown:
        return self

    @property
    def over(self) -> bool:
        return self.left == 0 or self.taken

    @property
    def movers(self) -> tuple[str, ...]:
        return () if self.over else ("ann",)

    @property
    def payoffs(self) -> dict[str, Fraction]:
        return {"ann": Fraction(self.left == 0), "bob": Fraction(self.left > 0)}

    def options(self, player: str) -> tuple[str, ...]:
        return ("end", "on")

    def after(self, move: Any) -> Countdown:
        return Countdown(self.left - 1 + (move == "end"), move == "end")

    def view(self, player: str) -> int:
        return self.left


@pytest.mark.parametrize("search", SEARCHES)
def test_long_games_do_not_exhaust_the_stack(search: Any) -> None:
    most = 150 if search is double_oracle_alphabeta else 3000  # it searches by turns at every stage
    found = search(Countdown(most), exact=True)
    assert found.value == 1
    assert found.decide(Countdown(most - 1)) == {"ann": {"end": 0, "on": 1}}


@pytest.mark.parametrize("search", [smab, double_oracle_alphabeta])
def test_windows_need_bounds(search: Any) -> None:
    @game(players=("ann", "bob"))
    def boundless(g: Play) -> object:
        ann, bob = g.together({"ann": (0, 1), "bob": (0, 1)}).values()
        return (1, -1) if ann == bob else (-1, 1)

    with pytest.raises(NotApplicable, match=r"give bounds=\(low, high\)"):
        search(boundless())
    assert search(boundless(), exact=True, bounds=(-1, 1)).value == 0
    assert search(boundless().tree(), exact=True).value == 0
    for plain in (backward_induction, double_oracle):
        assert plain(boundless(), exact=True).value == 0
        assert plain(boundless()).evaluation.error < 1e-9
        with pytest.raises(NotApplicable, match="needs evaluator="):
            plain(boundless(), depth=1)
