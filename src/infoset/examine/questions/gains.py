"""Where a best reply wins what it wins.

Let v(c) be what choice c of the replying player is worth if all its later choices are best, each
leaf weighed as nature and the others reach it. At an information set h that its own strategy x
comes to with weight x(h), playing best from h on instead of only after h gains

    gain(h) = x(h) · (max v(c) − Σ x(c | h) v(c)),

and these gains sum to what the best reply wins more than x does: going from the last sets to the
first, each step makes the strategy best from one more set on. So the gain in all falls to the sets
where the strategy errs against these opponents, and sets at which it is indifferent have none.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.examine.below import lets
from infoset.examine.questions.subject import rounding
from infoset.linear.numbers import Array, Numbers
from infoset.strategy import Profile, Pure, Strategy
from infoset.strategy.kuhn import as_behaviour, as_plan
from infoset.strategy.plan import ROUNDING
from infoset.strategy.response import climb
from infoset.tree import Infoset
from infoset.tree.views import Views

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Replied:
    """What the best reply does at one information set."""

    infoset: Infoset
    action: Hashable
    probability: Any  # with which the player's own strategy does that; None if it has none
    gain: Any  # what this wins, of the gain in all; None where gains are not told apart


def where_it_gains(
    everyone: Profile, replier: str, own: Strategy | None, exact: bool
) -> tuple[Sequence[Replied], str]:
    """The sets at which a player's best reply matters, and a note about the others.

    ``own`` is the strategy that it is held against. If the strategies are not ``exact``, what
    rounding does is no gain.
    """
    tree, response = everyone.tree, everyone.responses[replier]
    choices = tree.choices[tree.player_number(replier)]
    met = _met(everyone, replier, response.strategy)
    shares: Array | None = None
    if own is not None:
        try:
            shares = as_behaviour(own).shares[choices.first + response.actions]
        except NotApplicable:  # mixed, and without probabilities at single sets
            shares = None
    otherwise = met if shares is None else met & (shares < (1 if exact else 1 - ROUNDING))
    gains: Numbers | None = None
    if own is not None and tree.recall(replier):
        gains = set_gains(everyone, replier, own)
        least = 0 if exact else rounding(tree)
        order = np.flatnonzero([gain > least for gain in gains.values()])
        order = order[np.argsort(-gains.floats[order], kind="stable")]
    else:
        order = np.flatnonzero(otherwise)

    def replied(at: int) -> Replied:
        where = int(order[at])
        infoset = tree.infosets[int(choices.infosets[where])]
        action = infoset.actions[int(response.actions[where])]
        share = None if shares is None else shares[where]
        return Replied(infoset, action, share, None if gains is None else gains[where])

    note = ""
    if gains is not None and shares is not None:
        idle = int(otherwise.sum() - otherwise[order].sum())
        if idle:
            kind = f"{'other ' * bool(len(order))}set{'s' * (idle != 1)}"
            note = f"at {idle:,} {kind} it does otherwise and gains nothing by it"
    return Views(replied, len(order)), note


def _met(everyone: Profile, replier: str, reply: Pure) -> Mask:
    """[own set] does the play come there when the reply is played?"""
    tree = everyone.tree
    number = tree.player_number(replier)
    start, nodes = tree.members
    open_ = lets(everyone, nodes)
    open_[number] = np.asarray(reply.at(nodes).numerators > 0, np.bool_)
    comes = np.logical_and.reduce(list(open_.values()))
    if not len(nodes):
        return np.zeros(0, np.bool_)
    met: Mask = np.logical_or.reduceat(comes, start[:-1])[tree.choices[number].infosets]
    return met


def set_gains(everyone: Profile, player: str, own: Strategy) -> Numbers:
    """[own set] what a player with perfect recall gains by playing best from there on.

    They sum to the regret of its strategy against the others of the profile.
    """
    tree = everyone.tree
    number = tree.player_number(player)
    choices, weights = tree.choices[number], as_plan(own).weights
    others = everyone.reach(tree.ends, without=number)
    worth = others.times(tree.stakes[number]).added_up(choices.last[tree.ends], len(choices))
    total, _ = climb(choices, worth.numerators)
    if not len(choices.first):
        return Numbers(np.zeros(0, total.dtype))
    best = np.maximum.reduceat(total[1:], choices.first - 1)
    could = Numbers(best, worth.denominator).times(weights.take(choices.before))
    does = Numbers(total, worth.denominator).times(weights)
    summed = does.take(np.arange(1, len(choices))).added_up(choices.owner[1:], len(choices.first))
    return Numbers(could.numerators - summed.numerators, could.denominator)
