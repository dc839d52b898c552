"""Processes that do what the server must not do itself: what they are sent, and what they answer.

A :class:`WarmProcess` has loaded what it needs when the first request comes, answers one after the
other, and may die. Requests and answers are pickles between two processes of one program; nothing
from outside is ever in them but names and numbers.

One solves, so that pages stay quick: a solver may hold Python's interpreter for seconds, and be at
work for hours. It is asked to stop, and killed if it does not. It keeps the tree that it has built
last: another method on the same game begins at once. Another opens games on trial
(:mod:`infoset.page.trial`).
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from infoset.errors import InfosetError, OutOfTime, TooLarge
from infoset.page.opened import Opener
from infoset.rules.running import MAX_NODES
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.forms.public import PublicForm
    from infoset.solvers import Solution
    from infoset.tree import Tree

LENGTH = 8  # bytes that give the length of a message
SAID, DONE, FAILED = "said", "done", "failed"
GRACE = 20.0  # seconds that a solver that was asked to stop has for an answer


class Request(NamedTuple):
    """What is to be solved, and how."""

    opener: Opener
    parameters: tuple[str, ...]
    method: str | None
    seconds: float
    near: float | None = None  # regret at which to stop on a public form, of the range of payoffs


class Ended(InfosetError):
    """A process has ended without an answer."""


class WarmProcess:
    """A process that answers one request at a time."""

    def __init__(self, module: str, *, quiet: bool = False) -> None:
        """Start it with the function ``work`` of a module; if ``quiet``, what it prints is lost."""
        self._ended = False
        self.size = 0  # bytes of the last message that was received
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {module} import work; work()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            start_new_session=True,  # Ctrl-C is for the server, which then ends this
        )

    @property
    def alive(self) -> bool:
        """Is it there?"""
        return not self._ended and self._process.poll() is None

    def ask(
        self,
        request: Any,
        said: Callable[[str], None] = lambda _: None,
        seconds: float | None = None,
    ) -> Any:
        """The answer; ``said`` is called with a line of progress now and then.

        Raises
        ------
        InfosetError
            What was refused; :class:`Ended` if the process is no more, and
            :class:`~infoset.errors.OutOfTime` if that is because it took longer than it may.
        """
        late = threading.Event()
        with self._ended_after(seconds, late):
            try:
                return self._answer(request, said)
            except InfosetError:
                raise
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):  # closed, or killed
                self._ended = True
                if late.is_set():
                    raise OutOfTime(f"it takes more than {seconds:g} s") from None
                raise Ended(f"the process ended without an answer{self._status()}") from None

    def _answer(self, request: Any, said: Callable[[str], None]) -> Any:
        from cloudpickle import dumps

        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            message = dumps(request)
        except Exception as error:
            problem = f"{type(error).__name__}: {brief(str(error), 200)}"
            raise InfosetError(f"this cannot be sent to another process: {problem}") from None
        _send(stdin, message)
        while True:
            message = _received(stdout)
            self.size = len(message)
            kind, what = pickle.loads(message)
            if kind == DONE:
                return what
            if kind == FAILED:
                raise InfosetError(what)
            said(what)

    @contextmanager
    def _ended_after(self, seconds: float | None, late: threading.Event) -> Iterator[None]:
        """End the process if it takes longer."""
        if seconds is None:
            yield
            return

        def end() -> None:
            late.set()
            self.close()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _status(self) -> str:
        """How it has ended, if it has by itself."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(1)
            return f" (status {status})" if status >= 0 else ""
        return ""

    def close(self) -> None:
        """End it."""
        self._ended = True
        with suppress(OSError):  # with what it has started itself
            if self._process.poll() is None and hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.wait(5)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class SolvingProcess(WarmProcess):
    """A process that solves one game at a time."""

    def __init__(self) -> None:
        """Start it; what it needs is loaded while it waits."""
        super().__init__(__name__)
        self._killer: threading.Timer | None = None

    def solve(
        self, request: Request, said: Callable[[str], None], seconds: float | None = None
    ) -> Any:
        """The solution; as :meth:`ask`."""
        try:
            return self.ask(request, said, seconds)
        except Ended:
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


class Worker:
    """Answers requests; a reading thread takes the wish to stop while one is at work."""

    def __init__(self, answered: Callable[[Any, Worker], tuple[str, Any]]) -> None:
        """On standard input and output; what rules print goes to standard error."""
        self._answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._requests = os.fdopen(os.dup(0), "rb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._answered = answered
        self.stopped = threading.Event()
        self._idle = threading.Semaphore(0)
        self._waiting: list[bytes] = []

    def run(self) -> None:
        """Answer until the server ends."""
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            self._idle.acquire()
            self._answer(*self._tried(self._waiting.pop(0)))

    def _tried(self, message: bytes) -> tuple[str, Any]:
        try:
            return self._answered(pickle.loads(message), self)
        except (InfosetError, OutOfTime) as error:
            return FAILED, str(error)
        except MemoryError:
            return FAILED, "out of memory; choose smaller parameters"
        except Exception as error:
            return FAILED, f"{type(error).__name__}: {brief(str(error), 300)}"

    def _read(self) -> None:
        while True:
            try:
                message = _received(self._requests)
            except EOFError:  # the server has ended
                os._exit(0)
            if message:
                self.stopped.clear()
                self._waiting.append(message)
                self._idle.release()
            else:
                self.stopped.set()

    def _answer(self, kind: str, what: Any) -> None:
        from cloudpickle import dumps

        try:
            message = dumps((kind, what))
        except Exception as error:
            said = f"the solution cannot be sent: {type(error).__name__}: {brief(str(error), 200)}"
            message = dumps((FAILED, said))
        _send(self._answers, message)

    def tell(self, line: str) -> None:
        """Say how far it is."""
        self._answer(SAID, brief(line, 200))


class _Solver:
    """Solves what is asked for."""

    def __init__(self) -> None:
        self.known: tuple[Any, Tree | PublicForm] | None = None  # what was asked for last

    def solved(self, request: Request, worker: Worker) -> tuple[str, Any]:
        from infoset.forms.public import PublicForm
        from infoset.solvers import solve
        from infoset.solvers.cost import payoff_range

        game, regret = self._game(request, worker.tell), None
        if request.near is not None and isinstance(game, PublicForm):
            regret = request.near * payoff_range(game)
        found = solve(
            game,
            request.method,
            seconds=request.seconds,
            tick=worker.tell,
            stop=worker.stopped.is_set,
            regret=regret,
        )
        return DONE, sendable(found)

    def _game(self, request: Request, tell: Callable[[str], None]) -> Tree | PublicForm:
        """What was asked for last is not built again."""
        key = (request.parameters, _stamp(request.opener))
        if self.known is None or self.known[0] != key:
            self.known = None
            self.known = (key, built(request.opener.open(request.parameters), tell=tell))
        return self.known[1]


def built(
    game: Any, max_nodes: int = MAX_NODES, *, tell: Callable[[str], None] = lambda _: None
) -> Tree | PublicForm:
    """The tree of a game; where that is too large, the public form, if it has one."""
    from infoset.forms.public import PublicForm
    from infoset.tree.source import source

    if isinstance(game, PublicForm):
        return game
    tell("building the tree")
    try:
        return source(game).tree(max_nodes)
    except TooLarge:
        if not getattr(game, "vectorized", False):
            raise
        tell("building the public form")
        return game.public()  # type: ignore[no-any-return]


def sendable(solution: Solution) -> Solution:
    """A solution without what cannot be sent to another process."""
    return replace(solution, work=dict(solution.work), convergence=None)


def _stamp(opener: Opener) -> Any:
    """Changes when the file of the rules does."""
    with suppress(OSError):
        return None if opener.file is None else opener.file.stat().st_mtime_ns
    return None


def work() -> None:
    """Solve what is asked for."""
    worker = Worker(_Solver().solved)
    import infoset.solvers  # noqa: F401

    worker.run()
