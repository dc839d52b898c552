"""Trees of rules that are run for all deals at once: those of replay, number for number."""

from __future__ import annotations

from typing import Any

import pytest

from infoset.games import LIBRARY, kuhn, leduc, poker, rhode_island
from infoset.rules import Game
from infoset.rules.running import Limits
from tests.rules.test_adversarial import SMALLER
from tests.vectorized.compare import assert_same, blocks_of

BY_TURNS = ("bridge", "king_rook_king", "tricks", "whist")  # such rules are not vectorized
SMALL = {
    "liars_dice": {"sides": 3},
    "tic_tac_toe": {"size": 2, "line": 2},
    "blind_tic_tac_toe": {"width": 4},
}


@pytest.mark.parametrize("name", [name for name in LIBRARY if name not in BY_TURNS])
def test_the_library(name: str) -> None:
    assert_same(LIBRARY[name](**(SMALLER | SMALL).get(name, {})))


@pytest.mark.parametrize(
    "one",
    [kuhn(ranks=4), kuhn(ranks=4, players=3), leduc(ranks=2, suits=2), leduc(raises=1), poker()],
)
def test_members_of_poker(one: Game) -> None:
    assert_same(one)


@pytest.mark.parametrize(
    ("family", "parameters", "runs"),
    [
        (kuhn, ({"ranks": 3}, {"ranks": 12}), 5),
        (leduc, ({"ranks": 3}, {"ranks": 5, "suits": 3}), 49),
        (rhode_island, ({"ranks": 2, "suits": 2}, {"ranks": 3, "suits": 2}), 685),
    ],
)
def test_runs_are_as_many_as_ways_to_bet(family: Any, parameters: Any, runs: int) -> None:
    for one in parameters:
        assert blocks_of(family(**one), limits=Limits(max_nodes=10**8)).runs == runs
