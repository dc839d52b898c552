"""``infoset solve GAME --public`` and ``infoset describe --public``: no tree, and its misfits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infoset.cli.progress import Building
from infoset.errors import TooLarge
from infoset.games import leduc
from infoset.rules.game import Game
from infoset.tree.files import save
from tests.cli import test_command as command

SCREEN: list[pytest.CaptureFixture[str]] = []


@pytest.fixture(autouse=True)
def screen(capsys: pytest.CaptureFixture[str]) -> None:
    SCREEN[:] = [capsys]


@pytest.fixture
def no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever builds a tree fails."""

    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("a tree was built")

    monkeypatch.setattr(Game, "tree", build)
    monkeypatch.setattr("infoset.cli.game_arguments.tree_of_game", build)


def out(*words: str) -> str:
    return command.out(SCREEN[0], *words)


def refusal(*words: str) -> str:
    return command.refusal(SCREEN[0], *words)


@pytest.mark.usefixtures("no_tree")
def test_small_ones_are_exact_and_need_no_tree() -> None:
    told = out("solve", "kuhn", "--public")
    assert "value           -1/18" in told
    assert "certificate     exact" in told
    assert "at the start" in told


@pytest.mark.usefixtures("no_tree")
def test_for_programs() -> None:
    found = json.loads(out("solve", "leduc", "--public", "--method", "cfr+", "--json"))
    assert found["nodes"] == 9_451
    assert found["kept_infosets"] == [234, 234]
    assert found["folded"] == "suits ♠ ♥ alike"
    assert found["method"] == "cfr+"
    assert {one["player"] for one in found["strategies"]} == {"one", "two"}
    merged = json.loads(out("solve", "leduc", "--public", "--merge", "--iterations", "5", "--json"))
    assert merged["kept_infosets"] == [144, 144]
    whole = json.loads(
        out("solve", "leduc", "--public", "--no-fold", "--iterations", "5", "--json")
    )
    assert whole["kept_infosets"] == [468, 468]
    assert whole["folded"] == ""


def test_what_is_too_large_for_a_tree_goes_there_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*given: Any, **limits: Any) -> Any:
        raise TooLarge("leduc(): the tree has more than 5,000 nodes")

    monkeypatch.setattr("infoset.cli.game_arguments.tree_of_game", too_large)
    told = out("solve", "leduc", "--iterations", "3")
    assert "folded to 468: suits ♠ ♥ alike" in told
    told = out("describe", "leduc")
    assert "counted from the public form" in told
    assert "strategically identical ones merged" in told
    for more in (("--tree",), ("--max-nodes", "5000"), ("--draw", "x.svg")):
        said = refusal("solve", "leduc", "--iterations", "3", *more)
        # Which sampling is recommended is measured, and depends on how busy the machine is.
        assert re.search(r"5,000 nodes; --public needs no tree; --method \w+-sampling", said)


def test_the_tree_is_drawn_and_searches_are_saved_where_it_is_small(tmp_path: Path) -> None:
    drawn, saved = str(tmp_path / "k.svg"), str(tmp_path / "g.json")
    assert "the tree to" in out("solve", "kuhn", "--public", "--draw", drawn)
    out("solve", "goofspiel", "--method", "smab", "--exact", "--save", saved)
    assert "certificate  exact" in out("solve", "goofspiel", "--load", saved)


def test_files_of_all_kinds(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a.sol", "b.csv", "c.html", "d.svg", "e.csv")]
    told = out(
        *("solve", "leduc", "--public", "--iterations", "20", "--save", names[0]),
        *("--csv", names[1], "--table", names[2], "--plot", names[3], "--log", names[4]),
    )
    assert all(Path(name).stat().st_size for name in names)
    assert "log in " in told
    again = out("solve", "leduc", "--public", "--load", names[0])
    assert "20 iterations" in again
    assert out("solve", "leduc", "--load", names[0]) == again  # it says itself what it is of
    assert Path(names[1]).read_text(encoding="utf-8").startswith("player,information set,")


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    kept = str(tmp_path / "run")
    base = ("solve", "leduc", "--public", "--checkpoint", kept)
    out(*base, "--iterations", "7")
    found = json.loads(out(*base, "--iterations", "20", "--json"))
    straight = json.loads(out("solve", "leduc", "--public", "--iterations", "20", "--json"))
    assert found["regret"] == straight["regret"]
    assert "of another game" in refusal(
        "solve", "kuhn", "--public", "--checkpoint", kept, "--iterations", "3"
    )


def test_describe_counts_what_it_does_not_make() -> None:
    found = json.loads(out("describe", "rhode_island", "ranks=3", "--public", "--json"))
    assert found["nodes"] == 12_421_333
    assert found["infosets"] == 524_928
    assert sum(found["kept_infosets"]) == 34_968
    assert sum(found["merged_infosets"]) < 34_968


def test_misfits_get_one_line(tmp_path: Path) -> None:
    from infoset.games import kuhn

    save(kuhn().tree(), tmp_path / "kuhn.efg")
    for words, said in (
        (("solve", "kuhn", "players=3", "--public"), "this game has 3 players"),
        (("solve", "goofspiel", "--public"), "declare them with @game(vectorized=True)"),
        (("solve", str(tmp_path / "kuhn.efg"), "--public"), "this is a tree; leave out --public"),
        (
            ("solve", "kuhn", "--public", "--subgame-perfect"),
            "--subgame-perfect needs the tree; leave out --public",
        ),
        (("solve", "kuhn", "--public", "--max-nodes", "9"), "--max-nodes needs the tree"),
        (("describe", "kuhn", "--public", "--max-nodes", "9"), "--max-nodes needs the tree"),
        (("solve", "kuhn", "--no-fold"), "--no-fold goes with --public"),
        (("solve", "kuhn", "--merge"), "--merge goes with --public"),
        (("solve", "kuhn", "--public", "--player", "gamblor"), "did you mean 'gambler'?"),
        (("solve", "kuhn", "--public", "--method", "backward"), "does not take public forms"),
        (("solve", "kuhn", "--public", "--method", "lp", "--iterations", "3"), "does not go with"),
        (("describe", "tricks", "--public"), "declare them with @game(vectorized=True)"),
    ):
        assert said in refusal(*words), words


def test_a_form_that_does_not_fit_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.memory.available", lambda: 3 * 2**30)
    said = refusal("solve", "poker", "cash=30")
    assert "by random probes its public form has about" in said
    assert "--method outcome-sampling" in said
    assert "--public" not in said
    found = json.loads(out("describe", "poker", "cash=30", "--json"))
    exact = 6 * (6 * 2**29 - 3) + 1  # 6 deals, and 29 units of cash left after the ante
    assert found["estimated"]["nodes"]["low"] <= exact
    assert found["recommended"] == "outcome-sampling"
    found = json.loads(out("describe", "kuhn", "ranks=100000", "--json"))
    assert found["estimated"]["nodes"]["low"] <= 9 * 100_000 * 99_999 + 1
    assert "recommended" not in found  # the first deal alone is too large for sampling


def test_progress_is_said_before_a_long_name() -> None:
    shown: list[dict[str, Any]] = []
    bar = Building("building " + "x" * 200, lambda **news: shown.append(news))
    bar.expect(leduc().size())
    assert "nodes" in shown[-1]["news"][:30]
    bar.tick(5_000)
    assert " left" in shown[-1]["news"][:50]
    assert shown[-1]["completed"] == 5_000
