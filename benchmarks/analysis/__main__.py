"""How long it takes to see something: drawings, tables, plots, questions.

    python benchmarks/analysis

Each row is the median of some repeats, from a solution or a tree that is there already to the text
of the file; nothing is kept from one repeat to the next but what the tree itself keeps. The bar is
what we hold ourselves to, in seconds. The tree of a million nodes is shown under uniform
strategies: what is measured is the page, not the solving. A second table (``reading.py``) has the
seconds of each first read of a large solution: one information set, tables, files.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import reading

from infoset import solve
from infoset.analysis import action_values, beliefs, plays, strategy_sheet
from infoset.display import draw
from infoset.games import kuhn, leduc, liars_dice
from infoset.solvers import Solution
from infoset.strategy import profile, uniform

REPEATS = 5

Row = tuple[str, int, Callable[[], Any], float | None]


def rows() -> list[Row]:
    """What is measured: a name, the nodes of the tree, the work, the bar in seconds."""
    small, middle, dice = solve(kuhn(ranks=5)), solve(leduc()), solve(liars_dice())
    large = kuhn(ranks=340).tree()
    everyone = profile(uniform(large, player) for player in large.names)
    gambler = uniform(large, "gambler")

    def page(start: int) -> str:
        return str(strategy_sheet(gambler, everyone, rows=range(start, start + 40)))

    return [
        ("draw kuhn(ranks=5), solved", len(small.tree), lambda: draw(small).svg, 1.0),
        ("draw leduc(), solved, folded", len(middle.tree), lambda: draw(middle).svg, 3.0),
        ("draw leduc()'s tree, folded", len(middle.tree), lambda: draw(middle.tree).svg, 3.0),
        ("draw liars_dice(), solved, folded", len(dice.tree), lambda: draw(dice).svg, None),
        ("plot leduc(), both players", len(middle.tree), lambda: middle.plot(), None),
        ("table of kuhn(ranks=5)", len(small.tree), lambda: str(fresh(small)), None),
        ("table of leduc(), folded", len(middle.tree), lambda: str(fresh(middle)), None),
        ("kuhn(ranks=340), first page of 40", len(large), lambda: page(0), 1.0),
        ("kuhn(ranks=340), last page of 40", len(large), lambda: page(640), 1.0),
        ("liars_dice(), beliefs", len(dice.tree), lambda: beliefs(dice, "two: 3, 1x5"), None),
        ("liars_dice(), values", len(dice.tree), lambda: action_values(dice, "one: 3"), None),
        ("liars_dice(), likeliest plays", len(dice.tree), lambda: plays(dice), None),
    ]


def fresh(solution: Solution) -> Solution:
    """The same solution, with nothing computed from it yet."""
    return replace(solution)


def main() -> None:
    """Measure, and print a table."""
    print("| what | nodes | seconds | bar |\n|---|---:|---:|---:|")
    for name, nodes, work, bar in rows():
        work()  # what is imported or compiled once
        times = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
        asked = "" if bar is None else f"{bar:.0f}"
        print(f"| {name} | {nodes:,} | {statistics.median(times):.3f} | {asked} |", flush=True)
    print()
    reading.main()


if __name__ == "__main__":
    main()
