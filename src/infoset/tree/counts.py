"""How large a tree is: nodes, strategies, sequences; exact integers however large."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.columns import CHANCE, LEAF
from infoset.tree.facts import own_sequences, recall

if TYPE_CHECKING:
    from infoset.tree.record import Tree

MOST_STEPS = 200_000  # of counting reduced strategies where a player forgets


@dataclass(frozen=True)
class Counts:
    """The sizes of a tree."""

    nodes: int
    decisions: int
    chances: int
    leaves: int
    infosets: int
    depth: int
    widest: int  # the most actions at one node
    branching: float  # actions at a node that is no leaf, on average


def counts(tree: Tree) -> Counts:
    """Count nodes by kind, depth and branching."""
    kinds = tree.player
    leaves, chances = int((kinds == LEAF).sum()), int((kinds == CHANCE).sum())
    inner = len(tree) - leaves
    start, _ = tree.children
    return Counts(
        nodes=len(tree),
        decisions=inner - chances,
        chances=chances,
        leaves=leaves,
        infosets=len(tree.infoset_player),
        depth=len(tree.levels) - 1,
        widest=int((start[1:] - start[:-1]).max()),
        branching=(len(tree) - 1) / inner if inner else 0.0,
    )


def sequences(tree: Tree, player: int) -> int:
    """The rows of the player's sequence form: the empty sequence, and one for every action."""
    return 1 + int(tree.menu_sizes[tree.infoset_player == player].sum())


def pure_strategies(tree: Tree, player: int) -> int:
    """One action at each information set, in all ways."""
    sizes = Counter(tree.menu_sizes[tree.infoset_player == player].tolist())
    return prod(size**count for size, count in sizes.items())


def reduced_strategies(tree: Tree, player: int) -> int | None:
    """Pure strategies that differ where the player can get, given its own earlier choices.

    With perfect recall this is a product over what follows each choice. Without, strategies are
    counted choice by choice, which may take too long: None if it does.
    """
    if recall(tree, player):
        return _with_recall(tree, player)
    return _without_recall(tree, player)


def _with_recall(tree: Tree, player: int) -> int:
    start, node = tree.members
    mine = np.flatnonzero(tree.infoset_player == player)
    after = own_sequences(tree, player)[node[start[mine]]].tolist()
    sizes = tree.menu_sizes
    first = (np.cumsum(sizes, dtype=np.int64) - sizes)[mine].tolist()
    ways: dict[int, int] = {}  # by sequence: strategies for all that follows it
    order = np.argsort(node[start[mine]]).tolist()
    for at in reversed(order):  # what follows an information set has later first nodes
        here = sum(ways.pop(first[at] + j, 1) for j in range(int(sizes[mine[at]])))
        ways[after[at]] = ways.get(after[at], 1) * here
    return ways.get(-1, 1)


def _without_recall(tree: Tree, player: int) -> int | None:
    """Count partial strategies: a choice at every information set that they can reach, no other.

    An information set is reached if the own choices towards one of its nodes are all made. Choices
    are fixed one reached information set at a time; each complete set of them is met once.
    """
    paths = own_paths(tree, player)
    sizes = tree.menu_sizes
    steps = 0

    def reached(choices: dict[int, int]) -> int | None:
        """An information set that is reached and not yet decided."""
        for infoset, ways in paths.items():
            if infoset not in choices and any(
                all(choices.get(h) == a for h, a in way) for way in ways
            ):
                return infoset
        return None

    def count(choices: dict[int, int]) -> int:
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS // max(1, len(paths)):
            raise OverflowError
        infoset = reached(choices)
        if infoset is None:
            return 1
        return sum(count({**choices, infoset: a}) for a in range(int(sizes[infoset])))

    try:
        return count({})
    except (OverflowError, RecursionError):
        return None


def own_paths(tree: Tree, player: int) -> dict[int, set[frozenset[tuple[int, int]]]]:
    """By information set: the sets of own choices that lead to its nodes."""
    paths: dict[int, set[frozenset[tuple[int, int]]]] = {}
    made: list[frozenset[tuple[int, int]]] = []
    parent, action = tree.parent.tolist(), tree.action.tolist()
    mover, infoset = tree.player.tolist(), tree.infoset.tolist()
    for node, above in enumerate(parent):
        own = made[above] if above >= 0 else frozenset[tuple[int, int]]()
        if above >= 0 and mover[above] == player:
            own |= {(infoset[above], action[node])}
        made.append(own)
        if mover[node] == player:
            paths.setdefault(infoset[node], set()).add(own)
    return paths
