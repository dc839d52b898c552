"""Scissors, paper, stone: the smallest game in which whoever can be foreseen is beaten."""

from __future__ import annotations

from infoset.rules import Play, game

SIGNS = ("scissors", "paper", "stone")  # each beats the next, the last beats the first


@game(
    players=("one", "two"),
    source="traditional; named among Gala's games by Koller & Pfeffer 1997",
    bounds=(-1, 1),
)
def scissors_paper_stone(g: Play) -> object:
    """Both show a sign at once: scissors cut paper, paper wraps stone, stone blunts scissors.

    The loser pays 1 to the winner; equal signs are a draw. The only equilibrium shows each sign
    with probability 1/3, and the value of the game is 0.
    """
    mine, yours = g.together({"one": SIGNS, "two": SIGNS}).values()
    if mine == yours:
        return 0, 0
    beaten = SIGNS[(SIGNS.index(mine) + 1) % 3]
    return g.win("one" if yours == beaten else "two")
