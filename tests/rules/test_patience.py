"""Rules that compute for ever are stopped, even where Python drops the first error."""

from __future__ import annotations

import sys

import pytest

from infoset.rules import running as patience
from infoset.rules.running import OutOfPatience, Patience


class Cleaning:
    """Cleans up until it is interrupted: an error raised meanwhile is dropped."""

    def __init__(self, done: list[str]) -> None:
        self.done = done

    def __del__(self) -> None:
        try:
            while True:
                pass
        except OutOfPatience:
            self.done.append("dropped")
            raise


def cleans_and_goes_on(done: list[str]) -> None:
    Cleaning(done)
    while True:
        pass


def test_an_error_that_python_drops_is_raised_again() -> None:
    done: list[str] = []
    with pytest.raises(OutOfPatience), Patience(0.05, lambda: 0):
        cleans_and_goes_on(done)
    assert done == ["dropped"]


class NoWatcher:
    """Nobody looks but the test."""

    def add(self, watched: Patience) -> None: ...

    def remove(self, watched: Patience) -> None: ...


def test_nothing_is_raised_once_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(patience, "_WATCHER", NoWatcher())
    monkeypatch.setattr(patience, "_raise_in", lambda thread, error: raised.append(error))
    with Patience(-1.0, lambda: 0) as watched:
        watched.look()  # sees how far the run has come
        watched.look()
    watched.look()
    assert raised == [OutOfPatience]


class LastMoment(NoWatcher):
    """Raises when all is done."""

    def remove(self, watched: Patience) -> None:
        patience._raise_in(watched.thread, OutOfPatience)


def test_an_error_of_the_last_moment_does_not_get_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_WATCHER", LastMoment())
    with Patience(1.0, lambda: 0):
        pass
    for _ in range(1000):
        pass


def test_tracing_goes_on_after_a_watch() -> None:
    """Python 3.11 hangs when it is told to take back an error, and traced after that."""
    steps: list[str] = []

    def trace(frame: object, event: str, _: object) -> None:
        steps.append(event)

    with Patience(1.0, lambda: 0):
        pass
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        sorted([2, 1], key=lambda one: one)
    finally:
        sys.settrace(before)
    assert steps == ["call", "call"]
