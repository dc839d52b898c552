"""Runs of Monte Carlo regret minimization: stepped by the caller, or driven by ``solve``.

Everything that a run does follows from the game and the request. The clock only decides between
which two iterations it stops. So estimates of the regret, which may end a run, are made at fixed
numbers of iterations, each a tenth more than the one before.

The state of a run between two iterations is its number of iterations, the state of the random
number generator, and the rows of its table. A run that is resumed from a checkpoint gets the same
numbers, bit for bit, as one that was never interrupted. The checkpoint of another game or request
is refused, and stays as it is. That a file can be written is checked after the first iteration; if
it cannot be later on, the run continues, and the note of its result says so.

An iteration of external sampling may take longer than anyone waits. It is abandoned some time after
the run should have ended.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, pow
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from infoset import memory
from infoset.errors import FileError, InfosetError, NotApplicable, ParameterError, nearest
from infoset.parallel import Workers, check_workers
from infoset.solvers.cfr.loop import total_weight
from infoset.solvers.cfr.variants import AVERAGING
from infoset.solvers.container import apart
from infoset.solvers.convergence import TELL, Convergence, Point, Progress
from infoset.solvers.options import Options
from infoset.solvers.sampling.infosets import RegretTable
from infoset.solvers.sampling.parts import LONGEST, walk_round, walks_of
from infoset.solvers.sampling.places import MEMORY, Luck, Places, SampledGame
from infoset.solvers.sampling.walks import LISTEN_EVERY, Abandoned, Walk
from infoset.solvers.settings import Settings
from infoset.text import brief, present_name, printable

if TYPE_CHECKING:
    from infoset.solvers.solution import Solution
    from infoset.tree import Tree

METHODS = ("external", "outcome")
KIND = "infoset sampling 1"  # of checkpoints
DEFAULT_ITERATIONS = 10_000  # iterations, where nothing else limits a run
EXPLORATION = 0.6  # of outcome sampling, by default


@dataclass(frozen=True)
class SamplingRequest:
    """The method of sampling, with its settings."""

    method: str
    settings: Settings

    def __post_init__(self) -> None:
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise ParameterError(f"no method {self.method!r:.60}; {nearest(self.method, METHODS)}")
        given = self.settings.exploration
        if given is not None and self.method != "outcome":
            raise ParameterError(f"exploration={given}: {self.method} sampling has no exploration")
        jobs, cluster = self.settings.jobs, self.settings.cluster
        check_workers(jobs, cluster)
        if self.parts == 1 and ((jobs or 1) > 1 or cluster is not None):
            what = f"jobs={jobs}" if cluster is None else f"cluster={cluster!r}"
            raise ParameterError(f"{what}: this run has one part; give parts= as well, such as 4")

    @property
    def parts(self) -> int:
        """How many parts a round of iterations has."""
        return self.settings.parts or 1

    @property
    def seed(self) -> int:
        """The seed of the random number generator."""
        return self.settings.seed or 0

    @property
    def exploration(self) -> float:
        """The probability of a random move in outcome sampling."""
        return self.settings.exploration or EXPLORATION  # 0 is refused

    @property
    def averaging(self) -> str:
        """The name of the iterations' weights."""
        return self.settings.averaging or "linear"

    def weight(self, iteration: int) -> float:
        """The weight of an iteration, counted from 1, in regrets and averages alike."""
        return pow(float(iteration), AVERAGING[self.averaging])

    def weights(self, iterations: int) -> float:
        """The total weight of all iterations up to this one.

        >>> asked = SamplingRequest("external", Settings(averaging="quadratic"))
        >>> asked.weights(3), asked.weight(1) + asked.weight(2) + asked.weight(3)
        (14.0, 14.0)
        """
        return total_weight(iterations + 1, AVERAGING[self.averaging])


class SamplingRun:
    """A run of Monte Carlo regret minimization, one step at a time; its tree is never built.

    :func:`infoset.start` makes one. Everything that a run does follows from the game and the
    request: how iterations are divided into steps changes nothing.

    Parameters
    ----------
    source
        The game, made walkable.
    request
        The method and its settings.
    memory
        The number of positions near the root that are kept; results do not depend on it.
    estimates
        Whether steps estimate the regret where that is scheduled, which takes longer the more
        information sets were met.

    Examples
    --------
    >>> from infoset import start
    >>> from infoset.games import kuhn
    >>> run = start(kuhn(), "external-sampling", seed=1)
    >>> run.step(2000)
    >>> run.iterations, len(run.strategy["dealer"]), run.solution().regret < 0.05
    (2000, 6, True)
    """

    def __init__(
        self,
        source: SampledGame,
        request: SamplingRequest,
        *,
        memory: int = MEMORY,
        estimates: bool = True,
    ) -> None:
        """Before the first iteration."""
        self.estimates = estimates
        self.source = source
        self.request = request
        self.table = RegretTable(digests=request.settings.checkpoint is not None)
        self.random = Random(request.seed)
        self.memory = memory
        self._count = len(source.seats.players)
        self.iterations = 0
        self.resumed = 0  # iterations that were in the file from which it was resumed
        self.nodes = 0
        self._listens = LISTEN_EVERY  # nodes at which it is asked next
        self.abandon: Callable[[], bool] = lambda: False  # is an iteration to be abandoned?
        self.left: Callable[[], float] = lambda: inf  # seconds in which a round must be done
        self.workers = Workers(1)  # who walk the parts of a round
        self._points: list[Point] = []  # what was measured at scheduled iterations
        self._due = next_measurement(0)
        self._spent = 0.0  # seconds of all steps that are done
        self._since: float | None = None  # when the step in progress began

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.source.name

    @property
    def method(self) -> str:
        """The name of the method, as ``solve`` takes it."""
        return f"{self.request.method}-sampling"

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return self.source.seats.players

    # ------------------------------------------------------------------ stepping

    @cached_property
    def places(self) -> Places:
        """The positions known so far; made once the table has its rows, if it has any."""
        source = self.source
        return Places(source.start, source.seats, source.name, self.table, self.memory)

    @cached_property
    def _walks(self) -> list[Walk]:
        """What is done for each player in an iteration."""
        return walks_of(self.request, self.places, Luck(self.random), lambda: self.abandon())

    def step(self, iterations: int = 1) -> None:
        """Do more iterations, and estimate the regret where that is scheduled.

        Parameters
        ----------
        iterations
            How many. In each, every player's walks are made in turn. A run in parts does whole
            rounds, until there are so many.

        Raises
        ------
        NotApplicable
            If regrets grow beyond floats.
        """
        if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 0:
            raise ParameterError(f"iterations={iterations!r:.60}: it must be a whole number")
        self._since = time.perf_counter()
        last = self.iterations + iterations
        try:
            while self.iterations < last:
                if self.request.parts == 1:
                    self._iterate()
                elif not walk_round(self, self._round, self.workers, self.left()):
                    raise Abandoned
                if self.iterations == self._due:
                    if self.estimates:
                        self._points.append(self._point())
                    self._due = next_measurement(self._due)
        finally:
            self._spent, self._since = self.seconds, None

    @property
    def _round(self) -> int:
        """The iterations of the round that comes next."""
        return min(self._due - self.iterations, LONGEST)

    @cached_property
    def token(self) -> str:
        """Tells this run from others, in any process."""
        return uuid4().hex

    def _iterate(self) -> None:
        weight = self.request.weight(self.iterations + 1)
        for player in range(self._count):
            for walk in self._walks:
                self.nodes += walk(player, weight)
                if self.nodes >= self._listens:
                    self._listen()
        self.iterations += 1

    def _listen(self) -> None:
        """Ask whether to abandon the iteration: those of many players take many walks."""
        self._listens = self.nodes + LISTEN_EVERY
        if self.abandon():
            raise Abandoned

    @property
    def seconds(self) -> float:
        """How long all steps took."""
        now = 0.0 if self._since is None else time.perf_counter() - self._since
        return self._spent + now

    # ------------------------------------------------------------------ estimates

    @property
    def bounds(self) -> list[float]:
        """[player] the estimated bound on its average regret."""
        return self.table.bound(len(self.players), self.request.weights(self.iterations))

    @property
    def regret(self) -> float:
        """The largest estimated bound on a player's regret; infinite before the first iteration."""
        return max(self.bounds)

    @property
    def estimated(self) -> float | None:
        """The largest bound when it was last estimated as scheduled; None before."""
        return self._points[-1].regret if self._points else None

    @property
    def exploitability(self) -> float:
        """The sum of all players' regrets, on the tree if that is small, or else estimated."""
        from infoset.solvers.sampling.result import sampled

        return float(sampled(self.snapshot(), "").exploitability)

    def _point(self) -> Point:
        bounds = self.bounds
        if not all(map(isfinite, bounds)):
            raise NotApplicable(
                f"{self.source.name}: regrets grow beyond floats; give payoffs in a larger unit"
            )
        return Point(self.seconds, self.iterations, max(bounds), tuple(bounds))

    @property
    def recorded(self) -> Convergence:
        """The estimates at the scheduled iterations."""
        return Convergence(f"{self.method} (estimated)", self.players, tuple(self._points))

    @property
    def convergence(self) -> Convergence:
        """The estimates at the scheduled iterations, and the one now."""
        points = tuple(self._points)
        if self.iterations and not (points and points[-1].iterations == self.iterations):
            points = (*points, self._point())
        return Convergence(f"{self.method} (estimated)", self.players, points)

    # ------------------------------------------------------------------ strategies

    def snapshot(self) -> SamplingRun:
        """The run as it is, to be read while this one continues.

        Reading may meet positions that no walk has come to; they become rows of the copy alone.
        """
        found = copy(self)
        found.table = self.table.copy()
        found.__dict__.pop("places", None)
        found.__dict__.pop("_walks", None)
        return found

    @property
    def strategy(self) -> Mapping[str, Mapping[str, Mapping[Hashable, float]]]:
        """The average strategies: by player, by label, the probability of each action.

        Only information sets that a walk has met are there.
        """
        from infoset.solvers.sampling.result import Simulation, VisitedSets

        unseen = Simulation(1, [], [], [], Counter())
        rows = len(self.table.rows)
        return {
            player: VisitedSets(self, number, rows, unseen).by_label()
            for number, player in enumerate(self.players)
        }

    def solution(self, tree: Tree | None = None) -> Solution:
        """The average strategies on the tree of the game, verified; the run is not changed.

        Parameters
        ----------
        tree
            The tree, if it is there already; else it is built, which must be possible.
        """
        from infoset.solvers.sampling.result import sampled

        return sampled(self.snapshot(), "").on_tree(tree)

    def __repr__(self) -> str:
        return f"<Run of {self.method} on {self.source.name}: {self.iterations:,} iterations>"

    # ------------------------------------------------------------------ checkpoints

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, from which :meth:`resume` or ``solve(checkpoint=path)`` continues.

        Raises
        ------
        NotApplicable
            If what a player knows reads differently in every process, so that no file can name it.
        """
        self.write(path, self.table, {})

    def write(
        self, path: str | os.PathLike[str], table: RegretTable, result: Mapping[str, Any]
    ) -> None:
        """Write a checkpoint with these rows, and with what is known of the result."""
        from infoset.solvers.container import write_checkpoint

        table.name_rows()
        columns = table.columns(self.source.labels.read)
        facts = {**self._request(), **self._state()}
        write_checkpoint(path, facts | ({"result": dict(result)} if result else {}), columns)

    def _request(self) -> dict[str, Any]:
        """What a resumed run must have in common with the one that began."""
        asked, source = self.request, self.source
        return {
            "kind": KIND,
            "game": source.name,
            "players": list(source.seats.players),
            "rules": source.rules(),
            "method": asked.method,
            "seed": asked.seed,
            "averaging": asked.averaging,
            "exploration": asked.exploration if asked.method == "outcome" else None,
            "parts": asked.settings.parts if asked.parts > 1 else None,
        }

    def _state(self) -> dict[str, Any]:
        version, words, _ = self.random.getstate()
        return {
            "iterations": self.iterations,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "course": self.recorded.record,
            "random": [version, list(words)],
        }

    def resume(self, path: str | os.PathLike[str]) -> None:
        """Continue from a checkpoint of the same game and request; before the first step.

        Raises
        ------
        FileError
            If the file is damaged, or no checkpoint of sampling.
        ParameterError
            If it is the checkpoint of another game or request, or of a run that was stopped within
            an iteration.
        """
        from infoset.solvers.container import read_checkpoint

        name = printable(os.fspath(path))
        facts, columns = read_checkpoint(path)
        if facts.get("kind") != KIND:
            raise FileError(f"{name}: this is no checkpoint of a sampled run; name another file")
        self.restore(name, facts, columns)
        if not facts.get("result", {}).get("whole", True):
            raise ParameterError(
                f"{name}: this run was stopped within an iteration, so that it can be loaded, and"
                " not continued; name another file"
            )

    def restore(self, name: str, facts: dict[str, Any], columns: dict[str, Any]) -> None:
        """Take the state of a run of the same game and request, as it was in a file."""
        facts["game"] = present_name(facts.get("game"))
        for what, wanted in self._request().items():
            if facts.get(what) != wanted:
                raise ParameterError(f"{name}: {_difference(what, facts.get(what), wanted)}")
        try:
            self._restore(facts, columns)
        except (LookupError, TypeError, ValueError, OverflowError) as problem:
            raise FileError(
                f"{name}: damaged: {type(problem).__name__}: {problem}; go back to an older copy,"
                " or begin again"
            ) from None

    def _restore(self, facts: dict[str, Any], columns: dict[str, Any]) -> None:
        version, words = facts["random"]
        self.random.setstate((version, tuple(words), None))
        self.resumed = self.iterations = int(facts["iterations"])
        self.nodes = self._listens = int(facts["nodes"])
        self._spent = float(facts["seconds"])
        self._points = list(Convergence.from_record(facts["course"]).points)
        self._due = next_measurement(self.iterations)
        self.table.name_rows()
        self.table.refill(columns)
        self.table.forgiving = True


def next_measurement(iterations: int) -> int:
    """The number of iterations at which the regret is estimated next.

    >>> next_measurement(0), next_measurement(1), next_measurement(50), next_measurement(55)
    (1, 2, 55, 60)
    """
    at = 1
    while at <= iterations:
        at += max(1, at // 10)
    return at


class CheckpointWriter:
    """Writes the checkpoint and the log of a run, if they are wanted."""

    def __init__(self, run: SamplingRun) -> None:
        """Resume from the checkpoint if it is there."""
        self.run = run
        self.path, self.log = run.request.settings.checkpoint, run.request.settings.log
        self.note = ""
        self.written = -1  # at this number of iterations
        self._last = time.perf_counter()  # of the last writing
        # Not Path.exists, which raises where a name is too long or a folder is closed.
        if self.path is not None and os.path.exists(self.path):
            run.resume(self.path)
            self.written = run.iterations
        elif self.path is not None and not self.path.absolute().parent.is_dir():
            raise FileError(
                f"{printable(str(self.path))}: there is no such folder; checkpoint= names a file in"
                " one"
            )
        if self.log is not None:
            run.recorded.save(self.log)  # what is wrong with it is reported now

    def write_if_due(self, *, slow: bool) -> None:
        """Write the run if it is time to; if iterations are slow, as the next may be abandoned."""
        if self.path is None and self.log is None:
            return
        if self.run.iterations and self.path is not None and self.written < 0:
            self._save(self.path)  # what is wrong with it is reported before the run gets long
        elif self.run.iterations and (
            slow or time.perf_counter() - self._last >= self.run.request.settings.every
        ):
            self.write()

    def write(self) -> None:
        """Write checkpoint and log; a problem goes into the note."""
        self.note = ""
        self.run.table.forgiving = True
        if self.path is not None and self.written != self.run.iterations:
            if self.run.table.problem:
                self.note = f"no checkpoint was written any more: {self.run.table.problem}"
            else:
                try:
                    self._save(self.path)
                except InfosetError as problem:
                    self.note = f"the last checkpoint was not written: {problem}"
        self.write_log(self.run.recorded)

    def write_log(self, convergence: Convergence) -> None:
        """Write the log; a problem goes into the note."""
        self._last = time.perf_counter()
        try:
            if self.log is not None:
                convergence.save(self.log)
        except InfosetError as problem:
            self.note = self.note or f"the log was not written: {problem}"

    def _save(self, path: Path) -> None:
        self.run.save(path)
        self._last, self.written = time.perf_counter(), self.run.iterations


def _difference(what: str, there: Any, wanted: Any) -> str:
    if what == "rules":
        return (
            "the rules of this game have changed since, or its tree was sampled and not its rules;"
            " name another file, or remove this one"
        )
    was, now = brief(str(there), 60), brief(str(wanted), 60)
    if what == "game":
        was, now = apart(there, wanted)
    return f"this checkpoint has {what} {was}, not {now}; name another file"


GRACE = 2.0  # seconds that an iteration has to end
ABANDONED = (
    "stopped within an iteration, which takes long here: what it found is in the result and not in"
    " the checkpoint"
)
SHORTER = "; outcome sampling has shorter ones"


class Watch:
    """Decides when a run ends, and reports its progress."""

    def __init__(self, run: SamplingRun, options: Options) -> None:
        """The time limit counts from when the options were made."""
        self.run = run
        self.options = options
        self.deadline = time.perf_counter() + options.left
        self.told = options.began
        self.ended: float | None = None  # when it was decided to end
        self.note = ""  # why, if not asked for

    def over(self) -> bool:
        """Should the run end now?"""
        now = time.perf_counter()
        if self.ended is None and now >= self.deadline:
            self.ended = now
        elif self.ended is None and now - self.told >= TELL:
            self.told = now
            if self._out_of_memory() or (self.options.stop is not None and self.options.stop()):
                self.ended = now
            else:
                self.tell()
        return self.ended is not None

    def impatient(self) -> bool:
        """Should the run have ended a while ago?"""
        return self.over() and time.perf_counter() - (self.ended or 0.0) > GRACE

    def _out_of_memory(self) -> bool:
        """Is almost no memory left? Better to stop with a result than to be killed."""
        room = memory.available()
        if room is None or room >= memory.KEEP_FREE:
            return False
        self.note = (
            f"stopped: memory is running out at {len(self.run.table.rows):,} information sets"
        )
        return True

    def tell(self) -> None:
        """Report how far the run has come."""
        run, points = self.run, self.run.recorded.points
        about = f", regret about {points[-1].regret:.2g}" if points else ""
        self.options.tell(
            f"{run.iterations:,} iterations, {len(run.table.rows):,} information sets{about}"
        )
        if self.options.watch is not None:
            goal = run.request.settings.regret
            self.options.watch(Progress(run.iterations, run.seconds, points, self._part(), goal))

    def _part(self) -> float | None:
        """How much is done, of the iterations or of the time; None where neither is limited."""
        parts = []
        if self.run.request.settings.iterations is not None:
            parts.append(self.run.iterations / self.run.request.settings.iterations)
        if self.options.seconds:
            elapsed = time.perf_counter() - self.options.began
            parts.append(elapsed / min(self.options.seconds, 1e9))
        return min(max(parts), 1.0) if parts else None
