"""Candidates for equilibria in behaviour strategies: agents, logit paths, indifference equations.

*Agents.* In an equilibrium in behaviour strategies no information set can gain by itself. With
``reach`` the probability of a node and V its value to the player who moves, the gradient

    slope(c) = Σ reach(x) · V(after c at x)      over the nodes x of its set

is the derivative of the player's payoff by the probability of the choice c, also if a play visits
the set twice. Equilibria are among the profiles at which all actions in the support of every set
have the largest slope of that set; these are the candidates.

*The logit path.* For a precision λ each information set plays exp(λ · value of the action),
normalized (McKelvey & Palfrey 1998, the agent form). At λ = 0 play is uniform; as λ grows, the
solution follows a path towards a candidate. Newton's method follows it from one precision to the
next. Derivatives are exact to the last digit of floats: a pass through the tree in complex numbers
with a tiny imaginary part carries them (the complex step). One matrix serves several steps while
the residual decreases quickly. With imperfect recall, and absent-mindedness, the value of an action
is its slope over the expected number of visits of its set.

*Better-reply dynamics.* From a random start every set moves towards its better actions, more and
more slowly.

*Indifference.* Given a support, the equations that all its actions have the same slope are
polynomial. Newton's method solves them in floats. Then slopes are computed in rational arithmetic
while the steps are still those of floats, so that each step adds the digits of a float; the
simplest fractions nearby that solve the equations exactly are the answer, if there are any. Where
the solutions form a continuum, some probabilities are free: they are set to simple fractions first.
Small games have few supports, and all of them are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, product
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Array
from infoset.rules.moves import CHANCE
from infoset.strategy.behaviour import Behaviour, unchecked
from infoset.tree import Tree

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Support = list[tuple[int, ...]]  # [set] the choices in the support

TINY = 1e-30  # the imaginary part of a complex step
ROOM = 2_000_000  # complex numbers at once


@dataclass(frozen=True, eq=False)
class BehaviourAgents:
    """All choices of all players in one vector, and passes through the tree."""

    tree: Tree

    @cached_property
    def begin(self) -> list[int]:
        """[player] its first choice; the last entry is the number of choices."""
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
        """[choice] its player."""
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
        """[node] the probability of the chance outcome that leads there; 1 elsewhere."""
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
        """The largest absolute payoff, the unit of floats."""
        return max(
            (abs(Fraction(value)) for stake in self.tree.leaf_payoffs for value in stake.values()),
            default=Fraction(0),
        ) or Fraction(1)

    @cached_property
    def paid(self) -> Array:
        """[leaf, player] payoffs in units of the largest."""
        return np.array(
            [[value / self.scale for value in stake.values()] for stake in self.tree.leaf_payoffs],
            object,
        ).T

    @cached_property
    def float_paid(self) -> Floats:
        """The same in floats."""
        return self.paid.astype(np.float64)

    # ------------------------------------------------------------------ one pass

    def slopes_and_visits(self, probabilities: Array) -> tuple[Array, Array]:
        """[choice] its slope, and the expected number of visits of its set.

        Fractions give Fractions, floats give floats, complex numbers carry derivatives.
        Probabilities may have a second axis, for several profiles at once, like the result.
        """
        tree, leads = self.tree, self.leads
        many = probabilities if probabilities.ndim == 2 else probabilities[:, None]
        exact = probabilities.dtype == object
        one = np.full((1, many.shape[1]), Fraction(1) if exact else 1.0, many.dtype)
        step = (self.chances if exact else self.float_chances).astype(many.dtype)[:, None] * one
        chosen = np.flatnonzero(leads >= 0)
        step[chosen] = many[leads[chosen]]
        reach = np.repeat(one, len(tree), axis=0)
        value = np.zeros((len(tree), len(tree.players), many.shape[1]), many.dtype)
        value[tree.leaf_indices] = (self.paid if exact else self.float_paid)[:, :, None]
        for equal_slopes in tree.levels[1:]:
            reach[equal_slopes] = reach[tree.parent[equal_slopes]] * step[equal_slopes]
        for equal_slopes, starts in zip(
            reversed(tree.levels[1:]), reversed(self.sibling_starts), strict=True
        ):
            value[tree.parent[equal_slopes[starts]]] = np.add.reduceat(
                step[equal_slopes, None] * value[equal_slopes], starts, axis=0
            )
        order, starts = self.by_choice
        above = reach[tree.parent[order]]
        slopes, visits = np.zeros((2, *many.shape), many.dtype)
        if len(order):
            here = leads[order[starts]]
            values = above * value[order, self.owner[leads[order]]]
            slopes[here] = np.add.reduceat(values, starts, axis=0)
            visits[here] = np.add.reduceat(above, starts, axis=0)
        return (slopes, visits) if probabilities.ndim == 2 else (slopes[:, 0], visits[:, 0])

    def payoffs(self, probabilities: Floats) -> Floats:
        """[player, profile] expected payoffs, in floats and units of the largest payoff.

        Profiles are columns of probabilities.
        """
        tree, leads = self.tree, self.leads
        step = np.repeat(self.float_chances[:, None], probabilities.shape[1], axis=1)
        chosen = np.flatnonzero(leads >= 0)
        step[chosen] = probabilities[leads[chosen]]
        for equal_slopes in tree.levels[1:]:
            step[equal_slopes] *= step[tree.parent[equal_slopes]]
        return np.asarray(self.float_paid.T @ step[tree.leaf_indices], np.float64)

    def largest_gain(self, probabilities: Floats, responses: list[tuple[int, Array]]) -> float:
        """The largest gain of any player by one of these responses, in the same units."""
        many = np.repeat(probabilities[:, None], len(responses) + 1, axis=1)
        for at, (number, response) in enumerate(responses):
            many[slice(*self.begin[number : number + 2]), at] = response
        paid = self.payoffs(many)
        gains = [paid[number, at] - paid[number, -1] for at, (number, _) in enumerate(responses)]
        return float(max(gains, default=0.0))

    @cached_property
    def sibling_starts(self) -> list[Longs]:
        """[level from the second on] the first of each group of siblings."""
        found = []
        for equal_slopes in self.tree.levels[1:]:
            above = self.tree.parent[equal_slopes]
            found.append(np.flatnonzero(np.diff(above, prepend=-1) != 0))
        return found

    @cached_property
    def by_choice(self) -> tuple[Longs, Longs]:
        """The nodes that choices lead to, sorted by choice, and the first of each choice."""
        order = np.argsort(self.leads, kind="stable")
        order = order[self.leads[order] >= 0]
        return order, np.flatnonzero(np.diff(self.leads[order], prepend=-1) != 0)

    def derivatives(self, at: Floats, of: Callable[[Array], Array], by: Longs) -> Floats:
        """[entry, place of ``by``] the derivatives of a function, by complex steps."""
        columns = []
        each = max(1, ROOM // (len(self.tree) * (len(self.tree.players) + 2)))
        for begin in range(0, len(by), each):
            part = by[begin : begin + each]
            moved = np.repeat(at[:, None], len(part), axis=1).astype(np.complex128)
            moved[part, np.arange(len(part))] += 1j * TINY
            columns.append(of(moved).imag / TINY)
        return np.concatenate(columns, axis=1) if columns else np.zeros((0, 0))

    # ------------------------------------------------------------------ conversion of strategies

    def strategies(self, probabilities: Array) -> tuple[Behaviour, ...]:
        """The players' behaviour strategies from exact probabilities."""
        return tuple(
            unchecked(
                self.tree,
                player,
                np.concatenate(
                    (
                        np.array([Fraction(1)], object),
                        probabilities[self.begin[n] : self.begin[n + 1]],
                    )
                ),
            )
            for n, player in enumerate(self.tree.names)
        )

    def as_vector(self, strategies: tuple[Behaviour, ...]) -> Array:
        """The players' behaviour strategies as one vector of probabilities."""
        return np.concatenate([strategy.probabilities[1:] for strategy in strategies])

    def uniform(self) -> Floats:
        """Uniform play."""
        rows = [np.full(len(own), 1 / len(own)) for own in self.sets]
        return np.concatenate([np.zeros(0), *rows])

    def as_fractions(self, probabilities: Floats) -> Array:
        """Fractions near floats, which sum to 1 at each set."""
        found = np.array([Fraction(0)] * len(probabilities), object)
        for own in self.sets:
            row = [
                max(Fraction(float(probabilities[c])).limit_denominator(10**15), Fraction(0))
                for c in own
            ]
            kept = row.index(max(row))
            row[kept] = 1 - sum(row[:kept] + row[kept + 1 :], Fraction(0))
            found[own.start : own.stop] = row
        return found


def count_supports(agents: BehaviourAgents) -> int:
    """The number of supports."""
    return prod(2 ** len(own) - 1 for own in agents.sets)


def all_supports(agents: BehaviourAgents) -> Iterator[Support]:
    """All supports; those with few actions first at each set."""
    ways = [
        list(chain.from_iterable(combinations(own, size) for size in range(1, len(own) + 1)))
        for own in agents.sets
    ]
    for way in product(*ways):
        yield list(way)


def support_of(agents: BehaviourAgents, probabilities: Floats, least: float) -> Support:
    """[set] the choices with at least this probability, and the most likely one."""
    found = []
    for own in agents.sets:
        likeliest = max(own, key=lambda c: float(probabilities[c]))
        found.append(tuple(c for c in own if probabilities[c] >= least or c == likeliest))
    return found


SLOW = 0.2  # a step that leaves more of the residual needs new derivatives
STEPS = 30  # of Newton's method
SOLVED = 1e-9  # the residual of a solution, at precision 1
PRECISE = 1e4  # the last precision, over the largest payoff
FASTER, SLOWEST = 1.5, 1.001  # factors from one precision to the next
DYNAMICS_STEPS = 400  # steps of the dynamics


def logit_path(agents: BehaviourAgents, over: Callable[[], bool]) -> Iterator[Floats]:
    """Points on the path of logit equilibria, from uniform play on.

    A step that fails is tried again at half its length; where the shortest fails the path ends.
    """
    probabilities = agents.uniform()
    precision, factor = 0.1, FASTER
    yield probabilities
    while precision < PRECISE and not over():
        found = _logit(agents, probabilities, precision * factor)
        if found is None:
            factor = 1 + (factor - 1) / 2
            if factor < SLOWEST:
                return
            continue
        probabilities, precision = found, precision * factor
        factor = min(FASTER, 1 + (factor - 1) * 1.5)
        yield probabilities


def _logit(agents: BehaviourAgents, start: Floats, precision: float) -> Floats | None:
    """The logit equilibrium of a precision near the start; None if not found."""
    free = np.array([c for own in agents.sets for c in own[1:]], np.int64)
    first = np.array([own.start for own in agents.sets for _ in own[1:]], np.int64)
    logs = np.log(np.maximum(start[free], 1e-300)) - np.log(np.maximum(start[first], 1e-300))

    starts = np.array([own.start for own in agents.sets], np.int64)
    sizes = np.array([len(own) for own in agents.sets], np.int64)

    def conditional_probabilities(odds: Array) -> Array:
        full = np.zeros((len(start), *odds.shape[1:]), odds.dtype)
        full[free] = odds
        top = np.repeat(np.maximum.reduceat(full.real, starts, axis=0), sizes, axis=0)
        full = np.exp(full - top)
        return np.asarray(full / np.repeat(np.add.reduceat(full, starts, axis=0), sizes, axis=0))

    def residual(odds: Array) -> Array:
        slopes, visits = agents.slopes_and_visits(conditional_probabilities(odds))
        values = slopes / np.where(visits.real > 1e-280, visits, 1.0)
        return np.asarray(odds - precision * (values[free] - values[first]))

    inverse, before = None, np.inf
    for _ in range(STEPS):
        miss = residual(logs)
        size = np.abs(miss).max(initial=0)
        if not np.isfinite(size):
            return None
        if size < SOLVED * (1 + precision):
            return np.asarray(conditional_probabilities(logs), np.float64)
        if inverse is None or size > SLOW * before:  # else the previous one is good enough
            try:
                inverse = np.linalg.inv(agents.derivatives(logs, residual, np.arange(len(logs))))
            except np.linalg.LinAlgError:
                return None
        move = inverse @ miss
        largest = np.abs(move).max(initial=0)
        if not np.isfinite(largest) or largest > 50 + precision:
            return None
        logs, before = logs - move, size
    return None


def better_reply_dynamics(agents: BehaviourAgents, seed: int, over: Callable[[], bool]) -> Floats:
    """The average profile of multiplicative weights from a random start.

    Probabilities grow in proportion to exp(gain of the action), more and more slowly; the second
    half of the steps is averaged. The result need not be near an equilibrium.
    """
    starts = np.array([own.start for own in agents.sets], np.int64)
    sizes = np.array([len(own) for own in agents.sets], np.int64)
    logs = np.random.default_rng(seed).normal(size=agents.begin[-1])
    total, count = np.zeros(len(logs)), 0
    probabilities = total
    for turn in range(DYNAMICS_STEPS):
        logs -= np.repeat(np.maximum.reduceat(logs, starts), sizes)
        weights = np.exp(logs)
        probabilities = weights / np.repeat(np.add.reduceat(weights, starts), sizes)
        slopes, visits = agents.slopes_and_visits(probabilities)
        logs = np.maximum(logs, -40) + 4 / np.sqrt(4 + turn) * slopes / np.maximum(visits, 1e-9)
        if 2 * turn >= DYNAMICS_STEPS:
            total, count = total + probabilities, count + 1
        if over():
            break
    return total / count if count else probabilities


CLOSE = 1e-12  # a negligible difference of slopes
FAR = 1e3  # a step that diverges
GRID = 1 << 200  # the grid of exact steps
SIMPLE = (10, 10**3, 10**6, 10**9, 10**12, 10**15)  # denominators, the simplest first
OUTSIDE = 1e-9  # a negative probability that is due to rounding


class Moves(NamedTuple):
    """Pairs of choices between which probability moves: from the first of each support."""

    to: Longs
    off: Longs


def moves(support: Support) -> Moves:
    """All moves within a support."""
    return Moves(
        np.array([c for used in support for c in used[1:]], np.int64),
        np.array([used[0] for used in support for _ in used[1:]], np.int64),
    )


def equal_slopes(agents: BehaviourAgents, start: Floats, support: Support) -> Floats | None:
    """Probabilities on a support near a start with equal slopes; None if not found."""
    probabilities = np.zeros(len(start))
    for used in support:
        row = np.maximum(start[list(used)], 1e-3)
        probabilities[list(used)] = row / row.sum()
    every = moves(support)
    return _newton(agents, probabilities, every, np.arange(len(every.to)))


def _newton(agents: BehaviourAgents, start: Floats, every: Moves, free: Longs) -> Floats | None:
    """Newton's method along the free moves; None if it does not converge to a profile."""
    probabilities = start.copy()
    for _ in range(STEPS):
        slopes, _ = agents.slopes_and_visits(probabilities)
        miss = slopes[every.to] - slopes[every.off]
        if np.abs(miss).max(initial=0) < CLOSE:
            return (
                np.maximum(probabilities, 0) if probabilities.min(initial=0) >= -OUTSIDE else None
            )
        matrix = slope_derivatives(agents, probabilities, every)[:, free]
        step = np.linalg.lstsq(matrix, -miss, rcond=1e-12)[0]
        if not np.isfinite(step).all() or np.abs(step).max(initial=0) > FAR:
            return None
        np.add.at(probabilities, every.to[free], step)
        np.add.at(probabilities, every.off[free], -step)
    return None


def slope_derivatives(agents: BehaviourAgents, probabilities: Floats, every: Moves) -> Floats:
    """[move, move] the derivative of the first one's difference of slopes along the second."""

    def differences(at: Array) -> Array:
        slopes, _ = agents.slopes_and_visits(at)
        return np.asarray(slopes[every.to] - slopes[every.off])

    by, where = np.unique(np.concatenate(every), return_inverse=True)
    table = agents.derivatives(probabilities, differences, by)
    count = len(every.to)
    return np.asarray(table[:, where[:count]] - table[:, where[count:]])


def exact_profile(
    agents: BehaviourAgents, near: Floats, support: Support, coarse: int = 100
) -> Array:
    """Exact probabilities near floats: with equal slopes if these are simple fractions.

    Otherwise slopes are equal to many digits. Probabilities that the equations leave free get
    denominators up to ``coarse``.
    """
    every = moves(support)
    if not len(every.to):
        return _as_fractions(near, support)
    matrix = slope_derivatives(agents, near, every)
    free = _independent(matrix)
    if len(free) < len(every.to):
        near = _on_simple_fractions(agents, near, every, free, coarse)
        matrix = slope_derivatives(agents, near, every)
    exact = _as_fractions(near, support)
    held = np.setdiff1d(np.arange(len(every.to)), free)
    for choice in every.to[held].tolist():
        exact[choice] = exact[choice].limit_denominator(coarse)
    for used in support:
        exact[used[0]] = 1 - sum(exact[c] for c in used[1:])
    for _ in range(5):
        slopes, _ = agents.slopes_and_visits(exact)
        miss = slopes[every.off] - slopes[every.to]
        unit = max(map(abs, miss.tolist()))
        if not unit:
            break
        side = (miss / unit).astype(np.float64)
        step = np.linalg.lstsq(matrix[:, free], side, rcond=1e-12)[0]
        for at, part in zip(free.tolist(), step.tolist(), strict=True):
            move = Fraction(round(Fraction(part) * unit * GRID), GRID)
            exact[every.to[at]] += move
            exact[every.off[at]] -= move
    return _simplest(agents, exact, support, every)


def _as_fractions(near: Floats, support: Support) -> Array:
    exact = np.array([Fraction(0)] * len(near), object)
    for used in support:
        for choice in used[1:]:
            exact[choice] = Fraction(float(near[choice]))
        exact[used[0]] = 1 - sum(exact[c] for c in used[1:])
    return exact


def _independent(matrix: Floats) -> Longs:
    """Moves that determine all others: columns of full rank."""
    from scipy.linalg import qr

    triangle, order = qr(matrix, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > 1e-9 * max(diagonal.max(initial=0), 1e-9)).sum())
    return np.sort(order[:rank])


def _on_simple_fractions(
    agents: BehaviourAgents, near: Floats, every: Moves, free: Longs, coarse: int
) -> Floats:
    """A point of the continuum at which free probabilities have small denominators."""
    probabilities = near.copy()
    for at in np.setdiff1d(np.arange(len(every.to)), free).tolist():
        to, off = int(every.to[at]), int(every.off[at])
        simple = float(Fraction(float(probabilities[to])).limit_denominator(coarse))
        probabilities[off] += probabilities[to] - simple
        probabilities[to] = simple
    if probabilities.min(initial=0) < 0:
        return near
    found = _newton(agents, probabilities, every, free)
    return near if found is None else found


def _simplest(agents: BehaviourAgents, exact: Array, support: Support, every: Moves) -> Array:
    """The simplest probabilities nearby with equal slopes; the finest grid if there are none."""
    zero, one = Fraction(0), Fraction(1)
    trial = exact
    for largest in SIMPLE:
        trial = np.array([zero] * len(exact), object)
        for used in support:
            for choice in used[1:]:
                trial[choice] = min(max(exact[choice].limit_denominator(largest), zero), one)
            trial[used[0]] = 1 - sum(trial[c] for c in used[1:])
        slopes, _ = agents.slopes_and_visits(trial)
        if (trial >= 0).all() and (slopes[every.to] == slopes[every.off]).all():
            return trial
    return trial if (trial >= 0).all() else agents.as_fractions(exact.astype(np.float64))
