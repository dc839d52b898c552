"""Whole sets of equilibria that are published: how many, how they hang together, which."""

from __future__ import annotations

import pytest

from infoset.solve.enumerate import find
from infoset.solve.options import Options
from infoset.strategy import profile
from tests.oracles.equilibria import KNOWN, Known, extreme_equilibria
from tests.solve.test_enumerate import choices

SMALL = 5  # strategies of a player up to which all choices of facets are tried


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


@pytest.mark.parametrize("known", [known for known in KNOWN if len(known.first) < SMALL], ids=str)
def test_all_choices_of_facets_give_the_same(known: Known) -> None:
    assert extreme_equilibria(known.first, known.second) == known.equilibria, known.source


def test_von_stengel_1999_mixes_all_strategies_somewhere() -> None:
    found = find(KNOWN[-1].game.tree(), Options())
    supports = [
        tuple(sum(map(bool, own)) for own in choices(pair))
        for pair in (found.strategies, *found.others)
    ]
    assert all(one == two for one, two in supports)  # no ties: as many rows as columns
    assert (6, 6) in supports
