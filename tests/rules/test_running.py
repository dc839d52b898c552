"""Rules that compute for ever are stopped, even where Python drops the first error."""

from __future__ import annotations

import sys

import pytest

from infoset.rules import running
from infoset.rules.running import OutOfTime, TimeLimit


class Cleaning:
    """Cleans up until it is interrupted: an error raised meanwhile is dropped."""

    def __init__(self, done: list[str]) -> None:
        self.done = done

    def __del__(self) -> None:
        try:
            while True:
                pass
        except OutOfTime:
            self.done.append("dropped")
            raise


def cleans_and_goes_on(done: list[str]) -> None:
    Cleaning(done)
    while True:
        pass


def test_an_error_that_python_drops_is_raised_again() -> None:
    done: list[str] = []
    with pytest.raises(OutOfTime), TimeLimit(0.05, lambda: 0):
        cleans_and_goes_on(done)
    assert done == ["dropped"]


class NoWatcher:
    """Nobody looks but the test."""

    def add(self, watched: TimeLimit) -> None: ...

    def remove(self, watched: TimeLimit) -> None: ...


def test_nothing_is_raised_once_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(running, "_WATCHER", NoWatcher())
    monkeypatch.setattr(running, "_raise_in", lambda thread, error: raised.append(error))
    with TimeLimit(-1.0, lambda: 0) as watched:
        watched.check()  # sees how far the run has come
        watched.check()
    watched.check()
    assert raised == [OutOfTime]


class LastMoment(NoWatcher):
    """Raises when all is done."""

    raised = 0

    def remove(self, watched: TimeLimit) -> None:
        self.raised += 1
        running._raise_in(watched.thread, OutOfTime)


def test_an_error_of_the_last_moment_does_not_get_out(monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = LastMoment()
    monkeypatch.setattr(running, "_WATCHER", watcher)
    steps = []
    with TimeLimit(1.0, lambda: 0):
        steps.append("inside")
    steps += ["after" for _ in range(1000)]  # where an error that is still pending would come up
    assert watcher.raised == 1
    assert steps.count("after") == 1000


def test_tracing_goes_on_after_a_watch() -> None:
    """Python 3.11 hangs when it is told to take back an error, and traced after that."""
    steps: list[str] = []

    def trace(frame: object, event: str, _: object) -> None:
        steps.append(event)

    with TimeLimit(1.0, lambda: 0):
        pass
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        sorted([2, 1], key=lambda one: one)
    finally:
        sys.settrace(before)
    assert steps == ["call", "call"]
