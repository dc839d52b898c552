"""Rules that compute for ever are stopped, even where Python drops the first error."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from infoset.games import leduc
from infoset.rules.running import WATCHER, OutOfTime, TimeLimit, Watcher, raise_in


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


def checked_often(limit: TimeLimit) -> int:
    """The number of checks before an error comes up."""
    return sum(limit.check() is None for _ in range(1000))  # type: ignore[func-returns-value]


def test_nothing_is_raised_once_it_is_over() -> None:
    limit = TimeLimit(-1.0, lambda: 0)  # exceeded at the second check
    with pytest.raises(OutOfTime), limit:
        checked_often(limit)
    assert checked_often(limit) == 1000


class LastMoment(Watcher):
    """Raises when all is done."""

    raised = 0

    def remove(self, limit: TimeLimit) -> None:
        super().remove(limit)
        if not self.raised:
            self.raised += 1
            limit.raised = limit.raised or self.own
            raise_in(limit.thread, OutOfTime)

    own = True  # is it the limit's own error, or that of one around it?


def test_an_error_of_the_last_moment_does_not_get_out() -> None:
    watcher = LastMoment()
    steps = []
    with TimeLimit(1.0, lambda: 0, watcher):
        steps.append("inside")
    steps += ["after" for _ in range(1000)]  # where an error that is still pending would come up
    assert watcher.raised == 1
    assert steps.count("after") == 1000


def test_an_error_of_a_limit_around_it_does() -> None:
    watcher = LastMoment()
    watcher.own = False
    with pytest.raises(OutOfTime), TimeLimit(1.0, lambda: 0, watcher):
        pass
    assert not watcher.watched


def test_limits_around_many_others_leave_nothing_behind() -> None:
    """Positions have limits of their own; one that was interrupted went on for ten seconds more."""
    start, luck = leduc().position(), Random(1)

    def play_for_ever() -> None:
        while True:
            at: Any = start
            while not at.over:
                menu = at.options() if at.movers else [one for one, _ in at.chances()]
                at = at.after(luck.choice(menu))

    for _ in range(3):
        with pytest.raises(OutOfTime), TimeLimit(0.02, lambda: 0):
            play_for_ever()
    assert not WATCHER.watched


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
