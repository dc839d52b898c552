"""Sampled results in files: the checkpoint of the run, with what is known of the result.

No tree is needed to write or to read one. Information sets have the names that checkpoints give
them (:mod:`infoset.solvers.sampling.infosets`), so that a result is read for the same game, and
:func:`infoset.sample` can go on from it. A checkpoint can be read as a result, too. What was
estimated is in the file; simulated plays are made again when they are asked for, and are the same.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from infoset.errors import FileError, ParameterError
from infoset.solvers.container import read_checkpoint
from infoset.solvers.sampling.exploitability import Bracket
from infoset.solvers.sampling.places import source
from infoset.solvers.sampling.result import SampledEvaluation, sampled
from infoset.solvers.sampling.run import SamplingRequest, SamplingRun
from infoset.solvers.settings import Settings
from infoset.solvers.solution import Solution
from infoset.text import printable

ESTIMATED = "estimated_exploitability"


def save_sampled(solution: Solution, path: Path) -> None:
    """Write a sampled result; the file is complete or as it was before."""
    found = solution.evaluation
    assert isinstance(found, SampledEvaluation)
    known = vars(found).get(ESTIMATED)
    result = {
        "because": solution.because,
        "note": solution.note,
        "whole": found.whole,
        "exploitability": None
        if known is None
        else [float(known), known.error, known.low, known.high],
    }
    found.run.write(path, found.run.table.copy(found.sets), result)


def load_sampled(path: Path, game: Any) -> Solution:
    """Read a sampled result, or the checkpoint of a sampled run, of this game."""
    name = printable(str(path))
    given = source(game)  # what is no game says so, and no file is blamed
    facts, columns = read_checkpoint(path)
    try:
        run = SamplingRun(given, _request(facts))
        run.restore(name, facts, columns)
        return _solution(run, facts.get("result", {}))
    except ParameterError as problem:
        raise FileError(str(problem)) from None
    except (LookupError, TypeError, ValueError, OverflowError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(f"{name}: damaged: it is not as it was written; solve again") from None


def _request(facts: dict[str, Any]) -> SamplingRequest:
    """The method and the settings that a file names."""
    settings = Settings(
        seed=facts["seed"],
        averaging=facts["averaging"],
        exploration=facts["exploration"],
        parts=facts.get("parts"),
    )
    return SamplingRequest(facts["method"], settings)


def _solution(run: SamplingRun, result: dict[str, Any]) -> Solution:
    note = printable(str(result.get("note", "")))
    found = sampled(run, note, whole=result.get("whole", True) is True)
    known = result.get("exploitability")
    if known is not None:
        mean, error, low, high = map(float, known)
        if not (0 <= low <= mean <= high <= inf and error >= 0):
            raise ValueError(known)
        vars(found.evaluation)[ESTIMATED] = Bracket.of(mean, error, low, high)
    return replace(found, because=printable(str(result.get("because", found.because))))
