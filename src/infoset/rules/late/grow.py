"""From rules to blocks: all plays in all worlds, under watch, and checked by plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infoset.rules.blame import blamed
from infoset.rules.columns import Limits
from infoset.rules.late.explore import Late
from infoset.rules.late.lines import Line, clashes
from infoset.rules.patience import Patience
from infoset.rules.play import Play
from infoset.rules.seats import Seats


def grow_late(
    name: str,
    seats: Seats,
    rules: Callable[[Play], object],
    limits: Limits,
    *,
    fold: bool = False,
) -> Late:
    """All plays of a game, as blocks."""
    looking: frozenset[Any] = frozenset()
    while True:
        late = Late(seats, limits, fold=fold, looking=looking)
        with (
            blamed(name, late.story, limits.patience),
            Patience(limits.patience, late.signs),
        ):
            late.explore(rules)
        twice = [line.path() for line in clashes(_lines(late))]
        if not twice:
            return late
        looking |= set(twice)


def _lines(late: Late) -> list[Line]:
    """All lines of a run, those that begin anew included."""
    waiting, found = [*late.starts, *late.anew], []
    while waiting:
        line = waiting.pop()
        found.append(line)
        waiting.extend(line.below())
    return found
