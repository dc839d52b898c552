"""A ten is T♠ where it is shown, and 10♠ in labels and files; both are taken."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infoset import Play, Solution, game, sample, solve
from infoset.analysis import beliefs, equilibria_table, outcome, plays
from infoset.display import draw
from infoset.errors import InfosetError
from infoset.objects import Deck, parse_cards, parse_range
from infoset.strategy.convert import as_strategy, read_strategy

DECK = Deck(["9", "10", "J"], 2)


@game(players=("one", "two"), vectorized=True)
def high(g: Play) -> Any:
    """Each holds a card; one may bet, two may call."""
    mine, yours = g.deal(DECK, 1, 1)
    g.reveal("one", mine)
    g.reveal("two", yours)
    won = g.map(lambda one, two: 1 if one > two else -1, mine, yours)
    if g.choose("one", ("check", "bet")) == "check":
        return won, -won
    g.reveal("two", "bet")
    if g.choose("two", ("fold", "call")) == "fold":
        return g.win("one", 1)
    return 2 * won, -2 * won


@cache
def solutions() -> tuple[Solution, ...]:
    return solve(high()), solve(high().public()), sample(high(), iterations=200)


@pytest.mark.parametrize("number", range(3), ids=["tree", "public", "sampled"])
def test_what_is_shown_and_what_is_asked_for(number: int) -> None:
    solution = solutions()[number]
    strategy = solution.strategy["two"]
    assert "10♥, bet" in list(strategy)
    assert strategy["T♥, bet"] == strategy["10♥, bet"]
    assert "T♥, bet" in strategy
    assert "T♦, bet" not in strategy
    with pytest.raises(InfosetError):
        strategy["T♦, bet"]
    shown = str(solution.table("two"))
    assert "T♥" in shown
    assert "10♥" not in shown
    assert "10♥" not in solution.table("two").latex() + solution.table("two")._repr_html_()
    assert "10♥" in solution.csv()


def test_a_card_has_the_width_of_any_other() -> None:
    rows = str(solutions()[0].table("one")).splitlines()
    (ten,) = (row for row in rows if row.startswith("T♠"))
    (nine,) = (row for row in rows if row.startswith("9♠"))
    assert len(ten.split("█")[0]) == len(nine.split("█")[0])


def test_drawings_and_answers() -> None:
    solution = solutions()[0]
    tree = solution.tree
    for shown in (
        draw(tree).svg,
        str(tree),
        str(beliefs(solution, "two: 10♥, bet")),
        str(plays(solution)),
        str(equilibria_table(solve(tree, "lcp"))),
    ):
        assert "T♥" in shown
        assert "10♥" not in shown
    for words in ("T♠ J♥, bet", "10♠ J♥, bet", "Ts Jh, bet", "10s Jh, bet"):
        assert outcome(solution, words).payoffs == outcome(solution, "10♠ J♥, bet").payoffs


def test_strategies_that_people_write(tmp_path: Path) -> None:
    tree = solutions()[0].tree
    given = {f"{rank}{suit}": {"bet": 1} for rank in ("9", "T", "J") for suit in "♠♥"}
    assert as_strategy(tree, "one", given)["10♠"] == {"check": 0, "bet": 1}
    rows = "".join(f"one,{label},bet,1\n" for label in given)
    (tmp_path / "bold.csv").write_text(f"player,information set,action,probability\n{rows}")
    assert read_strategy(tmp_path / "bold.csv", tree)["10♠"]["bet"] == Fraction(1)


def test_cards_by_name() -> None:
    assert Deck()["T♥"] == Deck()["10♥"]
    assert Deck("9TJ", 2)["T♥"].rank_name == "T"
    assert parse_cards("10h9s 10d") == parse_cards("Th 9s Td")
    assert parse_range("1010,A10s+:0.10") == parse_range("TT,ATs+:0.1")
