"""``infoset solve`` by regret minimization and sampling, in the worst surroundings."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from infoset.cli import run
from infoset.solvers.container import read_checkpoint
from tests.cli.test_command import out, refusal

METHODS = ("cfr+", "external-sampling")
COMMAND = (sys.executable, "-c", "import infoset.cli; infoset.cli.main()")

HOSTILE = r"""
from infoset import game

RED, BROKEN = "\x1b[31mred\x07 [bold]x[/bold] [/]", "line\nbreak\r[/red],\"'"

@game(players=(RED, BROKEN))
def hostile(g):
    mine = g.choose(RED, (RED, BROKEN))
    yours = g.choose(BROKEN, (RED, BROKEN))
    return g.win(RED, 3 if mine == yours == RED else -(mine != yours))

@game(players=("ann", "bob"))
def raising(g):
    if g.choose("ann", ("sink", "swim")) == "sink":
        raise ZeroDivisionError("of the rules' own")  # in line 15
    return {"ann": 0, "bob": 0}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.py").write_text(HOSTILE)
    return tmp_path


@pytest.mark.parametrize("method", METHODS)
def test_names_command_no_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    words = ("solve", "game.py:hostile", "--method", method, "--iterations", "20")
    printed = out(capsys, *words, "--checkpoint", "red\x1b[31mrun", "--log", "two\nlines.csv")
    assert all(sign.isprintable() or sign == "\n" for sign in printed)
    assert r"checkpoint in red\x1b[31mrun" in printed
    assert "line\nbreak\r[/red]" in json.loads(out(capsys, *words, "--json"))["players"][1]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["a pipe", "a folder", "a device", "a game", "empty"])
def test_what_is_no_checkpoint_stays_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str], method: str, kind: str
) -> None:
    file = Path("/dev/full") if kind == "a device" else folder / "run"
    if kind == "a pipe":
        os.mkfifo(file)
    elif kind == "a folder":
        file.mkdir()
    elif kind == "a game":
        file.symlink_to(folder / "game.py")
    elif kind == "empty":
        file.touch()
    words = ("solve", "kuhn", "--method", method, "--iterations", "5", "--checkpoint", str(file))
    told = refusal(capsys, *words)
    assert "name a file" in told or "this is no checkpoint" in told
    assert (folder / "game.py").read_text() == HOSTILE
    assert file.exists()


@pytest.mark.parametrize("method", METHODS)
def test_the_line_of_the_rules_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    told = refusal(capsys, "solve", "game.py:raising", "--method", method, "--iterations", "50")
    assert "the rules raised ZeroDivisionError: of the rules' own" in told
    assert "at game.py:15" in told


def test_a_disk_that_fills_up_costs_no_answer(folder: Path) -> None:
    """Files of 4 KiB at most, as on a disk that is nearly full; in a process of its own."""
    resource = pytest.importorskip("resource")
    assert run(["solve", "kuhn", "--method", "cfr+", "--iterations", "1"]) == 0  # compiles
    words = ("solve", "kuhn", "--method", "cfr+", "--checkpoint", "run", "--log", "log.csv")
    done = subprocess.run(
        [*COMMAND, *words, "--iterations", "30000", "--every", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    printed = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "regret at most" in printed
    assert "run: it cannot be written: File too large" in printed
    assert "log.csv: it cannot be written: File too large" in printed
    assert "checkpoint in" not in printed
    assert "log in" not in printed
    assert 0 < read_checkpoint("run")[0]["iterations"] < 30_000  # what there was room for
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == [
        "game.py",
        "log.csv",
        "run",
    ]


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_is_killed_or_told_to_end(folder: Path, method: str) -> None:
    words = ["solve", "leduc", "--method", method, "--time", "60"]
    words += ["--checkpoint", "run", "--every", "0"]
    draw, done, printed = random.Random(1), 0, ""
    for kill, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)):
        process = subprocess.Popen(
            [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while process.poll() is None and not _further(done):
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, 0.2))
        process.send_signal(kill)
        printed, complaint = process.communicate(timeout=120)
        assert (process.returncode, complaint) == (status, "")
        assert _further(done)
        done = int(read_checkpoint("run")[0]["iterations"])
    assert "\nnote " in printed  # that it was stopped
    left = (path.name for path in folder.iterdir() if path.suffix != ".tmp")
    assert sorted(left) == ["game.py", "run"]


def _further(than: int) -> bool:
    """Is there a checkpoint with more iterations? It is whole whenever one looks."""
    return Path("run").exists() and int(read_checkpoint("run")[0]["iterations"]) > than
