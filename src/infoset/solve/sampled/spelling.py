"""Information sets in files: a digest to know them again, and how they read.

Views may be any values that can be compared, and files hold no such values. So a key must read the
same in every run, and no two may read alike; its digest is that of how it reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Complex
from typing import Any, NamedTuple

from infoset.errors import NotApplicable
from infoset.rules.moves import Menu
from infoset.rules.story import brief, text

Key = tuple[str, Hashable, Menu]  # mover, view, options
STATE = 16  # digits of a state's digest: no two of a billion states are likely to share them


class Reading(NamedTuple):
    """How an information set reads."""

    label: str
    options: Menu
    number: int | None = None  # in the tree, from 1 on, if there is one
    state: Hashable = None  # what is known apart from the options; in a file, a digest of it


def digest(key: Key) -> bytes:
    """Of a key as it reads; refused where it may read otherwise in another run."""
    mover, view, options = key
    try:  # views are long and mostly new, what they are made of is not
        known = f"({','.join(map(_spelled, view))})" if type(view) is tuple else _spelled(view)
        words = f"{_spelled(mover)} {known} {_spelled(options)}"
    except _Unreadable as unreadable:
        raise NotApplicable(
            f"{brief(mover)} knows {brief(str(unreadable))}, which reads differently in every run,"
            " so no checkpoint can be kept; give it a repr that says what it is"
        ) from None
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()


class _Unreadable(Exception):
    """A value that reads differently in every run."""


@lru_cache(maxsize=1 << 15)
def _spelled(value: object) -> str:
    """A value as it reads in every run, the same for values that are equal.

    Sets have no order of their own, so theirs is made. Numbers and texts, tuples and sets of any
    type are spelled as plain ones, if they compare as those do: 1, 1.0 and True are one fact.
    """
    if isinstance(value, str) and type(value).__eq__ is str.__eq__:
        return str.__repr__(value)
    if isinstance(value, tuple) and type(value).__eq__ is tuple.__eq__:
        return f"({','.join(map(_spelled, value))})"
    if isinstance(value, frozenset) and type(value).__eq__ is frozenset.__eq__:
        return f"{{{','.join(sorted(map(_spelled, value)))}}}"
    if isinstance(value, Complex | Decimal):
        return _number(value)
    words = repr(value)
    if " at 0x" in words or "frozenset({" in words:
        raise _Unreadable(words)
    return words


def _number(value: Any) -> str:
    """A number as what it is exactly; infinities, and those of the plane, as they are."""
    try:
        return str(Fraction(value))
    except (TypeError, ValueError, OverflowError):
        return repr(value)


def written(reading: Reading) -> bytes:
    """How an information set reads, for a file: options that JSON has no words for as they read."""
    options = [_plain(option) for option in reading.options]
    words = [reading.label, options, reading.number, brief_state(reading.state)]
    return json.dumps(words, separators=(",", ":")).encode()


def reread(words: bytes) -> Reading:
    """The same again.

    >>> reread(written(Reading("Q, bet", ("pass", 3, ("a", 1)), 7)))
    Reading(label='Q, bet', options=('pass', 3, ('a', 1)), number=7, state=None)
    """
    label, options, number, state = json.loads(words)
    return Reading(label, tuple(_tuples(option) for option in options), number, state)


def brief_state(state: Any) -> str | None:
    """A state of knowledge as files have it: the start of its digest."""
    if state is None or isinstance(state, str):
        return state
    mover, view = state
    return digest((mover, view, ())).hex()[:STATE]


def _plain(option: object) -> Any:
    if type(option) is tuple:
        return [_plain(part) for part in option]
    return option if type(option) in (str, int, bool) else text(option)


def _tuples(option: Any) -> Any:
    return tuple(_tuples(part) for part in option) if isinstance(option, list) else option
