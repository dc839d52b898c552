"""How the nodes of an information set are told apart, in words.

To the player who is there they are all the same. To us they differ in what the other agents know in
private, told in their own words; and where that is not enough, since nobody knows it or nobody
wrote it down, in the moves of their plays.

How a player stands at an information set: how likely, what it expects, what it believes.

What is believed is told by :mod:`infoset.analysis.expectations`: in the others' own words.

All numbers are exact if the strategies are, and cost what is below the set, not the whole tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.situations import NOTHING_PRIVATE, Situation, informed_agents, split_words
from infoset.errors import NotApplicable
from infoset.linear.numbers import Index, Numbers
from infoset.rules.moves import CHANCE
from infoset.strategy import Profile
from infoset.strategy.assessment import Assessment
from infoset.strategy.profile import normalized
from infoset.text import text
from infoset.tree import Infoset, Tree
from infoset.tree.knowledge import BETWEEN

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NodeNames:
    """The words for the nodes of a situation's information sets."""

    situation: Situation

    def names(self, infoset: Infoset) -> list[str]:
        """A name for each node of a set; no two alike, unless their plays read alike."""
        tree, nodes = infoset.tree, infoset.node_indices
        names = self._by_knowledge(nodes)
        for name in {name for name in names if names.count(name) > 1}:
            rows = [at for at, other in enumerate(names) if other == name]
            apart = distinct_moves(tree, nodes[rows])
            for at in rows:
                history = tree.nodes[int(nodes[at])].history
                moves = [text(history[move][1]) for move in apart if move < len(history)]
                names[at] = BETWEEN.join([*([name] if name else []), *moves])
        return [name or NOTHING_PRIVATE for name in names]

    def _by_knowledge(self, nodes: Index) -> list[str]:
        """By what the other agents know in private; nothing where no rules told it."""
        known = self.situation.tree.knowing
        if known is None:
            return [""] * len(nodes)
        rows = known.at[np.searchsorted(self._decisions, nodes)]
        told = [[self._words[agent, int(row[agent])] for agent in self._others] for row in rows]
        return [BETWEEN.join(part for part in parts if part) for parts in told]

    @cached_property
    def _decisions(self) -> Longs:
        return np.flatnonzero(self.situation.tree.player >= 0)

    @cached_property
    def _others(self) -> list[int]:
        """The agents that are told anything, or decide, beside the one who moves."""
        known = self.situation.tree.knowing
        assert known is not None
        mover = int(known.agent[int(self.situation.found[0])])
        return [agent for agent in informed_agents(known) if agent != mover]

    @cached_property
    def _words(self) -> dict[tuple[int, int], str]:
        """By agent and state: what it knows in private, wherever the situation may be."""
        tree = self.situation.tree
        known = tree.knowing
        assert known is not None
        start, member = tree.members
        nodes = np.concatenate([member[start[at] : start[at + 1]] for at in self.situation.found])
        rows = known.at[np.searchsorted(self._decisions, nodes)]
        table: dict[tuple[int, int], str] = {}
        for agent in self._others:
            states = np.unique(rows[:, agent]).tolist()
            _, private = split_words([known.words(state) for state in states])
            for state, words in zip(states, private, strict=True):
                told = BETWEEN.join(map(str, words))
                if len(self._others) > 1 and told:
                    told = f"{known.agents[agent]} {told}"
                table[agent, state] = told
        return table


def distinct_moves(tree: Tree, nodes: Index) -> tuple[int, ...]:
    """Which moves of their plays, counted from 0, are not the same for all of the nodes.

    Once plays of different length differ, all that follows is told.
    """
    paths = _paths(tree, nodes)
    depth = (paths >= 0).sum(axis=0)
    shortest = int(depth.min())
    differing = [at for at in range(shortest) if not _same_move(tree, paths[at])]
    if (depth == shortest).all():
        return tuple(differing)
    first = differing[0] if differing else shortest
    return tuple(range(first, len(paths)))


def _paths(tree: Tree, nodes: Index) -> Longs:
    """[move, node] the node that each move of its play leads to; -1 past the end."""
    steps: list[Longs] = []
    at = np.asarray(nodes, np.int64)
    while (at > 0).any():
        steps.append(at)
        at = np.where(at > 0, tree.parent[np.maximum(at, 0)], -1).astype(np.int64)
    above = np.array(steps, np.int64).reshape(len(steps), len(nodes))  # last moves first
    length = (above > 0).sum(axis=0)
    move = np.arange(len(steps))[:, None]
    found = above[np.clip(length - 1 - move, 0, None), np.arange(len(nodes))]
    return np.where(move < length, found, -1)


def _same_move(tree: Tree, after: Longs) -> bool:
    """Do all of these nodes come from moves that read the same?"""
    above = tree.parent[after]
    kinds = np.stack((tree.player[above], tree.infoset[above], tree.action[after]), axis=1)
    _, first = np.unique(kinds, axis=0, return_index=True)
    read = set()
    for at in first.tolist():
        node = int(after[at])
        mover = int(tree.player[above[at]])
        read.add((mover if mover >= 0 else CHANCE, text(tree.nodes[node].action)))
        if len(read) > 1:
            return False
    return True


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Expectations:
    """What a profile comes to, looked up set by set."""

    profile: Profile
    assessment: Assessment | None = None  # what is believed where no play comes, if that is known

    def at(self, infoset: Infoset) -> InfosetExpectation:
        """How the player stands at a set."""
        return InfosetExpectation(self, infoset)

    @cached_property
    def infoset_reach(self) -> Floats:
        """[infoset] how likely a play comes there, in floats; every visit counts."""
        tree = self.profile.tree
        start, nodes = tree.members
        reach = self.profile.reach(nodes).floats
        sets = np.repeat(np.arange(len(start) - 1), np.diff(start))
        found: Floats = np.bincount(sets, reach, minlength=len(start) - 1).astype(np.float64)
        return found


@dataclass(frozen=True, eq=False)
class InfosetExpectation:
    """One information set under a profile."""

    all: Expectations
    infoset: Infoset

    @cached_property
    def reach(self) -> Any:
        """How likely a play comes here."""
        return self.all.profile.infoset_reach(self.infoset)

    @cached_property
    def weights(self) -> Numbers:
        """[node] how likely nature and the others reach it, or what is believed where they do not.

        The player's own part does not matter: it would know. One who forgets would not.
        """
        found = self.all.profile.weights(self.infoset)
        if found.total or self.all.assessment is None:
            return found
        return self.all.assessment.beliefs[self.infoset.index]

    @cached_property
    def value(self) -> Any:
        """What the player expects here; None if the others never let it come here.

        Where there is only one node, it does not matter whether they do; nor where it is known what
        the player believes.
        """
        try:
            return self.all.profile.infoset_value(self.infoset, self.weights)
        except NotApplicable:  # someone mixes whole plans, and they say nothing about this
            return None

    def beliefs(self, telling: NodeNames) -> dict[str, Any] | None:
        """How likely each node is to the player who is here, by its name; None if never here.

        Nodes weigh as nature and the others reach them, so that it does not matter whether the
        player itself lets the play come here.
        """
        shares = normalized(self.weights)
        if shares is None:
            return None
        found: dict[str, Any] = {}
        names = telling.names(self.infoset)
        for name, share in zip(names, shares.values(), strict=True):
            found[name] = found.get(name, 0) + share
        return found
