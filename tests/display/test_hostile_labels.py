"""Labels from hostile games, through the command and in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from infoset import game, solve
from infoset.analysis import questions
from infoset.cli import run
from infoset.forms import normal_form, sequence_form
from infoset.strategy.convert import read_strategies
from infoset.strategy.files import strategy_csv
from infoset.tree.files.efg import read_efg
from tests import hostile_games as hostile
from tests.hostile_games import Capture, filed, printed, refused

TABLES = ("csv", "tex", "html", "json", "txt")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
    assert {name: found[name].probabilities.tolist() for name in found} == {
        name: strategy.probabilities.tolist() for name, strategy in played.items()
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
    from infoset.cli.game_arguments import named_family

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
    assert "internal error" not in said.err


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
    from infoset.analysis.sweeps import Sweep, kept, plan

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
