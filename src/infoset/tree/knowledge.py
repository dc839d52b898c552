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
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.rules.knowledge import Knowledge
from infoset.rules.moves import Menu
from infoset.rules.position import View
from infoset.text import ranked, text
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.tree.record import Tree

Ints = npt.NDArray[np.int32]
MOST_ORDERED = 20_000  # information sets that are put in order


@dataclass(frozen=True)
class Word:
    """One thing that an agent knows: a fact that was revealed to it, or its own choice."""

    value: Hashable  # the fact, or the option taken
    own: bool

    def __str__(self) -> str:
        return self.spelled(text)

    def spelled(self, text: Callable[[object], str]) -> str:
        """As it reads, with another way to write values."""
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

    def view(self, infoset: int) -> View:
        """What is known at an information set, as the view of a position has it.

        >>> from infoset.games import kuhn
        >>> dealt = kuhn().position().after("Q K")
        >>> tree = kuhn().tree()
        >>> at = tree.find("gambler", "Q").index
        >>> tree.knowing.view(at) == dealt.view("gambler")
        True
        """
        notes: list[tuple[str, Hashable]] = [("offered", self.menus[self.menu[infoset]])]
        state = int(self.state[infoset])
        while state >= len(self.agents):
            step, before = int(self.step[state]), int(self.before[state])
            if step >= 0:
                notes.append(("knows" if before < 0 else "saw", self.facts[step]))
            else:
                menu = self.menus[self.menu[-1 - step]]
                option = state - int(self.after[-1 - step])
                notes += (("took", menu[option]), ("offered", menu))
            state = before
        return tuple(reversed(notes))

    @cached_property
    def fact_numbers(self) -> dict[Hashable, int]:
        """The facts, in the order in which they were revealed to anyone."""
        return {fact: number for number, fact in enumerate(self.facts)}

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


FEW_READ = 1000  # labels that are made one by one; where more are read, all are made at once


def knowledge_labels(knowing: Knowing, spelled: Callable[[object], str] = text) -> Views[str]:
    """The labels of all information sets of a tree grown from rules, read off the trie.

    ``spelled`` is how values are written.
    """
    return _Labels(knowing, spelled)


class _Labels(Views[str]):
    """Labels by the number of the information set.

    What is known in a state begins with what was known in the state before it. So all labels
    together take one step a state, and each by itself as many as it has words.
    """

    def __init__(self, knowing: Knowing, spelled: Callable[[object], str]) -> None:
        super().__init__(self._label, len(knowing.state))
        self._knowing, self._spelled = knowing, spelled
        of = knowing.player_of
        self._partners = {agent for agent, team in enumerate(of) if of.count(team) > 1}
        self._read = 0
        self._every: list[str] | None = None

    def __getitem__(self, index: Any) -> Any:
        if self._every is not None:
            return self._every[index]
        found = super().__getitem__(index)
        self._read += len(found) if isinstance(index, slice) else 1
        if self._read > FEW_READ:
            self._every = self._made()
        return found

    def __iter__(self) -> Iterator[str]:
        if self._every is None:
            self._every = self._made()
        return iter(self._every)

    def _label(self, at: int) -> str:
        words = self._knowing.words(int(self._knowing.state[at]))
        return self._completed(at, BETWEEN.join([one.spelled(self._spelled) for one in words]))

    def _completed(self, at: int, words: str) -> str:
        """The label of a set, from what its player knows."""
        known = self._knowing
        agent = int(known.agent[at]) if self._partners else -1
        words = words or NOTHING
        if agent in self._partners:
            words = f"{known.agents[agent]}: {words}"
        if self._shared and int(known.state[at]) in self._shared:
            words += f" {{{', '.join(map(self._spelled, known.menus[known.menu[at]]))}}}"
        return words

    def _made(self) -> list[str]:
        """All labels."""
        known = self._knowing
        before, word = known.before.tolist(), self._word()
        told = dict.fromkeys(range(-1, len(known.agents)), "")  # by state, what is known in it
        found = []
        for at, state in enumerate(known.state.tolist()):
            path, above = [], state
            while above not in told:
                path.append(above)
                above = before[above]
            words = told[above]
            for later in reversed(path):
                words = f"{words}{BETWEEN}{word(later)}" if words else word(later)
                told[later] = words
            found.append(self._completed(at, words))
        return found

    def _word(self) -> Callable[[int], str]:
        """From a state to the word that was added in it; each is written once."""
        known = self._knowing
        step, after, menu = known.step.tolist(), known.after.tolist(), known.menu.tolist()

        @cache
        def fact(number: int) -> str:
            return Word(known.facts[number], own=False).spelled(self._spelled)

        @cache
        def option(number: int, taken: int) -> str:
            return Word(known.menus[number][taken], own=True).spelled(self._spelled)

        def word(state: int) -> str:
            added = step[state]
            if added >= 0:
                return fact(added)
            return option(menu[-1 - added], state - after[-1 - added])

        return word

    @cached_property
    def _shared(self) -> set[int]:
        """The states of knowledge in which more than one menu is offered."""
        states, counts = np.unique(self._knowing.state, return_counts=True)
        return {int(state) for state in states[counts > 1]}


def infoset_words(tree: Tree, infoset: int) -> list[Word]:
    """What the player knows at an information set, word by word."""
    known = tree.knowing
    if known is not None:
        return known.words(int(known.state[infoset]))
    label = tree.labels[infoset]
    if label == NOTHING or label.startswith(f"{NOTHING} {{"):  # and the options
        return []
    return [Word(part, own=False) for part in (label or f"#{infoset + 1}").split(BETWEEN)]


def order_of_words(rows: Sequence[Sequence[Word]], met: Mapping[Hashable, int]) -> list[int]:
    """The order of lists of words: word by word as :func:`~infoset.text.ranked` has their values.

    Values without an order of their own are in the order in which they were met, by anyone.
    """
    last = len(met)
    ranks = []
    for at in range(max(map(len, rows), default=0)):
        values = dict.fromkeys(row[at].value for row in rows if at < len(row))
        ranks.append(ranked(sorted(values, key=lambda value: met.get(value, last))))
    keys = [tuple(ranks[at][text(word.value)] for at, word in enumerate(row)) for row in rows]
    return sorted(range(len(rows)), key=lambda row: (keys[row], row))


def in_order(tree: Tree, infosets: Sequence[int]) -> list[int]:
    """Information sets in the order of what is known there; those of a player together.

    Very many are as the tree has them.

    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> [tree.labels[at] for at in in_order(tree, [1, 4, 7])]
    ['J, pass', 'Q, pass', 'K, pass']
    """
    if len(infosets) > MOST_ORDERED:
        return list(infosets)
    rows = [infoset_words(tree, at) for at in infosets]
    place = {row: rank for rank, row in enumerate(order_of_words(rows, first_met(tree)))}
    players = tree.infoset_player[list(infosets)].tolist()
    order = sorted(range(len(rows)), key=lambda row: (players[row], place[row]))
    return [infosets[row] for row in order]


def first_met(tree: Tree) -> Mapping[Hashable, int]:
    """The facts that are ever revealed, in the order in which they first are."""
    return {} if tree.knowing is None else tree.knowing.fact_numbers


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
