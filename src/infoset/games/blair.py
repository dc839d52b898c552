"""One tree, four ways to know: G₁ and G₂ of Blair, Mutchler & van Lent, and two kin of G₂.

Chance draws A or B. The first move continues, from A to C and from B to D, or quits for 0. The
second move pays −100 on the left and 1 on the right of C, and the other way round at D:

    G₁                every node is known                  value 1
    G₂ "team"         C and D look alike                   value 1/2, imperfect recall
    G₂ "unseen"       so do A and B                        value 0, perfect recall
    G₂ "partners"     C and D are another player's         perfect recall

A search that treats G₂ like G₁ decides at C and at D separately and finds a value of 1 that nobody
can get: this is what perfect recall is needed for.
"""

from __future__ import annotations

from infoset.rules import Play, game

PAYS = {("A", "left"): -100, ("A", "right"): 1, ("B", "left"): 1, ("B", "right"): -100}


@game(
    players=("player",),
    source="Blair, Mutchler & van Lent, Perfect recall and pruning, 1996, figure 2, G1",
    bounds=(-100, 1),
)
def blair_g1(g: Play) -> object:
    """One player sees chance draw A or B, continues or quits, and then goes left or right.

    Its value is 1: continue, then right after A and left after B.
    """
    drawn = g.chance(("A", "B"))
    g.reveal("player", drawn)
    if g.choose("player", ("continue", "quit")) == "quit":
        return 0
    return PAYS[drawn, g.choose("player", ("left", "right"))]


def seats(variant: str) -> object:
    """Two who act: for one team, or each for itself."""
    two = ("first", "second")
    return two if variant == "partners" else {"team": two}


@game(
    players=seats,
    requires='variant in ("team", "unseen", "partners")',
    source="Blair, Mutchler & van Lent, Perfect recall and pruning, 1996, figure 2, G2; note 14",
    bounds=(-100, 1),
)
def blair_g2(g: Play, variant: str = "team") -> object:
    """Of two who may not speak, the first sees A or B and may quit; the second goes left or right.

    As a "team" they are one player with imperfect recall, and get 1/2: continue after A, quit after
    B, go right. The paper names two changes that restore perfect recall: "unseen", where the first
    does not see the draw either and had best quit; and "partners", where they are two players. The
    paper gives no payoffs for two players; here each is paid what the team would be.
    """
    drawn = g.chance(("A", "B"))
    if variant != "unseen":
        g.reveal("first", drawn)
    if g.choose("first", ("continue", "quit")) == "quit":
        return dict.fromkeys(g.players, 0)
    return dict.fromkeys(g.players, PAYS[drawn, g.choose("second", ("left", "right"))])
