"""Whose mistake it would take to come where no play comes.

A mover keeps the play from a node if its part in reaching it is 0: the players by what they choose,
nature by a chance of probability 0 that a file wrote down. Of the nodes of a set, those count that
the fewest movers keep the play from.
"""

from __future__ import annotations

import numpy as np

from infoset.examine.below import lets
from infoset.examine.questions.subject import listed
from infoset.examine.tables.safe import shown
from infoset.linear.numbers import Index
from infoset.rules.columns import CHANCE
from infoset.strategy import Profile

Way = tuple[str | None, ...]  # who errs; None stands for nature


def mistakes(profile: Profile, nodes: Index) -> tuple[Way, ...]:
    """Who would have to err for the play to come to one of the nodes: each way with the fewest.

    Empty where the play comes to one of them anyway.

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
    keeps = np.array([~open_ for open_ in lets(profile, nodes).values()])  # [mover, node]
    fewest = keeps.sum(axis=0)
    ways = keeps[:, fewest == fewest.min()]
    if not ways.any():
        return ()
    names = (None, *profile.tree.names)  # as movers are counted: from CHANCE on
    return tuple(
        tuple(names[at] for at in np.flatnonzero(way)) for way in np.unique(ways.T, axis=0)[::-1]
    )


def blame(profile: Profile, nodes: Index, own: str | None = None) -> str:
    """The same in a sentence; empty where the play comes there. ``own`` is who moves there."""
    ways = mistakes(profile, nodes)
    if not ways:
        return ""
    if own is not None and ways == ((own,),):
        return f"no play comes here: {shown(own)} itself keeps away from it"
    return f"no play comes here: it would take {ways_in_words(ways)}"


def ways_in_words(ways: tuple[Way, ...]) -> str:
    """Who would have to err.

    >>> ways_in_words((("ann",), ("bob", None)))
    'a mistake of ann or a mistake of bob and a chance of probability 0'
    """
    return " or ".join(map(_who, ways))


def _who(way: Way) -> str:
    players = [name for name in way if name is not None]
    parts = [f"a mistake of {listed(players)}"] if players else []
    return " and ".join(parts + ["a chance of probability 0"] * (None in way))


assert CHANCE == -1  # the order of names above rests on it
