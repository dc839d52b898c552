"""Labels of information sets, read off the trie of knowledge when they are asked for.

A label tells what the player knows, in the order in which it came to know it: facts as they were
revealed, and in brackets what it did itself. ``Q, [pass], bet`` holds a queen, has passed, and
has seen a bet. Where two information sets of a player would read the same because only the options
differ, the options are added.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from infoset.rules.knowledge import Knowledge
from infoset.rules.moves import Menu
from infoset.rules.story import text

Ints = npt.NDArray[np.int32]

NOTHING = "nothing yet"
BETWEEN = ", "


class KnowledgeLabels(Sequence[str]):
    """The labels of all information sets of a tree grown from rules."""

    def __init__(self, knowledge: Knowledge, menu: Ints, menus: Sequence[Menu]) -> None:
        """Keep what labels are made of, in four bytes an entry."""
        offers = knowledge.infosets
        self._agents = knowledge.seats.agents
        of = knowledge.seats.player_of
        self._partners = {agent for agent, team in enumerate(of) if of.count(team) > 1}
        self._before = np.array(knowledge.before, np.int32)
        self._step = np.array(knowledge.step, np.int32)
        self._facts: Sequence[Hashable] = knowledge.facts
        self._state = np.array([offer.state for offer in offers], np.int32)
        self._after = np.array([offer.after for offer in offers], np.int32)
        self._agent = np.array([offer.agent for offer in offers], np.int8)
        self._menu = menu
        self._menus = menus

    def __len__(self) -> int:
        return len(self._state)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        words = BETWEEN.join(self._words(int(self._state[at]))) or NOTHING
        if self._agent[at] in self._partners:
            words = f"{self._agents[self._agent[at]]}: {words}"
        if self._state[at] in self._shared:
            words += f" {{{', '.join(map(text, self._menus[self._menu[at]]))}}}"
        return words

    def _words(self, state: int) -> list[str]:
        """What was learnt up to a state of knowledge, oldest first."""
        words: list[str] = []
        while state >= len(self._agents):  # the first states are those of knowing nothing
            step = int(self._step[state])
            if step >= 0:
                words.append(text(self._facts[step]) or "''")
            else:
                infoset = -1 - step
                option = state - self._after[infoset]
                words.append(f"[{text(self._menus[self._menu[infoset]][option])}]")
            state = int(self._before[state])
        return words[::-1]

    @cached_property
    def _shared(self) -> set[int]:
        """The states of knowledge in which more than one menu is offered."""
        states, counts = np.unique(self._state, return_counts=True)
        return {int(state) for state in states[counts > 1]}

    @property
    def nbytes(self) -> int:
        """Bytes that the labels are made of."""
        arrays = (self._before, self._step, self._state, self._after, self._agent)
        facts = sys.getsizeof(self._facts) + sum(map(sys.getsizeof, self._facts))
        return facts + sum(array.nbytes for array in arrays)
