"""Tricks of bridge deals as DDS finds them, through endplay: all strains and leaders."""

from __future__ import annotations

from random import Random

import pytest

from infoset.objects import Deck
from infoset.search import DoubleDummySolver

pytest.importorskip("endplay", reason="endplay is not installed: pip install 'infoset[bridge]'")

RANKS = "23456789TJQKA"


@pytest.mark.parametrize("seed", range(20))
def test_full_tables_are_those_of_dds(seed: int) -> None:
    from endplay.dds import calc_dd_table
    from endplay.types import Deal, Denom, Player

    cards = list(Deck())
    Random(seed).shuffle(cards)
    hands = [cards[seat::4] for seat in range(4)]
    text = "N:" + " ".join(
        ".".join(
            "".join(RANKS[card.rank] for card in sorted(hand, reverse=True) if card.suit == suit)
            for suit in range(4)
        )
        for hand in hands
    )
    found, theirs = DoubleDummySolver().table(text), calc_dd_table(Deal(text))
    strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
    players = (Player.north, Player.east, Player.south, Player.west)
    assert found.tricks == tuple(
        tuple(theirs[strain, player] for player in players) for strain in strains
    )


def test_each_card_is_worth_what_dds_says() -> None:
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    text = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    deal = Deal(text, first=Player.east, trump=Denom.nt)
    theirs = {(card.suit.abbr, card.rank.abbr): tricks for card, tricks in solve_board(deal)}
    ours = DoubleDummySolver().cards(text, "NT", "E")
    assert theirs == {(card.suit_name, RANKS[card.rank]): tricks for card, tricks in ours.items()}
