"""Reach, value and beliefs of a player at an information set, and names for its nodes.

The player cannot distinguish the nodes of an information set. They are named by what the other
agents know in private; and if that is not enough, as no player knows the difference or a file
does not say who does, by the moves in which their histories differ.

All numbers are exact if the strategies are, and cost what is below the set, not the whole tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.situations import NOTHING_PRIVATE, Situation, split_words
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
    """Names for the nodes of a situation's information sets."""

    situation: Situation

    def names(self, infoset: Infoset) -> list[str]:
        """A name for each node of a set; no two are equal, unless their histories read alike."""
        tree, nodes = infoset.tree, infoset.node_indices
        names = self._by_knowledge(nodes)
        for name in {name for name in names if names.count(name) > 1}:
            rows = [at for at, other in enumerate(names) if other == name]
            distinct = distinct_moves(tree, nodes[rows])
            for at in rows:
                history = tree.nodes[int(nodes[at])].history
                moves = [text(history[move][1]) for move in distinct if move < len(history)]
                names[at] = BETWEEN.join([*([name] if name else []), *moves])
        return [name or NOTHING_PRIVATE for name in names]

    def _by_knowledge(self, nodes: Index) -> list[str]:
        """By what the other agents know in private; empty if the tree does not say."""
        known = self.situation.tree.knowing
        if known is None:
            return [""] * len(nodes)
        rows = known.at[np.searchsorted(self._decisions, nodes)]
        known_by = [[self._words[agent, int(row[agent])] for agent in self._others] for row in rows]
        return [BETWEEN.join(filter(None, parts)) for parts in known_by]

    @cached_property
    def _decisions(self) -> Longs:
        return np.flatnonzero(self.situation.tree.player >= 0)

    @cached_property
    def _others(self) -> list[int]:
        """The other agents that observe anything or decide."""
        known = self.situation.tree.knowing
        assert known is not None
        mover = int(known.agent[int(self.situation.found[0])])
        return [agent for agent in known.informed if agent != mover]

    @cached_property
    def _words(self) -> dict[tuple[int, int], str]:
        """By agent and state of knowledge: what it knows in private in this situation."""
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
                private_text = BETWEEN.join(map(str, words))
                if len(self._others) > 1 and private_text:
                    private_text = f"{known.agents[agent]} {private_text}"
                table[agent, state] = private_text
        return table


def distinct_moves(tree: Tree, nodes: Index) -> tuple[int, ...]:
    """The moves of their histories, counted from 0, that are not the same for all of the nodes.

    After the first difference, histories of different lengths differ in all moves.
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
    """[move, node] the node that each move of its history leads to; -1 past the end."""
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
    """Reach, values and beliefs of a profile, set by set."""

    profile: Profile
    assessment: Assessment | None = None  # beliefs at sets that are never reached, if known

    def at(self, infoset: Infoset) -> InfosetExpectation:
        """Reach, value and beliefs at one set."""
        return InfosetExpectation(self, infoset)

    @cached_property
    def infoset_reach(self) -> Floats:
        """[infoset] the probability that it is reached, in floats; every visit counts."""
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
        """The probability that the set is reached."""
        return self.all.profile.infoset_reach(self.infoset)

    @cached_property
    def weights(self) -> Numbers:
        """[node] its counterfactual reach, or the belief given by the assessment if that is 0.

        With imperfect recall, the player's own choices count, too.
        """
        found = self.all.profile.weights(self.infoset)
        if found.total or self.all.assessment is None:
            return found
        return self.all.assessment.beliefs[self.infoset.index]

    @cached_property
    def value(self) -> Any:
        """What the player expects here; None if beliefs are undefined.

        They are defined if the others allow the set, if it has a single node, or if an assessment
        gives them.
        """
        try:
            return self.all.profile.infoset_value(self.infoset, self.weights)
        except NotApplicable:  # a mixed strategy does not define it
            return None

    def beliefs(self, node_names: NodeNames) -> dict[str, Any] | None:
        """The probability of each node given the set, by its name; None if it is undefined."""
        probabilities = normalized(self.weights)
        if probabilities is None:
            return None
        found: dict[str, Any] = {}
        names = node_names.names(self.infoset)
        for name, probability in zip(names, probabilities.values(), strict=True):
            found[name] = found.get(name, 0) + probability
        return found
