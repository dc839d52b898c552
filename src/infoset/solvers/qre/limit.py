"""The limit of a branch of logit equilibria: probabilities, beliefs, and their exact values.

*Probabilities.* Towards the end of the branch a probability p behaves as p* + c / λ, or decreases
to zero, as 1 / λ or exponentially. Two points with precisions far apart tell which, and extrapolate
to λ = ∞. The result is known to some digits only. It is rounded to simple fractions; where these
are no equilibrium, equations are solved. In either case it is accepted only if no player can gain
against it, in rational arithmetic.

*Indifference.* Actions in the support are equally good under the beliefs of the limit. This is one
equation for every action of the support but one at each information set, with as many unknowns.
Newton's method, with residuals in long arithmetic and derivatives in floats, gives a solution to
hundreds of binary digits, from which rational solutions are recognized. With three or more players
the solution may be irrational: then the digits are the answer, with a regret of their accuracy.
Where the equations are dependent, some unknowns are free: they get simple fractions near the limit,
so that the answer is a nearby equilibrium.

*Beliefs.* The probability of a node is that of chance and of the actions of the support above it,
which has a limit, times that of the other actions, its *tremble*, which vanishes. So at an
information set only the nodes with the largest tremble count, in proportion to the limits of their
trembles:

    belief(n)  ~  τ(n) · chance(n) · product of the probabilities of the support above n.

Where the nodes of a set have the same unplayed actions above them, as in a subgame that no play
reaches, all τ are 1, and the beliefs are exact if the probabilities are. Otherwise the τ are
estimated at the end of the branch and rounded to fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.linear.numbers import Array
from infoset.rules.moves import CHANCE
from infoset.solvers.qre.path import Bools, Floats, LogitAgents, Longs, PathPoint
from infoset.strategy import Behaviour
from infoset.strategy.behaviour import unchecked

FALLING = 0.6  # the ratio between two points below which a probability goes to zero
SAME = 1e-10  # trembles whose logarithms differ by less, relatively, are equal

Probabilities = list[Fraction]  # [action]
Odds = list[list[Fraction]]  # [infoset][node] τ


class LimitTrembles:
    """The trembles of a branch at two points, the second far beyond the first."""

    def __init__(self, before: PathPoint, now: PathPoint, played: Bools) -> None:
        self.agents = agents = now.evaluation.agents
        self.played = played
        start, nodes = agents.tree.members
        old, new = _logarithms(agents, before.x, played), _logarithms(agents, now.x, played)
        self.ratios: list[list[tuple[float, float]]] = []  # [infoset][node] at both points
        for at in range(len(start) - 1):
            own = nodes[start[at] : start[at + 1]]
            belief = now.evaluation.belief[own]
            kept = (belief > FALLING * before.evaluation.belief[own]) & (belief > 0)
            largest = own[int(np.argmax(np.where(kept, belief, -1.0)))]
            self.ratios.append(
                [
                    (_ratio(old[node], old[largest]), _ratio(new[node], new[largest]))
                    if stays
                    else (0.0, 0.0)
                    for node, stays in zip(own.tolist(), kept.tolist(), strict=True)
                ]
            )

    def odds(self, slack: float) -> Odds:
        """τ of every node as simple fractions, within ``slack`` times its error."""
        return [
            [simple(now, 1e-9 + slack * abs(now - then)) for then, now in row]
            for row in self.ratios
        ]

    def beliefs(self, probabilities: Probabilities, odds: Odds) -> list[list[Fraction]]:
        """[infoset][node] its belief."""
        start, nodes = self.agents.tree.members
        weight = self._weights(probabilities)
        found = []
        for at, row in enumerate(odds):
            own = nodes[start[at] : start[at + 1]].tolist()
            parts = [tau * weight[node] for tau, node in zip(row, own, strict=True)]
            total = sum(parts)
            found.append([part / total for part in parts])
        return found

    def _weights(self, probabilities: Probabilities) -> list[Fraction]:
        """[node] the probability of chance and of the support's actions above it."""
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


def _logarithms(agents: LogitAgents, x: Floats, played: Bools) -> Floats:
    """[node] the logarithm of its tremble."""
    tree, edge = agents.tree, agents.edge
    step = np.where((edge >= 0) & ~played[edge], x[edge], 0.0)
    total = np.zeros(len(tree))
    for level in tree.levels[1:]:
        total[level] = total[tree.parent[level]] + step[level]
    return total


def _ratio(one: float, two: float) -> float:
    """The ratio of two numbers given by logarithms; 1 if they are equal up to rounding."""
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
    """An estimate of the limit: its support, its probabilities and their error."""

    agents: LogitAgents
    point: PathPoint  # the last of the branch
    played: Bools  # [action]
    probabilities: Floats  # [action] sum to 1 at every set
    error: float
    trembles: LimitTrembles


def extrapolated(before: PathPoint, now: PathPoint) -> Limit:
    """Extrapolate from two points of a branch, the second far beyond the first."""
    agents = now.evaluation.agents
    old, new = np.exp(before.x), np.exp(now.x)
    played = new > FALLING * old
    ratio = before.precision / (now.precision - before.precision)
    ahead = np.where(played, np.clip(new + (new - old) * ratio, 0.0, 1.0), 0.0)
    total = np.add.reduceat(ahead, agents.first)
    probabilities = ahead / np.repeat(total, agents.sizes)
    error = float(np.abs(probabilities - new).max(initial=0.0))
    return Limit(agents, now, played, probabilities, error, LimitTrembles(before, now, played))


def strategies(agents: LogitAgents, probabilities: Probabilities) -> tuple[Behaviour, ...]:
    """Behaviour strategies from the probabilities of all actions."""
    tree = agents.tree
    made = []
    for player, choices in zip(tree.names, tree.choices, strict=True):
        own = [Fraction(1)]
        for at in choices.infosets.tolist():
            first = int(agents.first[at])
            own += probabilities[first : first + int(agents.sizes[at])]
        made.append(unchecked(tree, player, np.array(own, object)))
    return tuple(made)


def rounded(limit: Limit, within: float) -> Probabilities:
    """Simple fractions near the limit; at every set the likeliest action takes the rounding."""
    agents = limit.agents
    probabilities = [
        (simple(probability, within) or Fraction(probability)) if played else Fraction(0)
        for probability, played in zip(
            limit.probabilities.tolist(), limit.played.tolist(), strict=True
        )
    ]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _normalize_row(
            probabilities,
            first,
            size,
            first + int(np.argmax(limit.probabilities[first : first + size])),
        )
    return probabilities


def nearby(agents: LogitAgents, point: PathPoint) -> Probabilities:
    """The probabilities at a point of the branch, as binary fractions that sum to one."""
    probabilities = [Fraction(probability) for probability in np.exp(point.x).tolist()]
    for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True):
        _normalize_row(
            probabilities, first, size, first + int(np.argmax(point.x[first : first + size]))
        )
    return probabilities


def _normalize_row(probabilities: Probabilities, first: int, size: int, largest: int) -> None:
    probabilities[largest] = 1 - sum(probabilities[first : first + size], -probabilities[largest])


DIGITS = 256  # binary digits of the solution
POINT = DIGITS + 64  # binary point of fixed-point numbers
LARGEST = 1 << (
    DIGITS * 2 // 5
)  # the largest denominator that is recognized: its square is shorter
FREE = 1e-4  # the most that a free unknown may be moved
SINGULAR = 1e-7  # the relative pivot below which an equation is dependent
ROUNDS = 60
CHOICES = 6  # unknowns that are tried as the free one


class Indifference:
    """The indifference equations of all information sets, and their solution."""

    def __init__(self, limit: Limit, over: Callable[[], bool]) -> None:
        self.agents = agents = limit.agents
        self.over = over
        self.trembles, self.odds = limit.trembles, _whole_odds(limit.trembles)
        self.chances, self.paid = _chances(agents), _paid(agents)
        self.probabilities = rounded(limit, 1e-3 * limit.error + 1e-12)
        self.likeliest = np.array(
            [
                first + int(np.argmax(limit.probabilities[first : first + size]))
                for first, size in zip(agents.first.tolist(), agents.sizes.tolist(), strict=True)
            ],
            np.int64,
        )
        self.vague = max(SINGULAR, 10.0 * limit.error)
        inside = limit.played.copy()
        inside[self.likeliest] = False
        self.unknown = np.flatnonzero(inside)
        beside = self.likeliest[agents.owner[self.unknown]]
        rows = limit.point.evaluation.derivative
        rows = rows[self.unknown] - rows[beside]
        values = np.exp(limit.point.x)
        self.matrix = (
            rows[:, self.unknown] / values[self.unknown] - rows[:, beside] / values[beside]
        )

    def residual(self) -> list[Fraction]:
        """[unknown] by how much its action is better than the likeliest one of its set.

        In fixed-point numbers of POINT binary places: exact fractions would be longer by a factor
        of the tree's depth.
        """
        agents, tree = self.agents, self.agents.tree
        weight, value = self._passed()
        members, nodes = tree.members
        start, child = tree.children
        left = []
        for action in self.unknown.tolist():
            at = int(agents.owner[action])
            mover = int(tree.infoset_player[at])
            one, two = action - int(agents.first[at]), int(self.likeliest[at] - agents.first[at])
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
        """[node] its weight without trembles; [player][node] its value; times 2^POINT."""
        agents, tree = self.agents, self.agents.tree
        step, counted = self._steps()
        weight = np.full(len(tree), 1 << POINT, object)
        for level in tree.levels[1:]:
            weight[level] = (weight[tree.parent[level]] * counted[level]) >> POINT
        found = []
        for paid in self.paid:
            value = np.zeros(len(tree), object)
            value[tree.leaf_indices] = paid
            for level, (begin, families) in zip(
                reversed(tree.levels[1:]), reversed(agents.groups), strict=True
            ):
                value[families] = np.add.reduceat(value[level] * step[level], begin) >> POINT
            found.append(value)
        return weight.tolist(), found

    def _steps(self) -> tuple[Array, Array]:
        """[node] the probability of the move that leads there; and the same without trembles."""
        agents = self.agents
        step = self.chances.copy()
        probabilities = np.array(
            [_fixed(probability) for probability in self.probabilities], object
        )
        led = np.flatnonzero(agents.edge >= 0)
        step[led] = probabilities[agents.edge[led]]
        counted = step.copy()
        trembling = led[~self.trembles.played[agents.edge[led]]]
        counted[trembling] = 1 << POINT
        counted[counted == 0] = 1 << POINT  # zero-probability outcomes
        return step, counted

    def solutions(self) -> Iterator[Probabilities]:
        """The solution; of a continuum some points, with one unknown after another free."""
        start = list(self.probabilities)
        for choice in (None, *range(min(len(self.unknown), CHOICES))):
            self.probabilities = list(start)
            bound, free = self._split(choice)
            if choice is not None and not len(free):
                break
            for action in self.unknown[free].tolist():
                self._assign(action, simple(self.probabilities[action], FREE))
            if self._newton(bound):
                yield self.recognized()
            if not len(free):
                break

    def _split(self, choice: int | None) -> tuple[Longs, Longs]:
        """The unknowns that the equations determine, and those left free; ``choice`` if possible.

        Equations are linear in the probabilities of one player, not in products of several: the
        choice of the free unknown may decide whether the others are rational.
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
            return order, order[:0]  # this one is determined by the equations
        free = order[rank:] if choice is None else np.append(order[rank:], choice)
        return order[:rank], free

    def _newton(self, bound: Longs) -> bool:
        """Solve for the determined unknowns by Newton's method; did it converge?"""
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
            # Scaled, since residuals may be far below the smallest float.
            scaled = np.array([float(value / size) for value in left])
            step = lstsq(self.matrix[:, bound], -scaled, cond=self.vague)[0]
            for at, amount in zip(bound.tolist(), step.tolist(), strict=True):
                action = int(self.unknown[at])
                moved = self.probabilities[action] + Fraction(amount) * size
                self._assign(action, _binary(moved))
        return False

    def _assign(self, action: int, probability: Fraction) -> None:
        at = int(self.agents.owner[action])
        self.probabilities[int(self.likeliest[at])] += self.probabilities[action] - probability
        self.probabilities[action] = probability

    def recognized(self) -> Probabilities:
        """The fractions recognized in the digits, and the digits where none are."""
        probabilities = list(self.probabilities)
        for action in self.unknown.tolist():
            at = int(self.agents.owner[action])
            found = probabilities[action].limit_denominator(LARGEST)
            if abs(found - probabilities[action]) * (1 << (DIGITS - 24)) < 1:
                probabilities[int(self.likeliest[at])] += probabilities[action] - found
                probabilities[action] = found
        return probabilities


def _fixed(number: Fraction | int) -> int:
    return round(number * (1 << POINT))


def _binary(number: Fraction) -> Fraction:
    return Fraction(_fixed(number), 1 << POINT)


def _whole_odds(trembles: LimitTrembles) -> list[list[int]]:
    """[infoset][node] τ times 2^POINT, or plain integers where all are 0 or 1."""
    return [
        [int(tau) if whole else _fixed(tau) for tau in row]
        for row in trembles.odds(1.0)
        for whole in (all(tau.denominator == 1 for tau in row),)
    ]


def _paid(agents: LogitAgents) -> list[Array]:
    """[player] its payoffs at the leaves over its scale, times 2^POINT."""
    return [
        (stake.numerators.astype(object) * (scale.denominator << POINT))
        // (stake.denominator * scale.numerator)
        for stake, scale in zip(agents.tree.leaf_payoffs, agents.scales, strict=True)
    ]


def _chances(agents: LogitAgents) -> Array:
    """[node] the probability of the chance outcome that leads there, times 2^POINT; or 1."""
    tree = agents.tree
    above = np.maximum(tree.parent, 0)
    found = np.full(len(tree), 1 << POINT, object)
    for node in np.flatnonzero((tree.player[above] == CHANCE) & (tree.parent >= 0)).tolist():
        lottery = tree.lotteries[tree.infoset[above[node]]]
        found[node] = _fixed(lottery.probabilities[tree.action[node]])
    return found
