"""Scotland Yard on a small board: detectives chase a fugitive whom they see now and then.

*The picture* of the fugitive is the whole board: F, and the detectives by their numbers. That of
the detectives has a question mark on every square where the fugitive may be, and F where it is if
there is only one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from infoset.objects import (
    KING,
    KNIGHT,
    QUEEN,
    ROOK,
    WAZIR,
    BoardPicture,
    Mark,
    square_name,
)
from infoset.rules import Play, game

MOVES = {"wazir": WAZIR, "king": KING, "knight": KNIGHT, "rook": ROOK, "queen": QUEEN}


class Chase(NamedTuple):
    """Where everybody stands, and how many rounds are over."""

    fugitive: str
    detectives: tuple[str, ...]
    over: int = 0


@lru_cache(maxsize=1 << 14)
def ways(
    square: str, width: int, height: int, moves: str, blocked: tuple[str, ...]
) -> tuple[str, ...]:
    """The squares to which one may go.

    >>> ways("a1", 3, 3, "rook", blocked=("a2",))
    ('b1', 'c1')
    """
    named = {square_name((x, y)): (x, y) for y in range(height) for x in range(width)}
    taken = [named[one] for one in blocked]
    reached = MOVES[moves].reach(named[square], width, height, blocked=taken)
    return tuple(map(square_name, reached))


def start(width: int, height: int, detectives: int) -> Chase:
    """All in corners: the fugitive at the upper right, the first detective at the lower left."""
    left, right, top = (0, 0), (width - 1, 0), (0, height - 1)
    corners = tuple(map(square_name, (left, right, top)))
    return Chase(square_name((width - 1, height - 1)), corners[:detectives])


class Seen(NamedTuple):
    """What a player knows of a chase."""

    fugitives: frozenset[str]  # where the fugitive may be
    squares: tuple[str, ...]  # of the detectives


def picture(
    view: Any, player: str, width: int, height: int, detectives: int, moves: str
) -> BoardPicture:
    """The detectives, and where the fugitive is or may be."""
    known = followed(view, player, width, height, detectives, moves)
    sign = "F" if len(known.fugitives) == 1 else "?"
    marks = {at: Mark(sign, "fugitive") for at in known.fugitives}
    for number, at in enumerate(known.squares, 1):
        marks[at] = Mark(str(number), "detectives")
    return BoardPicture(width, height, marks)


def followed(view: Any, player: str, width: int, height: int, detectives: int, moves: str) -> Seen:
    """What a view tells of the chase."""
    fugitive, begun, _ = start(width, height, detectives)
    squares, fugitives = list(begun), frozenset({fugitive})

    def able(number: int) -> int:
        """The first detective from a number on that can move."""
        for one in range(number, detectives):
            others = (*squares[:one], *squares[one + 1 :])
            if ways(squares[one], width, height, moves, others):
                return one
        return detectives

    number = detectives  # of the detective that moves next; before it the fugitive does
    for word, what in view:
        last = str(what).rpartition(" ")[2]
        if player == "fugitive" and word == "saw":
            squares[0 if detectives == 1 else int(str(what)[0]) - 1] = last
        elif player == "fugitive":
            fugitives = frozenset({last}) if word == "took" else fugitives
        elif word == "took":
            squares[number] = last
            fugitives, number = fugitives - {last}, number + 1
        else:
            number = able(number)
            if word == "saw" or number == detectives:  # a new round
                fugitives = spread(fugitives, width, height, moves, tuple(squares))
                number = able(0)
            fugitives = frozenset({last}) if word == "saw" else fugitives
    return Seen(fugitives, tuple(squares))


def spread(
    fugitives: Iterable[str], width: int, height: int, moves: str, squares: tuple[str, ...]
) -> frozenset[str]:
    """Where the fugitive may be after a move, if it may be on some squares before."""
    return frozenset(to for one in fugitives for to in ways(one, width, height, moves, squares))


@game(
    players=("fugitive", "detectives"),
    requires=(
        "2 <= width <= 26",
        "2 <= height <= 26",
        "rounds >= 1",
        "1 <= detectives <= 3",
        "shown >= 0",
        "moves in ('wazir', 'king', 'knight', 'rook', 'queen')",
    ),
    source="after the board game (Ravensburger, 1983); M. Sevenster, The complexity of Scotland"
    " Yard, 2006; J. A. M. Nijssen & M. H. M. Winands, Monte Carlo tree search for the"
    " hide-and-seek game Scotland Yard, 2012",
    bounds=(-1, 1),
    state=start,
    picture=picture,
)
def scotland_yard(
    g: Play,
    state: Chase,
    width: int = 3,
    height: int = 3,
    rounds: int = 3,
    detectives: int = 1,
    shown: int = 2,
    moves: str = "wazir",
) -> object:
    """Detectives chase a fugitive, who hides and is shown every few rounds.

    In each round first the fugitive moves, unseen, and then one detective after the other, seen by
    all. The stations are the squares of a board, and who goes where is a movement of a chess piece:
    with ``moves="wazir"`` to a square beside, with "king" also diagonally, or as "knight", "rook"
    or "queen". Nobody enters a detective's square or rides over it; a detective that comes to the
    fugitive's has caught it, and so have all if the fugitive cannot move. In every round whose
    number is a multiple of ``shown`` the fugitive's new square is told (0: in none). After so many
    ``rounds`` without a catch the fugitive has escaped. A detective that cannot move stays.

    All begin in corners, which is no secret: the fugitive at the upper right, the detectives at the
    lower left, the lower right and the upper left.

    In three rounds on the board of 3 by 3, the tree has 315 nodes. In full sight (``shown=1``) one
    detective is certain of its catch; if the fugitive is never seen again, it catches it with
    probability 1/4, and if it is shown in round 2, with 1/2.
    """
    fugitive, squares, over = state
    options = ways(fugitive, width, height, moves, squares)
    if not options:
        return g.win("detectives")
    fugitive = g.choose("fugitive", options)
    if shown and (over + 1) % shown == 0:
        g.reveal("detectives", f"seen on {fugitive}")
    for number in range(detectives):
        others = squares[:number] + squares[number + 1 :]
        options = ways(squares[number], width, height, moves, others)
        if not options:
            continue
        to = g.choose("detectives", options)
        g.reveal("fugitive", f"detective to {to}" if detectives == 1 else f"{number + 1} to {to}")
        if to == fugitive:
            return g.win("detectives")
        squares = (*squares[:number], to, *squares[number + 1 :])
    if over + 1 == rounds:
        return g.win("fugitive")
    return Chase(fugitive, squares, over + 1)
