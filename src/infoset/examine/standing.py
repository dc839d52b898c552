"""How a player stands at an information set: how likely, what it expects, what it believes.

Beliefs are told in the others' own words: what they know in private, in the situation that everyone
can see. Where a tree does not come from rules, the moves in which the nodes differ tell them apart.

All numbers are exact if the strategies are, and cost what is below the set, not the whole tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.examine.below import nodes_of, values_below
from infoset.examine.situations import Situation
from infoset.examine.wording import split_words
from infoset.rules.story import text
from infoset.strategy import Profile
from infoset.tree import Infoset, Node
from infoset.tree.labels import BETWEEN

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Standings:
    """What a profile comes to, looked up set by set."""

    profile: Profile

    def at(self, infoset: Infoset) -> Standing:
        """How the player stands at a set."""
        return Standing(self, infoset)

    @cached_property
    def infoset_reach(self) -> Floats:
        """[infoset] how likely a play comes there, in floats; every visit counts."""
        tree = self.profile.tree
        start, nodes = tree.members
        reach = self.profile.reach(nodes).floats
        sets = np.repeat(np.arange(len(start) - 1), np.diff(start))
        found: Floats = np.bincount(sets, reach, minlength=len(start) - 1).astype(np.float64)
        return found

    def words(self, situation: Situation) -> Callable[[Node], str]:
        """How the nodes of a situation's sets are told apart: by what the others alone know."""
        tree = self.profile.tree
        known = tree.knowing
        if known is None:
            return _moves_of(situation)
        start, member = tree.members
        nodes = np.concatenate([member[start[at] : start[at + 1]] for at in situation.found])
        rows = known.at[np.searchsorted(self._decisions, nodes)]
        mover = int(known.agent[int(situation.found[0])])
        table: dict[tuple[int, int], str] = {}
        several = len(known.agents) > 2
        for agent in range(len(known.agents)):
            if agent == mover:
                continue
            states = np.unique(rows[:, agent]).tolist()
            lists = [known.words(state) for state in states]
            _, private = split_words(lists)
            for state, words in zip(states, private, strict=True):
                told = BETWEEN.join(map(str, words))
                named = f"{known.agents[agent]} {told}" if several and told else told
                table[agent, state] = named
        others = [agent for agent in range(len(known.agents)) if agent != mover]

        def told_apart(node: Node) -> str:
            row = known.at[int(np.searchsorted(self._decisions, node.index))]
            parts = [table[agent, int(row[agent])] for agent in others]
            return BETWEEN.join(part for part in parts if part)

        return told_apart

    @cached_property
    def _decisions(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero(self.profile.tree.player >= 0)


def _moves_of(situation: Situation) -> Callable[[Node], str]:
    """Nodes told apart by the moves of their plays that are not common to all of the set."""
    common: dict[int, set[tuple[int, Any]]] = {}
    for infoset in situation.infosets:
        plays = [set(enumerate(node.history)) for node in infoset.nodes]
        common[infoset.index] = set.intersection(*plays)

    def told_apart(node: Node) -> str:
        shared = common[node.infoset.index] if node.infoset is not None else set()
        return BETWEEN.join(
            text(move)
            for at, (who, move) in enumerate(node.history)
            if (at, (who, move)) not in shared
        )

    return told_apart


@dataclass(frozen=True, eq=False)
class Standing:
    """One information set under a profile."""

    all: Standings
    infoset: Infoset

    @cached_property
    def reach(self) -> Any:
        """How likely a play comes here."""
        return self.all.profile.infoset_reach(self.infoset)

    @cached_property
    def value(self) -> Any:
        """What the player expects here; None if the others never let it come here.

        Where there is only one node, it does not matter whether they do.
        """
        profile, infoset = self.all.profile, self.infoset
        tree = profile.tree
        number = tree.player_number(infoset.player)
        nodes = nodes_of(infoset)
        recalls = bool(tree.recall(infoset.player))
        weights = profile.reach(nodes, without=number if recalls else None)
        total = weights.total
        if not total:
            return values_below(profile, nodes, number)[0] if len(nodes) == 1 else None
        met = np.flatnonzero(weights.numerators > 0)
        values = values_below(profile, nodes[met], number)
        pairs = zip(values, weights.take(met).values(), strict=True)
        return sum(value * weight for value, weight in pairs) / total

    def beliefs(self, told_apart: Callable[[Node], str]) -> dict[str, Any] | None:
        """How likely the others know what they may know in private; None if never here.

        Nodes weigh as nature and the others reach them, so that it does not matter whether the
        player itself lets the play come here.
        """
        profile, infoset = self.all.profile, self.infoset
        nodes = infoset.nodes
        recalls = bool(profile.tree.recall(infoset.player))
        number = profile.tree.player_number(infoset.player)
        index = np.array([node.index for node in nodes])
        weights = profile.reach(index, without=number if recalls else None)
        total = weights.total
        if not total:
            return None
        found: dict[str, Any] = {}
        for node, weight in zip(nodes, weights.values(), strict=True):
            name = told_apart(node)
            found[name] = found.get(name, 0) + weight / total
        return found
