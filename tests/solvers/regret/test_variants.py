"""The rows of the table: what each one is, and where two of them are the same run."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from infoset import games
from infoset.errors import ParameterError
from infoset.solvers.cfr.layout import lay_out
from infoset.solvers.cfr.loop import Loop
from infoset.solvers.cfr.variants import AVERAGING, UPDATES, VARIANTS, Variant, variant
from infoset.solvers.registry import SOLVERS


def bits(row: Variant, game: Any = None, iterations: int = 25) -> dict[str, bytes]:
    loop = Loop(lay_out((game or games.kuhn()).tree()), row)
    loop.iterate(iterations)
    return {name: array.tobytes() for name, array in loop.arrays().items()}


def test_the_family_is_the_published_one() -> None:
    # Zinkevich et al. 2007; Tammelin 2014; Brown & Sandholm 2019, sections 3 and 4 (linear CFR is
    # DCFR(1, 1, 1); DCFR(3/2, 0, 2) is what they recommend); Farina et al. 2021 (PCFR+, quadratic).
    found = {row.name: (row.exponents, row.predictive) for row in VARIANTS}
    assert found == {
        "cfr": ((inf, inf, 0), False),
        "cfr+": ((inf, -inf, 1), False),
        "linear-cfr": ((1, 1, 1), False),
        "discounted-cfr": ((1.5, 0, 2), False),
        "predictive-cfr+": ((inf, -inf, 2), True),
    }
    assert all(row.alternating for row in VARIANTS)


def test_each_is_a_method() -> None:
    methods = {row.name: row.about for row in SOLVERS}
    for row in VARIANTS:
        assert row.about in methods[row.name]


@pytest.mark.parametrize("updates", UPDATES)
def test_discounted_cfr_has_the_others_in_it(updates: str) -> None:
    tuned = variant("discounted-cfr").changed
    for game in (games.kuhn(), games.kuhn(players=3), games.leduc()):
        for name, exponents in (("cfr", (inf, inf, 0.0)), ("linear-cfr", (1.0, 1.0, 1.0))):
            one = variant(name).changed(updates=updates)
            assert bits(one, game) == bits(tuned(updates=updates, exponents=exponents), game)


def test_every_exponent_changes_the_run() -> None:
    plain = bits(variant("discounted-cfr"))
    for exponents in ((2.0, 0.0, 2.0), (1.5, 0.5, 2.0), (1.5, 0.0, 1.0)):
        assert bits(variant("discounted-cfr").changed(exponents=exponents)) != plain
    assert bits(variant("discounted-cfr").changed(exponents=(1.5, 0.0, 2.0))) == plain


def test_the_third_exponent_changes_averages_alone() -> None:
    one = bits(variant("cfr+"))
    other = bits(variant("cfr+").changed(averaging="uniform"))
    assert {name for name in one if one[name] != other[name]} == {"summed", "gained"}


@pytest.mark.parametrize("row", VARIANTS, ids=lambda row: row.name)
def test_every_choice_changes_the_run(row: Variant) -> None:
    runs = [
        bits(row.changed(updates=updates, averaging=averaging))
        for updates in UPDATES
        for averaging in AVERAGING
    ]
    assert len({run["summed"] for run in runs}) == 6
    assert len({run["regret"] for run in runs}) == 2


def test_what_is_not_asked_for_stays() -> None:
    for row in VARIANTS:
        assert row.changed() == row
        assert row.changed(updates="alternating") == row
        assert row.changed(updates="simultaneous") == replace(row, alternating=False)


@pytest.mark.parametrize(
    "row", [row for row in VARIANTS if not row.tunable], ids=lambda row: row.name
)
def test_most_have_no_exponents_to_choose(row: Variant) -> None:
    with pytest.raises(ParameterError, match=rf"{row.name.replace('+', '.')} has none to set"):
        row.changed(exponents=(1.0, 1.0, 1.0))


def test_averages_are_chosen_in_one_way() -> None:
    with pytest.raises(ParameterError, match="sets it already"):
        variant("discounted-cfr").changed(exponents=(1.0, 1.0, 1.0), averaging="linear")


def test_a_name_that_is_none_gets_the_nearest() -> None:
    with pytest.raises(ParameterError, match="no variant 'linear'; did you mean 'linear-cfr'"):
        variant("linear")
