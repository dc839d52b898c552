"""How fast this machine reads memory, measured in the same run as all else.

An iteration of regret minimization on sparse forms does a multiplication or two for every number
that it reads, so that what it may cost at best is the bytes it touches over the bytes a second that
come in. Small games lie in a cache, and each cache has its own speed: ``ladder`` measures them all.

*Read* sums float64, over and over: 8 bytes counted for each number. *Triad* is a = b + s c: 24
bytes counted for each number of a, as in J. D. McCalpin's STREAM (1995), which leaves out that a
line may be read before it is written.

The best of several rounds counts: whatever else the machine does can only take from it. With
several threads each has a part of the working set to itself, and the clock runs from the first
one's start to the last one's end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]

KIB, MIB = 1024, 1024**2
LADDER = (64 * KIB, 512 * KIB, 4 * MIB, 256 * MIB)
LARGE = 256 * MIB  # of each array; far above any cache of today's small machines
ROUNDS = 11
LINE = 64  # bytes; what does not begin with a cache line comes half as fast from the first cache
LONG_ENOUGH = 1024 * MIB  # bytes in a round, so that starting it hardly counts


@njit(nogil=True, fastmath=True)
def read_all(numbers: Floats, passes: int) -> float:
    """The sum of all, so many times; with fastmath in lanes, several at once.

    Both halves at the same time: from the first cache numbers come faster than one sum can take.
    """
    half = len(numbers) // 2
    lower, upper = numbers[:half], numbers[half:]
    total = 0.0
    for turn in range(passes):
        low, high = 0.0, 0.0
        for at in range(half):
            low += lower[at]
            high += upper[at]
        numbers[turn % half] = (low + high) * 1e-30  # so that no pass may be left out
        total += low + high
    return total


@njit(nogil=True, fastmath=True)
def add_scaled(made: Floats, first: Floats, second: Floats, passes: int) -> None:
    """Write a = b + s c, so many times, with another s each time."""
    for turn in range(passes):
        scale = 1.0 + turn
        for at in range(len(made)):
            made[at] = first[at] + scale * second[at]


def bandwidth(bytes_of_working_set: int, threads: int = 1) -> float:
    """Bytes a second, reading float64 in order from a working set that all threads share out."""
    each = max(2, bytes_of_working_set // 8 // threads // 2 * 2)
    passes = max(1, round(LONG_ENOUGH / (8 * each * threads)))
    works = [(ones(each), passes) for _ in range(threads)]
    return 8 * each * passes * threads / _best(read_all, works)


def triad(bytes_of_array: int = LARGE, threads: int = 1) -> float:
    """Bytes a second of a = b + s c, over three arrays of this size."""
    each = max(1, bytes_of_array // 8 // threads)
    passes = max(1, round(LONG_ENOUGH / (24 * each * threads)))
    works = [(ones(each), ones(each), ones(each), passes) for _ in range(threads)]
    return 24 * each * passes * threads / _best(add_scaled, works)


def ladder(threads: int = 1) -> dict[int, float]:
    """Bytes a second for working sets from the first cache to memory."""
    return {size: bandwidth(size, threads) for size in LADDER}


def ones(count: int) -> Floats:
    """Ones from the beginning of a cache line on."""
    room = np.ones(count + LINE // 8)
    skipped = -room.ctypes.data % LINE // 8
    return room[skipped : skipped + count]


def _best(kernel: Callable[..., Any], works: list[tuple[Any, ...]]) -> float:
    """Seconds of the fastest round in which every thread does its work once."""
    kernel(*works[0][:-1], 1)  # compiles
    return min(_round(kernel, works) for _ in range(ROUNDS))


def _round(kernel: Callable[..., Any], works: list[tuple[Any, ...]]) -> float:
    if len(works) == 1:
        began = time.perf_counter()
        kernel(*works[0])
        return time.perf_counter() - began
    began_at, ended_at = [0.0] * len(works), [0.0] * len(works)
    start = threading.Barrier(len(works))

    def run(number: int) -> None:
        start.wait()
        began_at[number] = time.perf_counter()
        kernel(*works[number])
        ended_at[number] = time.perf_counter()

    crew = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    return max(ended_at) - min(began_at)


def main() -> None:
    for threads in (1, 2):
        print(f"{threads} thread{'s' * (threads > 1)}, GB/s")
        for size, speed in ladder(threads).items():
            print(f"  read {size // KIB:>9,} KiB {speed / 1e9:8.1f}")
        print(f"  triad 3 × {LARGE // KIB:,} KiB {triad(threads=threads) / 1e9:6.1f}")


if __name__ == "__main__":
    main()
