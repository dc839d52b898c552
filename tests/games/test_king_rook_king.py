"""King and rook against king in kriegspiel: counted and judged without the engine.

The number of nodes is counted by a recursion over boards that are written down here as sets of
attacked squares. The values are exact: the linear program's solution is verified by best responses.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import pytest

from infoset import best_response, solve
from infoset.errors import ParameterError, RulesError
from infoset.games.king_rook_king import king_rook_king
from infoset.play import PlayerStrategy, entrant

Square = tuple[int, int]


def near(one: Square, two: Square) -> bool:
    return abs(one[0] - two[0]) <= 1 and abs(one[1] - two[1]) <= 1


def sees(rook: Square, target: Square, wall: Square) -> bool:
    """Is the target on the rook's row or column, and the wall not between them?"""
    for a in (0, 1):
        b = 1 - a
        if rook[a] == target[a] and rook != target:
            low, high = sorted((rook[b], target[b]))
            return not (wall[a] == rook[a] and low < wall[b] < high)
    return False


def nodes(squares: list[Square], king: Square, rook: Square, moves: int) -> int:
    """Of the whole tree: attempts that are refused come first in any number and any order."""

    def safe(at: Square, king: Square, rook: Square) -> bool:
        return not near(at, king) and not (at != rook and sees(rook, at, king))

    def turns(refused: int, legal: int, below: int) -> int:
        """Nodes of a turn: after k refused attempts the decision, and what follows each move."""
        orders = sum(factorial(refused) // factorial(refused - k) for k in range(refused + 1))
        return orders * (1 + below) if legal else 0

    def white(king: Square, rook: Square, other: Square, left: int) -> int:
        steps = [s for s in squares if near(s, king) and s not in (king, rook)]
        refused = [s for s in steps if near(s, other)]
        after = [(s, rook) for s in steps if s not in refused]
        after += [(king, s) for s in squares if s != king and sees(rook, s, king)]
        below = sum(black(k, r, other, left - 1) for k, r in after)
        return turns(len(refused), len(after), below)

    def black(king: Square, rook: Square, other: Square, left: int) -> int:
        steps = [s for s in squares if near(s, other) and s != other]
        legal = [s for s in steps if safe(s, king, rook)]
        if not legal or left == 0:
            return 1
        below = sum(1 if s == rook else white(king, rook, s, left) for s in legal)
        return turns(len(steps) - len(legal), len(legal), below)

    free = [s for s in squares if s != rook and safe(s, king, rook)]
    return 1 + sum(white(king, rook, s, moves) for s in free)


@pytest.mark.parametrize(
    ("width", "height", "king", "rook", "moves"),
    [
        (3, 3, "a1", "b1", 1),
        (3, 3, "a1", "b1", 2),
        (3, 3, "c1", "a2", 2),
        (4, 4, "a1", "b1", 1),
        (4, 3, "c1", "a2", 1),
        (4, 4, "c3", "d1", 1),
    ],
)
def test_nodes(width: int, height: int, king: str, rook: str, moves: int) -> None:
    squares = list(product(range(width), range(height)))
    at = [(ord(name[0]) - ord("a"), int(name[1]) - 1) for name in (king, rook)]
    tree = king_rook_king(width, height, king, rook, moves).tree()
    assert len(tree) == nodes(squares, *at, moves)


def test_the_tree_has_its_sizes() -> None:
    """Nodes as counted above; the information sets as this tree has had them since it was made."""
    tree = king_rook_king().tree()
    assert (len(tree), len(tree.infosets)) == (8673, 204)


@pytest.mark.parametrize(
    ("width", "height", "moves", "value"),
    [
        (3, 3, 1, Fraction(-1)),  # no mate in one
        (3, 3, 2, Fraction(-1, 3)),  # mate with probability 1/3
        (4, 4, 1, Fraction(-1)),
    ],
)
def test_values(width: int, height: int, moves: int, value: Fraction) -> None:
    found = solve(king_rook_king(width, height, moves=moves))
    assert found.value == value
    assert found.regret == 0


def test_nobody_knows_more_than_was_said() -> None:
    game = king_rook_king()
    start = game.position()
    views = {start.after(place).view("white") for place, _ in start.chances()}
    assert len(views) == 1
    place = start.chances()[0][0]
    for move in start.after(place).options("white"):
        moved = start.after(place).after(move)
        own, *rest = [note for note in moved.view("black") if note[0] == "saw"]
        assert own == ("saw", f"your king on {place}")
        if moved.movers == ("white",):  # it was refused
            assert rest == []
        else:
            assert len(rest) == 1
            assert rest[0][1] in CHECKS
    drawn = game.picture(start.after(place).view("black"), "black")
    assert set(drawn.squares) == {place}
    assert set(game.picture((), "white").squares) == {"a1", "b1"}


CHECKS = ("white moved", "white moved, check by file", "white moved, check by rank")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"king": "d1"}, "no square 'd1'"),
        ({"king": "b1"}, "both on b1"),
        ({"king": "b2", "rook": "a1"}, "no square is left"),
    ],
)
def test_places_that_are_none_are_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        assert king_rook_king(**given).position().movers


def test_boards_that_are_none_are_refused() -> None:
    for wrong in ({"width": 2}, {"height": 10}, {"moves": 0}):
        with pytest.raises(ParameterError):
            king_rook_king(**wrong)


@pytest.mark.parametrize(
    ("player", "guaranteed"),
    [("overconfident", Fraction(-1, 3)), ("pimc", Fraction(-1, 3)), ("paranoid", Fraction(-1))],
)
def test_what_players_that_search_guarantee_beside_the_optimum(
    player: str, guaranteed: Fraction
) -> None:
    """A paranoid White expects to be too late with every move, so that all are equal to it."""
    game = king_rook_king()
    plays = PlayerStrategy(game, entrant(f"{player}:depth=20,samples=8").make)
    assert -best_response(game, plays, "black").value == guaranteed
    assert guaranteed <= solve(game).value == Fraction(-1, 3)
