"""Random stacked matrix games: one matrix game leads to the next, and what they pay is drawn.

There are two ways to draw it. In the one, every pair of moves adds a number of its own to what the
play pays, so that good moves are good almost wherever they lead: bounds tell much, as in games that
people play. In the other every play pays a number that has nothing to do with its neighbours', and
nothing can be foreseen: the hardest for whoever would prune.

What is drawn follows from the moves and a seed. A number of 31 bits is stirred with each move in
turn; no product on the way is longer than 62 bits, so that a machine's whole numbers hold it.
"""

from __future__ import annotations

from infoset.rules import CHANCE, OVER, PLAYERS, Beginning, Play, Stages, game
from infoset.rules.stages import State

BITS = 2**31
SPREADING, FOLDING = 0x5F356495, 0x2C1B3C6D  # odd, so that nothing is lost, and below 2^31


def stirred(bits: int, move: int) -> int:
    """A number of 31 bits that follows from another one and a move, and looks like chance.

    Multiplying by an odd number spreads the low bits upwards, shifting brings the high ones down.

    >>> [stirred(0, move) % 10 for move in range(1, 9)]
    [0, 5, 8, 6, 9, 2, 3, 5]
    """
    bits = (bits + move % BITS * SPREADING) % BITS
    for _ in range(2):
        bits = (bits ^ (bits >> 15)) * FOLDING % BITS
    return bits ^ (bits >> 16)


def drawn_from(spread: int | None, correlated: bool) -> int:
    """Up to what the numbers go that are drawn."""
    if spread is not None:
        return spread
    return 1 if correlated else 100


def bounds(depth: int, correlated: bool, points: bool, spread: int | None) -> tuple[int, int]:
    """The game lost and won, or the least and the most that can be drawn."""
    most = drawn_from(spread, correlated) * (depth if correlated else 1) if points else 1
    return -most, most


# The same over whole numbers. In a state, of which only the first four ever change:
DRAWN, TOTAL, LEFT, TURN, HEIGHT, WIDTH, CHANCES, SPREAD, CORRELATED, POINTS = range(10)


def beginning(
    width: int,
    height: int | None,
    depth: int,
    seed: int,
    correlated: bool,
    points: bool,
    spread: int | None,
    chances: int,
) -> Beginning:
    """All members can be said over whole numbers."""
    rows, most = height or width, drawn_from(spread, correlated)
    sizes = (rows, width, chances, most, int(correlated), int(points))
    low, high = bounds(depth, correlated, points, spread)
    return Beginning(
        (stirred(0, seed), 0, depth, PLAYERS, *sizes),
        widest=max(rows, width, chances),
        longest=2 * depth - 1 if chances else depth,
        low=low,
        high=high,
    )


def turn(state: State) -> int:
    """Chance's, the players' in turn, until no stages are left."""
    whose: int = state[TURN]
    return OVER if state[LEFT] == 0 else whose


def options(state: State, who: int, menu: State) -> int:
    """The moves have numbers, from 1."""
    count: int = state[HEIGHT + who]
    for move in range(count):
        menu[move] = move + 1
    return count


def after(state: State, first: int, second: int, then: State) -> None:
    """The bits stirred with what was moved; after a stage, a number drawn from them."""
    for at in range(10):
        then[at] = state[at]
    chance = state[TURN] == CHANCE
    move = first if chance else (first - 1) * state[WIDTH] + second
    bits = (state[DRAWN] + move * SPREADING) % BITS
    for _ in range(2):
        bits = (bits ^ (bits >> 15)) * FOLDING % BITS
    bits ^= bits >> 16
    then[DRAWN] = bits
    if chance:
        then[TURN] = PLAYERS
        return
    then[LEFT] = state[LEFT] - 1
    if state[CORRELATED] or then[LEFT] == 0:
        then[TOTAL] = state[TOTAL] + bits % (2 * state[SPREAD] + 1) - state[SPREAD]
    if state[CHANCES]:
        then[TURN] = CHANCE


def payoff(state: State) -> int:
    """The sum of what was drawn, or its sign."""
    total: int = state[TOTAL]
    return total if state[POINTS] else (total > 0) - (total < 0)


def weight(state: State, outcome: int) -> int:
    """A number is the likelier the larger it is."""
    return outcome


def within(state: State, pair: State) -> None:
    """What was drawn so far, with the least and the most that may be drawn in what is left."""
    draws = state[LEFT] if state[CORRELATED] else min(state[LEFT], 1)
    low, high = state[TOTAL] - draws * state[SPREAD], state[TOTAL] + draws * state[SPREAD]
    if state[POINTS]:
        pair[0], pair[1] = low, high
    else:
        pair[0], pair[1] = (low > 0) - (low < 0), (high > 0) - (high < 0)


@game(
    players=("row", "column"),
    requires=(
        "2 <= width <= 1000",
        "height is None or 2 <= height <= 1000",
        "depth >= 1",
        "spread is None or 1 <= spread <= 1000000",
        "chances == 0 or 2 <= chances <= 1000",
    ),
    source="B. Bošanský, V. Lisý, M. Lanctot, J. Čermák & M. H. M. Winands, Algorithms for"
    " computing strategies in two-player simultaneous move games, 2016, random games; so named by"
    " A. Saffidine, H. Finnsson & M. Buro, 2012",
    bounds=bounds,
    stages=Stages(beginning, turn, options, after, payoff, weight, within),
)
def stacked(
    g: Play,
    width: int = 3,
    height: int | None = None,
    depth: int = 2,
    seed: int = 0,
    correlated: bool = True,
    points: bool = True,
    spread: int | None = None,
    chances: int = 0,
) -> object:
    """A matrix game is played, then another that depends on what was played, then another.

    In each of ``depth`` stages row chooses one of ``height`` moves (as many as column's, if not
    given) and column one of ``width``, both at once; then all is shown. Every pair of moves draws a
    whole number from −``spread`` to ``spread``, and row gets their sum from column; if not
    ``correlated``, only the last one counts. The numbers are −1, 0 and 1 if not given, and −100 to
    100 if only the last one counts. Without ``points``, row wins 1 if the sum is above zero and
    loses 1 if it is below. With ``chances`` a chance move between two stages draws a number from 1
    to so many, which changes all that follows; number n is n times as likely as 1. What is drawn is
    fixed by the ``seed``.

    Without chances and with m · n pairs of moves there are (mn)^depth plays, and ((mn)^depth − 1) /
    (mn − 1) information sets of each player.
    """
    rows, most = height or width, drawn_from(spread, correlated)
    menus = {"row": range(1, rows + 1), "column": range(1, width + 1)}
    bits, total = stirred(0, seed), 0
    for stage in range(depth):
        if chances and stage:
            outcome = g.chance(range(1, chances + 1), range(1, chances + 1))
            g.reveal(g.players, f"nature draws {outcome}")
            bits = stirred(bits, outcome)
        row, column = g.together(menus).values()
        g.reveal("column", f"row plays {row}")
        g.reveal("row", f"column plays {column}")
        bits = stirred(bits, (row - 1) * width + column)
        if correlated or stage == depth - 1:
            total += bits % (2 * most + 1) - most
    return g.win("row", total if points else (total > 0) - (total < 0))
