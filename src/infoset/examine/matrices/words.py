"""What strategies and sequences are called in a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from infoset.tree.views import Views

NARROW = 100  # signs that the heads of sequences may take together; else they are numbers
MOST_COLUMNS = 2_000  # of a table; more are no table for people


@dataclass(frozen=True, eq=False)
class Words:
    """What strategies or sequences are called: by their words, or by numbers where these are long.

    A number stands before the words in rows, and for them elsewhere; it is what Python counts.
    """

    full: Sequence[str]  # in rows
    short: Sequence[str]  # in heads and sentences
    numbered: bool


def named(labels: Sequence[str]) -> Words:
    """By their words if these are few, else by number."""
    if len(labels) <= NARROW and sum(map(len, labels)) <= NARROW:
        return Words(labels, labels, False)
    count = len(labels)
    full = Views(lambda at: f"#{at}: {labels[at]}", count)
    return Words(full, Views(lambda at: f"#{at}", count), True)
