"""Runs in files: written now and then, and taken up again where they were.

The state of a run between two iterations is its number of iterations, the state of the generator of
random numbers, and the rows of its table. A run that goes on from a file comes to the same numbers,
bit for bit, as one that was never broken off. A file of another game or request is refused, and
stays as it is. A file that cannot be written does not end a run: the note says so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.rules.story import brief
from infoset.solve.sampled.run import Run

KIND = "infoset sampling 1"


class Keeper:
    """Keeps a run in a file, if one is named."""

    def __init__(self, run: Run, path: str | Path | None) -> None:
        """Go on from the file if it is there."""
        self.run = run
        if path is not None and not isinstance(path, str | os.PathLike):
            raise ParameterError(f"checkpoint={path!r:.60}: it must name a file")
        self.path = Path(path) if path is not None else None
        self.note = ""
        self.written = -1  # at this number of iterations
        if self.path is None:
            return
        if self.path.exists():
            self._go_on(self.path)
        elif not self.path.absolute().parent.is_dir():
            raise FileError(
                f"{self.path}: there is no such folder; checkpoint= names a file in one"
            )

    def keep(self) -> None:
        """Write the run as it stands; a problem goes into the note, until it is over."""
        if self.path is None or self.written == self.run.iterations:
            return
        from infoset.solve.regret.checkpoint import write_checkpoint

        table = self.run.table
        if table.problem:
            self.note = f"no checkpoint was written any more: {table.problem}"
            return
        table.forgiving = True
        try:
            columns = table.columns(self.run.source.labels.read)
            write_checkpoint(self.path, {**self._request(), **self._state()}, columns)
        except (OSError, InfosetError) as problem:
            self.note = f"the last checkpoint was not written: {problem}"
        else:
            self.note = ""
            self.written = self.run.iterations

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
            "course": [list(point) for point in run.course],
            "random": [version, list(words)],
        }

    def _go_on(self, path: Path) -> None:
        from infoset.solve.regret.checkpoint import read_checkpoint

        facts, columns = read_checkpoint(path)
        if facts.get("kind") != KIND:
            raise FileError(f"{path}: this is no checkpoint of a sampled run; name another file")
        for what, wanted in self._request().items():
            if facts.get(what) != wanted:
                raise ParameterError(f"{path}: {_difference(what, facts.get(what), wanted)}")
        try:
            self._take_over(facts, columns)
        except (KeyError, TypeError, ValueError, IndexError) as problem:
            raise FileError(
                f"{path}: damaged: {type(problem).__name__}: {problem}; go back to an older copy,"
                " or begin again"
            ) from None

    def _take_over(self, facts: dict[str, Any], columns: dict[str, Any]) -> None:
        run = self.run
        version, words = facts["random"]
        run.random.setstate((version, tuple(words), None))
        run.begun = run.iterations = int(facts["iterations"])
        run.nodes = int(facts["nodes"])
        run.seconds = float(facts["seconds"])
        run.course = [(seconds, at, bound) for seconds, at, bound in facts["course"]]
        run.table.refill(columns)
        run.table.forgiving = True
        self.written = run.iterations


def _difference(what: str, there: Any, wanted: Any) -> str:
    if what == "rules":
        return "the rules of this game have changed since; name another file, or remove this one"
    shown = [brief(str(one), 60) for one in (there, wanted)]
    return f"this checkpoint has {what} {shown[0]}, not {shown[1]}; name another file"
