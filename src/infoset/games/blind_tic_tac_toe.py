"""Blind tic-tac-toe, also called phantom tic-tac-toe: the other's marks show when you hit them."""

from __future__ import annotations

from typing import NamedTuple

from infoset.objects import lines_through
from infoset.rules import Play, game


class Side(NamedTuple):
    """What a player has on the board, and what it knows to be taken."""

    marks: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


@game(
    players=("cross", "nought"),
    requires=("width >= 1", "height >= 1", "1 <= line <= max(width, height)"),
    source="named by D. Koller & A. Pfeffer, 1997; V. Lisý, M. Lanctot & M. Bowling, Online Monte"
    " Carlo counterfactual regret minimization for search in imperfect information games, 2015",
    bounds=(-1, 1),
    state=(0, Side(), Side()),
)
def blind_tic_tac_toe(
    g: Play,
    state: tuple[int, Side, Side],
    width: int = 5,
    height: int = 1,
    line: int = 3,
    abrupt: bool = False,
) -> object:
    """Tic-tac-toe without seeing the other's marks: a taken square is refused, and you try again.

    The player in turn names squares until one is free and takes its mark. Of each square that is
    refused it learns that the other has it; the other is told nothing. In the ``abrupt`` game a
    refusal ends the turn. A straight line of own marks wins; once the board is full it is a draw.
    One tries only squares not known to be taken. It is also known as phantom tic-tac-toe and as
    dark tic-tac-toe, and the game in which one tries again as the classical one.

    A strip of five squares is a small contest; in full sight it is a draw. On the usual board of 3
    by 3 the tree has 19,934,533,171 nodes and 9,829,101,024 plays, and 27,115,470,835 nodes if
    abrupt: too many to build, not to play.
    """
    number, (marks, known), other = state
    player, lines = g.players[number], lines_through(width, height, line)
    while True:
        square = g.choose(player, tuple([one for one in lines if one not in known]))
        known |= {square}
        if square not in other.marks:
            break
        g.reveal(player, "taken")
        if abrupt:
            return 1 - number, other, Side(marks, known)
    marks |= {square}
    if any(marks >= squares for squares in lines[square]):
        return g.win(player)
    if len(marks) + len(other.marks) == len(lines):
        return g.end((0, 0))
    return 1 - number, other, Side(marks, known)
