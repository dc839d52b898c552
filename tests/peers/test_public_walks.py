"""The states of OpenSpiel that the benchmark of late binding walks over: the same games as ours."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from infoset.games import kuhn, leduc
from infoset.rules import Game
from infoset.strategy import profile, uniform

FILE = Path(__file__).parents[2] / "benchmarks" / "public" / "walks.py"


@pytest.fixture(scope="module")
def walks() -> Any:
    """The file of the benchmark, which is in no package."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    spec = importlib.util.spec_from_file_location("public_walks", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for their module
    spec.loader.exec_module(module)
    if module.missing():
        pytest.skip(module.missing())
    return module


def walked(walks: Any, game: Game) -> Any:
    nodes = len(game.tree())
    if game.name == "kuhn":
        return walks.kuhn_states(game.params["ranks"], nodes)
    return walks.leduc_states(game.params["ranks"], game.params["suits"], nodes)


@pytest.mark.parametrize(
    "game", [kuhn(), kuhn(ranks=13), leduc(), leduc(ranks=4, suits=3), leduc(ranks=2, suits=4)]
)
def test_random_play_gets_as_much_and_states_are_nodes_and_first_cards(
    walks: Any, game: Game
) -> None:
    tree = game.tree()
    cards = game.params["ranks"] * game.params.get("suits", 1)
    found = walked(walks, game)
    assert found.states == found.from_python() == len(tree) + cards
    random = profile([uniform(tree, player) for player in tree.names])
    assert found.in_one_call() == pytest.approx(list(map(float, random.payoffs.values())))


def test_of_a_large_deck_what_is_below_one_first_card(
    walks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walks, "LARGE", 100)
    found = walked(walks, leduc())
    assert found.states == found.from_python() == (9_451 + 6 - 1) / 6


def test_another_game_is_refused(walks: Any) -> None:
    with pytest.raises(AssertionError, match="OpenSpiel has 9,457 states where we have 9,456"):
        walks.leduc_states(3, 2, 9_450)
