"""When a run is to end, and who is told how far it is: asked between iterations.

An iteration of external sampling may take longer than anyone waits. So it asks, too, now and then,
and is abandoned some time after the run should have ended.
"""

from __future__ import annotations

import time

from infoset.rules import memory
from infoset.solve.options import Options
from infoset.solve.regret.running import TELL, Moment
from infoset.solve.sampled.run import Run

GRACE = 2.0  # seconds that an iteration has to come to its end
ABANDONED = (
    "stopped within an iteration, which takes long here: its part is in the numbers and not in the"
    " checkpoint; outcome sampling has shorter ones"
)


class Watch:
    """Looks at the clock, asks whether to stop, and tells how far the run is."""

    def __init__(self, run: Run, options: Options) -> None:
        """Seconds count from when the options were given."""
        self.run = run
        self.options = options
        self.ends = time.perf_counter() + options.left
        self.told = options.began
        self.ended: float | None = None  # when it was found that it should end
        self.note = ""  # why, where nobody asked for it

    def over(self) -> bool:
        """Should the run end now?"""
        now = time.perf_counter()
        if self.ended is None and now >= self.ends:
            self.ended = now
        elif self.ended is None and now - self.told >= TELL:
            self.told = now
            if self._cramped() or (self.options.stop is not None and self.options.stop()):
                self.ended = now
            else:
                self._tell()
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

    def _tell(self) -> None:
        run = self.run
        about = "" if run.regret is None else f", regret about {run.regret:.2g}"
        self.options.tell(
            f"{run.iterations:,} iterations, {len(run.table.rows):,} information sets{about}"
        )
        if self.options.watch is not None:
            goal, points = run.request.settings.regret, tuple(run.points)
            self.options.watch(Moment(run.iterations, run.seconds, points, self._part(), goal))

    def _part(self) -> float | None:
        """How much is done, of the iterations or of the time; None where neither is limited."""
        parts = []
        if self.run.request.settings.iterations is not None:
            parts.append(self.run.iterations / self.run.request.settings.iterations)
        if self.options.seconds:
            parts.append((self.told - self.options.began) / self.options.seconds)
        return min(max(parts), 1.0) if parts else None
