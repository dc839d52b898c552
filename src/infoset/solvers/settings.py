"""What one may ask of a run of regret minimization, checked before any work is done."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from math import inf, nan
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypedDict

from infoset.errors import ParameterError, nearest
from infoset.solvers.cfr.variants import AVERAGING, UPDATES

PRECISIONS = ("float64", "float32")
EVERY = 60.0  # seconds between checkpoints
MOST_WORKERS = 64
STEEPEST = {"float64": 10.0, "float32": 3.0}  # from there on sums of t^C soon are beyond floats


class RunKeywords(TypedDict, total=False):
    """The settings as arguments of ``solve``."""

    iterations: int | None
    regret: float | None
    updates: str | None
    averaging: str | None
    exponents: tuple[float, float, float] | None
    precision: str
    workers: int | None
    checkpoint: str | os.PathLike[str] | None
    every: float
    log: str | os.PathLike[str] | None
    prove: bool | None
    seed: int | None
    exploration: float | None


@dataclass(frozen=True)
class Settings:
    """How a run is to go, when it stops, and what it writes.

    >>> Settings(iterations=0)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: iterations=0: it must be a whole number from 1 on
    """

    iterations: int | None = None  # stop after so many, counted from the beginning of the run
    regret: float | None = None  # stop when no player has more
    updates: str | None = None  # alternating or simultaneous; None: what suits the game
    averaging: str | None = None  # uniform, linear, quadratic; None: what the variant does
    exponents: tuple[float, float, float] | None = None  # of discounted CFR
    precision: str = "float64"  # or float32: half the memory
    workers: int | None = None  # threads; None: as many as pay; the result is the same
    checkpoint: Path | None = None  # go on from it if it is there, and write it now and then
    every: float = EVERY  # seconds between checkpoints
    log: Path | None = None  # where the course of the run is written as CSV
    prove: bool | None = None  # the regret in rational arithmetic? None: where that is quick
    seed: int | None = None  # of sampling: the same one gives the same run; None: 0
    exploration: float | None = None  # of outcome sampling: how often a random move; None: 0.6

    def __post_init__(self) -> None:
        automatic = {field.name: field.default for field in fields(self)}
        for name, check in CHECKS.items():
            given = getattr(self, name)
            if given is not None or automatic[name] is not None:
                object.__setattr__(self, name, check(name, given))
        steepest = STEEPEST[self.precision]
        if self.exponents is not None and self.exponents[2] > steepest:
            raise ParameterError(
                f"exponents={self.exponents}: the third, of the average, is {steepest:g} at most"
                f" with {self.precision}"
            )
        if self.every != EVERY and self.checkpoint is None:
            raise ParameterError(f"every={self.every:g}: it goes with a checkpoint")
        if (
            self.log is not None
            and self.checkpoint is not None
            and _same(self.log, self.checkpoint)
        ):
            raise ParameterError(
                f"log={str(self.log)!r:.60}: the checkpoint is there; name another"
            )

    @classmethod
    def of(cls, wishes: RunKeywords | dict[str, Any]) -> Settings:
        """Settings from arguments by name; a name that is none is answered with one that is."""
        known = [field.name for field in fields(cls)]
        for name in wishes:
            if name not in known:
                raise ParameterError(f"there is no setting {name!r}; {nearest(name, known)}")
        return cls(**wishes)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of those that are not as they are unasked."""
        plain = Settings()
        every = (field.name for field in fields(self))
        return tuple(name for name in every if getattr(self, name) != getattr(plain, name))

    @property
    def particular(self) -> tuple[str, ...]:
        """Those of them that only a run can have; of regret any exact answer has little enough."""
        return tuple(name for name in self.chosen if name != "regret")


def _whole(name: str, given: Any) -> int:
    if not isinstance(given, Integral) or isinstance(given, bool) or int(given) < 1:
        raise ParameterError(f"{name}={given!r:.60}: it must be a whole number from 1 on")
    if name == "workers" and int(given) > MOST_WORKERS:
        raise ParameterError(f"workers={given}: at most {MOST_WORKERS}")
    return int(given)


def _amount(name: str, given: Any) -> float:
    if not 0 <= _real(given) < inf:
        raise ParameterError(f"{name}={given!r:.60}: it must be a number from 0 on")
    return _real(given)


def _real(given: Any) -> float:
    """A number as a float, an infinite one if it is beyond them; NaN for what is no number."""
    if not isinstance(given, Real) or isinstance(given, bool):
        return nan
    number: Any = given
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def _exponents(name: str, given: Any) -> tuple[float, float, float]:
    try:
        found = tuple(given)
    except TypeError:
        found = ()
    if isinstance(given, str) or len(found) != 3:
        raise ParameterError(f"{name}={given!r:.60}: three numbers are wanted, as (1.5, 0, 2)")
    for each in found:
        if not _real(each) >= 0:
            raise ParameterError(f"{name}={given!r:.60}: {each!r:.20} is no number from 0 on")
    return (_real(found[0]), _real(found[1]), _real(found[2]))


def _one_of(*known: str) -> Any:
    def check(name: str, given: Any) -> str:
        if not isinstance(given, str) or given not in known:
            raise ParameterError(f"{name}={given!r:.60}: {nearest(given, known)}")
        return str(given)

    return check


def _seed(name: str, given: Any) -> int:
    if not isinstance(given, Integral) or isinstance(given, bool):
        raise ParameterError(f"{name}={given!r:.60}: it must be a whole number")
    return int(given)


def _probability(name: str, given: Any) -> float:
    if not 0 < _real(given) <= 1:
        raise ParameterError(f"{name}={given!r:.60}: it must be more than 0 and at most 1")
    return _real(given)


def _path(name: str, given: Any) -> Path:
    plain = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(plain, str) or not plain:  # bytes are names to the system, not to a Path
        raise ParameterError(f"{name}={given!r:.60}: the name of a file is wanted")
    return Path(given)


def _same(one: Path, two: Path | None) -> bool:
    """Do two names mean one file, however they are spelled?"""
    return two is not None and os.path.realpath(one) == os.path.realpath(two)


def _truth(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise ParameterError(f"{name}={given!r:.60}: it must be True, False or None")
    return given


CHECKS = {
    "iterations": _whole,
    "regret": _amount,
    "updates": _one_of(*UPDATES),
    "averaging": _one_of(*AVERAGING),
    "exponents": _exponents,
    "precision": _one_of(*PRECISIONS),
    "workers": _whole,
    "checkpoint": _path,
    "every": _amount,
    "log": _path,
    "prove": _truth,
    "seed": _seed,
    "exploration": _probability,
}

# What each kind of run can be asked for: by the file that it is in.
TAKES = {
    "cfr": frozenset(CHECKS) - {"seed", "exploration"},
    "sampling": frozenset(CHECKS) - {"updates", "exponents", "precision", "workers"},
}
