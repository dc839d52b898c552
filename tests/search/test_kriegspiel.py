"""The compiled beliefs and searches of kriegspiel, against the rules and plain recursions."""

from __future__ import annotations

from itertools import product
from math import inf, nan
from random import Random
from typing import Any

import numpy as np
import pytest

from infoset.games.kriegspiel import Chess, after, announced, material, mobility
from infoset.kernels import kriegspiel as kernel
from infoset.objects.chessboard import (
    START,
    Men,
    attempts,
    board_of,
    move_number,
    move_text,
    read_fen,
    words_of,
)
from infoset.play.kriegspiel import METHODS
from infoset.search.kriegspiel import Belief, announcement

pytest.importorskip("chess", reason="python-chess, to compare with, is not installed")

ENDING = "8/5k2/4p3/8/3P4/8/2K5/6R1 w - - 0 1"


def row(men: Men) -> list[int]:
    return list(words_of(men))


# ---------------------------------------------------------------------- beliefs


def agreeing(men: list[Men], said: str, tried: list[tuple[str, str | None]]) -> list[Men]:
    """Positions after a move of the other and own attempts, by the rules alone."""
    found = []
    for before, move in ((one, move) for one in men for move in attempts(one)):
        made = after(before, move)
        if made is None or made.ended or announced(before.mover, made, False) != said:
            continue
        now: Men | None = made.men
        for attempt, answer in tried:
            assert now is not None
            next_one = after(now, attempt)
            if (next_one is None) != (answer is None):
                now = None
                break
            if next_one is not None:
                fits = not next_one.ended and announced(now.mover, next_one, False) == answer
                now = next_one.men if fits else None
        if now is not None:
            found.append(now)
    return found


def test_a_belief_has_all_positions_that_agree_and_no_others() -> None:
    men, random = read_fen(ENDING)[0], Random(4)
    belief = Belief(words_of(men), True, 4000, False, random)
    believed, checked = [men], 0
    opening: Any = after(men, "g1g4")
    belief.moved("g1g4", announcement(announced("white", opening, False)))
    believed, true = [opening.men], opening.men
    for _ in range(3):
        move = random.choice([one for one in attempts(true) if after(true, one)])
        made: Any = after(true, move)
        said, tried = announced("black", made, False), []
        true = made.men
        belief.other_moved(announcement(said))
        while True:
            expected = {tuple(row(one)[:11]) for one in agreeing(believed, said, tried)}
            assert {tuple(one[:11]) for one in belief.positions().tolist()} == expected
            checked += len(expected)
            attempt = random.choice([one for one in attempts(true) if one not in dict(tried)])
            own: Any = after(true, attempt)
            answer = None if own is None else announced("white", own, False)
            tried.append((attempt, answer))
            if answer is not None:
                break
            belief.refused(attempt)
        believed = list(set(agreeing(believed, said, tried)))
        belief.moved(attempt, announcement(answer))
        true = own.men
    assert checked > 20
    assert belief.lost == belief.displaced == 0


def test_moves_of_the_other_are_believed_in_by_their_probabilities() -> None:
    """Black's king has one move and its pawn two."""
    men = read_fen("k7/7p/8/8/8/8/8/1R4K1 w - - 0 1")[0]
    belief = Belief(words_of(men), True, 6000, False, Random(1))
    belief.moved("g1f1", announcement("white moved"))
    belief.other_moved(announcement("black moved"))
    held, weights = belief.sample(100)
    legal = board_of(after(men, "g1f1").men).legal_moves.count()  # type: ignore[union-attr]
    assert len(held) == legal
    assert weights == pytest.approx(np.full(legal, 1 / legal), abs=1 / 6000 + 1e-9)


def test_men_are_displaced_where_no_position_agrees() -> None:
    """Black captures on a4, which no man of Black can reach."""
    belief = Belief(words_of(read_fen(START)[0]), True, 200, False, Random(2))
    belief.moved("a2a4", announcement("white moved"))
    belief.other_moved(announcement("black moved, captured on a4"))
    for one in belief.positions().tolist():
        assert one[kernel.WHITE].bit_count() == 15
        assert (one[kernel.BLACK] % 2**64).bit_count() == 16
        assert one[kernel.BLACK] >> 24 & 1
    assert belief.displaced == 1


# ---------------------------------------------------------------------- searches


def value(men: Men, made: Any, evaluate: Any, player: str) -> float | None:
    """For the player, where a move ends the game; None if it goes on."""
    if made.ended == "checkmate":
        return 1.0 if men.mover == player else -1.0
    return 0.0 if made.ended else None


def replied(men: Men, model: str, evaluate: Any, player: str) -> list[tuple[Men, str] | float]:
    """What follows each reply of the other: a value, or a position and what was announced."""
    found: list[Any] = []
    for reply in attempts(men):
        made = after(men, reply)
        if made is not None:
            ended = value(men, made, evaluate, player)
            said = announced(men.mover, made, False)
            found.append((made.men, said) if ended is None else ended)
    return found


def joined(values: list[float], model: str) -> float:
    mean, worst = sum(values) / len(values), min(values)
    return {"overconfident": mean, "mixed": (mean + worst) / 2}.get(model, worst)


def table(held: list[Men], weights: list[float], depth: int, model: str, evaluate: Any) -> Any:
    """By attempt, the value of each history; not a number where it is illegal."""
    player = held[0].mover
    found: dict[str, list[float]] = {}
    for move in attempts(held[0]):
        cells: list[list[float]] = [[] for _ in held]
        groups: dict[Any, list[tuple[int, Men, float]]] = {}
        for at, men in enumerate(held):
            made = after(men, move)
            if made is None:
                cells[at] = [nan]
                continue
            ended = value(men, made, evaluate, player)
            if ended is not None:
                cells[at] = [ended]
            elif depth == 1:
                cells[at] = [evaluate(Chess(made.men), player)]
            else:
                several = replied(made.men, model, evaluate, player)
                for one in several:
                    if isinstance(one, float):
                        cells[at].append(one)
                    elif depth == 2:
                        cells[at].append(evaluate(Chess(one[0]), player))
                    else:
                        key = (announced(player, made, False), one[1])
                        part = weights[at] / len(several)
                        groups.setdefault(key, []).append((at, one[0], part))
        for group in groups.values():
            whole = sum(part for _, _, part in group)
            parts = [part / whole for _, _, part in group]
            inner = table([men for _, men, _ in group], parts, depth - 2, model, evaluate)
            best = plan(inner, parts, tuple(range(len(group))), 1, model)[1]
            for number, (at, _, _) in enumerate(group):
                cells[at].append(best[number])
        found[move] = [joined(cell, model) for cell in cells]
    return found


def plan(
    values: Any, weights: list[float], members: tuple[int, ...], levels: int, model: str
) -> tuple[float, dict[int, float]]:
    """The best list of attempts: its worth, and the value of each member."""
    return max(
        (listed(values, weights, members, levels, model, first) for first in values),
        key=lambda one: one[0],
    )


def listed(
    values: Any, weights: list[float], members: tuple[int, ...], levels: int, model: str, first: str
) -> tuple[float, dict[int, float]]:
    mine = {at: values[first][at] for at in members if values[first][at] == values[first][at]}
    rest = tuple(at for at in members if at not in mine)
    if not mine:
        return -inf, {}
    if rest and levels:
        mine |= plan(values, weights, rest, levels - 1, model)[1]
    for at in rest if not levels else ():
        mine[at] = min(one[at] for one in values.values() if one[at] == one[at])
    mean = sum(weights[at] * mine[at] for at in members)
    worst = min(mine.values())
    return (worst + kernel.TIE * mean if model == "paranoid" else mean), mine


PLACES = (  # Black's king, and a pawn of Black
    [("h5", "e4"), ("g4", "c4"), ("c6", "e4"), ("e5", "c2")],
    [("b3", "a4"), ("a3", "b4")],
)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("model", METHODS[:4])
def test_attempts_are_worth_what_a_plain_recursion_says(model: str, depth: int) -> None:
    held = []
    for king, pawn in PLACES[depth == 3]:
        board = board_of(read_fen("8/8/8/8/8/3P4/8/K6k w - - 0 1")[0])
        board.remove_piece_at(7)
        for square, man in ((king, "k"), (pawn, "p")):
            import chess

            board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(man))
        held.append(read_fen(board.fen())[0])
    weights = [0.4, 0.3, 0.2, 0.1] if depth < 3 else [0.7, 0.3]
    evaluate, number = (mobility, kernel.MOBILITY) if depth < 3 else (material, kernel.MATERIAL)
    values = table(held, weights, depth, model, evaluate)
    search = kernel.Search(METHODS.index(model), 300, number, 100, 0)
    moves, worths = np.zeros(512, np.int64), np.zeros(512)
    many = kernel.look(
        np.array([row(one) for one in held], np.int64), np.array(weights), depth, search,
        np.empty(0, np.int64), np.array([1]), moves, worths,
    )  # fmt: skip
    found = dict(zip(map(move_text, moves[:many].tolist()), worths[:many].tolist(), strict=True))
    everyone = tuple(range(len(held)))
    expected = {
        move: listed(values, weights, everyone, 2, model, move)[0] for move in attempts(held[0])
    }
    assert found == pytest.approx(expected, abs=1e-12)
    assert {kernel.legal(np.array(row(held[0])), move_number("d3e4"))} == {depth < 3}


def minimax(men: Men, depth: int) -> float:
    """For the player in turn."""
    if depth == 0:
        return mobility(Chess(men), men.mover)
    best = -inf
    for move in attempts(men):
        made = after(men, move)
        if made is not None:
            ended = value(men, made, mobility, men.mover)
            best = max(best, -minimax(made.men, depth - 1) if ended is None else ended)
    return best


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_perfect_information_is_searched_as_by_plain_minimax(depth: int) -> None:
    held = [read_fen(f"8/8/8/8/{rank}/3P4/8/K6k w - - 0 1")[0] for rank in ("4p3", "2p5")]
    search = kernel.Search(kernel.PERFECT, 1, kernel.MOBILITY, 100, 0)
    moves, worths = np.zeros(512, np.int64), np.zeros(512)
    rows = np.array([row(one) for one in held], np.int64)
    many = kernel.look_each(
        rows, np.array([0.75, 0.25]), depth, search, np.empty(0, np.int64), moves, worths
    )
    for move, worth in zip(map(move_text, moves[:many].tolist()), worths[:many], strict=True):
        parts = []
        for men in held:
            made = after(men, move)
            parts.append(minimax(men, depth) if made is None else -minimax(made.men, depth - 1))
        legal = any(after(men, move) for men in held)
        expected = 0.75 * parts[0] + 0.25 * parts[1] if legal else -inf
        assert worth == pytest.approx(expected, abs=1e-12)


def test_numbers_of_announcements_are_those_of_the_kernel() -> None:
    lines = ("rank", "file", "long diagonal", "short diagonal", "knight")
    for square, (at, line), ended in product(
        (None, "a1", "h8"), enumerate(lines), ("", "checkmate", "stalemate", "no men to mate with")
    ):
        words = [
            "white moved",
            f"captured on {square}" if square else "",
            f"check by {line}",
            ended,
        ]
        said = announcement(", ".join(filter(None, words)))
        assert said & 127 == {None: 0, "a1": 1, "h8": 64}[square]
        assert said >> 7 & 31 == 1 << at
        assert said >> 12 & 3 == ["", "checkmate", "stalemate", "no men to mate with"].index(ended)
