"""Bad circumstances: streams, terminals, settings, disks; and plots that must keep their shape."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from infoset import solve
from infoset.analysis import questions
from infoset.cli import run
from infoset.display.plots.style import drawn_figure, save_figure
from infoset.errors import FileError
from infoset.games import kuhn
from infoset.tree import Builder
from infoset.tree.files.efg import read_efg
from tests import hostile_games as hostile
from tests.disk import files_of_at_most
from tests.hostile_games import Capture, filed, printed, refused

TABLES = ("csv", "tex", "html", "json", "txt")
DRAWINGS = ("svg", "png", "pdf", "tex")
PLOTS = ("png", "svg", "pdf")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------------- plots that keep their shape


def _plot(actions: int, name: str, *, secrets: int = 3, secret: str = "s") -> Any:
    b = Builder(players=("one", "two"), name="t")
    dealt = b.chance(0, [f"{secret}{number}" for number in range(secrets)])
    for number, node in enumerate(dealt):
        offered = [f"{name}{at}" for at in range(actions)]
        for end in b.decide(node, 0, offered, infoset=number, label=f"{secret}{number}"):
            b.pay(end, (end % 4, 0))
    return solve(b.build()).plot()


def _cut_off(figure: Any) -> list[str]:
    """Words that are not within the figure's paper."""
    from matplotlib.text import Text

    figure.draw_without_rendering()
    paper = figure.bbox.padded(2)
    return [
        words.get_text()
        for words in figure.findobj(Text)
        if words.get_text().strip() and words.get_visible()
        for box in [words.get_window_extent()]
        if not (paper.contains(box.x0, box.y0) and paper.contains(box.x1, box.y1))
    ]


@pytest.mark.parametrize(("actions", "name"), [
    (2, "bet"), (6, "a rather long name of an act "), (3, "W" * 40), (18, "raise to "),
])  # fmt: skip
def test_nothing_of_a_legend_is_cut_off(actions: int, name: str) -> None:
    assert _cut_off(_plot(actions, name)) == []


@pytest.mark.parametrize("secret", ["s", "W" * 60, "模" * 40], ids=["short", "W", "wide"])
def test_plots_keep_their_shape_whatever_is_private(secret: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        picture = drawn_figure(_plot(3, "bet", secrets=20, secret=secret), "png")
    assert picture.startswith(b"\x89PNG")


# ---------------------------------------------------------------------- terminals and streams


class Watched(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


COMMANDS = [
    ("solve", "matching_pennies"),
    ("tree", "matching_pennies"),
    ("describe", "matching_pennies"),
    ("matrix", "matching_pennies"),
    ("ask", "matching_pennies"),
    ("sweep", "kuhn", "ranks=3..4", "--no-solve"),
]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_stream_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, command: tuple[str, ...], stream: str
) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert run(list(command)) == 0


def test_complaints_do_not_go_to_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert run(["solve", "nosuch"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_colour_where_none_is_wanted(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str
) -> None:
    monkeypatch.setenv(name, {"NO_COLOR": "1", "TERM": "dumb"}[name])
    monkeypatch.setattr(sys, "stdout", screen := Watched())
    assert run(list(command)) == 0
    assert "\x1b" not in screen.getvalue()


@pytest.mark.parametrize("columns", ["20", "1"])
@pytest.mark.parametrize("command", COMMANDS[3:], ids=" ".join)
def test_narrow_terminals(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen := Watched())
    assert run(list(command)) == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    if columns == "20":
        assert max(map(len, lines)) <= 20


@pytest.mark.parametrize("command", [*COMMANDS, ("tree", "game.efg"), ("solve", "game.efg")],
                         ids=" ".join)  # fmt: skip
def test_streams_of_few_signs(monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    filed(hostile.efg(hostile.LABELS["wide"] + "♠"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert run(list(command)) == 0


@pytest.mark.parametrize("word", ["[/]", "[/red]", "[red]", "\\[", "[link=x]"])
def test_progress_is_no_markup(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    Path("mine.py").write_text(
        "from infoset import game\n@game(players=('a',))\n"
        "def g(g, word='x'):\n    return (len(g.choose('a', (word, 'y'))),)\n"
    )
    monkeypatch.setattr(sys, "stderr", screen := Watched())
    for command in ("solve", "tree", "sweep"):
        several = "|z" if command == "sweep" else ""
        assert run([command, "mine.py", f"word={word}{several}"]) == 0, screen.getvalue()


# ---------------------------------------------------------------------- matplotlib


def test_without_matplotlib_there_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for command in (
        ("solve", "kuhn", "--plot", "p.png"),
        ("solve", "kuhn", "--draw", "d.png"),
        ("tree", "kuhn", "--draw", "d.pdf"),
        ("sweep", "kuhn", "ranks=3..4", "--plot", "p.png"),
    ):
        assert "matplotlib" in refused(capsys, *command, late=True)
    printed(capsys, "tree", "kuhn", "--draw", "d.svg")
    assert not list(Path().glob("*.p*"))


def test_the_users_settings_do_not_have_labels_run_by_latex() -> None:
    from matplotlib import rc_context

    tree = read_efg(hostile.efg(r"\input{/etc/passwd}"))
    plain = tree.draw()
    plain.save("plain.png")
    with rc_context({"text.usetex": True, "savefig.bbox": "tight", "font.size": 40}):
        plain.save("set.png")
    assert Path("plain.png").read_bytes() == Path("set.png").read_bytes()


@pytest.mark.parametrize("what", ["HOME", "MPLBACKEND"])
def test_odd_surroundings_of_matplotlib_are_not_mentioned(what: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "MPLCONFIGDIR"}
    odd = {"HOME": "/proc/nowhere", "MPLBACKEND": "nonsense"}[what]
    code = "from infoset.display.plots.style import styled\nwith styled(): pass"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**kept, what: odd}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


# ---------------------------------------------------------------------- files and disks


@pytest.mark.parametrize("option", ["solve --draw", "solve --plot", "tree --draw", "solve --table",
                                    "solve --csv", "ask --table", "matrix --table"])  # fmt: skip
def test_targets_that_are_none(capsys: Capture, option: str) -> None:
    command, flag = option.split()
    kind = "csv" if flag in ("--table", "--csv", "--save") else "svg"
    Path(f"folder.{kind}").mkdir()
    Path(f"dangling.{kind}").symlink_to(f"nowhere/x.{kind}")
    Path("file").write_text("old")
    for target in (
        f"folder.{kind}", f"dangling.{kind}", f"nofolder/x.{kind}", f"file/x.{kind}",
        f"/proc/x.{kind}", f"{'y' * 300}.{kind}", f"a\0b.{kind}",
    ):  # fmt: skip
        refused(capsys, command, "matching_pennies", flag, target, late=True)
    assert sorted(path.name for path in Path().iterdir()) == [
        f"dangling.{kind}", "file", f"folder.{kind}",
    ]  # fmt: skip


def test_links_are_followed_and_stay(capsys: Capture) -> None:
    Path("link.svg").symlink_to("new.svg")
    printed(capsys, "tree", "matching_pennies", "--draw", "link.svg")
    assert Path("link.svg").is_symlink()
    assert hostile.file_faults(Path("new.svg")) == []


def test_odd_names_of_files_are_printed_as_text(capsys: Capture) -> None:
    name = "a\x1b[2Jb\n\u202e.svg"
    told = printed(capsys, "tree", "matching_pennies", "--draw", name)
    assert "drawn in a\\x1b[2Jb \\u202e.svg" in told
    assert hostile.file_faults(Path(name)) == []


@pytest.mark.parametrize("nameless", [True, False])
def test_a_full_disk_leaves_the_old_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    solution = solve(kuhn())
    sheet, answer = solution.table("gambler"), questions.plays(solution)
    figure, drawing = solution.plot("dealer"), solution.draw()
    writers: list[tuple[str, Any]] = [
        *((f"drawing.{kind}", drawing.save) for kind in DRAWINGS[:: 1 if nameless else 3]),
        *((f"plot.{kind}", partial(save_figure, figure)) for kind in PLOTS[:nameless]),
        *((f"table.{kind}", sheet.save) for kind in TABLES),
        *((f"answer.{kind}", answer.table.save) for kind in TABLES),
        ("solution.json", solution.save),
    ]
    for name, write in writers:
        path = tmp_path / name
        path.write_text("old")
        with files_of_at_most(50), pytest.raises(FileError) as caught:
            write(path)
        assert path.read_text() == "old"
        assert "\n" not in str(caught.value)
        path.unlink()
        assert list(tmp_path.iterdir()) == []


def test_a_sweep_that_met_a_full_disk_goes_on_from_there(capsys: Capture) -> None:
    Path("mine.py").write_text(
        "from infoset import game\n@game(players=('a',))\n"
        "def g(g, n=1):\n    return (g.choose('a', range(n + 1)),)\n"
    )
    command = ("sweep", "mine.py", "n=1..9", "--no-solve", "--csv", "s.csv")
    with files_of_at_most(400):
        assert "s.csv" in refused(capsys, *command, late=True)
    assert 0 < Path("s.csv").stat().st_size <= 400
    assert " 9 " in printed(capsys, *command)
    rows = list(csv.reader(Path("s.csv").read_text().splitlines()))
    assert [row[0] for row in rows[1:]] == [f"g(n={n})" for n in range(1, 10)]
