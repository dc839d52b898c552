"""The running example of the paper that made large game trees solvable.

Koller, Megiddo & von Stengel show one zero-sum game as a tree (figure 1), as a normal form (figure
2) and as a sequence form (figure 3). The entries of the last, each a leaf's payoff times its chance
probability, give the tree:

          ∅    p    q    s    t
    ∅     2                            a leaf of probability 2/5 that pays 5
    l     1                            1/5 · 5
    rL         2    4                  1/5 · 10, 1/5 · 20
    rR         3   −1                  1/5 · 15, 1/5 · (−5)
    c     2              4   10        1/5 · 10; 1/5 · 20, 1/5 · 50
    d     4              6    3        1/5 · 20; 1/5 · 30, 1/5 · 15

Figure 2 agrees with this in its rows with l. Its rows with r leave out the entry of c or of d in
column ∅: they are too low by 2 or by 4. They cannot be meant, as no play has both l or r and c or
d, and so the step from l to r must change the payoff by the same amount whether with c or with d.
"""

from __future__ import annotations

from infoset.rules import Play, game

LEFT = {("p", "L"): 10, ("q", "L"): 20, ("p", "R"): 15, ("q", "R"): -5}
MIDDLE = {"c": 10, "d": 20}
RIGHT = {("c", "s"): 20, ("c", "t"): 50, ("d", "s"): 30, ("d", "t"): 15}


@game(
    players=("one", "two"),
    source=(
        "Koller, Megiddo & von Stengel, Fast algorithms for finding randomized strategies in game"
        " trees, 1994, figures 1 and 3"
    ),
    bounds=(-50, 50),
)
def koller_megiddo_von_stengel(g: Play) -> object:
    """A zero-sum game of 21 nodes with chance, hidden moves and perfect recall.

    Player 1 knows whether it moves on the left, with l or r and after player 2's answer L or R, or
    elsewhere, with c or d, where it cannot tell the middle from the right. Its value is 13: player
    1 plays r, L with 2/3 and c with 1/3; player 2 plays p with 5/6 and s with 5/9.
    """
    branch = g.chance({"left": 1, "middle": 1, "right": 1, "over": 2})
    if branch == "over":
        return g.win("one", 5)
    if branch == "left":
        if g.choose("one", ("l", "r")) == "l":
            return g.win("one", 5)
        answer = g.choose("two", ("p", "q"))
        return g.win("one", LEFT[answer, g.choose("one", ("L", "R"))])
    choice = g.choose("one", ("c", "d"))
    if branch == "middle":
        return g.win("one", MIDDLE[choice])
    return g.win("one", RIGHT[choice, g.choose("two", ("s", "t"))])
