"""Matching pennies: the smallest game without an equilibrium in pure strategies."""

from __future__ import annotations

from infoset.rules import Play, game

SIDES = ("heads", "tails")


@game(
    players=("even", "odd"),
    source="J. von Neumann & O. Morgenstern, Theory of Games and Economic Behavior, 1944",
    bounds=(-1, 1),
)
def matching_pennies(g: Play) -> object:
    """Both lay down a penny unseen; even wins both if they show the same side, odd if not.

    The only equilibrium lays heads with probability 1/2, and the value of the game is 0.
    """
    pennies = g.together({"even": SIDES, "odd": SIDES})
    return g.win("even" if pennies["even"] == pennies["odd"] else "odd")
