"""What a search must not run past: evaluations that are no numbers, and plays that do not end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from infoset.errors import Endless, ParameterError, RulesError
from infoset.objects.numbers import exact
from infoset.rules import Position
from infoset.text import brief

FRAMES = 8  # calls within calls for one move, where a search does not say


def evaluated(evaluator: Callable[[Position], Any], position: Position, name: str) -> Fraction:
    """What an evaluator says of a position, as an exact number.

    A float means the decimal that it prints as. What is no number, or not a finite one, is refused;
    ``name`` is the game's, for the message.

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
            f"{name}: evaluator= gave {brief(repr(said), 60)} at {at}; it must give a number"
        ) from None


@contextmanager
def deep_recursion(name: str, moves: int, frames: int = FRAMES) -> Iterator[None]:
    """Let functions call themselves as often as a play may have moves; past that, it is endless.

    Calls from Python to Python take memory and no stack of the machine's (since Python 3.11), so
    that a play may have many thousand moves. ``frames`` are the calls within calls that one move
    takes; ``name`` is the game's, for the message.

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
