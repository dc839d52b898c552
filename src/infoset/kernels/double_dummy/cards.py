"""Sets of cards as bits, and what is known of a suit for each set of cards that may be left of it.

A card is a bit, 16 · suit + rank. A *word* of a suit and the cards left in it has, from its lowest
bits on, who owns the first, second, ... of them, two bits each, and then how many each hand has,
four bits each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from infoset.kernels.bits import highest, lowest, ones
from infoset.kernels.compiling import compiled

SUIT = 16  # bits of a suit
RANKS = 13
FULL = (1 << RANKS) - 1
NO_TRUMP = 4
PAIRS = 0x1555555  # the pattern of thirteen cards of the first hand, times the hand
PATTERN = (1 << 26) - 1
LENGTHS = 26  # where the lengths begin in a word

# Without counting references to arrays: that would take more than half of the time.
compact = compiled(nogil=True, error_model="numpy", _nrt=False)
inlined = compiled(nogil=True, error_model="numpy", _nrt=False, forceinline=True)


@compiled(nogil=True, error_model="numpy")
def lay_out(hands: Any, words: Any) -> None:
    """For every set of cards that may be left of a suit: who owns them, and how many each."""
    owner = np.zeros(4 * SUIT, np.int64)
    for hand in range(4):
        for card in range(4 * SUIT):
            if hands[hand] >> card & 1:
                owner[card] = hand
    held = hands[0] | hands[1] | hands[2] | hands[3]
    for suit in range(4):
        base = suit << RANKS
        words[base] = 0
        present = held >> (SUIT * suit) & FULL
        for cards in range(1, FULL + 1):
            if cards & ~present:
                continue
            low = cards & -cards
            mine = owner[SUIT * suit + lowest(low)]
            rest = words[base | (cards ^ low)]
            words[base | cards] = (
                rest + (mine << (2 * (ones(cards) - 1))) + (1 << (LENGTHS + 4 * mine))
            )


@compact
def run(word: int, hand: int, count: int) -> int:
    """How many of the top cards one after the other this hand has."""
    return lowest((word ^ (hand * PAIRS)) | (1 << (2 * count))) >> 1


@compact
def side_run(word: int, hand: int, count: int) -> int:
    """How many of the top cards one after the other this hand and its mate have."""
    return lowest(((word ^ (hand * PAIRS)) & PAIRS) | (1 << (2 * count))) >> 1


@inlined
def relevant(left: int, tops: int) -> int:
    """The lowest card, as a set, of so many top cards of each suit: four bits for each."""
    cards = 0
    while tops:
        suit = lowest(tops) >> 2
        rest = left >> (SUIT * suit) & FULL
        for _ in range((tops >> (4 * suit) & 15) - 1):
            rest ^= 1 << highest(rest)
        cards |= 1 << (SUIT * suit + highest(rest))
        tops &= ~(15 << (4 * suit))
    return cards


@compact
def tops_of(left: int, cards: int) -> int:
    """How many top cards of each suit reach down to the lowest of these."""
    tops = 0
    for suit in range(4):
        mine = cards >> (SUIT * suit) & FULL
        if mine:
            tops |= ones((left >> (SUIT * suit) & FULL) >> lowest(mine)) << (4 * suit)
    return tops


@inlined
def top(cards: int, suit: int) -> int:
    """The highest rank of a suit, or -1."""
    return highest((cards >> (SUIT * suit) & FULL) << 1 | 1) - 1


@compact
def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    suit = card // SUIT
    if suit == best // SUIT:
        return card > best
    return suit == trump
