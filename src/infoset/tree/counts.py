"""How large a tree is: nodes, strategies, sequences; exact integers however large."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.moves import CHANCE, LEAF
from infoset.tree.facts import own_sequences, recall

if TYPE_CHECKING:
    from infoset.tree.record import Tree

MOST_WORK = 200_000  # paths looked at in counting reduced strategies where a player forgets


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

    With perfect recall this is a product over what follows each choice. Without, it has to be
    counted case by case, which may take too long: None if it does.
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
    """Count choices at all information sets that are reached, one of them at a time.

    An information set is reached if the own choices towards one of its nodes are all made. Fixing
    the choice at one that is reached leaves a smaller question of the same kind about the others:
    paths that want another choice there are gone, and an information set without a path never
    comes up. Questions that share no information set are counted apart and multiplied, and a
    question that was answered before is not asked again.
    """
    sizes = tree.menu_sizes.tolist()
    answers: dict[Question, int] = {}
    work = 0

    def count(question: Question) -> int:
        nonlocal work
        if question not in answers:
            work += sum(len(ways) for _, ways in question)
            if work > MOST_WORK:
                raise OverflowError
            infoset = min(h for h, ways in question if frozenset() in ways)
            answers[question] = sum(
                prod(count(part) for part in _parts(_after(question, infoset, action)))
                for action in range(sizes[infoset])
            )
        return answers[question]

    paths = own_paths(tree, player)
    whole = {infoset: frozenset(ways) for infoset, ways in paths.items()}
    try:
        return prod(count(part) for part in _parts(whole))
    except (OverflowError, RecursionError):
        return None


Path = frozenset[tuple[int, int]]  # own choices, (information set, action), towards a node
Question = frozenset[tuple[int, frozenset[Path]]]  # information sets, each with its paths


def _after(question: Question, infoset: int, action: int) -> dict[int, frozenset[Path]]:
    """What is left to choose when a choice is made."""
    made = (infoset, action)
    left: dict[int, frozenset[Path]] = {}
    for other, ways in question:
        if other == infoset:
            continue
        open_ways = frozenset(
            way - {made} for way in ways if all(a == action for h, a in way if h == infoset)
        )
        if open_ways:
            left[other] = frozenset([frozenset()]) if frozenset() in open_ways else open_ways
    return left


def _parts(paths: dict[int, frozenset[Path]]) -> list[Question]:
    """Questions that have nothing to do with each other."""
    group = {infoset: infoset for infoset in paths}

    def root(infoset: int) -> int:
        while group[infoset] != infoset:
            group[infoset] = infoset = group[group[infoset]]
        return infoset

    for infoset, ways in paths.items():
        for way in ways:
            for other, _ in way:
                if other in group:  # an absent-minded path wants a choice of its own
                    group[root(other)] = root(infoset)
    parts: dict[int, set[tuple[int, frozenset[Path]]]] = {}
    for infoset, ways in paths.items():
        parts.setdefault(root(infoset), set()).add((infoset, ways))
    return [frozenset(part) for part in parts.values()]


def own_paths(tree: Tree, player: int) -> dict[int, set[Path]]:
    """By information set: the sets of own choices that lead to its nodes."""
    paths: dict[int, set[Path]] = {}
    made: list[Path] = []
    parent, action = tree.parent.tolist(), tree.action.tolist()
    mover, infoset = tree.player.tolist(), tree.infoset.tolist()
    for node, above in enumerate(parent):
        own = made[above] if above >= 0 else frozenset()
        if above >= 0 and mover[above] == player:
            own |= {(infoset[above], action[node])}
        made.append(own)
        if mover[node] == player:
            paths.setdefault(infoset[node], set()).add(own)
    return paths
