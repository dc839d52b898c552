"""Players that search: better than chance, in time, the same again for the same seed."""

from __future__ import annotations

import time
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.errors import ParameterError
from infoset.games import blind_tic_tac_toe, goofspiel, kuhn, leduc, prisoners_dilemma
from infoset.play import (
    InformationSetPlayer,
    PerfectInformationPlayer,
    RandomPlayer,
    TreeSearchPlayer,
    match,
    play_game,
)
from tests.search.test_information import look
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn


@pytest.mark.parametrize("chosen", [kuhn(), goofspiel(cards=3)], ids=repr)
def test_overconfidence_beats_chance(chosen: Any) -> None:
    for name in ("overconfident:samples=30", "pimc:samples=10"):
        played = match(chosen, [name, "random"], games=100)
        assert played.standings()[0].low > 0
    assert not played.faults()


@pytest.mark.parametrize("name", ["ismcts", "mo-ismcts"])
@pytest.mark.parametrize("chosen", [kuhn(), goofspiel(cards=3)], ids=repr)
def test_tree_search_beats_chance(chosen: Any, name: str) -> None:
    played = match(chosen, [f"{name}:iterations=120", "random"], games=100)
    assert played.standings()[0].low > 0
    assert not played.faults()


@pytest.mark.parametrize("name", ["overconfident", "paranoid", "pimc", "ismcts", "mo-ismcts"])
@pytest.mark.parametrize(
    "chosen",
    [blind_tic_tac_toe(), SpielKuhn(), kuhn().tree(), kuhn(players=3), prisoners_dilemma()],
    ids=["blind", "of OpenSpiel", "a tree", "three players", "general sum"],
)
def test_every_game_has_opponents(chosen: Any, name: str) -> None:
    seats = 3 if repr(chosen) == "kuhn(players=3)" else 2
    settings = "iterations=9" if "ismcts" in name else "depth=2,samples=5"
    players = [f"{name}:{settings}", *["random"] * (seats - 1)]
    assert not match(chosen, players, games=seats).faults()


@pytest.mark.parametrize(
    "player",
    [InformationSetPlayer(samples=60), TreeSearchPlayer(iterations=400)],
    ids=["overconfident", "ismcts"],
)
def test_it_looks_before_it_guesses(player: Any) -> None:
    others = {"nature": RandomPlayer()}
    played = [play_game(look(), {"seeker": player, **others}, seed=seed) for seed in range(10)]
    assert {str(one.payoffs["seeker"]) for one in played} == {"9/10"}
    assert all(("seeker", "look") in one.moves for one in played)


def test_with_perfect_information_nobody_looks() -> None:
    seats = {"seeker": PerfectInformationPlayer(), "nature": RandomPlayer()}
    played = [play_game(look(), seats, seed=seed) for seed in range(6)]
    assert all(("seeker", "guess") in one.moves for one in played)


def test_the_clock_is_kept() -> None:
    player = InformationSetPlayer(depth=6, samples=40)
    worlds = PerfectInformationPlayer(depth=2, samples=5)
    tree_search = TreeSearchPlayer(iterations=1)
    for one in (player, worlds, tree_search):
        assert in_time(one, 0.15)
    assert player.searches > 1  # the time is used
    assert worlds.drawn > 5
    assert tree_search.drawn > 50


def in_time(player: Any, seconds: float) -> bool:
    """Does it keep its clock, in one of a few games? A busy machine may stall any process."""
    seats = {"one": player, "two": RandomPlayer()}
    for _ in range(4):
        began = time.perf_counter()
        if play_game(leduc(), seats, seed=1, seconds=seconds).forfeit is None:
            return time.perf_counter() - began < 5
    return False


def test_the_same_seed_gives_the_same_moves() -> None:
    def moves() -> Any:
        seats = {"one": InformationSetPlayer(samples=20), "two": InformationSetPlayer("paranoid")}
        return play_game(leduc(), seats, seed=5).moves

    assert moves() == moves()


def test_a_model_of_the_others() -> None:
    @game(players=("one", "two"))
    def pennies(g: Play) -> object:
        both = g.together({"one": ("heads", "tails"), "two": ("heads", "tails")})
        return g.win("one" if both["one"] == both["two"] else "two")

    biased = {"two": {"nothing yet": {"heads": 0.9, "tails": 0.1}}}
    player = InformationSetPlayer(biased, samples=40)
    seats = {"one": player, "two": RandomPlayer()}
    assert ("one", "heads") in play_game(pennies(), seats, seed=1).moves
    exact = InformationSetPlayer(solve(kuhn()), samples=40)
    assert play_game(kuhn(), {"gambler": exact, "dealer": RandomPlayer()}).forfeit is None


def test_settings() -> None:
    for name, said in (
        ("overconfident:dept=2", "did you mean 'depth'"),
        ("overconfident:depth=0", "from 1 on"),
        ("overconfident:depth=x", "from 1 on"),
        ("paranoid:depth=1,depth=2", "once"),
    ):
        with pytest.raises(ParameterError, match=said):
            match(kuhn(), [name, "random"])
    assert match(kuhn(), ["paranoid:", "random"], games=2).games
    with pytest.raises(ParameterError, match="at least 1"):
        InformationSetPlayer(depth=0)
