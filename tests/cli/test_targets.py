"""Files that commands are told to write: refused before the work, written whoever reads the answer.

Nothing here waits for a clock: a reader who leaves has left before the first line is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infoset.cli import files as targets
from infoset.cli import run
from infoset.errors import FileError
from infoset.rules.game import Game
from tests.cli.test_command import out, refusal

COMMAND = (sys.executable, "-c", "import infoset.cli; infoset.cli.main()")
ENDINGS = {
    "--save": "sol",
    "--csv": "csv",
    "--table": "html",
    "--plot": "svg",
    "--draw": "svg",
    "--log": "csv",
    "--log-plot": "png",
    "--checkpoint": "run",
}
NOWHERE = "it cannot be written there; name another folder"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux has /proc and /dev/full")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever builds anything fails."""

    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("something was built")

    monkeypatch.setattr(Game, "tree", build)
    monkeypatch.setattr(Game, "public", build)
    monkeypatch.setattr("infoset.cli.game_arguments.tree_of_game", build)


# ---------------------------------------------------------------------- before the work


@on_linux
@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("public", [(), ("--public",)])
@pytest.mark.parametrize("option", ENDINGS)
def test_what_solve_cannot_write_is_said_before_anything_is_built(
    capsys: pytest.CaptureFixture[str], option: str, public: tuple[str, ...]
) -> None:
    file = f"/proc/x.{ENDINGS[option]}"
    assert (
        refusal(capsys, "solve", "kuhn", *public, option, file) == f"infoset: {file}: {NOWHERE}\n"
    )


@on_linux
@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    "words",
    [
        "ask kuhn --table /proc/x.csv",
        "ask kuhn --reply none.csv --csv /proc/x.csv",
        "matrix kuhn --table /proc/x.csv",
        "tree kuhn --draw /proc/x.svg",
        "sweep kuhn ranks=2..3 --csv /proc/x.csv",
        "sweep kuhn ranks=2..3 --plot /proc/x.png",
        "convert kuhn /proc/x.efg",
        "solve kuhn --method external-sampling --csv /proc/x.csv",
        "solve kuhn --method efce --table /proc/x.csv",
    ],
)
def test_so_of_all_commands(capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert NOWHERE in refusal(capsys, *words.split())


@on_linux
@pytest.mark.usefixtures("idle")
def test_a_disk_that_is_full_is_found_out_before(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Path("/dev/full")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: full.open("wb"))
    said = refusal(capsys, "solve", "kuhn", "--public", "--save", "k.sol")
    assert said == "infoset: k.sol: it cannot be written: No space left on device\n"


def test_looking_leaves_everything_as_it_was(folder: Path) -> None:
    old = folder / "old.csv"
    old.write_text("mine")
    os.utime(old, (1, 1))
    link = folder / "link.csv"
    link.symlink_to(old)
    before = sorted(folder.iterdir())
    for file in (old, link, folder / "new.csv"):
        targets.check_target(file, (".csv",))
    assert sorted(folder.iterdir()) == before
    assert (old.read_text(), old.stat().st_mtime) == ("mine", 1)


@on_linux
def test_what_is_no_place_for_a_file(folder: Path) -> None:
    (folder / "astray").symlink_to(folder / "none" / "file")
    for name, said in (
        (".", "this is a folder; name a file"),
        ("none/file", "there is no folder none"),
        ("astray", "there is no folder"),
        ("/dev/full", "this is not a regular file; name a file"),
        ("n" * 300, "File name too long"),
        ("two\0parts", "this cannot be the name of a file"),
    ):
        with pytest.raises(FileError, match=said):
            targets.check_target(Path(name))


# ---------------------------------------------------------------------- before the answer


@pytest.mark.parametrize(
    ("words", "files"),
    [
        ("solve kuhn --public --save k.sol --csv k.csv --table k.html", "k.sol k.csv k.html"),
        ("solve kuhn --public --json --save k.sol", "k.sol"),
        ("solve kuhn --save k.json --csv k.csv --table k.html", "k.json k.csv k.html"),
        ("sweep kuhn ranks=2..3 --plot k.svg", "k.svg"),
    ],
)
def test_files_are_there_if_the_reader_has_left(folder: Path, words: str, files: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *words.split()], stdout=writing, stderr=subprocess.PIPE, timeout=60
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(path.name for path in folder.iterdir()) == sorted(files.split())


@pytest.mark.parametrize("words", ["--public", "--tree"])
def test_files_are_there_if_the_answer_is_broken_off(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
) -> None:
    def interrupted(*given: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("infoset.cli.solutions.SolutionAnswer.text", interrupted)
    assert run(["solve", "kuhn", words, "--save", "k.sol", "--csv", "k.csv"]) == 130
    assert capsys.readouterr().err == "infoset: stopped\n"
    assert sorted(path.name for path in folder.iterdir()) == ["k.csv", "k.sol"]


def test_a_file_that_fails_costs_neither_the_others_nor_the_answer(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*given: Any, **how: Any) -> None:
        raise FileError("k.sol: the disk is on fire")

    monkeypatch.setattr("infoset.solvers.Solution.save", failing)
    words = ("solve", "kuhn", "--public", "--save", "k.sol", "--csv", "k.csv")
    assert run([*words, "--log-plot", "k.png"]) == 2
    printed = capsys.readouterr()
    assert "written: the strategies to k.csv\nplot in k.png" in printed.out
    assert printed.err == "infoset: k.sol: the disk is on fire\n"
    assert sorted(path.name for path in folder.iterdir()) == ["k.csv", "k.png"]


def test_a_sweep_says_what_it_could_not_plot(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*given: Any, **how: Any) -> None:
        raise FileError("k.png: the disk is on fire")

    monkeypatch.setattr("infoset.analysis.sweeps.Sweep.plot", failing)
    assert run(["sweep", "kuhn", "ranks=2..3", "--plot", "k.png"]) == 2
    printed = capsys.readouterr()
    assert "-1/18" in printed.out
    assert printed.err == "infoset: k.png: the disk is on fire\n"


def test_two_things_in_one_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    words = ("solve", "kuhn", "--public", "--csv", "a.csv", "--log", "./a.csv")
    assert "two things cannot be written to one file" in refusal(capsys, *words)
    assert "written: the strategies to a.csv" in out(capsys, *words[:-2])
