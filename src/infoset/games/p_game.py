"""P-games: split a board of won and lost squares in turn, until one square is left.

The board is that of Pearl: b^d squares in a row, each won or lost at random and independently. A
move keeps one of b equal parts and gives up the rest. In full sight of all moves minimax from the
last squares back decides the game. Here every move may be hidden from the other player.

*Which squares are won.* Let x be the probability that a square is won by whoever makes the last
move. Seen from that player, a part is won with probability 1 − (1 − x)^b if it moves there, and
that must be 1 − x for a deep board to be neither won nor lost almost surely: (1 − x)^b = x (Nau
1982; for b = 2, x = (3 − √5)/2 = 0.382). A number u below 1 is below x exactly if (1 − u)^b > u,
so that squares are drawn without computing x.

*The picture* of a seat has the squares that may still be in play, as far as it knows: 1 where the
first player wins, 2 where the second does.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from infoset.objects import BoardPicture, Mark, square_name
from infoset.rules import Play, game

MOST_SQUARES = 1_000_000  # of a board
BITS = 32  # of a random number for a square
WIDE, HIGH = 26, 40  # of a picture
PLAYERS = ("first", "second")


def picture(view: Any, player: str, branching: int, depth: int, seed: int) -> object:
    """The squares that may still be in play."""
    moves = known_moves(view)
    wide = max(branching**row for row in range(depth + 1) if branching**row <= WIDE)
    high = branching**depth // wide
    if high > HIGH:
        return f"kept of {branching}^{depth} squares: {listed(moves)}"
    won = squares(branching, depth, seed)
    winners = PLAYERS if depth % 2 else PLAYERS[::-1]  # where the last to move wins, where it loses
    found = {at: winners[not won[at]] for at in within(moves, branching, depth)}
    marks = {
        square_name((at % wide, high - 1 - at // wide)): Mark(PLAYERS.index(whose) + 1, whose)
        for at, whose in found.items()
    }
    return BoardPicture(wide, high, marks)


def listed(moves: Iterable[int | None]) -> str:
    """Moves in words, with question marks for those that are unknown."""
    return ", ".join("?" if one is None else str(one) for one in moves)


def known_moves(view: Any) -> tuple[int | None, ...]:
    """The moves so far, None for each that was hidden from a player.

    >>> known_moves((("saw", ("first", "hidden")), ("offered", (1, 2)), ("took", 2)))
    (None, 2)
    """
    found: list[int | None] = []
    for word, what in view:
        if word == "took":
            found.append(what)
        elif word == "saw":
            found.append(None if what[1] == "hidden" else what[1])
    return tuple(found)


def within(moves: Iterable[int | None], branching: int, depth: int) -> list[int]:
    """The squares that may be left, or arcs of a level, after moves of which some are unknown.

    >>> within((None, 2), 2, 3)
    [2, 3, 6, 7]
    """
    found = [0]
    rest = depth
    for move in moves:
        parts = range(branching) if move is None else (move - 1,)
        found = [at * branching + part for at in found for part in parts]
        rest -= 1
    return [at * branching**rest + one for at in found for one in range(branching**rest)]


@game(
    players=PLAYERS,
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
    picture=picture,
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
