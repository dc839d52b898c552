"""What Blair, Mutchler & van Lent 1996 say, figure by figure and theorem by theorem.

Figure 5 is not here: its payoffs are only in the drawing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Builder, Play, game, solve
from infoset.errors import RulesError
from infoset.games import blair_g1, blair_g2, imp_model, three_partition
from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from tests.rules.random_games import random_rules
from tests.search.imp.independent import placed

SEARCHES = (imp_minimax, imp_alphabeta)

# ---------------------------------------------------------------------- section 2.2, figure 2


def test_figure_2_g1_chance_minimax_finds_1_and_the_moves() -> None:
    for each in (blair_g1(), blair_g1().tree()):
        found = chance_minimax(each)
        assert (found.value, found.evaluation.optimal) == (1, True)
        start = found.evaluation.source.start
        after = {outcome: start.after(outcome) for outcome in ("A", "B")}
        assert all(found.decide(at)["player"]["continue"] == 1 for at in after.values())
        assert found.decide(after["A"].after("continue"))["player"] == {"left": 0, "right": 1}
        assert found.decide(after["B"].after("continue"))["player"] == {"left": 1, "right": 0}


@pytest.mark.parametrize("search", SEARCHES)
def test_figure_2_g2_computes_1_and_its_strategy_gets_minus_99_halves(search: Any) -> None:
    tree = blair_g2().tree()
    for each in (blair_g2(), tree):
        found = search(each)
        assert (found.value, found.evaluation.optimal) == (1, False)
        assert "forgets" in found.evaluation.reason
        # no strategy gets more than 1; the best gets 1/2
        assert found.evaluation.bounds == (-100, 1)
        assert search(each, bounds=(None, 2)).evaluation.bounds == (None, 1)
        team = placed(found, tree, found.evaluation.source.start)
        assert team.payoffs["team"] == Fraction(-99, 2)
        assert team.best_response("team").value == Fraction(1, 2)
        # The set of C and D is met at C and then at D, where left is best: the later choice stays.
        there = found.evaluation.source.start.after("A").after("continue")
        assert [*found.decide(there).values()] == [{"left": 1, "right": 0}]
        assert found.decide(found.evaluation.source.start.after("A")) == {
            "first" if each is not tree else "team": {"continue": 1, "quit": 0}
        }


@pytest.mark.parametrize("search", SEARCHES)
def test_section_5_3_g2_with_a_and_b_in_one_set_is_worth_0_and_quits(search: Any) -> None:
    tree = blair_g2(variant="unseen").tree()
    assert tree.perfect_recall
    for each in (blair_g2(variant="unseen"), tree):
        found = search(each)
        assert (found.value, found.evaluation.optimal) == (0, True)
        start = found.evaluation.source.start.after("A")
        assert list(found.decide(start).values()) == [{"continue": 0, "quit": 1}]


@game(players=("one", "two"), bounds=(-100, 100))
def note_21(g: Play) -> object:
    drawn = g.chance(("A", "B"))
    g.reveal("two", drawn)
    if g.choose("one", ("left", "right")) == "right":
        return g.win("one", 0)
    g.choose("two", ("on",))
    pays = {("A", "left"): -100, ("A", "right"): 1, ("B", "left"): 1, ("B", "right"): -100}
    return g.win("one", pays[drawn, g.choose("one", ("left", "right"))])


@pytest.mark.parametrize("search", SEARCHES)
def test_note_21_two_players_with_perfect_recall_are_misled(search: Any) -> None:
    tree = note_21().tree()
    assert tree.perfect_recall
    assert solve(tree, "lp").value == 0
    for each in (note_21(), tree):
        found = search(each)
        assert not found.evaluation.optimal
        start = found.evaluation.source.start.after("A")
        assert found.decide(start)["one"] == {"left": 1, "right": 0}
        both = placed(found, tree, found.evaluation.source.start)
        assert both.payoffs["one"] == Fraction(-99, 2)
        assert both.regrets["one"] == Fraction(99, 2)  # moving right gets 0


def test_theorem_2s_games_are_searched_as_a_heuristic() -> None:
    found = imp_minimax(three_partition())
    assert found.value == imp_alphabeta(three_partition()).value
    assert not found.evaluation.optimal  # to find pure equilibria here is NP-hard
    assert "asked twice" in found.evaluation.reason


# ---------------------------------------------------------------------- section 5.3


@game(players=("player",))
def doubling(g: Play, moves: int = 7) -> object:
    """Blair, Mutchler & Liu's class, by its figures: two moves, two signals, at the end none."""
    hidden = g.chance(range(2 ** (moves - 1)))
    made = 0
    for turn in range(moves):
        if turn:
            g.reveal("player", (hidden >> (turn - 1)) & 1)
        made = 2 * made + g.choose("player", (0, 1))
    return (hidden * 2**moves + made) * 7919 % 101


def test_section_5_3_linear_time_where_there_are_8_4e1643_strategies() -> None:
    tree = doubling().tree()
    assert len(tree) == 16_321
    assert tree.pure_strategies("player") == 2 ** ((4**7 - 1) // 3)
    digits = str(tree.pure_strategies("player"))
    assert (digits[:2], len(digits)) == ("84", 1644)
    found = imp_minimax(tree)
    assert found.evaluation.optimal
    assert found.work["nodes"] == 16_321
    assert found.work["sets"] == (4**7 - 1) // 3
    assert imp_alphabeta(tree).value == found.value


# ---------------------------------------------------------------------- section 6


class Unwanted(Exception):
    """A leaf was examined that the text says is pruned."""


def test_example_1_figure_7() -> None:
    @game(players=("player",))
    def figure(g: Play) -> object:
        node = g.chance((0, 1))
        if g.choose("player", ("left", "right")) == "left":
            return (9, 7)[node]
        if node == 0:
            return 2
        g.choose("player", ("?", "??"))
        raise Unwanted

    found = imp_alphabeta(figure(), bounds=(None, 10))
    assert found.value == 8
    assert found.work["leaves"] == 3
    assert found.work["information_set_cutoffs"] == 1
    assert found.work["immediate_cutoffs"] == 0


def test_example_2_figure_8() -> None:
    fragments = {"leaf": 1, "first": 2, "second": 3, "third": 2, "fourth": 5}
    below = {"first": ((0, 4), (2, 4)), "second": ((4, 9, 7), (4, 0, 0))}
    nodes = [(name, at) for name, count in fragments.items() for at in range(count)]

    @game(players=("player",))
    def figure(g: Play) -> object:
        name, at = g.chance(nodes)
        if g.choose("player", ("left", "right")) == "left":
            return 8
        if name == "leaf":
            return 3
        g.reveal("player", name)
        way = ("left", "right").index(g.choose("player", ("left", "right")))
        if name not in below:
            raise Unwanted
        return below[name][way][at]

    found = imp_alphabeta(figure(), bounds=(None, 10))
    assert found.value == 8
    # The 13 on the left, the leaf, the first set's four; of the second set's alternatives one
    # leaf each says that it cannot make up for them, as its value, 20/13, does not.
    assert found.work["leaves"] == 13 + 1 + 4 + 2
    assert found.work["sets"] == 1 + 2
    assert Fraction(6 + 3 + 20 + 20 + 50, 13) == Fraction(99, 13) < 8


def test_example_3_figure_9() -> None:
    """The payoffs that the text leaves open are 9 and 9 beside the grandparent, and 3 beside ??."""

    @game(players=("player",))
    def figure(g: Play) -> object:
        node = g.chance(range(4))
        if g.choose("player", ("left", "right")) == "left":
            return 8
        if node > 1:
            return 9
        if g.choose("player", ("left", "right")) == "left":
            return (7, 0)[node]
        if g.choose("player", ("left", "right")) == "left":
            return (9, 1)[node]
        if node == 1:
            raise Unwanted
        return 3

    found = imp_alphabeta(figure(), bounds=(None, 10))
    assert found.value == 8
    assert found.work["leaves"] == 4 + 2 + 2 + 2 + 1
    # With no bound from the great-grandparent's left child, ?? has to be looked at.
    with pytest.raises(RulesError, match="Unwanted"):
        imp_alphabeta(figure(), bounds=(None, 10), information_set_pruning=False)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_theorem_3_without_a_bound_every_leaf_is_examined(
    seed: int, depth: int, forgetful: bool
) -> None:
    given_rules = random_rules(seed, 1, depth, forgetful)()
    tree = given_rules.tree()
    for each in (given_rules, tree):
        found = imp_alphabeta(each, bounds=(None, None))
        assert found.work["leaves"] == len(tree.leaf_indices)
        assert found.work["nodes"] == len(tree)


# ---------------------------------------------------------------------- section 7

SIZES = [(k, b, d) for k in (1, 2, 3, 4) for b in (1, 2, 3, 4) for d in (1, 2, 3, 4)]
SIZES = [size for size in SIZES if (size[0] * size[1]) ** (size[2] - 1) <= 800] + [(2, 2, 6)]


def moves_made(leaf: int, b: int, d: int) -> list[int]:
    """The moves to a leaf of the IMP-model, from 0, by the leaf's number."""
    digits = []
    for _ in range(d - 1):
        leaf, digit = divmod(leaf, b)
        digits.append(digit)
    return digits[::-1]


def leaves_examined(k: int, b: int, d: int, pays: Any, upper: int, **switches: bool) -> int:
    tree = imp_model(k=k, b=b, d=d, payoffs=pays).tree()
    found = imp_alphabeta(tree, bounds=(None, upper), **switches)
    full = imp_minimax(tree)
    assert found.value == full.value
    assert full.work["leaves"] == len(tree.leaf_indices) == (k * b) ** (d - 1)  # theorem 5
    return found.work["leaves"]


@pytest.mark.parametrize(("k", "b", "d"), SIZES)
def test_theorem_6_nothing_is_pruned_where_everything_gets_better_and_better(
    k: int, b: int, d: int
) -> None:
    def pays(leaf: int) -> int:  # a later first move makes up for all that follows
        return sum(move * b ** (d - at) for at, move in enumerate(moves_made(leaf, b, d)))

    assert leaves_examined(k, b, d, pays, b ** (d + 1) + 1) == (k * b) ** (d - 1)


@pytest.mark.parametrize(("k", "b", "d"), SIZES)
def test_theorem_6_immediate_pruning_leaves_one_move_everywhere(k: int, b: int, d: int) -> None:
    def best(leaf: int) -> int:
        return 10

    assert leaves_examined(k, b, d, best, 10) == k ** (d - 1)
    every = {"information_set_pruning": False, "immediate_pruning": False}
    assert leaves_examined(k, b, d, best, 10, **every) == (k * b) ** (d - 1)


@pytest.mark.parametrize(("k", "b", "d"), SIZES)
def test_theorem_6_information_set_pruning_alone(k: int, b: int, d: int) -> None:
    """The printed fraction reads [b^(d-1) (b-1) - k^(d-1) (k-1)] / (b - k).

    With n = d - t choices to come: a set that matters has k shares below its first alternative that
    do, and b - 1 alternatives that are refuted, each by b^(n-1) leaves: one for every way through
    the alternatives of one share after the other. F(n) = k F(n-1) + (b-1) b^(n-1), F(0) = 1.
    """

    def pays(leaf: int) -> int:  # almost the best after first moves, else hopeless
        return -(10**6) if any(moves_made(leaf, b, d)) else 9

    if k == b:
        least = Fraction(b) ** (d - 2) * (b * d - d + 1)
    else:
        least = Fraction(b ** (d - 1) * (b - 1) - k ** (d - 1) * (k - 1), b - k)
    assert leaves_examined(k, b, d, pays, 10) == least
    assert leaves_examined(k, b, d, pays, 10, immediate_pruning=False) == least


def test_section_3_a_tree_placed_by_hand() -> None:
    builder = Builder(("player",), "two sets")
    left, right = builder.chance(builder.root, ("l", "r"))
    for node, pays in ((left, (1, 5)), (right, (4, 2))):
        for end, amount in zip(
            builder.decide(node, "player", ("a", "b"), infoset="both"), pays, strict=True
        ):
            builder.pay(end, (amount,))
    found = imp_minimax(builder.build())
    assert found.value == Fraction(7, 2)
    assert found.decide(found.evaluation.source.start.after("r")) == {"player": {"a": 0, "b": 1}}
