"""Backward induction, for games of perfect information.

At the last decisions of a game the optimal action is known; once those are decided, so are the ones
before. One pass from the last node to the first gives every node a value for each player: the value
of the optimal action for the player who moves, the expectation at chance nodes (Zermelo 1913; Kuhn
1953, corollary 1). The result is a subgame-perfect equilibrium in pure strategies, for any number
of players. Of several optimal actions the first is taken. All numbers are exact.
"""

from __future__ import annotations

from fractions import Fraction

from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure
from infoset.tree import Tree


def find(tree: Tree, options: Options) -> Found:
    """A subgame-perfect equilibrium in pure strategies."""
    del options  # one pass in exact arithmetic: nothing to stop
    settled = tree.settled
    parent, mover = settled.parent.tolist(), settled.player.tolist()
    action, place, outcome = (
        column.tolist() for column in (settled.action, settled.infoset, settled.outcome)
    )
    zero: tuple[Fraction | int, ...] = (0,) * len(tree.players)
    value: list[tuple[Fraction | int, ...] | None] = [None] * len(parent)
    chosen: dict[int, int] = {}  # by information set, which is a single node
    for node in range(len(parent) - 1, -1, -1):
        if mover[node] == LEAF:
            value[node] = settled.payoffs[outcome[node]]
        found, above = value[node], parent[node]
        if found is None or above < 0:
            continue
        so_far = value[above]
        if mover[above] == CHANCE:
            weight = settled.lotteries[place[above]].probabilities[action[node]]
            value[above] = tuple(
                total + weight * amount for total, amount in zip(so_far or zero, found, strict=True)
            )
        elif so_far is None or found[mover[above]] >= so_far[mover[above]]:
            # Nodes are visited from last to first: of equally good actions the first remains.
            value[above], chosen[place[above]] = found, action[node]
    strategies = tuple(
        Pure(
            tree,
            player,
            tuple((own, chosen[own]) for own in tree.choices[number].infosets.tolist()),
        )
        for number, player in enumerate(tree.names)
    )
    return Found(strategies, {"nodes": len(parent)})
