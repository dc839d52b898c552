"""The centipede: backward induction against common sense.

Each step costs the player who makes it and gives the other more. Whoever stops keeps what it has;
the last to move gains by stopping, so the one before does, and so on to the start.
"""

from __future__ import annotations

from fractions import Fraction

from infoset.rules import Play, game


def bounds(
    rounds: int, cost: int | Fraction, gift: int | Fraction
) -> tuple[int | Fraction, int | Fraction]:
    """The least is what is left after passing once, the most what the last to be given to has."""
    return 1 - cost, 1 + rounds * gift - (rounds - 1) * cost


@game(
    players=("one", "two"),
    requires=("rounds >= 1", "gift > cost > 0"),
    source=(
        "R. W. Rosenthal, Games of perfect information, predatory pricing and the chain-store"
        " paradox, 1981"
    ),
    bounds=bounds,
)
def centipede(
    g: Play, rounds: int = 3, cost: int | Fraction = 1, gift: int | Fraction = 2
) -> object:
    """Two players in turn stop or pass; to pass costs the one and gives the other more than that.

    Both begin with 1 and have ``rounds`` turns each: 4 rounds + 1 nodes, all of them known. In the
    only equilibrium outcome player 1 stops at once, although both could grow rich.
    """
    owned: dict[str, int | Fraction] = dict.fromkeys(g.players, 1)
    for player in g.turns(rounds=rounds):
        if g.choose(player, ("stop", "pass")) == "stop":
            break
        g.reveal(g.other(player), "pass")
        owned[player] -= cost
        owned[g.other(player)] += gift
    return owned
