"""Sweeps: the members, their rows, and what is drawn of them."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.analysis.sweeps import (
    MOST,
    Sweep,
    SweepPlan,
    SweepRow,
    is_number,
    kept,
    name_of,
    plan,
    quantities,
    sweep,
)
from infoset.analysis.sweeps.files import guarded, unguarded
from infoset.analysis.sweeps.members import digest_of
from infoset.analysis.table import NUMBER, PROSE, Amounts
from infoset.display.plots import style
from infoset.display.plots.sweep import picture, sweep_figure
from infoset.errors import FileError, InfosetError, ParameterError
from infoset.games import goofspiel, kuhn, prisoners_dilemma

F = Fraction
HOSTILE = [
    *("<script>alert(1)</script>", "$x_1^2$", "$\\frac{", "\u202ereversed", "two\nlines\x1b[2J"),
    *("\ud800", "", "_hidden", "x" * 1_000_000, "]]>&amp;"),
]


@game(players=("hider", "seeker"), requires="places >= 1")
def hide(g: Play, places: int = 2, name: str = "a", worth: tuple[int, ...] = (1,)) -> object:
    spot = g.choose("hider", range(places))
    same = g.choose("seeker", range(places)) == spot
    return g.win("seeker" if same else "hider", sum(worth))


def made(asked: SweepPlan, **known: Any) -> Sweep:
    """A sweep whose rows are made up, all alike but for their sizes."""
    facts = {"infosets": 2, "value": F(1), "payoffs": (F(1), F(-1)), "regret": F(0)}
    whole = {**facts, "building": 0.1, "solving": 0.2, "players": ("hider", "seeker"), **known}
    rows = (
        SweepRow(
            name_of(asked.family, asked.parameters(values)), values, **{"nodes": 9 + at, **whole}
        )
        for at, values in enumerate(product(*asked.swept.values()))
    )
    return Sweep(asked, tuple(rows))


# ---------------------------------------------------------------------------- what is computed


def test_kuhn_by_ranks() -> None:
    """9k(k-1)+1 nodes and 4k information sets; the value of three ranks is Kuhn's, 1950."""
    answers = sweep(kuhn, ranks=range(3, 7))
    table = answers.table
    assert table.column("ranks") == [3, 4, 5, 6]
    assert table.column("nodes") == [9 * k * (k - 1) + 1 for k in range(3, 7)]
    assert table.column("infosets") == [4 * k for k in range(3, 7)]
    assert table.column("sequences") == [2 * (1 + 4 * k) for k in range(3, 7)]
    assert table.column("value")[0] == F(-1, 18)
    assert table.column("regret") == [0] * 4
    assert set(table.column("certificate")) == {"exact"}
    assert set(table.column("method")) == {"lp"}
    assert all(0 < row.building < 10 and 0 < row.solving < 10 for row in answers.rows)
    assert "note" not in [column.name for column in table.columns]
    assert "-1/18" in str(answers)
    assert "-1/18" in answers._repr_html_()


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=3), min_size=1, max_size=3))
def test_members_are_the_product_the_last_fastest(several: list[list[int]]) -> None:
    names = ("ranks", "bet", "ante")[: len(several)]
    asked = plan(kuhn, dict(zip(names, several, strict=True)), solving=False)
    rows = {name_of(kuhn, asked.parameters(v)): SweepRow("", v, nodes=1) for v in product(*several)}
    seen = list(asked.rows(known=rows))
    assert [row.parameters for row in seen] == list(product(*several))
    assert len(asked) == len(seen)


def test_what_fails_is_a_row_with_a_note() -> None:
    answers = sweep(kuhn, ranks=[1, 3, 4], max_nodes=60)
    refused, solved, large = answers.rows
    assert (refused.nodes, refused.note) == (None, "needs ranks >= players")
    assert solved.value == F(-1, 18)
    assert large.nodes is None
    assert "60 nodes" in large.note
    assert answers.table.faint == {0, 2}
    assert answers.table.column("note")[1] is None


def test_an_unsolvable_member_has_its_size() -> None:
    two, three = sweep(kuhn, ranks=4, players=[2, 3], method="lp").rows
    assert two.certificate == "exact"
    assert three.nodes is not None
    assert three.nodes > 55
    assert three.regret is None
    assert three.note.startswith("lp does not apply")


def test_if_all_fail_it_is_an_error() -> None:
    with pytest.raises(InfosetError, match=r"none of 2 members could be solved.*kuhn\(ranks=0\)"):
        sweep(kuhn, ranks=[0, 1])
    with pytest.raises(InfosetError, match=r"could be solved.*backward does not apply"):
        sweep(kuhn, ranks=[3, 4], method="backward")
    with pytest.raises(InfosetError, match="could be built"):
        sweep(kuhn, ranks=[0, 1], solving=False)


def test_sizes_only() -> None:
    table = sweep(kuhn, ranks=[3, 4], solving=False).table
    names = [column.name for column in table.columns]
    assert names == ["ranks", "nodes", "infosets", "sequences", "building (s)"]
    assert table.column("nodes") == [55, 109]


def test_games_without_a_value_have_payoffs() -> None:
    (row,) = sweep(prisoners_dilemma, temptation=[1]).table.column("payoffs")
    assert row == Amounts((F(-3), F(-3)), (False, False))


def test_long_fractions_have_decimals_beside_them() -> None:
    table = sweep(kuhn, ranks=[2, 3, 4]).table
    names = [column.name for column in table.columns]
    assert names[names.index("value") + 1] == "value ≈"
    assert table.column("value ≈") == [0, pytest.approx(-1 / 18), pytest.approx(-1 / 24)]
    assert "  -1/18  -0.0556  " in str(table)


@pytest.mark.parametrize(
    ("worth", "shown"),
    [
        ({"value": F(1, 99)}, False),
        ({"value": F(-1, 9)}, False),
        ({"value": F(1, 100)}, True),
        ({"value": 0.123456}, False),
        ({"value": F(1, 10**30)}, False),  # this is shown as a decimal anyway
        ({"value": F(10**400)}, False),
        ({"value": None, "payoffs": (F(1, 2), F(3))}, False),
        ({"value": None, "payoffs": (F(1, 2), F(22, 123))}, True),
    ],
)
def test_decimals_are_there_where_fractions_are_long(worth: dict[str, Any], shown: bool) -> None:
    table = made(plan(hide, {"places": [1, 2]}), **worth).table
    heads = [column.name for column in table.columns]
    name = "payoffs ≈" if worth["value"] is None else "value ≈"
    assert (name in heads) == shown
    if shown and worth["value"] is None:
        assert table.column(name)[0].values == (0.5, 22 / 123)


def test_notes_are_prose() -> None:
    asked = plan(kuhn, {"ranks": [1, 3]})
    (note,) = (
        column for column in sweep(kuhn, ranks=[1, 3]).table.columns if column.name == "note"
    )
    assert note.kind == PROSE
    long = "not built: " + "the rules refuse it for a long reason " * 4
    text = made(asked, note=long).table.text(width=150)
    assert "not built: the rules refuse it" in text
    assert not any("…" in line.rstrip("…") for line in text.splitlines())


def test_answers_that_are_near_have_floats_and_a_bound() -> None:
    (row,) = sweep(kuhn, ranks=[9], exact=False).rows
    if row.certificate != "exact":
        assert isinstance(row.value, float)
        assert row.certificate.startswith("regret at most ")
    assert row.value == pytest.approx(float(sweep(kuhn, ranks=[9]).rows[0].value), abs=1e-9)


def test_time_is_for_each_member() -> None:
    first, second = sweep(kuhn, ranks=[4, 5], method="lcp", seconds=0).rows
    assert first.note.startswith("stopped")
    assert second.note.startswith("stopped")
    assert first.regret > 0


def test_progress_names_the_member() -> None:
    news: list[str] = []
    sweep(kuhn, ranks=[3, 4], tick=news.append)
    assert news[0] == "1 of 2, kuhn(ranks=3): building"
    assert any(line.startswith("2 of 2, kuhn(ranks=4): ") for line in news)


def test_what_is_known_is_not_computed_again() -> None:
    known = {"kuhn(ranks=3)": SweepRow("kuhn(ranks=3)", (3,), nodes=1, regret=F(0))}
    kept: list[SweepRow] = []
    rows = list(plan(kuhn, {"ranks": [3, 4]}).rows(known, kept.append))
    assert [row.nodes for row in rows] == [1, 109]
    assert kept == rows[1:]


def test_what_is_several_values_and_what_is_one() -> None:
    asked = plan(hide, {"places": iter((2, 3)), "name": "abc", "worth": (1, 2)})
    assert dict(asked.swept) == {"places": (2, 3)}
    assert asked.fixed == {"name": "abc", "worth": (1, 2)}
    assert plan(hide, {"name": ("a", "b")}).swept == {"name": ("a", "b")}
    assert plan(hide, {"worth": [(1,), (2,)]}).swept == {"worth": ((1,), (2,))}
    assert sweep(hide, {"places": [3]}, name="b").rows[0].value == F(1, 3)


def test_sets_are_swept_from_the_smallest_on() -> None:
    for several in ({10, 9, 3, 4}, frozenset({4, 10, 3, 9})):
        assert plan(kuhn, {"ranks": several}).swept == {"ranks": (3, 4, 9, 10)}
    assert plan(hide, {"name": {"b", "c", "a"}}).swept == {"name": ("a", "b", "c")}
    assert sweep(kuhn, ranks=frozenset({4, 3})).table.column("nodes") == [55, 109]

    @game(players=("one",))
    def among(g: Play, options: frozenset[int] = frozenset({1})) -> object:
        """A parameter that is a set itself."""
        return g.choose("one", tuple(sorted(options)))

    asked = plan(among, {"options": [frozenset({1, 2}), frozenset({3})]})
    assert asked.swept == {"options": (frozenset({1, 2}), frozenset({3}))}
    with pytest.raises(ParameterError, match="nothing to sweep"):
        plan(among, {"options": frozenset({1, 2})})


def test_numbers_of_numpy_are_numbers() -> None:
    answers = sweep(kuhn, ranks=np.arange(3, 5), ante=np.int64(1))
    assert answers.table.columns[0].kind == NUMBER
    assert answers.table.column("ranks") == [3, 4]
    assert [row.game for row in answers.rows] == ["kuhn(ranks=3, ante=1)", "kuhn(ranks=4, ante=1)"]
    assert {type(value) for row in answers.rows for value in row.parameters} == {int}
    assert plan(kuhn, {"ranks": [np.int8(3), 4]}).swept == {"ranks": (3, 4)}
    assert plan(kuhn, {"ranks": [3, 4], "bet": np.array(2)}).fixed == {"bet": 2}
    assert is_number(np.float32(0.5))
    assert is_number(np.int64(3))
    assert not is_number(np.bool_(True))
    assert not is_number(True)


@pytest.mark.parametrize(
    ("parameters", "options", "message"),
    [
        ({"ranks": 3}, {}, "nothing to sweep"),
        ({"ranks": {3, "four"}}, {}, "kuhn: ranks is a set, and its values have no order; give a"),
        ({"ranks": {3: 4}}, {}, "nothing to sweep"),
        ({"rank": [3, 4]}, {}, "did you mean 'ranks'"),
        ({"ranks": []}, {}, "no values"),
        ({"ranks": itertools.count(3)}, {}, "more than 10,000 members"),
        ({"ranks": range(200), "bet": range(200)}, {}, "more than 10,000 members"),
        ({"ranks": [3]}, {"method": "lqp"}, "did you mean 'lp'"),
        ({"ranks": [3]}, {"seconds": -1}, "must be 0 or more"),
        ({"ranks": [3]}, {"seconds": math.nan}, "must be 0 or more"),
        ({"ranks": [3]}, {"seconds": "9"}, "seconds='9': it must be 0 or more"),
        ({"ranks": [3]}, {"max_nodes": None}, "max_nodes=None: it must be a whole number from 1"),
        ({"ranks": [3]}, {"max_nodes": 0}, "max_nodes=0: "),
        ({"ranks": [3]}, {"method": 5}, "method=5: give a name, such as 'lp'"),
        ({"ranks": [3]}, {"exact": "yes"}, "exact='yes': say True, False or None"),
    ],
)
def test_slips_are_said_before_the_work(
    parameters: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InfosetError, match=message):
        plan(kuhn, parameters, **options)


def test_only_a_family_can_be_swept() -> None:
    with pytest.raises(InfosetError, match="a family of games"):
        sweep(kuhn(), ranks=[3])  # type: ignore[arg-type]
    for several in (5, [3, 4], "ranks", np.arange(3)):
        with pytest.raises(ParameterError, match="is no mapping from parameters to values"):
            sweep(kuhn, several)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="tick=5: "):
        sweep(kuhn, ranks=[3], tick=5)  # type: ignore[arg-type]


def test_the_most_members_are_allowed() -> None:
    assert len(plan(kuhn, {"ranks": range(MOST)})) == MOST


# ---------------------------------------------------------------------------- which rules


def made_rules(typed: str = "return g.choose('one', (0, 1))") -> Any:
    """Rules of one name, typed in and not in a file."""
    names: dict[str, Any] = {"game": game}
    exec(f"@game(players=('one',))\ndef rules(g, n=1):\n    {typed}\n", names)
    return names["rules"]


def test_a_digest_is_of_the_rules() -> None:
    assert digest_of(kuhn) == digest_of(kuhn)
    assert len({digest_of(one) for one in (kuhn, goofspiel, hide, made_rules())}) == 4
    same, other = made_rules(), made_rules("return g.choose('one', (0, 2))")
    assert digest_of(same) == digest_of(made_rules()) != digest_of(other)


def test_a_digest_is_of_what_rules_hold_on_to() -> None:
    def family(prize: Any) -> Any:
        @game(players=("one",))
        def held(g: Play, n: int = 1) -> object:
            return (g.choose("one", (0, 1)) * prize,)

        return held

    assert digest_of(family(1)) == digest_of(family(1)) != digest_of(family(2))
    assert digest_of(family(object())) == digest_of(family(object()))  # addresses say nothing


def test_a_new_version_of_the_library_has_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    before, mine = digest_of(kuhn), digest_of(hide)
    monkeypatch.setattr("infoset.__version__", "99.0")
    assert digest_of(kuhn) != before
    assert digest_of(hide) == mine


@settings(max_examples=100)
@given(st.text("=+-@' a", max_size=5))
def test_guarded_texts_come_back_and_are_no_formulas(words: str) -> None:
    cell = guarded(words)
    assert unguarded(cell) == words
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))


# ---------------------------------------------------------------------------- what is drawn


def test_plotted_numbers_are_those_of_the_table() -> None:
    answers = sweep(kuhn, ranks=[3, 4, 5])
    figure = answers.plot()
    size, time, value = figure.axes
    nodes, infosets = size.lines
    assert list(nodes.get_xdata()) == [3, 4, 5]
    assert list(nodes.get_ydata()) == answers.table.column("nodes")
    assert list(infosets.get_ydata()) == answers.table.column("infosets")
    assert [list(line.get_ydata()) for line in time.lines] == [
        answers.table.column("building (s)"),
        answers.table.column("solving (s)"),
    ]
    assert list(value.lines[0].get_ydata()) == pytest.approx([-1 / 18, -1 / 24, -1 / 15])
    assert figure.get_suptitle() == "kuhn: all answers exact, regret 0"


def test_regret_has_a_panel_where_an_answer_is_not_exact() -> None:
    asked = plan(hide, {"places": [1, 2]})
    exact, near = made(asked), made(asked, regret=F(1, 9))
    mixed = Sweep(asked, (exact.rows[0], near.rows[1]))
    unsolved = Sweep(asked, (exact.rows[0], SweepRow("hide(places=2)", (2,), note="too large")))
    titles = {
        name: [panel.title for panel in picture(one).panels]
        for name, one in (("exact", exact), ("near", near), ("mixed", mixed), ("un", unsolved))
    }
    assert titles["exact"] == titles["un"] == ["size", "time", "value"]
    assert titles["near"] == titles["mixed"] == ["size", "time", "value", "regret"]
    assert picture(exact).title == picture(unsolved).title == "hide: all answers exact, regret 0"
    assert picture(near).title == picture(mixed).title == "hide"


def test_the_title_of_a_plot_names_what_is_no_default() -> None:
    asked = plan(hide, {"places": [1, 2], "name": "a", "worth": (3,)}, solving=False)
    assert picture(made(asked, regret=None)).title == "hide(worth=(3,))"


@pytest.mark.parametrize(
    ("values", "places", "names"),
    [
        ([10, 20, 30, 50], [10, 20, 30, 50], ["10", "20", "30", "50"]),
        ([F(9, 10), F(1, 10), F(1, 2)], [0.1, 0.5, 0.9], ["1/10", "1/2", "9/10"]),
        (range(1, 13), list(range(1, 13)), [str(n) for n in range(1, 13)]),
        ([7], [7], ["7"]),
    ],
)
def test_few_values_are_all_below_the_axis(
    values: Any, places: list[float], names: list[str]
) -> None:
    for axes in sweep_figure(made(plan(hide, {"places": values}))).axes:
        assert list(axes.get_xticks()) == places
        assert [words.get_text() for words in axes.get_xticklabels()] == names


def test_many_values_or_crowded_ones_are_not_all_below_the_axis() -> None:
    assert picture(made(plan(hide, {"places": range(1, 14)}))).ticks == ()
    ticks = picture(made(plan(hide, {"places": [1, 2, 3, 500, 10**6]}))).ticks
    assert [name for _, name in ticks] == ["1", "", "", "", "1000000"]
    words = made(plan(hide, {"name": ["a", "b", "c"]}))
    assert picture(words).ticks == ((0.0, "a"), (1.0, "b"), (2.0, "c"))


@settings(max_examples=40)
@given(st.lists(st.fractions(-1000, 1000, max_denominator=99), min_size=1, max_size=12))
def test_names_below_the_axis_do_not_touch(values: list[Fraction]) -> None:
    ticks = picture(made(plan(hide, {"places": values}))).ticks
    assert [place for place, _ in ticks] == sorted({float(value) for value in values})
    named = [(place, len(name)) for place, name in ticks if name]
    assert named[0][0] == ticks[0][0]
    wide = ticks[-1][0] - ticks[0][0]
    for (left, before), (right, after) in itertools.pairwise(named):
        assert (right - left) / wide * 42 >= (before + after) / 2


def test_logarithmic_where_numbers_are_far_apart() -> None:
    asked = plan(hide, {"places": [1, 2]}, solving=False)
    near = sweep_figure(made(asked, nodes=59))  # 2 information sets
    far = sweep_figure(made(asked, nodes=61))
    assert near.axes[0].get_yscale() == "linear"
    assert far.axes[0].get_yscale() == "log"
    assert near.axes[1].get_yscale() == "log"


def test_counts_are_whole_numbers() -> None:
    size = sweep_figure(made(plan(hide, {"places": [1, 2]}))).axes[0]
    assert size.get_yscale() == "linear"
    assert all(place == round(place) for place in size.get_yticks())


def test_lines_by_the_second_parameter() -> None:
    asked = plan(goofspiel, {"cards": [2, 3, 4], "order": ["random", "ascending"]})
    rows = tuple(replace(row, value=F(at)) for at, row in enumerate(made(asked).rows))
    figure = sweep_figure(Sweep(asked, rows))
    assert [list(line.get_ydata()) for line in figure.axes[2].lines] == [[0, 2, 4], [1, 3, 5]]
    named = [words.get_text() for words in figure.legends[0].get_texts()]
    assert named == ["order=random", "order=ascending"]
    cut = picture(Sweep(asked, rows[:3])).panels[2].lines  # stopped in between
    assert [line.y for line in cut] == [(0.0, 2.0), (1.0,)]


def test_failed_members_are_gaps() -> None:
    figure = sweep(kuhn, ranks=[1, 3, 4], solving=False).plot()
    first, *others = figure.axes[0].lines[0].get_ydata()
    assert math.isnan(first)
    assert others == [55, 109]


def test_exact_among_others_is_marked_on_the_edge() -> None:
    asked = plan(hide, {"places": [1, 2, 3]})
    regrets = (1e-3, F(0), 1e-9)
    rows = (replace(row, regret=r) for row, r in zip(made(asked).rows, regrets, strict=True))
    line, zeros = sweep_figure(Sweep(asked, tuple(rows))).axes[3].lines
    assert line.get_ydata()[0] == 1e-3
    assert math.isnan(line.get_ydata()[1])
    assert list(zeros.get_xdata()) == [2]


def test_payoffs_where_there_is_no_value() -> None:
    figure = sweep_figure(made(plan(hide, {"places": [1, 2]}), value=None))
    assert figure.axes[2].get_title(loc="left") == "payoffs"
    assert [list(line.get_ydata()) for line in figure.axes[2].lines] == [[1, 1], [-1, -1]]


def test_numbers_that_floats_have_no_room_for_are_gaps() -> None:
    lines = picture(made(plan(hide, {"places": [1, 2]}), value=F(10**400))).panels[2].lines
    assert all(math.isnan(y) for y in lines[0].y)


def test_sizes_only_have_two_panels() -> None:
    figure = sweep(kuhn, ranks=[3, 4], solving=False).plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["size", "time"]


def test_many_lines_are_all_drawn_and_some_named() -> None:
    figure = sweep_figure(made(plan(hide, {"places": [1, 2], "name": [str(n) for n in range(12)]})))
    assert len(figure.axes[2].lines) == 12
    named = [words.get_text() for words in figure.legends[0].get_texts()]
    assert (named[0], named[-1], len(named)) == ("name=0", "name=11", 8)


@pytest.fixture(scope="module")
def hostile() -> Any:
    asked = plan(hide, {"name": HOSTILE, "worth": [(1,), (2,)]})
    return made(asked, players=("$_{", "<b>"), value=None, regret=F(1, 9)).plot()


@pytest.mark.parametrize("form", style.FORMATS)
def test_hostile_labels_are_drawn_as_text(hostile: Any, form: str, tmp_path: Path) -> None:
    target = tmp_path / f"plot.{form}"
    style.save_figure(hostile, target)
    assert 1_000 < target.stat().st_size < 200_000
    if form == "svg":
        texts = [one.text for one in ElementTree.parse(target).iter() if one.tag.endswith("}text")]
        for shown in ("$x_1^2$", "\\ud800", "_hidden", "“”", "payoff of $_{", "\\u202ereversed"):
            assert shown in texts
        assert not any(one.tag.endswith("script") for one in ElementTree.parse(target).iter())


# ---------------------------------------------------------------------------- the shared look


def test_nothing_global_changes() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    with style.styled("dark"):
        assert matplotlib.rcParams["text.parse_math"] is False
        figure = style.new_figure()
    assert dict(matplotlib.rcParams) == before
    assert figure.get_facecolor() == matplotlib.colors.to_rgba("#16181D")


def test_a_svg_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        with style.styled():
            figure = style.new_figure()
            figure.subplots().plot([1, 2], marker="o", label="a line")
        style.save_figure(figure, tmp_path / name)
    first, second = ((tmp_path / name).read_bytes() for name in ("one.svg", "two.svg"))
    assert first == second
    assert b"<dc:date>" not in first


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plot.jpg", "ends in .png, .svg or .pdf"),
        ("plot", "ends in .png"),
        ("nowhere/plot.png", "there is no folder"),
        ("folder.png", "a folder"),
        ("a\0b.png", "no folder"),
    ],
)
def test_files_that_will_not_do(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with style.styled():
        figure = style.new_figure()
    with pytest.raises(FileError, match=message) as refused:
        style.save_figure(figure, tmp_path / name)
    assert "\n" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_what_cannot_be_drawn_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "plot.png"
    target.write_bytes(b"old")
    monkeypatch.setattr("infoset.files.os.replace", _refuse)
    with style.styled(), pytest.raises(FileError, match=r"plot\.png: .*No space"):
        style.save_figure(style.new_figure(), target)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_without_matplotlib_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InfosetError, match="pip install matplotlib"):
        made(plan(hide, {"places": [1]})).plot()


def test_matplotlib_is_loaded_by_plots_alone() -> None:
    code = (
        "import sys; from infoset.display.plots import style, sweep; import infoset.cli.sweep;"
        "from infoset.analysis.sweeps import sweep; from infoset.games import centipede;"
        "str(sweep(centipede, rounds=[3])); assert 'matplotlib' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_plots_do_without_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps figures, and looks for a window."""
    import matplotlib

    monkeypatch.delattr(matplotlib, "pyplot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)  # to import it is an error
    assert made(plan(hide, {"places": [1]}, solving=False)).plot().axes


def test_an_unknown_paper() -> None:
    with pytest.raises(ParameterError, match="did you mean 'dark'"), style.styled("drak"):
        pass


@pytest.fixture(scope="module")
def axis() -> Iterator[Any]:
    with style.styled():
        yield style.new_figure().subplots().yaxis


@settings(max_examples=30, deadline=None)
@given(st.floats(1e-12, 1e12), st.floats(1.001, 1e6))
def test_logarithmic_axes_have_two_ticks_and_no_formulas(
    axis: Any, low: float, times: float
) -> None:
    style.logarithmic(axis)
    axis.axes.set_ylim(low, low * times)
    labels = [axis.get_major_formatter()(place, 0) for place in axis.get_majorticklocs()]
    axis.get_minor_formatter().set_locs(axis.get_minorticklocs())
    labels += [axis.get_minor_formatter()(place, 0) for place in axis.get_minorticklocs()]
    assert not any("$" in words for words in labels)
    assert sum(bool(words) for words in labels) >= 2


@settings(max_examples=50)
@given(st.text(), st.integers(4, 40))
def test_labels_are_short_lines(words: str, most: int) -> None:
    shown = style.label(words, most)
    assert 0 < len(shown) <= most
    assert shown.isprintable()


# ---------------------------------------------------------------------------- what is followed


def test_probabilities_and_values_of_actions_are_followed(tmp_path: Path) -> None:
    """Kuhn 1950: the dealer with a king always calls, and calling wins ante and bet."""
    answers = sweep(
        kuhn,
        bet=[1, F(3, 2), 2],
        probabilities=["dealer: K, bet=bet", "dealer: A, bet=bet"],
        action_values=["dealer: K, bet=bet"],
    )
    assert [row.tracked for row in answers.rows if row.tracked[2] is not None]
    for row in answers.rows:
        assert row.tracked[:2] == (1, None)  # three ranks have no ace
        assert row.tracked[2] in (None, 1 + row.parameters[0])
    assert answers.table.column("probability of dealer: K, bet=bet") == [1, 1, 1]
    titles = [panel.title for panel in picture(answers).panels]
    assert "probability of bet, dealer: K, bet" in titles


def test_what_is_followed_is_kept_in_the_file(tmp_path: Path) -> None:
    asked = plan(kuhn, {"bet": [1, F(3, 2)]}, track=quantities(["gambler: J=bet"], []))
    found = []
    for _ in range(2):
        with kept(asked, tmp_path / "kuhn.csv") as (known, keep):
            found.append((len(known), [row.tracked for row in asked.rows(known, keep)]))
    assert found == [(0, found[0][1]), (2, found[0][1])]
    with (
        pytest.raises(FileError, match="no table of this sweep"),
        kept(plan(kuhn, {"bet": [1, F(3, 2)]}), tmp_path / "kuhn.csv"),
    ):
        pass


@pytest.mark.parametrize(
    ("spelling", "why"),
    [
        ("gambler: Z=bet", "no information set 'gambler: Z'"),
        ("gamblr: J=bet", "did you mean 'gambler: J'"),
        ("gambler: J=bte", "did you mean 'bet'"),
    ],
)
def test_what_is_not_there_is_noted(spelling: str, why: str) -> None:
    (row,) = sweep(kuhn, bet=[1], probabilities=[spelling]).rows
    assert row.tracked == (None,)
    assert why in row.note


@pytest.mark.parametrize("spelling", ["gambler: J", "=bet", "gambler: J=", ""])
def test_what_is_no_action_is_refused_with_what_to_write(spelling: str) -> None:
    with pytest.raises(ParameterError, match="write it as in 'dealer: Q, bet=pass'"):
        sweep(kuhn, bet=[1, 2], probabilities=[spelling])


def test_equilibria_are_counted_by_methods_that_list_them() -> None:
    @game(players=("she", "he"))
    def battle(g: Play, like: int = 2) -> object:
        hers, his = g.choose("she", ("boxing", "ballet")), g.choose("he", ("boxing", "ballet"))
        return {"boxing": (like, 1), "ballet": (1, like)}[hers] if hers == his else (0, 0)

    assert sweep(battle, like=[2, 3], method="enumerate").table.column("equilibria") == [3, 3]
    assert sweep(battle, like=[2, 3], method="pure").table.column("equilibria") == [2, 2]
    assert "equilibria" not in {column.name for column in sweep(battle, like=[2]).table.columns}


def test_a_change_of_the_selected_equilibrium_is_noted_with_both_numbers() -> None:
    """Both coordinate on a side; which one the solver selects is no fact of the game."""

    @game(players=("one", "two"))
    def sides(g: Play, left: int | Fraction = 1) -> object:
        mine, yours = g.choose("one", ("left", "right")), g.choose("two", ("left", "right"))
        worth = {"left": left, "right": F(1)}[mine] if mine == yours else 0
        return worth, worth

    payoffs, notes = zip(
        *(
            (row.payoffs[0], row.note)
            for row in sweep(sides, left=[F(99, 100), 1], method="lcp").rows
        ),
        strict=True,
    )
    assert payoffs == (1, 1)  # first on the right, then on the left
    assert notes[0] == ""
    assert "differs by 1 at two: nothing yet and has a regret of at most 0" in notes[1]


@pytest.mark.parametrize("method", ["cce", "efce", "efcce"])
def test_correlated_equilibria_are_swept_over(method: str) -> None:
    found = sweep(kuhn, bet=[1, 2], method=method)
    assert [(row.method, row.value, row.note) for row in found.rows] == [
        (method, Fraction(-1, 18), ""),
        (method, 0, ""),
    ]


def test_what_changes_with_the_game_is_no_change_of_selection() -> None:
    @game(players=("one",))
    def better(g: Play, left: int = 1) -> object:
        return left if g.choose("one", ("left", "right")) == "left" else 0

    assert [row.note for row in sweep(better, left=[-1, 1]).rows] == ["", ""]


def test_one_size_is_said_in_the_title_and_has_no_panel() -> None:
    seen = picture(made(plan(hide, {"places": [1, 2]}), nodes=6))
    assert [panel.title for panel in seen.panels] == ["value"]
    assert seen.title == "hide: 6 nodes each, all answers exact, regret 0"
