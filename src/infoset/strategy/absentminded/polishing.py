"""From a good point to the exact one: where a polynomial is level in all probabilities in use.

At the best point of a polynomial over behaviour probabilities the slopes of all actions in use at a
set are the same (else probability would move to the steeper one). Near such a point Newton's method
finds it: slopes in rational arithmetic, the step from floats, so that each step adds as many digits
as a float has. If the point is rational, its fractions are soon recognised as the simplest ones
nearby, and that the slopes are equal is then checked exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from infoset.strategy.absentminded.polynomial import Point, Polynomial

STEPS = 40  # of Newton's method, most of them only where the start is far off
GRID = 1 << 200  # what rounding between steps keeps
LARGEST = (10**3, 10**6, 10**9, 10**12)  # denominators that count as simple, the simplest first
FINE = 10**15  # the largest denominator of a point that is not recognised
ARRIVED = Fraction(1, 10**45)  # a step as small as this is the last


class Polished(NamedTuple):
    """A point, and whether the slopes are exactly equal there."""

    point: Point
    level: bool


def polished(given: Polynomial, start: Point) -> Polished | None:
    """A point near the start at which all actions in use are equally steep; None if not found.

    Sets at which one action has all the probability stay as they are.
    """
    scale = max(map(abs, given.terms.values()), default=0)
    if not scale:
        return Polished(start, True)
    part = Polynomial(given.choices, given.terms, scale)
    point = {own: list(start[own]) for own in given.degrees}
    for _ in range(sum(map(len, point.values())) + 1):
        free = {own: [a for a, share in enumerate(row) if share] for own, row in point.items()}
        free = {own: actions for own, actions in free.items() if len(actions) > 1}
        found = _newton(part, point, free)
        if found is None:
            return None
        outside = [
            (own, a) for own, row in found.items() for a, share in enumerate(row) if share < 0
        ]
        if not outside:
            level = simplest(part, found, free)
            return Polished({**start, **(level or rounded(found))}, level is not None)
        for own, action in outside:  # the border is met: go on along it
            point[own][action] = Fraction(0)
            total = sum(point[own])
            point[own] = [share / total for share in point[own]]
    return None


def _newton(part: Polynomial, start: Point, free: dict[int, list[int]]) -> Point | None:
    """Newton's method in the free probabilities; None if it does not arrive."""
    point = {own: list(row) for own, row in start.items()}
    places = [(own, action) for own, actions in free.items() for action in actions[1:]]
    for _ in range(STEPS if places else 0):
        slopes = part.slopes(point)
        side = [slopes[own][free[own][0]] - slopes[own][action] for own, action in places]
        unit = max(map(abs, side))
        if not unit:
            return point
        matrix = _bending(part, point, free, places)
        right = np.array([float(entry / unit) for entry in side])
        step = np.linalg.lstsq(matrix, right, rcond=1e-13)[0]
        if not np.isfinite(step).all():
            return None
        moves = [Fraction(float(entry)) * unit for entry in step]
        largest = max(map(abs, moves))
        if largest > 2:
            return None
        for (own, action), move in zip(places, moves, strict=True):
            fine = Fraction(round(move * GRID), GRID)
            point[own][action] += fine
            point[own][free[own][0]] -= fine
        if largest < ARRIVED:
            return point
    return None if places else point


def _bending(
    part: Polynomial, point: Point, free: dict[int, list[int]], places: list[tuple[int, int]]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The second derivatives along the moves from each set's first free action to another."""
    pairs = [(part.actions(own)[action], part.actions(own)[free[own][0]]) for own, action in places]
    matrix = np.zeros((len(pairs), len(pairs)))
    for i, (to, away) in enumerate(pairs):
        for j, (onto, off) in enumerate(pairs[: i + 1]):
            matrix[i, j] = matrix[j, i] = (
                part.bends(point, to, onto)
                - part.bends(point, to, off)
                - part.bends(point, away, onto)
                + part.bends(point, away, off)
            )
    return matrix


def simplest(part: Polynomial, near: Point, free: dict[int, list[int]]) -> Point | None:
    """The simplest point nearby at which the free actions are exactly equally steep, if any is."""
    for largest in LARGEST:
        point = rounded(near, largest)
        slopes = part.slopes(point)
        if all(
            slopes[own][action] == slopes[own][actions[0]]
            for own, actions in free.items()
            for action in actions
        ):
            return point
    return None


def rounded(near: Point, largest: int = FINE) -> Point:
    """Probabilities with denominators not above this, but for the largest one of each set."""
    found: Point = {}
    for own, row in near.items():
        kept = row.index(max(row))
        shares = [max(share.limit_denominator(largest), Fraction(0)) for share in row]
        shares[kept] = 1 - sum(shares[:kept] + shares[kept + 1 :], Fraction(0))
        found[own] = shares
    return found
