"""The best plan on few moves of a phantom form, by cutting planes, and in whole numbers.

Regret minimization comes close to an equilibrium, and shows which moves it takes: of hundreds of
thousands a few hundred, or thousands. On these alone the best realization plan x is the solution of
a linear program whose rows are the pure strategies r of the other player,

    maximize v,  v <= the payoff of x against r, for all r,

with the equations of a plan. The rows are too many to write down, but few matter (J. E. Kelley, The
cutting-plane method for solving convex programs, 1960):

1. Solve with the rows so far.
2. Respond to x with all moves of the other, and add the response as a row. What x gets against it
   is proved; the v of the program is the most that any plan on these moves could.
3. Respond to the middle between x and the strategy from which the moves were taken, too, and add
   that. It cuts more deeply where the program is far from the truth.
4. Stop when x gets v.

The vertices of such programs have weights with small common denominators: with these, what is
proved is proved in whole numbers (:meth:`PhantomForm.guaranteed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np
import numpy.typing as npt

from infoset.forms.phantom import PhantomForm
from infoset.linear.highs import IntegerProgram, maximize_integer

__all__ = ["CutPlan", "best_plan", "whole_plan"]

Floats = npt.NDArray[np.float64]
LIKELY = 1e-7  # weights of moves that are looked at
LARGEST = 100_000  # denominator of a weight, as far as floats tell them apart


@dataclass(frozen=True)
class CutPlan:
    """A plan, what it gets against a best response, and the most that its moves could get."""

    edge_weight: Floats
    guaranteed: float  # but for rounding
    most: float
    rounds: int


@dataclass(frozen=True)
class _Moves:
    """The edges of a plan that may be taken, and its equations: entries by row and column."""

    edges: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    entries: Floats
    right: Floats
    wanted: npt.NDArray[np.bool_]  # the states to which they lead


def best_plan(
    form: PhantomForm,
    player: Literal[0, 1],
    strategy: Floats,
    others: Floats,
    *,
    rounds: int = 200,
    gap: float = 1e-9,
) -> CutPlan:
    """The best plan of a player on the moves of a strategy.

    Parameters
    ----------
    form, player
        The game, and 0 or 1.
    strategy
        Of the player; only what it plays is looked at.
    others
        A strategy of the other, the first row of the program.
    rounds, gap
        At most so many programs are solved; fewer if the plan is proved to be so close to the best.

    Returns
    -------
    CutPlan
        The plan that gets the most, of those that were found.

    Examples
    --------
    >>> from infoset.forms.phantom import tic_tac_toe_form
    >>> from infoset.solvers.phantom import PhantomRun
    >>> form = tic_tac_toe_form(5, 1, abrupt=True, symmetric=True)
    >>> run = PhantomRun(form)
    >>> run.step(500)
    >>> plan = best_plan(form, 0, *run.averages())
    >>> form.guaranteed(0, whole_plan(form, 0, plan.edge_weight))
    Fraction(51, 152)
    """
    other: Literal[0, 1] = 1 if player == 0 else 0
    weight = form.weights(player, strategy)[1]
    moves = _moves(form, player, weight)
    cuts = [_cut(form, player, moves, others)]
    best, most, done = CutPlan(weight, -np.inf, np.inf, 0), np.inf, 0
    while done < rounds and most - best.guaranteed > gap:
        done += 1
        plan, most = _solved(moves, cuts, len(weight))
        for share in (1.0, 0.5):
            mixed = share * plan + (1 - share) * weight
            got, response = form.response(other, form.strategy(player, mixed))
            cuts.append(_cut(form, player, moves, response))
            if -got > best.guaranteed:
                best = CutPlan(mixed, -got, most, done)
    return CutPlan(best.edge_weight, best.guaranteed, most, done)


def whole_plan(
    form: PhantomForm, player: Literal[0, 1], edge_weight: Floats, most: int = 1 << 30
) -> npt.NDArray[np.int64] | None:
    """A plan as numbers of plays, of the least number in which all are whole.

    Parameters
    ----------
    form, player
        The game, and 0 or 1.
    edge_weight
        A plan whose weights have a small common denominator, but for rounding.
    most
        The largest denominator.

    Returns
    -------
    array
        For :meth:`PhantomForm.guaranteed`, which checks it; None if there is no such denominator.
    """
    plays = 1
    for weight in np.unique(edge_weight.round(14)).tolist():
        plays = lcm(plays, Fraction(weight).limit_denominator(LARGEST).denominator)
        if plays > most:
            return None
    return np.rint(edge_weight * plays).astype(np.int64)


def _moves(form: PhantomForm, player: Literal[0, 1], weight: Floats) -> _Moves:
    of = form.states[player]
    edges = np.flatnonzero(weight > LIKELY)
    state = np.searchsorted(of.first, edges, side="right") - 1
    found = np.unique(state)
    row = np.full(len(of.own), -1)
    row[found] = np.arange(len(found))
    columns = np.arange(len(edges))
    parts = [(row[state], columns, np.ones(len(edges)))]
    for then in (of.free[edges], of.taken[edges]):
        goes = (then >= 0) & (row[then] >= 0)
        parts.append((row[then[goes]], columns[goes], -np.ones(int(goes.sum()))))
    wanted = np.zeros(len(of.own), np.bool_)
    wanted[0] = True
    for then in (of.free[edges], of.taken[edges]):
        wanted[then[then >= 0]] = True
    right = np.zeros(len(found))
    right[0] = 1.0
    rows, places, entries = [np.concatenate(one) for one in zip(*parts, strict=True)]
    return _Moves(edges, rows, places, entries, right, wanted)


def _cut(
    form: PhantomForm, player: Literal[0, 1], moves: _Moves, response: Floats
) -> tuple[Floats, float]:
    """What each move adds to the payoff against a response, and what there is in any case."""
    of = form.states[player]
    at_state, at_edge = form.gradient(player, response, moves.wanted)
    paid = at_edge[moves.edges]
    for then in (of.free[moves.edges], of.taken[moves.edges]):
        paid += np.where(then >= 0, at_state[then], 0.0)
    return paid, float(at_state[0])


def _solved(moves: _Moves, cuts: list[tuple[Floats, float]], edges: int) -> tuple[Floats, float]:
    """The plan of the program with these rows, and its v."""
    many, equations = len(moves.edges), len(moves.right)
    rows, columns, entries = [moves.rows], [moves.columns], [moves.entries]
    for number, (paid, _) in enumerate(cuts):
        used = np.flatnonzero(paid)
        rows.append(np.full(len(used) + 1, equations + number))
        columns.append(np.append(used, many))
        entries.append(np.append(paid[used], -1.0))
    least = np.array([-always for _, always in cuts])
    goal = np.zeros(many + 1)
    goal[many] = 1.0
    answer = maximize_integer(
        IntegerProgram(
            goal,
            np.concatenate(rows),
            np.concatenate(columns),
            np.concatenate(entries),
            np.append(moves.right, least),
            np.append(moves.right, np.full(len(cuts), np.inf)),
            np.append(np.zeros(many), -1.0),
            np.ones(many + 1),
            np.zeros(many + 1, np.bool_),
        )
    )
    plan = np.zeros(edges)
    plan[moves.edges] = np.maximum(answer.values[:many], 0.0)
    return plan, answer.objective
