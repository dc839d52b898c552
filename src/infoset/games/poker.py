"""Poker as Gala writes it: any deck, any hands, any stakes; bets and raises as far as cash goes."""

from __future__ import annotations

from functools import lru_cache

from infoset.objects import Deck, Money, better, betting_round, poker_rank
from infoset.rules import Play, game


@lru_cache(maxsize=1024)
def amounts(debt: int, cash: int) -> dict[str, int]:
    """What a player may say, and what it then pays: all between meeting the debt and its cash."""
    if not debt:
        return {"pass": 0} | {f"bet {more}": more for more in range(1, cash + 1)}
    raises = {f"raise {more}": debt + more for more in range(1, cash - debt + 1)}
    return {"fold": 0, "call": debt} | raises


def bounds(cash: int) -> tuple[int, int]:
    """All that one has, lost or won."""
    return -cash, cash


@game(
    players=("gambler", "dealer"),
    requires=(
        "suits >= 1",
        "cards >= 1",
        "ranks * suits >= 2 * cards",
        "ante >= 0",
        "cash > ante",
        "rounds >= 1",
    ),
    source="D. Koller & A. Pfeffer, Representations and solutions for game-theoretic problems,"
    " 1997, figures 2 and 7",
    bounds=bounds,
    vectorized=True,
)
def poker(
    g: Play,
    ranks: int = 3,
    suits: int = 1,
    cards: int = 1,
    cash: int = 2,
    ante: int = 1,
    rounds: int = 1,
) -> object:
    """Poker for two: both ante and get a hand; they bet and raise as far as their cash allows.

    The gambler opens with a bet between nothing ("pass") and all of its cash; then they take turns
    to fold, to meet what they owe ("call"), or to raise. A fold gives the pot to the other; after a
    meeting bet the better hand takes it, and equal hands share it. With more ``rounds``, a meeting
    bet only closes the round, and the gambler opens the next one while there is cash to bet.

    With c units of cash left after the ante, one round has 6·2^c - 3 nodes for every deal, and
    2^(c+1) information sets for every hand. With one card and one unit left this is Kuhn's game.
    What the paper's figure 16 counts as rounds fits c, not ``rounds``: its largest games, of 127
    cards and 1 round, 11 cards in hands of 5 and 3 rounds, 3 cards and 11 rounds, have 144,019,
    124,741 and 73,711 nodes.
    """
    hands = g.deal(Deck(ranks, suits), cards, cards, hands=True)
    for player, hand in zip(g.players, hands, strict=True):
        g.reveal(player, hand)
    money: Money[int] = Money(g.players, cash, ante)

    for _ in range(rounds):
        if not money.cash["gambler"]:
            break
        staying = betting_round(g, money, lambda player, owed, _: amounts(owed, money.cash[player]))
        if len(staying) == 1:
            return money.win(*staying)

    gambler, dealer = (g.map(poker_rank, hand) for hand in hands)
    won = money.paid["gambler"] * g.map(better, gambler, dealer)
    return won, -won
