"""A game's own picture: a function of a view, a player, and some of the parameters."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from infoset.errors import RulesError
from infoset.objects import BoardPicture
from infoset.rules import Game, Play, game


def strip(view: Any, player: str, width: int) -> object:
    """What the player has taken."""
    return BoardPicture(width, 1, {what: player for kind, what in view if kind == "took"})


@game(players=("ann", "bob"), picture=strip)
def taking(g: Play, width: int = 3, prize: int = 1) -> object:
    """Take a square each."""
    squares = ("a1", "b1", "c1")[:width]
    g.choose("ann", squares)
    g.choose("bob", squares)
    return g.win("ann", prize)


def test_a_picture_is_of_a_view() -> None:
    made = taking(width=2)
    position = made.position().after("b1")
    assert made.picture is not None
    assert made.picture(position.view("ann"), "ann") == BoardPicture(2, 1, {"b1": "ann"})
    assert made.picture(position.view("bob"), "bob") == BoardPicture(2, 1)


def test_games_without_one_have_none() -> None:
    from infoset.games import kuhn

    assert kuhn().picture is None


def test_a_picture_changes_nothing_else() -> None:
    plain = game(players=("ann", "bob"))(taking.rules)
    assert len(taking().tree()) == len(plain().tree())
    assert repr(taking(width=2)) == "taking(width=2)"


def test_pictures_travel_with_their_games() -> None:
    named = pickle.loads(pickle.dumps(taking(width=2)))
    assert named.picture(named.position().view("ann"), "ann") == BoardPicture(2, 1)

    @game(players=("ann",), picture=lambda view, player: len(view))
    def unnamed(g: Play) -> object:
        return g.choose("ann", (1, 2))

    again: Game = pickle.loads(pickle.dumps(unnamed()))
    assert again.picture is not None
    assert again.picture(again.position().view("ann"), "ann") == 1


def test_what_is_refused() -> None:
    @game(players=("ann",), picture=lambda view, player, depth: None)
    def odd(g: Play, width: int = 3) -> object:
        return g.choose("ann", (1, 2))

    with pytest.raises(RulesError, match="'depth'"):
        _ = odd().picture
    with pytest.raises(RulesError, match="picture="):
        game(players=("ann",), picture="board")  # type: ignore[arg-type]
