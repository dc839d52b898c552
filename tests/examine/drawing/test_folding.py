"""What is drawn as one: deals, then moves, then whole subtrees; and what is said of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from infoset.examine.drawing.fold import bundles
from infoset.examine.drawing.shapes import shapes, subtree_sizes
from infoset.examine.drawing.skeleton import FOLDED, Skeleton, skeleton
from infoset.games import goofspiel, kuhn, leduc, liars_dice
from infoset.rules.columns import CHANCE, LEAF
from infoset.strategy import profile, uniform
from infoset.tree import Tree
from infoset.tree.builder import Builder


def at_random(tree: Tree):
    return profile(uniform(tree, player) for player in tree.names)


def public_histories(tree: Tree) -> set[tuple[str, ...]]:
    """The plays of a tree with nature's outcomes left out, by a walk of its own."""
    told: list[tuple[str, ...]] = []
    for node in tree.nodes:
        above = node.parent
        if above is None:
            told.append(())
        else:
            word = "*" if above.is_chance else str(node.action)
            told.append((*told[above.index], word))
    return set(told)


def drawn_histories(shape: Skeleton) -> list[tuple[str, ...]]:
    told: list[tuple[str, ...]] = []
    for drawn in shape.nodes:
        if drawn.parent < 0:
            told.append(())
        else:
            word = "*" if shape.nodes[drawn.parent].kind == CHANCE else drawn.move
            told.append((*told[drawn.parent], word))
    return told


@pytest.mark.parametrize("game", [kuhn(), kuhn(ranks=5), leduc(), liars_dice(sides=3)])
def test_each_betting_history_is_drawn_once(game) -> None:
    tree = game.tree()
    shape = skeleton(tree, None, fold=True, most=1000)
    drawn = drawn_histories(shape)
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == public_histories(tree)


def test_folding_accounts_for_every_node() -> None:
    tree = leduc().tree()
    for most in (1000, 200, 30, 7):
        shape = skeleton(tree, None, fold=True, most=most)
        assert sum(drawn.stands_for for drawn in shape.nodes) == len(tree)
        assert len(shape.nodes) <= most


def test_deals_and_cards_are_counted_in_words() -> None:
    moves = [drawn.move for drawn in skeleton(leduc().tree(), None, True, 200).nodes]
    assert moves[1] == "30 deals"
    assert Counter(moves)["6 cards"] == 5  # one for each way to end the first round


def test_ranges_without_a_strategy_and_averages_with_one() -> None:
    tree = kuhn().tree()
    plain = skeleton(tree, None, True, 200)
    ends = [drawn.payoffs for drawn in plain.nodes if drawn.kind == LEAF]
    assert ends[0] == ("−1 … 1", "−1 … 1")  # both pass: the higher card wins the ante
    played = at_random(tree)
    ends = [d.payoffs for d in skeleton(tree, played, True, 200).nodes if d.kind == LEAF]
    assert ends[0] == ("0", "0")
    # Whoever folds loses the ante, whatever the cards.
    assert ("1", "−1") in ends
    assert ("−1", "1") in ends


def test_reach_and_shares_of_what_is_drawn_as_one() -> None:
    tree = leduc().tree()
    shape = skeleton(tree, at_random(tree), True, 200)
    assert sum(drawn.reach for drawn in shape.nodes if drawn.kind == LEAF) == 1
    below: dict[int, Fraction] = {}
    for drawn in shape.nodes[1:]:
        above = shape.nodes[drawn.parent]
        assert drawn.reach == above.reach * drawn.share
        below[drawn.parent] = below.get(drawn.parent, Fraction(0)) + drawn.share
    assert set(below.values()) == {1}


def test_moves_are_put_together_below_the_first_levels() -> None:
    shape = skeleton(goofspiel(cards=4).tree(), None, True, 200)
    by_depth: dict[int, set[str]] = {}
    depth = [0]
    for drawn in shape.nodes[1:]:
        depth.append(depth[drawn.parent] + 1)
        by_depth.setdefault(depth[-1], set()).add(drawn.move)
    assert by_depth[1] == by_depth[2] == {"1", "2", "3", "4"}
    assert by_depth[3] == {"any of 3"}
    assert len(skeleton(goofspiel(cards=4).tree(), None, True, 20).nodes) == 7


def test_subtrees_become_triangles_least_reached_last_opened() -> None:
    tree = liars_dice(sides=3).tree()
    shape = skeleton(tree, at_random(tree), True, 40)
    assert len(shape.nodes) <= 40
    closed = [drawn for drawn in shape.nodes if drawn.kind == FOLDED]
    opened = [
        d.reach for at, d in enumerate(shape.nodes) if any(o.parent == at for o in shape.nodes)
    ]
    assert closed
    assert max(drawn.reach for drawn in closed) <= min(opened[3:])
    assert all(drawn.payoffs for drawn in closed)


def test_a_bundle_with_too_many_branches_shows_some_and_the_rest_as_one() -> None:
    b = Builder(players=("one",), name="wide")
    for number, node in enumerate(b.chance(0, [f"o{number}" for number in range(300)])):
        for _ in range(number):  # a chain of its own length: no two shapes are alike
            (node,) = b.decide(node, "one", ("on",))
        b.pay(node, (number,))
    shape = skeleton(b.build(), None, True, 50)
    assert len(shape.nodes) <= 50
    rest = [drawn for drawn in shape.nodes if drawn.move.endswith(" more")]
    assert len(rest) == 1
    assert rest[0].kind == FOLDED
    shown = sum(drawn.parent == 0 for drawn in shape.nodes) - 1
    assert rest[0].move == f"{300 - shown} more"


def test_a_thousand_outcomes_with_one_end_are_one_branch() -> None:
    b = Builder(players=("one", "two"))
    for number, node in enumerate(b.chance(0, range(1000))):
        b.pay(node, (number, -number))
    shape = skeleton(b.build(), None, True, 200)
    assert [drawn.move for drawn in shape.nodes] == ["", "1,000 outcomes"]
    assert shape.nodes[1].payoffs == ("0 … 999", "−999 … 0")


def test_shapes_compare_menus_as_they_read_and_movers() -> None:
    b = Builder(players=("one", "two"))
    first, same, other_mover, other_menu = b.chance(0, list("abcd"))
    for node, player, menu in (
        (first, "one", ("x", "y")),
        (same, "one", ("x", "y")),
        (other_mover, "two", ("x", "y")),
        (other_menu, "one", ("x", "z")),
    ):
        for number, end in enumerate(b.decide(node, player, menu)):
            b.pay(end, (node, number))  # what is paid does not matter
    tree = b.build()
    of = shapes(tree).of
    children = [node.index for node in tree.root.children]
    assert of[children[0]] == of[children[1]]
    assert len({of[child] for child in children}) == 3
    # Put together by moves, menus are compared by size alone.
    assert len({shapes(tree, moves_too=True).of[child] for child in children}) == 2


def test_drawn_is_what_the_shapes_say() -> None:
    for game in (kuhn(ranks=4), leduc(), liars_dice(sides=2)):
        tree = game.tree()
        assert shapes(tree).drawn == len(bundles(tree, True, len(tree)))
        assert subtree_sizes(tree)[0] == len(tree)
