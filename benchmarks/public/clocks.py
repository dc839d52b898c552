"""Clocks: pieces of work in turn, the best and the median of some rounds."""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import duration

SHORTEST = 0.02  # seconds that a clock should run: shorter work is done several times
BATCH = 0.03  # seconds of iterations: what it takes to start them is little then


class Taken(NamedTuple):
    """Seconds for a piece of work."""

    best: float
    median: float

    def __str__(self) -> str:
        return f"{duration(self.best)} ({duration(self.median)})"


class Iterating(Protocol):
    """A loop of regret minimization."""

    def iterate(self, iterations: int) -> None:
        """So many more iterations."""


def in_turn(works: Sequence[Callable[[], object]], rounds: int) -> list[Taken]:
    """Seconds of each work; a round does all of them, so that a busy moment falls on all.

    Each is done once before, which is not counted: it compiles, and fills caches.
    """
    times = [1 + int(SHORTEST / _seconds(work)) for work in works]
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        gc.collect()
        for own, work, count in zip(taken, works, times, strict=True):
            own.append(_seconds(work, count))
    return [Taken(min(own), statistics.median(own)) for own in taken]


def iterations(loops: Sequence[Iterating], rounds: int) -> list[Taken]:
    """Seconds an iteration of each loop, in turn; many are done at a time where they are short."""
    counts = []
    for loop in loops:
        loop.iterate(1)
        count = 1  # doubled, not divided for: to begin and to end a batch takes time of its own
        while _seconds(partial(loop.iterate, count)) < BATCH:
            count *= 2
        counts.append(count)
    works = [partial(loop.iterate, count) for loop, count in zip(loops, counts, strict=True)]
    return [
        Taken(taken.best / count, taken.median / count)
        for taken, count in zip(in_turn(works, rounds), counts, strict=True)
    ]


def _seconds(work: Callable[[], object], times: int = 1) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times


def cores() -> int:
    """How many workers there is room for."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def amount(bytes_: float) -> str:
    """Bytes with three digits."""
    for unit in ("B", "KiB", "MiB"):
        if bytes_ < 1024:
            return f"{bytes_:.3g} {unit}"
        bytes_ /= 1024
    return f"{bytes_:.2f} GiB"
