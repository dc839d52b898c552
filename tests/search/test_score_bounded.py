"""Score-bounded Monte Carlo tree search: bounds that hold at any time, and the values of others."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Game, Play, game, matrix_game, solve
from infoset.errors import ParameterError, RulesError
from infoset.games import (
    goofspiel,
    kuhn,
    matching_pennies,
    oshi_zumo,
    prisoners_dilemma,
    tic_tac_toe,
)
from infoset.play import match
from infoset.search import (
    PerfectSearch,
    ScoreBoundedSearch,
    search_perfect,
    search_score_bounded,
    smab,
    solve_matrix_game,
)
from infoset.search.score_bounded import dominated
from infoset.tree.positions import TreePosition
from tests.search.simultaneous.stacked import ENDLESS, positions, searcher, stacked
from tests.search.test_perfect import plain_game, random_game

SEEDS = st.integers(0, 10**6)
OPEN = (None, None)


def solved(search: ScoreBoundedSearch, value: Any) -> Any:
    """The result once the search is over; until then the bounds contain the value, and narrow."""
    before = None
    while not search.over:
        search.iterate()
        low, high = search.result().bounds
        assert low is None or low <= value
        assert high is None or high >= value
        if before is not None:
            assert before[0] is None or (low is not None and low >= before[0])
            assert before[1] is None or (high is not None and high <= before[1])
        before = low, high
    found = search.result()
    assert found.solved
    assert found.value == value == found.bounds[0] == found.bounds[1]
    assert found.nodes == found.iterations + 1  # each iteration adds a position
    return found


# ------------------------------------------------------------------ values


@given(SEEDS, st.integers(0, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_simultaneous_moves_and_chance(seed: int, total: int, bounded: bool) -> None:
    whole = stacked(seed, total=total)
    value: Any = smab(whole, exact=True).value
    chosen: dict[str, Any] = {"random": Random(seed), "bounds": None if bounded else OPEN}
    found = solved(ScoreBoundedSearch(whole, **chosen), value)
    solved(ScoreBoundedSearch(whole, None, "bob", **chosen), total - value)
    assert found.iterations < sum(1 for _ in positions(whole.position()))
    assert_optimal(whole, found)


def assert_optimal(whole: Game, found: Any) -> None:
    """The strategies at the root guarantee the value against every option."""
    start = whole.position()
    if len(start.movers) < 2:
        return
    exact = searcher(whole, "backward-induction", exact=True)
    cells = {
        (a, b): exact.value(start.after((a, b)), ENDLESS)
        for a in start.options(start.movers[0])
        for b in start.options(start.movers[1])
    }
    first, second = (found.strategy[mover] for mover in start.movers)
    assert sum(first.values()) == sum(second.values()) == 1
    by_second = [sum(first[a] * cells[a, b] for a in first) for b in second]
    by_first = [sum(second[b] * cells[a, b] for b in second) for a in first]
    rows, columns = (by_second, by_first) if start.movers[0] == "ann" else (by_first, by_second)
    assert min(rows) == max(columns) == found.value


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_moves_in_turn_and_chance(seed: int) -> None:
    for played in (random_game(seed), plain_game(seed)):
        for player in played.position().game.seats.players:
            found = search_perfect(played, player=player)
            search = ScoreBoundedSearch(played, None, player, random=Random(seed))
            made = solved(search, found.value)
            if made.move is not None:
                after = PerfectSearch(played).value(played.position().after(made.move), player)
                assert after == found.value


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_every_move_is_solved_if_asked(seed: int) -> None:
    played = plain_game(seed)
    start = played.position()
    values = PerfectSearch(played).moves(start, "bob")
    search = ScoreBoundedSearch(played, None, "bob", every_move=True, random=Random(seed))
    found = search.run(None)
    assert found.solved
    if start.movers:
        assert found.values == values


@pytest.mark.parametrize(
    "played",
    [
        goofspiel(cards=3),
        goofspiel(cards=3, order="random", points=True),
        goofspiel(cards=3, order="random", prizes_up=False),
        goofspiel(cards=4, order="ascending"),
        oshi_zumo(coins=3),
        matching_pennies(),
        matrix_game([[3, -1], [-2, 1]]),
        goofspiel(cards=3).tree(),
    ],
    ids=str,
)
def test_games_of_the_library(played: Any) -> None:
    found = search_score_bounded(played, iterations=None)
    assert found.solved
    assert found.value == solve(played).value


def test_strategies_are_exact_when_solved() -> None:
    found = search_score_bounded(matrix_game([[3, -1], [-2, 1]]))
    assert found.value == Fraction(1, 7)
    assert list(found.strategy["row"].values()) == [Fraction(3, 7), Fraction(4, 7)]
    assert list(found.strategy["column"].values()) == [Fraction(2, 7), Fraction(5, 7)]
    assert found.move is None


def test_a_stage_of_a_tree_from_its_middle() -> None:
    tree = matching_pennies().tree()
    middle = search_score_bounded(TreePosition(tree, 1))  # after one of two simultaneous moves
    assert middle.value == 0
    assert len(middle.strategy) == 2


def test_all_others_are_against_the_player() -> None:
    for seed in range(5):
        three = random_game(seed, players=3)
        for player in three.seats.players:
            worst = search_perfect(three, player=player, backup="paranoid").value
            assert search_score_bounded(three, player=player, iterations=None).value == worst
    sure = search_score_bounded(prisoners_dilemma().tree())
    assert sure.value == -3  # by defection, whatever the other does
    assert sure.strategy["row"] == {"cooperate": 0, "defect": 1}


def test_what_is_hidden_is_not_hidden_here() -> None:
    dealt = kuhn().position().after("J Q")
    found = search_score_bounded(dealt)
    assert (found.value, found.move) == (-1, "pass")
    assert found.value == PerfectSearch(kuhn()).value(dealt)


# ------------------------------------------------------------------ pruning


@given(
    st.lists(
        st.lists(st.tuples(*[st.integers(-2, 2)] * 3), min_size=3, max_size=3),
        min_size=2,
        max_size=4,
    )
)
@settings(max_examples=150, deadline=None)
def test_a_dominated_row_is_not_missed(cells: Any) -> None:
    low, true, high = ([[sorted(cell)[k] for cell in row] for row in cells] for k in range(3))
    row = dominated(low, high)
    if row is None:
        return
    for matrix in (low, true, high):
        rest = matrix[:row] + matrix[row + 1 :]
        assert solve_matrix_game(rest, exact=True).value == (
            solve_matrix_game(matrix, exact=True).value
        )


def test_a_row_is_given_up_for_a_mixture() -> None:
    """Of the rows (5 or 6, 0, 3), (0, 6, 3) and (1, 1, at most 3), no row dominates the last."""

    def chain(g: Play, moves: int, paid: int) -> int:
        for _ in range(moves):
            g.choose("max", (0, 1))
        return paid

    @game(players=("max", "min"), bounds=(-6, 6))
    def three_rows(g: Play) -> object:
        both = g.together({"max": (0, 1, 2), "min": (0, 1, 2)})
        row, column = both["max"], both["min"]
        g.reveal(g.players, (row, column))
        if row == column == 0:
            paid = 5 if g.choose("max", ("short", "long")) == "short" else chain(g, 7, 5)
        elif row == column == 2:
            paid = 3 if g.choose("min", ("short", "long")) == "short" else chain(g, 9, 2)
        else:
            paid = ((0, 0, 3), (0, 6, 3), (1, 1))[row][column]
        return paid, -paid

    found = search_score_bounded(three_rows(), random=Random(1))
    assert found.value == Fraction(30, 11)
    assert found.strategy["max"] == {0: Fraction(6, 11), 1: Fraction(5, 11), 2: 0}
    assert found.visits[2, 2] < 10  # of more than a thousand positions


def test_a_win_ends_the_search() -> None:
    at = tic_tac_toe().position()
    for move in ("a1", "b1", "a2", "b2"):
        at = at.after(move)
    found = search_score_bounded(at)
    assert (found.value, found.move) == (1, "a3")
    assert found.visits["a3"] == 1
    assert found.iterations <= 5  # each move once at most


# ------------------------------------------------------------------ with bounds and without

SQUARES = tic_tac_toe().position()
COUNTS = [  # a position, and the iterations after which it is solved
    (goofspiel(cards=3).position(), 28),
    (SQUARES.after("b2").after("b1"), 171),
    (SQUARES.after("b2").after("a1"), 590),
]


@pytest.mark.parametrize(("position", "iterations"), COUNTS)
def test_bounds_solve_before_statistics_converge(position: Any, iterations: int) -> None:
    """By then, and for long after, the mean of the same search without bounds is off."""
    found = search_score_bounded(position, random=Random(1))
    assert (found.solved, found.iterations) == (True, iterations)
    plain = ScoreBoundedSearch(position.game, position, score_bounds=False, random=Random(1))
    off = 0
    for at in range(1, 2 * iterations + 1):
        plain.iterate()
        if abs(plain.result().value - float(found.value)) > 0.05:
            off = at
    assert off > iterations
    assert not plain.result().solved


def test_statistics_alone_approach_an_equilibrium() -> None:
    played = matrix_game([[3, -1, 0], [-2, 1, 0], [-3, -3, 1]])
    exact: Any = solve(played)
    search = ScoreBoundedSearch(played, score_bounds=False, epsilon=0.05, random=Random(1))
    found = search.run(20_000)
    assert not found.solved
    assert found.value == pytest.approx(float(exact.value), abs=0.1)
    for player in ("row", "column"):
        for option, probability in found.strategy[player].items():
            expected = next(iter(exact.strategy[player].values()))[option]
            assert probability == pytest.approx(float(expected), abs=0.1)


def test_statistics_alone_approach_minimax() -> None:
    at = tic_tac_toe().position()
    for move in ("a1", "b2", "a2"):
        at = at.after(move)
    search = ScoreBoundedSearch(tic_tac_toe(), at, "nought", score_bounds=False, random=Random(1))
    found = search.run(3000)
    assert found.move == "a3"
    assert not found.solved
    assert found.visits["a3"] > 1500


# ------------------------------------------------------------------ limits and settings


def test_limits() -> None:
    large = goofspiel(cards=7)
    assert search_score_bounded(large, iterations=30).iterations == 30
    assert search_score_bounded(large, iterations=None, seconds=0).iterations == 1
    asked = iter([False] * 8 + [True])
    assert search_score_bounded(large, stop=lambda: next(asked)).iterations == 9
    search = ScoreBoundedSearch(large)
    assert (search.run(10).iterations, search.run(10).iterations) == (10, 20)
    over = search_score_bounded(tic_tac_toe(size=1, line=1).position().after("a1"))
    assert (over.value, over.solved, over.iterations, over.strategy) == (1, True, 0, {})


def test_where_nothing_is_at_stake_nothing_is_searched() -> None:
    @game(players=("one", "two"), bounds=(0, 0))
    def idle(g: Play) -> object:
        g.together({"one": (1, 2), "two": (1, 2)})
        return 0, 0

    found = search_score_bounded(idle())
    assert (found.value, found.solved, found.iterations) == (0, True, 0)
    assert [sum(own.values()) for own in found.strategy.values()] == [1, 1]
    assert not match(idle(), ["sbmcts", "random"], games=2).faults()


def test_the_same_seed_gives_the_same_tree() -> None:
    def found() -> Any:
        made = search_score_bounded(goofspiel(cards=5), iterations=300, random=Random(5))
        return made.value, made.bounds, made.visits, made.strategy

    assert found() == found()


def test_few_iterations_never_choose_a_certain_loss() -> None:
    @game(players=("one", "two"), bounds=(-1, 1))
    def trap(g: Play) -> object:
        return g.win("two" if g.choose("one", range(9)) != 8 else "one")

    for seed in range(5):
        found = search_score_bounded(trap(), iterations=3, random=Random(seed))
        assert found.visits.get(found.move) is None or found.value == 1


def test_what_is_refused() -> None:
    for chosen, said in (
        ({"iterations": 0}, "iterations=0"),
        ({"seconds": -1}, "seconds=-1"),
        ({"exploration": -1}, "exploration"),
        ({"epsilon": 0}, "epsilon"),
        ({"bounds": (1, 0)}, "above"),
    ):
        with pytest.raises(ParameterError, match=said):
            search_score_bounded(goofspiel(), **chosen)
    with pytest.raises(RulesError, match="give bounds= that hold"):
        search_score_bounded(goofspiel(points=True), bounds=(-1, 1))
