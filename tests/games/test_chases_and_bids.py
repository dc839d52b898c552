"""The commands of benchmarks/pursuit and benchmarks/bidding, on what is known otherwise."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import solve
from infoset.games import bidding_tic_tac_toe

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def command(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(
        f"{name}_command", BENCHMARKS / name / "__main__.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bidding() -> Any:
    return command("bidding")


@pytest.mark.parametrize(("shown", "fails"), [(0, Fraction(3, 4)), (2, Fraction(1, 2))])
def test_each_visit_to_the_centre_is_an_attempt(shown: int, fails: Fraction) -> None:
    found = command("pursuit").points({"shown": shown}, 3000)
    assert found == [(rounds, fails ** ((rounds - 1) // 2)) for rounds in (1, 2, 3, 4)]


@pytest.mark.parametrize("total", [1, 2])
@pytest.mark.parametrize("size", [(3, 1, 2), (2, 2, 2), (2, 1, 2)])
def test_values_of_bids_are_those_of_the_rules(
    bidding: Any, size: tuple[int, int, int], total: int
) -> None:
    values = bidding.Chips(bidding.board_of(*size), total).values()[0]
    for chips in range(total + 1):
        member = bidding_tic_tac_toe(*size, chips=(chips, total - chips))
        assert solve(member, "backward-induction").value == values[chips]


def test_richmans_thresholds_and_the_saddle_points_of_few_chips(bidding: Any) -> None:
    """By hand: on two squares, where two in a row win, cross needs both marks."""
    strip = bidding.board_of(2, 1, 2)
    assert bidding.threshold(strip, 1) == Fraction(3, 4)
    assert bidding.threshold(strip, 0) == Fraction(1, 4)
    board = bidding.board_of(3, 3, 3)
    assert len(board.images) == 8
    assert bidding.threshold(board, 1) == 1 - bidding.threshold(board, 0) == Fraction(133, 256)
    chips = bidding.Chips(board, 1)
    assert chips.values().tolist() == [[-1, 1], [-1, 1]]
    assert chips.saddles == chips.stages
