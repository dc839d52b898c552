"""The loop on the public form: the algorithm of the tree, the same bits on any workers."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.solvers.cfr import public_layout as panels
from infoset.solvers.cfr import public_layout as products
from infoset.solvers.cfr.layout import lay_out
from infoset.solvers.cfr.loop import Loop, PublicLoop
from infoset.solvers.cfr.public_layout import lay_out_public
from infoset.solvers.cfr.variants import VARIANTS, Variant, variant
from tests.oracles.public import public_form_of_tree
from tests.solvers.public.forms import NAMES, opposed, orders, public, trees
from tests.solvers.regret.odd_games import generic_tree

SIMULTANEOUS = tuple(replace(row, alternating=False) for row in VARIANTS[:2])


def both(name: str, row: Variant, iterations: int) -> tuple[Loop, PublicLoop]:
    loops = Loop(lay_out(trees()[name]), row), PublicLoop(lay_out_public(public(name)), row)
    for loop in loops:
        loop.iterate(iterations)
    return loops


@pytest.mark.parametrize("row", [*VARIANTS, *SIMULTANEOUS], ids=lambda row: row.name)
@pytest.mark.parametrize("name", NAMES)
def test_every_variant_does_what_it_does_on_the_tree(name: str, row: Variant) -> None:
    tree, form = both(name, row, 12)
    plans = [tree.weights(tree.plan())[player][order] for player, order in enumerate(orders(name))]
    for expected, found in zip(plans, form.weights(form.plan()), strict=True):
        assert found == pytest.approx(expected, abs=1e-9)
    assert form.measure().regrets == pytest.approx(tree.measure().regrets, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_on_random_games_regrets_are_those_of_the_tree(seed: int) -> None:
    tree = opposed(generic_tree(seed, 2, 4))
    loops = (
        Loop(lay_out(tree), VARIANTS[1]),
        PublicLoop(lay_out_public(public_form_of_tree(tree)), VARIANTS[1]),
    )
    for loop in loops:
        loop.iterate(5)
    scale = max(abs(one) for pay in tree.payoffs for one in pay) or 1
    found, expected = (loop.measure().regrets for loop in loops)
    assert np.array(found) / float(scale) == pytest.approx(
        np.array(expected) / float(scale), abs=1e-9
    )


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("row", [VARIANTS[3], SIMULTANEOUS[1]], ids=lambda row: row.name)
@pytest.mark.parametrize("name", ["kuhn of 40", "leduc", "random 5"])
def test_any_number_of_workers_gives_the_same_bits(
    name: str, row: Variant, precision: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panels, "NARROWEST", 3)  # so that there is something to share
    monkeypatch.setattr(products, "TALLEST", 7)
    states = []
    for workers in (1, 2, 3):
        layout = lay_out_public(public(name), precision, workers)
        loop = PublicLoop(layout, row)
        loop.iterate(3)
        loop.iterate(20)
        states.append((loop.state, loop.measure()))
        assert loop.state.weight.dtype == precision
    for state, measured in states[1:]:
        assert measured == states[0][1]
        for kept in ("weight", "regret", "strategy", "summed", "gained"):
            np.testing.assert_array_equal(getattr(state, kept), getattr(states[0][0], kept))


@pytest.mark.parametrize("name", ["kuhn of 40", "leduc", "random 3"])
def test_how_the_work_is_cut_changes_only_roundings(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = PublicLoop(lay_out_public(public(name)), VARIANTS[1])
    monkeypatch.setattr(panels, "NARROWEST", 2)
    monkeypatch.setattr(products, "TALLEST", 5)
    monkeypatch.setattr(products, "GATHERED", 64)
    cut = PublicLoop(lay_out_public(public(name)), VARIANTS[1])
    assert len(cut.layout.panels.panels) >= len(plain.layout.panels.panels)
    assert len(cut.layout.tables.items) > len(plain.layout.tables.items) or "random" in name
    for loop in (plain, cut):
        loop.iterate(10)
    np.testing.assert_allclose(cut.plan(), plain.plan(), atol=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_half_the_digits_come_about_as_near(name: str) -> None:
    loop = PublicLoop(lay_out_public(public(name), np.float32), variant("discounted-cfr"))
    exact = PublicLoop(lay_out_public(public(name)), variant("discounted-cfr"))
    assert loop.layout.tables.entries.dtype == np.float32
    for each in (loop, exact):
        each.iterate(3)
    assert loop.measure().regrets == pytest.approx(exact.measure().regrets, rel=1e-4)
    for each in (loop, exact):
        each.iterate(297)
    assert loop.measure().regret < 2 * exact.measure().regret < 4e-3


def test_a_restored_loop_goes_on_to_the_last_bit() -> None:
    row = variant("predictive-cfr+")
    loop = PublicLoop(lay_out_public(public("leduc")), row)
    loop.iterate(7)
    other = PublicLoop(lay_out_public(public("leduc"), workers=2), row)
    other.restore(loop.done, {name: own.copy() for name, own in loop.arrays().items()})
    for each in (loop, other):
        each.iterate(9)
    np.testing.assert_array_equal(loop.state.summed, other.state.summed)
    assert other.done == 16


def test_kernels_say_the_same_compiled_and_not() -> None:
    from infoset.kernels import public as kernels

    row = replace(VARIANTS[3], keep=inf)
    loops = [PublicLoop(lay_out_public(public("kuhn")), row) for _ in range(2)]
    loops[0].iterate(4)
    laid, state = loops[1].layout, loops[1].state
    gate = np.zeros(24, np.int64)
    kernels.run.py_func(  # type: ignore[attr-defined]
        4, 0, laid.form, laid.panels, laid.tables, state, row.exponents, False, True, 0, 1, gate
    )
    np.testing.assert_allclose(state.summed, loops[0].state.summed, rtol=1e-12)
