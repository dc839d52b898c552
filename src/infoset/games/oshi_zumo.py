"""Oshi-Zumo, the pushing sumo: bid coins, both at once, to push a wrestler off the board."""

from __future__ import annotations

from infoset.rules import OVER, PLAYERS, Beginning, Play, Stages, game
from infoset.rules.stages import State

# The same over whole numbers. What a state holds; so many rounds left, or NO_END to them:
LEFT, RIGHT, PLACE, ROUNDS, SIZE, LEAST = range(6)
NO_END = -1


def beginning(coins: int, size: int, min_bid: int, horizon: int | None) -> Beginning:
    """Rounds are counted only where they may run out before the coins do."""
    rounds = horizon or coins
    longest = min(rounds, coins // min_bid) if min_bid else rounds
    if min_bid and rounds >= coins // min_bid:
        rounds = NO_END
    held = 0 if coins == min_bid else coins  # all that both have, bid without asking
    state = (held, held, 0, rounds, size, min_bid)
    return Beginning(state, widest=coins - min_bid + 1, longest=longest, low=-1, high=1)


def turn(state: State) -> int:
    """Over when the wrestler has fallen, and when the rounds or the coins have run out."""
    if abs(state[PLACE]) > state[SIZE] or state[ROUNDS] == 0:
        return OVER
    if max(state[LEFT], state[RIGHT]) < max(state[LEAST], 1):
        return OVER
    return PLAYERS


def options(state: State, who: int, menu: State) -> int:
    """From the least bid to all coins; 0 if they are fewer than that."""
    count: int = state[who] - state[LEAST] + 1
    if count < 1:
        menu[0] = 0
        return 1
    for more in range(count):
        menu[more] = state[LEAST] + more
    return count


def after(state: State, first: int, second: int, then: State) -> None:
    """Two bids; and a last round at once, if nobody can bid more than the least in it."""
    for at in range(6):
        then[at] = state[at]
    then[LEFT] -= first
    then[RIGHT] -= second
    then[PLACE] += (first > second) - (first < second)
    if state[ROUNDS] > 0:
        then[ROUNDS] -= 1
    least = state[LEAST]
    forced = least > 0 and max(then[LEFT], then[RIGHT]) == least
    if forced and abs(then[PLACE]) <= state[SIZE] and then[ROUNDS] != 0:
        then[PLACE] += (then[LEFT] == least) - (then[RIGHT] == least)
        then[LEFT] %= least
        then[RIGHT] %= least


def payoff(state: State) -> int:
    """1 for having pushed it to the other's side."""
    place: int = state[PLACE]
    return (place > 0) - (place < 0)


def within(state: State, pair: State) -> None:
    """As if one pushed with every coin that it has left, and the other never."""
    price = max(state[LEAST], 1)
    pushed, pushing = state[RIGHT] // price, state[LEFT] // price
    if state[ROUNDS] >= 0:
        pushed, pushing = min(pushed, state[ROUNDS]), min(pushing, state[ROUNDS])
    if abs(state[PLACE]) > state[SIZE]:
        pushed = pushing = 0
    low, high = state[PLACE] - pushed, state[PLACE] + pushing
    pair[0], pair[1] = (low > 0) - (low < 0), (high > 0) - (high < 0)


@game(
    players=("left", "right"),
    requires=(
        "coins >= 1",
        "size >= 0",
        "0 <= min_bid <= coins",
        "horizon is None or horizon >= 1",
    ),
    source="M. Buro, Solving the Oshi-Zumo game, 2003",
    bounds=(-1, 1),
    stages=Stages(beginning, turn, options, after, payoff, bounds=within),
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
