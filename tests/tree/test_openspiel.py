"""Games of OpenSpiel's as positions: walked, sampled and searched without their trees."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

import pytest

from infoset import exploitability, sample, solve, start
from infoset.cli.app import call
from infoset.errors import UnknownGame
from infoset.tree.openspiel import SpielGame, tree_of_openspiel
from tests.cli.test_command import refusal
from tests.strategy.fake_openspiel import Kuhn, State, UniformPolicy, installed


class Endless(State):
    """Kuhn poker that nobody can build: the deck has more cards than there is memory."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [card for card in range(1000) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def clone(self) -> State:
        return Endless(list(self.cards), self.moves)


class LargeKuhn(Kuhn):
    """The same as a game; a tree of it has 9 million nodes."""

    def __str__(self) -> str:
        return "large_kuhn(cards=1000)"

    def new_initial_state(self) -> State:
        return Endless()


@pytest.fixture(autouse=True)
def pyspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", installed(kuhn_poker=Kuhn(), large=LargeKuhn()))


@pytest.fixture
def no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("a tree was built")

    monkeypatch.setattr("infoset.tree.openspiel.tree_of_position", build)
    monkeypatch.setattr("infoset.tree.source.tree_of_position", build)


def test_a_game_object_is_as_good_as_its_name() -> None:
    named, given = tree_of_openspiel("kuhn_poker"), tree_of_openspiel(Kuhn())
    assert named.fingerprint == given.fingerprint
    assert named.name == given.name == "openspiel:kuhn_poker"
    assert solve(Kuhn()).value == solve(SpielGame("kuhn_poker")).value == Fraction(-1, 18)
    assert exploitability(Kuhn(), UniformPolicy(Kuhn())) == Fraction(11, 12)


@pytest.mark.parametrize("thing", [7, object(), None])
def test_what_is_no_game_of_theirs(thing: object) -> None:
    with pytest.raises(UnknownGame, match=r"not a game of OpenSpiel; .*load_game"):
        tree_of_openspiel(thing)


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_sampling_walks_positions(method: str, no_tree: None) -> None:
    found = sample(LargeKuhn(), method, iterations=20)
    assert found.name == "openspiel:large_kuhn(cards=1000)"
    label, row = next(iter(found.strategy["player 0"].items()))
    assert set(row) == {"Pass", "Bet"}
    assert label.rstrip("pb").isdigit()  # the information state string
    run = start(LargeKuhn(), f"{method}-sampling")
    run.step(3)
    assert run.iterations == 3


def test_sampled_strategies_are_those_of_the_tree() -> None:
    found = sample(Kuhn(), iterations=4_000)
    tree = tree_of_openspiel("kuhn_poker")
    assert set(found.strategy["player 1"]) == {one.label for one in tree.infosets_of("player 1")}
    assert found.on_tree(tree).regret < Fraction(1, 20)


@pytest.mark.parametrize("method", ["external-sampling", "outcome-sampling"])
def test_the_command_builds_no_tree(
    method: str, no_tree: None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["solve", "openspiel:large", "--method", method, "--iterations", "10", "--json"]
    assert call(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["iterations"]) == ("openspiel:large", 10)


def test_the_command_still_knows_trees_and_refusals(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["describe", "openspiel:kuhn_poker"]) == 0
    assert "58 nodes" in capsys.readouterr().out
    assert call(["solve", "openspiel:kuhn_poker", "--method", "external-sampling", "--prove"]) == 0
    assert "proved in rational arithmetic" in capsys.readouterr().out
    for words, said in (
        (["solve", "openspiel:kuhn_poker", "ranks=4"], "takes no parameters"),
        (["solve", "openspiel:kuhn_poker", "--public"], "a game of OpenSpiel"),
        (
            ["solve", "openspiel:large", "--method", "external-sampling", "--max-nodes", "9"],
            "no tree is built",
        ),
    ):
        assert said in refusal(capsys, *words)
