"""From rules to columns: run all plays under watch."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from infoset.rules.blame import blamed
from infoset.rules.columns import Limits
from infoset.rules.patience import Patience
from infoset.rules.play import Play
from infoset.rules.replay import Replay
from infoset.rules.seats import Seats


def grow(name: str, seats: Seats, rules: Callable[[Play], object], limits: Limits) -> Replay:
    """All plays of a game, as filled columns."""
    replay = Replay(seats, limits)
    with (
        blamed(name, replay.story, limits.patience),
        Patience(limits.patience, lambda: replay.nodes),
    ):
        replay.explore(rules)
    return replay


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave reference cycles alone: a build makes millions of small tuples and none of them.

    Those that the rules' own functions make are collected by the build itself, now and then.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
