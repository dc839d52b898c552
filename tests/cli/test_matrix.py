"""``infoset matrix``, as a user meets it."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infoset.cli import run
from tests.cli.test_command import out, refusal

F = Fraction


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(out(capsys, "matrix", *arguments, "--json"))
    return facts


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "matrix", "prisoners_dilemma").splitlines()
    assert lines[:5] == [
        "prisoners_dilemma(): reduced normal form, 2 × 2",
        "row \\ column  cooperate    defect  dominated",
        "cooperate        -1, -1    -4, 0*  strictly by defect",
        "defect           0*, -4  -3*, -3*",
        "dominated      strictly",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn")
    assert facts["game"] == "kuhn()"
    assert facts["players"] == ["gambler", "dealer"]
    assert (facts["nodes"], facts["infosets"], facts["form"]) == (55, 12, "reduced normal")
    grid, gambler, dealer = facts["tables"]
    assert [len(table["rows"]) for table in facts["tables"]] == [28, 27, 64]
    assert grid["rows"][8]["#5"] == ["1/6", "-1/6"]  # as NormalForm's example has it
    assert gambler["rows"][0]["dominated"] == "strictly by 2/3 × #2 + 1/3 × #20"
    assert dealer["rows"][12]["dominated"] is None
    alone = asked(capsys, "prisoners_dilemma")
    assert [len(table["rows"]) for table in alone["tables"]] == [3]
    assert set(facts) == set(alone)


def test_all_strategies(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kuhn(): normal form, 64 × 64\n" in out(
        capsys, "matrix", "kuhn", "--whole", "--rows", "1"
    )
    assert asked(capsys, "kuhn", "--whole")["form"] == "normal"


def test_rows_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "kuhn", "--rows", "3", "--columns", "64")
    assert "\n… 24 more rows; --rows 27 shows them\n" in printed
    assert "\n#2  " in printed
    assert "more rows" not in out(capsys, "matrix", "kuhn", "--rows", "64")


def test_columns_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "kuhn")
    assert "\n… 44 more columns; --columns 64 shows them\n" in printed
    head = next(line for line in printed.splitlines() if line.startswith("gambler \\ dealer"))
    assert head.split()[3:] == [*(f"#{at}" for at in range(20)), "dominated"]
    assert " #63 " in out(capsys, "matrix", "kuhn", "--columns", "64")
    both = out(capsys, "matrix", "kuhn", "--rows", "26", "--columns", "63")
    assert "\n… 1 more row, 1 more column; --rows 27 --columns 64 shows them\n" in both


def test_wide_matrices_are_not_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "matrix", "leduc", "--sequence", "--rows", "3").splitlines()
    assert max(map(len, lines)) < 200
    assert "… 1,090 more rows, 1,073 more columns; --rows 1093 --columns 1093 shows them" in lines


def test_keys_are_always_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Each strategy in words once, below the matrix, and what dominates it."""
    for rows in ("1", "3", "100"):
        printed = out(capsys, "matrix", "kuhn", "--rows", rows)
        grid, gambler, dealer, note = printed.split("\n\n")[1:]
        assert "pass/pass" not in grid
        assert gambler.startswith("strategies of gambler\nnumber  dominated ")
        assert (
            "#0      strictly by 2/3 × #2 + 1/3 × #20  pass/pass/pass/pass/pass/pass\n" in gambler
        )
        assert dealer.startswith("strategies of dealer\nnumber  dominated ")
        assert re.search(r"^#4 +weakly by #12 +pass/pass/pass/bet/pass/pass$", dealer, re.MULTILINE)
        assert note.startswith("Payoffs of gambler, dealer; ")
    assert "more table" not in printed


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_eighty_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", screen := Screen())
    assert run(["matrix", "kuhn", "--rows", "3"]) == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    head = next(line for line in lines if line.startswith("gambler \\ dealer"))
    assert head.endswith("#4  dominated")
    assert "… 24 more rows, 59 more columns; --rows 27 --columns 64 shows them" in lines
    for game, columns in (("kuhn --rows 3 --columns 64", 64), ("beer_quiche", 4)):
        monkeypatch.setattr("sys.stdout", screen := Screen())
        assert run(["matrix", *game.split()]) == 0
        printed = screen.getvalue()
        assert max(map(len, printed.splitlines())) <= 80
        assert "more column" not in printed
        blocks = re.findall(r"^\w+ \\ \w+ (.*)$", printed, re.MULTILINE)
        assert len(" ".join(blocks).split()) == columns + 1  # and what is dominated
        assert "…" not in "".join(blocks)


def test_tables_that_are_left_out_are_counted(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "three.py").write_text(
        "from infoset import game\n@game(players=('a', 'b', 'c'))\ndef three(g):\n"
        "    moves = g.together(dict.fromkeys(g.players, range(7)))\n"
        "    return {who: (move * 3 + sum(moves.values())) % 5 for who, move in moves.items()}\n"
    )
    printed = out(capsys, "matrix", "three.py", "--rows", "14")
    assert printed.count("\na \\ b ") == 3
    assert "\n… 4 more tables; --rows 49 shows them\n" in printed
    assert "more table" not in out(capsys, "matrix", "three.py", "--rows", "49")


def test_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "seltens_horse")
    assert "\nthree: L\n" in printed
    assert "1*, 1*, 1*" in printed


def test_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "kuhn", "--sequence")
    assert printed.startswith("kuhn(): sequence form\n")
    assert "E x = e" in printed
    assert "value" not in printed
    facts = asked(capsys, "kuhn", "--sequence")
    assert facts["form"] == "sequence"
    assert facts["facts"]["sequences"] == "13 × 13"


def test_sequences_solved(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn", "--sequence", "--solve")
    rows = facts["tables"][0]["rows"]
    assert F(rows[0]["value"][0]) == F(-1, 18)
    weights = [F(row["weight"]) for row in rows[:13]]
    assert weights[0] == weights[1] + weights[2] == weights[3] + weights[4] + weights[2] == 1
    assert F(rows[14]["#0"][0]) == F(1, 18)
    assert facts["facts"]["gambler gets"].startswith("-1/18")


@pytest.mark.parametrize("suffix", ["csv", "tex", "html", "json", "txt"])
def test_save(capsys: pytest.CaptureFixture[str], folder: Path, suffix: str) -> None:
    printed = out(capsys, "matrix", "prisoners_dilemma", "--table", f"table.{suffix}")
    assert printed == out(capsys, "matrix", "prisoners_dilemma")
    written = (folder / f"table.{suffix}").read_text()
    assert "strictly by defect" in written
    if suffix == "csv":
        rows = list(csv.reader(written.splitlines()))
        assert rows[2][1:3] == ["0; -4", "-3; -3"]


def test_files_have_all(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "matrix", "kuhn", "--rows", "1", "--columns", "1", "--table", "k.csv")
    rows = list(csv.reader((folder / "k.csv").read_text().splitlines()))
    assert len(rows) == 1 + 28 + 27 + 64
    assert {f"#{at}" for at in range(64)} <= set(rows[0])


def test_files_of_others(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "convert", "prisoners_dilemma", "p.nfg")
    cells = asked(capsys, "p.nfg")["tables"][0]["rows"]
    assert cells == asked(capsys, "prisoners_dilemma")["tables"][0]["rows"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kunh", "did you mean 'kuhn'"),
        ("kuhn --solve", "--solve goes with --sequence"),
        ("kuhn --sequence --whole", "--whole is of the normal form"),
        ("kuhn --sequence --max-profiles 1", "--max-profiles is of the normal form"),
        ("kuhn --rows 3 --json", "--rows is of what is printed; --json has all"),
        ("kuhn --columns 3 --json", "--columns is of what is printed; --json has all"),
        ("kuhn --table table.pdf", "table.pdf: the name must end in .csv"),
        ("kuhn --table nowhere/table.csv", "there is no folder nowhere"),
        ("kuhn --rows 0", "--rows"),
        ("kuhn --columns 0", "--columns"),
        ("kuhn --max-profiles 100", "27 × 64 entries, more than 100"),
        ("kuhn ranks=13", "1,594,323 × 67,108,864 entries, more than 1,000,000; the sequence form"),
        ("seltens_horse --sequence", "this game has 3"),
        ("absent_minded --sequence --solve", "needs perfect recall"),
        ("kuhn ranks=60 --sequence --solve --max-nodes 10", "more than 10 nodes"),
        ("", "Missing argument"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, message: str
) -> None:
    assert message in refusal(capsys, "matrix", *arguments.split())
    assert list(folder.iterdir()) == []


def test_too_large_a_form_is_not_solved_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.analysis.matrices.MOST_COLUMNS", 12)
    monkeypatch.setattr("infoset.cli.matrix.solved", lambda tree: pytest.fail("solved"))
    assert "13 × 13 sequences, more than 12" in refusal(
        capsys, "matrix", "kuhn", "--sequence", "--solve"
    )


def test_hostile_labels_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "evil.efg").write_text(
        'EFG 2 R "t\x1b[2J" { "a\x1b]0;x\x07" } '
        'p "" 1 1 "[red]\n\x1b[31m" { "x\r" "\u202ey" } 0\n'
        't "" 1 "" { 1 } t "" 2 "" { 2 }'
    )
    for more in ((), ("--sequence", "--solve")):
        printed = out(capsys, "matrix", "evil.efg", *more)
        assert not set(printed) & set("\x1b\x07\r\u202e")
        json.loads(out(capsys, "matrix", "evil.efg", *more, "--json"))


# ---------------------------------------------------------------------- without what is dominated


def test_rounds_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "matrix", "entry_game", "--eliminate", "weak").splitlines() == [
        "entry_game(): reduced normal form, 2 × 2",
        "eliminated  2 strictly or weakly dominated, in 2 rounds",
        "left        1 × 1",
        "",
        "what was removed",
        "round  player     strategy  dominated",
        "    1  incumbent  fight     weakly by accommodate",
        "    2  entrant    out       strictly by in",
        "",
        "what is left",
        "entrant \\ incumbent  accommodate",
        "in                        2*, 2*",
        "Payoffs of entrant, incumbent; marked: a best response to the others' strategies.",
        "",
        "Dominance solvable: all that is left pays everyone the same.",
    ]


def test_where_nothing_is_dominated(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "entry_game", "--eliminate", "strict")
    assert "\neliminated  none is strictly dominated\nleft        2 × 2\n" in printed
    assert "what was removed" not in printed
    assert "Not dominance solvable: what is left pays differently." in printed


def test_numbers_are_those_of_the_whole_form(capsys: pytest.CaptureFixture[str]) -> None:
    """Kuhn 1950: eight strategies are left to one player and four to the other."""
    printed = out(capsys, "matrix", "kuhn", "--eliminate", "weak", "--pure", "--rows", "3")
    assert "79 strictly or weakly dominated by pure strategies, in 2 rounds" in printed
    assert "\n… 76 more rows; --rows 79 shows them\n" in printed
    head = next(line for line in printed.splitlines() if line.startswith("gambler \\ dealer"))
    assert head.split()[3:] == ["#12", "#14", "#28", "#30"]
    assert "\n#12     pass/pass/bet/bet/pass/pass\n" in printed
    facts = asked(capsys, "kuhn", "--eliminate", "weak", "--pure")
    done = facts["elimination"]
    assert (done["kind"], done["by"], done["solvable"]) == ("weak", "pure", False)
    assert done["left"] == {"gambler": [1, 2, 4, 5, 19, 20, 22, 23], "dealer": [12, 14, 28, 30]}
    assert [len(gone) for gone in done["rounds"]] == [71, 8]
    assert done["rounds"][0][0] == {
        "player": "gambler",
        "strategy": 0,
        "strictly": False,
        "by": {"1": "1"},
    }
    removed, grid, *_ = facts["tables"]
    assert removed["title"] == "what was removed"
    assert len(removed["rows"]) == 79
    assert removed["rows"][0]["in words"] == "pass/pass/pass/pass/pass/pass"
    assert len(grid["rows"]) == 8


def test_mixtures_remove_more_than_pure_strategies(capsys: pytest.CaptureFixture[str]) -> None:
    left = {}
    for options in ((), ("--pure",)):
        done = asked(capsys, "beer_quiche", "--eliminate", "strict", *options)["elimination"]
        left[options] = [len(own) for own in done["left"].values()]
        assert done["by"] == ("pure" if options else "mixed")
    assert left == {(): [3, 3], ("--pure",): [4, 3]}


def test_an_elimination_as_a_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "matrix", "prisoners_dilemma", "--eliminate", "strict", "--table", "left.csv")
    rows = list(csv.DictReader(StringIO((folder / "left.csv").read_text())))
    assert [row["strategy"] for row in rows[:2]] == ["cooperate", "cooperate"]


def test_whole_forms_lose_strategies_too(capsys: pytest.CaptureFixture[str]) -> None:
    done = asked(capsys, "kuhn", "--whole", "--eliminate", "weak", "--pure")
    assert done["form"] == "normal"
    # Choices that cannot matter are still there: the same strategy several times.
    assert len(done["elimination"]["left"]["gambler"]) > 8


def test_more_tables_after_an_elimination(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "three.py").write_text(
        "from infoset import game\n@game(players=('a', 'b', 'c'))\ndef three(g):\n"
        "    moves = g.together(dict.fromkeys(g.players, range(7)))\n"
        "    return {who: -9 if move == 6 else (move * 3 + sum(moves.values())) % 5"
        " for who, move in moves.items()}\n"
    )
    printed = out(capsys, "matrix", "three.py", "--eliminate", "strict", "--pure", "--rows", "12")
    assert "left        6 × 6 × 6" in printed
    assert "\n… 3 more tables; --rows 36 shows them\n" in printed
    whole = out(capsys, "matrix", "three.py", "--eliminate", "strict", "--pure", "--rows", "36")
    assert "more table" not in whole


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--eliminate", "strictly"), ("--eliminate strictly:", "'strict'?")),
        (("--eliminate", "both"), ("--eliminate both:", "'strict', 'weak'")),
        (("--pure",), ("--pure", "--eliminate", "add that")),
        (("--sequence", "--eliminate", "weak"), ("--eliminate", "--sequence", "give one of them")),
    ],
)
def test_bad_eliminations(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    told = refusal(capsys, "matrix", "kuhn", *options)
    assert all(word in told for word in words)


def test_facts_are_wrapped_where_a_terminal_is_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "75")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", screen := Screen())
    assert run(["describe", "oil_pricing"]) == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 75
    assert any(line.startswith(" " * 21) for line in lines)
