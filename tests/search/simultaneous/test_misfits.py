"""Games and settings that a search of simultaneous moves refuses, in one line each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from infoset import Play, game
from infoset.errors import InfosetError, NotApplicable, ParameterError
from infoset.games import goofspiel, kuhn, liars_dice, prisoners_dilemma
from infoset.rules import CHANCE, OVER, PLAYERS, Beginning, Stages
from infoset.search.simultaneous import (
    SimultaneousSettings,
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    search_simultaneous,
    smab,
)
from infoset.search.simultaneous.stages import fingerprint

SEARCHES = (backward_induction, smab, double_oracle, double_oracle_alphabeta)


def refused(work: Callable[[], object], error: type[InfosetError], *parts: str) -> None:
    with pytest.raises(error) as caught:
        work()
    said = str(caught.value)
    assert "\n" not in said
    for part in parts:
        assert part in said, said


@game(players=("ann", "bob"), bounds=(-1, 1))
def unseen(g: Play) -> object:
    """Bob moves after ann and does not see it: the same as together, but not told so."""
    ann, bob = g.choose("ann", (0, 1)), g.choose("bob", (0, 1))
    return (1, -1) if ann == bob else (-1, 1)


@game(players=("ann", "bob"), bounds=(-1, 1))
def card(g: Play) -> object:
    """A card that nobody sees, then a guess each."""
    face = g.chance((0, 1))
    ann, bob = g.together({"ann": (0, 1), "bob": (0, 1)}).values()
    return (1, -1) if (ann + bob) % 2 == face else (-1, 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_hidden_information(search: Any) -> None:
    refused(
        lambda: search(kuhn()), NotApplicable, "gambler", "observes 'J'", "lp", "discounted-cfr"
    )
    refused(lambda: search(kuhn().tree()), NotApplicable, "gambler", "'J'", "hidden information")
    assert search(unseen(), exact=True).value == search(unseen().tree(), exact=True).value == 0
    refused(lambda: search(card()), NotApplicable, "ann", "hidden information")
    refused(lambda: search(card().tree()), NotApplicable, "ann", "hidden information")
    refused(lambda: search(liars_dice(sides=2).tree()), NotApplicable, "hidden information")
    refused(
        lambda: search(goofspiel(reveal="winner")), NotApplicable, "player 1", "player 2 wins 3"
    )


def test_what_is_hidden_beyond_the_look_ahead_is_found_by_the_search() -> None:
    @game(players=("ann", "bob"), bounds=(0, 1))
    def late(g: Play) -> object:
        for turn in range(5):
            step = g.choose("ann", range(6))
            if turn < 4:
                g.reveal("bob", step)
        return g.choose("bob", (0, 1)), 0

    with pytest.raises(NotApplicable, match="bob cannot distinguish positions"):
        backward_induction(late())


def test_views_are_told_apart_where_hashes_are_not() -> None:
    assert hash((0, -1)) == hash((0, -2))
    assert fingerprint((0, -1)) != fingerprint((0, -2))
    assert fingerprint((0, frozenset({-1}))) != fingerprint((0, frozenset({-2})))
    assert fingerprint((1, (Fraction(2), "x"))) == fingerprint((1.0, (2, "x")))

    @game(players=("ann", "bob"), bounds=(-2, -1))
    def negative(g: Play) -> object:
        first = g.choose("ann", (-1, -2))
        g.reveal("bob", first)
        g.choose("bob", (-1, -2))
        return first, -first

    assert backward_induction(negative(), exact=True).value == -1


@pytest.mark.parametrize("search", SEARCHES)
def test_players_and_payoffs(search: Any) -> None:
    refused(lambda: search(goofspiel(players=3)), NotApplicable, "two players, not 3")
    refused(lambda: search(prisoners_dilemma().tree()), NotApplicable, "sum to -2", "lcp")

    @game(players=("ann", "bob"), bounds=(0, 2))
    def generous(g: Play) -> object:
        return g.choose("ann", (1, 2)), 0

    refused(lambda: search(generous()), NotApplicable, "payoffs 2, 0 sum to 2, others to 1")

    @game(players={"team": ("east", "west"), "other": ()}, bounds=(0, 1))
    def bridge(g: Play) -> object:
        g.together({"east": (0, 1), "west": (0, 1)})
        return 0, 0

    refused(lambda: search(bridge()), NotApplicable, "east west move simultaneously for one player")


def test_payoffs_outside_of_bounds() -> None:
    refused(
        lambda: smab(goofspiel(cards=3), exact=True, bounds=(0, 1)),
        ParameterError,
        "the payoff -1 is outside of the bounds 0 to 1",
    )
    refused(
        lambda: smab(goofspiel(cards=3), exact=True, heuristic_bounds=lambda position: (0, 1)),
        ParameterError,
        "the payoff -1 is outside of the bounds 0 to 1",
    )
    refused(
        lambda: smab(goofspiel(cards=3), exact=True, heuristic_bounds=lambda position: (1, 0)),
        ParameterError,
        "heuristic_bounds",
        "above the upper",
    )
    refused(
        lambda: smab(goofspiel(cards=3).tree(), exact=True, heuristic_bounds=True),
        NotApplicable,
        "have no bounds of their own",
    )


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"method": "alpha-beta"}, "no search method 'alpha-beta'"),
        ({"order": "spiral"}, "order='spiral'"),
        ({"moves": "best"}, "moves='best'"),
        ({"depth": 0}, "depth=0"),
        ({"depth": 1.5}, "depth=1.5"),
        ({"depth": True}, "depth=True"),
        ({"skip": -1}, "skip=-1"),
        ({"skip": None}, "skip=None"),
        ({"seconds": -1}, "seconds=-1"),
        ({"seconds": float("nan")}, "seconds=nan"),
        ({"epsilon": -1}, "epsilon=-1"),
        ({"epsilon": "small"}, "epsilon='small'"),
        ({"bounds": (1, 0)}, "the lower bound is above the upper"),
        ({"bounds": 3}, "bounds=3"),
        ({"bounds": ("a", "b")}, "two numbers"),
        ({"exact": 1}, "exact=1"),
        ({"dominance": None}, "dominance=None"),
        ({"leaves_first": None}, "leaves_first=None"),
        ({"compiled": "yes"}, "compiled='yes'"),
        ({"transpositions": 3}, "transpositions=3"),
        ({"heuristic_bounds": 3}, "heuristic_bounds=3"),
        ({"evaluator": 3}, "evaluator=3"),
        ({"tick": 3}, "tick=3"),
    ],
)
def test_settings(settings: dict[str, Any], part: str) -> None:
    refused(lambda: SimultaneousSettings(**{"method": "smab", **settings}), ParameterError, part)


def test_what_cannot_be_compiled() -> None:
    refused(
        lambda: smab(goofspiel(cards=3).tree(), compiled=True),
        ParameterError,
        "compiled=True",
        "leave it out",
    )


def test_a_request_searches_as_the_functions_do() -> None:
    found = search_simultaneous(
        goofspiel(cards=3), SimultaneousSettings("smab", exact=True, skip=1)
    )
    assert found.value == smab(goofspiel(cards=3), exact=True, skip=1).value == 0
    assert found.work == smab(goofspiel(cards=3), exact=True, skip=1).work


def test_stages_cannot_hide_that_something_is_hidden() -> None:
    """By their state all is known; the rules say who sees what."""

    def beginning() -> Beginning:
        return Beginning((0, 0), widest=2, longest=3, low=-1, high=1)

    def turn(state: Any) -> int:
        return (CHANCE, PLAYERS, OVER)[min(state[0], 2)]

    def options(state: Any, who: int, menu: Any) -> int:
        menu[0], menu[1] = 1, 2
        return 2

    def after(state: Any, first: int, second: int, then: Any) -> None:
        then[0] = state[0] + 1
        then[1] = first if state[0] == 0 else (1 if (first + second + state[1]) % 2 else -1)

    def payoff(state: Any) -> int:
        return int(state[1])

    @game(
        players=("ann", "bob"),
        bounds=(-1, 1),
        stages=Stages(beginning, turn, options, after, payoff),
    )
    def dark(g: Play) -> object:
        drawn = g.chance((1, 2))
        ann, bob = g.together({"ann": (1, 2), "bob": (1, 2)}).values()
        return g.win("ann" if (ann + bob + drawn) % 2 else "bob")

    for search in SEARCHES:
        refused(lambda: search(dark()), NotApplicable, "hidden information")  # noqa: B023


def test_bounds_of_one_number_are_looked_into() -> None:
    for search in SEARCHES:
        refused(lambda: search(goofspiel(), bounds=(0, 0)), InfosetError, "bounds")  # noqa: B023
