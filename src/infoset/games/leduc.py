"""Leduc hold'em: one private card, one public card, two rounds of limited betting."""

from __future__ import annotations

from infoset.objects import Card, Deck, Money, better, limit_betting
from infoset.rules import Play, game


def bounds(raises: int) -> tuple[int, int]:
    """The ante and all raises of both rounds, lost or won."""
    most = 1 + (2 + 4) * raises
    return -most, most


@game(
    players=("one", "two"),
    requires=("ranks * suits >= 3", "ranks >= 2", "raises >= 0"),
    source="F. Southey et al., Bayes' bluff: opponent modelling in poker, 2005",
    bounds=bounds,
    vectorized=True,
)
def leduc(g: Play, ranks: int = 3, suits: int = 2, raises: int = 2) -> object:
    """Leduc hold'em: a card each, a betting round, a shared card, a second betting round.

    Both ante 1. Bets and raises are of 2 in the first round and of 4 in the second, and a round has
    at most ``raises`` of them. A card that pairs the shared one wins, otherwise the higher rank;
    equal ranks share. With 3 ranks and 2 suits: 9,451 nodes, 936 information sets, 1,093 sequences
    a player.
    """
    deck = Deck(ranks, suits, alike=True)
    one, two = g.deal(deck, 1, 1)
    g.reveal("one", one)
    g.reveal("two", two)
    shared = deck[0]
    money: Money[int] = Money(g.players, cash=None, ante=1)

    for size in (2, 4):
        if size == 4:
            shared = g.chance(deck.without(one, two))
            g.reveal(g.players, shared)
        staying = limit_betting(g, money, size, raises, check="call", bet="raise")
        if len(staying) == 1:
            return money.win(*staying)

    won = money.paid["one"] * g.map(showdown, one, two, shared)
    return won, -won


def showdown(one: Card, two: Card, shared: Card) -> int:
    """Who wins, as a sign: a card that pairs the shared one, otherwise the higher rank."""
    return better((one.rank == shared.rank, one.rank), (two.rank == shared.rank, two.rank))
