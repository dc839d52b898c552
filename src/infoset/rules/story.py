"""Plays and questions as text, for messages and labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from infoset.rules.cards import Hand
from infoset.rules.dice import Roll

LONGEST = 12  # moves of a play that are told in full
BRIEF = 200  # signs of a name or a move that are told in full


def text(value: object) -> str:
    """A value as a person reads it: texts bare, tuples joined, everything else as it prints.

    >>> text(("K♠", 3)), text("bet"), text(frozenset({2})), text(())
    ('K♠ 3', 'bet', '2', 'none')
    >>> text(((1, 2), (3, 4)))
    '1 2 | 3 4'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and type(value).__str__ in (tuple.__str__, object.__str__):
        several = any(_is_list(entry) for entry in value)
        return (" | " if several else " ").join(map(text, value)) or "none"
    if isinstance(value, frozenset):
        return " ".join(sorted(map(text, value))) or "none"
    return str(value)


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and type(value) in (tuple, Hand, Roll)


def printable(words: str) -> str:
    r"""A text that is safe to print on one line: line breaks as blanks, control codes spelled out.

    >>> print(printable("two\nlines \x1b[2J"))
    two lines \x1b[2J
    """
    if words.isprintable():
        return words
    signs = (" " if sign.isspace() else ascii(sign)[1:-1] for sign in words)
    return "".join(
        sign if sign.isprintable() else shown for sign, shown in zip(words, signs, strict=True)
    )


def brief(words: str, most: int = BRIEF) -> str:
    r"""A text in one printable line of a bounded length: where it is long, its start and its end.

    >>> brief("a" * 50 + "z" * 50, most=9), brief("two\nlines")
    ('aaaa…zzzz', 'two lines')
    """
    if len(words) > most:
        half = (most - 1) // 2
        words = f"{words[: most - 1 - half]}…{words[len(words) - half :]}"
    return printable(words)


def told(moves: Sequence[tuple[str | None, object]]) -> str:
    """Where in a play something happened, for a message.

    >>> told([]), told([("gambler", "bet")])
    ('at the start', 'after gambler: bet')
    """
    return f"after {tell(moves)}" if moves else "at the start"


def tell(moves: Sequence[tuple[str | None, object]]) -> str:
    """A play in one line; ``None`` stands for nature.

    >>> tell([(None, ("J", "Q")), ("gambler", "bet")])
    'chance: J Q, gambler: bet'
    """
    shown = list(moves)
    cut = len(shown) - 2 * (LONGEST // 2)
    if len(shown) > LONGEST:
        shown = [*shown[: LONGEST // 2], *shown[len(shown) - LONGEST // 2 :]]
    parts = [f"{brief(who or 'chance')}: {brief(text(move))}" for who, move in shown]
    if len(moves) > LONGEST:
        parts.insert(LONGEST // 2, f"… {cut:,} moves …")
    return ", ".join(parts) or "at the start"


def question(who: str | None, menu: Iterable[object]) -> str:
    """What a run asked, for a message.

    >>> question("dealer", ("pass", "bet"))
    "asked 'dealer' to choose from (pass, bet)"
    """
    if who is None:
        return "made a chance move"
    options = [text(option) for option in menu]
    listed = ", ".join(options[:8]) + (", …" if len(options) > 8 else "")
    return f"asked {who!r} to choose from ({listed})"
