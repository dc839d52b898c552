r"""Tokens of Gambit's game files, read one at a time, with their places.

A file is labels in double quotes, the marks ``{``, ``}`` and ``,``, and bare words, which are
numbers and keywords. White space separates words and means nothing else. Only the token in hand has
been looked at, so nonsense is refused at its first word, whatever its size.

Inside a label, ``\"`` is a quote; every other backslash stands for itself. That leaves open how a
label ends in a backslash. Here a run of backslashes before a quote is read in pairs, each a
backslash, so that every text can be written; elsewhere in a label nothing is doubled.

Numbers are integers, fractions ``-2/3`` or decimals ``.25``, ``1e-3``, and exact. One whose digits
would fill the memory is refused before it is worked out.

Source: Gambit's documentation, "Game representation formats".
"""

from __future__ import annotations

import re
from fractions import Fraction

from infoset.errors import FileError
from infoset.text import printable

SPACE = r" \t\r\n\v\f"
TOKEN = re.compile(
    rf"[{SPACE}]*+"
    r'(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"'  # a label, without its quotes
    r"|([{},])"
    rf'|([^{SPACE}"{{}},]{{1,9999}}+)'  # a word; a longer one is no number that is taken
    r"|(\Z)"
    r"|(.))",  # a quote that is never closed
    re.DOTALL,
)
LABEL, MARK, WORD, END, OPEN = 1, 2, 3, 4, 5

NUMBER = re.compile(
    r"([+-]?)(?=\.?[0-9])([0-9]*)(?:/([0-9]+)|(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?)"
)
WHOLE = re.compile(r"[+]?[0-9]{1,18}")
ENDING = re.compile(r'(?<!\\)(\\++)("|\Z)')  # backslashes before a quote, or before the last
MOST_DIGITS = 4300  # of a numerator or denominator: what Python turns into text at most
MOST_PLACES = 4000  # of a decimal, exponent included; as a fraction it then is within MOST_DIGITS
SHOWN = 40  # characters of the file that a message quotes


class Reader:
    """A file's text with a token in hand."""

    def __init__(self, text: str, name: str) -> None:
        """Begin at the first token; ``name`` is what messages call the file."""
        self.text = text
        self.name = name
        self._numbers: dict[str, Fraction] = {}
        if (at := text.find("\0")) >= 0:
            raise self.error("a NUL character; this is no text file", at)
        self._token = self._match(1 if text.startswith("\ufeff") else 0)
        self._kind = self._token.lastindex

    def _match(self, at: int) -> re.Match[str]:
        found = TOKEN.match(self.text, at)
        assert found is not None  # any character, and the end, is some kind of token
        return found

    def _advance(self) -> re.Match[str]:
        """Take the token in hand and look at the next."""
        taken = self._token
        self._token = self._match(taken.end())
        self._kind = self._token.lastindex
        return taken

    # ------------------------------------------------------------------ where

    @property
    def at(self) -> int:
        """Where the token in hand begins."""
        return self._token.start(self._kind or END) - (self._kind == LABEL)

    @property
    def is_end(self) -> bool:
        """Is there nothing more to come?"""
        return self._kind == END

    @property
    def left(self) -> int:
        """How many characters are still to come."""
        return len(self.text) - self.at

    def since(self, at: int) -> str:
        """The text from a place up to the end of the last token taken."""
        return self.text[at : self._token.start()]

    def line(self, at: int) -> int:
        """The number of the line that a place is in."""
        count = self.text.count
        return count("\n", 0, at) + count("\r", 0, at) - count("\r\n", 0, at) + 1

    def error(self, message: str, at: int | None = None) -> FileError:
        """What is wrong at a place, or at the token in hand."""
        at = self.at if at is None else at
        start = max(self.text.rfind(end, 0, at) for end in "\r\n") + 1
        start += self.text.startswith("\ufeff") and start == 0
        column = max(at - start, 0) + 1
        return FileError(f"{printable(self.name)}:{self.line(at)}:{column}: {message}")

    def expected(self, what: str) -> FileError:
        """Something else is needed here than the token in hand."""
        if self._kind == END:
            return self.error(f"the file ends; expected {what}")
        if self._kind == OPEN:
            return self.error(f"expected {what}, found a label that is never closed")
        kind = "the label " if self._kind == LABEL else ""
        # A label is cut to what a message shows before it is read: it may be the whole file.
        token = self.text[self.at : min(self._token.end(), self.at + 2 * SHOWN)]
        body = token.removeprefix('"').removesuffix('"') if kind else token
        return self.error(f'expected {what}, found {kind}"{short(body)}"')

    # ------------------------------------------------------------------ what

    @property
    def is_label(self) -> bool:
        """Is the token in hand a label?"""
        return self._kind == LABEL

    def is_mark(self, mark: str) -> bool:
        """Is the token in hand this mark?"""
        return self._kind == MARK and self._token[MARK] == mark

    def maybe(self, mark: str) -> bool:
        """Take a mark if it is the token in hand."""
        if self.is_mark(mark):
            self._advance()
            return True
        return False

    def skip(self, text: str) -> bool:
        """Step over this text, made of whole tokens and ending in a mark, if it comes next."""
        at = self.at
        if not self.text.startswith(text, at):
            return False
        self._token = self._match(at + len(text))
        self._kind = self._token.lastindex
        return True

    def mark(self, mark: str, what: str = "") -> None:
        """Take a mark."""
        if not self.maybe(mark):
            raise self.expected(what or f'"{mark}"')

    def word(self, *known: str, what: str = "") -> str:
        """Take one of the words that may stand here."""
        if self._kind != WORD or self._token[WORD] not in known:
            raise self.expected(what or " or ".join(f'"{word}"' for word in known))
        return self._advance()[WORD]

    def label(self, what: str = "a label") -> str:
        """Take a label."""
        if self._kind != LABEL:
            raise self.expected(what)
        label = self._advance()[LABEL]
        return _unescaped(label) if "\\" in label else label

    def names(self, what: str, most: int | None = None) -> tuple[str, ...]:
        """Take labels in braces, at least one."""
        at = self.at
        self.mark("{", f'"{{" and {what}')
        found = [self.label(what)]
        while not self.is_mark("}"):
            if len(found) == most:
                raise self.error(f"expected {what} {most} times at most", at)
            found.append(self.label(f'{what} or "}}"'))
        self.mark("}")
        return tuple(found)

    def whole(self, what: str, least: int) -> int:
        """Take a whole number, at least so large."""
        if self._kind != WORD or not WHOLE.fullmatch(word := self._token[WORD]):
            raise self.expected(what)
        if int(word) < least:
            raise self.expected(f"{what}, from {least} on")
        self._advance()
        return int(word)

    def number(self, what: str) -> Fraction:
        """Take an exact number, and a comma after it if there is one."""
        if self._kind != WORD:
            raise self.expected(what)
        value = self._numbers.get(word := self._token[WORD])
        if value is None:
            value = self._numbers[word] = self._exact(word, what)
        self._advance()
        if self._kind == MARK and self._token[MARK] == ",":
            self._advance()
        return value

    def end(self, what: str) -> None:
        """Be at the end of the file."""
        if self._kind != END:
            raise self.expected(f"the end of the file after {what}")

    def _exact(self, word: str, what: str) -> Fraction:
        found = NUMBER.fullmatch(word)
        if found is None:
            raise self.expected(what)
        sign, whole, below, decimals, exponent = found.groups("")
        power = int(exponent or 0) if len(exponent) < 9 else MOST_DIGITS
        places = len(whole) + len(decimals) + abs(power)
        most = MOST_PLACES if decimals or exponent else MOST_DIGITS
        if places > most or len(below) > MOST_DIGITS:
            raise self._too_long(word)
        try:
            top = int(whole + decimals) * 10 ** max(power - len(decimals), 0)
            bottom = int(below or 1) * 10 ** max(len(decimals) - power, 0)
        except ValueError:  # the interpreter was told to turn fewer digits into numbers
            raise self._too_long(word) from None
        if not bottom:
            raise self.error(f"the number {short(word)} divides by zero")
        return Fraction(-top if sign == "-" else top, bottom)

    def _too_long(self, word: str) -> FileError:
        return self.error(f"the number {short(word)} has too many digits; {MOST_PLACES} are taken")


def _unescaped(label: str) -> str:
    return ENDING.sub(lambda run: run[1][: len(run[1]) // 2] + run[2], label)


def quoted(label: str) -> str:
    r"""A text as a label of a file.

    >>> print(quoted('the "nuts"'), quoted("C:\\"), quoted("a\\b"))
    "the \"nuts\"" "C:\\" "a\b"
    """
    if "\0" in label:
        raise FileError(f'the label "{short(label)}" holds a NUL character; a file cannot hold it')
    if not label.isascii():
        try:
            label.encode()
        except UnicodeEncodeError:
            raise FileError(f'the label "{short(label)}" holds half a character') from None
    if '"' in label or label.endswith("\\"):
        label = re.sub(r'(\\*)"', r'\1\1\\"', label)
        label += "\\" * (len(label) - len(label.rstrip("\\")))
    return f'"{label}"'


def numeral(value: Fraction | int) -> str:
    """A number as a word of a file.

    >>> numeral(Fraction(-2, 6)), numeral(3)
    ('-1/3', '3')
    """
    try:
        return str(value)
    except ValueError:
        raise FileError(f"a number of more than {MOST_DIGITS} digits; round it first") from None


def brief(value: Fraction) -> str:
    """The beginning of a number, for a message."""
    try:
        return short(str(value))
    except ValueError:
        return f"a number of more than {MOST_DIGITS} digits"


def short(text: str) -> str:
    """The beginning of a text on one line, for a message."""
    return printable(text) if len(text) <= SHOWN else printable(text[: SHOWN - 1]) + "…"
