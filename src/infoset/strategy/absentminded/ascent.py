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
STILL = 1e-13  # a move that leads nowhere
SHORTEST = 1e-6  # a step after which a climb is over
GONE = 1e-7  # a probability that counts as none
DENOMINATOR = 10**9


def local_maxima(given: Polynomial) -> list[Point]:
    """Where climbs from even odds and from random starts end, the best first."""
    if not given.degrees:
        return [{}]
    climb = _Climb(given)
    starts = np.random.default_rng(0).exponential(size=(climb.count, STARTS))
    starts[:, 0] = 1.0
    values, shares = climb.up(climb.normal(starts))
    return [climb.point(shares[:, at]) for at in np.argsort(-values, kind="stable").tolist()]


class _Climb:
    """A polynomial as arrays: each term's places and amount. Climbs are columns."""

    def __init__(self, given: Polynomial) -> None:
        self.given = given
        self.sets = list(given.degrees)
        place: dict[int, int] = {}
        owner: list[int] = []
        for at, own in enumerate(self.sets):
            for choice in given.actions(own):
                place[choice] = len(owner)
                owner.append(at)
        self.owner = np.array(owner)  # [choice] the number of its set
        self.first = np.searchsorted(self.owner, np.arange(len(self.sets)))
        self.count = len(owner)
        longest = max(map(len, given.terms), default=0)
        one = self.count  # the place of a factor that is 1
        self.places = np.array(
            [[*map(place.__getitem__, m), *[one] * (longest - len(m))] for m in given.terms],
            np.int64,
        ).reshape(len(given.terms), longest)
        largest = max(map(abs, given.terms.values()), default=1)
        self.amounts = np.array([float(Fraction(a, largest)) for a in given.terms.values()])

    def normal(self, shares: Floats) -> Floats:
        """Each set's shares with sum 1, climb by climb."""
        return np.asarray(shares / np.add.reduceat(shares, self.first)[self.owner])

    def slopes(self, shares: Floats) -> tuple[Floats, Floats]:
        """[climb] the value, and [choice, climb] its derivatives."""
        count = shares.shape[1]
        factors = np.concatenate((shares, np.ones((1, count))))[self.places]  # [term, at, climb]
        total = np.zeros((self.count + 1, count))
        before = np.repeat(self.amounts[:, None, None], factors.shape[1] + 1, axis=1) * np.ones(
            count
        )
        before[:, 1:] *= np.cumprod(factors, axis=1)
        after = np.ones((len(factors), count))
        for at in range(factors.shape[1] - 1, -1, -1):
            np.add.at(total, self.places[:, at], before[:, at] * after)
            after *= factors[:, at]
        return before[:, -1].sum(axis=0), total[: self.count]

    def up(self, shares: Floats) -> tuple[Floats, Floats]:
        """[climb] what it is worth where a climb ends, and [choice, climb] the shares there.

        The climbs go on together, each with a step of its own, until none gets anywhere.
        """
        value, slopes = self.slopes(shares)
        step = np.ones(len(value))
        for _ in range(STEPS):
            top = np.maximum.reduceat(slopes, self.first)[self.owner]
            trial = self.normal(shares * np.exp(step * (slopes - top)))
            worth, further = self.slopes(trial)
            still = np.abs(trial - shares).max(axis=0) < STILL
            up = worth >= value
            shares, slopes = np.where(up, trial, shares), np.where(up, further, slopes)
            value, step = np.where(up, worth, value), np.where(up, step * 2, step / 4)
            if (still | (step < SHORTEST)).all():
                break
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
