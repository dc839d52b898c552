"""Components and maximal Nash subsets, against all sets of strategies."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infoset.linear.numbers import Numbers
from infoset.solvers.components import Component, components


def corner(at: int) -> Numbers:
    return Numbers.of([int(at == own) for own in range(5)])


def nonempty(given: list[int]) -> list[tuple[int, ...]]:
    sizes = range(1, len(given) + 1)
    return list(chain.from_iterable(combinations(given, size) for size in sizes))


@given(some.sets(some.tuples(some.integers(0, 4), some.integers(0, 4)), min_size=1))
def test_subsets_are_all_that_are_maximal(edges: set[tuple[int, int]]) -> None:
    ordered = sorted(edges)
    found = components([(corner(x), corner(y)) for x, y in ordered])
    every = {
        (one, two)
        for one in nonempty(sorted({x for x, _ in ordered}))
        for two in nonempty(sorted({y for _, y in ordered}))
        if all((x, y) in edges for x in one for y in two)
    }
    maximal = {
        (one, two)
        for one, two in every
        if not any(
            set(one) <= set(a) and set(two) <= set(b) and (one, two) != (a, b) for a, b in every
        )
    }
    named = {
        (
            tuple(sorted(ordered[at][0] for at in one)),
            tuple(sorted(ordered[at][1] for at in two)),
        )
        for part in found
        for one, two in part.subsets
    }
    assert named == maximal
    assert sorted(at for part in found for at in part.members) == list(range(len(ordered)))
    for part in found:  # corners of a simplex: as many dimensions as corners, less one
        assert part.dimension == max(len(one) + len(two) - 2 for one, two in part.subsets)


@given(some.sets(some.tuples(some.integers(0, 4), some.integers(0, 4)), min_size=1))
def test_components_share_no_strategy(edges: set[tuple[int, int]]) -> None:
    ordered = sorted(edges)
    found = components([(corner(x), corner(y)) for x, y in ordered])
    for one, two in combinations(found, 2):
        for side in (0, 1):
            assert not {ordered[at][side] for at in one.members} & {
                ordered[at][side] for at in two.members
            }


def test_mixtures_do_not_add_to_the_dimension() -> None:
    x, y = corner(0), [Numbers.of(plan) for plan in ([3, 0, 0], [0, 3, 0], [1, 1, 1], [2, 1, 0])]
    assert components([(x, Numbers(own.numerators, 3)) for own in y])[0].dimension == 2


@pytest.mark.parametrize("count", [1, 1_200])
def test_in_words(count: int) -> None:
    part = Component(3, tuple(range(count)), 2, ())
    known = {1: "1 extreme equilibrium", 1_200: "1,200 extreme equilibria"}[count]
    assert str(part) == f"component 3: {known}, dimension 2"
