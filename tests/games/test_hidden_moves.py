"""P-games, N-games, kalah and bidding tic-tac-toe, with hidden moves and without.

Counts have formulas or recursions written here, values have a minimax or a recursion over matrix
games written here, and kalah has the results of Irving, Donkers & Uiterwijk, Solving kalah, 2000,
table 10.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from infoset import solve
from infoset.errors import ParameterError
from infoset.games.bidding_tic_tac_toe import bidding_tic_tac_toe
from infoset.games.kalah import Board, boards, first_board, kalah, outcome, sown
from infoset.games.n_game import arcs, n_game
from infoset.games.p_game import p_game, squares
from infoset.rules import ReplayPosition
from infoset.search.simultaneous import backward_induction
from infoset.tree.facts import perfect_information, zero_sum

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# ---------------------------------------------------------------- P-games and N-games


def split_nodes(b: int, d: int, hidden: bool) -> int:
    """Decisions, chance moves that hide all moves but the last, and leaves."""
    if not hidden:
        return sum(b**k for k in range(d + 1))
    decisions = sum((2 * b) ** k for k in range(d))
    return decisions + b * sum((2 * b) ** k for k in range(d - 1)) + b * (2 * b) ** (d - 1)


def split_infosets(b: int, d: int, seen: int) -> int:
    """Own moves, and of each move of the other one of ``seen`` things to see."""
    return sum(b ** (k // 2) * seen ** (k - k // 2) for k in range(d))


@pytest.mark.parametrize("family", [p_game, n_game])
@pytest.mark.parametrize(("b", "d"), [(2, 1), (2, 4), (2, 5), (3, 3)])
def test_sizes_of_trees(family: Any, b: int, d: int) -> None:
    open_, half, blind = (family(branching=b, depth=d, hidden=h).tree() for h in (0, HALF, 1))
    assert len(open_) == len(blind) == split_nodes(b, d, hidden=False)
    assert len(half) == split_nodes(b, d, hidden=True)
    assert len(open_.infosets) == split_infosets(b, d, b)
    assert len(half.infosets) == split_infosets(b, d, b + 1)
    assert len(blind.infosets) == split_infosets(b, d, 1)
    assert perfect_information(open_)
    assert zero_sum(half)
    assert all(half.recall(player) for player in half.names)


def minimax(b: int, d: int, leaf: Callable[[int], int], at: int = 0, k: int = 0) -> int:
    """The value to the first player, from the number of each square or leaf."""
    if k == d:
        return leaf(at)
    values = [minimax(b, d, leaf, at * b + part, k + 1) for part in range(b)]
    return min(values) if k % 2 else max(values)


def square_value(b: int, d: int, seed: int) -> Callable[[int], int]:
    won, last = squares(b, d, seed), 1 if d % 2 else -1  # does the first player move last?
    return lambda at: last if won[at] else -last


def path_value(b: int, d: int, seed: int) -> Callable[[int], int]:
    levels = arcs(b, d, seed)
    return lambda at: 1 if sum(levels[k][at // b ** (d - 1 - k)] for k in range(d)) >= 0 else -1


@pytest.mark.parametrize(("family", "leaf"), [(p_game, square_value), (n_game, path_value)])
def test_in_full_sight_the_value_is_that_of_minimax(family: Any, leaf: Any) -> None:
    found = set()
    for b, d, seed in product((2, 3), (2, 3, 4), range(6)):
        value = minimax(b, d, leaf(b, d, seed))
        assert solve(family(branching=b, depth=d, hidden=0, seed=seed)).value == value
        found.add((d % 2, value))
    assert len(found) == 4  # both win, whoever moves last


def test_hidden_moves_change_the_value() -> None:
    values = [solve(p_game(hidden=h)).value for h in (0, HALF, 1)]
    assert values == [1, HALF, 0]


def test_squares_are_won_with_nau_s_probability() -> None:
    """(1 - x)^b = x: 0.382 for b = 2, 0.318 for b = 3; within five standard deviations."""
    for b, d, x in ((2, 16, 0.3819660), (3, 10, 0.3176722)):
        assert (1 - x) ** b == pytest.approx(x, abs=1e-6)
        drawn = squares(b, d, 1)
        assert abs(sum(drawn) / len(drawn) - x) < 5 * (x * (1 - x) / len(drawn)) ** 0.5


@pytest.mark.parametrize("family", [p_game, n_game, kalah])
def test_a_hidden_move_is_not_known_but_that_it_was_made(family: Any) -> None:
    start = family().position()
    moves = start.options("first")
    hidden = [start.after(move).after("hidden") for move in moves]
    shown = [start.after(move).after("shown") for move in moves]
    assert len({one.view("second") for one in hidden if one.movers == ("second",)}) <= 1
    assert len({one.view("second") for one in shown}) == len(moves)
    for one, other in zip(hidden, shown, strict=True):
        told = one.view("second") if one.movers == ("second",) else ()
        assert not told or ("saw", ("first", "hidden")) in told
        assert one.view("first") == other.view("first")  # it does not learn whether it was seen


@pytest.mark.parametrize("params", [{"hidden": 2}, {"branching": 1}, {"depth": 0}, {"depth": 40}])
def test_what_is_refused(params: dict[str, int]) -> None:
    for family in (p_game, n_game):
        with pytest.raises(ParameterError, match="needs"):
            family(**params)


# ---------------------------------------------------------------- kalah


def sown_by_hand(own: list[int], other: list[int], pit: int) -> tuple[list[int], list[int], int]:
    """Seed by seed, without a ring; the rows, and what the store gets."""
    held, own[pit], gained, at, side = own[pit], 0, 0, pit, 0
    last = ""
    while held:
        at += 1
        if side == 0 and at == len(own):
            gained, side, at, held, last = gained + 1, 1, -1, held - 1, "store"
            continue
        if side == 1 and at == len(own):
            side, at = 0, 0
        (own, other)[side][at] += 1
        held, last = held - 1, "own" if side == 0 else "other"
    if last == "own" and own[at] == 1:
        across = len(own) - 1 - at
        gained += 1 + other[across]
        own[at] = other[across] = 0
    return own, other, gained


def reachable(pits: int, seeds: int) -> set[Board]:
    found, left = set(), [first_board(pits, seeds)]
    while left:
        board = left.pop()
        if board not in found:
            found.add(board)
            if outcome(board) is None:
                row = board.rows[board.turn]
                left += [sown(board, pit) for pit, held in enumerate(row, 1) if held]
    return found


def test_sowing_on_every_board_of_some_games() -> None:
    reached = reachable(3, 2) | reachable(2, 3) | reachable(1, 6)
    for board in (one for one in reached if outcome(one) is None):
        turn = board.turn
        for pit in (number for number, held in enumerate(board.rows[turn]) if held):
            after = sown(board, pit + 1)
            rows = list(board.rows[turn]), list(board.rows[1 - turn])
            own, other, gained = sown_by_hand(*rows, pit)
            assert [list(after.rows[turn]), list(after.rows[1 - turn])] == [own, other]
            assert after.stores[turn] == board.stores[turn] + gained
            assert after.stores[1 - turn] == board.stores[1 - turn]


IRVING_2000 = {
    1: "DLWLWD",
    2: "WLLLWW",
    3: "DWWWW",  # and L for six seeds, in 3 s
    4: "WW",
    5: "D",
}


@pytest.mark.parametrize("pits", IRVING_2000)
def test_kalah_is_won_by_whom_irving_donkers_and_uiterwijk_say(pits: int) -> None:
    @cache
    def value(board: Board) -> int:
        gathered = outcome(board)
        if gathered is not None:
            return (gathered[0] > gathered[1]) - (gathered[0] < gathered[1])
        won = -1 if board.turn else 1
        best = -won
        for pit, held in enumerate(board.rows[board.turn], 1):
            if held and best != won:
                best = (min if board.turn else max)(best, value(sown(board, pit)))
        return best

    for seeds, result in enumerate(IRVING_2000[pits], 1):
        assert "LDW"[value(first_board(pits, seeds)) + 1] == result


@pytest.mark.parametrize(("pits", "seeds", "value"), [(1, 3, 1), (2, 2, -1), (2, 5, 1), (3, 1, 0)])
def test_the_rules_have_these_values_in_full_sight(pits: int, seeds: int, value: int) -> None:
    assert solve(kalah(pits=pits, seeds=seeds, hidden=0)).value == value


def kalah_nodes(board: Board, hidden: bool) -> int:
    nodes = 1
    for pit, held in enumerate(board.rows[board.turn], 1):
        if held:
            after = sown(board, pit)
            below = 1 if outcome(after) else kalah_nodes(after, hidden)
            nodes += 1 + 2 * below if hidden and not outcome(after) else below
    return nodes


@pytest.mark.parametrize(("pits", "seeds"), [(1, 4), (2, 1), (2, 2), (3, 1)])
def test_sizes_of_kalah(pits: int, seeds: int) -> None:
    for hidden in (0, THIRD, 1):
        tree = kalah(pits=pits, seeds=seeds, hidden=hidden).tree()
        assert len(tree) == kalah_nodes(first_board(pits, seeds), hidden == THIRD)
        assert all(tree.recall(player) for player in tree.names)
        if hidden == 0:
            decisions = sum(1 for node in tree.nodes if not node.is_leaf)
            assert perfect_information(tree)
            assert len(tree.infosets) == decisions


def test_pits_offered_are_those_with_seeds() -> None:
    position = kalah(pits=3, seeds=2).position().after(2).after("hidden")
    assert position.movers == ("first",)  # the last seed fell into its store
    assert position.options("first") == (1, 3)


def test_the_picture_shows_what_follows_from_the_view_and_no_more() -> None:
    """Of all positions with the same view, the boards that it follows are those that occur."""
    game = kalah(pits=2, seeds=3)
    occur: dict[tuple[str, Any], set[Board]] = {}
    left = [game.position()]
    while left:
        position = left.pop()
        if position.over or position.made > 8:
            continue
        (mover,) = position.movers or (None,)
        if mover is not None:
            occur.setdefault((mover, position.view(mover)), set()).add(position.state)
        moves = position.options(mover) if mover else [one for one, _ in position.chances()]
        left += [position.after(move) for move in moves]
    assert len(occur) > 50
    for (mover, view), found in occur.items():
        assert boards(view, int(mover == "second"), first_board(2, 3)) == found


def test_the_picture_after_a_hidden_move() -> None:
    game = kalah(pits=2, seeds=1)
    position = game.position().after(1).after("hidden")
    drawn = game.picture(position.view("second"), "second")
    squares = {name: mark.text for name, mark in drawn.squares.items()}
    assert squares == {
        "a2": "0", "b2": "2", "c2": "0", "b1": "1", "c1": "1", "d1": "0",
    }  # fmt: skip


# ---------------------------------------------------------------- bidding tic-tac-toe

Marks = tuple[frozenset[int], frozenset[int]]


def bidding_value(width: int, height: int, line: int, chips: tuple[int, int]) -> int:
    """Pure bids suffice (Develin & Payne 2010): every matrix of bids must have a saddle point."""
    step = {1: (1, 0), width + 1: (0, 1), width + 2: (1, 1), width: (-1, 1)}
    board = {x + (width + 1) * y for x in range(width) for y in range(height)}
    rows = [{a + k * s for k in range(line)} for a in board for s in step]
    winning = [row for row in rows if row <= board]

    @cache
    def value(marks: Marks, held: tuple[int, int], holder: int) -> int:
        @cache
        def marked(mover: int, price: int, keeps: int) -> int:
            sign = -1 if mover else 1
            found = []
            for square in board - marks[0] - marks[1]:
                mine = marks[mover] | {square}
                new = (marks[0], mine) if mover else (mine, marks[1])
                purse = held[0] - sign * price, held[1] + sign * price
                over = any(row <= mine for row in winning)
                full = len(marks[0]) + len(marks[1]) + 1 == len(board)
                found.append(sign if over else 0 if full else value(new, purse, keeps))
            return min(found) if mover else max(found)

        def after(a: int, b: int) -> int:
            if a != b:
                return marked(0 if a > b else 1, max(a, b), holder)
            ways = marked(holder, a, 1 - holder), marked(1 - holder, a, holder)
            return min(ways) if holder else max(ways)

        bids = [[after(a, b) for b in range(held[1] + 1)] for a in range(held[0] + 1)]
        low = max(map(min, bids))
        assert low == min(map(max, zip(*bids, strict=True)))
        return low

    return value((frozenset(), frozenset()), chips, 0)


@pytest.mark.parametrize(
    ("width", "height", "line", "chips"),
    [(3, 1, 2, (1, 1)), (3, 1, 2, (0, 2)), (2, 2, 2, (1, 1)), (2, 2, 2, (0, 2)), (4, 1, 2, (1, 0))],
)
def test_bidding_by_three_methods(
    width: int, height: int, line: int, chips: tuple[int, int]
) -> None:
    whole = bidding_tic_tac_toe(width=width, height=height, line=line, chips=chips)
    value = bidding_value(width, height, line, chips)
    assert solve(whole).value == value
    assert backward_induction(whole, exact=True).value == value


def test_bidding_in_which_more_chips_win() -> None:
    values = [bidding_value(2, 2, 2, (a, 3 - a)) for a in range(4)]
    assert values == sorted(values)
    assert {values[0], values[-1]} == {-1, 1}


def richman() -> Fraction:
    """The share of the chips that cross needs on the usual board, if chips are very many."""
    rows = [{3 * k + n for n in range(3)} for k in range(3)]
    rows += [{k + 3 * n for n in range(3)} for k in range(3)] + [{0, 4, 8}, {2, 4, 6}]

    @cache
    def share(cross: frozenset[int], nought: frozenset[int]) -> Fraction:
        if any(row <= cross for row in rows):
            return Fraction(0)
        free = frozenset(range(9)) - cross - nought
        if not free or any(row <= nought for row in rows):
            return Fraction(1)
        best = min(share(cross | {one}, nought) for one in free)
        worst = max(share(cross, nought | {one}) for one in free)
        return (best + worst) / 2

    return share(frozenset(), frozenset())


def test_the_share_that_wins_the_usual_board() -> None:
    """133/256, Develin & Payne 2010."""
    assert richman() == Fraction(133, 256)


def test_sizes_of_bidding() -> None:
    """With no chips at all the advantage decides: use or keep, then a square."""
    tree = bidding_tic_tac_toe(width=2, height=1, line=2, chips=(0, 0)).tree()
    # Two bids, a choice, two ways of two squares; the second mark: two bids, a choice, two ways of
    # the one square that is left.
    second = 2 + 1 + 2 * (1 + 1)
    assert len(tree) == 2 + 1 + 2 * (1 + 2 * second)


def test_bids_are_made_at_once_and_seen_afterwards() -> None:
    start = bidding_tic_tac_toe().position()
    assert start.movers == ("cross", "nought")
    after = start.after((1, 0))
    assert isinstance(after, ReplayPosition)
    assert after.movers == ("cross",)
    assert ("saw", ("nought", "bids", 0)) in after.view("cross")
    view = after.after("a1").view("nought")
    assert {("saw", ("cross", "bids", 1)), ("saw", "a1")} <= set(view)
