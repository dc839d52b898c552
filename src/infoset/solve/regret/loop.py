"""A run of regret minimization as far as it is: iterate, measure, keep, restore.

Measuring does not change what is measured, and how many iterations are done at a time, or by how
many workers, changes nothing either: two runs with as many iterations are the same to the last bit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from infoset.solve.regret.variants import Variant

if TYPE_CHECKING:
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
        all_at_work(lambda worker, gate: run(*common, worker, workers, gate), workers)
        self.done += iterations

    def plan(self, summed: Any = None) -> Floats:
        """The average plan of all players, or of other sums: [sequence], as they are laid out."""
        from infoset.kernels.response import average

        found = np.zeros(self.layout.sequences + 1)
        given = self.state.summed if summed is None else summed
        average(self.layout.form, self.layout.run_order, given, found)
        return found

    def measure(self) -> Measured:
        """The regrets of the average strategies."""
        from infoset.kernels.response import hindsight, respond

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
        counted, most = counted_by(self.done, self.variant.averaging), np.zeros(len(units))
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


def all_at_work(work: Callable[[int, Longs], None], workers: int) -> None:
    """Let each worker, a thread, do its part; the first of them, 0, is whoever calls."""
    from infoset.kernels.together import break_gate, new_gate

    gate = new_gate()
    failures: list[BaseException] = []

    def careful(worker: int) -> None:
        try:
            work(worker, gate)
        except BaseException as problem:  # said below; the others are not to wait for it
            failures.append(problem)
            break_gate(gate)

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
        break_gate(gate)
        raise


def counted_by(done: int, exponent: float) -> float:
    """``1^C + 2^C + ... + (done - 1)^C``: what all iterations played counts in the average.

    Iteration t plays what iteration t - 1 made; what the first plays counts nothing.

    >>> counted_by(4, 2.0), counted_by(4, 0.5) == 1 + 2**0.5 + 3**0.5, counted_by(1, 0.0)
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
