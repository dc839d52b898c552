"""How many requests of a kind are answered at the same time, and how long one may take.

Requests of a kind share a *lane*, so that those which compute for long, or wait for another process
that does, hold up their like and no others: how far a solution is can always be asked. A request is
answered within the seconds of its lane, the time that it waits for those before it included: then
it is refused, and so is whatever has waited behind it as long. The limit is raised in the thread
that answers, as :class:`~infoset.rules.running.TimeLimit` does it, on the clock of the wall, since
whoever asked is waiting. Within one call of C no limit is raised: such a thread keeps its place in
the lane until it ends, but whoever asked is answered, and the server does not wait for it when it
is stopped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from queue import SimpleQueue
from time import monotonic
from typing import NamedTuple, TypeVar

import anyio.to_thread

from infoset.errors import InfosetError
from infoset.rules.running import OutOfTime, TimeLimit, raise_in

T = TypeVar("T")
GRACE = 2.0  # seconds after which whoever asked is answered, if a limit cannot be raised


class Lane(NamedTuple):
    """What requests of a kind may take."""

    at_once: int
    seconds: float


LANES = {
    "quick": Lane(8, 10.0),  # what is known
    "games": Lane(4, 10.0),  # nodes, strategies, and what follows from playing otherwise
    "files": Lane(2, 60.0),
    "tables": Lane(8, inf),  # they have threads, and limits, of their own
}


class Busy(InfosetError):
    """Others are being answered, or the server is being stopped."""

    status = 429


class Deadline(TimeLimit):
    """A limit on the clock of the wall, which can be brought forward."""

    def __init__(self, until: float) -> None:
        """Until when, as :func:`time.monotonic` tells it."""
        super().__init__(until - monotonic(), lambda: 0)
        self.until = until

    def check(self) -> None:
        """Called by the watching thread."""
        if monotonic() > self.until and not self.over:
            self.raised = True
            raise_in(self.thread, OutOfTime)


class Lanes:
    """The lanes of a server."""

    def __init__(self) -> None:
        """Before the server has started, all requests share the threads that there are."""
        self._limiters: dict[str, anyio.CapacityLimiter] = {}
        self._running: set[Deadline] = set()
        self._threads = Threads()
        self._closed = False

    def begin(self) -> None:
        """Called by the server's loop when it has started."""
        self._limiters = {name: anyio.CapacityLimiter(lane.at_once) for name, lane in LANES.items()}

    async def done(self, name: str, work: Callable[[], T]) -> T:
        """What some work gives, done in a thread once the lane of this name has room.

        Raises
        ------
        InfosetError
            If it takes longer than it may; and what the work raises.
        """
        lane = LANES[name]
        until = monotonic() + lane.seconds
        place = object()
        limiter = self._limiters.get(name) or anyio.to_thread.current_default_thread_limiter()
        try:
            with anyio.fail_after(lane.seconds):
                await limiter.acquire_on_behalf_of(place)
        except TimeoutError:
            raise Busy("the server is at work for others; try again in some seconds") from None
        answer = self._threads.answer(
            lambda: self._bounded(lane, until, work),
            lambda: limiter.release_on_behalf_of(place),
        )
        try:
            with anyio.fail_after(until + GRACE - monotonic()):
                return await answer
        except TimeoutError:
            raise _too_long(lane) from None

    def _bounded(self, lane: Lane, until: float, work: Callable[[], T]) -> T:
        """What some work gives, if it is done in time."""
        deadline = Deadline(until)
        self._running.add(deadline)
        try:
            with deadline:
                return work()
        except OutOfTime:
            if self._closed:
                raise Busy("the server is being stopped") from None
            raise _too_long(lane) from None
        finally:
            self._running.discard(deadline)

    def close(self) -> None:
        """Break off what is being computed."""
        self._closed = True
        for deadline in list(self._running):
            deadline.until = 0.0
        self._threads.close()


def _too_long(lane: Lane) -> InfosetError:
    return InfosetError(
        f"the answer takes more than {lane.seconds:g} s; ask for less, or choose smaller parameters"
    )


class Threads:
    """Threads that wait for work, and for which nobody waits at the end of the process."""

    def __init__(self) -> None:
        """None yet; there are as many as were needed at a time."""
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0  # that nothing was given to
        self._closed = False

    def answer(self, work: Callable[[], T], ended: Callable[[], None]) -> asyncio.Future[T]:
        """What some work gives; ``ended`` is called in the loop when it has ended."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def told(tell: Callable[[], None]) -> None:
            ended()
            if not answer.done():  # who asked has not left
                tell()

        def run() -> None:
            try:
                found = work()
                tell = partial(answer.set_result, found)
            except BaseException as error:
                tell = partial(answer.set_exception, error)
            self._rest()  # before others may come, so that they need no more threads
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(told, tell)

        with self._lock:
            if self._idle:
                self._idle -= 1
            else:
                threading.Thread(target=self._run, name="infoset-answer", daemon=True).start()
        self._work.put(run)
        return answer

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def _rest(self) -> None:
        with self._lock:
            if self._closed:
                self._work.put(None)
            else:
                self._idle += 1

    def close(self) -> None:
        """Let those end that have nothing to do, and the others after their work."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._work.put(None)
            self._idle = 0
