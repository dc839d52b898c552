"""What is drawn as one: deals, then moves, then whole subtrees; and what is said of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from infoset import solve
from infoset.display.drawing.folding import bundles, shapes
from infoset.display.drawing.skeleton import FOLDED, Skeleton, played, skeleton
from infoset.games import battleships, goofspiel, kuhn, leduc, liars_dice
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy import behaviour, profile, uniform
from infoset.tree import Tree
from infoset.tree.builder import Builder
from infoset.tree.outline import subtree_sizes


def at_random(tree: Tree):
    return profile(uniform(tree, player) for player in tree.names)


def public_histories(tree: Tree) -> set[tuple[str, ...]]:
    """The plays of a tree with chance outcomes left out, by a walk of its own."""
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
    payoffs = [drawn.payoffs for drawn in plain.nodes if drawn.kind == LEAF]
    assert payoffs[0] == ("−1 … 1", "−1 … 1")  # both pass: the higher card wins the ante
    played = at_random(tree)
    payoffs = [d.payoffs for d in skeleton(tree, played, True, 200).nodes if d.kind == LEAF]
    assert payoffs[0] == ("0", "0")
    # Whoever folds loses the ante, whatever the cards.
    assert ("1", "−1") in payoffs
    assert ("−1", "1") in payoffs


def test_reach_and_shares_of_what_is_drawn_as_one() -> None:
    tree = leduc().tree()
    shape = skeleton(tree, at_random(tree), True, 200)
    assert sum(drawn.reach for drawn in shape.nodes if drawn.kind == LEAF) == 1
    below: dict[int, Fraction] = {}
    for drawn in shape.nodes[1:]:
        above = shape.nodes[drawn.parent]
        assert drawn.reach == above.reach * drawn.probability
        below[drawn.parent] = below.get(drawn.parent, Fraction(0)) + drawn.probability
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


def names_and_reach(tree: Tree, group: list[int], reach) -> dict[str, float]:
    """How likely each move into these nodes is, in all."""
    found: dict[str, float] = {}
    for node in group:
        name = str(tree.nodes[node].action)
        found[name] = found.get(name, 0.0) + reach[node]
    return found


@pytest.mark.parametrize("game", [goofspiel(cards=4), battleships()], ids=repr)
def test_what_is_played_is_never_one_with_what_is_not(game) -> None:
    solution = solve(game)
    tree, play = solution.tree, played(solution.profile)
    found = bundles(tree, True, 200, play.floats)
    assert len(found) < len(tree)
    several = 0
    for bundle in found[1:]:
        above = found[bundle.parent].nodes
        if tree.player[above[0]] < 0 or not play.total(above) or bundle.rest:
            continue
        weights = names_and_reach(tree, bundle.nodes, play.floats)
        assert all(weights.values()) or not any(weights.values())
        if any(weights.values()):
            assert len(weights) == 1  # it keeps its name
        several += len(weights) > 1
    assert several  # what is not played is put together


def test_the_play_of_an_equilibrium_can_be_read_move_by_move() -> None:
    shape = skeleton(goofspiel(cards=4).tree(), solve(goofspiel(cards=4)).profile, True, 200)
    moves = [d.move for d in shape.nodes if d.reach == 1]
    assert moves == ["", "4", "4", "3", "3", "2", "2"]
    assert len(shape.nodes) < 120


def wide(branches: int, depth: int = 2) -> Tree:
    """Moves of one player after which the play goes on alike."""
    b = Builder(players=("one", "two"), name="wide")
    for node in b.decide(0, "one", [f"m{number}" for number in range(branches)]):
        leaves = [node]
        for level in range(depth):
            leaves = [end for at in leaves for end in b.decide(at, level % 2, ("a", "b"))]
        for end in leaves:
            b.pay(end, (end, -end))
    return b.build()


def test_moves_that_are_played_alike_are_one_when_they_are_many() -> None:
    tree = wide(30)
    probabilities = {f"m{number}": Fraction(1, 25) for number in range(20)} | {
        "m20": Fraction(1, 5)
    }
    one = behaviour(tree, "one", {tree.root.infoset: probabilities})
    shape = skeleton(tree, profile([one, uniform(tree, "two")]), True, 30)
    first = [(d.move, d.probability) for d in shape.nodes if d.parent == 0]
    assert first == [
        ("20 moves", Fraction(4, 5)),
        ("m20", Fraction(1, 5)),
        ("9 moves", 0),
    ]


def test_every_move_has_a_number_where_a_strategy_is_shown() -> None:
    solution = solve(goofspiel(cards=4))
    for most in (200, 60):
        shape = skeleton(solution.tree, solution.profile, True, most)
        total: dict[int, Fraction] = {}
        for drawn in shape.nodes[1:]:
            assert drawn.probability is not None
            total[drawn.parent] = total.get(drawn.parent, Fraction(0)) + drawn.probability
        assert set(total.values()) == {1}
        assert any(not drawn.reach and drawn.probability for drawn in shape.nodes)


def test_where_no_play_comes_a_share_is_a_plain_average() -> None:
    tree = wide(3, depth=1)
    first, *_, last = (place for place in tree.infosets if place.player == "one")
    sometimes = {"a": Fraction(1, 4), "b": Fraction(3, 4)}
    one = behaviour(tree, "one", {first: {"m0": 1}, last: sometimes})
    play = played(profile([one, uniform(tree, "two")]))
    after = [node.index for node in tree.root.children]
    lefts = [node.children[0].index for node in tree.root.children]
    assert play.probability(after[2:], lefts[2:]) == Fraction(1, 4)
    assert play.probability(after[1:], lefts[1:]) == Fraction(3, 8)  # of 1/2 and 1/4
    assert play.probability(after, lefts) == Fraction(1, 2)  # only the first is ever reached


def test_of_what_there_is_no_room_for_the_played_and_the_rest_are_apart() -> None:
    b = Builder(players=("one",), name="wide")
    for number, node in enumerate(b.decide(0, "one", [f"m{number}" for number in range(60)])):
        for _ in range(number):  # a chain of its own length: no two shapes are alike
            (node,) = b.decide(node, "one", ("on",))
        b.pay(node, (number,))
    tree = b.build()
    half = {f"m{number}": Fraction(1, 30) for number in range(30)}
    shape = skeleton(tree, profile([behaviour(tree, "one", {tree.root.infoset: half})]), True, 20)
    rest = [(d.move, d.probability, d.kind) for d in shape.nodes if d.move.endswith(" more")]
    kept = sum(d.parent == 0 for d in shape.nodes) - 2
    assert rest == [
        (f"{30 - kept} more", Fraction(30 - kept, 30), FOLDED),
        ("30 more", 0, FOLDED),
    ]


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
