"""What a player on a tree is told: the label of its information set, and never the node."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from infoset import Tree, game
from infoset.games import absent_minded, blair_g2, kuhn, leduc, prisoners_dilemma
from infoset.play import RandomPlayer, play_game
from infoset.rules import Play
from infoset.text import text
from infoset.tree.positions import (
    SimultaneousPosition,
    TreePosition,
    TreeView,
    infoset_of_view,
    tree_of_position,
)


@game(players=("one", "two"))
def alike(g: Play) -> object:
    """Two information sets of a player read the same: what it was told are different zeros."""
    drawn = g.chance(("0", 0))
    g.reveal("one", drawn)
    first = g.choose("one", ("l", "r"))
    return g.win("one", 1 if (first == g.choose("two", ("l", "r"))) == (drawn == 0) else -1)


TREES = [made.tree() for made in (kuhn(), absent_minded(), blair_g2(), leduc(ranks=2), alike())]
TREES.append(prisoners_dilemma().tree())


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_views_are_equal_exactly_in_one_information_set(tree: Tree) -> None:
    by_view, by_text = defaultdict(set), defaultdict(set)
    for node in range(len(tree)):
        position = TreePosition(tree, node)
        for player in position.movers:
            view = position.view(player)
            by_view[player, view].add(int(tree.infoset[node]))
            by_text[player, str(view)].add(int(tree.infoset[node]))
            found = infoset_of_view(tree, player, view)
            assert found is not None
            assert found.index == tree.infoset[node]
    assert all(len(sets) == 1 for sets in (*by_view.values(), *by_text.values()))
    assert len(by_view) == len(by_text) == len(tree.infosets)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_where_a_player_does_not_move_it_knows_its_last_choice(tree: Tree) -> None:
    by_view, by_text = defaultdict(set), defaultdict(set)
    for node in range(len(tree)):
        position = TreePosition(tree, node)
        for number, player in enumerate(tree.names):
            if player not in position.movers:
                last = int(tree.choices[number].last[node])
                by_view[player, position.view(player)].add(last)
                by_text[player, str(position.view(player))].add(last)
    assert all(len(choices) == 1 for choices in (*by_view.values(), *by_text.values()))


def test_views_read_as_labels() -> None:
    dealt = TreePosition(kuhn().tree()).after("J K")
    gambler = [dealt.view("gambler"), dealt.after("pass").view("gambler")]
    gambler.append(dealt.after("pass").after("bet").view("gambler"))
    assert list(map(str, gambler)) == ["J", "J, [pass]", "J, [pass], bet"]
    assert "J" in repr(gambler[0])
    assert str(dealt.view("dealer")) == "nothing yet"
    dilemma = SimultaneousPosition(prisoners_dilemma().tree())
    assert str(dilemma.view("column")) == "nothing yet"
    assert str(dilemma.after(("defect", "defect")).view("row")) == "[defect]"


def test_sets_that_read_alike_have_their_number() -> None:
    start = TreePosition(alike().tree())
    told = [str(start.after(outcome).view("one")) for outcome, _ in start.chances()]
    assert told == ["0 #1", "0 #3"]
    chosen = [start.after(outcome).after("l").view("one") for outcome, _ in start.chances()]
    assert list(map(str, chosen)) == ["0 #1, [l]", "0 #3, [l]"]


def test_a_view_is_sent_without_its_tree() -> None:
    view = TreePosition(leduc().tree()).after("J♠ J♥").view("one")
    sent = pickle.dumps(view)
    assert len(sent) < 300
    assert (pickle.loads(sent), str(pickle.loads(sent))) == (view, str(view))


def test_a_tree_of_a_tree_has_its_labels() -> None:
    tree = kuhn().tree()
    again = tree_of_position(TreePosition(tree), tree.names, "again")
    assert sorted(again.labels) == sorted(tree.labels)


class Listener:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.facts: list[Hashable] = []

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        """Nothing to prepare."""

    def told(self, fact: Hashable) -> None:
        """Note it."""
        self.facts.append(fact)

    def choose(self, options: Sequence[Hashable]) -> Hashable:
        """The first."""
        return options[0]


def test_players_are_told_labels() -> None:
    listener = Listener()
    played = play_game(kuhn().tree(), {"gambler": listener, "dealer": RandomPlayer()}, seed=3)
    card = text(played.moves[0][1])[0]
    assert all(isinstance(fact, TreeView) for fact in listener.facts)
    assert str(listener.facts[0]) == card
    assert all(str(fact).startswith(card) for fact in listener.facts)


def test_a_view_of_another_player_is_no_set_of_this_one() -> None:
    tree = kuhn().tree()
    view = TreePosition(tree).after("J K").view("gambler")
    assert infoset_of_view(tree, "dealer", view) is None
