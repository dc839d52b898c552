"""Kuhn poker: one card, one bet; the smallest poker with bluffing in it."""

from __future__ import annotations

from infoset.rules import Deck, Play, game


def seats(players: int) -> tuple[str, ...]:
    """Kuhn's two have names; at a larger table they are numbered."""
    return (
        ("gambler", "dealer") if players == 2 else tuple(f"player {n + 1}" for n in range(players))
    )


@game(
    players=seats,
    requires=("players >= 2", "ranks >= players"),
    source="H. W. Kuhn, A simplified two-person poker, 1950; Koller & Pfeffer 1997, section 2",
)
def kuhn(g: Play, ranks: int = 3, players: int = 2, ante: int = 1, bet: int = 1) -> object:
    """One-card poker: all ante and get a card; then in turn they pass or bet, once.

    After a bet, the others in turn meet it ("bet") or give up ("pass"); the highest card among
    those who bet, or among all if nobody did, takes the pot. With two players and k ranks the tree
    has 9k(k-1)+1 nodes.
    """
    cards = dict(zip(g.players, g.deal(Deck(ranks, 1), *[1] * players), strict=True))
    for player, card in cards.items():
        g.reveal(player, card)

    opener, move = "", "pass"
    for opener in g.players:
        move = g.choose(opener, ("pass", "bet"))
        g.reveal(g.others(opener), move)
        if move == "bet":
            break
    if move == "pass":
        best = max(g.players, key=cards.__getitem__)
        return tuple(ante * (players - 1) if player == best else -ante for player in g.players)

    staying = [opener]
    for player in g.others(opener):
        move = g.choose(player, ("pass", "bet"))
        g.reveal(g.others(player), move)
        if move == "bet":
            staying.append(player)
    best = max(staying, key=cards.__getitem__)
    lost = {player: ante + bet if player in staying else ante for player in g.players}
    pot = sum(lost.values())
    return tuple(pot - lost[player] if player == best else -lost[player] for player in g.players)
