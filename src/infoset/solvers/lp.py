"""Zero-sum games by one linear program: a small one, with both players' strategies in it.

With the sequence form E, e, F, f, A of a game (:mod:`infoset.forms.sequence`), player two's best
plan y, and the values p that player one gets against it at her information sets, solve

    minimize  e'p    subject to   -A y + E'p >= 0,   F y = f,   y >= 0                        (8)
    maximize -q'f    subject to   -A'x - F'q <= 0,   E x = e,   x >= 0                        (9)

(9) is the dual of (8): its variables x, the prices of (8)'s inequalities, are player one's best
plan. One run of a solver gives both. Source: Koller, Megiddo & von Stengel 1994, section 3.

The solver (HiGHS) works in floats, and its answer is a *basis*: which weights are positive and
which actions are best. From the basis the weights follow exactly, as the solution of a system of
linear equations with integer coefficients (:mod:`infoset.linear.lifting`). If they are nonnegative,
and if no action is better than the ones used, the pair is an equilibrium, and that is checked in
integers. Where floats chose a wrong basis, they are made to look closer
(:mod:`infoset.linear.refinement`); if that fails, small games are pivoted through exactly
(:mod:`lcp`).
A program that is stopped knows little; regret minimization (:mod:`cfr`) then says what it can.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, TooLarge
from infoset.forms.sequence import lighter_payoffs, sequence_form
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, Floats, Numbers, bound, fitted
from infoset.linear.program import Program, vertex
from infoset.linear.refinement import refined
from infoset.linear.sparse import Sparse
from infoset.solvers.options import Found, Options
from infoset.strategy import RealizationPlan, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.strategy.response import tree_best_response
from infoset.tree import Tree

NO_BASIS = "no exact basis was found"
STOPPED = "stopped before the end"
UNPROVED = "stopped before it was proved to be exact"
BEARABLE = 400  # sequences of both players up to which exact pivots take over where floats fail
SKETCHING = 0.4  # the part of the time that is kept for another way, if there is no end before
AT_MOST = 10.0  # seconds that this may take
AT_ONCE = 1.0  # seconds, where someone asked to stop
UNTIL_THEN = "discounted-cfr"


def find(tree: Tree, options: Options) -> Found:
    """Both players' optimal plans."""
    form = sequence_form(tree)
    program = linear_program(lighter_payoffs(form), form.E, form.F)
    x, y, work, note = optimal(program, form.A.shape, options, sketched=False)
    if isinstance(x, Numbers) and isinstance(y, Numbers):
        return Found(exact_plans(tree, x, y), work)
    if note == NO_BASIS and (sum(form.A.shape) <= BEARABLE or options.exact):
        return _otherwise(tree, options)
    sketch = Found(plans_from_floats(tree, x, y), work, note)
    hand_over = note == STOPPED and not options.exact  # who wants it exact has no use for less
    return _regretting(tree, options, sketch) if hand_over else sketch


def _regretting(tree: Tree, options: Options, sketch: Found) -> Found:
    """What regret minimization finds in the time that is kept for it, if it takes the game."""
    from infoset.solvers import cfr

    asked = options.stop is not None and options.stop()  # someone waits for an answer
    seconds = max(0.0, min(options.left, AT_ONCE if asked else AT_MOST))
    try:
        found = cfr.find(tree, Options(seconds=seconds, tick=options.tick), UNTIL_THEN)
    except (NotApplicable, TooLarge):
        return sketch
    work = {**sketch.work, "iterations of regret": found.work["iterations"]}
    note = f"{STOPPED}; this is what {UNTIL_THEN} found until then"
    return Found(found.strategies, work, note, convergence=found.convergence, method=UNTIL_THEN)


def _otherwise(tree: Tree, options: Options) -> Found:
    """Where floats fail: exact pivots, or, for one player, just the best that it can do."""
    from infoset.solvers.lcp import pivoted_exactly

    if len(tree.players) == 1:
        return Found(
            (tree_best_response(tree, 0, tree.nature.take(tree.leaf_indices)).strategy,), {}
        )
    found = pivoted_exactly(sequence_form(tree), options)
    return Found(found.strategies, found.work, found.note or "floats failed; pivoted exactly")


def optimal(
    program: Program, shape: tuple[int, int], options: Options, sketched: bool = True
) -> tuple[Any, Any, dict[str, int], str]:
    """Both players' weights, exact if that can be had and is wanted, else floats; work; a note.

    If the program is stopped, ``sketched`` asks for what interior points say in some seconds more.
    """
    options.tell(f"linear program of {program.shape[0]:,} rows")
    if bound(program.matrix.entries.numerators) >= BEYOND_FLOATS:
        return np.zeros(shape[0]), np.zeros(shape[1]), {"iterations": 0}, NO_BASIS
    seconds = options.left if options.seconds is None else options.left * (1 - SKETCHING)
    answer = highs.minimize(program, seconds, options.tick, options.stop)
    work = {"iterations": answer.iterations}
    if answer.stopped and sketched:
        answer = highs.sketch(program, min(options.left, AT_MOST), options.tick)
    x, y = answer.dual[: shape[0]], answer.primal[: shape[1]]
    if answer.basis is None:
        return x, y, work, STOPPED if answer.stopped else NO_BASIS
    if options.exact is False:
        return x, y, work, ""
    options.tell("exact arithmetic")
    budget = Budget(seconds=options.left)
    corner = vertex(program, answer.basis, budget)
    if corner is None or not corner.optimal:
        options.tell("refinement")
        corner = refined(program, answer, budget)
    if corner is None:  # the floats are there all the same
        return x, y, work, UNPROVED if options.over() else NO_BASIS
    own, other = (np.arange(size) for size in shape)
    return corner.dual.take(own).lowest(), corner.primal.take(other).lowest(), work, ""


def linear_program(payoffs: Sparse, own: Sparse, other: Sparse) -> Program:
    """The linear program (8) of A, E and F, in integers: A times its denominator, p likewise."""
    n, matrix = payoffs.shape, best_reply_matrix(payoffs, own, other)
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


def best_reply_matrix(payoffs: Sparse, own: Sparse, other: Sparse) -> Sparse:
    """``[[-A, E'], [F, 0]]``, A as whole numbers without a common factor: what y, p must obey."""
    n, upright = payoffs.shape, own.transposed
    amounts = payoffs.entries.numerators
    shared = gcd(*amounts.tolist())  # no matter to who is best, and floats like small numbers
    amounts = fitted(amounts // shared) if shared > 1 else amounts
    rows = np.concatenate((payoffs.rows, upright.rows, n[0] + other.rows))
    columns = np.concatenate((payoffs.columns, n[1] + upright.columns, other.columns))
    values = np.concatenate((-amounts, upright.entries.numerators, other.entries.numerators))
    shape = (n[0] + other.shape[0], n[1] + own.shape[0])
    return Sparse(rows, columns, Numbers(values), shape)


def exact_plans(tree: Tree, *weights: Numbers) -> tuple[Strategy, ...]:
    """Exact weights as the players' plans."""
    return tuple(
        RealizationPlan(tree, player, own) for player, own in zip(tree.names, weights, strict=False)
    )


def plans_from_floats(tree: Tree, *weights: Floats) -> tuple[Strategy, ...]:
    """Floats as exact plans near to them."""
    return tuple(
        plan_from_floats(tree, player, own)
        for player, own in zip(tree.names, weights, strict=False)
    )
