"""Rules that see through vectorized values, and suits that are not alike, are found out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from infoset import Play
from infoset.errors import NotRepeatable, RulesError
from infoset.objects import Deck
from infoset.rules.running import Limits
from infoset.vectorized import run_vectorized
from tests.vectorized.compare import family


def by_identity(g: Play) -> object:
    card = g.chance((None, 1))
    won = 1 if card is None else 2  # the line
    return won, 0


def by_type(g: Play) -> object:
    card = g.chance((1, 2))
    return called(card), 0


def called(card: object) -> int:
    return 1 if isinstance(card, int) else 2  # the line


def for_one_rare_deal(g: Play) -> object:
    card = g.chance((*range(40), None))
    if card is None:  # the line
        return 5, 0
    return 0, 0


@pytest.mark.parametrize("rules", [by_identity, by_type, for_one_rare_deal])
def test_rules_that_slip_through(rules: Callable[[Play], object]) -> None:
    with open(__file__, encoding="utf-8") as source:
        lines = source.read().splitlines()
    begin = (called if rules is by_type else rules).__code__.co_firstlineno
    line = next(n for n, text in enumerate(lines, 1) if n >= begin and text.endswith("# the line"))
    with pytest.raises(RulesError, match=rf"test_check.py:{line} the rules use") as caught:
        family(rules).tree()
    assert "\n" not in str(caught.value)


def test_c_code_is_named() -> None:
    with pytest.raises(RulesError, match=r"pass a vectorized value to C code .*test_check.py:"):
        family(lambda g: ("".join([g.chance(("a", "b"))]), 0)).tree()


def test_code_that_does_not_name_the_vectorized_value_has_the_hint_too() -> None:
    with pytest.raises(RulesError, match=r"Rational instances; .* by g\.map\(f, \.\.\.\) \("):
        family(lambda g: (Fraction(g.chance((1, 2)), 3), 0)).tree()


def showing(value: Callable[[Any], object], pays: bool = False) -> Callable[[Play], object]:
    def rules(g: Play) -> object:
        one, two = g.deal(Deck(2, 2, alike=True), 1, 1)
        g.reveal("ann", g.map(value, one))
        g.choose("ann", ("x", "y"))
        won = g.map(lambda a, b: a > b, one, two) if pays else one.rank - two.rank
        return won, -won

    return rules


def test_suits_that_are_alike() -> None:
    whole = run_vectorized(family(showing(lambda card: card)), Limits())
    folded = run_vectorized(family(showing(lambda card: card)), Limits(), fold=True)
    assert folded.nodes == whole.nodes == 1 + 12 * 3
    assert sum(len(block.deals) for block in folded.blocks) == 1 + 6 * 3


@pytest.mark.parametrize(
    "rules", [showing(lambda card: card.suit), showing(str), showing(lambda card: 0, True)]
)
def test_suits_that_are_not(rules: Callable[[Play], object]) -> None:
    with pytest.raises(RulesError, match="but the rules treat them differently: the play"):
        run_vectorized(family(rules), Limits(), fold=True)


def test_suits_are_checked_even_if_the_whole_game_was_before() -> None:
    def by_suit(g: Play) -> object:
        one, two = g.deal(Deck(2, 2, alike=True), 1, 1)
        g.reveal("one", one)
        g.choose("one", ("a", "b"))
        return g.win(g.map(lambda mine, yours: "one" if mine > yours else "two", one, two))

    whole = family(by_suit, ("one", "two"))
    run_vectorized(whole, Limits())
    with pytest.raises(RulesError, match=r"suits ♠ ♥ alike, but the rules treat them differently"):
        run_vectorized(whole, Limits(), fold=True)


def ties_by_suit(g: Play) -> object:
    one, two = g.deal(Deck(13, 4, alike=True), 1, 1)
    g.reveal("one", one)
    g.choose("one", ("a", "b"))
    return g.win(g.map(lambda mine, yours: "one" if mine > yours else "two", one, two))


def flush_in_spades(g: Play) -> object:
    one = g.deal(Deck(6, 3, alike=True), 2)
    g.reveal("one", one)
    g.choose("one", ("a", "b"))
    return g.win("one", g.map(lambda hand: 2 if all(not c.suit for c in hand) else 1, one))


def a_move_in_one_suit(g: Play) -> object:
    card = g.deal(Deck(2, 2, alike=True), 1)
    pair = ("a", "b")
    taken = g.chance(pair) if card.suit == 0 else g.choose("one", pair)
    return g.win("one", 1 if taken == "a" else 2)


def no_such_suit(g: Play) -> object:
    card = g.deal(Deck(2, 2, alike=True), 1)
    g.choose("one", ("a", "b"))
    return g.win("one", {0: 1, 1: 2}[card.suit] if card.rank else 1)


@pytest.mark.parametrize("rules", [ties_by_suit, flush_in_spades, a_move_in_one_suit, no_such_suit])
def test_suits_that_are_not_alike(rules: Callable[[Play], object]) -> None:
    one = family(rules, ("one", "two"))
    with pytest.raises(
        RulesError, match="alike, but the rules treat them differently: the play"
    ) as it:
        run_vectorized(one, Limits(), fold=True)
    assert "\n" not in str(it.value)


@pytest.mark.parametrize("alike", [("♠", "♥"), "♠♥", [["♠"]], 5])
def test_what_is_said_to_be_alike_must_be_groups_of_suits(alike: Any) -> None:
    with pytest.raises(RulesError, match="alike="):
        Deck(3, 2, alike=alike)


def test_rules_that_do_not_repeat() -> None:
    drawn = iter(range(10**6))

    def rules(g: Play) -> object:
        card = g.chance((1, 2))
        g.choose("ann", ("a", "b"))
        return card * next(drawn), 0

    with pytest.raises(NotRepeatable, match=r"the same play, run twice, went two ways"):
        family(rules).tree()


DECK = Deck(13, 4, alike=True)


def one_deal_in_many(one: Any, two: Any, three: Any) -> int:
    if (one, two, three) == (DECK["K♠"], DECK["Q♠"], DECK["A♠"]):
        return 100
    return int(one.rank > two.rank)


def test_a_deal_among_many_in_which_suits_are_not_alike() -> None:
    """None of the plays at random meets it; the function of cards, asked for all of them, does."""

    def rules(g: Play) -> object:
        one, two = g.deal(DECK, 1, 1)
        g.reveal("ann", one)
        third = g.chance(DECK.without(one, two))
        g.choose("ann", ("x", "y"))
        won = g.map(one_deal_in_many, one, two, third)
        return won, -won

    with pytest.raises(RulesError, match=r"the play K♠ Q♠, A♠, \w pays \(100, -100\), and with"):
        family(rules).public()


def test_a_function_that_prefers_a_suit_may_come_to_the_same() -> None:
    def rules(g: Play) -> object:
        hand = g.deal(Deck(3, 2, alike=True), 2)
        g.reveal("ann", hand)
        first = g.map(lambda cards: min(cards, key=lambda card: card.suit), hand)
        g.choose("ann", ("x", "y"))
        won = g.map(lambda one, cards: sum(card.rank for card in cards), first, hand)
        return won, -won

    assert family(rules).public().folded


def test_chances_that_suits_change_are_told() -> None:
    def rules(g: Play) -> object:
        one, two = g.deal(Deck(2, 2, alike=True), 1, 1)
        g.reveal("ann", one)
        g.choose("ann", ("x", "y"))
        weights = g.map(lambda card: (1, 1 + card.suit), two)
        won = g.chance((1, -1), weights)
        return won, -won

    with pytest.raises(RulesError, match="exchanged it has other probabilities"):
        family(rules).public()
