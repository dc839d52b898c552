"""Plots of convergence: lines are the numbers, names do not overlap, zeros break nothing."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.display.plots.convergence import plot_convergence, spread
from infoset.errors import FileError, ParameterError
from infoset.solvers.convergence import Convergence, Point


def convergence(name: str, *regrets: float, faster: float = 1.0) -> Convergence:
    points = [Point(at / faster, at, regret) for at, regret in enumerate(regrets, 1)]
    return Convergence(name, ("one", "two"), tuple(points))


METHODS = ("CFR", "CFR+", "linear CFR", "DCFR", "predictive CFR+")
MANY = [
    convergence(f"{by}{name}", *(1 / (at + rank / 9) for at in range(1, 30)), faster=3 - far)
    for far, by in enumerate(("", "OpenSpiel ", "LiteEFG "))
    for rank, name in enumerate(METHODS)
]


def drawn(figure, runs):
    """The lines of the runs: the first of the axes, in order."""
    return figure.axes[0].lines[: len(runs)]


def names(figure):
    """The texts at the right, from the lowest up."""
    axes = figure.axes[0]
    found = [text for text in axes.texts if text.get_transform() == axes.transAxes]
    return sorted(found, key=lambda text: text.get_position()[1])


def notes(figure) -> str:
    return figure.get_supxlabel()


def test_the_lines_are_the_numbers():
    runs = [convergence("slow", 1, 0.5, 0.1), convergence("fast", 1, 0.01, faster=10)]
    slow, fast = drawn(plot_convergence(runs), runs)
    assert slow.get_xdata().tolist() == [1, 2, 3]
    assert slow.get_ydata().tolist() == [1, 0.5, 0.1]
    assert fast.get_xdata().tolist() == [0.1, 0.2]
    figure = plot_convergence(runs, against="iterations")
    assert drawn(figure, runs)[1].get_xdata().tolist() == [1, 2]
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("iterations", "regret")
    assert notes(figure) == ""


@pytest.mark.parametrize("runs", [MANY, MANY[:1], [convergence(str(k), 1, 0.5) for k in range(40)]])
def test_names_stand_in_order_and_do_not_overlap(runs):
    figure = plot_convergence(runs)
    figure.draw_without_rendering()
    texts = names(figure)
    assert sorted(text.get_text() for text in texts) == sorted(one.name for one in runs)
    boxes = [text.get_window_extent() for text in texts]
    for lower, upper in pairwise(boxes):
        assert lower.y1 <= upper.y0 + 0.5  # of a dot
    right = figure.axes[0].get_window_extent().x1
    assert all(right < box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
    last_regrets = {one.name: one.points[-1].regret for one in runs}
    heights = [last_regrets[text.get_text()] for text in texts]
    assert heights == sorted(heights)


def test_each_is_told_from_the_others_and_a_peer_from_what_it_is_compared_with():
    looks = {
        one.name: (line.get_color(), line.get_linestyle(), line.get_marker(), dashes)
        for one, line in zip(MANY, drawn(plot_convergence(MANY), MANY), strict=True)
        for dashes in [str(line._dash_pattern)]  # noqa: SLF001 (nothing else tells)
    }
    assert len(set(looks.values())) == len(MANY) == 15
    for name in METHODS:
        own, open_spiel, lite = looks[name], looks[f"OpenSpiel {name}"], looks[f"LiteEFG {name}"]
        assert own[0] == open_spiel[0] == lite[0]
        assert own[1] == "-"
        assert open_spiel[1] == lite[1] == "--"
        assert open_spiel[3] != lite[3]


def test_more_than_there_are_colours():
    runs = [convergence(f"method {k}", 1, 0.5) for k in range(24)]
    looks = {(line.get_color(), line.get_marker()) for line in drawn(plot_convergence(runs), runs)}
    assert len(looks) == 24


def test_what_is_dashed_can_be_said():
    runs = [convergence("OpenSpiel CFR", 1, 0.5), convergence("an old run", 1, 0.6)]
    usual, said = (
        [line.get_linestyle() for line in drawn(plot_convergence(runs, **options), runs)]
        for options in ({}, {"dashed": "old"})
    )
    assert usual == ["--", "-"]
    assert said == ["-", "--"]


def test_zeros_are_drawn_at_the_edge_and_it_is_said():
    one = Convergence(
        "x", (), (Point(0, 0, 1), Point(0.1, 1, 0.02), Point(0.2, 2, 0), Point(0.3, 3, -1))
    )
    figure = plot_convergence([one])
    (line,) = drawn(figure, [one])
    axes = figure.axes[0]
    across, up = line.get_xdata().tolist(), line.get_ydata().tolist()
    assert axes.get_xlim()[0] < across[0] < 0.1 / 2
    assert across[1:] == [0.1, 0.2, 0.3]
    assert up[:2] == [1, 0.02]
    assert up[2] == up[3] < 0.02 / 2
    assert axes.get_ylim()[0] < up[2]
    assert [text.get_text() for text in axes.texts].count("0") == 2
    assert notes(figure) == "a regret of 0 is drawn at the lower edge; 0 seconds at the left edge"
    only = plot_convergence(
        [Convergence("x", (), (Point(0, 0, 1), Point(1, 1, 0.5)))], against="iterations"
    )
    assert notes(only) == "0 iterations are drawn at the left edge"


TINY, HUGE = 5e-324, sys.float_info.max


@pytest.mark.parametrize(
    ("times", "regrets"),
    [
        ((0, TINY, HUGE), (HUGE, TINY, 0)),
        ((TINY, HUGE), (-HUGE, HUGE)),
        ((0,), (0,)),
        ((0, 0, 0), (1, 1, 1)),
        ((TINY, TINY), (TINY, TINY)),
        ((HUGE, HUGE), (HUGE, HUGE)),
        ((1, 1 + 1e-15), (1, 1 - 1e-16)),
        ((1e-17, 1e17), (1e17, 1e-17)),
    ],
)
def test_no_number_breaks_it(times, regrets):
    pairs = enumerate(zip(times, regrets, strict=True))
    one = Convergence("x", (), tuple(Point(at, number, regret) for number, (at, regret) in pairs))
    figure = plot_convergence([one])
    (line,) = drawn(figure, [one])
    (left, right), (low, high) = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
    assert 0 < left < right < math.inf
    assert 0 < low < high < math.inf
    assert all(left <= x <= right for x in line.get_xdata())
    assert all(low <= y <= high for y in line.get_ydata())


def test_one_point_is_a_dot():
    (line,) = drawn(plot_convergence([convergence("x", 0.5)]), [0])
    assert line.get_marker() == "o"


def test_runs_without_points():
    empty = Convergence("later", (), ())
    for runs in ([], [empty], [empty, empty]):
        with pytest.raises(ParameterError, match="nothing to plot: no run has a point yet"):
            plot_convergence(runs)
    figure = plot_convergence([convergence("x", 1, 0.5), empty])
    assert notes(figure) == "no points yet: later"
    assert [text.get_text() for text in names(figure)] == ["x"]


def test_hostile_names_are_text(tmp_path: Path):
    hostile = ["$\\frac{a}{b}$", "_x", "<b>&</b>", "two\nlines\u202e", "W" * 100_000, "模倣", ""]
    runs = [convergence(name, 1, 0.5, 0.1 * at) for at, name in enumerate(hostile, 1)]
    path = tmp_path / "x.svg"
    figure = plot_convergence([*runs, Convergence("模\n", (), ())], path, title="$模_1$")
    texts = {text.get_text() for text in names(figure)}
    assert {"$\\frac{a}{b}$", "_x", "<b>&</b>", "two lines\\u202e", "“”"} < texts
    assert figure.axes[0].get_title(loc="left") == "$模_1$"
    written = path.read_text()
    assert "<b>" not in written
    assert "\u202e" not in written
    assert len(written) < 300_000


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_files_and_themes(tmp_path: Path, suffix: str):
    path = tmp_path / f"courses.{suffix}"
    figure = plot_convergence(MANY, path, theme="dark")
    assert path.read_bytes().startswith(
        {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    )
    assert figure.get_facecolor()[:3] < (0.2, 0.2, 0.2)


def test_what_is_refused(tmp_path: Path):
    for options, said in (
        ({"against": "time"}, "against='time': no such axis; "),
        ({"theme": "grey"}, "theme='grey'"),
    ):
        with pytest.raises(ParameterError, match=said):
            plot_convergence(MANY, **options)
    with pytest.raises(FileError, match=r"ends in \.png"):
        plot_convergence(MANY, tmp_path / "x.gif")


# ---------------------------------------------------------------------- heights of names

WANTED = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(WANTED, st.floats(0.001, 0.2))
def test_spread_keeps_them_apart_in_order_and_inside(wanted, apart):
    heights = spread(wanted, apart, 0.0, 1.0)
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in heights)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    least = min(apart, 1 / max(len(wanted) - 1, 1))
    for lower, upper in pairwise(order):
        assert heights[upper] - heights[lower] >= least - 1e-9


@given(WANTED, st.floats(0.001, 0.02), st.data())
def test_spread_moves_them_as_little_as_can_be(wanted, apart, data):
    """No small move of a run of neighbours that keeps the rules brings them closer."""

    def moved(heights):
        return sum((height - want) ** 2 for height, want in zip(heights, wanted, strict=True))

    heights = spread(wanted, apart, 0.0, 1.0)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    start = data.draw(st.integers(0, len(order) - 1))
    end = data.draw(st.integers(start + 1, len(order)))
    for step in (-1e-4, 1e-4):
        other = list(heights)
        for at in order[start:end]:
            other[at] += step
        placed = [other[at] for at in order]
        apart_still = all(b - a >= apart - 1e-12 for a, b in pairwise(placed))
        if apart_still and placed[0] >= 0 and placed[-1] <= 1:
            assert moved(other) >= moved(heights) - 1e-9
