"""``infoset matrix``, as a user meets it."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

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
    assert gambler["rows"][0]["dominated"] == "strictly by 2/3 #2 + 1/3 #20"
    assert dealer["rows"][12]["dominated"] is None
    alone = asked(capsys, "prisoners_dilemma")
    assert [len(table["rows"]) for table in alone["tables"]] == [3]
    assert set(facts) == set(alone)


def test_all_strategies(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kuhn(): normal form, 64 × 64\n" in out(
        capsys, "matrix", "kuhn", "--full", "--most", "1"
    )
    assert asked(capsys, "kuhn", "--full")["form"] == "normal"


def test_rows_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "kuhn", "--most", "3")
    assert "… 25 more rows" in printed
    assert "#2: " in printed
    assert "#3: " not in printed
    assert "… 25 more rows" not in out(capsys, "matrix", "kuhn", "--most", "200")


def test_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "seltens_horse")
    assert "\nthree: L\n" in printed
    assert "1*, 1*, 1*" in printed


def test_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "matrix", "kuhn", "--sequence")
    assert printed.startswith("kuhn(): sequence form\n")
    assert "E x = e" in printed
    assert "worth" not in printed
    facts = asked(capsys, "kuhn", "--sequence")
    assert facts["form"] == "sequence"
    assert facts["facts"]["sequences"] == "13 × 13"


def test_sequences_solved(capsys: pytest.CaptureFixture[str]) -> None:
    facts = asked(capsys, "kuhn", "--sequence", "--solve")
    rows = facts["tables"][0]["rows"]
    assert F(rows[0]["worth"][0]) == F(-1, 18)
    weights = [F(row["weight"]) for row in rows[:13]]
    assert weights[0] == weights[1] + weights[2] == weights[3] + weights[4] + weights[2] == 1
    assert F(rows[14]["#0"][0]) == F(1, 18)
    assert facts["facts"]["gambler gets"].startswith("-1/18")


@pytest.mark.parametrize("suffix", ["csv", "tex", "html", "json", "txt"])
def test_save(capsys: pytest.CaptureFixture[str], folder: Path, suffix: str) -> None:
    printed = out(capsys, "matrix", "prisoners_dilemma", "--save", f"table.{suffix}")
    assert printed == out(capsys, "matrix", "prisoners_dilemma")
    written = (folder / f"table.{suffix}").read_text()
    assert "strictly by defect" in written
    if suffix == "csv":
        rows = list(csv.reader(written.splitlines()))
        assert rows[2][1:3] == ["0; -4", "-3; -3"]


def test_files_of_others(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "convert", "prisoners_dilemma", "p.nfg")
    cells = asked(capsys, "p.nfg")["tables"][0]["rows"]
    assert cells == asked(capsys, "prisoners_dilemma")["tables"][0]["rows"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kunh", "did you mean 'kuhn'"),
        ("kuhn --solve", "--solve goes with --sequence"),
        ("kuhn --sequence --full", "--full is of the normal form"),
        (
            "kuhn --save table.pdf",
            "table.pdf: the name must end in .csv",
        ),
        ("kuhn --save nowhere/table.csv", "there is no folder nowhere"),
        ("kuhn --most 0", "--most"),
        ("kuhn --max-profiles 100", "27 × 64 entries, more than 100"),
        ("kuhn ranks=13", "1,594,323 × 67,108,864 entries, more than 1,000,000; the sequence form"),
        ("seltens_horse --sequence", "this game has 3"),
        ("absent_minded --sequence --solve", "needs perfect recall"),
        ("kuhn ranks=600 --sequence --solve --max-nodes 10", "more than 10 nodes"),
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
    monkeypatch.setattr("infoset.examine.matrices.sequence.MOST_COLUMNS", 12)
    monkeypatch.setattr("infoset.cli.matrix._solution", lambda tree: pytest.fail("solved"))
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
