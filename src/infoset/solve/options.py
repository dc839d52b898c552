"""What one may ask of a solver, and what it hands back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from infoset.strategy import Strategy


@dataclass(frozen=True)
class Options:
    """How to solve: how exactly, how long, and whom to tell."""

    exact: bool | None = None  # True: proved, or an error; None: if it can be had; False: floats
    seconds: float | None = None  # stop after so long, with what is known by then
    tick: Callable[[str], None] | None = None  # told now and then how far it is
    stop: Callable[[], bool] | None = None  # asked now and then whether to stop
    began: float = field(default_factory=time.perf_counter)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        if self.seconds is None:
            return 1e9
        return self.seconds - (time.perf_counter() - self.began)

    def over(self) -> bool:
        """Is it time to stop?"""
        return self.left <= 0 or (self.stop is not None and self.stop())

    def tell(self, what: str) -> None:
        """Say how far it is, if anyone listens."""
        if self.tick is not None:
            self.tick(what)


@dataclass(frozen=True)
class Found:
    """What a solver hands back: a strategy for every player, and how much work it was."""

    strategies: tuple[Strategy, ...]
    work: Mapping[str, int]  # counts: iterations, pivots, ...
    note: str = ""  # what the reader should know: that it was stopped, say
