"""What the overconfident and the paranoid search play everywhere in a game, on its tree.

The searches of :mod:`infoset.search.information`, to the end of the game and without sampling, are
strategies: since players have perfect recall, a set that lies ahead is searched with the same
histories, in the same proportions, as when it is reached. The overconfident one is a best response
to others who move at random. The paranoid one is found in one pass from the leaves to the root. Let
I be an information set of the player, and h one of its histories:

    v(h)  = payoff               at a leaf,
            Σ p(m) v(h·m)        at a chance move,
            min_m v(h·m)         where the other moves,
            v(h·m*)              where the player moves, m* = argmax_m min_{h in I} v(h·m).

Of moves that are equally good the first is taken, as by the search. The pass goes by levels: all
histories of a set are equally long here, since every move is announced, hidden or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset import profile, uniform
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy.mixed import Pure
from infoset.tree import Tree

ROUNDING = 1e-9  # values that differ by less are equal
Longs = npt.NDArray[np.int64]


def overconfident(tree: Tree, player: str) -> Pure:
    """A best response to others whose moves are all equally likely."""
    return profile(uniform(tree, one) for one in tree.names).best_response(player).strategy


def paranoid(tree: Tree, player: str) -> Pure:
    """The best of pure strategies that the others know, if they know where they are, too."""
    number = tree.player_number(player)
    choices = tree.choices[number]
    last: npt.NDArray[Any] = choices.last
    values = np.zeros(len(tree))
    values[tree.leaf_indices] = tree.leaf_payoffs[number].floats
    worth = np.full(len(choices), np.inf)
    chosen = np.zeros(len(choices), bool)
    odds = chances(tree)
    for nodes, below in reversed(list(levels(tree))):
        above = tree.parent[below]
        mover = tree.player[above]
        by_chance, own = mover == CHANCE, mover == number
        np.add.at(values, above[by_chance], (odds * values)[below[by_chance]])
        others = ~by_chance & ~own
        values[nodes[tree.player[nodes] >= 0]] = np.inf
        np.minimum.at(values, above[others], values[below[others]])
        mine = below[own]
        np.minimum.at(worth, last[mine], values[mine])
        for at in np.unique(choices.owner[last[mine]]).tolist():
            first, size = int(choices.first[at]), int(choices.sizes[at])
            row = worth[first : first + size]
            chosen[first + int(np.argmax(row > row.max() - ROUNDING))] = True
        taken = mine[chosen[last[mine]]]
        values[tree.parent[taken]] = values[taken]
    picked = np.flatnonzero(chosen)
    sets = choices.owner[picked]
    actions = picked - choices.first[sets]
    return Pure(
        tree, player, tuple(zip(choices.infosets[sets].tolist(), actions.tolist(), strict=True))
    )


def levels(tree: Tree) -> Iterator[tuple[Longs, Longs]]:
    """The nodes that are equally far from the root, and those right below them."""
    nodes = np.zeros(1, np.int64)
    while len(nodes):
        inner = np.zeros(len(tree), bool)
        inner[nodes] = tree.player[nodes] != LEAF
        below = np.flatnonzero(inner[tree.parent] & (tree.parent >= 0))
        if len(below):
            yield nodes, below
        nodes = below


def chances(tree: Tree) -> npt.NDArray[np.float64]:
    """[node] the probability of the chance move that leads there; 1 after other moves."""
    found = np.ones(len(tree))
    rows = [[float(chance) for chance in lottery.probabilities] for lottery in tree.lotteries]
    above = tree.parent
    for node in np.flatnonzero(tree.player[above] == CHANCE).tolist():
        if node:
            found[node] = rows[tree.infoset[above[node]]][tree.action[node]]
    return found
