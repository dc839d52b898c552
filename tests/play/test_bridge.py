"""Bidding by a system: legal calls, sensible contracts, deals that agree with the auction."""

from __future__ import annotations

from random import Random

import pytest

from infoset.errors import NoHistory
from infoset.games import bridge
from infoset.games.bridge import known_by, record_of
from infoset.objects.bridge import (
    Contract,
    auction_over,
    final_contract,
    is_bid,
    legal_calls,
    strains_of,
)
from infoset.objects.bridge_records import agrees, draw_by_auction
from infoset.objects.cards import Hand
from infoset.objects.natural_bidding import natural, points
from infoset.objects.pbn import FULL, parse_deal
from infoset.objects.tricks import TABLE
from infoset.play import play_game
from infoset.play.bridge import BridgePlayer
from infoset.rules import ReplayPosition


def auction(seed: int) -> tuple[list[Hand], list[str]]:
    """A random deal, and what the system calls in all four seats."""
    cards = list(FULL)
    Random(seed).shuffle(cards)
    hands = [Hand(cards[at::4]) for at in range(4)]
    calls: list[str] = []
    while not auction_over(calls):
        legal = legal_calls(calls, 7, strains_of(4))
        called = natural(hands[len(calls) % 4], calls)
        assert called.call in legal
        assert called.reason
        calls.append(called.call)
    return hands, calls


def test_no_illegal_call_in_2000_deals_and_games_have_the_points() -> None:
    """A pair has 20 points of 40 on average; those that bid a game have 26 and more."""
    games, parts = [], []
    for seed in range(2000):
        hands, calls = auction(seed)
        found = final_contract(calls, "north")
        if found is None:
            continue
        declarer = TABLE.index(found.declarer)
        strength = points(hands[declarer]) + points(hands[(declarer + 2) % 4])
        is_game = found.level >= {"NT": 3, "♠": 4, "♥": 4}.get(found.strain, 5)
        (games if is_game else parts).append(strength)
    assert len(games) + len(parts) > 1900
    assert 0.15 < len(games) / 2000 < 0.4
    assert sum(games) / len(games) > 24
    assert sum(parts) / len(parts) < 23


@pytest.mark.parametrize(
    ("hand", "calls", "call"),
    [
        ("AQJ54.K3.A542.65", "", "1♠"),
        ("AQ54.K3.A542.Q65", "", "1NT"),
        ("AQ5.K32.AKQ2.AK5", "", "2♣"),
        ("KQJ965.43.542.65", "", "2♠"),
        ("7.QT96532.54.652", "", "pass"),
        ("7.KQJ9652.K4.652", "", "3♥"),
        ("K76.AQ52.K3.J982", "1♠ pass", "4♠"),
        ("K76.Q852.43.J982", "1♠ pass", "2♠"),
        ("76.Q852.432.J982", "1♠ pass", "pass"),
        ("K6.Q852.K32.J982", "1NT pass", "2NT"),
        ("K6.A852.K32.J982", "1NT pass", "3NT"),
        ("AQJ54.43.K42.652", "1♥", "1♠"),
        ("AJ54.3.KQ42.K652", "1♥", "double"),
        ("8542.T3.J842.652", "1♥", "pass"),
    ],
)
def test_calls_of_the_system(hand: str, calls: str, call: str) -> None:
    held = parse_deal(f"N:{hand} - - -")[0]
    assert held is not None
    assert natural(held, calls.split()).call == call


def test_players_bid_and_play_a_board() -> None:
    seats = {seat: BridgePlayer() for seat in TABLE}
    for seed in range(3):
        played = play_game(bridge(), seats, seed=seed)
        position = ReplayPosition(bridge(), tuple(move for _, move in played.moves))
        record = record_of(position)
        for at, call in enumerate(record.calls):
            assert natural(record.hands[at % 4], record.calls[:at]).call == call
        assert (record.contract is None) == (not any(map(is_bid, record.calls)))
        assert len(record.cards) in (0, 52)


def test_deals_agree_with_the_auction() -> None:
    """After an opening of 1NT the opener has 15 to 17 points in every deal that is drawn."""
    deal = next(seed for seed in range(500) if auction(seed)[1][0] == "1NT")
    hands, _ = auction(deal)
    position = bridge().position()
    for card in FULL:
        if position.movers:
            break
        owner = next(seat for seat, hand in zip(TABLE, hands, strict=True) if card in hand)
        position = position.after(owner)
    position = position.after("1NT")
    known = known_by(position.view("east"), "east", **bridge().params)
    assert known is not None
    for seed in range(10):
        drawn = draw_by_auction(known, Random(seed))
        assert drawn[1] == hands[1]
        assert 15 <= points(drawn[0]) <= 17
        assert agrees(drawn, known)
    with pytest.raises(NoHistory, match="'1NT'; raise attempts="):
        draw_by_auction(known, Random(1), lambda hand, calls: natural(hand, ["7NT"]), attempts=3)


def test_a_contract_reads_as_people_say_it() -> None:
    assert str(Contract(2, "♥", "east", 4)) == "2♥ redoubled by east"
