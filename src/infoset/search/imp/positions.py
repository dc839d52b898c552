"""Games as weighted sets of positions: partial information sets, and losses at leaves.

The search works with *losses*. If the first player can get at most U, a leaf of probability p with
payoff x loses p (U − x), which is never negative; a set of positions loses the sum over its leaves.
The first player minimizes its loss. So the rest of a sum is bounded below by 0, and whether a set
can still get more than P is decided by comparing its loss so far: one comparison for a leaf, and no
probabilities. Where no U is known, losses are measured from 0.

Information sets are numbered. A *partial information set* (the paper's PI-set) is such a number
with the members that the search has reached.

There are two representations: :class:`PositionGame` for positions of any game, with losses as
Fractions, and :class:`TreeGame` for the nodes of a tree, with losses as integers over one
denominator.
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
from infoset.search.limits import evaluated_within, not_constant, within
from infoset.search.settings import Bounds, ImpSettings
from infoset.text import brief, text
from infoset.tree import Node, Tree
from infoset.tree.knowledge import known
from infoset.tree.positions import TreePosition
from infoset.tree.source import Source

Loss = Any  # an int over the game's unit, a Fraction; or an infinity, in comparisons only
PartialSets = dict[int, list[Any]]  # by information set: its members reached

INFINITE = math.inf

# The value of positions at the horizon: the worst, the best, or that of an evaluator.
WORST, BEST, EVALUATED = "worst", "best", "evaluated"


class SearchedGame(Protocol):
    """A game as weighted sets of positions."""

    bounded_above: bool  # is there an upper bound of payoffs, so that no loss is negative?
    bounded_below: bool  # and a lower bound?
    owner: list[int]  # [set] who moves there: 0, the first player, or 1
    width: list[int]  # [set] its number of alternatives
    interval: int  # mixed sets between two checks of the time
    longest: int  # moves that a play may have
    unknown: str  # the value of positions at the horizon
    chances: int  # chance positions passed
    examined: int  # leaves, and positions at the horizon
    horizon: int  # positions at the horizon
    cutoffs: int  # times that the rest of a set was cut off

    def restart(self) -> None:
        """Set all counts to 0."""

    def start_members(self) -> list[Any]:
        """The start of the game, before any move."""

    def advance(
        self, members: list[Any], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, PartialSets | None]:
        """Make a move (-1: none), pass through chance, and examine the leaves.

        Returns their loss, and the partial information sets that remain; None once the total is
        known to be ``high`` or more, or ``low`` or less, where the loss says on which side.
        """

    def largest_loss(self, members: list[Any]) -> Loss:
        """The largest possible loss of the members; only with both bounds."""

    def value_of(self, loss: Loss) -> Fraction:
        """The first player's payoff for a loss at the start."""

    def has(self, position: Any) -> bool:
        """Does the position belong to the game?"""

    def place(self, position: Any, mover: str) -> int | None:
        """The number of a mover's information set at a position, if it was reached."""

    def describe(self, number: int) -> tuple[str, str]:
        """The mover at an information set, and its knowledge, as text."""


# A position, the choices made so far in a simultaneous move, its probability.
Member = tuple[Position, tuple[Hashable, ...], Fraction]

LONGEST = 3_000  # moves of a play


class PositionGame:
    """Positions, grouped by the mover, its knowledge and its options.

    Simultaneous moves are chosen one after the other, unobserved: the views of all movers are those
    of the position before.
    """

    def __init__(self, source: Source, bounds: Bounds, settings: ImpSettings) -> None:
        """With bounds of the first player's payoff, None where not known."""
        self.source = source
        self.bounds = bounds
        self.method = settings.method
        self.evaluator = evaluator = settings.evaluator
        low, high = bounds
        self.bounded_above = high is not None
        self.bounded_below = high is not None and low is not None
        self.high = high or Fraction(0)
        self.span = Fraction(0) if low is None else self.high - low
        self.owner: list[int] = []
        self.width: list[int] = []
        self.interval = 16
        self.longest = LONGEST
        self.unknown = EVALUATED if evaluator else WORST
        self.total: Fraction | None = None  # the sum of both players' payoffs
        self._numbers: dict[tuple[str, Hashable, tuple[Hashable, ...]], int] = {}
        self._keys: list[tuple[str, Hashable, tuple[Hashable, ...]]] = []
        self.restart()

    def restart(self) -> None:
        """Set all counts to 0."""
        self.chances = self.examined = self.horizon = self.cutoffs = 0

    def start_members(self) -> list[Member]:
        """The start of the game."""
        return [(self.source.start, (), Fraction(1))]

    def advance(
        self, members: list[Member], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, PartialSets | None]:
        """Make a move, pass through chance, and examine the leaves; see :class:`SearchedGame`."""
        ceiling = high if self.bounded_above else INFINITE
        windowed = self.bounded_below and low != -INFINITE
        largest_loss = self.largest_loss(members) if windowed else Fraction(0)
        partial: PartialSets = {}
        loss = Fraction(0)
        pending = [(member, alternative) for member in members]
        for at, (member, move) in enumerate(pending):  # the list grows during the loop
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
                partial.setdefault(self._number(position, len(made)), []).append(member)
                continue
            else:
                lost = self._loss_at_horizon(position, weight)
            self.examined += 1
            loss += lost
            if windowed:
                largest_loss += lost - weight * self.span
            if loss >= ceiling or (windowed and largest_loss <= low):
                self.cutoffs += bool(partial) or at + 1 < len(pending)
                return (loss if loss >= ceiling else largest_loss), None
        return loss, partial

    def _number(self, position: Position, turn: int) -> int:
        """The number of the information set of the mover of this turn."""
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
        """The first player's payoff at the end of the game."""
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

    def _loss_at_horizon(self, position: Position, weight: Fraction) -> Fraction:
        """The loss of a position at the horizon."""
        self.horizon += 1
        if self.unknown == BEST:
            return Fraction(0)
        if self.unknown == WORST or self.evaluator is None:
            return weight * self.span
        said = evaluated_within(self.bounds, self.evaluator, position, self.source.name)
        return weight * (self.high - said)

    def largest_loss(self, members: list[Member]) -> Fraction:
        """The largest possible loss of the members."""
        return self.span * sum(weight for _, _, weight in members)

    def value_of(self, loss: Loss) -> Fraction:
        """The first player's payoff for a loss at the start."""
        return self.high - Fraction(loss)

    def has(self, position: Any) -> bool:
        """Does the position belong to the game, as far as can be told?

        Positions of rules know their game. An engine may have several kinds of positions, and at
        least their movers must be players of the game.
        """
        start: Any = self.source.start
        if isinstance(start, ReplayPosition) or isinstance(position, ReplayPosition | TreePosition):
            return type(position) is type(start) and position.game == start.game
        movers = getattr(position, "movers", None)
        return isinstance(movers, tuple) and all(
            mover in self.source.seats.player_number for mover in movers
        )

    def place(self, position: Position, mover: str) -> int | None:
        """The mover's information set, if it was reached."""
        key = (mover, position.view(mover), tuple(position.options(mover)))
        return self._numbers.get(key)

    def describe(self, number: int) -> tuple[str, str]:
        """The mover at an information set, and its knowledge, as text."""
        mover, view, _ = self._keys[number]
        if not isinstance(self.source.start, ReplayPosition):
            return mover, brief(text(view))
        steps: Any = view
        return mover, brief(known(steps))


def _moved(member: Member, alternative: int) -> Member:
    """The member after an alternative; -1: unchanged."""
    if alternative < 0:
        return member
    position, made, weight = member
    movers = position.movers
    made += (position.options(movers[len(made)])[alternative],)
    if len(made) < len(movers):
        return position, made, weight
    return position.after(made if len(made) > 1 else made[0]), (), weight


_LEAF, _CHANCE = -1, -2  # in the column `where`, which otherwise has the information set


class TreeGame:
    """The nodes of a tree."""

    def __init__(
        self, tree: Tree, bounds: Bounds, evaluator: Callable[[Position], Any] | None = None
    ) -> None:
        """With bounds of the first player's payoff, None where not known."""
        self.tree = tree
        self.bounds = bounds
        self.evaluator = evaluator
        low, high = bounds
        self.bounded_above = high is not None
        self.bounded_below = high is not None and low is not None
        self.owner: list[int] = tree.infoset_player.tolist()
        self.width: list[int] = tree.menu_sizes.tolist()
        self.interval = 512
        self.longest = len(tree.levels)
        self.unknown = EVALUATED if evaluator else WORST
        self._check_bounds()
        self._take_columns(high or Fraction(0), low)
        self.restart()

    def _check_bounds(self) -> None:
        """Refuse bounds that a payoff exceeds."""
        tree, leaf_payoffs = self.tree, self.tree.leaf_payoffs[0]
        for end in (
            int(np.argmin(leaf_payoffs.numerators)),
            int(np.argmax(leaf_payoffs.numerators)),
        ):
            where = f"after {Node(tree, int(tree.leaf_indices[end]))}"
            within(self.bounds, leaf_payoffs[end], tree.name, tree.names[0], where)

    def _take_columns(self, high: Fraction, low: Fraction | None) -> None:
        """The tree's columns as lists, and the loss of every leaf."""
        tree = self.tree
        start, below = tree.children
        where = np.where(tree.player == LEAF, _LEAF, tree.infoset)
        self.where: list[int] = np.where(tree.player == CHANCE, _CHANCE, where).tolist()
        self.first: list[int] = start.tolist()
        self.below: list[int] = below.tolist()
        span = Fraction(0) if low is None else high - low
        leaf_payoffs, chance = tree.leaf_payoffs[0], tree.chance_reach
        under = lcm(leaf_payoffs.denominator, high.denominator, span.denominator)
        scale = Numbers(fitted([under // leaf_payoffs.denominator]))
        paid = Numbers(leaf_payoffs.numerators).times(scale).numerators
        lost = fitted([int(high * under)]) - paid  # both below 2^62 if they have 64 bits
        lost = multiplied(chance.numerators[tree.leaf_indices], lost)
        prices = np.zeros(len(tree), lost.dtype)
        prices[tree.leaf_indices] = lost
        self.price: list[int] = prices.tolist()
        self.weights: list[int] = chance.numerators.tolist()
        self.span = int(span * under)  # the largest loss of a node of weight 1
        self.under = under
        self.high = high
        self.unit = chance.denominator * under

    def restart(self) -> None:
        """Set all counts to 0."""
        self.chances = self.examined = self.horizon = self.cutoffs = 0

    def start_members(self) -> list[int]:
        """The root."""
        return [0]

    def advance(
        self, members: list[int], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, PartialSets | None]:
        """Make a move, pass through chance, and examine the leaves; see :class:`SearchedGame`."""
        where, first, below, price = self.where, self.first, self.below, self.price
        if alternative < 0:
            pending = list(members)
        else:
            pending = [below[first[node] + alternative] for node in members]
        ceiling = high if self.bounded_above else INFINITE
        windowed = self.bounded_below and low != -INFINITE
        largest_loss = self.largest_loss(members) if windowed else 0
        partial: PartialSets = {}
        loss: Loss = 0
        examined = 0
        for node in pending:  # the list grows during the loop
            at = where[node]
            if at == _LEAF:
                lost = price[node]
            elif at == _CHANCE:
                self.chances += 1
                pending += below[first[node] : first[node + 1]]
                continue
            elif depth:
                if at in partial:
                    partial[at].append(node)
                else:
                    partial[at] = [node]
                continue
            else:
                lost = self._loss_at_horizon(node)
            examined += 1
            loss += lost
            if windowed:
                largest_loss += lost - self.weights[node] * self.span
            if loss >= ceiling or (windowed and largest_loss <= low):
                self.examined += examined
                self.cutoffs += bool(partial) or node != pending[-1]
                return (loss if loss >= ceiling else largest_loss), None
        self.examined += examined
        return loss, partial

    def _loss_at_horizon(self, node: int) -> Loss:
        """The loss of a node at the horizon."""
        self.horizon += 1
        if self.unknown == BEST:
            return 0
        if self.unknown == WORST or self.evaluator is None:
            return self.weights[node] * self.span
        position = TreePosition(self.tree, node)
        said = evaluated_within(self.bounds, self.evaluator, position, self.tree.name)
        lost = (self.high - said) * self.under * self.weights[node]
        return lost.numerator if lost.denominator == 1 else lost

    def largest_loss(self, members: list[int]) -> int:
        """The largest possible loss of the members."""
        weights = self.weights
        return self.span * sum([weights[node] for node in members])

    def value_of(self, loss: Loss) -> Fraction:
        """The first player's payoff for a loss at the start."""
        return self.high - Fraction(loss) / self.unit

    def has(self, position: Any) -> bool:
        """Is this a node of the tree?"""
        return type(position) is TreePosition and position.tree is self.tree

    def place(self, position: Any, mover: str) -> int | None:
        """The mover's information set."""
        del mover  # a node has a single mover
        return int(self.tree.infoset[position.node])

    def describe(self, number: int) -> tuple[str, str]:
        """The mover at an information set, and its knowledge, as text."""
        infoset = self.tree.infosets[number]
        return infoset.player, infoset.label or f"#{number + 1}"
