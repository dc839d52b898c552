"""``infoset solve``, as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.cli import run
from infoset.solvers.registry import SOLVERS
from tests.cli.test_command import out, refusal
from tests.processes import until_it_has_computed

F = Fraction


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(printed: str) -> dict[str, str]:
    """The lines above the strategies, by their first word."""
    head, _, _ = printed.partition("\n\n")
    rows = (line.split(maxsplit=1) for line in head.splitlines()[1:])
    return {row[0]: row[1] for row in rows}


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(out(capsys, "solve", *arguments, "--json"))
    return facts


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "solve", "kuhn")
    assert printed.startswith("kuhn()\n")
    facts = said(printed)
    assert list(facts) == ["method", "value", "payoffs", "regret", "certificate"]
    assert facts["method"].startswith("lp: 2 players, zero sum")
    assert facts["value"] == "-1/18 (-0.0555556)"
    assert facts["regret"] == "0"
    assert facts["certificate"] == "exact"
    blocks = printed.rstrip().split("\n\n")
    titles = [block.splitlines()[0] for block in blocks[1:]]
    assert titles[:3] == ["gambler", "at the start", "after [pass], bet"]
    assert titles[3:] == ["dealer", "after pass", "after bet"]
    assert "K          0             1 ████████   1/18      2  J: 1" in blocks[-1].splitlines()


def test_games_without_a_value_have_payoffs(capsys: pytest.CaptureFixture[str]) -> None:
    facts = said(out(capsys, "solve", "prisoners_dilemma"))
    assert "value" not in facts
    assert facts["payoffs"] == "row -3, column -3"


def test_parameters_and_files(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert said(out(capsys, "solve", "inspection", "stages=5", "inspections=2"))["value"] == (
        "-1/5 (-0.2)"
    )
    out(capsys, "convert", "kuhn", "k.efg")
    assert said(out(capsys, "solve", "k.efg"))["value"].startswith("-1/18")
    (folder / "mine.py").write_text(
        "from infoset import game\n"
        "@game(players=('a', 'b'))\n"
        "def pennies(g, worth=0.5):\n"
        "    same = g.choose('a', 'ht') == g.choose('b', 'ht')\n"
        "    return g.win('a' if same else 'b', worth)\n".replace("'ht'", "('h', 't')")
    )
    assert asked(capsys, "mine.py", "worth=1/3")["payoffs"] == {"a": "0", "b": "0"}


EQUILIBRIA = ("lp", "lcp", "normal-lp", "lemke-howson", "qre", "behaviour", "quasi-perfect")


@pytest.mark.parametrize("method", [*EQUILIBRIA, "enumerate", "wilson"])
def test_methods(capsys: pytest.CaptureFixture[str], method: str) -> None:
    facts = asked(capsys, "kuhn", "--method", method)
    assert (facts["method"], facts["because"]) == (method, "as asked")
    assert facts["value"] == "-1/18"


def test_json_keys(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn", "ranks=4")
    required = {"game", "players", "nodes", "infosets", "method", "payoffs", "value", "regret"}
    assert required | {"certificate", "seconds"} <= set(facts)
    assert facts["game"] == "kuhn(ranks=4)"
    assert facts["players"] == ["gambler", "dealer"]
    assert (facts["nodes"], facts["infosets"]) == (109, 16)
    assert facts["payoffs"] == {"gambler": facts["value"], "dealer": facts["value"].lstrip("-")}
    assert F(facts["value"]) == F(-1, 24)
    assert facts["regret"] == "0"
    assert facts["certificate"] == "exact"
    assert 0 < facts["seconds"] < 60
    assert [row["player"] for row in facts["strategies"]] == facts["players"]
    for strategy in facts["strategies"]:
        for row in strategy["behaviour"]:
            assert sum(F(share) for _, share in row["plays"]) == 1
    general = asked(capsys, "prisoners_dilemma")
    assert general["value"] is None
    assert general["payoffs"] == {"row": "-3", "column": "-3"}


def test_floats_and_exact(capsys: pytest.CaptureFixture[str]) -> None:
    sketch = asked(capsys, "kuhn", "ranks=5", "--floats")
    assert abs(F(sketch["value"]) - F(asked(capsys, "kuhn", "ranks=5", "--exact")["value"])) < 1e-9
    assert 0 <= F(sketch["regret"]) < 1e-9
    assert sketch["exact"] == (sketch["certificate"] == "exact")
    assert asked(capsys, "kuhn", "ranks=5", "--exact")["exact"] is True


def test_one_player_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    short = out(capsys, "solve", "kuhn", "ranks=40")
    assert "--player NAME shows all" in short
    assert "80 information sets in 2 situations" in short
    full = out(capsys, "solve", "kuhn", "ranks=40", "--player", "dealer")
    assert "--player" not in full
    *_, seen, after = full.rstrip().split("\n\n")
    assert [table.splitlines()[0] for table in (seen, after)] == ["after pass", "after bet"]
    assert [len(table.splitlines()) for table in (seen, after)] == [42, 42]
    facts = asked(capsys, "kuhn", "--player", "dealer")
    assert [row["player"] for row in facts["strategies"]] == ["dealer"]
    assert "known: 'dealer', 'gambler'" in refusal(capsys, "solve", "kuhn", "--player", "nobody")


def test_save_and_load(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    first = out(capsys, "solve", "kuhn", "--method", "lcp", "--save", "k.json")
    assert (folder / "k.json").is_file()
    assert first.endswith("\n\nwritten: the solution to k.json\n")
    assert first.startswith(out(capsys, "solve", "kuhn", "--load", "k.json"))
    again = asked(capsys, "kuhn", "--load", "k.json")
    assert (again["method"], again["value"]) == ("lcp", "-1/18")
    assert "another game" in refusal(capsys, "solve", "kuhn", "ranks=4", "--load", "k.json")
    assert "no such file" in refusal(capsys, "solve", "kuhn", "--load", "nothing.json")
    (folder / "k.json").write_text("{")
    assert "k.json:1:2: no solution file" in refusal(capsys, "solve", "kuhn", "--load", "k.json")
    assert "no folder nowhere" in refusal(capsys, "solve", "kuhn", "--save", "nowhere/k.json")


def test_out_of_time(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "leduc", "--method", "lcp", "--time", "0")
    assert facts["note"].startswith("stopped")
    assert F(facts["regret"]) > 0
    assert facts["certificate"].startswith("regret at most ")
    printed = said(out(capsys, "solve", "leduc", "--method", "lcp", "--time", "0"))
    assert printed["note"].startswith("stopped")
    assert printed["certainly"].startswith("between -")
    assert "(stopped" in refusal(
        capsys, "solve", "leduc", "--method", "lcp", "--time", "0", "--exact"
    )
    assert asked(capsys, "kuhn", "--time", "60")["certificate"] == "exact"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kunh", "did you mean 'kuhn'"),
        ("kuhn --method lqp", "no method 'lqp'; did you mean 'lp'"),
        ("kuhn --method backward", "these do apply: lp, lcp, normal-lp, lemke-howson"),
        ("prisoners_dilemma --method lp", "zero-sum"),
        ("seltens_horse --method lcp", "2 players, but this game has 3"),
        ("kuhn ranks=13 --method normal-lp", "1,594,323 × 67,108,864"),
        ("kuhn --time -1", "--time"),
        ("kuhn --time soon", "--time"),
        ("kuhn --max-nodes 20", "more than 20 nodes"),
        ("kuhn --fast", "--fast"),
        ("kuhn --player", "--player"),
        ("nothing.efg", "nothing.efg"),
        ("", "Missing argument"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, message: str
) -> None:
    assert message in refusal(capsys, "solve", *arguments.split())


@pytest.mark.parametrize(
    "player",
    [
        "a",
        "a\x1b]0;x\x07",
    ],
)
def test_hostile_labels_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], folder: Path, player: str
) -> None:
    (folder / "evil.efg").write_text(
        f'EFG 2 R "t\x1b[2J" {{ "{player}" }} '
        'p "" 1 1 "[red]\n\x1b[31m" { "x\r" "y" } 0\n'
        't "" 1 "" { 1 } t "" 2 "" { 2 }'
    )
    printed = out(capsys, "solve", "evil.efg")
    assert "certificate  exact" in printed
    assert not set(printed) & set("\x1b\x07\r")
    json.loads(out(capsys, "solve", "evil.efg", "--json"))


def test_the_answer_alone_is_printed() -> None:
    """Progress goes to the error stream, and only where there is a terminal."""
    command = [sys.executable, "-m", "infoset", "solve", "leduc", "ranks=2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["value"] == "0"
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_an_interrupt_gets_the_best_so_far_or_ends_quietly(folder: Path) -> None:
    command = [sys.executable, "-m", "infoset", "solve", "liars_dice", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as started:  # type: ignore[call-overload]
        until_it_has_computed(started, 1.5)
        started.send_signal(signal.SIGINT)
        printed, complaint = started.communicate(timeout=120)
    assert "Traceback" not in complaint
    if started.returncode == 0:
        facts = json.loads(printed)
        assert F(facts["regret"]) >= 0
    else:
        assert started.returncode == 130
        assert printed == ""
    assert os.listdir(folder) == []


def test_loading_takes_no_wishes(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for wish in (("--method", "lp"), ("--time", "3"), ("--floats",)):
        line = refusal(capsys, "solve", "kuhn", "--load", "kuhn.json", *wish)
        assert "--load shows what was saved" in line


def test_the_methods_are_listed_without_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    listed = out(capsys, "solve", "--methods")
    assert all(row.name in listed and row.takes in listed for row in SOLVERS)


# ---------------------------------------------------------------------- what is shown of it


def test_where_looks_inside_and_leaves_out_players_without_such_a_label(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    printed = out(capsys, "solve", "kuhn", "--where", "[pass], bet", "--plot", "p.svg")
    titles = [block.splitlines()[0] for block in printed.rstrip().split("\n\n")[1:]]
    assert titles == ["gambler", "after [pass], bet", "written: the plot to p.svg"]
    assert "dealer" not in (folder / "p.svg").read_text()
    said = refusal(capsys, "solve", "kuhn", "--where", "zzz", "--save", "z.json")
    assert "no information set of gambler or dealer has 'zzz' in its label; one reads 'J'" in said
    assert not (folder / "z.json").exists()
    letters = out(capsys, "solve", "leduc", "--where", "Kh", "--where", "Js", "--player", "one")
    assert "after [raise], call, K♥\nprivate  call" in letters
    assert "after [raise], call, K♠\n" not in letters


def test_pages(capsys: pytest.CaptureFixture[str]) -> None:
    pages = [
        out(capsys, "solve", "kuhn", "--rows", "4", "--page", str(number)) for number in (1, 2)
    ]
    for page, count in zip(pages, (4, 2), strict=True):
        rows = [line for line in page.splitlines() if line[:2] in ("J ", "Q ", "K ")]
        assert len(rows) == 2 * count
    assert "page 2 of 2" in pages[1]
    assert "there are only 2 pages" in refusal(
        capsys, "solve", "kuhn", "--rows", "4", "--page", "3"
    )
    assert "there is only one page" in refusal(capsys, "solve", "centipede", "--page", "2")


MIXES = """
from infoset import game
@game(players={"team": ("east", "west"), "foe": ()})
def agree(g):
    east, west, guess = (g.choose(who, ("heads", "tails")) for who in ("east", "west", "foe"))
    return g.win("team" if east == west != guess else "foe")
"""


def test_an_answer_is_not_lost_for_a_picture(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "agree.py").write_text(MIXES)
    status = run(["solve", "agree.py", "--plot", "p.png", "--draw", "t.svg"])
    printed = capsys.readouterr()
    assert status == 2
    assert "certificate  exact" in printed.out
    assert "written: the tree to t.svg" in printed.out
    assert printed.err.startswith("infoset: agree(): team has imperfect recall")
    assert sorted(path.name for path in folder.iterdir()) == ["agree.py", "t.svg"]


def test_all_files_at_once(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    names = {"save": "a.json", "csv": "a.csv", "table": "a.html", "plot": "a.png", "draw": "a.tex"}
    options = [word for option, name in names.items() for word in (f"--{option}", name)]
    printed = out(capsys, "solve", "kuhn", *options)
    assert all(f"to {name}" in printed for name in names.values())
    assert sorted(path.name for path in folder.iterdir()) == sorted(names.values())
    asked = out(capsys, "ask", "kuhn", "--reply", "a.csv")
    assert "best reply" in asked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--csv a.xlsx", "a.xlsx: the name must end in .csv"),
        ("--plot a.gif", "a.gif: the name must end in .png, .svg or .pdf"),
        ("--draw a", "a: the name must end in .svg, .png, .pdf or .tex"),
        ("--table a.xlsx", "the name must end in .csv, .tex, .html, .json or .txt"),
        ("--draw no/a.svg", "there is no folder no"),
        ("--theme sepia", "--theme 'sepia' is not known"),
        ("--orientation up", "--orientation 'up' is not known"),
        ("--theme dark", "--theme goes with a picture"),
        ("--no-title", "--no-title goes with a picture"),
        ("--plot a.svg --orientation down", "--orientation goes with --draw"),
        ("--nodes 5", "--nodes goes with --draw"),
        ("--draw a.svg --nodes 2", "--nodes"),
        ("--json --where K", "--json gives everything; --where cannot change it"),
        ("--load k.json --floats", "--floats cannot change it"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_the_work(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, message: str
) -> None:
    assert message in refusal(capsys, "solve", "kuhn", *arguments.split())
    assert list(folder.iterdir()) == []


def test_formats_are_those_that_the_writers_know() -> None:
    from infoset.cli import files as targets
    from infoset.cli import output as showing
    from infoset.display import drawing
    from infoset.display.plots.style import FORMATS as PLOTS
    from infoset.display.tables.files import FORMATS as TABLES

    assert sorted(targets.PLOTS) == sorted(f".{suffix}" for suffix in PLOTS)
    assert sorted(targets.TABLES) == sorted(TABLES)
    assert drawing.draw.__kwdefaults__["most"] == showing.MOST_DRAWN


@pytest.mark.parametrize("command", ["solve", "tree"])
def test_pictures_without_a_title(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    for name, options in (("with", []), ("without", ["--no-title"])):
        out(capsys, command, "entry_game", "--draw", f"{name}.svg", *options)
    drawn = [Path(f"{name}.svg").read_text() for name in ("with", "without")]
    assert ['class="title' in picture for picture in drawn] == [True, False]


def test_the_text_of_a_tree_and_its_picture_have_their_own_options(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert out(capsys, "tree", "kuhn", "--draw", "k.svg", "--nodes", "20", "--theme", "dark") == (
        "kuhn(): 55 nodes, drawn in k.svg\n"
    )
    assert "55 nodes drawn as 10" in (folder / "k.svg").read_text()
    for arguments in ("--depth 2 --draw x.svg", "--lines 2 --json", "--nodes 9", "--theme dark"):
        assert refusal(capsys, "tree", "kuhn", *arguments.split()).startswith("infoset: --")
    assert not (folder / "x.svg").exists()
