"""What a run will take is known before it takes it: never too little, and not far too much."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from infoset import games, memory, solve
from infoset.errors import TooLarge
from infoset.solvers.cfr.layout import bytes_needed, check_memory, lay_out
from infoset.solvers.cfr.loop import Loop
from infoset.solvers.cfr.variants import VARIANTS
from infoset.tree import Tree
from tests.solvers.regret.odd_games import generic_tree, table_game

GAMES: dict[str, Callable[[], Tree]] = {
    "leduc": lambda: games.leduc().tree(),
    "larger leduc": lambda: games.leduc(ranks=6).tree(),
    "liars dice": lambda: games.liars_dice(sides=4).tree(),
    "wide": lambda: games.kuhn(ranks=60).tree(),
    "table": lambda: table_game(120).tree(),
    "three players": lambda: games.kuhn(players=3, ranks=8).tree(),
    "four players": lambda: games.kuhn(players=4, ranks=6).tree(),
    "large numbers": lambda: generic_tree(3, 4, 5),
}


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """What compiling takes is not what a run takes."""
    for precision in (np.float64, np.float32):
        loop = Loop(lay_out(games.kuhn(players=3).tree(), precision), VARIANTS[0], coarse=True)
        loop.iterate(1)
        loop.measure()


def used(tree: Tree, precision: str, coarse: bool, workers: int) -> int:
    """The most bytes that were taken at once."""
    for choices in tree.choices:  # what the tree keeps for itself is not the run's
        _ = choices.stages, choices.owner, choices.above
    _ = tree.leaf_indices, tree.chance_reach, tree.leaf_payoffs
    tracemalloc.start()
    try:
        loop = Loop(lay_out(tree, np.dtype(precision), workers), VARIANTS[0], coarse)
        best = loop.state.summed.copy()
        loop.iterate(1)
        loop.measure()
        kept = {**loop.arrays(), "best": best}
        assert len(kept) > 1
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", GAMES)
def test_the_prediction_is_enough_and_not_far_too_much(name: str) -> None:
    tree = GAMES[name]()
    for precision, coarse, workers in (("float64", True, 1), ("float32", False, 3)):
        needed, taken = (
            bytes_needed(tree, precision, coarse),
            used(tree, precision, coarse, workers),
        )
        assert taken <= needed <= 4 * taken, (needed, taken)


def test_float32_takes_less() -> None:
    tree = games.leduc().tree()
    assert bytes_needed(tree, "float32", False) < bytes_needed(tree, "float64", False)
    assert bytes_needed(tree, "float64", False) < bytes_needed(tree, "float64", True)


@pytest.mark.parametrize("free", [0, memory.KEEP_FREE, memory.KEEP_FREE + 10_000])
def test_what_does_not_fit_is_refused_with_the_figures(
    free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available", lambda: free)
    with pytest.raises(TooLarge) as refusal:
        solve(games.leduc(), "cfr+", iterations=1)
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith("leduc(): regret minimization takes ")
    assert "are free; external-sampling needs no tree" in said


def test_the_figure_is_the_prediction(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = games.leduc().tree()
    needed = bytes_needed(tree, "float32", False)
    monkeypatch.setattr(memory, "available", lambda: needed + memory.KEEP_FREE)
    assert check_memory(tree, "float32", False) == needed
    monkeypatch.setattr(memory, "available", lambda: needed + memory.KEEP_FREE - 1)
    with pytest.raises(TooLarge) as refusal:
        check_memory(tree, "float32", False)
    assert "float32" not in str(refusal.value)  # there is nothing smaller


def test_the_figure_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    # A refusal that says "takes 0.0 GiB" would help nobody.
    tree = games.leduc().tree()
    monkeypatch.setattr(memory, "available", lambda: memory.KEEP_FREE + 10_000)
    with pytest.raises(TooLarge) as refusal:
        check_memory(tree, "float64", False)
    assert "takes 1.0 MiB here, and 0.0 MiB are free" in str(refusal.value)


def test_where_nobody_knows_what_is_free_a_run_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: None)
    assert solve(games.kuhn(), "cfr+", iterations=3).work["iterations"] == 3
