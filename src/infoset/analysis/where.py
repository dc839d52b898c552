"""Which labels are looked for: the texts of ``where=``.

A text is looked for anywhere in a label; with ``*`` or ``?`` it is a pattern for the whole label.
Case does not matter, and cards may be written as people write them:

    Ah Kh, KhAh, A♥,K♥    a word with these cards in it, in any order
    10d, Td               the ten: in patterns it is T, so that ``?? ??`` is any two cards
    AKs, QQ, 66+, A5s-A2s hands of two cards, in the notation of :mod:`infoset.objects.ranges`

A label is words with commas between them. A text without commas is looked for in each word; one
with commas, in as many words in a row. Several texts must all be found. Letters that stand for a
suit do so behind a rank only: ``♥`` is not in "check", nor ``As`` in "pass".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from typing import NamedTuple

from infoset.errors import ParameterError
from infoset.objects.cards import Card
from infoset.objects.ranges import parse_range, read_cards
from infoset.text import SUITS, card_letters
from infoset.tree.knowledge import BETWEEN

Cards = frozenset[Card]

MOST_KNOWN = 1 << 14  # words that are remembered
MOST_PERMUTED = 4  # cards of a pattern that are looked for in any order
TEN = re.compile("10(?=[shdc])")
SUITED = re.compile(r"(?<=[0-9tjqka?])[♠♥♦♣]")
CARD_PATTERN = re.compile(r"(10|[2-9tjqka?])([shdc?])\s*")
INSIDE, BEGINNING, END, WHOLE = "inside", "beginning", "end", "whole"  # where in a word


class Reading(NamedTuple):
    """A word of a label, as it may be written."""

    plain: str  # small letters
    letters: str  # the same with suits of cards as letters
    short: str  # the same with T for ten
    sorted: str  # the same with cards in their order
    cards: Cards | None  # what it names, if that is nothing but cards

    @property
    def written(self) -> tuple[str, str, str]:
        """The ways in which a part of it may be looked for."""
        return self.plain, self.letters, self.short


@lru_cache(maxsize=1 << 16)
def reading(word: str) -> Reading:
    """How a word may be written.

    >>> reading("K♥ 10♥").short, reading("K♥ 10♥").sorted
    ('kh th', 'th kh')
    """
    plain = word.casefold()
    letters = SUITED.sub(lambda suit: suit[0].translate(SUITS), plain)
    short = TEN.sub("t", letters)
    cards = read_cards(word)
    if cards is None:
        return Reading(plain, letters, short, short, None)
    in_order = " ".join(map(card_letters, sorted(cards)))
    return Reading(plain, letters, short, in_order, frozenset(cards))


@dataclass(frozen=True)
class Part:
    """What is looked for in one word: a text, cards, or hands."""

    text: str

    @cached_property
    def _reading(self) -> Reading:
        return reading(self.text)

    @cached_property
    def _hands(self) -> frozenset[Cards]:
        return hands(self.text)

    def fits(self, word: str, where: str = INSIDE) -> bool:
        """Has a word of a label this in it, at its beginning or end, or is it this?"""
        found = self._known.get((word, where))
        if found is None:  # labels have the same few words
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            found = self._known[word, where] = self._fits(word, where)
        return found

    @cached_property
    def _known(self) -> dict[tuple[str, str], bool]:
        return {}

    def _fits(self, word: str, where: str) -> bool:
        own, sought = reading(word), self._reading
        if own.cards is not None:
            if sought.cards is not None and sought.cards <= own.cards:
                return True
            if own.cards in self._hands:
                return True
        if self._as_card:
            return bool(self._as_card.search(own.short)) or _has(word, self.text, where)
        return any(
            _has(written, looked_for, where)
            for written, looked_for in zip(own.written, sought.written, strict=True)
        )

    @cached_property
    def _as_card(self) -> re.Pattern[str] | None:
        """For what is written like cards, with a capital or a symbol: not as a part of a word."""
        if self._reading.cards is None or self.text == self._reading.letters:
            return None
        return re.compile(rf"(?<!\w){re.escape(self._reading.short)}(?!\w)")


def _has(word: str, sought: str, where: str) -> bool:
    if where == INSIDE:
        return sought in word
    if where == BEGINNING:
        return word.startswith(sought)
    return word.endswith(sought) if where == END else word == sought


@lru_cache(maxsize=1 << 8)
def hands(words: str) -> frozenset[Cards]:
    """The hands of two cards that a range stands for; none if it is no range.

    >>> len(hands("AKs")), len(hands("66+,KhQh")), len(hands("all in"))
    (4, 55, 0)
    """
    found: set[Cards] = set()
    for word in words.replace(",", " ").split():
        cards = read_cards(word)
        if cards is not None and len(set(cards)) == 2:
            found.add(frozenset(cards))
            continue
        upper = word.upper().replace("10", "T").replace("S", "s").replace("O", "o")
        if ":" in word or upper == "ALL":
            return frozenset()
        try:
            found |= {frozenset(hand) for hand in parse_range(upper)}
        except ParameterError:
            return frozenset()
    return frozenset(found)


class Alternative(NamedTuple):
    """Parts that are looked for in as many words in a row."""

    parts: tuple[Part, ...]

    def places(self, count: int) -> range:
        """Where the first part may be, among so many words."""
        return range(count - len(self.parts) + 1)

    def where(self, at: int) -> str:
        """Where in its word a part must be: words between others are meant whole."""
        last = len(self.parts) - 1
        if not last:
            return INSIDE
        return END if at == 0 else BEGINNING if at == last else WHOLE

    def fits(self, words: Sequence[str]) -> bool:
        """Are the parts in words in a row?"""
        first, *others = self.parts
        where = self.where(0)
        for at in self.places(len(words)):
            if first.fits(words[at], where) and all(
                part.fits(words[at + more], self.where(more))
                for more, part in enumerate(others, start=1)
            ):
                return True
        return False


@dataclass(frozen=True)
class Term:
    """One text that is looked for."""

    text: str

    @cached_property
    def patterns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Patterns for the whole label, by the reading that they are of; none for a plain text."""
        if not {"*", "?"} & set(self.text):
            return ()
        read = reading(self.text)
        found = {
            "letters": _glob(read.letters),
            "short": _glob(read.short),
            "sorted": "".join(map(_chunk, re.split(f"({BETWEEN}|[*])", read.short))),
        }
        if read.plain != self.text.translate(SUITS).casefold():  # symbols, which labels have, too
            found["plain"] = _glob(read.plain)
        return tuple((name, re.compile(one, re.DOTALL)) for name, one in found.items())

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """What a plain text may be: words in a row, or cards or a range with commas in it."""
        row = Alternative(tuple(map(Part, self.text.split(BETWEEN))))
        together = self.text.replace(",", " ")
        if together != self.text and (hands(together) or read_cards(together)):
            return row, Alternative((Part(together),))
        return (row,)

    @cached_property
    def ragged(self) -> bool:
        """Does it begin or end between words, with a comma or a blank?"""
        return self.text.strip(BETWEEN) != self.text

    def fits(self, label: str) -> bool:
        """Is it in a label?"""
        words = label.split(BETWEEN)
        if not self.patterns:
            return self._between(label) or any(one.fits(words) for one in self.alternatives)
        read = [*map(reading, words)]
        return any(
            pattern.fullmatch(BETWEEN.join([getattr(one, name) for one in read]))
            for name, pattern in self.patterns
        )

    def _between(self, label: str) -> bool:
        """Does it begin or end between words, and is it in a label as it is written?"""
        if not self.ragged:
            return False
        own, sought = reading(label), reading(self.text)
        return sought.plain in own.plain or sought.letters in own.letters


def _glob(pattern: str) -> str:
    """A pattern with * and ? as a regular expression."""
    signs = {"*": ".*", "?": "."}
    return "".join([signs.get(sign) or re.escape(sign) for sign in pattern])


def _chunk(words: str) -> str:
    """Words of a pattern as a regular expression, in which cards may be in any order."""
    if held := hands(words):
        every = [" ".join(map(card_letters, sorted(hand))) for hand in held]
        return f"(?:{'|'.join(map(re.escape, every))})"
    cards = CARD_PATTERN.findall(words)
    if not cards or CARD_PATTERN.sub("", words) or len(cards) > MOST_PERMUTED:
        return _glob(words)
    every = [_glob(f"{'t' if rank == '10' else rank}{suit}") for rank, suit in cards]
    orders = dict.fromkeys(" ".join(order) for order in permutations(every))
    return f"(?:{'|'.join(orders)})"


def terms_of(where: str | Sequence[str]) -> tuple[str, ...]:
    """The texts that are looked for, from one or several; anything else is refused."""
    terms = (where,) if isinstance(where, str) else where
    if not isinstance(terms, Iterable) or not all(isinstance(term, str) for term in terms):
        raise ParameterError(f"where={where!r:.60}: give a text, or several")
    return tuple(term for term in terms if term.strip())


@lru_cache(maxsize=1 << 8)
def term_of(words: str) -> Term:
    """A text that is looked for."""
    return Term(words)


def fits(label: str, terms: Sequence[str]) -> bool:
    """Has a label all of these texts in it?

    >>> [fits("K♥ A♥, [check], bet", [term]) for term in ("AhKh", "AKs", "check, b", "?? ??, *")]
    [True, True, False, True]
    >>> fits("9♠ 10♥, check", ["Th9s"]), fits("9♠ 10♥, check", ["?? ??, check"])
    (True, True)
    """
    return all(term_of(term).fits(label) for term in terms)
