"""How pieces move on a grid: by steps in certain directions, once or again and again.

A *leaper* goes straight to a square at a given distance, whatever stands between: the knight. A
*rider* repeats a step as often as it likes until something is in its way: rook, bishop, queen. A
step limited to once is the king's. :class:`Movement` has both, as directions with the number of
times that each may be repeated; ``|`` joins movements, as a queen moves like a rook and a bishop.
After the movement patterns of pieces in Gala (Koller & Pfeffer 1997, section 4).

On an empty board of n × n squares, n ≥ 2, the moves from all squares are: rook 2n²(n-1), bishop
2n(n-1)(2n-1)/3, queen their sum, king 4(n-1)(2n-1), knight 8(n-1)(n-2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from infoset.errors import RulesError
from infoset.objects.board import Square, square_name

__all__ = [
    "BISHOP",
    "KING",
    "KNIGHT",
    "QUEEN",
    "ROOK",
    "WAZIR",
    "Movement",
    "leaper",
    "rider",
    "symmetric",
]

Step = tuple[int, int]


def symmetric(step: Step) -> tuple[Step, ...]:
    """A step with all its images under the turns and reflections of a square.

    Parameters
    ----------
    step
        Columns to the right, and rows up.

    Returns
    -------
    tuple of steps
        One of (0, 0), four of a straight or diagonal step, otherwise eight, in order.

    Examples
    --------
    >>> symmetric((1, 0))
    ((-1, 0), (0, -1), (0, 1), (1, 0))
    >>> len(symmetric((1, 2)))
    8
    """
    signs = (1, -1)
    ways = (step, step[::-1])
    return tuple(sorted({(x * right, y * up) for x, y in ways for right in signs for up in signs}))


@dataclass(frozen=True)
class Movement:
    """The moves of a piece: directions, and how often each may be repeated.

    Parameters
    ----------
    directions
        Pairs of a step and the most times that it is repeated in a move, None for as often as
        there are squares.

    Examples
    --------
    >>> pawn = Movement((((0, 1), 2),))
    >>> pawn.reach((1, 1), 3, 8)
    ((1, 2), (1, 3))
    >>> (ROOK | KNIGHT).count(8, 8)
    1232
    """

    directions: tuple[tuple[Step, int | None], ...]

    def __post_init__(self) -> None:
        for step, most in self.directions:
            if step == (0, 0):
                raise RulesError("a step of (0, 0) leads nowhere; give columns or rows to move")
            if most is not None and most < 1:
                raise RulesError(
                    f"the step {step} repeated {most} times is no move; give 1 or more"
                )

    def __or__(self, other: Movement) -> Movement:
        """As this piece moves, or as the other does."""
        return Movement(tuple(dict.fromkeys(self.directions + other.directions)))

    def reach(
        self, start: Square, width: int, height: int, *, blocked: Collection[Square] = ()
    ) -> tuple[Square, ...]:
        """The squares to which a piece may move.

        Parameters
        ----------
        start
            Where it stands: column and row, from 0.
        width, height
            Of the board.
        blocked
            Squares that it may neither enter nor ride over.

        Returns
        -------
        tuple of squares
            Each once, row by row.

        Raises
        ------
        RulesError
            If ``start`` is not on the board.

        Examples
        --------
        >>> ROOK.reach((0, 0), 3, 3, blocked={(0, 2)})
        ((1, 0), (2, 0), (0, 1))
        >>> KNIGHT.reach((0, 0), 3, 3, blocked={(1, 1), (0, 1), (1, 0)})
        ((2, 1), (1, 2))
        """
        self._on_board(start, width, height)
        return _reached(self.directions, start, width, height, frozenset(blocked))

    def captures(
        self, start: Square, width: int, height: int, pieces: Collection[Square]
    ) -> tuple[Square, ...]:
        """The squares with a piece that a piece may move to: the first in each direction.

        Parameters
        ----------
        start, width, height
            As of :meth:`reach`.
        pieces
            Squares with the pieces of both players, over which no rider goes.

        Returns
        -------
        tuple of squares
            Those of ``pieces`` that are reached, row by row.

        Raises
        ------
        RulesError
            If ``start`` is not on the board.

        Examples
        --------
        >>> QUEEN.captures((0, 0), 8, 8, {(3, 3), (5, 5), (0, 7), (1, 2)})
        ((3, 3), (0, 7))
        """
        self._on_board(start, width, height)
        there = frozenset(pieces)
        found = set()
        for step, most in self.directions:
            for square in _ride(start, step, most, width, height):
                if square in there:
                    found.add(square)
                    break
        return tuple(sorted(found, key=lambda square: (square[1], square[0])))

    def count(self, width: int, height: int) -> int:
        """The number of moves on an empty board, from all its squares together.

        Parameters
        ----------
        width, height
            Of the board.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> {name: one.count(8, 8) for name, one in (("rook", ROOK), ("knight", KNIGHT))}
        {'rook': 896, 'knight': 336}
        """
        squares = [(x, y) for y in range(height) for x in range(width)]
        return sum(len(self.reach(square, width, height)) for square in squares)

    @staticmethod
    def _on_board(start: Square, width: int, height: int) -> None:
        if not (0 <= start[0] < width and 0 <= start[1] < height):
            raise RulesError(
                f"{start} is not on the board, which goes from a1 to"
                f" {square_name((width - 1, height - 1))}"
            )


@lru_cache(maxsize=1 << 14)
def _reached(
    directions: tuple[tuple[Step, int | None], ...],
    start: Square,
    width: int,
    height: int,
    blocked: frozenset[Square],
) -> tuple[Square, ...]:
    """The squares up to the first in each direction that is blocked, row by row."""
    found = set()
    for step, most in directions:
        for square in _ride(start, step, most, width, height):
            if square in blocked:
                break
            found.add(square)
    return tuple(sorted(found, key=lambda square: (square[1], square[0])))


def _ride(start: Square, step: Step, most: int | None, width: int, height: int) -> Iterator[Square]:
    """The squares of one direction on an empty board, the nearest first."""
    x, y = start
    done = 0
    while most is None or done < most:
        x, y, done = x + step[0], y + step[1], done + 1
        if not (0 <= x < width and 0 <= y < height):
            return
        yield x, y


def leaper(*steps: Step, turned: bool = True) -> Movement:
    """A piece that goes one step, over whatever stands between.

    Parameters
    ----------
    steps
        Columns to the right, and rows up.
    turned
        Whether all images of the steps count, too, as of :func:`symmetric`.

    Returns
    -------
    Movement
        Its moves.

    Examples
    --------
    >>> leaper((1, 2)) == KNIGHT
    True
    """
    return _movement(steps, 1, turned)


def rider(*steps: Step, most: int | None = None, turned: bool = True) -> Movement:
    """A piece that repeats a step until something is in its way.

    Parameters
    ----------
    steps
        Columns to the right, and rows up.
    most
        The most times that a step is repeated in one move; None for any number.
    turned
        Whether all images of the steps count, too, as of :func:`symmetric`.

    Returns
    -------
    Movement
        Its moves.

    Examples
    --------
    >>> rider((1, 0), most=2).reach((0, 0), 8, 8)
    ((1, 0), (2, 0), (0, 1), (0, 2))
    """
    return _movement(steps, most, turned)


def _movement(steps: tuple[Step, ...], most: int | None, turned: bool) -> Movement:
    every = [image for step in steps for image in (symmetric(step) if turned else (step,))]
    return Movement(tuple([(step, most) for step in dict.fromkeys(every)]))


WAZIR = leaper((1, 0))  # one square along a row or a column
KING = leaper((1, 0), (1, 1))
KNIGHT = leaper((1, 2))
ROOK = rider((1, 0))
BISHOP = rider((1, 1))
QUEEN = ROOK | BISHOP
