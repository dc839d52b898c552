"""Components of the set of equilibria of a two-player game, from its extreme equilibria.

If x with y, x with y', x' with y and x' with y' are all equilibria, so is every convex combination
of x and x' with every convex combination of y and y': each is a best response to all of the other
side. So consider the bipartite graph with an edge between x and y for every extreme equilibrium
(x, y). The convex hulls of the two sides of a maximal complete bipartite subgraph are a *maximal
Nash subset*, a product of two polytopes. The set of all equilibria is the union of these, and its
topological *components* are the connected components of the graph.

    subsets       maximal complete bipartite subgraphs (maximal Nash subsets)
    components    connected components of the graph
    dimension     of conv(X) times conv(Y), the sum of both; of a component, the largest

Sources: Winkels 1979; Jansen 1981; Avis, Rosenberg, Savani & von Stengel 2010, section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.linear.graphs import connected_components
from infoset.linear.numbers import Numbers

Numbering = tuple[int, ...]
Subset = tuple[Numbering, Numbering]


@dataclass(frozen=True)
class Component:
    """A connected component of the set of equilibria.

    Equilibria are identified by their numbers, from 0 on. A subset (X, Y) means: any convex
    combination of player one's strategies in the equilibria X is an equilibrium with any convex
    combination of player two's in Y. Each distinct strategy is identified by the first equilibrium
    that contains it.

    >>> print(Component(1, (0, 1, 3), 1, (((0,), (0, 1, 3)),)))
    component 1: 3 extreme equilibria, dimension 1
    """

    number: int  # counted from 1
    members: Numbering  # the extreme equilibria in it
    dimension: int  # 0: a single equilibrium
    subsets: tuple[Subset, ...]  # the maximal Nash subsets in it

    def __str__(self) -> str:
        count = len(self.members)
        kind = "extreme equilibria" if count > 1 else "extreme equilibrium"
        return f"component {self.number}: {count:,} {kind}, dimension {self.dimension}"

    @property
    def record(self) -> dict[str, Any]:
        """For files."""
        subsets = [[list(one), list(two)] for one, two in self.subsets]
        return {
            "number": self.number,
            "members": list(self.members),
            "dimension": self.dimension,
            "subsets": subsets,
        }

    @classmethod
    def read(cls, record: dict[str, Any]) -> Component:
        """From a file.

        >>> whole = Component(2, (4,), 0, (((4,), (4,)),))
        >>> Component.read(whole.record) == whole
        True
        """
        subsets = tuple((tuple(one), tuple(two)) for one, two in record["subsets"])
        return cls(record["number"], tuple(record["members"]), record["dimension"], subsets)


def components(pairs: Sequence[tuple[Numbers, Numbers]]) -> tuple[Component, ...]:
    """The components of all extreme equilibria (x, y), in the order of their first members.

    The weights of a plan must be normalized: they sum to one, or the first is one.

    >>> left, right = Numbers.of([1, 0]), Numbers.of([0, 1])
    >>> for one in components([(left, left), (left, right), (right, right)]):
    ...     print(one, one.subsets)
    component 1: 3 extreme equilibria, dimension 1 (((0,), (0, 1)), ((0, 2), (1,)))
    """
    rows, columns = (_first_places([pair[side] for pair in pairs]) for side in (0, 1))
    neighbours: dict[int, int] = {}  # by x: the y in equilibrium with it, as bits
    for row, column in zip(rows, columns, strict=True):
        neighbours[row] = neighbours.get(row, 0) | 1 << column
    made: list[Component] = []
    least = connected_components(np.array(rows, np.int64), np.array(columns, np.int64), len(pairs))
    for first in np.unique(least[rows]).tolist():
        members = tuple(at for at, row in enumerate(rows) if least[row] == first)
        part = {rows[at] for at in members}
        subsets = sorted(_subsets({row: neighbours[row] for row in part}))
        dimension = max(
            _dimension([pairs[at][0] for at in one]) + _dimension([pairs[at][1] for at in two])
            for one, two in subsets
        )
        made.append(Component(len(made) + 1, members, dimension, tuple(subsets)))
    return tuple(made)


def _first_places(plans: Sequence[Numbers]) -> list[int]:
    """[plan] the place of the first one equal to it."""
    seen: dict[tuple[Any, ...], int] = {}
    return [seen.setdefault(_key(plan), at) for at, plan in enumerate(plans)]


def _key(plan: Numbers) -> tuple[Any, ...]:
    lowest = plan.lowest()
    return (lowest.denominator, *lowest.numerators.tolist())


def _subsets(neighbours: dict[int, int]) -> list[Subset]:
    """All maximal complete bipartite subgraphs.

    Their sets of y are the intersections of neighbourhoods of x, which are collected by adding one
    x after the other.
    """
    common: dict[int, None] = {}
    for columns in neighbours.values():
        new = [columns, *(columns & other for other in common)]
        common.update(dict.fromkeys(columns for columns in new if columns))
    return [
        (tuple(row for row in neighbours if neighbours[row] & columns == columns), _bits(columns))
        for columns in common
    ]


def _bits(columns: int) -> Numbering:
    return tuple(at for at in range(columns.bit_length()) if columns >> at & 1)


def _dimension(plans: Sequence[Numbers]) -> int:
    """The dimension of the convex hull of some plans, which lies in a plane that misses zero."""
    from flint import fmpz_mat

    if len(plans) < 2:
        return 0
    rows = [[int(weight) for weight in plan.numerators] for plan in plans]
    return int(fmpz_mat(rows).rank()) - 1
