"""The strategies of a sampled run as tables: what the players do where plays come most often.

There is no tree, and so it is not known what is public: every information set that was met is a
situation of its own, the most visited first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from infoset.analysis.situations import menu_names, merged
from infoset.analysis.strategy_tables import (
    Floats,
    Matches,
    Panel,
    Row,
    SituationRows,
    StrategySource,
)
from infoset.analysis.table import NUMBER, Column
from infoset.analysis.where import fits
from infoset.rules.moves import Menu
from infoset.strategy.files import Line

if TYPE_CHECKING:
    from infoset.solvers.sampling.result import SampledEvaluation, Seen

MOST_COLUMNS = 6  # options that have columns of their own; more are listed in words


class SampledStrategySource(StrategySource):
    """A player's average strategy at the information sets that a sampled run met."""

    widest = 1
    folds = False
    beside = (Column("reach", NUMBER),)
    public = "knows"
    nothing = "nothing to choose, as far as it was seen"
    among = " that was met"

    def __init__(self, sampled: SampledEvaluation, player: str) -> None:
        """Of a run, and one of its players."""
        self.player, self.game = player, sampled.name
        self.sets = sampled.seen(player)
        self.infosets = len(self.sets)
        self.flat_note = (
            f"reach: the part of {sampled.simulation.plays:,} simulated plays that came there"
        )

    def find(self, terms: Sequence[str] = ()) -> SampledMatches:
        """The information sets that have labels with all of these texts; there may be none."""
        if not terms:
            return SampledMatches(self.player, self.sets, self.sets.menus())
        labels = enumerate(self.sets.labels())
        kept = [self.sets[at] for at, label in labels if fits(label, terms)]
        return SampledMatches(self.player, kept, (seen.options for seen in kept))

    def example(self) -> str | None:
        """The label of the most visited information set."""
        return self.sets[0].label if self.sets else None

    def lines(self) -> Iterator[Line]:
        """All information sets that were met; they have numbers only if there is a tree."""
        for seen in self.sets:
            yield Line(seen.label, seen.number, seen.options, seen.probabilities)


class SampledMatches(Matches):
    """Information sets, each a situation of its own."""

    def __init__(self, player: str, sets: Sequence[Seen], menus: Iterable[Menu]) -> None:
        """With the options of each."""
        self._player, self._sets = player, sets
        self._names = {menu: menu_names(menu) for menu in dict.fromkeys(menus)}
        self.sizes = [1] * len(sets)

    def __getitem__(self, at: int) -> SampledRow:
        seen = self._sets[at]
        return SampledRow(self._player, seen, self._names[seen.options])

    @cached_property
    def reach(self) -> Floats:
        """[information set] the part of simulated plays that came there."""
        return np.fromiter((seen.reach for seen in self._sets), np.float64, len(self))

    @property
    def actions(self) -> tuple[str, ...]:
        """The options of all, if they are few."""
        every = {name for menu in self._names.values() for name in menu}
        return merged(list(self._names.values())) if len(every) <= MOST_COLUMNS else ()


class SampledRow(SituationRows):
    """One information set."""

    def __init__(self, player: str, seen: Seen, actions: tuple[str, ...]) -> None:
        """With its options as they read."""
        self._player, self._seen, self.actions = player, seen, actions
        self.heading = self.title = seen.label

    def __len__(self) -> int:
        return 1

    def columns(self) -> tuple[Column, ...]:
        """The reach."""
        return SampledStrategySource.beside

    def row(self, at: int) -> Row:
        """The only row."""
        return Row(self._seen.label, self._seen.probabilities, (self._seen.reach,))

    def frequencies(self) -> Floats | None:
        """[option] its probability; None if no simulated play came there."""
        return np.array(self._seen.probabilities) if self._seen.reach else None

    def panel(self) -> Panel:
        """The only row as arrays."""
        return Panel(
            player=self._player,
            title=self.heading,
            names=(self.title,),
            actions=self.actions,
            probabilities=np.array([self._seen.probabilities], np.float64),
            reach=np.array([self._seen.reach]),
            ordered=False,
            private=False,
        )
