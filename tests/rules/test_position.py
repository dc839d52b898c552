"""Positions: walking a play without its tree."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import Play, Position, game
from infoset.errors import RulesError
from infoset.games import kuhn


def walk_left(position: Position) -> Position:
    """A search that knows positions only by their protocol."""
    while not position.over:
        if position.movers:
            moves = [position.options(player)[0] for player in position.movers]
            position = position.after(tuple(moves) if len(moves) > 1 else moves[0])
        else:
            position = position.after(position.chances()[0][0])
    return position


def test_a_rules_position_is_a_position() -> None:
    assert walk_left(kuhn().position()).payoffs == {"gambler": -1, "dealer": 1}


def test_kuhn_walked_by_hand() -> None:
    start = kuhn().position()
    assert not start.over
    assert start.movers == ()
    assert [chance for _, chance in start.chances()] == [Fraction(1, 6)] * 6
    deal = next(deal for deal, _ in start.chances() if tuple(map(str, deal)) == ("Q", "K"))
    dealt = start.after(deal)
    assert str(dealt) == "chance: Q K"
    seen = dealt.view("gambler")
    assert [(kind, str(what)) for kind, what in seen[:1]] == [("saw", "Q")]
    assert seen[-1] == ("offered", ("pass", "bet"))
    assert dealt.view("dealer") == (("saw", deal[1]),)
    end = dealt.after("bet").after("bet")
    assert end.over
    assert end.movers == ()
    assert end.chances() == ()
    assert end.payoffs == {"gambler": -2, "dealer": 2}


def test_positions_are_values() -> None:
    game_ = kuhn()
    one, two = game_.position(), game_.position()
    assert one == two
    assert hash(one) == hash(two)
    deal = one.chances()[0][0]
    assert one.after(deal) == two.after(deal) != one
    assert repr(one) == "<Position of kuhn(): at the start>"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda p: p.after("fold"), "'fold' is not among"),
        (lambda p: p.options("dealer"), "'dealer' does not move here, gambler does"),
        (lambda p: p.payoffs, "not over after chance: J Q"),
        (lambda p: p.after("bet").after("bet").after("x"), "the game is over"),
        (lambda p: p.view("nobody"), "no player 'nobody'"),
    ],
)
def test_misuse_is_told(act: object, message: str) -> None:
    start = kuhn().position()
    dealt = start.after(start.chances()[0][0])
    with pytest.raises(RulesError, match=message):
        act(dealt)  # type: ignore[operator]


def test_simultaneous_moves_are_given_together() -> None:
    @game(players=("a", "b"))
    def duel(g: Play) -> object:
        shots = g.together({"a": ("high", "low"), "b": ("high", "low")})
        return g.win("a" if shots["a"] == shots["b"] else "b")

    start = duel().position()
    assert start.options("b") == ("high", "low")
    assert start.after(("high", "high")).payoffs["a"] == 1
    with pytest.raises(RulesError, match="give a tuple of moves, for a, b"):
        start.after("high")


def test_errors_of_the_rules_name_the_play() -> None:
    @game(players=("a",))
    def faulty(g: Play) -> object:
        g.choose("a", ("go",))
        return {}["nothing"]

    with pytest.raises(RulesError, match=r"KeyError: 'nothing' \(after a: go, at test_position"):
        assert faulty().position().after("go").over
