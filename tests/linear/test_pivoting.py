"""Complementary pivoting: solutions checked in rationals, ties, circles, rays and counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infoset.errors import TableauError
from infoset.linear.pivoting import (
    ALONE,
    ExactTableau,
    FloatTableau,
    Path,
    Status,
    Tableau,
    cover,
    follow,
    partners,
    values,
)

Kind = type[ExactTableau] | type[FloatTableau]
Grid = Sequence[Sequence[Any]]

# Found by search: 3 × 4, payoffs 1 to 3. With the first of tied rows leaving, the Lemke–Howson path
# of the first player's first strategy runs into a circle of bases.
CIRCLE_ONE = [[1, 2, 1, 2], [1, 3, 2, 1], [2, 1, 1, 1]]
CIRCLE_TWO = [[2, 2, 1, 2], [2, 3, 2, 2], [2, 1, 3, 2]]

# Found by search: the rule has to look at a nonbasic variable's column to break a tie here.
DEEP_ONE = [[2, 2, 1, 1], [1, 2, 2, 1], [2, 1, 1, 1], [1, 1, 2, 2], [2, 1, 2, 1]]
DEEP_TWO = [[1, 2, 1, 2], [1, 2, 2, 2], [2, 2, 2, 2], [2, 1, 1, 1], [2, 1, 2, 1]]

# Kostreva 1979: Lemke's method with the covering vector (1, 1, 1) cycles on this one.
KOSTREVA = [[1, 2, 0], [0, 1, 2], [2, 0, 1]]


def bimatrix(
    one: Grid, two: Grid, kind: Kind = ExactTableau, rhs: Sequence[Any] | None = None
) -> Tableau[Any]:
    """w = 1 − [[0, A], [Bᵀ, 0]] z."""
    first, second = len(one), len(one[0])
    size = first + second
    matrix: list[list[Any]] = [[0] * size for _ in range(size)]
    for i in range(first):
        for j in range(second):
            matrix[i][first + j] = -one[i][j]
            matrix[first + j][i] = -two[i][j]
    names = range(size), range(size, 2 * size)
    return kind(matrix, rhs or [1] * size, *names, partners(size))


def lemke_howson(one: Grid, two: Grid, missing: int, **options: Any) -> tuple[Tableau[Any], Path]:
    tableau = bimatrix(one, two, options.pop("kind", ExactTableau))
    size = len(one) + len(one[0])
    return tableau, follow(tableau, size + missing, {missing, size + missing}, **options)


def lemke(
    matrix: Grid, rhs: Sequence[Any], kind: Kind = ExactTableau, **options: Any
) -> tuple[Tableau[Any], Path | None]:
    """Lemke's method with the covering vector (1, ..., 1); no path if q ≥ 0."""
    size = len(rhs)
    covered = [[*line, 1] for line in matrix]
    tableau = kind(covered, rhs, range(size), range(size, 2 * size + 1), partners(size, 1))
    left = cover(tableau, 2 * size)
    if left == ALONE:
        return tableau, None
    return tableau, follow(tableau, int(tableau.partner[left]), {2 * size}, **options)


def assert_equilibrium(one: Grid, two: Grid, tableau: Tableau[Fraction]) -> None:
    """No pure strategy does better than the mixed one, for either player, in rationals."""
    found = values(tableau)
    first, second = len(one), len(one[0])
    size = first + second
    weights = [found.get(size + k, Fraction(0)) for k in range(size)]
    assert min(weights) >= 0
    rows, columns = weights[:first], weights[first:]
    x = [weight / sum(rows) for weight in rows]
    y = [weight / sum(columns) for weight in columns]
    ones = [sum(one[i][j] * y[j] for j in range(second)) for i in range(first)]
    twos = [sum(two[i][j] * x[i] for i in range(first)) for j in range(second)]
    assert sum(x[i] * ones[i] for i in range(first)) == max(ones)
    assert sum(y[j] * twos[j] for j in range(second)) == max(twos)


def assert_solution(matrix: Grid, rhs: Sequence[Any], tableau: Tableau[Fraction]) -> None:
    found, size = values(tableau), len(rhs)
    w = [found.get(i, Fraction(0)) for i in range(size)]
    z = [found.get(size + i, Fraction(0)) for i in range(size)]
    for i in range(size):
        assert w[i] >= 0
        assert z[i] >= 0
        assert w[i] * z[i] == 0
        assert w[i] == rhs[i] + sum(matrix[i][j] * z[j] for j in range(size))


def payoffs(rows: int, columns: int, most: int) -> st.SearchStrategy[list[list[int]]]:
    line = st.lists(st.integers(1, most), min_size=columns, max_size=columns)
    return st.lists(line, min_size=rows, max_size=rows)


@st.composite
def games(draw: st.DrawFn, most: int) -> tuple[list[list[int]], list[list[int]]]:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    return draw(payoffs(rows, columns, most)), draw(payoffs(rows, columns, most))


@settings(max_examples=60, deadline=None)
@given(games(most=3), st.integers(0, 9))
def test_degenerate_games_end_at_an_equilibrium_from_every_label(
    game: tuple[list[list[int]], list[list[int]]], label: int
) -> None:
    one, two = game
    tableau, path = lemke_howson(one, two, label % (len(one) + len(one[0])), most=500)
    assert path.status is Status.FOUND
    assert_equilibrium(one, two, tableau)


@settings(max_examples=30, deadline=None)
@given(games(most=2), st.integers(0, 9))
@example((DEEP_ONE, DEEP_TWO), 8)
def test_the_lexicographic_rule_follows_the_path_of_a_tiny_perturbation(
    game: tuple[list[list[int]], list[list[int]]], label: int
) -> None:
    size = len(game[0]) + len(game[0][0])
    tiny = Fraction(1, 10**20)
    walks = []
    for rhs in ([1] * size, [1 + tiny ** (i + 1) for i in range(size)]):
        tableau = bimatrix(*game, rhs=rhs)
        walk: list[tuple[int, ...]] = []

        def note(_: int, tableau: Any = tableau, walk: Any = walk) -> None:
            walk.append(tableau.basis)

        entering, ends = size + label % size, {label % size, size + label % size}
        assert follow(tableau, entering, ends, tick=note, every=1).status is Status.FOUND
        walks.append(walk)
    # The unperturbed path may stop sooner, at a tie with one of the ends; never turn elsewhere.
    assert walks[0] == walks[1][: len(walks[0])]


@settings(max_examples=25, deadline=None)
@given(games(most=3), st.integers(0, 9), st.integers(0, 9))
def test_a_second_path_from_where_the_first_one_ended(
    game: tuple[list[list[int]], list[list[int]]], label: int, other: int
) -> None:
    one, two = game
    size = len(one) + len(one[0])
    tableau, _ = lemke_howson(one, two, label % size)
    pair = {other % size, size + other % size}
    entering = next(iter(pair - set(tableau.basis)))
    path = follow(tableau, entering, pair, most=500)
    assert path.status is Status.FOUND
    if set(tableau.basis) != set(range(size)):  # back at z = 0, which is no pair of strategies
        assert_equilibrium(one, two, tableau)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(0, 10**6))
def test_lemke_solves_degenerate_positive_semidefinite_problems(size: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    root = generator.integers(-1, 2, (size, size))
    skew = generator.integers(-1, 2, (size, size))
    matrix = (root @ root.T + skew - skew.T + np.eye(size, dtype=int)).tolist()
    rhs = generator.integers(-1, 2, size).tolist()
    tableau, path = lemke(matrix, rhs, most=500)
    assert path is None or path.status is Status.FOUND
    assert_solution(matrix, rhs, tableau)


def test_exact_and_float_take_the_same_path() -> None:
    generator = np.random.default_rng(7)
    for size in (2, 4, 8, 12):
        one, two = generator.integers(1, 10**6, (2, size, size))
        exact, path = lemke_howson(one.tolist(), two.tolist(), 0)
        scaled = (one / 10**6).tolist(), (two / 10**6).tolist()
        inexact, other = lemke_howson(*scaled, 0, kind=FloatTableau)
        assert path == other
        assert exact.basis == inexact.basis
        for variable, value in values(exact).items():
            known = value * (10**6 if variable >= 2 * size else 1)  # z is in units of one payoff
            assert values(inexact)[variable] == pytest.approx(float(known), rel=1e-7, abs=1e-9)
        assert_equilibrium(one.tolist(), two.tolist(), exact)


def test_floats_take_the_same_path_through_ties() -> None:
    generator = np.random.default_rng(3)
    cases = [generator.integers(1, 4, (2, 4, 4)).tolist() for _ in range(40)]
    for one, two in [*cases, (DEEP_ONE, DEEP_TWO)]:
        label = len(one) + len(one[0]) - 1
        inexact, path = lemke_howson(one, two, label, kind=FloatTableau, most=500)
        exact, known = lemke_howson(one, two, label)
        assert (path, inexact.basis) == (known, exact.basis)
        assert values(inexact) == pytest.approx(values(exact), abs=1e-9)


def test_the_first_rule_cycles_where_the_lexicographic_one_does_not() -> None:
    tableau, path = lemke_howson(CIRCLE_ONE, CIRCLE_TWO, 0, rule="first")
    assert (path.status, path.pivots) == (Status.CYCLE, 9)
    tableau, path = lemke_howson(CIRCLE_ONE, CIRCLE_TWO, 0)
    assert path.status is Status.FOUND
    assert_equilibrium(CIRCLE_ONE, CIRCLE_TWO, tableau)


@pytest.mark.parametrize("kind", [ExactTableau, FloatTableau])
def test_kostreva_1979(kind: Kind) -> None:
    _, path = lemke(KOSTREVA, [-1, -1, -1], kind, rule="first")
    assert path is not None
    assert path.status is Status.CYCLE
    tableau, path = lemke(KOSTREVA, [-1, -1, -1], kind)
    assert path is not None
    assert path.status is Status.FOUND
    expected = {3: Fraction(1, 3), 4: Fraction(1, 3), 5: Fraction(1, 3)}
    assert values(tableau) == pytest.approx(expected)


@pytest.mark.parametrize("size", range(1, 8))
def test_murty_1978_takes_two_to_the_n_pivots(size: int) -> None:
    """Lower triangular, 1 on the diagonal and 2 below it: every complementary basis is visited."""
    matrix = [[1 if i == j else 2 * (i > j) for j in range(size)] for i in range(size)]
    rhs = [-sum(2 ** (size - j) for j in range(i + 1)) for i in range(size)]
    tableau, path = lemke(matrix, rhs)
    assert path is not None
    assert path.pivots + 1 == 2**size  # with the one that covers
    assert_solution(matrix, rhs, tableau)


def test_lemke_howson_counts_by_hand() -> None:
    # Prisoner's dilemma, second strategies dominant. From a dominant label: it enters, the answer
    # to it enters, and w of the label leaves. From a dominated one: the other's dominant strategy
    # enters second, the dominant one of its own player third, and pushes out the label itself.
    one, two = [[3, 1], [4, 2]], [[3, 4], [1, 2]]
    paths = [lemke_howson(one, two, label)[1] for label in range(4)]
    assert [path.pivots for path in paths] == [3, 2, 3, 2]
    assert [path.leaving for path in paths] == [4, 1, 6, 3]


def test_rays() -> None:
    _, path = lemke([[-1]], [-1])  # w = −1 − z has no solution
    assert path == Path(Status.RAY, 0, entering=1, leaving=ALONE)
    # The same with the covering variable t kept below 5: the wall, slack = 5 − t, is met instead.
    matrix = [[-1, 1], [0, -1]]
    tableau = ExactTableau(matrix, [-1, 5], rows=[0, 3], columns=[1, 2], partner=partners(1, 2))
    assert cover(tableau, 2) == 0
    assert follow(tableau, 1, {2}) == Path(Status.RAY, 1, entering=1, leaving=3)
    assert values(tableau) == {2: 5, 1: 4}


def test_an_end_among_the_tied_rows_is_preferred() -> None:
    # Both w reach zero together. The path ends there and then, whichever of them the label is.
    for label in (0, 1):
        matrix = [[-1, 0], [-1, 0]]
        tableau = ExactTableau(matrix, [1, 1], [0, 1], [2, 3], partners(2))
        assert follow(tableau, 2, {label}) == Path(Status.FOUND, 1, entering=2, leaving=label)


def test_rationals_are_scaled_and_come_back_as_given() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    matrix, rhs = [[2 * third, half], [third, half + third]], [-half, -third]
    tableau, _ = lemke(matrix, rhs)
    assert_solution(matrix, rhs, tableau)
    idle = ExactTableau(matrix, rhs, [0, 1], [2, 3], partners(2))
    assert values(idle) == {0: -half, 1: -third}


def test_ticks_stops_and_limits() -> None:
    heard: list[int] = []
    size = 6
    matrix = [[1 if i == j else 2 * (i > j) for j in range(size)] for i in range(size)]
    rhs = [-sum(2 ** (size - j) for j in range(i + 1)) for i in range(size)]
    lemke(matrix, rhs, tick=heard.append, every=20)
    assert heard == [0, 20, 40, 60]
    _, path = lemke(matrix, rhs, most=10)
    assert path is not None
    assert (path.status, path.pivots) == (Status.TOO_MANY, 10)
    answers = iter([False, True])
    _, path = lemke(matrix, rhs, stop=lambda: next(answers), every=5)
    assert path is not None
    assert (path.status, path.pivots) == (Status.STOPPED, 5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matrix": [[1, 2]]}, "shape"),
        ({"rhs": [1, 2]}, "right-hand side"),
        ({"columns": [0]}, "once"),
        ({"partner": [1, ALONE]}, "other way round"),
        ({"matrix": [[0.5]]}, "Fraction"),
    ],
)
def test_tableaus_that_are_none(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {
        "matrix": [[1]], "rhs": [-1], "rows": [0], "columns": [1], "partner": [1, 0]
    }  # fmt: skip
    ExactTableau(**good)
    with pytest.raises(TableauError, match=message):
        ExactTableau(**good | change)


def test_paths_that_cannot_start() -> None:
    tableau = ExactTableau([[1, -1]], [-1], [0], [1, 2], partners(1, 1))
    with pytest.raises(TableauError, match="variable 0 cannot enter"):
        follow(tableau, 0, {2})
    with pytest.raises(TableauError, match="starts at -1"):
        follow(tableau, 1, {2})
    with pytest.raises(TableauError, match="does not raise variable 0"):
        cover(tableau, 2)
