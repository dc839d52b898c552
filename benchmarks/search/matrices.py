"""Matrix games at the nodes of a search: our kernel beside scipy's linear programs, in one run.

    python benchmarks/search/matrices.py        from the root: python -m benchmarks.search.matrices

Random n × n games of two kinds, payoffs uniform in [−1, 1] or one of −1, 0, 1 (full of ties and
saddle points). Ours in a compiled loop, as searches call it, and from Python, checks and all. The
peer solves the rows' program by HiGHS, whose duals are the columns' strategy. Every value is
compared. The bar is ten times the peer, from Python. Then the same for mixtures that keep to
floors, the programs that bound a search's windows.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from scipy.optimize import linprog

from infoset.kernels.matrix import mixture_bound, solve_matrix
from infoset.kernels.simplex import workspace
from infoset.search.matrix import bounded_mixture, solve_matrix_game

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import show, verdict

SIZES = (3, 4, 6, 8, 10)
MANY, SOME, FEW = 20_000, 200, 30  # games in a compiled loop, from Python, for the peer
ROUNDS = 3
BAR = 10


def stack(kind: str, size: int, count: int) -> Any:
    """Random games, the same in every run."""
    rng = np.random.default_rng([size, len(kind)])
    if kind == "uniform":
        return rng.uniform(-1, 1, (count, size, size))
    return rng.integers(-1, 2, (count, size, size)).astype(float)


@numba.njit
def solve_all(games: Any, x: Any, y: Any, work: Any, tally: Any, values: Any) -> None:
    rows, columns = games.shape[1:]
    for at in range(len(games)):
        values[at] = solve_matrix(games[at], rows, columns, x, y, work, tally)


@numba.njit
def bound_all(games: Any, floors: Any, aims: Any, work: Any, tally: Any, values: Any) -> None:
    rows, columns = games.shape[1:]
    for at in range(len(games)):
        values[at] = mixture_bound(games[at], rows, columns, floors, aims, work, tally)


def peer(game: Any) -> float:
    """The value; the strategies are there, too: x, and the marginals of the inequalities."""
    rows, columns = game.shape
    below = np.hstack([-game.T, np.ones((columns, 1))])
    equal = np.array([[1.0] * rows + [0.0]])
    bounds = [(0, None)] * rows + [(None, None)]
    goal = [0.0] * rows + [-1.0]
    return float(-linprog(goal, below, np.zeros(columns), equal, [1.0], bounds).fun)


def peer_bound(game: Any, floors: Any, aims: Any) -> float:
    found = linprog(-aims, -game.T, -floors, np.ones((1, len(aims))), [1.0])
    return -np.inf if found.status == 2 else float(-found.fun)


def each(work: Callable[[], object], count: int) -> float:
    """Seconds for one of ``count``, the median of some rounds, after one that is not counted."""
    work()
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) / count)
    return statistics.median(taken)


def line(cells: tuple[str, ...], loop: float, single: float, theirs: float) -> tuple[str, ...]:
    """Ours, the peer's, and the ratios."""
    ratio = theirs / single
    return (
        *cells,
        f"{loop * 1e6:.2f} µs",
        f"{1 / loop:,.0f}",
        f"{single * 1e6:.1f} µs",
        f"{theirs * 1e6:,.0f} µs",
        f"{theirs / loop:,.0f}×",
        f"{ratio:,.0f}× {verdict(ratio >= BAR)}",
    )


def game_rows(kind: str) -> Iterator[tuple[str, ...]]:
    for size in SIZES:
        games, values = stack(kind, size, MANY), np.empty(MANY)
        x, y, work, tally = np.empty(size), np.empty(size), workspace(size), np.zeros(4, np.int64)
        solve_all(games, x, y, work, tally, values)
        saddles, pivots = tally[0] / MANY, tally[2] / max(tally[1], 1)
        loop = each(lambda: solve_all(games, x, y, work, tally, values), MANY)  # noqa: B023
        single = each(lambda: [solve_matrix_game(game) for game in games[:SOME]], SOME)  # noqa: B023
        theirs = each(lambda: [peer(game) for game in games[:FEW]], FEW)  # noqa: B023
        assert np.allclose(values[:FEW], [peer(game) for game in games[:FEW]], atol=1e-8)
        cells = (f"{kind} {size} × {size}", f"{saddles:.0%}", f"{pivots:.1f}")
        yield line(cells, loop, single, theirs)


def mixture_rows(kind: str) -> Iterator[tuple[str, ...]]:
    for size in SIZES:
        games, values = stack(kind, size, MANY), np.empty(MANY)
        floors, aims = np.full(size, -0.1), np.linspace(-1, 1, size)
        work, tally = workspace(size), np.zeros(4, np.int64)
        bound_all(games, floors, aims, work, tally, values)
        without, pivots = 1 - tally[1] / MANY, tally[2] / max(tally[1], 1)
        loop = each(lambda: bound_all(games, floors, aims, work, tally, values), MANY)  # noqa: B023
        some, few = games[:SOME], games[:FEW]
        single = each(lambda: [bounded_mixture(g, floors, aims) for g in some], SOME)  # noqa: B023
        theirs = each(lambda: [peer_bound(g, floors, aims) for g in few], FEW)  # noqa: B023
        assert np.allclose(values[:FEW], [peer_bound(g, floors, aims) for g in few], atol=1e-8)
        cells = (f"{kind} {size} × {size}", f"{without:.0%}", f"{pivots:.1f}")
        yield line(cells, loop, single, theirs)


def report() -> None:
    ours = ("in a loop", "a second", "from Python", "linprog", "ratio", "from Python")
    for title, share, rows in (
        ("matrix games", "saddles", game_rows),
        ("bounded mixtures", "no program", mixture_rows),
    ):
        lines = [line for kind in ("uniform", "signs") for line in rows(kind)]
        show((title, share, "pivots", *ours), lines)


if __name__ == "__main__":
    report()
