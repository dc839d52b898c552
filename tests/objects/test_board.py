"""The grid board and its straight lines."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.board import Board, square_name, straight_lines
from infoset.objects.combinations import chain, profile

sides = st.integers(1, 7)


@given(sides, sides, st.integers(2, 8))
def test_number_of_lines(width, height, length):
    across, up = max(width - length + 1, 0), max(height - length + 1, 0)
    lines = straight_lines(width, height, length)
    assert len(lines) == height * across + width * up + 2 * across * up


@given(sides, sides, st.integers(1, 7))
def test_lines_are_straight_different_and_on_the_board(width, height, length):
    lines = straight_lines(width, height, length)
    assert len(set(map(frozenset, lines))) == len(lines)
    for line in lines:
        assert len(set(line)) == length
        assert all(0 <= x < width and 0 <= y < height for x, y in line)
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
        assert len(profile(steps)) <= 1
        assert all(max(abs(x), abs(y)) == 1 for x, y in steps)


def test_known_numbers_of_lines():
    assert len(straight_lines(3, 3, 3)) == 8  # tic-tac-toe
    assert len(straight_lines(7, 6, 4)) == 69  # connect four
    assert straight_lines(2, 2, 1) == (((0, 0),), ((1, 0),), ((0, 1),), ((1, 1),))
    assert straight_lines(2, 2, 3) == ()
    assert straight_lines(3, 3, 3) is straight_lines(3, 3, 3)


@given(sides, sides)
def test_squares_row_by_row(width, height):
    board = Board(width, height)
    assert (
        board.squares
        == board.empty()
        == tuple((x, y) for y, x in product(range(height), range(width)))
    )


@given(st.data())
def test_empty_and_where_share_out_the_board(data):
    board = Board(data.draw(sides), data.draw(sides))
    pieces = data.draw(st.lists(st.sampled_from((None, "x", "o")), max_size=len(board.squares)))
    for square, piece in zip(board.squares, pieces, strict=False):
        board[square] = piece
    groups = (board.empty(), board.where("x"), board.where("o"))
    assert sorted(sum(groups, ())) == sorted(board.squares)
    assert all(board[square] == "x" for square in board.where("x"))
    for length in (1, 2, 3):
        expected = [
            line
            for line in straight_lines(board.width, board.height, length)
            if set(line) <= set(board.where("x"))
        ]
        assert list(board.lines("x", length)) == expected
        assert list(board.lines(lambda there: there == "x", length)) == expected
        assert board.has_line("x", length) == bool(expected)


def test_place_move_remove():
    board = Board(3, 3)
    board.place((1, 1), "x")
    board.move((1, 1), (2, 0))
    assert (board[1, 1], board[2, 0]) == (None, "x")
    assert board.remove((2, 0)) == "x"
    assert board == Board(3, 3)


def test_zero_is_a_piece():
    board = Board(6, 2, fill=4)
    board[0, 0] = 0
    assert board.where(0) == ((0, 0),)
    assert board.empty() == ()
    with pytest.raises(RulesError, match="a1 holds 0"):
        board.place((0, 0), 1)
    assert board.remove((0, 0)) == 0


def test_refused_moves_change_nothing():
    board = Board(2, 2)
    board.place((0, 0), "x")
    board.place((1, 0), "o")
    before = board.copy()
    attempts = [
        (lambda: board.place((1, 0), "x"), "b1 holds o, so x cannot be placed"),
        (lambda: board.move((0, 0), (1, 0)), "b1 holds o"),
        (lambda: board.move((0, 0), (0, 0)), "a1 holds x"),
        (lambda: board.move((0, 1), (1, 1)), "a2 is empty"),
        (lambda: board.remove((1, 1)), "b2 is empty"),
        (lambda: board.place((2, 0), "x"), r"\(2, 0\) is not on the board; x goes from 0 to 1"),
        (lambda: board.move((0, 0), (0, -1)), "not on the board"),
        (lambda: board[0, 2], "not on the board"),
        (lambda: board.__setitem__((0, 2), "x"), "not on the board"),
    ]
    for attempt, complaint in attempts:
        with pytest.raises(RulesError, match=complaint):
            attempt()
        assert board == before


def test_a_copy_is_independent():
    board = Board(2, 1)
    twin = board.copy()
    twin.place((0, 0), "x")
    assert board[0, 0] is None
    assert board != twin
    assert (twin.width, twin.height, twin.squares) == (2, 1, board.squares)


def test_boards_of_different_shapes_differ():
    assert Board(2, 1) != Board(1, 2)
    assert Board(1, 1) != "."


def test_picture_has_a1_at_the_lower_left():
    board = Board(3, 2)
    board.place((0, 0), "x")
    board.place((2, 1), "o")
    assert str(board) == ". . o\nx . ."
    assert repr(board) == "<Board 3×2: . . o / x . .>"
    board.place((1, 0), 10)
    assert str(board) == " .  .  o\n x 10  ."


def test_a_board_is_no_fact():
    with pytest.raises(TypeError):
        hash(Board(1, 1))


def test_square_names_count_on_after_z():
    assert [square_name((x, 0)) for x in (0, 25, 26, 51, 52, 701, 702)] == [
        "a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1",
    ]  # fmt: skip
    names = [square_name((x, 0))[:-1] for x in range(1000)]
    assert chain(lambda one, two: (len(one), one) < (len(two), two), names)


def test_bad_sizes():
    for attempt in (lambda: Board(0, 3), lambda: straight_lines(3, -1, 2)):
        with pytest.raises(RulesError, match="has no squares"):
            attempt()
    with pytest.raises(RulesError, match="length=0"):
        straight_lines(3, 3, 0)
    with pytest.raises(RulesError, match="squares start at"):
        square_name((-1, 0))
