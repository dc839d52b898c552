"""Correlated and coarse correlated equilibria of the normal form, by one linear program.

A device draws a profile of plans with probability z and recommends to each player its own plan. Let
u(s, o) be player i's payoff from s against the others' plans o. No player gains by deviating if

    ce     Σ_o z(s, o) (u(s, o) − u(t, o)) >= 0    for all recommended plans s and deviations t,
    cce    Σ_s,o z(s, o) u(s, o) >= Σ_o z(o) u(t, o)    for all t, chosen before the recommendation,

where z(o) = Σ_s z(s, o). With z >= 0 and Σ z = 1 these are linear constraints, so that the
equilibrium that maximizes a weighted sum of payoffs is the optimum of a linear program. It applies
to any number of players and any recall. Source: Aumann 1974 and 1987; Moulin & Vial 1978 for the
coarse kind.

Plans are reduced: they have no actions at information sets that their own choices exclude.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, prod

import numpy as np

from infoset.errors import TooLarge
from infoset.forms.normal import NormalForm, normal_form, normal_size
from infoset.linear.numbers import Array, fitted
from infoset.solvers.correlated.program import (
    Device,
    ProgramBuilder,
    combined,
    first_actions,
    unit_of,
)
from infoset.solvers.lp import probabilities_from_floats
from infoset.solvers.options import Options
from infoset.text import times_text
from infoset.tree import Tree

MOST_ENTRIES = 4_000_000  # of the program's matrix

HOW = "one probability for each of {count:,} profiles of plans"


def find(tree: Tree, kind: str, weights: Mapping[str, Fraction], options: Options) -> Device:
    """The equilibrium of a kind, ce or cce, with the largest welfare."""
    _check_size(tree, kind)
    form = normal_form(tree)
    program = ProgramBuilder()
    count = prod(form.shape)
    program.columns(count)
    program.put(np.full(count, program.rows(1, equal=True, side=1)), np.arange(count), 1)
    for player in range(len(form.shape)):
        (_after_recommendation if kind == "ce" else _before_recommendation)(program, form, player)
    amounts = list(zip(form.numerators, form.denominators, strict=True))
    goal = np.zeros(program.shape[1], object)
    paid = combined([weights[name] for name in tree.names], amounts).ravel()
    goal[:count] = paid - paid.min()  # a constant, which floats are better without
    optimum = program.maximize(goal, options)
    found = optimum.values.take(np.arange(count))
    values = (found if optimum.exact else probabilities_from_floats(found.floats)).values()
    how = HOW.format(count=count)
    if not optimum.exact and not found.floats.any():
        return Device(first_actions(tree), how, optimum.work, False, optimum.note)
    draws = []
    for at, probability in enumerate(values):
        if probability:
            places = np.unravel_index(at, form.shape)
            plans = tuple(form.plan(player, int(place)) for player, place in enumerate(places))
            draws.append((plans, probability))
    return Device(draws, how, optimum.work, optimum.exact, optimum.note)


def _check_size(tree: Tree, kind: str) -> None:
    """Refuse a table or a program that is too large, before it is built."""
    known = [size for size in normal_size(tree) if size is not None]
    if len(known) < len(tree.players):
        return  # normal_form refuses it
    entries, coarse = (prod(known) * each for each in (sum(known), 2 * len(known)))
    if (entries if kind == "ce" else coarse) <= MOST_ENTRIES:
        return
    others = ["cce"] if kind == "ce" and coarse <= MOST_ENTRIES else []
    others += ["efce", "efcce", "cce"] if len(known) == 2 and tree.perfect_recall else []
    raise TooLarge(
        f"{tree.name}: {kind} of {times_text(known)} plans is a linear program of more than"
        f" {MOST_ENTRIES:,} entries; take {' or '.join(dict.fromkeys(others)) or 'a smaller game'}"
    )


def _table(form: NormalForm, player: int) -> tuple[Array, Array]:
    """A player's payoffs by own plan and the others' profile; and the profiles' columns."""
    payoffs = form.numerators[player]
    least = int(payoffs.min())
    moved = payoffs.ravel().astype(object) - least
    moved = fitted(moved // (gcd(*moved.tolist()) or 1))
    places = np.arange(payoffs.size).reshape(payoffs.shape)
    rows = form.shape[player]
    table = np.moveaxis(moved.reshape(payoffs.shape), player, 0).reshape(rows, -1)
    return table, np.moveaxis(places, player, 0).reshape(rows, -1)


def _after_recommendation(program: ProgramBuilder, form: NormalForm, player: int) -> None:
    """Incentive constraints of ce: after the recommendation s no t is better."""
    table, places = _table(form, player)
    unit = unit_of(table.ravel())
    rows = len(table)
    for own in range(rows):
        gains = table[own] - table
        others = np.flatnonzero(np.arange(rows) != own)
        start = program.rows(rows - 1, unit=unit)
        row, column = np.nonzero(gains[others])
        program.put(start + row, places[own][column], gains[others][row, column])


def _before_recommendation(program: ProgramBuilder, form: NormalForm, player: int) -> None:
    """Incentive constraints of cce, with columns z(o) and the player's value."""
    table, places = _table(form, player)
    rows, others = table.shape
    unit = unit_of(table.ravel())
    alone = program.columns(others)
    value = program.columns(1, free=True, unit=unit)
    sums = program.rows(others, equal=True)
    every = np.arange(others)
    program.put(sums + every, alone + every, 1)
    program.put(sums + np.tile(every, rows), places.ravel(), -1)
    row_of_value = program.rows(1, equal=True, unit=unit)
    program.put([row_of_value], [value], -1)
    row, column = np.nonzero(table)
    program.put(np.full(len(row), row_of_value), places[row, column], table[row, column])
    best = program.rows(rows, unit=unit)
    program.put(best + np.arange(rows), np.full(rows, value), 1)
    program.put(best + row, alone + column, -table[row, column])
