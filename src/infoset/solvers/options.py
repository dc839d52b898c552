"""What a solver is given beside the game, and what it returns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from math import inf
from numbers import Real
from typing import TYPE_CHECKING

from infoset.clock import extended, limited
from infoset.errors import OutOfTime, ParameterError
from infoset.strategy import Strategy

if TYPE_CHECKING:
    from infoset.solvers.components import Component
    from infoset.solvers.convergence import Convergence, Progress
    from infoset.solvers.settings import Settings
    from infoset.strategy.assessment import Assessment

# Seconds after the time is over, until which all must end that cannot end with an answer:
LATEST = 1.0  # a method;
LATEST_PROOF = 1.5  # its verification in rational arithmetic;
LATEST_ANSWER = 2.0  # and else in floats.
AT_LEAST = 0.5  # seconds for verification, however late a method ends


@dataclass(frozen=True)
class Options:
    """How to solve: exactness, time, progress."""

    exact: bool | None = None  # True: proved, or an error; None: if it can be had; False: floats
    seconds: float | None = None  # stop after so long, with the best answer by then
    tick: Callable[[str], None] | None = None  # called now and then with the progress, in words
    stop: Callable[[], bool] | None = None  # asked now and then whether to stop
    most: float | None = None  # equilibria at most, inf for all; None: the method's default
    settings: Settings | None = None  # of an iterative run
    watch: Callable[[Progress], None] | None = (
        None  # called now and then with the progress of such a run
    )
    began: float = field(default_factory=time.perf_counter)
    told: list[str] = field(default_factory=list)  # the last line of the progress

    def __post_init__(self) -> None:
        if self.seconds is not None and not _is_time(self.seconds):
            raise ParameterError(f"seconds={self.seconds!r:.60}: it must be 0 or more")
        if self.exact is not None and not isinstance(self.exact, bool):
            raise ParameterError(f"exact={self.exact!r:.60}: it must be True, False or None")
        for name in ("tick", "stop", "watch"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise ParameterError(f"{name}={given!r:.60}: it must be a function")

    @property
    def left(self) -> float:
        """Seconds left."""
        if self.seconds is None:
            return 1e9
        return min(self.seconds, 1e9) - (time.perf_counter() - self.began)

    def over(self) -> bool:
        """Is it time to stop?"""
        return self.left <= 0 or (self.stop is not None and self.stop())

    def tell(self, what: str) -> None:
        """Report progress, if asked to."""
        self.told[:] = [what]
        if self.tick is not None:
            self.tick(what)


@contextmanager
def answered_in_time(options: Options, what: Callable[[], str], instead: str) -> Iterator[None]:
    """Refuse what has no answer in time, with what it had reached.

    Methods stop by themselves when ``options.over()``, with the best answer by then. What cannot
    be stopped with an answer looks at the clock (:mod:`infoset.clock`), and ends here.

    Parameters
    ----------
    options
        With the limit; without one, nothing is refused.
    what
        Says what was to be computed, and how large the game is; called only then.
    instead
        What to do about it.

    Raises
    ------
    OutOfTime
        When the time has been over for :data:`LATEST`.
    """
    try:
        with limited(_until(options, LATEST)):
            yield
    except OutOfTime:
        if options.seconds is None:
            raise  # the limit is another's
        said = f" ({options.told[0]})" if options.told else ""
        raise OutOfTime(
            f"{what()} has no answer after {options.seconds:g} s{said}; allow more seconds, or"
            f" {instead}"
        ) from None


def finished_in_time(options: Options, latest: float) -> AbstractContextManager[None]:
    """Where a method is under a limit: let what follows it end so long after the time is over."""
    return extended(max(_until(options, latest), AT_LEAST))


def _until(options: Options, latest: float) -> float:
    return inf if options.seconds is None else options.left + latest


def _is_time(given: object) -> bool:
    plain = isinstance(given, Real) and not isinstance(given, bool)
    return plain and bool(given >= 0)  # type: ignore[operator]


@dataclass(frozen=True)
class Found:
    """What a solver returns: a strategy for every player, and counts of its work."""

    strategies: tuple[Strategy, ...]
    work: Mapping[str, int]  # counts: iterations, pivots, ...
    note: str = ""  # why it may fall short, such as being stopped; dropped where it is exact
    remark: str = ""  # what the reader should know in any case
    behavioural: bool = False  # is regret to be measured against behaviour strategies?
    others: tuple[tuple[Strategy, ...], ...] = ()  # more equilibria, a strategy for every player
    complete: bool = False  # are these all of the kind that the method finds?
    components: tuple[Component, ...] = ()  # of the set of equilibria, where known
    assessment: Assessment | None = None  # with beliefs at every information set, where known
    equilibrium: bool = True  # is it meant to be one? Max-min strategies are not
    convergence: Convergence | None = None  # how its regret fell, where that was measured
    method: str = ""  # the method that found it, if another took over
