"""Tables and classes of public forms are exact whatever the numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest

from infoset import Game, Play, game, solve
from infoset.forms.public.build import PaidDeals, layout_of, table_of
from infoset.forms.public.merge import merged
from infoset.games import leduc, rhode_island
from infoset.solvers.public import solve_public
from infoset.vectorized.values import ChanceHistories, Deals, no_chance_history, times

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67)


@game(players=("a", "b"), vectorized=True)
def weighted(g: Play, large: int) -> tuple[Any, Any]:
    """Chance weights are large and share nothing."""
    one = g.chance((0, 1, 2), (large, large + 1, large - 5))
    two = g.chance((0, 1, 2), (large + 2, large - 1, 7))
    three = g.chance((0, 1), (large + 9, 3))
    g.reveal("a", one)
    g.reveal("b", two)
    same = g.choose("a", ("x", "y")) == g.choose("b", ("x", "y"))

    def paid(c: int, d: int, e: int) -> Fraction:
        return Fraction((c + 1) * (d - 1) + e, 7) if same else Fraction(d - c - e, 3)

    won = g.map(paid, one, two, three)
    return won, -won


@pytest.mark.parametrize(
    ("large", "kind"),
    [
        (1_009, np.int64),
        (40_009, np.int64),
        (100_003, np.int64),  # sums that are no floats, and fit
        (300_007, np.int64),
        (1_000_003, object),  # they fit, and what is paid times them does not
        (10**9 + 7, object),  # nor do three of them multiplied
        (10**25 + 13, object),
    ],
)
def test_large_weights_give_what_the_tree_gives(large: int, kind: type) -> None:
    one = weighted(large=large)
    form = one.public()
    assert form.tables[0].blocks[0].entries.dtype == kind
    near = solve_public(form, "cfr", iterations=1)
    there = near.on_tree(one)
    assert (near.payoffs, near.regrets) == (there.payoffs, there.regrets)


def test_the_value_is_that_of_the_tree_where_weights_do_not_fit() -> None:
    one = weighted(large=10**9 + 7)
    solution = solve_public(one.public(), "lp")
    assert solution.exact
    assert solution.value == solve(one, "lp").value


def test_weights_whose_product_does_not_fit_are_multiplied_exactly() -> None:
    for size in (2**20, 2**31, 2**40, 2**61):
        one, two = np.array([size, 3, 0]), np.array([size + 1, size, size])
        assert times(one, two).tolist() == [size * (size + 1), 3 * size, 0]


def deals_by_chance(weights: Any, several: Sequence[int] | None = None) -> Deals:
    """Deals of one move of chance; each stands for several."""
    rows = np.arange(len(weights), dtype=np.int32)
    stands_for = np.ones(len(weights), np.int64) if several is None else np.array(several)
    weights = np.asarray(weights)
    return Deals(ChanceHistories(no_chance_history(), 0 * rows, rows, weights, 1, stands_for))


def total(deals: Deals, paid: tuple[int, ...], under: int = 1) -> int:
    """What the deals are paid, times ``under``: the table of players who have not chosen yet."""
    codes = None if len(paid) == 1 else np.arange(len(deals))
    piece = PaidDeals(deals, codes, None if codes is None else deals.histories, paid)
    layout = layout_of((None, None), [deals], lambda entries: None)
    (block,) = table_of(layout, [piece], under).blocks
    return int(block.entries.item())


@pytest.mark.parametrize("large", [2**20, 2**53 - 2, 2**53, 2**58 + 1, 2**61 + 1, 2**62 - 1])
def test_sums_are_exact_beyond_what_floats_have(large: int) -> None:
    for amounts in ((large, 1, 1), (large,) * 3, (1, -large), (large, -large, 1)):
        assert total(deals_by_chance([1] * len(amounts)), amounts) == sum(amounts)


@pytest.mark.parametrize("kind", [np.int64, object])
@pytest.mark.parametrize(
    ("weight", "stands_for", "under", "paid"),
    [
        (3, 2, 5, (7, -4)),
        (2**40, 2**10, 1, (2**12, 0)),  # 2^62, at the edge
        (2**40, 2**10, 2**20, (1, 0)),
        (1, 1, 2**70 + 1, (0, 0)),  # nothing is paid, and what it is multiplied with is large
        (2**20, 1, 1, (2**50, -(2**60))),
        (1, 1, 1, (2**70, 3)),
    ],
)
def test_amounts_that_do_not_fit(
    kind: type, weight: int, stands_for: int, under: int, paid: tuple[int, int]
) -> None:
    deals = deals_by_chance(np.array([weight, 1], kind), [stands_for, 1])
    assert total(deals, paid, under) == under * (weight * stands_for * paid[0] + paid[1])
    assert total(deals, paid[:1], under) == under * (weight * stands_for + 1) * paid[0]


@game(players=("a", "b"), vectorized=True)
def seldom(g: Play) -> tuple[Any, Any]:
    """In half of the worlds nothing is paid; in the others something, very seldom."""
    nothing = g.chance((True, False))
    same = g.choose("a", ("x", "y")) == g.choose("b", ("x", "y"))
    if nothing:
        return 0, 0
    drawn = g.chance(("one", "other"), (1, 2**70))
    won = g.map(lambda one: (2 if same else -1) if one == "one" else 0, drawn)
    return won, -won


def test_nothing_times_much_is_nothing() -> None:
    assert solve_public(seldom().public(), "lp").value == Fraction(1, 4 * (2**70 + 1))
    assert solve(seldom(), "lp").value == Fraction(1, 4 * (2**70 + 1))


@game(players=("a", "b"), vectorized=True)
def primes(g: Play) -> tuple[Any, Any]:
    """As many cards as a prime number says, and none of them matters."""
    which = g.chance(tuple(range(len(PRIMES))))
    g.reveal(("a", "b"), which)
    g.reveal("a", g.chance(g.map(lambda one: tuple(range(PRIMES[one])), which)))
    same = g.choose("a", ("x", "y")) == g.choose("b", ("x", "y"))
    won = g.map(lambda one: (one + 1) * (1 if same else -1), which)
    return won, -won


def test_sets_that_stand_for_numbers_without_a_common_divisor() -> None:
    assert lcm(*PRIMES) > 2**64
    once = primes().public()
    twice = merged(once)
    assert once.infosets == (sum(PRIMES), len(PRIMES))
    assert sorted(twice.decisions[0][0].stands_for.tolist()) == list(PRIMES)
    assert merged(twice).infosets == twice.infosets == (len(PRIMES), len(PRIMES))


@pytest.mark.parametrize(
    ("one", "sets"),
    [
        (leduc(suits=3), 144),  # half of the 288 that it has by rank (test_public_merge)
        (rhode_island(ranks=4, suits=3, raises=1), 3_488),
    ],
    ids=repr,
)
def test_folded_or_not_the_same_sets_are_alike(one: Game, sets: int) -> None:
    folded = one.public()
    assert folded.folded
    assert merged(folded).infosets == merged(one.public(fold=False)).infosets == (sets, sets)
