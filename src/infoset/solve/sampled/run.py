"""A run: iterations one after the other, and all that they have come to.

Everything that a run does follows from the game and the request. The clock only decides between
which two iterations it stops. So looks at the regret, which may end a run, come at fixed numbers of
iterations, each a tenth more than the one before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from math import isfinite
from random import Random

from infoset.errors import NotApplicable
from infoset.solve.regret.course import Course, Point
from infoset.solve.sampled.chance import Luck
from infoset.solve.sampled.places import MEMORY, Places
from infoset.solve.sampled.request import Request
from infoset.solve.sampled.source import Source
from infoset.solve.sampled.table import Table
from infoset.solve.sampled.walks import Walk, averaging, external, outcome


class Run:
    """The state of a run between two iterations."""

    def __init__(self, source: Source, request: Request, *, memory: int = MEMORY) -> None:
        """Before the first iteration."""
        self.source = source
        self.request = request
        self.players = len(source.seats.players)
        self.table = Table(digests=request.settings.checkpoint is not None)
        self.random = Random(request.seed)
        self.memory = memory
        self.iterations = 0
        self.begun = 0  # iterations that were in a file when this call took it up
        self.nodes = 0
        self.points: list[Point] = []
        self.before = 0.0  # seconds that were spent before this call
        self.began = time.perf_counter()
        self.ended: float | None = None
        self.alarm: Callable[[], bool] = lambda: False  # is an iteration to be abandoned?

    @cached_property
    def places(self) -> Places:
        """The game as far as it is known; made once the table has its rows, if it has any."""
        source = self.source
        return Places(source.start, source.seats, source.name, self.table, self.memory)

    @cached_property
    def _walks(self) -> list[Walk]:
        """What is done for each player in an iteration."""
        luck, shared = Luck(self.random), self.players == 2
        if self.request.method == "external":
            walk = external(self.places, luck, averages=shared, alarm=lambda: self.alarm())
        else:
            walk = outcome(self.places, luck, self.request.exploration, averages=shared)
        return [walk] if shared else [walk, averaging(self.places, luck)]

    def iterate(self) -> None:
        """One iteration: every player's walk, in turn."""
        weight = self.request.weight(self.iterations + 1)
        for player in range(self.players):
            for walk in self._walks:
                self.nodes += walk(player, weight)
        self.iterations += 1

    @property
    def seconds(self) -> float:
        """How long it took so far, in all."""
        now = time.perf_counter() if self.ended is None else self.ended
        return self.before + now - self.began

    @property
    def bounds(self) -> list[float]:
        """[player] the estimated bound on its average regret."""
        return self.table.bound(self.players, self.request.weights(self.iterations))

    def look(self) -> None:
        """Note where the run stands, unless it is known or there is nothing to know yet."""
        if not self.iterations or (self.points and self.points[-1].iterations == self.iterations):
            return
        bounds = self.bounds
        if not all(map(isfinite, bounds)):
            raise NotApplicable(
                f"{self.source.name}: regrets grow beyond floats; give payoffs in a larger unit"
            )
        self.points.append(Point(self.seconds, self.iterations, max(bounds), tuple(bounds)))

    @property
    def regret(self) -> float | None:
        """The largest bound at the last look."""
        return self.points[-1].regret if self.points else None

    @property
    def course(self) -> Course:
        """What the looks found: estimated bounds, as its name says."""
        name = f"{self.request.method}-sampling (estimated)"
        return Course(name, self.source.seats.players, tuple(self.points))


def next_look(iterations: int) -> int:
    """The number of iterations at which the regret is looked at next.

    >>> next_look(0), next_look(1), next_look(50), next_look(55)
    (1, 2, 55, 60)
    """
    at = 1
    while at <= iterations:
        at += max(1, at // 10)
    return at
