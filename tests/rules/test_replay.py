"""The engine against an independent way to the same tree, and against counts done by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.tree.positions import tree_of_position
from tests.rules.random_games import random_rules

SEEDS = st.integers(0, 10**6)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(0, 5), forgetful=st.booleans())
def test_replay_and_positions_give_the_same_tree(
    seed: int, players: int, depth: int, forgetful: bool
) -> None:
    """Replay keeps knowledge in a trie; positions keep it as tuples. They share no code for it."""
    one = random_rules(seed, players, depth, forgetful)()
    by_replay = one.tree()
    by_position = tree_of_position(one.position(), one.players, repr(one))
    for column in ("parent", "action", "player", "infoset"):
        np.testing.assert_array_equal(getattr(by_replay, column), getattr(by_position, column))
    assert by_replay.lotteries == by_position.lotteries
    assert [node.payoffs for node in by_replay.leaves] == [n.payoffs for n in by_position.leaves]
    assert [i.actions for i in by_replay.infosets] == [i.actions for i in by_position.infosets]


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(0, 5))
def test_perfect_recall_follows_from_the_language(seed: int, players: int, depth: int) -> None:
    tree = random_rules(seed, players, depth)().tree()
    assert tree.perfect_recall
    assert not tree.absent_minded


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, depth=st.integers(0, 5))
def test_parents_come_first_and_chances_sum_to_one(seed: int, depth: int) -> None:
    tree = random_rules(seed, 2, depth)().tree()
    assert tree.parent[0] == -1
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()
    assert all(sum(lottery.probabilities) == 1 for lottery in tree.lotteries)
    assert sum(len(infoset) for infoset in tree.infosets) == tree.counts.decisions
    for node in tree.nodes:
        assert len(node.children) == len(node.actions)


def test_a_build_is_repeatable() -> None:
    family = random_rules(7, 3, 5)
    assert family().tree() == family().tree()


def test_every_question_is_one_node() -> None:
    @game(players=("solo",))
    def forced(g: Play) -> object:
        g.chance(("sun",))
        g.choose("solo", ("on",))
        return 5

    tree = forced().tree()
    assert len(tree) == 3
    assert tree.nodes[2].payoffs == {"solo": 5}


def test_a_menu_given_as_text_differs_from_a_fact_that_reads_the_same() -> None:
    """A revealed tuple must not be taken for an offer of the same options."""

    @game(players=("a", "b"))
    def tricky(g: Play) -> object:
        if g.chance((0, 1)):
            g.reveal("a", ("x", "y"))
            g.reveal("a", 0)
        else:
            g.choose("a", ("x", "y"))
        g.choose("a", ("x", "y"))
        return (0, 0)

    tree = tricky().tree()
    assert tree.perfect_recall
    assert len(tree.infosets) == 1 + 3


def test_knowledge_is_what_was_revealed_not_what_happened() -> None:
    @game(players=("a", "b"))
    def parity(g: Play) -> object:
        number = g.chance(range(6))
        g.reveal("a", number % 2)
        g.reveal(("a", "b"), "go")
        guess = g.choose("a", range(6))
        return g.win("a" if guess == number else "b")

    tree = parity().tree()
    assert [infoset.label for infoset in tree.infosets] == ["0, go", "1, go"]
    assert [len(infoset) for infoset in tree.infosets] == [3, 3]


def test_equal_lotteries_and_payoffs_are_kept_once() -> None:
    @game(players=("a",))
    def coins(g: Play) -> object:
        return sum(g.chance((0, 1)) for _ in range(6))

    tree = coins().tree()
    assert len(tree) == 2**7 - 1
    assert len(tree.lotteries) == 1
    assert len(tree.payoffs) == 7


def test_payoffs_of_all_forms_meet_in_one_table() -> None:
    @game(players=("a", "b"))
    def forms(g: Play) -> object:
        match g.choose("a", range(7)):
            case 0:
                return {"b": -1, "a": 1}
            case 1:
                return [1, -1]
            case 2:
                return (Fraction(1), -1.0)
            case 3:
                return g.win("a")
            case 4:
                g.win("a", 1)
            case 5:
                g.pay("a", 2)
                g.pay("a", -1)
                g.pay("b", -1)
            case _:
                g.pay("a", 0.5)
                return (0.5, -1)
        return None

    tree = forms().tree()
    assert len(tree.payoffs) == 1
    assert tree.nodes[1].payoffs == {"a": 1, "b": -1}


def test_nothing_is_replayed_into_knowledge_or_payment_twice() -> None:
    @game(players=("a", "b"))
    def tolls(g: Play) -> object:
        for _ in range(3):
            g.pay("a", 1)
            g.reveal("b", "toll")
            g.choose("a", ("on", "off"))
        g.choose("b", ("end",))
        return None

    tree = tolls().tree()
    assert {tuple(node.payoffs.values()) for node in tree.leaves} == {(3, 0)}
    assert [i.label for i in tree.infosets_of("b")] == ["toll, toll, toll"]


@pytest.mark.parametrize("limit", [1, 7, 54, 55])
def test_max_nodes_is_exact(limit: int) -> None:
    from infoset.errors import TooLarge
    from infoset.games import kuhn

    if limit < 55:
        with pytest.raises(TooLarge, match=f"more than {limit} nodes"):
            kuhn().tree(limit)
    else:
        assert len(kuhn().tree(limit)) == 55


def test_progress_is_told() -> None:
    from infoset.games import kuhn

    seen: list[int] = []
    kuhn(ranks=90).tree(progress=seen.append)
    assert seen
    assert seen == sorted(seen)
    assert seen[0] >= 10_000
