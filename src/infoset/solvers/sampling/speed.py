"""Which method suits a game whose tree does not fit, by measurement.

External sampling learns most from an iteration, and outcome sampling has the shortest ones. How
long they take differs between games by factors of thousands: an iteration of external sampling
walks all moves of one player, that of outcome sampling a single play for each. So both are run for
a moment. External sampling is recommended where it makes ``ENOUGH`` iterations a second. (The first
ones are shorter than later ones, when players have learnt to stay in the game.) Measured in
exploitability after half a minute of both on a busy machine: in liar's dice with one die each,
where it makes 190 a second, it is ahead of outcome sampling (0.43 against 0.56); in battleships on
2 by 3 squares, where it makes 52, it is behind (0.45 against 0.34).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from infoset.errors import InfosetError
from infoset.rules import Family, Game
from infoset.rules.estimate import Stopwatch
from infoset.solvers.sampling.places import source
from infoset.solvers.sampling.run import METHODS, SamplingRequest, SamplingRun
from infoset.solvers.sampling.walks import Abandoned
from infoset.solvers.settings import Settings

SECONDS = 0.1  # of each method: a refusal should come within a second
ENOUGH = 100  # iterations a second of external sampling


@dataclass(frozen=True)
class SamplingSpeeds:
    """How fast a game is sampled.

    Attributes
    ----------
    rates
        Iterations a second, by method; 0 if the first did not end in time.
    """

    rates: dict[str, float]

    @property
    def recommended(self) -> str:
        """The method to take."""
        return "external" if self.rates["external"] >= ENOUGH else "outcome"

    def __str__(self) -> str:
        """In words."""
        (other,) = set(METHODS) - {self.recommended}
        return (
            f"sample(game, {self.recommended!r}) needs no tree, and makes"
            f" {rate_text(self.rates[self.recommended])} iterations a second here"
            f" ({other} sampling: {rate_text(self.rates[other])})"
        )


def rate_text(rate: float) -> str:
    """A number of iterations a second, rounded.

    >>> rate_text(1234.5), rate_text(2.6), rate_text(0)
    ('about 1,200', 'about 3', 'less than 1')
    """
    return f"about {float(f'{rate:.2g}'):,.0f}" if rate >= 1 else "less than 1"


def sampling_speeds(game: Any, seconds: float = SECONDS) -> SamplingSpeeds:
    """Run each method of sampling for a moment, and count its iterations.

    Parameters
    ----------
    game
        A game, a tree, or anything with ``.position()`` and ``.players``.
    seconds
        How long each method is run.

    Returns
    -------
    SamplingSpeeds
        Iterations a second, and what to take.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> sampling_speeds(kuhn(), 0.05).recommended
    'external'
    """
    return SamplingSpeeds({method: _rate(game, method, seconds) for method in METHODS})


def _rate(game: Any, method: str, seconds: float) -> float:
    run = SamplingRun(source(game), SamplingRequest(method, Settings()))
    _ = run.places.root  # a first deal of millions of outcomes is listed once, in any run
    watch = Stopwatch(seconds)
    run.abandon = watch.over
    with suppress(Abandoned):
        while not watch.over():
            run.step()
    return run.iterations / max(watch.elapsed, 1e-9)


def without_tree(game: Any, *, form: bool = True) -> str:
    """How to solve a game whose tree is too large, for a message; empty if nothing can be said.

    ``form`` says whether its public form may be named.
    """
    if isinstance(game, Family):
        game = game()
    ways = []
    if isinstance(game, Game):
        if form and game.vectorized and len(game.players) == 2:
            ways.append("solve(game.public()) needs no tree")
        if game.stages is not None:
            ways.append("infoset.search.smab(game) searches its stages")
        if game.seats.agents != game.seats.players:  # sampling is for perfect recall
            return "; ".join(ways)
    with suppress(InfosetError):  # the rules fail somewhere, or a move alone is too large
        ways.append(str(sampling_speeds(game)))
    return "; ".join(ways)
