"""Games in which both move at once and see the rest: their sizes, their values, their bounds.

Sizes come from formulas and from recursions written here that know nothing of the engine; values
from a backward induction over plain squares and sums, one small linear program a stage.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from infoset import games, solve
from infoset.errors import InfosetError, ParameterError
from infoset.games import oshi_zumo, pursuit, stacked
from infoset.games.stacked import stirred
from infoset.rules import Game, Position
from infoset.tree.facts import recall, zero_sum

Square = tuple[int, int]


def matrix_value(matrix: Iterable[Iterable[float | Fraction]]) -> float:
    """What a matrix game is worth to the row player: max v with v ≤ x·column for all columns."""
    table = np.array([list(row) for row in matrix], dtype=float)
    rows, columns = table.shape
    found = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-table.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert found.status == 0
    return -float(found.fun)


def played(member: Game, *moves: Any) -> Position:
    position: Position = member.position()
    for move in moves:
        position = position.after(move)
    return position


# ---------------------------------------------------------------- stacked


def stacked_sizes(rows: int, columns: int, depth: int, chances: int) -> tuple[int, int]:
    """Nodes, and positions in which both choose: each has a node of row's and rows of column's."""
    nodes, choosing, here = 0, 0, 1
    for stage in range(depth):
        if stage and chances:
            nodes += here
            here *= chances
        nodes += here * (1 + rows)
        choosing += here
        here *= rows * columns
    return nodes + here, choosing


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"width": 4, "height": 2},
        {"width": 2, "depth": 4},
        {"height": 5, "depth": 1},
        {"chances": 2},
        {"width": 2, "depth": 3, "chances": 3, "correlated": False},
    ],
)
def test_sizes_of_stacked(params: dict[str, Any]) -> None:
    tree = stacked(**params).tree()
    chosen = {"width": 3, "depth": 2, "chances": 0, **params}
    rows = chosen.get("height", chosen["width"])
    nodes, choosing = stacked_sizes(rows, chosen["width"], chosen["depth"], chosen["chances"])
    assert len(tree) == nodes
    assert Counter(infoset.player for infoset in tree.infosets) == {
        "row": choosing,
        "column": choosing,
    }
    assert all(recall(tree, player) for player in range(2))
    assert zero_sum(tree)


def test_stacked_says_its_size() -> None:
    assert stacked_sizes(3, 3, 2, 0) == (121, 10)
    assert len(stacked().tree()) == 121


@given(
    seed=st.integers(-(2**70), 2**70),
    width=st.integers(2, 4),
    height=st.integers(2, 4),
    points=st.booleans(),
)
@settings(max_examples=15)
def test_one_stage_is_a_matrix_game(seed: int, width: int, height: int, points: bool) -> None:
    member = stacked(width, height, 1, seed, points=points, spread=4)
    matrix = [
        [played(member, (row, column)).payoffs["row"] for column in range(1, width + 1)]
        for row in range(1, height + 1)
    ]
    assert solve(member).value == pytest.approx(matrix_value(matrix), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_drawn_adds_up(seed: int) -> None:
    """A play of three stages pays what its first two pay, and −1, 0 or 1 more."""
    pairs = list(product((1, 2), (1, 2, 3)))
    short, long = stacked(3, 2, 2, seed), stacked(3, 2, 3, seed)
    signs = stacked(3, 2, 3, seed, points=False)
    drawn: Counter[Fraction] = Counter()
    for first, second, third in product(pairs, pairs, pairs):
        before = played(short, first, second).payoffs["row"]
        paid = played(long, first, second, third).payoffs["row"]
        drawn[paid - before] += 1
        sign = (paid > 0) - (paid < 0)
        assert played(signs, first, second, third).payoffs["row"] == sign
    assert set(drawn) == {-1, 0, 1}
    assert min(drawn.values()) > 6**3 / 3 * 0.7  # a draw of three that are as likely


def test_only_the_last_number_counts_if_they_are_not_correlated() -> None:
    tree = stacked(width=4, correlated=False, spread=9).tree()
    paid = {amount for amount, _ in tree.settled.payoffs}
    assert paid == set(range(-9, 10))
    assert {
        amount for amount, _ in stacked(correlated=False, points=False).tree().settled.payoffs
    } == {
        -1,
        0,
        1,
    }
    assert (
        max(amount for amount, _ in stacked(width=5, correlated=False).tree().settled.payoffs) > 90
    )


@pytest.mark.parametrize("correlated", [True, False])
def test_stages_are_different_games(correlated: bool) -> None:
    """What follows one pair of moves is another matrix than what follows another."""
    member = stacked(depth=2, correlated=correlated)
    cells = list(product((1, 2, 3), repeat=2))
    after = {
        tuple(
            played(member, first, then).payoffs["row"]
            - played(member, first, (1, 1)).payoffs["row"]
            for then in cells
        )
        for first in cells
    }
    assert len(after) == 9
    assert len({solve(stacked(seed=seed)).value for seed in range(6)}) > 3


def test_chance_changes_what_follows() -> None:
    member = stacked(chances=3)
    chances = played(member, (1, 1)).chances()
    assert [likely for _, likely in chances] == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    cells = list(product((1, 2, 3), repeat=2))
    after = {
        tuple(played(member, (1, 1), outcome, then).payoffs["row"] for then in cells)
        for outcome in (1, 2, 3)
    }
    assert len(after) == 3


@given(st.integers(0, 2**31 - 1), st.integers(1, 10**6))
def test_a_machine_holds_what_is_stirred(bits: int, move: int) -> None:
    """In 64 bits with a sign nothing overflows, as no product reaches 2^62."""
    found = np.int64(bits)
    with np.errstate(over="raise"):
        found = (found + np.int64(move) * np.int64(0x5F356495)) % np.int64(2**31)
        for _ in range(2):
            found = (found ^ (found >> 15)) * np.int64(0x2C1B3C6D) % np.int64(2**31)
    assert stirred(bits, move) == found ^ (found >> 16)
    assert 0 <= stirred(bits, move) < 2**31


def test_different_moves_are_stirred_apart() -> None:
    """Both multipliers are odd, and so one move after another loses nothing."""
    assert len({stirred(1, move) for move in range(1, 5001)}) == 5000
    assert len({stirred(bits, 1) for bits in range(5000)}) == 5000


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"width": 1}, "2 <= width <= 1000"),
        ({"height": 1}, "height is None or 2 <= height <= 1000"),
        ({"depth": 0}, "depth >= 1"),
        ({"spread": 0}, "1 <= spread"),
        ({"chances": 1}, "chances == 0 or 2 <= chances"),
    ],
)
def test_stacked_minds_its_parameters(params: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        stacked(**params)


# ---------------------------------------------------------------- pursuit


def near(square: Square, rows: int, columns: int, stay: bool) -> list[Square]:
    x, y = square
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0)] + [(0, 0)] * stay
    return [(x + a, y + b) for a, b in ways if 0 <= x + a < columns and 0 <= y + b < rows]


def caught(
    units: tuple[Square, ...], to: tuple[Square, ...], evader: Square, flees: Square
) -> bool:
    meets = flees in to
    passes = any(way == (flees, evader) for way in zip(units, to, strict=True))
    return meets or passes


def pursuit_sizes(
    rows: int, columns: int, turns: int, stay: bool, *starts: Square
) -> tuple[int, int, float]:
    """Nodes, positions in which both choose, and what it is worth to the pursuer."""

    @cache
    def below(units: tuple[Square, ...], evader: Square, left: int) -> tuple[int, int, float]:
        if not left:
            return 1, 0, -1.0
        chases = list(product(*(near(unit, rows, columns, stay) for unit in units)))
        nodes, choosing = 1 + len(chases), 1
        matrix: list[list[float]] = []
        for to in chases:
            matrix.append([])
            for flees in near(evader, rows, columns, stay):
                end = (1, 0, 1.0)
                done = caught(units, to, evader, flees)
                more, sets, worth = end if done else below(to, flees, left - 1)
                nodes, choosing = nodes + more, choosing + sets
                matrix[-1].append(worth)
        return nodes, choosing, matrix_value(matrix)

    *units, evader = starts
    return below(tuple(units), evader, turns)


CHASES: list[tuple[dict[str, Any], tuple[Square, ...]]] = [
    ({}, ((0, 0), (2, 2))),
    ({"turns": 2, "stay": True}, ((0, 0), (2, 2))),
    ({"rows": 2, "columns": 4}, ((0, 0), (3, 1))),
    ({"starts": ("b2", "c3"), "turns": 2}, ((1, 1), (2, 2))),
    ({"starts": ("a1", "b1"), "turns": 3}, ((0, 0), (1, 0))),
    ({"pursuers": 2}, ((0, 0), (2, 0), (2, 2))),
    ({"pursuers": 2, "turns": 2}, ((0, 0), (2, 0), (2, 2))),
    ({"rows": 2, "pursuers": 2, "turns": 2, "stay": True}, ((0, 0), (2, 0), (2, 1))),
    ({"columns": 2, "pursuers": 3, "turns": 1}, ((0, 0), (1, 0), (0, 2), (1, 2))),
]


@pytest.mark.parametrize(("params", "starts"), CHASES, ids=repr)
def test_sizes_and_values_of_pursuit(params: dict[str, Any], starts: tuple[Square, ...]) -> None:
    tree = pursuit(**params).tree()
    board = {"rows": 3, "columns": 3, "turns": 3, "stay": False, **params}
    sides = (board["rows"], board["columns"], board["turns"], board["stay"])
    nodes, choosing, worth = pursuit_sizes(*sides, *starts)
    assert len(tree) == nodes
    assert Counter(infoset.player for infoset in tree.infosets) == {
        "pursuer": choosing,
        "evader": choosing,
    }
    solution = solve(tree, "lp")
    assert solution.value == pytest.approx(worth, abs=1e-9)
    assert solution.certificate == "exact"


def test_pursuit_says_its_sizes() -> None:
    assert len(pursuit().tree()) == 315
    assert len(pursuit(pursuers=2).tree()) == 2689
    assert solve(pursuit(pursuers=2)).value == 1


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_across_four_squares_every_turn_is_a_toss(turns: int) -> None:
    """Both go to one of the same two squares: met with 1/2, or across from each other again."""
    assert solve(pursuit(2, 2, turns)).value == 1 - Fraction(2, 2**turns)


@pytest.mark.parametrize("turns", [1, 3])
def test_next_to_each_other_on_four_squares_nobody_is_caught(turns: int) -> None:
    """They could only pass each other, and the evader need not go where the pursuer comes from."""
    assert solve(pursuit(2, 2, turns, starts=("a1", "b1"))).value == -1


def test_who_is_too_far_away_has_lost() -> None:
    assert solve(pursuit(turns=1)).value == -1  # four squares, two of them in a turn
    assert {amount for amount, _ in pursuit(turns=1).tree().settled.payoffs} == {-1}
    assert {amount for amount, _ in pursuit(turns=2).tree().settled.payoffs} == {-1, 1}


def test_an_evader_in_a_corner() -> None:
    """It has two squares to go to; two pursuers in the middle go to both, and one to either."""
    assert solve(pursuit(turns=1, pursuers=2, starts=("b2", "b2", "c3"))).value == 1
    assert solve(pursuit(turns=1, pursuers=1, starts=("b2", "c3"))).value == 0
    kept = pursuit(turns=1, pursuers=2, stay=True, starts=("b2", "b2", "c3"))
    assert solve(kept).value == -1  # in the corner itself it is out of reach


def test_what_is_a_catch() -> None:
    side_by_side = pursuit(starts=("a1", "b1"))
    assert played(side_by_side, ("b1", "a1")).payoffs == {"pursuer": 1, "evader": -1}  # passing
    assert not played(side_by_side, ("b1", "c1")).over  # behind each other
    assert not played(side_by_side, ("a2", "a1")).over
    assert played(pursuit(starts=("a1", "c1")), ("b1", "b1")).payoffs["pursuer"] == 1  # meeting
    two = pursuit(pursuers=2, starts=("a1", "c3", "b2"))
    assert played(two, ("b1 c2", "c2")).payoffs["pursuer"] == 1  # either of them
    assert not played(two, ("b1 c2", "b3")).over
    assert played(pursuit(turns=1), ("a2", "c2")).payoffs["pursuer"] == -1  # time is up


def test_pursuit_shows_squares_and_counts_them() -> None:
    options = pursuit(rows=2, pursuers=2).position().options("pursuer")
    assert list(map(str, options)) == ["b1 b1", "b1 c2", "a2 b1", "a2 c2"]
    assert list(options) == [1 * 6 + 1, 1 * 6 + 5, 3 * 6 + 1, 3 * 6 + 5]
    assert list(map(str, pickle.loads(pickle.dumps(options)))) == list(map(str, options))
    labels = {infoset.label for infoset in pursuit(turns=2).tree().infosets}
    assert "[b1], evader to c2" in labels
    assert "[c2], pursuer to b1" in labels


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"rows": 1}, "2 <= rows"),
        ({"columns": 1}, "2 <= columns"),
        ({"turns": 0}, "turns >= 1"),
        ({"pursuers": 4}, "1 <= pursuers <= 3"),
        ({"starts": ("a1",)}, r"len\(starts\) in"),
        ({"starts": ("a1", "b9")}, "no square 'b9' on the board from a1 to c3"),
        ({"starts": ("b2", "b2")}, "the evader begins on a pursuer's square"),
    ],
)
def test_pursuit_minds_its_parameters(params: dict[str, Any], says: str) -> None:
    with pytest.raises(InfosetError, match=says):
        pursuit(**params).tree()
    with pytest.raises(InfosetError, match=says):
        _ = pursuit(**params).stages


# ---------------------------------------------------------------- Oshi-Zumo


@pytest.mark.parametrize(
    "params",
    [
        (3, 1, 0, None),
        (4, 0, 0, 2),
        (5, 1, 1, None),
        (7, 2, 2, None),
        (6, 1, 1, 3),
        (3, 3, 3, None),
    ],
)
def test_oshi_zumo_is_fair(params: tuple[Any, ...]) -> None:
    assert solve(oshi_zumo(*params)).value == 0


# ---------------------------------------------------------------- bounds of the library

BOUNDED = [
    games.absent_minded(),
    games.battleships(),
    games.beer_quiche(),
    games.blair_g1(),
    games.blair_g2(),
    games.blair_g2(variant="partners"),
    games.bidding_tic_tac_toe(),
    games.blind_tic_tac_toe(4, 1, 2),
    games.bridge(ranks=4, suits=2, contract="1NT", pays="tricks"),
    games.centipede(),
    games.centipede(rounds=1, cost=3, gift=7),
    games.dark_hex(),
    games.entry_game(),
    games.entry_game(markets=3),
    games.goofspiel(),
    games.holdem("2s 7d 9c 3h 5s", one="AA QQ", two="KK"),
    games.holdem("2s 7d 9c 3h", pot=3, stack=2, raises=1, one="AsAh", two="KsKh"),
    games.imp_model(payoffs="zero"),
    games.imp_model(d=2, payoffs=(3, 1, 0.5, 2)),
    games.fog_of_war_chess(fen="k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", moves=3),
    games.inspection(),
    games.kriegspiel(fen="k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", moves=1),
    games.kalah(),
    games.king_rook_king(),
    games.koller_megiddo_von_stengel(),
    games.kuhn(),
    games.kuhn(ante=2, bet=3, ranks=4),
    games.kuhn(players=3, ranks=4, bet=2),
    games.leduc(),
    games.leduc(ranks=2, raises=1),
    games.liars_dice(sides=3),
    games.matching_pennies(),
    games.n_game(),
    games.oshi_zumo(),
    games.p_game(),
    games.poker(),
    games.poker(cash=4, rounds=2),
    games.prisoners_dilemma(),
    games.prisoners_dilemma(reward=3, sucker=-9, temptation=5, punishment=1),
    games.pursuit(),
    games.rhode_island(ranks=2, suits=2, raises=1),
    games.rhode_island(ranks=4, suits=1, ante=1, bets=(1, 2, 4), raises=1),
    games.scissors_paper_stone(),
    games.scotland_yard(),
    games.seltens_horse(),
    games.stacked(width=4),
    games.stacked(width=4, spread=2, correlated=False),
    games.stacked(points=False),
    games.three_partition(),
    games.tic_tac_toe(size=2, line=2),
    games.tricks(),
    games.whist(ranks=4, suits=2),
]
LOOSE = [  # what the least and the most are is not known before the game is played through
    games.bridge(ranks=8, suits=1, deal="N:AJ QT K9 87"),
    games.bridge(ranks=4, suits=2, contract="1NT", deal="N:AJ. - K.A -", vulnerable="both"),
    games.goofspiel(points=True),
    games.imp_model(),
    games.imp_model(k=3, b=3, seed=4),
    games.goofspiel(players=3, points=True),
    games.goofspiel(players=3),
    games.stacked(correlated=False),
    games.oshi_zumo(size=9),
    games.pursuit(turns=1),
]


def paid_in(member: Game) -> set[Fraction]:
    return {Fraction(amount) for vector in member.tree().settled.payoffs for amount in vector}


@pytest.mark.parametrize("member", BOUNDED, ids=repr)
def test_bounds_are_the_least_and_the_most(member: Game) -> None:
    paid = paid_in(member)
    assert member.bounds == (min(paid), max(paid))


@pytest.mark.parametrize("member", LOOSE, ids=repr)
def test_payoffs_lie_within_bounds(member: Game) -> None:
    assert member.bounds is not None
    low, high = member.bounds
    paid = paid_in(member)
    assert low <= min(paid) <= max(paid) <= high


def test_every_game_but_one_says_its_bounds() -> None:
    """What is earned with oil depends on all of its numbers."""
    without = {name for name, family in games.LIBRARY.items() if family.bounds is None}
    assert without == {"oil_pricing"}
    assert {member.name for member in BOUNDED} == set(games.LIBRARY) - without


def test_no_bounds_where_nothing_is_known() -> None:
    assert games.imp_model(payoffs=lambda leaf: leaf**2).bounds is None
    assert games.imp_model(payoffs=()).bounds is None  # refused when it is played
