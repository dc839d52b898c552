"""The threads of BLAS.

Numpy multiplies matrices by BLAS, which divides the work among threads of its own. These wait for
each other in busy loops: products of small matrices take many times as long where other programs
use the processors, and gain nothing where none does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import threadpool_limits


class _SingleThread:
    """Callers that need BLAS with one thread share the limit, which is the process's."""

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


_SINGLE_THREAD = _SingleThread()


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS computes in the thread that calls it.

    Solves in several threads may overlap: BLAS has its own threads again when the last one ends.
    """
    _SINGLE_THREAD.enter()
    try:
        yield
    finally:
        _SINGLE_THREAD.leave()
