"""``infoset sweep``, as a user meets it."""

from __future__ import annotations

import csv
import importlib
import json
import sys
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infoset.analysis.sweeps import kept, plan
from infoset.analysis.sweeps import members as running
from infoset.cli import run
from infoset.cli.sweep import parse_range, parse_values
from infoset.errors import FileError, ParameterError
from infoset.games import goofspiel, kuhn
from tests.cli.test_command import MY_GAME, out, refusal
from tests.disk import files_of_at_most

F = Fraction
STOPPING = (
    MY_GAME
    + '''
@game(players=("one", "two"))
def stopping(g, at=2):
    """Someone presses Ctrl-C."""
    print("the rules say something")
    if at == 4:
        raise KeyboardInterrupt
    return g.win("one" if g.choose("one", range(at)) else "two")
'''
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(STOPPING)
    return tmp_path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are computed."""
    names: list[str] = []
    compute = running.run_member

    def counting(plan: Any, name: str, *rest: Any) -> Any:
        names.append(name)
        return compute(plan, name, *rest)

    monkeypatch.setattr(running, "run_member", counting)
    return names


# ---------------------------------------------------------------------------- what is printed


def test_a_row_for_each_member(capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "sweep", "kuhn", "ranks=3..5").splitlines()
    assert lines[0] == "kuhn over ranks"
    assert lines[1].split()[:4] == ["ranks", "nodes", "infosets", "sequences"]
    cells = [line.split() for line in lines[2:]]
    assert [row[:6] for row in cells] == [
        ["3", "55", "12", "26", "lp", "-1/18"],
        ["4", "109", "16", "34", "lp", "-1/24"],
        ["5", "181", "20", "42", "lp", "-1/15"],
    ]
    assert [row[6] for row in cells] == ["-0.0556", "-0.0417", "-0.0667"]
    assert all(row[7:9] == ["0", "exact"] for row in cells)


def test_all_rows_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys, "sweep", "mine.py:hide", "worth=1..60", "--no-solve").splitlines()
    assert [line.split()[0] for line in lines[2:]] == [str(n) for n in range(1, 61)]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("kuhn", "players=2|3", "ranks=2..3", "bet=2", "--json")
    told = json.loads(out(capsys, "sweep", *arguments))
    assert (told["family"], told["parameters"]) == ("kuhn", {"bet": 2})
    assert (told["swept"], told["members"], told["complete"]) == (["players", "ranks"], 4, True)
    chosen = [tuple(row["parameters"].values()) for row in told["rows"]]
    assert chosen == [(2, 2), (2, 3), (3, 2), (3, 3)]
    assert told["rows"][1]["nodes"] == 55
    assert told["rows"][1]["payoffs"]["dealer"] == told["rows"][1]["value"].lstrip("-")
    assert told["rows"][2]["note"] == "needs ranks >= players"
    assert told["rows"][3]["nodes"] > 55
    assert told["rows"][3]["value"] is None


def test_a_function_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(out(capsys, "sweep", "mine.py:hide", "places=2..3", "worth=1/3", "--json"))
    assert told["parameters"] == {"worth": "1/3"}
    assert [F(row["value"]) for row in told["rows"]] == [0, F(1, 9)]


def test_a_plot(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "sweep", "kuhn", "ranks=3..4", "--no-solve", "--plot", "k.svg")
    drawn = (folder / "k.svg").read_text()
    assert all(f">{words}</text>" in drawn for words in ("kuhn", "ranks", " nodes", "time"))
    assert "regret" not in drawn


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kuhn", "nothing to sweep; give several values, as in ranks=3..30"),
        ("kuhn ranks=3", "nothing to sweep"),
        ("matching_pennies", "nothing to sweep"),
        ("kuhn ranks=3..x", "'ranks=3..x': 'x' is no number; write FIRST..LAST"),
        ("kuhn ranks=3..10^9", "'10^9' is no number"),
        ("kuhn ranks=3..", "'' is no number"),
        ("kuhn ranks=3..1e9", "'1e9' is no number"),
        ("kuhn ranks=1..2..3..4", "too many dots"),
        ("kuhn ranks=3..4..1/0", "'1/0' is no number"),
        ("kuhn ranks=30..3", "30 is above 3; the smaller comes first"),
        ("kuhn ranks=3..9..0", "the step 0 must be above 0"),
        ("kuhn ranks=3..1000000000", "more than 10,000 members"),
        ("kuhn ranks=1..200 bet=1..200", "more than 10,000 members"),
        ("kuhn rank=3..4", "did you mean 'ranks'"),
        ("kuhn ranks=3..4 ranks=5", "given twice"),
        ("kuhn 3..4", "write NAME=VALUE"),
        ("kuhn ranks=0..1", "none of 2 members could be solved; the first, kuhn(ranks=0): needs"),
        ("kuhn ranks=3..4 --method lqp", "did you mean 'lp'"),
        ("kuhn ranks=3..4 --method backward", "backward does not apply"),
        ("kuhn ranks=3..4 --max-nodes 20", "more than 20 nodes"),
        ("kuhn ranks=3..4 --no-solve --exact", "--no-solve gives sizes only"),
        ("kuhn ranks=3..4 --plot k.jpg", "ends in .png, .svg or .pdf"),
        ("kuhn ranks=3..4 --plot nowhere/k.png", "no folder nowhere"),
        ("kuhn ranks=3..4 --csv nowhere/k.csv", "no folder nowhere"),
        ("kuhn ranks=3..4 --csv .", "the name must end in .csv"),
        ("kuhn ranks=3..4 --csv k.txt", "k.txt: the name must end in .csv"),
        ("kuhn ranks=3..4 --csv folder.csv", "folder.csv: this is a folder; name a file"),
        ("kunh ranks=3..4", "did you mean 'kuhn'"),
        ("game.efg ranks=3..4", "game.efg is one game; a sweep takes a family"),
        ("nowhere.efg ranks=3..4", "nowhere.efg: no such file"),
        ("nowhere.nfg", "nowhere.nfg: no such file"),
        ("openspiel:kuhn_poker ranks=3..4", "is one game"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    Path("folder.csv").mkdir()
    Path("game.efg").write_text("EFG 2 R")
    assert message in refusal(capsys, "sweep", *arguments.split())


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_notes_are_told_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", screen := Screen())
    assert run(["sweep", "kuhn", "ranks=1..3", "bet=2"]) == 0
    told = screen.getvalue()
    assert "needs ranks >= players" in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= int(columns)


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_a_terminal_has_its_width_and_may_want_no_colour(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "50")
    for plain in (False, True):
        if plain:
            monkeypatch.setenv(name, {"NO_COLOR": "1", "TERM": "dumb"}[name])
        monkeypatch.setattr("sys.stdout", screen := Screen())
        assert run(["sweep", "kuhn", "ranks=3..4", "--no-solve"]) == 0
        assert ("\x1b" not in screen.getvalue()) == plain
    assert max(map(len, screen.getvalue().splitlines())) <= 50


def test_values() -> None:
    assert parse_values(kuhn, ["ranks=3..5|9", "ante=2"]) == {"ranks": [3, 4, 5, 9], "ante": 2}
    assert parse_values(kuhn, ["ranks=4..4"]) == {"ranks": [4]}
    assert parse_values(kuhn, ["ranks=-1..1"]) == {"ranks": [-1, 0, 1]}
    assert parse_values(goofspiel, ["points=yes|no"]) == {"points": [True, False]}
    assert parse_values(goofspiel, ["order=a..b"]) == {"order": "a..b"}  # a text is no range
    assert parse_range("3..30..9", "") == [3, 12, 21, 30]
    assert parse_range("0..1..0.4", "") == [0, F(2, 5), F(4, 5)]
    assert len(parse_range("1..10000", "")) == 10_000
    with pytest.raises(ParameterError, match="more than 10,000"):
        parse_range("0..10000", "")


# ---------------------------------------------------------------------------- rows in a file


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with Kuhn poker of three and of four ranks."""
    target = tmp_path_factory.mktemp("sweep") / "k.csv"
    asked = plan(kuhn, {"ranks": [3, 4]})
    with kept(asked, target) as (known, keep):
        assert len(list(asked.rows(known, keep))) == 2
    return target.read_bytes()


def test_rows_are_kept_and_taken_up(
    capsys: pytest.CaptureFixture[str], folder: Path, counted: list[str]
) -> None:
    arguments = ("sweep", "kuhn", "--csv", "k.csv")
    first = out(capsys, *arguments, "ranks=1..4")
    whole = (folder / "k.csv").read_text()
    assert [row["value"] for row in rows_of(folder / "k.csv")] == ["", "0", "-1/18", "-1/24"]
    assert out(capsys, *arguments, "ranks=1..4") == first  # even the times are those of the file
    assert (folder / "k.csv").read_text() == whole
    assert counted == [f"kuhn(ranks={k})" for k in (1, 2, 3, 4)]
    out(capsys, *arguments, "ranks=1..5")  # a longer sweep goes on
    assert counted[4:] == ["kuhn(ranks=5)"]
    assert (folder / "k.csv").read_text().startswith(whole)


MINE = """
from infoset import game
from parts import prize

@game(players=("one", "two"))
def mine(g, n=2, word="x"):
    same = g.choose("one", range(n)) == g.choose("two", range(n))
    return g.win("one" if same else "two", prize())
"""


def test_rows_of_other_rules_are_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Whether the file with the rules was changed, or one from which it has a function."""
    (folder / "game.py").write_text(MINE)
    (folder / "parts.py").write_text("def prize(): return 3\n")
    command = ("sweep", "game.py", "n=2..3", "--csv", "g.csv")

    def fresh() -> None:
        sys.modules.pop("parts", None)
        importlib.invalidate_caches()

    fresh()
    before = out(capsys, *command)
    kept = (folder / "g.csv").read_bytes()
    assert out(capsys, *command) == before
    for file, change in (("game.py", ("range(n)", "range(1, n + 1)")), ("parts.py", ("3", "2345"))):
        old = (folder / file).read_text()
        (folder / file).write_text(old.replace(*change))
        fresh()
        line = refusal(capsys, *command)
        assert "g.csv:2: the rules have changed since; choose another file" in line
        assert (folder / "g.csv").read_bytes() == kept
        (folder / file).write_text(old)
        fresh()
    assert out(capsys, *command) == before  # the old rules again, and nothing is lost
    (folder / "moved").mkdir()
    for name in ("game.py", "parts.py"):
        (folder / name).rename(folder / "moved" / name)
    fresh()
    assert out(capsys, "sweep", "moved/game.py", *command[2:]) == before  # the place is no matter
    fresh()


def test_formulas_are_no_formulas_in_a_file(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "formula.py").write_text(
        "from infoset import game\nfrom infoset.errors import RulesError\n@game(players=('one',))\n"
        "def formula(g, word='x', n=1):\n"
        "    if word == '@SUM(A1)':\n        raise RulesError('=cmd|calc')\n"
        "    return (g.choose('one', range(2)) * n,)\n"
    )
    words = "word==cmd|-2+3|@SUM(A1)|-1|plain"
    command = ("sweep", "formula.py", words, "n=-1", "--csv", "f.csv", "--json")
    first = json.loads(out(capsys, *command))
    cells = [row["word"] for row in rows_of(folder / "f.csv")]
    assert cells == ["'=cmd", "'-2+3", "'@SUM(A1)", "'-1", "plain"]
    for line in (folder / "f.csv").read_text().splitlines():
        assert not any(cell.startswith(("=", "+", "@")) for cell in line.split(","))
    assert json.loads(out(capsys, *command)) == first  # and it is read as it was


@pytest.mark.parametrize("left", [1, 5, 20, 60, 117, 130, 200, 290])
def test_a_file_that_was_cut_off(
    capsys: pytest.CaptureFixture[str], folder: Path, counted: list[str], ready: bytes, left: int
) -> None:
    target = folder / "k.csv"
    assert len(ready) > 290
    target.write_bytes(ready[:left])
    out(capsys, "sweep", "kuhn", "ranks=3..4", "--csv", "k.csv")
    rows = rows_of(target)
    assert [row["game"] for row in rows] == ["kuhn(ranks=3)", "kuhn(ranks=4)"]
    assert [row["value"] for row in rows] == ["-1/18", "-1/24"]
    assert len(counted) == 2 - ready[:left].count(b"\n", ready.index(b"\n") + 1)


def test_half_a_line_after_all_rows_is_dropped(
    capsys: pytest.CaptureFixture[str], folder: Path, counted: list[str], ready: bytes
) -> None:
    (folder / "k.csv").write_bytes(ready + b"kuhn(ranks=5),5,18")
    out(capsys, "sweep", "kuhn", "ranks=3..4", "--csv", "k.csv")
    assert (folder / "k.csv").read_bytes() == ready
    assert counted == []


@pytest.mark.parametrize(
    "other",
    [
        "ranks=4..5",  # without a member that the file has
        "ranks=3..4 bet=2",
        "ranks=3..4 ante=1|2",
        "ranks=3..4 --floats",
        "ranks=3..4 --method lcp",
        "ranks=3..4 --time 9",
        "ranks=3..4 --max-nodes 999",
        "ranks=3..4 --no-solve",
    ],
)
def test_a_file_of_another_sweep_is_refused(
    capsys: pytest.CaptureFixture[str], folder: Path, ready: bytes, other: str
) -> None:
    (folder / "k.csv").write_bytes(ready)
    assert "k.csv:" in refusal(capsys, "sweep", "kuhn", *other.split(), "--csv", "k.csv")
    assert (folder / "k.csv").read_bytes() == ready


@pytest.mark.parametrize(
    "content",
    [
        b"notes of mine",
        b"name,age\nAda,36\n",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"\xff\xfe\n",
        b"g" * 1_000_000,
    ],
)
def test_other_files_are_left_alone(
    capsys: pytest.CaptureFixture[str], folder: Path, content: bytes
) -> None:
    (folder / "notes.csv").write_bytes(content)
    line = refusal(capsys, "sweep", "kuhn", "ranks=3..4", "--csv", "notes.csv")
    assert "name another file" in line
    assert (folder / "notes.csv").read_bytes() == content


@pytest.mark.parametrize("damage", ["55,", "exact", "-1/18", "26"])
def test_a_damaged_row_is_named(
    capsys: pytest.CaptureFixture[str], folder: Path, ready: bytes, damage: str
) -> None:
    broken = ready.decode().replace(damage, f'x{"," * (damage == "exact")}"', 1)
    (folder / "k.csv").write_text(broken)
    line = refusal(capsys, "sweep", "kuhn", "ranks=3..4", "--csv", "k.csv")
    assert "k.csv:2: this is no row of a sweep; remove the line" in line


def test_what_is_read_is_what_was_found(
    capsys: pytest.CaptureFixture[str], folder: Path, counted: list[str]
) -> None:
    """Floats, payoffs without a value, notes with commas, names with line breaks."""
    for arguments in (
        ("kuhn", "ranks=4..5", "--method", "lcp", "--time", "0"),
        ("prisoners_dilemma", "temptation=1..2"),
        ("kuhn", "ranks=2..3", "players=2..3"),
        ("mine.py:stopping", "at=2|3"),
    ):
        (folder / "k.csv").unlink(missing_ok=True)
        told = []
        for _ in range(2):
            assert run(["sweep", *arguments, "--csv", "k.csv", "--json"]) == 0
            told.append(json.loads(capsys.readouterr().out))
        computed = len(counted)
        assert told[0]["members"] == computed
        counted.clear()
        rows = [{**row, "payoffs": list(row["payoffs"].values())} for row in told[1]["rows"]]
        assert rows == [
            {**row, "payoffs": list(row["payoffs"].values())} for row in told[0]["rows"]
        ]
        assert told[0] == told[1]


def test_other_errors_are_not_the_files(folder: Path) -> None:
    """What goes wrong while rows are computed is told as what it is."""
    asked = plan(kuhn, {"ranks": [3]})
    with pytest.raises(OSError, match="the socket is gone") as caught:  # noqa: SIM117
        with kept(asked, folder / "k.csv"):
            raise OSError(107, "the socket is gone")
    assert not isinstance(caught.value, FileError)
    assert "k.csv" not in str(caught.value)
    with kept(asked, str(folder / "k.csv")) as (known, _):
        assert known == {}
    with pytest.raises(FileError, match="5 names no file"), kept(asked, 5):  # type: ignore[arg-type]
        pass


def test_a_full_disk_is_told_with_the_files_name(folder: Path) -> None:
    asked = plan(kuhn, {"ranks": [3]}, solving=False)
    with kept(asked, folder / "k.csv") as (known, keep):
        header = (folder / "k.csv").stat().st_size
        with files_of_at_most(header), pytest.raises(FileError, match=r"k\.csv: File too large"):
            list(asked.rows(known, keep))
    with files_of_at_most(0), pytest.raises(FileError, match=r"l\.csv: File too large"):
        kept(asked, folder / "l.csv").__enter__()


# ---------------------------------------------------------------------------- Ctrl-C


def test_an_interrupt_prints_what_is_there(
    capsys: pytest.CaptureFixture[str], folder: Path, counted: list[str]
) -> None:
    arguments = ["sweep", "mine.py:stopping", "at=2..6", "--csv", "s.csv"]
    assert run(arguments) == 130
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()[2:4]] == ["2", "3"]
    assert "2 of 5 members" in printed.out
    assert "Traceback" not in printed.err
    assert [row["at"] for row in rows_of(folder / "s.csv")] == ["2", "3"]
    assert run([*arguments, "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["complete"], len(told["rows"])) == (False, 2)
    names = [name.partition("=")[2] for name in counted]
    assert names == ["2)", "3)", "4)", "4)"]


def test_what_rules_print_is_not_in_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "mine.py:stopping", "at=2..3"]) == 0
    printed = capsys.readouterr()
    assert "the rules say something" not in printed.out
    assert "the rules say something" in printed.err
