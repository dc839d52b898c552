"""What a search finds: the value, how it is known, and what to do at any position.

A search walks positions and builds no tree. Where its decisions are wanted at every information set
(:func:`placed_strategies`), the tree is walked beside the positions, in the same order of moves,
and where the search had no reason to look, it looks now. What comes of it is verified as any other
answer: the regret is computed from the tree and the strategies alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from infoset.errors import StrategyError
from infoset.linear.numbers import Number
from infoset.rules import Position
from infoset.solvers.evaluation import PositionEvaluation, Probabilities
from infoset.solvers.options import Found, Options
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Pure, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.tree import Tree
from infoset.tree.source import Source

# By player: the probability of each option.
Decision = Mapping[str, Mapping[Hashable, Number]]
# [infoset] the probabilities of its options; asked now and then whether time is over
InfosetDecisions = Callable[[Callable[[], bool]], list[Sequence[Number]]]


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
    by_infoset: InfosetDecisions | None = field(default=None, repr=False)

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
        """The decisions at every information set of the tree.

        Parameters
        ----------
        tree
            The tree of the game.

        Returns
        -------
        tuple of Strategy
            [player] its strategy.
        """
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


# ---------------------------------------------------------------------- on the tree


def find(tree: Tree, options: Options, method: str = "imp-alphabeta") -> Found:
    """A search on a tree that is there already: a solver like any other."""
    from infoset.search.searches import SEARCHES

    seconds = None if options.seconds is None else SEARCHING * max(options.left, 0.0)
    keywords: dict[str, Any] = {"seconds": seconds, "stop": options.stop, "tick": options.tick}
    if method not in EXACT:
        keywords["exact"] = options.exact is not False
    solution = SEARCHES[method](tree, **keywords)
    search: Any = solution.evaluation
    doubt = "" if search.optimal else search.reason
    strategies = placed_strategies(search, tree, options.over)
    late = "no time was left to decide at every information set" if options.over() else ""
    note = "; ".join(part for part in (solution.note, doubt, late) if part)
    return Found(strategies, solution.work, note=note)


def find_without_tree(game: Any, options: Options, method: str) -> Solution:
    """A search that no tree verifies, since that would be too large; in floats unless asked."""
    from infoset.search.searches import SEARCHES

    keywords: dict[str, Any] = {"seconds": options.seconds, "stop": options.stop}
    if method not in EXACT:
        keywords["exact"] = options.exact is True
    return SEARCHES[method](game, tick=options.tick, **keywords)


SEARCHING = 0.6  # part of the time; the rest is for decisions at all information sets
EXACT = ("chance-minimax", "imp-minimax", "imp-alphabeta")  # whose numbers always are


def _never() -> bool:
    return False


def placed_strategies(
    search: SearchEvaluation, tree: Tree, over: Callable[[], bool] = _never
) -> tuple[Strategy, ...]:
    """Each player's strategy, as the search decides at every position until time is over."""
    if tree.names != search.players:
        raise _another(search, tree, f"its players are {', '.join(tree.names)}")
    probabilities = decisions(search, tree, over)
    return tuple(_strategy(tree, number, probabilities) for number in range(len(tree.names)))


def decisions(
    search: SearchEvaluation, tree: Tree, over: Callable[[], bool] = _never
) -> list[Sequence[Number]]:
    """[infoset] the probabilities of its options."""
    if search.by_infoset is not None and search.source.tree() is tree:
        return search.by_infoset(over)
    probabilities: list[Sequence[Number]] = [()] * len(tree.infoset_player)
    start, below = (column.tolist() for column in tree.children)
    waiting: list[tuple[Position, int]] = [(search.start or search.source.start, 0)]
    while waiting:
        position, node = waiting.pop()
        if position.over:
            continue
        nodes = [node]
        movers = position.movers
        decided = search.decision(position) if movers else {}
        for mover in movers:  # those who move at once do so one after the other in a tree
            options = tuple(decided[mover].values())
            if any(len(tree.menu(each)) != len(options) for each in nodes):
                raise _another(search, tree, f"node {node} is no position of it")
            for each in nodes:
                probabilities[int(tree.infoset[each])] = options
            nodes = [child for each in nodes for child in below[start[each] : start[each + 1]]]
        if not movers:
            nodes = below[start[node] : start[node + 1]]
        followers = _followers(position)
        if len(followers) != len(nodes):
            raise _another(search, tree, f"node {node} is no position of it")
        waiting += zip(followers, nodes, strict=True)
    return probabilities


def _followers(position: Position) -> list[Position]:
    """All positions that may follow, in the order of moves."""
    movers = position.movers
    if not movers:
        return [position.after(outcome) for outcome, _ in position.chances()]
    if len(movers) == 1:
        return [position.after(option) for option in position.options(movers[0])]
    joint: list[tuple[Any, ...]] = [()]
    for mover in movers:
        joint = [(*moves, option) for moves in joint for option in position.options(mover)]
    return [position.after(moves) for moves in joint]


def _another(search: SearchEvaluation, tree: Tree, why: str) -> StrategyError:
    return StrategyError(f"{tree.name}: this is not the tree of {search.name}: {why}")


def _strategy(tree: Tree, number: int, probabilities: list[Sequence[Number]]) -> Strategy:
    """A player's strategy: pure, exact, or from floats made exact where the player remembers."""
    player = tree.names[number]
    own = tree.choices[number].infosets.tolist()
    if all(sorted(probabilities[infoset])[-1] == 1 for infoset in own):
        chosen = ((infoset, list(probabilities[infoset]).index(1)) for infoset in own)
        return Pure(tree, player, tuple(chosen))
    flat = [probability for infoset in own for probability in probabilities[infoset]]
    if not any(isinstance(probability, float) for probability in flat):
        exact = np.array([Fraction(1), *map(Fraction, flat)], object)
        return Behaviour(tree, player, exact)
    if tree.recall(player):
        return plan_from_floats(tree, player, np.array([1.0, *map(float, flat)]))
    return Behaviour(tree, player, np.array([1.0, *map(float, flat)]))
