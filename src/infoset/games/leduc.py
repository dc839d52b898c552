"""Leduc hold'em: one private card, one public card, two rounds of limited betting."""

from __future__ import annotations

from itertools import cycle

from infoset.rules import Deck, Play, game


@game(
    players=("one", "two"),
    requires=("ranks * suits >= 3", "ranks >= 2", "raises >= 0"),
    source="F. Southey et al., Bayes' bluff: opponent modelling in poker, 2005",
)
def leduc(g: Play, ranks: int = 3, suits: int = 2, raises: int = 2) -> object:
    """Leduc hold'em: a card each, a betting round, a shared card, a second betting round.

    Both ante 1. Bets and raises are of 2 in the first round and of 4 in the second, at most two of
    them in a round. A card that pairs the shared one wins, otherwise the higher rank; equal ranks
    share. With 3 ranks and 2 suits: 9,451 nodes, 936 information sets, 1,093 sequences a player.
    """
    deck = Deck(ranks, suits)
    cards = dict(zip(g.players, g.deal(deck, 1, 1), strict=True))
    for player, card in cards.items():
        g.reveal(player, card)
    put_in = {"one": 1, "two": 1}

    shared = deck[0]
    for size in (2, 4):
        if size == 4:
            shared = g.chance(deck.without(*cards.values()))
            g.reveal(g.players, shared)
        left = raises
        for acted, (player, other) in enumerate(cycle((("one", "two"), ("two", "one")))):
            owes = put_in[player] < put_in[other]
            move = g.choose(player, MENUS[owes, left > 0])
            g.reveal(other, move)
            if move == "fold":
                return g.win(other, put_in[player])
            put_in[player] = put_in[other]
            if move == "raise":
                put_in[player] += size
                left -= 1
            elif acted:
                break

    one, two = ((card.rank == shared.rank, card.rank) for card in cards.values())
    if one == two:
        return (0, 0)
    return g.win("one" if one > two else "two", put_in["one"])


MENUS = {
    (False, True): ("call", "raise"),
    (False, False): ("call",),
    (True, True): ("fold", "call", "raise"),
    (True, False): ("fold", "call"),
}
