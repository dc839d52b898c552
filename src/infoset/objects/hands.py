"""Poker hands of any number of cards, from decks of any ranks and suits.

The strength of a hand follows from three combinations (Koller & Pfeffer 1997): the profile of its
ranks, whether its suits form one class (a flush), and whether its ranks form a chain of neighbours
(a straight). :func:`poker_rank` ranks the whole hand: with seven cards, a straight has seven ranks
in a row.

- The order of the categories is that of five cards, for hands of every size.
- Straights and flushes count in hands of three cards or more; of two, every other one would be one.
- A category requires at least what its name says: three pairs are two pairs, and (3, 3) is a full
  house. Among hands of a category, the profile decides, larger classes first, and then the ranks,
  those of larger classes first.
- The ace of the thirteen ranks of the full deck also ranks below the two: A 2 3 4 5 is the lowest
  straight.
- A deck whose suit has no name, such as ``Deck(13, 1)``, has no flushes.

:func:`best_poker_rank` ranks the best five of more cards, as hold'em does, without trying all
fives. It follows from two counts. How often each rank occurs gives pairs, threes and fours, and the
straight as the highest five neighbours among the ranks; how often each suit occurs gives the suits
with five cards or more, and in each of them the flush and the straight flush. Among the categories
that the cards can make, the highest wins; within it, every place of the hand is filled with the
highest rank that is left. The result is the tuple that :func:`poker_rank` gives for the best five,
after one pass over the cards instead of one for each of 21 fives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from infoset.errors import RulesError
from infoset.objects.cards import Card
from infoset.objects.combinations import chain, partition, profile
from infoset.objects.vectorized import first_vectorized

__all__ = ["CATEGORIES", "PokerRank", "best_poker_rank", "better", "hand_name", "poker_rank"]

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
_SINGLE = (1, 1, 1, 1, 1)  # the profile of five different ranks

PokerRank = tuple[int, tuple[int, ...], tuple[int, ...]]

_rank_of = attrgetter("rank")
_suit_of = attrgetter("suit")


def poker_rank(hand: Card | Iterable[Card]) -> PokerRank:
    """The rank of a whole hand: a tuple that is larger for the better hand of as many cards.

    Parameters
    ----------
    hand
        Cards, or a single card; plain or vectorized. Each hand is ranked once and then looked up.

    Returns
    -------
    tuple
        The index of the category in ``CATEGORIES``, the profile by rank, and the ranks that break
        ties.

    Raises
    ------
    RulesError
        If the hand is empty or holds something that is not a card.

    Examples
    --------
    >>> from infoset.objects.cards import Deck
    >>> deck = Deck()
    >>> kings = [deck[text] for text in ("K♠", "K♥", "9♦", "9♣", "2♠")]
    >>> queens = [deck[text] for text in ("Q♠", "Q♥", "J♦", "J♣", "A♠")]
    >>> poker_rank(kings)
    (2, (2, 2, 1), (11, 7, 0))
    >>> poker_rank(kings) > poker_rank(queens)
    True
    """
    cards = hand if isinstance(hand, tuple) else tuple(hand)
    found = first_vectorized(cards)
    if found is not None:
        rank: PokerRank = found._run.lift(poker_rank, cards)
        return rank
    return _poker_rank(cards)


def hand_name(hand: Card | Iterable[Card]) -> str:
    """The name of a hand's category.

    Parameters
    ----------
    hand
        Cards, or a single card.

    Returns
    -------
    str
        An entry of ``CATEGORIES``.

    Examples
    --------
    >>> from infoset.objects.cards import Deck
    >>> deck = Deck(3, 4)
    >>> hand_name(deck[:5]), hand_name(deck[1:6]), hand_name(deck["K♠"])
    ('four of a kind', 'full house', 'high card')
    """
    return CATEGORIES[poker_rank(hand)[0]]


def better(mine: Any, yours: Any) -> int:
    """Which of two ranks is better: 1 if the first, -1 if the second, 0 if they are equal.

    Times the stake, it is what the first player wins at a showdown: ``g.map(better, mine, yours)``.

    Parameters
    ----------
    mine, yours
        Anything that can be compared.

    Returns
    -------
    int
        The sign of the comparison.

    Examples
    --------
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


def best_poker_rank(cards: Iterable[Card]) -> PokerRank:
    """The rank of the best five of five or more cards: the highest ``poker_rank`` among them.

    Parameters
    ----------
    cards
        Five or more. Seven take a few microseconds.

    Returns
    -------
    tuple
        As of :func:`poker_rank`.

    Raises
    ------
    RulesError
        If there are fewer than five cards.

    Examples
    --------
    >>> from infoset.objects.cards import Deck
    >>> deck = Deck()
    >>> best_poker_rank(deck[text] for text in "K♠ 7♦ K♣ 9♥ 3♠ 7♠ K♥".split())
    (6, (3, 2), (11, 5))
    """
    held = tuple(cards)
    if len(held) < 5:
        raise RulesError(f"{len(held)} cards have no best five; give five or more")
    counts: dict[int, int] = {}
    suits: dict[int, list[int]] = {}
    ace = False
    for rank, suit, rank_name, suit_name in held:
        counts[rank] = counts.get(rank, 0) + 1
        if suit_name:
            suits.setdefault(suit, []).append(rank)
        if rank == _ACE and rank_name == "A":
            ace = True
    found = _by_ranks(counts)
    for ranks in suits.values():
        if len(ranks) >= 5:
            found = max(found, _of_a_suit(ranks, ace))
    if found[0] < _STRAIGHT and len(counts) >= 5:
        run = _highest_straight(sorted(counts, reverse=True), ace)
        if run is not None:
            return _STRAIGHT, _SINGLE, run
    return found


def _of_a_suit(ranks: list[int], ace: bool) -> PokerRank:
    """The best flush or straight flush of five or more cards of a suit."""
    different = sorted(set(ranks), reverse=True)
    run = _highest_straight(different, ace)
    if run is not None:
        return _STRAIGHT_FLUSH, _SINGLE, run
    if len(different) == len(ranks):
        return _FLUSH, _SINGLE, tuple(different[:5])
    kind, sizes, best = _by_ranks(Counter(ranks))  # of several decks: the same card twice
    return max(kind, _FLUSH), sizes, best


def _by_ranks(counts: dict[int, int]) -> PokerRank:
    """The best that equal ranks and high cards make."""
    most = max(counts.values())
    ranks = sorted(counts, reverse=True)
    if most == 1:
        return _HIGH, _SINGLE, tuple(ranks[:5])
    if most >= 5:
        return _FIVE, (5,), (next(rank for rank in ranks if counts[rank] >= 5),)
    first = next(rank for rank in ranks if counts[rank] == most)
    ranks.remove(first)
    if most == 4:
        return _FOUR, (4, 1), (first, ranks[0])
    second = next((rank for rank in ranks if counts[rank] >= 2), None)
    if most == 3:
        if second is not None:
            return _FULL, (3, 2), (first, second)
        return _THREE, (3, 1, 1), (first, *ranks[:2])
    if second is None:
        return _PAIR, (2, 1, 1, 1), (first, *ranks[:3])
    ranks.remove(second)
    return _TWO_PAIRS, (2, 2, 1), (first, second, ranks[0])


def _highest_straight(ranks: list[int], ace: bool) -> tuple[int, ...] | None:
    """The highest five neighbours among different ranks that fall; a low ace is -1."""
    for place in range(len(ranks) - 4):
        if ranks[place] - ranks[place + 4] == 4:
            return tuple(ranks[place : place + 5])
    if ace and ranks[0] == _ACE and ranks[-4:] == [3, 2, 1, 0]:
        return 3, 2, 1, 0, -1
    return None
