"""Facts about a tree, each with the nodes that show it; and its size.

Perfect information: every information set has one node.

Perfect recall of a player: any two nodes of one of its information sets are reached by the same
sequence of its own choices, (information set, action) pairs (Kuhn 1953). It suffices to compare the
*last* own choice: if it is the same everywhere at every information set, then by induction so is
the whole sequence. That is one pass down the tree for each player.

Absent-mindedness: a play meets an information set twice (Piccione & Rubinstein 1997). It implies
imperfect recall, so only players with imperfect recall are examined.

Sizes (nodes, strategies, sequences) are exact integers, however large.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import added, fitted, multiplied
from infoset.rules.moves import CHANCE, LEAF
from infoset.text import bounded_number, brief, history_text, place_text, text
from infoset.tree.views import Infoset, Node

if TYPE_CHECKING:
    from infoset.tree.record import Tree

Longs = npt.NDArray[np.int64]

REASON = 1_000  # characters of a reason that are kept
MOST_WORK = 200_000  # paths examined to count reduced strategies with imperfect recall


@dataclass(frozen=True)
class Fact:
    """Something that holds or not, the reason, and the nodes that show it; usable as a bool."""

    holds: bool
    because: str
    nodes: tuple[Node, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "because", brief(self.because, REASON))

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return f"{'yes' if self.holds else 'no'}: {self.because}"


@dataclass(frozen=True)
class ImperfectRecall(Fact):
    """Imperfect recall: two nodes of an information set, and the own choice that differs."""

    infoset: Infoset | None = None
    choice: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "choice", brief(self.choice))


def perfect_information(tree: Tree) -> Fact:
    """Whether every player always knows at which node it is."""
    start, _ = tree.members
    sizes = start[1:] - start[:-1]
    wide = np.flatnonzero(sizes > 1)
    if not len(wide):
        return Fact(True, "every information set has one node")
    infoset = Infoset(tree, int(wide[0]))
    pair = (infoset.nodes[0], infoset.nodes[1])
    plays = f"({_play(pair[0])}) from ({_play(pair[1])})"
    return Fact(False, f"{infoset.player}, at {infoset.name}, cannot tell {plays}", pair)


def zero_sum(tree: Tree) -> Fact:
    """Whether the payoffs of every play sum to zero."""
    constant = constant_sum(tree)
    if not constant:
        return _odd_one_out(tree, 0)
    total = sum(constant.nodes[0].payoffs.values())
    if total == 0:
        return Fact(True, "the payoffs of every play sum to 0")
    return Fact(False, f"the payoffs of every play sum to {bounded_number(total)}", constant.nodes)


def constant_sum(tree: Tree) -> Fact:
    """Whether the payoffs of all plays have the same sum."""
    total = sum(tree.settled.payoffs[tree.settled.outcome[_first_leaf(tree)]])
    odd = _odd_one_out(tree, total)
    if odd.holds:
        first = Node(tree, _first_leaf(tree))
        return Fact(True, f"the payoffs of every play sum to {bounded_number(total)}", (first,))
    other = odd.nodes[0]
    first = Node(tree, _first_leaf(tree))
    return Fact(
        False,
        f"the payoffs sum to {bounded_number(total)} {_when(first)}, and to"
        f" {bounded_number(sum(other.payoffs.values()))}"
        f" {_when(other)}",
        (first, other),
    )


def _first_leaf(tree: Tree) -> int:
    return int(np.argmax(tree.player == LEAF))


def _odd_one_out(tree: Tree, total: Fraction | int) -> Fact:
    """The first leaf whose payoffs do not sum to this."""
    under = lcm(total.denominator, *(own.denominator for own in tree.leaf_payoffs))
    sums = np.zeros(len(tree.leaf_indices), np.int64)
    for own in tree.leaf_payoffs:
        sums = added(sums, multiplied(own.numerators, fitted([under // own.denominator])))
    wrong = tree.leaf_indices[sums != total.numerator * (under // total.denominator)]
    if not len(wrong):
        return Fact(True, f"the payoffs of every play sum to {bounded_number(total)}")
    leaf = Node(tree, int(wrong[0]))
    paid = bounded_number(sum(leaf.payoffs.values()))
    return Fact(False, f"the payoffs {_when(leaf)} sum to {paid}", (leaf,))


def own_sequences(tree: Tree, player: int) -> Longs:
    """[node] the player's last own choice on the way there, numbered; -1 if it had none.

    Choice j at information set i has the number ``first[i] + j``, where ``first`` counts the
    actions of the information sets before it.
    """
    sizes = tree.menu_sizes.astype(np.int64)
    first = np.cumsum(sizes) - sizes
    above = np.maximum(tree.parent, 0)
    own = tree.player[above] == player
    own[0] = False  # the root, above which there is nothing
    chosen = np.full(len(tree), -1, np.int64)
    chosen[own] = first[tree.infoset[above[own]]] + tree.action[own]
    # [node] the nearest one on the way that an own choice led to, or the root: pointers to it jump
    # twice as far in every pass, so that there are as many passes as the depth has binary digits.
    nearest = np.where(own, np.arange(len(tree), dtype=np.int32), above)
    while True:
        further = nearest[nearest]
        if np.array_equal(further, nearest):
            return chosen[nearest]
        nearest = further


def recall(tree: Tree, player: int) -> Fact:
    """Whether a player has perfect recall; if not, what it forgets, and where."""
    name = tree.names[player]
    start, node = tree.members
    last = tree.choices[player].last[node]
    if len(node):
        differs = last != np.repeat(last[start[:-1]], start[1:] - start[:-1])
        differs &= tree.player[node] == player
        at = int(np.argmax(differs))
        if differs[at]:
            here = Node(tree, int(node[at]))
            infoset = Infoset(tree, int(tree.infoset[here.index]))
            return _imperfect_recall(infoset, infoset.nodes[0], here)
    return Fact(True, f"{name} reaches each information set by one sequence of its own choices")


def _imperfect_recall(infoset: Infoset, one: Node, two: Node) -> ImperfectRecall:
    first, second = _own_choices(one, infoset.player), _own_choices(two, infoset.player)
    at = 0
    while at < min(len(first), len(second)) and first[at] == second[at]:
        at += 1
    choices = [
        f"{text(own[at][1])} at {own[at][0].name}" for own in (first, second) if at < len(own)
    ]
    choice = f"whether it chose {' or '.join(choices)}"
    because = f"{infoset.player}, at {infoset.name}, forgets {choice} ({_when(one)}; {_when(two)})"
    return ImperfectRecall(False, because, (one, two), infoset, choice)


def _own_choices(node: Node, player: str) -> list[tuple[Infoset, object]]:
    chosen: list[tuple[Infoset, object]] = []
    at: Node | None = node
    while at is not None and (above := at.parent) is not None:
        if above.player == player and (infoset := above.infoset) is not None:
            chosen.append((infoset, at.action))
        at = above
    return chosen[::-1]


def absent_minded(tree: Tree, players: list[int]) -> Fact:
    """Whether a play can meet an information set of these players twice."""
    for player in players:
        own = tree.player == player
        nearest = np.full(len(tree), -1, np.int32)  # the player's last node strictly above
        for level in tree.levels[1:]:
            above = tree.parent[level]
            nearest[level] = np.where(own[above], above, nearest[above])
        nodes = np.flatnonzero(own)
        back = nearest[nodes]
        while (alive := back >= 0).any():
            nodes, back = nodes[alive], back[alive]
            met = tree.infoset[nodes] == tree.infoset[back]
            if met.any():
                at = int(np.argmax(met))
                two, one = Node(tree, int(nodes[at])), Node(tree, int(back[at]))
                infoset = Infoset(tree, int(tree.infoset[two.index]))
                return Fact(
                    True, f"{_set(infoset)} is met {_when(one)} and again {_when(two)}", (one, two)
                )
            back = nearest[back]
    return Fact(False, "no play meets an information set twice")


def _set(infoset: Infoset) -> str:
    return f"{infoset.player}'s information set {infoset.name}"


def _play(node: Node) -> str:
    return history_text(node.history)


def _when(node: Node) -> str:
    return place_text(node.history)


# -------------------------------------------------------------------- sizes


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
    """The number of ways to choose one action at each information set."""
    sizes = Counter(tree.menu_sizes[tree.infoset_player == player].tolist())
    return prod(size**count for size, count in sizes.items())


def reduced_strategies(tree: Tree, player: int) -> int | None:
    """Pure strategies that differ at sets which the player's own earlier choices can reach.

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
    the choice at one that is reached leaves a smaller problem of the same kind for the others:
    paths with another choice there are dropped, and information sets without a path are never
    reached. Problems that share no information set are counted apart and multiplied, and results
    are cached.
    """
    sizes = tree.menu_sizes.tolist()
    results: dict[Problem, int] = {}
    work = 0

    def count(problem: Problem) -> int:
        nonlocal work
        if problem not in results:
            work += sum(len(ways) for _, ways in problem)
            if work > MOST_WORK:
                raise OverflowError
            infoset = min(h for h, ways in problem if frozenset() in ways)
            results[problem] = sum(
                prod(count(part) for part in _parts(_after(problem, infoset, action)))
                for action in range(sizes[infoset])
            )
        return results[problem]

    paths = own_paths(tree, player)
    whole = {infoset: frozenset(ways) for infoset, ways in paths.items()}
    try:
        return prod(count(part) for part in _parts(whole))
    except (OverflowError, RecursionError):
        return None


Path = frozenset[tuple[int, int]]  # own choices, (information set, action), towards a node
Problem = frozenset[tuple[int, frozenset[Path]]]  # information sets, each with its paths


def _after(problem: Problem, infoset: int, action: int) -> dict[int, frozenset[Path]]:
    """What is left to choose when a choice is made."""
    made = (infoset, action)
    left: dict[int, frozenset[Path]] = {}
    for other, ways in problem:
        if other == infoset:
            continue
        open_ways = frozenset(
            way - {made} for way in ways if all(a == action for h, a in way if h == infoset)
        )
        if open_ways:
            left[other] = frozenset([frozenset()]) if frozenset() in open_ways else open_ways
    return left


def _parts(paths: dict[int, frozenset[Path]]) -> list[Problem]:
    """Independent problems: those that share no information set."""
    group = {infoset: infoset for infoset in paths}

    def root(infoset: int) -> int:
        while group[infoset] != infoset:
            group[infoset] = infoset = group[group[infoset]]
        return infoset

    for infoset, ways in paths.items():
        for way in ways:
            for other, _ in way:
                if other in group:  # an absent-minded path holds a choice of its own set
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
