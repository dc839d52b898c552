"""The process that solves, so that pages stay quick: what it is sent, and what it answers.

A solver may hold Python's interpreter for seconds, and be at work for hours. So it runs in a
process of its own, which is asked to stop, and killed if it does not. Requests and answers are
pickles between two processes of one program; nothing from outside is ever in them but names and
numbers.

The process keeps the tree that it has built last: another method on the same game begins at once.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from infoset.errors import InfosetError, OutOfTime, TooLarge
from infoset.page.opened import Opener
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.forms.public import PublicForm
    from infoset.solvers import Solution
    from infoset.tree import Tree

WORK = "from infoset.page.worker import work; work()"
LENGTH = 8  # bytes that give the length of a message
SAID, DONE, FAILED = "said", "done", "failed"
GRACE = 20.0  # seconds that a solver that was asked to stop has for an answer


class Request(NamedTuple):
    """What is to be solved, and how."""

    opener: Opener
    parameters: tuple[str, ...]
    method: str | None
    seconds: float


class SolvingProcess:
    """A process that solves one game at a time."""

    def __init__(self) -> None:
        """Start it; what it needs is loaded while it waits."""
        self._killer: threading.Timer | None = None
        self._ended = False
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends this
        )

    @property
    def alive(self) -> bool:
        """Is it there?"""
        return not self._ended and self._process.poll() is None

    def solve(self, request: Request, said: Callable[[str], None]) -> Any:
        """The solution; ``said`` is called with a line of progress now and then.

        Raises
        ------
        InfosetError
            What the solver refused; or that the process has ended.
        """
        from cloudpickle import dumps

        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            _send(stdin, dumps(request))
            while True:
                kind, what = pickle.loads(_received(stdout))
                if kind == SAID:
                    said(what)
                elif kind == DONE:
                    return what
                else:
                    raise InfosetError(what)
        except InfosetError:
            raise
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):  # closed, or killed
            self._ended = True
            raise InfosetError("the solver has ended without an answer") from None
        finally:
            if self._killer is not None:
                self._killer.cancel()
                self._killer = None

    def stop(self) -> None:
        """Ask it to stop with what it has, and end it if it does not."""
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError, ValueError):
            _send(stdin, b"")
        if self._killer is None:
            self._killer = threading.Timer(GRACE, self.close)
            self._killer.daemon = True
            self._killer.start()

    def close(self) -> None:
        """End it."""
        self._ended = True
        self._process.kill()
        with suppress(OSError):
            self._process.wait(5)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(LENGTH, "big") + message)
    pipe.flush()


def _received(pipe: IO[bytes]) -> bytes:
    size = pipe.read(LENGTH)
    if len(size) < LENGTH:
        raise EOFError
    message = pipe.read(int.from_bytes(size, "big"))
    return message


# ---------------------------------------------------------------------- in the process


class _Worker:
    """Answers requests; a reading thread takes the wish to stop while one is at work."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self.requests, self.answers = requests, answers
        self.stopped = threading.Event()
        self.idle = threading.Semaphore(0)
        self.waiting: list[Request] = []
        self.known: tuple[Any, Tree | PublicForm] | None = None  # what was asked for last

    def run(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            self.idle.acquire()
            self._answer(*self._solved(self.waiting.pop(0)))

    def _read(self) -> None:
        while True:
            try:
                message = _received(self.requests)
            except EOFError:  # the server has ended
                os._exit(0)
            if message:
                self.stopped.clear()
                self.waiting.append(pickle.loads(message))
                self.idle.release()
            else:
                self.stopped.set()

    def _answer(self, kind: str, what: Any) -> None:
        from cloudpickle import dumps

        try:
            message = dumps((kind, what))
        except Exception as error:
            said = f"the solution cannot be sent: {type(error).__name__}: {brief(str(error), 200)}"
            message = dumps((FAILED, said))
        _send(self.answers, message)

    def _tell(self, line: str) -> None:
        self._answer(SAID, brief(line, 200))

    def _solved(self, request: Request) -> tuple[str, Any]:
        from infoset.solvers import solve

        try:
            found = solve(
                self._game(request),
                request.method,
                seconds=request.seconds,
                tick=self._tell,
                stop=self.stopped.is_set,
            )
            return DONE, sendable(found)
        except (InfosetError, OutOfTime) as error:
            return FAILED, str(error)
        except MemoryError:
            return FAILED, "out of memory; choose smaller parameters"
        except Exception as error:
            return FAILED, f"{type(error).__name__}: {brief(str(error), 300)}"

    def _game(self, request: Request) -> Tree | PublicForm:
        """The tree of the game; where that is too large, the public form, if it has one."""
        from infoset.tree.source import source

        key = (request.parameters, _stamp(request.opener))
        if self.known is None or self.known[0] != key:
            self.known = None
            game = request.opener.open(request.parameters)
            self._tell("building the tree")
            try:
                made: Tree | PublicForm = source(game).tree()
            except TooLarge:
                if not getattr(game, "vectorized", False):
                    raise
                self._tell("building the public form")
                made = game.public()
            self.known = (key, made)
        return self.known[1]


def sendable(solution: Solution) -> Solution:
    """A solution without what cannot be sent to another process."""
    return replace(solution, work=dict(solution.work), convergence=None)


def _stamp(opener: Opener) -> Any:
    """Changes when the file of the rules does."""
    with suppress(OSError):
        return None if opener.file is None else opener.file.stat().st_mtime_ns
    return None


def work() -> None:
    """Serve requests on standard input; what rules print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    import infoset.solvers  # noqa: F401

    _Worker(requests, answers).run()
