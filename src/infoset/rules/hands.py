"""Poker hands of any number of cards, from decks of any ranks and suits.

What a hand is worth follows from three combinations (Koller & Pfeffer 1997): the profile of its
ranks, whether its suits form one class (a flush), and whether its ranks form a chain of neighbours
(a straight). The whole hand is ranked: with seven cards, a straight has seven ranks in a row. The
best five of more cards are found by :func:`infoset.rules.best_hand.best_rank`.

- The order of the categories is that of five cards, for hands of every size.
- Straights and flushes count in hands of three cards or more; of two, every other one would be one.
- A category asks for at least what its name says: three pairs are two pairs, and (3, 3) is a full
  house. Among hands of a category, the profile decides, larger classes first, and then the ranks,
  those of larger classes first.
- The ace that crowns the thirteen ranks of the full deck also goes below the two: A 2 3 4 5 is the
  lowest straight.
- A deck whose suit has no name, such as ``Deck(13, 1)``, has no flushes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from infoset.errors import RulesError
from infoset.rules.cards import Card
from infoset.rules.combinations import chain, partition, profile
from infoset.rules.late.standin import standin_in

__all__ = ["CATEGORIES", "PokerRank", "better", "hand_name", "poker_rank"]

CATEGORIES = (
    "high card",
    "pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "five of a kind",
)

_HIGH, _PAIR, _TWO_PAIRS, _THREE, _STRAIGHT, _FLUSH, _FULL, _FOUR, _STRAIGHT_FLUSH, _FIVE = range(
    len(CATEGORIES)
)
_ACE = 12  # the rank of the ace in a deck of thirteen
_RUN = 3  # the fewest cards that make a straight or a flush

PokerRank = tuple[int, tuple[int, ...], tuple[int, ...]]

_rank_of = attrgetter("rank")
_suit_of = attrgetter("suit")


def poker_rank(hand: Card | Iterable[Card]) -> PokerRank:
    """A tuple that compares with that of another hand of as many cards as the hands do in poker.

    It holds the index of the category in ``CATEGORIES``, the profile by rank, and the ranks that
    break ties. A single card is a hand of one. Each hand is ranked once and then looked up.

    >>> from infoset.rules.cards import Deck
    >>> deck = Deck()
    >>> kings = [deck[text] for text in ("K♠", "K♥", "9♦", "9♣", "2♠")]
    >>> queens = [deck[text] for text in ("Q♠", "Q♥", "J♦", "J♣", "A♠")]
    >>> poker_rank(kings)
    (2, (2, 2, 1), (11, 7, 0))
    >>> poker_rank(kings) > poker_rank(queens)
    True
    """
    cards = hand if isinstance(hand, tuple) else tuple(hand)
    found = standin_in(cards)
    if found is not None:
        rank: PokerRank = found._late.lift(poker_rank, cards)
        return rank
    return _poker_rank(cards)


def hand_name(hand: Card | Iterable[Card]) -> str:
    """The name of the hand's category.

    >>> from infoset.rules.cards import Deck
    >>> deck = Deck(3, 4)
    >>> hand_name(deck[:5]), hand_name(deck[1:6]), hand_name(deck["K♠"])
    ('four of a kind', 'full house', 'high card')
    """
    return CATEGORIES[poker_rank(hand)[0]]


def better(mine: Any, yours: Any) -> int:
    """Which of two ranks is better: 1 if the first, -1 if the second, 0 if they are equal.

    Times what is at stake, it is what the first player wins at a showdown.

    >>> better(5, 3), better((0, 7), (0, 7)), better("J", "K")
    (1, 0, -1)
    """
    sign: int = (mine > yours) - (mine < yours)
    return sign


@lru_cache(maxsize=1 << 16)
def _poker_rank(hand: Card | tuple[Card, ...]) -> PokerRank:
    cards = (hand,) if isinstance(hand, Card) else hand
    if not cards:
        raise RulesError("a hand without cards has no rank; deal at least one card")
    for card in cards:
        if not isinstance(card, Card):
            raise RulesError(f"{card!r} in a poker hand is not a card; deal the hand from a Deck")

    classes = partition(cards, by=_rank_of)
    by_size = sorted([(len(same), same[0].rank) for same in classes], reverse=True)
    sizes = tuple([size for size, _ in by_size])
    ranks = tuple([rank for _, rank in by_size])
    category = _of_profile(sizes)
    run = _run(cards, ranks)
    if _is_flush(cards):
        category = max(category, _FLUSH if run is None else _STRAIGHT_FLUSH)
    elif run is not None:
        category = max(category, _STRAIGHT)
    return category, sizes, ranks if run is None else run


def _is_flush(cards: tuple[Card, ...]) -> bool:
    if len(cards) < _RUN or not cards[0].suit_name:
        return False
    return profile(cards, by=_suit_of) == (len(cards),)


def _run(cards: tuple[Card, ...], ranks: tuple[int, ...]) -> tuple[int, ...] | None:
    """The ranks of a straight, highest first, an ace below the two being -1; None if it is none.

    The different ranks of the cards are given, highest first unless some are in pairs.
    """
    if not len(ranks) == len(cards) >= _RUN:
        return None
    if chain(_one_higher, ranks):
        return ranks
    if any(card.rank == _ACE and card.rank_name == "A" for card in cards):
        low_ace = (*ranks[1:], -1)
        if chain(_one_higher, low_ace):
            return low_ace
    return None


def _one_higher(high: int, low: int) -> bool:
    return high == low + 1


def _of_profile(sizes: tuple[int, ...]) -> int:
    largest, second = sizes[0], sizes[1] if len(sizes) > 1 else 0
    if largest == 1:
        return _HIGH
    if largest == 2:
        return _TWO_PAIRS if second == 2 else _PAIR
    if largest == 3:
        return _FULL if second >= 2 else _THREE
    return _FOUR if largest == 4 else _FIVE
