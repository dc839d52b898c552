"""The essentials through the outer doors: every method, every command, every file, the exports.

``make quick`` runs these with the published answers: enough to see within a minute that a change
broke something that users would notice. What each of them does in detail is tested elsewhere.
"""

from __future__ import annotations

import io
import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import games, solve
from infoset.cli import run
from infoset.cli.app import COMMANDS as KNOWN
from infoset.solvers import SOLVERS, Solution
from infoset.tree.files import load, save

KUHN = Fraction(-1, 18)  # Kuhn 1950

# Methods that do not take Kuhn poker, or take long for it: what they are run with, and what the
# first player gets in every equilibrium, where that is one number.
OTHERWISE: dict[str, tuple[list[str], Any]] = {
    "backward": (["entry_game"], 2),
    "imp-alphabeta": (["blair_g1"], 1),
    "imp-minimax": (["blair_g1"], 1),
    "chance-minimax": (["blair_g1"], 1),
    "backward-induction": (["goofspiel", "--exact"], 0),
    "smab": (["goofspiel", "--exact"], 0),
    "double-oracle": (["goofspiel", "--exact"], 0),
    "double-oracle-alphabeta": (["goofspiel", "--exact"], 0),
    "behaviour": (["blair_g2"], Fraction(1, 2)),
    "pure": (["prisoners_dilemma"], -3),
    "max-min": (["matching_pennies"], None),
    "ce": (["matching_pennies"], 0),
    "cce": (["matching_pennies"], 0),
    "efce": (["matching_pennies"], 0),
    "efcce": (["matching_pennies"], 0),
    "external-sampling": (["kuhn", "--iterations", "200"], None),
    "outcome-sampling": (["kuhn", "--iterations", "200"], None),
    "safe": (["kuhn", "--against", "dealer.csv"], None),
}
ITERATING = [row.name for row in SOLVERS if row.name.endswith(("cfr", "cfr+"))]
LEFT_OUT = {"gambit"}  # an extra


def number(text: object) -> Fraction:
    return Fraction(str(text))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints; it does not complain."""
    status = run(list(arguments))
    shown = capsys.readouterr()
    assert (status, shown.err) == (0, "")
    return shown.out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("method", sorted({row.name for row in SOLVERS} - LEFT_OUT))
def test_every_method(method: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if method == "safe":
        printed(capsys, "solve", "kuhn", "--player", "dealer", "--csv", "dealer.csv")
    arguments, expected = OTHERWISE.get(method, (["kuhn"], KUHN))
    if method in ITERATING:
        arguments = [*arguments, "--iterations", "500"]
    answer = json.loads(printed(capsys, "solve", *arguments, "--method", method, "--json"))
    if method in ITERATING:
        low, high = map(number, answer["value_bounds"])
        assert low <= KUHN <= high
        assert number(answer["regret"]) < Fraction(1, 50)
    elif expected is not None:
        value = answer.get("value")
        if value is None:
            value = next(iter(answer["payoffs"].values()))
        assert number(value) == expected


@pytest.mark.parametrize(
    ("game", "nodes", "infosets"),
    [  # with their sources in tests/games
        (games.kuhn(), 55, 12),
        (games.kuhn(players=3, ranks=4), 601, 48),
        (games.leduc(), 9_451, 936),
        (games.liars_dice(sides=3), 1_147, 192),
        (games.goofspiel(cards=4), 1_077, 322),
        (games.absent_minded(), 7, 2),
    ],
    ids=repr,
)
def test_trees_from_rules(game: Any, nodes: int, infosets: int) -> None:
    tree = game.tree()
    assert (len(tree), len(tree.infosets)) == (nodes, infosets)


def test_the_public_form_agrees_with_the_tree() -> None:
    form = games.leduc().public()
    assert form.counts.nodes == 9_451
    assert solve(games.kuhn().public()).value == solve(games.kuhn()).value == KUHN


COMMANDS = {  # what is asked, and what the answer has in it
    "games": [("games", "beer_quiche"), ("games kuhn", "H. W. Kuhn")],
    "describe": [("describe kuhn", "55 nodes"), ("describe kuhn --public", "no tree was built")],
    "tree": [("tree kuhn --depth 2", "J Q (1/6)"), ("tree kuhn --draw kuhn.svg", "kuhn.svg")],
    "solve": [
        ("solve kuhn", "-1/18"),
        ("solve kuhn --public", "-1/18"),
        ("solve kuhn --table t.tex", "-1/18"),
    ],
    "ask": [
        ("ask kuhn", "likeliest plays"),
        ("ask kuhn --unreached --beliefs 'dealer: Q, bet'", "3/4"),
        ("ask prisoners_dilemma --grim-trigger 'cooperate, cooperate'", "1/3"),
    ],
    "matrix": [
        ("matrix matching_pennies", "1*, -1"),
        ("matrix matching_pennies --sequence", "3 × 3"),
    ],
    "sweep": [("sweep kuhn ranks=2..3", "-1/18")],
    "view": [("view kuhn --out kuhn.html", "kuhn.html")],
    "play": [("play kuhn --as dealer --against random", "you left the game")],
    "match": [("match kuhn random overconfident:samples=5 --games 2", "95% interval")],
    "convert": [("convert kuhn kuhn.efg", "kuhn.efg"), ("convert kuhn kuhn.nfg", "kuhn.nfg")],
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command(
    command: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nothing is typed
    for asked, said in COMMANDS[command]:
        assert said in printed(capsys, *shlex.split(asked))
    assert f"infoset {command}" in printed(capsys, command, "--help")


def test_no_command_is_missing_here() -> None:
    assert set(KNOWN) == set(COMMANDS)


def test_files_survive_a_round_trip(folder: Path) -> None:
    tree = games.kuhn().tree()
    save(tree, "kuhn.efg")
    assert load("kuhn.efg") == tree
    solution = solve(tree)
    solution.save("kuhn.json")
    again = Solution.load("kuhn.json", games.kuhn())
    assert (again.value, again.regret, again.certificate) == (KUHN, 0, "exact")
    assert again.strategy["gambler"]["K"] == solution.strategy["gambler"]["K"]


def test_tables_plots_and_drawings(folder: Path) -> None:
    solution = solve(games.kuhn())
    assert "1/3" in solution.table("gambler").text()
    solution.plot("gambler", "plot.svg")
    solution.draw("tree.svg")
    for name in ("plot.svg", "tree.svg"):
        assert (folder / name).read_text("utf-8").lstrip().startswith(("<?xml", "<svg"))


def test_errors_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "kunh"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "kuhn" in said
