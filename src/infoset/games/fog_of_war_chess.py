"""Fog-of-war chess, also called dark chess: each sees the squares that its own men can move to."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from infoset.errors import RulesError
from infoset.games.kriegspiel import Chess, carried_on, is_draw, material, mobility
from infoset.objects.chessboard import (
    SIGNS,
    START,
    Men,
    board_of,
    castlings,
    library,
    men_of,
    read_fen,
)
from infoset.objects.pictures import BoardPicture, Mark
from infoset.rules import Play, game

if TYPE_CHECKING:
    from chess import Board

FOG = "?"  # on a square that is not seen
KEPT = 1 << 15  # positions of which something is remembered
# What a position may be here, where a king need not leave check.
EXCUSED = ("opposite check", "too many checkers", "impossible check")


def beginning(fen: str) -> Chess:
    """The state at the start; the player in turn must have a move."""
    men, quiet = read_fen(fen, EXCUSED)
    if not possible(men):
        raise RulesError(f"fen={fen!r:.90}: {men.mover} has no move there")
    return Chess(men, quiet=quiet)


def picture(view: tuple[tuple[str, Hashable], ...], player: str, fen: str) -> BoardPicture:
    """What the player saw last, with the fog."""
    sights = [str(what) for note, what in view if note == "saw"]
    seen = sights[-1] if sights else sight(read_fen(fen, EXCUSED)[0], player == "white")
    squares: dict[str, Mark] = {}
    for row, words in enumerate(seen.split("/")):
        column = 0
        for sign in words:
            if sign.isdecimal():
                column += int(sign)
                continue
            whose = "" if sign == FOG else "white" if sign.isupper() else "black"
            squares[f"{'abcdefgh'[column]}{8 - row}"] = Mark(SIGNS.get(sign, sign), whose)
            column += 1
    return BoardPicture(8, 8, squares, chequered=True)


@game(
    players=("white", "black"),
    requires=("fifty >= 1", "repetitions >= 2", "moves is None or moves >= 1"),
    source="J. Nielsen & T. Osted, Dark chess, 1989; B. H. Zhang & T. Sandholm, Subgame solving"
    " without common knowledge, 2021",
    bounds=(-1, 1),
    picture=picture,
    evaluations={"material": material, "mobility": mobility},
    state=beginning,
)
def fog_of_war_chess(
    g: Play,
    state: Chess,
    fen: str = START,
    fifty: int = 50,
    repetitions: int = 3,
    moves: int | None = None,
) -> object:
    """Chess in which each sees the squares that its men can move to; who takes the king wins.

    After every move each player is shown the board as it sees it: its own men, and whatever is on
    the squares that they can move to; a pawn sees the squares to its sides only where it can
    capture. So all moves that are offered are possible. Check is not announced, and a king may
    move, or castle, to where it is attacked. A player who cannot move has a draw. The umpire calls
    a draw after ``fifty`` moves of each player without a capture or a pawn's move, when a position
    has come about for the third time (``repetitions``), and after as many ``moves`` of both
    together, if that is given.

    A sight is the first field of Forsyth-Edwards Notation, with ``?`` for a square in the fog. The
    game is played from any position (``fen``), which both know, and needs python-chess, which is
    under the GPL: ``pip install 'infoset[kriegspiel]'``.
    """
    player = state.men.mover
    made = after(state.men, g.choose(player, possible(state.men)))
    state = carried_on(state, made.men, made.lasting)
    if made.won:
        return g.win(player)
    for one in g.players:
        g.reveal(one, sight(state.men, one == "white"))
    if not possible(state.men) or is_draw(state, fifty, repetitions, moves):
        return g.end((0, 0))
    return state


class Made(NamedTuple):
    """What a move leads to."""

    men: Men
    lasting: bool  # a capture or a pawn's move
    won: bool  # has it taken the king?


@lru_cache(maxsize=KEPT)
def possible(men: Men) -> tuple[str, ...]:
    """All moves of the player in turn, whatever is attacked."""
    board = board_of(men)
    found = {move.uci() for move in board.generate_pseudo_legal_moves()}
    return tuple(sorted(found | {move.uci() for move in castlings(men)}))


@lru_cache(maxsize=KEPT)
def after(men: Men, chosen: str) -> Made:
    """What a move leads to."""
    board = board_of(men)
    move = library().Move.from_uci(chosen)
    lasting = board.is_zeroing(move)
    won = bool(board.kings & library().BB_SQUARES[move.to_square])
    board.push(move)
    passing = board.ep_square
    made = men_of(board)
    if passing is not None and board.has_pseudo_legal_en_passant():
        made = made._replace(passing=passing)  # here it need not be legal
    return Made(made, lasting, won)


@lru_cache(maxsize=KEPT)
def sight(men: Men, white: bool) -> str:
    """The board as a player sees it."""
    chess = library()
    passing = men.passing if men.turn == white else None
    turned = men._replace(turn=white, passing=passing)
    ends = {chess.parse_square(move[2:4]) for move in possible(turned)}
    seen = ends | set(chess.scan_forward(men.white if white else men.black))
    return "/".join(_row(board_of(men), row, seen) for row in range(7, -1, -1))


def _row(board: Board, row: int, seen: set[int]) -> str:
    """A row of a sight."""
    found, empty = "", 0
    for square in range(8 * row, 8 * row + 8):
        man = board.piece_at(square)
        if square in seen and man is None:
            empty += 1
            continue
        found += (str(empty) if empty else "") + (
            man.symbol() if square in seen and man is not None else FOG
        )
        empty = 0
    return found + (str(empty) if empty else "")
