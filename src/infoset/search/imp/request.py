"""What one may ask of a search by information sets, checked before it begins."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from infoset.errors import ParameterError
from infoset.rules import Position
from infoset.search.imp.bounds import Bounds, pair


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
