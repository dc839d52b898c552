"""Trees walked as positions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Builder, Position, games
from infoset.errors import TreeError
from infoset.solvers.sampling import sample
from infoset.tree import Tree
from infoset.tree.positions import TreePosition, tree_of_position
from tests.rules.random_games import random_rules


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3))
def test_the_tree_of_the_walk_is_the_tree(seed: int, players: int) -> None:
    tree = random_rules(seed, players=players, depth=4)().tree()
    start: Position = TreePosition(tree)
    again = tree_of_position(start, tree.names, tree.name)
    for column in ("parent", "action", "player", "infoset"):
        assert (getattr(again, column) == getattr(tree, column)).all()
    assert again.infoset_player.tolist() == tree.infoset_player.tolist()
    assert [leaf.payoffs for leaf in again.leaves] == [leaf.payoffs for leaf in tree.leaves]


def twins() -> Tree:
    """Moves that read alike, an outcome that never happens, and pay on the way."""
    builder = Builder(("ann", "bob"), "twins")
    left, never, right = builder.chance(builder.root, ("coin", "moon", "coin"), (1, 0, 3))
    builder.pay(right, (1, -1))
    for node, best in ((left, 0), (right, 1)):
        for number, end in enumerate(builder.decide(node, "ann", ("go", "go"), infoset="all")):
            builder.pay(end, (int(number == best), -int(number == best)))
    builder.pay(never, (100, -100))
    return builder.build()


def test_moves_that_read_alike() -> None:
    start = TreePosition(twins())
    assert [move for move, _ in start.chances()] == ["coin (1)", "moon", "coin (2)"]
    assert [chance for _, chance in start.chances()] == [Fraction(1, 4), 0, Fraction(3, 4)]
    after = start.after("coin (2)")
    assert after.options("ann") == ("go (1)", "go (2)")
    assert after.after("go (2)").payoffs == {"ann": 2, "bob": -2}
    assert after.view("ann") == start.after("coin (1)").view("ann")
    assert after == TreePosition(start.tree, after.node) != start
    assert len({after, TreePosition(start.tree, after.node), start}) == 2


def test_twins_are_sampled() -> None:
    tree = twins()
    found = sample(tree, iterations=2_000)
    assert found.evaluation.at(TreePosition(tree).after("coin (1)"))["go (2)"] > 0.99
    assert found.on_tree().payoffs["ann"] == pytest.approx(0.75 + 0.75, abs=0.02)
    assert found.payoffs["ann"] < 3  # the outcome of probability 0 never happens


def test_what_a_player_knows_who_does_not_move() -> None:
    tree = games.kuhn().tree()
    dealt = TreePosition(tree).after(TreePosition(tree).chances()[0][0])
    assert dealt.view("dealer") == ("after", 0)
    assert dealt.after("bet").view("gambler") != dealt.after("pass").view("gambler")


def test_refusals() -> None:
    start = TreePosition(games.kuhn().tree())
    dealt = start.after(start.chances()[0][0])
    with pytest.raises(TreeError, match="'fold' is not among pass, bet after chance: J Q"):
        dealt.after("fold")
    with pytest.raises(TreeError, match="no payoffs yet"):
        _ = dealt.payoffs
    with pytest.raises(TreeError, match="'dealer' does not move here, gambler does"):
        dealt.options("dealer")
    with pytest.raises(TreeError, match="is not among no moves, the game is over"):
        dealt.after("bet").after("pass").after("bet")
