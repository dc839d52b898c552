"""A player who does not know whether it has moved already.

Agent 1 meets the same information set {a, b} at both of its moves. A mixed strategy picks L or R
once and for all, so it never gets to the end L, R that pays 100; a behaviour strategy, which plays
L with probability p each time, does. Against D it earns

    u₁(p) = p² + 100 p (1 − p) + 2 (1 − p) = −99 p² + 98 p + 2,

most at p = 98/198. So behaviour strategies reach what mixed strategies cannot: Kuhn's theorem needs
perfect recall.
"""

from __future__ import annotations

from infoset.rules import Play, game


@game(
    players=("one", "two"),
    source=(
        "D. Nau, Introduction to Game Theory, slides 6: mixed and behavioral strategies;"
        " Shoham & Leyton-Brown, Multiagent Systems, 2009, figure 5.12"
    ),
    bounds=(0, 100),
)
def absent_minded(g: Play) -> object:
    """Agent 1 may move twice and never knows which of its moves it is making.

    L and L again pays (1, 0), L and then R pays (100, 100). R at once leaves it to agent 2: U pays
    (5, 1) and D pays (2, 2). In mixed strategies (R, D) is the only equilibrium; in behaviour
    strategies agent 1 plays L with probability 98/198.
    """

    def one_moves() -> object:
        return g.choose("one", ("L", "R"), knowing="a or b")

    if one_moves() == "R":
        return (5, 1) if g.choose("two", ("U", "D")) == "U" else (2, 2)
    return (1, 0) if one_moves() == "L" else (100, 100)
