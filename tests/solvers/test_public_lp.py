"""The linear program on public forms, and their matrices, against those of trees."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.errors import NotProved, TooLarge
from infoset.forms.public import record as matrices
from infoset.forms.public.merge import merged
from infoset.forms.public.plans import nearest_plan
from infoset.forms.public.record import PayoffTable, PublicForm, sequence_matrices
from infoset.forms.sequence import sequence_form
from infoset.games import kuhn, leduc
from infoset.linear.sparse import Sparse
from infoset.solvers.lp import NO_BASIS, STOPPED, find_public
from infoset.solvers.options import Options
from infoset.tree import Tree
from tests.oracles.public import Seats, public_form_of_tree
from tests.oracles.published import LEDUC, VALUES, Worth
from tests.rules.random_games import random_rules
from tests.solvers.test_properties import zero_sum

F = Fraction


def reordered(matrix: Sparse, rows: Any, columns: Any) -> list[list[Fraction]]:
    full = matrix.dense()
    return [[full[row][column] for column in columns] for row in rows]


def agrees_with(tree: Tree, form: PublicForm) -> None:
    """The matrices of both, the sequences of the tree put into the order of the form."""
    whole = sequence_form(tree)
    found = sequence_matrices(form)
    orders, sets = [], []
    for player in (0, 1):
        seats = Seats(tree, player)
        orders.append(seats.order())
        sets.append([0, *(1 + own for members in seats.members for own in members)])
    assert found[0].dense() == reordered(whole.A, *orders)
    assert found[1].dense() == reordered(whole.E, sets[0], orders[0])
    assert found[2].dense() == reordered(whole.F, sets[1], orders[1])


@pytest.mark.parametrize("tree", [kuhn().tree(), leduc(ranks=2, raises=0).tree()])
def test_matrices_are_those_of_the_tree(tree: Tree) -> None:
    agrees_with(tree, public_form_of_tree(tree))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5))
def test_random_games(seed: int, depth: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    assume(tree.counts.nodes < 300)
    form = public_form_of_tree(tree)
    agrees_with(tree, form)
    found = find_public(form)
    assert found.exact
    assert found.value == solve(tree).value


def optimal_in(form: PublicForm, value: Fraction | float) -> list[Fraction]:
    """What the plans leave the other at best, by a linear program's own duality: e'p and q'f."""
    payoffs, own, other = sequence_matrices(form)
    found = find_public(form)
    x, y = found.weights
    assert own.times(x).values() == [1] + [0] * (own.shape[0] - 1)
    assert other.times(y).values() == [1] + [0] * (other.shape[0] - 1)
    assert min(x.values() + y.values()) >= 0
    assert found.value == value
    return payoffs.times(y).times(x).total


FOR_TWO = [one for one in VALUES if not one.name.startswith("blair")]


@pytest.mark.parametrize("known", FOR_TWO, ids=str)
def test_published_values(known: Worth) -> None:
    tree = known.game().tree()
    assert optimal_in(public_form_of_tree(tree), known.value) == known.value, known.source


def test_leduc_to_as_many_digits_as_are_published() -> None:
    value, source = LEDUC
    found = find_public(merged(public_form_of_tree(leduc().tree())), Options(exact=True))
    assert found.exact
    assert found.value == pytest.approx(value, abs=1e-9), source


def test_floats_if_they_are_asked_for() -> None:
    form = public_form_of_tree(kuhn().tree())
    found = find_public(form, Options(exact=False))
    assert not found.exact
    assert not found.note
    assert found.value == pytest.approx(-1 / 18, abs=1e-9)
    assert isinstance(found.value, float)


def test_no_time_still_gives_plans() -> None:
    form = public_form_of_tree(leduc(ranks=4).tree())
    found = find_public(form, Options(seconds=0))
    assert found.note == STOPPED
    _, *constraints = sequence_matrices(form)
    for weights, own in zip(found.weights, constraints, strict=True):
        assert own.floats @ weights.floats == pytest.approx(np.eye(own.shape[0])[0], abs=1e-9)
    with pytest.raises(NotProved, match="give it more time"):
        find_public(form, Options(seconds=0, exact=True))


@pytest.mark.parametrize("unit", [1, 7**400])
def test_numbers_beyond_all_floats_leave_play_at_random(unit: int) -> None:
    """Payoffs near one over an enormous denominator, and enormous payoffs."""
    form = public_form_of_tree(kuhn().tree())

    def large(table: PayoffTable) -> PayoffTable:
        entries = [block.entries.astype(object) * 7**400 + 1 for block in table.blocks]
        blocks = zip(table.blocks, entries, strict=True)
        return PayoffTable(tuple(replace(block, entries=own) for block, own in blocks))

    leaves = tuple(replace(end, factor=end.factor / unit) for end in form.leaves)
    found = find_public(replace(form, tables=tuple(map(large, form.tables)), leaves=leaves))
    assert found.note == NO_BASIS
    assert not found.exact
    assert found.weights[0].floats[1:7].tolist() == [0.5] * 6
    assert np.isnan(found.value) if unit == 1 else found.value == pytest.approx(0.125)


def test_straightened_floats_share_out_what_leads_there() -> None:
    form = public_form_of_tree(kuhn().tree())
    approximate = np.full(form.sequences[0], -1.0)
    approximate[1] = 3.0  # the first option at the first set
    approximate[2] = np.nan
    plan = nearest_plan(form, 0, approximate)
    assert plan[:7].tolist() == [1, 1, 0.5, 0.5, 0, 0.5, 0.5]


def test_a_form_too_large_for_matrices_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "MOST_ENTRIES", 10)
    with pytest.raises(TooLarge, match="regret minimization"):
        sequence_matrices(public_form_of_tree(kuhn().tree()))
