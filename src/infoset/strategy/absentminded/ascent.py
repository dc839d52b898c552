"""Good points of a polynomial over behaviour probabilities, quickly and in floats: climbing.

From some starts, the probability of every action grows in proportion to exp(step · slope). A step
that leads down is halved and one that leads up is doubled, so the value never falls. Where that
ends no small change helps: a local maximum, mostly. Nothing is proved here; these are candidates.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from infoset.strategy.absentminded.polynomial import Point, Polynomial

Floats = npt.NDArray[np.float64]

STARTS = 6
STEPS = 150
GONE = 1e-7  # a probability that counts as none
DENOMINATOR = 10**9


def local_maxima(given: Polynomial) -> list[Point]:
    """Where climbs from even odds and from random starts end, the best first."""
    if not given.degrees:
        return [{}]
    climb = _Climb(given)
    ends = []
    random = np.random.default_rng(0)
    for start in range(STARTS):
        shares = np.ones(climb.count)
        if start:
            shares = random.exponential(size=climb.count)
        ends.append(climb.up(climb.normal(shares)))
    ends.sort(key=lambda end: -end[0])
    return [climb.point(shares) for _, shares in ends]


class _Climb:
    """A polynomial as arrays: each term's places and amount."""

    def __init__(self, given: Polynomial) -> None:
        self.given = given
        self.sets = list(given.degrees)
        place: dict[int, int] = {}
        self.owner: list[int] = []
        for at, own in enumerate(self.sets):
            for choice in given.actions(own):
                place[choice] = len(self.owner)
                self.owner.append(at)
        self.count = len(self.owner)
        longest = max(map(len, given.terms), default=0)
        one = self.count  # the place of a factor that is 1
        self.places = np.array(
            [[*map(place.__getitem__, m), *[one] * (longest - len(m))] for m in given.terms],
            np.int64,
        ).reshape(len(given.terms), longest)
        largest = max(map(abs, given.terms.values()), default=1)
        self.amounts = np.array([float(Fraction(a, largest)) for a in given.terms.values()])

    def normal(self, shares: Floats) -> Floats:
        """Each set's shares with sum 1."""
        return np.asarray(shares / np.bincount(self.owner, shares)[self.owner])

    def slopes(self, shares: Floats) -> tuple[float, Floats]:
        """The value and its derivatives."""
        factors = np.append(shares, 1.0)[self.places]
        total = np.zeros(self.count + 1)
        before = np.ones((len(factors), factors.shape[1] + 1))
        np.cumprod(factors, axis=1, out=before[:, 1:])
        after = np.ones(len(factors))
        for at in range(factors.shape[1] - 1, -1, -1):
            total += np.bincount(
                self.places[:, at], self.amounts * before[:, at] * after, minlength=self.count + 1
            )
            after = after * factors[:, at]
        return float(self.amounts @ before[:, -1]), total[: self.count]

    def up(self, shares: Floats) -> tuple[float, Floats]:
        """Where a climb ends, and what it is worth there."""
        step = 1.0
        value, slopes = self.slopes(shares)
        for _ in range(STEPS):
            top = np.full(len(self.sets), -np.inf)
            np.maximum.at(top, self.owner, slopes)
            trial = self.normal(shares * np.exp(step * (slopes - top[self.owner])))
            worth, further = self.slopes(trial)
            if worth < value:
                step /= 4
                if step < 1e-6:
                    break
                continue
            shares, value, slopes, step = trial, worth, further, step * 2
        return value, shares

    def point(self, shares: Floats) -> Point:
        """Floats as fractions nearby, without what is as good as nothing."""
        found: Point = {}
        for at, own in enumerate(self.sets):
            mine = [float(s) for s, owner in zip(shares, self.owner, strict=True) if owner == at]
            row = [Fraction(s).limit_denominator(DENOMINATOR) if s > GONE else 0 for s in mine]
            kept = row.index(max(row))
            row[kept] = 1 - sum(row[:kept] + row[kept + 1 :], Fraction(0))
            found[own] = [Fraction(share) for share in row]
        return found
