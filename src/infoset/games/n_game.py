"""N-games: walk down a tree whose arcs add or subtract one; the sign of the sum says who wins.

In a P-game the squares of a board are independent of each other. Here neighbours are alike, as
positions of most games are: the arcs of the tree have independent numbers, 1 or -1 with the same
probability, and two leaves share the sum of the path that they have in common.

*The picture* of a seat is the tree, level by level, with the arcs that may have been taken, a
question mark beside those of which it does not know, and those that may still be taken.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from infoset.games.p_game import (
    MOST_SQUARES,
    PLAYERS,
    WIDE,
    announce,
    known_moves,
    listed,
    place,
    within,
)
from infoset.objects import BoardPicture, Mark, square_name
from infoset.rules import Play, game


class Walk(NamedTuple):
    """The arcs taken so far, and their sum."""

    taken: tuple[int, ...] = ()
    total: int = 0


def picture(view: Any, player: str, branching: int, depth: int, seed: int) -> object:
    """The tree from the top: arcs that were taken, or may have been, and those still below."""
    moves, wide = known_moves(view), branching**depth
    if wide > WIDE:
        return f"arcs taken: {listed(moves)}"
    marks: dict[str, Mark] = {}
    for level, signs in enumerate(arcs(branching, depth, seed), 1):
        open_to = within(moves[:level], branching, level)
        for at in open_to:
            sign = "+" if signs[at] > 0 else "−"
            taken = level <= len(moves)
            doubtful = "?" if taken and len(open_to) > 1 else ""
            column = (2 * at + 1) * branching ** (depth - level) // 2
            whose = PLAYERS[(level - 1) % 2] if taken else ""
            marks[square_name((column, depth - level))] = Mark(sign + doubtful, whose)
    return BoardPicture(wide, depth, marks)


@game(
    players=PLAYERS,
    requires=(
        "branching >= 2",
        "depth >= 1",
        "0 <= hidden <= 1",
        "depth <= 19",
        f"branching ** depth <= {MOST_SQUARES}",
    ),
    source="D. S. Nau, Pathology on game trees revisited, and an alternative to minimaxing, 1983;"
    " with hidden moves in D. Nau, Introduction to Game Theory, slides on imperfect-information"
    " games",
    bounds=(-1, 1),
    state=Walk(),
    picture=picture,
)
def n_game(
    g: Play,
    walk: Walk,
    branching: int = 2,
    depth: int = 4,
    hidden: Fraction = Fraction(1, 2),
    seed: int = 10,
) -> object:
    """Two players walk down a tree in turn; arcs add 1 or -1, and the sign of the sum decides.

    The first player wins if the sum of the arcs taken is at least 0, else the second. Both know
    the numbers of all arcs: they are part of the rules, drawn by the ``seed``. The player in turn
    takes one of the arcs, numbered from 1, and the other learns which. But with probability
    ``hidden``, independently for every move, it learns only that a move was made; who made the move
    does not learn whether it was seen. Nobody is told the sum. Where ``depth`` is even a sum of 0
    is possible, and favours the first.

    With 0 < h < 1 the tree has (2b)^k decisions at depth k, and b (2b)^(d-1) leaves.
    """
    player = g.players[len(walk.taken) % 2]
    arc = g.choose(player, range(1, branching + 1))
    taken = (*walk.taken, arc)
    total = walk.total + arcs(branching, depth, seed)[len(walk.taken)][place(taken, branching)]
    if len(taken) == depth:
        return g.win("first" if total >= 0 else "second")
    announce(g, player, arc, hidden)
    return Walk(taken, total)


@lru_cache(maxsize=64)
def arcs(branching: int, depth: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of all arcs, level by level, from left to right.

    >>> [len(level) for level in arcs(3, 2, 0)], {one for one in arcs(2, 5, 0)[4]}
    ([3, 9], {1, -1})
    """
    random = Random(seed)
    return tuple(
        tuple([2 * random.getrandbits(1) - 1 for _ in range(branching**level)])
        for level in range(1, depth + 1)
    )
