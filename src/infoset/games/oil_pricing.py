"""Oil: two producers, costs that only the owner knows, and a price that tells half of the story.

Koller & Pfeffer name oil pricing, after the OPEC game of Rasmusen's textbook, as a situation with
hidden information; the game here is our own. Both producers sell into one market, whose price falls
with what they bring to it:

    price = max(0, demand − total output)        profit = output · (price − own cost)

Demand is drawn anew each season, after the outputs are set, and only the price is published. With
the default numbers a price one lower than hoped for may mean a weak demand or a rival who broke the
quota. In a season a cheap producer always does better by the larger output, and two of them are
worse off for it: the Prisoner's Dilemma of cartels. A dear one does so only against the smaller.
"""

from __future__ import annotations

from fractions import Fraction

from infoset.objects import exact
from infoset.rules import Play, game


@game(
    players=("north", "south"),
    requires=(
        "seasons >= 1",
        "len(costs) >= 1",
        "len(demands) >= 1",
        "len(set(outputs)) == len(outputs) >= 1 and min(outputs) >= 0",
        "0 < discount <= 1",
    ),
    source="our own, after the oil-pricing game named by Koller & Pfeffer 1997, section 1",
)
def oil_pricing(
    g: Play,
    seasons: int = 2,
    outputs: tuple[int, ...] = (2, 3),
    costs: tuple[int, ...] = (1, 3),
    demands: tuple[int, ...] = (10, 11),
    discount: Fraction = Fraction(9, 10),
) -> object:
    """Two oil producers with secret costs set their outputs at once and see only the price.

    The price falls with both outputs and depends on a random demand. Costs and demands are equally
    likely. Profits of each later season count ``discount`` times those of the one before. With two
    outputs, costs and demands: 63 nodes for one season, 511 for two, 4,095 for three.
    """
    cost = {}
    for producer in g.players:
        cost[producer] = exact(g.chance(costs))
        g.reveal(producer, f"cost {cost[producer]}")
    factor = Fraction(1)
    for _ in range(seasons):
        brought = g.together(dict.fromkeys(g.players, outputs))
        total = sum(map(exact, brought.values()))
        price = max(Fraction(0), exact(g.chance(demands)) - total)
        g.reveal(g.players, f"price {price}")
        for producer, output in brought.items():
            g.pay(producer, factor * exact(output) * (price - cost[producer]))
        factor *= exact(discount)
    return None
