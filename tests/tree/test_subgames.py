"""Subgames: counts that follow from the rules, and the definition spelled out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games
from infoset.errors import TreeError
from infoset.rules.moves import LEAF
from infoset.tree import Builder, Node, Tree, matrix_game
from infoset.tree.subgames import Part, remainder, subgame, subgames
from tests.rules.random_games import random_rules


def below(node: Node) -> set[int]:
    """The nodes of a subtree, by walking it."""
    found, waiting = set(), [node]
    while waiting:
        here = waiting.pop()
        found.add(here.index)
        waiting += here.children
    return found


def by_definition(tree: Tree) -> list[int]:
    """The nodes whose subtree no information set leaves."""
    roots = []
    for node in tree.nodes:
        inside = below(node)
        sets = {tree.nodes[index].infoset for index in inside} - {None}
        closed = all({one.index for one in infoset} <= inside for infoset in sets if infoset)
        if closed and (not node.is_leaf or node.index == 0):
            roots.append(node.index)
    return roots


def check(tree: Tree) -> None:
    """Everything that is said of subgames, against the definition."""
    every = subgames(tree)
    assert every.roots.tolist() == by_definition(tree)
    inside = [below(root) for root in every]
    for number, root in enumerate(every.roots.tolist()):
        assert inside[number] == set(range(root, every.end[number]))
        larger = [k for k, nodes in enumerate(inside) if k != number and root in nodes]
        assert every.around[number] == max(larger, key=every.roots.__getitem__, default=-1)
        inner = [k for k in range(len(every)) if every.around[k] == number]
        assert every.inner(number).tolist() == inner
        own = inside[number].difference(*(inside[k] for k in inner))
        assert every.own(number).tolist() == sorted(own)
        assert (every.within[list(own)] == number).all()
        assert every.number(root) == number


@pytest.mark.parametrize(
    ("game", "count"),
    [
        (games.seltens_horse(), 1),  # Selten 1975: nothing but the whole
        (games.kuhn(), 1),
        (games.beer_quiche(), 1),
        (games.matching_pennies(), 1),
        (games.entry_game(), 2),
        (games.centipede(), 6),  # one at each decision
        (games.goofspiel(), 1 + 9),  # bids of round one are shown; the last card is no choice
        (games.goofspiel(reveal="winner"), 1 + 3),  # who bid what is shown only by a tie
        (games.goofspiel(cards=4), 1 + 16 + 16 * 9),
        (games.absent_minded(), 2),
    ],
    ids=str,
)
def test_games_of_the_library(game: Any, count: int) -> None:
    tree = game.tree()
    assert len(subgames(tree)) == count
    check(tree)


def test_where_all_is_seen_every_move_begins_a_subgame() -> None:
    tree = games.entry_game(markets=5).tree()
    assert len(subgames(tree)) == int((tree.player != LEAF).sum()) == 2 * (3**5 - 1) // 2


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_random_games(seed: int, players: int, forgetful: bool) -> None:
    check(random_rules(seed, players, 4, forgetful)().tree())


def test_a_game_that_is_over_at_once() -> None:
    builder = Builder(("one",))
    builder.pay(builder.root, (1,))
    assert subgames(builder.build()).roots.tolist() == [0]


def test_sets_met_again_stay_inside() -> None:
    """The absent-minded driver: the second exit is in the set of the first, so it is none alone."""
    builder = Builder(("driver",))
    node = builder.root
    for paid in (0, 4):
        leave, node = builder.decide(node, "driver", ("leave", "go"), infoset="exit")
        builder.pay(leave, (paid,))
    builder.pay(node, (1,))
    assert subgames(builder.build()).roots.tolist() == [0]


def test_where_none_begins_is_said() -> None:
    tree = games.seltens_horse().tree()
    with pytest.raises(
        TreeError, match=r"^seltens_horse\(\): no subgame begins after one: across: three"
    ):
        subgame(tree, tree.root.child("across"))
    with pytest.raises(TreeError, match="the game is over there"):
        subgame(tree, tree.leaf_indices[0])
    with pytest.raises(TreeError, match="there is no node 99; they go from 0 to 8"):
        subgame(tree, 99)


def same_below(part: Part, node: Node, original: Node, cut: dict[int, Any]) -> None:
    """A node of a part, against the one that it was taken from."""
    assert part.nodes[node.index] == original.index
    if original.index in cut:
        assert node.is_leaf
        assert list(node.payoffs.values()) == list(cut[original.index])
        return
    assert (node.is_leaf, node.is_chance, node.player) == (
        original.is_leaf,
        original.is_chance,
        original.player,
    )
    assert node.actions == original.actions
    if node.is_leaf:
        assert node.payoffs == original.payoffs
    if node.is_chance:
        assert node.probabilities == original.probabilities
    if node.infoset is not None and original.infoset is not None:
        assert part.infosets[node.infoset.index] == original.infoset.index
        assert node.infoset.label == original.infoset.label
    for child, other in zip(node.children, original.children, strict=True):
        same_below(part, child, other, cut)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_parts_are_what_they_were(seed: int, players: int) -> None:
    tree = random_rules(seed, players, 4, True)().tree()
    every = subgames(tree)
    names = list(tree.names)
    values = {k: [Fraction(k, 7)] * players for k in range(len(every))}
    for number, root in enumerate(every):
        whole = subgame(tree, root)
        same_below(whole, whole.tree.root, root, {})
        assert len(whole.tree) == every.end[number] - root.index
        part = remainder(every, number, values)
        cut = {int(every.roots[k]): values[k] for k in every.inner(number).tolist()}
        same_below(part, part.tree.root, root, cut)
        few = remainder(every, number, values, everyone=False)
        moving = {infoset.player for infoset in part.tree.infosets}
        assert few.tree.players == (tuple(n for n in names if n in moving) or ("ann",))
        assert [names[k] for k in few.players] == list(few.tree.players)
        for one, other in zip(few.tree.leaves, part.tree.leaves, strict=True):
            assert one.payoffs == {n: other.payoffs[n] for n in few.tree.names}
        # Sets are numbered as the nodes meet them, as in any tree.
        met = part.tree.infoset[part.tree.player >= 0].tolist()
        assert list(dict.fromkeys(met)) == list(range(len(part.tree.infoset_player)))
    # Every information set is in exactly one remainder.
    parts = [remainder(every, k, values).infosets for k in range(len(every))]
    assert sorted(np.concatenate(parts)) == list(range(len(tree.infoset_player)))


def test_payments_on_the_way_count_in_full() -> None:
    builder = Builder(("one", "two"), name="toll")
    builder.pay(builder.root, (0, 1))
    left, right = builder.decide(builder.root, "one", ("left", "right"))
    builder.pay(left, (5, 5))
    for child in builder.decide(left, "two", ("up", "down")):
        builder.pay(child, (1, child))
    tree = builder.build(unpaid=True)
    assert right
    part = subgame(tree, 1).tree
    assert [list(leaf.payoffs.values()) for leaf in part.leaves] == [
        list(leaf.payoffs.values()) for leaf in tree.leaves
    ][:2]


def test_a_matrix_has_none_but_itself_and_reads_so() -> None:
    every = subgames(matrix_game([[1, 0], [0, 1]]).tree())
    assert repr(every) == "<1 subgame of matrix game>"
    assert [root.index for root in every] == [every[0].index] == [0]
    assert every.around.tolist() == [-1]
