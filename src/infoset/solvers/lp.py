"""Two-player zero-sum games by one linear program that contains both players' strategies.

With the sequence form E, e, F, f, A of a game (:mod:`infoset.forms.sequence`), player two's optimal
plan y, and the values p of player one's information sets against it, solve

    minimize  e'p    subject to   -A y + E'p >= 0,   F y = f,   y >= 0                        (8)
    maximize -q'f    subject to   -A'x - F'q <= 0,   E x = e,   x >= 0                        (9)

(9) is the dual of (8): its variables x, the dual variables of the inequalities of (8), are player
one's optimal plan. So one run of a solver gives both. Source: Koller, Megiddo & von Stengel 1994,
section 3.

The solver (HiGHS) works in floats, and its answer is a *basis*: which weights are positive and
which actions are best responses. The exact weights of the basis are the solution of a system of
linear equations with integer coefficients (:mod:`infoset.linear.lifting`). If they are nonnegative
and no action is better than those in the support, the pair is an equilibrium, which is checked in
integers. Where the basis is not optimal, iterative refinement follows
(:mod:`infoset.linear.refinement`); if that fails, small games are solved by exact pivots
(:mod:`infoset.solvers.lcp`). A program that is stopped has no useful solution; regret minimization
(:mod:`infoset.solvers.cfr`) then gives one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, NotProved, OutOfTime, TooLarge
from infoset.forms.public.plans import nearest_plan
from infoset.forms.public.record import PublicForm, sequence_matrices
from infoset.forms.sequence import SequenceForm, lighter_payoffs, sequence_form
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Floats, Numbers, bound, fitted
from infoset.linear.program import Program, Vertex, vertex
from infoset.linear.refinement import refined
from infoset.linear.sparse import Sparse
from infoset.solvers.options import Found, Options
from infoset.strategy import RealizationPlan, Strategy
from infoset.strategy.behaviour import FINE, plan_from_floats
from infoset.strategy.response import tree_best_response
from infoset.text import brief
from infoset.tree import Tree

NO_BASIS = "no exact basis was found"
STOPPED = "stopped before the end"
UNPROVED = "stopped before it was proved to be exact"
EXACT_FALLBACK = 400  # sequences of both players up to which exact pivots follow where floats fail
RESERVED = 0.4  # the part of the time reserved for another method, if the program does not end
MOST_RESERVED = 10.0  # seconds that it may take
ON_REQUEST = 1.0  # seconds, if stopped by request
FALLBACK = "discounted-cfr"
HANDED_OVER = f"{STOPPED}; these strategies are from {FALLBACK}"


def find(tree: Tree, options: Options) -> Found:
    """Both players' optimal plans."""
    form = sequence_form(tree)
    program = linear_program(lighter_payoffs(form), form.E, form.F)
    x, y, work, note = optimal(program, form.A.shape, options, approximate=False)
    if isinstance(x, Numbers) and isinstance(y, Numbers):
        return Found(exact_plans(tree, x, y), work)
    if note == NO_BASIS and (sum(form.A.shape) <= EXACT_FALLBACK or options.exact):
        return _without_floats(tree, options)
    approximate = Found(plans_from_floats(tree, x, y), work, note)
    hand_over = note == STOPPED and not options.exact  # an approximate answer is of no use if exact
    return _by_regret_minimization(tree, options, approximate) if hand_over else approximate


def _by_regret_minimization(tree: Tree, options: Options, approximate: Found) -> Found:
    """The result of regret minimization in the reserved time, if it applies to the game."""
    from infoset.solvers import cfr

    try:
        found = cfr.find(tree, in_reserved_time(options), FALLBACK)
    except (NotApplicable, TooLarge):
        return approximate
    work = both_works(approximate.work, found.work)
    return Found(
        found.strategies, work, HANDED_OVER, convergence=found.convergence, method=FALLBACK
    )


def in_reserved_time(options: Options) -> Options:
    """Options of the method that takes over when a program is stopped."""
    asked = options.stop is not None and options.stop()  # stopped by request: answer soon
    seconds = max(0.0, min(options.left, ON_REQUEST if asked else MOST_RESERVED))
    return Options(seconds=seconds, tick=options.tick)


def both_works(program: Mapping[str, int], minimization: Mapping[str, int]) -> dict[str, int]:
    """Counts of the work of a program that was stopped, and of what took over."""
    return {**program, "iterations of regret": minimization["iterations"]}


def _without_floats(tree: Tree, options: Options) -> Found:
    """Where floats fail: exact pivots, or for one player the best response to chance."""
    from infoset.solvers.lcp import pivot_exactly

    if len(tree.players) == 1:
        return Found(
            (tree_best_response(tree, 0, tree.chance_reach.take(tree.leaf_indices)).strategy,), {}
        )
    found = pivot_exactly(sequence_form(tree), options)
    return Found(found.strategies, found.work, found.note or "floats failed; pivoted exactly")


def optimal(
    program: Program, shape: tuple[int, int], options: Options, approximate: bool = True
) -> tuple[Any, Any, dict[str, int], str]:
    """Both players' weights, exact if possible and wanted, else floats; work; a note.

    If the program is stopped and ``approximate``, an interior-point method gets some more seconds.
    """
    options.tell(f"linear program of {program.shape[0]:,} rows")
    if bound(program.matrix.entries.numerators) >= BEYOND_FLOATS:
        return np.zeros(shape[0]), np.zeros(shape[1]), {"iterations": 0}, NO_BASIS
    seconds = options.left if options.seconds is None else options.left * (1 - RESERVED)
    answer = highs.minimize(program, seconds, options.tick, options.stop)
    work = {"iterations": answer.iterations}
    if answer.stopped and approximate:
        answer = highs.approximate(program, min(options.left, MOST_RESERVED), options.tick)
    x, y = answer.dual[: shape[0]], answer.primal[: shape[1]]
    if answer.basis is None:
        return x, y, work, STOPPED if answer.stopped else NO_BASIS
    if options.exact is False:
        return x, y, work, ""
    options.tell("exact arithmetic")
    corner = exact_vertex(program, answer, Budget(seconds=options.left), options.tell)
    if corner is None:
        return x, y, work, UNPROVED if options.over() else NO_BASIS
    own, other = (np.arange(size) for size in shape)
    return corner.dual.take(own).lowest(), corner.primal.take(other).lowest(), work, ""


def exact_vertex(
    program: Program,
    answer: highs.FloatOptimum | None,
    budget: Budget,
    tell: Callable[[str], None] = lambda what: None,
) -> Vertex | None:
    """The optimal vertex of a basis found in floats, or one near it; None if none is found."""
    if answer is None or answer.basis is None:
        return None
    try:
        corner = vertex(program, answer.basis, budget)
        if corner is not None and corner.optimal:
            return corner
        tell("refinement")
        return refined(program, answer, budget)
    except OutOfTime:  # the answer in floats is there
        return None


def linear_program(payoffs: Sparse, own: Sparse, other: Sparse) -> Program:
    """The linear program (8) of A, E and F, in integers: A and p times the denominator of A."""
    n, matrix = payoffs.shape, best_response_matrix(payoffs, own, other)
    side, cost = (np.zeros(size, np.int64) for size in matrix.shape)
    cost[n[1]] = side[n[0]] = 1
    largest = min(bound(matrix.entries.numerators), BEYOND_FLOATS)
    unit = float(2.0 ** (largest.bit_length() - 1))
    return Program(
        matrix=matrix,
        cost=cost,
        side=side,
        equal=np.arange(len(side)) >= n[0],
        free=np.arange(len(cost)) >= n[1],
        row_unit=np.where(np.arange(len(side)) < n[0], 1 / unit, 1.0),
        column_unit=np.where(np.arange(len(cost)) < n[1], 1.0, unit),
        cost_unit=1 / unit,
    )


def integer_payoffs(form: SequenceForm, player: int) -> tuple[Sparse, Fraction]:
    """A player's payoffs by own and the opponent's sequence, and their unit.

    The payoffs are integers without a common factor; times the unit they are those of the game.
    """
    given = form.payoffs[0] if player == 0 else form.payoffs[1].transposed
    amounts = given.entries.numerators
    shared = gcd(*amounts.tolist()) or 1
    whole = Numbers(fitted(amounts.astype(object) // shared))
    unit = Fraction(shared, given.entries.denominator)
    return Sparse(given.rows, given.columns, whole, given.shape), unit


def best_response_matrix(payoffs: Sparse, own: Sparse, other: Sparse) -> Sparse:
    """``[[-A, E'], [F, 0]]``, A in integers without common factor: the rows of (8)."""
    n, upright = payoffs.shape, own.transposed
    amounts = payoffs.entries.numerators
    shared = gcd(*amounts.tolist())  # does not change best responses, and keeps floats accurate
    amounts = fitted(amounts // shared) if shared > 1 else amounts
    rows = np.concatenate((payoffs.rows, upright.rows, n[0] + other.rows))
    columns = np.concatenate((payoffs.columns, n[1] + upright.columns, other.columns))
    values = np.concatenate((-amounts, upright.entries.numerators, other.entries.numerators))
    shape = (n[0] + other.shape[0], n[1] + own.shape[0])
    return Sparse(rows, columns, Numbers(values), shape)


def exact_plans(tree: Tree, *weights: Numbers) -> tuple[Strategy, ...]:
    """The players' realization plans from exact weights."""
    return tuple(
        RealizationPlan(tree, player, own) for player, own in zip(tree.names, weights, strict=False)
    )


def plans_from_floats(tree: Tree, *weights: Floats) -> tuple[Strategy, ...]:
    """Exact realization plans near weights in floats."""
    return tuple(
        plan_from_floats(tree, player, own)
        for player, own in zip(tree.names, weights, strict=False)
    )


def probabilities_from_floats(weights: Floats) -> Numbers:
    """Exact probabilities near weights in floats; the largest takes the rounding.

    >>> probabilities_from_floats(np.array([0.5, -0.1, np.nan, 1.5]))
    Numbers([1/4, 0, 0, 3/4])
    """
    kept = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0)
    total = kept.sum()
    if not total > 0:
        kept, total = np.ones(len(weights)), float(len(weights))
    whole = np.rint(kept / total * FINE).astype(np.int64)
    whole[int(np.argmax(whole))] += FINE - int(whole.sum())
    return Numbers(whole, FINE)


# ---------------------------------------------------------------------- public forms


@dataclass(frozen=True, eq=False)
class PublicPlans:
    """Plans of both players, by the sequences of a public form."""

    weights: tuple[Numbers, Numbers]  # [player][sequence], the empty one first
    value: Fraction | float  # what player one gets; a Fraction if the weights are exact
    work: Mapping[str, int]
    note: str = ""  # why it is not exact, if that was not asked for

    @property
    def exact(self) -> bool:
        """Are these optimal plans, proved in integers?"""
        return self.weights[0].exact


def find_public(form: PublicForm, options: Options | None = None) -> PublicPlans:
    """Optimal plans of both players of a public form: exact, or floats where there is no proof.

    The program is the same, with the matrices of a public form instead of a tree's. Where there is
    no proof, the weights are floats, corrected to satisfy the constraints of a plan, and uniform if
    the program was stopped. With ``exact=True`` an answer that is not proved is an error.

    >>> from infoset.forms.public.record import PublicCounts
    >>> counts = PublicCounts(1, 0, 1, (0, 0), (0, 0), (1, 1))
    >>> nothing = PublicForm("nothing", ("one", "two"), ((), ()), (), (), Fraction(0), counts)
    >>> find_public(nothing).value
    Fraction(0, 1)
    """
    options = options or Options()
    payoffs, own, other = sequence_matrices(form)
    program = linear_program(payoffs, own, other)
    x, y, work, note = optimal(program, payoffs.shape, options, approximate=False)
    if isinstance(x, Numbers) and isinstance(y, Numbers):
        return PublicPlans((x, y), expected(payoffs, x, y), work)
    if options.exact:
        raise NotProved(
            f"{brief(form.name)}: no exact plans of its public form ({note}); ask for floats, or"
            " give it more time"
        )
    one, two = (
        Numbers(nearest_plan(form, player, weights)) for player, weights in enumerate((x, y))
    )
    return PublicPlans((one, two), expected(payoffs, one, two), work, note)


def expected(payoffs: Sparse, x: Numbers, y: Numbers) -> Fraction | float:
    """``x'A y``: player one's payoff, exact if both plans are; NaN if it is beyond floats."""
    with np.errstate(invalid="ignore", over="ignore"):  # payoffs may be beyond all floats
        value: Fraction | float = payoffs.times(y).times(x).total
    return value
