"""Solving by counterfactual regret minimization: a run driven to its goal, its limit or a stop.

``solve`` steps a :class:`~infoset.solvers.cfr.run.CFRRun` as anyone could. Around the steps it asks
whether to stop, writes checkpoints and a log, and reports progress. If a file cannot be written the
run continues, and the note of the answer says so.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from infoset.clock import limited
from infoset.errors import InfosetError, OutOfTime
from infoset.forms.public import PublicForm
from infoset.solvers.cfr.run import CFRRun, scheduled
from infoset.solvers.container import check_room, checkpoint_size
from infoset.solvers.convergence import TELL, Convergence, Point, Progress
from infoset.solvers.cost import payoff_range
from infoset.solvers.interrupt import interruptible
from infoset.solvers.options import Found, Options
from infoset.solvers.settings import Settings
from infoset.tree import Tree

LOGGED = 1.0  # seconds at least between two logs
GRACE = 1.0  # seconds that laying out may take beyond the limit
NEAR = 1e-4  # regret at which a run without limits ends, as a part of the range of payoffs


@dataclass
class Driver:
    """Steps a run until there is a reason to stop; writes files and reports progress on the way."""

    run: CFRRun
    settings: Settings
    options: Options
    reason: str = ""  # why the run ended: "iterations", "regret" or "stopped"
    troubles: dict[str, str] = field(default_factory=dict)  # why a file could not be written
    logged: float = -inf  # when the log was last written

    @property
    def joint(self) -> bool:
        """Is the goal one for the average joint play?"""
        return len(self.run.loop.state.gradients) > 0

    @property
    def goal(self) -> float | None:
        """The regret at which to stop: as set; else small, if nothing limits the run.

        A limited run ends before its limit only where nothing is left to gain. That joint play is
        a coarse correlated equilibrium does not show this: what players gain by commitments is
        often negative, long before their strategies are any good by themselves.
        """
        if self.settings.regret is not None:
            return self.settings.regret
        if self.settings.iterations is not None or self.options.seconds is not None:
            return None if self.joint else 0.0
        return NEAR * payoff_range(self.run.game)

    def drive(self) -> None:
        """Step the run until its goal, its limit or an interruption."""
        self._begin()
        with ExitStack() as stack:
            options = self.options
            pressed = stack.enter_context(interruptible()) if options.stop is None else None
            self._go(_latched(lambda: options.over() or (pressed is not None and pressed())))

    def _begin(self) -> None:
        """Resume from a checkpoint if there is one; else make sure that one can be written."""
        run, file = self.run, self.settings.checkpoint
        # Not Path.exists, which raises where a name is too long or a folder is closed.
        there = file is not None and os.path.exists(file)
        if file is not None and there:
            run.resume(file)
        if file is not None:
            check_room(file, checkpoint_size(run.facts(), run.arrays()))
        if self.settings.log is not None:  # not before: a run that is refused overwrites nothing
            run.recorded.save(self.settings.log)  # a missing folder is reported now
        if file is not None and not there:
            run.save(file)

    def _go(self, over: Callable[[], bool]) -> None:
        run = self.run
        goal = self.goal
        saved = told = time.perf_counter()
        run.step(0)
        while not (reason := self._reason(goal) or ("stopped" if over() else "")):
            due = scheduled(run.iterations)
            end = min(due, self.settings.iterations or due)
            while run.iterations < end and not over():
                run.step(min(end - run.iterations, run.batch))
                if time.perf_counter() - told > TELL:
                    told = time.perf_counter()
                    self._tell(goal)
                if run.iterations < end:  # what is due to be measured is saved with its measure
                    saved = self._save_if_due(saved)
            if run.iterations == due and time.perf_counter() - self.logged > LOGGED:
                self._write_log(run.recorded)
            saved = self._save_if_due(saved)
        self._save()
        self._write_log(run.convergence)
        self._tell(goal)
        self.reason = reason

    def _reason(self, goal: float | None) -> str:
        """Why the run is to end now; empty if it is not."""
        run, limit = self.run, self.settings.iterations
        if limit is not None and run.iterations >= limit:
            return "iterations"
        if run.overflowed:
            return "stopped"
        last = run.recorded.last
        left = run.least
        if self.joint:
            left = inf if last is None else max(last.coarse, default=inf)
        return "regret" if goal is not None and left <= goal else ""

    @property
    def note(self) -> str:
        """That the run ended before it reached what was asked for, if so."""
        missed = self.settings.regret is not None and self.reason != "regret"
        done = self.run.iterations
        short = missed or (self.reason == "stopped" and (self.options.left > 0 or not done))
        return f"stopped after {done:,} iteration{'s' * (done != 1)}" if short else ""

    def _tell(self, goal: float | None) -> None:
        run = self.run
        points = run.recorded.points
        progress = Progress(run.iterations, run.seconds, points, self._part(goal, points), goal)
        self.options.tell(str(progress))
        if self.options.watch is not None:
            self.options.watch(progress)

    def _part(self, goal: float | None, points: tuple[Point, ...]) -> float | None:
        """How much is done: of the iterations, of the time, or of the way down to the goal."""
        parts = []
        if self.settings.iterations is not None:
            parts.append(self.run.iterations / self.settings.iterations)
        if self.options.seconds:
            parts.append(
                (time.perf_counter() - self.options.began) / min(self.options.seconds, 1e9)
            )
        amounts = [max(one.coarse if self.joint and one.coarse else one.regrets) for one in points]
        if goal and amounts and amounts[0] > goal:
            lowest = max(min(amounts), goal)
            parts.append(float(np.log(amounts[0] / lowest) / np.log(amounts[0] / goal)))
        return min(max(parts), 1.0) if parts else None

    def _save_if_due(self, last: float) -> float:
        """Write checkpoint and log if it is time to; when that was last done."""
        if time.perf_counter() - last <= self.settings.every:
            return last
        self._save()
        self._write_log(self.run.recorded)
        return time.perf_counter()

    def _save(self) -> None:
        self.troubles.pop("checkpoint", None)
        try:
            if self.settings.checkpoint is not None:
                self.run.save(self.settings.checkpoint)
        except InfosetError as problem:
            self.troubles["checkpoint"] = str(problem)

    def _write_log(self, convergence: Convergence) -> None:
        self.logged = time.perf_counter()
        self.troubles.pop("log", None)
        try:
            if self.settings.log is not None:
                convergence.save(self.settings.log)
        except InfosetError as problem:
            self.troubles["log"] = str(problem)


def _latched(over: Callable[[], bool]) -> Callable[[], bool]:
    """The same question, answered yes for good once it was answered yes."""
    said = False

    def ever() -> bool:
        nonlocal said
        said = said or over()
        return said

    return ever


def driven(game: Tree | PublicForm, options: Options, method: str) -> Driver:
    """A run with the settings of ``solve``, driven to its end."""
    settings = options.settings or Settings()
    try:
        with limited(max(options.left, 0.0) + GRACE):
            run = CFRRun(
                game,
                method,
                updates=settings.updates,
                averaging=settings.averaging,
                exponents=settings.exponents,
                precision=settings.precision,
                workers=settings.workers,
                tick=options.tick,
            )
    except OutOfTime:
        raise OutOfTime(
            f"{game.name}: time was over before the payoffs of {len(game.names):,} players were"
            f" laid out for {method}; give more seconds=, or take external-sampling, which has no"
            " need of it"
        ) from None
    # The time that compiling takes is not the run's.
    driver = Driver(run, settings, replace(options, began=options.began + run.compiling))
    driver.drive()
    return driver


def find(tree: Tree, options: Options, method: str = "cfr+") -> Found:
    """The average strategies of a run on a tree."""
    driver = driven(tree, options, method)
    return driver.run.found(
        prove=driver.settings.prove,
        note=driver.note,
        troubles=tuple(driver.troubles.values()),
    )
