"""Information sets that no play comes to, and by whose choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.examine.below import lets, nodes_of
from infoset.examine.questions.mistakes import Way, mistakes, ways_in_words
from infoset.examine.questions.places import label_of
from infoset.examine.questions.subject import Answer, Subject, in_rows, played
from infoset.examine.tables import PROSE, Column, Sheet, Table
from infoset.strategy import Profile
from infoset.tree import Infoset
from infoset.tree.views import Views

OWN = "own"  # only the player's own choices keep it away
OTHERS = "others"  # only the others' choices do, or nature
BOTH = "both"

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Missed:
    """An information set that no play comes to."""

    infoset: Infoset
    by: str  # whose choices keep it from being reached: "own", "others" or "both"
    mistakes: tuple[Way, ...]  # who would have to err: the ways that take the fewest


@dataclass(frozen=True, repr=False)
class Unreached(Answer):
    """All information sets that no play comes to."""

    count: int  # of all sets of the game
    sets: Sequence[Missed]  # made when they are looked at
    by: dict[str, int]  # how many are missed by own choices, by the others', by both

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"unreached": len(self.sets), "infosets": self.count, **self.by}

    @property
    def table(self) -> Sheet:
        """How many there are, then a row for each."""

        def row(at: int) -> tuple[Any, ...]:
            one = self.sets[at]
            return in_rows(one.infoset.player), label_of(one.infoset), ways_in_words(one.mistakes)

        columns = (Column("player"), Column("information set"), Column("it would take", PROSE))
        facts = (
            ("never reached", f"{len(self.sets):,} of {self.count:,} information sets"),
            ("by own choice", f"{self.by[OWN]:,}"),
            ("by the others", f"{self.by[OTHERS]:,}"),
            ("by both", f"{self.by[BOTH]:,}"),
        )
        shown = [Table("", columns, Views(row, len(self.sets)))] if len(self.sets) else []
        return Sheet("never reached", shown, facts if len(self.sets) else facts[:1])


def unreached(subject: Subject) -> Unreached:
    """The information sets that no play comes to: how many, which, and whose choice that is.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, pure, uniform
    >>> tree = kuhn().tree()
    >>> bold = pure(tree, "gambler", dict.fromkeys("JQK", "bet"))
    >>> answer = unreached(profile([bold, uniform(tree, "dealer")]))
    >>> len(answer.sets), answer.by
    (6, {'own': 3, 'others': 3, 'both': 0})
    >>> answer.sets[0]
    Missed(infoset=<Infoset #2: dealer: Q, pass, 2 nodes>, by='others', mistakes=(('gambler',),))
    """
    profile = played(subject)
    tree = profile.tree
    own, others, reached = _comes(profile)
    missed = np.flatnonzero(~reached)
    kinds = {
        OWN: ~own & others,
        OTHERS: own & ~others,
        BOTH: ~reached,  # of several that hold, the first counts
    }
    kind = np.select(list(kinds.values()), list(kinds), "")

    def look(at: int) -> Missed:
        infoset = tree.infosets[int(missed[at])]
        ways = mistakes(profile, nodes_of(infoset))
        return Missed(infoset, str(kind[missed[at]]), ways)

    counts = {name: int((kind[missed] == name).sum()) for name in kinds}
    return Unreached(len(reached), Views(look, len(missed)), counts)


def _comes(profile: Profile) -> tuple[Mask, Mask, Mask]:
    """[infoset] do own choices let the play come there? the others'? and both, at one node?"""
    tree = profile.tree
    start, nodes = tree.members
    if not len(nodes):
        return (np.zeros(0, np.bool_),) * 3
    open_ = lets(profile, nodes)
    owner = tree.player[nodes]
    own = np.ones(len(nodes), np.bool_)
    others = np.ones(len(nodes), np.bool_)
    for mover, lets_in in open_.items():
        own &= lets_in | (owner != mover)
        others &= lets_in | (owner == mover)
    return (
        np.logical_or.reduceat(own, start[:-1]),
        np.logical_or.reduceat(others, start[:-1]),
        np.logical_or.reduceat(own & others, start[:-1]),
    )
