"""Pure strategies, listed without looking at what cannot matter.

A pure strategy, here a *plan*, chooses an action at every information set of its player. A
*reduced* plan leaves out those that its own choices keep the player from: plans that differ there
alone play alike.

A player's own choices on the way to a node are its *path* there. A *parting* is an information set
come to by one path: from there a path goes on for each action, and no plan is on two of them. With
perfect recall each information set is one parting. A player who forgets may come to it by several
paths: the plan chooses at the first parting, and is bound by that at the others. So where a play
meets one information set twice, no plan is on a path with two different choices. A single action
binds nothing, and paths leave it out.

The partings list the plans. They are met in the order of the nodes, earlier ones on a path first.
Each splits the plans that come to it and have not yet chosen at its information set into one for
each action. What is known of a plan by then holds for all that it splits into, and is copied once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.tree import Tree

Plan = tuple[tuple[int, int], ...]  # (information set, action) pairs, in the order of the sets
Indices = npt.NDArray[np.intp]


class Parting(NamedTuple):
    """An information set come to by one path, and the paths that its actions lead on to."""

    path: int  # so far
    own: int  # which of the player's information sets
    first: int  # the path on by action 0; those by the others have the numbers after it
    size: int  # how many actions; a single one leads on by the same path


class Routes(NamedTuple):
    """The paths of one player; path 0 is the empty one."""

    infosets: list[int]  # the player's own
    sizes: list[int]  # [own information set] how many actions it has
    partings: list[Parting]  # earlier ones on a path first
    origin: list[int]  # [path] the parting that it comes from; -1 of the empty one
    path: list[int]  # [node] the player's path there


class Step(NamedTuple):
    """What the plans do where the paths ``first``, ``first + 1``, … part."""

    first: int
    size: int
    source: Indices  # the plans that split go on with action 0;
    target: Indices  # their copies take the others
    here: Indices  # all plans that come, copies included
    taken: npt.NDArray[np.int32]  # what each of these chooses


class Listing(NamedTuple):
    """The plans of one player in order; ``order`` has the numbers that they have in the steps."""

    chosen: npt.NDArray[np.int32]  # [plan, own information set] action, -1 where none is needed
    order: Indices  # [plan]
    steps: list[Step]  # the first is the empty path, which all plans are on


def find_routes(tree: Tree, player: int) -> Routes:
    """The paths of a player and where they part, in one pass over the nodes.

    >>> from infoset.games import absent_minded
    >>> find_routes(absent_minded().tree(), 0).path
    [0, 1, 3, 4, 2, 2, 2]
    """
    infosets: list[int] = np.flatnonzero(tree.infoset_player == player).tolist()
    own = {infoset: number for number, infoset in enumerate(infosets)}
    routes = Routes(infosets, tree.menu_sizes[infosets].tolist(), [], [-1], [])
    onward: dict[tuple[int, int], Sequence[int]] = {}  # (path, infoset) -> [action] path
    columns = (tree.parent, tree.action, tree.player, tree.infoset)
    parent, action, mover, infoset = (column.tolist() for column in columns)
    for node, above in enumerate(parent):
        path = routes.path[above] if above >= 0 else 0
        if above >= 0 and mover[above] == player:
            path = onward[path, infoset[above]][action[node]]
        routes.path.append(path)
        if mover[node] == player and (path, infoset[node]) not in onward:
            onward[path, infoset[node]] = _part(routes, path, own[infoset[node]])
    return routes


def _part(routes: Routes, path: int, own: int) -> Sequence[int]:
    """Note a new parting; the paths that go on from it, by action."""
    size = routes.sizes[own]
    onward = range(len(routes.origin), len(routes.origin) + size) if size > 1 else (path,)
    if size > 1:
        routes.origin.extend([len(routes.partings)] * size)
    routes.partings.append(Parting(path, own, onward[0], size))
    return onward


def list_plans(routes: Routes, count: int, reduced: bool) -> Listing:
    """All plans, of which there are ``count``; the first choice that a node asks for changes last.

    >>> from infoset.games import absent_minded
    >>> list_plans(find_routes(absent_minded().tree(), 0), 2, reduced=True).chosen.tolist()
    [[0], [1]]
    """
    chosen = np.full((count, len(routes.sizes)), -1, np.int32)
    if not reduced:
        chosen[:] = _combinations(routes.sizes)
    way = np.full((count, len(routes.partings)), -1, np.int32)  # [plan, parting] taken; -1: not met
    made = 1 if reduced else count
    none, all_made = np.arange(0), np.arange(made)
    steps = [Step(0, 1, none, none, all_made, np.zeros(made, np.int32))]
    for number, (path, own, first, size) in enumerate(routes.partings):
        here = np.arange(made)
        if path:
            before = routes.origin[path]
            here = here[way[:made, before] == path - routes.partings[before].first]
        split = here[chosen[here, own] < 0]
        chosen[split, own] = 0
        source = np.tile(split, size - 1)
        target = np.arange(made, made + len(source))
        made += len(source)
        chosen[target], way[target] = chosen[source], way[source]
        chosen[target, own] = np.repeat(np.arange(1, size), len(split))
        here = np.concatenate((here, target))
        way[here, number] = chosen[here, own]
        if size > 1:
            steps.append(Step(first, size, source, target, here, way[here, number]))
    # Two plans have the same way up to where the one split off from the other.
    order = np.lexsort(way.T[::-1]) if reduced and routes.partings else np.arange(count)
    return Listing(chosen[order], order, steps)


def _combinations(sizes: list[int]) -> npt.NDArray[np.int64]:
    """One number below each size, in all ways, the last changing fastest."""
    below = np.array([prod(sizes[own + 1 :]) for own in range(len(sizes))], np.int64)
    return np.arange(prod(sizes))[:, None] // below % np.array(sizes, np.int64)


def as_plans(routes: Routes, listing: Listing) -> tuple[Plan, ...]:
    """Each plan by itself, as the choices that it makes."""
    choice = cache(lambda infoset, action: (infoset, action))  # a pair is shared by many plans
    infosets = routes.infosets
    return tuple(
        tuple([choice(h, a) for h, a in zip(infosets, row, strict=True) if a >= 0])
        for row in listing.chosen.tolist()
    )
