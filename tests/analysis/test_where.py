"""What where= finds: texts, patterns, and cards however people write them; on trees and forms."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from infoset import Solution, solve
from infoset.analysis.questions.names import place
from infoset.analysis.where import fits
from infoset.errors import ParameterError
from infoset.games import holdem, leduc
from infoset.solvers.public import solve_public

LABEL = "10♥ A♥, [check], bet 120, 10♠"


@pytest.mark.parametrize(
    "term",
    [
        *("AhTh", "ThAh", "Ah Th", "10hAh", "A♥10♥", "a♥ t♥", "Ah10h", "AH", "10♥ A♥", "Ts", "10s"),
        *(
            "ATs",
            "AT",
            "A10s",
            "A2s+",
            "ats",
            "KK,ATs",
            "KK, ATs",
            "ATs AJs",
            "A9s-AQs",
            "AhTh QsQd",
        ),
        *(
            "check",
            "[check], bet",
            "Ah, [che",
            "bet 120, T",
            "120, 10♠",
            "AhTh, [check]",
            ", bet",
            "],",
        ),
        *(
            "?? ??, *",
            "?? ??, [check], bet 120, ??",
            "*, ??",
            "AhTh, *",
            "ATs*",
            "*bet*",
            "A? T?, *",
        ),
        *("T? A?, *", "?h ?h, *", "*10s", "10*", "*, Ts", "1?*"),
        *("Ah,Th", "Ah, Th", "♥", "♥ A", "*♥*", "♥, ", "?♥ ?♥, *", "bet 120, 10♠", "bet 120, T♠"),
    ],
)
def test_it_is_in_the_label(term: str) -> None:
    assert fits(LABEL, [term])


@pytest.mark.parametrize(
    ("label", "term", "found"),
    [
        ("K♠, pass", "As", False),
        ("K♠, pass", "A♠", False),
        ("K♠, pass", "as", True),
        ("board K♥ 10♦, pass", "Kh", True),
        ("board K♥ 10♦, pass", "Td", True),
        ("board K♥ 10♦, pass", "10♦", True),
        ("K♠, Ad campaign", "Ad", True),
        ("check", "♥", False),
        ("check", "*♥*", False),
        ("9 dice, 4 threes", "4♥", False),
    ],
)
def test_suits_are_letters_behind_ranks_alone(label: str, term: str, found: bool) -> None:
    assert fits(label, [term]) is found


@pytest.mark.parametrize(
    "term",
    [
        *(
            "AhTs",
            "AsTs",
            "ATo",
            "AA",
            "AKs",
            "AJs+",
            "Kh",
            "AhThKh",
            "KK, ATo",
            "check, bet",
            "fold",
        ),
        *("♦", "*♦*", "♥, bet", "Ah,Kh", "Ah, Kh"),
        *("??, *", "?? ??", "?s ?s, *", "AKs*", "A? K?, *", "Th, [check]*", "all", "ATs:0.5"),
    ],
)
def test_it_is_not(term: str) -> None:
    assert not fits(LABEL, [term])


def test_texts_without_cards_are_texts() -> None:
    assert fits("bid 10, [pass]", ["bid 10"])
    assert fits("bid 10, [pass]", ["bid ??, *"])
    assert fits("wait 10s", ["10S"])
    assert fits("wait 10s", ["0s"])
    assert not fits("bid 10", ["T"])
    assert not fits("66, [pass]", ["77"])
    assert fits("66, [pass]", ["66"])


RIVER = {
    "board": "Td9d6hQc2s",
    "pot": 20,
    "stack": 30,
    "bets": (1,),
    "raises": 1,
    "one": "TT,AKs,T8s,KQo,66",
    "two": "AA,JTs,98s,AQo",
}


@cache
def on_form() -> Solution:
    return solve_public(holdem(**RIVER).public(), "cfr+", iterations=3)


@cache
def on_tree() -> Solution:
    return solve(holdem(**RIVER).tree(max_nodes=1_000_000), "cfr+", iterations=3)


def read(solution: Solution, where: Any) -> set[tuple[str, str]]:
    sheet = solution.table("one", where=where)
    return {(table.title, row[0]) for table in sheet for row in table}


@pytest.mark.parametrize(
    ("where", "hands"),
    [
        ("AhKh", {"K♥ A♥"}),
        ("Ah Kh", {"K♥ A♥"}),
        ("AKs", {"K♠ A♠", "K♥ A♥", "K♦ A♦", "K♣ A♣"}),
        ("TsTh", {"10♠ 10♥"}),
        ("TT", {"10♠ 10♥", "10♠ 10♣", "10♥ 10♣"}),
        (("TT", "10c"), {"10♠ 10♣", "10♥ 10♣"}),
        ("T8s", {"8♠ 10♠", "8♥ 10♥", "8♣ 10♣"}),
        ("8? T?, [check], *", {"8♠ 10♠", "8♥ 10♥", "8♣ 10♣"}),
        ("66+", {"10♠ 10♥", "10♠ 10♣", "10♥ 10♣", "6♠ 6♦", "6♠ 6♣", "6♦ 6♣"}),
    ],
)
def test_hands_are_found_on_forms_and_trees(where: Any, hands: set[str]) -> None:
    found = read(on_form(), where)
    assert {hand for _, hand in found} == hands
    assert found == read(on_tree(), where)


def test_a_pattern_for_two_cards_has_tens() -> None:
    found = read(on_form(), "?? ??, [check], bet 20")
    every = {hand for title, hand in read(on_form(), "[check], bet 20")}
    assert {hand for _, hand in found} == every
    assert any("10" in hand for hand in every)


def test_hands_are_found_where_suits_are_folded() -> None:
    folded = solve_public(leduc().public(), "cfr+", iterations=3)
    assert read(folded, "Kh") == read(folded, "K♥") == read(folded, "kS")
    with pytest.raises(ParameterError, match="no information set"):
        folded.table("one", where="AKs")


def test_questions_take_hands_as_they_are_written() -> None:
    tree = on_tree().tree
    named = {place(tree, f"one: {hand}").label for hand in ("Ah Kh", "khah", "K♥A♥", "K♥ A♥")}
    assert named == {"K♥ A♥"}
    assert place(tree, "one: 10h8h, [check], bet 20").label == "8♥ 10♥, [check], bet 20"
