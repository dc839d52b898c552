"""Clocks and tables that the benchmarks of solving share."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from infoset import solve
from infoset.games import kuhn
from infoset.rules import Game
from infoset.solvers import Solution
from infoset.tree import Tree

# What a solver says as it goes, by its first words, and what that begins. Whatever else it says is
# said in between, and belongs to the part that has begun.
PARTS = {
    "linear program": "program",
    "complementarity problem": "program",
    "exact arithmetic": "exact",
    "verifying": "check",
}


class Parts:
    """Seconds of each part of solving: hand it to ``solve`` as ``tick``."""

    def __init__(self, begun: Callable[[str], object] | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self.begun = begun  # told each part as it begins
        self.part, self.since = "form", time.perf_counter()

    def __call__(self, said: str) -> None:
        """Note that a part has begun, if these are its words."""
        for words, part in PARTS.items():
            if said.startswith(words):
                self.begin(part)

    def begin(self, part: str) -> None:
        """The part so far is over, and another begins."""
        now = time.perf_counter()
        self.seconds[self.part] = self.seconds.get(self.part, 0.0) + now - self.since
        self.part, self.since = part, now
        if self.begun is not None:
            self.begun(part)

    @property
    def probabilities(self) -> str:
        """The parts in percent of them all."""
        whole = sum(self.seconds.values())
        return ", ".join(f"{part} {own / whole:.0%}" for part, own in self.seconds.items())


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds for one piece of work, and its result."""
    gc.collect()
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def solved(game: Game, method: str | None, rounds: int) -> tuple[float, Solution]:
    """Median seconds from a tree to its verified solution, and the last of the solutions.

    Every round has a tree of its own, built before the clock starts: what is worked out about a
    tree stays with it, and is part of the work.
    """
    taken: list[float] = []
    for _ in range(rounds):
        tree = game.tree()
        own, solution = timed(partial(solve, tree, method))
        taken.append(own)
    return statistics.median(taken), solution


def parted(
    tree: Tree, begun: Callable[[str], object] | None = None
) -> tuple[float, Solution, Parts]:
    """Seconds to solve a tree, the solution, and how the time falls into parts."""

    def work() -> tuple[Solution, Parts]:
        parts = Parts(begun)  # its clock starts with the work
        solution = solve(tree, tick=parts)
        parts.begin("done")
        return solution, parts

    own, (solution, parts) = timed(work)
    return own, solution, parts


def warm() -> None:
    """Load and compile all that the first solution would wait for."""
    for method in ("lp", "lcp", "normal-lp"):
        solve(kuhn(), method)
    solve(kuhn(ranks=6), "lcp")  # large enough for pivots in floats


def show(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table: the first column to the left, the others to the right."""
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    for row in [headings, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())
    print(flush=True)


def duration(seconds: float) -> str:
    """Seconds with three digits."""
    if seconds >= 100:
        return f"{seconds:,.0f} s"
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1000:.3g} ms"


def verdict(kept: bool) -> str:
    """Was the bar kept?"""
    return "ok" if kept else "NO"
