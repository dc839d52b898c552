"""Tricks of bridge with all cards seen: against a slow minimax, hand records, and symmetries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from infoset.errors import ParameterError, TooLarge
from infoset.kernels import double_dummy as kernel
from infoset.objects import Card, Deck
from infoset.search import (
    DoubleDummySolver,
    double_dummy_cards,
    double_dummy_table,
    double_dummy_tricks,
)

DECK = Deck()
SEATS = "NESW"
STRAINS = ("S", "H", "D", "C", "NT")
HANDS = list[list[Card]]

# Deals and tables that come with DDS (examples/hands.cpp of Haglund and Hein): strains S, H, D, C,
# NT by declarers N, E, S, W.
RECORDS = [
    (
        "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3",
        ((5, 8, 5, 8), (6, 6, 6, 6), (5, 7, 5, 7), (7, 5, 7, 5), (6, 6, 6, 6)),
    ),
    (
        "E:QJT5432.T.6.QJ82 .J97543.K7532.94 87.A62.QJT4.AT75 AK96.KQ8.A98.K63",
        ((4, 9, 4, 9), (10, 2, 10, 2), (8, 3, 8, 3), (6, 7, 6, 7), (9, 3, 9, 3)),
    ),
    (
        "N:73.QJT.AQ54.T752 QT6.876.KJ9.AQ84 5.A95432.7632.K6 AKJ9842.K.T8.J93",
        ((3, 10, 3, 10), (9, 4, 9, 4), (8, 4, 8, 4), (3, 9, 3, 9), (4, 8, 4, 8)),
    ),
]


def minimax(hands: HANDS, strain: int, leader: int, trick: Sequence[Card] = ()) -> int:
    """Tricks of North and South by trying everything; hands with the cards of the trick."""
    owner = {card: seat for seat, hand in enumerate(hands) for card in hand}

    @cache
    def value(left: frozenset[Card], trick: tuple[Card, ...], leader: int) -> int:
        if len(trick) == 4:
            takes = max(
                trick, key=lambda card: (card.suit == strain, card.suit == trick[0].suit, card.rank)
            )
            seat = owner[takes]
            return (seat % 2 == 0) + value(left, (), seat)
        if not left:
            return 0
        turn = (leader + len(trick)) % 4
        mine = [card for card in left if owner[card] == turn]
        if trick:
            mine = [card for card in mine if card.suit == trick[0].suit] or mine
        values = [value(left - {card}, (*trick, card), leader) for card in mine]
        return min(values) if turn % 2 else max(values)

    return value(frozenset(owner) - set(trick), tuple(trick), leader)


def dealt(random: Random, tricks: int, *, top: bool) -> HANDS:
    """Random hands; of the highest cards, or of any."""
    cards = list(DECK[-4 * tricks :]) if top else random.sample(DECK, 4 * tricks)
    random.shuffle(cards)
    return [cards[seat::4] for seat in range(4)]


def for_north(value: int, hands: HANDS, turn: int) -> int:
    return sum(map(len, hands)) // 4 - value if turn % 2 else value


@pytest.mark.parametrize(("tricks", "deals"), [(1, 300), (2, 800), (3, 150), (4, 3)])
@pytest.mark.parametrize("top", [True, False])
def test_tiny_deals_have_the_value_of_minimax(tricks: int, deals: int, top: bool) -> None:
    random = Random(tricks)
    for _ in range(deals):
        hands = dealt(random, tricks, top=top)
        strain, leader = random.randrange(5), random.randrange(4)
        found = double_dummy_tricks(hands, STRAINS[strain], SEATS[leader])
        assert for_north(found, hands, leader) == minimax(hands, strain, leader), (hands, strain)


def test_combinations_of_techniques_give_the_same() -> None:
    random = Random(7)
    single = [1 << bit for bit in range(len(kernel.TECHNIQUES))]
    combined = [0, *single, *(kernel.ALL & ~flag for flag in single)]
    for flags in [*combined, *random.sample(range(kernel.ALL), 40)]:
        solver = DoubleDummySolver(1, flags)
        hands = dealt(random, 3, top=False)
        strain, leader = random.randrange(5), random.randrange(4)
        found = solver.tricks(hands, STRAINS[strain], SEATS[leader])
        assert for_north(found, hands, leader) == minimax(hands, strain, leader), solver.flags


@pytest.mark.parametrize(("deal", "expected"), RECORDS)
def test_hand_records(deal: str, expected: tuple[tuple[int, ...], ...]) -> None:
    table = double_dummy_table(deal)
    assert table.tricks == expected
    assert [table[strain, "E"] for strain in STRAINS] == [row[1] for row in expected]


def test_each_card_in_the_middle_of_a_trick() -> None:
    random = Random(3)
    for _ in range(60):
        hands = dealt(random, 3, top=random.random() < 0.5)
        strain, leader = random.randrange(5), random.randrange(4)
        trick: list[Card] = []
        rest = [list(hand) for hand in hands]
        for turn in range(4):
            seat = (leader + turn) % 4
            found = double_dummy_cards(rest, STRAINS[strain], SEATS[leader], trick)
            best = double_dummy_tricks(rest, STRAINS[strain], SEATS[leader], trick)
            assert max(found.values()) == best
            for card, value in found.items():
                exact = minimax(hands, strain, leader, [*trick, card])
                assert for_north(value, hands, seat) == exact
            card = random.choice(list(found))
            trick.append(card)
            rest[seat].remove(card)


def test_which_cards_may_be_played() -> None:
    hands = "N:AQ.2.. 2.43.. K3.A.. J4.K.."
    found = double_dummy_cards("N:AQ.2.. .43.. K3..A. J4.K..", "NT", "E", ["2♠"])
    assert [str(card) for card in found] == ["K♠", "3♠"]
    found = double_dummy_cards(hands, "NT", "N")
    assert [str(card) for card in found] == ["A♠", "Q♠", "2♥"]


def test_a_full_deal_by_its_cards() -> None:
    deal, expected = RECORDS[0]
    found = double_dummy_cards(deal, "NT", "E")  # North declares
    assert max(found.values()) == 13 - expected[4][0]
    assert len(found) == 13


def test_seats_and_suits_may_be_permuted() -> None:
    random = Random(11)
    for _ in range(3):
        hands = dealt(random, 8, top=True)
        table = double_dummy_table(hands).tricks
        turned = double_dummy_table(hands[1:] + hands[:1]).tricks
        assert [row[1:] + row[:1] for row in table] == [tuple(row) for row in turned]
        order = random.sample(range(4), 4)
        other = [[DECK[4 * card.rank + order[card.suit]] for card in hand] for hand in hands]
        permuted = double_dummy_table(other).tricks
        assert [permuted[order[suit]] for suit in range(4)] + [permuted[4]] == list(table)


def test_a_full_table_of_positions_is_emptied() -> None:
    deal, expected = RECORDS[1]
    small = DoubleDummySolver(memory=1)
    assert small.tricks(deal, "C", "E") == 13 - expected[3][0]
    assert small.counts["emptied"] > 0


def test_a_limit_of_positions() -> None:
    with pytest.raises(TooLarge, match=r"max_nodes=1,000"):
        double_dummy_tricks(RECORDS[0][0], "H", "N", max_nodes=1000)
    assert double_dummy_tricks(RECORDS[0][0], "H", "N") == 13 - 6  # and nothing wrong is kept


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ("AK.. .. .. ..", "names no first seat"),
        ("X:A... K... Q... J...", "'X' is no seat"),
        ("N:A... K... Q...", "3 hands"),
        ("N:A.. K... Q... J...", "has 3 suits"),
        ("N:1... K... Q... J...", "'1♠' in the hand of N"),
        ("N:A... A... Q... J...", "A♠ in the hand of E is there twice"),
        ("N:AT... K... Q... J...", "N 2, E 1, S 1, W 1"),
        ("N:... ... ... ...", "N 0"),
        ([["A♠"], ["K♠"], ["Q♠"]], "3 hands"),
        ([["A♠"], ["K♠"], ["Q♠"], ["joker"]], "'joker' in the hand of W"),
    ],
)
def test_what_is_no_deal(hands: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said.replace("(", r"\(")):
        double_dummy_tricks(hands, "NT", "N")


def test_what_is_no_position() -> None:
    hands = "N:AQ... K2... ... JT.2.."
    with pytest.raises(ParameterError, match="strain='X'"):
        double_dummy_tricks(hands, "X", "N")
    with pytest.raises(ParameterError, match="leader='Q'"):
        double_dummy_tricks(hands, "NT", "Q")
    with pytest.raises(ParameterError, match="is over"):
        double_dummy_tricks(hands, "NT", "N", ["2♣", "3♣", "4♣", "5♣"])
    with pytest.raises(ParameterError, match="2♦ of the trick does not follow suit, and E"):
        double_dummy_tricks("N:A... K... Q4... J3...", "NT", "N", ["2♠", "2♦"])
    with pytest.raises(ParameterError, match="memory=0"):
        DoubleDummySolver(0)
