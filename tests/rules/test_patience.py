"""Rules that compute for ever are stopped, even where Python drops the first error."""

from __future__ import annotations

import pytest

from infoset.rules import patience
from infoset.rules.patience import OutOfPatience, Patience


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
    assert raised == [OutOfPatience, None]
