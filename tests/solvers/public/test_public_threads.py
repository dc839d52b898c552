"""BLAS has one thread while any solve runs, and its own again when the last one has ended."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Barrier, Thread

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from infoset.solvers.cfr.loop import one_thread
from infoset.solvers.public import solve_public
from tests.solvers.public.forms import public


def threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def three_threads() -> Iterator[None]:
    """As on a machine with more cores than this one may have."""
    with threadpool_limits(3, "blas"):
        if set(threads()) != {3}:
            pytest.skip("a BLAS whose threads cannot be counted")
        yield


def test_the_last_one_out_gives_the_threads_back() -> None:
    given = threads()
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(threads()) == {1}  # the second is still at work
    second.__exit__(None, None, None)
    assert threads() == given
    with one_thread(), one_thread():
        assert set(threads()) == {1}
    assert threads() == given


def test_an_error_gives_them_back_too() -> None:
    given = threads()
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert threads() == given


def test_solves_that_overlap_leave_blas_as_it_was() -> None:
    given, gate = threads(), Barrier(3)
    found: list[str] = []

    def solved() -> None:
        gate.wait()
        answers = [solve_public(public("kuhn"), "cfr+", iterations=5) for _ in range(10)]
        found.extend(str(one.value) for one in answers)

    workers = [Thread(target=solved) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert threads() == given
    assert len(found) == 30
    assert len(set(found)) == 1
