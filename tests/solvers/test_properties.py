"""What must hold of every solution, on random games: proofs, agreement, indifference to names."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.solvers.solution import Solution
from infoset.tree import Builder, Tree, matrix_game
from infoset.tree.views import Node
from tests.oracles.independent import matrix_value
from tests.oracles.published import methods
from tests.rules.random_games import random_rules

F = Fraction
SEEDS = st.integers(0, 10**6)
PROFILES = 400  # of a normal form: all methods are quick then

Grid = list[list[int]]


@st.composite
def grids(draw: st.DrawFn, count: int = 1, most: int = 2) -> list[Grid]:
    """Payoff matrices of one shape, with small integers: ties everywhere."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    line = st.lists(st.integers(-most, most), min_size=columns, max_size=columns)
    return [draw(st.lists(line, min_size=rows, max_size=rows)) for _ in range(count)]


def proved(solution: Solution) -> Solution:
    """The certificate holds, by the solution's own words and by looking at pure strategies."""
    assert solution.certificate == "exact"
    assert solution.exact
    assert set(solution.regrets.values()) == {0}
    assert list(solution.payoffs) == list(solution.tree.names)
    assert all(isinstance(amount, Fraction) for amount in solution.payoffs.values())
    return solution


def remade(
    tree: Tree,
    order: Sequence[int] | None = None,
    scale: Sequence[Any] | None = None,
    shift: Sequence[Any] | None = None,
    shuffle: Random | None = None,
) -> Tree:
    """The same game, said differently.

    The players sit in another order, their payoffs are in other units, and, with ``shuffle``, they
    and their actions have other names, in another order.
    """
    names = tree.names
    order, scale, shift = order or range(len(names)), scale or [1] * 9, shift or [0] * 9
    new = [f"new {n}" if shuffle else names[n] for n in order]
    seat = {names[n]: new[at] for at, n in enumerate(order)}
    swaps: dict[int, list[int]] = {}
    b = Builder(new, "remade")

    def ordered(infoset: int, size: int) -> list[int]:
        if infoset not in swaps:
            swaps[infoset] = list(range(size))
            if shuffle:
                shuffle.shuffle(swaps[infoset])
        return swaps[infoset]

    def grow(node: Node, at: int) -> None:
        if node.is_leaf:
            amounts = list(node.payoffs.values())
            b.pay(at, [amounts[n] * scale[n] + shift[n] for n in order])
        elif node.is_chance:
            below = b.chance(at, range(len(node.children)), node.probabilities)
            for child, place in zip(node.children, below, strict=True):
                grow(child, place)
        else:
            assert node.infoset is not None
            assert node.player is not None
            size, index = len(node.children), node.infoset.index
            moved = ordered(index, size)
            said = [f"{'to' if shuffle else 'do'} {action}" for action in moved]
            for action, place in zip(
                moved, b.decide(at, seat[node.player], said, infoset=index), strict=True
            ):
                grow(node.children[action], place)

    grow(tree.root, b.root)
    return b.build()


def zero_sum(tree: Tree) -> Tree:
    """The game in which player two pays what player one gets."""
    b = Builder(tree.names, "zero sum")

    def grow(node: Node, at: int) -> None:
        if node.is_leaf:
            amount = next(iter(node.payoffs.values()))
            b.pay(at, (amount, -amount))
            return
        if node.is_chance:
            below = b.chance(at, range(len(node.children)), node.probabilities)
        else:
            assert node.infoset is not None
            assert node.player is not None
            below = b.decide(at, node.player, node.actions, infoset=node.infoset.index)
        for child, place in zip(node.children, below, strict=True):
            grow(child, place)

    grow(tree.root, b.root)
    return b.build()


# ---------------------------------------------------------------------- every solver, every game


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3), depth=st.integers(0, 5), forgetful=st.booleans())
def test_every_solver_proves_its_answer(
    seed: int, players: int, depth: int, forgetful: bool
) -> None:
    tree = random_rules(seed, players, depth, forgetful)().tree()
    for name in methods(tree, PROFILES):
        solution = proved(solve(tree, name))
        assert solution.method == name
        approximate = solve(tree, name, exact=False)
        assert approximate.proved
        assert 0 <= approximate.regret < F(1, 10**9)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, depth=st.integers(0, 6))
def test_zero_sum_games_have_one_value(seed: int, depth: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    assert tree.zero_sum
    names = methods(tree, PROFILES)
    assert {"lp", "lcp"} <= set(names)
    assert len({proved(solve(tree, name)).value for name in names}) == 1


@settings(max_examples=40, deadline=None)
@given(grids())
def test_matrix_games_against_scipy(given: list[Grid]) -> None:
    tree = matrix_game(given[0]).tree()
    by_scipy = matrix_value(given[0])
    for name in methods(tree):
        assert proved(solve(tree, name)).value == pytest.approx(by_scipy, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(grids(count=2))
def test_bimatrix_games_with_ties(given: list[Grid]) -> None:
    first, second = given
    for name in ("lcp", "lemke-howson"):
        solution = proved(solve(matrix_game(first, second), name))
        x, y = (list(row.values()) for own in solution.strategy.values() for row in own.values())
        rows = [sum(a * q for a, q in zip(line, y, strict=True)) for line in first]
        columns = [
            sum(b * p for b, p in zip(line, x, strict=True)) for line in zip(*second, strict=True)
        ]
        assert sum(p * amount for p, amount in zip(x, rows, strict=True)) == max(rows)
        assert sum(q * amount for q, amount in zip(y, columns, strict=True)) == max(columns)
        assert list(solution.payoffs.values()) == [max(rows), max(columns)]


# ---------------------------------------------------------------------- what does not matter


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, depth=st.integers(1, 5), stir=SEEDS)
def test_names_and_order_of_actions_do_not_matter(seed: int, depth: int, stir: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    other = remade(tree, shuffle=Random(stir))
    for name in methods(tree, PROFILES):
        assert proved(solve(tree, name)).value == proved(solve(other, name)).value


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, depth=st.integers(1, 5))
def test_players_that_change_seats_negate_the_value(seed: int, depth: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    other = remade(tree, order=(1, 0))
    for name in methods(tree, PROFILES):
        assert proved(solve(tree, name)).value == -proved(solve(other, name)).value


UNITS = st.fractions(F(1, 9), 9, max_denominator=9)
CONSTANTS = st.integers(-9, 9)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, depth=st.integers(1, 5), unit=UNITS, one=CONSTANTS, two=CONSTANTS)
def test_units_scale_and_constants_shift_the_value(
    seed: int, depth: int, unit: Fraction, one: int, two: int
) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    other = remade(tree, scale=(unit, unit), shift=(one, two))
    for name in methods(tree, PROFILES):
        value = proved(solve(tree, name)).value
        payoffs = proved(solve(other, name)).payoffs.values()
        assert list(payoffs) == [value * unit + one, -value * unit + two]


@settings(max_examples=40, deadline=None)
@given(
    seed=SEEDS,
    depth=st.integers(1, 5),
    units=st.tuples(UNITS, UNITS),
    constants=st.tuples(CONSTANTS, CONSTANTS),
)
def test_each_player_may_count_in_its_own_unit(
    seed: int, depth: int, units: tuple[Fraction, ...], constants: tuple[int, ...]
) -> None:
    """What Lemke's method and backward induction find depends on preferences alone."""
    tree = random_rules(seed, 2, depth)().tree()
    other = remade(tree, scale=units, shift=constants)
    for name in set(methods(tree)) & {"backward", "lcp"}:
        payoffs = proved(solve(tree, name)).payoffs.values()
        expected = [p * a + c for p, a, c in zip(payoffs, units, constants, strict=True)]
        assert list(proved(solve(other, name)).payoffs.values()) == expected


@settings(max_examples=20, deadline=None)
@given(grids(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_does_not_matter(given: list[Grid], random: Random) -> None:
    rows = [list(row) for row in given[0]]
    random.shuffle(rows)
    columns = [list(column) for column in zip(*rows, strict=True)]
    random.shuffle(columns)
    shuffled = [list(row) for row in zip(*columns, strict=True)]
    for name in ("lp", "lcp", "normal-lp", "lemke-howson"):
        value = solve(matrix_game(given[0]), name).value
        assert proved(solve(matrix_game(shuffled), name)).value == value


@settings(max_examples=20, deadline=None)
@given(grids())
def test_a_row_that_is_there_twice_changes_nothing(given: list[Grid]) -> None:
    grid = given[0]
    for name in ("lp", "lcp", "normal-lp", "lemke-howson"):
        value = solve(matrix_game(grid), name).value
        assert proved(solve(matrix_game([*grid, grid[0]]), name)).value == value
