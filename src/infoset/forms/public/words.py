"""What a player knows at the sets of a decision, as a pattern with gaps.

All sets of a decision know the same facts in the same order, but for some places: gaps, filled with
a card, say, in each set its own. So the words of ten thousand sets are a pattern, a few values for
every gap, and a number for each set and gap. Words and labels are made when they are read, and what
is asked of all of them is computed from the values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.tree.knowledge import Word
from infoset.tree.views import Views
from infoset.vectorized.knowledge import Pattern

Longs = npt.NDArray[np.int64]
Words = Sequence[tuple[Word, ...]]  # [set] what the player knows there


class KnownWords(Sequence[tuple[Word, ...]]):
    """What a player knows at the sets of a decision, made when it is read."""

    def __init__(self, pattern: Pattern, codes: Longs) -> None:
        """The sets with these codes of a line."""
        self.pattern = pattern
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        words = []
        for kind, what in self.pattern.words(int(self.codes[at])):
            if kind == "took":
                words.append(Word(what[0][what[1]], own=True))
            else:
                words.append(Word(what, own=False))
        return tuple(words)


def words_at(words: Words, members: Longs) -> Words:
    """What the player knows at some of the sets."""
    if isinstance(words, KnownWords):
        return KnownWords(words.pattern, words.codes[members])
    return Views(lambda at: words[int(members[at])], len(members))


@dataclass(frozen=True, eq=False)
class DecisionWords:
    """The words of all sets of a decision."""

    pattern: tuple[Word | None, ...]  # [place] None for a gap
    values: tuple[Sequence[Hashable], ...]  # [gap] what it may be filled with
    codes: npt.NDArray[np.integer]  # [set, gap] which of these it is

    def words(self, at: int) -> list[Word]:
        """What the player knows at a set, word by word."""
        filled = iter(self.codes[at].tolist())
        gaps = iter(self.values)
        return [
            Word(next(gaps)[next(filled)], own=False) if word is None else word
            for word in self.pattern
        ]


def decision_words(words: Words, alike: DecisionWords | None = None) -> DecisionWords:
    """The words of a decision's sets: those that all of them share, and the others.

    ``alike`` are those of a decision whose sets know the same in private, if one is known.
    """
    if isinstance(words, KnownWords):
        return _by_line(words, alike)
    lists = [[*own] for own in words]
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
    return DecisionWords(tuple(pattern), tuple(values), table)


def _by_line(words: KnownWords, alike: DecisionWords | None) -> DecisionWords:
    """The same without making any words: a pattern has its gaps marked."""
    known, pattern = words.pattern, list[Word | None]()
    partition = known.partition
    while known.before is not None:
        kind, what = known.last
        if kind == "hidden":
            pattern.append(None)
        else:
            own = kind == "took"
            pattern.append(Word(what[0][what[1]] if own else what, own))
        known = known.before
    if alike is not None:
        return DecisionWords(tuple(pattern[::-1]), alike.values, alike.codes)
    kept = words.codes.tolist()
    views = np.array([partition.views[code] for code in kept], np.int32)
    tables = tuple(fact.table for fact in partition.facts)
    return DecisionWords(
        tuple(pattern[::-1]), tables, views.reshape(len(kept), len(partition.facts))
    )
