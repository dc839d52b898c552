"""Portable Bridge Notation: round trips, the features of the format, and malformed files."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import FileError, InfosetError, RulesError
from infoset.objects.bridge import (
    auction_over,
    final_contract,
    legal_calls,
    parse_contract,
    strains_of,
)
from infoset.objects.cards import Hand
from infoset.objects.pbn import (
    FULL,
    PbnBoard,
    deal_text,
    load_pbn,
    parse_deal,
    parse_pbn,
    pbn_text,
    save_pbn,
    tricks_taken,
)
from infoset.objects.tricks import TABLE, Turns, followers

# A board of our own, in the manner of the standard's import format.
BOARD = r"""% PBN 2.1
[Event "A \"friendly\" match"]
[Site "?"]   ; a comment to the end of the line
[Board "7"]
[Dealer "N"]
[Vulnerable "All"]
[Deal "N:AKQ2.K43.A32.432 J43.A65.K54.AKQ5 T95.QJT.QJT.JT98 876.9872.9876.76"]
[Declarer "N"]
[Contract "1NTX"]
{ a comment
over two lines }
[Result "7"]
[Auction "N"]
1NT! X =1= pass $2 pass
Pass
[Note "1: for penalties"]
[Play "E"]
CA C8 C6 C2
CK C9 C7 C3
CQ CT D6 C4
C5 CJ S6 D2
H5 HT H2 HK
HA HQ H7 H3
*
"""


def played(seed: int, most_calls: int = 20) -> PbnBoard:
    """A board that was dealt, called and played at random, some of it unfinished."""
    random = Random(seed)
    cards = list(FULL)
    random.shuffle(cards)
    hands = tuple(Hand(cards[13 * at : 13 * at + 13]) for at in range(4))
    dealer, calls = random.choice(TABLE), list[str]()
    while not auction_over(calls) and len(calls) < most_calls:
        legal = legal_calls(calls, 7, strains_of(4))
        calls.append(legal[0] if random.random() < 0.6 else random.choice(legal))
    contract = final_contract(calls, dealer) if auction_over(calls) else None
    made = list[Any]()
    if contract is not None:
        turns = Turns(TABLE.index(contract.leader), contract.trump)
        left = [list(hand) for hand in hands]
        for _ in range(random.choice((0, 1, 3, 4, 17, 51, 52))):
            card = random.choice(followers(left[turns.turn], turns.cards))
            left[turns.turn].remove(card)
            made.append(card)
            turns.play(card)
    shown = hands if random.random() < 0.7 else (hands[0], None, hands[2], None)
    return PbnBoard(
        shown,
        dealer,
        random.choice(("none", "both", "north-south", "east-west")),
        tuple(calls),
        contract,
        tuple(made),
        None if contract is None else tricks_taken(contract, made),
        MappingProxyType({"Event": "", "Board": str(seed)}),
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=3))
def test_round_trip_of_random_boards(seeds: list[int]) -> None:
    boards = [played(seed) for seed in seeds]
    assert parse_pbn(pbn_text(boards)) == boards


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), max_size=20))
def test_round_trip_of_tags(value: str) -> None:
    board = PbnBoard(played(1).hands, "north", "none", tags=MappingProxyType({"North": value}))
    if value == "#" or "\x7f" <= max(value, default="") <= "\x9f":
        return
    assert parse_pbn(pbn_text([board]))[0].tags["North"] == value


def test_a_file_is_read_and_written(tmp_path: Path) -> None:
    boards = [played(seed) for seed in range(5)]
    save_pbn(boards, tmp_path / "boards.pbn")
    assert load_pbn(tmp_path / "boards.pbn") == boards
    with pytest.raises(FileError, match=r"none\.pbn: No such file"):
        load_pbn(tmp_path / "none.pbn")
    with pytest.raises(FileError):
        save_pbn(boards, tmp_path / "missing" / "boards.pbn")


def test_features_of_the_format() -> None:
    (board,) = parse_pbn(BOARD)
    assert board.tags["Event"] == 'A "friendly" match'
    assert (board.dealer, board.vulnerable) == ("north", "both")
    assert board.calls == ("1NT", "double", "pass", "pass", "pass")
    assert board.contract == parse_contract("1NTX", "north", 7, strains_of(4))
    assert [str(card) for card in board.cards[:5]] == ["A♣", "8♣", "6♣", "2♣", "K♣"]
    assert len(board.cards) == 24
    assert board.taken == 7


def test_tricks_are_columns_of_seats_and_cards_are_in_the_order_of_play() -> None:
    """South leads to the fifth trick, but its card stays in the second column, after east's."""
    (board,) = parse_pbn(BOARD)
    assert [str(card) for card in board.cards[16:20]] == ["10♥", "2♥", "K♥", "5♥"]
    text = BOARD.replace("HA HQ H7 H3\n", "HA S5 H7 H3\n")
    with pytest.raises(FileError, match="south plays 5♠, but can follow suit"):
        parse_pbn(text)


def test_ap_closes_an_auction() -> None:
    (board,) = parse_pbn(BOARD.replace("=1= pass $2 pass\nPass", "AP"))
    assert board.calls == ("1NT", "double", "pass", "pass", "pass")
    start = BOARD[: BOARD.index("[Declarer")]
    (passed,) = parse_pbn(start + '[Auction "N"]\nAP\n')
    assert passed.calls == ("pass",) * 4
    assert passed.contract is None


def test_a_number_sign_is_the_value_before() -> None:
    first, second = BOARD[: BOARD.index("[Declarer")], '[Event "#"]\n[Dealer "#"]\n'
    boards = parse_pbn(f'{first}\n{second}[Vulnerable "None"]\n[Deal "#"]\n')
    assert boards[1].tags["Event"] == boards[0].tags["Event"]
    assert boards[1].hands == boards[0].hands


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('[Dealer "N"]', "", 2, "no tag Dealer"),
        ('[Dealer "N"]', '[Dealer "Q"]', 5, "'Q' is no seat"),
        ('[Dealer "N"]', '[Dealer "N', 5, "no tag such as"),
        ('[Dealer "N"]', '[Dealer "N"]\n[Dealer "E"]', 6, "Dealer is given twice"),
        ('"All"', '"Some"', 6, "None, NS, EW or All"),
        ("AKQ2.K43", "AKQ2.K4", 7, "has 12 cards; each has 13"),
        ("AKQ2.K43", "AKQJ.K43", 7, "has J♠ twice"),
        ("AKQ2.K43", "AKQ1.K43", 7, "no card 1♠"),
        ("N:AKQ2", "AKQ2", 7, "is not a seat, a colon and four hands"),
        ("1NTX", "1NT", 9, "the contract is 1NT by north, but the auction ends in 1NT doubled"),
        ("1NTX", "9NT", 9, "contract='9NT'"),
        ("over two lines }", "over two lines", 10, "without its }"),
        ('"7"]\n[Auction', '"17"]\n[Auction', 12, "0 to 13"),
        ('[Auction "N"]', '[Auction "S"]', 13, "begins with S, but north deals"),
        ("1NT!", "1NT! 1NT", 14, "'1NT' is no legal call here"),
        ("1NT!", "XX", 14, "'XX' is no legal call"),
        ("Pass\n[Note", "Pass Pass\n[Note", 15, "after the auction has ended"),
        ('[Play "E"]', '[Play "S"]', 17, "south leads, but east should"),
        ("CA C8", "C1 C8", 18, "no card '1♣'"),
        ("CA C8", "ZZ C8", 18, "is no card, such as SA"),
        ("CA C8", "C2 C8", 18, "east does not have 2♣"),
        ("CK C9", "CA C9", 19, "A♣ is played twice"),
        ("CK C9", "- C9", 19, "a card before it is missing"),
        ("CK C9 C7 C3", "CK C9 - -", 20, "after one that is not complete"),
        ("% PBN 2.1", "nonsense", 1, "stands before any tag"),
        ("% PBN 2.1", "\x00", 1, "stands before any tag"),
        ("% PBN 2.1", "]", 1, "']' has no meaning here"),
    ],
)
def test_malformed_files_say_where(old: str, new: str, line: int, says: str) -> None:
    assert BOARD.count(old) >= 1
    with pytest.raises(FileError) as caught:
        parse_pbn(BOARD.replace(old, new, 1), "boards.pbn")
    message = str(caught.value)
    assert message.startswith(f"boards.pbn:{line}:")
    assert says in message
    assert "\n" not in message


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(BOARD)), st.text(max_size=8), st.integers(0, 30))
def test_damaged_files_are_read_or_refused(at: int, more: str, less: int) -> None:
    try:
        boards = parse_pbn(BOARD[:at] + more + BOARD[at + less :])
    except FileError as error:
        boards = []
        if "\n" in str(error):
            raise AssertionError(str(error)) from None
    for board in boards:
        parse_pbn(pbn_text([board]))


def test_deals_of_small_decks() -> None:
    from infoset.objects import Deck

    deck = Deck("QKA", "♠♥♦♣")
    hands = parse_deal("W:A.A.A. K.K.K. - Q.Q.Q.", deck)
    assert deal_text(hands, "west") == "W:A.A.A. K.K.K. - Q.Q.Q."
    assert [hand is None for hand in hands] == [False, True, False, False]


@pytest.mark.parametrize("tags", [{"bad name": "1"}, {"Event": "a\nb"}, {"Event": "#"}, {"": ""}])
def test_what_cannot_be_written_is_refused(tags: dict[str, str]) -> None:
    board = PbnBoard(played(1).hands, "north", "none", tags=MappingProxyType(tags))
    with pytest.raises((RulesError, InfosetError), match="cannot be written"):
        pbn_text([board])
