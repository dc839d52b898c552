"""Clusters behind joblib: Ray's tasks and Dask's, as one backend.

joblib asks a backend for little: submit a call, and say when it is done. Both packages have
backends of their own, which do not do here. That of Ray hands over no result before the last one
is there, and its pool does not survive the death of a worker. That of Dask never tells joblib of a
task whose workers kept dying, so that it waits forever. Tasks of both are futures, which tell
everything; and both do a task again, on another worker, when its worker dies.

Only what was connected or started here is closed again.
"""

from __future__ import annotations

import logging
import os
import socket
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from joblib import ParallelBackendBase

from infoset.errors import NotReached, ParameterError
from infoset.parallel import RETRIES, leave_interrupts

PATIENCE = 15.0  # seconds in which a cluster has to answer

Joined = tuple["ClusterBackend", int, tuple[type[BaseException], ...]]


class ClusterBackend(ParallelBackendBase):  # type: ignore[misc]  # joblib has no types
    """A backend of joblib whose tasks are futures of a cluster."""

    supports_retrieve_callback = True

    def __init__(
        self,
        start: Callable[[Callable[[], Any]], Any],
        future: Callable[[Any], Future[Any]],
        cancel: Callable[[Any], object],
    ) -> None:
        """``start`` gives a task for a call, ``future`` its future, and ``cancel`` ends it."""
        super().__init__(nesting_level=0)
        self.start, self.future, self.cancel = start, future, cancel
        self.running: dict[Future[Any], Any] = {}  # with its task
        # joblib starts the next task when one is done: not in the thread of a client that has said
        # so, which may be the one that would have to answer.
        self.thread = ThreadPoolExecutor(1)

    def effective_n_jobs(self, n_jobs: int) -> int:
        """As many as are asked for: who does the work when is up to the cluster."""
        return n_jobs

    def submit(self, func: Callable[[], Any], callback: Any = None) -> Future[Any]:
        """Start a task."""
        task = self.start(func)
        future = self.future(task)
        self.running[future] = task
        future.add_done_callback(lambda done: self.thread.submit(self._done, done, callback))
        return future

    def _done(self, future: Future[Any], callback: Callable[[Future[Any]], None]) -> None:
        self.running.pop(future, None)
        callback(future)

    def retrieve_result_callback(self, out: Future[Any]) -> Any:
        """The result of a task that is done."""
        return out.result()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """End all tasks: nobody will ask for their results."""
        for future in list(self.running):
            task = self.running.pop(future, None)
            if task is not None:
                self.cancel(task)


def call(work: Callable[[], Any]) -> Any:
    """What a worker does."""
    return work()


# ---------------------------------------------------------------------- Ray


@contextmanager
def ray_cluster(address: str | None, jobs: int | None) -> Iterator[Joined]:
    """The Ray cluster at an address, or that of the environment, or one on this machine."""
    try:
        import ray
        from ray.exceptions import RayError
    except ImportError:
        raise _missing("ray") from None
    mine = not ray.is_initialized()
    if mine:
        _connect_to_ray(ray, address or os.environ.get("RAY_ADDRESS"), jobs)
    try:
        size = int(ray.cluster_resources().get("CPU", 0)) or 1
        task = ray.remote(max_retries=RETRIES, num_cpus=1)(call)
        backend = ClusterBackend(
            task.remote,
            lambda reference: reference.future(),
            lambda reference: ray.cancel(reference, force=True),
        )
        yield backend, size, (RayError,)
    finally:
        if mine:
            ray.shutdown()


def _connect_to_ray(ray: Any, address: str | None, jobs: int | None) -> None:
    """Connect to a cluster that is named, or start one of so many processes.

    One that nobody has named is left alone, also where Ray would find it on this machine: it may
    belong to a process that was killed, and be about to end.
    """
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address and address != "local":
        if address != "auto":
            _reach("Ray", address)
        with _answering("Ray", address):
            ray.init(address=address, **quiet)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with _answering("Ray", "this machine"):
        ray.init(address="local", num_cpus=jobs, include_dashboard=False, **quiet)


# ---------------------------------------------------------------------- Dask


@contextmanager
def dask_cluster(address: str | None, jobs: int | None) -> Iterator[Joined]:
    """The Dask cluster at an address, or that of the environment, or one on this machine."""
    try:
        import distributed
    except ImportError:
        raise _missing("dask") from None
    client, mine = _dask_client(distributed, address, jobs)
    try:
        with _answering("Dask", client.scheduler.address):
            client.wait_for_workers(1, timeout=PATIENCE)
        size = sum(client.ncores().values())
        executor = client.get_executor(pure=False)
        backend = ClusterBackend(
            lambda work: executor.submit(call, work),
            lambda task: task,
            lambda task: task.cancel(),
        )
        yield backend, size, (distributed.KilledWorker, distributed.client.FutureCancelledError)
    finally:
        for one in mine:
            one.close()


def _dask_client(distributed: Any, address: str | None, jobs: int | None) -> tuple[Any, list[Any]]:
    """A client, and what is to be closed in the end."""
    import dask

    if address is None:
        try:
            return distributed.default_client(), []
        except ValueError:  # this process has none
            address = dask.config.get("scheduler-address", None)
    if address is not None:
        _reach("Dask", address)
        with _answering("Dask", address):
            client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
            return client, [client]
    with _answering("Dask", "this machine"):
        cluster = distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.ERROR,
            preload=[__name__],
        )
        client = distributed.Client(cluster, set_as_default=False)
        return client, [client, cluster]


def dask_setup(worker: object) -> None:
    """Called by Dask in workers that were started here."""
    leave_interrupts()


# ---------------------------------------------------------------------- reaching


def _missing(package: str) -> ParameterError:
    return ParameterError(
        f"{package} is not installed; pip install 'infoset[cluster]', or leave out cluster="
    )


def _unreached(kind: str, address: str, why: object) -> NotReached:
    words = " ".join(str(why).split()) or type(why).__name__
    return NotReached(f"no {kind} cluster at {address}: {words:.200}; start it, or name another")


def _reach(kind: str, address: str) -> None:
    """See that someone listens at an address: clients themselves may try for minutes."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        if not parts.hostname or parts.port is None:
            raise ValueError("the address needs a host and a port")
        socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE).close()
    except (OSError, ValueError) as problem:
        raise _unreached(kind, address, problem) from None


@contextmanager
def _answering(kind: str, address: str) -> Iterator[None]:
    """What goes wrong while a cluster is joined, as one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # said by the line
            yield
    except (OSError, RuntimeError, ValueError, TimeoutError) as problem:
        raise _unreached(kind, address, problem) from problem
