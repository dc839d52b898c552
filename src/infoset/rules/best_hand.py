"""The best five of more cards, as hold'em ranks them, found without trying all fives.

The best five cards follow from two counts. How often each rank is there gives pairs, threes and
fours, and the straight as the highest five neighbours among the ranks; how often each suit is there
gives the suits with five cards or more, and in each of them the flush and the straight flush. Among
the categories that the cards can make, the highest wins; within it, every place of the hand is
filled with the highest rank that is left. The answer is the very tuple that
:func:`infoset.rules.hands.poker_rank` gives for the best five, after one look at each card instead
of one at each of 21 fives (Koller & Pfeffer 1997 have only the whole hand).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from infoset.errors import RulesError
from infoset.rules.cards import Card
from infoset.rules.hands import CATEGORIES, PokerRank

__all__ = ["best_rank"]

_HIGH, _PAIR, _TWO_PAIRS, _THREE, _STRAIGHT, _FLUSH, _FULL, _FOUR, _STRAIGHT_FLUSH, _FIVE = range(
    len(CATEGORIES)
)
_ACE = 12  # the rank of the ace in a deck of thirteen
_SINGLE = (1, 1, 1, 1, 1)


def best_rank(cards: Iterable[Card]) -> PokerRank:
    """The rank of the best five of five or more cards: the highest ``poker_rank`` among them.

    A few microseconds for seven cards.

    >>> from infoset.rules.cards import Deck
    >>> deck = Deck()
    >>> best_rank(deck[text] for text in "K♠ 7♦ K♣ 9♥ 3♠ 7♠ K♥".split())
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
        run = _run(sorted(counts, reverse=True), ace)
        if run is not None:
            return _STRAIGHT, _SINGLE, run
    return found


def _of_a_suit(ranks: list[int], ace: bool) -> PokerRank:
    """The best flush or straight flush of five or more cards of a suit."""
    different = sorted(set(ranks), reverse=True)
    run = _run(different, ace)
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


def _run(ranks: list[int], ace: bool) -> tuple[int, ...] | None:
    """The highest five neighbours among different ranks that fall; a low ace is -1."""
    for place in range(len(ranks) - 4):
        if ranks[place] - ranks[place + 4] == 4:
            return tuple(ranks[place : place + 5])
    if ace and ranks[0] == _ACE and ranks[-4:] == [3, 2, 1, 0]:
        return 3, 2, 1, 0, -1
    return None
