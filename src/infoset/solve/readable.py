"""Strategies as they are read: what to do everywhere, also where a solver is silent."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from infoset.errors import NotApplicable
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy
from infoset.strategy.behaviour import unchecked
from infoset.strategy.kuhn import as_behaviour


def readable(strategy: Strategy, others: Profile) -> Behaviour | Mixed:
    """What to do at each information set, where that can be said; else the mixed strategy.

    An equilibrium leaves open what a player does where it does not itself let the play go. There
    the best reply to the others is filled in, if they let it come there, and else a uniform choice.
    """
    try:
        found = as_behaviour(strategy)
    except NotApplicable:
        if isinstance(strategy, Mixed):
            return strategy
        raise
    if isinstance(strategy, Pure):
        return _decided(strategy, found, others)
    if isinstance(strategy, Behaviour) or not strategy.tree.recall(strategy.player):
        return found
    return _filled(found, others)


def _decided(strategy: Pure, found: Behaviour, others: Profile) -> Behaviour:
    """A pure strategy as behaviour; where it is silent it does what is best, and one thing."""
    choices = found.choices
    silent = set(range(len(choices.infosets)))
    for infoset, _ in strategy.chosen:
        silent.discard(int(np.searchsorted(choices.infosets, infoset)))
    if not silent:
        return found
    best = others.responses[found.player].actions
    shares = found.shares.copy()
    for at in silent:
        first, size = int(choices.first[at]), int(choices.sizes[at])
        for action in range(size):
            shares[first + action] = Fraction(int(action == best[at]))
    return Behaviour(found.tree, found.player, shares)


def _filled(found: Behaviour, others: Profile) -> Behaviour:
    tree, choices = found.tree, found.choices
    own = found.plan.weights.numerators[choices.before]
    start, nodes = tree.members
    number = choices.player
    chance = others.reach(nodes, without=number).numerators
    let = np.logical_or.reduceat(chance > 0, start[:-1])[choices.infosets] if len(nodes) else own
    best = others.responses[found.player].actions
    shares = found.shares.copy()
    for at in np.flatnonzero((own == 0) & let).tolist():
        first, size = int(choices.first[at]), int(choices.sizes[at])
        for action in range(size):
            shares[first + action] = Fraction(int(action == best[at]))
    return unchecked(tree, found.player, shares).knowing_plan(found.plan)
