"""A game seen from its information sets: every set an agent, who cares for its player's payoff.

In an equilibrium in behaviour strategies no set can gain by itself. With ``reach`` the probability
of a node and V its value to the player who moves, the slope of a choice c,

    slope(c) = Σ reach(x) · V(after c at x)      over the nodes x of its set,

is the derivative of the player's payoff by the probability of c, and that is so even if a play
comes to the set twice. Where all actions in use at every set have the largest slope of their set,
the profile is *level*: a candidate for an equilibrium, and the only kind of candidate there is.

*Supports.* Small games have few ways to choose which actions are in use. For each way, Newton's
method looks for a profile at which these are equally steep
(:mod:`infoset.solve.forgetting.levelling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, product
from math import prod

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Array
from infoset.rules.columns import CHANCE
from infoset.strategy.behaviour import Behaviour, unchecked
from infoset.tree import Tree

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Support = list[tuple[int, ...]]  # [set] the choices in use

TINY = 1e-30  # the imaginary part that carries a derivative
ROOM = 2_000_000  # complex numbers at once


@dataclass(frozen=True, eq=False)
class Agents:
    """All choices of all players in a row, and what the tree makes of their probabilities."""

    tree: Tree

    @cached_property
    def begin(self) -> list[int]:
        """[player] where its choices begin; the last entry is how many there are."""
        sizes = [int(choices.sizes.sum()) for choices in self.tree.choices]
        return [0, *np.cumsum(sizes).tolist()]

    @cached_property
    def sets(self) -> list[range]:
        """[set, player by player] its choices."""
        return [
            range(start + first - 1, start + first - 1 + size)
            for choices, start in zip(self.tree.choices, self.begin, strict=False)
            for first, size in zip(choices.first.tolist(), choices.sizes.tolist(), strict=True)
        ]

    @cached_property
    def owner(self) -> Longs:
        """[choice] whose it is."""
        return np.repeat(np.arange(len(self.tree.players)), np.diff(self.begin))

    @cached_property
    def leads(self) -> Longs:
        """[node] the choice that leads there; -1 at the root and after chance."""
        tree = self.tree
        above = np.maximum(tree.parent, 0)
        found = np.full(len(tree), -1, np.int64)
        for number, choices in enumerate(tree.choices):
            mine = np.flatnonzero((tree.player[above] == number) & (tree.parent >= 0))
            own = np.searchsorted(choices.infosets, tree.infoset[above[mine]])
            found[mine] = self.begin[number] + choices.first[own] - 1 + tree.action[mine]
        return found

    @cached_property
    def chances(self) -> Array:
        """[node] the probability of nature's move that leads there; 1 elsewhere."""
        tree = self.tree
        found = np.full(len(tree), Fraction(1), object)
        parent, action = tree.parent.tolist(), tree.action.tolist()
        for node in range(1, len(tree)):
            above = parent[node]
            if tree.player[above] == CHANCE:
                lottery = tree.lotteries[int(tree.infoset[above])]
                found[node] = Fraction(lottery.probabilities[action[node]])
        return found

    @cached_property
    def float_chances(self) -> Floats:
        """The same in floats."""
        return self.chances.astype(np.float64)

    @cached_property
    def scale(self) -> Fraction:
        """The largest payoff; floats work in units of it."""
        return max(
            (abs(Fraction(value)) for stake in self.tree.stakes for value in stake.values()),
            default=Fraction(0),
        ) or Fraction(1)

    @cached_property
    def paid(self) -> Array:
        """[end, player] payoffs in units of the largest."""
        return np.array(
            [[value / self.scale for value in stake.values()] for stake in self.tree.stakes], object
        ).T

    @cached_property
    def float_paid(self) -> Floats:
        """The same in floats."""
        return self.paid.astype(np.float64)

    # ------------------------------------------------------------------ one pass

    def passed(self, shares: Array) -> tuple[Array, Array]:
        """[choice] its slope, and how often its set is come to.

        Fractions give Fractions, floats give floats, complex numbers carry derivatives. Shares may
        have a second axis, for several profiles at once; then so has what is given back.
        """
        tree, leads = self.tree, self.leads
        many = shares if shares.ndim == 2 else shares[:, None]
        exact = shares.dtype == object
        one = np.full((1, many.shape[1]), Fraction(1) if exact else 1.0, many.dtype)
        step = (self.chances if exact else self.float_chances).astype(many.dtype)[:, None] * one
        chosen = np.flatnonzero(leads >= 0)
        step[chosen] = many[leads[chosen]]
        reach = np.repeat(one, len(tree), axis=0)
        value = np.zeros((len(tree), len(tree.players), many.shape[1]), many.dtype)
        value[tree.ends] = (self.paid if exact else self.float_paid)[:, :, None]
        for level in tree.levels[1:]:
            reach[level] = reach[tree.parent[level]] * step[level]
        for level, starts in zip(reversed(tree.levels[1:]), reversed(self.families), strict=True):
            value[tree.parent[level[starts]]] = np.add.reduceat(
                step[level, None] * value[level], starts, axis=0
            )
        order, starts = self.by_choice
        above = reach[tree.parent[order]]
        slopes, comes = np.zeros((2, *many.shape), many.dtype)
        if len(order):
            here = leads[order[starts]]
            worth = above * value[order, self.owner[leads[order]]]
            slopes[here] = np.add.reduceat(worth, starts, axis=0)
            comes[here] = np.add.reduceat(above, starts, axis=0)
        return (slopes, comes) if shares.ndim == 2 else (slopes[:, 0], comes[:, 0])

    def payoffs(self, shares: Floats) -> Floats:
        """[player, profile] what is expected, in floats and units of the largest payoff.

        Profiles are columns of shares.
        """
        tree, leads = self.tree, self.leads
        step = np.repeat(self.float_chances[:, None], shares.shape[1], axis=1)
        chosen = np.flatnonzero(leads >= 0)
        step[chosen] = shares[leads[chosen]]
        for level in tree.levels[1:]:
            step[level] *= step[tree.parent[level]]
        return np.asarray(self.float_paid.T @ step[tree.ends], np.float64)

    def gained(self, shares: Floats, responses: list[tuple[int, Array]]) -> float:
        """The most that any player gains by one of these responses, in the same units."""
        many = np.repeat(shares[:, None], len(responses) + 1, axis=1)
        for at, (number, response) in enumerate(responses):
            many[slice(*self.begin[number : number + 2]), at] = response
        paid = self.payoffs(many)
        gains = [paid[number, at] - paid[number, -1] for at, (number, _) in enumerate(responses)]
        return float(max(gains, default=0.0))

    @cached_property
    def families(self) -> list[Longs]:
        """[level from the second on] where the children of each node begin; they lie together."""
        found = []
        for level in self.tree.levels[1:]:
            above = self.tree.parent[level]
            found.append(np.flatnonzero(np.diff(above, prepend=-1) != 0))
        return found

    @cached_property
    def by_choice(self) -> tuple[Longs, Longs]:
        """The nodes that choices lead to, choice by choice, and where each choice's begin."""
        order = np.argsort(self.leads, kind="stable")
        order = order[self.leads[order] >= 0]
        return order, np.flatnonzero(np.diff(self.leads[order], prepend=-1) != 0)

    def derivatives(self, at: Floats, of: Callable[[Array], Array], by: Longs) -> Floats:
        """[entry, place of ``by``] how a function of many points changes, by complex steps."""
        columns = []
        each = max(1, ROOM // (len(self.tree) * (len(self.tree.players) + 2)))
        for begin in range(0, len(by), each):
            part = by[begin : begin + each]
            moved = np.repeat(at[:, None], len(part), axis=1).astype(np.complex128)
            moved[part, np.arange(len(part))] += 1j * TINY
            columns.append(of(moved).imag / TINY)
        return np.concatenate(columns, axis=1) if columns else np.zeros((0, 0))

    # ------------------------------------------------------------------ to strategies and back

    def strategies(self, shares: Array) -> tuple[Behaviour, ...]:
        """Exact shares as the players' behaviour strategies."""
        return tuple(
            unchecked(
                self.tree,
                player,
                np.concatenate(
                    (np.array([Fraction(1)], object), shares[self.begin[n] : self.begin[n + 1]])
                ),
            )
            for n, player in enumerate(self.tree.names)
        )

    def joined(self, strategies: tuple[Behaviour, ...]) -> Array:
        """The players' behaviour strategies as shares in a row."""
        return np.concatenate([strategy.shares[1:] for strategy in strategies])

    def even(self) -> Floats:
        """Every action of a set with the same probability."""
        rows = [np.full(len(own), 1 / len(own)) for own in self.sets]
        return np.concatenate([np.zeros(0), *rows])

    def normal(self, shares: Floats) -> Array:
        """Floats as the fractions that they are nearest to, at each set summing to 1."""
        found = np.array([Fraction(0)] * len(shares), object)
        for own in self.sets:
            row = [
                max(Fraction(float(shares[c])).limit_denominator(10**15), Fraction(0)) for c in own
            ]
            kept = row.index(max(row))
            row[kept] = 1 - sum(row[:kept] + row[kept + 1 :], Fraction(0))
            found[own.start : own.stop] = row
        return found


def count_supports(agents: Agents) -> int:
    """How many ways there are to choose which actions are in use."""
    return prod(2 ** len(own) - 1 for own in agents.sets)


def all_supports(agents: Agents) -> Iterator[Support]:
    """[set] the choices in use, in all ways; those with few actions first at each set."""
    ways = [
        list(chain.from_iterable(combinations(own, size) for size in range(1, len(own) + 1)))
        for own in agents.sets
    ]
    for way in product(*ways):
        yield list(way)


def support_of(agents: Agents, shares: Floats, least: float) -> Support:
    """[set] the choices with at least so much probability; the likeliest one always."""
    found = []
    for own in agents.sets:
        likeliest = max(own, key=lambda c: float(shares[c]))
        found.append(tuple(c for c in own if shares[c] >= least or c == likeliest))
    return found
