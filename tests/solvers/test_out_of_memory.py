"""Errors about size from inside numpy or scipy belong to the family of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from infoset import solve, start
from infoset.errors import TooLarge
from infoset.games import kuhn


def too_many() -> Any:
    return np.zeros((10**8, 10**8))


def too_big() -> Any:
    return np.zeros((2**40, 2**40))


def too_long() -> Any:
    return np.array([2**70], np.int64)


@pytest.mark.parametrize("broken", [too_many, too_big, too_long])
@pytest.mark.parametrize("subgame_perfect", [False, True])
def test_a_method_that_runs_out_of_memory(
    broken: Any, subgame_perfect: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.solvers.lp.find", lambda *given, **named: broken())
    with pytest.raises(TooLarge, match=r"55 nodes.*more memory.*smaller"):
        solve(kuhn(), "lp", subgame_perfect=subgame_perfect)


def test_other_errors_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*given: Any) -> Any:
        raise ValueError("something else")

    monkeypatch.setattr("infoset.solvers.lp.find", mistaken)
    with pytest.raises(ValueError, match="something else"):
        solve(kuhn(), "lp")


def test_a_run_that_runs_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.solvers.cfr.run.CFRRun", lambda *given, **named: too_many())
    with pytest.raises(TooLarge, match="PiB"):
        start(kuhn(), "cfr+")
