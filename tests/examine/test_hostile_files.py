"""Hostile games and bad circumstances, through the command and in every format."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from infoset import game, solve
from infoset.cli import run
from infoset.errors import FileError
from infoset.examine import questions
from infoset.examine.edited import read_strategies, strategy_csv
from infoset.examine.plots.style import drawn_figure, save_figure
from infoset.forms import normal_form, sequence_form
from infoset.games import kuhn, matching_pennies
from infoset.tree import Builder
from infoset.tree.files.efg import read_efg
from tests.examine import hostile_games as hostile

TABLES = ("csv", "tex", "html", "json", "txt")
DRAWINGS = ("svg", "png", "pdf", "tex")
PLOTS = ("png", "svg", "pdf")
MESSAGE = 3000  # signs of a line on the error stream
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def filed(words: str, name: str = "game.efg") -> str:
    """A game in a file, its line breaks as they are."""
    Path(name).write_bytes(words.encode())
    return name


def printed(capsys: Capture, *arguments: str) -> str:
    """What a command prints; it must succeed, in silence, with nothing that is not seen."""
    status = run(list(arguments))
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    assert not hostile.unseen(said.out)
    return said.out


def refused(capsys: Capture, *arguments: str, late: bool = False) -> str:
    """What a command complains of: one line, not long, and no fault of its own.

    What can only be known after the work is done, as of a disk, comes after the answer.
    """
    status = run(list(arguments))
    said = capsys.readouterr()
    assert status == 2
    assert late or said.out == ""
    assert said.err.startswith("infoset: ")
    assert said.err.count("\n") == 1
    assert "a fault of infoset" not in said.err
    assert not hostile.unseen(said.err)
    assert len(said.err) < MESSAGE
    return said.err


# ---------------------------------------------------------------------- labels in terminals

FILED = tuple(hostile.LABELS.values())
MIXES = [FILED[at:] + FILED[:at] for at in (0, 20)]  # each with another label first
ANY = (*FILED, *hostile.UNFILED.values())
each_mix = pytest.mark.parametrize("mix", MIXES, ids=["script first", "special first"])


@each_mix
def test_labels_are_text_in_a_terminal(capsys: Capture, mix: tuple[str, ...]) -> None:
    name = filed(hostile.efg(*mix))
    for command in (
        ("solve", name),
        ("solve", name, "--where", "*"),
        ("matrix", name, "--sequence", "--solve"),
        ("ask", name),
        ("ask", name, "--beliefs", "#2", "--values", "#1", "--from", "*", "--plays", "--unreached"),
    ):
        assert len(printed(capsys, *command)) < 100_000


@pytest.mark.parametrize("label", FILED[::3], ids=list(hostile.LABELS)[::3])
def test_labels_of_normal_forms(capsys: Capture, label: str) -> None:
    name = filed(hostile.nfg(label), "game.nfg")
    assert len(printed(capsys, "matrix", name)) < 2000
    facts = json.loads(printed(capsys, "matrix", name, "--json"))
    assert facts["game"] == label
    assert facts["players"][1] == label + "2"


@pytest.mark.parametrize("label", FILED, ids=hostile.LABELS)
def test_trees_are_short_lines(capsys: Capture, label: str) -> None:
    out = printed(capsys, "tree", filed(hostile.efg(label)))
    assert out.count("\n") == 9  # a line for each node
    assert max(map(len, out.splitlines())) < 2000


@pytest.mark.parametrize("label", FILED, ids=hostile.LABELS)
def test_strategies_come_back(label: str) -> None:
    tree = read_efg(hostile.efg(label, "other"))
    played: Any = solve(tree).strategy
    words = strategy_csv(played)
    assert len(words) < 40_000
    found = read_strategies(words, tree)
    assert {name: found[name].shares.tolist() for name in found} == {
        name: strategy.shares.tolist() for name, strategy in played.items()
    }


# ---------------------------------------------------------------------- labels in files


@each_mix
@pytest.mark.parametrize("kind", TABLES)
def test_labels_are_text_in_tables(capsys: Capture, mix: tuple[str, ...], kind: str) -> None:
    name, path = filed(hostile.efg(*mix)), Path(f"t.{kind}")
    printed(capsys, "ask", name, "--values", "#1", "--plays", "--table", str(path))
    _check_table(path)
    printed(capsys, "solve", name, "--player", tree_names(mix)[0], "--table", str(path))
    _check_table(path)
    if kind == "csv":
        csv.field_size_limit(10**7)
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
        cells = {cell for row in rows for cell in row}
        assert len({len(row) for row in rows}) == 1
        assert set(mix) <= cells  # all labels come back as they were


def tree_names(mix: tuple[str, ...]) -> tuple[str, ...]:
    return read_efg(hostile.efg(mix[0])).names


def _check_table(path: Path) -> None:
    if path.suffix == ".json":
        assert json.loads(path.read_text())["tables"]
    elif path.suffix != ".csv":
        assert hostile.file_faults(path) == []
        assert path.stat().st_size < 500_000


@pytest.mark.parametrize("kind", ["tex", "html"])
@pytest.mark.parametrize("label", ["script", "special", "document", "lines", "empty"])
def test_labels_are_text_in_matrices(capsys: Capture, label: str, kind: str) -> None:
    name = filed(hostile.efg(hostile.LABELS[label], "other"))
    for form in ((), ("--sequence", "--solve")):
        printed(capsys, "matrix", name, *form, "--table", f"m.{kind}")
        assert hostile.file_faults(Path(f"m.{kind}")) == []


@each_mix
def test_labels_are_text_in_drawings(capsys: Capture, mix: tuple[str, ...]) -> None:
    name = filed(hostile.efg(*mix))
    for kind in ("svg", "tex"):
        printed(capsys, "solve", name, "--nodes", "500", "--draw", f"d.{kind}")
        assert hostile.file_faults(Path(f"d.{kind}")) == []
        assert Path(f"d.{kind}").stat().st_size < 500_000


def test_labels_are_text_in_plots(capsys: Capture) -> None:
    labels = [label[:40] for label in FILED]
    name = filed(hostile.efg(" ".join(labels[::2]), *labels[1:8]))
    printed(capsys, "solve", name, "--plot", "p.svg")
    assert hostile.file_faults(Path("p.svg")) == []
    assert Path("p.svg").stat().st_size < 300_000


@pytest.mark.parametrize(("kind", "head"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_labels_can_be_painted(capsys: Capture, kind: str, head: bytes) -> None:
    name = filed(hostile.efg("".join(label[:40] for label in FILED)))
    printed(capsys, "tree", name, "--draw", f"d.{kind}")
    assert Path(f"d.{kind}").read_bytes().startswith(head)


@pytest.mark.parametrize("at", range(0, len(ANY), 4))
def test_labels_are_text_in_notebooks(at: int) -> None:
    tree = hostile.tree(*ANY[at : at + 4])
    for shown in _objects(tree):
        if (show := getattr(shown, "_repr_html_", None)) is not None:
            page = show()
            assert hostile.html_faults(page) == []
            assert len(page) < 200_000
        if (draw := getattr(shown, "_repr_svg_", None)) is not None:
            assert hostile.svg_faults(draw()) == []
    assert hostile.tex_faults(tree.draw().tikz) == []


@pytest.mark.parametrize("label", ["long", "lines", "control", "direction", "half", "nothing"])
def test_objects_show_themselves_in_short_lines(label: str) -> None:
    for shown in _objects(hostile.tree({**hostile.LABELS, **hostile.UNFILED}[label])):
        assert hostile.unseen(repr(shown)) == []
        assert hostile.unseen(str(shown)) == []
        assert len(repr(shown)) < 10_000
        assert len(str(shown)) < 30_000


def _objects(tree: Any) -> list[Any]:
    solution = solve(tree)
    name, last = tree.names[0], tree.infosets[len(tree.infosets) - 1]
    response = solution.profile.best_response(name)
    return [
        *(tree, tree.root, tree.nodes[1], tree.nodes[len(tree) - 1], tree.infosets[0]),
        *(solution, solution.profile, solution.strategy[name], response, response.strategy),
        *(normal_form(tree), sequence_form(tree), tree.perfect_information),
        questions.plays(solution),
        questions.unreached(solution),
        questions.outcome(solution),
        questions.beliefs(solution, last),
        questions.beliefs(solution, last, full=True),
        questions.action_values(solution, tree.infosets[0]),
        questions.deviation(solution, tree.infosets[0], tree.infosets[0].actions[0]),
        questions.best_reply(solution.profile, name),
        questions.compare(solution, solution.profile),
    ]


def test_the_rules_of_a_game_are_shown_without_marks_of_direction() -> None:
    source = "from infoset import game\n@game(players=('a',))\ndef g(g):\n    '''\u202e<b>'''\n"
    Path("mine.py").write_text(source + "    return (0,)\n", encoding="utf-8")
    from infoset.cli.naming import named_family

    family = named_family("mine.py")
    assert hostile.html_faults(family._repr_html_()) == []
    assert hostile.html_faults(family()._repr_html_()) == []


# ---------------------------------------------------------------------- sizes


NAME = "x" * 20_000


@pytest.mark.parametrize("once", ["title", "player", "action"])
def test_a_long_name_is_not_written_again_and_again(capsys: Capture, once: str) -> None:
    said: dict[str, Any] = {once: NAME}
    name = filed(hostile.spread(**said))
    most = 20 * Path(name).stat().st_size
    assert len(printed(capsys, "tree", name)) < most
    assert len(printed(capsys, "describe", name)) < most
    ask = ("ask", name, "--plays", "--rows", "1000", "--beliefs", "#2", "--table")
    for command in (ask, ("matrix", name, "--sequence", "--table"), ("solve", name, "--table")):
        for kind in ("csv", "json"):
            printed(capsys, *command, f"t.{kind}")
            assert Path(f"t.{kind}").stat().st_size < most, command


@pytest.mark.parametrize("arguments", [
    ("solve", "--player", "nobody"),
    ("solve", "--where", "zzz*zz"),
    ("ask", "--beliefs", "nobody: x"),
    ("ask", "--from", "nonsense, here"),
    ("ask", "--deviate", "#1: nothing"),
], ids=" ".join)  # fmt: skip
def test_messages_are_short(capsys: Capture, arguments: tuple[str, ...]) -> None:
    command, *options = arguments
    refused(capsys, command, filed(hostile.efg(hostile.LONG)), *options)


def test_messages_of_rules_and_of_words_that_are_typed_are_short(capsys: Capture) -> None:
    rules = "from infoset import game\n@game(players=('a',))\ndef g(g, n=1):\n"
    Path("mine.py").write_text(rules + "    raise ValueError('x' * 100_000)\n")
    refused(capsys, "solve", "mine.py")
    refused(capsys, "sweep", "mine.py", "n=1..2")
    refused(capsys, "solve", "x" * 50_000)
    refused(capsys, "solve", "kuhn", "--method", "x" * 50_000)
    refused(capsys, "solve", "kuhn", "ranks=" + "9" * 50_000)


def test_a_hundred_and_twenty_players(capsys: Capture) -> None:
    name = filed(hostile.crowd())
    assert "p119" in printed(capsys, "solve", name, "--player", "p119")
    assert "p119" in printed(capsys, "ask", name, "--values", "#1", "--plays")
    printed(capsys, "solve", name, "--draw", "d.svg", "--table", "t.html", "--csv", "s.csv")
    assert hostile.file_faults(Path("d.svg")) == hostile.file_faults(Path("t.html")) == []


@pytest.mark.parametrize("command", [("matrix",), ("convert",)], ids=" ".join)
def test_matrices_of_too_many_players_are_shown_or_refused(
    capsys: Capture, command: tuple[str]
) -> None:
    name = filed(hostile.crowd())
    arguments = (*command, name, *(("out.nfg",) if command == ("convert",) else ()))
    status = run(list(arguments))
    said = capsys.readouterr()
    assert status in (0, 2)
    assert "a fault of infoset" not in said.err


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
    code = "from infoset.examine.plots.style import styled\nwith styled(): pass"
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
    printed(capsys, "tree", "matching_pennies", "--draw", "a\x1b[2Jb\n\u202e.svg")


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A disk that is full after so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


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


# ---------------------------------------------------------------------- rules


@game(players=("a", "b"))
def wordy(g: Any, word: str = "x", size: int = 2) -> Any:
    """A game of words."""
    g.reveal("a", g.chance(range(size)))
    same = g.choose("a", (word, "y")) == g.choose("b", (word, "y"))
    return g.win("a" if same else "b", 1)


@pytest.mark.parametrize("word", [*hostile.LABELS.values(), *hostile.UNFILED.values()],
                         ids=[*hostile.LABELS, *hostile.UNFILED])  # fmt: skip
def test_sweeps_over_hostile_words(word: str) -> None:
    from infoset.examine.sweeps import Sweep, kept, plan

    asked = plan(wordy, {"word": [word, "q"]})
    path = Path("w.csv")
    for known_before in (0, 2):
        with kept(asked, path) as (known, keep):
            assert len(known) == known_before
            rows = tuple(asked.rows(known, keep))
    swept = Sweep(asked, rows)
    assert [row.nodes for row in rows] == [15, 15]
    assert hostile.unseen(str(swept.table)) == hostile.unseen(path.read_text()) == []
    assert hostile.html_faults(swept._repr_html_()) == []
    assert len(list(csv.reader(io.StringIO(path.read_text())))) == 3


def test_all_of_it_takes_no_long_time(capsys: Capture) -> None:
    began = time.perf_counter()
    name = filed(hostile.efg("x\u202e" * 50_000))
    for command in (("solve", name, "--draw", "d.svg", "--table", "t.html"), ("ask", name)):
        printed(capsys, *command)
    assert time.perf_counter() - began < 5
    assert matching_pennies()._repr_html_()
