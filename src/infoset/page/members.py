"""The games that a server has open: members of one family, by their parameters.

The rules may be in a file that is being edited. It is looked at when a game is asked for: once it
has changed, all members are opened anew, and the *revision* is one higher. An error in the file is
an answer like any other, with its line, and the members of before are not shown any more.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from threading import Lock, RLock
from typing import Any

from infoset.errors import InfosetError, ParameterError
from infoset.page.answers import Answers
from infoset.page.jobs import DONE, Job, Jobs
from infoset.page.opened import Opener, OpenGame
from infoset.page.worker import Request
from infoset.rules.running import OutOfTime, TimeLimit
from infoset.text import brief

KEPT = 8  # games that are open
LOADING = 10.0  # seconds of computing that it may take to open one
MOST_PARAMETERS = 40
LONGEST_PARAMETER = 500  # characters
SECONDS = 60.0  # that a solution may take, unless more is asked for
MOST_SECONDS = 3600.0


class Members:
    """The open games of one family."""

    def __init__(self, opener: Opener, jobs: Jobs) -> None:
        """Nothing is open yet."""
        self.opener = opener
        self.jobs = jobs
        self.revision = 1
        self._open: OrderedDict[tuple[str, ...], OpenGame] = OrderedDict()
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
            made = self._loaded(parameters)
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

    def _loaded(self, parameters: tuple[str, ...]) -> OpenGame:
        """Open a game, one after the other: a file of rules is run for it."""
        if not self._loading.acquire(timeout=LOADING + 1):
            raise InfosetError(f"{brief(self.opener.name)}: it takes long to read; try later")
        try:
            with TimeLimit(LOADING, lambda: 0):
                return OpenGame(self.opener.open(parameters))
        except OutOfTime:
            raise InfosetError(
                f"{brief(self.opener.name)}: to read it takes more than {LOADING:g} s of computing"
            ) from None
        finally:
            self._loading.release()

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
        with self._lock:
            key = (number, equilibrium)
            if key not in self._answers:
                solution = job.solution
                if equilibrium != 1 or solution.others:
                    solution = solution.pick(equilibrium)
                self._answers[key] = Answers(solution)
                while len(self._answers) > KEPT:
                    self._answers.popitem(last=False)
            self._answers.move_to_end(key)
            return self._answers[key]


def problem(error: InfosetError, file: str | None) -> dict[str, Any]:
    """An error of the rules as a page shows it, with its line in the file if it says one."""
    said = str(error)
    line = None
    if file is not None:
        found = re.search(re.escape(file) + r":(\d+)", said)
        line = int(found[1]) if found else None
    return {"message": said[:2000], "line": line}
