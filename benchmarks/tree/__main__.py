"""From rules to arrays: our library's rules beside OpenSpiel, in one run, medians of repeats.

    python benchmarks/tree              the table (needs open_spiel; `make bench` installs it)
    python benchmarks/tree --quick      fewer repeats and smaller trees

Three ways to the same extensive form, all ending in the same arrays (parent, action, player,
information set, payoffs):

    ours          the rules in Python, by replay: game.tree(), all tables and labels included
    walk of C++   OpenSpiel's C++ game walked from Python, state by state, by the fastest way its
                  Python interface has: child(), legal_actions(), information_state_string()
    Python game   the same walk of OpenSpiel's game written in Python, where it has one

The trees are of the same game. OpenSpiel deals card by card, so it has a few more chance nodes (58
for 55, 9,457 for 9,451). Its kuhn has three cards and no more; ours is measured with a hundred, and
with three as well, where half of the time goes into what a build costs once, however small the tree
(new information sets, the record, its tables). The first build of a game also runs some plays
again, to see that the rules repeat themselves; that one is not counted.

Rates are nodes of the own tree a second. One round measures each way once, so that a busy moment of
the machine falls on all of them.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

from infoset.games import kuhn, leduc, liars_dice
from infoset.rules import Game


def walk(game: Any) -> int:
    """OpenSpiel's tree as arrays; the number of nodes."""
    parent, action, infoset, outcome = array("i"), array("i"), array("i"), array("i")
    player = array("b")
    infosets: dict[tuple[int, str], int] = {}
    payoffs: dict[tuple[float, ...], int] = {}
    waiting = [(game.new_initial_state(), -1, -1)]
    while waiting:
        state, above, taken = waiting.pop()
        node = len(parent)
        parent.append(above)
        action.append(taken)
        if state.is_terminal():
            player.append(-2)
            infoset.append(-1)
            outcome.append(payoffs.setdefault(tuple(state.returns()), len(payoffs)))
            continue
        outcome.append(-1)
        if state.is_chance_node():
            player.append(-1)
            infoset.append(-1)
            waiting += [(state.child(move), node, move) for move, _ in state.chance_outcomes()]
        else:
            mover = state.current_player()
            player.append(mover)
            key = (mover, state.information_state_string(mover))
            infoset.append(infosets.setdefault(key, len(infosets)))
            waiting += [(state.child(move), node, move) for move in state.legal_actions()]
    columns = (parent, action, player, infoset, outcome)
    arrays = [np.frombuffer(column, column.typecode) for column in columns]
    return len(arrays[0])


def seconds(work: Callable[[], object], times: int) -> float:
    """Seconds for one piece of work, done some times in a row."""
    gc.collect()
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times


def compare(ours: Game, theirs: list[Any], bars: tuple[float, ...], rounds: int) -> list[str]:
    """One row of the table."""
    nodes = [len(ours.tree()), *(walk(game) for game in theirs)]
    works: list[Callable[[], object]] = [ours.tree]
    works += [lambda game=game: walk(game) for game in theirs]
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for results, work, count in zip(taken, works, nodes, strict=True):
            results.append(seconds(work, 1 + 10_000 // count))
    rates = [count / statistics.median(own) for count, own in zip(nodes, taken, strict=True)]
    row = [repr(ours), f"{nodes[0]:,}", f"{rates[0]:,.0f}"]
    for at, rate in enumerate(rates[1:]):
        bar = f" (≥ {bars[at]})" if bars else ""
        row += [f"{rate:,.0f}", f"{rates[0] / rate:.2f}{bar}"]
    return row + ["", ""] * (2 - len(theirs))


def scaling(sizes: list[int], rounds: int) -> list[list[str]]:
    """Cost and bytes a node as kuhn grows: 9k(k-1)+1 nodes."""
    rows: list[list[str]] = []
    first = 0.0
    for size in sizes:
        game = kuhn(ranks=round((size / 9) ** 0.5))
        tree = game.tree()
        taken = statistics.median(seconds(game.tree, 1) for _ in range(rounds))
        cost = taken / len(tree)
        first = first or cost
        row = [f"kuhn(ranks={game.params['ranks']})", f"{len(tree):,}", f"{cost * 1e9:,.0f}"]
        rows.append([*row, f"{cost / first:.2f} (< 1.5)", f"{tree.nbytes / len(tree):.1f} (≤ 64)"])
        del tree
    return rows


def import_seconds(rounds: int) -> float:
    """What `import infoset` takes, less the start of Python."""

    def start(code: str) -> float:
        run = [sys.executable, "-c", code]
        return statistics.median(
            seconds(lambda: subprocess.run(run, check=True), 1) for _ in range(rounds)
        )

    return start("import infoset") - start("pass")


def show(headings: list[str], rows: list[list[str]]) -> None:
    """A plain table."""
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    for row in [headings, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description="Rules to tree, beside OpenSpiel.")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller trees")
    quick = parser.parse_args().quick
    try:
        import open_spiel.python.games  # noqa: F401  registers the games written in Python
        import pyspiel
    except ImportError:
        sys.exit("benchmarks/tree needs open_spiel: run it by `make bench`")
    load, rounds = pyspiel.load_game, 5 if quick else 15
    headings = ["game", "nodes", "ours, nodes/s"]
    headings += ["walk of C++", "ours : C++", "Python game", "ours : Python"]
    both = [load("kuhn_poker"), load("python_kuhn_poker")]
    show(
        headings,
        [
            compare(kuhn(ranks=100), both, (1.2, 5.0), rounds),
            compare(kuhn(), both, (), rounds),
            compare(leduc(), [load("leduc_poker")], (0.4,), rounds),
            compare(liars_dice(), [load("liars_dice")], (0.4,), 2 if quick else 5),
        ],
    )
    sizes = [100_000, 500_000] if quick else [100_000, 500_000, 1_000_000, 5_000_000]
    show(["growing", "nodes", "ns a node", "to the first", "bytes a node"], scaling(sizes, 3))
    print(f"import infoset: {import_seconds(5 if quick else 15):.3f} s (< 0.3)")


if __name__ == "__main__":
    main()
