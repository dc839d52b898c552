"""The compiled chess board against published counts, and against python-chess along random plays.

The positions and their counts of legal plays ("perft") are those of the chess programming wiki:
the start, the position called Kiwipete, and positions 3 to 6.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from infoset.games.kriegspiel import Chess, announced, material, mobility
from infoset.games.kriegspiel import after as made_by
from infoset.kernels import chess as kernel
from infoset.objects.chessboard import START, attempts, board_of, move_number, read_fen, words_of

chess = pytest.importorskip("chess", reason="python-chess, to compare with, is not installed")

PERFT = [
    (START, (20, 400, 8902, 197281)),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        (48, 2039, 97862),
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2079, 89890),
    ),
]
ENDINGS = (
    "8/1P4k1/8/8/8/8/6p1/1K6 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/2k5/8/8/2BNK3/8/8 w - - 0 1",
)


def plays(position: Any, depth: int) -> int:
    moves = np.zeros(kernel.MOVES, np.int64)
    many = kernel.legal_moves(position, moves)
    if depth == 1:
        return many
    after, found = np.zeros_like(position), 0
    for move in moves[:many]:
        kernel.make(position, move, after)
        found += plays(after, depth - 1)
    return found


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_plays_are_as_many_as_published(fen: str, counts: tuple[int, ...]) -> None:
    start = np.array(words_of(read_fen(fen)[0]), np.int64)
    assert tuple(plays(start, depth) for depth in range(1, len(counts) + 1)) == counts


def said(code: int, player: str) -> str:
    """An announcement in the umpire's words."""
    facts = [f"{player} moved"]
    if code & kernel.CAPTURE:
        facts.append(f"captured on {chess.square_name((code & kernel.CAPTURE) - 1)}")
    names = ("rank", "file", "long diagonal", "short diagonal", "knight")
    lines = [name for bit, name in enumerate(names) if code >> (7 + bit) & 1]
    if lines:
        facts.append(f"check by {' and '.join(lines)}")
    ended = code >> 12 & 3
    if ended:
        facts.append(("checkmate", "stalemate", "no men to mate with")[ended - 1])
    else:
        tries = code >> kernel.TRIES
        facts.append(f"{tries} pawn {'try' if tries == 1 else 'tries'}")
    return ", ".join(facts)


@pytest.mark.parametrize("fen", [START, *(fen for fen, _ in PERFT[1:]), *ENDINGS])
def test_the_umpire_and_the_values_are_those_of_the_rules(fen: str, request: Any) -> None:
    random = Random(request.node.name)
    men, quiet = read_fen(fen)
    moves, after = np.zeros(kernel.MOVES, np.int64), np.zeros(kernel.WORDS, np.int64)
    for _ in range(100):
        position = np.array(words_of(men, quiet), np.int64)
        tried = attempts(men)
        numbers = {move_number(one): one for one in tried}
        assert {int(one) for one in moves[: kernel.attempts(position, moves)]} == set(numbers)
        legal = {move.uci() for move in board_of(men).legal_moves}
        assert {one for one in tried if kernel.legal(position, move_number(one))} == legal
        found = moves[: kernel.legal_moves(position, moves)]
        assert {numbers[int(one)] for one in found} == legal
        state = Chess(men)
        assert kernel.material(position) == material(state, "white")
        assert kernel.mobility(position) == pytest.approx(mobility(state, "white"), abs=1e-15)
        move = random.choice(sorted(legal))
        made = made_by(men, move)
        assert made is not None
        taken = kernel.capture_on(position, move_number(move))
        kernel.make(position, move_number(move), after)
        quiet = 0 if made.lasting else quiet + 1
        assert after.tolist() == list(words_of(made.men, quiet))
        code = kernel.announced(after, taken, True, moves)
        assert said(code, men.mover) == announced(men.mover, made, True)
        if made.ended:
            break
        men = made.men
