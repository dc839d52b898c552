"""Dark hex, also called phantom hex: Hex in which the other's stones show when you hit them."""

from __future__ import annotations

from typing import NamedTuple

from infoset.objects import hex_joined, hex_neighbours
from infoset.rules import Play, game


class Side(NamedTuple):
    """A player's stones, and the cells that it knows to be taken."""

    stones: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


@game(
    players=("across", "upwards"),
    requires=("width >= 1", "height >= 1"),
    source="classical and abrupt: M. Lanctot and others, OpenSpiel: a framework for reinforcement"
    " learning in games, 2019, dark_hex; M. Rudolph and others, Reevaluating policy gradient"
    " methods for imperfect-information games, 2025",
    bounds=(-1, 1),
    state=(0, Side(), Side()),
)
def dark_hex(
    g: Play,
    state: tuple[int, Side, Side],
    width: int = 2,
    height: int = 2,
    abrupt: bool = False,
) -> object:
    """Hex without seeing the other's stones: a taken cell is refused, and you try again.

    The player in turn names cells until one is free and puts its stone there. Of each cell that is
    refused it learns that the other has it; the other is told nothing. In the ``abrupt`` game a
    refusal ends the turn. The first player wins by a chain of stones that joins left and right, the
    second by one from bottom to top; it is never a draw. One tries only cells not known to be
    taken.

    The board of 2 by 2 has 441 nodes, abrupt 471. On the board of 3 by 3 the tree has
    19,119,486,979 nodes, abrupt 29,311,526,419: too many to build, not to play. The classical game
    is won by the first player for certain, as the textbook's page on phantom games shows.
    """
    number, (stones, known), other = state
    player = g.players[number]
    while True:
        cells = tuple([cell for cell in hex_neighbours(width, height) if cell not in known])
        cell = g.choose(player, cells)
        known |= {cell}
        if cell not in other.stones:
            break
        g.reveal(player, "taken")
        if abrupt:
            return 1 - number, other, Side(stones, known)
    stones |= {cell}
    if hex_joined(width, height, stones, across=number == 0):
        return g.win(player)
    return 1 - number, other, Side(stones, known)
