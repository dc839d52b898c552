"""Running rules: how far a run may go, how long it may compute, and where an error happened.

Rules are other people's code. Every run of them is guarded in three ways.

- :class:`Limits` bound the tree, the play and the computing time.
- :class:`TimeLimit` stops rules that compute for ever. A loop that asks for no move cannot be seen
  from within, because the engine waits for a call that never returns. So a watching thread checks
  now and then whether the runs still advance. If one has computed for too long, in seconds of the
  thread's own CPU time, it raises :class:`OutOfTime` in the thread that runs the rules. One
  watching thread serves all builds, and ends when it is idle. Python drops an error that comes up
  during clean-up (a callback of the garbage collector, a destructor), so one is not enough: the
  thread raises again until the run is over.
- :func:`errors_located` turns whatever the rules raise into one line with the game, the history and
  the line of the rules.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING
from weakref import ref

from infoset import memory
from infoset.errors import Endless, InfosetError, RulesError, TooLarge, nearest
from infoset.objects.vectorized import VectorizedValue
from infoset.rules.play import Play

if TYPE_CHECKING:
    from infoset.rules.estimate import TreeSize

MAX_NODES = 10_000_000
UNLIMITED = 1 << 62  # nodes: they are counted, not made
MAX_MOVES = 10_000  # of one play
SECONDS_PER_MOVE = 10.0  # seconds of computing between two moves
PROBES = 64  # of an estimate of the size of a tree
SECONDS_OF_PROBES = 0.5  # of computing that an estimate may take
CHECK_EVERY = 50_000  # nodes between two checks of memory and progress

WATCH_EVERY = 0.25  # seconds
IDLE_CHECKS = 40  # checks with nothing to watch before the thread ends


@dataclass(frozen=True)
class Limits:
    """The limits at which a build stops with an error.

    Parameters
    ----------
    max_nodes
        Nodes of the tree.
    max_moves
        Moves of one play.
    seconds_per_move
        Seconds that the rules may compute between two moves.
    progress
        Called with the number of nodes so far, now and then.
    expect
        Called with an estimate of the size of a tree that takes longer to build.

    """

    max_nodes: int = MAX_NODES
    max_moves: int = MAX_MOVES
    seconds_per_move: float = SECONDS_PER_MOVE
    progress: Callable[[int], None] | None = None
    expect: Callable[[TreeSize], None] | None = None

    def check(self, nodes: int) -> None:
        """Compare a tree of so many nodes, and the memory, with the limits; report the progress.

        Raises
        ------
        TooLarge
            If the tree has more nodes than it may have, or memory runs out.

        """
        if nodes > self.max_nodes:
            raise TooLarge(
                f"the tree has more than {self.max_nodes:,} nodes;"
                " raise max_nodes= or choose smaller parameters"
            )
        self.check_memory(nodes)

    def check_memory(self, nodes: int) -> None:
        """The same, where the number of nodes is compared elsewhere."""
        room = memory.available()
        if room is not None and room < memory.KEEP_FREE:
            raise TooLarge(f"memory is running out at {nodes:,} nodes; choose smaller parameters")
        if self.progress is not None:
            self.progress(nodes)


# -------------------------------------------------------------------- time


class OutOfTime(BaseException):
    """Raised in the thread that runs the rules. Not an Exception, so that no rules catch it."""


class TimeLimit:
    """A watch on a build: ``with TimeLimit(seconds, progress): ...``; progress() must change."""

    def __init__(
        self, seconds: float, progress: Callable[[], int], watcher: Watcher | None = None
    ) -> None:
        """Set up; the watch begins on entering. The watcher is the common one unless given."""
        self.seconds = seconds
        self.progress = progress
        self.watcher = watcher or WATCHER
        self.thread = threading.get_ident()
        self.seen = -1
        self.since = 0.0
        self.raised = False
        self.over = False

    def __enter__(self) -> TimeLimit:
        try:
            self.watcher.add(self)
        except OutOfTime:  # of a limit around this one
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, where: TracebackType | None
    ) -> None:
        # Its own, raised at the last moment when the run was over, is of no use; but it may be that
        # of a limit around this one.
        if self._end() and not self.raised:
            raise OutOfTime

    def _end(self) -> bool:
        """Watch no longer, whatever is raised meanwhile; was anything?"""
        received = False
        while True:
            try:
                self.over = True
                self.watcher.remove(self)
                if self.raised:
                    _receive_pending()
                return received
            except OutOfTime:
                received = True

    def check(self) -> None:
        """Compare with the last check; called by the watching thread."""
        now, progress = self._computed(), self.progress()
        if progress != self.seen:
            self.seen, self.since = progress, now
        elif now - self.since > self.seconds and not self.over:
            self.since, self.raised = now, True
            raise_in(self.thread, OutOfTime)

    def _computed(self) -> float:
        """CPU seconds of the thread, or of the process where a thread's are not available."""
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        except (AttributeError, OSError):
            return time.process_time()


def _checked(known: ref[TimeLimit]) -> bool:
    """Check a limit, if it is still there."""
    limit = known()
    if limit is not None:
        limit.check()
    return limit is not None


class Watcher:
    """Checks the limits that were added, by a thread that ends when there are none for a while."""

    def __init__(self) -> None:
        """No limit is watched yet, and no thread runs."""
        self.reset()

    def reset(self) -> None:
        """Begin again, as in a process that was forked, where the thread does not run."""
        # A limit that was interrupted before its context was entered is known to nobody else.
        self.watched: dict[int, ref[TimeLimit]] = {}
        self.lock = threading.Lock()
        self.running: threading.Thread | None = None

    def add(self, limit: TimeLimit) -> None:
        """Check this limit from now on."""
        with self.lock:
            self.watched[id(limit)] = ref(limit)
            if self.running is None:
                self.running = threading.Thread(
                    target=self._watch, name="infoset-time-limit", daemon=True
                )
                self.running.start()

    def remove(self, limit: TimeLimit) -> None:
        """Check this limit no more."""
        with self.lock:
            self.watched.pop(id(limit), None)

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(WATCH_EVERY)
            with self.lock:
                idle = 0 if self.watched else idle + 1
                if idle > IDLE_CHECKS:
                    self.running = None
                    return
                self.watched = {
                    number: known for number, known in self.watched.items() if _checked(known)
                }


WATCHER = Watcher()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WATCHER.reset)


def raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread, at one of its next steps."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _receive_pending() -> None:
    """Execute some steps, so that an error that is still pending is raised here.

    To take it back by SetAsyncExc(thread, NULL) would have Python 3.11 look for it for ever.
    """
    for _ in range(10):
        pass


# -------------------------------------------------------------------- errors

_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
_LIBRARY_OF_GAMES = os.path.join(_PACKAGE, "games", "")


class errors_located:  # noqa: N801 (a context manager, named like a function)
    """Turn whatever the rules raise into one line that says where it happened.

    Parameters
    ----------
    game
        The name of the game.
    history
        Gives the moves so far, as text.
    seconds
        The time limit, for the message.
    limit
        The limit itself, if there may be others around it.
    vectorized
        Whether the rules were given vectorized values.

    """

    __slots__ = ("game", "history", "limit", "seconds", "vectorized")

    def __init__(
        self,
        game: str,
        history: Callable[[], str],
        seconds: float = 0,
        limit: TimeLimit | None = None,
        *,
        vectorized: bool = False,
    ) -> None:
        """Set up; nothing is computed unless an error is raised."""
        self.game = game
        self.history = history
        self.seconds = seconds
        self.limit = limit
        self.vectorized = vectorized

    def __enter__(self) -> None:
        """Begin to look for errors."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: object
    ) -> None:
        if error is None or not isinstance(error, (Exception, SystemExit, OutOfTime)):
            return
        if isinstance(error, OutOfTime) and self.limit is not None and not self.limit.raised:
            return  # the limit that is past is one around these rules
        located = self._located(error)
        if isinstance(error, OutOfTime | RecursionError):
            raise located from None
        raise located from error

    def _located(self, error: BaseException) -> InfosetError:
        if isinstance(error, TooLarge):
            said = str(error).removeprefix(f"{self.game}: ")
            return TooLarge(f"{self.game}: {said}", size=error.size)
        if isinstance(error, MemoryError):
            return TooLarge(f"{self.game}: out of memory ({self.history()})")
        line = _line(error)
        if isinstance(error, RecursionError):
            return Endless(f"{self.game}: the rules call themselves without an end{line}")
        if isinstance(error, OutOfTime):
            return Endless(
                f"{self.game}: a run of the rules has computed for {self.seconds:g} s without"
                f" asking for a move or ending ({self.history()}{line}); if they need that long,"
                " raise seconds_per_move="
            )
        if isinstance(error, InfosetError):
            known = type(error).__module__ == InfosetError.__module__
            kind = type(error) if known else RulesError
            return kind(f"{self.game}: {error} ({self.history()}{line})")
        raised = _message(error, self.vectorized)
        return RulesError(f"{self.game}: {raised} ({self.history()}{line})")


def _message(error: BaseException, vectorized: bool) -> str:
    # Not by a __getattr__ of Play, which would make every word of the language slow.
    if isinstance(error, AttributeError) and isinstance(error.obj, Play):
        words = [word for word in dir(Play) if not word.startswith("_")]
        return f"g has no {error.name!r}; {nearest(error.name, words)}"
    raised = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, TypeError) and VectorizedValue.__name__ in str(error):
        return (
            f"the rules pass a vectorized value to C code ({raised}); call it by g.map(f, ...),"
            " or leave out vectorized=True"
        )
    if isinstance(error, TypeError) and vectorized:
        return (
            f"the rules raised {raised}; if it was given a vectorized value, call it by"
            " g.map(f, ...)"
        )
    return f"the rules raised {raised}"


def _line(error: BaseException) -> str:
    """The innermost line of the rules' own file, which is the first one outside the engine."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not _in_engine(frame.filename)]
    if not outside:
        return ""
    last = [frame for frame in outside if frame.filename == outside[0].filename][-1]
    return f", at {os.path.basename(last.filename)}:{last.lineno}"


def _in_engine(file: str) -> bool:
    return file.startswith(_PACKAGE) and not file.startswith(_LIBRARY_OF_GAMES)
