"""``infoset solve GAME --method smab`` and its kin: answers without a tree, and their misfits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.cli.solve_options import IMP
from infoset.games import goofspiel, kuhn
from infoset.rules.game import Game
from infoset.search import SEARCHES
from infoset.tree.files import save
from tests.cli import test_command as command
from tests.processes import computed, until_it_has_computed

EVALUATOR = """
from beside import NOUGHT

def even(position):
    return NOUGHT

def seven(position):
    return 7

def words(position):
    return "much"

def nan(position):
    return float("nan")

def broken(position):
    fine = 1
    return fine / NOUGHT
"""

LONG = """
from infoset import game

@game(players=("climber",))
def stairs(g, steps=4, depth=1):
    for step in range(steps):
        if g.choose("climber", ("stop", "on")) == "stop":
            return step
    return 10
"""


@pytest.fixture
def no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever builds a tree fails."""

    def build(*given: Any, **limits: Any) -> Any:
        raise AssertionError("a tree was built")

    monkeypatch.setattr(Game, "tree", build)
    monkeypatch.setattr("infoset.cli.game_arguments.tree_of_game", build)


SCREEN: list[pytest.CaptureFixture[str]] = []


@pytest.fixture(autouse=True)
def screen(capsys: pytest.CaptureFixture[str]) -> None:
    SCREEN[:] = [capsys]


def out(*words: str) -> str:
    return command.out(SCREEN[0], *words)


def refusal(*words: str) -> str:
    return command.refusal(SCREEN[0], *words)


def facts(*words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(out("solve", *words, "--json"))
    return told


@pytest.mark.parametrize("method", ["backward-induction", "smab", "double-oracle"])
@pytest.mark.usefixtures("no_tree")
def test_a_search_builds_no_tree_and_tells_its_counts(method: str) -> None:
    told = out("solve", "goofspiel", "cards=4", "early_end=true", "--method", method)
    assert f"method    {method}\n" in told
    assert "value     player 1: 0, off by" in told
    assert "known     optimal: " in told
    assert "positions, " in told
    assert "matrix games" in told
    assert "player 2\n" in told


@pytest.mark.usefixtures("no_tree")
def test_the_counts_of_the_paper() -> None:
    """Saffidine, Finnsson & Buro 2012, table 2."""
    words = ("goofspiel", "cards=6", "early_end=true", "--method", "backward-induction")
    told = facts(*words, "--no-transpositions")
    assert told["nodes"] == told["counts"]["nodes"] == 58_173
    assert facts(*words)["nodes"] < 10_000
    assert set(told) == {
        *("game", "players", "nodes", "method", "value", "value_bounds", "error", "optimal"),
        *("because", "depth", "counts", "seconds", "seconds_in_programs", "note", "decisions"),
    }


@pytest.mark.usefixtures("no_tree")
def test_interpreted_and_compiled_count_alike() -> None:
    words = ("oshi_zumo", "coins=5", "--method", "smab", "--skip", "1", "--order", "lexicographic")
    one, two = facts(*words, "--compiled"), facts(*words, "--interpreted")
    for key in ("value", "counts", "decisions", "error"):
        assert one[key] == two[key]


@pytest.mark.usefixtures("no_tree")
def test_last_options_first_halve_smabs_work_on_goofspiel() -> None:
    words = ("goofspiel", "cards=6", "early_end=true", "--method", "smab", "--no-transpositions")
    given, last = facts(*words, "--moves", "given"), facts(*words, "--moves", "reversed")
    assert given["counts"] == facts(*words)["counts"]
    assert 2 * last["nodes"] < given["nodes"]
    assert abs(Fraction(last["value"]) - Fraction(given["value"])) < 1e-9


@pytest.mark.usefixtures("no_tree")
def test_what_to_do_after_some_moves() -> None:
    told = out("solve", "goofspiel", "cards=4", "--method", "smab", "--after", "3,2")
    assert "[3], player 2 bids 2  1" in told
    words = ("goofspiel", "cards=3", "order=random", "prizes_up=false", "--method", "smab")
    drawn = facts(*words, "--after", "2", "--after", "3,1")
    assert [row["player"] for row in drawn["decisions"][:2]] == ["player 1", "player 2"]
    assert "prize 2" in drawn["decisions"][0]["knows"]
    for moves, said in (
        (("9,1",), "--after '9' is not among 1, 2, 3, 4"),
        (("3",), "give a move for each of player 1, player 2, with a comma between"),
    ):
        typed = [word for move in moves for word in ("--after", move)]
        assert said in refusal("solve", "goofspiel", "cards=4", "--method", "smab", *typed)


@pytest.mark.usefixtures("no_tree")
def test_depth_says_what_is_sure() -> None:
    words = ("goofspiel", "cards=5", "points=true", "--method", "double-oracle-alphabeta")
    told = facts(*words, "--depth", "2")
    assert told["value"] is None
    low, high = map(float, told["value_bounds"])
    assert -15 < low <= 0 <= high < 15
    assert "gets at least -" in out("solve", *words, "--depth", "2")


@pytest.mark.usefixtures("no_tree")
def test_an_evaluator_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "guess.py"
    file.write_text(EVALUATOR)
    (tmp_path / "beside.py").write_text("NOUGHT = 0")
    words = ("goofspiel", "cards=5", "points=true", "--method", "smab", "--depth", "1")
    values = [facts(*words, "--evaluator", f"{file}:{name}")["value"] for name in ("even", "seven")]
    assert values == ["0", "7"]
    for method in ("smab", "imp-minimax"):
        asked = (*words, "--method", method, "--evaluator")
        for name, said in (("words", "'much'"), ("nan", "nan")):
            told = refusal("solve", *asked, f"{file}:{name}")
            assert said in told
            assert "number" in told
        line = EVALUATOR[: EVALUATOR.index("fine / NOUGHT")].count("\n") + 1
        broken = refusal("solve", *asked, f"{file}:broken")
        assert f"guess.py:{line}: ZeroDivisionError" in broken
    assert "no function 'evn'; did you mean 'even'?" in refusal(
        "solve", *words, "--evaluator", f"{file}:evn"
    )
    assert "no such file" in refusal("solve", *words, "--evaluator", "none.py:even")
    assert "--depth or --time" in refusal("solve", *words[:-2], "--evaluator", f"{file}:even")
    told = facts(*words[:-2], "--evaluator", f"{file}:seven", "--time", "60")
    assert told["optimal"]  # it came to all ends before its time
    assert abs(Fraction(told["value"])) <= told["error"]


def test_files_that_are_wrong_are_told_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    for text, said in (
        ("x = 1\ny = (\n", "wrong.py:2: '(' was never closed"),
        ("x = 1\n\nraise KeyError(x)\n", "wrong.py:3: KeyError: 1"),
    ):
        file.write_text(text)
        assert said in refusal("solve", f"{file}:rules", "--method", "imp-minimax")
        goofspiel_ = ("goofspiel", "--method", "smab", "--depth", "1")
        assert said in refusal("solve", *goofspiel_, "--evaluator", f"{file}:rules")


def test_verified() -> None:
    told = out("solve", "goofspiel", "cards=3", "--method", "smab", "--verify", "--exact")
    assert "certificate  exact" in told
    assert "searched: " in told
    whole = facts("blair_g2", "--method", "imp-minimax", "--verify")
    assert (whole["value"], whole["regret"]) == ("-99/2", "50")
    assert whole["work"]["leaves"] == 6


@pytest.mark.usefixtures("no_tree")
def test_the_heuristic_says_that_it_is_one() -> None:
    told = facts("blair_g2", "--method", "imp-alphabeta")
    assert (told["value"], told["optimal"]) == ("1", False)
    assert "heuristic" in told["because"]
    best = facts("blair_g2", "variant=unseen", "--method", "imp-alphabeta")
    assert (best["value"], best["optimal"]) == ("0", True)


@pytest.mark.usefixtures("no_tree")
def test_pruning_can_be_chosen() -> None:
    words = ("imp_model", "k=2", "b=4", "d=4", "--method", "imp-alphabeta", "--pruning")
    leaves = {which: facts(*words, which)["counts"]["leaves"] for which in ("none", "both", "sets")}
    assert leaves["none"] == 8**3
    assert leaves["both"] <= leaves["sets"] < leaves["none"]


@pytest.mark.usefixtures("no_tree")
@pytest.mark.parametrize("method", ["imp-minimax", "imp-alphabeta", "chance-minimax"])
def test_bounds_reach_every_search(method: str, tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text(LONG)
    words = (str(file), "--method", method)
    assert facts(*words, "--bounds", "0,12", "--depth", "2")["value_bounds"] == ["1", "12"]
    assert facts(*words, "--bounds=-3,10", "--depth", "2")["value_bounds"] == ["1", "10"]
    assert facts(*words, "--bounds", ",11")["value"] == "10"
    assert "climber gets 10 at" in (told := refusal("solve", *words, "--bounds", "0,8"))
    assert told.endswith("more than the bound 8; give --bounds that hold\n")


@pytest.mark.parametrize("method", SEARCHES)
def test_no_time_at_all_is_fine(method: str) -> None:
    game = ("goofspiel", "cards=11", "points=true")
    if method in IMP:
        game = ("tic_tac_toe",) if method == "chance-minimax" else ("imp_model", "d=5", "b=5")
    told = facts(*game, "--method", method, "--time", "0")
    assert (told["optimal"], told["value"]) == (False, None)
    assert told["depth"] in range(5)  # what was finished before anyone looked at the clock
    assert told["note"]


@pytest.mark.usefixtures("no_tree")
def test_best_first_looks_less_far_before(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text(LONG)
    words = (str(file), "--method", "imp-alphabeta", "--best-first")
    told = facts(*words, "--bounds", "0,10")
    assert (told["value"], told["counts"]["searches"]) == ("10", 7)
    assert "--bounds LOW,HIGH" in refusal("solve", *words)


def test_files_are_searched_as_well(tmp_path: Path) -> None:
    file = tmp_path / "goofspiel.efg"
    save(goofspiel().tree(), file)
    told = facts(str(file), "--method", "double-oracle", "--exact")
    assert told["value"] == "0"
    assert "certificate  exact" in out("solve", str(file), "--method", "smab", "--verify")
    hidden = tmp_path / "kuhn.efg"
    save(kuhn().tree(), hidden)
    assert "hidden information" in refusal("solve", str(hidden), "--method", "smab")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("goofspiel", "players=3", "--method", "smab"), "takes two players, not 3"),
        (("leduc", "--method", "double-oracle"), "hidden information is for lp or discounted-cfr"),
        (("prisoners_dilemma", "--method", "smab"), "a constant sum is needed; lcp does not"),
        (("kuhn", "--method", "chance-minimax"), "needs perfect information"),
        (("kuhn", "--depth", "2"), "--depth goes with --method imp-alphabeta, imp-minimax"),
        (("kuhn", "--method", "lp", "--verify"), "--verify does not go with --method lp"),
        (
            ("goofspiel", "--method", "smab", "--where", "x"),
            "with --verify there are whole strategies",
        ),
        (("goofspiel", "--method", "smab", "--pruning", "both"), "it goes with imp-alphabeta"),
        (("goofspiel", "--method", "double-oracle", "--skip", "1"), "it goes with smab"),
        (
            ("goofspiel", "--method", "double-oracle", "--moves", "reversed"),
            "it goes with smab",
        ),
        (
            ("goofspiel", "--method", "smab", "--moves", "reverse"),
            "infoset: --moves reverse: did you mean 'reversed'?",
        ),
        (
            ("goofspiel", "--method", "smab", "--order", "round"),
            "infoset: --order round: known: 'l-",
        ),
        (("goofspiel", "--method", "smab", "--bounds", "1"), "write two numbers, as -1,1"),
        (("goofspiel", "--method", "smab", "--bounds", "1,-1"), "the smaller number comes first"),
        (
            ("goofspiel", "--method", "smab", "--exact", "--compiled"),
            "; --interpreted searches in Python",
        ),
        (("goofspiel", "--method", "smab", "--bounds", ",1"), "smab needs both LOW and HIGH"),
        (
            ("goofspiel", "--method", "imp-minimax", "--floats"),
            "--floats: imp-minimax",
        ),
        (("goofspiel", "--method", "smabb"), "did you mean 'smab'?"),
        (("goofspiel", "--method", "doab"), "did you mean 'double-oracle-alphabeta'?"),
    ],
)
def test_misfits_get_one_clear_line(words: tuple[str, ...], said: str) -> None:
    assert said in refusal("solve", *words)


def test_every_method_is_listed() -> None:
    told = out("solve", "--methods")
    for name in SEARCHES:
        assert f"\n{name} " in told


BEGINS = """
import sys
from infoset.cli import main
from infoset.search import SEARCHES

known = SEARCHES["backward-induction"]

def begun(*given, **asked):
    print("begun", file=sys.stderr, flush=True)
    return known(*given, **asked)

SEARCHES["backward-induction"] = begun
main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_a_search_with_what_is_sure() -> None:
    words = ["goofspiel", "cards=10", "early_end=true", "--method", "backward-induction"]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", BEGINS, "solve", *words, how, "--no-transpositions", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for how in ("--compiled", "--interpreted")
    ]
    with ExitStack() as ending:
        for run in runs:
            ending.callback(run.kill)  # whatever fails, no process is left behind
        for run in runs:
            assert run.stderr is not None
            assert run.stderr.readline() == "begun\n"
        for run in runs:
            until_it_has_computed(run, computed(run) + 0.5)
        for run in runs:
            run.send_signal(signal.SIGINT)
        answers = [(run, *run.communicate(timeout=60)) for run in runs]
    for run, told, trouble in answers:
        assert run.returncode == 0, trouble
        found = json.loads(told)
        assert found["value"] is None
        assert found["value_bounds"] == ["-1", "1"]
        assert "stop" in found["note"]
