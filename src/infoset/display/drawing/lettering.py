"""How wide a text will be, and how to shorten it: no font is opened.

Layout must know the room that words take before anything draws them, in whatever font that will be.
The table below gives each sign a share of the font's size, a little above that of the usual
sans-serif faces, so that what is laid out apart stays apart.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from infoset.text import printable, short_tens, text

MOST_SIGNS = 300  # of a text that is shown in full, in a hint
USUAL, BROAD, FULL = 0.60, 0.72, 1.05  # shares of the size: a letter, a capital, a square
CAPITALS = "ABCDEFGHKNOPQRSTUVXYZ&w"
MARKS_IN_A_ROW = 2  # characters that pile up on the one before them, as accents do

NARROW = dict.fromkeys("ijlI'|!.,:;", 0.26)
SLIM = dict.fromkeys(' ftr()[]{}/\\-"`*°', 0.36)
WIDE = dict.fromkeys("mMWw@%…—", 0.92) | {"w": 0.78}
WIDTHS = dict.fromkeys(CAPITALS, BROAD) | NARROW | SLIM | WIDE


@lru_cache(maxsize=4096)
def share(sign: str) -> float:
    """The width of one sign, as a share of the font's size."""
    if sign in WIDTHS:
        return WIDTHS[sign]
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return FULL
    return USUAL if sign.isascii() or sign.islower() else 0.84


def width(words: str, size: float) -> float:
    """The room that a text takes in a line.

    >>> width("ill", 10) < width("mow", 10) < width("模倣", 20)
    True
    """
    return size * sum(map(share, words))


def shortened(words: str, size: float, room: float) -> str:
    """The text, or as much of its beginning as there is room for and an ellipsis.

    >>> shortened("quite a long story", 10, 60)
    'quite a lo…'
    """
    if len(words) * size * 1.1 <= room or width(words, size) <= room:
        return words
    left = room / size - share("…")
    for at, sign in enumerate(words):
        left -= share(sign)
        if left < 0:
            return words[:at].rstrip() + "…"
    return words


def wrapped(words: str, size: float, room: float) -> list[str]:
    """The text in as many lines as it takes.

    >>> wrapped("quite a long story", 10, 60)
    ['quite a long', 'story']
    """
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, room))
    return lines


def drawn_text(value: object) -> str:
    r"""Any value as words on one line, whatever a file has put there.

    Line breaks are blanks, what cannot be seen is spelled out, what is long is cut off.

    >>> drawn_text("two\nlines"), drawn_text("\u202eevil"), len(drawn_text("x" * 10**6))
    ('two lines', '\\u202eevil', 300)
    """
    words = short_tens(text(value))
    if len(words) > MOST_SIGNS:
        words = words[: MOST_SIGNS - 1] + "…"
    words = " ".join(printable(words).split())
    return words if words.isascii() else _without_piles(words)


def _without_piles(words: str) -> str:
    """Leave out accents beyond the second on one letter: piles of them reach into other lines."""
    kept: list[str] = []
    pile = 0
    for sign in words:
        pile = pile + 1 if unicodedata.combining(sign) else 0
        if pile <= MARKS_IN_A_ROW:
            kept.append(sign)
    return "".join(kept)
