"""All extreme equilibria, next to Gambit's ``enummixed_solve`` in rational arithmetic.

Both go through the same games and end with the same set in exact numbers: bimatrix games of random
whole payoffs, and trees, which Gambit takes as their reduced normal form. Ours starts from the tree
and verifies every equilibrium anew; theirs starts from a game that was read before the clock starts
and verifies nothing. Ours is run three times, of which the median counts; theirs once, in a process
of its own that is ended after a minute: then a number of times is a bound from below.

The numbers of equilibria must agree where both count the same things: in bimatrix games, and in
trees whose extreme equilibria ours finds on the normal form, too. On the sequence form strategies
that differ only where their player does not come are one, so there are fewer.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from infoset import matrix_game, save
from infoset.forms.normal import normal_form
from infoset.games import beer_quiche, centipede, inspection, kuhn
from infoset.solvers.enumerate.solver import Search, find
from infoset.solvers.lemke_howson import matrices
from infoset.solvers.options import Options
from infoset.strategy import profile
from infoset.tree import Tree

HEADINGS = ["game", "equilibria", "nodes", "ours", "theirs", "theirs : ours", "bar", ""]
BAR = 10  # theirs : ours

SIZES = (8, 10, 12, 14, 16)
TREES = (  # 6 × 10 and 8 × 8 plans
    inspection(stages=4, inspections=2),
    centipede(rounds=7),
)
MOST = 60  # seconds for theirs
QUICK = (5, 6)
PROGRAM = """
import sys, time
import pygambit
game = pygambit.read_efg(sys.argv[1])
began = time.perf_counter()
found = pygambit.nash.enummixed_solve(game, rational=True).equilibria
print(time.perf_counter() - began, len(found))
"""
LARGEST = 99  # payoff


def rows(quick: bool) -> list[list[str]]:
    """A row for each game."""
    find(kuhn().tree(), Options())  # load and compile
    sizes, trees = (QUICK, (beer_quiche(), centipede())) if quick else (SIZES, TREES)
    made = [_row(f"{size} × {size}", random_bimatrix(size), quick) for size in sizes]
    return made + [_row(repr(game), game.tree(), quick) for game in trees]


def random_bimatrix(size: int) -> Tree:
    """A game of two square matrices of random whole numbers, the same in every run."""
    first, second = np.random.default_rng(size).integers(0, LARGEST + 1, (2, size, size)).tolist()
    return matrix_game(first, second).tree()


def _row(name: str, tree: Tree, quick: bool) -> list[str]:
    taken = []
    for _ in range(1 if quick else 3):
        own, (found, count) = _timed(partial(_ours, tree))
        taken.append(own)
    ours = statistics.median(taken)
    row = [name, f"{count:,}", f"{found.work['nodes']:,}", _duration(ours)]
    if find_spec("pygambit") is None:
        return [*row, "pygambit is not installed", "", "", ""]
    theirs, answers = _theirs(tree)
    if answers is None:
        text = f"not in {MOST} s"
    else:
        text, expected = _duration(theirs), _of_normal_form(tree)
        assert answers == expected, f"{name}: {answers}, not {expected}"
    ratio = theirs / ours
    bar = ["", ""] if quick else [f"{BAR}×", "ok" if ratio >= BAR else "NO"]
    return [*row, text, f"{'over ' if answers is None else ''}{ratio:,.3g}×", *bar]


def _ours(tree: Tree) -> tuple[Any, int]:
    found = find(tree, Options())
    every = [found.strategies, *found.others]
    assert found.complete
    assert not any(profile(pair).regret for pair in every)
    return found, len(every)


def _of_normal_form(tree: Tree) -> int:
    """How many extreme equilibria the reduced normal form has."""
    one, two, own, other = matrices(normal_form(tree))
    return sum(pair is not None for pair in Search((one, two), own, other))


def _theirs(tree: Tree) -> tuple[float, int | None]:
    """How long it takes, and how many equilibria it finds; None if it does not come to an end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        save(tree, path)
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(path)]
        try:  # loading and reading come on top of the minute
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=MOST + 5
            )
        except subprocess.TimeoutExpired:
            return float(MOST), None
    seconds, count = done.stdout.split()
    return float(seconds), int(count)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def _duration(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def main() -> None:
    """Print the table."""
    table = [HEADINGS, *rows("--quick" in sys.argv)]
    widths = [max(len(row[at]) for row in table) for at in range(len(HEADINGS))]
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    main()
