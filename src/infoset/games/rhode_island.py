"""Rhode Island hold'em: a card each, two cards on the board, three rounds of limited betting.

Made by Shi and Littman (2001) to be like Texas hold'em and small enough to study; solved by Gilpin
and Sandholm (2007) after abstraction.
"""

from __future__ import annotations

from infoset.objects import Card, Deck, Money, better, limit_betting
from infoset.rules import Play, game

CATEGORIES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
"""Hands of three cards from low to high, the rarer the higher: not in the order of five cards."""

_HIGH_CARD, _PAIR, _FLUSH, _STRAIGHT, _THREE, _STRAIGHT_FLUSH = range(len(CATEGORIES))
_BASE = 1 << 17  # more than a deck has ranks


def bounds(ante: int, bets: tuple[int, ...], raises: int) -> tuple[int, int]:
    """The ante and all bets of all rounds, lost or won."""
    most = ante + raises * sum(bets)
    return -most, most


@game(
    players=("one", "two"),
    requires=(
        "suits >= 1",
        "ranks * suits >= 4",
        "ante >= 0",
        "len(bets) == 3",
        "all(isinstance(bet, int) and bet > 0 for bet in bets)",
        "raises >= 0",
    ),
    source="J. Shi & M. Littman, Abstraction methods for game theoretic poker, 2001;"
    " A. Gilpin & T. Sandholm, Lossless abstraction of imperfect information games, 2007",
    bounds=bounds,
    vectorized=True,
)
def rhode_island(
    g: Play,
    ranks: int = 13,
    suits: int = 4,
    ante: int = 5,
    bets: tuple[int, ...] = (10, 20, 20),
    raises: int = 3,
) -> object:
    """Rhode Island hold'em: a card each, then the flop and the turn, and bets before and after.

    Both ante. Each of the three rounds has its size of bets, and at most ``raises`` of them, the
    first bet included. Both make a hand of three cards with the board: straight flush, three of a
    kind, straight, flush, pair, high card, in this order; equal hands share. The ace of thirteen
    ranks also goes below the two, and a single suit, which has no name, makes no flushes.

    With n cards and three bets a round: 1 + n(n-1)(14 + 7(1 + (n-2)(14 + 7(1 + 21(n-3))))) nodes,
    and 4n(1 + 7(n-1)(1 + 7(n-2))) information sets and 10n(1 + 7(n-1)(1 + 7(n-2))) + 1 sequences a
    player. The full deck has 6,705,372,493 nodes, and its linear program the published 91,224,226
    rows: the sequences of one player, the information sets of the other, and one more.
    """
    deck = Deck(ranks, suits, alike=True)
    one, two = g.deal(deck, 1, 1)
    g.reveal("one", one)
    g.reveal("two", two)
    board: tuple[Card, ...] = ()
    money: Money[int] = Money(g.players, cash=None, ante=ante)

    for number, size in enumerate(bets):
        if number:  # the flop, the turn
            board += (g.chance(deck.without(one, two, *board)),)
            g.reveal(g.players, board[-1])
        staying = limit_betting(g, money, size, raises)
        if len(staying) == 1:
            return money.win(*staying)

    strengths = (g.map(strength, card, *board) for card in (one, two))
    won = money.paid["one"] * g.map(better, *strengths)
    return won, -won


def strength(one: Card, two: Card, three: Card) -> int:
    """A number that is higher for the better hand of three cards, and equal for equal hands.

    >>> deck = Deck()
    >>> strength(deck["3♠"], deck["A♥"], deck["2♠"]) < strength(deck["3♠"], deck["4♥"], deck["2♠"])
    True
    >>> print(category(strength(deck["K♠"], deck["5♠"], deck["9♠"])))
    flush
    """
    low, middle, high = sorted((one.rank, two.rank, three.rank))
    if high == low:
        return _number(_THREE, high, high, high)
    if high == middle:
        return _number(_PAIR, high, high, low)
    if middle == low:
        return _number(_PAIR, low, low, high)
    flush = one.suit == two.suit == three.suit and one.suit_name != ""
    if (low, middle, high) == (0, 1, 12) and "A" in (one.rank_name, two.rank_name, three.rank_name):
        low, middle, high = -1, 0, 1
    if high - low == 2:
        return _number(_STRAIGHT_FLUSH if flush else _STRAIGHT, high, middle, low)
    return _number(_FLUSH if flush else _HIGH_CARD, high, middle, low)


def category(strength: int) -> str:
    """The name of a hand of this strength."""
    return CATEGORIES[strength // _BASE**3]


def _number(category: int, first: int, second: int, third: int) -> int:
    """Compares as the tuple does; an ace below the two is -1."""
    return ((category * _BASE + first) * _BASE + second) * _BASE + third + 1
