"""Chess positions as values: men on squares, moves as text, and checks by direction.

Games on a chessboard keep a position as :class:`Men`, a tuple of numbers that is hashable and never
changed. What moves do, and which are legal, is computed by python-chess, which is loaded when the
first of these functions is called. It is under the GNU General Public License (version 3 or later)
and no part of the ordinary installation: the extra ``infoset[kriegspiel]`` brings it.

A move is a text, from square to square with what a pawn becomes: ``e2e4``, ``e7e8q``; castling is
the move of the king, ``e1g1``.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from infoset.errors import RulesError

if TYPE_CHECKING:
    from chess import Board, Move

__all__ = [
    "START",
    "Men",
    "attempts",
    "board_of",
    "directions",
    "fen_of",
    "men_of",
    "move_number",
    "move_text",
    "read_fen",
    "words_of",
]

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SIGNS = {sign: chr(0x2654 + at) for at, sign in enumerate("KQRBNPkqrbnp")}
KEPT = 1 << 15  # positions of which something is remembered


class Men(NamedTuple):
    """All men on a board, who moves, and what else a position has: sets of squares as bits.

    The square of a capture in passing is there only if such a capture is legal, so that positions
    are equal exactly if the rule of repetition says so.
    """

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    white: int
    black: int
    turn: bool  # does White move?
    castling: int  # rooks that may castle
    passing: int | None

    @property
    def mover(self) -> str:
        """The player in turn: ``"white"`` or ``"black"``."""
        return "white" if self.turn else "black"


@cache
def library() -> Any:
    """python-chess, or one line that says how to install it."""
    try:
        import chess
    except ImportError:
        raise RulesError(
            "python-chess, which moves the men, is not installed: pip install 'infoset[kriegspiel]'"
        ) from None
    return chess


def read_fen(fen: str, excused: tuple[str, ...] = ()) -> tuple[Men, int]:
    """A position in Forsyth-Edwards Notation, and the moves since a capture or a pawn's move.

    Parameters
    ----------
    fen
        All six fields; the last two, numbers of moves, may be missing.
    excused
        What may be wrong with the position, in words as python-chess names it.

    Returns
    -------
    tuple
        The men, and the number of half-moves.

    Raises
    ------
    RulesError
        If the text is no position, or the position is not legal.

    Examples
    --------
    >>> read_fen(START)[0].mover
    'white'
    >>> read_fen("8/8/8/8/8/8/8/K7 w - - 0 1")
    Traceback (most recent call last):
    ...
    infoset.errors.RulesError: fen='8/8/8/8/8/8/8/K7 w - - 0 1': an illegal position: no black king
    """
    chess = library()
    if not isinstance(fen, str):
        raise RulesError(f"fen={fen!r:.90}: give a text in Forsyth-Edwards Notation")
    try:
        board = chess.Board(fen)
    except ValueError as error:
        said = str(error).partition(": ")[0]
        raise RulesError(
            f"fen={fen!r:.90}: no position in Forsyth-Edwards Notation ({said:.60}); the usual"
            f" start is {START!r}"
        ) from None
    status = board.status()
    wrong = [flag.name.lower().replace("_", " ") for flag in chess.Status if flag and flag & status]
    wrong = [words for words in wrong if words not in excused]
    if wrong:
        raise RulesError(f"fen={fen!r:.90}: an illegal position: {', '.join(wrong)}")
    return men_of(board), board.halfmove_clock


def men_of(board: Board) -> Men:
    """The position of a board of python-chess."""
    passing = board.ep_square if board.has_legal_en_passant() else None
    return Men(
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[True],
        board.occupied_co[False],
        board.turn,
        board.clean_castling_rights(),
        passing,
    )


def board_of(men: Men) -> Board:
    """A board of python-chess, which may be changed.

    Examples
    --------
    >>> board_of(read_fen(START)[0]).legal_moves.count()
    20
    """
    board: Board = library().Board(None)
    board.pawns, board.knights, board.bishops = men.pawns, men.knights, men.bishops
    board.rooks, board.queens, board.kings = men.rooks, men.queens, men.kings
    board.occupied_co[True], board.occupied_co[False] = men.white, men.black
    board.occupied = men.white | men.black
    board.turn, board.castling_rights, board.ep_square = men.turn, men.castling, men.passing
    return board


def fen_of(men: Men) -> str:
    """A position in Forsyth-Edwards Notation."""
    return board_of(men).fen()


def words_of(men: Men, quiet: int = 0) -> tuple[int, ...]:
    """A position as the compiled board has it (:mod:`infoset.kernels.chess`).

    >>> words_of(read_fen("k7/8/8/8/8/8/8/K6R w - - 7 9")[0], 7)
    (0, 0, 0, 128, 0, 72057594037927937, 129, 72057594037927936, 1, 0, -1, 7)
    """
    sets = [word - (1 << 64) if word >> 63 else word for word in (*men[:8], men.castling)]
    passing = -1 if men.passing is None else men.passing
    return (*sets[:8], int(men.turn), sets[8], passing, quiet)


def move_number(move: str) -> int:
    """A move as the compiled board has it: from, 64 times to, 4096 times what a pawn becomes.

    >>> move_number("a1b1"), move_number("h7h8q")
    (64, 20471)
    """
    start, end = (FILES.index(move[at]) + 8 * (int(move[at + 1]) - 1) for at in (0, 2))
    return start + 64 * end + 4096 * (PROMOTIONS.index(move[4:]) if move[4:] else 0)


def move_text(number: int) -> str:
    """The text of such a number.

    >>> move_text(20471)
    'h7h8q'
    """
    squares = (number % 64, number // 64 % 64)
    text = "".join([f"{FILES[at % 8]}{at // 8 + 1}" for at in squares])
    return text + PROMOTIONS[number // 4096]


FILES, PROMOTIONS = "abcdefgh", ("", "n", "b", "r", "q")


def attempts(men: Men) -> tuple[str, ...]:
    """Whatever the player in turn may try, who sees nothing but its own men.

    These are the moves that are legal for some men of the other player: a pawn may try to capture
    to either side, and a line is open as far as no own man stands in the way.

    Examples
    --------
    >>> tried = attempts(read_fen(START)[0])
    >>> len(tried), "e2e4" in tried, "e2d3" in tried
    (34, True, True)
    """
    return _attempts(own_of(men))


def own_of(men: Men) -> Men:
    """Only the men of the player in turn, with its rights to castle."""
    own, row = (men.white, 0xFF) if men.turn else (men.black, 0xFF << 56)
    return Men(
        men.pawns & own,
        men.knights & own,
        men.bishops & own,
        men.rooks & own,
        men.queens & own,
        men.kings & own,
        men.white & own,
        men.black & own,
        men.turn,
        men.castling & row,
        None,
    )


@lru_cache(maxsize=KEPT)
def _attempts(own: Men) -> tuple[str, ...]:
    chess, board, men = library(), board_of(own), own.white | own.black
    found = {move.uci() for move in board.generate_pseudo_legal_moves()}
    for start in chess.scan_forward(own.pawns):
        for end in chess.scan_forward(chess.BB_PAWN_ATTACKS[own.turn][start] & ~men):
            move = chess.square_name(start) + chess.square_name(end)
            last = chess.square_rank(end) in (0, 7)
            found |= {move + piece for piece in "qrbn"} if last else {move}
    return tuple(sorted(found))


def castlings(men: Men) -> list[Move]:
    """Castling with nothing between king and rook, whatever is attacked."""
    alone, chess, occupied, found = board_of(own_of(men)), library(), men.white | men.black, []
    for move in alone.generate_castling_moves():
        rook = move.to_square + 1 if move.to_square > move.from_square else move.to_square - 2
        if not chess.between(move.from_square, rook) & occupied:
            found.append(move)
    return found


def directions(board: Board) -> tuple[str, ...]:
    """Where the player in turn is in check from, seen from its king; nothing if it is not.

    A rank, a file, the longer or the shorter of the two diagonals through the king's square, or a
    knight. A pawn's check is on a diagonal.

    Examples
    --------
    >>> directions(library().Board("4k3/8/8/8/7b/8/8/r3K3 w - - 0 1"))
    ('rank', 'short diagonal')
    """
    chess, king = library(), board.king(board.turn)
    if king is None:
        return ()
    column, row = chess.square_file(king), chess.square_rank(king)
    found = set()
    for checker in board.checkers():
        across = chess.square_file(checker) - column
        up = chess.square_rank(checker) - row
        if board.piece_type_at(checker) == chess.KNIGHT:
            found.add("knight")
        elif not across or not up:
            found.add("rank" if across else "file")
        else:
            rising, falling = 8 - abs(column - row), 8 - abs(column + row - 7)
            own, other = (rising, falling) if across == up else (falling, rising)
            found.add("long diagonal" if own > other else "short diagonal")
    return tuple([one for one in DIRECTIONS if one in found])


DIRECTIONS = ("rank", "file", "long diagonal", "short diagonal", "knight")
