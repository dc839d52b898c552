"""Chess and the umpire of kriegspiel: positions as words, attempts, moves and announcements.

**A position** is a row of 64-bit words: sets of squares for pawns, knights, bishops, rooks, queens
and kings of both sides, those of White and those of Black, who moves (1: White), the rooks that may
castle, the square of a capture in passing (-1: none; it is there only if such a capture is legal),
and the half-moves since a capture or a pawn's move. Square 0 is a1, 7 is h1, 63 is h8.

**A move** is a number: from, 64 times to, and 4096 times what a pawn becomes (1 to 4: knight,
bishop, rook, queen; 0: no promotion). Castling is the king's move.

**Lines.** What a bishop or a rook attacks along a direction is the ray from its square less the ray
from the first man on it. He is the lowest bit of the men on the ray if squares grow along it, and
the highest if they fall. A bit in the last (or the first) square, whose own ray is empty, stands
for nobody in the way.

**Legality.** A king's move, a capture in passing, and any move in check are legal if the king is
not attacked with the men as they stand after it. Other moves need this test only if they begin on
a line through the king.

**An announcement** is a number, too: the square of a capture + 1 (7 bits), the directions of a
check (5 bits: rank, file, longer diagonal, shorter diagonal, knight), how the game ends (2 bits:
mate, stalemate, nobody has men to mate with), and the captures that the next player's pawns have.

Sources: chess programming's common knowledge of sets of squares; the values of the men are those
of the evaluation in :mod:`infoset.games.kriegspiel`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from infoset.kernels.bits import highest, lowest, ones
from infoset.kernels.compiling import compiled

PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS, WHITE, BLACK = range(8)
TURN, CASTLING, PASSING, QUIET = range(8, 12)
WORDS = 12
MOVES = 512  # at most in any position, attempts included
RANK, FILE, LONG, SHORT, KNIGHT = (1 << (7 + bit) for bit in range(5))
CAPTURE, CHECK = (1 << 7) - 1, ((1 << 5) - 1) << 7
ENDED, MATE, STALEMATE, BARE = 3 << 12, 1 << 12, 2 << 12, 3 << 12
TRIES = 14  # where the number of captures by pawns begins

_compiled = compiled(nogil=True, error_model="numpy")


def _word(squares: int) -> int:
    """64 bits as a number with a sign."""
    return squares - (1 << 64) if squares >> 63 else squares


def _reached(steps: tuple[tuple[int, int], ...], far: bool) -> list[int]:
    """From each square, where steps lead, one each or as far as they go."""
    found = []
    for start in range(64):
        reached = 0
        for across, up in steps:
            file, rank = start % 8 + across, start // 8 + up
            while 0 <= file < 8 and 0 <= rank < 8:
                reached |= 1 << (8 * rank + file)
                if not far:
                    break
                file, rank = file + across, rank + up
        found.append(_word(reached))
    return found


DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1))
RAYS = np.array([_reached((one,), True) for one in DIRECTIONS], np.int64)  # the first four grow
KING = np.array(_reached(DIRECTIONS, False), np.int64)
JUMP = np.array(
    _reached(
        tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)), False
    ),
    np.int64,
)
PAWN = np.array(  # by the side: Black, White
    [_reached(((-1, -1), (1, -1)), False), _reached(((-1, 1), (1, 1)), False)], np.int64
)
LINES = RAYS[0] | RAYS[1] | RAYS[2] | RAYS[3] | RAYS[4] | RAYS[5] | RAYS[6] | RAYS[7]
EDGES = np.array([_word(0xFF << 56), 0xFF], np.int64)  # the last row, and the first
LAST = _word(1 << 63)
LIGHT = _word(0x55AA55AA55AA55AA)
WORTH = np.array((1, 3, 3, 5, 9), np.int64)
SPREAD = 10


@_compiled
def upwards(direction: int, at: int, men: int) -> Any:
    """Squares on a ray along which squares grow, up to the first man."""
    ray = RAYS[direction, at]
    return ray ^ RAYS[direction, lowest((ray & men) | LAST)]


@_compiled
def downwards(direction: int, at: int, men: int) -> Any:
    """Squares on a ray along which squares fall, up to the first man."""
    ray = RAYS[direction, at]
    return ray ^ RAYS[direction, highest((ray & men) | 1)]


@_compiled
def rook_lines(at: int, men: int) -> Any:
    """What a rook attacks."""
    return upwards(0, at, men) | upwards(1, at, men) | downwards(4, at, men) | downwards(5, at, men)


@_compiled
def bishop_lines(at: int, men: int) -> Any:
    """What a bishop attacks."""
    return upwards(2, at, men) | upwards(3, at, men) | downwards(6, at, men) | downwards(7, at, men)


@_compiled
def attackers(position: Any, at: int, side: int, theirs: int, men: int) -> Any:
    """Who of these men of a side attacks a square, with men where they stand."""
    straight = (position[ROOKS] | position[QUEENS]) & theirs
    slanted = (position[BISHOPS] | position[QUEENS]) & theirs
    found = JUMP[at] & position[KNIGHTS] | KING[at] & position[KINGS]
    found |= PAWN[1 - side, at] & position[PAWNS]
    found &= theirs
    if straight & LINES[at]:
        found |= rook_lines(at, men) & straight
    if slanted & LINES[at]:
        found |= bishop_lines(at, men) & slanted
    return found


@_compiled
def checkers(position: Any) -> Any:
    """Who gives check to the player in turn."""
    turn = position[TURN]
    king = position[KINGS] & position[7 - turn]
    if king == 0:
        return 0
    theirs = position[6 + turn]
    return attackers(position, lowest(king), 1 - turn, theirs, position[WHITE] | position[BLACK])


@_compiled
def kind_at(position: Any, bit: Any) -> Any:
    """Which kind of man stands on a square; KINGS + 1 if none does."""
    for kind in range(6):
        if position[kind] & bit:
            return kind
    return KINGS + 1


@_compiled
def safe(position: Any, move: int) -> Any:
    """Is the king of the player in turn not attacked after a move?"""
    turn = position[TURN]
    start, end = np.int64(1) << (move & 63), np.int64(1) << (move >> 6 & 63)
    own, theirs = position[7 - turn], position[6 + turn]
    gone = end
    if move >> 6 & 63 == position[PASSING] and position[PAWNS] & start:
        gone = np.int64(1) << ((move >> 6 & 63) - 8 if turn else (move >> 6 & 63) + 8)
    theirs &= ~gone
    king = position[KINGS] & own
    if king == 0:
        return True
    at = move >> 6 & 63 if king == start else lowest(king)
    return attackers(position, at, 1 - turn, theirs, (own ^ start) | end | theirs) == 0


@_compiled
def add_pawn(moves: Any, count: int, start: int, end: int) -> int:
    """Add a pawn's move; four if it becomes something."""
    move = start | end << 6
    if 8 <= end < 56:
        moves[count] = move
        return count + 1
    for piece in range(1, 5):
        moves[count + piece - 1] = move | piece << 12
    return count + 4


@_compiled
def pawn_moves(position: Any, targets: int, men: int, moves: Any) -> int:
    """Moves of pawns forward past men, and captures of targets."""
    turn, count = position[TURN], 0
    left = position[PAWNS] & position[7 - turn]
    forward, second = (8, 1) if turn else (-8, 6)
    while left:
        at = lowest(left)
        left &= left - 1
        end = at + forward
        if not men >> end & 1:
            count = add_pawn(moves, count, at, end)
            if at >> 3 == second and not men >> (end + forward) & 1:
                count = add_pawn(moves, count, at, end + forward)
        ends = PAWN[turn, at] & targets
        while ends:
            count = add_pawn(moves, count, at, lowest(ends))
            ends &= ends - 1
    return count


@_compiled
def reach(kind: int, at: int, men: int) -> Any:
    """What a man who is no pawn attacks."""
    if kind == KNIGHTS:
        return JUMP[at]
    if kind == KINGS:
        return KING[at]
    found = np.int64(0)
    if kind != ROOKS:
        found |= bishop_lines(at, men)
    if kind != BISHOPS:
        found |= rook_lines(at, men)
    return found


@_compiled
def castling(position: Any, corner: int, men: int, seen: bool) -> int:
    """The move of castling with a rook, or -1; if the other is seen, the king's way is free."""
    turn = position[TURN]
    king = position[KINGS] & position[7 - turn]
    if not king or not position[CASTLING] >> corner & 1:
        return -1
    start = lowest(king)
    if start != (4 if turn else 60) or start >> 3 != corner >> 3:
        return -1
    step = 1 if corner > start else -1
    at = start + step
    while at != corner:
        if men >> at & 1:
            return -1
        at += step
    if seen:
        for at in (start, start + step, start + 2 * step):
            if attackers(position, at, 1 - turn, position[6 + turn], men):
                return -1
    return start | (start + 2 * step) << 6


@_compiled
def moves_past(position: Any, theirs: Any, seen: bool, moves: Any) -> int:
    """Moves of the player in turn, whatever is attacked, if the other has these men.

    If the other is not seen, pawns may capture wherever no own man is.
    """
    turn = position[TURN]
    own = position[7 - turn]
    men = own | theirs
    targets = ~own
    if seen:
        targets = theirs
        if position[PASSING] >= 0:
            targets |= np.int64(1) << position[PASSING]
    count = pawn_moves(position, targets, men, moves)
    for kind in range(KNIGHTS, KINGS + 1):
        left = position[kind] & own
        while left:
            at = lowest(left)
            left &= left - 1
            ends = reach(kind, at, men) & ~own
            while ends:
                moves[count] = at | lowest(ends) << 6
                count += 1
                ends &= ends - 1
    if position[CASTLING]:
        for corner in (0, 7) if turn else (56, 63):
            move = castling(position, corner, men, seen)
            if move >= 0:
                moves[count] = move
                count += 1
    return count


@_compiled
def attempts(position: Any, moves: Any) -> int:
    """Whatever the player in turn may try, who sees only its own men; how many there are."""
    return moves_past(position, np.int64(0), False, moves)


@_compiled
def exposed(position: Any, givers: int) -> Any:
    """Whose moves may leave the king attacked: all own men in check, else those on its lines."""
    turn = position[TURN]
    king = position[KINGS] & position[7 - turn]
    if not king:
        return np.int64(0)
    if givers:
        return position[7 - turn]
    return king | LINES[lowest(king)]


@_compiled
def legal_moves(position: Any, moves: Any) -> int:
    """The legal moves; how many there are."""
    many = moves_past(position, position[6 + position[TURN]], True, moves)
    risky, count = exposed(position, checkers(position)), 0
    pawns = position[PAWNS]
    for at in range(many):
        move = moves[at]
        start = move & 63
        passing = move >> 6 & 63 == position[PASSING] and pawns >> start & 1
        if (risky >> start & 1 or passing) and not safe(position, move):
            continue
        moves[count] = move
        count += 1
    return count


@_compiled
def legal(position: Any, move: int) -> Any:
    """Is an attempt legal?"""
    turn = position[TURN]
    start, end = move & 63, move >> 6 & 63
    own, theirs = position[7 - turn], position[6 + turn]
    men, bit, to = own | theirs, np.int64(1) << start, np.int64(1) << end
    kind = kind_at(position, bit)
    if kind == PAWNS:
        if start & 7 == end & 7:
            if men & to or (abs(end - start) == 16 and men >> ((start + end) >> 1) & 1):
                return False
        elif not theirs & to and end != position[PASSING]:
            return False
    elif kind == KINGS and abs((start & 7) - (end & 7)) == 2:
        return castling(position, start + 3 if end > start else start - 4, men, True) >= 0
    elif kind != KNIGHTS and not reach(kind, start, men) & to:
        return False
    return safe(position, move)


@_compiled
def shifted(squares: int, by: int) -> Any:
    """Squares one row up (8) or down (-8)."""
    return squares << 8 if by > 0 else (squares >> 8) & ~EDGES[0]


@_compiled
def any_legal(position: Any, givers: int, moves: Any) -> bool:
    """Has the player in turn a legal move, these giving check? A pawn's is most quickly seen."""
    turn = position[TURN]
    risk = exposed(position, givers)
    pawns = position[PAWNS] & position[7 - turn] & ~risk
    if shifted(pawns, 8 if turn else -8) & ~(position[WHITE] | position[BLACK]):
        return True
    many = moves_past(position, position[6 + position[TURN]], True, moves)
    for at in range(many):
        move = moves[at]
        start = move & 63
        sure = not risk >> start & 1 and move >> 6 & 63 != position[PASSING]
        if sure or safe(position, move):
            return True
    return False


@_compiled
def capture_on(position: Any, move: int) -> int:
    """The square of the man whom a legal move captures, or -1."""
    end = move >> 6 & 63
    if position[6 + position[TURN]] >> end & 1:
        return end
    if end == position[PASSING] and position[PAWNS] >> (move & 63) & 1:
        return end - 8 if position[TURN] else end + 8
    return -1


@_compiled
def make(position: Any, move: int, after: Any) -> None:
    """Write the position after a legal move."""
    after[:] = position
    turn = position[TURN]
    start, end = move & 63, move >> 6 & 63
    bit, to = np.int64(1) << start, np.int64(1) << end
    kind = kind_at(position, bit)
    taken = capture_on(position, move)
    if taken >= 0:
        gone = ~(np.int64(1) << taken)
        for word in range(6):
            after[word] &= gone
        after[6 + turn] &= gone
    after[kind] ^= bit
    after[move >> 12 if move >> 12 else kind] |= to
    after[7 - turn] ^= bit | to
    after[CASTLING] &= ~(bit | to)
    after[PASSING] = -1
    after[QUIET] = 0 if taken >= 0 or kind == PAWNS else position[QUIET] + 1
    after[TURN] = 1 - turn
    if kind == KINGS:
        after[CASTLING] &= ~EDGES[turn]
        if abs(end - start) == 2:
            rook = (
                (np.int64(1) << (end + 1) | np.int64(1) << (end - 1))
                if end > start
                else (np.int64(1) << (end - 2) | np.int64(1) << (end + 1))
            )
            after[ROOKS] ^= rook
            after[7 - turn] ^= rook
    elif kind == PAWNS and abs(end - start) == 16:
        pass_by(after, (start + end) >> 1)


@_compiled
def pass_by(position: Any, square: int) -> None:
    """Note the square that a pawn has passed, if a pawn may legally capture there."""
    turn = position[TURN]
    left = PAWN[1 - turn, square] & position[PAWNS] & position[7 - turn]
    while left:
        position[PASSING] = square
        if safe(position, lowest(left) | square << 6):
            return
        position[PASSING] = -1
        left &= left - 1


@_compiled
def directions(position: Any, givers: int) -> Any:
    """Where checks come from, seen from the king of the player in turn."""
    king = lowest(position[KINGS] & position[7 - position[TURN]])
    file, rank, found = king & 7, king >> 3, 0
    while givers:
        at = lowest(givers)
        givers &= givers - 1
        across, up = (at & 7) - file, (at >> 3) - rank
        if position[KNIGHTS] >> at & 1:
            found |= KNIGHT
        elif across == 0 or up == 0:
            found |= RANK if across else FILE
        else:
            rising, falling = 8 - abs(file - rank), 8 - abs(file + rank - 7)
            found |= LONG if (rising > falling) == (across == up) else SHORT
    return found


@_compiled
def bare(position: Any) -> bool:
    """Has nobody men to mate with?"""
    if position[PAWNS] | position[ROOKS] | position[QUEENS]:
        return False
    knights, bishops = position[KNIGHTS], position[BISHOPS]
    for side in (WHITE, BLACK):
        own, other = position[side], position[WHITE + BLACK - side]
        if knights & own:
            if ones(own) > 2 or other & ~position[KINGS]:
                return False
        elif bishops & own and (knights or (bishops & LIGHT and bishops & ~LIGHT)):
            return False
    return True


@_compiled
def pawn_tries(position: Any, moves: Any) -> int:
    """How many captures by pawns are legal; what a pawn becomes makes no difference."""
    many, found = legal_moves(position, moves), 0
    for at in range(many):
        move = moves[at]
        if position[PAWNS] >> (move & 63) & 1 and move >> 12 <= 1:
            found += capture_on(position, move) >= 0
    return found


@_compiled
def announced(position: Any, taken: int, tries: bool, moves: Any) -> int:
    """What the umpire says of a move that led to a position and captured on a square (-1: none)."""
    givers = checkers(position)
    said = taken + 1
    if givers:
        said |= directions(position, givers)
    if not any_legal(position, givers, moves):
        return said | (MATE if givers else STALEMATE)
    if bare(position):
        return said | BARE
    if tries:
        said |= pawn_tries(position, moves) << TRIES
    return said


@_compiled
def balance(position: Any) -> Any:
    """White's men less Black's: 1 a pawn, 3 a knight or bishop, 5 a rook, 9 a queen."""
    found = 0
    for kind in range(5):
        men = position[kind]
        found += WORTH[kind] * (ones(men & position[WHITE]) - ones(men & position[BLACK]))
    return found


@_compiled
def possible_moves(position: Any, turn: int) -> int:
    """Moves that a side would have in turn, whatever is attacked; castling past attacks is none."""
    own, theirs = position[7 - turn], position[6 + turn]
    men, pawns = own | theirs, position[PAWNS] & own
    rows = EDGES[0] | EDGES[1]
    ahead = shifted(pawns, 8 if turn else -8) & ~men
    found = ones(ahead) + 3 * ones(ahead & rows)
    twice = ahead & (np.int64(0xFF) << (16 if turn else 40))
    found += ones(shifted(twice, 8 if turn else -8) & ~men)
    while pawns:
        ends = PAWN[turn, lowest(pawns)] & theirs
        found += ones(ends) + 3 * ones(ends & rows)
        pawns &= pawns - 1
    for kind in range(KNIGHTS, KINGS + 1):
        left = position[kind] & own
        while left:
            found += ones(reach(kind, lowest(left), men) & ~own)
            left &= left - 1
    if position[CASTLING]:
        found += castlings(position, turn, men)
    return found


@_compiled
def castlings(position: Any, turn: int, men: int) -> int:
    """How many ways to castle a side would have in turn."""
    before, found = position[TURN], 0
    position[TURN] = turn
    for corner in (0, 7) if turn else (56, 63):
        found += castling(position, corner, men, True) >= 0
    position[TURN] = before
    return found


@_compiled
def estimate(ahead: float) -> float:
    """What so many pawns ahead are worth, between -1 and 1."""
    return ahead / (abs(ahead) + SPREAD)


@_compiled
def material(position: Any) -> float:
    """White's estimate by the balance of men."""
    return estimate(float(balance(position)))


@_compiled
def mobility(position: Any) -> float:
    """White's estimate by the balance of men, and a pawn for every twenty moves more."""
    more = possible_moves(position, 1) - possible_moves(position, 0)
    return estimate(balance(position) + more / 20)
