"""A run on the public form as far as it is: the loop of a tree's run with other kernels.

BLAS has threads of its own, which would share out a product in another way on another machine; here
workers share the work, and every one of them calls BLAS for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from infoset.solve.public.layout import PublicLayout
from infoset.solve.regret.loop import Loop, Measured, all_at_work
from infoset.solve.regret.variants import Variant

if TYPE_CHECKING:
    from threadpoolctl import threadpool_limits


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
            all_at_work(lambda worker, gate: run(*common, worker, workers, gate), workers)
        self.done += iterations

    def measure(self) -> Measured:
        """The regrets of the average strategies."""
        from infoset.kernels.public import Measuring, respond

        laid, workers, vector = self.layout, self.layout.workers, self.layout.sequences + 1
        found, sets = np.zeros((2, 2)), len(self.layout.form.before)
        measuring = Measuring(np.zeros(vector), np.zeros(vector), np.zeros(sets), found)
        common = (laid.form, laid.panels, laid.exact_tables, self.state.summed, measuring)
        with one_thread():
            all_at_work(lambda worker, gate: respond(*common, worker, workers, gate), workers)
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
