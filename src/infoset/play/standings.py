"""What the games of a match say: means with their intervals, and ratings.

Games of one round have the same deal, so that only means of different rounds are independent. The
interval is Student's, from the standard deviation s of these means,

    mean ± t(0.975, m − 1) · s / √m        over m rounds.

A :class:`PayoffTally` adds games up as they end; its standings cost a few operations on arrays.

A rating is a belief about skill: normal, with mean μ and standard deviation σ. Whoever gets more in
a game is ranked above, equal payoffs are a tie, and each game moves the beliefs of those who played
it by the rules of Weng and Lin for the Plackett-Luce model ("A Bayesian approximation method for
online ranking", Journal of Machine Learning Research 12, 2011), as openskill computes them. Only
the order of payoffs counts, not by how much they differ: a player that wins many small pots and
loses a few large ones may be rated above one that gets more.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from typing import Any

import numpy as np

from infoset.errors import RulesError
from infoset.linear.numbers import Number
from infoset.play.records import MatchGame
from infoset.text import decimal_near

CONFIDENCE = 0.95
LARGEST = 1e100  # payoff whose square, of many games, is a float
CAUTION = 3  # standard deviations by which an ordinal is below the mean


@dataclass(frozen=True)
class Standing:
    """What an entrant has got, a game.

    Attributes
    ----------
    name : str
        As it was given.
    mean : float
        Over all of its games.
    low, high : float
        The interval that contains the expectation with a confidence of 95%; infinite where there
        are fewer than two rounds.
    games, forfeits : int
        Played, and lost by a fault.
    """

    name: str
    mean: float
    low: float
    high: float
    games: int
    forfeits: int


@dataclass(frozen=True)
class Rating:
    """How strong an entrant is, as the order of payoffs in its games tells.

    Attributes
    ----------
    name : str
        As it was given.
    mu, sigma : float
        The mean and the standard deviation of the belief; 25 and 25/3 before the first game.
    """

    name: str
    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What the skill almost certainly exceeds: μ − 3σ, by which entrants are ranked."""
        return self.mu - CAUTION * self.sigma


class PayoffTally:
    """What entrants got, by round, added up game by game.

    Parameters
    ----------
    entrants
        Their names.
    round_size
        The number of games of a round: game k belongs to round k // round_size.

    Examples
    --------
    >>> tally = PayoffTally(["one", "two"], round_size=2)
    >>> for number, paid in enumerate((2, -1, 1, 1)):
    ...     tally.add(number, {0: paid, 1: -paid})
    >>> tally.standings()[0].mean
    0.75
    """

    def __init__(self, entrants: Sequence[str], round_size: int) -> None:
        """Without any games."""
        self.entrants = tuple(entrants)
        self.round_size = round_size
        self._rounds = [array("q") for _ in self.entrants]  # [entrant][game of its own]
        self._paid = [array("d") for _ in self.entrants]
        self._forfeits = [0] * len(self.entrants)

    def add(self, number: int, paid: Mapping[int, Number], forfeited: int | None = None) -> None:
        """Add a game: its number, what each entrant in it got, and who has forfeited it."""
        for entrant, payoff in paid.items():
            if not -LARGEST <= payoff <= LARGEST:
                raise RulesError(
                    f"game {number:,} pays {self.entrants[entrant]:.60}"
                    f" {decimal_near(payoff, 4)}, and there are no means of payoffs beyond"
                    f" {LARGEST:.0e}; let the rules pay in a larger unit"
                )
            self._rounds[entrant].append(number // self.round_size)
            self._paid[entrant].append(float(payoff))
        if forfeited is not None:
            self._forfeits[forfeited] += 1

    def standings(self) -> list[Standing]:
        """Of all entrants, in their order."""
        return [self._standing(number) for number in range(len(self.entrants))]

    def _standing(self, number: int) -> Standing:
        paid, rounds = np.array(self._paid[number]), np.array(self._rounds[number])
        games = np.bincount(rounds)
        played = games > 0
        mean, half = interval(np.bincount(rounds, paid)[played] / games[played])
        name, forfeits = self.entrants[number], self._forfeits[number]
        return Standing(name, mean, mean - half, mean + half, len(paid), forfeits)


def interval(numbers: Sequence[float] | np.ndarray[Any, Any]) -> tuple[float, float]:
    """The mean of independent numbers, and half the width of its interval.

    >>> mean, half = interval([1.0, 3.0, 2.0])
    >>> mean, round(half, 3)
    (2.0, 2.484)
    >>> interval([5.0])
    (5.0, inf)
    """
    count = len(numbers)
    if not count:
        return 0.0, inf
    mean = float(np.mean(numbers))
    if count == 1:
        return mean, inf
    from scipy.special import stdtrit

    deviation = float(np.std(numbers, ddof=1))
    return mean, float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * deviation / sqrt(count)


def paid_by_entrant(game: MatchGame, payoffs: Mapping[str, Number]) -> dict[int, Number]:
    """What each entrant of a game got: if it has several seats, the mean of them."""
    found: dict[int, list[Number]] = {}
    for player, entrant in game.seats.items():
        found.setdefault(entrant, []).append(payoffs[player])
    return {
        entrant: paid[0] if len(paid) == 1 else sum(paid, Fraction(0)) / len(paid)
        for entrant, paid in found.items()
    }


def rated(entrants: Sequence[str], games: Iterable[MatchGame]) -> list[Rating]:
    """Ratings of all entrants, in their order, from games in the order of their numbers.

    Parameters
    ----------
    entrants
        Their names.
    games
        In any order.

    Returns
    -------
    list of Rating
        One for each entrant; of one that has not played, as it was before.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in entrants]
    for game in sorted(games, key=lambda one: one.number):
        paid = paid_by_entrant(game, game.record.payoffs)
        if len(paid) < 2:
            continue  # nobody to be compared with
        ranks = [float(sum(other > mine for other in paid.values())) for mine in paid.values()]
        teams = model.rate([[ratings[entrant]] for entrant in paid], ranks=ranks)
        for entrant, (rating,) in zip(paid, teams, strict=True):
            ratings[entrant] = rating
    return [
        Rating(name, rating.mu, rating.sigma)
        for name, rating in zip(entrants, ratings, strict=True)
    ]
