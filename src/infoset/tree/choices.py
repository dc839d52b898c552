"""The choices of a player, numbered: the sequences of the sequence form.

A *choice* is an action at an information set. A player's choices are numbered from 1, information
set by information set; 0 stands for no choice yet. With perfect recall the last choice names the
whole sequence of own choices up to it (Koller, Megiddo & von Stengel 1994, section 5), and these
are the numbers of the sequences: 0 is the empty one. Without perfect recall they are still the
places where a behaviour strategy keeps its probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from infoset.text import text
from infoset.tree.facts import own_sequences
from infoset.tree.knowledge import NOTHING
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.tree.record import Tree

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Choices:
    """All choices of one player, (information set, action) pairs."""

    tree: Tree
    player: int
    infosets: Longs  # [own set] its number in the tree, in increasing order
    sizes: Longs  # [own set] how many actions it has
    first: Longs  # [own set] the number of its first choice
    last: Longs  # [node] the player's last choice on the way there; 0 if none
    before: Longs  # [own set] the last choice before it, as its first node has it

    def __len__(self) -> int:
        """How many there are, the empty one included: the number of sequences."""
        return 1 + int(self.sizes.sum())

    @cached_property
    def owner(self) -> Longs:
        """[choice] the own set that it is made at; -1 for the empty one."""
        return np.concatenate(([-1], np.repeat(np.arange(len(self.infosets)), self.sizes)))

    @cached_property
    def above(self) -> Longs:
        """[choice] the choice before it; -1 for the empty one."""
        return np.concatenate(([-1], np.repeat(self.before, self.sizes)))

    @cached_property
    def stages(self) -> tuple[Longs, ...]:
        """The own sets by how many own choices come before them: the first ones first.

        Only with perfect recall is that a number; what is before a set is in an earlier stage.
        """
        earlier = self.owner[self.before]  # [own set] the one at which the choice before was made
        own = (earlier >= 0).astype(np.int64)
        while (earlier >= 0).any():  # steps twice as long in every pass
            own = own + np.where(earlier >= 0, own[earlier], 0)
            earlier = np.where(earlier >= 0, earlier[earlier], -1)
        by_depth = np.argsort(own, kind="stable")
        cuts = np.searchsorted(own[by_depth], np.arange(1, own.max(initial=0) + 1))
        return tuple(part for part in np.split(by_depth, cuts) if len(part))

    @property
    def labels(self) -> Sequence[str]:
        """[choice] what the player knows after it, its own moves in brackets.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> list(kuhn().tree().choices[0].labels)[:4]
        ['nothing yet', 'J, [pass]', 'J, [bet]', 'J, [pass], bet, [pass]']
        """
        return Views(self._label, len(self))

    def _label(self, choice: int) -> str:
        if not choice:
            return NOTHING
        at = int(self.owner[choice])
        infoset = self.tree.infosets[int(self.infosets[at])]
        known = infoset.label or f"#{infoset.index + 1}"
        taken = f"[{text(infoset.actions[choice - int(self.first[at])])}]"
        return taken if known == NOTHING else f"{known}, {taken}"


def choices(tree: Tree, player: int) -> Choices:
    """Number a player's choices."""
    infosets = np.flatnonzero(tree.infoset_player == player)
    every = tree.menu_sizes.astype(np.int64)
    sizes = every[infosets]
    first = 1 + np.cumsum(sizes) - sizes
    begin = np.cumsum(every) - every  # as own_sequences counts
    own = np.zeros(int(every.sum()) + 1, np.int64)  # the last entry serves -1: no choice yet
    steps = np.arange(int(sizes.sum())) - np.repeat(first - 1, sizes)
    own[np.repeat(begin[infosets], sizes) + steps] = 1 + np.arange(int(sizes.sum()))
    last = own[own_sequences(tree, player)]
    start, node = tree.members
    return Choices(tree, player, infosets, sizes, first, last, last[node[start[infosets]]])
