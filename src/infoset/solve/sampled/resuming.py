"""Runs in files: written now and then, and taken up again where they were.

The state of a run between two iterations is its number of iterations, the state of the generator of
random numbers, and the rows of its table. A run that goes on from a file comes to the same numbers,
bit for bit, as one that was never broken off. A file of another game or request is refused, and
stays as it is. That a file can be written is seen after the first iteration; if it cannot be any
more later on, that does not end a run: the note says so.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.rules.story import brief, printable
from infoset.solve.regret.course import Course
from infoset.solve.sampled.run import Run
from infoset.solve.saved import apart

KIND = "infoset sampling 1"


class Keeper:
    """Keeps a run in a file, and its course in another, if they are named."""

    def __init__(self, run: Run) -> None:
        """Go on from the file if it is there."""
        self.run = run
        self.path, self.log = run.request.settings.checkpoint, run.request.settings.log
        self.note = ""
        self.written = -1  # at this number of iterations
        self._last = time.perf_counter()  # when something was written
        # Not Path.exists, which raises where a name is too long or a folder is closed.
        if self.path is not None and os.path.exists(self.path):
            self._go_on(self.path)
        elif self.path is not None and not self.path.absolute().parent.is_dir():
            raise FileError(
                f"{printable(str(self.path))}: there is no such folder; checkpoint= names a file in"
                " one"
            )
        if self.log is not None:
            run.course.save(self.log)  # what is wrong with it is said now

    def keep_now_and_then(self, *, slow: bool) -> None:
        """Write the run if it is time to; if iterations are slow, as the next may be abandoned."""
        if self.path is None and self.log is None:
            return
        if self.run.iterations and self.path is not None and self.written < 0:
            self._write(self.path)  # what is wrong with it is said before the run gets long
        elif self.run.iterations and (
            slow or time.perf_counter() - self._last >= self.run.request.settings.every
        ):
            self.keep()

    def keep(self) -> None:
        """Write the run and its course as they stand; a problem goes into the note."""
        self.note = ""
        self.run.table.forgiving = True
        if self.path is not None and self.written != self.run.iterations:
            if self.run.table.problem:
                self.note = f"no checkpoint was written any more: {self.run.table.problem}"
            else:
                try:
                    self._write(self.path)
                except InfosetError as problem:
                    self.note = f"the last checkpoint was not written: {problem}"
        self.keep_course()

    def keep_course(self) -> None:
        """Write the course as it stands; a problem goes into the note."""
        self._last = time.perf_counter()
        try:
            if self.log is not None:
                self.run.course.save(self.log)
        except InfosetError as problem:
            self.note = self.note or f"the log was not written: {problem}"

    def _write(self, path: Path) -> None:
        from infoset.solve.regret.checkpoint import write_checkpoint

        columns = self.run.table.columns(self.run.source.labels.read)
        write_checkpoint(path, {**self._request(), **self._state()}, columns)
        self._last, self.written = time.perf_counter(), self.run.iterations

    def _request(self) -> dict[str, Any]:
        """What a run that goes on must have in common with the one that began."""
        asked, source = self.run.request, self.run.source
        return {
            "kind": KIND,
            "game": source.name,
            "players": list(source.seats.players),
            "rules": source.rules(),
            "method": asked.method,
            "seed": asked.seed,
            "averaging": asked.averaging,
            "exploration": asked.exploration if asked.method == "outcome" else None,
        }

    def _state(self) -> dict[str, Any]:
        run = self.run
        version, words, _ = run.random.getstate()
        return {
            "iterations": run.iterations,
            "nodes": run.nodes,
            "seconds": run.seconds,
            "course": run.course.record,
            "random": [version, list(words)],
        }

    def _go_on(self, path: Path) -> None:
        from infoset.solve.regret.checkpoint import read_checkpoint

        name = printable(str(path))
        facts, columns = read_checkpoint(path)
        if facts.get("kind") != KIND:
            raise FileError(f"{name}: this is no checkpoint of a sampled run; name another file")
        for what, wanted in self._request().items():
            if facts.get(what) != wanted:
                raise ParameterError(f"{name}: {_difference(what, facts.get(what), wanted)}")
        try:
            self._take_over(facts, columns)
        except (LookupError, TypeError, ValueError, OverflowError) as problem:
            raise FileError(
                f"{name}: damaged: {type(problem).__name__}: {problem}; go back to an older copy,"
                " or begin again"
            ) from None

    def _take_over(self, facts: dict[str, Any], columns: dict[str, Any]) -> None:
        run = self.run
        version, words = facts["random"]
        run.random.setstate((version, tuple(words), None))
        run.begun = run.iterations = int(facts["iterations"])
        run.nodes = int(facts["nodes"])
        run.before = float(facts["seconds"])
        run.points = list(Course.from_record(facts["course"]).points)
        run.table.refill(columns)
        run.table.forgiving = True
        self.written = run.iterations


def _difference(what: str, there: Any, wanted: Any) -> str:
    if what == "rules":
        return "the rules of this game have changed since; name another file, or remove this one"
    was, now = brief(str(there), 60), brief(str(wanted), 60)
    if what == "game":
        was, now = apart(there, wanted)
    return f"this checkpoint has {what} {was}, not {now}; name another file"
