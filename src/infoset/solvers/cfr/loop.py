"""A run of regret minimization as far as it is: iterate, measure, keep, restore.

Measuring does not change what is measured, and how many iterations are done at a time, or by how
many workers, changes nothing either: two runs with as many iterations are the same to the last bit.

A run on the public form as far as it is: the loop of a tree's run with other kernels.

BLAS has threads of its own, which would share out a product in another way on another machine; here
workers share the work, and every one of them calls BLAS for itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from infoset.solvers.cfr.public_layout import PublicLayout
from infoset.solvers.cfr.variants import Variant

if TYPE_CHECKING:
    from threadpoolctl import threadpool_limits

    from infoset.kernels.regret import Form, State

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

MANY = 1 << 20  # powers summed at once
KEPT = ("regret", "share", "summed", "faced")  # what a run is to be restored from, by sequence


@dataclass(frozen=True)
class Measured:
    """How good the average strategies are, in payoffs."""

    regrets: tuple[float, ...]  # [player] what a best response to the others' averages gains
    coarse: tuple[float, ...]  # [player] what a commitment gains on the average of joint play

    @property
    def regret(self) -> float:
        """The largest regret of a player."""
        return max(self.regrets)


class Playable(Protocol):
    """What was laid out, as a run names it and tells it from others."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""

    @property
    def fingerprint(self) -> str:
        """A text that it shares with no other."""


class LaidOut(Protocol):
    """A game as arrays: of a tree, or of what is public in it."""

    @property
    def game(self) -> Playable:
        """What was laid out."""

    @property
    def form(self) -> Form:
        """Its arrays."""

    @property
    def run_order(self) -> Longs:
        """All runs, what is before a set before it."""

    @property
    def places(self) -> tuple[Longs, ...]:
        """[player][sequence] where it stands."""

    @property
    def units(self) -> tuple[float, ...]:
        """[player] what an entry of 1 is in payoffs."""

    @property
    def workers(self) -> int:
        """How many share the work."""

    @property
    def sequences(self) -> int:
        """How many there are, of all players."""

    @property
    def entries(self) -> int:
        """How many payoffs there are: entries of rows or tables."""


class Loop:
    """Iterations of one variant on one game.

    ``coarse`` keeps what every player faced, for what is true of the average of joint play; that
    has a meaning with simultaneous updates only.
    """

    def __init__(self, layout: LaidOut, variant: Variant, coarse: bool = False) -> None:
        self.layout = layout
        self.variant = variant
        self.done = 0
        self.state = _new_state(layout, coarse)

    def iterate(self, iterations: int) -> None:
        """So many more iterations, by all workers."""
        from infoset.kernels.regret import run

        row, workers = self.variant, self.layout.workers
        settled = (row.exponents, row.predictive, row.alternating)
        common = (iterations, self.done, self.layout.form, self.state, *settled)
        run_workers(lambda worker, gate: run(*common, worker, workers, gate), workers)
        self.done += iterations

    def plan(self, summed: Any = None) -> Floats:
        """The average plan of all players, or of other sums: [sequence], as they are laid out."""
        from infoset.kernels.regret import average

        found = np.zeros(self.layout.sequences + 1)
        given = self.state.summed if summed is None else summed
        average(self.layout.form, self.layout.run_order, given, found)
        return found

    def measure(self) -> Measured:
        """The regrets of the average strategies."""
        from infoset.kernels.regret import hindsight, respond

        form, state, units = self.layout.form, self.state, self.layout.units
        pending, found = np.zeros(self.layout.sequences + 1), np.zeros((len(units), 2))
        every = np.concatenate(self.layout.places)
        respond(form, self.layout.run_order, every, self.plan(), pending, found)
        regrets = tuple(
            max(float(best - gets), 0.0) * unit  # in this order NaN stays what it is
            for (gets, best), unit in zip(found, units, strict=True)
        )
        if not len(state.faced):
            return Measured(regrets, ())
        counted, most = total_weight(self.done, self.variant.averaging), np.zeros(len(units))
        hindsight(form, self.layout.run_order, state.faced, pending, most)
        if not counted:  # looked at only now, so that a first look compiles all there is
            return Measured(regrets, ())
        coarse = tuple(
            float(best - gained) / counted * unit
            for best, gained, unit in zip(most, state.gained, units, strict=True)
        )
        return Measured(regrets, coarse)

    def weights(self, plan: Floats) -> tuple[Floats, ...]:
        """[player][choice] a plan's weights, as the tree numbers choices."""
        return tuple(plan[place] for place in self.layout.places)

    # ------------------------------------------------------------------ to be kept and restored

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All that the run is to be gone on with from, as the tree numbers choices."""
        every = np.concatenate(self.layout.places)
        kept = {name: getattr(self.state, name) for name in KEPT}
        found = {name: own[every] for name, own in kept.items() if len(own)}
        return {**found, "gained": self.state.gained.copy()}

    def restore(self, done: int, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Be where another run was."""
        every = np.concatenate(self.layout.places)
        for name in KEPT:
            own = getattr(self.state, name)
            if len(own):
                own[every] = arrays[name]
        self.state.gained[:] = arrays["gained"]
        _spread(self.layout, self.state)
        self.done = done


def run_workers(work: Callable[[int, Longs], None], workers: int) -> None:
    """Let each worker, a thread, do its part; the first of them, 0, is whoever calls."""
    from infoset.kernels.barrier import break_barrier, new_barrier

    gate = new_barrier()
    failures: list[BaseException] = []

    def careful(worker: int) -> None:
        try:
            work(worker, gate)
        except BaseException as problem:  # said below; the others are not to wait for it
            failures.append(problem)
            break_barrier(gate)

    others = [
        threading.Thread(target=careful, args=(worker,), daemon=True)
        for worker in range(1, workers)
    ]
    try:
        for other in others:
            other.start()
        work(0, gate)
        for other in others:
            other.join()
        if failures:
            raise failures[0]
    except BaseException:  # nobody is to wait for ever
        break_barrier(gate)
        raise


def total_weight(done: int, exponent: float) -> float:
    """``1^C + 2^C + ... + (done - 1)^C``: what all iterations played counts in the average.

    Iteration t plays what iteration t - 1 made; what the first plays counts nothing.

    >>> total_weight(4, 2.0), total_weight(4, 0.5) == 1 + 2**0.5 + 3**0.5, total_weight(1, 0.0)
    (14.0, True, 0.0)
    """
    last = max(done - 1, 0)
    whole = {0: last, 1: last * (last + 1) // 2, 2: last * (last + 1) * (2 * last + 1) // 6}
    if exponent in whole:
        return float(whole[int(exponent)])
    return float(sum(_powers(begin, last, exponent) for begin in range(1, last + 1, MANY)))


def _powers(begin: int, last: int, exponent: float) -> float:
    times = np.arange(begin, min(begin + MANY, last + 1), dtype=np.float64)
    return float((times**exponent).sum())


def _new_state(layout: LaidOut, coarse: bool) -> State:
    """Even shares at every set, and nothing regretted."""
    from infoset.kernels.regret import State

    form, precision = layout.form, layout.form.value.dtype
    vector = layout.sequences + 1

    state = State(
        weight=np.ones(vector, precision),
        pending=np.zeros(vector, precision),
        regret=np.zeros(vector, precision),
        share=np.ones(vector, precision),
        summed=np.zeros(vector, precision),
        left=np.zeros(len(form.before), precision),
        faced=np.zeros(vector if coarse else 0),  # in float32 long sums would not grow any more
        gained=np.zeros(len(form.roots)),
    )
    for begin, end, sequence, actions, _ in form.runs.tolist():
        state.share[sequence : sequence + (end - begin) * actions] = 1 / actions
    _spread(layout, state)
    return state


def _spread(layout: LaidOut, state: State) -> None:
    """The weights that follow from shares, as the kernel would make them."""
    form = layout.form
    for begin, end, sequence, actions, _ in form.runs.tolist():
        before, own = form.before[begin:end], slice(sequence, sequence + (end - begin) * actions)
        state.weight[own] = np.tile(state.weight[before], actions) * state.share[own]


class PublicLoop(Loop):
    """Iterations of one variant on one public form."""

    layout: PublicLayout

    def __init__(self, layout: PublicLayout, variant: Variant) -> None:
        super().__init__(layout, variant)

    def iterate(self, iterations: int) -> None:
        """So many more iterations, by all workers."""
        from infoset.kernels.public import run

        row, laid, workers = self.variant, self.layout, self.layout.workers
        settled = (row.exponents, row.predictive, row.alternating)
        arrays = (laid.form, laid.panels, laid.tables, self.state)
        common = (iterations, self.done, *arrays, *settled)
        with one_thread():
            run_workers(lambda worker, gate: run(*common, worker, workers, gate), workers)
        self.done += iterations

    def measure(self) -> Measured:
        """The regrets of the average strategies."""
        from infoset.kernels.public import Measuring, respond

        laid, workers, vector = self.layout, self.layout.workers, self.layout.sequences + 1
        found, sets = np.zeros((2, 2)), len(self.layout.form.before)
        measuring = Measuring(np.zeros(vector), np.zeros(vector), np.zeros(sets), found)
        common = (laid.form, laid.panels, laid.exact_tables, self.state.summed, measuring)
        with one_thread():
            run_workers(lambda worker, gate: respond(*common, worker, workers, gate), workers)
        regrets = tuple(
            max(float(best - gets), 0.0) * unit  # in this order NaN stays what it is
            for (gets, best), unit in zip(found, laid.units, strict=True)
        )
        return Measured(regrets, ())


class _Alone:
    """Who wants BLAS to have one thread: its limit is the process's, so they share one."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._limit: threadpool_limits | None = None

    def enter(self) -> None:
        """The first one sets the limit."""
        from threadpoolctl import threadpool_limits

        with self._lock:
            if self._limit is None:
                self._limit = threadpool_limits(1, "blas")
            self._inside += 1

    def leave(self) -> None:
        """The last one takes it away."""
        with self._lock:
            self._inside -= 1
            if not self._inside and self._limit is not None:
                self._limit.restore_original_limits()
                self._limit = None


_ALONE = _Alone()


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS computes in the thread that calls it.

    Solves in several threads may overlap: BLAS has its own threads again when the last one ends.
    """
    _ALONE.enter()
    try:
        yield
    finally:
        _ALONE.leave()
