"""What is asked of a run: the settings of all regret minimization, read as sampling reads them.

A run: iterations one after the other, and all that they have come to.

Everything that a run does follows from the game and the request. The clock only decides between
which two iterations it stops. So looks at the regret, which may end a run, come at fixed numbers of
iterations, each a tenth more than the one before.

Runs in files: written now and then, and taken up again where they were.

The state of a run between two iterations is its number of iterations, the state of the generator of
random numbers, and the rows of its table. A run that goes on from a file comes to the same numbers,
bit for bit, as one that was never broken off. A file of another game or request is refused, and
stays as it is. That a file can be written is seen after the first iteration; if it cannot be any
more later on, that does not end a run: the note says so.

When a run is to end, and who is told how far it is: asked between iterations.

An iteration of external sampling may take longer than anyone waits. So it asks, too, now and then,
and is abandoned some time after the run should have ended.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, pow
from pathlib import Path
from random import Random
from typing import Any

from infoset import memory
from infoset.errors import FileError, InfosetError, NotApplicable, ParameterError, nearest
from infoset.solvers.cfr.loop import total_weight
from infoset.solvers.cfr.variants import AVERAGING
from infoset.solvers.convergence import TELL, Convergence, Point, Progress
from infoset.solvers.options import Options
from infoset.solvers.sampling.infosets import Table
from infoset.solvers.sampling.places import MEMORY, Luck, Places, Source
from infoset.solvers.sampling.walks import Walk, averaging, external, outcome
from infoset.solvers.settings import Settings
from infoset.solvers.storage import apart
from infoset.text import brief, printable

METHODS = ("external", "outcome")
UNASKED = 10_000  # iterations, where nothing says when to stop
EXPLORATION = 0.6  # of outcome sampling, where nobody says another


@dataclass(frozen=True)
class Request:
    """How to sample, when to stop, and what to write."""

    method: str
    settings: Settings

    def __post_init__(self) -> None:
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise ParameterError(f"no method {self.method!r:.60}; {nearest(self.method, METHODS)}")
        given = self.settings.exploration
        if given is not None and self.method != "outcome":
            raise ParameterError(
                f"exploration={given}: {self.method} sampling makes no random moves"
            )

    @property
    def seed(self) -> int:
        """Of the generator of random numbers."""
        return self.settings.seed or 0

    @property
    def exploration(self) -> float:
        """How often outcome sampling makes a random move."""
        return self.settings.exploration or EXPLORATION  # 0 is refused

    @property
    def averaging(self) -> str:
        """What an iteration counts, by its name."""
        return self.settings.averaging or "linear"

    def weight(self, iteration: int) -> float:
        """What an iteration counts, in regrets and averages alike; they are counted from 1."""
        return pow(float(iteration), AVERAGING[self.averaging])

    def weights(self, iterations: int) -> float:
        """What all iterations up to this one count together.

        >>> asked = Request("external", Settings(averaging="quadratic"))
        >>> asked.weights(3), asked.weight(1) + asked.weight(2) + asked.weight(3)
        (14.0, 14.0)
        """
        return total_weight(iterations + 1, AVERAGING[self.averaging])


class Run:
    """The state of a run between two iterations."""

    def __init__(self, source: Source, request: Request, *, memory: int = MEMORY) -> None:
        """Before the first iteration."""
        self.source = source
        self.request = request
        self.players = len(source.seats.players)
        self.table = Table(digests=request.settings.checkpoint is not None)
        self.random = Random(request.seed)
        self.memory = memory
        self.iterations = 0
        self.begun = 0  # iterations that were in a file when this call took it up
        self.nodes = 0
        self.points: list[Point] = []
        self.before = 0.0  # seconds that were spent before this call
        self.began = time.perf_counter()
        self.ended: float | None = None
        self.alarm: Callable[[], bool] = lambda: False  # is an iteration to be abandoned?

    @cached_property
    def places(self) -> Places:
        """The game as far as it is known; made once the table has its rows, if it has any."""
        source = self.source
        return Places(source.start, source.seats, source.name, self.table, self.memory)

    @cached_property
    def _walks(self) -> list[Walk]:
        """What is done for each player in an iteration."""
        luck, shared = Luck(self.random), self.players == 2
        if self.request.method == "external":
            walk = external(self.places, luck, averages=shared, alarm=lambda: self.alarm())
        else:
            walk = outcome(self.places, luck, self.request.exploration, averages=shared)
        return [walk] if shared else [walk, averaging(self.places, luck)]

    def iterate(self) -> None:
        """One iteration: every player's walk, in turn."""
        weight = self.request.weight(self.iterations + 1)
        for player in range(self.players):
            for walk in self._walks:
                self.nodes += walk(player, weight)
        self.iterations += 1

    @property
    def seconds(self) -> float:
        """How long it took so far, in all."""
        now = time.perf_counter() if self.ended is None else self.ended
        return self.before + now - self.began

    @property
    def bounds(self) -> list[float]:
        """[player] the estimated bound on its average regret."""
        return self.table.bound(self.players, self.request.weights(self.iterations))

    def look(self) -> None:
        """Note where the run stands, unless it is known or there is nothing to know yet."""
        if not self.iterations or (self.points and self.points[-1].iterations == self.iterations):
            return
        bounds = self.bounds
        if not all(map(isfinite, bounds)):
            raise NotApplicable(
                f"{self.source.name}: regrets grow beyond floats; give payoffs in a larger unit"
            )
        self.points.append(Point(self.seconds, self.iterations, max(bounds), tuple(bounds)))

    @property
    def regret(self) -> float | None:
        """The largest bound at the last look."""
        return self.points[-1].regret if self.points else None

    @property
    def convergence(self) -> Convergence:
        """What the looks found: estimated bounds, as its name says."""
        name = f"{self.request.method}-sampling (estimated)"
        return Convergence(name, self.source.seats.players, tuple(self.points))


def next_measurement(iterations: int) -> int:
    """The number of iterations at which the regret is looked at next.

    >>> next_measurement(0), next_measurement(1), next_measurement(50), next_measurement(55)
    (1, 2, 55, 60)
    """
    at = 1
    while at <= iterations:
        at += max(1, at // 10)
    return at


KIND = "infoset sampling 1"


class Keeper:
    """Keeps a run in a file, and its course in another, if they are named."""

    def __init__(self, run: Run) -> None:
        """Go on from the file if it is there."""
        self.run = run
        self.path, self.log = run.request.settings.checkpoint, run.request.settings.log
        self.note = ""
        self.written = -1  # at this number of iterations
        self._last = time.perf_counter()  # when something was written
        # Not Path.exists, which raises where a name is too long or a folder is closed.
        if self.path is not None and os.path.exists(self.path):
            self._go_on(self.path)
        elif self.path is not None and not self.path.absolute().parent.is_dir():
            raise FileError(
                f"{printable(str(self.path))}: there is no such folder; checkpoint= names a file in"
                " one"
            )
        if self.log is not None:
            run.convergence.save(self.log)  # what is wrong with it is said now

    def write_if_due(self, *, slow: bool) -> None:
        """Write the run if it is time to; if iterations are slow, as the next may be abandoned."""
        if self.path is None and self.log is None:
            return
        if self.run.iterations and self.path is not None and self.written < 0:
            self._write(self.path)  # what is wrong with it is said before the run gets long
        elif self.run.iterations and (
            slow or time.perf_counter() - self._last >= self.run.request.settings.every
        ):
            self.keep()

    def keep(self) -> None:
        """Write the run and its course as they stand; a problem goes into the note."""
        self.note = ""
        self.run.table.forgiving = True
        if self.path is not None and self.written != self.run.iterations:
            if self.run.table.problem:
                self.note = f"no checkpoint was written any more: {self.run.table.problem}"
            else:
                try:
                    self._write(self.path)
                except InfosetError as problem:
                    self.note = f"the last checkpoint was not written: {problem}"
        self.write_log()

    def write_log(self) -> None:
        """Write the course as it stands; a problem goes into the note."""
        self._last = time.perf_counter()
        try:
            if self.log is not None:
                self.run.convergence.save(self.log)
        except InfosetError as problem:
            self.note = self.note or f"the log was not written: {problem}"

    def _write(self, path: Path) -> None:
        from infoset.solvers.checkpoint import write_checkpoint

        columns = self.run.table.columns(self.run.source.labels.read)
        write_checkpoint(path, {**self._request(), **self._state()}, columns)
        self._last, self.written = time.perf_counter(), self.run.iterations

    def _request(self) -> dict[str, Any]:
        """What a run that goes on must have in common with the one that began."""
        asked, source = self.run.request, self.run.source
        return {
            "kind": KIND,
            "game": source.name,
            "players": list(source.seats.players),
            "rules": source.rules(),
            "method": asked.method,
            "seed": asked.seed,
            "averaging": asked.averaging,
            "exploration": asked.exploration if asked.method == "outcome" else None,
        }

    def _state(self) -> dict[str, Any]:
        run = self.run
        version, words, _ = run.random.getstate()
        return {
            "iterations": run.iterations,
            "nodes": run.nodes,
            "seconds": run.seconds,
            "course": run.convergence.record,
            "random": [version, list(words)],
        }

    def _go_on(self, path: Path) -> None:
        from infoset.solvers.checkpoint import read_checkpoint

        name = printable(str(path))
        facts, columns = read_checkpoint(path)
        if facts.get("kind") != KIND:
            raise FileError(f"{name}: this is no checkpoint of a sampled run; name another file")
        for what, wanted in self._request().items():
            if facts.get(what) != wanted:
                raise ParameterError(f"{name}: {_difference(what, facts.get(what), wanted)}")
        try:
            self._take_over(facts, columns)
        except (LookupError, TypeError, ValueError, OverflowError) as problem:
            raise FileError(
                f"{name}: damaged: {type(problem).__name__}: {problem}; go back to an older copy,"
                " or begin again"
            ) from None

    def _take_over(self, facts: dict[str, Any], columns: dict[str, Any]) -> None:
        run = self.run
        version, words = facts["random"]
        run.random.setstate((version, tuple(words), None))
        run.begun = run.iterations = int(facts["iterations"])
        run.nodes = int(facts["nodes"])
        run.before = float(facts["seconds"])
        run.points = list(Convergence.from_record(facts["course"]).points)
        run.table.refill(columns)
        run.table.forgiving = True
        self.written = run.iterations


def _difference(what: str, there: Any, wanted: Any) -> str:
    if what == "rules":
        return "the rules of this game have changed since; name another file, or remove this one"
    was, now = brief(str(there), 60), brief(str(wanted), 60)
    if what == "game":
        was, now = apart(there, wanted)
    return f"this checkpoint has {what} {was}, not {now}; name another file"


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
        self.leaf_indices = time.perf_counter() + options.left
        self.told = options.began
        self.ended: float | None = None  # when it was found that it should end
        self.note = ""  # why, where nobody asked for it

    def over(self) -> bool:
        """Should the run end now?"""
        now = time.perf_counter()
        if self.ended is None and now >= self.leaf_indices:
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
            self.options.watch(Progress(run.iterations, run.seconds, points, self._part(), goal))

    def _part(self) -> float | None:
        """How much is done, of the iterations or of the time; None where neither is limited."""
        parts = []
        if self.run.request.settings.iterations is not None:
            parts.append(self.run.iterations / self.run.request.settings.iterations)
        if self.options.seconds:
            parts.append((self.told - self.options.began) / self.options.seconds)
        return min(max(parts), 1.0) if parts else None
