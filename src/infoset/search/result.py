"""What a search finds: the value, how it is known, and what to do at any position."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from infoset.rules import Position
from infoset.search.placing import placed_strategies
from infoset.solvers.evaluation import Number, PositionEvaluation, Probabilities
from infoset.solvers.solution import Solution
from infoset.strategy import Strategy
from infoset.tree import Tree
from infoset.tree.source import Source

# By player: the probability of each option.
Decision = Mapping[str, Mapping[Hashable, Number]]


@dataclass(frozen=True, eq=False, repr=False)
class SearchEvaluation(PositionEvaluation):
    """The decisions of a search, which walks positions and builds no tree.

    ``value`` is the search's own; everything else that a solution has (payoffs, regrets, the
    strategy at every information set) is computed on the tree, which is built when it is asked for.
    """

    kind = "search"
    alternative = "decide(position) says what to do at a position"
    source: Source
    found: Number | None  # the first player's payoff; None if only ``bounds`` are known
    bounds: tuple[Number | None, Number | None]  # the value lies between; None where unknown
    optimal: bool  # is the value right, or what a heuristic says?
    reason: str  # why it is right, or why it may not be
    decision: Callable[[Position], Decision] = field(repr=False)
    lp_seconds: float = 0.0  # spent in linear programs
    depth: int | None = None  # how deep it looked; None: to the end of the game
    error: float = 0.0  # by how much floats may have put the value off; 0 where numbers are exact
    start: Position | None = None  # as the search sees it: a state, or a stage of a tree
    # [infoset] the probabilities of its options on a tree, where all at once is quicker
    by_infoset: Callable[[], list[Sequence[Number]]] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.source.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""
        return self.source.seats.players

    @property
    def rational(self) -> bool:
        """Is the value an exact number, not a float?"""
        return not isinstance(self.found, float) and self.error == 0.0

    @property
    def value(self) -> Number | None:
        """The first player's payoff, as the search found it; None if only bounds are known."""
        return self.found

    @property
    def value_bounds(self) -> tuple[Number, Number] | None:
        """Two numbers between which the value lies; None where one of them is not known."""
        low, high = self.bounds
        return None if low is None or high is None else (low, high)

    @property
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff, computed on the tree."""
        return self.feasible_tree().payoffs

    @property
    def strategy(self) -> Mapping[str, Mapping[str, Probabilities]]:
        """By player, by label: the decisions at every information set of the tree."""
        return self.feasible_tree().strategy  # type: ignore[return-value]

    @property
    def certificate(self) -> str:
        """The certificate on the tree, where that was built; else what the search claims."""
        if self.verified is not None:
            return self.verified.certificate
        claim = "value by search" if self.optimal else "value by a heuristic"
        return f"not verified: {claim}; on_tree() verifies it"

    def build_tree(self) -> Tree:
        """The tree of the game that was searched."""
        return self.source.tree()

    def placed_on(self, tree: Tree) -> tuple[Strategy, ...]:
        """The decisions at every information set of the tree."""
        return placed_strategies(self, tree)

    def decide(self, position: Position | None = None) -> dict[str, dict[Hashable, Number]]:
        """By player to move, at a position or at the start: the probability of each option.

        What the search has not looked at is searched now.
        """
        found = self.decision(self.source.start if position is None else position)
        return {player: dict(probabilities) for player, probabilities in found.items()}


def searched(
    evaluation: SearchEvaluation,
    method: str,
    counts: Mapping[str, int],
    seconds: float,
    note: str = "",
) -> Solution:
    """The solution of a search: its decisions, with counts of nodes, leaves, matrices, cutoffs."""
    return Solution(
        evaluation=evaluation,
        method=method,
        because="as asked",
        work=MappingProxyType(dict(counts)),
        note=note,
        seconds=seconds,
    )
