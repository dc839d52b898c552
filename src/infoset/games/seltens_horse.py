"""Selten's horse: a subgame-perfect equilibrium that nobody should believe in."""

from __future__ import annotations

from infoset.rules import Play, game


@game(
    players=("one", "two", "three"),
    source=(
        "R. Selten, Reexamination of the perfectness concept for equilibrium points in extensive"
        " games, 1975, figure 1"
    ),
    bounds=(0, 4),
)
def seltens_horse(g: Play) -> object:
    """Two in turn go across or down; if one went down, a third must answer without knowing which.

    Two pure equilibria: (across, across, R) and (down, across, L). The second is subgame perfect,
    as there are no subgames, but player 2 would go down if it were asked: it is not sequential.
    """
    if g.choose("one", ("across", "down")) == "down":
        return (3, 3, 2) if g.choose("three", ("L", "R")) == "L" else (0, 0, 0)
    if g.choose("two", ("across", "down")) == "across":
        return 1, 1, 1
    return (4, 4, 0) if g.choose("three", ("L", "R")) == "L" else (0, 0, 1)
