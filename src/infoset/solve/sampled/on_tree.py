"""The average strategies of a run placed on the tree of its game, and proved.

The tree's information sets are found again by walking to the first node of each. Moves have the
same order in a tree and at its positions.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from infoset.errors import StrategyError
from infoset.solve.options import Found, Options
from infoset.solve.sampled.places import ONCE, Place
from infoset.solve.sampled.run import Run
from infoset.solve.sampled.table import normalized
from infoset.solve.solution import Solution, conclude
from infoset.strategy import Behaviour, Strategy
from infoset.strategy.plan import plan_from_sketch
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.solve.sampled.record import Sampled


def placed(sampled: Sampled, tree: Tree | None) -> Solution:
    """A solution, verified."""
    began = time.perf_counter()
    if tree is None:
        tree = sampled.run.source.tree()
    strategies = placed_strategies(sampled, tree)
    work = {"iterations": sampled.iterations, "nodes": sampled.nodes}
    return conclude(
        tree,
        Found(strategies, work, note=sampled.note, course=sampled.course),
        f"{sampled.method}-sampling",
        "as asked",
        Options(began=began - sampled.seconds),
    )


def placed_strategies(sampled: Sampled, tree: Tree, *, prove: bool = True) -> tuple[Strategy, ...]:
    """The average strategies, each player's on the tree; in floats if nothing is to be proved."""
    run = sampled.run
    if tree.names != run.source.seats.players:
        raise _another(run, tree, f"its players are {', '.join(tree.names)}")
    shares = averages(run, tree)
    return tuple(_strategy(tree, number, shares, prove) for number in range(len(tree.names)))


def averages(run: Run, tree: Tree) -> list[list[float]]:
    """[infoset] the probabilities of its options in the average strategy."""
    start, members = tree.members
    first = members[start[:-1]].tolist()
    wanted = np.zeros(len(tree), bool)
    for node in first:
        while node >= 0 and not wanted[node]:
            wanted[node] = True
            node = int(tree.parent[node])
    places: dict[int, Place] = {}
    for node in np.flatnonzero(wanted).tolist():  # parents come before their children
        if not node:
            place = run.places.root
        else:
            above, move = places[int(tree.parent[node])], int(tree.action[node])
            if move >= len(above.children):
                raise _another(run, tree, f"node {node} is no position of it")
            below = above.children[move]
            known = below is not None and below is not ONCE
            place = below if below is not None and known else run.places.child(above, move)
        if place.player != tree.player[node] or len(place.moves) != len(tree.menu(node)):
            raise _another(run, tree, f"node {node} is no position of it")
        places[node] = place
    return [normalized(places[node].average) for node in first]


def _another(run: Run, tree: Tree, why: str) -> StrategyError:
    return StrategyError(f"{tree.name}: this is not the tree of {run.source.name}: {why}")


def _strategy(tree: Tree, number: int, shares: list[list[float]], prove: bool) -> Strategy:
    """A player's strategy: exact where it remembers, so that its regret can be proved."""
    player = tree.names[number]
    own = tree.choices[number].infosets.tolist()
    flat = np.array([1.0, *(share for infoset in own for share in shares[infoset])])
    if prove and tree.recall(player):
        return plan_from_sketch(tree, player, flat)
    return Behaviour(tree, player, flat)
