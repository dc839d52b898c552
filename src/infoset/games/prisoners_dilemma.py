"""The Prisoner's Dilemma as a tree, in either order of moves.

A simultaneous move has no one tree: whoever is written first, the other does not see the move. Nau
draws both trees, one with each agent first, and both have the same normal form:

                  cooperate                defect
    cooperate     reward, reward           sucker, temptation
    defect        temptation, sucker       punishment, punishment
"""

from __future__ import annotations

from fractions import Fraction

from infoset.rules import Play, game


def bounds(
    sucker: int | Fraction, temptation: int | Fraction
) -> tuple[int | Fraction, int | Fraction]:
    """One defects alone."""
    return sucker, temptation


@game(
    players=("row", "column"),
    requires=('first in ("row", "column")', "temptation > reward > punishment > sucker"),
    source=(
        "D. Nau, Introduction to Game Theory, slides 6: imperfect information;"
        " payoffs of Shoham & Leyton-Brown, Multiagent Systems, 2009, figure 5.11"
    ),
    bounds=bounds,
)
def prisoners_dilemma(
    g: Play,
    first: str = "row",
    reward: int | Fraction = -1,
    sucker: int | Fraction = -4,
    temptation: int | Fraction = 0,
    punishment: int | Fraction = -3,
) -> object:
    """Two prisoners each cooperate with the other or defect, neither knowing what the other does.

    ``first`` says whose move is written first; it makes another tree of the same game. To defect
    is always better, so that both do, and both are worse off than if both had cooperated.
    """
    chosen = {
        prisoner: g.choose(prisoner, ("cooperate", "defect"))
        for prisoner in g.turns(start=first, rounds=1)
    }
    if chosen["row"] == chosen["column"]:
        return (reward, reward) if chosen["row"] == "cooperate" else (punishment, punishment)
    return (temptation, sucker) if chosen["row"] == "defect" else (sucker, temptation)
