"""What the agents know at every decision, and the labels of information sets.

For trees grown from rules, the trie of knowledge (:mod:`infoset.rules.knowledge`) is kept as flat
arrays, with the state of every agent at every decision of any player: four bytes an agent. Labels
of information sets are read off it, and public information: what everyone knows, knows that
everyone knows, and so on.

A label lists what the player knows, in the order in which it was learnt: facts as they were
revealed, and in brackets what it did itself. ``Q, [pass], bet`` holds a queen, has passed, and has
seen a bet. Where two information sets of a player would read the same because only the options
differ, the options are added.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from infoset.rules.knowledge import Knowledge
from infoset.rules.moves import Menu
from infoset.rules.position import View
from infoset.text import text
from infoset.tree.views import Views

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Word:
    """One thing that an agent knows: a fact that was revealed to it, or its own choice."""

    value: Hashable  # the fact, or the option taken
    own: bool

    def __str__(self) -> str:
        words = text(self.value)
        return f"[{words}]" if self.own else words or "''"


@dataclass(frozen=True, eq=False, repr=False)
class Knowing:
    """The trie of knowledge, and the states of the agents at each decision."""

    agents: tuple[str, ...]
    player_of: tuple[int, ...]  # [agent]
    at: Ints  # [decision, agent] its state, decisions counted in the order of the nodes
    before: Ints  # [state] the state that it continues; -1 if none
    step: Ints  # [state] the fact that was added; or -1 - infoset, if an option was taken
    facts: Sequence[Hashable]
    state: Ints  # [infoset] the state in which it is met
    after: Ints  # [infoset] the state after its first option; the others follow
    agent: npt.NDArray[np.int8]  # [infoset] who acts
    menu: Ints  # [infoset] an index into menus
    menus: Sequence[Menu]

    def words(self, state: int) -> list[Word]:
        """What is known in a state, in the order in which it was learnt."""
        words: list[Word] = []
        while state >= len(self.agents):  # in the first states an agent knows nothing
            step = int(self.step[state])
            if step >= 0:
                words.append(Word(self.facts[step], own=False))
            else:
                infoset = -1 - step
                option = state - int(self.after[infoset])
                words.append(Word(self.menus[self.menu[infoset]][option], own=True))
            state = int(self.before[state])
        return words[::-1]

    @cached_property
    def informed(self) -> list[int]:
        """The agents that ever observe anything or decide."""
        observing = np.flatnonzero((self.at >= len(self.agents)).any(axis=0)).tolist()
        return sorted({*observing, *self.agent.tolist()})

    @property
    def nbytes(self) -> int:
        """Bytes that all of it takes."""
        arrays = (self.at, self.before, self.step, self.state, self.after, self.agent)
        facts = sys.getsizeof(self.facts) + sum(map(sys.getsizeof, self.facts))
        return facts + sum(array.nbytes for array in arrays)


def knowing(knowledge: Knowledge, at: Ints, menu: Ints, menus: Sequence[Menu]) -> Knowing:
    """The record of a finished trie; ``at`` are the states, decision after decision."""
    seats, offers = knowledge.seats, knowledge.infosets
    return Knowing(
        agents=seats.agents,
        player_of=seats.player_of,
        at=at.reshape(-1, len(seats.agents)),
        before=np.array(knowledge.before, np.int32),
        step=np.array(knowledge.step, np.int32),
        facts=knowledge.facts,
        state=np.array([offer.state for offer in offers], np.int32),
        after=np.array([offer.after for offer in offers], np.int32),
        agent=np.array([offer.agent for offer in offers], np.int8),
        menu=menu,
        menus=menus,
    )


NOTHING = "nothing yet"
BETWEEN = ", "


def knowledge_labels(knowing: Knowing) -> Views[str]:
    """The labels of all information sets of a tree grown from rules, read off the trie."""
    return Views(_Labelling(knowing), len(knowing.state))


class _Labelling:
    """From the number of an information set to its label."""

    def __init__(self, knowing: Knowing) -> None:
        self._knowing = knowing
        of = knowing.player_of
        self._partners = {agent for agent, team in enumerate(of) if of.count(team) > 1}

    def __call__(self, at: int) -> str:
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
    """A view of a position, written like the label of an information set.

    Examples
    --------
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


def labels_of_view(view: Hashable) -> tuple[str, ...]:
    """The labels that an information set may have whose mover has this view of its position.

    Of a game given by rules: what is known, or, where several menus are offered then, that with the
    options. Of an engine: the view as text.

    Examples
    --------
    >>> labels_of_view((("saw", "Q"), ("offered", ("pass", "bet"))))
    ('Q', 'Q {pass, bet}')
    >>> labels_of_view("sees heads")
    ('sees heads',)
    """
    menu = menu_of_view(view)
    if menu is None:
        return (text(view),)
    label = known(view)  # type: ignore[arg-type]
    return label, f"{label} {{{', '.join(map(text, menu))}}}"


def menu_of_view(view: Hashable) -> Menu | None:
    """The options of the mover, which the view of a game given by rules ends with; else None."""
    pairs = isinstance(view, tuple) and all(
        isinstance(step, tuple) and len(step) == 2 and isinstance(step[0], str) for step in view
    )
    if not pairs or not view or view[-1][0] != "offered":  # type: ignore[index]
        return None
    return tuple(view[-1][1])  # type: ignore[index]
