"""What a limit of logit equilibria implies to believe, also where no play comes any more.

In the limit some actions are played and the others are not. The probability of a node is that of
nature's moves and of the played actions above it, which has a limit, times that of the unplayed
ones, its *tremble*, which vanishes. So at an information set only the nodes with the largest
tremble count, in the proportion of their trembles' limits:

    belief(n)  ~  τ(n) · nature(n) · product of the played probabilities above n.

Where the nodes of a set have the same unplayed actions above them, as in a subgame that no play
comes to, all their τ are 1, and the beliefs are exact once the probabilities are. Where they do
not, the τ are taken from the end of the branch and rounded to fractions.

Where a branch of logit equilibria leads: which actions are played in the limit, and how often.

Towards the end a probability p behaves as p* + c / λ, or falls to zero, as 1 / λ or exponentially.
Two points with precisions far apart tell which, and draw a line to λ = ∞. What is found so is known
to some digits only. It is rounded to simple fractions here; where that is no equilibrium,
:mod:`infoset.solvers.qre.limit` solves equations. Either way the result is believed only if
nobody can gain anything against it, in rational arithmetic.

Equations for the limit of logit equilibria, solved to hundreds of digits.

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
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.linear.numbers import Array
from infoset.rules.moves import CHANCE
from infoset.solvers.qre.path import Agents, Bools, Floats, Longs, Point
from infoset.strategy import Behaviour
from infoset.strategy.behaviour import unchecked

FALLING = 0.6  # by how much what goes to zero falls, at least, from one point to the other
SAME = 1e-10  # trembles whose logarithms differ by less, in parts of them, are the same

Shares = list[Fraction]  # [action]
Odds = list[list[Fraction]]  # [infoset][node] τ


class Trembles:
    """The trembles of a branch at two points, the second far beyond the first."""

    def __init__(self, before: Point, now: Point, played: Bools) -> None:
        self.agents = agents = now.worth.agents
        self.played = played
        start, nodes = agents.tree.members
        old, new = _logarithms(agents, before.x, played), _logarithms(agents, now.x, played)
        self.ratios: list[list[tuple[float, float]]] = []  # [infoset][node] then and now
        for at in range(len(start) - 1):
            own = nodes[start[at] : start[at + 1]]
            likely = now.worth.belief[own]
            kept = (likely > FALLING * before.worth.belief[own]) & (likely > 0)
            largest = own[int(np.argmax(np.where(kept, likely, -1.0)))]
            self.ratios.append(
                [
                    (_ratio(old[node], old[largest]), _ratio(new[node], new[largest]))
                    if stays
                    else (0.0, 0.0)
                    for node, stays in zip(own.tolist(), kept.tolist(), strict=True)
                ]
            )

    def odds(self, slack: float) -> Odds:
        """τ of every node, as fractions with small denominators, within so many times its error."""
        return [
            [simple(now, 1e-9 + slack * abs(now - then)) for then, now in row]
            for row in self.ratios
        ]

    def beliefs(self, probabilities: Shares, odds: Odds) -> list[list[Fraction]]:
        """[infoset][node] how likely it is to someone who is there."""
        start, nodes = self.agents.tree.members
        weight = self._weights(probabilities)
        found = []
        for at, row in enumerate(odds):
            own = nodes[start[at] : start[at + 1]].tolist()
            parts = [tau * weight[node] for tau, node in zip(row, own, strict=True)]
            total = sum(parts)
            found.append([part / total for part in parts])
        return found

    def _weights(self, probabilities: Shares) -> list[Fraction]:
        """[node] nature's and the played actions' part of its probability."""
        tree, edge = self.agents.tree, self.agents.edge.tolist()
        parent, action = tree.parent.tolist(), tree.action.tolist()
        player, place = tree.player.tolist(), tree.infoset.tolist()
        weight = [Fraction(1)] * len(parent)
        for node in range(1, len(parent)):
            above = parent[node]
            step = Fraction(1)
            if edge[node] >= 0:
                step = probabilities[edge[node]] if self.played[edge[node]] else step
            elif player[above] == CHANCE:
                step = tree.lotteries[place[above]].probabilities[action[node]] or step
            weight[node] = weight[above] * step if step != 1 else weight[above]
        return weight


def _logarithms(agents: Agents, x: Floats, played: Bools) -> Floats:
    """[node] the logarithm of its tremble."""
    tree, edge = agents.tree, agents.edge
    step = np.where((edge >= 0) & ~played[edge], x[edge], 0.0)
    total = np.zeros(len(tree))
    for level in tree.levels[1:]:
        total[level] = total[tree.parent[level]] + step[level]
    return total


def _ratio(one: float, two: float) -> float:
    """Of two numbers whose logarithms are given; 1 if they are the same but for rounding."""
    if abs(one - two) <= SAME * abs(two):
        return 1.0
    return float(np.exp(min(one - two, 50.0)))


def simple(number: float | Fraction, within: float | Fraction) -> Fraction:
    """The first convergent within a distance: a fraction with a small denominator.

    >>> simple(0.33334, 1e-4), simple(0.25, 0)
    (Fraction(1, 3), Fraction(1, 4))
    """
    exact = Fraction(number)
    over, under = exact.numerator, exact.denominator
    before, now = (0, 1), (1, 0)  # convergents of the continued fraction
    while True:
        whole, rest = divmod(over, under)
        before, now = now, (whole * now[0] + before[0], whole * now[1] + before[1])
        found = Fraction(*now)
        if abs(found - exact) <= within:
            return found
        over, under = under, rest


@dataclass(frozen=True, eq=False)
class Limit:
    """A guess at the limit: which actions are played, how often, and how sure that is."""

    agents: Agents
    point: Point  # the last one
    played: Bools  # [action]
    probabilities: Floats  # [action] sum to 1 at every set
    error: float
    trembles: Trembles


def guessed(before: Point, now: Point) -> Limit:
    """The limit that two points of a branch point to, the second far beyond the first."""
    agents = now.worth.agents
    old, new = np.exp(before.x), np.exp(now.x)
    played = new > FALLING * old
    ratio = before.precision / (now.precision - before.precision)
    ahead = np.where(played, np.clip(new + (new - old) * ratio, 0.0, 1.0), 0.0)
    total = np.add.reduceat(ahead, agents.first)
    probabilities = ahead / np.repeat(total, agents.sizes)
    error = float(np.abs(probabilities - new).max(initial=0.0))
    return Limit(agents, now, played, probabilities, error, Trembles(before, now, played))


def strategies(agents: Agents, probabilities: Shares) -> tuple[Behaviour, ...]:
    """Behaviour strategies from the shares of all actions."""
    tree = agents.tree
    made = []
    for player, choices in zip(tree.names, tree.choices, strict=True):
        own = [Fraction(1)]
        for at in choices.infosets.tolist():
            first = int(agents.first[at])
            own += probabilities[first : first + int(agents.sizes[at])]
        made.append(unchecked(tree, player, np.array(own, object)))
    return tuple(made)


def rounded(limit: Limit, within: float) -> Shares:
    """Simple fractions near the limit; at every set the likeliest action makes up the sum."""
    agents = limit.agents
    probabilities = [
        (simple(share, within) or Fraction(share)) if played else Fraction(0)
        for share, played in zip(limit.probabilities.tolist(), limit.played.tolist(), strict=True)
    ]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _made_whole(
            probabilities,
            first,
            size,
            first + int(np.argmax(limit.probabilities[first : first + size])),
        )
    return probabilities


def nearby(agents: Agents, point: Point) -> Shares:
    """The shares at a point of the branch, as binary fractions that sum to one."""
    probabilities = [Fraction(share) for share in np.exp(point.x).tolist()]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _made_whole(
            probabilities, first, size, first + int(np.argmax(point.x[first : first + size]))
        )
    return probabilities


def _made_whole(probabilities: Shares, first: int, size: int, largest: int) -> None:
    probabilities[largest] = 1 - sum(probabilities[first : first + size], -probabilities[largest])


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
        self.probabilities = rounded(limit, 1e-3 * limit.error + 1e-12)
        self.likely = np.array(
            [
                first + int(np.argmax(limit.probabilities[first : first + size]))
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
            value[tree.leaf_indices] = paid
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
        probabilities = np.array([_fixed(share) for share in self.probabilities], object)
        led = np.flatnonzero(agents.edge >= 0)
        step[led] = probabilities[agents.edge[led]]
        counted = step.copy()
        trembling = led[~self.trembles.played[agents.edge[led]]]
        counted[trembling] = 1 << POINT
        counted[counted == 0] = 1 << POINT  # nature's impossible moves
        return step, counted

    def solutions(self) -> Iterator[Shares]:
        """The solution; where there are more, some of them, with one unknown after another free."""
        start = list(self.probabilities)
        for choice in (None, *range(min(len(self.unknown), CHOICES))):
            self.probabilities = list(start)
            bound, free = self._split(choice)
            if choice is not None and not len(free):
                break
            for action in self.unknown[free].tolist():
                self._put(action, simple(self.probabilities[action], FREE))
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
                moved = self.probabilities[action] + Fraction(amount) * size
                self._put(action, _binary(moved))
        return False

    def _put(self, action: int, share: Fraction) -> None:
        at = int(self.agents.owner[action])
        self.probabilities[int(self.likely[at])] += self.probabilities[action] - share
        self.probabilities[action] = share

    def recognized(self) -> Shares:
        """The fractions that show in the digits, and the digits where none do."""
        probabilities = list(self.probabilities)
        for action in self.unknown.tolist():
            at = int(self.agents.owner[action])
            found = probabilities[action].limit_denominator(LARGEST)
            if abs(found - probabilities[action]) * (1 << (DIGITS - 24)) < 1:
                probabilities[int(self.likely[at])] += probabilities[action] - found
                probabilities[action] = found
        return probabilities


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
        for stake, span in zip(agents.tree.leaf_payoffs, agents.spans, strict=True)
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
