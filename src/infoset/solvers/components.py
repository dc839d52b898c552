"""How the extreme equilibria of a game of two hang together: the whole set of its equilibria.

If x with y, x with y', x' with y and x' with y' are all equilibria, so is every mixture of x and x'
with every mixture of y and y': each is a best reply to all of the other side. So join each x to the
y that it makes an extreme equilibrium with. Where a set of x and a set of y are all joined to each
other, and no further x or y can be added to them, their mixtures are a *maximal Nash subset*, a
product of two polytopes. All equilibria are the union of these; where they share a corner they
touch, and what can be reached from one to the next is a *component*.

    subsets       maximal complete parts of the graph, all of whose x and y are joined
    components    its connected parts
    dimension     of conv(X) times conv(Y), the sum of both; of a component, the largest

Sources: Winkels 1979; Jansen 1981; Avis, Rosenberg, Savani & von Stengel 2010, section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from infoset.linear.numbers import Numbers

Numbering = tuple[int, ...]
Subset = tuple[Numbering, Numbering]


@dataclass(frozen=True)
class Component:
    """A connected part of the set of equilibria.

    Equilibria are named by their numbers, from 0 on. A subset (X, Y) says: any mixture of player
    one's strategies in the equilibria X is an equilibrium with any mixture of player two's in Y.
    Each different strategy is named once, by the first equilibrium that has it.

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
    """The components of all extreme equilibria x, y, in the order of their first ones.

    The weights of a plan must be such that multiples of it are none: they sum to one, or the first
    is one.

    >>> left, right = Numbers.of([1, 0]), Numbers.of([0, 1])
    >>> for one in components([(left, left), (left, right), (right, right)]):
    ...     print(one, one.subsets)
    component 1: 3 extreme equilibria, dimension 1 (((0,), (0, 1)), ((0, 2), (1,)))
    """
    rows, columns = (_first_numbers([pair[side] for pair in pairs]) for side in (0, 1))
    joined: dict[int, int] = {}  # by x: the y that go with it, as bits
    for row, column in zip(rows, columns, strict=True):
        joined[row] = joined.get(row, 0) | 1 << column
    made: list[Component] = []
    for part in _connected(joined):
        members = tuple(at for at, row in enumerate(rows) if row in part)
        subsets = sorted(_subsets({row: joined[row] for row in part}))
        dimension = max(
            _dimension([pairs[at][0] for at in one]) + _dimension([pairs[at][1] for at in two])
            for one, two in subsets
        )
        made.append(Component(len(made) + 1, members, dimension, tuple(subsets)))
    return tuple(made)


def _first_numbers(plans: Sequence[Numbers]) -> list[int]:
    """[plan] where it is first to be found."""
    seen: dict[tuple[Any, ...], int] = {}
    return [seen.setdefault(_key(plan), at) for at, plan in enumerate(plans)]


def _key(plan: Numbers) -> tuple[Any, ...]:
    lowest = plan.lowest()
    return (lowest.denominator, *lowest.numerators.tolist())


def _connected(joined: dict[int, int]) -> list[set[int]]:
    """The x of each connected part, in the order of the first of them."""
    parts: list[tuple[set[int], int]] = []
    for row, columns in joined.items():
        touched = [part for part in parts if part[1] & columns]
        own, others = {row}, columns
        for part in touched:
            own, others = own | part[0], others | part[1]
        parts = [part for part in parts if part not in touched] + [(own, others)]
    return sorted((own for own, _ in parts), key=min)


def _subsets(joined: dict[int, int]) -> list[Subset]:
    """All maximal complete parts: sets of y that are all that some set of x have in common.

    One x after the other is added: what it has in common with the sets there are, are sets, too.
    """
    common: dict[int, None] = {}
    for columns in joined.values():
        new = [columns, *(columns & other for other in common)]
        common.update(dict.fromkeys(columns for columns in new if columns))
    return [
        (tuple(row for row in joined if joined[row] & columns == columns), _bits(columns))
        for columns in common
    ]


def _bits(columns: int) -> Numbering:
    return tuple(at for at in range(columns.bit_length()) if columns >> at & 1)


def _dimension(plans: Sequence[Numbers]) -> int:
    """Of the polytope of all mixtures of some plans; it lies in a plane that misses zero."""
    from flint import fmpz_mat

    if len(plans) < 2:
        return 0
    rows = [[int(weight) for weight in plan.numerators] for plan in plans]
    return int(fmpz_mat(rows).rank()) - 1
