"""What the search stands on: weighted positions that spread into leaves and information sets.

The search speaks of *losses*. If the first player can get at most U, then a leaf of probability p
that pays x loses p (U − x), which is never negative; a set of positions loses what its leaves lose.
The first player wants to lose little. So a bound on what the rest of a sum can bring is 0, and to
ask whether the most that can still be had is below P is to ask whether enough is lost already: one
comparison for a leaf, and no probabilities. Where no U is known, losses are counted from 0.

Information sets go by number. A *share* of one (the paper's PI-set, a partial information set) is
that number with the members that are in sight.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Protocol

Loss = Any  # an int over the ground's unit, a Fraction; or an infinity, in comparisons only
Shares = dict[int, list[Any]]  # by information set: its members in sight

INFINITE = math.inf

# What lies beyond the horizon: the worst, the best, or what an evaluator says.
WORST, BEST, EVALUATED = "worst", "best", "evaluated"


class Ground(Protocol):
    """A game, as sets of weighted positions."""

    capped: bool  # is it known what the first player may get at most, so that no loss is negative?
    floored: bool  # and at least?
    owner: list[int]  # [set] who moves there: 0, the first player, or 1
    width: list[int]  # [set] how many alternatives it has
    pause: int  # mixed sets between two looks at the clock
    longest: int  # moves that a play may have
    unknown: str  # what lies beyond the horizon
    chances: int  # chance positions gone through
    examined: int  # leaves, and positions at which the look ahead ended
    horizon: int  # of them the latter
    cutoffs: int  # times that examining ended early with something left

    def restart(self) -> None:
        """Count from 0."""

    def begin(self) -> list[Any]:
        """Where the game starts, as members from which no move has been made."""

    def spread(
        self, members: list[Any], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, Shares | None]:
        """Move (but not from the start, -1), go on through chance, and examine the leaves.

        What they lose, and the shares that remain; None for those once the whole is known to lose
        ``high`` or more, or ``low`` or less, in which case the loss says on which side.
        """

    def room(self, members: list[Any]) -> Loss:
        """The most that the members can lose; only where that is floored and capped."""

    def worth(self, loss: Loss) -> Fraction:
        """What the first player gets if it loses so much, from the start."""

    def has(self, position: Any) -> bool:
        """Is this a position of the game?"""

    def place(self, position: Any, mover: str) -> int | None:
        """The number of a mover's information set at a position, if it was met."""

    def told(self, number: int) -> tuple[str, str]:
        """Of an information set: who moves there, and what it knows."""
