"""Movement patterns: numbers of moves by formula, what blocks, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.movement import (
    BISHOP,
    KING,
    KNIGHT,
    QUEEN,
    ROOK,
    WAZIR,
    Movement,
    leaper,
    rider,
    symmetric,
)

FORMULAS = [
    (WAZIR, lambda n: 4 * n * (n - 1)),
    (ROOK, lambda n: 2 * n * n * (n - 1)),
    (BISHOP, lambda n: 2 * n * (n - 1) * (2 * n - 1) // 3),
    (QUEEN, lambda n: 2 * n * n * (n - 1) + 2 * n * (n - 1) * (2 * n - 1) // 3),
    (KING, lambda n: 4 * (n - 1) * (2 * n - 1)),
    (KNIGHT, lambda n: 8 * (n - 1) * (n - 2)),
]
PIECES = [piece for piece, _ in FORMULAS]


@pytest.mark.parametrize("size", [2, 3, 5, 8])
@pytest.mark.parametrize(("piece", "formula"), FORMULAS)
def test_moves_on_an_empty_board(piece: Movement, formula: object, size: int) -> None:
    assert piece.count(size, size) == formula(size)  # type: ignore[operator]


def test_moves_from_a_square() -> None:
    squares = [(x, y) for x in range(8) for y in range(8)]
    assert {len(ROOK.reach(square, 8, 8)) for square in squares} == {14}
    assert sorted({len(KNIGHT.reach(square, 8, 8)) for square in squares}) == [2, 3, 4, 6, 8]
    assert sorted({len(QUEEN.reach(square, 8, 8)) for square in squares}) == [21, 23, 25, 27]


@given(
    st.sampled_from(PIECES),
    st.tuples(st.integers(0, 4), st.integers(0, 3)),
    st.tuples(st.integers(0, 4), st.integers(0, 3)),
)
def test_moves_can_be_taken_back(
    piece: Movement, start: tuple[int, int], end: tuple[int, int]
) -> None:
    assert (end in piece.reach(start, 5, 4)) == (start in piece.reach(end, 5, 4))


@given(st.sampled_from(PIECES), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_a_blocked_square_is_not_entered_and_may_be_captured(
    piece: Movement, pieces: set[tuple[int, int]]
) -> None:
    pieces.discard((2, 2))
    quiet = piece.reach((2, 2), 5, 5, blocked=pieces)
    captured = piece.captures((2, 2), 5, 5, pieces)
    assert not pieces & set(quiet)
    assert set(captured) <= pieces
    assert set(quiet) | set(captured) <= set(piece.reach((2, 2), 5, 5))
    if piece in (KNIGHT, KING, WAZIR):  # nothing stands between
        assert set(quiet) | set(captured) == set(piece.reach((2, 2), 5, 5))


def test_riders_stop_and_leapers_do_not() -> None:
    assert ROOK.reach((0, 0), 4, 1, blocked={(2, 0)}) == ((1, 0),)
    assert ROOK.captures((0, 0), 4, 1, {(2, 0), (3, 0)}) == ((2, 0),)
    assert leaper((3, 0)).reach((0, 0), 4, 1, blocked={(1, 0), (2, 0)}) == ((3, 0),)
    assert rider((1, 0), most=2).reach((0, 0), 9, 1) == ((1, 0), (2, 0))
    assert rider((1, 2)).reach((0, 0), 5, 5) == ((2, 1), (1, 2), (4, 2), (2, 4))
    assert leaper((0, 1), turned=False).reach((0, 0), 3, 3) == ((0, 1),)
    assert symmetric((0, 0)) == ((0, 0),)


def test_what_movements_refuse() -> None:
    with pytest.raises(RulesError, match=r"\(0, 0\) leads nowhere"):
        leaper((0, 0))
    with pytest.raises(RulesError, match="repeated 0 times"):
        rider((1, 0), most=0)
    with pytest.raises(RulesError, match=r"\(3, 0\) is not on the board.*c3"):
        KING.reach((3, 0), 3, 3)
    with pytest.raises(RulesError, match=r"\(0, -1\) is not on the board"):
        KING.captures((0, -1), 3, 3, ())
