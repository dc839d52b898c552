"""Bidding by a system: legal calls, sensible contracts, deals that agree with the auction."""

from __future__ import annotations

from random import Random

import pytest

from infoset.errors import NoHistory, NotApplicable, ParameterError, RulesError
from infoset.games import bridge, kuhn, whist
from infoset.games.bridge import known_by, record_of
from infoset.objects.bridge import (
    Contract,
    auction_over,
    final_contract,
    imps,
    is_bid,
    legal_calls,
    strains_of,
)
from infoset.objects.bridge_records import agrees, draw_by_auction, draw_worlds
from infoset.objects.cards import Hand
from infoset.objects.natural_bidding import natural, points
from infoset.objects.pbn import FULL, parse_deal
from infoset.objects.tricks import TABLE
from infoset.play import Clock, Player, entrant, play_game
from infoset.play.automatic import unsolved_name, unsolved_player
from infoset.play.bridge import BridgePlayer, SingleDummyPlayer, bridge_player
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


# ---------------------------------------------------------------------- cards


def after_calls(deal: int, calls: int) -> ReplayPosition:
    """A position of the auction of a random deal."""
    hands, made = auction(deal)
    position = bridge().position()
    while not position.movers:
        card = FULL[len(position.moves)]
        position = position.after(
            next(seat for seat, hand in zip(TABLE, hands, strict=True) if card in hand)
        )
    for call in made[:calls]:
        position = position.after(call)
    return position


def test_worlds_agree_with_the_auction_as_far_as_they_are_found() -> None:
    position = after_calls(next(seed for seed in range(500) if auction(seed)[1][0] == "1NT"), 1)
    known = known_by(position.view("east"), "east", **bridge().params)
    assert known is not None
    worlds = draw_worlds(known, 20, Random(1), attempts=200)
    assert all(agrees(hands, known) for hands in worlds)
    assert len({hands[0] for hands in worlds}) > 10
    few = draw_worlds(known, 20, Random(1), attempts=1)  # 1NT is opened on one hand of twenty
    assert len(few) == 20
    assert 0 < sum(agrees(hands, known) for hands in few) < 10
    assert agrees(few[0], known)
    assert len(draw_worlds(known, 20, Random(1), over=lambda: True)) == 1


def test_a_board_is_played_by_the_player_for_bridge() -> None:
    game = bridge(ranks=8, suits=4, contract="2NT", deal="N:AQ8.K7.KJ.J - KJ7.Q.AQT.A -")
    seats: dict[str, Player] = {seat: bridge_player(moves=2, samples=4) for seat in TABLE}
    played = play_game(game, seats, seed=1)
    assert played.forfeit is None
    assert played.payoffs["north-south"] >= 120  # six tricks and more are on top
    again = play_game(game, seats, seed=1)
    assert again.moves == played.moves


def test_a_declarer_of_tricks_and_defenders_of_a_small_deck() -> None:
    game = bridge(ranks=3, suits=4, contract="1NT", deal="N:AQ..Q. - .K.A.A -", pays="tricks")
    seats = {seat: SingleDummyPlayer(samples=4) for seat in TABLE}
    for seed in range(4):
        played = play_game(game, seats, seed=seed)
        assert played.forfeit is None
        assert played.payoffs["north-south"] >= -1


def test_a_view_is_enough() -> None:
    """Who is asked by another player, as at a table in the browser, is told nothing else."""
    game = bridge(ranks=3, suits=4, contract="1NT")
    position = game.position()
    while not position.movers:
        position = position.after(position.chances()[0][0])
    (seat,) = position.movers
    player = bridge_player(samples=3)
    player.begin(game, seat, Clock(random=Random(1)))
    assert player.decide(position.view(seat), position.options(seat)) in position.options(seat)


def test_it_is_the_default_for_bridge_and_for_nothing_else() -> None:
    assert isinstance(unsolved_player(bridge()), BridgePlayer)
    assert unsolved_name(bridge()) == "bridge"
    assert unsolved_name(whist()) == "mo-ismcts"
    entrant("bridge:moves=1,samples=3").check(bridge())
    with pytest.raises(NotApplicable, match="bridge"):
        entrant("bridge").check(kuhn())
    with pytest.raises(ParameterError, match="no setting 'depth'"):
        entrant("bridge:depth=3")


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        (["1♠", "1♥"], "after 1♠ the call 1♥ is not legal"),
        (["1Z"], "'1Z' is no call"),
        (["1♠", "pass", "double"], "the call double is not legal"),
        (["pass"] * 4, "not legal|is over"),
    ],
)
def test_impossible_auctions_are_refused(calls: list[str], says: str) -> None:
    hand = auction(1)[0][0]
    with pytest.raises(RulesError, match=says) as caught:
        natural(hand, [*calls, "pass"])
    assert "\n" not in str(caught.value)


def test_the_system_bids_with_thirteen_cards() -> None:
    with pytest.raises(RulesError, match="not with 12"):
        natural(auction(1)[0][0][:12], [])


@pytest.mark.parametrize(
    ("difference", "points"), [(0, 0), (10, 0), (20, 1), (450, 10), (-430, -10), (4000, 24)]
)
def test_international_match_points(difference: int, points: int) -> None:
    """World Bridge Federation, Laws of Duplicate Bridge, 2017, law 78 B."""
    assert imps(difference) == points
