"""Settings of the searches: one record for each family, checked before a search begins.

Every search has the settings of :class:`SearchSettings`: bounds of payoffs, depth, time, progress.
:class:`ImpSettings` adds pruning by information sets, :class:`SimultaneousSettings` what searches
of simultaneous moves have. The keywords of a search function are the fields of its record;
:data:`KEYWORDS` says which of them each method takes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypedDict

from infoset.errors import ParameterError, nearest
from infoset.objects.numbers import exact as rational
from infoset.rules import Position
from infoset.text import brief

Evaluator = Callable[[Position], Any]  # estimates the first player's payoff from a position on
Bounding = Callable[[Position], tuple[Any, Any]]  # admissible bounds of a position's value
Transpositions = bool | Callable[[Position], Hashable]
Bounds = tuple[Fraction | None, Fraction | None]  # lower and upper; None: not known

ORDERS = ("l-shaped", "lexicographic")
MOVES = ("given", "reversed")
WINDOWED = ("smab", "double-oracle-alphabeta")  # need bounds of the payoffs beforehand
DEEPEST = 1 << 29  # stages
EPSILON = Fraction(1, 1000)  # of the range of payoffs: the window in which an action is refuted


class SearchKeywords(TypedDict, total=False):
    """The keywords of every search."""

    bounds: tuple[Any, Any] | None
    depth: int | None
    evaluator: Evaluator | None
    seconds: float | None
    deepening: bool | None
    stop: Callable[[], bool] | None
    tick: Callable[[str], None] | None


class PruningKeywords(SearchKeywords, total=False):
    """The keywords of IMP-alpha-beta."""

    information_set_pruning: bool
    immediate_pruning: bool
    ordering: bool


class StageKeywords(SearchKeywords, total=False):
    """The keywords of every search of simultaneous moves."""

    exact: bool
    transpositions: Transpositions | None
    compiled: bool | None


class BoundedKeywords(StageKeywords, total=False):
    """The keywords of searches with windows."""

    heuristic_bounds: bool | Bounding | None


class SmabKeywords(BoundedKeywords, total=False):
    """The keywords of simultaneous-move alpha-beta."""

    order: str
    moves: str
    skip: int
    dominance: bool
    deep: bool
    cutoffs: bool
    leaves_first: bool
    static_bound: bool
    drop_crossed: bool
    epsilon: Any


KEYWORDS: Mapping[str, frozenset[str]] = {  # by method: the keywords that it takes
    "imp-alphabeta": PruningKeywords.__optional_keys__,
    "imp-minimax": SearchKeywords.__optional_keys__,
    "chance-minimax": SearchKeywords.__optional_keys__,
    "backward-induction": StageKeywords.__optional_keys__,
    "smab": SmabKeywords.__optional_keys__,
    "double-oracle": StageKeywords.__optional_keys__,
    "double-oracle-alphabeta": BoundedKeywords.__optional_keys__,
}
SIMULTANEOUS = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")


@dataclass(frozen=True)
class SearchSettings:
    """What all searches have in common.

    >>> SearchSettings("imp-minimax", depth=0)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: depth=0: it must be a whole number from 1, or None
    """

    method: str
    bounds: Any = None  # lower and upper bound of the first player's payoff; None: the game's own
    depth: int | None = None  # choices or stages to look ahead; None: to the end of the game
    evaluator: Evaluator | None = None  # estimates positions at which the look ahead ends
    seconds: float | None = None
    deepening: bool | None = None  # iterative deepening; None: if seconds are given
    stop: Callable[[], bool] | None = None  # asked now and then whether to stop
    tick: Callable[[str], None] | None = None  # told now and then about the progress

    def __post_init__(self) -> None:
        if not isinstance(self.method, str) or self.method not in KEYWORDS:
            hint = nearest(self.method, KEYWORDS)
            raise ParameterError(f"no search method {self.method!r:.40}; {hint}")
        check_switches(self, (), ("deepening",))
        for name in ("evaluator", "stop", "tick"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise ParameterError(f"{name}={given!r:.60}: it must be a function")
        if self.depth is not None and not (is_whole(self.depth) and self.depth >= 1):
            raise ParameterError(
                f"depth={self.depth!r:.60}: it must be a whole number from 1, or None"
            )
        if self.seconds is not None and not (is_real(self.seconds) and self.seconds >= 0):
            raise ParameterError(f"seconds={self.seconds!r:.60}: it must be 0 or more")
        if self.bounds is not None:
            object.__setattr__(self, "bounds", exact_bounds(self.bounds))


@dataclass(frozen=True)
class ImpSettings(SearchSettings):
    """Settings of chance-minimax, IMP-minimax and IMP-alpha-beta."""

    name: str = "the game"  # the game's, for messages
    information_set_pruning: bool = False
    immediate_pruning: bool = False
    ordering: bool = False
    began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_switches(self, ("information_set_pruning", "immediate_pruning", "ordering"))

    def bounded(self, declared: tuple[Fraction, Fraction] | None) -> Bounds:
        """Bounds of the first player's payoff, None where they are not known.

        Bounds that were given replace those that the game declares, open ends included.
        """
        given: Bounds | None = self.bounds
        return given if given is not None else declared or (None, None)

    def over(self) -> bool:
        """Is it time to stop?"""
        late = self.seconds is not None and time.perf_counter() - self.began >= self.seconds
        return late or (self.stop is not None and bool(self.stop()))

    def tell(self, what: str) -> None:
        """Report progress."""
        if self.tick is not None:
            self.tick(f"{self.method}: {what}")


@dataclass(frozen=True)
class SimultaneousSettings(SearchSettings):
    """Settings of the searches of simultaneous moves; each method uses its own."""

    exact: bool = False  # rational arithmetic throughout, or floats
    transpositions: Transpositions | None = None  # None: where states identify positions
    compiled: bool | None = None  # None: where it can be
    order: str = "l-shaped"  # of the cells of a matrix
    moves: str = "given"  # which options of a menu come first
    skip: int = 0  # no bounds until so many rows and as many columns are filled
    dominance: bool = False  # look for dominated actions after every cell
    deep: bool = True  # use bounds from ancestors, too
    cutoffs: bool = True  # leave a position once pure strategies alone decide its window
    leaves_first: bool = True  # fill in cells that are leaves before any bound is computed
    static_bound: bool = True  # bound a position by the matrix games of its cells' bounds
    drop_crossed: bool = False  # where a window is empty, prune row and column unsearched
    heuristic_bounds: bool | Bounding | None = None  # admissible bounds of a position
    epsilon: Any = None  # the window in which an action is refuted; None: EPSILON of the range

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in (("order", ORDERS), ("moves", MOVES)):
            given = getattr(self, name)
            if given not in known:
                raise ParameterError(f"{name}={given!r:.40}: {nearest(given, known)}")
        if not (is_whole(self.skip) and self.skip >= 0):
            raise ParameterError(f"skip={self.skip!r:.60}: it must be a whole number from 0")
        if self.epsilon is not None and not (is_real(self.epsilon) and 0 < self.epsilon < math.inf):
            raise ParameterError(f"epsilon={self.epsilon!r:.60}: it must be a number above 0")
        check_switches(
            self,
            (
                "exact",
                "dominance",
                "deep",
                "cutoffs",
                "leaves_first",
                "static_bound",
                "drop_crossed",
            ),
            ("compiled", "transpositions", "heuristic_bounds"),
            functions=("transpositions", "heuristic_bounds"),
        )
        if self.depth is not None:  # more than any game has is the same as all of it
            object.__setattr__(self, "depth", min(self.depth, DEEPEST))
        if self.bounds is not None and None in self.bounds:
            raise ParameterError(
                f"bounds={self.bounds!r:.60}: {self.method} needs two numbers, the lower and the"
                " upper bound"
            )

    @property
    def deepens(self) -> bool:
        """Is the search to go one stage deeper each time?"""
        return self.seconds is not None if self.deepening is None else self.deepening


def check_keywords(method: str, keywords: Mapping[str, Any]) -> None:
    """Refuse keywords that a method does not take.

    >>> check_keywords("imp-minimax", {"dept": 3})
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: imp-minimax has no setting 'dept'; did you mean 'depth'?
    """
    for name in keywords:
        if name not in KEYWORDS[method]:
            raise ParameterError(
                f"{method} has no setting {name!r:.40}; {nearest(name, KEYWORDS[method])}"
            )


def check_switches(
    settings: SearchSettings,
    switches: tuple[str, ...],
    optional: tuple[str, ...] = (),
    functions: tuple[str, ...] = (),
) -> None:
    """Refuse what is neither True nor False, nor None where that is allowed, nor a function."""
    for name in (*switches, *optional):
        given = getattr(settings, name)
        if isinstance(given, bool) or (given is None and name in optional):
            continue
        if name in functions and callable(given):
            continue
        raise ParameterError(f"{name}={given!r:.60}: it must be True or False")


def is_whole(given: object) -> bool:
    """Is this an integer, and not a bool?"""
    return isinstance(given, Integral) and not isinstance(given, bool)


def is_real(given: object) -> bool:
    """Is this a real number, and not a bool?"""
    return isinstance(given, Real) and not isinstance(given, bool)


def exact_bounds(given: Any) -> Bounds:
    """A lower and an upper bound as exact numbers; an end may be open: None, or infinite.

    >>> exact_bounds((None, 10)), exact_bounds((-0.5, float("inf")))
    ((None, Fraction(10, 1)), (Fraction(-1, 2), None))
    """
    try:
        least, most = given
        low = None if _is_open(least, -math.inf) else rational(least)
        high = None if _is_open(most, math.inf) else rational(most)
    except (TypeError, ValueError):  # RulesError among them
        raise ParameterError(
            f"bounds={brief(repr(given), 60)}: give two numbers, the lower and the upper bound, or"
            " None for an open end"
        ) from None
    if low is not None and high is not None and low > high:
        raise ParameterError(f"bounds={brief(repr(given), 60)}: the lower bound is above the upper")
    return low, high


def _is_open(end: Any, infinite: float) -> bool:
    return end is None or (isinstance(end, float) and end == infinite)
