"""What the searches of simultaneous moves share: leaves, bounds, a table, a clock and counts.

A search from a position is a pass: to the end of the game, or as many stages deep as it may look.
Where a pass stops short, the position is worth what an evaluator says, or else the least or the
most that it could be. The search on top then gives a bound of the true value: matrix games and
averages are monotone in their entries.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any

from infoset.errors import NotApplicable, ParameterError
from infoset.rules import Position, StagePosition
from infoset.rules.exact import exact as rational
from infoset.search.limits import deep_recursion, evaluated
from infoset.search.result import Number
from infoset.search.simultaneous.arithmetic import TIE, ExactNumbers, arithmetic
from infoset.search.simultaneous.ground import Ground, Stage
from infoset.search.simultaneous.looking import Lookout, glance
from infoset.search.simultaneous.request import EPSILON, Request
from infoset.search.source import Source

COUNTED = (
    "nodes",
    "leaves",
    "chances",
    "matrices",
    "saddles",
    "programs",
    "windows",
    "skipped",
    "transpositions",
    "serialized",
    "responses",
)
ROUNDING = 2.0**-53
LARGEST = 10**100  # of amounts that are searched
EVERY = 256  # nodes between two looks at the clock
ENDLESS = 1 << 30  # a depth that no game has
LONGEST = 10_000  # moves of a play


class Stopped(Exception):
    """A search was told to stop, or its time is up."""


class Session:
    """One search of one game: its settings, what it knows and what it has counted."""

    def __init__(self, source: Source, request: Request) -> None:
        """Check the game, look a little ahead, and fix the bounds."""
        self.source = source
        self.request = request
        self.ground = Ground(source)
        self.lookout = Lookout(self.ground)
        self.lookout.ahead()
        glance(self.ground)
        self.arithmetic = arithmetic(request.exact)
        self.number = self.arithmetic.number
        bounds = request.bounds if request.bounds is not None else source.bounds
        if bounds is not None and max(map(abs, map(rational, bounds))) > LARGEST:
            raise ParameterError(f"{self.ground.name}: bounds beyond {LARGEST:.0e} are too large")
        if bounds is not None:
            self.arithmetic.measure(*map(rational, bounds))
        self.amount = self.arithmetic.amount
        self.low: Any = None if bounds is None else self.amount(bounds[0])
        self.high: Any = None if bounds is None else self.amount(bounds[1])
        if request.heuristic_bounds is True and not hasattr(self.ground.start, "bounds"):
            raise NotApplicable(
                f"{self.ground.name}: its positions know no bounds of their own; give"
                " heuristic_bounds= as a function of the position"
            )
        asked = request.transpositions
        states = isinstance(self.ground.start, StagePosition)
        self.transpositions = states if asked is None else asked
        self.counts = dict.fromkeys(COUNTED, 0)
        self.table: dict[Hashable, tuple[Any, Any]] = {}
        self.deadline: float | None = None
        self.minding = True  # of the clock, and of a wish to stop
        self.unknown: bool | None = None  # what is not looked at is worth: False least, True most
        self.cut = False  # did this pass stop short anywhere?
        self.start_depth = self.least_depth = ENDLESS
        self._seen: list[Any] = []  # the least and the most payoff met, where no bounds are known

    # ------------------------------------------------------------------ numbers

    @property
    def tie(self) -> Number:
        """How far apart numbers may be and count as equal."""
        if self.request.exact:
            return 0
        low, high = (self.low, self.high) if self.low is not None else (self._seen or (0.0, 0.0))
        return TIE * float(high - low)

    @property
    def epsilon(self) -> Any:
        """The width of a window in which one of two actions is refuted."""
        if self.request.epsilon is None:
            return self.number(EPSILON) * (self.high - self.low) or self.number(EPSILON)
        wide = self.arithmetic.width(self.request.epsilon)
        return max(wide, 4 * self.tie)  # less than a tie would tell nothing

    @property
    def error(self) -> float:
        """By how much floats may have put the value off.

        At each stage by the gap between what both strategies guarantee, by its ties and by
        rounding; and in the end by what it takes to say it in payoffs.
        """
        if isinstance(self.arithmetic, ExactNumbers):
            return 0.0
        stages = self.start_depth - self.least_depth
        tally, tie = self.arithmetic.tally, float(self.tie)
        ties = 0 if self.request.method == "backward-induction" else 2 * tally.widest + 1
        most = 1.0 if self.low is not None else max(map(abs, self._seen), default=0.0)
        rounding = 4 * (tally.widest + 2) * ROUNDING * most
        half, middle = float(self.arithmetic.half), abs(float(self.arithmetic.middle))
        off = stages * (tally.gap + ties * tie + rounding) + tie
        return half * off + 4 * ROUNDING * (half + middle)

    # ------------------------------------------------------------------ positions

    def leaf(self, position: Position) -> Any:
        """What the first player gets."""
        self.counts["leaves"] += 1
        told = self.ground.payoff(position)
        paid = self.amount(told)
        if self.low is None:
            seen = self._seen or [paid, paid]
            self._seen = [min(seen[0], paid), max(seen[1], paid)]
            return paid
        return self.ground.within(told, paid, self.bounds(position), self, "the payoff")

    def guess(self, position: Position) -> Any:
        """What a position is taken to be worth that is too deep to look into."""
        self.cut = True
        if self.request.evaluator is None:
            low, high = self.own_bounds(position)
            return high if self.unknown else low
        said = evaluated(self.request.evaluator, position, self.ground.name)
        worth = self.amount(said)
        if self.low is None:
            return worth
        self.ground.within(said, worth, (self.low, self.high), self, "the evaluator's")
        low, high = self.bounds(position)
        return min(max(worth, low), high)

    def own_bounds(self, position: Position) -> tuple[Any, Any]:
        """The same where a pass stops: what a state says of itself is used unasked."""
        if self.request.heuristic_bounds or not isinstance(position, StagePosition):
            return self.bounds(position)
        low, high = map(self.amount, position.bounds)
        return max(low, self.low), min(high, self.high)

    def bounds(self, position: Position) -> tuple[Any, Any]:
        """The least and the most that a position can be worth, as far as is known."""
        asked = self.request.heuristic_bounds
        if not asked:
            return self.low, self.high
        pair = position.bounds if asked is True else asked(position)  # type: ignore[attr-defined]
        try:
            low, high = map(self.amount, pair)
        except (TypeError, ValueError):
            raise ParameterError(
                f"heuristic_bounds: {pair!r:.40} is not a pair of numbers"
            ) from None
        if low > high:
            raise ParameterError(
                f"heuristic_bounds: the least, {pair[0]}, is above the most, {pair[1]}"
            )
        return max(low, self.low), min(high, self.high)

    def enter(self, position: Position, depth: int) -> Stage:
        """Come to a stage: count it, mind the clock, and see that nothing is hidden."""
        self.counts["nodes"] += 1
        if self.counts["nodes"] % EVERY == 0:
            self.mind()
        if depth - 1 < self.least_depth:
            self.least_depth = depth - 1
        self.lookout.note(position)
        stage = self.ground.stage(position)
        widest = max(len(stage.rows), len(stage.columns))
        if widest > self.arithmetic.tally.widest:
            self.arithmetic.tally.widest = widest
        return stage

    def pass_by(self, position: Position) -> Stage:
        """Come to a stage in a search by turns."""
        self.counts["serialized"] += 1
        if self.counts["serialized"] % EVERY == 0:
            self.mind()
        return self.ground.stage(position)

    def outcomes(self, position: Position) -> list[tuple[Any, Position]]:
        """What nature may do, with its probabilities."""
        self.counts["chances"] += 1
        return [
            (self.number(share), position.after(outcome))
            for outcome, share in position.chances()
            if share
        ]

    # ------------------------------------------------------------------ the table

    def key(self, position: Position, depth: int, kind: str = "") -> Hashable:
        """By what a position is known again; None if it is not to be."""
        asked = self.transpositions
        if asked is False:
            return None
        left = depth if self.limited else None  # else all there is, however deep the place
        return (kind, position if asked is True else asked(position), left)

    @property
    def limited(self) -> bool:
        """May a pass stop short?"""
        return self.request.depth is not None or self.deepens

    @property
    def deepens(self) -> bool:
        """Is it to go one stage deeper each time: unasked, if that can tell anything?"""
        known = self.low is not None or self.request.evaluator is not None
        return self.request.deepens and (known or self.request.deepening is True)

    def recall(self, key: Hashable, alpha: Any, beta: Any) -> Any:
        """What was found for a position, if it answers a search with this window; else None."""
        if key is None or key not in self.table:
            return None
        low, high = self.table[key]
        if low != high and high > alpha and low < beta:
            return None
        self.counts["transpositions"] += 1
        return low if low >= beta else high

    def store(self, key: Hashable, value: Any, alpha: Any, beta: Any) -> None:
        """Keep what a search with a window has shown."""
        if key is None:
            return
        low, high = self.table.get(key, (self.low, self.high))
        tie = self.tie
        if value <= alpha + tie:
            high = min(high, value)
        elif value >= beta - tie:
            low = max(low, value)
        else:
            low = high = value
        self.table[key] = (low, high)

    # ------------------------------------------------------------------ the clock

    def room(self) -> AbstractContextManager[None]:
        """Let calls go as deep as a long game needs."""
        return deep_recursion(self.ground.name, LONGEST)

    def mind(self) -> None:
        """Say how far it is, and stop if it is time to."""
        if not self.minding:
            return
        if self.request.tick is not None:
            self.request.tick(f"{self.counts['nodes']:,} positions")
        if self.deadline is not None and monotonic() > self.deadline:
            raise Stopped("time is up")
        if self.request.stop is not None and self.request.stop():
            raise Stopped("it was told to stop")

    def counted(self) -> dict[str, int]:
        """All counts so far."""
        tally = self.arithmetic.tally
        own = {
            "matrices": tally.matrices,
            "saddles": tally.saddles,
            "programs": tally.programs,
        }
        return {**self.counts, **own}
