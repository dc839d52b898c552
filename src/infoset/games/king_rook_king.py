"""King and rook against king on a small board, in kriegspiel: an ending that is solved exactly."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import NamedTuple

from infoset.errors import RulesError
from infoset.objects import KING, ROOK, square_name
from infoset.objects.board import Square
from infoset.objects.pictures import BoardPicture, Mark
from infoset.rules import Play, game

NAME = re.compile(r"([a-z])([1-9])")


class Ending(NamedTuple):
    """Where the men are, and what the umpire keeps of the turn in progress."""

    king: Square
    rook: Square
    other: Square | None  # the king of Black; None before chance has placed it
    left: int  # moves that White has left
    white: bool = True  # is it White's turn?
    refused: frozenset[str] = frozenset()


def near(one: Square, two: Square) -> bool:
    """Does a king reach one square from the other, or stand on it?"""
    return max(abs(one[0] - two[0]), abs(one[1] - two[1])) <= 1


@cache
def attacked(square: Square, king: Square, rook: Square, width: int, height: int) -> bool:
    """May the king of Black not stand here?"""
    return near(square, king) or square in ROOK.reach(rook, width, height, blocked={king})


def escapes(at: Ending, width: int, height: int) -> list[Square]:
    """The legal moves of Black's king; one of them may take the rook."""
    assert at.other is not None
    return [
        square
        for square in KING.reach(at.other, width, height)
        if not attacked(square, at.king, at.rook, width, height)
    ]


def square(words: str, width: int, height: int) -> Square:
    """A square by its name."""
    found = NAME.fullmatch(words)
    at = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (width, height)
    if at[0] >= width or at[1] >= height:
        raise RulesError(f"there is no square {words!r:.40} on a board of {width} by {height}")
    return at


def beginning(width: int, height: int, king: str, rook: str, moves: int) -> Ending:
    """Before chance has placed the king of Black."""
    at = Ending(square(king, width, height), square(rook, width, height), None, moves)
    if at.king == at.rook:
        raise RulesError(f"king and rook of White are both on {king}")
    if not placed(at, width, height):
        raise RulesError(f"with king and rook on {king} and {rook} no square is left for Black")
    return at


def placed(at: Ending, width: int, height: int) -> list[str]:
    """Where Black's king may stand at the start: not in check."""
    squares = [(x, y) for x in range(width) for y in range(height)]
    free = [one for one in squares if not attacked(one, at.king, at.rook, width, height)]
    return [square_name(one) for one in free if one != at.rook]


def picture(
    view: tuple[tuple[str, Hashable], ...],
    player: str,
    width: int,
    height: int,
    king: str,
    rook: str,
) -> BoardPicture:
    """The player's own men."""
    men = {"K": king, "R": rook} if player == "white" else {}
    tried = ""
    for note, what in view:
        words = str(what)
        if note == "took":
            tried = words
        elif note == "saw" and words.startswith(f"{player} moved"):
            men[tried[0]] = tried[-2:]
        elif note == "saw" and words.startswith("your king on "):
            men["K"] = words[-2:]
    signs = {"K": "♔", "R": "♖"} if player == "white" else {"K": "♚"}
    squares = {square: Mark(signs[man], player) for man, square in men.items()}
    return BoardPicture(width, height, squares, chequered=True)


@game(
    players=("white", "black"),
    requires=("3 <= width <= 9", "3 <= height <= 9", "moves >= 1"),
    source="P. Ciancarini & G. P. Favini, Solving kriegspiel endings with brute force: the case of"
    " KR vs. K, 2009, study the ending; here on a small board, with a limit of moves",
    bounds=(-1, 1),
    picture=picture,
    state=beginning,
)
def king_rook_king(
    g: Play,
    state: Ending,
    width: int = 3,
    height: int = 3,
    king: str = "a1",
    rook: str = "b1",
    moves: int = 2,
) -> object:
    """King and rook against king in kriegspiel, on a small board: White has to mate in time.

    Both know where White's king and rook stand. Chance puts the king of Black on a square where it
    is not in check; only Black sees where. White begins. The umpire is that of kriegspiel: whoever
    attempts an illegal move is told so alone and attempts another; after a legal one both are told
    that it was made, of a check, and by what line. White wins by mate within so many ``moves`` of
    its own; if the rook is taken, at stalemate, and if there is no mate in time, Black wins. So
    White mates with probability (1 + v) / 2 if v is the value.
    """
    if state.other is None:
        at = g.chance(placed(state, width, height))
        g.reveal("black", f"your king on {at}")
        return state._replace(other=square(at, width, height))
    turn = white_turn if state.white else black_turn
    return turn(g, state, width, height)


def white_turn(g: Play, at: Ending, width: int, height: int) -> object:
    """An attempt of White's."""
    beside = KING.reach(at.king, width, height, blocked={at.rook})
    king = {f"K{square_name(to)}": to for to in beside}
    # Black's king is in no line of the rook when White moves, so that the rook is never refused.
    along = ROOK.reach(at.rook, width, height, blocked={at.king})
    rook = {f"R{square_name(to)}": to for to in along}
    tried = g.choose("white", [one for one in (*king, *rook) if one not in at.refused])
    assert at.other is not None
    legal = tried in rook or not near(king[tried], at.other)
    after = at._replace(rook=rook[tried]) if tried in rook else at._replace(king=king[tried])
    if not legal:
        g.reveal("white", "illegal")
        return at._replace(refused=at.refused | {tried})
    check = attacked(at.other, after.king, after.rook, width, height)
    said = "white moved"
    if check:
        said += f", check by {'file' if after.rook[0] == at.other[0] else 'rank'}"
    g.reveal(g.players, said)
    if not escapes(after, width, height):
        return g.win("white" if check else "black")
    if at.left == 1:
        return g.win("black")
    return after._replace(left=at.left - 1, white=False, refused=frozenset())


def black_turn(g: Play, at: Ending, width: int, height: int) -> object:
    """An attempt of Black's: it sees none of White's men."""
    assert at.other is not None
    to = {f"K{square_name(one)}": one for one in KING.reach(at.other, width, height)}
    tried = g.choose("black", [one for one in to if one not in at.refused])
    if attacked(to[tried], at.king, at.rook, width, height):
        g.reveal("black", "illegal")
        return at._replace(refused=at.refused | {tried})
    if to[tried] == at.rook:
        return g.win("black")
    g.reveal(g.players, "black moved")
    return at._replace(other=to[tried], white=True, refused=frozenset())
