"""What strategies and sequences are called in a matrix, and the tables that tell it.

Where names take many words, a matrix has numbers for them, in its rows and in its columns, and a
:class:`Key` says what each number stands for. So names are there once, with a line of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from infoset.examine.tables.record import PROSE, Column, Table
from infoset.tree.views import Views

NARROW = 60  # signs that the heads of a matrix may take together; else they are numbers
MOST_COLUMNS = 2_000  # of a table; more are no table for people
DOMINATED = "dominated"


@dataclass(frozen=True, eq=False)
class Words:
    """What strategies or sequences are called: by their words, or by numbers where these are long.

    A number is what Python counts: ``#0`` is the first one.
    """

    labels: Sequence[str]  # in words
    short: Sequence[str]  # in heads, rows and sentences
    numbered: bool


def named(labels: Sequence[str]) -> Words:
    """By their words if these are few, else by number.

    >>> named(["heads", "tails"]).short, list(named(["pass/bet" * 9] * 2).short)
    (['heads', 'tails'], ['#0', '#1'])
    """
    if len(labels) <= NARROW and sum(map(len, labels)) <= NARROW:
        return Words(labels, labels, False)
    return Words(labels, Views(lambda at: f"#{at}", len(labels)), True)


@dataclass(frozen=True)
class Grid(Table):
    """A matrix: which of its columns and rows are strategies, and which are the margins."""

    across: range = range(0)  # the columns of strategies or sequences
    down: int = 0  # their rows, before those of the lower margin


@dataclass(frozen=True)
class Key(Table):
    """What the numbers of a player's strategies or sequences stand for."""

    across: bool = False  # those of the columns?


def key(
    words: Words,
    player: str,
    *,
    one: str,
    several: str,
    across: bool,
    found: Collection[int] = (),
    dominated: Callable[[int], str | None] = lambda at: None,
) -> Key:
    """The key to a player's numbers: its words come last, where there is room for a long line.

    ``found`` are the strategies that are dominated, and ``dominated`` says how.
    """

    def row(at: int) -> tuple[Any, ...]:
        return (words.short[at], *([dominated(at)] if found else []), words.labels[at])

    columns = [Column("number"), *([Column(DOMINATED, PROSE)] if found else []), Column(one, PROSE)]
    return Key(
        f"{several} of {player}",
        tuple(columns),
        Views(row, len(words.labels)),
        faint=frozenset(found),
        across=across,
    )
