"""Simulated plays of the average strategies: what everyone gets, and where plays come.

Means come with the error of chance. How often plays come to an information set is what a reader
looks for first; the weights that the run has for it would not tell, since a rare draw of outcome
sampling weighs a thousand times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from random import Random

from infoset.rules.columns import CHANCE
from infoset.solve.sampled.chance import Luck
from infoset.solve.sampled.places import STOP, Place
from infoset.solve.sampled.run import Run
from infoset.solve.sampled.table import Row, normalized

MOST = 10_000  # plays
LEAST = 100
PART = 10  # of the positions walked in the run, one in so many may be walked here


@dataclass(frozen=True)
class Simulation:
    """What simulated plays came to."""

    plays: int
    means: list[float]  # [player] of what it got
    errors: list[float]  # [player] the standard error of that
    stakes: list[float]  # [player] between the least and the most that it got
    visits: Counter[int]  # of a row's average, by its identity

    def reach(self, row: Row) -> float:
        """The part of the plays that came to an information set."""
        return self.visits[id(row.average)] / self.plays


def simulated(run: Run) -> Simulation:
    """Plays by a generator that only the seed decides."""
    luck = Luck(Random(f"plays {run.request.seed}"))
    visits: Counter[int] = Counter()
    means, squares = [0.0] * run.players, [0.0] * run.players
    least, most = [inf] * run.players, [-inf] * run.players
    decide = _decide(luck, visits)
    plays = walked = 0
    while plays < LEAST or (plays < MOST and walked * PART < run.nodes):
        end = run.places.walk(decide)
        plays, walked = plays + 1, walked + end.depth + 1
        for player, amount in enumerate(end.payoffs):  # Welford's way: large sums do not spoil it
            apart = amount - means[player]
            means[player] += apart / plays
            squares[player] += apart * (amount - means[player])
            least[player] = min(least[player], amount)
            most[player] = max(most[player], amount)
    errors = [sqrt(square / (plays - 1) / plays) for square in squares]
    stakes = [high - low for low, high in zip(least, most, strict=True)]
    return Simulation(plays, means, errors, stakes, visits)


def _decide(luck: Luck, visits: Counter[int]) -> Callable[[Place], int]:
    """The average strategies' decisions; they are counted."""

    def decide(place: Place) -> int:
        if place.player < 0:
            return luck.outcome(place) if place.player == CHANCE else STOP
        visits[id(place.average)] += 1
        return luck.option(normalized(place.average))

    return decide
