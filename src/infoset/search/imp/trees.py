"""A tree as ground: positions are numbers, losses are whole numbers over one denominator."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from infoset.linear.numbers import Numbers, fitted, multiplied
from infoset.rules import Position
from infoset.rules.columns import CHANCE, LEAF
from infoset.search.imp.bounds import Bounds, evaluated_within, within
from infoset.search.imp.ground import BEST, EVALUATED, INFINITE, WORST, Loss, Shares
from infoset.tree import Node, Tree
from infoset.tree.walking import TreePosition

_LEAF, _CHANCE = -1, -2  # in the column `where`, which else has the information set


class TreeGround:
    """The nodes of a tree."""

    def __init__(
        self, tree: Tree, bounds: Bounds, evaluator: Callable[[Position], Any] | None = None
    ) -> None:
        """With the least and the most that the first player may get, None where not known."""
        self.tree = tree
        self.bounds = bounds
        self.evaluator = evaluator
        low, high = bounds
        self.capped = high is not None
        self.floored = high is not None and low is not None
        self.owner: list[int] = tree.infoset_player.tolist()
        self.width: list[int] = tree.menu_sizes.tolist()
        self.pause = 512
        self.longest = len(tree.levels)
        self.unknown = EVALUATED if evaluator else WORST
        self._check_bounds()
        self._take_columns(high or Fraction(0), low)
        self.restart()

    def _check_bounds(self) -> None:
        """No payoff may lie beyond what is said to bound it."""
        tree, stakes = self.tree, self.tree.stakes[0]
        for end in (int(np.argmin(stakes.numerators)), int(np.argmax(stakes.numerators))):
            where = f"after {Node(tree, int(tree.ends[end]))}"
            within(self.bounds, stakes[end], tree.name, tree.names[0], where)

    def _take_columns(self, high: Fraction, low: Fraction | None) -> None:
        """The tree's columns as lists, and what every leaf loses."""
        tree = self.tree
        start, below = tree.children
        where = np.where(tree.player == LEAF, _LEAF, tree.infoset)
        self.where: list[int] = np.where(tree.player == CHANCE, _CHANCE, where).tolist()
        self.first: list[int] = start.tolist()
        self.below: list[int] = below.tolist()
        span = Fraction(0) if low is None else high - low
        stakes, nature = tree.stakes[0], tree.nature
        under = lcm(stakes.denominator, high.denominator, span.denominator)
        scale = Numbers(fitted([under // stakes.denominator]))
        paid = Numbers(stakes.numerators).times(scale).numerators
        lost = fitted([int(high * under)]) - paid  # both below 2^62 if they are of 64 bits
        lost = multiplied(nature.numerators[tree.ends], lost)
        prices = np.zeros(len(tree), lost.dtype)
        prices[tree.ends] = lost
        self.price: list[int] = prices.tolist()
        self.weights: list[int] = nature.numerators.tolist()
        self.span = int(span * under)  # the most that a node of weight 1 can lose
        self.under = under
        self.high = high
        self.unit = nature.denominator * under

    def restart(self) -> None:
        """Count from 0."""
        self.chances = self.examined = self.horizon = self.cutoffs = 0

    def begin(self) -> list[int]:
        """The root."""
        return [0]

    def spread(
        self, members: list[int], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, Shares | None]:
        """Move, go on through chance, and examine the leaves; see :class:`Ground`."""
        where, first, below, price = self.where, self.first, self.below, self.price
        if alternative < 0:
            pending = list(members)
        else:
            pending = [below[first[node] + alternative] for node in members]
        ceiling = high if self.capped else INFINITE
        watched = self.floored and low != -INFINITE
        room = self.room(members) if watched else 0
        shares: Shares = {}
        loss: Loss = 0
        examined = 0
        for node in pending:  # which grows while it is read
            at = where[node]
            if at == _LEAF:
                lost = price[node]
            elif at == _CHANCE:
                self.chances += 1
                pending += below[first[node] : first[node + 1]]
                continue
            elif depth:
                if at in shares:
                    shares[at].append(node)
                else:
                    shares[at] = [node]
                continue
            else:
                lost = self._beyond(node)
            examined += 1
            loss += lost
            if watched:
                room += lost - self.weights[node] * self.span
            if loss >= ceiling or (watched and room <= low):
                self.examined += examined
                self.cutoffs += bool(shares) or node != pending[-1]
                return (loss if loss >= ceiling else room), None
        self.examined += examined
        return loss, shares

    def _beyond(self, node: int) -> Loss:
        """What is lost at a node at which the look ahead ends."""
        self.horizon += 1
        if self.unknown == BEST:
            return 0
        if self.unknown == WORST or self.evaluator is None:
            return self.weights[node] * self.span
        position = TreePosition(self.tree, node)
        said = evaluated_within(self.bounds, self.evaluator, position, self.tree.name)
        lost = (self.high - said) * self.under * self.weights[node]
        return lost.numerator if lost.denominator == 1 else lost

    def room(self, members: list[int]) -> int:
        """The most that the members can lose."""
        weights = self.weights
        return self.span * sum([weights[node] for node in members])

    def worth(self, loss: Loss) -> Fraction:
        """What the first player gets if it loses so much, from the start."""
        return self.high - Fraction(loss) / self.unit

    def has(self, position: Any) -> bool:
        """Is this a node of the tree, where one player moves at a time?"""
        return type(position) is TreePosition and position.tree is self.tree

    def place(self, position: Any, mover: str) -> int | None:
        """The mover's information set."""
        del mover  # in a tree one moves at a time
        return int(self.tree.infoset[position.node])

    def told(self, number: int) -> tuple[str, str]:
        """Who moves at an information set, and what it knows."""
        infoset = self.tree.infosets[number]
        return infoset.player, infoset.label or f"#{number + 1}"
