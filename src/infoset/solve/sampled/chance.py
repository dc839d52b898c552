"""Whatever is left to chance in a walk: nature's moves made ready, and two ways to draw.

Each of nature's moves is made once, however often the rules put it. A draw takes one random number.
A walk asks for nothing else that is random, so that a test can put every outcome in its place and
add up what the walk does, with the probabilities that it says.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from infoset.rules.lotteries import Lotteries
from infoset.rules.moves import Lottery, Menu

if TYPE_CHECKING:
    from infoset.solve.sampled.places import Place

REMEMBERED = 20_000  # lotteries; when there are more, all are made anew


class Chances(NamedTuple):
    """What nature may draw, and with what probability each, or one before it, is drawn."""

    outcomes: Menu
    cumulative: list[float] | None  # [outcome]; None where all are alike


class Nature:
    """Nature's moves of one game."""

    def __init__(self) -> None:
        """Nature has not moved yet."""
        self._lotteries = Lotteries()
        self._cumulative: dict[int, list[float] | None] = {}  # by the lottery's number

    def chances(self, make: Callable[..., Lottery], *terms: Any) -> Chances:
        """What rules ask nature for, put as :meth:`Lotteries.number` takes it."""
        if len(self._lotteries.table) > REMEMBERED:
            self._lotteries, self._cumulative = Lotteries(), {}
        number, outcomes = self._lotteries.number(make, terms)
        if number not in self._cumulative:
            self._cumulative[number] = cumulated(self._lotteries.table[number].probabilities)
        return Chances(outcomes, self._cumulative[number])


def cumulated(probabilities: Sequence[Fraction]) -> list[float] | None:
    """Exact sums from the first on, as floats; None where all are alike.

    >>> cumulated((Fraction(1, 3), Fraction(0), Fraction(2, 3)))
    [0.3333333333333333, 0.3333333333333333, 1.0]
    """
    first = probabilities[0]
    if all(probability == first for probability in probabilities):
        return None
    return [float(total) for total in accumulate(probabilities)]


class Draws(Protocol):
    """What a walk leaves to chance."""

    def outcome(self, place: Place) -> int:
        """Which outcome nature draws."""

    def option(self, shares: list[float]) -> int:
        """Which option is drawn, by its probability."""


class Luck:
    """Draws by a generator of random numbers."""

    __slots__ = ("uniform",)

    def __init__(self, random: Random) -> None:
        """One number from 0 to 1 is taken for every draw, also where there is but one move."""
        self.uniform = random.random

    def outcome(self, place: Place) -> int:
        """Which outcome nature draws; never one of probability 0."""
        if place.cumulative is None:
            return int(self.uniform() * len(place.moves))
        return bisect_right(place.cumulative, self.uniform())

    def option(self, shares: list[float]) -> int:
        """Which option is drawn; never one of probability 0."""
        left = self.uniform()
        if len(shares) == 2:
            return 0 if left < shares[0] else 1
        for move, share in enumerate(shares):
            left -= share
            if left < 0:
                return move
        return max(move for move, share in enumerate(shares) if share)  # rounding left something
