"""A player that minimizes regret while it plays: Monte Carlo counterfactual regret minimization.

Before each move the player continues a run of sampling from the start of the game
(:mod:`infoset.solvers.sampling`), and then plays by the average strategy at its information set.
The run is kept from move to move, and with a clock from game to game, so that the strategies of
both players approach an equilibrium of a zero-sum game as the match goes on; without a clock a game
depends on its seed alone, and begins a run of its own. Nothing depends on what the opponents do:
the player learns the game, and not how somebody plays it.

This suits games whose information sets are met again and again, such as poker with few cards. In a
large game most sets that are reached were never met by the run, and the player moves at random
there; a search from the set itself is better then.

External sampling learns more from an iteration, outcome sampling has shorter ones; a first
iteration of external sampling that visits more than ``LONG`` nodes is abandoned for the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

from infoset.memory import young_collections
from infoset.play.player import Choice, Clock, Seated
from infoset.play.searching import SPARE, at_least_one
from infoset.solvers.sampling.places import MEMORY, source
from infoset.solvers.sampling.run import SamplingRequest, SamplingRun
from infoset.solvers.sampling.walks import Abandoned
from infoset.solvers.settings import Settings

LONG = 20_000  # nodes of an iteration
PLACES = 20_000  # that are kept with a clock: to drop some of many takes longer than a short move


class RegretPlayer(Seated):
    """Continues a run of sampling before each move, and plays by its average strategy.

    Parameters
    ----------
    iterations
        For a move; with a clock, as many as there is time for.

    Attributes
    ----------
    run : SamplingRun or None
        The run so far.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import RegretPlayer, match
    >>> result = match(kuhn(), [RegretPlayer(iterations=100), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(self, *, iterations: int = 200) -> None:
        """The run begins with the first move."""
        self.iterations = at_least_one("iterations", iterations)
        self.run: SamplingRun | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.run is None or self.game is not game or clock.seconds == inf:
            self._source = source(game)
            self.run = None
        super().begin(game, seat, clock)

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The average strategy at the information set; any option if it was never met."""
        if len(options) == 1:
            return options[0]
        with young_collections():
            run = self._continued()
        seats = self._source.seats
        agent = seats.agent(self.seat)
        row = run.table.find((seats.agents[agent], view, options))
        weights = [0.0] * len(options) if row is None else row.average
        whole = sum(weights)
        if not whole:
            return self.clock.random.choice(options)
        chances = zip(options, weights, strict=True)
        return {option: weight / whole for option, weight in chances if weight}

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """See :meth:`Seated.skip`: the run is continued when a move is chosen."""

    def _continued(self) -> SamplingRun:
        """The run after more iterations: so many, or until the time for the move is used."""
        clock = self.clock
        if self.run is None:
            self.run = self._first()
        run, slowest = self.run, 0.0
        until = run.iterations + self.iterations
        latest = clock.seconds * (1 - SPARE)  # what is left of the time when it ends
        while run.iterations < until if clock.left == inf else clock.left - slowest > latest:
            began = perf_counter()
            run.step()
            slowest = max(slowest, perf_counter() - began)
        return run

    def _first(self) -> SamplingRun:
        """A new run, whose iterations are not too long."""
        settings = Settings(seed=self.clock.random.randrange(2**32))
        clock, seconds = self.clock, self.clock.left / 2
        make = partial(
            SamplingRun,
            self._source,
            memory=MEMORY if clock.left == inf else PLACES,
            estimates=False,
        )
        run = make(SamplingRequest("external", settings))
        run.abandon = lambda: run.nodes > LONG or clock.left < seconds
        try:
            run.step()
        except Abandoned:
            return make(SamplingRequest("outcome", settings))
        run.abandon = lambda: False
        return run
