"""A person at the terminal: shown what it may know, asked, allowed to take moves back."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from infoset import solve
from infoset.cli.app import call
from infoset.games import kuhn
from tests.cli.test_command import refusal


def shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *words: str
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert call(["play", *words]) == 0
    return capsys.readouterr().out


def test_a_game_is_played_and_reviewed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "bet\n", "kuhn", "--as", "gambler", "--seed", "3")
    before, after = told.split("the game: ")
    assert "you learn: J" in before
    assert "K" not in before  # the other's card is shown at the end
    assert "chance: J K" in after
    assert "J: bet costs nothing" in after
    told = shown(capsys, monkeypatch, "pass\nbet\n", "kuhn", "--as", "gambler", "--seed", "3")
    assert "J, [pass], bet: bet costs 1; best: pass" in told
    assert "all of them: 1" in told


def test_moves_are_taken_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "undo\n1\nu\n2\n"
    told = shown(capsys, monkeypatch, typed, "kuhn", "--as", "gambler", "--seed", "3")
    assert "no move of yours to take back" in told
    assert "taken back" in told
    assert told.count("you learn: J") == 2  # the same cards again
    assert "gambler: bet; dealer" in told


def test_answers_that_are_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "9\n?\nall in\n1\n", "kuhn", "--as", "dealer")
    assert told.count("none of the options") == 2
    assert "payoffs:" in told
    for typed in ("quit\n", ""):
        assert "you left" in shown(capsys, monkeypatch, typed, "kuhn", "--as", "dealer")


def test_numbers_are_taken_as_they_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "1\n2\n", "goofspiel", "cards=3")
    assert "the game: player 1: 1" in told
    assert "player 1: 2" in told


def test_opponents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = shown(capsys, monkeypatch, "1\n1\n", "kuhn", "--against", "random")
    assert "against random" in told
    assert "your moves" in told  # compared with a solution, though it was not the opponent
    told = shown(capsys, monkeypatch, "a1\nq\n", "blind_tic_tac_toe", "width=3", "height=3")
    assert "against mo-ismcts" in told  # too large to be solved
    solve(kuhn()).save(tmp_path / "k.sol")
    file = f"solution:{tmp_path}/k.sol"
    assert "your moves" in shown(capsys, monkeypatch, "1\n1\n", "kuhn", "--against", file)
    assert "no seat 'dealr'; did you mean 'dealer'" in refusal(capsys, "play", "kuhn", "--as=dealr")
    assert "did you mean 'random'" in refusal(capsys, "play", "kuhn", "--against", "randon")
