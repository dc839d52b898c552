"""Limits of a search: evaluations and payoffs within bounds, and the depth of recursion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from infoset.errors import Endless, NotApplicable, ParameterError, RulesError
from infoset.objects.numbers import exact
from infoset.rules import Position
from infoset.search.settings import Bounds
from infoset.text import bounded_number, brief


class SearchStopped(Exception):
    """A search was stopped, or its time is over."""


FRAMES = 8  # nested calls for one move, by default


def evaluated(
    evaluator: Callable[[Position], Any], position: Position, name: str, keyword: str = "evaluator"
) -> Fraction:
    """An evaluator's estimate of a position, as an exact number.

    A float means the decimal that it prints as. What is not a finite number is refused; ``name`` is
    the game's and ``keyword`` the evaluator's, for the message.

    >>> from infoset.games import kuhn
    >>> evaluated(lambda position: 0.1, kuhn().position(), "kuhn()")
    Fraction(1, 10)
    >>> evaluated(lambda position: "much", kuhn().position(), "kuhn()")
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: kuhn(): evaluator= gave 'much' at ...; it must give a number
    """
    said = evaluator(position)
    try:
        return exact(said)
    except RulesError:
        at = brief(repr(position), 100)
        raise ParameterError(
            f"{name}: {keyword}= gave {brief(repr(said), 60)} at {at}; it must give a number"
        ) from None


@contextmanager
def deep_recursion(name: str, moves: int, frames: int = FRAMES) -> Iterator[None]:
    """Allow recursion for plays of so many moves; longer plays are refused as endless.

    Calls from Python to Python take memory and no machine stack (since Python 3.11), so that a play
    may have many thousand moves. ``frames`` are the nested calls for one move; ``name`` is the
    game's, for the message.

    >>> def count(number):
    ...     return 0 if number == 0 else 1 + count(number - 1)
    >>> with deep_recursion("a long game", moves=2_000):
    ...     count(5_000)
    5000
    >>> with deep_recursion("a long game", moves=10):
    ...     count(5_000)
    Traceback (most recent call last):
    ...
    infoset.errors.Endless: a long game: a play goes on past 10 moves; give depth= to look less far
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + frames * moves)
    try:
        yield
    except RecursionError:
        raise Endless(
            f"{name}: a play goes on past {moves:,} moves; give depth= to look less far"
        ) from None
    finally:
        sys.setrecursionlimit(before)


def within(bounds: Bounds, amount: Fraction, name: str, player: str, where: str) -> Fraction:
    """A payoff, refused outside of the bounds, with which too much would be pruned."""
    low, high = bounds
    if high is not None and amount > high:
        said = f"more than the bound {bounded_number(high)}"
    elif low is not None and amount < low:
        said = f"less than the bound {bounded_number(low)}"
    else:
        return amount
    raise RulesError(
        f"{name}: {player} gets {bounded_number(amount)} {where}, {said}; give bounds= that hold"
    )


def evaluated_within(
    bounds: Bounds, evaluator: Callable[[Position], Any], position: Position, name: str
) -> Fraction:
    """An evaluator's estimate, refused outside of the bounds."""
    amount = evaluated(evaluator, position, name)
    low, high = bounds
    if (high is not None and amount > high) or (low is not None and amount < low):
        most = "" if high is None else f" at most {bounded_number(high)}"
        least = "" if low is None else f" at least {bounded_number(low)}"
        raise ParameterError(
            f"{name}: evaluator= gave {bounded_number(amount)} at"
            f" {brief(repr(position), 100)}, but the"
            f" first player gets{least}{' and' if least and most else ''}{most}"
        )
    return amount


def not_constant(name: str, method: str, sums: str) -> NotApplicable:
    """The error of a two-player game without a constant sum."""
    return NotApplicable(
        f"{name}: {method} takes two players only with a constant sum, but the"
        f" {sums.removeprefix('the ')}; lcp and enumerate take such games"
    )
