"""Labels of the information sets of a public form: unique texts, as trees have them.

A label lists what the player knows (:mod:`infoset.tree.knowledge`). Where a player knows the same
at two sets and has different actions there, the actions are added. Sets that still read alike, as
the number 1 and the text "1" do, are numbered. A form numbers its sets from 1, player one's first;
a tree numbers them in the order of its histories, which a form does not have, so the two
numberings differ.

A form may have millions of information sets, whose labels are put together from a few texts
(:mod:`infoset.forms.public.words`). None is made before it is read. What is computed of all are
polynomial hashes of their characters: with c_1 … c_n the characters and B a constant,

    h(label) = c_1 B^(n-1) + … + c_n  mod 2^64,    h(xy) = h(x) B^|y| + h(y),

so the hashes of a decision's labels are a few operations on arrays. They find the set that has a
label, and the few labels that occur more than once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from infoset.forms.public.words import DecisionWords, KnownWords, decision_words
from infoset.text import label_among, ranked, text
from infoset.tree.knowledge import BETWEEN, NOTHING, Word

if TYPE_CHECKING:
    from infoset.forms.public.record import Decision

Place = tuple[int, int]  # a decision, and an information set of it
Hashes = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.integer]
Truths = npt.NDArray[np.bool_]

BASE, MODULUS = 0x9E3779B97F4A7C15, 1 << 64  # an odd number, so that its powers do not vanish


@dataclass(frozen=True, eq=False)
class Texts:
    """Some texts, and what is known of them."""

    texts: Sequence[str]
    hashes: Hashes
    powers: Hashes  # [text] B to its length
    marked: Truths  # [text] might it end in actions or a number, as labels that need them do?

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        """Of these texts."""
        return cls(
            texts,
            np.array([polynomial(one) for one in texts], np.uint64),
            np.array([pow(BASE, len(one), MODULUS) for one in texts], np.uint64),
            np.array([one.endswith("}") or "#" in one for one in texts], bool),
        )


def polynomial(words: str) -> int:
    """The hash of a text.

    >>> polynomial("a") == ord("a"), polynomial("ab") == (ord("a") * BASE + ord("b")) % MODULUS
    (True, True)
    """
    found = 0
    for sign in words:
        found = (found * BASE + ord(sign)) % MODULUS
    return found


@dataclass(frozen=True, eq=False)
class DecisionLabels:
    """The labels at a decision, before any two are made different: texts one after the other."""

    size: int
    pieces: tuple[tuple[Texts, Codes], ...]  # texts, and [set] which of them

    def label(self, at: int) -> str:
        """The label of a set."""
        return "".join([texts.texts[codes[at]] for texts, codes in self.pieces])

    def labels(self) -> list[str]:
        """[set] all labels."""
        columns = [[texts.texts[code] for code in codes.tolist()] for texts, codes in self.pieces]
        return list(map("".join, zip(*columns, strict=True)))

    def hashes(self) -> Hashes:
        """[set] the hash of its label."""
        found = np.zeros(self.size, np.uint64)
        for texts, codes in self.pieces:
            found = found * texts.powers[codes] + texts.hashes[codes]
        return found

    def marked(self) -> Truths:
        """[set] might its label end in actions or a number?"""
        found = np.zeros(self.size, bool)
        for texts, codes in self.pieces:
            found |= texts.marked[codes]
        return found


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
        self._first = self.numbers - first
        self._values: dict[int, tuple[Sequence[object], Texts]] = {}
        self._places: dict[int, tuple[Sequence[object], Codes]] = {}
        self._words: dict[int, DecisionWords] = {}
        self._alike: dict[tuple[int, int], DecisionWords] = {}  # by what the sets are found by
        self._plain: dict[int, DecisionLabels] = {}

    def at(self, decision: int) -> list[str]:
        """[set] the labels at a decision."""
        labels = self._decision(decision).labels()
        for at, label in self._special_at.get(decision, {}).items():
            labels[at] = label
        return labels

    def label(self, decision: int, at: int) -> str:
        """The label of one set."""
        special = self._ambiguous[0].get((decision, at))
        return self._decision(decision).label(at) if special is None else special

    def words(self, decision: int) -> DecisionWords:
        """What the player knows at the sets of a decision."""
        if decision not in self._words:
            words = self._own[decision].words
            key = (id(words), 0)
            if isinstance(words, KnownWords):
                key = (id(words.pattern.partition), id(words.codes))
            found = decision_words(words, self._alike.get(key))
            self._words[decision] = self._alike[key] = found
        return self._words[decision]

    def order(self, decision: int) -> Codes:
        """The sets of a decision in the order of what is known there."""
        told = self.words(decision)
        ranks = [self._ranks(own)[told.codes[:, gap]] for gap, own in enumerate(told.values)]
        return np.lexsort(ranks[::-1]) if ranks else np.arange(len(told.codes))

    def _ranks(self, values: Sequence[object]) -> Codes:
        """[value] its place in the order of what fills a gap."""
        key = id(values)
        if key not in self._places:
            rank = {own or "''": place for own, place in ranked(values).items()}
            places = np.array([rank[own] for own in self._texts(values).texts], np.int64)
            self._places[key] = (values, places)
        return self._places[key][1]

    def number(self, decision: int, at: int) -> int | None:
        """The number of a set, counted from 1, if its label needs it to be unique."""
        place = (decision, at)
        return self._number(place) if place in self._ambiguous[1] else None

    def __getitem__(self, label: str) -> Place:
        found = self._find(label)
        if found is None:
            raise KeyError(label)
        return found

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self._find(label) is not None

    def __iter__(self) -> Iterator[str]:
        for number in range(len(self._own)):
            yield from self.at(number)

    def __len__(self) -> int:
        return sum(map(len, self._own))

    def _find(self, label: str) -> Place | None:
        """The set with this label, if there is one; a ten may be T, as it is shown."""
        found = self._spelled(label)
        if found is None and (words := label_among(label, ())) != label:
            found = self._spelled(words)
        return found

    def _spelled(self, label: str) -> Place | None:
        special = self._special.get(label)
        if special is not None:
            return special
        order, hashes = self._sorted
        sought = np.uint64(polynomial(label))
        for at in range(*(int(np.searchsorted(hashes, sought, s)) for s in ("left", "right"))):
            place = self._place(int(order[at]))
            if self.label(*place) == label:
                return place
        return None

    def _place(self, number: int) -> Place:
        """The decision and the set there, of a set counted from 0."""
        decision = int(np.searchsorted(self._first, number, side="right")) - 1
        return decision, number - int(self._first[decision])

    # ------------------------------------------------------------------ putting labels together

    def _decision(self, number: int) -> DecisionLabels:
        if number not in self._plain:
            self._plain[number] = self._put_together(number)
        return self._plain[number]

    def _put_together(self, number: int) -> DecisionLabels:
        words, size = self._own[number].words, len(self._own[number])
        if not isinstance(words, KnownWords):  # written by hand: each label a text of its own
            every = [BETWEEN.join(map(str, own)) or NOTHING for own in words]
            return DecisionLabels(size, ((Texts.of(every), np.arange(size)),))
        told = self.words(number)
        pieces, plain, gap = [], [], 0
        for at, word in enumerate(told.pattern):
            between = BETWEEN if at else ""
            if word is not None:
                plain.append(f"{between}{word}")
                continue
            plain.append(between)
            pieces.append(_constant("".join(plain), size))
            pieces.append((self._texts(told.values[gap]), told.codes[:, gap]))
            plain, gap = [], gap + 1
        pieces.append(_constant("".join(plain) if told.pattern else NOTHING, size))
        return DecisionLabels(size, tuple(pieces))

    def _texts(self, values: Sequence[object]) -> Texts:
        """The texts of what fills a gap; many decisions have the same."""
        key = id(values)
        if key not in self._values:  # the values are kept, so that no others come to their address
            texts = [str(Word(value, own=False)) for value in values]
            self._values[key] = (values, Texts.of(texts))
        return self._values[key][1]

    @cached_property
    def _sorted(self) -> tuple[Codes, Hashes]:
        """The numbers of all sets, from 0, in the order of their hashes; and these."""
        parts = [self._decision(number).hashes() for number in range(len(self._own))]
        hashes = np.concatenate([np.zeros(0, np.uint64), *parts])
        order = np.argsort(hashes, kind="stable")
        return order, hashes[order]

    # ------------------------------------------------------------------ making labels unique

    @cached_property
    def _special(self) -> dict[str, Place]:
        """By label, the sets for which words are not enough."""
        return {label: place for place, label in self._ambiguous[0].items()}

    @cached_property
    def _special_at(self) -> dict[int, dict[int, str]]:
        """The same by decision and set."""
        found: dict[int, dict[int, str]] = {}
        for (decision, at), label in self._ambiguous[0].items():
            found.setdefault(decision, {})[at] = label
        return found

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
        order, hashes = self._sorted
        same = hashes[1:] == hashes[:-1]
        often = np.zeros(len(order), bool)
        often[order[1:][same]] = often[order[:-1][same]] = True
        by_label: dict[str, list[Place]] = {}
        for number, first in enumerate(self._first.tolist() if same.any() else ()):
            own = self._decision(number)
            kept = often[first : first + own.size] | own.marked()
            for at in np.flatnonzero(kept).tolist():
                by_label.setdefault(own.label(at), []).append((number, at))
        return by_label

    def _number(self, place: Place) -> int:
        return int(self.numbers[place[0]]) + place[1]


def _constant(words: str, size: int) -> tuple[Texts, Codes]:
    """A text that all labels of a decision have."""
    return Texts.of([words]), np.broadcast_to(np.int64(0), size)


def _repeated(names: Mapping[Place, str]) -> set[Place]:
    """The places whose names others have too."""
    often = Counter(names.values())
    return {place for place, name in names.items() if often[name] > 1}
