"""When a run is to end, and who is told how far it is: asked between iterations.

An iteration of external sampling may take longer than anyone waits. So it asks, too, now and then,
and is abandoned some time after the run should have ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from infoset.rules import memory
from infoset.solve.sampled.run import Run

TELL_EVERY = 0.1  # seconds
GRACE = 2.0  # seconds that an iteration has to come to its end
ABANDONED = (
    "stopped within an iteration, which takes long here: its part is in the numbers and not in the"
    " checkpoint; outcome sampling has shorter ones"
)


class Watch:
    """Looks at the clock, asks ``stop`` and tells ``tick``."""

    def __init__(
        self,
        run: Run,
        began: float,
        tick: Callable[[str], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        """Seconds count from ``began``."""
        self.run = run
        self.tick, self.stop = tick, stop
        seconds = run.request.seconds
        self.ends = began + seconds if seconds is not None else float("inf")
        self.told = began
        self.ended: float | None = None  # when it was found that it should end
        self.note = ""  # why, where nobody asked for it

    def over(self) -> bool:
        """Should the run end now?"""
        now = time.perf_counter()
        if self.ended is None and now >= self.ends:
            self.ended = now
        elif self.ended is None and now - self.told >= TELL_EVERY:
            self.told = now
            if self._cramped() or (self.stop is not None and self.stop()):
                self.ended = now
            elif self.tick is not None:
                self.tick(self._how_far())
        return self.ended is not None

    def impatient(self) -> bool:
        """Should the run have ended some time ago?"""
        return self.over() and time.perf_counter() - (self.ended or 0.0) > GRACE

    def _cramped(self) -> bool:
        """Is the memory at its end? Better to stop with what is known than to be stopped."""
        room = memory.available()
        if room is None or room >= memory.KEEP_FREE:
            return False
        self.note = (
            f"stopped: memory is running out at {len(self.run.table.rows):,} information sets"
        )
        return True

    def _how_far(self) -> str:
        run = self.run
        about = f", regret about {run.course[-1][2]:.2g}" if run.course else ""
        return f"{run.iterations:,} iterations, {len(run.table.rows):,} information sets{about}"
