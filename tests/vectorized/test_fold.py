"""Suits folded without loss: worlds and knowledge are orbits, counted here by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from infoset import Play, game
from infoset.forms.public import public_form
from infoset.games import kuhn, leduc, rhode_island
from infoset.objects import Card, Deck
from infoset.rules import Game
from infoset.solvers.lp import find_public
from tests.vectorized.compare import blocks_of

SHAPES = [(3, 2, True), (2, 3, True), (3, 3, True), (2, 4, ("♠♥", "♦♣")), (2, 3, ("♠♥",))]


def dealt(ranks: int, suits: int, alike: Any) -> Game:
    """A card each, then one for both; everyone knows its own and the shared one."""

    @game(players=("ann", "bob"), vectorized=True)
    def dealt(g: Play) -> object:
        deck = Deck(ranks, suits, alike=alike)
        one, two = g.deal(deck, 1, 1)
        shared = g.chance(deck.without(one, two))
        g.reveal("ann", one)
        g.reveal("bob", two)
        g.reveal(g.players, shared)
        if g.choose("ann", ("x", "y")) == "y":
            g.reveal("bob", "y")
            g.choose("bob", ("x", "y"))
        won = g.map(lambda a, b, c: (a.rank - b.rank) * (1 + (a.suit == c.suit)), one, two, shared)
        return won, -won

    return dealt()


def orbits(deck: Deck, deals: set[tuple[Card, ...]]) -> int:
    """How many classes there are, by moving every world in every way."""
    places = {(card.rank, card.suit): card for card in deck}
    groups = [set(group) for group in deck.alike]
    ways = [
        order
        for order in permutations(range(len(deck.suits)))
        if all(
            suit == to or any({suit, to} <= group for group in groups)
            for suit, to in enumerate(order)
        )
    ]
    return len(
        {
            frozenset(tuple(places[card.rank, way[card.suit]] for card in world) for way in ways)
            for world in deals
        }
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_worlds_and_knowledge_are_orbits(shape: tuple[int, int, Any]) -> None:
    one = dealt(*shape)
    deck = Deck(shape[0], shape[1], alike=shape[2])
    folded, whole = blocks_of(one, fold=True), blocks_of(one)
    leaf = folded.blocks[-1]
    histories = leaf.deals.histories
    assert len(histories) == orbits(deck, set(permutations(deck, 3)))
    probabilities = zip(histories.weight.tolist(), histories.multiplicity.tolist(), strict=True)
    assert sum(Fraction(weight * count, histories.under) for weight, count in probabilities) == 1
    assert sum(block.deals.multiplicity for block in folded.blocks) == folded.nodes == whole.nodes
    assert whole.nodes == len(one.tree())
    for pattern in leaf.patterns:
        assert len(pattern.partition) == orbits(deck, set(permutations(deck, 2)))


@pytest.mark.parametrize(
    "one",
    [kuhn(), leduc(), rhode_island(ranks=2, suits=2, raises=1), *[dealt(*s) for s in SHAPES[:2]]],
)
def test_the_public_form_counts_what_the_tree_counts(one: Game) -> None:
    counts, tree = public_form(one, fold=True).counts, one.tree()
    assert counts.nodes == len(tree)
    assert sum(counts.infosets) == len(tree.infosets)
    assert counts.leaves == sum(1 for _ in tree.leaves)


@pytest.mark.parametrize("one", [kuhn(), leduc(raises=1), dealt(2, 3, True)])
def test_folding_keeps_the_value(one: Game) -> None:
    values = {find_public(public_form(one, fold=fold)).value for fold in (True, False)}
    assert values == {one.solve("lp", exact=True).value}
