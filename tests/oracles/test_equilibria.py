"""Whole sets of equilibria that are published: how many, how they hang together, which."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset.solvers.enumerate.solver import find
from infoset.solvers.options import Options
from infoset.strategy import profile
from tests.oracles.equilibria import KNOWN, Known, extreme_equilibria, is_mixture
from tests.solvers.test_enumerate import choices


@pytest.mark.parametrize("known", KNOWN, ids=str)
def test_all_published_equilibria_are_found(known: Known) -> None:
    found = find(known.game.tree(), Options())
    every = [found.strategies, *found.others]
    assert found.complete
    assert len(every) == known.count, known.source
    assert all(profile(pair).regret == 0 for pair in every)
    assert len({choices(pair) for pair in every}) == known.count
    assert tuple(part.dimension for part in found.components) == known.dimensions
    if known.equilibria:
        assert {choices(pair) for pair in every} == known.equilibria, known.source


@pytest.mark.parametrize("known", [one for one in KNOWN if one.name != "seventy-five"], ids=str)
def test_all_choices_of_facets_give_the_same(known: Known) -> None:
    tried = extreme_equilibria(known.first, known.second)
    assert len(tried) == known.count, known.source
    if known.equilibria:
        assert tried == known.equilibria, known.source
    else:
        found = find(known.game.tree(), Options())
        assert {choices(pair) for pair in (found.strategies, *found.others)} == tried


def test_kohlberg_and_mertens_1986_the_six_segments_are_a_circle() -> None:
    (part,) = find(_known("hexagon").game.tree(), Options()).components
    assert sorted(len(one) + len(two) for one, two in part.subsets) == [3] * 6  # segments
    sides = [{(x, y) for x in one for y in two} for one, two in part.subsets]
    corners = set().union(*sides)
    assert len(corners) == 6
    assert all(sum(corner in side for side in sides) == 2 for corner in corners)


def test_savani_and_von_stengel_2006_probabilities() -> None:
    known = _known("seventy-five, small payoffs")
    found = find(known.game.tree(), Options())
    every = {choices(pair) for pair in (found.strategies, *found.others)}
    published = [
        ("1/30 1/6 3/10 3/10 1/6 1/30", "1/6 1/30 3/10 3/10 1/30 1/6"),
        ("0 0 1/33 5/33 4/11 5/11", "0 0 5/33 1/33 5/11 4/11"),
        ("13/524 0 0 87/524 53/131 53/131", "0 13/524 87/524 0 53/131 53/131"),
        ("0 9/58 10/29 10/29 9/58 0", "9/58 0 10/29 10/29 0 9/58"),
        ("15/71 28/71 53/213 0 0 31/213", "0 31/213 53/213 0 15/71 28/71"),
        ("0 1 0 0 0 0", "0 0 0 0 0 1"),
    ]
    for x, y in published:
        assert (tuple(map(Fraction, x.split())), tuple(map(Fraction, y.split()))) in every


@pytest.mark.parametrize(("share", "inside"), [("1/3", True), ("1/2", True), ("51/100", False)])
def test_mixtures_are_told_exactly(share: str, inside: bool) -> None:
    vertices = [(Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(1, 2))]
    assert is_mixture((Fraction(share), 1 - Fraction(share)), vertices) is inside


def _known(name: str) -> Known:
    return next(known for known in KNOWN if known.name == name)


def test_von_stengel_1999_mixes_all_strategies_somewhere() -> None:
    found = find(_known("seventy-five").game.tree(), Options())
    supports = [
        tuple(sum(map(bool, own)) for own in choices(pair))
        for pair in (found.strategies, *found.others)
    ]
    assert all(one == two for one, two in supports)  # no ties: as many rows as columns
    assert (6, 6) in supports
