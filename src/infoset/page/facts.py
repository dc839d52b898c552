"""Facts and options as a page draws them: cards, dice, pieces, squares of a board, plain texts.

Every value is an object with the ``text`` that the terminal shows and a ``kind``, which says what
else it has:

    text     nothing
    number   nothing
    card     "rank" and "suit", as they read; "suit" may be ""
    cards    "cards": a list of such
    dice     "faces": a list of texts
    square   "square": the name of a square, such as b2
    squares  "squares": a list of such
    parts    "parts": a list of values that are told together
    piece    "colour", "piece" and "square": a chess piece on a square
    move     "from", "to" and "becomes": from a square to another, and what a pawn becomes, or ""

Which facts and options name pieces and moves is in :mod:`infoset.page.pieces`, and what boards show
in :mod:`infoset.page.boards`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from fractions import Fraction
from types import CodeType
from typing import Any, NamedTuple, cast

from infoset.objects import hexagons
from infoset.objects.cards import Card, Hand
from infoset.objects.dice import Roll
from infoset.objects.ranges import read_cards
from infoset.page.pieces import Piece, move_of, placed
from infoset.play.human import shown
from infoset.play.player import Forgot
from infoset.rules import Game
from infoset.text import text

LONGEST = 2000  # characters of a value
MOST_PARTS = 40  # of a value
MOST_CARDS = 60
SQUARE = re.compile(r"[a-z][1-9][0-9]?")
WORD = re.compile(r"(?<![^\s(,:])[a-z][1-9][0-9]?(?![^\s),:;.])")
SUITS = "♠♥♦♣"


def described(value: Hashable, dice: bool = False, pairs: bool = False) -> dict[str, Any]:
    """A value for a page.

    Parameters
    ----------
    value
        A fact or an option.
    dice
        Are there dice in the game? Then a number from 1 to 6 may be one.
    pairs
        Are pairs of squares moves from one to the other?

    Examples
    --------
    >>> described(Card(2, 0, "K", "♠"))
    {'text': 'K♠', 'kind': 'card', 'rank': 'K', 'suit': '♠'}
    >>> described(("shot at", "b2"))["parts"][1]
    {'text': 'b2', 'kind': 'square', 'square': 'b2'}
    >>> described("♞ f3")["colour"], described("e7e8q")["becomes"]
    ('black', 'queen')
    """
    return {"text": shown(value, LONGEST), **_kind(value, dice, pairs)}


def _kind(value: Hashable, dice: bool, pairs: bool) -> dict[str, Any]:
    there, move = placed(value), move_of(value, pairs)
    if there is not None:
        return {"kind": "piece", **described_piece(there[0]), "square": there[1]}
    if move is not None:
        return {"kind": "move", "from": move.start, "to": move.end, "becomes": move.becomes}
    if isinstance(value, Card):
        return {"kind": "card", **_card(value)}
    if isinstance(value, Roll):
        return {"kind": "dice", "faces": [shown(face, 20) for face in value[:MOST_PARTS]]}
    if type(value) in (int, Fraction):
        if dice and isinstance(value, int) and 1 <= value <= 6:
            return {"kind": "dice", "faces": [str(value)]}
        return {"kind": "number"}
    if type(value) in (tuple, Hand):
        return _kind_of_several(cast(tuple[Any, ...], value))
    return _kind_of_text(text(value))  # also of values that read like a card or a square


def _kind_of_text(words: str) -> dict[str, Any]:
    if SQUARE.fullmatch(words):
        return {"kind": "square", "square": words}
    if len(words) <= 4 * MOST_CARDS and any(suit in words for suit in SUITS):
        cards = read_cards(words)
        if cards is not None:
            several = [_card(card) for card in cards]
            return {"kind": "card", **several[0]} if len(cards) == 1 else _cards(several)
    return {"kind": "text"}


def _kind_of_several(values: tuple[Any, ...]) -> dict[str, Any]:
    if not 0 < len(values) <= MOST_CARDS:
        return {"kind": "text"}
    if all(isinstance(one, Card) for one in values):
        return _cards([_card(one) for one in values])
    if is_placing(values):
        return {"kind": "squares", "squares": list(values)}
    if len(values) <= MOST_PARTS and not any(_deep(one) for one in values):
        return {"kind": "parts", "parts": [described(one) for one in values]}
    return {"kind": "text"}


def described_piece(piece: Piece) -> dict[str, str]:
    """A chess piece for a page."""
    return {"colour": piece.colour, "piece": piece.name}


def _deep(value: Any) -> bool:
    """Is it a list of lists, which has better be text?"""
    return isinstance(value, tuple) and any(
        isinstance(one, tuple) and not isinstance(one, Card) for one in value
    )


def _cards(several: list[dict[str, str]]) -> dict[str, Any]:
    return {"kind": "cards", "cards": several}


def _card(card: Card) -> dict[str, str]:
    return {"rank": shown(card.rank_name, 20), "suit": card.suit_name and shown(card.suit_name, 20)}


def described_parameter(value: str) -> dict[str, Any]:
    """A parameter of a game, as it is typed: cards as cards, whatever their suits are written as.

    >>> described_parameter("Ks 7d")["cards"][1]
    {'rank': '7', 'suit': '♦'}
    """
    cards = read_cards(value) if len(value) <= 4 * MOST_CARDS else None
    return described(value) if cards is None else {**described(cards), "text": shown(value)}


def has_dice(game: Any) -> bool:
    """Do the rules of a game throw dice?"""
    code = getattr(game.family.rules, "__code__", None) if isinstance(game, Game) else None
    return code is not None and "roll" in code.co_names


def has_hexagons(game: Any) -> bool:
    """Do the rules of a game, or functions beside them that they call, use boards of hexagons?"""
    rules = getattr(game.family, "rules", None) if isinstance(game, Game) else None
    return _uses(rules, hexagons.__name__, set())


def _uses(function: Any, module: str, met: set[int]) -> bool:
    """Does a function name something of a module, by itself or in functions of its own file?"""
    code, known = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    if code is None or id(code) in met:
        return False
    met.add(id(code))
    for named in map(known.get, _names_in(code)):
        if getattr(named, "__module__", None) == module or named is hexagons:
            return True
        if getattr(named, "__globals__", None) is known and _uses(named, module, met):
            return True
    return False


def _names_in(code: CodeType) -> set[str]:
    """The names in a function, and in those that are written within it."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))


# ---------------------------------------------------------------------- what a seat has met


class Event(NamedTuple):
    """Something that a seat knows: what it was told, or what it took, and what from.

    Who watches knows what is public: each with who took it, or "" if it is a fact.
    """

    what: Hashable
    own: bool = False
    whole: bool = False  # is it all that the seat knows?
    options: tuple[Hashable, ...] = ()
    cost: dict[str, Any] | None = None
    who: str | None = None


def described_event(event: Event, dice: bool) -> dict[str, Any]:
    """An event for a page."""
    if isinstance(event.what, Forgot):
        return {**described(event.what.knows), "by": "forgot"}
    found = described(event.what, dice and not event.own)
    if event.who is not None:
        return {**found, "by": "public", "who": text(event.who)}
    found["by"] = "own" if event.own else "knows" if event.whole else "told"
    if event.cost is not None:
        found["cost"] = event.cost
    return found


def squares_of(value: Hashable) -> list[str]:
    """The squares that a fact or an option names.

    >>> squares_of("b2"), squares_of(("shot at", "c1")), squares_of("evader to a3"), squares_of(7)
    (['b2'], ['c1'], ['a3'], [])
    """
    if type(value) is tuple:
        return [square for one in value[:MOST_PARTS] for square in squares_of(one)]
    words = text(value)
    return [words] if SQUARE.fullmatch(words) else WORD.findall(words[:LONGEST])


def is_placing(value: Hashable) -> bool:
    """Does an option take several squares?"""
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(isinstance(one, str) and SQUARE.fullmatch(one) for one in value)
    )


def is_square(value: Hashable) -> bool:
    """Is it a single square?"""
    return type(value) is not tuple and SQUARE.fullmatch(text(value)) is not None
