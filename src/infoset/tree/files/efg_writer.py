"""Trees as Gambit's ``.efg`` files; :mod:`infoset.tree.files.efg` says what is in them.

Every record describes its information set and its outcome in full, as Gambit's own do, for readers
that rely on it. Actions and knowledge are written as they read. Lines are made one at a time, so
that a tree of millions of nodes takes no more memory on its way into a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import numpy as np

from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.story import text
from infoset.tree.files.lexer import numeral, quoted
from infoset.tree.record import Tree

CHUNK = 1 << 16  # nodes, or descriptions kept, at a time


def write_efg(tree: Tree) -> str:
    """A tree as the text of an ``.efg`` file; reading it gives an equal tree.

    >>> from infoset.tree.builder import Builder
    >>> b = Builder(["one"], "gift")
    >>> for payoff, node in enumerate(b.decide(b.root, "one", ("take", "leave"))):
    ...     b.pay(node, [payoff])
    >>> print(write_efg(b.build()))
    EFG 2 R "gift" { "one" }
    <BLANKLINE>
    p "" 1 1 "" { "take" "leave" } 0
    t "" 1 "" { 0 }
    t "" 2 "" { 1 }
    <BLANKLINE>
    """
    return "".join(efg_lines(tree))


def efg_lines(tree: Tree) -> Iterator[str]:
    """The lines of a tree's ``.efg`` file one by one, for trees whose text is large."""
    yield f"EFG 2 R {quoted(tree.name)} {braces(map(quoted, tree.players))}\n"
    if tree.comment:
        yield f"{quoted(tree.comment)}\n"
    yield "\n"
    decision, chance, outcome = _decisions(tree), _chances(tree), _outcomes(tree)
    names = tree.node_names
    for start in range(0, len(tree), CHUNK):
        part = slice(start, start + CHUNK)
        columns = (tree.player[part], tree.infoset[part], tree.outcome[part])
        records = zip(*(column.tolist() for column in columns), strict=True)
        for node, (player, number, paid) in enumerate(records, start):
            name = quoted(names[node]) if node in names else '""'
            if player == LEAF:
                yield f"t {name} {outcome(paid)}\n"
            elif player == CHANCE:
                yield f"c {name} {chance(number)} {outcome(paid)}\n"
            else:
                yield f"p {name} {decision(number)} {outcome(paid)}\n"


def braces(words: Iterable[str], between: str = " ") -> str:
    """Words as a list of the file."""
    return f"{{ {between.join(words)} }}"


def _decisions(tree: Tree) -> Callable[[int], str]:
    """How an information set is written, counted from 1 within its player."""
    within = np.zeros(len(tree.infoset_player), np.int64)
    for player in range(len(tree.players)):
        own = tree.infoset_player == player
        within[own] = np.arange(1, own.sum() + 1)

    @lru_cache(CHUNK)
    def written(infoset: int) -> str:
        menu = tree.menus[tree.infoset_menu[infoset]]
        actions = braces(quoted(text(action)) for action in menu)
        player = tree.infoset_player[infoset] + 1
        return f"{player} {within[infoset]} {quoted(tree.labels[infoset])} {actions}"

    return written


def _chances(tree: Tree) -> Callable[[int], str]:
    """How a chance event is written; equal lotteries are one event."""

    @lru_cache(64)  # a deal may take megabytes
    def written(number: int) -> str:
        pairs = zip(*tree.lotteries[number], strict=True)
        actions = braces(f"{quoted(text(one))} {numeral(chance)}" for one, chance in pairs)
        return f'{number + 1} "" {actions}'

    return written


def _outcomes(tree: Tree) -> Callable[[int], str]:
    """How an outcome is written, counted from 1 in the order of meeting."""
    counted: dict[int, int] = {}

    @lru_cache(CHUNK)
    def written(outcome: int) -> str:
        if outcome < 0:
            return "0"
        number = counted.setdefault(outcome, len(counted) + 1)
        name = quoted(tree.outcome_names[outcome]) if tree.outcome_names else '""'
        return f"{number} {name} {braces(map(numeral, tree.payoffs[outcome]), ', ')}"

    return written
