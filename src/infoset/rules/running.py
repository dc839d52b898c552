"""A watch on rules that compute for ever.

A loop in the rules that asks for no move cannot be seen from within: the engine waits for a run
that never comes back. So a thread looks now and then whether the runs still advance, and if one has
used up the patience, in seconds of the thread's own computing, it raises :class:`OutOfPatience` in
the thread that runs the rules. One watching thread serves all builds, and goes away when idle.

Python drops an error that comes up while it is cleaning up (a callback of the garbage collector, a
destructor), so one is not enough: the thread goes on raising until the run is over.

Errors met while rules run, with the game, the play and the line of the rules added.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from weakref import WeakSet

from infoset.errors import Endless, InfosetError, RulesError, TooLarge, nearest
from infoset.rules.play import Play

LOOK_EVERY = 0.25  # seconds
IDLE_LOOKS = 40  # looks with nothing to watch before the thread goes away


class OutOfPatience(BaseException):
    """Raised in the thread that runs the rules. Not an Exception, so that no rules catch it."""


class Patience:
    """Watch a build: ``with Patience(seconds, progress): ...``; progress() must change."""

    def __init__(self, seconds: float, progress: Callable[[], int]) -> None:
        """Set up; the watch begins on entering."""
        self.seconds = seconds
        self.progress = progress
        self.thread = threading.get_ident()
        self.seen = -1
        self.since = 0.0
        self.raised = False
        self.over = False

    def __enter__(self) -> Patience:
        _WATCHER.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, where: TracebackType | None
    ) -> None:
        try:
            self.over = True
            _WATCHER.remove(self)
            if self.raised:
                _let_pass()
        except OutOfPatience:
            return  # at the last moment, when all was done

    def look(self) -> None:
        """Compare with the last look; called by the watching thread."""
        now, progress = self._computed(), self.progress()
        if progress != self.seen:
            self.seen, self.since = progress, now
        elif now - self.since > self.seconds and not self.over:
            self.since, self.raised = now, True
            _raise_in(self.thread, OutOfPatience)

    def _computed(self) -> float:
        """Seconds that the thread has computed, or where that is not told, the process."""
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        except (AttributeError, OSError):
            return time.process_time()


class _Watcher:
    def __init__(self) -> None:
        self.watched: WeakSet[Patience] = WeakSet()  # who is gone needs no watch
        self.lock = threading.Lock()
        self.running: threading.Thread | None = None

    def add(self, patience: Patience) -> None:
        with self.lock:
            self.watched.add(patience)
            if self.running is None or not self.running.is_alive():
                self.running = threading.Thread(
                    target=self._watch, name="infoset-patience", daemon=True
                )
                self.running.start()

    def remove(self, patience: Patience) -> None:
        with self.lock:
            self.watched.discard(patience)

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(LOOK_EVERY)
            with self.lock:
                idle = 0 if self.watched else idle + 1
                if idle > IDLE_LOOKS:
                    self.running = None
                    return
                for patience in self.watched:
                    patience.look()


_WATCHER = _Watcher()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an error in a thread, at one of its next steps."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _let_pass() -> None:
    """Make some steps, so that an error that is still to come does.

    To take it back by SetAsyncExc(thread, NULL) would have Python 3.11 look for it for ever.
    """
    for _ in range(10):
        pass


_PACKAGE = Path(__file__).parent.parent
_ENGINE = tuple(str(_PACKAGE / part) + os.sep for part in ("rules", "tree", "solve", "cli"))


@contextmanager
def errors_located(
    game: str, story: Callable[[], str], seconds: float = 0, *, late: bool = False
) -> Iterator[None]:
    """Turn whatever the rules raise into one line that says where it happened.

    ``late`` says that the rules were given stand-ins for what was dealt.
    """
    try:
        yield
    except TooLarge as error:
        raise TooLarge(f"{game}: {error}") from error
    except InfosetError as error:
        message = f"{game}: {error} ({story()}{_place(error)})"
        known = type(error).__module__ == InfosetError.__module__
        raise (type(error) if known else RulesError)(message) from error
    except OutOfPatience as error:
        raise Endless(
            f"{game}: a run of the rules has computed for {seconds:g} s without asking for a move"
            f" or ending ({story()}{_place(error)}); if they need that long, raise"
            " patience="
        ) from None
    except MemoryError as error:
        raise TooLarge(f"{game}: out of memory ({story()})") from error
    except RecursionError as error:
        raise Endless(f"{game}: the rules call themselves without an end{_place(error)}") from None
    except (Exception, SystemExit) as error:
        raise RulesError(f"{game}: {_said(error, late)} ({story()}{_place(error)})") from error


def _said(error: BaseException, late: bool) -> str:
    # Not by a __getattr__ of Play, which would make every word of the language slow.
    if isinstance(error, AttributeError) and isinstance(error.obj, Play):
        words = [word for word in dir(Play) if not word.startswith("_")]
        return f"g has no {error.name!r}; {nearest(error.name, words)}"
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, TypeError) and "Standin" in str(error):
        return (
            f"the rules hand a stand-in for what was dealt to C code ({said}); let g.map(f, ...)"
            " call it, or leave out late=True"
        )
    if isinstance(error, TypeError) and late:
        return f"the rules raised {said}; if that is about what was dealt, let g.map(f, ...) do it"
    return f"the rules raised {said}"


def _place(error: BaseException) -> str:
    """The innermost line of the rules' own file, which is the first one outside this package."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not frame.filename.startswith(_ENGINE)]
    if not outside:
        return ""
    last = [frame for frame in outside if frame.filename == outside[0].filename][-1]
    return f", at {Path(last.filename).name}:{last.lineno}"
