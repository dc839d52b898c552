"""What is true of a tree, with its witnesses, against definitions spelled out slowly."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.games import kuhn
from infoset.tree import Infoset, Node, Tree
from tests.rules.random_games import random_rules


def own_history(node: Node, player: str) -> list[tuple[int, int]]:
    """Kuhn's definition: (information set, action) for every own node above."""
    path, tree = [], node.tree
    while (above := node.parent) is not None:
        if above.player == player:
            path.append((above.infoset.index, int(tree.action[node.index])))
        node = above
    return path[::-1]


def has_recall(tree: Tree, player: str) -> bool:
    return all(
        len({tuple(own_history(node, player)) for node in infoset}) == 1
        for infoset in tree.infosets_of(player)
    )


def meets_twice(tree: Tree) -> bool:
    for node in tree.nodes:
        above = node.parent
        while above is not None and node.infoset is not None:
            if above.infoset == node.infoset:
                return True
            above = above.parent
    return False


def reduced_by_enumeration(tree: Tree, player: str) -> int:
    """All pure strategies, each cut down to the information sets that it lets the player reach."""
    mine = tree.infosets_of(player)
    found = set()
    for actions in product(*(range(len(infoset.actions)) for infoset in mine)):
        plan = dict(zip([infoset.index for infoset in mine], actions, strict=True))

        def reached(infoset: Infoset, plan: dict[int, int] = plan) -> bool:
            return any(all(plan[h] == a for h, a in own_history(node, player)) for node in infoset)

        found.add(tuple((i.index, plan[i.index]) for i in mine if reached(i)))
    return len(found)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), depth=st.integers(0, 5))
def test_facts_agree_with_the_definitions(seed: int, players: int, depth: int) -> None:
    tree = random_rules(seed, players, depth, forgetful=True)().tree()
    for player in tree.players:
        fact = tree.recall(player)
        assert bool(fact) == has_recall(tree, player)
        if not fact:
            one, two = fact.nodes
            assert one.infoset == two.infoset
            assert own_history(one, player) != own_history(two, player)
        sizes = [len(infoset.actions) for infoset in tree.infosets_of(player)]
        assert tree.pure_strategies(player) == prod(sizes)
        assert tree.sequences(player) == 1 + sum(sizes)
        if prod(sizes) <= 2000:
            assert tree.reduced_strategies(player) == reduced_by_enumeration(tree, player)
    assert bool(tree.absent_minded) == meets_twice(tree)
    assert bool(tree.perfect_recall) == all(has_recall(tree, p) for p in tree.players)
    single = all(len(infoset) == 1 for infoset in tree.infosets)
    assert bool(tree.perfect_information) == single
    sums = {sum(leaf.payoffs.values()) for leaf in tree.leaves}
    assert bool(tree.constant_sum) == (len(sums) == 1)
    assert bool(tree.zero_sum) == (sums == {0})


def test_the_forgotten_choice_is_named() -> None:
    """Blair, Mutchler & van Lent 1996, Figure 2: in G2 the second agent has lost the first step."""

    @game(players=("solo",))
    def g2(g: Play) -> object:
        side = g.chance(("A", "B"))
        g.reveal("solo", side)
        if g.choose("solo", ("go", "quit")) == "quit":
            return 0
        return -100 if (g.choose("solo", ("l", "r"), knowing="?") == "l") == (side == "A") else 1

    fact = g2().tree().recall("solo")
    assert not fact
    assert fact.infoset.label == "?"
    assert [str(node) for node in fact.nodes] == ["chance: A, solo: go", "chance: B, solo: go"]
    assert fact.choice == "whether it chose go at 'A' or go at 'B'"


def test_absent_mindedness_has_a_witness() -> None:
    @game(players=("driver",))
    def exits(g: Play) -> object:
        for payoff in (0, 4):
            if g.choose("driver", ("on", "off"), knowing="an exit") == "off":
                return payoff
        return 1

    tree = exits().tree()
    assert tree.absent_minded
    one, two = tree.absent_minded.nodes
    assert two.parent == one
    assert not tree.recall("driver")
    assert tree.reduced_strategies("driver") == tree.pure_strategies("driver") == 2


def test_sums_have_witnesses() -> None:
    @game(players=("a", "b"))
    def sums(g: Play, second: int = 1) -> object:
        return (1, 1) if g.choose("a", ("x", "y")) == "x" else (second, 1)

    assert sums().tree().constant_sum
    assert not sums().tree().zero_sum
    assert "sum to 2" in sums().tree().zero_sum.because
    other = sums(second=3).tree().constant_sum
    assert not other
    assert "sum to 2 after a: x, and to 4 after a: y" in other.because
    assert str(kuhn().tree().zero_sum) == "yes: the payoffs of every play sum to 0"


def test_counts_of_kuhn_koller_and_pfeffer_1997_section_5() -> None:
    """There: 27 strategies of the gambler and 64 of the dealer, 3^k and 4^k in general."""
    for ranks in (3, 5, 8):
        tree = kuhn(ranks=ranks).tree()
        assert tree.reduced_strategies("gambler") == 3**ranks
        assert tree.reduced_strategies("dealer") == tree.pure_strategies("dealer") == 4**ranks
        assert tree.pure_strategies("gambler") == 4**ranks


def test_counts_are_exact_however_large() -> None:
    tree = kuhn(ranks=200).tree()
    assert tree.reduced_strategies("gambler") == 3**200
    counts = tree.counts
    assert counts.nodes == 9 * 200 * 199 + 1
    assert counts.depth == 4
    assert counts.widest == 200 * 199
    assert counts.decisions + counts.chances + counts.leaves == counts.nodes


def test_a_game_that_is_over_at_once() -> None:
    @game(players=("a", "b"))
    def nothing(g: Play) -> object:
        return (0, 0)

    tree = nothing().tree()
    assert tree.perfect_information
    assert tree.perfect_recall
    assert tree.zero_sum
    assert tree.counts.depth == 0
    assert tree.pure_strategies("a") == tree.reduced_strategies("a") == 1


def test_strategies_too_many_to_count_without_recall_are_left_uncounted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from infoset.tree import facts

    monkeypatch.setattr(facts, "MOST_WORK", 3)

    @game(players={"team": ("east", "west")})
    def team(g: Play) -> object:
        for card in range(3):
            g.reveal("east", g.chance((0, 1)))
            g.choose("east", (card, card + 1))
            g.choose("west", (card, card + 1))
        return 0

    assert team().tree().reduced_strategies("team") is None
