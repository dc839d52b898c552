"""Two ways to a play that is nearly level, for :mod:`infoset.solve.forgetting.levelling` to start
from.

*Ever more precise play.* For a precision λ each information set plays exp(λ · value of the action),
normalised (McKelvey & Palfrey 1998, the agent form). At λ = 0 all play at random; as λ grows, the
solution moves along a path towards a profile at which only best actions are in use. Newton's method
follows it from one precision to the next. Its derivatives are exact to the last digit of floats: a
pass through the tree in complex numbers with a tiny imaginary part carries them (the complex step).
One matrix serves several steps while the residual falls quickly. Players may forget, and be
absent-minded: an action's value is then the slope over how often the set is come to.

*Drifting.* From a random start every set moves towards its better actions, ever more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from infoset.linear.numbers import Array
from infoset.solve.forgetting.agents import Agents, Floats

SLOW = 0.2  # a step that leaves more of the residual asks for new derivatives
STEPS = 30  # of Newton's method
SOLVED = 1e-9  # a residual that counts as none, at precision 1
PRECISE = 1e4  # where the path ends, in units of one over the largest payoff
FASTER, SLOWEST = 1.5, 1.001  # factors from one precision to the next
DRIFT = 400  # moves from another start


def growing_precision(agents: Agents, over: Callable[[], bool]) -> Iterator[Floats]:
    """Points on the path of precise play, from random play on, as far as Newton's method follows.

    A step that fails is tried again half as long; where even the shortest fails the path ends.
    """
    shares = agents.even()
    precision, factor = 0.1, FASTER
    yield shares
    while precision < PRECISE and not over():
        found = _logit(agents, shares, precision * factor)
        if found is None:
            factor = 1 + (factor - 1) / 2
            if factor < SLOWEST:
                return
            continue
        shares, precision = found, precision * factor
        factor = min(FASTER, 1 + (factor - 1) * 1.5)
        yield shares


def _logit(agents: Agents, start: Floats, precision: float) -> Floats | None:
    """The logit response to itself at a precision, near the start; None if not found."""
    free = np.array([c for own in agents.sets for c in own[1:]], np.int64)
    first = np.array([own.start for own in agents.sets for _ in own[1:]], np.int64)
    logs = np.log(np.maximum(start[free], 1e-300)) - np.log(np.maximum(start[first], 1e-300))

    starts = np.array([own.start for own in agents.sets], np.int64)
    sizes = np.array([len(own) for own in agents.sets], np.int64)

    def shares_of(odds: Array) -> Array:
        full = np.zeros((len(start), *odds.shape[1:]), odds.dtype)
        full[free] = odds
        top = np.repeat(np.maximum.reduceat(full.real, starts, axis=0), sizes, axis=0)
        full = np.exp(full - top)
        return np.asarray(full / np.repeat(np.add.reduceat(full, starts, axis=0), sizes, axis=0))

    def residual(odds: Array) -> Array:
        slopes, comes = agents.passed(shares_of(odds))
        values = slopes / np.where(comes.real > 1e-280, comes, 1.0)
        return np.asarray(odds - precision * (values[free] - values[first]))

    inverse, before = None, np.inf
    for _ in range(STEPS):
        miss = residual(logs)
        size = np.abs(miss).max(initial=0)
        if not np.isfinite(size):
            return None
        if size < SOLVED * (1 + precision):
            return np.asarray(shares_of(logs), np.float64)
        if inverse is None or size > SLOW * before:  # else the one from before will do
            try:
                inverse = np.linalg.inv(agents.derivatives(logs, residual, np.arange(len(logs))))
            except np.linalg.LinAlgError:
                return None
        move = inverse @ miss
        largest = np.abs(move).max(initial=0)
        if not np.isfinite(largest) or largest > 50 + precision:
            return None
        logs, before = logs - move, size
    return None


def drifted(agents: Agents, seed: int, over: Callable[[], bool]) -> Floats:
    """Where every set moves towards its better actions for a while, from a random start.

    Probabilities grow in proportion to exp(what an action is better by), ever more slowly; the
    average of the second half is given. It need not be near an equilibrium.
    """
    starts = np.array([own.start for own in agents.sets], np.int64)
    sizes = np.array([len(own) for own in agents.sets], np.int64)
    logs = np.random.default_rng(seed).normal(size=agents.begin[-1])
    total, count = np.zeros(len(logs)), 0
    shares = total
    for turn in range(DRIFT):
        logs -= np.repeat(np.maximum.reduceat(logs, starts), sizes)
        weights = np.exp(logs)
        shares = weights / np.repeat(np.add.reduceat(weights, starts), sizes)
        slopes, comes = agents.passed(shares)
        logs = np.maximum(logs, -40) + 4 / np.sqrt(4 + turn) * slopes / np.maximum(comes, 1e-9)
        if 2 * turn >= DRIFT:
            total, count = total + shares, count + 1
        if over():
            break
    return total / count if count else shares
