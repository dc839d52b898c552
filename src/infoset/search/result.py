"""What a search comes to: the value, how it is known, what it took, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from infoset.rules import Position
from infoset.search.source import Source
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.solvers import Solution

Number = Fraction | int | float
# By player: the probability of each option.
Decision = Mapping[str, Mapping[Hashable, Number]]


@dataclass(frozen=True, eq=False, repr=False)
class Searched:
    """The answer of a search, found without building the tree.

    ``value`` is what the first player gets; None where the search was cut off and only ``bounds``
    are known, between which it lies for certain. ``decide`` says what to do at a position.
    """

    source: Source
    method: str
    value: Number | None
    bounds: tuple[Number | None, Number | None]  # None where nothing is known
    optimal: bool  # is the value right, or what a heuristic says?
    because: str  # why
    counts: Mapping[str, int]  # nodes, leaves, matrices, programs, cutoffs, ...
    decision: Callable[[Position], Decision] = field(repr=False)
    seconds: float = 0.0
    lp_seconds: float = 0.0  # of them, in linear programs
    depth: int | None = None  # how deep it looked; None: to the end of the game
    error: float = 0.0  # by how much floats may have put the value off; 0 where numbers are exact
    note: str = ""
    start: Position | None = None  # as the search sees it: a state, or a stage of a tree
    # [infoset] the same for a tree at once: the probabilities of its options, where that is quicker
    by_infoset: Callable[[], list[Sequence[Number]]] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The game's."""
        return self.source.name

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays."""
        return self.source.seats.players

    @property
    def exact(self) -> bool:
        """Are its numbers exact?"""
        return not isinstance(self.value, float) and self.error == 0.0

    def decide(self, position: Position | None = None) -> dict[str, dict[Hashable, Number]]:
        """What the movers do at a position, at the start if none is given.

        By player the probability of each option. What the search has not looked at is searched now.
        """
        found = self.decision(self.source.start if position is None else position)
        return {player: dict(probabilities) for player, probabilities in found.items()}

    def solution(self, tree: Any = None) -> Solution:
        """The decisions placed on the tree, which is built for it, and their regret proved."""
        from infoset.solvers.searches import placed

        return placed(self, tree)

    def __repr__(self) -> str:
        known = f"value {self.value}" if self.value is not None else f"value in {self.bounds}"
        return f"<Search of {brief(self.name)} by {self.method}: {known}>"
