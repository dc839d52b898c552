"""Two-player games by the Lemke–Howson method on the normal form.

Make all payoffs positive. Mixed strategies x, y of a game with payoffs A, B are, up to
normalization, points of

    w = 1 - A y >= 0,  y >= 0,        v = 1 - B'x >= 0,  x >= 0

and an equilibrium is a pair other than zero with x_i w_i = 0 and y_j v_j = 0 for all i and j: every
strategy is unplayed or a best response. Zero satisfies this, too. From there one strategy enters,
and complementary pivots lead along a path to another such pair, which is an equilibrium (Lemke &
Howson 1964; a constructive proof of existence). Degeneracy is resolved lexicographically.

Small games are pivoted in integers; for larger ones floats find the basis, from which the exact
weights follow.

*Matrices.* A mixed strategy is a vector x >= 0 whose entries sum to one: E is one row of ones. So
the normal form has the same four matrices A, B, E, F as the sequence form, and what solves one form
solves the other (Koller, Megiddo & von Stengel 1994, section 3).
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from infoset.forms.normal import NormalForm, normal_form
from infoset.linear.lifting import Budget
from infoset.linear.numbers import Array, Floats, Numbers, fitted
from infoset.linear.pivoting import (
    ExactTableau,
    FloatTableau,
    Path,
    Status,
    Tableau,
    check_room,
    follow,
    partners,
    values,
)
from infoset.linear.sparse import Sparse
from infoset.solvers.lcp import (
    EXACT_ENTRY,
    MOST,
    MOST_IN_FLOATS,
    MOST_PER_PAIR,
    certify,
    try_exact_pivots,
)
from infoset.solvers.lp import NO_BASIS, STOPPED, probabilities_from_floats
from infoset.solvers.options import Found, Options
from infoset.strategy import Mixed, Pure, Strategy
from infoset.tree import Tree


def payoff_table(form: NormalForm, player: int) -> Array:
    """A player's payoffs in integers, by row and column; a game of one player has one column."""
    table = form.numerators[player] if player < len(form.numerators) else -form.numerators[0]
    return table.reshape(form.shape[0], -1)


def matrices(form: NormalForm) -> tuple[Sparse, Sparse, Sparse, Sparse]:
    """A, B, E and F of a normal form."""
    one, two = (payoff_table(form, player) for player in (0, 1))
    return _full(one), _full(two), _ones(one.shape[0]), _ones(one.shape[1])


def _full(table: Array) -> Sparse:
    rows, columns = np.nonzero(table)
    return Sparse(rows, columns, Numbers(fitted(table[rows, columns])), table.shape)


def _ones(size: int) -> Sparse:
    places = np.arange(size)
    return Sparse(np.zeros(size, np.int64), places, Numbers(np.ones(size, np.int64)), (1, size))


def exact_mixed(form: NormalForm, *weights: Numbers) -> tuple[Strategy, ...]:
    """Mixed strategies of the tree from exact weights."""
    return tuple(
        _mixed(form, player, own.lowest())
        for player, own in zip(range(len(form.shape)), weights, strict=False)
    )


def mixed_from_floats(form: NormalForm, *weights: Floats) -> tuple[Strategy, ...]:
    """Exact mixed strategies near weights in floats."""
    return tuple(
        _mixed(form, player, probabilities_from_floats(own))
        for player, own in zip(range(len(form.shape)), weights, strict=False)
    )


def _mixed(form: NormalForm, player: int, weights: Numbers) -> Mixed:
    played = np.flatnonzero(weights.numerators)
    tree, name = form.tree, form.tree.names[player]
    plans = tuple(Pure(tree, name, tuple(sorted(form.plan(player, int(at))))) for at in played)
    return Mixed(tree, name, plans, weights.take(played))


SMALL = 40  # strategies of both players up to which pivots are exact from the start


def find(tree: Tree, options: Options) -> Found:
    """An equilibrium in mixed strategies."""
    options.tell("normal form")
    form = normal_form(tree)
    size, rows = sum(form.shape), form.shape[0]
    check_room(size, tree.name)
    if size <= SMALL and options.exact is not False:
        return pivot_exactly(form, options)
    path, tableau = _follow_path(form, FloatTableau, options)
    work = _work(form, path)
    weights = _weights(size, tableau)
    if path.status is not Status.FOUND and try_exact_pivots(size, options):
        return pivot_exactly(form, options)  # floats failed by rounding
    if path.status is Status.FOUND and options.exact is not False:
        basic = np.zeros(size, np.bool_)
        basic[[variable - size for variable in tableau.basis if variable >= size]] = True
        budget = Budget(seconds=options.left)
        proved = certify(matrices(form), basic[:rows], basic[rows:], budget)
        if proved is not None:
            return Found(exact_mixed(form, *proved), work)
        if try_exact_pivots(size, options):
            return pivot_exactly(form, options)
    floats = np.array(weights, np.float64)
    note = f"{path.status.value}, {path.pivots:,} pivots"
    if path.status is Status.FOUND:
        note = "" if options.exact is False else STOPPED if options.over() else NO_BASIS
    return Found(mixed_from_floats(form, floats[:rows], floats[rows:]), work, note)


def pivot_exactly(form: NormalForm, options: Options) -> Found:
    """An equilibrium by pivots in integers of any length."""
    check_room(sum(form.shape), form.tree.name, EXACT_ENTRY)
    path, tableau = _follow_path(form, ExactTableau, options)
    weights, rows = _weights(sum(form.shape), tableau), form.shape[0]
    if path.status is not Status.FOUND:
        floats = np.array([float(weight) for weight in weights])
        note = f"{path.status.value}, {path.pivots:,} pivots"
        return Found(mixed_from_floats(form, floats[:rows], floats[rows:]), _work(form, path), note)
    x, y = (_normalized(own) for own in (weights[:rows], weights[rows:]))
    return Found(exact_mixed(form, x, y), _work(form, path))


def _work(form: NormalForm, path: Path) -> dict[str, int]:
    return {"pivots": path.pivots, "profiles": prod(form.shape)}


def _normalized(weights: list[Any]) -> Numbers:
    total = sum(weights)
    return Numbers.of(weight / total for weight in weights)


def _weights(size: int, tableau: Tableau[Any]) -> list[Any]:
    """[strategy of either player] its weight, before normalization."""
    found = values(tableau)
    return [found.get(size + strategy, 0) for strategy in range(size)]


def _follow_path(
    form: NormalForm, kind: type[Tableau[Any]], options: Options
) -> tuple[Path, Tableau[Any]]:
    """Let the first strategy enter, and follow the path until its pair is complementary again."""
    size, rows = sum(form.shape), form.shape[0]
    exact = kind is ExactTableau
    matrix = np.zeros((size, size), object if exact else np.float64)
    matrix[:rows, rows:] = -_positive(payoff_table(form, 0), exact)
    matrix[rows:, :rows] = -_positive(payoff_table(form, 1), exact).T
    tableau = kind(matrix, [1] * size, range(size), range(size, 2 * size), partners(size))
    path = follow(
        tableau,
        entering=size,
        ends={0, size},
        most=MOST if exact else max(MOST_IN_FLOATS, MOST_PER_PAIR * size),
        tick=lambda pivots: options.tell(f"{pivots:,} pivots"),
        stop=options.over,
    )
    return path, tableau


def _positive(table: Array, exact: bool) -> Array:
    """The payoffs shifted until the least is one; in floats scaled to 1/2 to 1."""
    moved = table.astype(object) - int(table.min())
    if exact:
        return moved + 1
    span = max(int(moved.max()), 1)
    return np.asarray(0.5 + 0.5 * (moved / span), np.float64)
