"""Betting rounds, in plain and in vectorized rules, for two players and for more."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from infoset import Play, game
from infoset.errors import RulesError
from infoset.games import kuhn, leduc
from infoset.objects import Deck, Money, betting_round, limit_betting
from infoset.rules import Game


def one_round(
    players: tuple[str, ...], raises: int, ranks: int = 4, vectorized: bool = False
) -> Game:
    """A card each and one round of limit betting; the highest card of those who stay wins."""

    @game(players=players, vectorized=vectorized)
    def limit(g: Play) -> object:
        cards = dict(zip(players, g.deal(Deck(ranks, 1), *[1] * len(players)), strict=True))
        for player, card in cards.items():
            g.reveal(player, card)
        money: Money[int] = Money(players, cash=None, ante=1)
        staying = limit_betting(g, money, 1, raises)
        return money.win(max(staying, key=cards.__getitem__))

    return limit()


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("players", [("a", "b"), ("a", "b", "c")])
def test_one_bet_is_kuhn_poker(players: tuple[str, ...], vectorized: bool) -> None:
    ours = one_round(players, raises=1, vectorized=vectorized).tree()
    theirs = kuhn(ranks=4, players=len(players)).tree()
    assert len(ours) == len(theirs)
    assert len(ours.infosets) == len(theirs.infosets)
    paid = [sorted(tuple(leaf.payoffs.values()) for leaf in tree.leaves) for tree in (ours, theirs)]
    assert paid[0] == paid[1]


def sequences(owes: bool, opened: bool, left: int) -> int:
    """The ways in which a round of two can go on, counted without the object."""
    ways = 1 if opened else sequences(False, True, left)  # check or call
    ways += 1 if owes else 0  # fold
    return ways + (sequences(True, True, left - 1) if left else 0)


@pytest.mark.parametrize("raises", range(5))
def test_betting_sequences_of_two_players(raises: int) -> None:
    tree = one_round(("a", "b"), raises, ranks=2).tree()
    assert tree.counts.leaves == 2 * sequences(False, False, raises)


def test_actions_are_offered_in_order_and_revealed_to_the_others() -> None:
    start = one_round(("a", "b", "c"), raises=2).position()
    place = start.after(start.chances()[0][0])
    assert place.options("a") == ("check", "bet")
    place = place.after("check").after("bet")
    assert place.options("c") == ("fold", "call", "raise")
    assert [fact for kind, fact in place.view("c") if kind == "saw"][1:] == ["check", "bet"]
    place = place.after("raise").after("fold")
    assert place.movers == ("b",)
    assert place.options("b") == ("fold", "call")
    assert place.after("fold").payoffs == {"a": -1, "b": -2, "c": 3}


def test_later_rounds_are_for_those_who_stay() -> None:
    @game(players=("a", "b", "c"))
    def two_rounds(g: Play) -> object:
        money: Money[int] = Money(g.players, cash=None, ante=1)
        staying = limit_betting(g, money, 1, 1)
        if len(staying) > 1:
            staying = limit_betting(g, money, 2, 1, players=staying[::-1])
        return money.win(*staying)

    place = two_rounds().position()
    for move in ("bet", "fold", "call"):
        place = place.after(move)
    assert place.movers == ("c",)  # b is out, and a acts last
    assert place.after("check").after("bet").after("fold").payoffs == {"a": 3, "b": -1, "c": -2}


def test_words_are_those_of_the_game() -> None:
    menus = leduc().tree().menus
    assert set(menus) == {("call", "raise"), ("fold", "call", "raise"), ("fold", "call")}


def test_fractions_are_bet_exactly() -> None:
    @game(players=("a", "b"))
    def halves(g: Play) -> object:
        money: Money[Fraction] = Money(g.players, cash=None, ante=Fraction(1, 2))
        staying = limit_betting(g, money, Fraction(1, 3), 1)
        return money.win(*staying[:1])

    tree = halves().tree()
    assert {leaf.payoffs["a"] for leaf in tree.leaves} == {
        Fraction(1, 2),
        Fraction(5, 6),
        Fraction(-1, 2),
    }


def test_paying_less_than_is_owed_is_refused() -> None:
    def menu(player: str, owed: int, raises: int) -> Mapping[str, int]:
        return {"pass": 0, "bet": 2} if not raises else {"pay one": 1}

    @game(players=("a", "b"))
    def cheap(g: Play) -> object:
        money: Money[int] = Money(g.players, cash=None)
        return money.win(*betting_round(g, money, menu)[:1])

    with pytest.raises(RulesError, match="'pay one' of 'a' costs 1 where 2 is owed"):
        cheap().tree()
