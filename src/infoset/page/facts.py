"""Facts and options as a page draws them: cards, dice, squares of a board, and plain texts.

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

A *board* is drawn where options are squares. What is on it is taken from what the seat knows, its
own moves and the facts that it was told, and from nothing else: a square that it took has its mark,
with the answer that it got there ("taken", "hit"); a square that a fact names is another's, with
the words of the fact. Who has placed something on several squares at once, such as a ship, has a
board of its own for that, on which the others' shots are shown. Where a square is offered again
after it was taken, somebody moves over the board, and only the last places count.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, cast

from infoset.objects.cards import Card, Hand
from infoset.objects.dice import Roll
from infoset.objects.ranges import read_cards
from infoset.play.human import shown
from infoset.play.player import Forgot
from infoset.rules import Game
from infoset.text import text

LONGEST = 2000  # characters of a value
MOST_PARTS = 40  # of a value
MOST_CARDS = 60
LARGEST = 26  # columns of a board
ROWS = 40
SQUARE = re.compile(r"[a-z][1-9][0-9]?")
WORD = re.compile(r"(?<![^\s(,:])[a-z][1-9][0-9]?(?![^\s),:;.])")
SUITS = "♠♥♦♣"
WIDE, HIGH = ("width", "columns", "size"), ("height", "rows", "size")  # names of parameters


def described(value: Hashable, dice: bool = False) -> dict[str, Any]:
    """A value for a page.

    Parameters
    ----------
    value
        A fact or an option.
    dice
        Are there dice in the game? Then a number from 1 to 6 may be one.

    Examples
    --------
    >>> described(Card(2, 0, "K", "♠"))
    {'text': 'K♠', 'kind': 'card', 'rank': 'K', 'suit': '♠'}
    >>> described(("shot at", "b2"))["parts"][1]
    {'text': 'b2', 'kind': 'square', 'square': 'b2'}
    """
    return {"text": shown(value, LONGEST), **_kind(value, dice)}


def _kind(value: Hashable, dice: bool) -> dict[str, Any]:
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


# ---------------------------------------------------------------------- what a seat has met


class Event(NamedTuple):
    """Something that a seat knows: what it was told, or what it took, and what from."""

    what: Hashable
    own: bool = False
    whole: bool = False  # is it all that the seat knows?
    options: tuple[Hashable, ...] = ()
    cost: dict[str, Any] | None = None


def described_event(event: Event, dice: bool) -> dict[str, Any]:
    """An event for a page."""
    if isinstance(event.what, Forgot):
        return {**described(event.what.knows), "by": "forgot"}
    found = described(event.what, dice and not event.own)
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


def boards(
    game: Any, events: Sequence[Event], options: Sequence[Hashable] = ()
) -> list[dict[str, Any]]:
    """The boards of a seat: none, one, or its own and the other side's.

    Parameters
    ----------
    game
        The game, for the size of the board.
    events
        All that the seat knows.
    options
        What it may choose from now.

    Returns
    -------
    list of dict
        Each with ``width``, ``height``, ``title``, and by the name of a square ``by`` ("own" or
        "told") and ``note``.

    Examples
    --------
    >>> from infoset.games import blind_tic_tac_toe
    >>> met = [Event("b1", True, options=("a1", "b1", "c1", "d1", "e1")), Event("taken")]
    >>> (board,) = boards(blind_tic_tac_toe(), met, ("a1", "c1", "d1", "e1"))
    >>> board["width"], board["height"], board["squares"]
    (5, 1, {'b1': {'by': 'own', 'note': 'taken'}})
    """
    every = [*options, *(one for event in events for one in event.options)]
    single = [one for one in every if is_square(one)]
    placing = [one for one in every if is_placing(one)]
    if not single and not placing:
        return []
    size = _size(game, [square for one in (*single, *placing) for square in squares_of(one)])
    if size is None:
        return []
    if not placing:
        return [{**size, "title": "", "squares": _marks(events, _moves_over(events, options))}]
    theirs = [event for event in events if (event.own and is_square(event.what)) or _is_word(event)]
    ours = [event for event in events if event not in theirs]
    return [
        {**size, "title": "the other side", "squares": _marks(theirs, False)},
        {**size, "title": "your side", "squares": _marks(ours, False)},
    ]


def _is_word(event: Event) -> bool:
    return not event.own and not squares_of(event.what)


def _moves_over(events: Sequence[Event], options: Sequence[Hashable]) -> bool:
    """Is a square offered again after it was taken, and nothing said of it?"""
    taken: set[Hashable] = set()
    for offered, what in [*((one.options, one.what) for one in events if one.own), (options, None)]:
        if taken & set(offered):
            return True
        taken.add(what)
    return False


def _marks(events: Iterable[Event], moving: bool) -> dict[str, dict[str, str]]:
    """What is on each square."""
    found: dict[str, dict[str, str]] = {}
    last: list[str] = []
    for event in events:
        by, squares = ("own" if event.own else "told"), squares_of(event.what)
        if moving and squares:
            found = {name: mark for name, mark in found.items() if mark["by"] != by}
        if event.own:
            last = squares
        if squares:
            note = "" if event.own or is_square(event.what) else _words(event.what)
            for square in squares:
                before = found.get(square, {"by": by, "note": ""})
                found[square] = {"by": before["by"], "note": note or before["note"]}
        elif not event.own and len(last) == 1 and not moving:
            found[last[0]]["note"] = shown(event.what, 40)
            last = []
    return found


def _words(what: Hashable) -> str:
    """A fact without the squares in it."""
    return shown(" ".join(WORD.sub("", shown(what, 80)).split()), 40)


def _size(game: Any, squares: Iterable[str]) -> dict[str, int] | None:
    """Columns and rows: of the parameters, if they say it, and so that all squares are there."""
    wide = high = 1
    for square in squares:
        wide = max(wide, ord(square[0]) - ord("a") + 1)
        high = max(high, int(square[1:]))
    given = game.params if isinstance(game, Game) else {}
    wide = max([wide, *_whole(given, WIDE)])
    high = max([high, *_whole(given, HIGH)])
    if wide > LARGEST or high > ROWS:
        return None
    return {"width": wide, "height": high}


def _whole(given: Any, names: Sequence[str]) -> list[int]:
    return [given[name] for name in names if type(given.get(name)) is int]
