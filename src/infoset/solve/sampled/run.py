"""A run: iterations one after the other, and all that they have come to.

Everything that a run does follows from the game and the request. The clock only decides between
which two iterations it stops. So looks at the regret, which may end a run, come at fixed numbers of
iterations, each a tenth more than the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random

from infoset.solve.sampled.chance import Luck
from infoset.solve.sampled.places import MEMORY, Places
from infoset.solve.sampled.request import Request
from infoset.solve.sampled.source import Source
from infoset.solve.sampled.table import Table
from infoset.solve.sampled.walks import Walk, averaging, external, outcome

Point = tuple[float, int, float]  # seconds, iterations, the largest bound


class Run:
    """The state of a run between two iterations."""

    def __init__(
        self, source: Source, request: Request, *, digests: bool = False, memory: int = MEMORY
    ) -> None:
        """Before the first iteration; with digests if it may be written to a file."""
        self.source = source
        self.request = request
        self.players = len(source.seats.players)
        self.table = Table(digests=digests)
        self.random = Random(request.seed)
        self.memory = memory
        self.iterations = 0
        self.begun = 0  # iterations that were in a file when this call took it up
        self.nodes = 0
        self.course: list[Point] = []
        self.seconds = 0.0  # spent before this call, and then in all
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
    def bounds(self) -> list[float]:
        """[player] the estimated bound on its average regret."""
        return self.table.bound(self.players, self.request.weights(self.iterations))

    def look(self, seconds: float) -> float:
        """Note where the run stands after so many seconds, and give the largest bound."""
        largest = max(self.bounds)
        self.course.append((seconds, self.iterations, largest))
        return largest


def next_look(iterations: int) -> int:
    """The number of iterations at which the regret is looked at next.

    >>> next_look(0), next_look(1), next_look(50), next_look(55)
    (1, 2, 55, 60)
    """
    at = 1
    while at <= iterations:
        at += max(1, at // 10)
    return at
