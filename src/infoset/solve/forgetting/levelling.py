"""From a guess at which actions are in use to exact probabilities that make them equally steep.

The equations are polynomial: at each information set the slopes
(:mod:`infoset.solve.forgetting.agents`) of all actions in use are the same. Newton's method solves
them in floats. Then the slopes are computed in rational arithmetic and the steps are still those of
floats, so that each adds as many digits as a float has; and the simplest fractions nearby that
solve the equations exactly are the answer, if there are any. Where the solutions form a continuum,
some probabilities are free: they are put on simple fractions first, and the others follow.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from infoset.linear.numbers import Array
from infoset.solve.forgetting.agents import Agents, Floats, Longs, Support

STEPS = 30  # of Newton's method
CLOSE = 1e-12  # a difference of slopes that counts as none
FAR = 1e3  # a step that leads nowhere
GRID = 1 << 200  # what rounding between exact steps keeps
SIMPLE = (10, 10**3, 10**6, 10**9, 10**12, 10**15)  # denominators, the simplest first
OUTSIDE = 1e-9  # how far below 0 is still rounding


class Moves(NamedTuple):
    """Along which pairs of choices probability moves: from each set's first one in use."""

    to: Longs
    off: Longs


def moves(support: Support) -> Moves:
    """All moves within a support."""
    return Moves(
        np.array([c for used in support for c in used[1:]], np.int64),
        np.array([used[0] for used in support for _ in used[1:]], np.int64),
    )


def level(agents: Agents, start: Floats, support: Support) -> Floats | None:
    """Shares on a support near a start at which all of it is equally steep; None if not found."""
    shares = np.zeros(len(start))
    for used in support:
        row = np.maximum(start[list(used)], 1e-3)
        shares[list(used)] = row / row.sum()
    every = moves(support)
    return _newton(agents, shares, every, np.arange(len(every.to)))


def _newton(agents: Agents, start: Floats, every: Moves, free: Longs) -> Floats | None:
    """Newton's method along the free moves; None if it does not arrive among probabilities."""
    shares = start.copy()
    for _ in range(STEPS):
        slopes, _ = agents.passed(shares)
        miss = slopes[every.to] - slopes[every.off]
        if np.abs(miss).max(initial=0) < CLOSE:
            return np.maximum(shares, 0) if shares.min(initial=0) >= -OUTSIDE else None
        matrix = steepness(agents, shares, every)[:, free]
        step = np.linalg.lstsq(matrix, -miss, rcond=1e-12)[0]
        if not np.isfinite(step).all() or np.abs(step).max(initial=0) > FAR:
            return None
        np.add.at(shares, every.to[free], step)
        np.add.at(shares, every.off[free], -step)
    return None


def steepness(agents: Agents, shares: Floats, every: Moves) -> Floats:
    """[move, move] how the first one's difference of slopes changes along the second."""

    def differences(at: Array) -> Array:
        slopes, _ = agents.passed(at)
        return np.asarray(slopes[every.to] - slopes[every.off])

    by, where = np.unique(np.concatenate(every), return_inverse=True)
    table = agents.derivatives(shares, differences, by)
    count = len(every.to)
    return np.asarray(table[:, where[:count]] - table[:, where[count:]])


def sharpened(agents: Agents, near: Floats, support: Support, coarse: int = 100) -> Array:
    """Exact shares near floats: level ones where these are rational and simple, else very nearly.

    Probabilities that the equations leave free get denominators up to ``coarse``.
    """
    every = moves(support)
    if not len(every.to):
        return _exactly(near, support)
    matrix = steepness(agents, near, every)
    free = _independent(matrix)
    if len(free) < len(every.to):
        near = _on_simple_fractions(agents, near, every, free, coarse)
        matrix = steepness(agents, near, every)
    exact = _exactly(near, support)
    held = np.setdiff1d(np.arange(len(every.to)), free)
    for choice in every.to[held].tolist():
        exact[choice] = exact[choice].limit_denominator(coarse)
    for used in support:
        exact[used[0]] = 1 - sum(exact[c] for c in used[1:])
    for _ in range(5):
        slopes, _ = agents.passed(exact)
        miss = slopes[every.off] - slopes[every.to]
        unit = max(map(abs, miss.tolist()))
        if not unit:
            break
        side = (miss / unit).astype(np.float64)
        step = np.linalg.lstsq(matrix[:, free], side, rcond=1e-12)[0]
        for at, part in zip(free.tolist(), step.tolist(), strict=True):
            move = Fraction(round(Fraction(part) * unit * GRID), GRID)
            exact[every.to[at]] += move
            exact[every.off[at]] -= move
    return _simplest(agents, exact, support, every)


def _exactly(near: Floats, support: Support) -> Array:
    exact = np.array([Fraction(0)] * len(near), object)
    for used in support:
        for choice in used[1:]:
            exact[choice] = Fraction(float(near[choice]))
        exact[used[0]] = 1 - sum(exact[c] for c in used[1:])
    return exact


def _independent(matrix: Floats) -> Longs:
    """Moves that determine all others: columns of full rank."""
    from scipy.linalg import qr

    triangle, order = qr(matrix, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > 1e-9 * max(diagonal.max(initial=0), 1e-9)).sum())
    return np.sort(order[:rank])


def _on_simple_fractions(
    agents: Agents, near: Floats, every: Moves, free: Longs, coarse: int
) -> Floats:
    """A point of the continuum at which what is not determined has small denominators."""
    shares = near.copy()
    for at in np.setdiff1d(np.arange(len(every.to)), free).tolist():
        to, off = int(every.to[at]), int(every.off[at])
        simple = float(Fraction(float(shares[to])).limit_denominator(coarse))
        shares[off] += shares[to] - simple
        shares[to] = simple
    if shares.min(initial=0) < 0:
        return near
    found = _newton(agents, shares, every, free)
    return near if found is None else found


def _simplest(agents: Agents, exact: Array, support: Support, every: Moves) -> Array:
    """The simplest shares nearby that are level; those of the finest grid if none is."""
    zero, one = Fraction(0), Fraction(1)
    trial = exact
    for largest in SIMPLE:
        trial = np.array([zero] * len(exact), object)
        for used in support:
            for choice in used[1:]:
                trial[choice] = min(max(exact[choice].limit_denominator(largest), zero), one)
            trial[used[0]] = 1 - sum(trial[c] for c in used[1:])
        slopes, _ = agents.passed(trial)
        if (trial >= 0).all() and (slopes[every.to] == slopes[every.off]).all():
            return trial
    return trial if (trial >= 0).all() else agents.normal(exact.astype(np.float64))
