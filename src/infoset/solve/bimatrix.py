"""The normal form as the same four matrices A, B, E, F that the sequence form has.

A mixed strategy is a vector x >= 0 whose entries sum to one: E is one row of ones (Koller, Megiddo
& von Stengel 1994, section 3). What solves the one form solves the other.
"""

from __future__ import annotations

import numpy as np

from infoset.forms.normal import NormalForm
from infoset.linear.numbers import Array, Floats, Numbers, fitted
from infoset.linear.sparse import Sparse
from infoset.strategy import Mixed, Pure, Strategy
from infoset.strategy.plan import FINE


def payoff_table(form: NormalForm, player: int) -> Array:
    """A player's payoffs as whole numbers, by row and column; one player alone has one column."""
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
    """Exact weights as mixed strategies of the tree."""
    return tuple(
        _mixed(form, player, own.lowest())
        for player, own in zip(range(len(form.shape)), weights, strict=False)
    )


def sketched_mixed(form: NormalForm, *weights: Floats) -> tuple[Strategy, ...]:
    """Floats as exact mixed strategies near to them."""
    made = []
    for player, own in zip(range(len(form.shape)), weights, strict=False):
        kept = np.where(np.isfinite(own) & (own > 0), own, 0.0)
        total = kept.sum()
        shares = kept / total if total > 0 else np.full(len(own), 1 / len(own))
        whole = np.rint(shares * FINE).astype(np.int64)
        whole[int(np.argmax(whole))] += FINE - int(whole.sum())
        made.append(_mixed(form, player, Numbers(whole, FINE)))
    return tuple(made)


def _mixed(form: NormalForm, player: int, weights: Numbers) -> Mixed:
    played = np.flatnonzero(weights.numerators)
    tree, name = form.tree, form.tree.names[player]
    plans = tuple(Pure(tree, name, tuple(sorted(form.plan(player, int(at))))) for at in played)
    return Mixed(tree, name, plans, weights.take(played))
