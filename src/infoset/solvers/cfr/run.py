"""A long run that nothing can spoil: when to measure, when to stop, what to write.

Regret is measured after iterations 1, 2, 3, ... at growing distances, which depend on the number of
iterations alone: a run that is stopped by its regret stops at the same iteration every time. The
strategies that had the least regret are kept, and are the answer.

A checkpoint has all that the run needs to go on to the last bit as if there had been no break. It
is replaced in one step; if it cannot be written, the run goes on, and says so at the end.

Large games by regret minimization: play against oneself, and regret what one did not do.

At every information set a player keeps, for each action, how much more it would have got by always
taking it there; it then plays in proportion to what it regrets. Weighted by how much nature and the
others let the play come to a set, these regrets add up to no less than the regret of the whole
strategy: if all of them grow slower than time, the regret per iteration goes to zero. With two
players whose payoffs sum to a constant, the average strategies are then an equilibrium, up to twice
that; with more players, or other sums, the average of *joint* play is a coarse correlated
equilibrium, and what the average strategies are worth by themselves is measured, and proved.

An iteration costs one pass over the plays of the game, and memory for a few numbers a sequence. The
members of the family are rows of a table (:mod:`infoset.solvers.cfr.variants`), the loop is one
(:mod:`infoset.kernels.regret`), and :mod:`infoset.solvers.cfr.run` sees to it that a long run
can be watched, stopped and gone on with.

Sources: Zinkevich, Johanson, Bowling & Piccione 2007; Tammelin 2014 (CFR+); Brown & Sandholm 2019
(linear and discounted); Farina, Kroer & Sandholm 2021 (predictive).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import FileError, InfosetError
from infoset.linear.numbers import Floats, Numbers
from infoset.solvers.cfr.layout import check_memory, lay_out
from infoset.solvers.cfr.loop import Loop
from infoset.solvers.cfr.variants import variant
from infoset.solvers.checkpoint import (
    check_room,
    checkpoint_size,
    read_checkpoint,
    write_checkpoint,
)
from infoset.solvers.convergence import Convergence, Point
from infoset.solvers.interrupt import interruptible
from infoset.solvers.options import Found, Options
from infoset.solvers.settings import Settings
from infoset.solvers.storage import apart
from infoset.strategy import RealizationPlan, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.text import decimal_above, printable
from infoset.tree import Tree, matrix_game

BEYOND = "sums grew beyond floats; this is the best before that"
KIND = "regret minimization"
BATCH = 0.05  # seconds of iterations between two looks at the clock
FARTHEST = 2**62  # iterations that the kernel's integers can count
TELL = 0.1  # seconds between two words about how far it is
LOGGED = 1.0  # seconds at least between two logs


def scheduled(done: int) -> int:
    """The iteration after which regret is measured next.

    >>> [scheduled(done) for done in (0, 1, 10, 1_000, 10_000, 1_000_000)]
    [1, 2, 12, 1111, 10724, 1008456]
    """
    at = 0
    while at <= done:
        at += max(1, min(at // 5, max(1_000, at // 50)))
    return at


@dataclass(frozen=True)
class Progress:
    """How far a run is, for whoever watches."""

    iterations: int
    seconds: float
    points: tuple[Point, ...]  # what was measured so far
    part: float | None  # how much of it is done, from 0 to 1; None where nobody can know
    goal: float | None  # the regret at which it stops

    def __str__(self) -> str:
        known = f", regret {self.points[-1].regret:.2g}" if self.points else ""
        several = "s" * (self.iterations != 1)
        return f"{self.iterations:,} iteration{several}{known} after {self.seconds:.1f} s"


@dataclass
class Run:
    """One run: a loop with a goal."""

    loop: Loop
    settings: Settings
    options: Options
    name: str  # the method's
    goal: float | None  # the regret at which to stop
    coarse: bool  # is the goal one for the average of joint play?
    points: list[Point] = field(default_factory=list)
    best: npt.NDArray[Any] | None = None  # sums of weights when regret was least
    least: float = inf
    troubles: dict[str, str] = field(default_factory=dict)  # why a file could not be written
    beyond: bool = False  # did sums grow too large for floats?
    before: float = 0.0  # seconds of the run before it was broken off
    began: float = field(default_factory=time.perf_counter)
    logged: float = -inf  # when the log was written last

    # ------------------------------------------------------------------ going on

    def go(self, over: Callable[[], bool]) -> str:
        """Iterate until there is a reason to stop, and say which."""
        over = _kept(over)
        saved = told = time.perf_counter()
        each = 0.0  # seconds that an iteration takes
        if not self.points:
            self.began = saved
            self._measure()
        while not (reason := self._done() or ("stopped" if over() else "")):
            goal = scheduled(self.loop.done)
            end = min(goal, self.settings.iterations or goal)
            while self.loop.done < end and not over():
                count = min(end - self.loop.done, max(1, int(BATCH / each)) if each else 1)
                now = time.perf_counter()
                self.loop.iterate(count)
                each = (time.perf_counter() - now) / count
                if time.perf_counter() - told > TELL:
                    told = time.perf_counter()
                    self._tell()
                if self.loop.done < end:  # what is due to be measured is saved with its measure
                    saved = self._saved(saved)
            if self.loop.done == goal:
                self._measure()
                if time.perf_counter() - self.logged > LOGGED:
                    self._write_log()
            saved = self._saved(saved)
        self.save()
        if self.loop.done != self.points[-1].iterations:
            # Not in the checkpoint: a run that goes on from it knows what it would know unbroken.
            self._measure()
            self._write_log()
        return reason

    def _saved(self, last: float) -> float:
        """Write checkpoint and log if it is time to; when it was done last."""
        if time.perf_counter() - last <= self.settings.every:
            return last
        self.save()
        return time.perf_counter()

    def _done(self) -> str:
        last = self.points[-1]
        if self.settings.iterations is not None and self.loop.done >= self.settings.iterations:
            return "iterations"
        if self.beyond:
            return "stopped"
        left = max(last.coarse, default=inf) if self.coarse else self.least
        return "regret" if self.goal is not None and left <= self.goal else ""

    def _measure(self) -> None:
        found = self.loop.measure()
        if not all(map(isfinite, (*found.regrets, *found.coarse))):
            self.beyond = True
            return
        self.points.append(
            Point(self.seconds, self.loop.done, found.regret, found.regrets, found.coarse)
        )
        if self.best is None or found.regret < self.least:
            self.least = found.regret
            if self.best is None:
                self.best = self.loop.state.summed.copy()
            else:
                self.best[:] = self.loop.state.summed

    @property
    def seconds(self) -> float:
        """How long it took so far."""
        return self.before + time.perf_counter() - self.began

    @property
    def convergence(self) -> Convergence:
        """What was measured."""
        return Convergence(self.name, self.loop.layout.game.names, tuple(self.points))

    def _tell(self) -> None:
        moment = Progress(self.loop.done, self.seconds, tuple(self.points), self._part(), self.goal)
        self.options.tell(str(moment))
        if self.options.watch is not None:
            self.options.watch(moment)

    def _part(self) -> float | None:
        """How much is done: of the iterations, of the time, or of the way down to the goal."""
        parts = []
        if self.settings.iterations is not None:
            parts.append(self.loop.done / self.settings.iterations)
        if self.options.seconds:
            parts.append((time.perf_counter() - self.options.began) / self.options.seconds)
        amounts = [max(p.coarse if self.coarse and p.coarse else p.regrets) for p in self.points]
        if self.goal and amounts and amounts[0] > self.goal:
            lowest = max(min(amounts), self.goal)
            parts.append(float(np.log(amounts[0] / lowest) / np.log(amounts[0] / self.goal)))
        return min(max(parts), 1.0) if parts else None

    # ------------------------------------------------------------------ files

    def facts(self) -> dict[str, Any]:
        """What a checkpoint says beside its arrays; the first part must be the same to go on."""
        loop, row = self.loop, self.loop.variant
        return {
            "kind": KIND,
            "game": loop.layout.game.name,
            "fingerprint": loop.layout.game.fingerprint,
            "method": self.name,
            "exponents": list(row.exponents),
            "updates": "alternating" if row.alternating else "simultaneous",
            "precision": str(loop.state.weight.dtype),
            "iterations": loop.done,
            "seconds": self.seconds,
            "least": self.least,
            "course": self.convergence.record,
        }

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        assert self.best is not None
        every = np.concatenate(self.loop.layout.places)
        return {**self.loop.arrays(), "best": self.best[every]}

    def save(self) -> None:
        """Write checkpoint and log; what goes wrong is said at the end."""
        self.troubles.pop("checkpoint", None)
        try:
            if self.settings.checkpoint is not None:
                write_checkpoint(self.settings.checkpoint, self.facts(), self._arrays())
        except InfosetError as problem:
            self.troubles["checkpoint"] = str(problem)
        self._write_log()

    def _write_log(self) -> None:
        self.logged = time.perf_counter()
        self.troubles.pop("log", None)
        try:
            if self.settings.log is not None:
                self.convergence.save(self.settings.log)
        except InfosetError as problem:
            self.troubles["log"] = str(problem)

    def begin(self) -> None:
        """Go on from a checkpoint if there is one; else see to it that one can be written."""
        file = self.settings.checkpoint
        # Not Path.exists, which raises where a name is too long or a folder is closed.
        there = file is not None and os.path.exists(file)
        if file is not None and there:
            self._resume(*read_checkpoint(file))
        if file is not None and not self.points:
            self._measure()
        spent = self.seconds
        if file is not None:
            check_room(file, checkpoint_size(self.facts(), self._arrays()))
        if self.settings.log is not None:  # not before: a run that is refused writes over nothing
            self.convergence.save(self.settings.log)  # a folder that is missing is said now
        if file is not None and not there:
            write_checkpoint(file, self.facts(), self._arrays())
        self.before, self.began = spent, time.perf_counter()  # getting ready is not the run's time

    def _resume(self, facts: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        assert self.settings.checkpoint is not None
        name = printable(str(self.settings.checkpoint))
        difference = _difference(facts, self.facts())
        if difference:
            raise FileError(f"{name}: this checkpoint is {difference}; name another file")
        every = np.concatenate(self.loop.layout.places)
        try:
            convergence = Convergence.from_record(facts["course"])
            wanted = self.loop.arrays() | {"best": self.loop.state.summed[every]}
            for array, own in wanted.items():
                if arrays[array].shape != own.shape or arrays[array].dtype != own.dtype:
                    raise ValueError(array)
            done, before = int(facts["iterations"]), float(facts["seconds"])
            last = convergence.last or Point(0.0, 0, 0.0)
            if not (last.iterations <= done < FARTHEST and last.seconds <= before < inf):
                raise ValueError("iterations")
            self.loop.restore(done, arrays)
            self.best = self.loop.state.summed.copy()
            self.best[every] = arrays["best"]
            self.least, self.before = float(facts["least"]), before
        except (LookupError, TypeError, ValueError, OverflowError) as problem:
            said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
            raise FileError(f"{name}: damaged: {said}") from None
        self.points = list(convergence.points)


def _kept(over: Callable[[], bool]) -> Callable[[], bool]:
    """The same question, answered yes for good once it was answered yes."""
    said = False

    def ever() -> bool:
        nonlocal said
        said = said or over()
        return said

    return ever


def _difference(kept: dict[str, Any], now: dict[str, Any]) -> str:
    """In what a checkpoint belongs to another run; empty if in nothing."""
    if kept.get("kind") != KIND:
        return f"of another kind: {printable(str(kept.get('kind')))[:60]}"
    if kept.get("fingerprint") != now["fingerprint"]:
        was, name = apart(kept.get("game"), now["game"])
        if was == name:
            return f"of another {was}: its rules have changed since, or how it was folded"
        return f"of another game: {was}, not {name}"
    for name in ("method", "exponents", "updates", "precision"):
        if kept.get(name) != now[name]:
            was = printable(str(kept.get(name)))[:60]
            return f"of a run with {name} {was}, not {now[name]}"
    return ""


NEAR = 1e-4  # regret, as a part of what is at stake, at which a run ends that nobody limits
PROVABLE = 20_000_000  # leaves up to which the regret is proved unasked
SHARED = 300_000  # leaves from which two workers are faster than one


def find(tree: Tree, options: Options, method: str = "cfr+") -> Found:
    """The average strategies of a run."""
    settings = options.settings or Settings()
    row = variant(method)
    opposed = len(tree.players) == 1 or (len(tree.players) == 2 and bool(tree.constant_sum))
    updates = settings.updates or ("alternating" if opposed else "simultaneous")
    row = row.changed(updates=updates, averaging=settings.averaging, exponents=settings.exponents)
    coarse = not opposed and not row.alternating
    needed = check_memory(tree, settings.precision, coarse)
    options.tell(f"laying out {len(tree.leaf_indices):,} leaves, {needed / 2**20:,.0f} MiB at most")
    options = _loaded(options, settings)
    workers = 1 if jit_disabled() else settings.workers or _workers(tree)
    layout = lay_out(tree, np.dtype(settings.precision), workers)
    loop = Loop(layout, row, coarse)
    run = Run(loop, settings, options, method, _goal(tree, options, settings, coarse), coarse)
    run.begin()
    with ExitStack() as stack:
        pressed = stack.enter_context(interruptible()) if options.stop is None else None
        reason = run.go(lambda: options.over() or (pressed is not None and pressed()))
    assert run.best is not None
    plan = loop.plan(run.best)
    strategies = tuple(
        _strategy(tree, player, own, settings)
        for player, own in zip(tree.names, loop.weights(plan), strict=True)
    )
    missed = settings.regret is not None and reason != "regret"
    short = missed or (reason == "stopped" and (options.left > 0 or not loop.done))
    return Found(
        strategies,
        {"iterations": loop.done, "sequences": layout.sequences, "entries": layout.entries},
        note=f"stopped after {loop.done:,} iteration{'s' * (loop.done != 1)}" if short else "",
        remark=_remark(run, opposed),
        convergence=run.convergence,
    )


def _loaded(options: Options, settings: Settings) -> Options:
    """Load the kernels, or compile them once; the time that this takes is not the run's."""
    options.tell("compiling, if this is the first time")
    began = time.perf_counter()
    least = matrix_game([[1, 0], [0, 1]]).tree()  # what they are tried on: it takes no time itself
    loop = Loop(lay_out(least, np.dtype(settings.precision)), variant("cfr"), coarse=True)
    loop.iterate(1)
    loop.measure()
    return replace(options, began=options.began + time.perf_counter() - began)


def jit_disabled() -> bool:
    """Is compiling switched off, to look into the kernels? They cannot wait for each other then."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _workers(tree: Tree) -> int:
    """One for each core where that pays, up to two."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, 2) if len(tree.leaf_indices) >= SHARED else 1


def _goal(tree: Tree, options: Options, settings: Settings, coarse: bool) -> float | None:
    """The regret at which to stop: what was asked for; else, if nothing limits the run, little.

    A limited run ends before its limit only where nothing is left to be gained. That joint play is
    a coarse correlated equilibrium does not show this: what players would gain by commitments is
    often less than nothing, long before their strategies are any good by themselves.
    """
    if settings.regret is not None:
        return settings.regret
    if settings.iterations is not None or options.seconds is not None:
        return None if coarse else 0.0
    # Exactly: of payoffs far from zero floats may not see what is at stake.
    spread = (
        Fraction(int(stake.numerators.max()) - int(stake.numerators.min()), stake.denominator)
        for stake in tree.leaf_payoffs
    )
    # Payoffs beyond floats can be unlikely enough for what they come to.
    return NEAR * float(min(max(spread), Fraction(sys.float_info.max)))


def _strategy(tree: Tree, player: str, weights: Floats, settings: Settings) -> Strategy:
    """A plan, exact where its regret is to be proved."""
    prove = settings.prove if settings.prove is not None else len(tree.leaf_indices) <= PROVABLE
    if prove:
        return plan_from_floats(tree, player, weights)
    return RealizationPlan(tree, player, Numbers(weights))


def _remark(run: Run, opposed: bool) -> str:
    """What the reader should know: what joint play is, and what could not be written."""
    parts = []
    last = run.points[-1]
    if last.coarse:
        own = ", ".join(
            f"{player} {decimal_above(max(amount, 0.0))}"
            for player, amount in zip(run.loop.layout.game.names, last.coarse, strict=True)
        )
        parts.append(
            "the average of joint play is a coarse correlated equilibrium up to"
            f" {decimal_above(max(*last.coarse, 0.0))} (by floats: {own})"
        )
    elif not opposed and run.loop.variant.alternating:
        parts.append("alternating updates say nothing about the average of joint play")
    if run.beyond:
        parts.append(BEYOND)
    parts += run.troubles.values()
    return "; ".join(parts)
