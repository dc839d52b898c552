"""The commands of benchmarks/kriegspiel: what they count, on cases that are counted by hand."""

from __future__ import annotations

import importlib.util
from argparse import Namespace
from math import inf, log10
from pathlib import Path
from random import Random
from typing import Any

import chess
import pytest

from infoset.games.kriegspiel import kriegspiel, steps_of


@pytest.fixture(scope="module")
def experiments() -> Any:
    file = Path(__file__).parents[2] / "benchmarks" / "kriegspiel" / "__main__.py"
    spec = importlib.util.spec_from_file_location("kriegspiel_experiments", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quiet_histories(*own: str) -> int:
    """Histories in which nothing is taken and no check given, by python-chess alone."""

    def count(board: chess.Board, left: tuple[str, ...]) -> int:
        if board.turn:
            if not left:
                return 1
            move = chess.Move.from_uci(left[0])
            if not board.is_legal(move) or board.is_capture(move) or board.gives_check(move):
                return 0
            moves, left = [move], left[1:]
        else:
            moves = [
                one
                for one in board.legal_moves
                if not board.is_capture(one) and not board.gives_check(one)
            ]
        found = 0
        for move in moves:
            board.push(move)
            found += count(board, left)
            board.pop()
        return found

    return count(chess.Board(), own)


def test_sizes_are_counted_as_python_chess_counts(experiments: Any) -> None:
    position = kriegspiel().position()
    for move in ("a2a4", "h7h5", "a4a5", "h5h4", "b2b3", "h8h6"):
        position = position.after(move)
    steps = steps_of(position.view("white"), "white") or ()
    size = experiments.Size(kriegspiel().position().state.men, Random(0))
    expected = quiet_histories("a2a4", "a4a5", "b2b3")
    assert size.at(steps) == pytest.approx(log10(expected))


def test_estimated_sizes_are_near_the_exact_ones(
    experiments: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standard error of the estimate, of a few moves with 300 histories, is some per cent."""
    position = kriegspiel().position()
    for move in ("a2a4", "h7h5", "a4a5", "h5h4", "b2b3", "h8h6"):
        position = position.after(move)
    steps = steps_of(position.view("white"), "white") or ()
    monkeypatch.setattr(experiments, "COUNTED", 5)
    size = experiments.Size(kriegspiel().position().state.men, Random(0))
    estimate = 10 ** size.at(steps)
    assert size.drawn
    assert estimate == pytest.approx(quiet_histories("a2a4", "a4a5", "b2b3"), rel=0.1)


def test_an_experiment_goes_on_where_it_was(
    experiments: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(experiments, "FOLDER", tmp_path)
    begun: list[int] = []
    run = experiments.run
    monkeypatch.setattr(
        experiments, "run", lambda trial: (begun.append(trial.number), run(trial))[1]
    )
    monkeypatch.setattr(experiments, "warm", lambda players: None)
    pairing = experiments.Pairing("one", "kriegspiel:depth=1,samples=4,particles=20", "random")

    def play(games: int) -> Any:
        asked = Namespace(what="random", games=games, moves=4, seed=0, jobs=1, until=inf)
        ((_, found),) = experiments.played(asked, [pairing])
        return found

    assert len(play(2)) == 2
    file = tmp_path / "random.jsonl"
    file.write_text(file.read_text()[:-9])  # the last line is cut short
    found = play(4)
    assert begun == [0, 1, 1, 2, 3]
    assert [trial.number for trial in found] == [0, 1, 2, 3]
    line = experiments.summary(pairing, found)
    assert (line.mean, line.half, line.counts[0.0]) == (0.0, 0.0, 4)
