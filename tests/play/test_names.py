"""Players by name whose files do not fit the game are refused before the first game."""

from __future__ import annotations

from pathlib import Path

import pytest

from infoset import solve
from infoset.errors import InfosetError
from infoset.games import kuhn, leduc
from infoset.play import match
from infoset.play.names import entrant


@pytest.fixture
def files(tmp_path: Path) -> Path:
    solve(kuhn()).save(tmp_path / "kuhn.sol")
    match(kuhn(), ["random", "random"], games=4, record=tmp_path / "kuhn.jsonl")
    (tmp_path / "text").write_text("hello\n")
    return tmp_path


def test_files_that_fit(files: Path) -> None:
    for name in (f"solution:{files}/kuhn.sol", f"responding:{files}/kuhn.jsonl,entrant=2"):
        entrant(name).check(kuhn())
    entrant("random").check(kuhn())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("solution:{}/kuhn.sol", "kuhn"),
        ("solution:{}/text", "no solution file"),
        ("strategy:{}/kuhn.sol", "no column"),
        ("responding:{}/kuhn.jsonl", "not one of leduc"),
    ],
)
def test_files_that_do_not_fit(files: Path, name: str, said: str) -> None:
    with pytest.raises(InfosetError, match=said) as refused:
        entrant(name.format(files)).check(leduc())
    assert "the player " in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(InfosetError, match=said):
        match(leduc(), ["random", name.format(files)], games=2)


def test_an_entrant_that_the_record_does_not_have(files: Path) -> None:
    with pytest.raises(InfosetError, match="those there are: 0, 1"):
        entrant(f"responding:{files}/kuhn.jsonl,entrant=9").check(kuhn())
