"""Linear programs whose costs are integers too long for floats.

An exact strategy may have probabilities of thousands of digits, and then so has what every sequence
wins against it. Floats are shown the leading digits of such costs, and find a basis. The vertex of
that basis is the same for every cost; the prices are linear in it, so that they are found for parts
of the cost that are short enough, one after the other, and added up. That both are feasible is then
checked in integers as always: it proves that the basis is optimal for the whole cost.

The linear program of safe play: what a plan wins against a model, what it makes sure of.

Columns are the player's weights x >= 0 and the values q of the opponent's information sets, rows

    A'x - F'q >= 0     q is at most what the opponent's best response to x leaves
    E x       =  e     x is a plan
        f'q   >= v     where a floor under what is sure of is wanted

and the objective is a share of what x wins against the model, and the rest of what it is sure of
(:mod:`infoset.solvers.safe.solver`). All coefficients are whole numbers: A times its denominator, q
likewise; the floor's row is multiplied by the denominator of the floor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from infoset.errors import NotProved
from infoset.forms.sequence import SequenceForm, constraints, sequence_form
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Array, Numbers, bound, fitted, multiplied
from infoset.linear.program import Basis, Program, vertex
from infoset.linear.sparse import Sparse
from infoset.solvers import lp
from infoset.solvers.options import Options
from infoset.strategy import RealizationPlan, Strategy, as_plan, profile
from infoset.strategy.behaviour import plan_from_floats
from infoset.tree import Tree

LONG = 900  # binary digits from which a cost is too long
LEADING = 60  # digits of it that floats are shown
PART = 600  # digits of a part for which prices are found


def lowest(program: Program, width: int, options: Options) -> tuple[Any, str]:
    """The first ``width`` variables where a program's cost is least: exact, else floats; a note.

    >>> from infoset.linear.sparse import Sparse
    >>> program = Program(
    ...     Sparse.of({(0, 0): 3, (0, 1): 1}, (1, 2)),  # 3 u + v >= 1
    ...     cost=np.array([2 * 10**1000, 10**1000 + 1], object), side=np.array([1]),
    ...     equal=np.array([False]), free=np.array([False, False]),
    ... )
    >>> lowest(program, 2, Options())
    (Numbers([1/3, 0]), '')
    """
    if max(bound(program.matrix.entries.numerators), bound(program.side)) >= BEYOND_FLOATS:
        return np.zeros(width), lp.NO_BASIS
    length = bound(program.cost).bit_length()
    if length <= LONG:
        _, found, _, note = lp.optimal(program, (0, width), options)
        return found, note
    near = _near(program, length - LEADING)
    answer = highs.minimize(near, options.left, options.tick, options.stop)
    found = answer.primal[:width]
    if answer.basis is None:
        return found, lp.STOPPED if answer.stopped else lp.NO_BASIS
    if options.exact is False:
        return found, ""
    options.tell("exact arithmetic")
    exact = _proved(program, answer.basis, Budget(seconds=options.left))
    if exact is None:
        return found, lp.STOPPED if options.over() else lp.NO_BASIS
    return exact.take(np.arange(width)).lowest(), ""


def _near(program: Program, shift: int) -> Program:
    """The leading digits of the cost, and a unit for them."""
    cost = fitted([int(amount) >> shift for amount in program.cost])
    return replace(program, cost=cost, cost_unit=1 / float(2.0 ** (bound(cost).bit_length() - 1)))


def _proved(program: Program, basis: Basis, budget: Budget) -> Numbers | None:
    """The vertex of a basis, if it is optimal."""
    primal: Numbers | None = None
    prices = []
    for part in _parts(program.cost):
        corner = vertex(replace(program, cost=part), basis, budget)
        if corner is None or not corner.primal_feasible:
            return None
        primal = corner.primal
        prices.append(corner.dual)
    return primal if _feasible(program, _joined(prices)) else None


def _parts(cost: Array) -> list[Array]:
    """The cost as digits of the base 2^PART, the lowest first; the highest have the sign."""
    parts, rest = [], cost.astype(object)
    while bound(rest) >> PART:
        parts.append(fitted(rest & ((1 << PART) - 1)))
        rest = rest >> PART
    return [*parts, fitted(rest)]


def _joined(prices: list[Numbers]) -> Numbers:
    """The prices of the parts, added up."""
    under = lcm(*(own.denominator for own in prices))
    total: Array = np.zeros(len(prices[0]), object)
    for own in prices[::-1]:
        total = (total << PART) + own.numerators.astype(object) * (under // own.denominator)
    return Numbers(fitted(total), under)


def _feasible(program: Program, dual: Numbers) -> bool:
    """Is no variable priced above its cost, and no inequality below zero?"""
    priced = program.matrix.transposed.times(dual)
    reduced = multiplied(program.cost, fitted([priced.denominator])) - priced.numerators
    signs = dual.numerators[~program.equal]
    return not (reduced[program.free].any() or (reduced < 0).any() or (signs < 0).any())


FINE = 200  # binary digits of a floor that is rounded down


@dataclass(frozen=True, eq=False)
class Stage:
    """A game, a model of the opponent, and what the game is worth."""

    tree: Tree
    model: Strategy
    value: Fraction  # to the player who faces the model
    proved: bool  # is that the value, or only what the next makes sure of?
    cautious: RealizationPlan  # the player's, from the linear program of the game
    payoffs: Sparse  # [own sequence, the opponent's], whole numbers
    unit: Fraction  # what 1 stands for in them
    weights: Numbers  # of the model's plan

    def most(
        self, options: Options, floor: Fraction | None = None, share: Fraction = Fraction(1)
    ) -> tuple[RealizationPlan, bool]:
        """The plan that is best for a share of what it wins and the rest of what it is sure of.

        With a floor under what it is sure of. Whether that was proved is said, too.
        """
        player = next(name for name in self.tree.names if name != self.model.player)
        least, kept = _shortened(None if floor is None else floor / self.unit)
        program = self._program(least, share)
        own, note = lowest(program, self.payoffs.shape[0], options)
        if isinstance(own, Numbers):
            return RealizationPlan(self.tree, player, own), kept
        if options.exact:
            remedy = "give it more time" if note == lp.STOPPED else "take payoffs more alike"
            raise NotProved(
                f"{self.tree.name}: an exact answer was asked for, and {note}; {remedy}"
            )
        if not own.any():  # nothing was found
            return self.cautious, False
        return plan_from_floats(self.tree, player, own), False

    def mended(self, plan: RealizationPlan, sure: Fraction, floor: Fraction) -> RealizationPlan:
        """A plan mixed with the cautious one until it is as safe as was asked for.

        What a mixture of two plans is sure of is at least the mixture of what they are.
        """
        part = (floor - sure) / (self.value - sure)
        both = zip(plan.weights.values(), self.cautious.weights.values(), strict=True)
        weights = Numbers.of(own + part * (safer - own) for own, safer in both)
        return RealizationPlan(self.tree, plan.player, weights)

    def _program(self, least: Fraction | None, share: Fraction) -> Program:
        """With a floor under what is sure of, if there is one, in the payoffs' unit."""
        opponent = self.tree.player_number(self.model.player)
        own, other = (constraints(self.tree.choices[at]) for at in (1 - opponent, opponent))
        matrix, side = _constraints(self.payoffs, own, other, least)
        rows, columns = matrix.shape
        wins = self.payoffs.times(self.weights).numerators.astype(object)
        cost = np.zeros(columns, object)
        cost[: len(wins)] = -wins * share.numerator
        rest = share.denominator - share.numerator
        cost[len(wins)] = -rest * self.weights.denominator
        largest = min(bound(self.payoffs.entries.numerators), BEYOND_FLOATS) or 1
        scale = float(2.0 ** (largest.bit_length() - 1))
        dearest = min(max(bound(cost), 1), BEYOND_FLOATS)  # beyond, it is given another unit
        row_unit = np.ones(rows)
        row_unit[: other.shape[1]] = 1 / scale
        if least is not None:
            row_unit[-1] = 1 / (scale * max(int(matrix.entries.numerators[-1]), 1))
        return Program(
            matrix=matrix,
            cost=fitted(cost),
            side=side,
            equal=(np.arange(rows) >= other.shape[1])
            & (np.arange(rows) < other.shape[1] + own.shape[0]),
            free=np.arange(columns) >= len(wins),
            row_unit=row_unit,
            column_unit=np.where(np.arange(columns) < len(wins), 1.0, scale),
            cost_unit=1 / float(2.0 ** (dearest.bit_length() - 1)),
        )


def _constraints(
    payoffs: Sparse, own: Sparse, other: Sparse, floor: Fraction | None
) -> tuple[Sparse, Array]:
    """The matrix of all rows, and what is on the right of them."""
    width, height = payoffs.shape  # sequences: own, and the opponent's
    upright, values = payoffs.transposed, other.transposed
    rows = [upright.rows, values.rows, height + own.rows]
    columns = [upright.columns, width + values.columns, own.columns]
    entries = [
        upright.entries.numerators,
        -values.entries.numerators,
        own.entries.numerators,
    ]
    total = height + own.shape[0]
    side = [0] * total
    side[height] = 1
    if floor is not None:
        rows.append(np.array([total]))
        columns.append(np.array([width]))
        entries.append(np.array([floor.denominator], object))
        side.append(floor.numerator)
    shape = (len(side), width + other.shape[0])
    order = np.lexsort((np.concatenate(columns), np.concatenate(rows)))
    matrix = Sparse(
        np.concatenate(rows)[order],
        np.concatenate(columns)[order],
        Numbers(fitted(np.concatenate(entries).astype(object)[order])),
        shape,
    )
    return matrix, fitted(side)


def _shortened(floor: Fraction | None) -> tuple[Fraction | None, bool]:
    """A floor whose numbers floats can take, not above the one given; and is it that one?"""
    if floor is None or max(abs(floor.numerator), floor.denominator).bit_length() <= LONG:
        return floor, True
    return Fraction((floor.numerator << FINE) // floor.denominator, 1 << FINE), False


def stage(model: Strategy, options: Options) -> Stage:
    """Find out what a game is worth, and write down what a model does in it."""
    tree = model.tree
    form = sequence_form(tree)
    at = 1 - tree.player_number(model.player)
    value, proved, cautious = _value(tree, at, options)
    payoffs, unit = _whole(form, at)
    plan = as_plan(model)
    if not plan.exact:
        plan = plan_from_floats(tree, plan.player, plan.weights.floats)
    return Stage(tree, plan, value, proved, cautious, payoffs, unit, plan.weights.lowest())


def _value(tree: Tree, at: int, options: Options) -> tuple[Fraction, bool, RealizationPlan]:
    """What a player can make sure of, whether that is proved to be the most, and how."""
    options.tell("the value of the game")
    found = profile(lp.find(tree, options).strategies)
    other = list(found.responses.values())[1 - at].value
    total = sum(stake[0] for stake in tree.leaf_payoffs)  # the same at every leaf
    if options.exact and found.regret:
        raise NotProved(
            f"{tree.name}: the exact value of the game was not found; more time may help"
        )
    return Fraction(total - other), not found.regret, as_plan(found.strategies[at])


def _whole(form: SequenceForm, at: int) -> tuple[Sparse, Fraction]:
    """A player's payoffs by own and other sequences as whole numbers, and what 1 stands for."""
    given = form.payoffs[0] if at == 0 else form.payoffs[1].transposed
    amounts = given.entries.numerators
    shared = gcd(*amounts.tolist()) or 1
    whole = Numbers(fitted(amounts.astype(object) // shared))
    unit = Fraction(shared, given.entries.denominator)
    return Sparse(given.rows, given.columns, whole, given.shape), unit
