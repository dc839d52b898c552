"""Small supports: few pure strategies that do the same as many.

All that a mixed strategy does to a game is in the weights that it gives the leaves, and these are
an average of the pure strategies' own: 0 or 1 for each leaf. So the support need not be larger than
the number of leaves (Koller, Megiddo & von Stengel 1994, theorem 4.1), which is Carathéodory's
argument: while the pure strategies' vectors are linearly dependent, Σ d_p v_p = 0, the weights may
move along the dependence, μ − t d, without changing the average, until one of them is zero. The
vectors are not negative and none is zero, so d has entries of both signs, and the move ends.
:func:`small_support` does that, whatever the player recalls.

With perfect recall it goes faster, and with a better bound: :func:`peel` takes pure strategies off
a realization plan, one after the other. Each chooses only sequences of positive weight, and takes
the least of their weights, so that it is used up.

*Bound.* Say that a choice is alive while its weight is positive, and an information set u while the
weight of the sequence that leads there is. Let f be the number of choices alive minus the number of
sets alive; f >= 0, since the choices of a set share what leads there. Peeling t lowers one choice
at each set that the pure strategy reaches. A set that dies had only that one choice alive, as t was
all that led there; set and choice go together, and f stays. Of the choices that die take the first
on a path: its set lives on, unless nothing at all is left, so f falls. Thus there are at most
1 + f <= 1 + Σ (|C_u| − 1) pure strategies; and the leaves are at least that many, since a tree has
1 + Σ (children − 1) of them, summed over its inner nodes, and every set has a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import ROOM, Array, Numbers, bound, fitted
from infoset.strategy.mixed import Mixed
from infoset.strategy.plan import RealizationPlan, plan_from_sketch
from infoset.strategy.pure import Pure

# ---------------------------------------------------------------------- with perfect recall


def peel(plan: RealizationPlan) -> Mixed:
    """A mixed strategy with the same weights, of at most 1 + Σ (|C_u| − 1) pure strategies.

    Its pure strategies are reduced: they say nothing where their own choices do not lead. A plan of
    floats is first rounded to rationals, and the weights become floats again.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import behaviour
    >>> bluff = {"J": {"pass": 0.75, "bet": 0.25}, "Q": {"pass": 1}, "K": {"bet": 1}}
    >>> bluff |= {"J, [pass], bet": {"pass": 1}, "Q, [pass], bet": {"pass": 0.5, "bet": 0.5}}
    >>> print(peel(behaviour(kuhn().tree(), "gambler", bluff).plan))
    gambler
    <BLANKLINE>
    probability   pure strategy
    1/2 ████      J → pass; J, [pass], bet → pass; Q → pass; Q, [pass], bet → pass; K → bet
    1/4 ██        J → pass; J, [pass], bet → pass; Q → pass; Q, [pass], bet → bet; K → bet
    1/4 ██        J → bet; Q → pass; Q, [pass], bet → bet; K → bet
    """
    if not plan.exact:
        return peel(plan_from_sketch(plan.tree, plan.player, plan.weights.floats)).inexact()
    left: list[int] = [int(over) for over in plan.weights.numerators]
    plans, weights = [], []
    while left[0]:
        taken = _inside(plan, left)
        least = min((left[choice] for choice in taken.values()), default=left[0])
        for choice in (0, *taken.values()):
            left[choice] -= least
        plans.append(_pure(plan, taken))
        weights.append(Fraction(least, plan.weights.denominator))
    return Mixed(plan.tree, plan.player, tuple(plans), Numbers.of(weights))


def _inside(plan: RealizationPlan, left: list[int]) -> dict[int, int]:
    """By own set that is reached: a choice with some weight left, the one with most."""
    choices = plan.choices
    reached = {0}
    taken: dict[int, int] = {}
    for stage in choices.stages:
        for own in stage.tolist():
            if int(choices.before[own]) in reached:
                first = int(choices.first[own])
                options = range(first, first + int(choices.sizes[own]))
                taken[own] = max(options, key=left.__getitem__)
                reached.add(taken[own])
    return taken


def _pure(plan: RealizationPlan, taken: dict[int, int]) -> Pure:
    choices = plan.choices
    chosen = (
        (int(choices.infosets[own]), choice - int(choices.first[own]))
        for own, choice in sorted(taken.items())
    )
    return Pure(plan.tree, plan.player, tuple(chosen))


# ---------------------------------------------------------------------- whatever is recalled


def small_support(mixed: Mixed) -> Mixed:
    """An equivalent mixed strategy on some of the same pure ones, which are linearly independent.

    So there are at most as many as leaves, and at most as many as own paths to leaves. Exact; with
    floats, the rounding of the weights alone.

    >>> from itertools import product
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import mixed, pure
    >>> tree = kuhn().tree()
    >>> sets = tree.infosets_of("dealer")
    >>> plans = [pure(tree, "dealer", dict(zip(sets, actions)))
    ...     for actions in product(("pass", "bet"), repeat=len(sets))]
    >>> even = mixed(tree, "dealer", dict.fromkeys(plans, Fraction(1, 64)))
    >>> len(even), len(small_support(even)), len(list(tree.leaves))
    (64, 2, 30)
    """
    plans = mixed.support
    ends = mixed.tree.ends
    vectors = np.array([plan.at(ends).numerators for plan in plans])
    weights = independent(vectors, [Fraction(mixed[plan]) for plan in plans])
    kept = [at for at, weight in enumerate(weights) if weight]
    numbers = Numbers.of(weights[at] for at in kept)
    return Mixed(
        mixed.tree,
        mixed.player,
        tuple(plans[at] for at in kept),
        numbers if mixed.exact else numbers.inexact(),
    )


def independent(vectors: npt.NDArray[np.int64], weights: Sequence[Fraction]) -> list[Fraction]:
    """Weights >= 0 that give the same average, and are 0 on all but independent vectors.

    ``vectors[p]`` is >= 0 and not zero, for each p.
    """
    moved = list(weights)
    rows = _dependences(np.unique(vectors, axis=1))
    while len(rows):
        row, rows = rows[0], rows[1:]
        signs = row.tolist()
        step, at = min((moved[p] / sign, p) for p, sign in enumerate(signs) if sign > 0)
        moved = [
            weight - step * sign if sign else weight
            for weight, sign in zip(moved, signs, strict=True)
        ]
        rows = _without(rows, row, at)  # weight number ``at`` is zero, and stays so
    return moved


def _dependences(vectors: npt.NDArray[np.int64]) -> Array:
    """[dependence, vector] a basis of the integers d with Σ d_p v_p = 0."""
    from flint import fmpz_mat

    count, length = vectors.shape
    reduced, under, rank = fmpz_mat(length, count, vectors.T.ravel().tolist()).rref()
    table = np.array([[int(entry) for entry in row] for row in reduced.tolist()[:rank]], object)
    whole, pivots = int(under), np.array([int(np.argmax(row != 0)) for row in table], np.int64)
    others = np.setdiff1d(np.arange(count), pivots)
    rows = np.zeros((len(others), count), object)
    rows[np.arange(len(others)), others] = whole
    rows[:, pivots] = -table[:, others].T
    return _primitive(rows)


def _without(rows: Array, row: Array, at: int) -> Array:
    """Dependences of the vectors but one, whose coefficient in ``row`` is positive."""
    touched = np.flatnonzero(rows[:, at])
    if not len(touched):
        return rows
    if 2 * bound(rows.ravel()) * bound(row) >= ROOM:
        rows, row = rows.astype(object), row.astype(object)
    here = rows[touched]
    cleared = _primitive(here * row[at] - here[:, at, None] * row)
    if cleared.dtype != rows.dtype:
        rows, cleared = rows.astype(object), cleared.astype(object)
    rows[touched] = cleared
    return rows


def _primitive(rows: Array) -> Array:
    """Each row without the factors that its entries share."""
    if not len(rows):
        return rows
    rows = rows // np.gcd.reduce(rows, axis=1)[:, None]
    return fitted(rows.ravel()).reshape(rows.shape) if rows.dtype == object else rows
