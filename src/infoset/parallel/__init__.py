"""Work that is divided: one function over many items, in processes here or on a cluster.

Matches, sweeps and sampling in parts all go through :meth:`Workers.results`, and it through joblib:
loky, which starts processes on this machine, or a cluster that Ray or Dask runs. An item is work
that anyone can do, and do again with the same result, because it brings its own seed. So a result
depends neither on who computed it nor on how many did.

**A worker that dies** (killed, out of memory, a machine switched off) takes the items with it that
it was working on. They are done again: by loky's next processes here, by the cluster itself there
(``max_retries`` of Ray, ``allowed-failures`` of Dask). An item counts when its result arrives, and
its number is then crossed out: so none is lost and none counts twice. If the same item is lost
again and again, it is likely to be the cause, and :class:`~infoset.errors.WorkerLost` ends the
work.

**What stays out.** Threads of compiled loops, which share arrays and wait for each other thousands
of times a second (``workers=`` of counterfactual regret minimization), cannot be divided this way.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from infoset.errors import InfosetError, NotApplicable, ParameterError, WorkerLost

RETRIES = 3  # times that an item is done again after its worker died
MOST_JOBS = 1024
CLUSTERS = "ray, dask, ray://HOST:PORT or tcp://HOST:PORT (Dask)"  # how they are named

T = TypeVar("T")
R = TypeVar("R")


class _Outcome(NamedTuple):
    """What became of an item; an error is a value, since clusters rewrite what is raised."""

    number: int
    packed: bytes = b""
    error: InfosetError | None = None


def leave_interrupts() -> None:
    """Ctrl-C reaches all processes of a terminal; what it ends is up to the first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait while processes are started, in this one and in them.

    A process inherits what its parent's thread blocks. So none of them is interrupted while it
    still loads what it needs, before :func:`leave_interrupts` is called in it. This one has threads
    of compiled libraries, too, which receive the signal instead; then its handler is called.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    pressed: list[int] = []
    mine = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda *_: pressed.append(1)) if mine else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        if mine:
            signal.signal(signal.SIGINT, signal.SIG_DFL if handler is None else handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


@cache
def worker_of(parent: int) -> Callable[[], None]:
    """What begins a worker of a process: it ends with that one, and not before.

    The same for the same process, since loky starts its processes anew for another one.
    """
    return partial(_begin_worker, parent)


def _begin_worker(parent: int) -> None:
    leave_interrupts()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process once its parent has ended, killed perhaps, and left it to another."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _outcome(function: bytes, number: int, item: bytes) -> _Outcome:
    """Do one item, in a worker."""
    try:
        call, argument = _unpacked(function), _unpacked(item)
        return _Outcome(number, _packed(call(argument)))
    except InfosetError as error:
        return _Outcome(number, error=error)


def _start_trackers() -> None:
    """Start the processes that clean up what is left, if this one is interrupted for example.

    They do so without a word. Whoever starts one unblocks interrupts, so workers come later.
    """
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as trackers_of_loky

    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore"
    try:
        resource_tracker.ensure_running()
        trackers_of_loky.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


@contextmanager
def _ended(
    start: Callable[[], Generator[_Outcome, None, None]],
) -> Iterator[Iterator[_Outcome]]:
    """Start work, and end what is still being done when nobody waits for it any more."""
    outcomes = None
    try:
        with interrupts_held():
            outcomes = start()
        yield outcomes
    finally:
        if outcomes is not None:
            with warnings.catch_warnings(), _silent_threads():
                warnings.simplefilter("ignore")  # that it is wasted is meant
                outcomes.close()


@contextmanager
def _silent_threads() -> Iterator[None]:
    """Let the thread of loky's that hands out work end without a word, when it has no more."""
    before = threading.excepthook

    def said(told: threading.ExceptHookArgs) -> None:
        if "ExecutorManagerThread" not in (told.thread.name if told.thread else ""):
            before(told)

    threading.excepthook = said
    try:
        yield
    finally:
        threading.excepthook = before


def _packed(value: object) -> bytes:
    """A value for another process, with functions and classes that are in no module."""
    from cloudpickle import dumps

    try:
        return bytes(dumps(value))
    except InfosetError:
        raise
    except Exception as problem:
        raise _unsent(problem) from problem


def _unpacked(packed: bytes) -> Any:
    try:
        return pickle.loads(packed)
    except InfosetError:
        raise
    except Exception as problem:
        raise _unsent(problem) from problem


def _unsent(problem: Exception) -> NotApplicable:
    words = " ".join(str(problem).split())
    return NotApplicable(
        f"this cannot be sent to another process: {type(problem).__name__}: {words:.200}; put games"
        " and players into modules that every process can import, or give jobs=1"
    )


@dataclass(frozen=True)
class Workers:
    """Who does the work; made by :func:`workers`.

    Attributes
    ----------
    count : int
        How many items are done at the same time; 1 without a cluster is this process.
    """

    count: int
    backend: Any = None  # of joblib; None for loky
    lost: tuple[type[BaseException], ...] = ()  # what it raises when it gives an item up

    @property
    def alone(self) -> bool:
        """Is this process the only one?"""
        return self.count == 1 and self.backend is None

    def results(
        self,
        function: Callable[[T], R],
        items: Iterable[T],
        *,
        ordered: bool = False,
        called: Callable[[T], str] = str,
    ) -> Generator[R, None, None]:
        """The results of a function for all items: each once, as soon as it is there.

        Parameters
        ----------
        function
            Gives the same result for an item whoever calls it, and how often.
        items
            With all that the function needs.
        ordered
            Whether results come in the order of the items.
        called
            The name of an item, for messages.

        Raises
        ------
        WorkerLost
            If the workers that do an item keep dying.
        InfosetError
            What the function raised.

        Examples
        --------
        >>> with workers(jobs=1) as those:
        ...     list(those.results(abs, [-3, 2]))
        [3, 2]
        """
        if self.alone:
            yield from map(function, items)
            return
        if self.backend is None:
            _start_trackers()
        packed, left = _packed(function), dict(enumerate(items))
        losses, first = 0, -1
        while left:
            try:
                start = partial(self._attempt, packed, list(left.items()), ordered)
                with _ended(start) as outcomes:
                    for one in outcomes:
                        if one.number in left:  # not from an attempt that was given up
                            del left[one.number]
                            if one.error is not None:
                                raise one.error
                            yield _unpacked(one.packed)
            except self._lost as loss:
                losses = losses + 1 if first == next(iter(left)) else 1
                first = next(iter(left))  # items are begun in order: the cause soon becomes this
                if self.backend is not None or losses > RETRIES:
                    raise WorkerLost(
                        f"{called(left[first])}, or what was done beside it, was lost"
                        f" {RETRIES + 1} times as its process died; see whether there is enough"
                        " memory, or give jobs=1"
                    ) from loss

    @property
    def _lost(self) -> tuple[type[BaseException], ...]:
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        return (TerminatedWorkerError, *self.lost)

    def _attempt(self, function: bytes, items: Sequence[tuple[int, T]], ordered: bool) -> Any:
        """One call of joblib for what is left; on clusters no more at a time than asked for."""
        from joblib import Parallel, delayed

        ways: dict[str, Any] = {"pre_dispatch": self.count}
        if self.backend is None:
            ways = {"initializer": worker_of(os.getpid())}
            # loky replaces processes that have grown; nothing is lost, so nobody is told.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        parallel = Parallel(
            n_jobs=self.count,
            backend=self.backend,
            return_as="generator" if ordered else "generator_unordered",
            batch_size=1,
            **ways,
        )
        return parallel(delayed(_outcome)(function, at, _packed(item)) for at, item in items)


@contextmanager
def workers(jobs: int | None = None, cluster: str | None = None) -> Iterator[Workers]:
    """Those who do the work, until the context ends.

    Parameters
    ----------
    jobs
        How many items are done at the same time: 1 if nothing is said, or as many as the cluster
        has processors.
    cluster
        ``"ray"`` or ``"dask"``: the cluster that this process is connected to, or that the
        environment names (``RAY_ADDRESS``, ``DASK_SCHEDULER_ADDRESS``), or else one that is started
        on this machine for the time being. ``"ray://HOST:PORT"`` or ``"tcp://HOST:PORT"``: the Ray
        or Dask cluster there. None: processes on this machine.

    Raises
    ------
    ParameterError
        If there is no such kind of cluster, or its package is missing.
    NotReached
        If no cluster answers.

    Examples
    --------
    >>> with workers(jobs=2) as those:
    ...     list(those.results(abs, [-3, 2, -1], ordered=True))
    [3, 2, 1]
    """
    check_workers(jobs, cluster)
    if cluster is None:
        yield Workers(jobs or 1)
        return
    from infoset.parallel.clusters import dask_cluster, ray_cluster

    join = ray_cluster if cluster.startswith("ray") else dask_cluster
    with join(cluster if "://" in cluster else None, jobs) as (backend, size, lost):
        yield Workers(jobs or size, backend, lost)


def check_workers(jobs: int | None, cluster: str | None) -> None:
    """Refuse what :func:`workers` would refuse, as far as that shows before anything is started.

    >>> check_workers(None, "slurm")
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: cluster='slurm': give 'ray', 'dask', or an address as
    'ray://HOST:PORT' or 'tcp://HOST:PORT'
    """
    if jobs is not None and not (type(jobs) is int and 1 <= jobs <= MOST_JOBS):
        given = f"{jobs:,}" if type(jobs) is int else f"{jobs!r:.40}"
        raise ParameterError(f"jobs= must be from 1 to {MOST_JOBS:,}, not {given}")
    if cluster is None:
        return
    address = isinstance(cluster, str) and cluster.startswith(("ray://", "tcp://", "tls://"))
    if cluster not in ("ray", "dask") and not address:
        raise ParameterError(
            f"cluster={cluster!r:.60}: give 'ray', 'dask', or an address as 'ray://HOST:PORT' or"
            " 'tcp://HOST:PORT'"
        )
