"""What the first player may get: within its bounds, or it is refused by name.

What one may ask of a search by information sets, checked before it begins.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from infoset.errors import NotApplicable, ParameterError, RulesError
from infoset.objects.numbers import exact
from infoset.rules import Position
from infoset.search.limits import evaluated
from infoset.text import bounded_number, brief

Bounds = tuple[Fraction | None, Fraction | None]  # the least and the most; None: not known


def pair(given: Any) -> Bounds:
    """Bounds as they were given; an end may be open: None, or infinite.

    >>> pair((None, 10)), pair((-0.5, float("inf")))
    ((None, Fraction(10, 1)), (Fraction(-1, 2), None))
    """
    try:
        least, most = given
        low = None if _open(least, -math.inf) else exact(least)
        high = None if _open(most, math.inf) else exact(most)
    except (TypeError, ValueError):  # RulesError among them
        raise ParameterError(
            f"bounds={brief(repr(given), 60)}: give two numbers, the least and the most, or None"
            " for an open end"
        ) from None
    if low is not None and high is not None and low > high:
        raise ParameterError(f"bounds={brief(repr(given), 60)}: the least is above the most")
    return low, high


def _open(end: Any, infinite: float) -> bool:
    return end is None or (isinstance(end, float) and end == infinite)


def within(bounds: Bounds, amount: Fraction, name: str, player: str, where: str) -> Fraction:
    """A payoff, if it lies within the bounds: by a wrong bound too much would be pruned."""
    low, high = bounds
    if high is not None and amount > high:
        said = f"more than the bound {bounded_number(high)}"
    elif low is not None and amount < low:
        said = f"less than the bound {bounded_number(low)}"
    else:
        return amount
    raise RulesError(
        f"{name}: {player} gets {bounded_number(amount)} {where}, {said}; give bounds= that hold"
    )


def evaluated_within(
    bounds: Bounds, evaluator: Callable[[Position], Any], position: Position, name: str
) -> Fraction:
    """What the evaluator says of a position, if it can be so."""
    amount = evaluated(evaluator, position, name)
    low, high = bounds
    if (high is not None and amount > high) or (low is not None and amount < low):
        most = "" if high is None else f" at most {bounded_number(high)}"
        least = "" if low is None else f" at least {bounded_number(low)}"
        raise ParameterError(
            f"{name}: evaluator= gave {bounded_number(amount)} at"
            f" {brief(repr(position), 100)}, but the"
            f" first player gets{least}{' and' if least and most else ''}{most}"
        )
    return amount


def not_constant(name: str, method: str, sums: str) -> NotApplicable:
    """Two players whose interests are not opposed."""
    return NotApplicable(
        f"{name}: {method} is for two players only if they share a constant sum, but the"
        f" {sums.removeprefix('the ')}; lcp and enumerate take such games"
    )


@dataclass(frozen=True)
class Request:
    """How to search: what may be left out, how far, how long, and whom to tell."""

    method: str
    name: str = "the game"  # the game's, for messages
    information_set_pruning: bool = False
    immediate_pruning: bool = False
    ordering: bool = False
    bounds: Any = None  # what the first player may get; None: what the game declares
    depth: int | None = None  # choices to look ahead; None: to the end of the game
    evaluator: Callable[[Position], Any] | None = None  # what a position is worth to the first
    seconds: float | None = None
    deepening: bool | None = None  # deeper each time; None: if seconds are given
    stop: Callable[[], bool] | None = None
    tick: Callable[[str], None] | None = None
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        for name in ("information_set_pruning", "immediate_pruning", "ordering", "deepening"):
            given = getattr(self, name)
            if not isinstance(given, bool) and (given is not None or name != "deepening"):
                raise ParameterError(f"{name}={given!r:.60}: it must be True or False")
        for name in ("evaluator", "stop", "tick"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise ParameterError(f"{name}={given!r:.60}: it must be a function")
        depth, seconds = self.depth, self.seconds
        whole = isinstance(depth, Integral) and not isinstance(depth, bool)
        if depth is not None and not (whole and depth >= 1):
            raise ParameterError(f"depth={depth!r:.60}: it must be a whole number from 1, or None")
        plain = isinstance(seconds, Real) and not isinstance(seconds, bool)
        if seconds is not None and not (plain and seconds >= 0):
            raise ParameterError(f"seconds={seconds!r:.60}: it must be 0 or more")
        if self.bounds is not None:
            pair(self.bounds)

    def bounded(self, declared: tuple[Fraction, Fraction] | None) -> Bounds:
        """The least and the most that the first player may get, None where that is not known.

        What is given stands in place of what the game declares, open ends and all.
        """
        return pair(self.bounds) if self.bounds is not None else declared or (None, None)

    def over(self) -> bool:
        """Is it time to stop?"""
        late = self.seconds is not None and time.perf_counter() - self.began >= self.seconds
        return late or (self.stop is not None and bool(self.stop()))

    def tell(self, what: str) -> None:
        """Say how far it is, if anyone listens."""
        if self.tick is not None:
            self.tick(f"{self.method}: {what}")
