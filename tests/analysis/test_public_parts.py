"""Tables of a part of what a player may know, and beliefs about a player who has yet to choose."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.analysis.strategy_tables import find, panels_of
from infoset.display.report import strategy_source
from infoset.games import leduc
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution


@cache
def solution() -> Solution:
    return solve_public(leduc().public(fold=False), "cfr+", iterations=40)


@cache
def on_its_tree() -> Solution:
    return solution().on_tree(leduc())


# ---------------------------------------------------------------------- a part of a state


WHERE = "J♠, *[raise]*"  # one card of the five or six that a player may hold there


@pytest.mark.parametrize("where", [WHERE, "J", "*Q♥, *"])
def test_an_overview_of_a_part_is_that_of_the_tree(where: Any) -> None:
    ours = solution().table("one", where=where, fold=True)[0]
    theirs = on_its_tree().table("one", where=where, fold=True)[0]
    reach = dict(zip(ours.column("situation"), ours.column("reach"), strict=True))
    expected = dict(zip(theirs.column("situation"), theirs.column("reach"), strict=True))
    assert reach == pytest.approx({title: float(one) for title, one in expected.items()}, abs=1e-9)
    does = dict(zip(ours.column("situation"), ours.column("does"), strict=True))
    assert does == dict(zip(theirs.column("situation"), theirs.column("does"), strict=True))
    assert len(does) > 3


def test_an_overview_of_a_part_adds_up_the_rows_that_fit() -> None:
    overview = {row[0]: row for row in solution().table("one", where=WHERE, fold=True)[0]}
    whole = {row[0]: row for row in solution().table("one", fold=True)[0]}
    tables = solution().table("one", where=WHERE, fold=False)
    assert {table.title.removeprefix("after ") for table in tables} == overview.keys()
    for table in tables:
        title = table.title.removeprefix("after ")
        assert overview[title][1] == len(table)
        assert overview[title][2] == pytest.approx(sum(table.column("reach")))
        assert len(table) < whole[title][1]
    less = [overview[title][2] < whole[title][2] for title in overview]
    assert sum(less) > len(less) / 2


def test_panels_are_chosen_by_the_sets_that_fit() -> None:
    """The likeliest by the jack alone are others than by all cards."""
    source = strategy_source(solution(), "one")
    fitting, every = find(source, WHERE), find(source, "*[raise]*")
    likely = fitting.reach
    parts = [fitting[at] for at in range(len(fitting))]
    assert [part.panel().reach.sum() for part in parts] == pytest.approx(likely.tolist())
    panels = panels_of(source, fitting, most=5).shown
    assert [panel.names for panel in panels] == [("J♠",)] * 5
    assert [len(panel.probabilities) for panel in panels] == [1] * 5
    kept = [panel.title for panel in panels]
    best = np.sort(np.argsort(-likely, kind="stable")[:5])
    assert kept == [parts[at].heading for at in best.tolist()]
    assert kept != [panel.title for panel in panels_of(source, every, most=5).shown]


# ---------------------------------------------------------------------- who has yet to choose


def asking(options: tuple[str, str]) -> Any:
    """A game in which b is asked in any case, or only if its card is the highest."""

    @game(players=("a", "b"), vectorized=True)
    def rules(g: Play) -> object:
        """A asks or skips; then b shows or folds."""
        mine, yours = g.deal((0, 1, 2, 3), 1, 1)
        g.reveal("a", mine)
        g.reveal("b", yours)
        if g.choose("a", options) == "skip":
            if yours < 3:
                return g.win("b", 1)
            g.reveal("b", "skipped")
        if g.choose("b", ("fold", "show")) == "fold":
            return g.win("a", 1)
        won = 2 * g.map(lambda one, two: 1 if one > two else -1, mine, yours)
        return won, -won

    return rules()


@pytest.mark.parametrize("options", [("ask", "skip"), ("skip", "ask")])
def test_beliefs_are_about_all_who_may_choose_next(options: tuple[str, str]) -> None:
    """After one option b may have any card, after the other one only; before, any."""
    found = solve_public(asking(options).public())
    (table,) = found.table("a")
    assert [row[0] for row in table] == ["0", "1", "2", "3"]
    assert table.column("believes") == [
        "1: 1/3; 2: 1/3; 3: 1/3",
        "0: 1/3; 2: 1/3; 3: 1/3",
        "0: 1/3; 1: 1/3; 3: 1/3",
        "0: 1/3; 1: 1/3; 2: 1/3",
    ]
    (theirs,) = found.on_tree(asking(options)).table("a")
    assert len(theirs) == len(table)
    for one, two in zip(theirs.column("believes"), table.column("believes"), strict=True):
        assert [part.split(":")[0] for part in one.split("; ")] == [
            part.split(":")[0] for part in two.split("; ")
        ]
