"""Sampled answers at the command: no tree, strategies to read, files, JSON, refusals, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.analysis import read_strategies
from infoset.cli.app import call
from infoset.errors import InfosetError
from infoset.games import kuhn, leduc
from infoset.rules.game import Game
from infoset.solvers.convergence import Convergence
from infoset.tree.files import save
from tests.cli.test_command import out, refusal
from tests.processes import computed, until_it_has_computed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever builds a tree fails."""

    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("a tree was built")

    monkeypatch.setattr(Game, "tree", build)
    monkeypatch.setattr("infoset.cli.game_arguments.tree_of_game", build)


FLAGS = {"seconds": "--time", "plot": "--log-plot", "as_json": "--json"}


def words(
    name: str, *parameters: str, method: str = "external-sampling", **given: Any
) -> list[str]:
    """A command with these options."""
    found = ["solve", name, *parameters, "--method", method]
    for option, value in given.items():
        flag = FLAGS.get(option, f"--{option.replace('_', '-')}")
        for one in value if isinstance(value, tuple) else (value,):
            found += [flag] if one is True else [flag, str(one)]
    return found


def answer(name: str, *parameters: str, **given: Any) -> None:
    assert call(words(name, *parameters, **given)) == 0


def facts(capsys: pytest.CaptureFixture[str], name: str, **given: Any) -> dict[str, Any]:
    answer(name, as_json=True, **given)
    printed = capsys.readouterr()
    assert printed.err == ""
    found: dict[str, Any] = json.loads(printed.out)
    return found


def test_what_is_printed(capsys: pytest.CaptureFixture[str], no_tree: None) -> None:
    answer("kuhn", iterations=3_000)
    printed = capsys.readouterr().out
    blocks = printed.rstrip().split("\n\n")
    assert [line.split()[0] for line in blocks[0].splitlines()] == [
        "kuhn()", "method", "seen", "payoffs", "regret", "exploitability",
    ]  # fmt: skip
    assert "external-sampling, 3,000 iterations" in blocks[0]
    assert "(--prove proves it where the tree fits)" in blocks[0]
    assert blocks[1::2] == ["gambler", "dealer"]
    assert blocks[2].splitlines()[0].split() == ["knows", "pass", "bet", "reach"]
    assert any(line.startswith("Q, [pass], bet ") for line in blocks[2].splitlines())


@pytest.mark.parametrize(
    ("game", "method"),
    [
        (("goofspiel", "cards=10"), "outcome-sampling"),
        (("goofspiel", "cards=10"), "external-sampling"),  # one iteration is too much
        (("liars_dice", "dice=3"), "outcome-sampling"),
    ],
)
def test_games_that_no_tree_holds(
    game: tuple[str, ...],
    method: str,
    capsys: pytest.CaptureFixture[str],
    no_tree: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("infoset.solvers.sampling.run.GRACE", 0.1)
    began = time.perf_counter()
    answer(*game, method=method, seconds=0.4, rows=3)
    assert time.perf_counter() - began < 60  # and not the hours of a tree
    printed = capsys.readouterr().out
    assert " more rows" in printed
    assert "--player NAME shows all, --where TEXT looks inside" in printed
    assert ("stopped within an iteration" in printed) == (method == "external-sampling")


def test_json(capsys: pytest.CaptureFixture[str], no_tree: None) -> None:
    found = facts(capsys, "kuhn", iterations=500, seed=3)
    assert (found["game"], found["players"]) == ("kuhn()", ["gambler", "dealer"])
    assert (found["method"], found["iterations"]) == ("external-sampling", 500)
    assert (found["seed"], found["sets"], found["note"]) == (3, 12, "")
    assert not {"nodes", "infosets", "regret"} & set(found)
    assert 0 < found["regret_estimate"] == max(found["regret_estimates"].values()) < 1
    assert found["payoffs"]["gambler"]["mean"] == -found["payoffs"]["dealer"]["mean"]
    assert found["payoffs"]["gambler"]["error"] > 0
    assert [one["player"] for one in found["strategies"]] == found["players"]
    for one in found["strategies"]:
        assert len(one["behaviour"]) == 6
        for row in one["behaviour"]:
            assert [action for action, _ in row["plays"]] == ["pass", "bet"]
            assert float(sum(Fraction(share) for _, share in row["plays"])) == pytest.approx(1)
    again = facts(capsys, "kuhn", iterations=500, seed=3, player="dealer")
    assert again["strategies"] == found["strategies"][1:]


def test_no_iteration_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "kuhn", seconds=0.0)
    assert found["regret_estimate"] is None
    assert found["regret_estimates"] == {"gambler": None, "dealer": None}


def test_csv_of_leduc_is_read_again(folder: Path, no_tree: None, monkeypatch: Any) -> None:
    answer("leduc", iterations=300, csv=Path("leduc.csv"), as_json=True)
    monkeypatch.undo()
    tree = leduc().tree()
    read = read_strategies(folder / "leduc.csv", tree, missing="uniform")
    assert set(read) == set(tree.names)
    answer("leduc", iterations=50, csv=folder / "two.csv", player="two")
    assert list(read_strategies(folder / "two.csv", tree, missing="uniform")) == ["two"]


def test_logs_and_their_plots(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer("kuhn", iterations=50, log=Path("kuhn.csv"), plot=Path("kuhn.svg"))
    assert capsys.readouterr().out.rstrip().endswith("\n\nlog in kuhn.csv\nplot in kuhn.svg")
    assert (folder / "kuhn.svg").read_text().startswith("<?xml")
    logged = Convergence.read("kuhn.csv")
    found = facts(capsys, "kuhn", iterations=50)
    convergence = Convergence.from_record(found["convergence"])
    assert [(point.iterations, point.regrets) for point in logged.points] == [
        (point.iterations, point.regrets) for point in convergence.points
    ]
    assert convergence.points[-1].regrets == tuple(found["regret_estimates"].values())


def test_tables_in_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("t.csv", "t.html", "t.json", "t.tex", "t.txt"):
        answer("kuhn", iterations=50, table=Path(name), where=("K",))
        assert "K, [pass], bet" in (folder / name).read_text().replace("{[}", "[").replace(
            "{]}", "]"
        )
        assert f"written: the tables to {name}" in capsys.readouterr().out


def test_parts_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    answer("kuhn", iterations=50, where=("Q, bet",))
    printed = capsys.readouterr().out
    assert "dealer" in printed.splitlines()
    assert "gambler" not in printed.splitlines()  # it has no such set
    answer("kuhn", iterations=50, player="gambler", rows=2)
    printed = capsys.readouterr().out
    assert "… 4 more rows" in printed
    assert "--player NAME" not in printed


def test_trees_in_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(kuhn().tree(), folder / "kuhn.efg")
    answer("kuhn.efg", iterations=50, csv=Path("kuhn.csv"))
    assert "50 iterations" in capsys.readouterr().out
    assert ",#1," in (folder / "kuhn.csv").read_text()


def test_rules_that_print_do_not_spoil_the_answer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "loud.py").write_text(
        "from infoset import game\n\n@game(players=('a', 'b'))\ndef loud(g):\n    print('noise')\n"
        "    return g.win('a' if g.choose('a', ('x', 'y')) == 'x' else 'b')\n"
    )
    answer("loud.py:loud", iterations=5, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["game"] == "loud()"
    assert "noise" in printed.err


def test_proved_it_is_a_solution(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("solve", "kuhn", "--method", "external-sampling", "--prove", "--json")
    found = json.loads(out(capsys, *asked))
    assert found["work"]["iterations"] == 10_000
    assert found["certificate"].endswith("proved in rational arithmetic")
    assert 0 < Fraction(found["regret"]) < Fraction(1, 10)
    assert found["nodes"] == 55


def test_the_whole_command(capsys: pytest.CaptureFixture[str], no_tree: None) -> None:
    asked = ("solve", "goofspiel", "cards=10", "--method", "outcome-sampling", "--time", "0.3")
    printed = out(capsys, *asked, "--rows", "2", "--seed", "4", "--exploration", "0.3")
    assert "outcome-sampling, " in printed
    assert ", seed 4, " in printed
    said = refusal(capsys, *asked, "--updates", "alternating")
    assert "--updates does not go with --method outcome-sampling; it goes with cfr" in said


def test_when_nothing_says_when_to_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert facts(capsys, "matching_pennies")["iterations"] == 10_000
    monkeypatch.setattr("infoset.cli.solving.SECONDS", 0.2)
    found = facts(capsys, "leduc", method="outcome-sampling")
    assert 0 < found["iterations"] < 10_000
    assert found["note"].startswith("ended after 60 s")
    found = facts(capsys, "leduc", iterations=5)
    assert (found["iterations"], found["note"]) == (5, "")


def test_checkpoints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("run")
    whole = facts(capsys, "kuhn", iterations=90)
    answer("kuhn", iterations=40, checkpoint=path)
    assert capsys.readouterr().out.rstrip().endswith("checkpoint in run")
    part = facts(capsys, "kuhn", iterations=90, checkpoint=path)
    again = facts(capsys, "kuhn", iterations=90, checkpoint=path)
    assert again["note"].startswith("nothing was left to do since the checkpoint")
    for found in (part, again):
        assert found["strategies"] == whole["strategies"]
        assert found["payoffs"] == whole["payoffs"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"updates": "alternating"}, "--updates does not go with --method external-sampling"),
        ({"workers": 2}, "--workers does not go with --method external-sampling"),
        ({"log": Path("x.txt")}, "x.txt: the name must end in .csv"),
        ({"plot": Path("x.doc")}, "x.doc: the name must end in"),
        ({"exploration": 0.5}, "it goes with outcome-sampling"),
        ({"iterations": 0}, "--iterations 0: it must be a whole number"),
        ({"every": 5.0}, "--every 5: it goes with a checkpoint"),
        ({"player": "dealr"}, "--player 'dealr': no such player; did you mean 'dealer'?"),
        ({"csv": Path("x.txt")}, "x.txt: the name must end in .csv"),
        ({"table": Path("no/where.csv")}, "there is no folder"),
        (
            {"max_nodes": 7},
            "--max-nodes does not go with --method external-sampling; no tree is built",
        ),
        ({"seconds_per_move": 1.0}, "--seconds-per-move does not go with"),
        ({"method": "external"}, "no method 'external'"),
    ],
)
def test_refused_before_anything_is_done(
    asked: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.cli.solving.sample", None)  # nothing runs
    with pytest.raises(InfosetError) as refusal:
        answer("kuhn", **asked)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (("kuhm",), "did you mean 'kuhn'?"),
        (("kuhn", "rank=3"), "kuhn has no parameter 'rank'"),
        (("nowhere.efg",), "nowhere.efg"),
    ],
)
def test_games_that_there_are_not(named: tuple[str, ...], said: str) -> None:
    with pytest.raises(InfosetError) as refusal:
        answer(*named)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_answer_is_not_lost_for_a_label_that_there_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(InfosetError) as refusal:
        answer("kuhn", iterations=50, where=("ace",))
    assert "that was met has 'ace' in its label; one reads " in str(refusal.value)
    assert "50 iterations" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_gives_the_best_so_far() -> None:
    program = (
        "from infoset.cli import main, solve, solving\n"
        "print('ready', flush=True)\n"
        f"main({words('kuhn', iterations=10**9, as_json=True)})\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        until_it_has_computed(process, computed(process) + 1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert err == ""
    found = json.loads(out)
    assert 0 < found["iterations"] < 10**9
    assert found["note"] == "interrupted"
    assert found["strategies"][0]["behaviour"]


# ------------------------------------------------------------------ saved results


def test_saved_and_loaded(folder: Path, capsys: pytest.CaptureFixture[str], no_tree: None) -> None:
    answer("kuhn", iterations=300, seed=2, save="kuhn.result")
    printed = capsys.readouterr().out
    loaded = out(capsys, "solve", "kuhn", "--load", "kuhn.result")
    assert loaded in printed
    assert "exploitability  about " in loaded
    found = json.loads(out(capsys, "solve", "kuhn", "--load", "kuhn.result", "--json"))
    about = found["exploitability"]
    assert 0 <= about["low"] <= about["estimate"] <= about["high"]
    assert about["confidence"] == 0.95
    assert "ranks=4" in refusal(capsys, "solve", "kuhn", "ranks=4", "--load", "kuhn.result")
    said = refusal(capsys, "solve", "kuhn", "--load", "kuhn.result", "--public")
    assert "--public does not go with --load kuhn.result" in said


def test_a_saved_result_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer("kuhn", iterations=300, save="kuhn.result")
    capsys.readouterr()
    words = ("ask", "kuhn", "--load", "kuhn.result", "--beliefs", "gambler: Q, [pass], bet")
    assert "reached with probability" in out(capsys, *words)
