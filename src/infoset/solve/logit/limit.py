"""Where a branch of logit equilibria leads: which actions are played in the limit, and how often.

Towards the end a probability p behaves as p* + c / λ, or falls to zero, as 1 / λ or exponentially.
Two points with precisions far apart tell which, and draw a line to λ = ∞. What is found so is known
to some digits only. It is rounded to simple fractions here; where that is no equilibrium,
:mod:`infoset.solve.logit.indifference` solves equations. Either way the result is believed only if
nobody can gain anything against it, in rational arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.solve.logit.agents import Agents, Bools, Floats
from infoset.solve.logit.beliefs import FALLING, Shares, Trembles, simple
from infoset.solve.logit.path import Point
from infoset.strategy import Behaviour
from infoset.strategy.behaviour import unchecked


@dataclass(frozen=True, eq=False)
class Limit:
    """A guess at the limit: which actions are played, how often, and how sure that is."""

    agents: Agents
    point: Point  # the last one
    played: Bools  # [action]
    shares: Floats  # [action] sum to 1 at every set
    error: float
    trembles: Trembles


def guessed(before: Point, now: Point) -> Limit:
    """The limit that two points of a branch point to, the second far beyond the first."""
    agents = now.worth.agents
    old, new = np.exp(before.x), np.exp(now.x)
    played = new > FALLING * old
    ratio = before.precision / (now.precision - before.precision)
    ahead = np.where(played, np.clip(new + (new - old) * ratio, 0.0, 1.0), 0.0)
    total = np.add.reduceat(ahead, agents.first)
    shares = ahead / np.repeat(total, agents.sizes)
    error = float(np.abs(shares - new).max(initial=0.0))
    return Limit(agents, now, played, shares, error, Trembles(before, now, played))


def strategies(agents: Agents, shares: Shares) -> tuple[Behaviour, ...]:
    """Behaviour strategies from the shares of all actions."""
    tree = agents.tree
    made = []
    for player, choices in zip(tree.names, tree.choices, strict=True):
        own = [Fraction(1)]
        for at in choices.infosets.tolist():
            first = int(agents.first[at])
            own += shares[first : first + int(agents.sizes[at])]
        made.append(unchecked(tree, player, np.array(own, object)))
    return tuple(made)


def rounded(limit: Limit, within: float) -> Shares:
    """Simple fractions near the limit; at every set the likeliest action makes up the sum."""
    agents = limit.agents
    shares = [
        (simple(share, within) or Fraction(share)) if played else Fraction(0)
        for share, played in zip(limit.shares.tolist(), limit.played.tolist(), strict=True)
    ]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _made_whole(shares, first, size, first + int(np.argmax(limit.shares[first : first + size])))
    return shares


def nearby(agents: Agents, point: Point) -> Shares:
    """The shares at a point of the branch, as binary fractions that sum to one."""
    shares = [Fraction(share) for share in np.exp(point.x).tolist()]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _made_whole(shares, first, size, first + int(np.argmax(point.x[first : first + size])))
    return shares


def _made_whole(shares: Shares, first: int, size: int, largest: int) -> None:
    shares[largest] = 1 - sum(shares[first : first + size], -shares[largest])
