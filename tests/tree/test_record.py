"""The record and its views."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from infoset.errors import InfosetError
from infoset.games import kuhn, leduc
from infoset.tree import CHANCE, LEAF, Builder, Tree


@pytest.fixture(scope="module")
def tree() -> Tree:
    return kuhn().tree()


def test_kuhn_poker_as_koller_and_pfeffer_1997_figure_5_has_it(tree: Tree) -> None:
    assert repr(tree) == "<Tree of kuhn(): 55 nodes, 12 information sets, 2 players>"
    assert tree.players == ("gambler", "dealer")
    assert all(len(infoset) == 2 for infoset in tree.infosets)
    assert sorted(i.label for i in tree.infosets_of("dealer")) == sorted(
        f"{card}, {move}" for card in "JQK" for move in ("pass", "bet")
    )
    assert tree.find("gambler", "Q, [pass], bet").actions == ("pass", "bet")


def test_columns_are_frozen_and_small(tree: Tree) -> None:
    for column in (tree.parent, tree.action, tree.player, tree.infoset, tree.outcome):
        assert not column.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        tree.parent[0] = 3
    large = kuhn(ranks=60).tree()
    assert large.nbytes <= 64 * len(large)


def test_nodes_are_views(tree: Tree) -> None:
    root = tree.root
    assert root.is_chance
    assert root.player is None
    assert root.infoset is None
    assert root.parent is None
    assert root.probabilities == (Fraction(1, 6),) * 6
    dealt = root.child("Q J")
    assert dealt.player == "gambler"
    assert dealt in dealt.infoset
    assert [str(card) for card in dealt.action] == ["Q", "J"]
    leaf = dealt.child("bet").child("bet")
    assert leaf.is_leaf
    assert leaf.actions == ()
    assert leaf.payoffs == {"gambler": 2, "dealer": -2}
    assert leaf.depth == 3
    assert str(leaf) == "chance: Q J, gambler: bet, dealer: bet"
    assert leaf.parent.parent == dealt
    assert hash(leaf.parent.parent) == hash(dealt)
    assert len(tree.nodes) == 55
    assert tree.nodes[-1].index == 54
    assert [node.index for node in tree.nodes[:3]] == [0, 1, 2]
    with pytest.raises(IndexError):
        tree.nodes[55]


def test_views_complain_in_words(tree: Tree) -> None:
    with pytest.raises(InfosetError, match="no action 'fold' at node 1; there are pass, bet"):
        tree.nodes[1].child("fold")
    with pytest.raises(InfosetError, match="no player 'deeler'; did you mean 'dealer'"):
        tree.infosets_of("deeler")
    with pytest.raises(InfosetError, match="no information set 'Q, bat'; did you mean 'Q, bet'"):
        tree.find("dealer", "Q, bat")
    with pytest.raises(InfosetError, match="not a chance node"):
        _ = tree.nodes[1].probabilities


def test_derived_arrays_agree_with_the_views() -> None:
    tree = leduc().tree()
    start, child = tree.children
    for node in range(0, len(tree), 97):
        assert (
            child[start[node] : start[node + 1]].tolist()
            == np.flatnonzero(tree.parent == node).tolist()
        )
    depth = np.zeros(len(tree), int)
    for node in range(1, len(tree)):
        depth[node] = depth[tree.parent[node]] + 1
    assert [level.tolist() for level in tree.levels] == [
        np.flatnonzero(depth == d).tolist() for d in range(depth.max() + 1)
    ]


def test_equality_is_of_games_not_of_objects(tree: Tree) -> None:
    assert tree == kuhn().tree()
    assert tree != kuhn(ante=2).tree()
    assert tree != kuhn(ranks=4).tree()
    assert tree != "kuhn"


def test_payoffs_along_a_path_add_up_and_settle_at_the_leaves() -> None:
    builder = Builder(("a", "b"), "toll road")
    builder.pay(builder.root, (-1, 1))
    stay, go = builder.decide(builder.root, "a", ("stay", "go"))
    builder.pay(go, (5, 0))
    left, right = builder.decide(go, "b", ("left", "right"))
    builder.pay(left, (Fraction(1, 3), 0))
    tree = builder.build()
    assert tree.nodes[1].payoffs == {"a": -1, "b": 1}
    settled = tree.settled
    assert settled is not tree
    assert (settled.outcome[settled.player != LEAF] == -1).all()
    assert [n.payoffs for n in settled.leaves] == [n.payoffs for n in tree.leaves]
    assert [n.payoffs["a"] for n in tree.leaves] == [-1, Fraction(13, 3), 4]
    assert settled.settled is settled
    plain = kuhn().tree()
    assert plain.settled is plain
    assert {stay, right} == {1, 4}
    assert (tree.player == CHANCE).sum() == 0


def test_players_without_names_or_with_the_same_are_told_apart() -> None:
    builder = Builder(("a", "", "a"))
    left, right = builder.decide(builder.root, 2, ("l", "r"))
    builder.pay(left, (1, 2, 3))
    builder.pay(right, (0, 0, 0))
    tree = builder.build()
    assert tree.players == ("a", "", "a")
    assert tree.names == ("a", "player 2", "a (3)")
    assert tree.nodes[left].payoffs == {"a": 1, "player 2": 2, "a (3)": 3}
    assert tree.root.player == "a (3)"
    assert tree.recall("a (3)")


def test_lotteries_are_compared_where_they_stand() -> None:
    """The table's order and repetitions do not matter, only what chance does at each node."""
    from dataclasses import replace

    tree = leduc(ranks=2, suits=2).tree()
    doubled = replace(
        tree,
        lotteries=(*tree.lotteries, *tree.lotteries),
        infoset=np.where(tree.player == CHANCE, tree.infoset + len(tree.lotteries), tree.infoset),
    )
    assert tree == doubled


def test_chance_moves_many_in_a_row_have_exact_probabilities() -> None:
    """Beyond 64 bits, and lotteries beside the longest play have denominators of their own."""
    b = Builder(("one",), "long chance")
    node, drawn, expected = b.root, Fraction(1), {}
    for ply in range(120):
        weights = (1 + ply % 4, 2, 0 if ply % 5 else 3)
        parts = [Fraction(weight, sum(weights)) for weight in weights]
        node, beside, stop = b.chance(node, ("on", "aside", "stop"), weights)
        expected[stop] = drawn * parts[2]
        for leaf, part in zip(
            b.chance(beside, ("x", "y"), (ply + 1, 3)), (ply + 1, 3), strict=True
        ):
            expected[leaf] = drawn * parts[1] * Fraction(part, ply + 4)
        drawn *= parts[0]
    expected[node] = drawn
    for number, leaf in enumerate(expected):
        b.pay(leaf, [number])
    tree = b.build()
    leaves = tree.leaf_indices
    paid = [int(amount) for amount in tree.leaf_payoffs[0].values()]
    found = dict(zip(paid, tree.chance_reach.take(leaves).values(), strict=True))
    assert [found[number] for number in range(len(expected))] == list(expected.values())
    assert tree.chance_reach.take(leaves).total == 1
