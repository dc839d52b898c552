"""The histories that were tried, as a tree with bounds: rejection that remembers its dead ends.

Let v be what a player has observed, p the probability of a move of chance or of the model, and
P(v | h) the probability that a history h goes on to one that v agrees with. Histories are wanted
with probability p(h) / P(v), where p(h) is the product of the p on the way; the player's own moves
are those that v names.

Plain rejection draws every move by p, and begins again where v disagrees. Here each node h that was
met keeps a bound U(h) ≥ P(v | h):

    U(h) = 1                    if nothing below was tried
    U(h) = 0                    if v disagrees with h
    U(h) = 1                    if h is a history that was looked for
    U(h) = Σ_m p(m) U(h m)      otherwise,

and a move m is drawn with probability p(m) U(h m) / U(h). The factors telescope: each history
looked for is reached with probability p(h) / U(start), the same multiple of what it should be for
all of them. So whatever is found is drawn exactly as wanted, at every attempt, however much has
been tried before. What is learnt from attempts that fail makes later ones fail less often: U(start)
falls to P(v), and all succeed. If it falls to 0, no history agrees with v, and that is proved.

Bounds are kept as logarithms, since those of long plays are below what floats can hold.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import exp, inf, log
from typing import Any

from infoset.rules.moves import Menu
from infoset.solvers.sampling.places import cumulated

FEW = 256  # moves of a node whose bounds are kept in a list from the beginning
SMALL = 1e-200  # weights whose sum is below are scaled

Uniform = Callable[[], float]


class Match:
    """A history that was looked for: its position."""

    __slots__ = ("position", "start")
    bound = 0.0

    def __init__(self, position: Any, start: Any) -> None:
        """With what is needed to go on from there."""
        self.position = position
        self.start = start


class _Dead:
    """Stands where the view disagrees."""

    bound = -inf


DEAD = _Dead()


class Tried:
    """A chance move or a hidden decision that was met, and what is known of what follows."""

    __slots__ = (
        "_floats", "_scale", "_sums", "_weights", "above", "below", "bound", "cumulative", "moves",
        "probabilities", "start", "taken",
    )  # fmt: skip

    def __init__(
        self,
        moves: Menu | range,
        probabilities: Sequence[Fraction] | None,
        cumulative: list[float] | None,
        start: Any,
    ) -> None:
        """With the moves and their probabilities; None: all alike. ``start``: how to go on."""
        self.moves = moves
        self.probabilities = probabilities  # [move]
        self.cumulative = cumulative  # [move]
        self.start = start
        self.above: Tried | None = None
        self.taken = 0  # the move that leads here
        self.below: dict[int, Tried | Match | _Dead] = {}  # by move, if it was tried
        self.bound = 0.0  # log U
        self._weights: list[float] | None = None  # [move] p U / scale
        self._scale = 0.0  # its logarithm
        self._sums: list[float] | None = None
        self._floats: list[float] | None = None  # [move] p
        if cumulative is not None and probabilities is not None and not all(probabilities):
            self.below = {at: DEAD for at, one in enumerate(probabilities) if not one}

    def attach(self, move: int, below: Tried | Match | _Dead) -> None:
        """What a move leads to."""
        self.below[move] = below
        if type(below) is Tried:
            below.above, below.taken = self, move

    def probability(self, move: int) -> Fraction:
        """The exact probability of a move."""
        if self.probabilities is None:
            return Fraction(1, len(self.moves))
        return self.probabilities[move]

    def first(self) -> int:
        """The first move that is possible."""
        return next(move for move in range(len(self.moves)) if self.below.get(move) is not DEAD)

    def draw(self, uniform: Uniform) -> int:
        """A move m, with probability p(m) U(m) / U."""
        if self._weights is not None:
            if self._sums is None:
                self._sums = list(accumulate(self._weights))
            sums = self._sums
            move = bisect_right(sums, uniform() * sums[-1])
            # Rounding may lead past the last.
            return move if move < len(sums) else bisect_right(sums, sums[-1] * (1 - 1e-15))
        cumulative, below, count = self.cumulative, self.below, len(self.moves)
        while True:
            if cumulative is None:
                move = int(uniform() * count)
            else:
                move = bisect_right(cumulative, uniform())
            found = below.get(move)
            if found is None or found.bound == 0.0 or uniform() < exp(found.bound):
                return move

    def learn(self, move: int, before: float) -> None:
        """Adapt the bound after that of what follows a move has changed, from what it was."""
        now = self.below[move].bound
        if self._weights is None:
            if len(self.moves) > FEW and len(self.below) < len(self.moves):
                left = exp(self.bound) - self._probability(move) * (exp(before) - exp(now))
                # Untried moves are left, so that this is not 0 but by rounding.
                self.bound = log(max(left, self._probability(move) * 1e-9))
                return
            self._weigh()
        else:
            self._weights[move] = self._probability(move) * exp(now - self._scale)
        assert self._weights is not None
        self._sums = None
        total = sum(self._weights)
        if total < SMALL:
            self._weigh()
            total = sum(self._weights)
        self.bound = log(total) + self._scale if total else -inf

    def _weigh(self) -> None:
        """Compute all weights, in a scale in which they can be added up."""
        below, untried = self.below, len(self.below) < len(self.moves)
        highest = max([0.0 if untried else -inf, *(one.bound for one in below.values())])
        self._scale = scale = 0.0 if highest == -inf else highest
        self._weights = [
            self._probability(move)
            * (exp(below[move].bound - scale) if move in below else exp(-scale))
            for move in range(len(self.moves))
        ]

    def _probability(self, move: int) -> float:
        if self.cumulative is None:
            return 1.0 / len(self.moves)
        if self._floats is None:
            assert self.probabilities is not None
            self._floats = [float(one) for one in self.probabilities]
        return self._floats[move]

    def renew(self) -> None:
        """Compute the bound again from all that follows."""
        self._weights = self._sums = None
        if len(self.below) == len(self.moves) or len(self.moves) <= FEW:
            self._weigh()
            assert self._weights is not None
            total = sum(self._weights)
        else:
            self._scale = 0.0
            lost = [
                self._probability(move) * (1 - exp(one.bound)) for move, one in self.below.items()
            ]
            total = max(1 - sum(lost), 1e-300)
        self.bound = log(total) + self._scale if total else -inf


def node(moves: Menu | range, row: Sequence[Fraction] | None, start: Any) -> Tried:
    """A node from probabilities; None: all alike."""
    cumulative = None if row is None else cumulated(row)
    return Tried(moves, None if cumulative is None else row, cumulative, start)


def spread(above: Tried | None, move: int, before: float) -> None:
    """Adapt the bounds from a node up to the start, after what follows a move has changed."""
    at = above
    while at is not None:
        was = at.bound
        at.learn(move, before)
        if at.bound == was:
            return
        move, before, at = at.taken, was, at.above
