"""Sampling in parts: the same run whoever walks them, and a better one than without."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from infoset import Solution, sample, solve, start
from infoset.errors import ParameterError
from infoset.games import kuhn, leduc
from infoset.tree import Tree
from tests.cli.test_command import refusal


def facts(found: Solution) -> tuple[Any, ...]:
    """All that must be the same, to the last bit."""
    points = [(point.iterations, point.regrets) for point in found.convergence.points]
    return found.strategy, found.work, float(found.regret), points


@pytest.mark.parametrize("method", ["external", "outcome"])
@pytest.mark.parametrize("game", [kuhn(), kuhn(players=3), leduc().tree()], ids=["2", "3", "tree"])
def test_whoever_walks_the_parts_the_run_is_the_same(game: Any, method: str) -> None:
    asked = {"iterations": 60, "parts": 3, "seed": 4}
    alone = sample(game, method, **asked)
    assert facts(sample(game, method, jobs=2, **asked)) == facts(alone)
    assert alone.strategy != sample(game, method, iterations=60, seed=4).strategy


def test_more_parts_come_nearer() -> None:
    tree: Tree = kuhn().tree()
    mean = [
        sum(
            float(sample(tree, iterations=1000, parts=parts, seed=seed).on_tree().exploitability)
            for seed in range(4)
        )
        for parts in (1, 8)
    ]
    assert mean[1] < mean[0] / 2  # about a fourth


def test_the_bound_is_one() -> None:
    run = start(kuhn(), "external-sampling", parts=4)
    run.step(3000)
    assert run.solution().regret <= run.regret * 1.5  # sampled, so it may be a little below


def test_steps_and_checkpoints_do_not_matter(tmp_path: Path) -> None:
    whole = sample(leduc(), iterations=100, parts=3)
    run = start(leduc(), "external-sampling", parts=3)
    while run.iterations < 100:
        run.step()
    assert run.strategy == whole.strategy
    file = tmp_path / "leduc.run"
    for iterations in (30, 70):
        sample(leduc(), iterations=iterations, parts=3, checkpoint=file)
    resumed = sample(leduc(), iterations=100, parts=3, jobs=2, checkpoint=file)
    assert resumed.strategy == whole.strategy
    assert resumed.work == whole.work
    with pytest.raises(ParameterError, match="parts"):
        sample(leduc(), iterations=100, checkpoint=file)


def test_a_saved_solution_knows_its_parts(tmp_path: Path) -> None:
    found = sample(kuhn(), iterations=50, parts=2)
    found.save(tmp_path / "kuhn.sol")
    assert Solution.load(tmp_path / "kuhn.sol", kuhn()).strategy == found.strategy


def test_time_ends_a_run_between_two_rounds() -> None:
    began = time.monotonic()
    found = sample(leduc(), seconds=1.0, parts=2)
    assert time.monotonic() - began < 30
    again = sample(leduc(), iterations=found.work["iterations"], parts=2)
    assert again.strategy == found.strategy


def test_what_does_not_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ParameterError, match="parts="):
        sample(kuhn(), jobs=2)
    with pytest.raises(ParameterError, match="at most 1,024"):
        solve(kuhn(), "external-sampling", parts=5000)
    with pytest.raises(ParameterError, match="parts"):
        solve(kuhn(), "cfr+", parts=2)
    said = refusal(capsys, "solve", "kuhn", "--method", "external-sampling", "--cluster", "ray")
    assert "--parts" in said


def test_an_interrupt_leaves_a_result(tmp_path: Path) -> None:
    file = tmp_path / "leduc.run"
    words = [
        sys.executable, "-m", "infoset", "solve", "leduc", "--method", "external-sampling",
        "--parts", "2", "--jobs", "2", "--time", "100", "--json", "--checkpoint", str(file),
    ]  # fmt: skip
    running = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not file.exists():
        time.sleep(0.02)
        assert running.poll() is None
    os.killpg(running.pid, signal.SIGINT)  # all processes get it, as from a terminal
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert json.loads(out)["iterations"] > 0
    assert "Traceback" not in err
