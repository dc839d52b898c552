"""Several dice thrown at once.

Dice that look alike show a multiset of faces. Of the ``sides ** dice`` equally likely throws, those
that show face f exactly c_f times number

    dice! / ∏ c_f!  ·  ∏ m_f ** c_f,

where m_f is the number of sides with this face. These integers are the exact weights of the chance
move, and one chance node with a branch for each multiset replaces a chain of nodes, one for each
die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, TypeVar, overload

from infoset.errors import RulesError

__all__ = ["Roll", "rolls"]

T = TypeVar("T")


class Roll(tuple[T, ...]):
    """The faces that a throw shows; equal to the plain tuple of them.

    Examples
    --------
    >>> print(Roll((1, 3, 3)), Roll((1, 3, 3)).count(3))
    1 3 3 2
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"Roll({tuple(self)!r})"


@overload
def rolls(dice: int, faces: int = 6) -> tuple[tuple[Roll[int], ...], tuple[int, ...]]: ...
@overload
def rolls(dice: int, faces: Sequence[T]) -> tuple[tuple[Roll[T], ...], tuple[int, ...]]: ...
def rolls(
    dice: int, faces: int | Sequence[Any] = 6
) -> tuple[tuple[Roll[Any], ...], tuple[int, ...]]:
    """The different outcomes of throwing some equal dice at once, and the weight of each.

    Parameters
    ----------
    dice
        How many.
    faces
        The number of sides, with faces 1, 2, …; or the faces, of which several may be equal.

    Returns
    -------
    outcomes : tuple of Roll
        The multisets of faces, each in the order of the faces on the die.
    weights : tuple of int
        How many throws show each; they add up to ``sides ** dice``.

    Raises
    ------
    RulesError
        If there are no dice, or no faces.

    Examples
    --------
    >>> outcomes, weights = rolls(2, 3)
    >>> for outcome, weight in zip(outcomes, weights):
    ...     print(outcome, "weighs", weight)
    1 1 weighs 1
    1 2 weighs 2
    1 3 weighs 2
    2 2 weighs 1
    2 3 weighs 2
    3 3 weighs 1
    >>> rolls(1, ("hit", "miss", "miss"))
    ((Roll(('hit',)), Roll(('miss',))), (1, 2))
    """
    if isinstance(faces, int):
        return _rolls(dice, faces)
    if not isinstance(faces, Iterable):
        raise RulesError(f"faces={faces!r} of a die are neither a number of sides nor their values")
    values = tuple(faces)
    return _rolls(dice, values, tuple(map(type, values)))  # the types tell 1 from True


@lru_cache(maxsize=256)
def _rolls(
    dice: int, faces: int | tuple[Any, ...], _types: tuple[type, ...] = ()
) -> tuple[tuple[Roll[Any], ...], tuple[int, ...]]:
    if not isinstance(dice, int) or dice < 1:
        raise RulesError(f"rolls({dice!r}, …) throws no dice; throw at least one")
    sides: Iterable[Any] = range(1, faces + 1) if isinstance(faces, int) else faces
    times = Counter(sides)
    if not times:
        raise RulesError(f"rolls({dice}, {faces!r}) has dice without faces; give at least one")
    outcomes = tuple(map(Roll, combinations_with_replacement(times, dice)))
    return outcomes, tuple(_weight(outcome, times) for outcome in outcomes)


def _weight(outcome: Roll[Any], times: Counter[Any]) -> int:
    weight = factorial(len(outcome))
    for face, shown in Counter(outcome).items():
        weight = weight // factorial(shown) * times[face] ** shown
    return weight
