"""Regret minimization as a textbook would write it: recursion on the tree, plain dictionaries.

Slow, and made from the papers alone; nothing here knows how the package lays a game out. A *choice*
is (information set, action). Iteration t takes every player through the tree once:

    v(set, action)   what the player gets after the action, weighted by chance and the others
    gain             v(set, action) minus the average of v by what is played at the set
    regret           sums of gains; then faded: times t^A / (t^A + 1) above zero, B below
    play             in proportion to regret above zero, or evenly; a predictive player adds the
                     last gain once more first
    sums             t^C times the player's own probability of the choice, as it is played from now
"""

from __future__ import annotations

from collections import defaultdict
from math import inf

import numpy as np

from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers.cfr.variants import Variant
from infoset.tree import Tree

Choice = tuple[int, int]


class Textbook:
    """One run, an iteration at a time."""

    def __init__(self, tree: Tree, variant: Variant) -> None:
        self.tree, self.variant, self.time = tree, variant, 0
        self.below: dict[int, list[int]] = defaultdict(list)
        for node, above in enumerate(tree.parent.tolist()):
            if above >= 0:
                self.below[above].append(node)
        self.sizes = {infoset.index: len(infoset.actions) for infoset in tree.infosets}
        self.owner = {number: int(who) for number, who in enumerate(tree.infoset_player)}
        self.share = {choice: 1 / self.sizes[choice[0]] for choice in self.choices()}
        self.regret = dict.fromkeys(self.share, 0.0)
        self.summed = dict.fromkeys(self.share, 0.0)
        leaf_payoffs = [np.array([float(x) for x in stake.values()]) for stake in tree.leaf_payoffs]
        self.paid = {
            end: [float(stake[at]) for stake in leaf_payoffs]
            for at, end in enumerate(tree.leaf_indices.tolist())
        }

    def choices(self) -> list[Choice]:
        return [(number, action) for number, size in self.sizes.items() for action in range(size)]

    def iterate(self) -> None:
        self.time += 1
        gains: dict[int, dict[Choice, float]] = {}
        players = range(len(self.tree.players))
        for player in players:
            gains[player] = self._gains(player)
            if self.variant.alternating:
                self._learn(player, gains[player])
        if not self.variant.alternating:
            for player in players:
                self._learn(player, gains[player])

    def values(self, player: int) -> tuple[float, dict[Choice, float]]:
        """What a player gets, and by choice what it would get there, weighted by all others."""
        found: dict[Choice, float] = defaultdict(float)

        def walk(node: int, others: float) -> float:
            who, place = int(self.tree.player[node]), int(self.tree.infoset[node])
            if who == LEAF:
                return self.paid[node][player]
            total = 0.0
            for action, after in enumerate(self.below[node]):
                if who == CHANCE:
                    part = float(self.tree.lotteries[place].probabilities[action])
                else:
                    part = self.share[place, action]
                value = walk(after, others if who == player else others * part)
                total += part * value
                if who == player:
                    found[place, action] += others * value
            return total

        return walk(0, 1.0), found

    def _gains(self, player: int) -> dict[Choice, float]:
        _, found = self.values(player)
        gains = {}
        for number in {choice[0] for choice in found}:
            own = [(number, action) for action in range(self.sizes[number])]
            average = sum(self.share[choice] * found[choice] for choice in own)
            gains |= {choice: found[choice] - average for choice in own}
        return gains

    def _learn(self, player: int, gains: dict[Choice, float]) -> None:
        row = self.variant
        keep, cut = discount_factor(self.time, row.keep), discount_factor(self.time, row.cut)
        for number in {choice[0] for choice in gains}:
            own = [(number, action) for action in range(self.sizes[number])]
            for choice in own:
                total = self.regret[choice] + gains[choice]
                self.regret[choice] = total * (keep if total > 0 else cut)
            hoped = [
                max(self.regret[choice] + (gains[choice] if row.predictive else 0.0), 0.0)
                for choice in own
            ]
            for choice, amount in zip(own, hoped, strict=True):
                self.share[choice] = amount / sum(hoped) if sum(hoped) > 0 else 1 / len(own)
        for choice, weight in self.weights(player).items():
            self.summed[choice] += self.time**row.averaging * weight

    def weights(self, player: int) -> dict[Choice, float]:
        """A player's own probability of each of its choices."""
        found: dict[Choice, float] = {}

        def walk(node: int, own: float) -> None:
            who, place = int(self.tree.player[node]), int(self.tree.infoset[node])
            for action, after in enumerate(self.below[node]):
                if who == player:
                    found[place, action] = own * self.share[place, action]
                    walk(after, found[place, action])
                else:
                    walk(after, own)

        walk(0, 1.0)
        return found

    def listed(self, numbers: dict[Choice, float], player: int) -> list[float]:
        """By choice as the tree numbers a player's; the empty one left out."""
        return [numbers[choice] for choice in self.choices() if self.owner[choice[0]] == player]


def discount_factor(time: int, exponent: float) -> float:
    if exponent == inf:
        return 1.0
    return 0.0 if exponent == -inf else time**exponent / (time**exponent + 1)
