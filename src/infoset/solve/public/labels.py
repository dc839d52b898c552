"""The information sets of a public form by what the player knows, in words: no two read alike.

Labels are those of trees (:mod:`infoset.tree.labels`): where a player knows the same and may do
different things, the options are added. What still reads alike, as the number 1 and the text "1"
do, gets a number: that of the set, as the form counts those of player one, then of player two. A
tree counts in the order of its plays, which a form does not have; so the numbers are others.

A form may have millions of sets. Their labels are made a decision at a time; kept are hashes, by
which to find the few that read like others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from infoset.errors import StrategyError
from infoset.forms.public.record import Longs, PublicForm
from infoset.rules.story import brief, text
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN, NOTHING

if TYPE_CHECKING:
    from infoset.solve.public.solution import PublicSolution

Place = tuple[int, int]  # a decision, and a set there


class Labelled(Mapping[str, Mapping[Hashable, float]]):
    """A player's strategy by what it knows.

    >>> from infoset.forms.public import public_form
    >>> from infoset.games import kuhn
    >>> from infoset.solve.public.front import solve_public
    >>> dealer = Labelled(solve_public(public_form(kuhn())), 1)
    >>> sorted(dealer.labels(1)), dealer["Q, bet"]["bet"]
    (['J, bet', 'K, bet', 'Q, bet'], 0.3333333333333333)
    """

    def __init__(self, solution: PublicSolution, player: int) -> None:
        """Of a solution, and one of its players."""
        self._solution, self._player = solution, player
        self._own = solution.form.decisions[player]
        self._texts: dict[tuple[int, bool], tuple[Hashable, str]] = {}

    def labels(self, decision: int) -> list[str]:
        """[set] the labels at a decision; no other set has one of them."""
        told, plain = self._told_apart[0], map(self._label, self._own[decision].words)
        return [told.get((decision, at), label) for at, label in enumerate(plain)]

    def number(self, decision: int, at: int) -> int | None:
        """The number of a set, counted from 1, if it is told apart by that."""
        place = (decision, at)
        return self._number(place) if place in self._told_apart[1] else None

    # ------------------------------------------------------------------ as a mapping

    def __getitem__(self, label: str) -> Mapping[Hashable, float]:
        if label not in self._places:
            name = brief(self._solution.form.players[self._player])
            raise StrategyError(f"{name} has no information set {label!r:.80}; list() names them")
        number, at = self._places[label]
        shares = self._solution.shares(self._player, number)[:, at].tolist()
        return dict(zip(self._own[number].menu, shares, strict=True))

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
            for at, label in enumerate(self.labels(number))
        }

    # ------------------------------------------------------------------ how sets read

    def _label(self, words: Sequence[Word]) -> str:
        return BETWEEN.join(map(self._text, words)) or NOTHING

    def _text(self, word: Word) -> str:
        """How a word reads: by the object that it is, for 1 equals True and reads otherwise."""
        key = (id(word.value), word.own)
        if key not in self._texts:  # the value is kept, so that no other comes to its address
            self._texts[key] = (word.value, str(word))
        return self._texts[key][1]

    @cached_property
    def _told_apart(self) -> tuple[dict[Place, str], set[Place]]:
        """The labels of sets for which words are not enough; and those that have a number."""
        names, numbered = self._with_options(), set[Place]()
        while alike := _alike(names):  # with its number, too, a label may be another's words
            for place in alike:
                names[place] += f" #{self._number(place)}"
            numbered |= alike
        return names, numbered

    def _with_options(self) -> dict[Place, str]:
        """The labels that several sets have, or might have then; options are added as in trees."""
        names = {}
        for label, places in self._suspects().items():
            words = {place: self._own[place[0]].words[place[1]] for place in places}
            often = Counter(words.values())
            for place in places:
                options = BETWEEN.join(map(text, self._own[place[0]].menu))
                names[place] = f"{label} {{{options}}}" if often[words[place]] > 1 else label
        return names

    def _suspects(self) -> dict[str, list[Place]]:
        """By label, sets that may read like others: as they are, or with options or a number."""
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
        return int(self._first[place[0]]) + place[1]

    @cached_property
    def _first(self) -> Longs:
        return first_numbers(self._solution.form, self._player)


def first_numbers(form: PublicForm, player: int) -> Longs:
    """[decision] the number of its first set; they count on from 1 through those of player one."""
    before = 1 + (form.infosets[0] if player else 0)
    return before + np.cumsum([0, *map(len, form.decisions[player])], dtype=np.int64)[:-1]


def _alike(names: Mapping[Place, str]) -> set[Place]:
    """The places whose names others have too."""
    often = Counter(names.values())
    return {place for place, name in names.items() if often[name] > 1}
