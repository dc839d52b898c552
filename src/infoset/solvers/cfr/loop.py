"""The loops of regret minimization: iterate, measure, copy the state out and in.

Measuring does not change what is measured. Neither does the number of iterations that are done at a
time, or the number of workers: two loops after as many iterations are the same to the last bit.

On a public form the loop is the same with other kernels. BLAS has threads of its own, which would
divide a product differently on another machine; here workers divide the work, and each of them
calls BLAS by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from infoset.linear.threads import one_thread
from infoset.solvers.cfr.public_layout import PublicLayout
from infoset.solvers.cfr.variants import Variant

if TYPE_CHECKING:
    from infoset.kernels.regret import Form, State

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]

MANY = 1 << 20  # powers summed at once
# The state that a checkpoint has, by sequence: the name of an array there, and here.
KEPT = {"regret": "regret", "share": "strategy", "summed": "summed", "faced": "gradients"}


@dataclass(frozen=True)
class Measured:
    """Regrets of the average strategies, in payoffs."""

    regrets: tuple[float, ...]  # [player] what a best response to the others' averages gains
    coarse: tuple[float, ...]  # [player] what a commitment gains against the average joint play

    @property
    def regret(self) -> float:
        """The largest regret of a player."""
        return max(self.regrets)


class LaidOutGame(Protocol):
    """A tree or a public form, as a run names it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""

    @property
    def fingerprint(self) -> str:
        """A digest that identifies it."""


class LaidOut(Protocol):
    """A tree or a public form as arrays."""

    @property
    def game(self) -> LaidOutGame:
        """What was laid out."""

    @property
    def form(self) -> Form:
        """Its arrays."""

    @property
    def run_order(self) -> Longs:
        """All runs, parents first."""

    @property
    def places(self) -> tuple[Longs, ...]:
        """[player][sequence] its index in the vectors."""

    @property
    def units(self) -> tuple[float, ...]:
        """[player] the payoff that an entry of 1 stands for."""

    @property
    def workers(self) -> int:
        """Number of threads."""

    @property
    def sequences(self) -> int:
        """How many there are, of all players."""

    @property
    def entries(self) -> int:
        """How many payoffs there are: entries of rows or tables."""


class Loop:
    """Iterations of one variant on one game.

    With ``coarse`` the payoff gradients of all iterations are summed, to measure how far the
    average joint play is from a coarse correlated equilibrium; with simultaneous updates only.
    """

    def __init__(self, layout: LaidOut, variant: Variant, coarse: bool = False) -> None:
        self.layout = layout
        self.variant = variant
        self.done = 0
        self.state = _new_state(layout, coarse)

    def iterate(self, iterations: int) -> None:
        """Do more iterations, by all workers."""
        from infoset.kernels.regret import run

        row, workers = self.variant, self.layout.workers
        settled = (row.exponents, row.predictive, row.alternating)
        common = (iterations, self.done, self.layout.form, self.state, *settled)
        run_workers(lambda worker, gate: run(*common, worker, workers, gate), workers)
        self.done += iterations

    def plan(self, summed: Any = None) -> Floats:
        """[sequence] the average realization plans, or those of other sums, as laid out."""
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
            max(float(best - gets), 0.0) * unit  # in this order NaN is kept
            for (gets, best), unit in zip(found, units, strict=True)
        )
        if not len(state.gradients):
            return Measured(regrets, ())
        counted, most = total_weight(self.done, self.variant.averaging), np.zeros(len(units))
        hindsight(form, self.layout.run_order, state.gradients, pending, most)
        if not counted:  # checked only now, so that a first call compiles all kernels
            return Measured(regrets, ())
        coarse = tuple(
            float(best - gained) / counted * unit
            for best, gained, unit in zip(most, state.gained, units, strict=True)
        )
        return Measured(regrets, coarse)

    def weights(self, plan: Floats) -> tuple[Floats, ...]:
        """[player][sequence] a plan's weights, as the game numbers sequences."""
        return tuple(plan[place] for place in self.layout.places)

    # ------------------------------------------------------------------ checkpoints

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The state, from which the loop continues, as the game numbers sequences."""
        every = np.concatenate(self.layout.places)
        kept = {name: getattr(self.state, own) for name, own in KEPT.items()}
        found = {name: own[every] for name, own in kept.items() if len(own)}
        return {**found, "gained": self.state.gained.copy()}

    def restore(self, done: int, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take the state of another loop over."""
        every = np.concatenate(self.layout.places)
        for name, attribute in KEPT.items():
            own = getattr(self.state, attribute)
            if len(own):
                own[every] = arrays[name]
        self.state.gained[:] = arrays["gained"]
        _spread(self.layout, self.state)
        self.done = done


def run_workers(work: Callable[[int, Longs], None], workers: int) -> None:
    """Let each worker, a thread, do its part; the first of them, 0, is the calling thread."""
    from infoset.kernels.barrier import break_barrier, new_barrier

    gate = new_barrier()
    failures: list[BaseException] = []

    def careful(worker: int) -> None:
        try:
            work(worker, gate)
        except BaseException as problem:  # raised below; the others must not wait for it
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
    except BaseException:  # no worker may wait for ever
        break_barrier(gate)
        raise


def total_weight(done: int, exponent: float) -> float:
    """``1^C + 2^C + ... + (done - 1)^C``: the weight of all strategies that were played.

    Iteration t plays what iteration t - 1 computed; what the first plays has no weight.

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
    """Uniform strategies, and no regrets."""
    from infoset.kernels.regret import State

    form, precision = layout.form, layout.form.value.dtype
    vector = layout.sequences + 1

    state = State(
        weight=np.ones(vector, precision),
        pending=np.zeros(vector, precision),
        regret=np.zeros(vector, precision),
        strategy=np.ones(vector, precision),
        summed=np.zeros(vector, precision),
        left=np.zeros(len(form.before), precision),
        gradients=np.zeros(vector if coarse else 0),  # in float32 long sums would not grow any more
        gained=np.zeros(len(form.roots)),
    )
    for begin, end, sequence, actions, _ in form.runs.tolist():
        state.strategy[sequence : sequence + (end - begin) * actions] = 1 / actions
    _spread(layout, state)
    return state


def _spread(layout: LaidOut, state: State) -> None:
    """The realization weights of the strategies, as the kernel computes them."""
    form = layout.form
    for begin, end, sequence, actions, _ in form.runs.tolist():
        before, own = form.before[begin:end], slice(sequence, sequence + (end - begin) * actions)
        state.weight[own] = np.tile(state.weight[before], actions) * state.strategy[own]


class PublicLoop(Loop):
    """Iterations of one variant on one public form."""

    layout: PublicLayout

    def __init__(self, layout: PublicLayout, variant: Variant) -> None:
        super().__init__(layout, variant)

    def iterate(self, iterations: int) -> None:
        """Do more iterations, by all workers."""
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
            max(float(best - gets), 0.0) * unit  # in this order NaN is kept
            for (gets, best), unit in zip(found, laid.units, strict=True)
        )
        return Measured(regrets, ())
