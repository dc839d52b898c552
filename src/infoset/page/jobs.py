"""Solving in the background: a queue, one solver at a time, progress, and answers that are kept.

A request that is the same as one before is the same *job*, whoever asks: fifty readers of one game
wait for one solution. A job is *queued*, *running*, *done*, *failed* or *stopped*. Whoever wants it
asks for it now and then, and may leave it; a job that nobody wants any more is stopped, so that a
reader who goes away in the middle leaves nothing behind. The queue is bounded, and so is a client's
part of it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any

from infoset.errors import InfosetError, ParameterError
from infoset.page.answers import prepare
from infoset.page.worker import Request, SolvingProcess
from infoset.text import brief

QUEUED, RUNNING, DONE, FAILED, STOPPED = "queued", "running", "done", "failed", "stopped"
MOST_WAITING = 32  # jobs in the queue
MOST_OF_A_CLIENT = 8  # of those, that one client waits for
KEPT = 12  # answers
MOST_HELD = (
    1 << 29
)  # bytes of these, as they came from the solving process; the last is always kept
MOST_CLIENTS = 1000  # of a job, that are known apart
# Seconds after which a job that nobody asks about is stopped. Browsers let a page that is not
# shown ask once a minute.
ABANDONED = 90.0


class Job:
    """One request and what has become of it."""

    def __init__(self, number: int, key: Any, request: Request) -> None:
        """Nothing is done yet."""
        self.number = number
        self.key = key
        self.request = request
        self.state = QUEUED
        self.said = ""
        self.solution: Any = None
        self.size = 0  # of the solution, in bytes
        self.error = ""
        self.began = monotonic()
        self.wanted: dict[str, float] = {}  # by client: when it asked last
        self.cut = False  # was it stopped while it was running?
        self.seconds = 0.0
        self.finished = threading.Event()

    @property
    def over(self) -> bool:
        """Is nothing more to come?"""
        return self.state in (DONE, FAILED, STOPPED)

    def want(self, client: str) -> None:
        """A client asks about it."""
        if not self.over:
            self.wanted[client] = monotonic()
            if len(self.wanted) > MOST_CLIENTS:
                del self.wanted[next(iter(self.wanted))]

    def abandoned(self) -> bool:
        """Has nobody asked about it for a while?"""
        late = monotonic() - ABANDONED
        self.wanted = {client: asked for client, asked in self.wanted.items() if asked > late}
        return not self.wanted


class Jobs:
    """All jobs of a server."""

    def __init__(self) -> None:
        """The solving process is started with the first job, or by :meth:`prepare`."""
        self._jobs: OrderedDict[int, Job] = OrderedDict()
        self._queue: list[Job] = []
        self._change = threading.Condition()
        self._number = 0
        self._process: SolvingProcess | None = None
        self._running: Job | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="infoset-jobs", daemon=True)
        self._thread.start()

    def prepare(self) -> None:
        """Start the solving process, so that the first job need not wait for it."""
        with self._change:
            if self._process is None or not self._process.alive:
                self._process = SolvingProcess()

    def submit(self, key: Any, request: Request, client: str = "") -> Job:
        """The job of a request, which may be known already.

        Raises
        ------
        ParameterError
            If too many are waiting: all together, or for this client.
        """
        with self._change:
            for job in self._jobs.values():
                if job.key == key and not job.cut and job.state in (QUEUED, RUNNING, DONE):
                    job.want(client)
                    return job
            if len(self._queue) >= MOST_WAITING:
                raise ParameterError(f"{MOST_WAITING} games are waiting to be solved; try later")
            if sum(client in job.wanted for job in self._queue) >= MOST_OF_A_CLIENT:
                raise ParameterError(
                    f"{MOST_OF_A_CLIENT} games of yours are waiting to be solved; wait for them,"
                    " or stop one"
                )
            self._number += 1
            job = self._jobs[self._number] = Job(self._number, key, request)
            job.want(client)
            self._queue.append(job)
            self._forget()
            self._change.notify_all()
            return job

    def adopt(self, key: Any, request: Request, solution: Any) -> Job:
        """A solution that was found elsewhere, as the job of the request that asks for it."""
        with self._change:
            self._number += 1
            job = self._jobs[self._number] = Job(self._number, key, request)
            job.solution = solution
            self._end(job, DONE, "")
            return job

    def job(self, number: int, client: str = "") -> Job:
        """The job of this number, which a client asks about.

        Raises
        ------
        ParameterError
            If there is none, or none any more.
        """
        with self._change:
            found = self._jobs.get(number)
            if found is None:
                raise ParameterError(f"there is no solution {number}, or no longer; solve again")
            found.want(client)
            self._jobs.move_to_end(number)
            return found

    def known(self, number: int) -> bool:
        """Is there a job of this number, still?"""
        with self._change:
            return number in self._jobs

    def place(self, job: Job) -> int:
        """How many are to be solved before a job that is queued."""
        with self._change:
            if job not in self._queue:
                return 0
            return self._queue.index(job) + (self._running is not None)

    def stop(self, job: Job) -> None:
        """Stop a job: one that is running with what it has, one that waits at once."""
        with self._change:
            if job.state == QUEUED:
                self._queue.remove(job)
                self._end(job, STOPPED, "stopped before it was begun")
            elif job is self._running and self._process is not None:
                job.cut = True
                self._process.stop()

    def leave(self, job: Job, client: str) -> None:
        """A client does not want a job any more; if nobody does, it is stopped."""
        with self._change:
            job.wanted.pop(client, None)
            if job.abandoned():
                self.stop(job)

    def close(self) -> None:
        """Stop everything."""
        with self._change:
            self._closed = True
            self._queue.clear()
            if self._process is not None:
                self._process.close()
            self._change.notify_all()

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        threading.Thread(target=self._watch, name="infoset-jobs-watch", daemon=True).start()
        while True:
            with self._change:
                while not self._queue and not self._closed:
                    self._change.wait()
                if self._closed:
                    return
                job = self._queue.pop(0)
                job.state, job.began, self._running = RUNNING, monotonic(), job
            try:
                self.prepare()
                assert self._process is not None
                job.solution = self._process.solve(job.request, self._teller(job))
                job.size = self._process.size
                prepare(job.solution)
                state, error = DONE, ""
            except InfosetError as problem:
                state, error = FAILED, str(problem)
            except Exception as problem:  # the queue goes on
                state, error = FAILED, f"{type(problem).__name__}: {brief(str(problem), 300)}"
            with self._change:
                self._running = None
                if job.cut and state == FAILED:
                    state, error = STOPPED, f"stopped before there was an answer ({error})"
                self._end(job, state, error)
                self._forget()

    def _teller(self, job: Job) -> Callable[[str], None]:
        def said(line: str) -> None:
            job.said = line

        return said

    def _watch(self) -> None:
        """Stop what nobody waits for."""
        while True:
            with self._change:
                self._change.wait(1.0)
                if self._closed:
                    return
                waited = [*self._queue, *([self._running] if self._running is not None else [])]
                left = [job for job in waited if job.abandoned() and not job.cut]
            for job in left:
                self.stop(job)

    def _end(self, job: Job, state: str, error: str) -> None:
        job.state, job.error = state, error
        job.seconds = monotonic() - job.began
        job.finished.set()

    def _forget(self) -> None:
        """Keep the answers that were asked about last."""
        over = [job for job in self._jobs.values() if job.over]
        held = sum(job.size for job in over)
        for left, job in zip(range(len(over), 1, -1), over, strict=False):
            if left <= KEPT and held <= MOST_HELD:
                return
            del self._jobs[job.number]
            held -= job.size
