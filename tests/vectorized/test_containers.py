"""Stand-ins in whatever rules keep them in, and functions that fail in some worlds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from infoset import Play
from infoset.errors import RulesError
from infoset.objects import Deck, Hand
from infoset.objects.hands import poker_rank
from tests.vectorized.compare import assert_same, blocks_of, family

DECK = Deck(3, 2)


def leaves(g: Play, *payoffs: Any) -> object:
    g.choose("ann", ("x", "y"))
    g.choose("bob", ("x", "y"))
    return payoffs or (0, 0)


def without_a_pair(g: Play) -> object:
    one, two = g.deal(DECK, 1, 1)
    third = g.chance(DECK.without((one, two)))
    fourth = g.chance(DECK.without(Hand([one, two]), [third]))
    g.reveal("ann", (one, Hand([third, fourth])[0]))
    return leaves(g, third.rank, fourth.rank)


def ranked_hands(g: Play) -> object:
    hand = g.deal(DECK, 2)
    g.reveal("ann", hand)
    first, second = hand
    board = g.chance(DECK.without(hand))
    same = poker_rank(hand) == poker_rank((first, second))
    return leaves(g, poker_rank((*hand, board))[0], same)


def counted_payoffs(g: Play) -> object:
    card = g.chance((1, 2))
    paid: dict[str, Any] = defaultdict(int)
    paid["ann"] += card
    paid["bob"] -= card
    leaves(g)
    return paid


def counters(g: Play) -> object:
    card = g.chance((1, 2))
    leaves(g)
    return Counter({"ann": card, "bob": 3})


def by_winner(g: Play) -> object:
    one, two = g.deal((0, 1, 2), 1, 1)
    winner = g.map(lambda mine, yours: "ann" if mine > yours else "bob", one, two)
    loser = g.map(lambda name: "bob" if name == "ann" else "ann", winner)
    g.reveal([winner], one)
    leaves(g)
    return {winner: one + two, loser: -one}


def drawn_from(g: Play) -> object:
    hand = g.deal((4, 5, 6), 2)
    first, second = hand
    g.reveal("ann", g.chance({first: 1, second: 2}))
    g.reveal("ann", g.chance(set(hand)))
    g.reveal("ann", g.chance(one + 1 for one in hand))
    g.reveal("ann", g.roll({first, second}))
    g.reveal("bob", g.map(sum, (*hand, 1)))
    g.reveal("bob", hand == (first, 6))
    return leaves(g)


def gone_through(g: Play) -> object:
    word = g.chance(("ab", "cd"))
    for one in g.map(lambda letters: dict.fromkeys(letters, 1), word):
        g.reveal("ann", one)
    for one, two in g.map(lambda letters: dict.fromkeys(letters, 1).items(), word):
        g.reveal("bob", (one, two))
    return leaves(g)


def caught(g: Play) -> object:
    card = g.chance((0, 1, 2))
    try:
        g.reveal("ann", 6 // card)
    except ZeroDivisionError:
        g.reveal("bob", "nothing")
    return leaves(g, card, g.map(types_apart, card)[0])


def types_apart(card: int) -> tuple[object]:
    return (True,) if card == 1 else (card,) if card else (1,)


def nested(g: Play) -> object:
    one, two = g.deal((1, 2, 3), 1, 1)
    g.reveal("ann", (frozenset([one, (two, 5)]), ("x", (one,))))
    g.choose("ann", {(one, "a"), (two, "b")})
    g.choose("bob", [(frozenset([one]), "a"), "b"])
    return leaves(g)


def equal_facts(g: Play) -> object:
    g.reveal("ann", g.map(lambda card: ((1,), (True,), (2,))[card], g.chance((0, 1, 2))))
    return leaves(g)


@dataclass
class Times:
    """A function that has no hash."""

    factor: int

    def __call__(self, one: int, two: int) -> int:
        return self.factor * (one - two)


def no_hash(g: Play) -> object:
    one, two = g.deal((1, 2, 4), 1, 1)
    g.reveal("ann", one)
    return leaves(g, g.map(Times(3), one, two), 0)


def many_values_on_the_way(g: Play) -> object:
    card = g.chance(range(100))
    if card < 10:
        g.reveal("bob", "low")
    g.reveal("ann", g.map(lambda one: one + 1, card))
    return leaves(g)


@pytest.mark.parametrize(
    "rules",
    [
        *(without_a_pair, ranked_hands, counted_payoffs, counters, by_winner, drawn_from),
        *(gone_through, caught, no_hash, many_values_on_the_way, equal_facts, nested),
    ],
)
def test_the_tree_is_that_of_plain_replay(rules: Callable[[Play], object]) -> None:
    assert_same(family(rules))


def test_plain_games_find_no_stand_ins_in_what_is_remembered() -> None:
    deck = Deck(2, 3)

    def rules(g: Play) -> object:
        one, two = g.deal(deck, 1, 1)
        g.chance(deck.without((one, two)))
        return poker_rank(Hand([one, two]))[0], 0

    blocks_of(family(rules))
    assert len(deck.without((deck[0], deck[1]))) == 4
    assert poker_rank((deck[0], deck[1]))[0] == 1


def test_an_error_that_nobody_catches_is_told_at_once() -> None:
    def rules(g: Play) -> object:
        card = g.chance((1, 2, 0))
        g.choose("ann", ("x", "y"))
        return 6 // card, 0

    with pytest.raises(RulesError, match=r"ZeroDivisionError.*test_containers.py:"):
        family(rules).tree()


def test_payoffs_beside_a_win() -> None:
    def rules(g: Play) -> object:
        card = g.chance((1, 2))
        g.win("ann", card)
        return card, 5

    with pytest.raises(RulesError, match=r"g\.win"):
        family(rules).tree()
