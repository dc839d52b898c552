"""How few pure strategies Wilson's method needs, and how long it takes beside Lemke's.

*Counts.* Of each game: how many pure strategies its players have, reduced ones, how many of them
ever enter, and how many are played in the end. They are the same on every machine.

*Times.* ``wilson`` pivots on what it needs of the normal form, in integers; ``lcp`` on the whole
sequence form, in integers while that is small and in floats with a proof afterwards when it is not.
Both go from a tree of their own, built before the clock starts, to a verified solution; the clock
is that of the processor, so that other work on the machine does not count. A method that is not
done in time is stopped, and said to have been.
"""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass
from typing import Any

from infoset import solve
from infoset.games import goofspiel, inspection, kuhn, oil_pricing, oshi_zumo, poker
from infoset.solvers import Solution
from infoset.strategy import Mixed

HEADINGS = ["game", "strategies", "entered", "played", "pivots", "wilson", "lcp", "lcp : wilson"]
PATIENCE = 20.0  # seconds for one method on one game


@dataclass(frozen=True)
class Growth:
    """A game on which both are tried."""

    game: Any
    quick: bool = False  # part of the short run, too


GAMES = (
    Growth(kuhn(), quick=True),
    Growth(kuhn(ranks=5), quick=True),
    Growth(kuhn(ranks=8), quick=True),
    Growth(kuhn(ranks=13), quick=True),
    Growth(kuhn(ranks=30)),
    Growth(poker(cash=3), quick=True),
    Growth(poker(cash=4)),
    Growth(poker(ranks=8, cash=3)),
    Growth(inspection(stages=4, inspections=1), quick=True),
    Growth(inspection(stages=6, inspections=2)),
    Growth(oil_pricing(), quick=True),
    Growth(goofspiel(), quick=True),
    Growth(goofspiel(cards=4)),
    Growth(oshi_zumo(coins=3), quick=True),
)


def rows(quick: bool) -> list[list[str]]:
    """A row for each game: counts, then times."""
    solve(kuhn(ranks=6), "lcp")  # loads and compiles what the first would wait for
    return [_row(growth.game, 1 if quick else 3) for growth in GAMES if growth.quick or not quick]


def _row(game: Any, rounds: int) -> list[str]:
    own, solution = _timed(game, "wilson", rounds)
    other, lemke = _timed(game, "lcp", rounds)
    assert solution.exact, f"{game}: wilson: {solution.certificate}"
    played = [len(plan) for plan in solution.verified if isinstance(plan, Mixed)]
    done = lemke.exact
    return [
        repr(game),
        _count(solution.work["plans"]),
        str(solution.work["entered"]),
        " + ".join(map(str, played)),
        str(solution.work["pivots"]),
        _duration(own),
        _duration(other) if done else f"not in {_duration(other)}",
        f"{other / own:,.2g}×" if done else f"over {other / own:,.0f}×",
    ]


def _timed(game: Any, method: str, rounds: int) -> tuple[float, Solution]:
    """Median seconds from a tree to its verified solution, and the last of the solutions."""
    taken: list[float] = []
    for _ in range(rounds):
        tree = game.tree()
        gc.collect()
        began = time.process_time()
        solution = solve(tree, method, seconds=PATIENCE)
        taken.append(time.process_time() - began)
        if taken[-1] > PATIENCE / 4:
            break
    return statistics.median(taken), solution


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.1e}"


def _duration(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"
