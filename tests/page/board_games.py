"""Games on boards for the tests of the table: a small dark chess, and one with a picture."""

from __future__ import annotations

from typing import Any, NamedTuple

from infoset import Play, game
from infoset.objects import BoardPicture, Deck, Mark


class Chess(NamedTuple):
    """Where everything stands: a king each, and a white pawn."""

    turn: int = 0
    white: str = "a1"
    black: str = "d3"
    pawn: str = "b3"
    knight: bool = False


def steps(square: str, without: tuple[str, ...]) -> list[str]:
    """Where a king may go on a board of 4 by 4."""
    column, row = ord(square[0]), int(square[1])
    near = [f"{chr(x)}{y}" for x in range(column - 1, column + 2) for y in range(row - 1, row + 2)]
    return [one for one in near if one[0] in "abcd" and one[1] in "1234" and one not in without]


@game(players=("white", "black"), bounds=(-1, 1), state=Chess())
def dark_chess(g: Play, at: Chess, size: int = 4, turns: int = 3) -> object:
    """A king and a pawn against a king; each sees its own pieces, and squares next to its king."""
    own = f"white {'knight' if at.knight else 'pawn'} on {at.pawn}"
    white, black = f"white king on {at.white}", f"black king on {at.black}"
    g.reveal("white", (white, own, *((black,) if at.black in steps(at.white, ()) else ())))
    seen = tuple([one for one in (white, own) if one[-2:] in steps(at.black, ())])
    g.reveal("black", (black, *seen))
    if at.turn == 2 * turns:
        return g.end((0, 0))
    if at.turn % 2 == 0:
        moves = [f"{at.white}{end}" for end in steps(at.white, (at.white, at.pawn))]
        pawn = [f"b3b4{sign}" for sign in "qn"] if at.pawn == "b3" else []
        move = g.choose("white", (*moves, *pawn))
        if move.endswith("q"):
            return g.win("white")
        if move.endswith("n"):
            return at._replace(turn=at.turn + 1, pawn="b4", knight=True)
        return at._replace(turn=at.turn + 1, white=move[2:])
    _, end = g.choose("black", tuple([(at.black, end) for end in steps(at.black, (at.black,))]))
    if end == at.white:
        return g.win("black")
    return at._replace(turn=at.turn + 1, black=end)


def treasure(view: Any, player: str, width: int, broken: str) -> object:
    """What a player sees of the cave: the cells it has dug, and its card."""
    took = [what for kind, what in view if kind == "took"]
    card = next(what for kind, what in view if kind == "saw")
    if broken == "raises":
        raise KeyError(player)
    if broken == "loops":
        while True:
            pass
    if broken == "returns":
        return {"a1": "X"}
    if broken == "off":
        return BoardPicture(width, 1, {"z9": "X"})
    squares = {cell: Mark(f"{number}.", player) for number, cell in enumerate(took, 1)}
    return [BoardPicture(width, 2, {**squares, "b2": "♞"}, shape="hex", title="the cave"), card]


@game(players=("ann", "bob"), picture=treasure)
def cave(g: Play, width: int = 4, broken: str = "") -> object:
    """Both dig in turn, twice, and see nothing of each other."""
    cards = g.deal(Deck(6, 1), 1, 1)
    for player, card in zip(g.players, cards, strict=True):
        g.reveal(player, card)
    cells = [f"{column}1" for column in "abcdefgh"[:width]]
    dug = {player: list(cells) for player in g.players}
    for player in ("ann", "bob", "ann", "bob"):
        dug[player].remove(g.choose(player, dug[player]))
    return g.win("ann" if dug["ann"] < dug["bob"] else "bob")
