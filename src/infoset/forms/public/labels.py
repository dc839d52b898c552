"""Labels of the information sets of a public form: unique texts, as trees have them.

A label lists what the player knows (:mod:`infoset.tree.knowledge`). Where a player knows the same
at two sets and has different actions there, the actions are added. Sets that still read alike, as
the number 1 and the text "1" do, are numbered. A form numbers its sets from 1, player one's first;
a tree numbers them in the order of its histories, which a form does not have, so the two
numberings differ.

A form may have millions of information sets. Labels are made one decision at a time; what is kept
are hashes, which find the few labels that occur more than once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from infoset.text import text
from infoset.tree.knowledge import BETWEEN, NOTHING, Word

if TYPE_CHECKING:
    from infoset.forms.public.record import Decision

Place = tuple[int, int]  # a decision, and an information set of it


class PublicLabels(Mapping[str, Place]):
    """One player's labels: from a label to its decision and its place there.

    >>> from infoset.games import kuhn
    >>> dealer = kuhn().public().labels[1]
    >>> sorted(dealer.at(1)), dealer["K, bet"]
    (['J, bet', 'K, bet', 'Q, bet'], (1, 1))
    """

    def __init__(self, decisions: Sequence[Decision], first: int) -> None:
        """``first`` is the number of the first set, counted from 1."""
        self._own = decisions
        self.numbers = first + np.cumsum([0, *map(len, decisions)], dtype=np.int64)[:-1]
        self._texts: dict[tuple[int, bool], tuple[Hashable, str]] = {}

    def at(self, decision: int) -> list[str]:
        """[set] the labels at a decision."""
        special, plain = self._ambiguous[0], map(self._label, self._own[decision].words)
        return [special.get((decision, at), label) for at, label in enumerate(plain)]

    def number(self, decision: int, at: int) -> int | None:
        """The number of a set, counted from 1, if its label needs it to be unique."""
        place = (decision, at)
        return self._number(place) if place in self._ambiguous[1] else None

    def __getitem__(self, label: str) -> Place:
        return self._places[label]

    def __contains__(self, label: object) -> bool:
        return label in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return sum(map(len, self._own))

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {
            label: (number, at)
            for number in range(len(self._own))
            for at, label in enumerate(self.at(number))
        }

    # ------------------------------------------------------------------ making labels unique

    def _label(self, words: Sequence[Word]) -> str:
        return BETWEEN.join(map(self._text, words)) or NOTHING

    def _text(self, word: Word) -> str:
        """The text of a word, cached by identity: 1 equals True and reads differently."""
        key = (id(word.value), word.own)
        if key not in self._texts:  # the value is kept alive, so that its address stays its own
            self._texts[key] = (word.value, str(word))
        return self._texts[key][1]

    @cached_property
    def _ambiguous(self) -> tuple[dict[Place, str], set[Place]]:
        """The labels of sets for which words are not enough; and those that have a number."""
        names, numbered = self._with_actions(), set[Place]()
        while alike := _repeated(names):  # a label with its number may be another set's words
            for place in alike:
                names[place] += f" #{self._number(place)}"
            numbered |= alike
        return names, numbered

    def _with_actions(self) -> dict[Place, str]:
        """The labels that several sets may share, with the actions added as trees do."""
        names = {}
        for label, places in self._candidates().items():
            words = {place: self._own[place[0]].words[place[1]] for place in places}
            often = Counter(words.values())
            for place in places:
                actions = BETWEEN.join(map(text, self._own[place[0]].menu))
                names[place] = f"{label} {{{actions}}}" if often[words[place]] > 1 else label
        return names

    def _candidates(self) -> dict[str, list[Place]]:
        """By label, sets that may read like others: as they are, or with actions or a number."""
        every = (hash(self._label(words)) for one in self._own for words in one.words)
        found, times = np.unique(np.fromiter(every, np.int64, len(self)), return_counts=True)
        often = set(found[times > 1].tolist())
        by_label: dict[str, list[Place]] = {}
        for number, one in enumerate(self._own if often else ()):
            for at, label in enumerate(map(self._label, one.words)):
                if hash(label) in often or label.endswith("}") or " #" in label:
                    by_label.setdefault(label, []).append((number, at))
        return by_label

    def _number(self, place: Place) -> int:
        return int(self.numbers[place[0]]) + place[1]


def _repeated(names: Mapping[Place, str]) -> set[Place]:
    """The places whose names others have too."""
    often = Counter(names.values())
    return {place for place, name in names.items() if often[name] > 1}
