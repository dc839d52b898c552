"""The two searches as strategies on trees, and the experiment of benchmarks/hidden_moves."""

from __future__ import annotations

import json
import runpy
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from infoset.games import kalah, n_game, p_game
from infoset.rules import Position
from infoset.search import InformationSetSearch
from infoset.search.consistent import Histories

FOLDER = Path(__file__).parents[2] / "benchmarks" / "hidden_moves"
THIRD = Fraction(1, 3)


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return import_module("trials")


@pytest.mark.parametrize("model", ["overconfident", "paranoid"])
@pytest.mark.parametrize(
    "game",
    [p_game(depth=3), n_game(branching=3, depth=3, hidden=THIRD), kalah(hidden=THIRD)],
    ids=repr,
)
def test_on_the_tree_the_searches_play_as_they_do_at_each_position(
    experiment: Any, game: Any, model: str
) -> None:
    tree = game.tree()
    for player in tree.names:
        strategy = getattr(experiment, model)(tree, player)
        for infoset in tree.infosets_of(player):
            position: Position = game.position()
            for _, move in infoset.nodes[0].history:
                position = position.after(move)
            belief = Histories(game, player).enumerate(position.view(player))
            best = InformationSetSearch(game, player, model).best(belief)
            assert infoset.actions[strategy.action_at[infoset.index]] == best


@pytest.mark.parametrize("family", [p_game, n_game])
def test_in_full_sight_of_wins_and_losses_both_play_as_well_as_is_possible(
    experiment: Any, family: Any
) -> None:
    for branching, seed in ((2, 0), (2, 1), (3, 2), (3, 3)):
        scores = experiment.exact_scores(family(branching=branching, depth=4, hidden=0, seed=seed))
        assert set(scores.values()) == {0}


def test_where_draws_are_possible_overconfidence_is_not_minimax(experiment: Any) -> None:
    """Three pits of one seed are a draw, which the overconfident search gives up as one player."""
    scores = experiment.exact_scores(kalah(pits=3, seeds=1, hidden=0))
    assert scores["score"] == -0.5
    assert scores["loss_overconfident"] == 0.5
    assert scores["loss_paranoid"] == 0


def test_optimal_play_loses_to_nobody(experiment: Any) -> None:
    for seed in range(4):
        scores = experiment.exact_scores(p_game(branching=2, depth=5, seed=seed))
        for one in ("overconfident", "paranoid"):
            assert 0 <= scores[f"optimal_{one}"] <= scores[f"loss_{one}"]


def test_what_is_played_depends_on_nothing_but_the_trial(experiment: Any) -> None:
    trials = [
        experiment.Trial("played", "kalah", 3, 2, "1/2", number, depth=2, samples=3)
        for number in range(4)
    ]
    scores = [trial.run()["score"] for trial in trials]
    assert scores == [trial.run()["score"] for trial in trials]
    assert len(set(scores)) > 1
    assert all(abs(2 * score) in (0, 1, 2) for score in scores)


def test_kalah_is_valued_by_the_lead(experiment: Any) -> None:
    position = kalah(pits=3, seeds=2, hidden=0).position().after(2)  # one seed of twelve
    assert experiment.lead(position, "first") == -experiment.lead(position, "second") == 1 / 12


def test_the_command_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trials.jsonl"
    words = ["--games", "p_game", "--branching", "2", "--depth", "3", "--hidden", "0", "1/2"]
    words += ["--boards", "2", "--jobs", "1", "--file", str(file)]

    monkeypatch.setattr(sys, "argv", ["hidden_moves", *words])
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])

    def run() -> str:
        runpy.run_path(str(FOLDER / "__main__.py"), run_name="__main__")
        return capsys.readouterr().out

    first = run()
    lines = file.read_text("utf-8").splitlines()
    kept = [json.loads(line) for line in lines]
    assert len(kept) == 4
    file.write_text("\n".join(lines[:2]) + "\n" + lines[2][:20], "utf-8")  # cut short
    assert run() == first
    again = [line for line in file.read_text("utf-8").splitlines() if line]
    assert again[:2] == lines[:2]
    assert sorted(again[3:]) == sorted(lines[2:])
