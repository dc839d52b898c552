"""Information sets that are never reached, and whose mistake it would take to reach them.

A mover excludes a node if its realization weight there is 0: players by their choices, chance by an
outcome of probability 0, as files may have. Of the nodes of a set, those count that the fewest
movers exclude.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.questions.answer import Answer, Subject, asked_about, played
from infoset.analysis.questions.names import label_of
from infoset.analysis.table import PROSE, Column, Sheet, Table
from infoset.linear.numbers import Index
from infoset.rules.moves import CHANCE
from infoset.strategy import Profile
from infoset.strategy.continuation import allows
from infoset.strategy.convert import Given
from infoset.strategy.infosets import Playable
from infoset.text import bounded_text, label_text, names_text
from infoset.tree import Infoset
from infoset.tree.knowledge import in_order
from infoset.tree.views import Views

Way = tuple[str | None, ...]  # who would have to make a mistake; None stands for chance


def mistakes(profile: Profile, nodes: Index) -> tuple[Way, ...]:
    """Who would have to make a mistake for one of the nodes to be reached: the smallest groups.

    Empty if one of the nodes is reached anyway.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, pure, uniform
    >>> tree = kuhn().tree()
    >>> timid = pure(tree, "gambler", dict.fromkeys("JQK", "pass") | {
    ...     f"{card}, [pass], bet": "pass" for card in "JQK"})
    >>> strategies = profile([timid, uniform(tree, "dealer")])
    >>> place = tree.find("dealer", "Q, bet")
    >>> mistakes(strategies, np.array([node.index for node in place]))
    (('gambler',),)
    """
    keeps = np.array([~open_ for open_ in allows(profile, nodes).values()])  # [mover, node]
    fewest = keeps.sum(axis=0)
    ways = keeps[:, fewest == fewest.min()]
    if not ways.any():
        return ()
    names = (None, *profile.tree.names)  # as movers are counted: from CHANCE on
    return tuple(
        tuple(names[at] for at in np.flatnonzero(way)) for way in np.unique(ways.T, axis=0)[::-1]
    )


def unreached_note(profile: Profile, nodes: Index, own: str | None = None) -> str:
    """The same in a sentence; empty if one of them is reached. ``own`` is who moves there."""
    ways = mistakes(profile, nodes)
    if not ways:
        return ""
    if own is not None and ways == ((own,),):
        return f"never reached: {label_text(own)} itself avoids it"
    return f"never reached: it would take {mistakes_text(ways)}"


def mistakes_text(ways: tuple[Way, ...]) -> str:
    """Whose mistakes it would take, in words.

    >>> mistakes_text((("ann",), ("bob", None)))
    'a mistake of ann or a mistake of bob and a chance of probability 0'
    """
    return " or ".join(map(_who, ways))


def _who(way: Way) -> str:
    players = [name for name in way if name is not None]
    parts = [f"a mistake of {names_text(players)}"] if players else []
    return " and ".join(parts + ["a chance of probability 0"] * (None in way))


assert CHANCE == -1  # the order of names above rests on it


OWN = "own"  # only the player's own choices exclude it
OTHERS = "others"  # only the others' choices do, or chance
BOTH = "both"

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class UnreachedInfoset:
    """An information set that is never reached."""

    infoset: Infoset
    by: str  # whose choices exclude it: "own", "others" or "both"
    mistakes: tuple[Way, ...]  # who would have to make a mistake: the smallest groups


@dataclass(frozen=True, repr=False)
class Unreached(Answer):
    """All information sets that are never reached."""

    count: int  # of all information sets of the game
    sets: Sequence[UnreachedInfoset]  # made when they are looked at
    by: dict[str, int]  # how many are excluded by own choices, by the others', by both

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"unreached": len(self.sets), "infosets": self.count, **self.by}

    @property
    def table(self) -> Sheet:
        """How many there are, then a row for each."""

        def row(at: int) -> tuple[Any, ...]:
            one = self.sets[at]
            return (
                bounded_text(one.infoset.player),
                label_of(one.infoset),
                mistakes_text(one.mistakes),
            )

        columns = (Column("player"), Column("information set"), Column("it would take", PROSE))
        facts = (
            ("never reached", f"{len(self.sets):,} of {self.count:,} information sets"),
            ("by own choice", f"{self.by[OWN]:,}"),
            ("by the others", f"{self.by[OTHERS]:,}"),
            ("by both", f"{self.by[BOTH]:,}"),
        )
        shown = [Table("", columns, Views(row, len(self.sets)))] if len(self.sets) else []
        return Sheet("never reached", shown, facts if len(self.sets) else facts[:1])


def unreached(subject: Subject | Given, *, game: Playable | None = None) -> Unreached:
    """The information sets that are never reached, and whose choices exclude them.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Unreached
        How many there are, and for each of them whose mistakes it would take to reach it.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, pure, uniform
    >>> tree = kuhn().tree()
    >>> bold = pure(tree, "gambler", dict.fromkeys("JQK", "bet"))
    >>> answer = unreached(profile([bold, uniform(tree, "dealer")]))
    >>> len(answer.sets), answer.by
    (6, {'own': 3, 'others': 3, 'both': 0})
    >>> answer.sets[0].infoset, answer.sets[0].mistakes
    (<Infoset #3: gambler: J, [pass], bet, 2 nodes>, (('gambler',),))
    """
    subject = asked_about(subject, game)
    profile = played(subject)
    tree = profile.tree
    own, others, reached = _reached(profile)
    missed = in_order(tree, np.flatnonzero(~reached).tolist())
    kinds = {
        OWN: ~own & others,
        OTHERS: own & ~others,
        BOTH: ~reached,  # of several that hold, the first counts
    }
    kind = np.select(list(kinds.values()), list(kinds), "")

    def look(at: int) -> UnreachedInfoset:
        infoset = tree.infosets[missed[at]]
        ways = mistakes(profile, infoset.node_indices)
        return UnreachedInfoset(infoset, str(kind[missed[at]]), ways)

    counts = {name: int((kind[missed] == name).sum()) for name in kinds}
    return Unreached(len(reached), Views(look, len(missed)), counts)


def _reached(profile: Profile) -> tuple[Mask, Mask, Mask]:
    """[infoset] do own choices allow it? Those of the others? And both, at one node?"""
    tree = profile.tree
    start, nodes = tree.members
    if not len(nodes):
        return (np.zeros(0, np.bool_),) * 3
    open_ = allows(profile, nodes)
    owner = tree.player[nodes]
    own = np.ones(len(nodes), np.bool_)
    others = np.ones(len(nodes), np.bool_)
    for mover, allowed in open_.items():
        own &= allowed | (owner != mover)
        others &= allowed | (owner == mover)
    return (
        np.logical_or.reduceat(own, start[:-1]),
        np.logical_or.reduceat(others, start[:-1]),
        np.logical_or.reduceat(own & others, start[:-1]),
    )
