"""Oshi-Zumo, the pushing sumo: bid coins, both at once, to push a wrestler off the board."""

from __future__ import annotations

from infoset.rules import Play, game


@game(
    players=("left", "right"),
    requires=(
        "coins >= 1",
        "size >= 0",
        "0 <= min_bid <= coins",
        "horizon is None or horizon >= 1",
    ),
    source="M. Buro, Solving the Oshi-Zumo game, 2003",
)
def oshi_zumo(
    g: Play, coins: int = 4, size: int = 1, min_bid: int = 0, horizon: int | None = None
) -> object:
    """Two players bid coins at the same time; the higher bid pushes a wrestler one square forward.

    The wrestler starts in the middle of 2·size + 1 squares. Both bids are spent and shown; equal
    bids push nothing. A bid is at least ``min_bid``, and 0 for a player who has less than that.
    Whose end of the board the wrestler falls from loses. If the coins run out first, or after
    ``horizon`` rounds (as many as coins, if not given), the one on whose side it stands loses, and
    in the middle it is a draw. A player with only one possible bid is not asked.

    With ``min_bid=0`` both might bid nothing for ever, so that only the horizon ends the game; from
    ``min_bid=1`` on, it takes no more than coins // min_bid rounds. The game is symmetric, and its
    value is 0.
    """
    purse = dict.fromkeys(g.players, coins)
    place = 0
    for _ in range(horizon or coins):
        menus = {player: bids(held, min_bid) for player, held in purse.items()}
        if abs(place) > size or not any(map(any, menus.values())):
            break
        asked = {player: menu for player, menu in menus.items() if len(menu) > 1}
        bid = {player: menu[0] for player, menu in menus.items()} | g.together(asked)
        for player in g.players:
            purse[player] -= bid[player]
            if player in asked:
                g.reveal(g.other(player), f"{player} bids {bid[player]}")
        place += (bid["left"] > bid["right"]) - (bid["left"] < bid["right"])
    if not place:
        return 0, 0
    return g.win("left" if place > 0 else "right")


def bids(held: int, least: int) -> tuple[int, ...]:
    """What may be bid by someone who holds so many coins."""
    return tuple(range(least, held + 1)) or (0,)
