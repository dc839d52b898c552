"""Games as the application opens them: nodes by address, whatever the size of the game."""

from __future__ import annotations

import re
import tracemalloc
from time import monotonic
from typing import Any

import pytest

from infoset import game
from infoset.games import goofspiel, kuhn, leduc, tic_tac_toe
from infoset.page.opened import OpenGame, ShownPosition


def test_deals_are_not_listed() -> None:
    """A deal of two of ten thousand cards has a hundred million outcomes."""
    opened = OpenGame(kuhn(ranks=10**4))
    start = opened.node("")
    assert (start["kind"], start["count"]) == ("chance", 10**4 * (10**4 - 1))
    last = opened.node("", start["count"] - 1)["below"][0]
    assert last["move"] == "10000 9999"
    assert opened.node(last["at"])["knows"][0] == {"player": "gambler", "label": "10000"}


def test_nodes_with_many_moves_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.opened.MOST_MOVES", 20_000, raising=False)
    opened = OpenGame(tic_tac_toe(size=30, line=3))
    shown = opened.node("0.1.2")

    def visited(numbers: range) -> int:
        for number in numbers:
            assert opened.node(f"{number}.1.2")["count"] == 30 * 30 - 3
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = visited(range(20))
        assert visited(range(20, 80)) < before + 500_000  # bytes: a node has a hundred thousand
    finally:
        tracemalloc.stop()
    assert opened.node("0.1.2") == shown


def test_outcomes_have_their_probabilities() -> None:
    @game(players=("one", "two"))
    def uneven(g):  # type: ignore[no-untyped-def]
        g.chance(("a", "b"), (1, 2))
        g.deal(list("xxy"), 1)
        return g.win(g.choose("one", ("one", "two")))

    opened = OpenGame(uneven())
    assert [one["probability"]["text"] for one in opened.node("")["below"]] == ["1/3", "2/3"]
    below = opened.node("1")["below"]
    assert [(one["move"], one["probability"]["text"]) for one in below] == [
        ("x", "2/3"),
        ("y", "1/3"),
    ]


def test_outcomes_have_one_shape_where_the_next_move_is_the_same() -> None:
    @game(players=("one", "two"))
    def drawn(g):  # type: ignore[no-untyped-def]
        number = g.chance(range(5))
        if number == 4:
            return 0, 0
        player = "one" if number < 2 else "two"
        g.choose(player, ("stay", "go") if number < 3 else ("stay", "leave"))
        return g.win("one")

    shapes = [one["shape"] for one in OpenGame(drawn()).node("")["below"]]
    assert [shapes.index(one) for one in shapes] == [0, 0, 2, 3, 4]
    decisions = OpenGame(kuhn()).node("0")["below"]
    assert not any("shape" in one for one in decisions)


def test_where_rules_fail_the_rest_of_the_tree_is_shown() -> None:
    @game(players=("one", "two"))
    def failing(g):  # type: ignore[no-untyped-def]
        if g.choose("one", ("left", "right")) == "left":
            return g.win("three")
        return g.win("one")

    opened = OpenGame(failing())
    left, right = opened.node("")["below"]
    assert (left["kind"], right["kind"]) == ("failed", "end")
    assert "no player 'three'" in left["failed"]["message"]
    lines = opened.described()["rules"]
    assert "three" in lines["lines"][left["failed"]["line"] - lines["first"]]
    node = opened.node("0")
    assert (node["kind"], node["below"], node["history"][0]["move"]) == ("failed", [], "left")
    assert node["line"] == left["failed"]["line"]


def endless() -> Any:
    """A game in which nineteen of twenty moves are followed by a loop without an end."""

    @game(players=("one", "two"))
    def stuck(g):  # type: ignore[no-untyped-def]
        number = g.choose("one", range(20))
        while number > 0:
            pass
        return g.win("one")

    return stuck()


def test_rules_that_compute_for_ever_are_shown_with_their_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once a node fails like that, those beside it are not tried: an answer has its time."""
    monkeypatch.setattr(ShownPosition, "seconds", 0.3)
    opened, began = OpenGame(endless()), monotonic()
    below = opened.node("")["below"]
    assert monotonic() - began < 3
    assert [one["kind"] for one in below] == ["end", *["failed"] * 19]
    lines = opened.described()["rules"]
    for one in below[1:]:
        assert "0.3 s" in one["failed"]["message"]
        line = lines["lines"][one["failed"]["line"] - lines["first"]].strip()
        assert line in ("while number > 0:", "pass")
    assert below[2]["failed"]["message"].startswith("not run")


@pytest.mark.parametrize("member", [leduc(suits=1), goofspiel(cards=3)], ids=repr)
def test_the_line_is_the_one_that_asks(member: object) -> None:
    opened = OpenGame(member)
    rules = opened.described()["rules"]
    for at in ("", "0", "0.0", "0.0.0"):
        node = opened.node(at)
        if node["kind"] != "end":
            assert re.search(r"\bg\b", rules["lines"][node["line"] - rules["first"]])
