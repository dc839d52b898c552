"""Searches as solvers: what a search decides, placed on the tree of its game, and proved.

A search (:mod:`infoset.search`) looks at positions and builds no tree. Here the tree is walked
beside the positions, in the same order of moves; every information set gets what the search decides
there, and where it had no reason to look, it looks now. What comes of it is verified as any other
answer: the regret is computed from the tree and the strategies alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import StrategyError
from infoset.rules import Position
from infoset.solvers.evaluation import Number
from infoset.solvers.options import Found, Options
from infoset.strategy import Behaviour, Pure, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.search.result import SearchEvaluation


def find(tree: Tree, options: Options, method: str = "imp-alphabeta") -> Found:
    """A search on a tree that is there already: a solver like any other."""
    from infoset.search import SEARCHES

    seconds = None if options.seconds is None else max(options.left, 0.0)
    keywords: dict[str, Any] = {"seconds": seconds, "stop": options.stop, "tick": options.tick}
    if method not in EXACT:
        keywords["exact"] = options.exact is not False
    solution = SEARCHES[method](tree, **keywords)
    search: Any = solution.evaluation
    doubt = "" if search.optimal else search.reason
    note = "; ".join(part for part in (solution.note, doubt) if part)
    return Found(placed_strategies(search, tree), solution.work, note=note)


EXACT = ("chance-minimax", "imp-minimax", "imp-alphabeta")  # whose numbers always are


def placed_strategies(search: SearchEvaluation, tree: Tree) -> tuple[Strategy, ...]:
    """Each player's strategy, as the search decides at every position."""
    if tree.names != search.players:
        raise _another(search, tree, f"its players are {', '.join(tree.names)}")
    probabilities = decisions(search, tree)
    return tuple(_strategy(tree, number, probabilities) for number in range(len(tree.names)))


def decisions(search: SearchEvaluation, tree: Tree) -> list[Sequence[Number]]:
    """[infoset] the probabilities of its options."""
    if search.by_infoset is not None and search.source.tree() is tree:
        return search.by_infoset()
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
    flat = [share for infoset in own for share in probabilities[infoset]]
    if not any(isinstance(share, float) for share in flat):
        exact = np.array([Fraction(1), *map(Fraction, flat)], object)
        return Behaviour(tree, player, exact)
    if tree.recall(player):
        return plan_from_floats(tree, player, np.array([1.0, *map(float, flat)]))
    return Behaviour(tree, player, np.array([1.0, *map(float, flat)]))
