"""Chains, partitions and profiles: what makes a combination of cards, pieces or numbers.

After Koller & Pfeffer (1997). In Gala, ``chain(P, S)`` says that consecutive elements of S stand in
the relation P; ``partition(R, S, Classes)`` gives the classes of S under an equivalence R; and
``partition_profile(R, S, Sizes)`` gives the sizes of the classes, largest first. A straight is a
chain under "one rank higher", a flush has one class by suit, a full house has the profile (3, 2) by
rank.

One thing differs. The equivalence is given by a function ``by``, and two items are equivalent if
``by`` gives the same for both. So reflexivity, symmetry and transitivity need no proof, and n items
cost n calls where a relation between two items costs up to n².
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import pairwise, starmap
from typing import TypeVar

__all__ = ["chain", "partition", "profile"]

T = TypeVar("T")


def chain(relation: Callable[[T, T], object], items: Iterable[T]) -> bool:
    """Whether each item stands in the relation to the one after it.

    Parameters
    ----------
    relation
        A function of two items that is true if they stand in the relation.
    items
        In order. No item or one always form a chain.

    Returns
    -------
    bool
        Whether it holds for all neighbours.

    Examples
    --------
    >>> chain(lambda low, high: high == low + 1, (3, 4, 5))
    True
    >>> from operator import lt
    >>> chain(lt, (1, 5, 5))
    False
    """
    return all(starmap(relation, pairwise(items)))


def partition(
    items: Iterable[T], by: Callable[[T], Hashable] | None = None
) -> tuple[tuple[T, ...], ...]:
    """The classes of the items that agree in ``by``, or that are equal if it is left out.

    Parameters
    ----------
    items
        What to partition.
    by
        A function of an item; two items are equivalent if it gives the same for both.

    Returns
    -------
    tuple of tuples
        The classes; both they and the items in each are in order of appearance.

    Examples
    --------
    >>> partition(("ox", "cat", "ant", "bee", "hen"), by=len)
    (('ox',), ('cat', 'ant', 'bee', 'hen'))
    >>> partition((5, 2, 5, 5, 2))
    ((5, 5, 5), (2, 2))
    """
    classes: dict[Hashable, list[T]] = {}
    for item in items:
        classes.setdefault(item if by is None else by(item), []).append(item)
    return tuple(map(tuple, classes.values()))


def profile(items: Iterable[T], by: Callable[[T], Hashable] | None = None) -> tuple[int, ...]:
    """The sizes of the classes of :func:`partition`, largest first.

    Parameters
    ----------
    items, by
        As of :func:`partition`.

    Returns
    -------
    tuple of int
        The sizes.

    Examples
    --------
    >>> profile((5, 2, 5, 5, 2))
    (3, 2)
    >>> profile(range(10), by=lambda number: number % 3)
    (4, 3, 3)
    """
    sizes: dict[Hashable, int] = {}
    for item in items if by is None else map(by, items):
        sizes[item] = sizes.get(item, 0) + 1
    return tuple(sorted(sizes.values(), reverse=True))
