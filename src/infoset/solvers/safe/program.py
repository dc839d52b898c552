"""The linear program of safe strategies: winnings against a model, and guarantees.

Columns are the player's weights x >= 0 and the values q of the opponent's information sets, rows

    A'x - F'q >= 0     q is at most the value of the opponent's best response to x
    E x       =  e     x is a realization plan
        f'q   >= v     a lower bound of the guarantee, where one is wanted

and the objective is a weighted sum of what x wins against the model and of what it guarantees
(:mod:`infoset.solvers.safe.solver`). All coefficients are integers: A and q times the denominator
of A; the row of the lower bound is multiplied by its denominator.

*Long costs.* An exact model may have probabilities of thousands of digits, and then so have the
payoffs of sequences against it. Floats get the leading digits of such costs, and find a basis. The
vertex of that basis is the same for every cost, and the dual variables are linear in the cost: they
are computed for parts of it that are short enough, and added up. That both are feasible is checked
in integers, which proves that the basis is optimal for the whole cost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from infoset.errors import NotProved
from infoset.forms.sequence import constraints, sequence_form
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
LEADING = 60  # digits of it that floats get
PART = 600  # digits of a part for which dual variables are computed


def minimum(program: Program, width: int, options: Options) -> tuple[Any, str]:
    """The first ``width`` variables of a program's minimum, exact or in floats; a note.

    >>> from infoset.linear.sparse import Sparse
    >>> program = Program(
    ...     Sparse.of({(0, 0): 3, (0, 1): 1}, (1, 2)),  # 3 u + v >= 1
    ...     cost=np.array([2 * 10**1000, 10**1000 + 1], object), side=np.array([1]),
    ...     equal=np.array([False]), free=np.array([False, False]),
    ... )
    >>> minimum(program, 2, Options())
    (Numbers([1/3, 0]), '')
    """
    if max(bound(program.matrix.entries.numerators), bound(program.side)) >= BEYOND_FLOATS:
        return np.zeros(width), lp.NO_BASIS
    length = bound(program.cost).bit_length()
    if length <= LONG:
        _, found, _, note = lp.optimal(program, (0, width), options)
        return found, note
    near = _leading_digits(program, length - LEADING)
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


def _leading_digits(program: Program, shift: int) -> Program:
    """The program with the leading digits of the cost, and their unit."""
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
    return primal if _feasible(program, _summed(prices)) else None


def _parts(cost: Array) -> list[Array]:
    """The cost as digits of the base 2^PART, the lowest first; the highest have the sign."""
    parts, rest = [], cost.astype(object)
    while bound(rest) >> PART:
        parts.append(fitted(rest & ((1 << PART) - 1)))
        rest = rest >> PART
    return [*parts, fitted(rest)]


def _summed(prices: list[Numbers]) -> Numbers:
    """The sum of the dual variables of all parts."""
    under = lcm(*(own.denominator for own in prices))
    total: Array = np.zeros(len(prices[0]), object)
    for own in prices[::-1]:
        total = (total << PART) + own.numerators.astype(object) * (under // own.denominator)
    return Numbers(fitted(total), under)


def _feasible(program: Program, dual: Numbers) -> bool:
    """Are the dual variables feasible?"""
    priced = program.matrix.transposed.times(dual)
    reduced = multiplied(program.cost, fitted([priced.denominator])) - priced.numerators
    signs = dual.numerators[~program.equal]
    return not (reduced[program.free].any() or (reduced < 0).any() or (signs < 0).any())


FINE = 200  # binary digits of a lower bound that is rounded down


@dataclass(frozen=True, eq=False)
class SafetyProgram:
    """A game, a model of the opponent, and the value of the game."""

    tree: Tree
    model: Strategy
    value: Fraction  # to the player who plays against the model
    proved: bool  # or is it only the guarantee of the next?
    cautious: RealizationPlan  # the player's, from the linear program of the game
    payoffs: Sparse  # [own sequence, the opponent's], whole numbers
    unit: Fraction  # of these integers
    weights: Numbers  # of the model's plan

    def optimal_plan(
        self, options: Options, floor: Fraction | None = None, weight: Fraction = Fraction(1)
    ) -> tuple[RealizationPlan, bool]:
        """The plan that maximizes ``weight`` of its winnings and the rest of its guarantee.

        Its guarantee is at least ``floor``. The second result is whether it is proved optimal.
        """
        player = next(name for name in self.tree.names if name != self.model.player)
        least, kept = _shortened(None if floor is None else floor / self.unit)
        program = self._program(least, weight)
        own, note = minimum(program, self.payoffs.shape[0], options)
        if isinstance(own, Numbers):
            return RealizationPlan(self.tree, player, own), kept
        if options.exact:
            remedy = "allow more seconds" if note == lp.STOPPED else "scale the payoffs"
            raise NotProved(f"{self.tree.name}: an exact answer was required, and {note}; {remedy}")
        if not own.any():  # no solution was found
            return self.cautious, False
        return plan_from_floats(self.tree, player, own), False

    def repaired(self, plan: RealizationPlan, sure: Fraction, floor: Fraction) -> RealizationPlan:
        """A plan mixed with the cautious one until its guarantee is ``floor``.

        The guarantee of a mixture of two plans is at least the mixture of their guarantees.
        """
        part = (floor - sure) / (self.value - sure)
        both = zip(plan.weights.values(), self.cautious.weights.values(), strict=True)
        weights = Numbers.of(own + part * (safer - own) for own, safer in both)
        return RealizationPlan(self.tree, plan.player, weights)

    def _program(self, least: Fraction | None, weight: Fraction) -> Program:
        """The program with a lower bound of the guarantee in the payoffs' unit, if given."""
        opponent = self.tree.player_number(self.model.player)
        own, other = (constraints(self.tree.choices[at]) for at in (1 - opponent, opponent))
        matrix, side = _constraints(self.payoffs, own, other, least)
        rows, columns = matrix.shape
        wins = self.payoffs.times(self.weights).numerators.astype(object)
        cost = np.zeros(columns, object)
        cost[: len(wins)] = -wins * weight.numerator
        rest = weight.denominator - weight.numerator
        cost[len(wins)] = -rest * self.weights.denominator
        largest = min(bound(self.payoffs.entries.numerators), BEYOND_FLOATS) or 1
        scale = float(2.0 ** (largest.bit_length() - 1))
        largest_cost = min(max(bound(cost), 1), BEYOND_FLOATS)  # beyond, the cost has another unit
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
            cost_unit=1 / float(2.0 ** (largest_cost.bit_length() - 1)),
        )


def _constraints(
    payoffs: Sparse, own: Sparse, other: Sparse, floor: Fraction | None
) -> tuple[Sparse, Array]:
    """The matrix of all rows, and the right-hand side."""
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
    """A lower bound within floats, not above the given one; and whether it is the same."""
    if floor is None or max(abs(floor.numerator), floor.denominator).bit_length() <= LONG:
        return floor, True
    return Fraction((floor.numerator << FINE) // floor.denominator, 1 << FINE), False


def safety_program(model: Strategy, options: Options) -> SafetyProgram:
    """Solve the game for its value, and prepare the payoffs against the model."""
    tree = model.tree
    form = sequence_form(tree)
    at = 1 - tree.player_number(model.player)
    value, proved, cautious = _value(tree, at, options)
    payoffs, unit = lp.integer_payoffs(form, at)
    plan = as_plan(model)
    if not plan.exact:
        plan = plan_from_floats(tree, plan.player, plan.weights.floats)
    return SafetyProgram(tree, plan, value, proved, cautious, payoffs, unit, plan.weights.lowest())


def _value(tree: Tree, at: int, options: Options) -> tuple[Fraction, bool, RealizationPlan]:
    """A player's guarantee, whether it is proved to be the value, and the plan."""
    options.tell("the value of the game")
    found = profile(lp.find(tree, options).strategies)
    other = list(found.responses.values())[1 - at].value
    total = sum(stake[0] for stake in tree.leaf_payoffs)  # the same at every leaf
    if options.exact and found.regret:
        raise NotProved(
            f"{tree.name}: the exact value of the game was not found; allow more seconds"
        )
    return Fraction(total - other), not found.regret, as_plan(found.strategies[at])
