"""The best five of cards among which one may be twice, as from several decks."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.objects import Card, Deck, poker_rank
from infoset.objects.hands import best_poker_rank

FULL = Deck()


def by_all_fives(cards: tuple[Card, ...]) -> tuple[object, ...]:
    return max(poker_rank(five) for five in combinations(cards, 5))


@pytest.mark.parametrize(
    "deck", [FULL[::4], Deck(5, 2), Deck(7, 2)], ids=["spades", "5, 2", "7, 2"]
)
@settings(max_examples=100)
@given(data=st.data())
def test_cards_that_are_there_twice(deck: tuple[Card, ...], data: st.DataObject) -> None:
    size = data.draw(st.integers(5, 8))
    cards = data.draw(st.lists(st.sampled_from(deck), min_size=size, max_size=size))
    assert best_poker_rank(cards) == by_all_fives(tuple(sorted(cards)))


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("6♠ 6♠ 5♠ 4♠ 2♠", (5, (2, 1, 1, 1), (4, 3, 2, 0))),  # 6 5 4 and 2 are no straight
        ("6♠ 6♠ 5♠ 4♠ 3♠ 2♠", (8, (1,) * 5, (4, 3, 2, 1, 0))),
        ("A♠ A♠ 5♠ 4♠ 3♠ 2♠", (8, (1,) * 5, (3, 2, 1, 0, -1))),
        ("9♠ 9♠ 9♠ 9♠ 2♠ K♠", (7, (4, 1), (7, 11))),
        ("9♠ 9♠ 9♠ 9♠ 9♠", (9, (5,), (7,))),
    ],
)
def test_a_suit_with_the_same_card_twice(text: str, rank: tuple[object, ...]) -> None:
    cards = tuple(FULL[one] for one in text.split())
    assert best_poker_rank(cards) == rank == by_all_fives(tuple(sorted(cards)))
