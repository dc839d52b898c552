"""What one may ask of a search by information sets, checked before it begins."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from infoset.errors import ParameterError, RulesError
from infoset.rules import Position
from infoset.rules.exact import exact
from infoset.search.imp.limits import Bounds


@dataclass(frozen=True)
class Request:
    """How to search: what may be left out, how far, how long, and whom to tell."""

    method: str
    name: str = "the game"  # the game's, for messages
    upper: Any = None  # the most that the first player may get; None: what the game declares
    lower: Any = None  # the least
    information_set_pruning: bool = False
    immediate_pruning: bool = False
    ordering: bool = False
    depth: int | None = None  # choices to look ahead; None: to the end of the game
    evaluator: Callable[[Position], Any] | None = None  # what a position is worth to the first
    deepening: bool = False
    seconds: float | None = None
    stop: Callable[[], bool] | None = None
    tick: Callable[[str], None] | None = None
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        for name in ("information_set_pruning", "immediate_pruning", "ordering", "deepening"):
            if not isinstance(getattr(self, name), bool):
                raise ParameterError(
                    f"{name}={getattr(self, name)!r:.60}: it must be True or False"
                )
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
        if self.ordering and self.evaluator is None and not self.deepening and seconds is None:
            raise ParameterError(
                "ordering=True: there is nothing to order by; give evaluator= or deepening=True"
            )
        for name in ("upper", "lower"):
            _bound(name, getattr(self, name))
        low, high = self.bounds(None)
        if low is not None and high is not None and low > high:
            raise ParameterError(f"lower={self.lower}, upper={self.upper}: give the lower first")

    def bounds(self, declared: tuple[Fraction, Fraction] | None) -> Bounds:
        """The least and the most that the first player may get, None where that is not known.

        What is given goes before what the game declares; an infinite bound says that there is none.
        """
        given = (_bound("lower", self.lower), _bound("upper", self.upper))
        asked = (self.lower, self.upper)
        low, high = (
            one if one is not None or said is not None else other
            for one, said, other in zip(given, asked, declared or (None, None), strict=True)
        )
        return low, high

    def over(self) -> bool:
        """Is it time to stop?"""
        late = self.seconds is not None and time.perf_counter() - self.began >= self.seconds
        return late or (self.stop is not None and bool(self.stop()))

    def tell(self, what: str) -> None:
        """Say how far it is, if anyone listens."""
        if self.tick is not None:
            self.tick(f"{self.method}: {what}")


def _bound(name: str, given: Any) -> Fraction | None:
    """A bound as it was given; None where there is none."""
    if given is None or (isinstance(given, float) and math.isinf(given)):
        return None
    try:
        return exact(given)
    except RulesError:
        raise ParameterError(f"{name}={given!r:.60}: it must be a number, or None") from None
