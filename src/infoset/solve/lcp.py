"""Games of two players with any payoffs: Lemke's method on the sequence form.

Plans x, y are an equilibrium exactly if there are values p, q of the information sets with

    r = E'p - A y >= 0,    E x = e,  x >= 0,    x_i r_i = 0 for each sequence i,           (10, 11)
    s = F'q - B'x >= 0,    F y = f,  y >= 0,    y_j s_j = 0 for each sequence j:

only best sequences are played. That is a linear complementarity problem (Koller, Megiddo & von
Stengel 1994, sections 3 and 5), and Lemke's method follows a path to a solution of it.

The problem is put up in :mod:`infoset.solve.complementarity`, with a prior from which the path sets
out; the path is followed in :mod:`infoset.linear.pivoting`, ties broken lexicographically.

*Exact.* Small games are pivoted in integers. In larger ones floats do it; then the basis at the end
gives the plans as exact solutions of two linear systems, as for the linear program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear.lifting import Budget, System
from infoset.linear.numbers import Numbers
from infoset.linear.pivoting import (
    ExactTableau,
    FloatTableau,
    Path,
    Status,
    Tableau,
    follow,
    partners,
    values,
)
from infoset.linear.program import spread
from infoset.linear.sparse import Sparse
from infoset.linear.tableau import check_room
from infoset.solve.complementarity import Problem, problem
from infoset.solve.lp import NO_BASIS, STOPPED, best_reply_matrix, exact_plans, sketched_plans
from infoset.solve.options import Found, Options
from infoset.tree import Tree

Bools = npt.NDArray[np.bool_]

SMALL = 40  # pairs up to which pivots are exact from the start
BEARABLE = 400  # pairs up to which they are where floats have failed
EXACT_ENTRY = 100  # bytes of an entry that is an integer, once it has grown
MOST = 1_000_000  # pivots, in integers
MOST_IN_FLOATS, ASTRAY = 10_000, 20  # in floats, and for each pair: more are a sign of rounding


def find(tree: Tree, options: Options) -> Found:
    """An equilibrium."""
    form = sequence_form(tree)
    pairs = sum(form.A.shape)
    options.tell(f"complementarity problem of {pairs:,} pairs")
    check_room(pairs, tree.name)
    if pairs <= SMALL and options.exact is not False:
        return pivoted_exactly(form, options)
    posed = problem(form, exact=False)
    path, tableau = followed(posed, FloatTableau, options)
    rows, work = form.A.shape[0], {"pivots": path.pivots}
    if path.status is not Status.FOUND and worth_a_try(pairs, options):
        return pivoted_exactly(form, options)  # rounding has led floats astray
    if path.status is Status.FOUND and options.exact is not False:
        options.tell("exact arithmetic")
        played = posed.played(tableau.basis)
        matrices = (form.A, form.B, form.E, form.F)
        proved = certified(matrices, played[:rows], played[rows:], Budget(seconds=options.left))
        if proved is not None:
            return Found(exact_plans(tree, *proved), work)
        if worth_a_try(pairs, options):
            return pivoted_exactly(form, options)
    weights = np.array(posed.weights(values(tableau)), np.float64)
    return Found(sketched_plans(tree, weights[:rows], weights[rows:]), work, _note(path, options))


def worth_a_try(pairs: int, options: Options) -> bool:
    """Where floats have failed: may exact pivots take their turn?"""
    if options.exact is False or options.over():
        return False
    return pairs <= BEARABLE or options.exact is True


def pivoted_exactly(form: SequenceForm, options: Options) -> Found:
    """An equilibrium by pivots in integers, however long they become."""
    check_room(sum(form.A.shape), form.tree.name, EXACT_ENTRY)
    posed = problem(form, exact=True)
    path, tableau = followed(posed, ExactTableau, options)
    weights, rows = posed.weights(values(tableau)), form.A.shape[0]
    work = {"pivots": path.pivots}
    if path.status is Status.FOUND:
        x, y = Numbers.of(weights[:rows]), Numbers.of(weights[rows:])
        return Found(exact_plans(form.tree, x, y), work)
    floats = np.array(weights, np.float64)
    return Found(
        sketched_plans(form.tree, floats[:rows], floats[rows:]), work, _note(path, options)
    )


def _note(path: Path, options: Options) -> str:
    if path.status is not Status.FOUND:
        return f"{path.status.value} after {path.pivots:,} pivots"
    if options.exact is False:
        return ""
    return STOPPED if options.over() else NO_BASIS


def followed(
    posed: Problem, kind: type[Tableau[Any]], options: Options
) -> tuple[Path, Tableau[Any]]:
    """Follow the path from t = 0 until the slack 1 - t leaves the basis: t is 1."""
    size = posed.pairs
    time, slack = 2 * size, 2 * size + 1
    tableau = kind(
        posed.matrix,
        posed.side,
        rows=[*range(size), slack],
        columns=[*range(size, 2 * size), time],
        partner=partners(size, extra=2),
    )
    path = follow(
        tableau,
        entering=time,
        ends={slack},
        most=MOST if kind is ExactTableau else max(MOST_IN_FLOATS, ASTRAY * size),
        tick=lambda pivots: options.tell(f"{pivots:,} pivots"),
        stop=options.over,
    )
    return path, tableau


def certified(
    matrices: tuple[Sparse, Sparse, Sparse, Sparse], x_basic: Bools, y_basic: Bools, budget: Budget
) -> tuple[Numbers, Numbers] | None:
    """The exact weights of A, B, E, F that belong to a basis; None if it is not that of a solution.

    Sequences that are played must be best: r_i = 0 for the basic x_i are as many equations as
    there are basic y and values p, once F y = f is added. And so for the other player. What is left
    to check is that no weight and no r_i is negative.
    """
    one, two, own, other = matrices
    y = _weights(best_reply_matrix(one, own, other), x_basic, y_basic, budget)
    if y is None:
        return None
    x = _weights(best_reply_matrix(two.transposed, other, own), y_basic, x_basic, budget)
    return (x, y) if x is not None else None


def _weights(matrix: Sparse, tight: Bools, basic: Bools, budget: Budget) -> Numbers | None:
    rows = np.concatenate((np.flatnonzero(tight), np.arange(len(tight), matrix.shape[0])))
    columns = np.concatenate((np.flatnonzero(basic), np.arange(len(basic), matrix.shape[1])))
    if len(rows) != len(columns):
        return None
    side = (rows == len(tight)).astype(np.int64)  # F y = f: one, then zeros
    system = System.part(matrix, rows, columns)
    solved = system.solve(side, budget) if system is not None else None
    if solved is None:
        return None
    found = spread(solved, columns, matrix.shape[1])
    weights = found.take(np.arange(len(basic)))
    losses = matrix.times(found).numerators[: len(tight)]
    if (weights.numerators < 0).any() or (losses < 0).any():
        return None
    return weights.lowest()
