"""Chess pieces on squares, and moves from square to square, as facts and options name them.

A *piece on a square* is the name of a piece, or its sign, and then a square: "knight on f3", "white
knight f3", "♞ f3", or a tuple of these words, such as ("knight", "f3"). Signs have colours, as in
Unicode: ♔ is white and ♚ is black. Without a colour nothing is assumed about it. A fact may list
several, apart by commas or as a tuple. Anything more, as in "knight on f3 captured", is a sentence
that is not read.

A *move* is two squares: "e2e4", "e2-e4", "e2xe4", "Ng1-f3", with what a pawn becomes in "e7e8q" or
("e7", "e8", "queen"). The pair ("e2", "e4") may as well be two squares that are taken, as by a
ship; which of the two it is follows from what else is offered (:func:`pairs_move`). "Nf3" is
neither: it does not say from where, so that it names no move on a board, and it names a move, so
that it is no piece on a square either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeGuard

from infoset.text import text

NAMES = ("king", "queen", "rook", "bishop", "knight", "pawn")
COLOURS = ("white", "black")
SIGNS = {
    chr(0x2654 + 6 * at + number): (colour, name)
    for at, colour in enumerate(COLOURS)
    for number, name in enumerate(NAMES)
}
BECOMES = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
LONGEST = 4000  # characters of a list of pieces that are read
MOST = 400  # pieces in it

_SQUARE = "[a-z][1-9][0-9]?"
PIECE = re.compile(
    rf"(?:(?:(white|black)\s+)?({'|'.join(NAMES)})|([{''.join(SIGNS)}])\ufe0e?)", re.IGNORECASE
)
PLACED = re.compile(rf"(.{{1,20}}?)\s*(?:\b(?:on|at)\s+)?\b({_SQUARE})")
APART = re.compile(r"\s*[,;|\n]\s*(?:and\s+)?|\s+and\s+")
MOVE = re.compile(
    rf"(?-i:[KQRBN])?({_SQUARE})(?:-|x|→| to )?({_SQUARE})"
    rf"(?:=?([qrbn])|[ =](queen|rook|bishop|knight))?[+#]?",
    re.IGNORECASE,
)


class Piece(NamedTuple):
    """A chess piece; its colour is "" where nobody says it."""

    colour: str
    name: str


class Move(NamedTuple):
    """From a square to another, and what a pawn becomes there."""

    start: str
    end: str
    becomes: str = ""


def piece_of(words: str) -> Piece | None:
    """A piece by its name or its sign.

    >>> piece_of("white knight"), piece_of("♜").colour, piece_of("night")
    (Piece(colour='white', name='knight'), 'black', None)
    """
    found = PIECE.fullmatch(words.strip()) if len(words) <= 40 else None
    if found is None:
        return None
    if found[3]:
        return Piece(*SIGNS[found[3]])
    return Piece((found[1] or "").lower(), found[2].lower())


def placed(value: Hashable) -> tuple[Piece, str] | None:
    """A piece on a square, if a value names that and nothing else.

    >>> placed(("knight", "f3"))
    (Piece(colour='', name='knight'), 'f3')
    >>> placed("Nf3"), placed("knight on f3 captured"), placed("♞f3")[0].name
    (None, None, 'knight')
    """
    if isinstance(value, tuple) and 2 <= len(value) <= 3:
        if not all(isinstance(one, str) for one in value):
            return None
        words = " ".join(value)
    elif isinstance(value, tuple | frozenset):
        return None
    else:
        words = text(value)
    found = PLACED.fullmatch(words) if len(words) <= 40 else None
    piece = piece_of(found[1]) if found is not None else None
    return None if piece is None or found is None else (piece, found[2])


def placements(value: Hashable) -> list[tuple[Piece, str]]:
    """All pieces on squares that a fact lists; none, if it says anything else.

    >>> [square for _, square in placements("white king on e1, black king on e8")]
    ['e1', 'e8']
    >>> placements(("at", ("rook", "a1"), "b2"))
    []
    """
    alone = placed(value)
    if alone is not None:
        return [alone]
    parts: Sequence[Hashable]
    if isinstance(value, tuple | frozenset):
        parts = list(value)[:MOST]
    else:
        words = text(value)
        parts = APART.split(words)[:MOST] if len(words) <= LONGEST else ()
    found = [placed(one) for one in parts]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) else []


def is_pair(value: Hashable) -> TypeGuard[tuple[str, str]]:
    """Is it a pair of different squares?"""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(one, str) and re.fullmatch(_SQUARE, one) for one in value)
        and value[0] != value[1]
    )


def move_of(value: Hashable, pairs: bool = False) -> Move | None:
    """A move from square to square, if a value names one.

    Parameters
    ----------
    value
        A fact or an option.
    pairs
        Are pairs of squares moves?

    Examples
    --------
    >>> move_of("e2-e4"), move_of(("e7", "e8", "queen"))
    (Move(start='e2', end='e4', becomes=''), Move(start='e7', end='e8', becomes='queen'))
    >>> move_of(("e2", "e4")), move_of(("e2", "e4"), pairs=True).end
    (None, 'e4')
    """
    if isinstance(value, tuple):
        if pairs and is_pair(value):
            return Move(*value)
        if len(value) == 3 and is_pair(value[:2]) and isinstance(value[2], str):
            piece = piece_of(value[2])
            became = BECOMES.get(value[2].lower()) or (piece.name if piece else None)
            return None if became is None else Move(value[0], value[1], became)
        return None
    if isinstance(value, frozenset):
        return None
    words = text(value)
    found = MOVE.fullmatch(words) if len(words) <= 20 else None
    if found is None or found[1] != found[1].lower() or found[2] != found[2].lower():
        return None
    became = BECOMES.get((found[3] or "").lower()) or (found[4] or "").lower()
    return Move(found[1], found[2], became) if found[1] != found[2] else None


def pairs_move(options: Iterable[Hashable], standing: Collection[str] = ()) -> bool:
    """Are pairs of squares among the options moves, and not squares that are taken together?

    They are if another option is a move in words, if one of them is the way back of another, or if
    there is a piece on the first square of each.

    Parameters
    ----------
    options
        All that are offered.
    standing
        The squares with pieces.

    Examples
    --------
    >>> pairs_move([("a1", "b1"), ("b1", "c1")]), pairs_move([("a1", "b1"), ("b1", "a1")])
    (False, True)
    >>> pairs_move([("a1", "b1"), ("a1", "a2")], {"a1"})
    True
    """
    offered = list(options)
    pairs = [one for one in offered if is_pair(one)]
    if not pairs:
        return False
    known = set(pairs)
    return (
        any(move_of(one) is not None for one in offered)
        or any((end, start) in known for start, end in pairs)
        or all(start in standing for start, _ in pairs)
    )
