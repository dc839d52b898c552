"""What is asked of a search of simultaneous moves: the method and every setting, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from infoset.errors import ParameterError, RulesError, nearest
from infoset.objects.numbers import exact as rational
from infoset.rules import Position

METHODS = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")
ORDERS = ("l-shaped", "lexicographic")
MOVES = ("given", "reversed")
WINDOWED = ("smab", "double-oracle-alphabeta")  # need to know the least and the most beforehand
DEEPEST = 1 << 29  # stages
EPSILON = Fraction(1, 1000)  # of what can be won: the window in which an action is refuted

Evaluator = Callable[[Position], Any]
Bounding = Callable[[Position], tuple[Any, Any]]


@dataclass(frozen=True)
class Request:
    """A method and its settings; those that the method does not have stay as they are."""

    method: str
    exact: bool = False  # rational numbers all the way, or floats
    bounds: tuple[Any, Any] | None = None  # the least and the most for the first player
    depth: int | None = None  # how many stages to look ahead; None: to the end of the game
    evaluator: Evaluator | None = None  # what a position is worth to the first player, about
    transpositions: bool | Callable[[Position], Hashable] | None = None  # None: where states tell
    seconds: float | None = None
    stop: Callable[[], bool] | None = None  # asked now and then whether to stop
    tick: Callable[[str], None] | None = None  # told now and then how far it is
    deepening: bool | None = None  # one stage deeper each time; None: if seconds are given
    compiled: bool | None = None  # None: where it can be
    order: str = "l-shaped"  # of the cells of a matrix
    moves: str = "given"  # which options of a menu come first
    skip: int = 0  # no bounds until so many rows and as many columns are filled
    dominance: bool = False  # look for dominated actions after every cell
    deep: bool = True  # bounds from further up count, too
    cutoffs: bool = True  # leave a position once pure strategies alone decide its window
    leaves_first: bool = True  # fill in what the game ends with before any bound is computed
    heuristic_bounds: bool | Bounding | None = None  # admissible bounds of a position
    epsilon: Any = None  # the window in which an action is refuted; None: EPSILON of the spread

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            hint = nearest(self.method, METHODS)
            raise ParameterError(f"no search method {self.method!r:.40}; {hint}")
        if self.order not in ORDERS:
            raise ParameterError(f"order={self.order!r:.40}: {nearest(self.order, ORDERS)}")
        if self.moves not in MOVES:
            raise ParameterError(f"moves={self.moves!r:.40}: {nearest(self.moves, MOVES)}")
        self._check_numbers()
        self._check_kinds()
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _pair(self.bounds))

    @property
    def deepens(self) -> bool:
        """Is the search to go one stage deeper each time?"""
        return self.seconds is not None if self.deepening is None else self.deepening

    def _check_numbers(self) -> None:
        for name, least in (("depth", 1), ("skip", 0)):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is None and name == "depth":
                continue
            if not whole or value < least:
                raise ParameterError(
                    f"{name}={value!r:.40}: give a whole number of at least {least}"
                )
        if self.depth is not None:  # more than any game has is the same as all of it
            object.__setattr__(self, "depth", min(self.depth, DEEPEST))
        if self.seconds is not None and not (self.seconds == 0 or _positive(self.seconds)):
            raise ParameterError(f"seconds={self.seconds!r:.40}: give a time of 0 or more")
        if self.epsilon is not None and not _positive(self.epsilon):
            raise ParameterError(f"epsilon={self.epsilon!r:.40}: give a number above 0")

    def _check_kinds(self) -> None:
        switches = ("exact", "dominance", "deep", "cutoffs", "leaves_first")
        for name in (*switches, "compiled", "deepening", "transpositions", "heuristic_bounds"):
            value = getattr(self, name)
            if isinstance(value, bool) or (value is None and name not in switches[:5]):
                continue
            if name in ("transpositions", "heuristic_bounds") and callable(value):
                continue
            raise ParameterError(f"{name}={value!r:.40}: give True or False")
        for name in ("evaluator", "stop", "tick"):
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise ParameterError(f"{name}={value!r:.40}: give a function")


def _positive(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return False
    return math.isfinite(value) and value > 0


def _pair(bounds: object) -> tuple[Fraction, Fraction]:
    """The least and the most, exact."""
    try:
        low, high = (rational(end) for end in bounds)  # type: ignore[attr-defined]
    except (TypeError, ValueError, RulesError):
        raise ParameterError(
            f"bounds={bounds!r:.60}: give two numbers, the least and the most"
        ) from None
    if low > high:
        raise ParameterError(f"bounds={bounds!r:.60}: the least is above the most")
    return low, high
