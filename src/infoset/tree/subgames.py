"""Subgames: the parts of a tree that are games of their own.

A node that is no leaf is the root of a *subgame* if no information set leaves the subtree below
it: every set that has a node in it lies in it wholly (Selten 1965; Kuhn 1953 calls such a tree
decomposable). Whoever moves there knows that the play is there, so the subtree can be analysed
alone. The whole tree is a subgame; the others are *proper*.

Two subtrees are either nested or apart, and so are subgames. What is left of a subgame when the
subgames inside it are cut off, a leaf put in the place of each, is its *remainder*. Every
information set belongs to the remainder of exactly one subgame: the innermost one it lies in. (If
it lay in two remainders, a subgame would hold some of its nodes and not others.)

*Finding them.* Nodes are numbered depth first, so that the subtree of v is the range of numbers
v, ..., end(v) - 1. Give every decision the smallest and the largest number in its information set,
and let low(v) and high(v) be the least and the largest of these below v. Then

    v is the root of a subgame  iff  v <= low(v)  and  high(v) < end(v).

These are minima and maxima over children: one pass over the levels, from the last to the first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import TreeError
from infoset.rules.moves import CHANCE, LEAF
from infoset.text import place_text
from infoset.tree.builder import renumber
from infoset.tree.record import Tree
from infoset.tree.views import Node, Views

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Amounts = Sequence[Fraction | int]


@dataclass(frozen=True, eq=False, repr=False)
class Subgames(Sequence[Node]):
    """The subgames of a tree, by the numbers of their roots; the first is the whole tree.

    As a sequence: their roots. Subgame k comes before all that are inside it.
    """

    tree: Tree
    roots: Ints  # [subgame] its root, in increasing order
    around: Ints  # [subgame] the smallest one that it is properly inside of; -1 for the whole tree
    within: Ints  # [node] the smallest subgame that it is in; a root is in its own
    end: Ints  # [subgame] one past the last of its nodes
    _own: tuple[Longs, Ints]  # ranges of nodes by the smallest subgame they are in
    _inner: tuple[Longs, Ints]  # ranges of subgames by the one around them

    def __len__(self) -> int:
        return len(self.roots)

    def __getitem__(self, number: Any) -> Any:
        """The root of a subgame, or of several."""
        return Views(lambda at: Node(self.tree, int(self.roots[at])), len(self))[number]

    def __iter__(self) -> Iterator[Node]:
        return (Node(self.tree, root) for root in self.roots.tolist())

    def __repr__(self) -> str:
        return f"<{len(self):,} subgame{'s' * (len(self) != 1)} of {self.tree.name}>"

    def number(self, node: int | Node) -> int:
        """The number of the subgame with this root."""
        root = node.index if isinstance(node, Node) else node
        if not isinstance(root, int | np.integer) or isinstance(root, bool):
            raise TreeError(
                f"{self.tree.name}: {node!r:.60} is not a node; give one, or its number"
            )
        at = int(np.searchsorted(self.roots, root))
        if at < len(self.roots) and self.roots[at] == root:
            return at
        if not 0 <= root < len(self.tree):
            last = len(self.tree) - 1
            raise TreeError(f"{self.tree.name}: there is no node {root}; they go from 0 to {last}")
        view = Node(self.tree, root)
        place, why = place_text(view.history), _crossing(self.tree, view)
        raise TreeError(f"{self.tree.name}: no subgame begins {place}: {why}")

    def own(self, number: int) -> Ints:
        """The nodes of a subgame that are in no subgame inside it, in increasing order."""
        start, nodes = self._own
        return nodes[start[number] : start[number + 1]]

    def inner(self, number: int) -> Ints:
        """The largest subgames properly inside a subgame, by number."""
        start, inside = self._inner
        return inside[start[number] : start[number + 1]]


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a tree as a tree of its own, and where it was taken from."""

    tree: Tree
    nodes: Ints  # [node of the part] its number in the tree that it is a part of
    infosets: Ints  # [information set of the part] likewise
    players: tuple[int, ...]  # [player of the part] likewise


def subgames(tree: Tree) -> Subgames:
    """All subgames of a tree, leaves left out, in time linear in the number of nodes.

    Parameters
    ----------
    tree
        The tree.

    Returns
    -------
    Subgames
        A sequence of their roots.

    Examples
    --------
    >>> from infoset.games import entry_game, kuhn
    >>> subgames(entry_game().tree())
    <2 subgames of entry_game()>
    >>> [str(root) for root in subgames(entry_game().tree())]
    ['at the start', 'entrant: in']
    >>> len(subgames(kuhn().tree()))
    1
    """
    if not isinstance(tree, Tree):
        raise TreeError(f"{tree!r:.60} is not a tree; game.tree() makes one")
    end, low, high = _extents(tree)
    closed = (low >= np.arange(len(tree))) & (high < end) & (tree.player != LEAF)
    closed[0] = True  # the whole tree, even if it is but a leaf
    roots = np.flatnonzero(closed).astype(np.int32)
    number = np.cumsum(closed, dtype=np.int32) - np.int32(1)
    within = np.zeros(len(tree), np.int32)
    for level in tree.levels[1:]:
        above = within[tree.parent[level]]
        within[level] = np.where(closed[level], number[level], above)
    around = np.concatenate(([-1], within[tree.parent[roots[1:]]])).astype(np.int32)
    own = _grouped(within, len(roots))
    start, inside = _grouped(around[1:], len(roots))
    return Subgames(tree, roots, around, within, end[roots], own, (start, inside + np.int32(1)))


def _grouped(key: Ints, count: int) -> tuple[Longs, Ints]:
    """Positions by key, each group in increasing order, and where each group starts."""
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=count), out=start[1:])
    return start, np.argsort(key, kind="stable").astype(np.int32)


def _extents(tree: Tree) -> tuple[Ints, Ints, Ints]:
    """[node] one past its subtree; the first and last nodes of all sets that have nodes in it."""
    end = np.arange(1, len(tree) + 1, dtype=np.int32)
    low, high = end - np.int32(1), end - np.int32(1)
    start, member = tree.members
    decisions = np.flatnonzero(tree.player >= 0)
    sets = tree.infoset[decisions]
    if len(member):
        low[decisions] = np.minimum.reduceat(member, start[:-1])[sets]
        high[decisions] = np.maximum.reduceat(member, start[:-1])[sets]
    for level in tree.levels[:0:-1]:
        above = tree.parent[level]
        np.maximum.at(end, above, end[level])
        np.minimum.at(low, above, low[level])
        np.maximum.at(high, above, high[level])
    return end, low, high


def _crossing(tree: Tree, node: Node) -> str:
    """Why no subgame begins at a node: a player who may be there or elsewhere."""
    if node.is_leaf:
        return "the game is over there"
    end, _, _ = _extents(tree)
    inside = range(node.index, int(end[node.index]))
    for index in inside:
        infoset = Node(tree, index).infoset
        if infoset is None:
            continue
        for other in infoset.nodes:
            if other.index not in inside:
                return (
                    f"{infoset.player}, at {infoset.label!r}, cannot tell it from"
                    f" ({other}); subgames(tree) lists those that there are"
                )
    raise AssertionError("a subgame begins here")


# ---------------------------------------------------------------------- parts as trees


def subgame(tree: Tree, node: int | Node = 0) -> Part:
    """The subgame that begins at a node, as a tree; payoffs are those of whole plays.

    Parameters
    ----------
    tree
        The whole tree.
    node
        The root of the subgame.

    Returns
    -------
    Part
        The tree, and which nodes and information sets it took.

    Raises
    ------
    TreeError
        If no subgame begins there, with the information set that prevents it.

    Examples
    --------
    >>> from infoset.games import entry_game
    >>> part = subgame(entry_game().tree(), 1)
    >>> print(part.tree)
    incumbent #1 (in)
    ├─ accommodate: entrant 2, incumbent 2
    └─ fight: entrant 0, incumbent 0
    >>> part.nodes.tolist(), part.infosets.tolist()
    ([1, 2, 3], [1])
    """
    if isinstance(node, Node) and node.tree is not tree:
        raise TreeError(f"{node!r} is a node of another tree")
    every = subgames(tree)
    at = every.number(node)
    nodes = np.arange(every.roots[at], every.end[at], dtype=np.int32)
    return _part(every, nodes, {}, everyone=True)


def remainder(
    every: Subgames,
    number: int,
    values: Mapping[int, Amounts],
    *,
    everyone: bool = True,
) -> Part:
    """A subgame with every subgame inside it replaced by a leaf that pays its value.

    Takes time linear in the size of the part.

    Parameters
    ----------
    every
        All subgames of a tree.
    number
        Which one.
    values
        The payoffs of the subgames inside it, by number.
    everyone
        Keep all players; if not, only those who move in this part, and at least one.

    Returns
    -------
    Part
        The remainder as a tree.

    Examples
    --------
    >>> from infoset.games import entry_game
    >>> every = subgames(entry_game().tree())
    >>> print(remainder(every, 0, {1: (2, 2)}).tree)
    entrant #1 (nothing yet)
    ├─ in: entrant 2, incumbent 2
    └─ out: entrant 1, incumbent 5
    """
    inner = every.inner(number)
    leaves = every.roots[inner]
    nodes = np.sort(np.concatenate((every.own(number), leaves)))
    paid = {
        root: tuple(map(Fraction, values[at]))
        for root, at in zip(leaves.tolist(), inner.tolist(), strict=True)
    }
    return _part(every, nodes, paid, everyone)


def _part(
    every: Subgames, nodes: Ints, paid: Mapping[int, tuple[Fraction, ...]], everyone: bool
) -> Part:
    """Some nodes as a tree; those in ``paid`` are leaves."""
    tree = every.tree.settled
    root = Node(every.tree, int(nodes[0]))
    parent = np.searchsorted(nodes, tree.parent[nodes]).astype(np.int32)
    action, mover = tree.action[nodes], tree.player[nodes]
    parent[0] = action[0] = -1
    mover[[at for at, node in enumerate(nodes.tolist()) if node in paid]] = LEAF
    moving = sorted(set(mover.tolist()) - {CHANCE, LEAF})
    players = tuple(range(len(tree.players)) if everyone else moving or [0])
    outcome, payoffs = _payoffs(tree, nodes, mover, paid, players)
    place = np.where(mover == LEAF, np.int32(-1), tree.infoset[nodes])
    infosets = np.array(renumber(place, mover >= 0), np.int32)
    lotteries = renumber(place, mover == CHANCE)
    menus = tree.infoset_menu[infosets]
    kept = renumber(menus, np.ones(len(menus), np.bool_))
    new_player = np.full(len(tree.players) + 2, -1, np.int8)
    new_player[list(players)] = np.arange(len(players))
    new_player[[CHANCE, LEAF]] = CHANCE, LEAF  # both are negative, so these are the last two
    part = Tree(
        name=every.tree.name if root.index == 0 else f"{tree.name}, {place_text(root.history)}",
        players=tuple(tree.names[player] for player in players),
        parent=parent,
        action=action,
        player=new_player[mover],
        infoset=place,
        outcome=outcome,
        infoset_player=new_player[tree.infoset_player[infosets]],
        infoset_menu=menus,
        menus=tuple(tree.menus[menu] for menu in kept),
        labels=Views(lambda at: tree.labels[int(infosets[at])], len(infosets)),
        lotteries=tuple(tree.lotteries[at] for at in lotteries),
        payoffs=payoffs,
        comment=tree.comment if root.index == 0 else "",
    )
    return Part(part, nodes, infosets, players)


def _payoffs(
    tree: Tree,
    nodes: Ints,
    mover: npt.NDArray[np.int8],
    paid: Mapping[int, tuple[Fraction, ...]],
    players: Sequence[int],
) -> tuple[Ints, tuple[tuple[Fraction, ...], ...]]:
    """What the leaves of a part pay, as numbers in a table, and the table."""
    outcome = np.full(len(nodes), -1, np.int32)
    table: dict[Hashable, int] = {}
    for at in np.flatnonzero(mover == LEAF).tolist():
        node = int(nodes[at])
        whole = paid[node] if node in paid else tree.payoffs[tree.outcome[node]]
        outcome[at] = table.setdefault(tuple(whole[player] for player in players), len(table))
    return outcome, tuple(table)  # type: ignore[arg-type]
