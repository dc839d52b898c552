"""Labels of information sets, read off the trie of knowledge when they are asked for.

A label tells what the player knows, in the order in which it came to know it: facts as they were
revealed, and in brackets what it did itself. ``Q, [pass], bet`` holds a queen, has passed, and
has seen a bet. Where two information sets of a player would read the same because only the options
differ, the options are added.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from infoset.rules.story import text
from infoset.rules.walk import View
from infoset.tree.knowing import Knowing, Word

NOTHING = "nothing yet"
BETWEEN = ", "


class KnowledgeLabels(Sequence[str]):
    """The labels of all information sets of a tree grown from rules."""

    def __init__(self, knowing: Knowing) -> None:
        """Read them off the trie."""
        self._knowing = knowing
        of = knowing.player_of
        self._partners = {agent for agent, team in enumerate(of) if of.count(team) > 1}

    def __len__(self) -> int:
        return len(self._knowing.state)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        known = self._knowing
        state, agent = int(known.state[at]), int(known.agent[at])
        words = BETWEEN.join(map(str, known.words(state))) or NOTHING
        if agent in self._partners:
            words = f"{known.agents[agent]}: {words}"
        if state in self._shared:
            words += f" {{{', '.join(map(text, known.menus[known.menu[at]]))}}}"
        return words

    @cached_property
    def _shared(self) -> set[int]:
        """The states of knowledge in which more than one menu is offered."""
        states, counts = np.unique(self._knowing.state, return_counts=True)
        return {int(state) for state in states[counts > 1]}


def known(view: View, words: dict[tuple[str, Hashable], str] | None = None) -> str:
    """What a view says, in the words of a tree's label.

    >>> asked = ("offered", ("pass", "bet"))
    >>> known((("saw", "Q"), asked, ("took", "pass"), ("saw", "bet"), asked)), known((asked,))
    ('Q, [pass], bet', 'nothing yet')
    """
    words = {} if words is None else words
    told = []
    for step in view:
        kind, what = step
        if kind != "offered":
            if step not in words:
                words[step] = str(Word(what, own=kind == "took"))
            told.append(words[step])
    return BETWEEN.join(told) or NOTHING
