"""From rules to blocks: all plays in all worlds, under watch, and checked by plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infoset.rules.blame import blamed
from infoset.rules.columns import Limits
from infoset.rules.late.explore import Late
from infoset.rules.late.lines import Line, clashes
from infoset.rules.late.symmetry import Symmetry
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
    """All plays of a game, as blocks.

    Where a deck says that suits are alike after other moves were made, these were not held to it:
    then all is run again, with the suits alike from the start.
    """
    looking: frozenset[Any] = frozenset()
    symmetry: Symmetry | None = None
    while True:
        late = Late(seats, limits, fold=fold, looking=looking, symmetry=symmetry)
        with (
            blamed(name, late.story, limits.patience, late=True),
            Patience(limits.patience, late.signs),
        ):
            late.explore(rules)
        if late.belated:
            symmetry = Symmetry(late.symmetry.deck) if late.symmetry is not None else None
            continue
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
