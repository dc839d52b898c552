"""P-games: split a board of won and lost squares in turn, until one square is left.

The board is that of Pearl: b^d squares in a row, each won or lost at random and independently. A
move keeps one of b equal parts and gives up the rest. In full sight of all moves minimax from the
last squares back decides the game. Here every move may be hidden from the other player.

*Which squares are won.* Let x be the probability that a square is won by whoever makes the last
move. Seen from that player, a part is won with probability 1 − (1 − x)^b if it moves there, and
that must be 1 − x for a deep board to be neither won nor lost almost surely: (1 − x)^b = x (Nau
1982; for b = 2, x = (3 − √5)/2 = 0.382). A number u below 1 is below x exactly if (1 − u)^b > u,
so that squares are drawn without computing x.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from random import Random

from infoset.rules import Play, game

MOST_SQUARES = 1_000_000  # of a board
BITS = 32  # of a random number for a square


@game(
    players=("first", "second"),
    requires=(
        "branching >= 2",
        "depth >= 1",
        "0 <= hidden <= 1",
        "depth <= 19",
        f"branching ** depth <= {MOST_SQUARES}",
    ),
    source="J. Pearl, Asymptotic properties of minimax trees and game-searching procedures, 1980;"
    " D. S. Nau, An investigation of the causes of pathology in games, 1982; with hidden moves in"
    " D. Nau, Introduction to Game Theory, slides on imperfect-information games",
    bounds=(-1, 1),
    state=(),
)
def p_game(
    g: Play,
    kept: tuple[int, ...],
    branching: int = 2,
    depth: int = 4,
    hidden: Fraction = Fraction(1, 2),
    seed: int = 2,
) -> object:
    """Two players split a board in turn and keep one part; the last square says who wins.

    The board has ``branching ** depth`` squares. Both know it: it is part of the rules, drawn by
    the ``seed``. The player in turn keeps one of the equal parts, numbered from 1, and the other
    learns which. But with probability ``hidden``, independently for every move, it learns only that
    a move was made; who made the move does not learn whether it was seen.

    With 0 < h < 1 the tree has (2b)^k decisions at depth k, and b (2b)^(d-1) leaves.
    """
    player = g.players[len(kept) % 2]
    part = g.choose(player, range(1, branching + 1))
    kept = (*kept, part)
    if len(kept) == depth:
        won = squares(branching, depth, seed)[place(kept, branching)]
        return g.win(player if won else g.other(player))
    announce(g, player, part, hidden)
    return kept


def announce(g: Play, player: str, move: int, hidden: Fraction) -> None:
    """Tell the other player a move; or, if chance hides it, that there was one."""
    secret = hidden == 1 or (
        hidden > 0 and g.chance(("shown", "hidden"), (1 - hidden, hidden)) == "hidden"
    )
    g.reveal(g.other(player), (player, "hidden" if secret else move))


def place(kept: tuple[int, ...], branching: int) -> int:
    """The number of the square, or part, that is left after some moves.

    >>> place((1, 2, 2), 2), place((3, 1), 3)
    (3, 6)
    """
    at = 0
    for part in kept:
        at = at * branching + part - 1
    return at


@lru_cache(maxsize=64)
def squares(branching: int, depth: int, seed: int) -> tuple[bool, ...]:
    """The board: of each square, whether it is won by the player who makes the last move.

    >>> len(squares(2, 4, 0)), squares(2, 4, 0) == squares(2, 4, 1)
    (16, False)
    >>> drawn = squares(2, 16, 0)
    >>> round(sum(drawn) / len(drawn), 2)
    0.38
    """
    random, whole = Random(seed), 2**BITS
    drawn = (random.getrandbits(BITS) for _ in range(branching**depth))
    return tuple([(whole - one) ** branching > one * whole ** (branching - 1) for one in drawn])
