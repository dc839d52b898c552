"""What the search stands on: weighted positions that spread into leaves and information sets.

The search speaks of *losses*. If the first player can get at most U, then a leaf of probability p
that pays x loses p (U − x), which is never negative; a set of positions loses what its leaves lose.
The first player wants to lose little. So a bound on what the rest of a sum can bring is 0, and to
ask whether the most that can still be had is below P is to ask whether enough is lost already: one
comparison for a leaf, and no probabilities. Where no U is known, losses are counted from 0.

Information sets go by number. A *share* of one (the paper's PI-set, a partial information set) is
that number with the members that are in sight.

Positions as ground: any game is walked move by move, and losses are Fractions.

A tree as ground: positions are numbers, losses are whole numbers over one denominator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import lcm
from typing import Any, Protocol

import numpy as np

from infoset.linear.numbers import Numbers, fitted, multiplied
from infoset.objects.numbers import exact
from infoset.rules import Position, ReplayPosition
from infoset.rules.moves import CHANCE, LEAF
from infoset.search.imp.settings import Bounds, Request, evaluated_within, not_constant, within
from infoset.text import brief, text
from infoset.tree import Node, Tree
from infoset.tree.knowledge import known
from infoset.tree.positions import TreePosition
from infoset.tree.source import Source

Loss = Any  # an int over the ground's unit, a Fraction; or an infinity, in comparisons only
Shares = dict[int, list[Any]]  # by information set: its members in sight

INFINITE = math.inf

# What lies beyond the horizon: the worst, the best, or what an evaluator says.
WORST, BEST, EVALUATED = "worst", "best", "evaluated"


class Ground(Protocol):
    """A game, as sets of weighted positions."""

    capped: bool  # is it known what the first player may get at most, so that no loss is negative?
    floored: bool  # and at least?
    owner: list[int]  # [set] who moves there: 0, the first player, or 1
    width: list[int]  # [set] how many alternatives it has
    pause: int  # mixed sets between two looks at the clock
    longest: int  # moves that a play may have
    unknown: str  # what lies beyond the horizon
    chances: int  # chance positions gone through
    examined: int  # leaves, and positions at which the look ahead ended
    horizon: int  # of them the latter
    cutoffs: int  # times that examining ended early with something left

    def restart(self) -> None:
        """Count from 0."""

    def begin(self) -> list[Any]:
        """Where the game starts, as members from which no move has been made."""

    def spread(
        self, members: list[Any], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, Shares | None]:
        """Move (but not from the start, -1), go on through chance, and examine the leaves.

        What they lose, and the shares that remain; None for those once the whole is known to lose
        ``high`` or more, or ``low`` or less, in which case the loss says on which side.
        """

    def room(self, members: list[Any]) -> Loss:
        """The most that the members can lose; only where that is floored and capped."""

    def worth(self, loss: Loss) -> Fraction:
        """What the first player gets if it loses so much, from the start."""

    def has(self, position: Any) -> bool:
        """Is this a position of the game?"""

    def place(self, position: Any, mover: str) -> int | None:
        """The number of a mover's information set at a position, if it was met."""

    def told(self, number: int) -> tuple[str, str]:
        """Of an information set: who moves there, and what it knows."""


# A position, what those have chosen who move at once and come before the next, its probability.
Member = tuple[Position, tuple[Hashable, ...], Fraction]

LONGEST = 3_000  # moves of a play


class PositionGround:
    """Positions, gathered by who moves, what it knows and what it may choose.

    Those who move at once choose one after the other, none seeing what was chosen: their views
    are those of the position before.
    """

    def __init__(self, source: Source, bounds: Bounds, request: Request) -> None:
        """With the least and the most that the first player may get, None where not known."""
        self.source = source
        self.bounds = bounds
        self.method = request.method
        self.evaluator = evaluator = request.evaluator
        low, high = bounds
        self.capped = high is not None
        self.floored = high is not None and low is not None
        self.high = high or Fraction(0)
        self.span = Fraction(0) if low is None else self.high - low
        self.owner: list[int] = []
        self.width: list[int] = []
        self.pause = 16
        self.longest = LONGEST
        self.unknown = EVALUATED if evaluator else WORST
        self.total: Fraction | None = None  # what both players get together
        self._numbers: dict[tuple[str, Hashable, tuple[Hashable, ...]], int] = {}
        self._keys: list[tuple[str, Hashable, tuple[Hashable, ...]]] = []
        self.restart()

    def restart(self) -> None:
        """Count from 0."""
        self.chances = self.examined = self.horizon = self.cutoffs = 0

    def begin(self) -> list[Member]:
        """The start of the game."""
        return [(self.source.start, (), Fraction(1))]

    def spread(
        self, members: list[Member], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, Shares | None]:
        """Move, go on through chance, and examine the leaves; see :class:`Ground`."""
        ceiling = high if self.capped else INFINITE
        watched = self.floored and low != -INFINITE
        room = self.room(members) if watched else Fraction(0)
        probabilities: Shares = {}
        loss = Fraction(0)
        pending = [(member, alternative) for member in members]
        for at, (member, move) in enumerate(pending):  # which grows while it is read
            position, made, weight = member = _moved(member, move)
            if position.over:
                lost = weight * (self.high - self._paid(position))
            elif not position.movers:
                self.chances += 1
                pending += [
                    ((position.after(outcome), (), weight * exact(chance)), -1)
                    for outcome, chance in position.chances()
                ]
                continue
            elif depth or made:
                probabilities.setdefault(self._number(position, len(made)), []).append(member)
                continue
            else:
                lost = self._beyond(position, weight)
            self.examined += 1
            loss += lost
            if watched:
                room += lost - weight * self.span
            if loss >= ceiling or (watched and room <= low):
                self.cutoffs += bool(probabilities) or at + 1 < len(pending)
                return (loss if loss >= ceiling else room), None
        return loss, probabilities

    def _number(self, position: Position, turn: int) -> int:
        """The number of the information set of the one who moves in this turn."""
        mover = position.movers[turn]
        menu = tuple(position.options(mover))
        key = (mover, position.view(mover), menu)
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
            self.owner.append(self.source.seats.player(mover))
            self.width.append(len(menu))
        return number

    def _paid(self, position: Position) -> Fraction:
        """What the first player gets where the game is over."""
        players, payoffs = self.source.seats.players, position.payoffs
        amount = exact(payoffs[players[0]])
        if len(players) == 2:
            both = amount + exact(payoffs[players[1]])
            if self.total is None:
                self.total = both
            elif both != self.total:
                sums = f"payoffs sum to {self.total} and, at {position!r:.100}, to {both}"
                raise not_constant(self.source.name, self.method, sums)
        return within(self.bounds, amount, self.source.name, players[0], f"at {position!r:.100}")

    def _beyond(self, position: Position, weight: Fraction) -> Fraction:
        """What is lost at a position at which the look ahead ends."""
        self.horizon += 1
        if self.unknown == BEST:
            return Fraction(0)
        if self.unknown == WORST or self.evaluator is None:
            return weight * self.span
        said = evaluated_within(self.bounds, self.evaluator, position, self.source.name)
        return weight * (self.high - said)

    def room(self, members: list[Member]) -> Fraction:
        """The most that the members can lose."""
        return self.span * sum(weight for _, _, weight in members)

    def worth(self, loss: Loss) -> Fraction:
        """What the first player gets if it loses so much, from the start."""
        return self.high - Fraction(loss)

    def has(self, position: Any) -> bool:
        """Is this a position of the game, as far as it tells?

        One of rules knows its game. An engine may have several kinds of positions, and at least
        those who move there play this game.
        """
        start: Any = self.source.start
        if isinstance(start, ReplayPosition) or isinstance(position, ReplayPosition | TreePosition):
            return type(position) is type(start) and position.game == start.game
        movers = getattr(position, "movers", None)
        return isinstance(movers, tuple) and all(
            mover in self.source.seats.player_number for mover in movers
        )

    def place(self, position: Position, mover: str) -> int | None:
        """The mover's information set, if it was met."""
        key = (mover, position.view(mover), tuple(position.options(mover)))
        return self._numbers.get(key)

    def told(self, number: int) -> tuple[str, str]:
        """Who moves at an information set, and what it knows."""
        mover, view, _ = self._keys[number]
        if not isinstance(self.source.start, ReplayPosition):
            return mover, brief(text(view))
        steps: Any = view
        return mover, brief(known(steps))


def _moved(member: Member, alternative: int) -> Member:
    """After the next choice; -1: none is made."""
    if alternative < 0:
        return member
    position, made, weight = member
    movers = position.movers
    made += (position.options(movers[len(made)])[alternative],)
    if len(made) < len(movers):
        return position, made, weight
    return position.after(made if len(made) > 1 else made[0]), (), weight


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
        tree, leaf_payoffs = self.tree, self.tree.leaf_payoffs[0]
        for end in (
            int(np.argmin(leaf_payoffs.numerators)),
            int(np.argmax(leaf_payoffs.numerators)),
        ):
            where = f"after {Node(tree, int(tree.leaf_indices[end]))}"
            within(self.bounds, leaf_payoffs[end], tree.name, tree.names[0], where)

    def _take_columns(self, high: Fraction, low: Fraction | None) -> None:
        """The tree's columns as lists, and what every leaf loses."""
        tree = self.tree
        start, below = tree.children
        where = np.where(tree.player == LEAF, _LEAF, tree.infoset)
        self.where: list[int] = np.where(tree.player == CHANCE, _CHANCE, where).tolist()
        self.first: list[int] = start.tolist()
        self.below: list[int] = below.tolist()
        span = Fraction(0) if low is None else high - low
        leaf_payoffs, nature = tree.leaf_payoffs[0], tree.nature
        under = lcm(leaf_payoffs.denominator, high.denominator, span.denominator)
        scale = Numbers(fitted([under // leaf_payoffs.denominator]))
        paid = Numbers(leaf_payoffs.numerators).times(scale).numerators
        lost = fitted([int(high * under)]) - paid  # both below 2^62 if they are of 64 bits
        lost = multiplied(nature.numerators[tree.leaf_indices], lost)
        prices = np.zeros(len(tree), lost.dtype)
        prices[tree.leaf_indices] = lost
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
        probabilities: Shares = {}
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
                if at in probabilities:
                    probabilities[at].append(node)
                else:
                    probabilities[at] = [node]
                continue
            else:
                lost = self._beyond(node)
            examined += 1
            loss += lost
            if watched:
                room += lost - self.weights[node] * self.span
            if loss >= ceiling or (watched and room <= low):
                self.examined += examined
                self.cutoffs += bool(probabilities) or node != pending[-1]
                return (loss if loss >= ceiling else room), None
        self.examined += examined
        return loss, probabilities

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
