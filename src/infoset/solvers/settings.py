"""The settings of iterative solvers: one record, from which keywords, options and errors derive.

A field of :class:`Settings` says in its metadata how a value is checked, what it means (``help``),
what happens where it is not given (``default``), and which families of methods have it
(``families``: "cfr" or "sampling"). The keywords of ``solve``, the options of the command, their
help and the error for a setting that a method does not have are made from these fields.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from math import inf, nan
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypedDict

from infoset.errors import ParameterError, nearest
from infoset.parallel import CLUSTERS, check_workers
from infoset.solvers.cfr.variants import AVERAGING, UPDATES

PRECISIONS = ("float64", "float32")
EVERY = 60.0  # seconds between checkpoints
MOST = {"workers": 64, "parts": 1024}
STEEPEST = {"float64": 10.0, "float32": 3.0}  # above these exponents sums of t^C soon overflow

Check = Callable[[str, Any], Any]  # of a setting's name and value: the value as it is kept


class RunKeywords(TypedDict, total=False):
    """The settings as keyword arguments of ``solve``."""

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
    parts: int | None
    jobs: int | None
    cluster: str | None


# ---------------------------------------------------------------------- checks


def _whole(name: str, given: Any) -> int:
    if not isinstance(given, Integral) or isinstance(given, bool) or int(given) < 1:
        raise ParameterError(f"{name}={given!r:.60}: it must be a whole number from 1 on")
    if int(given) > MOST.get(name, inf):
        raise ParameterError(f"{name}={given}: at most {MOST[name]:,}")
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


def _jobs(name: str, given: Any) -> int:
    check_workers(given, None)
    return int(given)


def _cluster(name: str, given: Any) -> str:
    check_workers(None, given)
    return str(given)


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


# ---------------------------------------------------------------------- the record


def _about(
    check: Check,
    help: str,
    *,
    default: str,
    families: tuple[str, ...] = ("cfr", "sampling"),
    choices: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The metadata of a setting; ``default`` says in words what happens where it is not given."""
    return {
        "check": check,
        "help": help,
        "default": default,
        "families": families,
        "choices": choices,
    }


@dataclass(frozen=True)
class Settings:
    """How a run computes, when it stops, and what it writes; values are checked when it is made.

    >>> Settings(iterations=0)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: iterations=0: it must be a whole number from 1 on
    """

    iterations: int | None = field(
        default=None,
        metadata=_about(
            _whole,
            "Stop after this many iterations, counted from the beginning of the run.",
            default="sampling: 10,000; else no limit",
        ),
    )
    regret: float | None = field(
        default=None,
        metadata=_about(
            _amount,
            "Stop when the largest regret of a player is at most this. With simultaneous updates in"
            " games that are not two-player zero-sum, the regret is that of the average joint play:"
            " its distance from a coarse correlated equilibrium.",
            default="1/10,000 of the range of payoffs, if nothing else limits the run",
        ),
    )
    updates: str | None = field(
        default=None,
        metadata=_about(
            _one_of(*UPDATES),
            "Whether players update in turn (alternating) or all at once (simultaneous).",
            default="alternating in two-player zero-sum games, else simultaneous",
            families=("cfr",),
            choices=UPDATES,
        ),
    )
    averaging: str | None = field(
        default=None,
        metadata=_about(
            _one_of(*AVERAGING),
            "The weight of iteration t in the average strategy: uniform (1), linear (t) or"
            " quadratic (t squared).",
            default="what the method defines",
            choices=tuple(AVERAGING),
        ),
    )
    exponents: tuple[float, float, float] | None = field(
        default=None,
        metadata=_about(
            _exponents,
            "The three exponents of discounted CFR: of positive regrets, of negative regrets and of"
            " the average.",
            default="1.5, 0, 2",
            families=("cfr",),
        ),
    )
    precision: str = field(
        default="float64",
        metadata=_about(
            _one_of(*PRECISIONS),
            "Floating-point numbers of a run: float64, or float32 for half the memory.",
            default="float64",
            families=("cfr",),
            choices=PRECISIONS,
        ),
    )
    workers: int | None = field(
        default=None,
        metadata=_about(
            _whole,
            "Number of threads; the result is bit-identical for any number.",
            default="two where that is faster",
            families=("cfr",),
        ),
    )
    checkpoint: Path | None = field(
        default=None,
        metadata=_about(
            _path,
            "File to resume from if it exists; the state of the run is written to it regularly.",
            default="none",
        ),
    )
    every: float = field(
        default=EVERY, metadata=_about(_amount, "Seconds between two checkpoints.", default="60")
    )
    log: Path | None = field(
        default=None,
        metadata=_about(
            _path,
            "File to which seconds, iterations and regret are written during the run (csv).",
            default="none",
        ),
    )
    prove: bool | None = field(
        default=None,
        metadata=_about(
            _truth,
            "Whether the regret is proved in rational arithmetic or computed in floats.",
            default="proved, up to 20 million leaves",
        ),
    )
    seed: int | None = field(
        default=None,
        metadata=_about(
            _seed,
            "Seed of the random numbers; the same seed gives the same run.",
            default="0",
            families=("sampling",),
        ),
    )
    exploration: float | None = field(
        default=None,
        metadata=_about(
            _probability,
            "In outcome sampling, the probability of a uniformly random move of the player whose"
            " regrets are updated.",
            default="0.6",
            families=("sampling",),
        ),
    )

    parts: int | None = field(
        default=None,
        metadata=_about(
            _whole,
            "Walk every iteration this many times, with other random numbers; these parts can be"
            " walked at the same time. The result depends on it, and not on who walks them.",
            default="1",
            families=("sampling",),
        ),
    )
    jobs: int | None = field(
        default=None,
        metadata=_about(
            _jobs,
            "Parts that are walked at the same time, in processes; the result is bit-identical for"
            " any number.",
            default="1, or all of the cluster",
            families=("sampling",),
        ),
    )
    cluster: str | None = field(
        default=None,
        metadata=_about(
            _cluster,
            f"Walk the parts on a cluster: {CLUSTERS}.",
            default="processes here",
            families=("sampling",),
        ),
    )

    def __post_init__(self) -> None:
        automatic = {one.name: one.default for one in fields(self)}
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
    def of(cls, keywords: RunKeywords | dict[str, Any]) -> Settings:
        """Settings from keyword arguments; an unknown name is refused, the nearest one named."""
        known = [one.name for one in fields(cls)]
        for name in keywords:
            if name not in known:
                raise ParameterError(f"there is no setting {name!r}; {nearest(name, known)}")
        return cls(**keywords)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the settings that differ from their defaults."""
        plain = Settings()
        every = (one.name for one in fields(self))
        return tuple(name for name in every if getattr(self, name) != getattr(plain, name))

    @property
    def particular(self) -> tuple[str, ...]:
        """Those of them that only an iterative method has; any exact method meets a ``regret``."""
        return tuple(name for name in self.chosen if name != "regret")


CHECKS: dict[str, Check] = {one.name: one.metadata["check"] for one in fields(Settings)}

# The settings that each family of methods has.
TAKES = {
    family: frozenset(one.name for one in fields(Settings) if family in one.metadata["families"])
    for family in ("cfr", "sampling")
}
