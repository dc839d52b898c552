"""Cards, decks and hands."""

import copy
import pickle
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.cards import Card, Deck, Hand

decks = st.builds(Deck, st.integers(1, 20), st.integers(1, 6))


@pytest.mark.parametrize(
    ("ranks", "suits", "text"),
    [
        (1, 1, "K"),
        (3, 1, "J Q K"),
        (3, 2, "J♠ J♥ Q♠ Q♥ K♠ K♥"),
        (4, ("♥",), "10♥ J♥ Q♥ K♥"),
        ("AB", ["-", "+"], "A- A+ B- B+"),
        (range(3), 1, "0 1 2"),
        (1, 5, "Ka Kb Kc Kd Ke"),
        (14, 1, "1 2 3 4 5 6 7 8 9 10 11 12 13 14"),
        (12, 1, "2 3 4 5 6 7 8 9 10 J Q K"),
        (13, 1, "2 3 4 5 6 7 8 9 10 J Q K A"),
    ],
)
def test_names_of_a_deck(ranks, suits, text):
    assert str(Deck(ranks, suits)) == text


def test_the_full_deck_has_52_cards_from_the_two_of_spades_to_the_ace_of_clubs():
    deck = Deck()
    assert len(deck) == len(set(deck)) == 52
    assert (str(deck[0]), str(deck[-1])) == ("2♠", "A♣")


@given(decks)
def test_a_deck_is_sorted_and_numbers_its_ranks_and_suits(deck):
    assert list(deck) == sorted(deck)
    assert [(card.rank, card.suit) for card in deck] == [
        (rank, suit) for rank in range(len(deck.ranks)) for suit in range(len(deck.suits))
    ]


@given(decks)
def test_repr_pickle_and_copy_give_back_the_same_deck(deck):
    assert eval(repr(deck)) is deck
    assert pickle.loads(pickle.dumps(deck)) is deck
    assert copy.deepcopy(deck) is deck
    assert eval(repr(deck[0])) == deck[0]


def test_repr_of_named_decks_is_short_and_rebuilds():
    for deck, text in (
        (Deck("JQK", "♠♥"), "Deck(3, 2)"),
        (Deck(3, "♠"), "Deck(3, '♠')"),
        (Deck(["low", "high"], "abc"), "Deck(('low', 'high'), 'abc')"),
        (Deck(40, 1), "Deck(40, 1)"),
    ):
        assert repr(deck) == text
        assert eval(text) is deck
    names = [f"s{number}" for number in range(30)]
    assert eval(repr(Deck(2, names))) is Deck(2, tuple(names))


def test_equal_requests_give_one_object():
    assert Deck(3, 2) is Deck(ranks=3, suits=2) is Deck(["J", "Q", "K"], "♠♥") is Deck(3.0, 2)
    assert Deck(3, 1) is not Deck(3, "♠")


def test_a_deck_is_the_plain_tuple_of_its_cards():
    deck = Deck(4, 2)
    assert deck == tuple(deck)
    assert hash(deck) == hash(tuple(deck))
    assert type(deck[1:3]) is tuple


@pytest.mark.parametrize(
    ("ranks", "suits", "complaint"),
    [
        (0, 4, "ranks=0"),
        (3, -1, "suits=-1"),
        (2.5, 1, "ranks=2.5"),
        (None, 1, "ranks=None"),
        (float("nan"), 1, "ranks=nan"),
        (float("inf"), 1, "ranks=inf"),
        ("", 1, "no ranks"),
        (3, [], "no suits"),
        ("JJQ", 2, "'J' is twice among the ranks"),
        (3, "♠♠", "'♠' is twice among the suits"),
        (3, 27, "suits=27"),
        (("1", "11"), ("1", "11"), "both read '111'"),
    ],
)
def test_bad_decks(ranks, suits, complaint):
    with pytest.raises(RulesError, match=complaint):
        Deck(ranks, suits)


@given(decks)
def test_every_card_is_found_by_its_text(deck):
    assert all(deck[str(card)] is card for card in deck)


def test_a_text_that_is_no_card_says_what_would_be():
    with pytest.raises(RulesError, match=r"no card 'A♠' in Deck\(3, 2\).*J Q K followed by.*♠ ♥"):
        Deck(3, 2)["A♠"]
    with pytest.raises(RulesError, match=r"one of J Q K$"):
        Deck(3, 1)["A"]


def test_cards_compare_by_rank_then_suit():
    deck = Deck(3, 2)
    assert deck["J♥"] < deck["Q♠"] < deck["Q♥"] < deck["K♠"]
    assert max(Hand(deck[:3])) == deck["Q♠"]


def test_cards_are_equal_if_rank_suit_and_names_are():
    assert Card(2, 0, "K", "♠") == Deck(3, 2)["K♠"]
    assert hash(Card(2, 0, "K", "♠")) == hash(Deck(3, 2)["K♠"])
    assert Deck(3, 1)["K"] != Deck(3, 2)["K♠"]
    assert Deck(3, 2)["K♠"] != Deck(4, 2)["K♠"]


def test_a_card_cannot_be_changed():
    card = Deck()["A♠"]
    with pytest.raises(AttributeError):
        card.rank = 0
    with pytest.raises(AttributeError):
        card.owner = "gambler"


@given(st.data())
def test_without_keeps_the_others_in_order(data):
    deck = data.draw(decks)
    taken = data.draw(st.lists(st.sampled_from(deck), unique=True))
    rest = deck.without(taken)
    assert list(rest) == [card for card in deck if card not in taken]
    assert deck.without(*taken) == deck.without(Hand(taken)) == deck.without(iter(taken)) == rest


def test_without_remembers_hands_but_not_iterators():
    deck = Deck(3, 2)
    one, two = deck[0], Hand(deck[1:3])
    assert deck.without(one, two) is deck.without(one, two)
    spent = iter(deck[:2])
    assert deck.without(spent) == deck[2:]
    assert deck.without(spent) == deck  # it gives nothing any more
    assert deck.without() == deck


def test_without_stays_right_when_its_memory_is_full():
    deck = Deck(6, 6)
    every = list(combinations(deck, 4))[:20_000]  # more than it remembers
    for taken in (*every, *every[:100]):
        assert set(deck.without(taken)) == set(deck) - set(taken)


def test_without_refuses_a_card_of_another_deck():
    with pytest.raises(RulesError, match=r"A♠ is not a card of Deck\(3, 2\)"):
        Deck(3, 2).without(Deck()["A♠"])


@given(st.data())
def test_a_hand_of_cards_does_not_know_the_order_of_the_deal(data):
    cards = data.draw(st.lists(st.sampled_from(Deck()), unique=True))
    shuffled = data.draw(st.permutations(cards))
    hand = Hand(shuffled)
    assert hand == Hand(cards) == tuple(card for card in Deck() if card in cards)
    assert hash(hand) == hash(tuple(hand))
    assert str(hand) == " ".join(str(card) for card in sorted(cards))
    assert eval(repr(hand)) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


def test_a_hand_of_other_values_stays_as_given():
    assert Hand(("rock", "paper")) == ("rock", "paper")
    assert str(Hand([3, 1])) == "3 1"


def test_a_hand_refuses_a_bare_card():
    with pytest.raises(RulesError, match=r"K♠.*Hand\(\[card\]\)"):
        Hand(Deck(3, 2)["K♠"])
