"""A grid of squares with pieces, and the straight lines on it.

Squares are pairs (x, y) from (0, 0), listed row by row: (0, 0), (1, 0), … To people (0, 0) is "a1",
and lies at the lower left as on a chess board. An empty square holds ``None``. After the grid board
and ``straight_line`` of Gala (Koller & Pfeffer 1997).

A w × h board has, for n ≥ 2, h·(w−n+1) rows of n squares, w·(h−n+1) columns and 2·(w−n+1)·(h−n+1)
diagonals (a factor below zero counting as zero). They are listed once for each size of board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Generic, TypeVar

from infoset.errors import RulesError

__all__ = ["Board", "Square", "lines_through", "square_name", "straight_lines"]

Piece = TypeVar("Piece")
Square = tuple[int, int]
Line = tuple[Square, ...]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def square_name(square: Square) -> str:
    """The name of a square: letters for its column, then its row counted from 1.

    Parameters
    ----------
    square
        The pair (x, y), from (0, 0).

    Returns
    -------
    str
        As on a chess board.

    Examples
    --------
    >>> square_name((0, 0)), square_name((4, 3)), square_name((26, 0))
    ('a1', 'e4', 'aa1')
    """
    x, y = square
    if x < 0 or y < 0:
        raise RulesError(f"{square} has no name; squares start at (0, 0)")
    letters = ""
    while x >= 0:
        x, letter = divmod(x, len(_LETTERS))
        letters = _LETTERS[letter] + letters
        x -= 1  # there is no letter for zero: after z comes aa
    return f"{letters}{y + 1}"


@lru_cache(maxsize=256)
def straight_lines(width: int, height: int, length: int) -> tuple[Line, ...]:
    """All rows, columns and diagonals of a length, in order of their first square.

    Parameters
    ----------
    width, height
        Of the board.
    length
        Squares of a line, 1 or more.

    Returns
    -------
    tuple of tuples of squares
        Each line once; none, if the length is more than both sides of the board.

    Examples
    --------
    >>> straight_lines(2, 1, 2)
    (((0, 0), (1, 0)),)
    >>> len(straight_lines(3, 3, 3)), len(straight_lines(7, 6, 4))
    (8, 69)
    """
    if length < 1:
        raise RulesError(f"straight_lines(…, length={length}) asks for no squares; give 1 or more")
    squares = _squares(width, height)
    if length == 1:  # in all four directions the same square
        return tuple((square,) for square in squares)
    on_board = frozenset(squares)
    lines = []
    for x, y in squares:
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            reach = length - 1
            if (x + reach * right, y + reach * up) in on_board:
                lines.append(tuple((x + step * right, y + step * up) for step in range(length)))
    return tuple(lines)


@lru_cache(maxsize=256)
def lines_through(width: int, height: int, length: int) -> dict[str, tuple[frozenset[str], ...]]:
    """The names of all squares, each with the straight lines that go through it.

    Parameters
    ----------
    width, height, length
        As of :func:`straight_lines`.

    Returns
    -------
    dict
        By the name of a square: its lines, as sets of names. It is kept; do not change it.

    Examples
    --------
    >>> {square: len(lines) for square, lines in lines_through(3, 1, 2).items()}
    {'a1': 1, 'b1': 2, 'c1': 1}
    """
    lines = [frozenset(map(square_name, line)) for line in straight_lines(width, height, length)]
    squares = list(map(square_name, _squares(width, height)))
    return {square: tuple([line for line in lines if square in line]) for square in squares}


@lru_cache(maxsize=256)
def _squares(width: int, height: int) -> tuple[Square, ...]:
    if width < 1 or height < 1:
        raise RulesError(f"a board of {width} by {height} has no squares; give sides of 1 or more")
    return tuple((x, y) for y in range(height) for x in range(width))


@lru_cache(maxsize=256)
def _nothing(width: int, height: int) -> dict[Square, Any]:
    return dict.fromkeys(_squares(width, height))


class Board(Generic[Piece]):
    """A width × height board with a piece or ``None`` on each square.

    ``board[x, y] = piece`` puts down anything anywhere; ``place``, ``move`` and ``remove`` make
    sure that no piece is lost.

    Parameters
    ----------
    width, height
        Of the board.
    fill
        What is put on every square at the start.

    Examples
    --------
    >>> board = Board[str](3, 2)
    >>> board.place((0, 0), "x")
    >>> board.place((2, 1), "o")
    >>> print(board)
    . . o
    x . .
    >>> board[0, 0], board[1, 0], board.where("o")
    ('x', None, ((2, 1),))
    """

    __slots__ = ("_pieces", "height", "width")

    width: int
    height: int
    _pieces: dict[Square, Piece | None]

    def __init__(self, width: int, height: int, fill: Piece | None = None) -> None:
        self.width = width
        self.height = height
        self._pieces = _nothing(width, height).copy()  # cheaper than to hash every square again
        if fill is not None:
            self._pieces = dict.fromkeys(self._pieces, fill)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares, row by row from (0, 0)."""
        return _squares(self.width, self.height)

    def __getitem__(self, square: Square) -> Piece | None:
        try:
            return self._pieces[square]
        except KeyError:
            raise self._off(square) from None

    def __setitem__(self, square: Square, piece: Piece | None) -> None:
        if square not in self._pieces:
            raise self._off(square)
        self._pieces[square] = piece

    def place(self, square: Square, piece: Piece) -> None:
        """Put a piece on an empty square.

        Parameters
        ----------
        square
            Column and row, from 0.
        piece
            Any value but None.

        Raises
        ------
        RulesError
            If the square is not empty, or not on the board.

        Examples
        --------
        >>> board = Board[str](2, 1)
        >>> board.place((0, 0), "x")
        >>> print(board)
        x .
        """
        there = self[square]
        if there is not None:
            raise RulesError(
                f"{square_name(square)} holds {there}, so {piece} cannot be placed; remove it first"
            )
        self._pieces[square] = piece

    def remove(self, square: Square) -> Piece:
        """Take the piece off a square, and return it.

        Parameters
        ----------
        square
            Column and row, from 0.

        Returns
        -------
        object
            The piece.

        Raises
        ------
        RulesError
            If the square is empty, or not on the board.

        Examples
        --------
        >>> board = Board[str](2, 1)
        >>> board.place((0, 0), "x")
        >>> board.remove((0, 0))
        'x'
        """
        piece = self[square]
        if piece is None:
            raise RulesError(f"{square_name(square)} is empty; look at board[x, y] before removing")
        self._pieces[square] = None
        return piece

    def move(self, start: Square, end: Square) -> None:
        """Move the piece on one square to another, which is empty.

        To capture, remove what stands there first.

        Parameters
        ----------
        start, end
            Squares: column and row, from 0.

        Raises
        ------
        RulesError
            If ``start`` is empty or ``end`` is not, or one is not on the board.

        Examples
        --------
        >>> board = Board[str](2, 1)
        >>> board.place((0, 0), "x")
        >>> board.move((0, 0), (1, 0))
        >>> print(board)
        . x
        """
        piece = self[start]
        if piece is None:
            raise RulesError(f"{square_name(start)} is empty; there is no piece to move")
        self.place(end, piece)  # refuses an occupied square before anything has changed
        self._pieces[start] = None

    def empty(self) -> tuple[Square, ...]:
        """The squares without a piece, row by row.

        Examples
        --------
        >>> board = Board[str](2, 2)
        >>> board.place((1, 0), "x")
        >>> board.empty()
        ((0, 0), (0, 1), (1, 1))
        """
        return tuple([square for square, piece in self._pieces.items() if piece is None])

    def where(self, piece: Piece) -> tuple[Square, ...]:
        """The squares that hold a piece equal to this one, row by row.

        Parameters
        ----------
        piece
            A piece.

        Returns
        -------
        tuple of squares
            Empty if there is none.

        Examples
        --------
        >>> board = Board[str](2, 1)
        >>> board.place((0, 0), "x")
        >>> board.where("x")
        ((0, 0),)
        """
        return tuple([square for square, there in self._pieces.items() if there == piece])

    def lines(
        self, piece: Piece | Callable[[Piece | None], object], length: int
    ) -> tuple[Line, ...]:
        """The straight lines of a length with this piece on every square.

        Parameters
        ----------
        piece
            The piece; or a function of the contents of a square, None if it is empty, that is true
            if they count.
        length
            Squares of a line.

        Returns
        -------
        tuple of lines
            As of :func:`straight_lines`.

        Examples
        --------
        >>> board = Board[str](3, 3)
        >>> for square in ((0, 0), (1, 1), (2, 2)):
        ...     board.place(square, "x")
        >>> board.lines("x", 3)
        (((0, 0), (1, 1), (2, 2)),)
        >>> len(board.lines(lambda there: there != "o", 3))
        8
        """
        return tuple(self._lines(piece, length))

    def has_line(self, piece: Piece | Callable[[Piece | None], object], length: int) -> bool:
        """Whether there is a straight line as in :meth:`lines`; stops at the first one.

        Parameters
        ----------
        piece, length
            As of :meth:`lines`.

        Returns
        -------
        bool
            True if there is one.

        Examples
        --------
        >>> board = Board(3, 3, fill="x")
        >>> board.has_line("x", 3), board.has_line("o", 3)
        (True, False)
        """
        return next(self._lines(piece, length), None) is not None

    def _lines(
        self, piece: Piece | Callable[[Piece | None], object], length: int
    ) -> Iterator[Line]:
        pieces = self._pieces
        if callable(piece):
            counts = {square for square, there in pieces.items() if piece(there)}
            for line in straight_lines(self.width, self.height, length):
                if counts.issuperset(line):
                    yield line
            return
        for line in straight_lines(self.width, self.height, length):
            for square in line:
                if pieces[square] != piece:
                    break
            else:
                yield line

    def copy(self) -> Board[Piece]:
        """A board with the same pieces, to change independently of this one."""
        twin: Board[Piece] = Board.__new__(Board)
        twin.width = self.width
        twin.height = self.height
        twin._pieces = self._pieces.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._pieces == other._pieces

    __hash__ = None  # type: ignore[assignment]  # it changes; reveal str(board) as a fact

    def __str__(self) -> str:
        texts = ["." if piece is None else str(piece) for piece in self._pieces.values()]
        wide = max(map(len, texts))
        rows = [
            " ".join([text.rjust(wide) for text in texts[start : start + self.width]])
            for start in range(0, len(texts), self.width)
        ]
        return "\n".join(reversed(rows))

    def __repr__(self) -> str:
        return f"<Board {self.width}×{self.height}: {str(self).replace(chr(10), ' / ')}>"

    def _off(self, square: object) -> RulesError:
        return RulesError(
            f"{square!r} is not on the board; x goes from 0 to {self.width - 1}, "
            f"y from 0 to {self.height - 1}"
        )
