"""Rules whose plays may go on for ever are refused at once, wherever the way out stands."""

from __future__ import annotations

import time

import pytest

from infoset import Play, game
from infoset.errors import Endless
from infoset.games import centipede


@game(players=("one", "two"))
def stops_first(g: Play) -> object:
    rounds = 0
    while g.choose(g.players[rounds % 2], ("stop", "go")) == "go":
        rounds += 1
    return g.win("one", rounds % 3)


@game(players=("one", "two"))
def way_on_in_the_middle(g: Play) -> object:
    rounds = 0
    while g.choose("one", ("stop", "go", "resign")) == "go" and g.chance(("end", "on")) == "on":
        rounds += 1
        if g.choose("two", ("reply", "leave")) == "leave":
            break
    return g.win("two", rounds % 3)


@game(players=("one", "two"))
def ends_by_chance(g: Play) -> object:
    while g.chance(("end", "on"), (1, 5)) == "on":
        pass
    return g.win("one" if g.choose("two", ("l", "r")) == "l" else "two")


@pytest.mark.parametrize("rules", [stops_first, way_on_in_the_middle, ends_by_chance])
def test_rules_that_may_end_at_any_move_but_need_not(rules: object) -> None:
    began = time.process_time()
    with pytest.raises(Endless, match=r"10,000 moves.*raise max_moves="):
        rules().tree()  # type: ignore[operator]
    assert time.process_time() - began < 3


def test_long_plays_that_end_are_built() -> None:
    assert centipede(rounds=400).tree().counts.depth == 800
    with pytest.raises(Endless, match="gone on for 500 moves"):
        centipede(rounds=400).tree(max_moves=500)
