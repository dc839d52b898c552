"""Plots of strategies, by the numbers that are in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from infoset import game, solve
from infoset.errors import FileError, NotApplicable, ParameterError
from infoset.games import (
    beer_quiche,
    goofspiel,
    inspection,
    koller_megiddo_von_stengel,
    kuhn,
    leduc,
    poker,
)

CARDS = ["6", "7", "8", "9", "10", "J", "Q", "K"]


def axes_of(figure):
    return [axis for block in figure.subfigs for axis in block.axes]


def lines_of(axis):
    return {line.get_label(): line.get_ydata().tolist() for line in axis.lines}


def bars_of(axis):
    return {
        container.get_label(): [bar.get_height() for bar in container]
        for container in axis.containers
    }


def ticks_of(axis):
    return [tick.get_text() for tick in axis.get_xticklabels()]


EIGHT = solve(poker(ranks=8))


@pytest.mark.parametrize(
    ("player", "titles", "moves"),
    [
        ("gambler", ["at the start", "after [pass], bet 1"], [("pass", "bet 1"), ("fold", "call")]),
        ("dealer", ["after pass", "after bet 1"], [("pass", "bet 1"), ("fold", "call")]),
    ],
)
def test_koller_pfeffer_1997_figures_17_and_18(player, titles, moves):
    axes = axes_of(EIGHT.plot(player))
    assert [axis.get_title(loc="left") for axis in axes] == titles
    before = {"at the start": "{}", "after pass": "{}, pass", "after bet 1": "{}, bet 1"}
    for axis, options in zip(axes, moves, strict=True):
        assert ticks_of(axis) == CARDS
        label = before.get(axis.get_title(loc="left"), "{}, [pass], bet 1")
        for move in options:
            probabilities = [EIGHT.strategy[player][label.format(card)][move] for card in CARDS]
            assert lines_of(axis)[move] == list(map(float, probabilities))


def test_the_bluff_is_to_be_seen():
    """Low cards are bet, middle ones are not, high ones are: Koller & Pfeffer 1997, section 6.3."""
    bets = lines_of(axes_of(EIGHT.plot("gambler"))[0])["bet 1"]
    low, middle, high = bets[:2], bets[2:5], bets[-2:]
    assert max(low) > 0
    assert max(middle) == 0
    assert min(high) == 1


def test_all_players_stand_below_one_another():
    figure = EIGHT.plot()
    assert [block.get_suptitle() for block in figure.subfigs] == ["gambler", "dealer"]
    assert figure.get_suptitle() == "poker(ranks=8)"
    assert [len(block.axes) for block in figure.subfigs] == [2, 2]


def test_leduc_shows_the_likeliest_of_its_histories():
    solution = solve(leduc())
    figure = solution.plot("one")
    (block,) = figure.subfigs
    assert block.get_suptitle() == "one: the 12 likeliest of 93 public histories"
    assert len(block.axes) == 12
    assert ticks_of(block.axes[0]) == ["J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥"]
    some = axes_of(solution.plot("one", where="Q♠, [raise], raise", most=2))
    assert len(some) == 2


def test_goofspiel_has_nothing_private_and_a_bar_for_each_bid():
    solution = solve(goofspiel())
    start = axes_of(solution.plot("player 1"))[0]
    assert ticks_of(start) == ["1", "2", "3"]
    heights = [bar.get_height() for bar in start.patches]
    assert heights == list(map(float, solution.strategy["player 1"]["nothing yet"].values()))


def test_hidden_bids_leave_gaps_where_a_card_is_gone():
    solution = solve(goofspiel(cards=4, reveal="winner"))
    axis = next(
        one
        for one in axes_of(solution.plot("player 2"))
        if one.get_title(loc="left") == "after player 1 wins 4"
    )
    assert ticks_of(axis) == ["[1]", "[2]", "[3]"]
    assert np.isnan(bars_of(axis)["1"][0])  # the 1 is no longer there to be bid
    assert np.nansum([bars_of(axis)[card][0] for card in "1234"]) == pytest.approx(1)


def test_inspection_and_beer_quiche():
    inspector = axes_of(solve(inspection()).plot("inspector"))
    assert [axis.get_title(loc="left") for axis in inspector] == ["at the start", "after [wait]"]
    assert [bar.get_height() for bar in inspector[0].patches] == pytest.approx([1 / 3, 2 / 3])
    sender, *receiver = axes_of(solve(beer_quiche()).plot())
    assert ticks_of(sender) == ["strong", "weak"]
    assert bars_of(sender) == {"beer": [1, 1], "quiche": [0, 0]}
    assert [axis.get_title(loc="left") for axis in receiver] == [
        "after beer",
        "after quiche (never reached)",
    ]


def area_of(shape):
    """The area of a polygon, by Gauss's formula."""
    ((x, y),) = (path.vertices.T for path in shape.get_paths())
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def test_a_crowd_is_stacked():
    solution = solve(kuhn(ranks=50))
    axis = axes_of(solution.plot("dealer"))[0]
    areas = {shape.get_label(): area_of(shape) for shape in axis.collections}
    rows = [solution.strategy["dealer"][f"{card}, pass"] for card in range(1, 51)]
    assert areas == pytest.approx({move: float(sum(row[move] for row in rows)) for move in areas})
    assert sum(areas.values()) == pytest.approx(50)
    assert len(ticks_of(axis)) < 20  # not every card is named


def test_a_plot_with_another_title_or_none():
    assert EIGHT.plot(title="Poker").get_suptitle() == "Poker"
    for none in ("", False):
        assert EIGHT.plot(title=none).get_suptitle() == ""
    with pytest.raises(ParameterError, match=r"title=3.*title=False"):
        EIGHT.plot(title=3)


def test_kinds_and_themes():
    assert len(axes_of(EIGHT.plot("dealer", kind="bars"))[0].containers) == 2
    dark = EIGHT.plot("dealer", theme="dark")
    assert dark.get_facecolor()[:3] < (0.2, 0.2, 0.2)
    with pytest.raises(ParameterError, match="'pie'"):
        EIGHT.plot("dealer", kind="pie")
    with pytest.raises(ParameterError, match="theme='grey'"):
        EIGHT.plot("dealer", theme="grey")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_files(tmp_path: Path, suffix: str):
    path = tmp_path / f"bluff.{suffix}"
    EIGHT.plot("gambler", path)
    head = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    assert path.read_bytes().startswith(head)
    if suffix == "svg":
        assert "after [pass], bet 1" in path.read_text()


def test_files_that_cannot_be_are_refused_before_the_work(tmp_path: Path):
    for name in ("bluff.gif", "bluff", "nowhere/bluff.png"):
        with pytest.raises(FileError):
            EIGHT.plot("gambler", tmp_path / name)


@game(players=("$\\frac{a}{b}$", "_two"))
def hostile(g):
    r"""Names and moves that a formula, a legend or a terminal might take for its own."""
    g.reveal(g.players[0], g.chance(("<script>", "a" * 100_000, "x\ny\u202e")))
    g.choose(g.players[0], ("_hidden", "$\\int", "{}%&", "<b>"))
    g.choose(g.players[1], ("\x1b[2J", ""))
    return (0, 0)


def test_hostile_labels_are_text(tmp_path: Path):
    solution = solve(hostile())
    figure = solution.plot(file=tmp_path / "hostile.svg")
    (legend,) = figure.subfigs[0].legends
    assert [text.get_text().strip() for text in legend.get_texts()] == [
        "_hidden",
        "$\\int",
        "{}%&",
        "<b>",
    ]
    written = (tmp_path / "hostile.svg").read_text()
    assert "<script>" not in written
    assert "\u202e" not in written
    assert len(written) < 300_000


@game(players={"team": ("east", "west"), "foe": ()})
def agree(g):
    """A team that must agree without talking, on what a foe does not guess."""
    east, west, guess = (g.choose(who, ("heads", "tails")) for who in ("east", "west", "foe"))
    return g.win("team" if east == west != guess else "foe")


def test_players_who_mix_whole_plans_cannot_be_plotted():
    solution = solve(agree())
    with pytest.raises(NotApplicable, match="team has imperfect recall, and mixes whole plans"):
        solution.plot()
    assert "pure strategy" in str(solution)
    assert len(axes_of(solution.plot("foe"))) == 1


def test_each_situation_has_a_panel():
    panels = axes_of(solve(koller_megiddo_von_stengel()).plot())
    ticks = [ticks_of(axis) for axis in panels]
    assert ticks == [["{l, r}", "{c, d}"], ["L", "R"], ["p", "q"], ["s", "t"]]
    heights = [[bar.get_height() for bar in axis.patches] for axis in panels[1:]]
    assert heights == [
        pytest.approx([2 / 3, 1 / 3]),
        pytest.approx([5 / 6, 1 / 6]),
        pytest.approx([5 / 9, 4 / 9]),
    ]


def test_matplotlib_waits_until_it_is_asked():
    code = (
        "import sys, infoset\n"
        "from infoset.games import kuhn\n"
        "s = infoset.solve(kuhn()); print(s); s._repr_html_(); s.draw().svg\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
