"""What one may ask of a solver, and what it hands back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING

from infoset.errors import ParameterError
from infoset.strategy import Strategy

if TYPE_CHECKING:
    from infoset.solvers.components import Component
    from infoset.solvers.convergence import Convergence, Progress
    from infoset.solvers.settings import Settings
    from infoset.strategy.assessment import Assessment


@dataclass(frozen=True)
class Options:
    """How to solve: how exactly, how long, and whom to tell."""

    exact: bool | None = None  # True: proved, or an error; None: if it can be had; False: floats
    seconds: float | None = None  # stop after so long, with what is known by then
    tick: Callable[[str], None] | None = None  # told now and then how far it is
    stop: Callable[[], bool] | None = None  # asked now and then whether to stop
    most: float | None = None  # equilibria at most, inf for all; None: what the method does unasked
    settings: Settings | None = None  # of a run of regret minimization
    watch: Callable[[Progress], None] | None = None  # shown now and then how far such a run is
    began: float = field(default_factory=time.perf_counter)

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
        """Seconds that are left."""
        if self.seconds is None:
            return 1e9
        return min(self.seconds, 1e9) - (time.perf_counter() - self.began)

    def over(self) -> bool:
        """Is it time to stop?"""
        return self.left <= 0 or (self.stop is not None and self.stop())

    def tell(self, what: str) -> None:
        """Say how far it is, if anyone listens."""
        if self.tick is not None:
            self.tick(what)


def _is_time(given: object) -> bool:
    plain = isinstance(given, Real) and not isinstance(given, bool)
    return plain and bool(given >= 0)  # type: ignore[operator]


@dataclass(frozen=True)
class Found:
    """What a solver hands back: a strategy for every player, and how much work it was."""

    strategies: tuple[Strategy, ...]
    work: Mapping[str, int]  # counts: iterations, pivots, ...
    note: str = ""  # why it may fall short: that it was stopped, say; not said of exact answers
    remark: str = ""  # what the reader should know in any case
    behavioural: bool = (
        False  # is regret to be measured against behaviour strategies, drawn at each visit?
    )
    others: tuple[tuple[Strategy, ...], ...] = ()  # more equilibria, a strategy for every player
    complete: bool = False  # are these all that there are (of the kind that the method finds)?
    components: tuple[Component, ...] = ()  # how they hang together, where that was found out
    assessment: Assessment | None = None  # with beliefs at every information set, where it has them
    equilibrium: bool = True  # is it meant to be one? Else its regret says little
    convergence: Convergence | None = None  # how its regret fell, where it was measured on the way
    method: str = ""  # which one found it, if it is not the one that was asked
