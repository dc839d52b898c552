"""``infoset solve`` by regret minimization: its options, its files, Ctrl-C and kills."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.cli.progress import falling, news
from infoset.errors import FileError
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.container import read_checkpoint
from infoset.solvers.convergence import Convergence, Point, Progress
from tests.cli.test_command import out, refusal


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(out(capsys, "solve", *arguments, "--json"))
    return facts


@pytest.mark.parametrize("method", [row.name for row in VARIANTS])
def test_every_variant_is_a_method(capsys: pytest.CaptureFixture[str], method: str) -> None:
    facts = asked(capsys, "kuhn", "--method", method, "--iterations", "400")
    assert facts["method"] == method
    assert facts["work"]["iterations"] == 400
    assert abs(Fraction(facts["value"]) + Fraction(1, 18)) < Fraction(1, 100)
    assert Fraction(facts["regret"]) < Fraction(1, 50)
    assert facts["convergence"]["points"]


def test_who_says_how_a_run_goes_gets_one(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn", "--iterations", "50")
    assert (facts["method"], facts["because"]) == ("discounted-cfr", "as asked: iterations")
    exact = asked(capsys, "kuhn", "--regret", "0.1")  # an exact answer has less
    assert (exact["method"], exact["exact"]) == ("lp", True)


def test_regret_stops_it(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "leduc", "--method", "cfr+", "--regret", "0.01")
    assert Fraction(facts["regret"]) <= Fraction(1, 100)
    before = asked(capsys, "leduc", "--method", "cfr+", "--regret", "0.02")
    assert before["work"]["iterations"] < facts["work"]["iterations"]


def test_settings_change_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    run = ("leduc", "--method", "discounted-cfr", "--iterations", "100")
    plain = asked(capsys, *run)["regret"]
    for more in (
        ("--updates", "simultaneous"),
        ("--averaging", "uniform"),
        ("--exponents", "2,0.5,1"),
        ("--precision", "float32"),
    ):
        assert asked(capsys, *run, *more)["regret"] != plain, more
    assert asked(capsys, *run, "--workers", "2")["regret"] == plain


def test_no_prove_says_that_floats_did_it(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn", "--method", "cfr+", "--iterations", "100", "--no-prove")
    assert re.fullmatch(r"regret about [0-9.e-]+, computed in floats", facts["certificate"])


def test_checkpoint_log_and_plot(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ("solve", "leduc", "--method", "cfr+", "--checkpoint", "run", "--log", "run.csv")
    first = out(capsys, *run, "--iterations", "60", "--log-plot", "run.png")
    for words in ("checkpoint in run", "log in run.csv", "plot in run.png"):
        assert words in first
    assert (folder / "run.png").read_bytes().startswith(b"\x89PNG")
    went_on = asked(capsys, *run[1:], "--iterations", "150")
    unbroken = asked(capsys, "leduc", "--method", "cfr+", "--iterations", "150")
    assert went_on["regret"] == unbroken["regret"]
    assert went_on["strategies"] == unbroken["strategies"]
    convergence = Convergence.read(folder / "run.csv")
    assert convergence.points[-1].iterations == 150
    assert [point.iterations for point in convergence.points] == [
        point["iterations"] if isinstance(point, dict) else point[1]
        for point in unbroken["convergence"]["points"]
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--method cfr+ --iterations 0", "--iterations 0: it must be a whole number from 1 on"),
        ("--method cfr --regret -1", "--regret -1.0: it must be a number from 0 on"),
        ("--time nan", "nan is not a number"),
        ("--method cfr --regret nan", "--regret nan: it must be a number from 0 on"),
        ("--exponents 1.5,-1,2", "--exponents 1.5,-1.0,2.0: -1.0 is no number from 0 on"),
        ("--exponents 1.5,0", "--exponents '1.5,0': write 3 numbers with commas between"),
        ("--exponents a,b,c", "--exponents 'a,b,c': write 3 numbers with commas between"),
        (
            "--method cfr+ --exponents 1,0,2",
            "--exponents does not go with --method cfr+; it goes with discounted-cfr",
        ),
        ("--method cfr --averaging cubic", "--averaging cubic: known: 'linear', 'quadratic'"),
        ("--method cfr --updates often", "--updates often: known: 'alternating'"),
        ("--method cfr --precision float16", "--precision float16: did you mean 'float64'?"),
        ("--method cfr --workers 0", "--workers 0: it must be a whole number from 1 on"),
        (
            "--method lp --iterations 9",
            "--iterations does not go with --method lp; it goes with cfr",
        ),
        (
            "--method cfr+ --seed 1",
            "--seed does not go with --method cfr+; it goes with external-sampling",
        ),
        ("--method cfr+ --exact", "cfr+ approximates, and proves its regret; lp is exact"),
        ("--method cfr+ --every 5", "--every 5: it goes with a checkpoint"),
        (
            "--method cfr+ --log a.csv --csv a.csv",
            "a.csv: two things cannot be",
        ),
        ("--method cfr+ --log a.csv --checkpoint ./a.csv", "--log a.csv: the checkpoint is"),
        ("--method cfr+ --log run.txt", "run.txt: the name must end in .csv"),
        ("--method cfr+ --checkpoint no/run", "no/run: there is no folder no"),
        (
            "--method lp --log-plot run.png",
            "--log-plot does not go with --method lp; it goes with cfr",
        ),
        ("--subgame-perfect --iterations 9", "--iterations does not apply: subgame by subgame"),
    ],
)
def test_one_line_for_what_cannot_be(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, words: str
) -> None:
    said = refusal(capsys, "solve", "kuhn", *arguments.split())
    assert words in said
    assert not list(folder.iterdir())


def test_a_checkpoint_of_another_game_is_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out(capsys, "solve", "kuhn", "--method", "cfr+", "--iterations", "5", "--checkpoint", "run")
    before = (folder / "run").read_bytes()
    said = refusal(capsys, "solve", "leduc", "--method", "cfr+", "--checkpoint", "run")
    assert "this checkpoint is of another game: kuhn(), not leduc()" in said
    said = refusal(capsys, "solve", "kuhn", "--method", "cfr", "--checkpoint", "run")
    assert "this checkpoint is of a run with method cfr+, not cfr" in said
    (folder / "notes").write_text("what I had for lunch")
    said = refusal(capsys, "solve", "kuhn", "--method", "cfr", "--checkpoint", "notes")
    assert "this is no checkpoint" in said
    assert (folder / "notes").read_text() == "what I had for lunch"
    assert (folder / "run").read_bytes() == before


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "infoset", "solve", "leduc", "--method", "cfr", *arguments]
    return subprocess.Popen(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def wait_for(file: Path, least: int) -> None:
    """Until a checkpoint has so many iterations."""
    for _ in range(600):
        try:
            if read_checkpoint(file)[0]["iterations"] >= least:
                return
        except FileError:
            pass  # not there yet
        time.sleep(0.05)
    raise AssertionError("no checkpoint came")


@pytest.mark.skipif(os.name != "posix", reason="signals as Unix has them")
def test_ctrl_c_gives_what_is_known(folder: Path) -> None:
    process = started(folder, "--regret", "0", "--checkpoint", "run", "--every", "0.1", "--json")
    wait_for(folder / "run", 100)
    process.send_signal(signal.SIGINT)
    printed, trouble = process.communicate(timeout=60)
    facts = json.loads(printed)
    assert process.returncode == 0, trouble
    assert facts["note"].startswith("stopped after ")
    assert 0 < Fraction(facts["regret"]) < 1


@pytest.mark.skipif(os.name != "posix", reason="signals as Unix has them")
def test_a_killed_run_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = started(folder, "--regret", "0", "--checkpoint", "run", "--every", "0.05")
    wait_for(folder / "run", 200)
    process.kill()
    process.communicate()
    done = read_checkpoint(folder / "run")[0]["iterations"]
    goal = str(done + 100)
    run = ("leduc", "--method", "cfr", "--iterations", goal)
    went_on = asked(capsys, *run, "--checkpoint", "run")
    unbroken = asked(capsys, *run)
    assert went_on["strategies"] == unbroken["strategies"]


def test_a_line_that_falls() -> None:
    assert falling([]) == ""
    assert falling([0.0]) == ""
    assert falling([1.0]) == "▁"
    assert falling([10.0**-power for power in range(8)]) == "█▇▆▅▄▃▂▁"
    assert len(falling([1 / t for t in range(1, 100)])) == 12


def test_news_before_anything_was_measured() -> None:
    assert news(Progress(0, 0.0, (), None, None)).strip().startswith("regret not known yet")
    point = Point(3.0, 40, 0.25)
    assert "regret 0.25 (to 0.01), 1,040 iterations, 61 s" in news(
        Progress(1040, 61.0, (point,), 0.3, 0.01)
    )
