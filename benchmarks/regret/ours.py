"""Our regret minimization, dressed like the peers; and the bytes that an iteration must move.

An iteration reads the rows once (entries with their partners) and sweeps over the vectors: climbing
reads what is pending and rewrites regrets and shares, descending reads shares and rewrites weights,
sums and what is pending. Each of these is counted once; gathers are counted as if every weight came
from memory once. Less cannot be moved by this way of doing it.
"""

from __future__ import annotations

import numpy as np

from infoset.solvers.cfr.layout import TreeLayout, lay_out
from infoset.solvers.cfr.loop import Loop
from infoset.solvers.cfr.variants import VARIANTS, variant
from infoset.tree import Tree
from peers import GAMES

# Passes over a vector of one number a sequence: pending is written and read, then cleared; regrets,
# shares and sums are read and written, shares once more read; weights are written, and gathered.
SWEEPS = 3 + 2 + 3 + 2 + 2


class Ours:
    """One of our variants on a tree."""

    def __init__(self, tree: Tree, method: str = "cfr+", workers: int = 1) -> None:
        self.name = f"Infoset {method}"
        self.loop = Loop(lay_out(tree, np.float64, workers), variant(method))
        self.loop.iterate(0)  # compiled, or loaded

    @property
    def iterations(self) -> int:
        """Done so far."""
        return self.loop.done

    def iterate(self, count: int) -> None:
        """Do so many full iterations."""
        self.loop.iterate(count)

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategies."""
        return sum(self.loop.measure().regrets) / 2


def ours(game: str, method: str = "cfr+", workers: int = 1) -> Ours:
    """Our run on one of the common games, about to begin."""
    return Ours(GAMES[game].ours.tree(), method, workers)


METHODS = tuple(row.name for row in VARIANTS)


def bytes_moved(layout: TreeLayout) -> int:
    """The bytes that one iteration of both players must move."""
    form = layout.form
    rows = form.value.nbytes + form.partner.nbytes + form.rows.nbytes + form.slices.nbytes
    vectors = SWEEPS * form.value.itemsize * layout.sequences
    return rows + vectors + 2 * form.before.nbytes


def working_set(layout: TreeLayout) -> int:
    """The bytes of all arrays: what decides in which cache they are."""
    form = layout.form
    rows = form.value.nbytes + form.partner.nbytes + form.rows.nbytes + form.slices.nbytes
    return rows + 5 * form.value.itemsize * layout.sequences + form.before.nbytes
