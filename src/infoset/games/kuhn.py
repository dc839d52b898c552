"""Kuhn poker: one card, one bet; the smallest poker with bluffing in it."""

from __future__ import annotations

from fractions import Fraction

from infoset.objects import Deck
from infoset.rules import Play, game


def seats(players: int) -> tuple[str, ...]:
    """Kuhn's two have names; at a larger table they are numbered."""
    return (
        ("gambler", "dealer") if players == 2 else tuple(f"player {n + 1}" for n in range(players))
    )


def bounds(
    players: int, ante: int | Fraction, bet: int | Fraction
) -> tuple[int | Fraction, int | Fraction]:
    """Who bets may lose all that it put in, and may win as much from each of the others."""
    return -ante - bet, (players - 1) * (ante + bet)


@game(
    players=seats,
    requires=("players >= 2", "ranks >= players", "ante >= 0", "bet >= 0"),
    source="H. W. Kuhn, A simplified two-person poker, 1950; Koller & Pfeffer 1997, section 2",
    bounds=bounds,
    vectorized=True,
)
def kuhn(
    g: Play,
    ranks: int = 3,
    players: int = 2,
    ante: int | Fraction = 1,
    bet: int | Fraction = 1,
) -> object:
    """One-card poker: all ante and get a card; then in turn they pass or bet, once.

    After a bet, the others in turn meet it ("bet") or give up ("pass"); the highest card among
    those who bet, or among all if nobody did, takes the pot. With two players and k ranks the tree
    has 9k(k-1)+1 nodes.
    """
    if players > 2:
        return table(g, ranks, players, ante, bet)
    mine, yours = g.deal(Deck(ranks, 1), 1, 1)
    g.reveal("gambler", mine)
    g.reveal("dealer", yours)
    winner = g.map(("dealer", "gambler").__getitem__, mine > yours)

    if g.choose("gambler", ("pass", "bet")) == "bet":
        g.reveal("dealer", "bet")
        if g.choose("dealer", ("pass", "bet")) == "pass":
            return g.win("gambler", ante)
        return g.win(winner, ante + bet)

    g.reveal("dealer", "pass")
    if g.choose("dealer", ("pass", "bet")) == "pass":
        return g.win(winner, ante)
    g.reveal("gambler", "bet")
    if g.choose("gambler", ("pass", "bet")) == "pass":
        return g.win("dealer", ante)
    return g.win(winner, ante + bet)


def table(g: Play, ranks: int, players: int, ante: int | Fraction, bet: int | Fraction) -> object:
    """The same for any number of players."""
    cards = dict(zip(g.players, g.deal(Deck(ranks, 1), *[1] * players), strict=True))
    for player, card in cards.items():
        g.reveal(player, card)
    staying: list[str] = []
    turns = list(g.players)
    while turns:
        player = turns.pop(0)
        move = g.choose(player, ("pass", "bet"))
        g.reveal(g.others(player), move)
        if move == "bet":
            if not staying:  # the first to bet: everyone else now has one turn, and no more
                turns = list(g.others(player))
            staying.append(player)
    winner = max(staying or g.players, key=cards.__getitem__)
    lost = {player: ante + bet if player in staying else ante for player in g.players}
    lost[winner] -= sum(lost.values())
    return {player: -amount for player, amount in lost.items()}
