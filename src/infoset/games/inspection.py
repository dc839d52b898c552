"""The inspection game: a treaty, someone who would break it, and too few inspections."""

from __future__ import annotations

from infoset.rules import Play, game


@game(
    players=("inspector", "violator"),
    requires=("stages >= 1", "0 <= inspections <= stages"),
    source="D. Koller & A. Pfeffer, Representations and solutions for game-theoretic problems,"
    " 1997, figure 6; after M. Dresher, 1962",
    bounds=(-1, 1),
)
def inspection(g: Play, stages: int = 3, inspections: int = 1) -> object:
    """An inspector with fewer inspections than stages, and a violator who needs one free stage.

    In each stage the violator violates the treaty or not, and the inspector, not knowing, inspects
    or not. A violation ends the game: inspected, the inspector wins, and otherwise the violator.
    The violator is told whether there was an inspection; that the game goes on tells the inspector
    that there was no violation. Without inspections left, the violator is sure to win; with as many
    as there are stages left, the inspector is. Then the game ends too.

    With n stages and l inspections the tree has 6·C(n, l) - 5 nodes, and each player C(n, l) - 1
    information sets. The inspector's best is to inspect l stages drawn at random: it wins with
    probability l/n, and the value of the game is 2l/n - 1.
    """
    while 0 < inspections < stages:
        violate, inspect = g.together(
            {"violator": ("violate", "comply"), "inspector": ("inspect", "wait")}
        ).values()
        if violate == "violate":
            return g.win("inspector" if inspect == "inspect" else "violator")
        g.reveal("violator", inspect)
        stages -= 1
        inspections -= inspect == "inspect"
    return g.win("inspector" if inspections else "violator")
