"""The average strategies set by set, as far as the game was seen, the most visited sets first.

Where simulated plays of the average strategies come most often stands first. Of sets where none
came, those are first that weigh most in the average. A set that weighs nothing was met, but nothing
is known of the strategy there yet: it is uniform.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, overload

from infoset.rules.moves import Menu
from infoset.rules.story import text
from infoset.solve.sampled.run import Run
from infoset.solve.sampled.simulation import Simulation
from infoset.solve.sampled.spelling import Reading, brief_state
from infoset.solve.sampled.table import normalized


class Seen(NamedTuple):
    """An information set that was met, and the average strategy there."""

    label: str  # as in the tree
    options: Menu
    shares: list[float]  # [option] its probability
    reach: float  # the part of simulated plays that came there
    number: int | None  # in the tree, from 1 on, if there is one


class SeenSets(Sequence[Seen]):
    """The information sets of a player that were met, the most visited first."""

    def __init__(self, run: Run, player: int, sets: int, simulation: Simulation) -> None:
        """Those of the first ``sets`` rows: simulated plays may have added others since."""
        self._run = run
        self._simulation = simulation
        rows, reach = run.table.rows, simulation.reach
        own = [at for at in range(sets) if rows[at].player == player]
        self._order = sorted(own, key=lambda at: (-reach(rows[at]), -sum(rows[at].average)))

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Seen: ...
    @overload
    def __getitem__(self, index: slice) -> list[Seen]: ...
    def __getitem__(self, index: int | slice) -> Seen | list[Seen]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = self._order[index]
        reading, row = self._readings[at], self._run.table.rows[at]
        return Seen(
            self._label(reading),
            reading.options,
            normalized(row.average),
            self._simulation.reach(row),
            reading.number,
        )

    @cached_property
    def _readings(self) -> dict[int, Reading]:
        """By row: how its set reads."""
        table, read = self._run.table, self._run.source.labels.read
        return {at: table.reading(at, read) for at in self._order}

    @cached_property
    def _alike(self) -> set[Hashable]:
        """The states of knowledge in which more than one menu is offered."""
        readings = self._readings.values()
        menus = Counter(state for state in map(self._state, readings) if state is not None)
        return {state for state, count in menus.items() if count > 1}

    @cached_property
    def _mixed(self) -> bool:
        """Are some known from a file only, where states of knowledge have digests?"""
        return any(isinstance(reading.state, str) for reading in self._readings.values())

    def _state(self, reading: Reading) -> Hashable:
        return brief_state(reading.state) if self._mixed else reading.state

    def _label(self, reading: Reading) -> str:
        if not self._alike or self._state(reading) not in self._alike:
            return reading.label
        return f"{reading.label} {{{', '.join(map(text, reading.options))}}}"

    def labels(self) -> Iterator[str]:
        """The labels alone, in this order."""
        return (self._label(self._readings[at]) for at in self._order)

    def menus(self) -> Iterator[Menu]:
        """The options alone, in this order."""
        return (self._readings[at].options for at in self._order)

    def by_label(self) -> dict[str, dict[Hashable, float]]:
        """The probabilities of the options by label; sets of one label go by it and a number.

        That is the set's number in the tree, or else its number among all that were met.
        """
        count = Counter(self.labels())
        found: dict[str, dict[Hashable, float]] = {}
        for at, seen in zip(self._order, self, strict=True):
            number = at + 1 if seen.number is None else seen.number
            name = seen.label if count[seen.label] == 1 else f"{seen.label} #{number}".strip()
            found[name] = dict(zip(seen.options, seen.shares, strict=True))
        return found
