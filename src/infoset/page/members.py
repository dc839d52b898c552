"""The games that a server has open: members of one family, by their parameters.

The rules may be in a file that is being edited. It is looked at when a game is asked for: once it
has changed, all members are opened anew, and the *revision* is one higher. An error in the file is
an answer like any other, with its line, and the members of before are not shown any more.

Members other than the one that the server was started with are chosen by clients, and opened on
trial first (:mod:`infoset.page.trial`).
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from threading import Lock, RLock
from traceback import extract_tb
from typing import Any

from infoset.errors import InfosetError, ParameterError
from infoset.page.answers import Answers
from infoset.page.jobs import DONE, Job, Jobs
from infoset.page.opened import Opener, OpenGame
from infoset.page.protocol import SECONDS
from infoset.page.trial import Trials
from infoset.page.worker import Request
from infoset.rules.running import OutOfTime, TimeLimit
from infoset.text import brief

KEPT = 8  # games that are open
LOADING = 10.0  # seconds of computing that it may take to open one
MOST_PARAMETERS = 40
LONGEST_PARAMETER = 500  # characters


class Members:
    """The open games of one family."""

    def __init__(self, opener: Opener, jobs: Jobs, first: tuple[str, ...] = ()) -> None:
        """Nothing is open yet; the server was started with the ``first`` parameters."""
        self.opener = opener
        self.jobs = jobs
        self.trials = Trials(opener, first)
        self.revision = 1
        self._open: OrderedDict[tuple[str, ...], OpenGame] = OrderedDict()
        self._endless: tuple[Any, str] = (None, "")  # what could not be read in time, and why
        self._answers: OrderedDict[tuple[int, int], Answers] = OrderedDict()
        self._stamp = self._file_stamp()
        self._lock = RLock()
        self._loading = Lock()

    def _file_stamp(self) -> Any:
        with suppress(OSError):
            return None if self.opener.file is None else self.opener.file.stat().st_mtime_ns
        return None

    def refresh(self) -> int:
        """Notice whether the file of the rules has changed; the revision."""
        with self._lock:
            stamp = self._file_stamp()
            if stamp != self._stamp:
                self._stamp = stamp
                self.revision += 1
                self._open.clear()
            return self.revision

    def open(self, parameters: tuple[str, ...]) -> OpenGame:
        """The member with these parameters.

        Raises
        ------
        InfosetError
            If there is no such member, or the rules cannot be read.
        """
        if len(parameters) > MOST_PARAMETERS or any(
            len(one) > LONGEST_PARAMETER for one in parameters
        ):
            raise ParameterError("these are too many parameters, or too long ones")
        found, revision = self._known(parameters)
        if found is None:
            self.trials.check(parameters, revision)
            made = self._loaded(parameters, revision)
            with self._lock:
                if self.revision == revision:
                    self._open.setdefault(parameters, made)
                    while len(self._open) > KEPT:
                        self._open.popitem(last=False)
                found = self._open.get(parameters, made)
        return found

    def _known(self, parameters: tuple[str, ...]) -> tuple[OpenGame | None, int]:
        """The game, if it is open; and the revision."""
        with self._lock:
            self.refresh()
            if parameters in self._open:
                self._open.move_to_end(parameters)
            return self._open.get(parameters), self.revision

    def _loaded(self, parameters: tuple[str, ...], revision: int) -> OpenGame:
        """Open a game, one after the other: a file of rules is run for it."""
        if not self._loading.acquire(timeout=LOADING + 1):
            raise InfosetError(f"{brief(self.opener.name)}: it takes long to read; try later")
        try:
            if self._endless[0] == (parameters, revision):
                raise InfosetError(self._endless[1])  # not tried again before the file changes
            with TimeLimit(LOADING, lambda: 0):
                return OpenGame(self.opener.open(parameters))
        except OutOfTime as late:
            where = f"{brief(self.opener.name)}{self._line(late)}"
            said = f"{where}: to read it takes more than {LOADING:g} s of computing"
            self._endless = (parameters, revision), said
            raise InfosetError(said) from None
        finally:
            self._loading.release()

    def _line(self, late: OutOfTime) -> str:
        """Where the file of the rules was when its time was over."""
        frames = extract_tb(late.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(self.opener.file)]
        return f":{lines[-1]}" if lines else ""

    def solve(
        self,
        parameters: tuple[str, ...],
        method: str | None,
        seconds: float = SECONDS,
        client: str = "",
    ) -> Job:
        """Begin to solve a member, or continue to wait for it."""
        self.open(parameters)  # what is no game is refused at once
        key = (parameters, method, seconds, self.revision)
        return self.jobs.submit(key, Request(self.opener, parameters, method, seconds), client)

    def adopt(self, solution: Any) -> None:
        """Answer with a solution that is known where the usual one is asked for."""
        key = ((), None, SECONDS, self.revision)
        self.jobs.adopt(key, Request(self.opener, (), None, SECONDS), solution)

    def answers(self, number: int, equilibrium: int = 1) -> Answers:
        """Answers about the solution that a job has found.

        Raises
        ------
        InfosetError
            If the job is not done, or has no such equilibrium.
        """
        job = self.jobs.job(number)
        if job.state != DONE:
            raise ParameterError(f"there is no solution {number} yet: it is {job.state}")
        key = (number, equilibrium)
        with self._lock:
            found = self._answers.get(key)
        if found is None:
            solution = job.solution
            if equilibrium != 1 or solution.others:
                solution = solution.pick(equilibrium)
            found = Answers(solution)
        with self._lock:
            found = self._answers.setdefault(key, found)
            self._answers.move_to_end(key)
            gone = [one for one in self._answers if not self.jobs.known(one[0])]
            for one in gone[: len(self._answers) - 1]:
                del self._answers[one]
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
            return found
