"""What a player is told at the sets of a decision, place by place; and suits that read alike.

All sets of a decision of a public form are told the same things in the same order, but for some
places: gaps, filled with a card, say, in each set its own. So the words of ten thousand sets are a
pattern, a few values for every gap, and a number for each set and gap; what is looked for in all of
them is looked for in the values.

In a form in which suits are folded, a set stands for all that suits can be exchanged for, and its
words are those of one of them. A permutation of suits gives the words of another.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.examine.strategies import fits
from infoset.forms.public.gather import Words
from infoset.forms.public.record import Decision, Longs, PublicForm
from infoset.rules.cards import Card
from infoset.rules.late.symmetry import Cards, Symmetry, moved
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN, NOTHING

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Told:
    """The words of all sets of a decision."""

    pattern: tuple[Word | None, ...]  # [place] None for a gap
    values: tuple[Sequence[Hashable], ...]  # [gap] what it may be filled with
    codes: Longs  # [set, gap] which of these it is

    def words(self, at: int) -> list[Word]:
        """What the player knows at a set, word by word."""
        filled = iter(self.codes[at].tolist())
        gaps = iter(self.values)
        return [
            Word(next(gaps)[next(filled)], own=False) if word is None else word
            for word in self.pattern
        ]

    def fitting(self, terms: Sequence[str], suits: Suits) -> Truths:
        """[set] has its label all of these texts in it, whatever suits are exchanged?"""
        pieces = [piece for term in terms for piece in _pieces(term)]
        whole = all(_pieces(term) == [term] for term in terms)
        found = np.zeros(len(self.codes), bool)
        for order in suits.orders:
            fit = ~found
            for piece in pieces:
                fit &= self._within(piece, order, suits)
            for at in () if whole else np.flatnonzero(fit).tolist():
                fit[at] = fits(label([_moved_word(word, order) for word in self.words(at)]), terms)
            found |= fit
        return found

    def _within(self, piece: str, order: Cards, suits: Suits) -> Truths:
        """[set] is a text in one of the words?"""
        if any(fits(str(word), (piece,)) for word in self.pattern if word is not None):
            return np.ones(len(self.codes), bool)
        found = np.zeros(len(self.codes), bool)
        for gap, values in enumerate(self.values):
            found |= suits.having(piece, values, order)[self.codes[:, gap]]
        if not self.pattern:
            found |= fits(NOTHING, (piece,))
        return found


def label(words: Sequence[Word]) -> str:
    """What a player knows in one line, as labels of information sets have it."""
    return BETWEEN.join(map(str, words)) or NOTHING


def _pieces(term: str) -> list[str]:
    """The parts of a text that must each be in one word of a label that has it."""
    return [piece for part in re.split("[*?]", term) for piece in part.split(BETWEEN) if piece]


def told_at(decision: Decision) -> Told:
    """The words of a decision, by what is the same in all of its sets and what is not."""
    if isinstance(decision.words, Words):
        return _by_line(decision.words)
    lists = [[*words] for words in decision.words]
    pattern: list[Word | None] = []
    values: list[list[Hashable]] = []
    codes: list[list[int]] = []
    for column in zip(*lists, strict=True):
        number: dict[Word, int] = {}
        own = [number.setdefault(word, len(number)) for word in column]
        pattern.append(column[0] if len(number) == 1 else None)
        if len(number) > 1:
            values.append([word.value for word in number])
            codes.append(own)
    table = np.array(codes, np.int64).reshape(len(codes), len(lists)).T
    return Told(tuple(pattern), tuple(values), table)


def _by_line(words: Words) -> Told:
    """The same without making any words: a line has its gaps marked."""
    line, pattern = words.line, list[Word | None]()
    part = line.part
    while line.before is not None:
        kind, what = line.last
        if kind == "hidden":
            pattern.append(None)
        else:
            own = kind == "took"
            pattern.append(Word(what[0][what[1]] if own else what, own))
        line = line.before
    gaps = len(part.facts)
    views = np.array(part.views, np.int64).reshape(len(part.views), gaps)
    tables = tuple(fact.table for fact in part.facts)
    return Told(tuple(pattern[::-1]), tables, views[words.codes])


# ---------------------------------------------------------------------- suits


class Suits:
    """The suits that a form has folded, and all ways to exchange them."""

    def __init__(self, form: PublicForm) -> None:
        """As the form says."""
        self.deck = form.deck
        self._known: dict[tuple[str, int, int], tuple[Sequence[Hashable], Truths]] = {}

    def __bool__(self) -> bool:
        """Has it folded any?"""
        return self.deck is not None

    def having(self, piece: str, values: Sequence[Hashable], order: Cards) -> Truths:
        """[value] has it a text in it, if suits are exchanged? Many decisions ask for the same."""
        key = (piece, id(values), id(order))
        if key not in self._known:  # the values are kept, so that no others come to their address
            texts = [str(Word(moved(value, order), own=False)) for value in values]
            self._known[key] = (values, np.array([fits(one, (piece,)) for one in texts], bool))
        return self._known[key][1]

    @cached_property
    def orders(self) -> Sequence[Cards]:
        """All permutations, the first of which changes nothing."""
        return [{}] if self.deck is None else Symmetry(self.deck).cards

    @cached_property
    def blind(self) -> Cards:
        """Not a permutation: every card becomes the one of the first suit that is like its own."""
        deck = self.deck or ()
        first = {suit: group[0] for group in self._alike for suit in group}
        at = {(card.rank, card.suit): card for card in deck}
        return {card: at[card.rank, first.get(card.suit, card.suit)] for card in deck}

    def bare(self, public: Iterable[Card]) -> Cards:
        """Not one either: cards lose their suit, if it is like others and none of these has it."""
        deck = self.deck or ()
        lost = {suit for group in self._alike for suit in group}
        lost -= {card.suit for card in public if card in deck}
        return {card: Card(card.rank, -1, card.rank_name) for card in deck if card.suit in lost}

    @property
    def _alike(self) -> tuple[tuple[int, ...], ...]:
        return () if self.deck is None else self.deck.alike


def cards_in(value: Any) -> Iterator[Card]:
    """All cards in a value, wherever they are."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from cards_in(one)


def _moved_word(word: Word, order: Cards) -> Word:
    return Word(moved(word.value, order), word.own)


def renamed(words: Sequence[Word], places: Sequence[int], suits: Suits) -> list[Word]:
    """The least of what exchanges make of some words: at these places first, then at the others."""
    rest = [at for at in range(len(words)) if at not in places]

    def key(order: Cards) -> list[Any]:
        return [moved(words[at].value, order) for at in (*places, *rest)]

    best = min(suits.orders, key=key)
    return [_moved_word(word, best) for word in words]


def public_places(lists: Sequence[Sequence[Word]], suits: Suits) -> list[int]:
    """The places at which some lists of words are the same but for their suits."""
    columns = zip(*lists, strict=True)
    return [
        at
        for at, column in enumerate(columns)
        if len({moved(word.value, suits.blind) for word in column}) == 1
    ]
