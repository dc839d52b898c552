"""Dominated strategies: textbooks, the definition spelled out, and a solver of someone else's."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from infoset.errors import InfosetError
from infoset.forms import dominance as module
from infoset.forms import normal_form
from infoset.forms.dominance import Dominance, Dominated, dominated
from infoset.games import beer_quiche, kuhn, matching_pennies, prisoners_dilemma
from infoset.tree import MatrixGame, matrix_game

F = Fraction
HALF = F(1, 2)


def of_matrix(payoffs: Any, **options: Any) -> Dominance:
    """The row player's dominated strategies."""
    return dominated(normal_form(matrix_game(payoffs).tree()), 0, **options)


def payoff_rows(form: Any, player: int) -> list[list[Fraction]]:
    """A player's payoffs by the definition: a row for each strategy, a column for each else."""
    others = [range(size) for at, size in enumerate(form.shape) if at != player]
    return [
        [
            form.payoffs_of((*before[:player], own, *before[player:]))[player]
            for before in product(*others)
        ]
        for own in range(form.shape[player])
    ]


def beats(one: list[Fraction], two: list[Fraction]) -> str:
    pairs = list(zip(one, two, strict=True))
    if all(a > b for a, b in pairs):
        return "strictly"
    return "weakly" if all(a >= b for a, b in pairs) and one != two else ""


def mixed_row(rows: list[list[Fraction]], by: tuple[tuple[int, Fraction], ...]) -> list[Fraction]:
    return [sum((w * rows[at][o] for at, w in by), F(0)) for o in range(len(rows[0]))]


def by_linprog(rows: list[list[Fraction]], own: int) -> str:
    """How any mixture dominates, by floats: Pearce's two programs."""
    gains = np.array(
        [[float(a - b) for a, b in zip(row, rows[own], strict=True)] for row in rows]
    ).T
    strategies, columns = gains.shape[1], gains.shape[0]
    sums = np.ones((1, strategies))
    free = [(0, None)] * strategies
    strict = linprog(
        [0.0] * strategies + [-1.0],
        A_ub=np.hstack((-gains, np.ones((columns, 1)))),
        b_ub=np.zeros(columns),
        A_eq=np.hstack((sums, [[0.0]])),
        b_eq=[1.0],
        bounds=[*free, (None, None)],
    )
    weak = linprog(
        -gains.sum(axis=0), A_ub=-gains, b_ub=np.zeros(columns), A_eq=sums, b_eq=[1.0], bounds=free
    )
    if -strict.fun > 1e-7:
        return "strictly"
    return "weakly" if -weak.fun > 1e-7 else ""


def kind(how: Dominated | None) -> str:
    return "" if how is None else "strictly" if how.strictly else "weakly"


# ---------------------------------------------------------------------- textbooks


def test_to_cooperate_is_strictly_dominated() -> None:
    form = normal_form(prisoners_dilemma().tree())
    for player in ("row", "column"):
        assert dominated(form, player).found == {0: Dominated(True, ((1, F(1)),))}


def test_matching_pennies_has_none() -> None:
    form = normal_form(matching_pennies().tree())
    assert [dominated(form, player).found for player in (0, 1)] == [{}, {}]


def test_a_row_that_only_a_mixture_dominates() -> None:
    found = of_matrix([[4, 0], [1, 1], [0, 4]])
    assert found.found == {1: Dominated(True, ((0, HALF), (2, HALF)))}
    assert not found.found[1].pure
    assert not found.note


def test_weakly_by_a_mixture() -> None:
    found = of_matrix([[4, 0, 1], [2, 2, 0], [0, 4, 1]])
    assert found.found == {1: Dominated(False, ((0, HALF), (2, HALF)))}


def test_what_is_best_somewhere_may_be_weakly_dominated() -> None:
    found = of_matrix([[4, 0, 1, 1], [2, 2, 1, 0], [0, 4, 1, 1]])
    assert found.found == {1: Dominated(False, ((0, HALF), (2, HALF)))}


def test_a_mixture_that_pays_the_same_dominates_nothing() -> None:
    assert of_matrix([[4, 0], [2, 2], [0, 4]]).found == {}
    # Row 1 is weakly dominated by row 2. Mixtures tie with it, no better than that.
    found = of_matrix([[0, 0, 0, 1], [0, 0, 2, 0], [0, 1, 2, 0], [1, 0, 3, -1]]).found
    assert found == {1: Dominated(False, ((2, F(1)),))}


def test_strictly_by_a_mixture_says_more_than_weakly_by_a_row() -> None:
    found = of_matrix([[2, 2, 2], [2, 0, 0], [4, -1, 1]])
    assert found.found[1].strictly
    assert [at for at, _ in found.found[1].by] == [0, 2]


def test_the_first_row_that_dominates_strictly_is_named() -> None:
    # Row 4 beats all; rows 2 and 3 only row 0, and are beaten themselves.
    found = of_matrix([[0, 0], [1, 0], [1, 1], [1, 1], [2, 2]])
    assert all(how.by == ((4, F(1)),) and how.strictly for how in found.found.values())
    assert set(found.found) == {0, 1, 2, 3}
    weakly = of_matrix([[0, 0], [0, 1], [1, 0], [2, 2]]).found
    assert weakly[0].by == ((3, F(1)),)
    assert of_matrix([[0, 0], [0, 1], [1, 0]]).found[0] == Dominated(True, ((1, HALF), (2, HALF)))


def test_what_pays_the_same_does_not_dominate_and_is_dominated_alike() -> None:
    assert of_matrix([[1, 2], [1, 2]]).found == {}
    assert of_matrix([[4, 0], [1, 1], [1, 1], [0, 4], [0, 4]]).found == {
        row: Dominated(True, ((0, HALF), (3, HALF))) for row in (1, 2)
    }


def test_beer_and_quiche() -> None:
    """Cho & Kreps 1987: to have what only the other type likes is worse than a mixture."""
    form = normal_form(beer_quiche().tree())
    sender, receiver = (dominated(form, player).found for player in (0, 1))
    assert {form.labels(0)[at]: kind(how) for at, how in sender.items()} == {
        "quiche/beer": "strictly"
    }
    assert sender[2].by == ((1, F(1, 9)), (3, F(8, 9)))
    assert {form.labels(1)[at]: kind(how) for at, how in receiver.items()} == {
        "duel/duel": "strictly"
    }


def test_in_poker_what_is_dominated_has_a_king_that_passes_to_a_bet() -> None:
    form = normal_form(kuhn().tree())
    found = dominated(form, "dealer").found
    sets = {infoset.label: infoset.index for infoset in form.tree.infosets_of("dealer")}
    folding = [at for at, plan in enumerate(form.plans[1]) if dict(plan)[sets["K, bet"]] == 0]
    assert folding
    assert set(folding) <= set(found)


# ---------------------------------------------------------------------- exactness


@pytest.mark.parametrize("scale", [1, 10**18, 10**400], ids=["small", "large", "huge"])
@pytest.mark.parametrize("lift", [0, 10**30], ids=["low", "high"])
def test_a_hair_decides(scale: int, lift: int) -> None:
    hair = F(1, 10**30)
    for middle, expected in ((2 - hair, "strictly"), (F(2), ""), (2 + hair, "")):
        table: list[list[Any]] = [[4, 0], [middle, middle], [0, 4]]
        found = of_matrix([[entry * scale + lift for entry in row] for row in table]).found
        assert kind(found.get(1)) == expected
        assert set(found) <= {1}


def test_sums_that_do_not_fit_64_bits() -> None:
    tall = 2**61
    high, low = [tall] * 4, [at - tall for at in range(4)]
    table = np.array([[tall, -tall, *high], [0, 0, *low], [-tall, tall, *high]], np.int64)
    form = normal_form(matrix_game(table.tolist()).tree())
    # As it would be in a table that has more entries than its tree has leaves.
    form = replace(form, numerators=(table, -table))
    assert dominated(form, 0).found == {1: Dominated(False, ((0, HALF), (2, HALF)))}


small = st.integers(-2, 3)
tables = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(small, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@settings(max_examples=50, deadline=None)
@given(table=tables)
def test_the_definition(table: list[list[int]]) -> None:
    rows = [[F(entry) for entry in row] for row in table]
    found = of_matrix(table).found
    for own, row in enumerate(rows):
        how = found.get(own)
        assert kind(how) == by_linprog(rows, own)
        by_rows = [beats(other, row) for other in rows]
        if how is None:
            assert not any(by_rows)
            continue
        assert sum(weight for _, weight in how.by) == 1
        assert all(weight > 0 and at != own for at, weight in how.by)
        assert beats(mixed_row(rows, how.by), row) == kind(how)
        # By a row if a row does it as strictly, and then by one that no row dominates.
        assert how.pure == (kind(how) in by_rows)
        if how.pure:
            assert not any(beats(other, rows[how.by[0][0]]) for other in rows)


@settings(max_examples=50, deadline=None)
@given(table=tables)
def test_pure_strategies_alone(table: list[list[int]]) -> None:
    rows = [[F(entry) for entry in row] for row in table]
    found = of_matrix(table, few=0).found
    for own, row in enumerate(rows):
        by_rows = [beats(other, row) for other in rows]
        front = [at for at, other in enumerate(rows) if not any(beats(o, other) for o in rows)]
        expected = [(word, at) for word in ("strictly", "weakly") for at in front]
        first = next((pair for pair in expected if by_rows[pair[1]] == pair[0]), None)
        how = found.get(own)
        assert first == (None if how is None else (kind(how), how.by[0][0]))


@settings(max_examples=40, deadline=None)
@given(table=tables)
def test_pivots_find_what_floats_find(table: list[list[int]]) -> None:
    usual = of_matrix(table).found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BEYOND_FLOATS", 0)
        slow = of_matrix(table).found
    assert {at: kind(how) for at, how in slow.items()} == {
        at: kind(how) for at, how in usual.items()
    }
    rows = [[F(entry) for entry in row] for row in table]
    assert all(beats(mixed_row(rows, how.by), rows[at]) == kind(how) for at, how in slow.items())


@settings(max_examples=20, deadline=None)
@given(data=st.data(), shape=st.tuples(*[st.integers(1, 3)] * 3))
def test_three_players(data: st.DataObject, shape: tuple[int, ...]) -> None:
    count = int(np.prod(shape))
    payoffs = data.draw(st.lists(st.tuples(small, small, small), min_size=count, max_size=count))
    names = tuple(tuple(f"s{at}" for at in range(size)) for size in shape)
    form = normal_form(MatrixGame(("a", "b", "c"), names, tuple(payoffs)).tree())  # type: ignore[arg-type]
    for player in range(3):
        rows = payoff_rows(form, player)
        found = dominated(form, player).found
        for own in range(shape[player]):
            assert kind(found.get(own)) == by_linprog(rows, own)


# ---------------------------------------------------------------------- limits


def test_what_was_not_looked_at_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    table = [[4, 0], [1, 1], [0, 4], [-1, 0]]
    few = of_matrix(table, few=3)
    assert few.note == "mixtures were not looked at: 4 strategies, more than 3"
    assert few.found == {3: Dominated(True, ((1, F(1)),))}
    none = of_matrix(table, most=2)
    assert none.note.startswith("dominance was not looked at: 4 strategies are too many")
    assert none.found == {}
    monkeypatch.setattr(module, "FEW_ENTRIES", 5)
    assert of_matrix(table).note == "mixtures were not looked at: 3 × 2 payoffs"


def test_many_strategies_are_compared_by_blocks_of_columns() -> None:
    rng = np.random.default_rng(5)
    table = rng.integers(0, 3, (60, 40))
    table[7] = np.maximum(table[3], table[5])
    found = of_matrix(table.tolist()).found
    rows = table.tolist()
    for own, row in enumerate(rows):
        expected = {beats(other, row) for other in rows}
        if own in found and found[own].pure:
            assert kind(found[own]) in expected
        else:
            assert "strictly" not in expected
            assert own in found or expected == {""}
    assert {3, 5} <= set(found)


def test_nobody_is_nobody() -> None:
    with pytest.raises(InfosetError, match="no player 'nobody'"):
        dominated(normal_form(kuhn().tree()), "nobody")
