"""Where workers wait for each other: nobody goes on alone, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from typing import Any

import numba
import numpy as np
import pytest

from infoset.kernels.barrier import BROKEN, HERE, TURN, break_barrier, new_barrier, wait

LONG = 30.0  # seconds after which a thread counts as hanging


@numba.njit(nogil=True)
def take_turns(gate: Any, worker: int, workers: int, rounds: int, steps: Any, wrong: Any) -> None:
    """Do a step, wait, and look whether all others have done theirs."""
    for turn in range(rounds):
        steps[worker * 8] = turn + 1
        wait(gate, workers)
        for other in range(workers):
            if steps[other * 8] != turn + 1:
                wrong[worker * 8] += 1
        wait(gate, workers)


@numba.njit(nogil=True)
def come_once(gate: Any, workers: int) -> None:
    wait(gate, workers)


def started(target: Any, *arguments: tuple[Any, ...]) -> list[threading.Thread]:
    threads = [threading.Thread(target=target, args=own, daemon=True) for own in arguments]
    for thread in threads:
        thread.start()
    return threads


def all_end(threads: list[threading.Thread]) -> bool:
    end = time.monotonic() + LONG
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0.0))
    return not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize(("workers", "rounds"), [(1, 1_000), (2, 2_000), (3, 300), (5, 100)])
def test_nobody_goes_on_before_all_have_come(workers: int, rounds: int) -> None:
    # Also with more workers than most machines for tests have cores.
    gate, steps, wrong = (
        new_barrier(),
        np.zeros(8 * workers, np.int64),
        np.zeros(8 * workers, np.int64),
    )
    threads = started(
        take_turns, *[(gate, own, workers, rounds, steps, wrong) for own in range(workers)]
    )
    assert all_end(threads)
    assert not wrong.any()
    assert steps[::8].tolist() == [rounds] * workers
    assert gate[HERE] == 0
    assert gate[TURN] == (2 * rounds if workers > 1 else 0)


def test_who_is_alone_does_not_wait() -> None:
    gate = new_barrier()
    wait(gate, 1)
    assert not gate.any()


def test_a_broken_gate_lets_everyone_through() -> None:
    gate = new_barrier()
    threads = started(come_once, (gate, 3), (gate, 3))  # the third never comes
    for thread in threads:
        thread.join(0.1)
    assert all(thread.is_alive() for thread in threads)
    break_barrier(gate)
    assert all_end(threads)
    assert gate[BROKEN]
    assert all_end(started(come_once, (gate, 3)))  # from now on


def test_counters_lie_in_different_cache_lines() -> None:
    places = sorted((HERE, TURN, BROKEN))
    assert all(8 * (two - one) >= 64 for one, two in pairwise(places))
    assert len(new_barrier()) * 8 >= 8 * places[-1] + 64
