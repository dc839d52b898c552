"""All pure equilibria, beside Gambit's enumeration; and how 3-PARTITION grows.

*Against Gambit.* ``pygambit.nash.enumpure_solve`` gets the same game, in its memory before the
clock starts: a table of random payoffs, or a tree, read from a file. Of tables ours is
``pure_equilibria``, of trees the method ``pure``, asked for all, every one of them verified. Both
are run once, and must find equally many.

*3-PARTITION* (Blair, Mutchler & van Lent 1996, theorem 2): a game that has a pure equilibrium
exactly if its sizes can be divided fairly. By number of groups m: the nodes of the tree and the
pure profiles; the nodes of HiGHS's branch and bound, and the branches that the proof in integers
takes. These counts are nearly the same on every machine; the times are not.
"""

from __future__ import annotations

import random
import tempfile
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from infoset import game, save
from infoset.errors import NoEquilibrium
from infoset.games import three_partition
from infoset.solvers.integer_programs.search import EXACTLY, IN_FLOATS, STOPPED, pure_equilibria
from infoset.solvers.options import Options
from infoset.solvers.pure import find, guaranteeing_plans
from infoset.tree import Tree

HEADINGS = ["game", "profiles", "equilibria", "ours", "Gambit", "Gambit : ours", "bar", ""]
GROWTH = ["m", "nodes", "pure profiles", "partition", "answer", "HiGHS nodes", "branches", "time"]
BAR = 10.0  # Gambit's time to ours, from so many profiles on:
LARGE = 5_000
FULL = 100  # the size that a group should have


def rows(quick: bool) -> list[list[str]]:
    """All equilibria of random tables and of games with private signals."""
    draw = np.random.default_rng(7)
    shapes = [(64, 64), (8,) * 4] if quick else [(1024, 1024), (32,) * 4]
    found = [_table_row(draw.integers(0, 1000, (len(shape), *shape))) for shape in shapes]
    for signals in (4,) if quick else (6, 7, 10, 20):
        tree = signalling(signals, draw)
        found += [_tree_row(tree, f"{signals} signals each", against=signals < 10)]
    return found


def signalling(signals: int, draw: Any) -> Tree:
    """Chance draws a state; both see it, player two a little wrongly; both choose one of two."""
    pays = draw.integers(0, 9, (signals, 2, 2, 2)).tolist()

    @game(players=("one", "two"))
    def signals_game(g: Any) -> object:
        state = g.chance(range(signals))
        g.reveal("one", state)
        g.reveal("two", g.chance((state, (state + 1) % signals)))
        one, two = g.together({"one": (0, 1), "two": (0, 1)}).values()
        return pays[state][one][two]

    return signals_game().tree()


def _table_row(tables: Any) -> list[str]:
    from measure import timed

    own, found = timed(lambda: pure_equilibria(*tables))
    name = "table " + " × ".join(map(str, tables[0].shape))
    return _row(
        name, tables[0].size, len(found), own, lambda gambit: gambit.Game.from_arrays(*tables)
    )


def _tree_row(tree: Tree, name: str, against: bool) -> list[str]:
    from measure import duration, timed

    own, count = timed(partial(_count, tree))
    profiles = 1
    for player in tree.names:
        profiles *= tree.reduced_strategies(player) or 0
    if not against:
        shown = f"{profiles:,}" if profiles < 10**9 else f"2^{profiles.bit_length() - 1}"
        return [name, shown, str(count), duration(own), "not run", "", "", ""]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        save(tree, path)
        return _row(name, profiles, count, own, lambda gambit: gambit.read_efg(str(path)))


def _count(tree: Tree) -> int:
    """How many equilibria there are, each verified."""
    from infoset.strategy import profile

    try:
        found = find(tree, Options(most=inf))
    except NoEquilibrium:
        return 0
    assert found.complete
    assert all(not profile(one).regret for one in (found.strategies, *found.others))
    return 1 + len(found.others)


def _row(name: str, profiles: int, count: int, own: float, make: Any) -> list[str]:
    from measure import duration, timed, verdict

    ours = [name, f"{profiles:,}", str(count), duration(own)]
    try:
        import pygambit
    except ImportError:
        return [*ours, "pygambit is not installed: use `make bench`", "", "", ""]
    theirs = make(pygambit)
    taken, answer = timed(lambda: pygambit.nash.enumpure_solve(theirs))
    assert len(answer.equilibria) == count, f"{name}: {count}, theirs {len(answer.equilibria)}"
    ratio = taken / own
    kept = [f"{BAR:g}×", verdict(ratio >= BAR)] if profiles > LARGE else ["", ""]
    return [*ours, duration(taken), f"{ratio:,.3g}×", *kept]


def growth_rows(quick: bool) -> list[list[str]]:
    """3-PARTITION with and without a partition, by number of groups."""
    draw = random.Random(3)
    found = []
    for groups in range(2, 4 if quick else 9):
        sizes = divisible(groups, draw)
        found.append(_growth_row(sizes, "yes"))
        if groups < 6:
            found.append(_growth_row(indivisible(sizes, draw), "no"))
    return found


def divisible(groups: int, draw: random.Random) -> list[int]:
    """Sizes of which each three, as they come, fill a group."""
    sizes: list[int] = []
    while len(sizes) < 3 * groups:
        one, two = (draw.randint(FULL // 4 + 1, (FULL - 1) // 2) for _ in range(2))
        if 4 * (FULL - one - two) > FULL and 2 * (FULL - one - two) < FULL:
            sizes += [one, two, FULL - one - two]
    return sizes


def indivisible(sizes: list[int], draw: random.Random) -> list[int]:
    """Sizes of the same sum that cannot be divided: some are made larger and others smaller."""
    changed = list(sizes)
    while _divides(changed):
        more, less = draw.sample(range(len(sizes)), 2)
        if 2 * (changed[more] + 1) < FULL < 4 * (changed[less] - 1):
            changed[more], changed[less] = changed[more] + 1, changed[less] - 1
    return changed


def _divides(left: list[int]) -> bool:
    """Can the sizes be divided? By trying."""
    if not left:
        return True
    first, *others = left
    for one in range(len(others)):
        for two in range(one + 1, len(others)):
            rest = others[:one] + others[one + 1 : two] + others[two + 1 :]
            if first + others[one] + others[two] == FULL and _divides(rest):
                return True
    return False


def _growth_row(sizes: list[int], partition: str) -> list[str]:
    from measure import duration, timed

    groups = len(sizes) // 3
    tree = three_partition(sizes=tuple(sizes)).tree()
    hunt = guaranteeing_plans(tree, 0, Fraction(0), Options(seconds=60))
    taken, found = timed(lambda: hunt.first(1))
    answers = {EXACTLY: "none, in integers", IN_FLOATS: "none, in floats", STOPPED: "stopped"}
    answer = "found" if found else answers[hunt.ended]
    assert (partition == "yes") == bool(found) or hunt.ended == STOPPED
    counts = [f"{hunt.nodes:,}", f"{hunt.branches:,}" if hunt.branches else ""]
    profiles = f"{float(groups) ** (3 * groups) * 2.0**groups:.1e}"
    return [str(groups), f"{len(tree):,}", profiles, partition, answer, *counts, duration(taken)]
