"""A page that works from disk."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from infoset import solve
from infoset.cli import run
from infoset.games import kuhn, leduc
from infoset.page.saved import asked, bundled, page, static_files
from infoset.tree.files import load
from tests.hostile_games import LABELS, efg


def recorded(html: str) -> dict[str, Any]:
    """The answers in a page."""
    found = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told["answers"]


def test_the_answers_of_a_small_game_are_all_there() -> None:
    answers = recorded(page(kuhn(), solve(kuhn())))
    nodes = [one for path, one in answers.items() if "/api/node" in path]
    assert len(nodes) == 55
    assert answers["GET /api/solutions/1"]["result"]["value"]["text"] == "-1/18"
    start = answers[asked("/api/node", ("solution", "1"))]
    assert [one["move"] for one in start["below"]][:2] == ["J Q", "J K"]
    assert answers[asked("/api/solutions/1/strategy", ("player", "dealer"))]["count"] == 2


def test_the_likeliest_nodes_of_a_large_game_are_there() -> None:
    answers = recorded(page(leduc(), solve(leduc()), nodes=60))
    nodes = [one for path, one in answers.items() if "/api/node" in path]
    assert len(nodes) == 60
    assert all(one["solved"]["reach"]["value"] > 0 for one in nodes)


def test_a_game_that_was_solved_on_its_public_form_is_saved() -> None:
    answers = recorded(page(leduc(), solve(leduc().public()), nodes=60))
    nodes = [one for path, one in answers.items() if "/api/node" in path]
    assert len(nodes) == 60
    decisions = [one for one in nodes if one["kind"] == "decision"]
    assert all(one["solved"]["set_reach"]["value"] > 0 for one in decisions)


def test_a_game_without_a_tree_is_saved(tmp_path: Path) -> None:
    """Where the tree is too large, the public form is solved, which says no reach of nodes."""
    file = tmp_path / "leduc.html"
    assert run(["view", "leduc", "--max-nodes", "5000", "--time", "1", "--out", str(file)]) == 0
    answers = recorded(file.read_text("utf-8"))
    assert answers["GET /api/solutions/1"]["result"]["nodes"] is None
    start = answers[asked("/api/node", ("solution", "1"))]
    first = answers[asked("/api/node", ("solution", "1"), ("at", start["below"][0]["at"]))]
    assert sum(one["probability"]["value"] for one in first["solved"]["actions"]) == pytest.approx(
        1
    )


def test_only_its_own_script_runs() -> None:
    html = page(kuhn(), solve(kuhn()))
    policy = re.search(r'content-security-policy" content="([^"]*)"', html)
    script = re.search(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    assert policy is not None
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy[1]
    assert "default-src 'none'" in policy[1]
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", html)


@pytest.mark.parametrize("label", ["script", "end of data", "comment", "separators"])
def test_hostile_labels_do_not_end_the_data(label: str, tmp_path: Path) -> None:
    file = tmp_path / "hostile.efg"
    file.write_text(efg(LABELS[label]), "utf-8")
    tree = load(file)
    html = page(tree, solve(tree))
    assert html.count("</script>") == 2
    assert recorded(html)


def test_every_module_is_in_the_script_once() -> None:
    script = bundled(static_files())
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    names = re.findall(r"^const (module\d+) = ", script, re.MULTILINE)
    assert len(names) == len(set(names)) > 10


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kuhn.html"
    assert run(["view", "kuhn", "ranks=4", "--out", str(file)]) == 0
    assert "written to" in capsys.readouterr().out
    answers = recorded(file.read_text())
    assert asked("/api/game", ("set", "ranks=4")) in answers
    assert run(["view", "kuhn", "--out", str(tmp_path / "kuhn.txt")]) == 2
    assert ".html" in capsys.readouterr().err
    assert run(["view", "kuhn", "--method", "lp"]) == 2
    assert "--out" in capsys.readouterr().err
