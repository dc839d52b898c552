"""Matrix games and bounded mixtures, against linear programs, enumeration and their own proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infoset.errors import ParameterError
from infoset.forms.normal import normal_form
from infoset.games import kuhn
from infoset.kernels import matrix, simplex
from infoset.kernels import matrix as mixture_kernels
from infoset.kernels import simplex as careful
from infoset.kernels.matrix import gap, mixture_bound, solve_matrix
from infoset.kernels.simplex import workspace
from infoset.search import matrix as matrices
from infoset.search.matrix import bounded_mixture, solve_matrix_game

F = Fraction
CLOSE = 1e-12  # of the spread

SIGNS = st.integers(-1, 1)
SMALL = st.integers(-9, 9)
FLOATS = st.floats(-1, 1, allow_subnormal=False)
WILD = st.builds(
    lambda sign, digits, power: sign * digits * 10.0**power,
    st.sampled_from((-1, 0, 1)),
    st.floats(1, 10),
    st.integers(-9, 9),
)
ANY = (SIGNS, SMALL, FLOATS, WILD)


@st.composite
def tables(draw: st.DrawFn, entries: Sequence[st.SearchStrategy[Any]], most: int = 8) -> Any:
    """A matrix, now and then with rows that are the same."""
    entry = draw(st.sampled_from(entries))
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    made = [[draw(entry) for _ in range(columns)] for _ in range(rows)]
    if draw(st.booleans()):
        made[-1] = list(made[0])
    return made


def kernel(table: Any, widest: int = 0) -> tuple[float, Any, Any, Any]:
    """Value, strategies and tally of the kernel on a matrix that stands in a larger one."""
    rows, columns = len(table), len(table[0])
    room = np.full((rows + 2, columns + 3), np.nan)
    room[:rows, :columns] = table
    before = room.copy()
    x, y, tally = np.full(rows + 1, 7.0), np.full(columns + 1, 7.0), np.zeros(4, np.int64)
    work = workspace(max(rows, columns, widest))
    work[:] = np.nan
    value = solve_matrix(room, rows, columns, x, y, work, tally)
    assert np.array_equal(room, before, equal_nan=True)
    assert x[rows] == y[columns] == 7.0
    return value, x[:rows], y[:columns], tally


def linprog_value(table: Any) -> float:
    """The rows' program by HiGHS, of a matrix brought to one size."""
    from scipy.optimize import linprog

    given = np.array(table, float)
    size = np.abs(given).max() or 1.0
    rows, columns = given.shape
    below = np.hstack([-given.T / size, np.ones((columns, 1))])
    equal = np.array([[1.0] * rows + [0.0]])
    bounds = [(0, None)] * rows + [(None, None)]
    found = linprog([0.0] * rows + [-1.0], below, np.zeros(columns), equal, [1.0], bounds)
    return float(-found.fun * size)


def solved(square: list[list[Fraction]], side: list[Fraction]) -> list[Fraction] | None:
    """Gauss's elimination."""
    lines = [[*row, right] for row, right in zip(square, side, strict=True)]
    for at in range(len(lines)):
        pivot = next((r for r in range(at, len(lines)) if lines[r][at]), None)
        if pivot is None:
            return None
        lines[at], lines[pivot] = lines[pivot], lines[at]
        lines[at] = [entry / lines[at][at] for entry in lines[at]]
        for r in range(len(lines)):
            if r != at:
                factor = lines[r][at]
                lines[r] = [a - factor * b for a, b in zip(lines[r], lines[at], strict=True)]
    return [line[-1] for line in lines]


def enumerated_value(table: list[list[int]]) -> Fraction:
    """The best guarantee of all corners: every set of rows made equal on every set of columns."""
    rows, columns, best = len(table), len(table[0]), None
    for size in range(1, min(rows, columns) + 1):
        for mixed in combinations(range(rows), size):
            for equal in combinations(range(columns), size):
                system = [[F(table[i][j]) for i in mixed] + [F(-1)] for j in equal]
                system.append([F(1)] * size + [F(0)])
                probabilities = solved(system, [F(0)] * size + [F(1)])
                if probabilities is not None and min(probabilities[:-1]) >= 0:
                    got = [
                        sum(s * table[i][j] for s, i in zip(probabilities, mixed, strict=False))
                        for j in range(columns)
                    ]
                    best = min(got) if best is None else max(best, min(got))
    assert best is not None
    return F(best)


@settings(max_examples=75)
@given(tables(ANY))
def test_strategies_prove_each_other(table: Any) -> None:
    value, x, y, tally = kernel(table)
    spread = np.max(table) - np.min(table)
    given_table = np.array(table, float)
    apart = gap(given_table, *given_table.shape, x, y)
    assert apart <= CLOSE * spread
    for probabilities in (x, y):
        assert probabilities.min() >= 0
        assert abs(probabilities.sum() - 1) < 1e-14
    assert (x @ given_table).min() - CLOSE * spread <= value
    assert value <= (given_table @ y).max() + CLOSE * spread
    assert tally[0] + tally[1] == 1


@settings(max_examples=30)
@given(tables((SIGNS, SMALL, FLOATS)))
def test_values_are_those_of_a_linear_program(table: Any) -> None:
    spread = float(np.max(table) - np.min(table))
    assert kernel(table)[0] == pytest.approx(linprog_value(table), abs=1e-7 * (spread or 1.0))


@settings(max_examples=30)
@given(tables((SIGNS, SMALL), most=4))
def test_exact_values_are_those_of_enumeration(table: Any) -> None:
    found = solve_matrix_game(table, exact=True)
    assert found.value == enumerated_value(table)
    assert abs(kernel(table)[0] - found.value) <= CLOSE * 18


def prove(table: Any, found: matrices.MatrixAnswer) -> None:
    """Both strategies guarantee exactly the value."""
    rows = [[F(entry) for entry in row] for row in table]
    assert sum(found.rows) == sum(found.columns) == 1
    assert min(found.rows) >= 0 <= min(found.columns)
    for column in zip(*rows, strict=True):
        assert sum(a * b for a, b in zip(found.rows, column, strict=True)) >= found.value
    for row in rows:
        assert sum(a * b for a, b in zip(found.columns, row, strict=True)) <= found.value


@settings(max_examples=30)
@given(tables((SIGNS, SMALL, st.fractions(-3, 3, max_denominator=7))))
def test_exact_answers_prove_themselves(table: Any) -> None:
    found = solve_matrix_game(table, exact=True)
    prove(table, found)
    least, most = max(map(min, table)), min(map(max, zip(*table, strict=True)))
    assert found.saddle == (least == most)
    assert all(isinstance(share, Fraction) for share in (*found.rows, *found.columns, found.value))


@settings(max_examples=20)
@given(tables((SIGNS, SMALL), most=6), st.data())
def test_a_wrong_corner_is_noticed(table: Any, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, min(len(table), len(table[0]))))

    def wrong(given: Any, rows: int, columns: int, x: Any, y: Any, *_: Any) -> None:
        x[:], y[:] = np.arange(rows) < size, np.arange(columns) < size

    right = solve_matrix_game(table, exact=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(matrix, "solve_matrix", wrong)
        found = solve_matrix_game(table, exact=True)
    prove(table, found)
    assert found.value == right.value


@settings(max_examples=30)
@given(tables((SIGNS, SMALL)), st.integers(-20, 20))
def test_symmetries(table: Any, constant: int) -> None:
    value = solve_matrix_game(table, exact=True).value
    moved = [[entry + constant for entry in row] for row in table]
    turned = [[-entry for entry in column] for column in zip(*table, strict=True)]
    assert solve_matrix_game(moved, exact=True).value == value + constant
    assert solve_matrix_game(turned, exact=True).value == -value
    assert kernel(moved)[0] == pytest.approx(float(value) + constant, abs=1e-11)
    assert kernel(turned)[0] == pytest.approx(-float(value), abs=1e-11)
    size = min(len(table), len(table[0]))
    skew = [[table[i][j] - table[j][i] for j in range(size)] for i in range(size)]
    assert solve_matrix_game(skew, exact=True).value == 0
    assert abs(kernel(skew)[0]) <= 36 * CLOSE


MORRA = [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]


def test_published_games() -> None:
    stone = solve_matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], exact=True)
    assert stone == (0, (F(1, 3),) * 3, (F(1, 3),) * 3, False)
    pennies = solve_matrix_game([[1, -1], [-1, 1]])
    assert pennies == (0.0, (0.5, 0.5), (0.5, 0.5), False)
    morra = solve_matrix_game(MORRA, exact=True)  # Chvátal, Linear Programming, 1983, chapter 15
    assert morra.value == morra.rows[0] == morra.rows[3] == 0
    assert F(4, 7) <= morra.rows[1] <= F(3, 5)


def test_saffidine_finnsson_buro_2012_example_2() -> None:
    found = solve_matrix_game([[6, 1, 0], [3, 3, 3], [0, 1, 6]])
    assert found == (3.0, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), True)


def test_kuhn_1950_normal_form() -> None:
    form = normal_form(kuhn().tree())
    rows, columns = map(range, form.shape)
    table = [[form.payoffs_of((i, j))[0] for j in columns] for i in rows]
    found = solve_matrix_game(table, exact=True)
    prove(table, found)
    assert found.value == F(-1, 18)
    assert solve_matrix_game(table).value == pytest.approx(-1 / 18, abs=1e-15)


def test_first_saddle_in_row_order() -> None:
    value, x, y, tally = kernel([[0, 2, 1], [1, 1, 1], [1, 3, 1]])
    assert (value, x.tolist(), y.tolist()) == (1.0, [0, 1, 0], [1, 0, 0])
    assert tally.tolist() == [1, 0, 0, 0]
    for table in ([[4, 2, 2, 3]], [[1], [5], [5]], [[7.5]], [[0.1] * 4] * 5):
        assert kernel(table)[3][0] == 1
    assert kernel([[1], [5], [5]])[1].tolist() == [0, 1, 0]


WIDE = [  # floats of one size fail here
    [[0.0, -1e-09, -0.01], [-1000.0, -1e-06, 0.0], [0.0, -1000000000.0, 0.0001]],
    [[0.0, -0.01, 10000000.0], [0.0, 1e-07, -100000.0], [-10000.0, 10.0, 1e-09]],
    [[1e-05, 0.0, 1000000.0], [-1e-07, 1e-07, 1e-07], [0.0, 0.0, 0.0]],
]


@pytest.mark.parametrize("table", WIDE)
def test_starting_over_with_twice_the_digits(table: Any) -> None:
    value, x, y, tally = kernel(table)
    assert tally[3] == 1
    wide = np.array(table)
    assert gap(wide, 3, 3, x, y) <= 1e-13 * (wide.max() - wide.min())
    exactly = solve_matrix_game(table, exact=True)
    prove([[matrices.rational(entry) for entry in row] for row in table], exactly)
    assert value == pytest.approx(float(exactly.value), abs=1e-13 * (wide.max() - wide.min()))


def test_win_or_lose_does_not_go_round_in_circles() -> None:
    rng = np.random.default_rng(2012)
    for size in (12, 20):
        for _ in range(40):
            table = rng.integers(0, 2, (size, size))
            _, x, y, tally = kernel(table)
            assert gap(table.astype(float), size, size, x, y) <= CLOSE
            assert tally[3] == 0
            assert tally[2] <= 5 * size


def test_same_bits_whatever_the_room() -> None:
    rng = np.random.default_rng(7)
    for table in (rng.uniform(-1, 1, (5, 6)), rng.integers(-1, 2, (7, 4)).astype(float)):
        value, x, y, tally = kernel(table)
        roomy = kernel(table, widest=23)
        assert (value, *x, *y) == (roomy[0], *roomy[1], *roomy[2])
        assert solve_matrix_game(table) == (value, tuple(x), tuple(y), bool(tally[0]))


def test_same_bits_compiled_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    games = [rng.uniform(-1, 1, (5, 6)), rng.integers(-1, 2, (7, 4)).astype(float), *WIDE]
    programs = [(game, np.min(game, axis=0) / 2, np.array(game)[:, 0]) for game in games]
    bounds = [counted(*program) for program in (*programs, MISSED, SECOND_BEST)]
    answers = [kernel(game) for game in games]
    for module in (simplex, careful, matrix, mixture_kernels):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    for game, (value, x, y, tally) in zip(games, answers, strict=True):
        rows, columns = np.shape(game)
        x2, y2, work, tally2 = np.empty(rows), np.empty(columns), workspace(7), np.zeros(4, int)
        found = matrix.solve_matrix(np.array(game), rows, columns, x2, y2, work, tally2)
        assert (found, *x2, *y2, *tally2) == (value, *x, *y, *tally)
    monkeypatch.setitem(globals(), "mixture_bound", mixture_kernels.mixture_bound)
    assert [counted(*program) for program in (*programs, MISSED, SECOND_BEST)] == bounds
    assert sum(tally[3] for *_, tally in (*answers, *bounds)) > len(WIDE)


@st.composite
def mixtures(draw: st.DrawFn, entries: Sequence[st.SearchStrategy[Any]]) -> Any:
    """A table, floors and aims; the floors within the table's reach, or just about."""
    entry = draw(st.sampled_from(entries))
    count, width = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    table = [[draw(entry) for _ in range(width)] for _ in range(count)]
    floors = [min(draw(entry), draw(entry)) for _ in range(width)]
    return table, floors, [draw(entry) for _ in range(count)]


def exactly_bounded(table: Any, floors: Any, aims: Any, lowered: Fraction | int = 0) -> Any:
    """The bound with the very numbers that floats stand for."""
    rows = [[F(entry) for entry in row] for row in table]
    return bounded_mixture(rows, [F(f) - lowered for f in floors], [F(a) for a in aims], exact=True)


# Floats of one size take a mixture here that misses the floor, and there one that is not the best.
MISSED = ([[1.001], [0.0], [1e-8]], [1.0], [0.0, 1.0, 1.0])
SECOND_BEST = ([[-1.0], [0.0], [1e-10]], [1e-13], [1.0, 0.8, 0.0])


@settings(max_examples=75)
@example(MISSED)
@example(SECOND_BEST)
@given(mixtures(ANY))
def test_bounds_are_right_up_to_the_tolerance(program: Any) -> None:
    table, floors, aims = program
    size = max(abs(F(a) - F(f)) for row in table for a, f in zip(row, floors, strict=True))
    spread = float(max(aims) - min(aims))
    found = bounded_mixture(table, floors, aims)
    least = exactly_bounded(table, floors, aims)
    most = exactly_bounded(table, floors, aims, size / 10**11)
    assert least is None or (found is not None and found >= float(least) - 1e-11 * spread)
    assert found is None or (most is not None and found <= float(most) + 1e-11 * spread)


@settings(max_examples=30)
@given(mixtures((SIGNS, SMALL)))
def test_bounds_are_those_of_a_linear_program(program: Any) -> None:
    from scipy.optimize import linprog

    table, floors, aims = program
    found = bounded_mixture(table, floors, aims)
    below, equal = -np.array(table).T, np.ones((1, len(aims)))
    theirs = linprog(-np.array(aims), below, -np.array(floors), equal, [1.0])
    assert (found is None) == (theirs.status == 2)
    assert found is None or found == pytest.approx(-theirs.fun, abs=1e-8)
    exactly = bounded_mixture(table, floors, aims, exact=True)
    assert (found is None) == (exactly is None)
    assert found is None or found == pytest.approx(float(exactly), abs=1e-11)


def counted(table: Any, floors: Any, aims: Any) -> tuple[float, list[int]]:
    given_table = np.array(table, float).reshape(len(aims), len(floors))
    tally = np.zeros(4, np.int64)
    work = workspace(max(given_table.shape))
    work[:] = np.nan
    size = given_table.shape
    bound = mixture_bound(
        given_table, *size, np.array(floors, float), np.array(aims, float), work, tally
    )
    return bound, tally.tolist()


def test_bounds_that_need_no_program() -> None:
    none = [0, 0, 0, 0]
    assert counted([], [], []) == (-np.inf, none)
    assert counted([[]] * 3, [], [1, 4, 2]) == (4.0, none)
    assert counted([[1, 0], [0, 0]], [0, 2], [5, 6]) == (-np.inf, none)  # a column below its floor
    assert counted([[1, 2], [0, 0]], [1, 2], [6, 5]) == (6.0, none)  # the best aim is allowed
    assert counted([[0, 0], [1, 2]], [1, 2], [6, 6]) == (6.0, none)  # so is one as good
    bound, tally = counted([[6, 0], [0, 6]], [2, 2], [9, 0])
    assert bound == pytest.approx(6, abs=1e-14)
    assert tally == [0, 1, 1, 0]
    assert counted([[6, 0], [0, 6]], [4, 4], [9, 0])[0] == -np.inf
    assert bounded_mixture([], [], []) is None
    assert bounded_mixture([[], []], [], [F(1, 3), 0], exact=True) == F(1, 3)


def test_floors_that_are_just_met() -> None:
    table, aims = [[1.0, -1.0], [-1.0, 1.0]], [1.0, 0.0]
    for missed, met in ((0.0, True), (4e-12, True), (1e-9, False)):
        found = bounded_mixture(table, [missed, missed], aims)
        assert (found is not None) == met
        assert found is None or found == pytest.approx(0.5, abs=1e-10)


def test_a_mixture_that_misses_its_floor_starts_over() -> None:
    bound, tally = counted(*MISSED)
    exactly = exactly_bounded(*MISSED)
    assert exactly == 1 - (1 - F(1e-8)) / (F(1.001) - F(1e-8))
    assert bound == pytest.approx(float(exactly), abs=1.1e-11)
    assert tally[3] == 1


def test_a_mixture_that_is_not_proved_starts_over() -> None:
    bound, tally = counted(*SECOND_BEST)
    assert bound >= exactly_bounded(*SECOND_BEST)
    assert tally[3] == 1


def test_any_order_in_memory() -> None:
    rng = np.random.default_rng(5)
    table = rng.uniform(-1, 1, (4, 6))
    for given_table in (np.asfortranarray(table), np.repeat(table, 2, axis=1)[:, ::2]):
        assert solve_matrix_game(given_table) == solve_matrix_game(table.tolist())
        found = bounded_mixture(given_table, table[0] - 0.5, table[:, 1])
        assert found == bounded_mixture(table.tolist(), table[0] - 0.5, table[:, 1])


BAD: tuple[tuple[Any, str], ...] = (
    ([], "has no entry"),
    ([[]], "has no entry"),
    ([[1, 2], [3]], "row 1 has 1 entries"),
    ([[1, "2"]], "row 0, column 1: '2' is not a number"),
    ([[1], [float("nan")]], "row 1, column 0: nan"),
    ([[1, float("-inf")]], "row 0, column 1: -inf"),
    ([[1, None]], "row 0, column 1: None"),
    (5, "5 is not a matrix"),
    ([1, 2], "is not a matrix"),
)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("table", "said"), BAD)
def test_what_is_no_matrix(table: Any, said: str, exact: bool) -> None:
    with pytest.raises(ParameterError) as refused:
        solve_matrix_game(table, exact=exact)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_numbers_beyond_floats() -> None:
    for table in ([[1e308, -1e308], [0, 1]], [[10**400, 0], [0, 1]]):
        with pytest.raises(ParameterError, match="exact=True"):
            solve_matrix_game(table)
    found = solve_matrix_game([[10**400, 0], [0, 10**400]], exact=True)
    assert found.value == 10**400 // 2
    assert solve_matrix_game([[F(1, 3), 0], [0, F(1, 3)]]).value == pytest.approx(1 / 6)


def test_mixtures_that_do_not_fit() -> None:
    with pytest.raises(ParameterError, match="2 rows and 1 aims"):
        bounded_mixture([[1], [2]], [0], [1])
    with pytest.raises(ParameterError, match="row 0 has 2 entries for 1 floors"):
        bounded_mixture([[1, 2]], [0], [1])
    with pytest.raises(ParameterError, match="nan is not a number"):
        bounded_mixture([[1.0]], [float("nan")], [1])
