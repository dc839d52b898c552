"""A layout is the game: its entries, in its units, pay what profiles of the tree do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset import games
from infoset.errors import NotApplicable
from infoset.forms.sequence import sequence_form
from infoset.kernels.regret import LANES
from infoset.solvers.cfr.layout import TreeLayout, lay_out
from infoset.strategy import profile
from infoset.strategy.behaviour import plan_from_floats
from infoset.tree import Tree, matrix_game
from infoset.tree.builder import Builder
from tests.rules.random_games import random_rules
from tests.solvers.regret.odd_games import ODD, generic_tree

GAMES = {
    **ODD,
    "kuhn": lambda: games.kuhn().tree(),
    "kuhn of three": lambda: games.kuhn(players=3).tree(),
    "leduc": lambda: games.leduc().tree(),
    "goofspiel": lambda: games.goofspiel(cards=3).tree(),
    "dilemma": lambda: games.prisoners_dilemma().tree(),
    **{f"random of {n}": lambda n=n: generic_tree(2, n, 4) for n in (1, 2, 3, 4)},
}


def entries(layout: TreeLayout, player: int) -> list[tuple[int, tuple[int, ...], float]]:
    """A player's entries: its own sequence, those of the others, and what it pays."""
    form, found = layout.form, []
    first, end = form.worker_ranges[player, 0, 0], form.worker_ranges[player, -1, 1]
    for number in range(first, end):
        for lane in range(LANES):
            row = int(form.rows[LANES * number + lane])
            begin, stop = LANES * form.slices[number], LANES * form.slices[number + 1]
            for entry in range(begin + lane, stop, LANES):
                if form.value[entry]:
                    partners = tuple(form.partner[entry].tolist())
                    found.append((row, partners, float(form.value[entry])))
    return found


def payoff(layout: TreeLayout, weight: np.ndarray, player: int) -> float:
    """What some plans pay a player, by the layout alone."""
    total = sum(
        value * weight[row] * np.prod(weight[list(partners)])
        for row, partners, value in entries(layout, player)
    )
    return float(total) * layout.units[player]


def random_plans(tree: Tree, seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    return [
        plan_from_floats(
            tree, name, generator.random(len(own)) * (generator.random(len(own)) < 0.7)
        )
        for name, own in zip(tree.names, tree.choices, strict=True)
    ]


def check_payoffs(tree: Tree, workers: int) -> None:
    """Two random profiles differ by as much on the layout as on the tree."""
    layout = lay_out(tree, workers=workers)
    found, wanted = [], []
    for seed in (1, 2, 3):
        plans = random_plans(tree, seed)
        weight = np.zeros(layout.sequences + 1)
        for place, plan in zip(layout.places, plans, strict=True):
            weight[place] = plan.weights.floats
        found.append([payoff(layout, weight, player) for player in range(len(plans))])
        wanted.append([float(amount) for amount in profile(plans).payoffs.values()])
    scale = max(float(np.abs(stake.floats).max()) for stake in tree.leaf_payoffs)
    for one in (1, 2):
        np.testing.assert_allclose(
            np.subtract(found[one], found[0]),
            np.subtract(wanted[one], wanted[0]),
            rtol=1e-12,
            atol=1e-13 * scale,
        )


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("name", GAMES)
def test_entries_pay_what_profiles_do(name: str, workers: int) -> None:
    check_payoffs(GAMES[name](), workers)


@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), workers=st.integers(1, 4))
def test_on_random_games_too(seed: int, players: int, workers: int) -> None:
    check_payoffs(random_rules(seed, players, 4)().tree(), workers)


def most_frequent(amounts: list[Fraction]) -> Fraction:
    counts = Counter(amounts)
    return min(counts, key=lambda amount: (-counts[amount], amount))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel", "dilemma", "random of 2"])
def test_for_two_players_they_are_the_matrices_of_the_sequence_form(name: str) -> None:
    tree = GAMES[name]()
    layout = lay_out(tree)
    usual = [most_frequent(stake.values()) for stake in tree.leaf_payoffs]
    moved = replace(
        tree,
        payoffs=tuple(
            tuple(a - b for a, b in zip(row, usual, strict=True)) for row in tree.payoffs
        ),
    )
    matrices = sequence_form(moved)
    at = np.concatenate([np.argsort(place) for place in layout.places])
    for player, matrix in enumerate((matrices.A, matrices.B)):
        found = {}
        for row, (partner,), value in entries(layout, player):
            key = (int(at[row]), int(at[partner]))
            found[key if player == 0 else key[::-1]] = value * layout.units[player]
        rows, columns = matrix.rows.tolist(), matrix.columns.tolist()
        amounts = [float(amount) for amount in matrix.entries.values()]
        wanted = dict(zip(zip(rows, columns, strict=True), amounts, strict=True))
        assert found.keys() == wanted.keys()
        assert list(found.values()) == pytest.approx([wanted[key] for key in found], rel=1e-15)


# ---------------------------------------------------------------------- how it is stored


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
@pytest.mark.parametrize("name", GAMES)
def test_rows_and_slices_are_shared_out_once(name: str, workers: int) -> None:
    tree = GAMES[name]()
    layout = lay_out(tree, workers=workers)
    form, total = layout.form, layout.sequences
    assert form.worker_ranges.shape == (len(tree.players), workers, 2)
    borders = form.worker_ranges.reshape(-1, 2)
    assert borders[0, 0] == 0
    assert borders[1:, 0].tolist() == borders[:-1, 1].tolist()
    assert borders[-1, 1] == len(form.slices) - 1 == len(form.rows) // LANES
    assert LANES * form.slices[-1] == len(form.value) == len(form.partner)
    real = form.rows[form.rows < total]
    assert len(set(real.tolist())) == len(real)  # a row is one worker's
    assert np.count_nonzero(form.value) == layout.entries
    assert form.partner.shape[1] == len(tree.players) - 1
    assert sorted(np.concatenate(layout.places).tolist()) == list(range(total))
    assert sorted(layout.run_order.tolist()) == list(range(len(form.runs)))
    for player, (low, place) in enumerate(zip(form.roots, layout.places, strict=True)):
        assert place[0] == low
        first, end = form.worker_ranges[player, 0, 0], form.worker_ranges[player, -1, 1]
        own = form.rows[LANES * first : LANES * end]
        assert set(own.tolist()) <= {*place.tolist(), total}


def test_rows_of_equal_length_stand_together() -> None:
    # Liar's dice has rows of 1 to many entries; almost nothing is filled up.
    layout = lay_out(games.liars_dice(sides=3).tree())
    assert len(layout.form.value) < 1.1 * layout.entries


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_arrays_have_the_types_that_were_compiled(precision: Any) -> None:
    # Another type anywhere, also of an empty array, would be compiled again, for seconds.
    types = {
        tuple((array.dtype, array.ndim, array.flags.c_contiguous) for array in layout.form)
        for layout in (lay_out(make(), precision, 2) for make in GAMES.values())
    }
    assert len(types) == 1


# ---------------------------------------------------------------------- numbers at the edges


@pytest.mark.parametrize(
    "unit", [10**30, 10**200, 10**290, Fraction(1, 10**30), Fraction(1, 10**290), Fraction(1, 3)]
)
def test_payoffs_of_any_size_are_their_unit_times_the_same_entries(unit: Any) -> None:
    plain = lay_out(matrix_game([[3, -1], [-2, 5]]).tree())
    scaled = lay_out(matrix_game([[3 * unit, -unit], [-2 * unit, 5 * unit]]).tree())
    assert scaled.form.value.tolist() == plain.form.value.tolist()
    assert scaled.units == pytest.approx([float(unit * Fraction(one)) for one in plain.units])


@pytest.mark.parametrize(
    "unit",
    [10**309, 10**400, Fraction(1, 10**309), Fraction(1, 10**400)],
    ids=["1e309", "1e400", "1e-309", "1e-400"],
)
def test_payoffs_beyond_floats_are_refused(unit: Any) -> None:
    with pytest.raises(NotApplicable, match="matrix game: payoffs are beyond floats"):
        lay_out(matrix_game([[unit, -unit], [-2 * unit, unit]]).tree())


def test_what_payoffs_have_in_common_is_taken_off() -> None:
    far = 10**40
    plain = lay_out(matrix_game([[0, 0], [0, 7]], [[0, 0], [0, 1]]).tree())
    moved = lay_out(matrix_game([[far, far], [far, far + 7]], [[5, 5], [5, 6]]).tree())
    assert moved.entries == plain.entries == 2
    assert moved.form.value.tolist() == plain.form.value.tolist()
    assert moved.units == plain.units


@pytest.mark.parametrize(
    "amount",
    [0, 5, Fraction(-1, 3), 10**400, Fraction(1, 10**400)],
    ids=["zero", "five", "-1/3", "huge", "tiny"],
)
def test_equal_payoffs_have_no_entries(amount: Any) -> None:
    layout = lay_out(matrix_game([[amount] * 3] * 2).tree())
    assert layout.entries == 0
    assert layout.sequences == 7


def test_entries_that_cancel_are_left_out() -> None:
    # Ann's two ends weigh 1/2 each and pay 1 and -1 beside two that pay nothing.
    builder = Builder(("ann", "bob"), "cancelled")
    left, right = builder.decide(builder.root, "ann", ("l", "r"))
    for amount, node in zip((1, -1), builder.chance(left, ("heads", "tails")), strict=True):
        builder.pay(node, (amount, 0))
    for node in builder.chance(right, ("heads", "tails")):
        builder.pay(node, (0, 0))
    assert lay_out(builder.build()).entries == 0


def chances(*weights: Any) -> Tree:
    builder = Builder(("ann", "bob"), "chances")
    for number, node in enumerate(builder.chance(builder.root, range(len(weights)), weights)):
        for first, below in enumerate(builder.decide(node, "ann", ("l", "r"), infoset=number)):
            for second, end in enumerate(builder.decide(below, "bob", ("l", "r"), infoset="all")):
                amount = (3 * first + 5 * second + 2 * number) % 4 - 1
                builder.pay(end, (amount, -amount))
    return builder.build()


@pytest.mark.parametrize(
    "weights",
    [(1, 10**12), (0, 1, 2), (1, 10**30), (10**400, 1), (Fraction(1, 7), Fraction(3, 11))],
)
def test_chances_of_any_size(weights: Any) -> None:
    tree = chances(*weights)
    check_payoffs(tree, 2)
    if 0 in weights:  # a play that cannot happen has no entry
        assert lay_out(tree).entries == lay_out(chances(*weights[1:])).entries
