"""A saved solution, and how a bad one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infoset import games, solve
from infoset.errors import FileError
from infoset.solvers.solution import Solution


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.json"
    solve(games.kuhn()).save(path)
    return path


def refused(path: Path, game: Any = None) -> str:
    with pytest.raises(FileError) as refusal:
        Solution.load(path, game or games.kuhn())
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(str(path))
    return said
