"""The state that searches of simultaneous moves share: numbers, leaves, bounds, table and time.

A search from a position is a pass: to the end of the game, or some stages deep. At the horizon a
position has the value of an evaluator, or else its lower or upper bound. The result then bounds the
true value: matrix games and expectations are monotone in their entries.

*Numbers.* Floats use the kernels of the compiled searches. Where bounds l and h of the payoffs are
known, floats are normalized: a payoff v is (2v − l − h) / (h − l), between −1 and 1, whatever the
size of payoffs. Two floats closer than ``tie`` count as equal; exact numbers are equal or they are
not. A mixture program is not counted if it is trivial: a column whose lower bound no row reaches,
or a row with the largest objective that satisfies all lower bounds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from time import monotonic, perf_counter
from typing import Any, NamedTuple

from infoset.errors import NotApplicable, ParameterError
from infoset.linear.numbers import Number
from infoset.objects.numbers import exact as rational
from infoset.rules import Position, StagePosition
from infoset.search.limits import SearchStopped, deep_recursion, evaluated
from infoset.search.matrix import bounded_mixture, solve_matrix_game
from infoset.search.settings import EPSILON, SimultaneousSettings
from infoset.search.simultaneous.stages import HiddenInformationCheck, Stage, StageGame, check_rules
from infoset.tree.source import Source

TIE = 1e-11  # of the range of payoffs: floats that differ by less count as equal
Mixture = tuple[Number, ...]


class SolvedStage(NamedTuple):
    """A matrix game's value and both players' strategies."""

    value: Any
    rows: Mixture
    columns: Mixture


class Tally:
    """Counts of matrix games and linear programs, their time and accuracy."""

    def __init__(self) -> None:
        self.matrices = self.saddles = self.programs = 0
        self.seconds = 0.0
        self.gap = 0.0  # the largest gap between both players' guarantees
        self.widest = 1  # the most rows or columns of a matrix


class ExactNumbers:
    """Fractions, with proofs."""

    is_exact = True

    def __init__(self) -> None:
        import infoset.kernels.matrix  # noqa: F401  # loaded before the time is measured

        self.tally = Tally()

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Exact numbers are not normalized."""

    def number(self, value: Any) -> Number:
        """A probability, or zero."""
        return rational(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound, normalized."""
        return rational(value)

    def width(self, value: Any) -> Number:
        """A difference of payoffs, normalized."""
        return rational(value)

    def payoff_of(self, amount: Any) -> Any:
        """The payoff of a normalized amount."""
        return amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> SolvedStage:
        """Solve a matrix game."""
        began = perf_counter()
        found = solve_matrix_game(matrix, exact=True)
        self.tally.seconds += perf_counter() - began
        self.tally.matrices += 1
        self.tally.saddles += found.saddle
        self.tally.programs += not found.saddle
        return SolvedStage(found.value, found.rows, found.columns)

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The largest objective of a mixture of rows above lower bounds; None if infeasible."""
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
        self._shape = (0, 0)
        self._grow(8, 8)

    def measure(self, low: Fraction, high: Fraction) -> None:
        """Normalize payoffs between these bounds to −1 and 1."""
        self.middle, self.half = (low + high) / 2, (high - low) / 2 or Fraction(1)

    def number(self, value: Any) -> Number:
        """A probability, or zero."""
        return float(value)

    def amount(self, value: Any) -> Number:
        """A payoff, or a bound, normalized."""
        return float((rational(value) - self.middle) / self.half)

    def width(self, value: Any) -> Number:
        """A difference of payoffs, normalized."""
        return float(rational(value) / self.half)

    def payoff_of(self, amount: Any) -> Any:
        """The payoff of a normalized amount."""
        return float(self.middle) + float(self.half) * amount

    def play(self, matrix: Sequence[Sequence[Any]]) -> SolvedStage:
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
        return SolvedStage(float(value), tuple(x), tuple(y))

    def mixture(
        self, table: Sequence[Sequence[Any]], floors: Sequence[Any], aims: Sequence[Any]
    ) -> Any:
        """The largest objective of a mixture of rows above lower bounds; None if infeasible."""
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
        height, width = self._shape
        if rows > height or columns > width:
            self._grow(max(height, 2 * rows), max(width, 2 * columns))
        if columns:
            self._table[:rows, :columns] = table

    def _grow(self, rows: int, columns: int) -> None:
        import numpy as np

        from infoset.kernels import matrix as kernels
        from infoset.kernels.matrix import mixture_bound

        self._shape, longest = (rows, columns), max(rows, columns)
        self._table = np.zeros((rows, columns))
        self._floors, self._aims = np.zeros(longest), np.zeros(longest)
        self._work, self._counted = kernels.workspace(rows, columns), np.zeros(4, np.int64)
        self._solve, self._gap = kernels.solve_matrix, kernels.gap
        self._bound = mixture_bound


Arithmetic = ExactNumbers | FloatNumbers


def arithmetic(exact: bool) -> Arithmetic:
    """Exact numbers, or floats."""
    return ExactNumbers() if exact else FloatNumbers()


def mixture_of(found: Sequence[Number], places: Sequence[int], whole: int) -> Mixture:
    """A mixture over all actions from one over some of them.

    >>> mixture_of((0.25, 0.75), (0, 2), 3)
    (0.25, 0, 0.75)
    """
    made: list[Number] = [0] * whole
    for probability, place in zip(found, places, strict=True):
        made[place] = probability
    return tuple(made)


def summed(amounts: Iterable[Any]) -> Any:
    """The sum in order: some versions of Python compensate sums of floats."""
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
LARGEST = 10**100  # of payoffs
EVERY = 256  # nodes between two checks of the time
ENDLESS = 1 << 30  # a depth beyond any game
LONGEST = 10_000  # moves of a play


class Session:
    """One search of one game: settings, bounds, transposition table and counts."""

    def __init__(self, source: Source, settings: SimultaneousSettings) -> None:
        """Check the game, and set the bounds."""
        self.source = source
        self.settings = settings
        self.game = StageGame(source)
        self.hidden_check = HiddenInformationCheck(self.game)
        self.hidden_check.examine_start()
        check_rules(self.game)
        self.arithmetic = arithmetic(settings.exact)
        self.number = self.arithmetic.number
        bounds = settings.bounds if settings.bounds is not None else source.bounds
        if bounds is not None and max(map(abs, map(rational, bounds))) > LARGEST:
            raise ParameterError(
                f"{self.game.name}: bounds beyond {LARGEST:.0e} are too large; scale the payoffs"
            )
        if bounds is not None:
            self.arithmetic.measure(*map(rational, bounds))
        self.amount = self.arithmetic.amount
        self.low: Any = None if bounds is None else self.amount(bounds[0])
        self.high: Any = None if bounds is None else self.amount(bounds[1])
        if settings.heuristic_bounds is True and not hasattr(self.game.start, "bounds"):
            raise NotApplicable(
                f"{self.game.name}: its positions have no bounds of their own; give"
                " heuristic_bounds= as a function of the position"
            )
        asked = settings.transpositions
        states = isinstance(self.game.start, StagePosition)
        self.transpositions = states if asked is None else asked
        self.counts = dict.fromkeys(COUNTED, 0)
        self.table: dict[Hashable, tuple[Any, Any]] = {}
        self.deadline: float | None = None
        self.timed = True  # of time, and of requests to stop
        self.unknown: bool | None = None  # value at the horizon: False lower, True upper bound
        self.cut = False  # did this pass reach the horizon?
        self.start_depth = self.least_depth = ENDLESS
        self._seen: list[Any] = []  # the range of payoffs met, where no bounds are known

    # ------------------------------------------------------------------ numbers

    @property
    def tie(self) -> Number:
        """The difference up to which numbers count as equal."""
        if self.settings.exact:
            return 0
        low, high = (self.low, self.high) if self.low is not None else (self._seen or (0.0, 0.0))
        return TIE * float(high - low)

    @property
    def epsilon(self) -> Any:
        """The width of a window in which one of two actions is refuted."""
        if self.settings.epsilon is None:
            return self.number(EPSILON) * (self.high - self.low) or self.number(EPSILON)
        wide = self.arithmetic.width(self.settings.epsilon)
        return max(wide, 4 * self.tie)  # less than a tie is not meaningful

    @property
    def error(self) -> float:
        """A bound of the error of floats in the value.

        Each stage contributes the gap between both guarantees, its ties and rounding; finally the
        conversion to payoffs contributes.
        """
        if isinstance(self.arithmetic, ExactNumbers):
            return 0.0
        stages = self.start_depth - self.least_depth
        tally, tie = self.arithmetic.tally, float(self.tie)
        ties = 0 if self.settings.method == "backward-induction" else 2 * tally.widest + 1
        most = 1.0 if self.low is not None else max(map(abs, self._seen), default=0.0)
        rounding = 4 * (tally.widest + 2) * ROUNDING * most
        half, middle = float(self.arithmetic.half), abs(float(self.arithmetic.middle))
        off = stages * (tally.gap + ties * tie + rounding) + tie
        return half * off + 4 * ROUNDING * (half + middle)

    # ------------------------------------------------------------------ positions

    def leaf(self, position: Position) -> Any:
        """The first player's payoff at a leaf."""
        self.counts["leaves"] += 1
        if self.counts["leaves"] % (8 * EVERY) == 0:
            self.check_time()
        told = self.game.payoff(position)
        paid = self.amount(told)
        if self.low is None:
            seen = self._seen or [paid, paid]
            self._seen = [min(seen[0], paid), max(seen[1], paid)]
            return paid
        return self.game.check_within(told, paid, self.bounds(position), self, "the payoff")

    def horizon_value(self, position: Position) -> Any:
        """The value of a position at the horizon."""
        self.cut = True
        if self.settings.evaluator is None:
            low, high = self.own_bounds(position)
            return high if self.unknown else low
        said = evaluated(self.settings.evaluator, position, self.game.name)
        value = self.amount(said)
        if self.low is None:
            return value
        self.game.check_within(said, value, (self.low, self.high), self, "the evaluator's")
        low, high = self.bounds(position)
        return min(max(value, low), high)

    def own_bounds(self, position: Position) -> tuple[Any, Any]:
        """Bounds at the horizon, where a state's own bounds are always used."""
        if self.settings.heuristic_bounds or not isinstance(position, StagePosition):
            return self.bounds(position)
        low, high = map(self.amount, position.bounds)
        return max(low, self.low), min(high, self.high)

    def bounds(self, position: Position) -> tuple[Any, Any]:
        """The bounds of a position's value."""
        asked = self.settings.heuristic_bounds
        if not asked:
            return self.low, self.high
        pair = position.bounds if asked is True else asked(position)  # type: ignore[attr-defined]
        try:
            low, high = map(self.amount, pair)
        except (TypeError, ValueError):
            raise ParameterError(
                f"heuristic_bounds: {pair!r:.40} is not a pair of numbers; give (low, high)"
            ) from None
        if low > high:
            raise ParameterError(
                f"heuristic_bounds: the lower bound {pair[0]} is above the upper, {pair[1]}"
            )
        return max(low, self.low), min(high, self.high)

    def enter(self, position: Position, depth: int) -> Stage:
        """Enter a stage: count it, check the time, and check for hidden information."""
        self.counts["nodes"] += 1
        if self.counts["nodes"] % EVERY == 0:
            self.check_time()
        if depth - 1 < self.least_depth:
            self.least_depth = depth - 1
        self.hidden_check.record(position)
        stage = self.game.stage(position)
        widest = max(len(stage.rows), len(stage.columns))
        if widest > self.arithmetic.tally.widest:
            self.arithmetic.tally.widest = widest
        return stage

    def enter_serialized(self, position: Position) -> Stage:
        """Enter a stage of a serialized search."""
        self.counts["serialized"] += 1
        if self.counts["serialized"] % EVERY == 0:
            self.check_time()
        return self.game.stage(position)

    def outcomes(self, position: Position) -> list[tuple[Any, Position]]:
        """The outcomes of chance with their probabilities."""
        self.counts["chances"] += 1
        return [
            (self.number(probability), position.after(outcome))
            for outcome, probability in position.chances()
            if probability
        ]

    # ------------------------------------------------------------------ the table

    def key(self, position: Position, depth: int, kind: str = "") -> Hashable:
        """The key of a position in the table; None if it is not kept."""
        asked = self.transpositions
        if asked is False:
            return None
        left = depth if self.limited else None  # else to the end of the game, at any depth
        return (kind, position if asked is True else asked(position), left)

    @property
    def limited(self) -> bool:
        """May a pass reach a horizon?"""
        return self.settings.depth is not None or self.deepens

    @property
    def deepens(self) -> bool:
        """Is iterative deepening used: by default, if there are values at the horizon?"""
        known = self.low is not None or self.settings.evaluator is not None
        return self.settings.deepens and (known or self.settings.deepening is True)

    def lookup(self, key: Hashable, alpha: Any, beta: Any) -> Any:
        """The stored value of a position, if it answers a search with this window; else None."""
        if key is None or key not in self.table:
            return None
        low, high = self.table[key]
        if low != high and high > alpha and low < beta:
            return None
        self.counts["transpositions"] += 1
        return low if low >= beta else high

    def store(self, key: Hashable, value: Any, alpha: Any, beta: Any) -> None:
        """Store the result of a search with a window."""
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

    # ------------------------------------------------------------------ time

    def recursion(self) -> AbstractContextManager[None]:
        """Allow recursion as deep as a long game needs."""
        return deep_recursion(self.game.name, LONGEST)

    def check_time(self) -> None:
        """Report progress, and stop if required."""
        if not self.timed:
            return
        if self.settings.tick is not None:
            self.settings.tick(f"{self.counts['nodes']:,} positions")
        if self.deadline is not None and monotonic() > self.deadline:
            raise SearchStopped("time is over")
        if self.settings.stop is not None and self.settings.stop():
            raise SearchStopped("stopped by request")

    def counted(self) -> dict[str, int]:
        """All counts so far."""
        tally = self.arithmetic.tally
        own = {
            "matrices": tally.matrices,
            "saddles": tally.saddles,
            "programs": tally.programs,
        }
        return {**self.counts, **own}
