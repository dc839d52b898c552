"""What the first player may get: within its bounds, or it is refused by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from infoset.errors import NotApplicable, ParameterError, RulesError
from infoset.rules import Position
from infoset.rules.exact import exact, in_words
from infoset.rules.story import brief
from infoset.search.limits import evaluated

Bounds = tuple[Fraction | None, Fraction | None]  # the least and the most; None: not known


def pair(given: Any) -> Bounds:
    """Bounds as they were given; an end may be open: None, or infinite.

    >>> pair((None, 10)), pair((-0.5, float("inf")))
    ((None, Fraction(10, 1)), (Fraction(-1, 2), None))
    """
    try:
        least, most = given
        low = None if _open(least, -math.inf) else exact(least)
        high = None if _open(most, math.inf) else exact(most)
    except (TypeError, ValueError):  # RulesError among them
        raise ParameterError(
            f"bounds={brief(repr(given), 60)}: give two numbers, the least and the most, or None"
            " for an open end"
        ) from None
    if low is not None and high is not None and low > high:
        raise ParameterError(f"bounds={brief(repr(given), 60)}: the least is above the most")
    return low, high


def _open(end: Any, infinite: float) -> bool:
    return end is None or (isinstance(end, float) and end == infinite)


def within(bounds: Bounds, amount: Fraction, name: str, player: str, where: str) -> Fraction:
    """A payoff, if it lies within the bounds: by a wrong bound too much would be pruned."""
    low, high = bounds
    if high is not None and amount > high:
        said = f"more than the bound {in_words(high)}"
    elif low is not None and amount < low:
        said = f"less than the bound {in_words(low)}"
    else:
        return amount
    raise RulesError(
        f"{name}: {player} gets {in_words(amount)} {where}, {said}; give bounds= that hold"
    )


def evaluated_within(
    bounds: Bounds, evaluator: Callable[[Position], Any], position: Position, name: str
) -> Fraction:
    """What the evaluator says of a position, if it can be so."""
    amount = evaluated(evaluator, position, name)
    low, high = bounds
    if (high is not None and amount > high) or (low is not None and amount < low):
        most = "" if high is None else f" at most {in_words(high)}"
        least = "" if low is None else f" at least {in_words(low)}"
        raise ParameterError(
            f"{name}: evaluator= gave {in_words(amount)} at {brief(repr(position), 100)}, but the"
            f" first player gets{least}{' and' if least and most else ''}{most}"
        )
    return amount


def not_constant(name: str, method: str, sums: str) -> NotApplicable:
    """Two players whose interests are not opposed."""
    return NotApplicable(
        f"{name}: {method} is for two players only if they share a constant sum, but the"
        f" {sums.removeprefix('the ')}; lcp and enumerate take such games"
    )
