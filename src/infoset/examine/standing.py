"""How a player stands at an information set: how likely, what it expects, what it believes.

What is believed is told by :mod:`infoset.examine.telling`: in the others' own words.

All numbers are exact if the strategies are, and cost what is below the set, not the whole tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.examine.below import nodes_of, values_below
from infoset.examine.telling import Telling
from infoset.linear.numbers import Numbers
from infoset.strategy import Profile
from infoset.strategy.assessment import Assessment
from infoset.tree import Infoset

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Standings:
    """What a profile comes to, looked up set by set."""

    profile: Profile
    assessment: Assessment | None = None  # what is believed where no play comes, if that is known

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
    def weights(self) -> Numbers:
        """[node] how likely nature and the others reach it, or what is believed where they do not.

        The player's own part does not matter: it would know. One who forgets would not.
        """
        profile, infoset = self.all.profile, self.infoset
        number = profile.tree.player_number(infoset.player)
        recalls = bool(profile.tree.recall(infoset.player))
        found = profile.reach(nodes_of(infoset), without=number if recalls else None)
        if found.total or self.all.assessment is None:
            return found
        return self.all.assessment.beliefs[infoset.index]

    @cached_property
    def value(self) -> Any:
        """What the player expects here; None if the others never let it come here.

        Where there is only one node, it does not matter whether they do; nor where it is known what
        the player believes.
        """
        profile, infoset = self.all.profile, self.infoset
        number = profile.tree.player_number(infoset.player)
        nodes = nodes_of(infoset)
        weights = self.weights
        total = weights.total
        met = np.flatnonzero(weights.numerators > 0) if total else np.zeros(1, np.int64)
        if not total and len(nodes) > 1:
            return None
        try:
            values = values_below(profile, nodes[met], number)
        except NotApplicable:  # someone mixes whole plans, and they say nothing about this
            return None
        if not total:
            return values[0]
        pairs = zip(values, weights.take(met).values(), strict=True)
        return sum(value * weight for value, weight in pairs) / total

    def beliefs(self, telling: Telling) -> dict[str, Any] | None:
        """How likely each node is to the player who is here, by its name; None if never here.

        Nodes weigh as nature and the others reach them, so that it does not matter whether the
        player itself lets the play come here.
        """
        total = self.weights.total
        if not total:
            return None
        found: dict[str, Any] = {}
        names = telling.names(self.infoset)
        for name, weight in zip(names, self.weights.values(), strict=True):
            found[name] = found.get(name, 0) + weight / total
        return found
