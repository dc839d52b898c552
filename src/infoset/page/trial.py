"""Games whose parameters a client has chosen are first opened on trial, in a process that may die.

Rules run in the server's own process, and a parameter may make them take gigabytes, compute for
ever where no clock reaches (within one call of C), or end the process. So a member of the family is
opened, described, and its first node computed with those that follow, in a :class:`WarmProcess`
with a limit on its memory, which is killed when it takes long. Only what passes is opened in the
server; what has passed is remembered. Ordinary errors pass: the server then finds them itself.

The trial is no sandbox. It guards against parameters that are too large, not against rules that
mean harm: those who start a server choose its rules.
"""

from __future__ import annotations

import mmap
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from infoset import memory
from infoset.errors import InfosetError
from infoset.page.opened import Opener, OpenGame
from infoset.page.worker import DONE, FAILED, WarmProcess, Worker
from infoset.text import brief

try:
    import resource
except ImportError:  # there are no limits there
    resource = None  # type: ignore[assignment]

ROOM = 1 << 30  # bytes that a trial may take
SECONDS = 5.0  # that it may take
PATIENCE = 8.0  # seconds that a trial waits for those before it
GROWTH = 512 << 20  # bytes that games of before may leave in the process
PAGE = mmap.PAGESIZE
KEPT = 1000  # trials that have passed
INSTEAD = "choose other parameters, smaller ones perhaps"


class Trial(NamedTuple):
    """A member of a family that is to be opened, and how much memory that may take."""

    opener: Opener
    parameters: tuple[str, ...]
    room: int


class Trials:
    """Opens members of a family on trial, one after the other."""

    def __init__(self, opener: Opener, first: tuple[str, ...]) -> None:
        """Nothing is started yet; the member with the ``first`` parameters is known to open."""
        self._opener, self._first = opener, first
        self._process: WarmProcess | None = None
        self._passed: OrderedDict[Any, None] = OrderedDict()
        self._lock = threading.Lock()  # of a trial
        self._starting = threading.Lock()
        self._closed = False

    def prepare(self) -> None:
        """Start the process, and have it load what a trial needs, in the background."""
        threading.Thread(target=self._warmed, name="infoset-trial", daemon=True).start()

    def _warmed(self) -> None:
        with self._lock, suppress(InfosetError):
            self._tried(self._first)

    def check(self, parameters: tuple[str, ...], revision: int) -> None:
        """Open a member on trial, unless it has passed before, in this revision of the rules.

        Raises
        ------
        InfosetError
            If it is not to be opened here.
        """
        key = parameters, revision
        if parameters == self._first or key in self._passed:
            return
        if not self._lock.acquire(timeout=PATIENCE):
            raise InfosetError(f"{self._named(parameters)}: others are being opened; try later")
        try:
            if key not in self._passed:  # by a request at the same time
                self._tried(parameters)
                self._passed[key] = None
            if len(self._passed) > KEPT:
                self._passed.popitem(last=False)
        finally:
            self._lock.release()
            if self._process is None or not self._process.alive:
                self.prepare()

    def _tried(self, parameters: tuple[str, ...]) -> None:
        """Open a member in the process; raise what is wrong with it."""
        process = self._started()
        free = memory.available()
        room = ROOM if free is None else min(ROOM, free // 2)
        try:
            grown = process.ask(Trial(self._opener, parameters, room), seconds=SECONDS)
            if grown > GROWTH:
                process.close()
        except InfosetError as problem:
            process.close()
            raise InfosetError(
                f"{self._named(parameters)} cannot be opened: {problem}; {INSTEAD}"
            ) from None

    def _started(self) -> WarmProcess:
        with self._starting:
            if self._closed:
                raise InfosetError("the server is being stopped")
            if self._process is None or not self._process.alive:
                self._process = WarmProcess(__name__, quiet=True)
            return self._process

    def _named(self, parameters: tuple[str, ...]) -> str:
        return brief(" ".join((self._opener.name, *parameters)), 200)

    def close(self) -> None:
        """End the process."""
        with self._starting:
            self._closed = True
            if self._process is not None:
                self._process.close()


# ---------------------------------------------------------------------- in the process


class _Opening:
    """Opens what is asked for."""

    def __init__(self) -> None:
        self.first: int | None = None  # bytes, once what all trials need is loaded

    def opened(self, trial: Trial, worker: Worker) -> tuple[str, Any]:
        """By how many bytes the process has grown, or what must not be repeated."""
        before = _taken()
        if before is not None:
            _limit(before + trial.room)
        try:
            shown = OpenGame(trial.opener.open(trial.parameters))
            shown.described()
            shown.node("")
        except BaseException as error:
            if _of_memory(error):
                return FAILED, f"it takes more than {trial.room / 2**30:.1f} GiB of memory"
        finally:
            _limit(None)
        after = _taken() or 0
        self.first = self.first or after
        return DONE, after - self.first


def _taken() -> int | None:
    """Bytes of addresses of this process; None where the system does not tell."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * PAGE
    return None


def _limit(most: int | None) -> None:
    """Let the process have so many bytes of addresses."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard if most is None else most, hard))


def _of_memory(error: BaseException | None) -> bool:
    """Is it, or is behind it, that there was no more memory?"""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def work() -> None:
    """Open what is asked for."""
    Worker(_Opening().opened).run()
