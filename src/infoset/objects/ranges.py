"""Hands of two cards as hold'em players write them: ``"QQ+ AKs T9s-76s A5o KhQh:0.5"``.

A card is a rank (2 … 9 T J Q K A; a ten may be 10) and a suit (s h d c). A range is words between
spaces or commas; each stands for some hands of the full deck:

    all              every hand
    QQ               a pair;  QQ+ this one and higher;  99-66 those between
    AKs AKo AK       of one suit; of two suits; both
    ATs+             the lower card goes up to just below the higher one: ATs AJs AQs AKs
    A5s-A2s          the lower card goes down: A5s A4s A3s A2s
    T9s-76s          both cards go down: T9s 98s 87s 76s
    KhQh             these two cards

A word may end with a weight, ``:0.5`` or ``:1/2``: how likely its hands are compared with those of
weight 1. A later word overrides an earlier one on the hands that they share, so that
``"all AA:0"`` is every hand but aces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from infoset.errors import ParameterError
from infoset.objects.cards import Card, Deck, Hand

__all__ = ["parse_cards", "parse_range", "read_cards"]

_RANKS = "23456789TJQKA"
_SUITS = "shdc"
_RANK, _SUIT = f"[{_RANKS}]", f"[{_SUITS}]"
_TWO_CARDS = re.compile(f"({_RANK}{_SUIT})({_RANK}{_SUIT})")
_SHAPES = re.compile(f"({_RANK})({_RANK})([so]?)(?:([+])|-({_RANK})({_RANK})([so]?))?")
_DECK = Deck(13, 4)
_WRITTEN = re.compile(r"(10|[2-9TJQKA])([SHDC♠♥♦♣])\s*")
_SYMBOLS = str.maketrans("♠♥♦♣", "SHDC")

Shape = tuple[int, int]  # the ranks of two cards, the higher one first


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards that a text names.

    Parameters
    ----------
    text
        Cards as ``Ks 7d``, with or without spaces between them; a ten is ``T`` or ``10``.

    Returns
    -------
    tuple of Card
        In the order of the text.

    Raises
    ------
    ParameterError
        If a word is not a card, or a card is named twice.

    Examples
    --------
    >>> print(*parse_cards("Ks 7d Th"))
    K♠ 7♦ 10♥
    >>> parse_cards("10h") == parse_cards("Th")
    True
    >>> parse_cards("Ks 1d")
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: '1d' is not a card; write one of 23456789TJQKA and one of shdc
    """
    found: list[Card] = []
    for given in text.replace(",", " ").split():
        word = given.replace("10", "T")
        if not re.fullmatch(f"({_RANK}{_SUIT})+", word):
            raise ParameterError(
                f"{given!r} is not a card; write one of {_RANKS} and one of {_SUITS}"
            )
        found += [_card(word[at : at + 2]) for at in range(0, len(word), 2)]
    for card in found:
        if found.count(card) > 1:
            raise ParameterError(f"{card} is twice among the cards {text!r}; name each one once")
    return tuple(found)


def read_cards(text: str) -> tuple[Card, ...] | None:
    """The cards that a text names, however they are written; None if it names anything else.

    Small letters or capitals, suits as letters or symbols, ten as T or 10, blanks or none.

    >>> read_cards("10♦ kH") == read_cards("TdKh"), read_cards("Kx")
    (True, None)
    """
    upper = text.strip().upper()
    if not upper or _WRITTEN.sub("", upper):
        return None
    pairs = _WRITTEN.findall(upper.translate(_SYMBOLS))
    return tuple([_card(("T" if rank == "10" else rank) + suit.lower()) for rank, suit in pairs])


def parse_range(text: str) -> dict[Hand[Card], Fraction]:
    """The hands of a range, with their weights.

    Parameters
    ----------
    text
        Words of the notation above, separated by spaces or commas.

    Returns
    -------
    dict
        Weights by hand, in the deck's order, without those of weight 0.

    Raises
    ------
    ParameterError
        If a word is not understood, or the range holds no hand.

    Examples
    --------
    >>> held = parse_range("AhKh JJ:0.5 JhJs:1")
    >>> print(*(f"{hand}: {weight}" for hand, weight in held.items()), sep=", ")
    J♠ J♥: 1, J♠ J♦: 1/2, J♠ J♣: 1/2, J♥ J♦: 1/2, J♥ J♣: 1/2, J♦ J♣: 1/2, K♥ A♥: 1
    >>> len(parse_range("all")), len(parse_range("QQ+ AKs ATo+ 98s-54s"))
    (1326, 90)
    """
    weights: dict[Hand[Card], Fraction] = {}
    for word in text.replace(",", " ").split():
        name, _, said = word.partition(":")
        weight = _weight(word, said) if ":" in word else Fraction(1)
        for hand in _hands(name.replace("10", "T")):
            weights[hand] = weight
    held = {hand: weights[hand] for hand in sorted(weights) if weights[hand]}
    if not held:
        raise ParameterError(f"the range {text!r} holds no hand; write all, or hands such as QQ+")
    return held


def _card(text: str) -> Card:
    return _DECK[_RANKS.index(text[0]) * len(_SUITS) + _SUITS.index(text[1])]


def _weight(word: str, text: str) -> Fraction:
    try:
        weight = Fraction(text)
    except (ValueError, ZeroDivisionError):
        weight = Fraction(-1)
    if weight < 0:
        raise ParameterError(f"{word!r} has no weight after the colon; write :0.5 or :1/2")
    return weight


def _hands(word: str) -> Iterator[Hand[Card]]:
    """All hands that a word without its weight stands for."""
    if word == "all":
        yield from map(Hand, combinations(_DECK, 2))
        return
    if two := _TWO_CARDS.fullmatch(word):
        yield Hand(parse_cards(two[1] + two[2]))
        return
    shapes = _SHAPES.fullmatch(word)
    if shapes is None:
        raise _not_understood(word)
    first, kind = _shape(shapes[1], shapes[2]), shapes[3]
    if shapes[5] is not None:
        if shapes[7] != kind:
            raise _not_understood(word)
        last = _shape(shapes[5], shapes[6])
    elif shapes[4] is None:
        last = first
    else:  # with a plus: up to the pair of aces, or to just below the higher card
        last = (12, 12) if first[0] == first[1] else (first[0], first[0] - 1)
    for high, low in _between(word, max(first, last), min(first, last)):
        if high == low and kind:
            raise _not_understood(word)
        yield from _of_shape(high, low, kind)


def _shape(one: str, two: str) -> Shape:
    ranks = _RANKS.index(one), _RANKS.index(two)
    return max(ranks), min(ranks)


def _between(word: str, upper: Shape, lower: Shape) -> Iterator[Shape]:
    """From the upper shape down to the lower one: by both cards, or by the lower card alone."""
    steps = upper[1] - lower[1]
    falls = upper[0] - lower[0]
    if falls not in (0, steps) or (falls == 0 and upper[0] == upper[1] and steps):
        raise _not_understood(word)
    for step in range(steps + 1):
        yield upper[0] - (step if falls else 0), upper[1] - step


def _of_shape(high: int, low: int, kind: str) -> Iterator[Hand[Card]]:
    highs, lows = (_DECK[rank * 4 : rank * 4 + 4] for rank in (high, low))
    if high == low:
        yield from map(Hand, combinations(highs, 2))
        return
    for one in highs:
        for two in lows:
            if kind != ("o" if one.suit == two.suit else "s"):
                yield Hand((one, two))


def _not_understood(word: str) -> ParameterError:
    return ParameterError(
        f"{word!r} in a range is not understood;"
        " write words such as all, QQ+, 99-66, AK, ATs+, T9s-76s, KhQh, AA:0.5"
    )
