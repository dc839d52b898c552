"""Equations for the limit of logit equilibria, solved to hundreds of digits.

Actions that are played are equally good, by the beliefs of the limit. For every information set
that is one equation for every played action but one, and as many unknowns. Newton's method, with
residuals in long arithmetic and derivatives in floats, gives a solution to hundreds of binary
digits, in which the fractions show, if it is rational. In games of three and more it need not be:
then the digits are the answer, with a regret that is as small as they are many. Where an equation
says nothing new, as many unknowns are free: they get simple fractions near the limit, so that the
answer is an equilibrium beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from infoset.linear.numbers import Array
from infoset.rules.columns import CHANCE
from infoset.solve.logit.agents import Agents, Longs
from infoset.solve.logit.beliefs import Shares, Trembles, simple
from infoset.solve.logit.limit import Limit, rounded

DIGITS = 256  # binary, that Newton's method is taken to
POINT = DIGITS + 64  # where whole numbers have their binary point
LARGEST = 1 << (DIGITS * 2 // 5)  # denominator that may show in them: its square is shorter
FREE = 1e-4  # how far from the limit an unknown that is free may be put
SINGULAR = 1e-7  # an equation that says less than this, beside the others, says nothing new
ROUNDS = 60
CHOICES = 6  # of an unknown that is given a fraction, where there is a choice


class Indifference:
    """The equations of all sets at which several actions are played, and their solution."""

    def __init__(self, limit: Limit, over: Callable[[], bool]) -> None:
        self.agents = agents = limit.agents
        self.over = over
        self.trembles, self.odds = limit.trembles, _whole_odds(limit.trembles)
        self.chances, self.paid = _chances(agents), _paid(agents)
        self.shares = rounded(limit, 1e-3 * limit.error + 1e-12)
        self.likely = np.array(
            [
                first + int(np.argmax(limit.shares[first : first + size]))
                for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True)
            ],
            np.int64,
        )
        self.vague = max(SINGULAR, 10.0 * limit.error)
        inside = limit.played.copy()
        inside[self.likely] = False
        self.unknown = np.flatnonzero(inside)
        beside = self.likely[agents.owner[self.unknown]]
        rows = limit.point.worth.derivative
        rows = rows[self.unknown] - rows[beside]
        values = np.exp(limit.point.x)
        self.matrix = (
            rows[:, self.unknown] / values[self.unknown] - rows[:, beside] / values[beside]
        )

    def residual(self) -> list[Fraction]:
        """[unknown] by how much its action is better than the likeliest one of its set.

        To as many digits as are wanted, in whole numbers of 2^-POINT: fractions of the true value
        would be longer by a factor of the tree's depth.
        """
        agents, tree = self.agents, self.agents.tree
        weight, value = self._passed()
        members, nodes = tree.members
        start, child = tree.children
        left = []
        for action in self.unknown.tolist():
            at = int(agents.owner[action])
            mover = int(tree.infoset_player[at])
            one, two = action - int(agents.first[at]), int(self.likely[at] - agents.first[at])
            own = nodes[members[at] : members[at + 1]].tolist()
            parts = [tau * weight[node] for tau, node in zip(self.odds[at], own, strict=True)]
            gain = Fraction(0)
            for node, part in zip(own, parts, strict=True):
                if part:
                    below = int(start[node])
                    gain += part * (
                        value[mover][child[below + one]] - value[mover][child[below + two]]
                    )
            left.append(gain / (sum(parts) << POINT) if sum(parts) else Fraction(1))
        return left

    def _passed(self) -> tuple[list[int], list[Array]]:
        """[node] its weight without trembles; [player][node] what it is worth; times 2^POINT."""
        agents, tree = self.agents, self.agents.tree
        step, counted = self._steps()
        weight = np.full(len(tree), 1 << POINT, object)
        for level in tree.levels[1:]:
            weight[level] = (weight[tree.parent[level]] * counted[level]) >> POINT
        worth = []
        for paid in self.paid:
            value = np.zeros(len(tree), object)
            value[tree.ends] = paid
            for level, (begin, families) in zip(
                reversed(tree.levels[1:]), reversed(agents.groups), strict=True
            ):
                value[families] = np.add.reduceat(value[level] * step[level], begin) >> POINT
            worth.append(value)
        return weight.tolist(), worth

    def _steps(self) -> tuple[Array, Array]:
        """[node] the probability of the move that leads there; and with trembles left out."""
        agents = self.agents
        step = self.chances.copy()
        shares = np.array([_fixed(share) for share in self.shares], object)
        led = np.flatnonzero(agents.edge >= 0)
        step[led] = shares[agents.edge[led]]
        counted = step.copy()
        trembling = led[~self.trembles.played[agents.edge[led]]]
        counted[trembling] = 1 << POINT
        counted[counted == 0] = 1 << POINT  # nature's impossible moves
        return step, counted

    def solutions(self) -> Iterator[Shares]:
        """The solution; where there are more, some of them, with one unknown after another free."""
        start = list(self.shares)
        for choice in (None, *range(min(len(self.unknown), CHOICES))):
            self.shares = list(start)
            bound, free = self._split(choice)
            if choice is not None and not len(free):
                break
            for action in self.unknown[free].tolist():
                self._put(action, simple(self.shares[action], FREE))
            if self._newton(bound):
                yield self.recognized()
            if not len(free):
                break

    def _split(self, choice: int | None) -> tuple[Longs, Longs]:
        """The unknowns that the equations bind, and those that they leave free, one if it can be.

        Equations are linear in the probabilities of one player, not in products of several: which
        unknown is given a fraction may decide whether the others have one.
        """
        from scipy.linalg import qr

        if not len(self.unknown):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        others = np.array([at for at in range(len(self.unknown)) if at != choice], np.int64)
        sizes, order = np.zeros(0), others
        if len(others):
            _, upper, pivots = qr(self.matrix[:, others], pivoting=True, mode="economic")
            sizes, order = np.abs(np.diag(upper)), others[pivots]
        whole = self.vague * float(np.abs(self.matrix).max(initial=0.0))
        rank = int((sizes > whole).sum())
        if choice is not None and rank < np.linalg.matrix_rank(self.matrix, whole):
            return order, order[:0]  # this one is bound by the equations
        free = order[rank:] if choice is None else np.append(order[rank:], choice)
        return order[:rank], free

    def _newton(self, bound: Longs) -> bool:
        """Solve for the unknowns that are bound; whether that came to an end."""
        from scipy.linalg import lstsq

        if not len(self.unknown):
            return True
        last = None
        for _ in range(ROUNDS):
            left = self.residual()
            size = max(map(abs, left))
            if size.numerator << DIGITS <= size.denominator:
                return True
            if not len(bound) or self.over() or (last is not None and size * 2 > last):
                return False
            last = size
            # As floats, whatever their size: the scale is taken out, and put back exactly.
            scaled = np.array([float(value / size) for value in left])
            step = lstsq(self.matrix[:, bound], -scaled, cond=self.vague)[0]
            for at, amount in zip(bound.tolist(), step.tolist(), strict=True):
                action = int(self.unknown[at])
                moved = self.shares[action] + Fraction(amount) * size
                self._put(action, _binary(moved))
        return False

    def _put(self, action: int, share: Fraction) -> None:
        at = int(self.agents.owner[action])
        self.shares[int(self.likely[at])] += self.shares[action] - share
        self.shares[action] = share

    def recognized(self) -> Shares:
        """The fractions that show in the digits, and the digits where none do."""
        shares = list(self.shares)
        for action in self.unknown.tolist():
            at = int(self.agents.owner[action])
            found = shares[action].limit_denominator(LARGEST)
            if abs(found - shares[action]) * (1 << (DIGITS - 24)) < 1:
                shares[int(self.likely[at])] += shares[action] - found
                shares[action] = found
        return shares


def _fixed(number: Fraction | int) -> int:
    return round(number * (1 << POINT))


def _binary(number: Fraction) -> Fraction:
    return Fraction(_fixed(number), 1 << POINT)


def _whole_odds(trembles: Trembles) -> list[list[int]]:
    """[infoset][node] τ times 2^POINT, or all of them whole where they are 0 and 1."""
    return [
        [int(tau) if whole else _fixed(tau) for tau in row]
        for row in trembles.odds(1.0)
        for whole in (all(tau.denominator == 1 for tau in row),)
    ]


def _paid(agents: Agents) -> list[Array]:
    """[player] what it gets at each of the ends, over the payoffs' span, times 2^POINT."""
    return [
        (stake.numerators.astype(object) * (span.denominator << POINT))
        // (stake.denominator * span.numerator)
        for stake, span in zip(agents.tree.stakes, agents.spans, strict=True)
    ]


def _chances(agents: Agents) -> Array:
    """[node] the probability of nature's move that leads there, times 2^POINT; 1 elsewhere."""
    tree = agents.tree
    above = np.maximum(tree.parent, 0)
    found = np.full(len(tree), 1 << POINT, object)
    for node in np.flatnonzero((tree.player[above] == CHANCE) & (tree.parent >= 0)).tolist():
        lottery = tree.lotteries[tree.infoset[above[node]]]
        found[node] = _fixed(lottery.probabilities[tree.action[node]])
    return found
