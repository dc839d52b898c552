"""The product of matrices at the heart of an iteration, beside BLAS by itself. One thread.

    kernel        all that both players' ends pay in one pass (:mod:`infoset.kernels.public`):
                  weights gathered and scaled, the products, payoffs scattered
    BLAS alone    ``numpy.dot`` of matrices of the very same shapes, weights and results in place
                  already and in the cache, all ends of an item at once
    a square      ``numpy.dot`` of two large square matrices: what the machine can do

A product of a block of r × c entries at e ends counts 2·r·c·e operations; gathering and scattering
count none, so that near 100% of BLAS alone is as good as can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from clocks import Taken, in_turn

from infoset.forms.public import public_form
from infoset.games import holdem, kuhn, leduc, rhode_island
from infoset.kernels.public import COLUMNS, END_OF_ENDS, FIRST_END, MATRIX, ROWS, Tables, product
from infoset.rules import Game
from infoset.solvers.cfr.loop import one_thread
from infoset.solvers.cfr.public_layout import lay_out_public

HEADINGS = (
    "game", "form", "items", "rows × columns", "ends", "entries", "operations", "kernel (median)",
    "GFLOP/s", "BLAS alone", "of it", "of the square",
)  # fmt: skip
GAMES = (
    (rhode_island(), True), (holdem(), True), (leduc(ranks=13, suits=4), False),
    (kuhn(ranks=1000), False),
)  # fmt: skip
QUICK = (
    (rhode_island(ranks=5, suits=2), True), (holdem(one="22+", two="AT+ A2s+"), True),
    (leduc(ranks=6), False), (kuhn(ranks=200), False),
)  # fmt: skip


def square(quick: bool) -> tuple[int, float]:
    """How large the square matrices are, and GFLOP/s of their product."""
    size = 768 if quick else 2048
    rng = np.random.default_rng(1)
    one, two, out = rng.random((size, size)), rng.random((size, size)), np.empty((size, size))
    with one_thread():
        taken = in_turn([partial(np.dot, one, two, out)], 5 if quick else 9)[0]
    return size, 2 * size**3 / taken.best / 1e9


def rows(quick: bool, rate: float) -> Iterator[tuple[str, ...]]:
    """All games; ``rate`` is that of the square."""
    for game, fold in QUICK if quick else GAMES:
        yield _row(game, fold, rate, 3 if quick else 9)


def _row(game: Game, fold: bool, rate: float, rounds: int) -> tuple[str, ...]:
    layout = lay_out_public(public_form(game, fold=fold))
    tables, items = layout.tables, layout.tables.items
    heights, widths = items[:, ROWS], items[:, COLUMNS]
    leaves = items[:, END_OF_ENDS] - items[:, FIRST_END]
    operations = 2 * int((heights * widths * leaves).sum())
    works: list[Callable[[], object]] = [_kernel(tables, layout.sequences), _alone(tables)]
    with one_thread():
        kernel, alone = in_turn(works, rounds)
    own, blas = (_rate(operations, taken) for taken in (kernel, alone))
    return (
        repr(game),
        "folded" if layout.game.folded else "whole",
        f"{len(items):,}",
        f"{median(heights.tolist()):.0f} × {median(widths.tolist()):.0f}",
        f"{median(leaves.tolist()):.0f}",
        f"{len(tables.entries):,}",
        f"{operations:,}",
        str(kernel),
        f"{own:.2f}",
        f"{blas:.2f}",
        f"{own / blas:.0%}",
        f"{own / rate:.0%}",
    )


def _rate(operations: int, taken: Taken) -> float:
    return operations / taken.best / 1e9


def _kernel(tables: Tables, sequences: int) -> Callable[[], object]:
    """All items of both players, as one worker does them."""
    weight, pending = np.random.default_rng(2).random(sequences + 1), np.zeros(sequences + 1)
    given, paid = np.empty(tables.room), np.empty(tables.room)
    return partial(product, 0, len(tables.items), tables, weight, pending, given, paid)


def _alone(tables: Tables) -> Callable[[], object]:
    """The same products, by numpy; weights and results are shared by items of one shape."""
    rng = np.random.default_rng(3)
    room: dict[tuple[int, ...], tuple[Any, Any]] = {}
    calls = []
    for item in tables.items.tolist():
        leaves, height, width = item[END_OF_ENDS] - item[FIRST_END], item[ROWS], item[COLUMNS]
        if (leaves, height, width) not in room:
            room[leaves, height, width] = rng.random((leaves, width)), np.empty((leaves, height))
        matrix = tables.entries[item[MATRIX] : item[MATRIX] + height * width]
        given, out = room[leaves, height, width]
        calls.append((given, matrix.reshape(height, width).T, out))

    def work() -> None:
        for given, matrix, out in calls:
            np.dot(given, matrix, out)

    return work
