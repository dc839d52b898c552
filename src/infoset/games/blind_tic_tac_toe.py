"""Blind tic-tac-toe, also called phantom tic-tac-toe: the other's marks show when you hit them."""

from __future__ import annotations

from infoset.objects import Board, square_name
from infoset.rules import Play, game


@game(
    players=("cross", "nought"),
    requires=("width >= 1", "height >= 1", "1 <= line <= max(width, height)"),
    source="named by D. Koller & A. Pfeffer, 1997; V. Lisý, M. Lanctot & M. Bowling, Online Monte"
    " Carlo counterfactual regret minimization for search in imperfect information games, 2015",
    bounds=(-1, 1),
)
def blind_tic_tac_toe(g: Play, width: int = 5, height: int = 1, line: int = 3) -> object:
    """Tic-tac-toe without seeing the other's marks: a taken square is refused, and you try again.

    The player in turn names squares until one is free and takes its mark. Of each square that is
    refused it learns that the other has it; the other is told nothing. A straight line of own marks
    wins; once the board is full it is a draw. One tries only squares not known to be taken.

    A strip of five squares is a small contest; in full sight it is a draw. On the usual board of 3
    by 3 the tree has 19,934,533,171 nodes and 9,829,101,024 plays: too many to build, not to play.
    """
    board = Board[str](width, height)
    known: dict[str, list[str]] = {player: [] for player in g.players}
    by_name = {square_name(square): square for square in board.squares}
    for player in g.turns():
        while True:
            name = g.choose(player, [name for name in by_name if name not in known[player]])
            known[player].append(name)
            if board[by_name[name]] is None:
                break
            g.reveal(player, "taken")
        board.place(by_name[name], player)
        if board.has_line(player, line):
            return g.win(player)
        if not board.empty():
            break
    return 0, 0
