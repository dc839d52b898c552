"""Kriegspiel: chess in which nobody sees the other's men, and an umpire says what is illegal.

**Sampling.** A player knows its own moves, which of its attempts were refused, and what the umpire
has announced. :func:`history` draws a play that agrees with all of this from a population of plays,
carried along from decision to decision (:mod:`infoset.objects.populations`). There the other moves
at random: a player who tries moves at random until one is legal makes each legal move with the same
probability. Refused attempts of the other player are not announced and change no position, so that
plays without them stand for all.

In long games all plays of the population can die out. From there on a position is made by the last
observation alone (A. Parker, D. Nau & V. Subrahmanian, Game-tree search with combinatorially large
belief states, 2005, sample boards like this): the men that the other has left, placed at random so
that they agree with what was announced last (:func:`placed`). It has the player's view, but no play
need lead to it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from infoset.errors import NoHistory, RulesError
from infoset.objects.chessboard import (
    SIGNS,
    START,
    Men,
    attempts,
    board_of,
    directions,
    library,
    men_of,
    read_fen,
)
from infoset.objects.pictures import BoardPicture, Mark
from infoset.objects.populations import Populations
from infoset.rules import Play, ReplayPosition, game
from infoset.rules.turns import Notes, TurnStart

if TYPE_CHECKING:
    from chess import Board, Move

ILLEGAL = "illegal"
WORTH = (1, 3, 3, 5, 9)
SPREAD = 10  # so many pawns ahead are worth half a win
PLACINGS = 2000  # tries to place the hidden men
KEPT = 1 << 15  # positions of which something is remembered


class Chess(NamedTuple):
    """What the umpire knows."""

    men: Men
    refused: frozenset[str] = frozenset()  # attempts of the player in turn since the last move
    quiet: int = 0  # half-moves since a capture or a pawn's move
    made: int = 0  # moves of both players
    before: tuple[Men, ...] = ()  # positions since then


def beginning(fen: str) -> Chess:
    """The state at the start; the game must not be over."""
    men, quiet = read_fen(fen)
    board = board_of(men)
    if not any(board.generate_legal_moves()):
        raise RulesError(f"fen={fen!r:.90}: the game is over there, {men.mover} has no legal move")
    return Chess(men, quiet=quiet)


class Step(NamedTuple):
    """What a player learns from one move of the other to the next."""

    said: str  # of the other's move; "" if there was none before the player's first
    tried: tuple[tuple[str, str], ...]  # its own attempts since then, each with what was said


def steps_of(view: Hashable, player: str) -> tuple[Step, ...] | None:
    """All that a view at a decision tells, step by step; None if it is no such view."""
    if not isinstance(view, tuple) or not view or view[-1][0] != "offered":
        return None
    found, tried = [Step("", ())], ""
    for note, what in view:
        if note == "took":
            tried = str(what)
        elif note == "saw":
            if what == ILLEGAL or str(what).startswith(player):
                found[-1] = Step(found[-1].said, (*found[-1].tried, (tried, str(what))))
            else:
                found.append(Step(str(what), ()))
    return tuple(found if found[0].tried else found[1:] or found)


def history(
    view: Hashable,
    player: str,
    random: Random,
    fen: str,
    pawn_tries: bool,
    fifty: int,
    repetitions: int,
    moves: int | None,
) -> Any:
    """A position at the end of moves that agree with a view, as if the other moved at random."""
    steps = steps_of(view, player)
    if steps is None:
        return None
    one = kriegspiel(fen, pawn_tries, fifty, repetitions, moves)
    found = populations(one, player).at(steps)
    if found:
        return random.choice(found)
    position = placed(one, view, player, random)
    if position is None:
        raise NoHistory(f"{one!r}: no position was found that agrees with what {player} observed")
    return position


def placed(one: Any, view: Any, player: str, random: Random) -> ReplayPosition | None:
    """A position with the view whose hidden men are placed at random, after the last observation.

    The men of the other player are as many as were not captured. They agree with the refused
    attempts since its last move and with what was announced of this, and with nothing before.
    """
    step = (steps_of(view, player) or (Step("", ()),))[-1]
    refused = frozenset(tried for tried, _ in step.tried)
    board = own_board(view, player, one.params["fen"])
    offered = {*view[-1][1], *refused}
    board.castling_rights = rights(board, offered)
    said = [str(what) for note, what in view if note == "saw"]
    taken = sum(words.startswith(player) and captured(words) is not None for words in said)
    hidden = [man for man in start_board(one.params["fen"]).piece_map().values()
              if man.color != board.turn]  # fmt: skip
    for _ in range(PLACINGS):
        men = try_placing(board, hidden, len(hidden) - taken, captured(step.said), random)
        if men is None or not fits(men, step.said, refused):
            continue
        state = Chess(men, refused, 0, sum(" moved" in words for words in said))
        notes = tuple(
            [Notes(None, view[:-1]) if name == player else None for name in one.seats.agents]
        )
        position = ReplayPosition.within(one, TurnStart(state, notes, None, None, (), 0), ())
        if position.view(player) == view:
            return position
    return None


@lru_cache(maxsize=64)
def start_board(fen: str) -> Board:
    """The board at the start; not to be changed."""
    return board_of(read_fen(fen)[0])


def rights(board: Board, offered: set[str]) -> int:
    """The rooks that may castle, as what is offered tells."""
    chess, found, king = library(), 0, board.king(board.turn)
    first = chess.E1 if board.turn else chess.E8
    for name, corner in (("g", 7), ("c", 0)):
        move = f"{chess.square_name(first)}{name}{1 if board.turn else 8}"
        if king == first and move in offered:
            found |= chess.BB_SQUARES[first - 4 + corner]
    return found


def try_placing(
    board: Board, hidden: list[Any], left: int, square: str | None, random: Random
) -> Men | None:
    """The men of the other at random, one of them on a square if a capture was there."""
    chess, full = library(), board.copy()
    kings = [man for man in hidden if man.piece_type == chess.KING]
    others = [man for man in hidden if man.piece_type != chess.KING]
    men = kings + random.sample(others, max(left - 1, 0))
    free = [at for at in chess.SQUARES if board.piece_at(at) is None]
    random.shuffle(free)
    if square is not None:
        there = chess.parse_square(square)
        free.remove(there)
        random.shuffle(men)
        free.append(there)
    for man in men:
        at = free.pop()
        if man.piece_type == chess.PAWN and chess.square_rank(at) in (0, 7):
            return None
        full.set_piece_at(at, man)
    return men_of(full) if full.is_valid() else None


def fits(men: Men, said: str, refused: frozenset[str]) -> bool:
    """Is the check as it was announced, and is no refused attempt legal?"""
    board = board_of(men)
    known = next((words for words in said.split(", ") if words.startswith("check by")), "")
    now = directions(board)
    return known == (f"check by {' and '.join(now)}" if now else "") and not any(
        board.is_legal(library().Move.from_uci(one)) for one in refused
    )


@lru_cache(maxsize=64)
def populations(one: Any, player: str) -> Populations:
    """The populations of a player of a game."""
    tries = one.params["pawn_tries"]

    def continuations(position: Any, step: Step) -> tuple[Sequence[tuple[str, ...]], float]:
        return agreeing(position.state.men, step, player, tries)

    return Populations(one.position(), continuations)


@lru_cache(maxsize=KEPT)
def agreeing(
    men: Men, step: Step, player: str, tries: bool
) -> tuple[tuple[tuple[str, ...], ...], float]:
    """The moves that agree with a step, and the probability that the other makes one of them."""
    own = tuple([tried for tried, _ in step.tried])
    if not step.said:
        return ((own,), 1.0) if answered(board_of(men), step, player, tries) else ((), 0.0)
    board, found, legal = board_of(men), [], 0
    square, quiet = captured(step.said), step.said == f"{men.mover} moved"
    for move in board.generate_legal_moves():
        legal += 1
        there = taken_on(board, move)
        if (None if there is None else library().square_name(there)) != square:
            continue
        if quiet and not tries:
            fits = not board.gives_check(move)
        else:
            made = after(men, move.uci())
            fits = made is not None and announced(men.mover, made, tries) == step.said
        if fits and step.tried:
            board.push(move)
            fits = answered(board, step, player, tries)
            board.pop()
        if fits:
            found.append((move.uci(), *own))
    return tuple(found), len(found) / legal


def answered(board: Board, step: Step, player: str, tries: bool) -> bool:
    """Would the umpire answer all attempts of a player as it has?"""
    for tried, said in step.tried:
        if said == ILLEGAL:
            if board.is_legal(library().Move.from_uci(tried)):
                return False
        else:
            made = after(men_of(board), tried)
            if made is None or announced(player, made, tries) != said:
                return False
    return True


def material(state: Chess, player: str) -> float:
    """The balance of men, a pawn being 1, as an estimate of the payoff."""
    return estimate(balance(state.men), player)


def mobility(state: Chess, player: str) -> float:
    """The balance of men, and a pawn for every twenty moves more that a side has."""
    men = state.men
    count = [possible_moves(men._replace(turn=white, passing=None)) for white in (True, False)]
    return estimate(balance(men) + (count[0] - count[1]) / 20, player)


def estimate(ahead: float, player: str) -> float:
    """What so many pawns ahead for White are worth to a player, between -1 and 1."""
    worth = ahead / (abs(ahead) + SPREAD)
    return worth if player == "white" else -worth


@lru_cache(maxsize=KEPT)
def balance(men: Men) -> int:
    """White's men less Black's: 1 a pawn, 3 a knight or bishop, 5 a rook, 9 a queen."""
    kinds = (men.pawns, men.knights, men.bishops, men.rooks, men.queens)
    return sum(
        worth * ((kind & men.white).bit_count() - (kind & men.black).bit_count())
        for kind, worth in zip(kinds, WORTH, strict=True)
    )


@lru_cache(maxsize=KEPT)
def possible_moves(men: Men) -> int:
    """Moves of the player in turn, whatever is attacked."""
    return board_of(men).pseudo_legal_moves.count()


def picture(view: tuple[tuple[str, Hashable], ...], player: str, fen: str) -> BoardPicture:
    """The player's own men, and where the other has just captured."""
    said = [str(what) for note, what in view if note == "saw" and what != ILLEGAL]
    lost = captured(said[-1]) if said and not said[-1].startswith(player) else None
    return drawn(own_board(view, player, fen), player, {lost: "?"} if lost else {})


def own_board(view: Iterable[tuple[str, Hashable]], player: str, fen: str) -> Board:
    """The player's own men, after all that a view tells; the player is in turn."""
    board = board_of(read_fen(fen)[0])
    board.turn, board.ep_square = player == "white", None
    board.set_piece_map(
        {at: man for at, man in board.piece_map().items() if man.color == board.turn}
    )
    tried = ""
    for note, what in view:
        words = str(what)
        if note == "took":
            tried = words
        elif words.startswith(player):
            follow(board, tried)
        elif note == "saw" and words != ILLEGAL:
            lost = captured(words)
            if lost:
                board.remove_piece_at(library().parse_square(lost))
    return board


def follow(board: Board, tried: str) -> None:
    """Make a move on a board with the men of one player only."""
    chess = library()
    move = chess.Move.from_uci(tried)
    man = board.remove_piece_at(move.from_square)
    across = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    if man is not None and man.piece_type == chess.KING and abs(across) == 2:
        side = 1 if across > 0 else -1
        corner = move.to_square + (1 if side > 0 else -2)
        board.set_piece_at(move.to_square - side, board.remove_piece_at(corner))
    if man is not None and move.promotion:
        man = chess.Piece(move.promotion, man.color)
    board.set_piece_at(move.to_square, man)


def drawn(board: Board, player: str, marks: dict[str, str]) -> BoardPicture:
    """The men on a board, and marks on squares that the other's men may be on."""
    chess = library()
    other = "black" if player == "white" else "white"
    squares = {
        chess.square_name(at): Mark(SIGNS[man.symbol()], "white" if man.color else "black")
        for at, man in board.piece_map().items()
    }
    squares |= {at: Mark(sign, other if sign == "?" else "") for at, sign in marks.items()}
    return BoardPicture(8, 8, squares, chequered=True)


def captured(announced: str) -> str | None:
    """The square of a capture that was announced."""
    for words in announced.split(", "):
        if words.startswith("captured on "):
            return words[-2:]
    return None


@game(
    players=("white", "black"),
    requires=("fifty >= 1", "repetitions >= 2", "moves is None or moves >= 1"),
    source="H. M. Temple, 1899; the umpire of D. Nau, Introduction to game theory: imperfect-"
    "information games (slides), after A. Parker, D. Nau & V. Subrahmanian, Overconfidence or"
    " paranoia? Search in imperfect-information games, 2006",
    bounds=(-1, 1),
    picture=picture,
    sampler=history,
    evaluations={"material": material, "mobility": mobility},
    state=beginning,
)
def kriegspiel(
    g: Play,
    state: Chess,
    fen: str = START,
    pawn_tries: bool = False,
    fifty: int = 50,
    repetitions: int = 3,
    moves: int | None = None,
) -> object:
    """Chess in which nobody sees the other's men, and an umpire says which attempts are illegal.

    The player in turn attempts a move. If it is illegal, the umpire tells this player alone, who
    attempts another. If it is legal, it is made, and both are told that, with the square of a man
    who was captured, but not which man it was; and a check, by direction: rank, file, the longer or
    the shorter diagonal of the king, or knight. With ``pawn_tries`` both are told how many captures
    by pawns the other has now. Mate wins. The umpire calls a draw at stalemate, if no men are left
    to mate with, after ``fifty`` moves of each player without a capture or a pawn's move, when a
    position has come about for the third time (``repetitions``), and after as many ``moves`` of
    both together, if that is given.

    The game is played from any legal position (``fen``), which both know. It needs python-chess,
    which is under the GPL: ``pip install 'infoset[kriegspiel]'``.
    """
    player = state.men.mover
    options = [one for one in attempts(state.men) if one not in state.refused]
    tried = g.choose(player, options)
    made = after(state.men, tried)
    if made is None:
        g.reveal(player, ILLEGAL)
        return state._replace(refused=state.refused | {tried})
    state = carried_on(state, made.men, made.lasting)
    g.reveal(g.players, announced(player, made, pawn_tries))
    if made.ended == MATE:
        return g.win(player)
    if made.ended or is_draw(state, fifty, repetitions, moves):
        return g.end((0, 0))
    return state


MATE = "checkmate"


class Made(NamedTuple):
    """What a legal move leads to, and what the umpire says of it."""

    men: Men
    lasting: bool  # a capture or a pawn's move
    facts: tuple[str, ...]
    ended: str  # how, or ""
    tries: int  # captures by pawns that the other has now


@lru_cache(maxsize=KEPT)
def after(men: Men, tried: str) -> Made | None:
    """What an attempt leads to; None if it is illegal."""
    chess, board = library(), board_of(men)
    move = chess.Move.from_uci(tried)
    if not board.is_legal(move):
        return None
    square = taken_on(board, move)
    lasting = board.is_zeroing(move)
    board.push(move)
    facts = [f"captured on {chess.square_name(square)}"] if square is not None else []
    said = directions(board)
    if said:
        facts.append(f"check by {' and '.join(said)}")
    ended = "" if any(board.generate_legal_moves()) else MATE if said else "stalemate"
    if not ended and board.is_insufficient_material():
        ended = "no men to mate with"
    return Made(men_of(board), lasting, tuple(facts), ended, pawn_captures(board))


def announced(player: str, made: Made, pawn_tries: bool) -> str:
    """What the umpire says of a move."""
    said = [f"{player} moved", *made.facts]
    if made.ended:
        said.append(made.ended)
    elif pawn_tries:
        said.append(f"{made.tries} pawn {'try' if made.tries == 1 else 'tries'}")
    return ", ".join(said)


def taken_on(board: Board, move: Move) -> int | None:
    """The square of the man whom a move captures."""
    if board.is_en_passant(move):
        return move.to_square + (-8 if board.turn else 8)
    return move.to_square if board.is_capture(move) else None


def pawn_captures(board: Board) -> int:
    """How many captures by pawns are legal; what a pawn becomes makes no difference."""
    moves: Iterator[Move] = board.generate_legal_moves(board.pawns)
    found = {(one.from_square, one.to_square) for one in moves if board.is_capture(one)}
    return len(found)


def carried_on(state: Chess, men: Men, lasting: bool) -> Chess:
    """The state after a move."""
    before = () if lasting else (*state.before, state.men)
    return Chess(men, frozenset(), 0 if lasting else state.quiet + 1, state.made + 1, before)


def is_draw(state: Chess, fifty: int, repetitions: int, moves: int | None) -> bool:
    """Does the umpire end the game as a draw, although it could go on?"""
    return (
        state.quiet >= 2 * fifty
        or state.before.count(state.men) >= repetitions - 1
        or state.made == moves
    )
