"""Random rules, and nasty ones: for all deals at once they make the tree that replay makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play
from infoset.objects import Deck, Hand
from tests.rules.random_games import random_rules
from tests.vectorized.compare import assert_same, blocks_of, family
from tests.vectorized.random_rules import random_vectorized

SEEDS = st.integers(0, 10**6)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from((2, 3)), st.booleans())
def test_random_rules(seed: int, players: int, forgetful: bool) -> None:
    assert_same(random_vectorized(seed, players, 6, forgetful))


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from((2, 3)), st.booleans())
def test_random_rules_with_caches(seed: int, players: int, forgetful: bool) -> None:
    """Memoized functions and tables, which keep what earlier runs have put into them."""
    rules = random_vectorized(seed, players, 6, forgetful, cached=True)
    assert_same(rules)
    assert_same(rules)  # with what the first two builds have left


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from((2, 3)), st.booleans())
def test_random_rules_that_look_at_everything(seed: int, players: int, forgetful: bool) -> None:
    assert_same(random_rules(seed, players, 4, forgetful)())


def a_plain_fact_or_a_hidden_one(g: Play) -> object:
    card, move = g.chance((0, 1, 2)), g.choose("bob", ("show", "say one"))
    g.reveal("ann", card if move == "show" else 1)
    g.choose("ann", ("x", "y"))
    return card, -card


def the_same_for_who_forgets(g: Play) -> object:
    card, move = g.chance((0, 1, 2)), g.choose("bob", ("show", "say one"))
    g.choose("ann", ("x", "y"), knowing=card if move == "show" else 1)
    return card, -card


def facts_that_are_equal(g: Play) -> object:
    card = g.chance((0, 1, 2))
    g.reveal("ann", g.map(lambda one: True if one == 0 else one, card))
    g.choose("ann", ("x", "y"))
    return card, -card


def senseless_where_excluded(g: Play) -> object:
    card, other = g.deal((0, 1, 2), 1, 1)
    if card == 0:
        return 0, 0
    share = g.map(lambda one, two: two // one, card, other)
    g.reveal("bob", 4 // card)
    g.choose("bob", ("x", "y"))
    return share, card


def a_deck_of_what_is_left(g: Play) -> object:
    card = g.chance((0, 1, 2))
    left = g.map(lambda one: tuple([other for other in range(4) if other != one]), card)
    second, (third, hand) = g.deal(left, 1), g.deal(left, 1, 2)
    g.reveal("ann", (second, third))
    g.choose("ann", ("x", "y"))
    return card - second, hand[0]


def as_many_as_it_says(g: Play) -> object:
    count = g.chance((1, 2))
    g.reveal("ann", g.deal(range(3), count))
    g.choose("ann", ("x", "y"))
    return count, 0


def functions_made_anew(g: Play) -> object:
    card, factor = g.chance((0, 1, 2)), g.choose("ann", (1, 2))
    enclosed = g.map(lambda one: one * factor, card)
    default = g.map(lambda one, by=factor: one - by, card)
    named = g.map(lambda one, *, by=factor: one + by, card)
    return enclosed * 100 + default * 10 + named, 0


def one_is_not_true(g: Play) -> object:
    card, move = g.chance((0, 1)), g.choose("ann", ("one", "true"))
    given = (1,) if move == "one" else (True,)
    g.reveal("bob", g.map(lambda one, what: f"{one} {what}", card, given))
    g.choose("bob", ("x", "y"))
    return 0, 0


def held_in_all_ways(g: Play) -> object:
    mine, yours = g.deal(Deck(2, 2), 1, 1)
    g.reveal("ann", Hand([mine, yours]))
    g.reveal("bob", frozenset([mine.rank]))
    g.choose("ann", (("keep", mine.rank), ("give", yours.rank)))
    g.choose("bob", ("x", "y"))
    return [mine.rank, -mine.rank]


SHOE: dict[str, list[int]] = {}


class Shoe:
    def __iter__(self) -> Any:
        return iter(SHOE["cards"])


THE_SHOE = Shoe()


def a_deck_that_changes(g: Play) -> object:
    SHOE["cards"] = [1, 2, 5 + g.choose("ann", (0, 1))]
    card = g.chance(THE_SHOE)
    return card, -card


@pytest.mark.parametrize(
    "rules",
    [
        a_plain_fact_or_a_hidden_one,
        the_same_for_who_forgets,
        facts_that_are_equal,
        senseless_where_excluded,
        a_deck_of_what_is_left,
        as_many_as_it_says,
        functions_made_anew,
        one_is_not_true,
        held_in_all_ways,
        a_deck_that_changes,
    ],
)
def test_nasty_rules(rules: Callable[[Play], object]) -> None:
    assert_same(family(rules))


def test_a_clash_makes_one_information_set() -> None:
    """Who is told 1 in plain words knows what is known by who sees the card 1."""
    tree = assert_same(family(a_plain_fact_or_a_hidden_one))
    assert sum(infoset.player == "ann" for infoset in tree.infosets) == 3


CALLS: list[tuple[int, int]] = []


def difference(one: int, two: int) -> int:
    CALLS.append((one, two))
    return one - two


def test_a_function_is_called_once_for_each_combination() -> None:
    CALLS.clear()

    def rules(g: Play) -> object:
        one, two = g.deal(range(4), 1, 1)
        for player in g.turns(rounds=2):
            g.choose(player, ("x", "y"))
        return g.map(difference, one, two), 0

    late = blocks_of(family(rules))
    assert late.runs == 16
    assert sorted(CALLS) == [(one, two) for one in range(4) for two in range(4) if one != two]
