"""A tree's own numbers, chances and payoffs, as integers over common denominators.

The probability of nature's moves on the way to each node, and what each outcome pays each player:
the two ingredients of every expected payoff. Both are found once for a tree and are exact; who
wants speed takes their floats.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from infoset.linear.numbers import ROOM, Array, Index, Numbers, fitted, multiplied
from infoset.rules.moves import CHANCE

if TYPE_CHECKING:
    from infoset.tree.record import Tree


def nature(tree: Tree) -> Numbers:
    """[node] the probability that nature does its part on the way there."""
    chances = Numbers.of(p for lottery in tree.lotteries for p in lottery.probabilities)
    if chances.denominator == 1:  # nature never has a choice
        return _sure(tree, chances)
    under = [lcm(*(p.denominator for p in lottery.probabilities)) for lottery in tree.lotteries]
    sizes = np.array([len(lottery.probabilities) for lottery in tree.lotteries])
    whole_of = fitted(under)
    if chances.denominator >= ROOM:
        whole_of = whole_of.astype(object)
    over = fitted(chances.numerators // (chances.denominator // np.repeat(whole_of, sizes)))
    first = np.cumsum(sizes) - sizes
    weight, whole = np.ones(len(tree), np.int64), np.ones(len(tree), np.int64)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        weight[level], whole[level] = weight[above], whole[above]
        drawn = tree.player[above] == CHANCE
        if drawn.any():
            here, lottery = level[drawn], tree.infoset[above[drawn]]
            taken = over[first[lottery] + tree.action[here]]
            weight = _put(weight, here, multiplied(weight[here], taken))
            whole = _put(whole, here, multiplied(whole[here], whole_of[lottery]))
    common = lcm(*set(whole.tolist()))
    if common >= ROOM:
        weight, whole = weight.astype(object), whole.astype(object)
    return Numbers(weight * (common // whole), common)  # no weight is above the denominator


def _sure(tree: Tree, chances: Numbers) -> Numbers:
    """Every lottery has one outcome that is certain; the others, if any, never happen."""
    weight = np.ones(len(tree), np.int64)
    if chances.numerators.all():
        return Numbers(weight)
    sizes = [len(lottery.probabilities) for lottery in tree.lotteries]
    first = np.cumsum(sizes) - sizes
    for level in tree.levels[1:]:
        above = tree.parent[level]
        weight[level] = weight[above]
        drawn = tree.player[above] == CHANCE
        here, lottery = level[drawn], tree.infoset[above[drawn]]
        weight[here] *= chances.numerators[first[lottery] + tree.action[here]]
    return Numbers(weight)


def _put(values: Array, here: Index, new: Array) -> Array:
    if new.dtype == object and values.dtype != object:
        values = values.astype(object)
    values[here] = new
    return values


def leaf_payoffs(tree: Tree) -> tuple[Numbers, ...]:
    """[player][outcome] what each entry of the settled tree's payoff table pays."""
    table = tree.settled.payoffs
    return tuple(Numbers.of(row[player] for row in table) for player in range(len(tree.players)))
