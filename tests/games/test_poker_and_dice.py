"""Kuhn's and Leduc poker and liar's dice: counts from the literature, and by formula."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb, perm

import pytest

from infoset.errors import ParameterError
from infoset.games import kuhn, leduc, liars_dice
from infoset.rules import Game
from infoset.tree import Tree


def infosets(game: Game) -> list[int]:
    return sets_of(game.tree())


def sets_of(tree: Tree) -> list[int]:
    return [len(tree.infosets_of(player)) for player in tree.players]


@cache
def dice_tree(dice: int = 1, sides: int = 6) -> Tree:
    """Several tests look at the same tree of 294,883 nodes."""
    return liars_dice(dice, sides).tree()


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 8, 13, 30])
def test_kuhn_has_the_nodes_of_koller_and_pfeffer_1997_section_5(ranks: int) -> None:
    """There: 9k(k-1)+1 nodes; each player decides in two situations for every card."""
    tree = kuhn(ranks=ranks).tree()
    assert len(tree) == 9 * ranks * (ranks - 1) + 1
    assert infosets(kuhn(ranks=ranks)) == [2 * ranks, 2 * ranks]
    assert tree.zero_sum
    assert tree.perfect_recall


def table_nodes(players: int) -> tuple[int, int]:
    """Decisions and leaves of one deal: k pass and one bets, then everyone else answers."""
    decisions = leaves = 0
    for _ in range(players):
        decisions += 1  # the one who may open
        decisions += 2 ** (players - 1) - 1  # the others answer, one after the other
        leaves += 2 ** (players - 1)
    return decisions, leaves + 1  # or nobody opens


@pytest.mark.parametrize(("players", "ranks"), [(2, 3), (3, 3), (3, 4), (4, 4), (4, 5)])
def test_kuhn_for_more_players(players: int, ranks: int) -> None:
    tree = kuhn(players=players, ranks=ranks).tree()
    decisions, leaves = table_nodes(players)
    deals = perm(ranks, players)
    assert len(tree) == 1 + deals * (decisions + leaves)
    # Everyone opens once and answers 2^(n-1) - 1 opened histories, for every card.
    assert infosets(kuhn(players=players, ranks=ranks)) == [2 ** (players - 1) * ranks] * players
    assert tree.zero_sum


def test_kuhn_for_three_is_openspiel_s() -> None:
    """kuhn_poker(players=3) has 617 nodes, 16 of them chance nodes of a deal card by card."""
    tree = kuhn(players=3, ranks=4).tree()
    assert (len(tree), len(tree.infosets)) == (617 - 16, 48)


def test_kuhn_pays_the_winner_what_the_others_put_in() -> None:
    """The stakes of Kuhn 1950: ante 1, bet 1; and of any others."""
    payoffs = Counter(leaf.payoffs["gambler"] for leaf in kuhn(ranks=3).tree().leaves)
    assert payoffs == {1: 6 + 3, -1: 6 + 3, 2: 6, -2: 6}
    high = {abs(leaf.payoffs["dealer"]) for leaf in kuhn(ante=5, bet=2).tree().leaves}
    assert high == {5, 7}
    three = kuhn(players=3, ranks=3).tree()
    leaf = three.root.child("J Q K").child("pass").child("bet").child("bet").child("pass")
    assert leaf.payoffs == {"player 1": -1, "player 2": -2, "player 3": 3}


def leduc_round(raises: int, owes: bool = False, opened: bool = False) -> tuple[int, int, int]:
    """One betting round: decisions, folds, and ways to its end with both in."""
    decisions, folds, goes_on = 1, int(owes), 0
    if opened:
        goes_on += 1  # a call ends the round
    else:
        below = leduc_round(raises, False, True)
        decisions, folds, goes_on = (a + b for a, b in zip((1, folds, 0), below, strict=True))
    if raises:
        below = leduc_round(raises - 1, True, True)
        decisions, folds = decisions + below[0], folds + below[1]
        goes_on += below[2]
    return decisions, folds, goes_on


@pytest.mark.parametrize(
    ("ranks", "suits", "raises"), [(3, 2, 2), (2, 2, 2), (4, 2, 1), (3, 1, 2), (3, 2, 0), (2, 3, 3)]
)
def test_leduc_by_formula(ranks: int, suits: int, raises: int) -> None:
    cards = ranks * suits
    decisions, folds, goes_on = leduc_round(raises)
    second = decisions + folds + goes_on
    one_deal = decisions + folds + goes_on * (1 + (cards - 2) * second)
    assert len(leduc(ranks, suits, raises).tree()) == 1 + cards * (cards - 1) * one_deal
    # What is seen is the own card, then the shared one, over every betting history.
    both = sum(infosets(leduc(ranks, suits, raises)))
    assert both == cards * decisions + cards * (cards - 1) * goes_on * decisions


def test_leduc_as_published() -> None:
    """Southey et al. 2005; OpenSpiel has 936 information states and 6 nodes more, of the deal."""
    tree = leduc().tree()
    assert len(tree) == 9451
    assert infosets(leduc()) == [468, 468]
    assert [tree.sequences(player) for player in tree.players] == [1093, 1093]
    assert tree.zero_sum
    assert tree.perfect_recall
    assert {abs(leaf.payoffs["one"]) for leaf in tree.leaves} == {0, 1, 3, 5, 7, 9, 11, 13}


def test_leduc_showdown_pairs_then_ranks() -> None:
    tree = leduc().tree()

    def end(deal: str, shared: str) -> int:
        node = tree.root.child(deal).child("call").child("call").child(shared)
        return int(node.child("call").child("call").payoffs["one"])

    assert end("J♠ K♠", "J♥") == 1  # a pair beats a king
    assert end("J♠ K♠", "Q♥") == -1
    assert end("K♥ Q♠", "J♥") == 1
    assert end("Q♥ Q♠", "J♥") == 0


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (1, 6), (2, 2), (2, 3), (3, 1)])
def test_liars_dice_by_formula(dice: int, sides: int) -> None:
    """Bids only rise: every set of them is one history, and every one of them may be called."""
    rolls, histories = comb(dice + sides - 1, dice), 2 ** (2 * dice * sides)
    tree = dice_tree(dice, sides)
    assert len(tree) == 1 + rolls + rolls**2 * (2 * histories - 1)
    assert sets_of(tree) == [rolls * histories // 2] * 2
    assert tree.zero_sum


def test_liars_dice_as_published() -> None:
    """One six-sided die each: 24,576 information states, 294,883 nodes in OpenSpiel."""
    tree = dice_tree()
    assert (len(tree), len(tree.infosets)) == (294_883, 24_576)


def test_liars_dice_calls() -> None:
    tree = dice_tree()

    def caller_wins(mine: str, yours: str, bid: str) -> bool:
        leaf = tree.root.child(mine).child(yours).child(bid).child("liar")
        return leaf.payoffs["two"] == 1

    assert not caller_wins("3", "5", "1x3")
    assert caller_wins("3", "5", "2x3")
    assert not caller_wins("3", "6", "2x3")  # the highest face counts as any
    assert caller_wins("1", "2", "1x5")


@pytest.mark.parametrize(
    ("family", "params"),
    [
        (kuhn, {"ranks": 1}),
        (kuhn, {"players": 4}),
        (kuhn, {"ante": -1}),
        (leduc, {"ranks": 2, "suits": 1}),
        (leduc, {"raises": -1}),
        (liars_dice, {"sides": 0}),
        (liars_dice, {"dice": 0}),
    ],
)
def test_impossible_parameters(family: object, params: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match="needs"):
        family(**params)  # type: ignore[operator]
