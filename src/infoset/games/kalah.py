"""Kalah: sow seeds around a board of pits, and gather more than half of them in your store.

A mancala of the 1950s, here with any number of pits and of seeds, and with moves that may be hidden
from the other player.

*The rules* are those of Irving, Donkers & Uiterwijk (2000), who solved it for up to 6 pits with 5
seeds each. Each player has a row of pits and, at its right end, a store. A move takes all seeds of
an own pit and sows them one by one into the pits that follow, counterclockwise: the own row, the
own store, the other's row, the own row again; the other's store is left out. If the last seed falls
into the own store, the same player moves again. If it falls into an own pit that was empty, it goes
into the own store with all seeds of the pit across, even if there are none ("empty capture"). The
game is over when either player has no seeds in its pits; what the other has in its pits is its own.

*The picture* of a seat follows all boards that agree with what it has seen: a pit shows how many
seeds it has, or from how few to how many it may have, as ``1-3``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from infoset.games.p_game import announce
from infoset.objects import BoardPicture, Mark
from infoset.rules import Play, game

MOST_BOARDS = 5_000  # that the picture follows


class Board(NamedTuple):
    """A position, each player's pits from the one farthest from its store."""

    turn: int = 0  # who moves, by its number
    rows: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    stores: tuple[int, int] = (0, 0)


def first_board(pits: int, seeds: int) -> Board:
    """The same number of seeds in each pit."""
    row = (seeds,) * pits
    return Board(0, (row, row))


def picture(view: Hashable, player: str, pits: int, seeds: int) -> BoardPicture:
    """Both rows from the player's side, its store to the right."""
    me = int(player == "second")
    found = boards(view, me, first_board(pits, seeds))
    squares = {}
    for side, whose in ((me, player), (1 - me, "first" if me else "second")):
        held = [[*board.rows[side], board.stores[side]] for board in found]
        for at in range(pits + 1):
            column, row = (at + 1, 1) if side == me else (pits - at, 2)
            squares["abcdefghijklmn"[column] + str(row)] = Mark(
                between(one[at] for one in held), whose
            )
    return BoardPicture(pits + 2, 2, squares)


def between(counts: Iterable[int]) -> str:
    """How many seeds a pit has, or from how few to how many; a question mark if nobody knows.

    >>> between([2, 2]), between([3, 1]), between([])
    ('2', '1-3', '?')
    """
    known = set(counts)
    if not known:
        return "?"
    return str(min(known)) if len(known) == 1 else f"{min(known)}-{max(known)}"


def boards(view: Any, me: int, first: Board) -> set[Board]:
    """All boards that agree with what a player has seen; none if they are too many to follow."""
    found = {first}
    for word, what in view:
        if word == "offered":
            found = {one for one in found if one.turn == me and sowable(one) == list(what)}
        elif word == "took":
            found = {sown(one, what) for one in found}
        else:
            found = {after for one in found for after in answers(one, me, what[1])}
        if len(found) > MOST_BOARDS:
            return set()
    return found


def answers(board: Board, me: int, pit: object) -> Iterator[Board]:
    """What a move of the other may have made of a board; the game went on."""
    if board.turn != me:
        for one in sowable(board):
            after = sown(board, one)
            if pit in (one, "hidden") and outcome(after) is None:
                yield after


def sowable(board: Board) -> list[int]:
    """The pits from which the player in turn may sow."""
    return [number for number, held in enumerate(board.rows[board.turn], 1) if held]


@game(
    players=("first", "second"),
    requires=("1 <= pits <= 12", "1 <= seeds <= 24", "0 <= hidden <= 1"),
    source="G. Irving, J. Donkers & J. Uiterwijk, Solving kalah, 2000; with hidden moves in D. Nau,"
    " Introduction to Game Theory, slides on imperfect-information games",
    bounds=(-1, 1),
    state=first_board,
    picture=picture,
)
def kalah(
    g: Play, board: Board, pits: int = 2, seeds: int = 2, hidden: Fraction = Fraction(1, 2)
) -> object:
    """Two players sow the seeds of their pits in turn; more than half of all seeds wins.

    Pits are numbered from 1, the one next to the own store having the greatest number. The game
    ends as soon as somebody has more than half of all seeds, or when somebody has none in its pits;
    then the other keeps those in its own pits, and with half of them each it is a draw.

    With probability ``hidden``, independently for every move, the other player learns only that a
    move was made, not from which pit; who made the move does not learn whether it was seen. All
    else each must find out by itself: it is told neither what is captured nor how many seeds are
    where. It is offered those of its pits that have seeds, and sees who moves next.

    Without hidden moves two pits of two seeds are won by the second player, and six pits of four
    seeds, the usual game, by the first.
    """
    player = g.players[board.turn]
    pit = g.choose(player, sowable(board))
    board = sown(board, pit)
    gathered = outcome(board)
    if gathered is None:
        announce(g, player, pit, hidden)
        return board
    ahead = gathered[0] - gathered[1]
    return g.win(g.players[ahead < 0]) if ahead else g.end((0, 0))


def sown(board: Board, pit: int) -> Board:
    """The board after the player in turn has sown the seeds of a pit.

    >>> sown(first_board(3, 2), 2)
    Board(turn=0, rows=((2, 0, 3), (2, 2, 2)), stores=(1, 0))
    """
    turn, pits = board.turn, len(board.rows[0])
    ring = [*board.rows[turn], board.stores[turn], *board.rows[1 - turn]]
    held, ring[pit - 1] = ring[pit - 1], 0
    for step in range(pit, pit + held):
        ring[step % len(ring)] += 1
    last = (pit - 1 + held) % len(ring)
    across = 2 * pits - last
    if last < pits and ring[last] == 1:
        ring[pits] += 1 + ring[across]
        ring[last] = ring[across] = 0
    own, other = tuple(ring[:pits]), tuple(ring[pits + 1 :])
    stores = (ring[pits], board.stores[1 - turn])
    after = turn if last == pits else 1 - turn
    return (
        Board(after, (own, other), stores)
        if turn == 0
        else Board(after, (other, own), stores[::-1])
    )


def outcome(board: Board) -> tuple[int, int] | None:
    """What each has gathered if the game is over; None if it goes on."""
    inside = [sum(row) for row in board.rows]
    if 2 * max(board.stores) > sum(inside) + sum(board.stores):
        return board.stores
    if all(inside):
        return None
    return board.stores[0] + inside[0], board.stores[1] + inside[1]
