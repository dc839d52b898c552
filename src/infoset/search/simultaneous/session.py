"""Numbers, matrix games and programs of a search: in floats or exact, counted and timed alike.

In floats these are the kernels that a compiled search calls. Where the least l and the most h that
may be paid are known, floats count from the middle, in halves of what can be won: an amount v is
(2v − l − h) / (h − l), between −1 and 1, however large or small payoffs are. ``tie`` is how far
apart two floats may be and still count as equal; exact numbers are equal or they are not. What can
be said of a program by looking at it is no program: a floor that no row reaches, or a row that aims
highest and keeps to every floor.

What the searches of simultaneous moves share: leaves, bounds, a table, a clock and counts.

A search from a position is a pass: to the end of the game, or as many stages deep as it may look.
Where a pass stops short, the position is worth what an evaluator says, or else the least or the
most that it could be. The search on top then gives a bound of the true value: matrix games and
averages are monotone in their entries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from time import monotonic, perf_counter
from typing import Any, NamedTuple

from infoset.errors import NotApplicable, ParameterError
from infoset.objects.numbers import exact as rational
from infoset.rules import Position, StagePosition
from infoset.search.limits import deep_recursion, evaluated
from infoset.search.matrix import bounded_mixture, solve_matrix_game
from infoset.search.simultaneous.settings import EPSILON, Request
from infoset.search.simultaneous.stages import Ground, Lookout, Stage, glance
from infoset.solvers.evaluation import Number
from infoset.tree.source import Source

TIE = 1e-11  # of what can be won: floats that differ by less are taken as equal
Shares = tuple[Number, ...]


class Played(NamedTuple):
    """A matrix game's value, and what both sides do."""

    value: Any
    rows: Shares
    columns: Shares


class Tally:
    """How many matrix games and programs were solved, and what they took."""

    def __init__(self) -> None:
        self.matrices = self.saddles = self.programs = 0
        self.seconds = 0.0
        self.gap = 0.0  # the widest between what both sides' strategies guarantee
        self.widest = 1  # rows or columns of a matrix


class ExactNumbers:
    """Fractions, and answers that prove themselves."""

    is_exact = True

    def __init__(self) -> None:
        import infoset.kernels.matrix  # noqa: F401  # loaded before any clock starts

        self.tally = Tally()

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Nothing is to be measured: numbers are taken as they are."""

    def number(self, value: Any) -> Number:
        """A probability, or nothing at all."""
        return rational(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound of one."""
        return rational(value)

    def width(self, value: Any) -> Number:
        """The difference of two amounts."""
        return rational(value)

    def worth(self, amount: Any) -> Any:
        """What an amount stands for."""
        return amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> Played:
        """Solve a matrix game."""
        began = perf_counter()
        found = solve_matrix_game(matrix, exact=True)
        self.tally.seconds += perf_counter() - began
        self.tally.matrices += 1
        self.tally.saddles += found.saddle
        self.tally.programs += not found.saddle
        return Played(found.value, found.rows, found.columns)

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The most that a mixture of rows aims at above its floors; None if there is none."""
        if not table or any(max(row[j] for row in table) < floor for j, floor in enumerate(floors)):
            return None
        best = max(aims)
        for row, aim in zip(table, aims, strict=True):
            if aim == best and all(x >= floor for x, floor in zip(row, floors, strict=True)):
                return best
        began = perf_counter()
        found = bounded_mixture(table, floors, aims, exact=True)
        self.tally.seconds += perf_counter() - began
        self.tally.programs += 1
        return found


class FloatNumbers:
    """Floats, by the compiled kernels."""

    is_exact = False

    def __init__(self) -> None:
        self.tally = Tally()
        self.middle, self.half = Fraction(0), Fraction(1)
        self._size = 0
        self._grow(8)

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Count amounts from the middle between the least and the most, in halves of the span."""
        self.middle, self.half = (low + high) / 2, (high - low) / 2 or Fraction(1)

    def number(self, value: Any) -> Number:
        """A probability, or nothing at all."""
        return float(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound of one."""
        return float((rational(value) - self.middle) / self.half)

    def width(self, value: Any) -> Number:
        """The difference of two amounts."""
        return float(rational(value) / self.half)

    def worth(self, amount: Any) -> Any:
        """What an amount stands for."""
        return float(self.middle) + float(self.half) * amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> Played:
        """Solve a matrix game."""
        rows, columns = len(matrix), len(matrix[0])
        self._lay(matrix, rows, columns)
        before = int(self._counted[0])
        began = perf_counter()
        value = self._solve(
            self._table, rows, columns, self._floors, self._aims, self._work, self._counted
        )
        self.tally.seconds += perf_counter() - began
        self.tally.matrices += 1
        saddle = int(self._counted[0]) - before
        self.tally.saddles += saddle
        self.tally.programs += 1 - saddle
        if not saddle:
            apart = self._gap(self._table, rows, columns, self._floors, self._aims)
            self.tally.gap = max(self.tally.gap, float(apart))
        x, y = self._floors[:rows].tolist(), self._aims[:columns].tolist()
        return Played(float(value), tuple(x), tuple(y))

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The most that a mixture of rows aims at above its floors; None if there is none."""
        if not table:
            return None
        count, width = len(table), len(floors)
        self._lay(table, count, width)
        self._floors[:width] = floors
        self._aims[:count] = aims
        before = int(self._counted[1])
        began = perf_counter()
        found = self._bound(
            self._table, count, width, self._floors, self._aims, self._work, self._counted
        )
        self.tally.seconds += perf_counter() - began
        self.tally.programs += int(self._counted[1]) - before
        return None if found == float("-inf") else float(found)

    def _lay(self, table: Sequence[Sequence[Any]], rows: int, columns: int) -> None:
        if max(rows, columns) > self._size:
            self._grow(2 * max(rows, columns))
        if columns:
            self._table[:rows, :columns] = table

    def _grow(self, size: int) -> None:
        import numpy as np

        from infoset.kernels import matrix as kernels
        from infoset.kernels.matrix import mixture_bound

        self._size = size
        self._table = np.zeros((size, size))
        self._floors, self._aims = np.zeros(size), np.zeros(size)
        self._work, self._counted = kernels.workspace(size), np.zeros(4, np.int64)
        self._solve, self._gap = kernels.solve_matrix, kernels.gap
        self._bound = mixture_bound


Arithmetic = ExactNumbers | FloatNumbers


def arithmetic(exact: bool) -> Arithmetic:
    """Exact numbers, or floats."""
    return ExactNumbers() if exact else FloatNumbers()


def probabilities(found: Sequence[Number], places: Sequence[int], whole: int) -> Shares:
    """The shares of some of the actions, 0 for the others.

    >>> probabilities((0.25, 0.75), (0, 2), 3)
    (0.25, 0, 0.75)
    """
    made: list[Number] = [0] * whole
    for share, place in zip(found, places, strict=True):
        made[place] = share
    return tuple(made)


def added(amounts: Iterable[Any]) -> Any:
    """The sum, one after the other: some versions of Python add floats in a way of their own."""
    whole: Any = 0
    for amount in amounts:
        whole += amount
    return whole


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
