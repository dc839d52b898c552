"""Continuations: the leaves below a node, their probabilities given that node, and its value.

The probability of a leaf given a node above it is the product over chance and all players of
*w(leaf) / w(node)*, where w is a realization weight (Koller, Megiddo & von Stengel 1994, equation
12). So everything below some nodes is a few operations on arrays of integers over common
denominators; no tree is walked. Only a mover whose strategy excludes the node has no such quotient.
Its factor is then the product of its probabilities from the node down, by its behaviour strategy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Index, Numbers
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy.equivalence import as_behaviour
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.strategy.profile import Profile

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Continuation:
    """The leaves below some nodes, with their probabilities given these."""

    starts: Longs  # [start] which of the given nodes
    leaves: Longs  # the leaves below all of them, one after the other
    above: Longs  # [leaf] the start that it is below
    weights: Numbers  # [leaf] its probability given its start, times that start's ``whole``
    whole: Numbers  # [start]


def realization_weights(profile: Profile, mover: int, nodes: Index) -> Numbers:
    """[node] a player's factor in its probability; that of chance, for CHANCE."""
    if mover == CHANCE:
        return profile.tree.chance_reach.take(nodes)
    return profile.strategies[mover].at(nodes)


def movers(tree: Tree) -> range:
    """Chance and the players."""
    return range(CHANCE, len(tree.players))


def allows(profile: Profile, nodes: Index) -> dict[int, Mask]:
    """By mover: [node] is it reached with positive probability, as far as the mover decides?"""
    return {
        mover: np.asarray(realization_weights(profile, mover, nodes).numerators > 0, np.bool_)
        for mover in movers(profile.tree)
    }


def continuations(profile: Profile, nodes: Index) -> Iterator[Continuation]:
    """What follows some nodes: a record for those that the same movers exclude.

    The nodes may be below each other. If a mover excludes a node and has a mixed strategy without
    an equivalent behaviour strategy, nothing is defined there: NotApplicable is raised.
    """
    open_ = allows(profile, nodes)
    pattern = np.zeros(len(nodes), np.int64)  # the same number where the same movers exclude it
    for mine in open_.values():
        if not mine.all():  # renumbered each time: there may be more movers than bits
            pattern = np.unique(2 * pattern + ~mine, return_inverse=True)[1]
    for number in np.unique(pattern).tolist():
        starts = np.flatnonzero(pattern == number)
        closed = [mover for mover, mine in open_.items() if not mine[starts[0]]]
        yield _group(profile, np.asarray(nodes)[starts], starts, closed)


def continuation_values(profile: Profile, nodes: Index, player: int) -> list[Any]:
    """What a player expects at each of the nodes.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, uniform
    >>> tree = kuhn().tree()
    >>> at_random = profile(uniform(tree, player) for player in tree.names)
    >>> continuation_values(at_random, np.array([0, 1]), 0)
    [Fraction(1, 8), Fraction(-7, 8)]
    """
    values: list[Any] = [None] * len(nodes)
    for group in continuations(profile, nodes):
        paid = profile.tree.leaf_payoffs[player].take(leaf_positions(profile.tree, group.leaves))
        sums = group.weights.times(paid).group_sums(group.above, len(group.starts))
        for at, total, whole in zip(group.starts, sums.values(), group.whole.values(), strict=True):
            values[int(at)] = total / whole
    return values


def leaf_positions(tree: Tree, leaves: Index) -> Longs:
    """[leaf] its position among the tree's ``leaf_indices``."""
    return np.searchsorted(tree.leaf_indices, leaves)


# ---------------------------------------------------------------------- the way down


@dataclass(frozen=True, eq=False)
class _Level:
    nodes: Longs
    start: Longs  # [node] which start it is below
    up: Longs  # [node] its parent's place in the level before
    ended: Mask  # [node] is it a leaf?


def _levels(tree: Tree, starts: Index) -> list[_Level]:
    """The nodes below some nodes, by depth; those below two of them occur twice."""
    begin, child = tree.children
    nodes = np.asarray(starts, np.int64)
    start = np.arange(len(nodes))
    levels = [_Level(nodes, start, start, tree.player[nodes] == LEAF)]
    while True:
        above = levels[-1]
        inner = np.flatnonzero(~above.ended)
        first = begin[above.nodes[inner]].astype(np.int64)
        sizes = begin[above.nodes[inner] + 1] - first
        total = int(sizes.sum())
        if not total:
            return levels
        skip = np.repeat(first - (np.cumsum(sizes) - sizes), sizes)
        nodes = child[skip + np.arange(total)].astype(np.int64)
        up = np.repeat(inner, sizes)
        levels.append(_Level(nodes, above.start[up], up, tree.player[nodes] == LEAF))


def _group(profile: Profile, nodes: Longs, starts: Longs, closed: Sequence[int]) -> Continuation:
    tree = profile.tree
    levels = _levels(tree, nodes)
    leaves = np.concatenate([level.nodes[level.ended] for level in levels])
    above = np.concatenate([level.start[level.ended] for level in levels])
    weights, whole = Numbers(np.ones(len(leaves), np.int64)), Numbers(np.ones(len(nodes), np.int64))
    for mover in movers(tree):
        if mover in closed:
            weights = weights.times(_path_probabilities(profile, mover, levels))
        else:
            weights = weights.times(realization_weights(profile, mover, leaves))
            whole = whole.times(realization_weights(profile, mover, nodes))
    return Continuation(starts, leaves, above, weights, whole)


def _path_probabilities(profile: Profile, mover: int, levels: list[_Level]) -> Numbers:
    """[leaf] the product of a mover's probabilities from the start down to it."""
    tree = profile.tree
    probability = _probabilities(profile, mover)
    weight = np.full(len(levels[0].nodes), probability.one, probability.table.dtype)
    found = [weight[levels[0].ended]]
    for above, level in pairwise(levels):
        weight = weight[level.up]
        parent = above.nodes[level.up]
        mine = np.flatnonzero(tree.player[parent] == mover)
        weight[mine] = weight[mine] * probability.of(tree, parent[mine], level.nodes[mine])
        found.append(weight[level.ended])
    joined = np.concatenate(found)
    return Numbers.of(joined.tolist()) if joined.dtype == object else Numbers(joined)


@dataclass(frozen=True, eq=False)
class _Probabilities:
    """The probabilities of one mover's moves."""

    table: npt.NDArray[Any]
    first: Longs  # [infoset or lottery] where its moves begin in the table

    @property
    def one(self) -> Any:
        return Fraction(1) if self.table.dtype == object else 1.0

    def of(self, tree: Tree, parents: Longs, nodes: Longs) -> npt.NDArray[Any]:
        return np.asarray(self.table[self.first[tree.infoset[parents]] + tree.action[nodes]])


def _probabilities(profile: Profile, mover: int) -> _Probabilities:
    tree = profile.tree
    if mover == CHANCE:
        sizes = np.array([len(lottery.outcomes) for lottery in tree.lotteries], np.int64)
        drawn = [p for lottery in tree.lotteries for p in lottery.probabilities]
        return _Probabilities(np.array([*drawn, None], object)[:-1], np.cumsum(sizes) - sizes)
    own = as_behaviour(profile.strategies[mover])
    first = np.zeros(len(tree.infoset_player), np.int64)
    first[own.choices.infosets] = own.choices.first
    return _Probabilities(own.probabilities, first)
