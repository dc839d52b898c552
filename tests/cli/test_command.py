"""The command, as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infoset.cli import run
from tests.processes import until_it_has_computed

MY_GAME = '''
from infoset import game

@game(players=("hider", "seeker"), requires="places >= 1")
def hide(g, places=2, worth=0.5):
    """Hide and seek."""
    spot = g.choose("hider", range(places))
    return g.win("seeker" if g.choose("seeker", range(places)) == spot else "hider", worth)

def plain(g):
    return 0
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MY_GAME)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """One line on the error stream, nothing on the other, exit status 2."""
    assert run(list(arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("infoset: ")
    assert printed.err.count("\n") == 1
    assert "Traceback" not in printed.err
    return printed.err


def test_games_lists_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    from infoset.games import LIBRARY

    listed = out(capsys, "games")
    assert all(name in listed for name in LIBRARY)
    rows = json.loads(out(capsys, "games", "--json"))["games"]
    assert {row["game"] for row in rows} == set(LIBRARY)
    assert all(row["summary"] and row["source"] for row in rows)
    assert "9k(k-1)+1" in out(capsys, "games", "kuhn")
    assert json.loads(out(capsys, "games", "kuhn", "--json"))["parameters"]["ranks"] == 3


def test_describe(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "describe", "kuhn", "ranks=4")
    assert "109 nodes" in printed
    assert "16 information sets" in printed
    facts = json.loads(out(capsys, "describe", "kuhn", "ranks=4", "--json"))
    assert facts["game"] == "kuhn(ranks=4)"
    assert facts["players"] == ["gambler", "dealer"]
    assert facts["nodes"] == 109
    assert facts["infosets"] == 16
    assert facts["by_player"]["gambler"]["reduced_strategies"] == "81"
    assert facts["zero_sum"]["holds"] is True
    assert facts["perfect_information"]["nodes"] == [1, 10]


def test_tree(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = out(capsys, "tree", "kuhn")
    assert drawn.count("\n") == 55
    assert "├─ J Q (1/6): gambler #1 (J)" in drawn
    assert "… 44 of 55 nodes not shown" in out(capsys, "tree", "kuhn", "--lines", "11")
    shallow = out(capsys, "tree", "kuhn", "--depth", "1")
    assert shallow.count("\n") == 8
    assert "… 8 nodes below" in shallow
    whole = json.loads(out(capsys, "tree", "kuhn", "--json"))
    assert len(whole["parent"]) == whole["nodes"] == 55
    assert whole["lotteries"][0]["probabilities"] == ["1/6"] * 6


def test_a_game_in_a_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for name in ("mine.py", "mine.py:hide"):
        facts = json.loads(out(capsys, "describe", name, "places=3", "worth=1/3", "--json"))
        assert facts["nodes"] == 1 + 3 + 9
    assert "did you mean 'hide'" in refusal(capsys, "describe", "mine.py:hid")
    assert "put @game(players=...) above it" in refusal(capsys, "describe", "mine.py:plain")
    assert "no such file" in refusal(capsys, "describe", "yours.py")
    assert "needs places >= 1" in refusal(capsys, "describe", "mine.py", "places=0")


def test_convert_there_and_back(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    from infoset import load
    from infoset.games import kuhn
    from infoset.tree.files import load_table

    assert "55 nodes, written to k.efg" in out(capsys, "convert", "kuhn", "k.efg")
    assert load("k.efg") == kuhn().tree()
    assert "55 nodes, more than 54" in refusal(capsys, "tree", "k.efg", "--max-nodes", "54")
    out(capsys, "convert", "k.efg", "k2.efg")
    assert (folder / "k.efg").read_bytes() == (folder / "k2.efg").read_bytes()
    out(capsys, "convert", "mine.py", "places=2", "h.nfg")
    said = json.loads(out(capsys, "describe", "h.nfg", "--json"))
    assert said["nodes"] == 7
    table = 'NFG 1 R "t" { "a" "b" } { { "x" "y" } { "l" } } { { "win" 1, 0 } } 1 0'
    (folder / "t.nfg").write_text(table)
    out(capsys, "convert", "t.nfg", "u.nfg")
    assert load_table("u.nfg") == load_table("t.nfg")
    assert load_table("u.nfg").outcome_names == ("win", "")
    assert "write them with --ascii" in out(capsys, "convert", "leduc", "ranks=2", "l.efg")
    out(capsys, "convert", "leduc", "ranks=2", "l.efg", "--ascii")
    assert (folder / "l.efg").read_text().isascii()
    assert "says where to write" in refusal(capsys, "convert", "kuhn", "k.txt")
    assert "27 × 64 entries" in refusal(capsys, "convert", "kuhn", "k.nfg", "--max-profiles=99")
    written = {name for name in os.listdir(folder) if not name.startswith(("mine", "__"))}
    assert written == {"k.efg", "k2.efg", "l.efg", "h.nfg", "t.nfg", "u.nfg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("describe kunh", "did you mean 'kuhn'"),
        ("describe kuhn rank=3", "did you mean 'ranks'"),
        ("describe kuhn ranks=three", "must be a whole number, not 'three'"),
        ("describe kuhn ranks=1", "needs ranks >= players"),
        ("describe kuhn 3", "write NAME=VALUE"),
        ("describe kuhn ranks=3 ranks=4", "given twice"),
        ("describe kuhn --max-nodes 20", "more than 20 nodes"),
        ("describe kuhn --max-nodes x", "--max-nodes"),
        ("describe", "Missing argument"),
        ("describ kuhn", "No such command"),
        ("describe kuhn --fast", "--fast"),
        ("describe nothing.efg", "nothing.efg"),
        ("describe nothing.py", "nothing.py"),
        ("describe nothing.txt", "no game 'nothing.txt'"),
        ("tree kuhn --depth -1", "--depth"),
        ("convert kuhn", "FILE"),
        ("describe x.efg a=1", "takes no parameters"),
        ("describe openspiel:nonesuch", "OpenSpiel"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, message: str
) -> None:
    assert message in refusal(capsys, *arguments.split())


FAULTY = {
    "syntax.py": ("def f(:", "syntax.py:1"),
    "import.py": ("import nonesuch_module", "No module named"),
    "empty.py": ("", "no game"),
    "two.py": (MY_GAME + MY_GAME.replace("hide(g", "seek(g"), "several games"),
    "exits.py": ("raise SystemExit(3)", "exits"),
    "players.py": (MY_GAME.replace('"seeker")', '"hider")'), "two players are called"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_files_get_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, name: str
) -> None:
    text, message = FAULTY[name]
    (folder / name).write_text(text)
    assert message in refusal(capsys, "describe", name)


def test_broken_game_files_get_one_line(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for name, data in {
        "binary.efg": bytes(range(256)) * 10,
        "cut.efg": b'EFG 2 R "x" { "a" } c "" 1 "" { "x" 1/2',
        "empty.efg": b"",
        "text.nfg": b"hello",
    }.items():
        (folder / name).write_bytes(data)
        assert name in refusal(capsys, "describe", name)


def test_hostile_labels_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "evil.efg").write_text(
        'EFG 2 R "t\x1b[2J" { "a\x1b]0;x\x07" } p "" 1 1 "[red]\n\x1b[31m" { "x\r" "y" } 0\n'
        't "" 1 "" { 1 } t "" 2 "" { 2 }'
    )
    for command in ("describe", "tree"):
        printed = out(capsys, command, "evil.efg")
        assert "\x1b" not in printed
        assert "\r" not in printed
        assert "[red]" in printed or command == "describe"


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert "describe" in out(capsys, "--help")
    assert out(capsys, "--version").startswith("infoset 0.")


def test_an_interrupt_ends_quietly(folder: Path) -> None:
    code = "from infoset.cli import main; main(['describe', 'leduc', 'ranks=13', 'suits=4'])"
    started = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has interrupts ignored, and that is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until_it_has_computed(started, 1.2)
    started.send_signal(signal.SIGINT)
    printed, said = started.communicate(timeout=60)
    assert started.returncode == 130
    assert printed == ""
    assert said == "infoset: stopped\n"


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m infoset tree kuhn ranks=9 --lines 9999 | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "chance\n"
    assert done.stderr == ""


def test_what_the_rules_print_does_not_mix_with_the_answer(folder: Path) -> None:
    noisy = MY_GAME.replace("    spot =", "    print('hello')\n    spot =")
    (folder / "noisy.py").write_text(noisy)
    command = [sys.executable, "-m", "infoset", "describe", "noisy.py", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["nodes"] == 7
    assert "hello" in done.stderr


def test_a_terminal_without_box_characters() -> None:
    command = [sys.executable, "-m", "infoset", "tree", "kuhn", "--lines", "2"]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=ascii_only)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("chance\n?? J Q (1/6)")


def test_numbers_are_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "describe", "kuhn", "ranks=20")
    assert f"{3**20:,}" in printed
    assert "…" not in printed


def test_a_bimatrix_is_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    cells = "matrix:3,3 0,5; 5,0 1,1"
    solved = out(capsys, "solve", cells, "players=ann,bob", "rows=keep,tell", "columns=keep,tell")
    assert "payoffs      ann 1, bob 1" in solved
    assert "tell" in solved
    pennies = json.loads(out(capsys, "solve", "matrix: 1 -1; -1 1/2;", "--json"))
    assert pennies["value"] == "-1/7"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("matrix:3,3 0,5; 5,0 1,x", "row 2, column 2: '1,x' is not a payoff"),
        ("matrix:1 1/0", "row 1, column 2: '1/0'"),
        ("matrix:1,2,3", "row 1, column 1: '1,2,3'"),
        ("matrix:1 2; 3", "rows with 1 and 2 cells"),
        ("matrix:", "rows with 0 cells"),
        ("matrix:1 2,3", "some cells have one payoff and some have two"),
        ("matrix:1 2|size=3", "'size=3' is not a parameter of a matrix"),
        ("matrix:1 2|rows=a,b", "do not fit 1 rows, 2 columns"),
        ("matrix:1 2|columns=a,a", "a name is given twice: a, a"),
        ("matrix:1 2|players=a", "1 names of players"),
    ],
)
def test_a_matrix_that_is_none_is_refused_by_its_cell(
    capsys: pytest.CaptureFixture[str], words: str, complaint: str
) -> None:
    assert complaint in refusal(capsys, "solve", *words.split("|"))
