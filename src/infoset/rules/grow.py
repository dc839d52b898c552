"""From rules to columns: run all plays under watch."""

from __future__ import annotations

import gc
from collections.abc import Callable

from infoset.rules.blame import blamed
from infoset.rules.columns import Limits
from infoset.rules.patience import Patience
from infoset.rules.play import Play
from infoset.rules.replay import Replay
from infoset.rules.seats import Seats


def grow(name: str, seats: Seats, rules: Callable[[Play], object], limits: Limits) -> Replay:
    """All plays of a game, as filled columns."""
    replay = Replay(seats, limits)
    collecting = gc.isenabled()
    gc.disable()  # millions of small tuples are made; see Replay._look_around
    try:
        with (
            blamed(name, replay.story, limits.patience),
            Patience(limits.patience, lambda: replay.nodes),
        ):
            replay.explore(rules)
    finally:
        if collecting:
            gc.enable()
    return replay
