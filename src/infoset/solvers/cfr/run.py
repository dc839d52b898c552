"""Runs of counterfactual regret minimization: stepped by the caller, or driven by ``solve``.

At every information set a player keeps, for each action, its regret: how much more it would have
got by always taking that action there; it then plays in proportion to positive regrets. Weighted
by the others' and chance's probability of reaching the set, these regrets bound the regret of the
whole strategy: if all of them grow slower than the number of iterations, the average regret goes to
zero. In two-player zero-sum games the average strategies are then an equilibrium, up to twice that;
with more players, or other sums, the average *joint* play is a coarse correlated equilibrium, and
how good the average strategies are by themselves is measured, and proved.

An iteration costs one pass over the plays of the game, and memory for a few numbers per sequence.
The variants are rows of a table (:mod:`infoset.solvers.cfr.variants`), the loop is one
(:mod:`infoset.kernels.regret`), on trees and on public forms.

Regret is measured after iterations 1, 2, 3, ... at growing distances, which depend on the number of
iterations alone. So a run that is stopped by its regret always stops at the same iteration, and a
run in many small steps is the same as one in a single step, to the last bit, with any number of
workers. The strategies with the least measured regret are kept, and are the answer.

A checkpoint has the whole state of a run: resumed from it, the run continues as if it had never
been interrupted. It is replaced in one step; if it cannot be written, the run continues, and the
answer's note says so.

Sources: Zinkevich, Johanson, Bowling & Piccione 2007; Tammelin 2014 (CFR+); Brown & Sandholm 2019
(linear and discounted); Farina, Kroer & Sandholm 2021 (predictive).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import inf, isfinite
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.clock import extended, seconds_left
from infoset.errors import FileError, InfosetError, NotApplicable, ParameterError
from infoset.forms.public import PublicForm
from infoset.forms.public.plans import conditional_probabilities, rounded_plan, work
from infoset.linear.numbers import Floats, Numbers
from infoset.solvers import Solvable, as_tree
from infoset.solvers.cfr.layout import check_memory, lay_out
from infoset.solvers.cfr.loop import LaidOut, Loop, Measured, PublicLoop
from infoset.solvers.cfr.minimizer import (
    Factory,
    MinimizerLoop,
    PublicMinimizerLoop,
    Weight,
)
from infoset.solvers.cfr.public_layout import (
    check_public_memory,
    lay_out_public,
    pennies,
)
from infoset.solvers.cfr.variants import AVERAGING, Variant, variant
from infoset.solvers.container import (
    apart,
    read_checkpoint,
    write_checkpoint,
)
from infoset.solvers.convergence import Convergence, Point
from infoset.solvers.options import Found, Options
from infoset.solvers.registry import choose
from infoset.solvers.settings import Settings
from infoset.strategy import Behaviour, RealizationPlan, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.strategy.public import PROVABLE as PROVABLE_ENTRIES
from infoset.strategy.public import PublicStrategy
from infoset.text import decimal_above, named_amount, printable
from infoset.tree import Tree, matrix_game

if TYPE_CHECKING:
    from infoset.solvers.solution import Solution

BEYOND = "sums grew beyond floats; this is the best before that"
KIND = "regret minimization"  # of checkpoints
BATCH = 0.05  # seconds of iterations between two looks at the clock
FARTHEST = 2**62  # iterations that the kernel's integers can count
PROVABLE = 20_000_000  # leaves up to which the regret is proved by default
SHARED = 300_000  # leaves, or entries of a public form, from which two workers are faster than one


def scheduled(done: int) -> int:
    """The iteration after which regret is measured next.

    >>> [scheduled(done) for done in (0, 1, 10, 1_000, 10_000, 1_000_000)]
    [1, 2, 12, 1111, 10724, 1008456]
    """
    at = 0
    while at <= done:
        at += max(1, min(at // 5, max(1_000, at // 50)))
    return at


class CFRRun:
    """A run of counterfactual regret minimization, one step at a time.

    :func:`infoset.start` makes one. How iterations are divided into steps changes nothing: after as
    many iterations, two runs are the same to the last bit, and :meth:`solution` is what
    ``solve(game, method, iterations=n)`` gives.

    Parameters
    ----------
    game
        A game, a tree, a payoff table or a public form. Players must have perfect recall.
    method
        The variant: "cfr", "cfr+", "linear-cfr", "discounted-cfr" or "predictive-cfr+".
    minimizer
        In place of a variant, a regret minimizer of one's own: a class or function that is called
        with a number of information sets and a number of actions, see
        :class:`~infoset.solvers.cfr.minimizer.Minimizer`.
    updates
        "alternating" or "simultaneous"; by default alternating in two-player zero-sum games.
    averaging
        The weight of iteration t in the average strategy: "uniform", "linear" or "quadratic"; with
        a minimizer of one's own also a function of t. By default what the variant defines; uniform
        with a minimizer of one's own.
    exponents
        The three exponents of discounted CFR.
    precision
        "float64", or "float32" for half the memory.
    workers
        Number of threads; by default as many as are faster.
    tick
        Called with a text when the game is laid out and kernels are compiled.

    Raises
    ------
    NotApplicable
        If a player has imperfect recall, or payoffs are beyond floats.
    TooLarge
        If the memory does not suffice.
    ParameterError
        If a setting has a value that is not possible.

    Examples
    --------
    >>> from infoset import start
    >>> from infoset.games import kuhn
    >>> run = start(kuhn(), "cfr+")
    >>> run.step(100)
    >>> run.iterations, round(run.regret, 5)
    (100, 0.00144)
    >>> round(run.strategy["dealer"]["Q, bet"]["bet"], 2)
    0.33
    >>> run.solution().certificate
    'regret at most 1.44e-3, proved in rational arithmetic'

    """

    def __init__(
        self,
        game: Solvable | PublicForm,
        method: str | None = None,
        *,
        minimizer: Factory | None = None,
        updates: str | None = None,
        averaging: str | Weight | None = None,
        exponents: tuple[float, float, float] | None = None,
        precision: str = "float64",
        workers: int | None = None,
        tick: Callable[[str], None] | None = None,
    ) -> None:
        asked = Settings(
            updates=updates,
            averaging=None if callable(averaging) else averaging,
            exponents=exponents,
            precision=precision,
            workers=workers,
        )
        self.game: Tree | PublicForm = game if isinstance(game, PublicForm) else as_tree(game)
        self.zero_sum = _is_zero_sum(self.game)
        row, weight = _variant(method, minimizer, averaging, asked)
        if isinstance(self.game, Tree):
            choose(self.game, row.name)  # refuses games that the method does not take
        if updates is None:
            row = replace(row, alternating=self.zero_sum)
        tell = tick or (lambda words: None)
        self.loop, self.compiling = _laid_out(self.game, row, asked, minimizer, weight, tell)
        self.method = self.loop.variant.name
        self.overflowed = False  # have sums grown too large for floats?
        self._points: list[Point] = []  # what was measured at scheduled iterations
        self._best: npt.NDArray[Any] | None = None  # sums of weights when regret was least
        self._least = inf
        self._measured: tuple[int, Measured] | None = None  # after so many iterations
        self._each = 0.0  # seconds that an iteration takes
        self._spent = 0.0  # seconds of all steps that are done
        self._since: float | None = None  # when the step in progress began

    # ------------------------------------------------------------------ stepping

    @property
    def iterations(self) -> int:
        """How many iterations were done, those before a checkpoint included."""
        return self.loop.done

    @property
    def seconds(self) -> float:
        """How long all steps took, measurements included."""
        now = 0.0 if self._since is None else time.perf_counter() - self._since
        return self._spent + now

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return self.loop.layout.game.names

    def step(self, iterations: int = 1) -> None:
        """Do more iterations, and measure the regret where that is scheduled.

        Ctrl-C ends a long step between two iterations; the run can then be continued.

        Parameters
        ----------
        iterations
            How many; 0 only measures the strategies of the beginning.

        Raises
        ------
        NotApplicable
            If sums have grown beyond floats before: averages with large exponents do. Within a
            step they end it early.

        """
        whole = isinstance(iterations, Integral) and not isinstance(iterations, bool)
        if not whole or int(iterations) < 0:
            raise ParameterError(f"iterations={iterations!r:.60}: it must be a whole number")
        if self.overflowed:
            raise NotApplicable(
                f"{self.game.name}: sums grew beyond floats after {self.iterations:,} iterations;"
                " start again with a smaller exponent of the average"
            )
        end = self.iterations + int(iterations)
        self._begin()
        with self._clock():
            while self.iterations < end and not self.overflowed:
                goal = scheduled(self.iterations)
                count = min(goal - self.iterations, end - self.iterations, self.batch)
                now = time.perf_counter()
                self.loop.iterate(count)
                self._each = (time.perf_counter() - now) / count
                if self.iterations == goal:
                    self._record()

    @property
    def batch(self) -> int:
        """About as many iterations as take a twentieth of a second; at least one."""
        return max(1, int(BATCH / self._each)) if self._each else 1

    def _begin(self) -> None:
        """Record the strategies of the beginning, if that was not done."""
        if not self._points:
            with self._clock():
                self._record()

    @contextmanager
    def _clock(self) -> Iterator[None]:
        self._since = time.perf_counter()
        try:
            yield
        finally:
            self._spent, self._since = self.seconds, None

    # ------------------------------------------------------------------ measuring

    def measured(self) -> Measured:
        """The regrets of the current average strategies, computed at most once per iteration."""
        if self._measured is None or self._measured[0] != self.iterations:
            self._measured = self.iterations, self.loop.measure()
        return self._measured[1]

    def _record(self) -> None:
        """Measure, add a point, and keep the strategies if they are the best so far."""
        found = self.measured()
        if not _is_finite(found):
            self.overflowed = True
            return
        self._points.append(self._point(found))
        if self._best is None or found.regret < self._least:
            self._least = found.regret
            if self._best is None:
                self._best = self.loop.state.summed.copy()
            else:
                self._best[:] = self.loop.state.summed

    def _point(self, found: Measured) -> Point:
        return Point(self.seconds, self.iterations, found.regret, found.regrets, found.coarse)

    @property
    def regrets(self) -> dict[str, float]:
        """By player, what a best response to the others' average strategies gains, in floats."""
        return dict(zip(self.players, self.measured().regrets, strict=True))

    @property
    def regret(self) -> float:
        """The largest regret of a player with the current average strategies, in floats."""
        return self.measured().regret

    @property
    def exploitability(self) -> float:
        """The sum of all players' regrets (NashConv) with the current average strategies."""
        return sum(self.measured().regrets)

    @property
    def recorded(self) -> Convergence:
        """What was measured at the scheduled iterations."""
        return Convergence(self.method, self.players, tuple(self._points))

    @property
    def convergence(self) -> Convergence:
        """What was measured at the scheduled iterations, and the regret now."""
        found, points = self.measured(), tuple(self._points)
        current = bool(points) and points[-1].iterations == self.iterations
        if not current and _is_finite(found):
            points = (*points, self._point(found))
        return Convergence(self.method, self.players, points)

    @property
    def least(self) -> float:
        """The least regret at a scheduled iteration."""
        return self._least

    # ------------------------------------------------------------------ strategies

    @property
    def strategy(self) -> Mapping[str, Behaviour | PublicStrategy]:
        """The current average strategies: by player, by label, the probability of each action.

        Uniform at information sets that the average has not reached.
        """
        return self._by_player(self.loop.state.summed)

    @property
    def current(self) -> Mapping[str, Behaviour | PublicStrategy]:
        """The strategies of the next iteration, in the same form."""
        return self._by_player(self.loop.state.strategy)

    def _by_player(self, weights: npt.NDArray[Any]) -> dict[str, Behaviour | PublicStrategy]:
        """Strategies in proportion to weights, or sums of them, at every information set."""
        local, layout, game = np.ones(len(weights)), self.loop.layout, self.game
        for begin, end, at, actions, _ in layout.form.runs.tolist():
            own = slice(at, at + (end - begin) * actions)
            rows = weights[own].astype(np.float64).reshape(actions, end - begin)
            local[own] = conditional_probabilities(rows).reshape(-1)
        if isinstance(game, PublicForm):
            plan = local.copy()
            for begin, end, at, actions, _ in layout.form.runs[layout.run_order].tolist():
                own = slice(at, at + (end - begin) * actions)
                plan[own] *= np.tile(plan[layout.form.before[begin:end]], actions)
            return {
                player: PublicStrategy(game, player, Numbers(plan[place]), local[place])
                for player, place in zip(self.players, layout.places, strict=True)
            }
        return {
            player: Behaviour(game, player, local[place])
            for player, place in zip(self.players, layout.places, strict=True)
        }

    # ------------------------------------------------------------------ the answer

    def solution(self, *, prove: bool | None = None) -> Solution:
        """The average strategies with the least measured regret so far, verified.

        Parameters
        ----------
        prove
            Prove payoffs and regrets in rational arithmetic? By default where that is quick.

        Returns
        -------
        Solution
            With its certificate. The run is not changed, and can be stepped further.

        """
        options = Options(began=time.perf_counter() - self.seconds)
        if isinstance(self.game, PublicForm):
            from infoset.solvers.public import concluded

            return concluded(self, options, prove=prove)
        from infoset.solvers.solution import conclude

        return conclude(self.game, self.found(prove=prove), self.method, "as asked", options)

    def found(
        self, *, prove: bool | None = None, note: str = "", troubles: tuple[str, ...] = ()
    ) -> Found:
        """The answer on a tree, to be verified."""
        assert isinstance(self.game, Tree)
        plan = self.loop.plan(self._answer())
        if prove is None:
            prove = len(self.game.leaf_indices) <= PROVABLE
        return Found(
            tuple(
                _strategy(self.game, player, own, prove)
                for player, own in zip(self.players, self.loop.weights(plan), strict=True)
            ),
            self.work,
            note=note,
            remark="; ".join([*self._remarks(), *troubles]),
            convergence=self.convergence,
        )

    def plans(self, *, prove: bool | None = None) -> tuple[Floats, Floats, bool]:
        """The answer on a public form: a plan for either player, and whether to prove it.

        Plans to be proved have weights that are exact.
        """
        assert isinstance(self.game, PublicForm)
        plan, first = self.loop.plan(self._answer()), self.game.sequences[0]
        one, two = plan[:first], plan[first:-1]
        if prove is None:
            prove = work(self.game) <= PROVABLE_ENTRIES
        if prove:
            one, two = rounded_plan(self.game, 0, one), rounded_plan(self.game, 1, two)
        return one, two, prove

    @property
    def work(self) -> dict[str, int]:
        """Counts: iterations, sequences, and entries of the payoffs."""
        layout, sizes = self.loop.layout, {"iterations": self.iterations}
        return sizes | {"sequences": layout.sequences, "entries": layout.entries}

    def _answer(self) -> npt.NDArray[Any]:
        """Sums of weights of the strategies that had the least regret, the current ones included.

        The current ones are not recorded: a run that continues knows what it would know otherwise.
        """
        if self._best is None or self.measured().regret < self._least:
            return np.asarray(self.loop.state.summed)
        return self._best

    def _remarks(self) -> list[str]:
        """What a reader of the answer should know: what joint play is, and that sums overflowed."""
        remarks = []
        last = self.convergence.last
        if last is not None and last.coarse:
            own = ", ".join(
                named_amount(player, decimal_above(max(amount, 0.0)))
                for player, amount in zip(self.players, last.coarse, strict=True)
            )
            remarks.append(
                "the average of joint play is a coarse correlated equilibrium up to"
                f" {decimal_above(max(*last.coarse, 0.0))} (by floats: {own})"
            )
        elif not self.zero_sum and self.loop.variant.alternating:
            remarks.append("alternating updates say nothing about the average of joint play")
        return remarks + ([BEYOND] if self.overflowed else [])

    # ------------------------------------------------------------------ checkpoints

    def facts(self) -> dict[str, Any]:
        """What a checkpoint says beside its arrays."""
        loop, row = self.loop, self.loop.variant
        return {
            "kind": KIND,
            "game": loop.layout.game.name,
            "fingerprint": loop.layout.game.fingerprint,
            "method": self.method,
            "exponents": list(row.exponents),
            "updates": "alternating" if row.alternating else "simultaneous",
            "precision": str(loop.state.weight.dtype),
            "iterations": loop.done,
            "seconds": self.seconds,
            "least": self._least,
            "course": self.recorded.record,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of a checkpoint, as the game numbers sequences."""
        arrays = self.loop.arrays()
        self._begin()
        assert self._best is not None
        return {**arrays, "best": self._best[np.concatenate(self.loop.layout.places)]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, from which :meth:`resume` or ``solve(checkpoint=path)`` continues."""
        arrays = self.arrays()
        write_checkpoint(path, self.facts(), arrays)

    def resume(self, path: str | os.PathLike[str]) -> None:
        """Continue from a checkpoint of the same game, method and settings.

        Raises
        ------
        FileError
            If the file is damaged, no checkpoint, or one of another run.

        """
        facts, arrays = read_checkpoint(path)
        name, game = printable(os.fspath(path)), self.loop.layout.game
        if isinstance(game, PublicForm) and game.has_fingerprint(facts.get("fingerprint")):
            facts["fingerprint"] = game.fingerprint  # as it is written now
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
            done, spent = int(facts["iterations"]), float(facts["seconds"])
            last = convergence.last or Point(0.0, 0, 0.0)
            if not (last.iterations <= done < FARTHEST and last.seconds <= spent < inf):
                raise ValueError("iterations")
            self.loop.restore(done, arrays)
            self._best = self.loop.state.summed.copy()
            self._best[every] = arrays["best"]
            self._least, self._spent = float(facts["least"]), spent
        except (LookupError, TypeError, ValueError, OverflowError) as problem:
            said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
            raise FileError(f"{name}: damaged: {said}") from None
        self._points, self._measured = list(convergence.points), None

    def __repr__(self) -> str:
        return f"<Run of {self.method} on {self.game.name}: {self.iterations:,} iterations>"


# ---------------------------------------------------------------------- setting up


def _is_zero_sum(game: Tree | PublicForm) -> bool:
    """Are the interests of the players opposed? One player alone counts, too."""
    if isinstance(game, PublicForm) or len(game.players) == 1:
        return True
    return len(game.players) == 2 and bool(game.constant_sum)


def _variant(
    method: str | None,
    minimizer: Factory | None,
    averaging: str | Weight | None,
    asked: Settings,
) -> tuple[Variant, Weight | None]:
    """The row of the run; and with a minimizer of one's own, the weights of its iterations."""
    if minimizer is None:
        if callable(averaging):
            raise ParameterError(
                "averaging: a function of t goes with a minimizer; name 'uniform', 'linear' or"
                " 'quadratic' instead"
            )
        row = variant(method or "discounted-cfr").changed(
            updates=asked.updates, averaging=asked.averaging, exponents=asked.exponents
        )
        return row, None
    if method is not None:
        raise ParameterError(f"method={method!r:.60}: the minimizer stands in its place")
    for name in ("exponents", "precision", "workers"):
        if name in asked.chosen:
            raise ParameterError(f"{name}: a minimizer of one's own has no such setting")
    weight = averaging if callable(averaging) else _power(AVERAGING[averaging or "uniform"])
    return variant("cfr").changed(updates=asked.updates), weight


def _power(exponent: float) -> Weight:
    return lambda time: float(time) ** exponent


def _laid_out(
    game: Tree | PublicForm,
    row: Variant,
    asked: Settings,
    minimizer: Factory | None,
    weight: Weight | None,
    tell: Callable[[str], None],
) -> tuple[Loop, float]:
    """The loop of a game at its beginning; and the seconds that compiling took."""
    precision, joint = np.dtype(asked.precision), not (_is_zero_sum(game) or row.alternating)
    if isinstance(game, PublicForm):
        needed, what = check_public_memory(game, asked.precision), "sequences"
        count, size = sum(game.sequences), work(game)
    else:
        needed, what = check_memory(game, asked.precision, joint), "leaves"
        count = size = len(game.leaf_indices)
    tell(f"laying out {count:,} {what}, {needed / 2**20:,.0f} MiB at most")
    left = seconds_left()
    seconds = _compile(game, precision, tell)
    workers = 1 if jit_disabled() or minimizer is not None else asked.workers or _workers(size)
    layout: LaidOut
    if isinstance(game, PublicForm):
        layout = lay_out_public(game, precision, workers)
        if minimizer is None:
            return PublicLoop(layout, row), seconds
        assert weight is not None
        loop = PublicMinimizerLoop(layout, minimizer, weight, alternating=row.alternating)
        return loop, seconds
    with extended(left):  # compiling does not count
        layout = lay_out(game, precision, workers)
    if minimizer is None:
        return Loop(layout, row, joint), seconds
    assert weight is not None
    return MinimizerLoop(layout, minimizer, weight, alternating=row.alternating), seconds


def _compile(
    game: Tree | PublicForm, precision: np.dtype[Any], tell: Callable[[str], None]
) -> float:
    """Load the kernels, or compile them once, on the smallest game; the seconds that this took."""
    tell("compiling, if this is the first time")
    began = time.perf_counter()
    loop: Loop
    if isinstance(game, PublicForm):
        loop = PublicLoop(lay_out_public(pennies(), precision), variant("cfr"))
    else:
        least = matrix_game([[1, 0], [0, 1]]).tree()
        loop = Loop(lay_out(least, precision), variant("cfr"), coarse=True)
    loop.iterate(1)
    loop.measure()
    return time.perf_counter() - began


def jit_disabled() -> bool:
    """Is compiling switched off, to debug kernels? Workers cannot wait for each other then."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _workers(size: int) -> int:
    """One for each core where that is faster, up to two."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, 2) if size >= SHARED else 1


def _strategy(tree: Tree, player: str, weights: Floats, prove: bool) -> Strategy:
    """A realization plan, exact where its regret is to be proved."""
    if prove:
        return plan_from_floats(tree, player, weights)
    return RealizationPlan(tree, player, Numbers(weights))


def _is_finite(found: Measured) -> bool:
    return all(map(isfinite, (*found.regrets, *found.coarse)))


def _difference(kept: dict[str, Any], now: dict[str, Any]) -> str:
    """How a checkpoint differs from a run that is to continue from it; empty if it does not."""
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
