"""How information sets read when no tree has labels for them: as the tree's labels would.

What a mover knows is in its view. The view of a game given by its rules lists facts, menus and
options taken, in order; without the menus, that is the label (:mod:`infoset.tree.labels`). The view
of a tree's position is the number of an information set, and that of an engine is what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from infoset.rules.seats import Seats
from infoset.rules.story import text
from infoset.rules.walk import View
from infoset.solve.sampled.spelling import Key, Reading
from infoset.tree import Tree
from infoset.tree.labels import known


@dataclass(frozen=True)
class Labels:
    """How the information sets of one game read."""

    label: Callable[[str, Any], str]  # of a mover and its view
    number: Callable[[Any], int | None] = lambda view: None  # in the tree, of a view
    state: Callable[[str, Any], Hashable] = lambda mover, view: None

    def read(self, key: Key) -> Reading:
        """How a set reads; options are not added yet, though the state may tell that they must."""
        mover, view, options = key
        return Reading(self.label(mover, view), options, self.number(view), self.state(mover, view))


def labels_of_rules(seats: Seats) -> Labels:
    """For a game given by its rules; a fact is put into words once, however often it is known."""
    words: dict[tuple[str, Hashable], str] = {}

    def label(mover: str, view: View) -> str:
        return _prefix(seats, mover) + known(view, words)

    return Labels(label, state=lambda mover, view: (mover, view[:-1]))  # without what is offered


def labels_of_tree(tree: Tree) -> Labels:
    """For a tree, whose positions have the number of an information set for a view."""
    return Labels(lambda mover, view: tree.labels[view[1]], lambda view: int(view[1]) + 1)


def labels_of_engine(seats: Seats) -> Labels:
    """For a game on an engine of its own."""
    return Labels(lambda mover, view: _prefix(seats, mover) + text(view))


def _prefix(seats: Seats, mover: str) -> str:
    """Of those who act for one player, each is named."""
    team = seats.player_of[seats.agent(mover)]
    return f"{mover}: " if seats.player_of.count(team) > 1 else ""
