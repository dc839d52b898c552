"""How a public form is laid out: every set, every entry, once; and nobody in another's way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from infoset.errors import NotApplicable
from infoset.forms.public.plans import work
from infoset.forms.public.record import Block, PayoffTable, PublicForm
from infoset.kernels.public import (
    COLUMN_SETS,
    COLUMNS,
    END_OF_ENDS,
    FIRST_END,
    MATRIX,
    ROW_SETS,
    ROWS,
)
from infoset.solvers.cfr import public_layout as panels
from infoset.solvers.cfr import public_layout as products
from infoset.solvers.cfr.loop import PublicLoop
from infoset.solvers.cfr.public_layout import (
    PublicLayout,
    continues,
    dealt,
    lay_out_public,
    pennies,
)
from infoset.solvers.cfr.variants import VARIANTS
from tests.solvers.public.forms import NAMES, public


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels, "NARROWEST", 2)
    monkeypatch.setattr(products, "TALLEST", 4)


def paid(layout: PublicLayout, item: np.ndarray) -> list[tuple[int, int, float]]:
    """What an item pays: own sequence, other's sequence, amount in units."""
    tables = layout.tables
    rows = tables.sets[item[ROW_SETS] : item[ROW_SETS] + item[ROWS]]
    columns = tables.sets[item[COLUMN_SETS] : item[COLUMN_SETS] + item[COLUMNS]]
    size = item[ROWS] * item[COLUMNS]
    matrix = tables.entries[item[MATRIX] : item[MATRIX] + size].reshape(len(rows), len(columns))
    return [
        (
            int(tables.leaves[e, 0] + i),
            int(tables.leaves[e, 1] + j),
            matrix[r, c] * tables.factors[e],
        )
        for e in range(item[FIRST_END], item[END_OF_ENDS])
        for r, i in enumerate(rows)
        for c, j in enumerate(columns)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_items_pay_what_ends_pay(name: str) -> None:
    form, layout = public(name), lay_out_public(public(name), workers=2)
    expected: dict[tuple[int, int], Fraction] = {}
    for end in form.leaves:
        one, two = (products.first_sequence(form, p, end.last[p]) for p in range(2))
        for block in form.tables[end.table].blocks:
            for (r, c), entry in np.ndenumerate(block.entries):
                pair = int(one + block.rows[r]), int(two + block.columns[c])
                expected[pair] = expected.get(pair, Fraction(0)) + int(entry) * end.factor
    for player, unit in enumerate(layout.units):
        found: dict[tuple[int, int], float] = {}
        first, last = layout.tables.waves[player]
        for low, high in layout.tables.worker_ranges[first:last].reshape(-1, 2):
            for item in layout.tables.items[low:high]:
                for own, other, amount in paid(layout, item):
                    pair, sign = ((other, own), -1) if player else ((own, other), 1)
                    found[pair] = found.get(pair, 0.0) + sign * amount * unit
        assert found.keys() == expected.keys()
        for pair, amount in expected.items():
            assert found[pair] == pytest.approx(float(amount), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_workers_of_one_wave_pay_different_sequences(name: str) -> None:
    layout = lay_out_public(public(name), workers=3)
    for wave in layout.tables.worker_ranges:
        own = [
            {pay[0] for item in layout.tables.items[low:high] for pay in paid(layout, item)}
            for low, high in wave
        ]
        assert sum(map(len, own)) == len(set().union(*own))


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("name", NAMES)
def test_every_set_is_in_one_panel_below_what_it_hangs_at(name: str, workers: int) -> None:
    layout = lay_out_public(public(name), workers=workers)
    laid, form = layout.panels, layout.form
    level_of = np.full(len(form.before), -1)
    seen = np.zeros(len(form.before), int)
    for level, borders in enumerate(laid.worker_ranges):
        for panel in laid.panels[borders[0, 0] : borders[-1, 1]]:
            for run in laid.members[panel[0] : panel[1]]:
                own = form.runs[run, 0] + np.arange(panel[2], panel[3])
                seen[own] += 1
                level_of[own] = level
        assert (borders[1:, 0] == borders[:-1, 1]).all()
    assert (seen == 1).all()
    assert sorted(laid.deferred_runs.tolist()) == np.flatnonzero(form.runs[:, 4]).tolist()
    owner = np.full(layout.sequences, -1)  # [sequence] the set at which it is chosen
    for first, end, sequence, actions, _ in form.runs.tolist():
        owner[sequence : sequence + (end - first) * actions] = np.tile(
            np.arange(first, end), actions
        )
    above = owner[form.before]
    left = np.repeat(form.runs[:, 4], form.runs[:, 1] - form.runs[:, 0]) == 1
    inner = above >= 0
    assert (level_of[left & inner] > level_of[above[left & inner]]).all()
    assert (level_of[~left] == level_of[above[~left]]).all()


def test_a_decision_with_its_sets_in_another_order_continues_nothing() -> None:
    form = public("kuhn of 40")
    later = next(n for n, one in enumerate(form.decisions[0]) if continues(form, 0, n))
    own = list(form.decisions[0])
    own[later] = replace(own[later], before=own[later].before[::-1].copy())
    turned = replace(form, decisions=(tuple(own), form.decisions[1]))
    assert len(own[later]) == len(own[own[later].after]) > 1
    assert not continues(turned, 0, later)
    plain, other = lay_out_public(form), lay_out_public(turned)
    assert (np.diff(other.panels.levels) - np.diff(plain.panels.levels)).tolist() == [[1], [0]]
    assert other.form.runs[later, 4] == 1


def test_options_that_share_a_sequence_are_added_by_one_worker() -> None:
    layout = lay_out_public(public("leduc"), workers=2)
    for borders in layout.panels.deferred_work:
        own = []
        for low, high in borders:
            runs = [
                run
                for first, end in layout.panels.deferred[low:high]
                for run in layout.panels.deferred_runs[first:end]
            ]
            spans = [layout.form.before[slice(*layout.form.runs[run, :2])] for run in runs]
            own.append(set(np.concatenate([[], *spans]).tolist()))
        assert not own[0] & own[1]


def test_work_is_dealt_out_in_equal_shares() -> None:
    assert dealt([], 2).tolist() == [[0, 0], [0, 0]]
    assert dealt([5], 3)[:, 1].max() == 1
    borders = dealt([1] * 100, 4)
    assert (borders[:, 1] - borders[:, 0]).tolist() == [25] * 4


def test_blocks_that_share_a_set_are_paid_one_after_the_other() -> None:
    plain = pennies()
    one = np.zeros(1, np.int64)
    halves = PayoffTable((Block(one, one, np.array([[3]])), Block(one, one, np.array([[-2]]))))
    cut = PublicForm(
        "cut", plain.players, plain.decisions, (halves,), plain.leaves, plain.total, plain.counts
    )
    layout = lay_out_public(cut, workers=2)
    assert layout.tables.waves.tolist() == [[0, 2], [2, 4]]
    assert work(cut) == 2 * work(plain)
    loops = [PublicLoop(lay_out_public(form), VARIANTS[0]) for form in (plain, cut)]
    for loop in loops:
        loop.state.strategy[1:3] = (0.9, 0.1)
        loop.iterate(5)
    np.testing.assert_array_equal(loops[0].state.strategy, loops[1].state.strategy)


def test_huge_payoffs_are_taken_and_those_beyond_floats_refused() -> None:
    plain = pennies()

    def scaled(amount: int) -> PublicForm:
        one = np.zeros(1, np.int64)
        table = PayoffTable((Block(one, one, np.array([[amount]], object)),))
        return PublicForm(
            "huge",
            plain.players,
            plain.decisions,
            (table,),
            plain.leaves,
            plain.total,
            plain.counts,
        )

    assert lay_out_public(scaled(3**200)).units[0] == pytest.approx(3.0**200)
    with pytest.raises(NotApplicable, match="huge: payoffs are beyond floats"):
        lay_out_public(scaled(10**400))
