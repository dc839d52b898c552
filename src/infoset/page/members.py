"""The games that a server has open: members of one family, by their parameters.

The rules may be in a file that is being edited. It is looked at when a game is asked for: once it
has changed, all members are opened anew, and the *revision* is one higher. An error in the file is
an answer like any other, with its line, and the members of before are not shown any more.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from threading import RLock
from typing import Any

from infoset.errors import InfosetError, ParameterError
from infoset.page.answers import Answers
from infoset.page.jobs import DONE, Job, Jobs
from infoset.page.opened import Opener, OpenGame
from infoset.page.worker import Request

KEPT = 8  # games that are open
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
        with self._lock:
            self.refresh()
            if parameters not in self._open:
                self._open[parameters] = OpenGame(self.opener.open(parameters))
                while len(self._open) > KEPT:
                    self._open.popitem(last=False)
            self._open.move_to_end(parameters)
            return self._open[parameters]

    def solve(
        self,
        parameters: tuple[str, ...],
        method: str | None,
        seconds: float = SECONDS,
        client: str = "",
    ) -> Job:
        """Begin to solve a member, or continue to wait for it."""
        if not 0 < seconds <= MOST_SECONDS:
            raise ParameterError(f"seconds={seconds:g}: give up to {MOST_SECONDS:g}")
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


LINE = re.compile(r"(?::|\bat \S+?:|line )(\d+)")


def problem(error: InfosetError, file: str | None) -> dict[str, Any]:
    """An error of the rules as a page shows it, with its line in the file if it says one."""
    said = str(error)
    line = None
    if file is not None:
        found = re.search(re.escape(file) + r":(\d+)", said)
        line = int(found[1]) if found else None
    return {"message": said[:2000], "line": line}
