"""Backward induction: games in which everyone always sees where the play stands.

At the last decisions of a game the best action is plain; once those are settled, so are the ones
before. One pass from the last node to the first gives every node a value for each player: that of
the best action for the one who moves, the average of the outcomes at nature's moves (Zermelo 1913;
Kuhn 1953, corollary 1). The result is an equilibrium in every subgame, in pure strategies, for any
number of players. Of actions that are equally good the first is taken. Everything is exact.
"""

from __future__ import annotations

from fractions import Fraction

from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure
from infoset.tree import Tree


def find(tree: Tree, options: Options) -> Found:
    """The subgame-perfect point."""
    del options  # one pass; there is nothing to stop or to make more exact
    settled = tree.settled
    parent, mover = settled.parent.tolist(), settled.player.tolist()
    action, place, outcome = (
        column.tolist() for column in (settled.action, settled.infoset, settled.outcome)
    )
    nobody: tuple[Fraction | int, ...] = (0,) * len(tree.players)
    value: list[tuple[Fraction | int, ...] | None] = [None] * len(parent)
    chosen: dict[int, int] = {}  # by information set, each of which is one node
    for node in range(len(parent) - 1, -1, -1):
        if mover[node] == LEAF:
            value[node] = settled.payoffs[outcome[node]]
        here, above = value[node], parent[node]
        if here is None or above < 0:
            continue
        so_far = value[above]
        if mover[above] == CHANCE:
            weight = settled.lotteries[place[above]].probabilities[action[node]]
            value[above] = tuple(
                total + weight * amount
                for total, amount in zip(so_far or nobody, here, strict=True)
            )
        elif so_far is None or here[mover[above]] >= so_far[mover[above]]:
            # Nodes come last to first, so that an equal one is an earlier action.
            value[above], chosen[place[above]] = here, action[node]
    strategies = tuple(
        Pure(
            tree,
            player,
            tuple((own, chosen[own]) for own in tree.choices[number].infosets.tolist()),
        )
        for number, player in enumerate(tree.names)
    )
    return Found(strategies, {"nodes": len(parent)})
