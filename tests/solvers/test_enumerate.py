"""All extreme equilibria: against all choices of facets, other solvers, and the other form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from infoset import games, matrix_game
from infoset.errors import NoEquilibrium, TooLarge
from infoset.forms.normal import normal_form, normal_size
from infoset.forms.sequence import sequence_form
from infoset.solvers import lcp, lemke_howson, lp, normal_lp, pure, quasi_perfect, wilson
from infoset.solvers.enumerate import solver as method
from infoset.solvers.enumerate.solver import Search, find
from infoset.solvers.lemke_howson import exact_mixed, matrices
from infoset.solvers.options import Found, Options
from infoset.strategy import as_plan, profile
from infoset.tree import Tree
from tests.oracles.equilibria import extreme_equilibria, is_mixture
from tests.rules.random_games import random_rules

Plan = tuple[Fraction, ...]
Pair = tuple[Plan, Plan]

payoffs = some.integers(-3, 3)  # few values: many ties
sizes = some.tuples(some.integers(1, 4), some.integers(1, 4))
seeds = some.integers(0, 10_000)


def choices(pair: Sequence[Any]) -> Any:
    """The weights of choices of a game with one move each."""
    return tuple(tuple(plan.weights.values()[1:]) for plan in pair)


def every(found: Found) -> list[Any]:
    return [found.strategies, *found.others]


def small(tree: Tree) -> bool:
    """Is the normal form small enough to go through?"""
    sizes = normal_size(tree)
    return all(size is not None and size <= 16 for size in sizes)


def plans(tree: Tree) -> set[Pair]:
    """The extreme equilibria of the sequence form, each met once."""
    form = sequence_form(tree)
    pairs = [pair for pair in Search(form.payoffs, form.E, form.F) if pair is not None]
    found = {(tuple(x.values()), tuple(y.values())) for x, y in pairs}
    assert len(found) == len(pairs)
    return found


def images(tree: Tree) -> set[Pair]:
    """Those of the normal form, as plans; then only those that are no mixtures of others.

    The plans that are best against a plan y, and y against them, are the images of mixed strategies
    of which the same holds. So of the pairs (x, y) keep those with x a corner of all that go with y
    and y of all that go with x.
    """
    form = normal_form(tree)
    one, two, own, other = matrices(form)
    found = set()
    for pair in Search((one, two), own, other):
        if pair is not None:
            x, y = (as_plan(mixed) for mixed in exact_mixed(form, *pair))
            found.add((tuple(x.weights.values()), tuple(y.weights.values())))
    return {
        (x, y)
        for x, y in found
        if not mixture(x, (a for a, b in found if b == y))
        and not mixture(y, (b for a, b in found if a == x))
    }


def mixture(plan: Plan, others: Iterable[Plan]) -> bool:
    """Is a plan a mixture of some others, itself not counted?"""
    return is_mixture(plan, [other for other in others if other != plan])


def contains(found: Found, x: Plan, y: Plan) -> bool:
    """Is a pair an equilibrium of one of the subsets that were named? Decided exactly."""
    known = [tuple(map(plan_of, pair)) for pair in every(found)]
    return any(
        is_mixture(x, [known[at][0] for at in one]) and is_mixture(y, [known[at][1] for at in two])
        for part in found.components
        for one, two in part.subsets
    )


def plan_of(strategy: Any) -> Plan:
    return tuple(as_plan(strategy).weights.values())


@settings(deadline=None, max_examples=30)
@given(sizes, some.randoms(use_true_random=False))
def test_ties_or_not_the_same_as_all_choices_of_facets(size: tuple[int, int], random: Any) -> None:
    first, second = (
        [[random.randint(-2, 2) for _ in range(size[1])] for _ in range(size[0])] for _ in range(2)
    )
    found = find(matrix_game(first, second).tree(), Options())
    assert found.complete
    assert len(every(found)) == len({choices(pair) for pair in every(found)})
    assert {choices(pair) for pair in every(found)} == extreme_equilibria(first, second)


@settings(deadline=None, max_examples=12)
@given(seeds)
def test_sequence_form_and_normal_form_agree(seed: int) -> None:
    tree = random_rules(seed, players=2, depth=3)().tree()
    if small(tree):
        assert plans(tree) == images(tree)


@pytest.mark.parametrize("name", ["beer_quiche", "centipede", "koller_megiddo_von_stengel", "kuhn"])
def test_the_forms_agree_on_games_of_the_library(name: str) -> None:
    tree = getattr(games, name)().tree()
    assert plans(tree) == images(tree)


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_every_equilibrium_that_another_method_finds_is_there(seed: int) -> None:
    tree = random_rules(seed, players=2, depth=3)().tree()
    if not small(tree):
        return
    found = find(tree, Options())
    assert found.complete
    assert all(profile(pair).regret == 0 for pair in every(found))
    for solver in (lcp, lemke_howson, wilson, quasi_perfect, pure):
        try:
            theirs = solver.find(tree, Options(most=inf))
        except NoEquilibrium:
            assert solver is pure
            continue
        for one, two in every(theirs):
            assert contains(found, plan_of(one), plan_of(two)), solver.__name__


@settings(deadline=None, max_examples=15)
@given(sizes, some.randoms(use_true_random=False))
def test_optimal_strategies_of_zero_sum_games_are_there(size: tuple[int, int], random: Any) -> None:
    first = [[random.randint(-2, 2) for _ in range(size[1])] for _ in range(size[0])]
    tree = matrix_game(first, [[-amount for amount in row] for row in first]).tree()
    found = find(tree, Options())
    for solver in (lp, normal_lp):
        one, two = solver.find(tree, Options()).strategies
        assert contains(found, plan_of(one), plan_of(two)), solver.__name__


def test_without_recall_all_are_equilibria_and_none_is_met_twice() -> None:
    met = 0
    for seed in range(250):
        tree = random_rules(seed, players=2, depth=3, forgetful=True)().tree()
        if tree.perfect_recall or any(size is None or size > 6 for size in normal_size(tree)):
            continue
        met += 1
        found = find(tree, Options())
        one, two = (table.tolist() for table in normal_form(tree).numerators)
        assert found.complete
        assert all(profile(pair).regret == 0 for pair in every(found))
        assert len(every(found)) == len(extreme_equilibria(one, two))
    assert met >= 3


def test_kuhn_1950_player_one_has_a_segment_and_player_two_one_plan() -> None:
    found = find(games.kuhn().tree(), Options())
    one, two = zip(*every(found), strict=True)
    bluffs = [plan.weights[2] for plan in one]  # J, [bet]: any share up to 1/3
    assert sorted(bluffs) == [0, Fraction(1, 3)]
    assert two[0].weights.values() == two[1].weights.values()
    assert [part.dimension for part in found.components] == [1]


def test_simple_ones_come_first() -> None:
    found = find(matrix_game([[2, 0], [0, 1]], [[1, 0], [0, 2]]).tree(), Options())
    assert [choices(pair) for pair in every(found)] == [
        ((1, 0), (1, 0)),
        ((0, 1), (0, 1)),
        ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
    ]


def test_payoffs_too_long_for_machine_words() -> None:
    far = 10**40
    found = find(matrix_game([[far, 0], [0, 1]], [[1, 0], [0, far]]).tree(), Options())
    assert choices(found.others[1]) == (
        (Fraction(far, far + 1), Fraction(1, far + 1)),
        (Fraction(1, far + 1), Fraction(far, far + 1)),
    )


def test_dominated_strategies_take_no_search() -> None:
    found = find(games.prisoners_dilemma().tree(), Options())
    assert (len(every(found)), found.work["nodes"]) == (1, 1)


def test_stops_after_as_many_as_asked_for() -> None:
    tree = matrix_game(np.eye(4, dtype=int).tolist(), np.eye(4, dtype=int).tolist()).tree()
    some_of_them, all_of_them = find(tree, Options(most=4)), find(tree, Options(most=inf))
    assert (len(every(some_of_them)), some_of_them.complete) == (4, False)
    assert some_of_them.components == ()
    assert "of the search done" in some_of_them.remark
    assert (len(every(all_of_them)), all_of_them.complete) == (15, True)
    assert all_of_them.remark == ""


def test_stopped_before_anything_was_found() -> None:
    found = find(games.kuhn(ranks=5).tree(), Options(stop=lambda: True))
    assert not found.complete
    assert "of the search done; no equilibrium was found" in found.remark
    assert profile(found.strategies).regret > 0


def test_a_hopeless_search_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method, "LOOKS", (0.001,))
    monkeypatch.setattr(method, "PATIENCE", 0.01)
    tree = games.oil_pricing().tree()
    with pytest.raises(TooLarge, match=r"oil_pricing.*estimated to take .*; most=N"):
        find(tree, Options())
    assert len(every(find(tree, Options(most=3)))) == 3  # asked for a few, it is no matter


def test_many_corners_that_hang_together_are_no_hopeless_search() -> None:
    zero = [[0] * 11 for _ in range(11)]
    found = find(matrix_game(zero, zero).tree(), Options())
    assert len(every(found)) == 121
    assert [part.dimension for part in found.components] == [20]


def test_tables_too_large_to_be_kept_are_refused_at_once() -> None:
    with pytest.raises(TooLarge, match=r"leduc.*1,093 by 1,094 integers.*lp or lcp"):
        find(games.leduc().tree(), Options(most=1))


def test_a_time_limit_holds_within_the_first_node() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 5

    found = find(games.kuhn(ranks=5).tree(), Options(stop=stop))
    assert (len(asked), found.work["nodes"], found.complete) == (6, 1, False)


def test_progress_is_told() -> None:
    told: list[str] = []
    find(games.beer_quiche().tree(), Options(tick=told.append))
    assert told[-1].startswith("4 equilibria, 100")
