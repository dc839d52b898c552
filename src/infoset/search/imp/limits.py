"""What the first player may get: within its bounds, or it is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from infoset.errors import NotApplicable, ParameterError, RulesError
from infoset.rules import Position
from infoset.rules.exact import exact, in_words

Bounds = tuple[Fraction | None, Fraction | None]  # the least and the most; None: not known


def within(bounds: Bounds, amount: Fraction, name: str, player: str, where: str) -> Fraction:
    """A payoff, if it lies within the bounds: by a wrong bound too much would be pruned."""
    low, high = bounds
    if high is not None and amount > high:
        said, remedy = f"more than the bound {in_words(high)}", "upper="
    elif low is not None and amount < low:
        said, remedy = f"less than the bound {in_words(low)}", "lower="
    else:
        return amount
    raise RulesError(
        f"{name}: {player} gets {in_words(amount)} {where}, {said}; give {remedy} that holds"
    )


def evaluated(
    evaluator: Callable[[Position], Any], position: Position, bounds: Bounds, name: str
) -> Fraction:
    """What the evaluator says of a position, if it can be so."""
    said = evaluator(position)
    try:
        amount = exact(said)
    except RulesError:
        raise ParameterError(
            f"{name}: evaluator= gave {said!r:.60} at {position!r:.100}; it must give a number"
        ) from None
    low, high = bounds
    if (high is not None and amount > high) or (low is not None and amount < low):
        raise ParameterError(
            f"{name}: evaluator= gave {said!r:.60} at {position!r:.100}, beyond what anyone can"
            f" get, {'' if low is None else low} to {'' if high is None else high}"
        )
    return amount


def not_constant(name: str, method: str, sums: str) -> NotApplicable:
    """Two players whose interests are not opposed."""
    return NotApplicable(
        f"{name}: {method} is for two players only if they share a constant sum, but the"
        f" {sums.removeprefix('the ')}; lcp and enumerate take such games"
    )
