"""Games of OpenSpiel's, and the same games of ours, where it is installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; make test-peers installs it")

import pyspiel

from infoset import sample
from infoset.errors import UnknownGame
from infoset.games import kuhn, leduc, liars_dice
from infoset.tree import Tree
from infoset.tree.openspiel import tree_of_openspiel


def infosets(tree: Tree) -> list[int]:
    return [len(tree.infosets_of(player)) for player in tree.names]


@pytest.mark.parametrize(
    ("name", "ours", "more"),
    [
        # It deals card by card: one chance node more for every first card.
        ("kuhn_poker", kuhn(), 3),
        ("python_kuhn_poker", kuhn(), 3),
        ("leduc_poker", leduc(), 6),
        ("kuhn_poker(players=3)", kuhn(ranks=4, players=3), 4 + 12),
        ("liars_dice", liars_dice(), 0),
    ],
)
def test_their_trees_are_ours(name: str, ours: object, more: int) -> None:
    theirs, tree = tree_of_openspiel(name), ours.tree()  # type: ignore[attr-defined]
    assert len(theirs) == len(tree) + more
    assert infosets(theirs) == infosets(tree)
    assert [theirs.sequences(p) for p in theirs.names] == [tree.sequences(p) for p in tree.names]
    assert theirs.perfect_recall
    assert theirs.zero_sum
    assert all(sum(lottery.probabilities) == 1 for lottery in theirs.lotteries)


@pytest.mark.parametrize(
    ("name", "nodes", "players"),
    [
        ("matrix_pd", 7, 2),  # simultaneous
        ("matching_pennies_3p", 15, 3),
        ("blotto(coins=3,fields=2)", 1 + 4 + 16, 2),
        ("goofspiel(num_cards=3,imp_info=True,points_order=descending)", 67, 2),
        ("tiny_hanabi", 55, 2),
        ("pig(players=2,winscore=3,horizon=6)", 1444, 2),  # observations only
    ],
)
def test_other_kinds_of_games(name: str, nodes: int, players: int) -> None:
    tree = tree_of_openspiel(name)
    assert len(tree) == nodes
    assert len(tree.players) == players
    assert tree.perfect_recall


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leduc_pokr", "did you mean 'leduc_poker'"),
        ("kuhn_poker(players=1)", "OpenSpiel refuses"),
        ("kuhn_poker(foo", "OpenSpiel refuses"),
        ("mfg_garnet", "mean-field"),
    ],
)
def test_what_cannot_be_had_is_told(name: str, message: str) -> None:
    with pytest.raises(UnknownGame, match=message):
        tree_of_openspiel(name)


def test_the_command_stays_quiet_about_it() -> None:
    def run(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "infoset", "describe", f"openspiel:{name}", "--json"]
        return subprocess.run(command, capture_output=True, text=True)

    done = run("kuhn_poker")
    assert json.loads(done.stdout)["nodes"] == 58
    refused = run("kuhn_poker(players=1)")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1


def test_a_game_object_is_as_good_as_its_name() -> None:
    for name in ("kuhn_poker", "leduc_poker", "kuhn_poker(players=3)", "matrix_pd"):
        named, given = tree_of_openspiel(name), tree_of_openspiel(pyspiel.load_game(name))
        assert given.fingerprint == named.fingerprint
        assert pyspiel.load_game(given.name.removeprefix("openspiel:")) is not None


@pytest.mark.parametrize("method", ["external", "outcome"])
@pytest.mark.parametrize(
    "name", ["dark_hex", "dark_hex_ir", "phantom_ttt", "liars_dice(numdice=2)"]
)
def test_sampling_builds_no_tree(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*given: object, **limits: object) -> Tree:
        raise AssertionError("a tree was built")

    monkeypatch.setattr("infoset.tree.openspiel.tree_of_position", build)
    monkeypatch.setattr("infoset.tree.source.tree_of_position", build)
    found = sample(pyspiel.load_game(name), method, seconds=1)
    assert found.evaluation.sets > 0
    player = found.players[0]
    assert all(isinstance(label, str) for label in found.strategy[player])


def test_sampled_values_are_theirs() -> None:
    found = sample(pyspiel.load_game("kuhn_poker"), iterations=5_000).on_tree()
    low, high = found.value_bounds
    assert low <= -1 / 18 <= high
    assert found.regret < 0.05
