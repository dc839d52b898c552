"""Sampled results in files: written and read without a tree, continued, refused where damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infoset import Solution, games, sample
from infoset.errors import FileError, InfosetError, ParameterError
from infoset.rules.game import Game
from tests.display.test_sampled import Engine

GAMES = [games.kuhn(), games.goofspiel(cards=4), games.kuhn(players=3), Engine()]


@pytest.fixture
def no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("a tree was built")

    monkeypatch.setattr(Game, "tree", build)
    monkeypatch.setattr("infoset.tree.source.tree_of_position", build)


@pytest.mark.parametrize("method", ["external", "outcome"])
@pytest.mark.parametrize("made", GAMES, ids=lambda made: type(made).__name__ + str(made)[:12])
def test_what_is_read_is_what_was_written(
    made: Any, method: str, tmp_path: Path, no_tree: None
) -> None:
    found = sample(made, method, iterations=60, seed=3)
    words = str(found)  # with simulated plays, which may meet more than the run did
    found.save(tmp_path / "result")
    again = Solution.load(tmp_path / "result", made)
    assert str(again) == words
    assert {name: dict(own) for name, own in again.strategy.items()} == {
        name: dict(own) for name, own in found.strategy.items()
    }
    assert again.payoffs == found.payoffs
    assert again.evaluation.bound == found.evaluation.bound
    about, before = again.evaluation.estimated_exploitability, found.evaluation
    assert about.low == before.estimated_exploitability.low
    assert (again.method, again.work) == (found.method, found.work)
    assert again.csv() == found.csv()


def test_a_result_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "result"
    half = sample(games.kuhn(), iterations=40)
    _ = half.evaluation.simulation, half.evaluation.estimated_exploitability
    half.save(path)
    whole = sample(games.kuhn(), iterations=90, checkpoint=path)
    assert whole.strategy["dealer"] == sample(games.kuhn(), iterations=90).strategy["dealer"]


def test_a_checkpoint_is_a_result(tmp_path: Path) -> None:
    path = tmp_path / "run"
    found = sample(games.kuhn(), iterations=40, checkpoint=path)
    assert dict(Solution.load(path, games.kuhn()).strategy["dealer"]) == dict(
        found.strategy["dealer"]
    )


def test_a_loaded_result_can_be_asked_the_same(tmp_path: Path) -> None:
    found = sample(games.kuhn(), iterations=400)
    found.save(tmp_path / "result")
    again = Solution.load(tmp_path / "result", games.kuhn())
    dealt = games.kuhn().position().after("Q K")
    assert again.decide(dealt) == found.decide(dealt)
    assert again.on_tree().regrets == found.on_tree().regrets
    again.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "result").read_bytes()


def test_an_abandoned_run_is_shown_and_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.solvers.sampling.run.GRACE", 0.1)
    made = games.goofspiel(cards=9)
    found = sample(made, seconds=0.2)
    assert not found.evaluation.whole
    found.save(tmp_path / "result")
    assert Solution.load(tmp_path / "result", made).note == found.note
    with pytest.raises(ParameterError, match=r"within an iteration.*loaded"):
        sample(made, iterations=9, checkpoint=tmp_path / "result")


@pytest.mark.parametrize("made", [games.kuhn(ranks=4), games.leduc(), games.kuhn().tree()], ids=str)
def test_another_game(made: Any, tmp_path: Path) -> None:
    sample(games.kuhn(), iterations=5).save(tmp_path / "result")
    with pytest.raises(FileError) as refusal:
        Solution.load(tmp_path / "result", made)
    assert str(tmp_path / "result") in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "result"
    sample(games.kuhn(), iterations=5).save(path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 61):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InfosetError) as refusal:
            Solution.load(path, games.kuhn())
        assert "\n" not in str(refusal.value)
        path.write_bytes(whole[:at])
        with pytest.raises(InfosetError):
            Solution.load(path, games.kuhn())


def test_what_is_no_game_is_named_and_no_file_blamed(tmp_path: Path) -> None:
    sample(games.kuhn(), iterations=5).save(tmp_path / "kuhn.sol")
    with pytest.raises(InfosetError) as refusal:
        Solution.load(tmp_path / "kuhn.sol", 3)
    assert "damaged" not in str(refusal.value)
    with pytest.raises(ParameterError, match="a file is named by"):
        Solution.load(games.kuhn(), tmp_path / "kuhn.sol")  # type: ignore[arg-type]
