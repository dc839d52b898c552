"""What is asked of a run, checked; and what an iteration weighs."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from infoset.errors import ParameterError, nearest

METHODS = ("external", "outcome")
AVERAGING = {"uniform": 0, "linear": 1, "quadratic": 2}  # the power of an iteration's number
UNASKED = 10_000  # iterations, where nothing says when to stop
EXPLORATION = 0.6  # of outcome sampling, where nobody says another


@dataclass(frozen=True)
class Request:
    """How to sample, and when to stop."""

    method: str
    iterations: int | None  # in all, those of a checkpoint included
    seconds: float | None
    regret: float | None
    seed: int
    exploration: float
    averaging: str

    def __post_init__(self) -> None:
        _known("method", self.method, METHODS)
        _known("averaging", self.averaging, AVERAGING)
        if self.iterations is not None and (not _whole(self.iterations) or self.iterations < 1):
            raise ParameterError(
                f"iterations={self.iterations!r:.60}: it must be a whole number from 1 on"
            )
        if not _whole(self.seed):
            raise ParameterError(f"seed={self.seed!r:.60}: it must be a whole number")
        for name, given in (("seconds", self.seconds), ("regret", self.regret)):
            if given is not None and not (_number(given) and given >= 0):
                raise ParameterError(f"{name}={given!r:.60}: it must be 0 or more")
        if not (_number(self.exploration) and 0 < self.exploration <= 1):
            raise ParameterError(
                f"exploration={self.exploration!r:.60}: it must be more than 0 and at most 1"
            )

    def weight(self, iteration: int) -> float:
        """What an iteration counts, in regrets and averages alike; they are counted from 1."""
        return float(iteration ** AVERAGING[self.averaging])

    def weights(self, iterations: int) -> float:
        """What all iterations up to this one count together.

        >>> asked = Request("external", None, None, None, 0, 0.6, "quadratic")
        >>> asked.weights(3), asked.weight(1) + asked.weight(2) + asked.weight(3)
        (14.0, 14.0)
        """
        n = iterations
        return float(
            (n, n * (n + 1) // 2, n * (n + 1) * (2 * n + 1) // 6)[AVERAGING[self.averaging]]
        )


def check_callables(**given: Any) -> None:
    """Refuse what should be a function and is none."""
    for name, one in given.items():
        if one is not None and not callable(one):
            raise ParameterError(f"{name}={one!r:.60}: it must be a function")


def check_time(name: str, given: Any) -> None:
    """Refuse what is no length of time."""
    if not (_number(given) and given >= 0):
        raise ParameterError(f"{name}={given!r:.60}: it must be 0 or more")


def _known(name: str, given: object, known: Any) -> None:
    if not isinstance(given, str) or given not in known:
        raise ParameterError(f"no {name} {given!r:.60}; {nearest(given, known)}")


def _whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and isfinite(given)
