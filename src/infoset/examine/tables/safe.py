r"""Labels from anywhere, made safe to show: on one line, of bounded length, as text.

The names of players, actions and information sets come from files that anyone may have written.
Here they are put on one line, with control codes and marks of writing direction spelled out, cut
to a length, and escaped for the format that they go into. What is cut is not looked at, so that a
label of a megabyte costs as much as a short one.

LaTeX without packages has its own traps besides the ten special signs: ``\\`` takes a ``[`` or a
``*`` that follows it for its own argument, ``<`` and ``|`` are other signs in its default font,
two hyphens join to a dash, and card suits are mathematics.
"""

from __future__ import annotations

import unicodedata
from html import escape

from infoset.rules.story import printable

MOST = 80  # signs of a label that are shown
ACCENTS = 4  # marks upon one letter; a pile of them would cover the lines above it

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: "\\" + sign for sign in "{}$&#_%"},
    **{sign: f"{{{sign}}}" for sign in "[]*"},
    **{sign: f"${sign}$" for sign in "<>|"},
    '"': "''",
    "`": r"\`{}",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "…": r"\ldots{}",
    "−": "$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "∞": r"$\infty$",
    "∅": r"$\emptyset$",
}
_LATEX = str.maketrans(LATEX)


def shown(words: str, most: int = MOST) -> str:
    r"""A text on one line, of at most so many signs: its start and its end, if it is longer.

    Labels of information sets often differ at their ends only, so the middle is left out. Control
    codes, marks of direction, halves of surrogate pairs and piles of accents are spelled out.

    >>> print(shown("two\nlines \u202e"), shown("abcdefghijklmnopqrstuvwxyz", 9))
    two lines \u202e abcde…xyz
    """
    if len(words) <= most and len(line := _one_line(words)) <= most:
        return line
    front, back = split(most)
    tail = _one_line(words[-most:])  # longer than ``back``, whatever is spelled out in it
    return f"{_one_line(words[:most])[:front]}…{tail[len(tail) - back :]}"


def _one_line(words: str) -> str:
    line = printable(words)
    if line.isascii():
        return line
    signs, pile = [], 0
    for sign in line:
        pile = pile + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        signs.append(sign if pile <= ACCENTS else ascii(sign)[1:-1])
    return "".join(signs)


def split(most: int) -> tuple[int, int]:
    """How many signs are kept before and after the … where only so many have room.

    >>> split(9), split(1)
    ((5, 3), (0, 0))
    """
    back = (most - 1) * 2 // 5
    return most - 1 - back, back


def encodable(words: str) -> str:
    r"""A text as it is, but for halves of surrogate pairs, which no file can hold: spelled out.

    >>> encodable("K♠"), encodable("\ud800")
    ('K♠', '\\ud800')
    """
    return words.encode(errors="backslashreplace").decode()


def html_text(words: str, most: int = MOST) -> str:
    """A text for the body or a quoted attribute of HTML.

    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return escape(shown(words, most))


def latex_text(words: str, most: int = MOST) -> str:
    r"""A text for LaTeX, also as the first of a row of a ``tabular``; it needs no package.

    Signs of other scripts stay as they are; XeLaTeX and LuaLaTeX set them.

    >>> print(latex_text("[pass] 50% K♠"))
    {[}pass{]} 50\% K$\spadesuit$
    """
    line = shown(words, most).translate(_LATEX)
    return line.replace("--", "-{}-").replace("--", "-{}-")  # the second for the odd ones of a row
