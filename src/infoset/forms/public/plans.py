"""Realization plans on a public form, and passes over the form that evaluate them.

Let x be the realization weights of a player's sequences and y those of the other player's. A pass
over the ends of the form gives the *payoff gradient*, what each sequence of the player earns by
itself against y. From the last decision to the first,

    best-response value     adds the best action of every information set to what leads there
    counterfactual value    adds the average of the actions, by the player's own probabilities

and the *counterfactual reach* of a set is the probability that chance and y reach it.

Nothing is shared with the kernels that find plans, no layout and no compiled code, but how integers
too large for floats are rounded. The same lines compute in floats or exactly: rational weights are
integers over one denominator. A plan of floats whose weights are whole multiples of 2^-52 is a plan
exactly; :func:`rounded_plan` moves a plan there, a little.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.public.labels import Place
from infoset.forms.public.record import (
    Block,
    Decision,
    Longs,
    PayoffTable,
    PublicForm,
)
from infoset.linear.numbers import Numbers, as_floats, nearest_float
from infoset.linear.threads import one_thread

Floats = npt.NDArray[np.float64]
Amounts = npt.NDArray[Any]  # floats, integers of Python, or fractions
Truths = npt.NDArray[np.bool_]

GRID = 2**52  # weights are whole multiples of its inverse where they are exact


@one_thread()
def payoff_gradient(
    form: PublicForm,
    player: int,
    weights: Amounts,
    factors: Sequence[Any] | None = None,
    ends: Sequence[int] | None = None,
) -> Amounts:
    """[sequence] what a player's sequence earns by itself, against the other's realization weights.

    Player two is paid the opposite of player one. ``factors`` replace those of the ends. Ends to
    which the weights let no play come are passed over, so that few weights take little time;
    ``ends`` are the others, if they are known.
    """
    if ends is None:
        ends = ends_reached(form, 1 - player, np.flatnonzero(weights))
    by_table: list[list[int]] = [[] for _ in form.tables]
    for number in ends:
        by_table[form.leaves[number].table].append(number)
    found: Amounts = np.zeros(form.sequences[player], weights.dtype)
    for table, reached in zip(form.tables, by_table, strict=True):
        if not reached:
            continue
        own = sorted(reached, key=lambda number: form.leaves[number].last[player])
        last = [form.leaves[number].last for number in own]
        mine = np.array([form.first(player, one[player]) for one in last], np.int64)
        yours = np.array([form.first(1 - player, one[1 - player]) for one in last], np.int64)
        begins = np.flatnonzero(np.diff(mine, prepend=-1))  # ends after the same choice are added
        given = None if factors is None else [factors[number] for number in own]
        pieces = _in_floats(form, table, own) if given is None else _as_they_are(table, given)
        for block, entries, times in pieces:
            rows, columns = block.rows, block.columns
            if player:
                rows, columns, entries = columns, rows, -entries.T
            with np.errstate(invalid="ignore", over="ignore"):  # payoffs may be beyond all floats
                there = weights[yours[:, None] + columns] * times[:, None]
                earned = np.add.reduceat(there @ entries.T, begins, axis=0)
                found[mine[begins, None] + rows] += earned
    return found


def ends_reached(form: PublicForm, player: int, sequences: Longs) -> list[int]:
    """The ends at which one of these sequences of a player, in their order, is the last."""
    first, after = form.end_sequences[player]
    some = np.searchsorted(sequences, after) > np.searchsorted(sequences, first)
    found: list[int] = np.flatnonzero(some).tolist()
    return found


def _as_they_are(
    table: PayoffTable, factors: Sequence[Any]
) -> Iterator[tuple[Block, Amounts, Amounts]]:
    """The blocks of a table with entries and factors as integers of Python."""
    times = np.array(factors, object)
    for block in table.blocks:
        yield block, block.entries.astype(object), times


def _in_floats(
    form: PublicForm, table: PayoffTable, leaves: Sequence[int]
) -> Iterator[tuple[Block, Floats, Floats]]:
    """The blocks of a table with their entries and the factors of some ends, both as floats."""
    known: dict[int, Floats] = {}
    for block in table.blocks:
        entries, shared = in_floats(block.entries)
        if shared not in known:
            exact = [form.leaves[number].factor * shared for number in leaves]
            known[shared] = np.array([nearest_float(one) for one in exact])
        yield block, entries, known[shared]


def in_floats(entries: Amounts) -> tuple[Floats, int]:
    """Entries of a block as floats, and what a 1 among them stands for.

    That is 1 unless they are too large for int64. Entries may then be beyond all floats where what
    they come to, times a factor, is not: multiply the factor first, exactly.

    >>> in_floats(np.array([10**400, 5 * 10**399], object))[0].tolist()
    [2.0, 1.0]
    """
    if entries.dtype != object:
        return entries.astype(np.float64), 1
    values, shared = as_floats(entries.reshape(-1))
    return values.reshape(entries.shape), shared


def best_response_values(form: PublicForm, player: int, gets: Amounts) -> Amounts:
    """[sequence] what it earns with the best of all that follows; the first is the value.

    For player two it is less by the constant of the game.
    """
    left = gets.copy()
    for number in range(len(form.decisions[player]) - 1, -1, -1):
        one = form.decisions[player][number]
        actions = left[form.sequences_at(player, number)].reshape(len(one.menu), len(one))
        np.add.at(left, form.leading_to(one), actions.max(axis=0))
    return left


def changed_response_value(
    form: PublicForm, player: int, known: Amounts, change: Amounts, decisions: Collection[int]
) -> Any:
    """The value of a best response after a change of what sequences of some decisions earn.

    ``known`` are the best-response values before. Only what leads to these decisions is looked at.
    """
    more: Amounts = np.zeros(len(known), change.dtype)
    left = set(decisions)
    for number in range(len(form.decisions[player]) - 1, -1, -1):
        if number not in left:
            continue
        one, own = form.decisions[player][number], form.sequences_at(player, number)
        before = known[own].reshape(len(one.menu), len(one))
        after = before + (change[own] + more[own]).reshape(before.shape)
        gained = after.max(axis=0) - before.max(axis=0)
        some = np.flatnonzero(gained)
        np.add.at(more, form.leading_to(one)[some], gained[some])
        left.add(one.after)
    return known[0] + change[0] + more[0]


def sequence_values(
    form: PublicForm,
    player: int,
    gradient: Amounts,
    probabilities: Callable[[int, int], Amounts],
) -> Amounts:
    """[sequence] the counterfactual value of its last action, by these probabilities."""
    left = gradient.copy()
    for number in range(len(form.decisions[player]) - 1, -1, -1):
        taken = probabilities(player, number)
        after = left[form.sequences_at(player, number)].reshape(taken.shape)
        before = form.leading_to(form.decisions[player][number])
        np.add.at(left, before, (taken * after).sum(axis=0))
    return left


def counterfactual_reach(
    form: PublicForm, player: int, decision: Decision, weights: Amounts
) -> Amounts:
    """[set] the counterfactual reach: the probability that chance and the other reach it."""
    whole = weights.dtype == object
    found: Amounts = np.zeros(len(decision), weights.dtype)
    for meeting in decision.meetings:
        first = form.first(1 - player, meeting.last)
        for block in form.tables[meeting.table].blocks:
            entries, shared = (block.entries, 1) if whole else in_floats(block.entries)
            rows, columns = block.rows, block.columns
            if player:
                rows, columns, entries = columns, rows, entries.T
            there = entries @ weights[first + columns]
            factor: Any = meeting.factor * shared
            np.add.at(found, rows, (factor if whole else float(factor)) * there)
    return found


def rounded_plan(form: PublicForm, player: int, plan: Floats) -> Floats:
    """A plan near this one whose weights are whole multiples of 2^-52 and add up exactly.

    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> rounded_plan(pennies(), 0, np.array([1.0, 0.1, 0.2])).tolist()
    [1.0, 0.33333333333333326, 0.6666666666666667]
    """
    return np.asarray(rounded_weights(form, player, plan) / GRID)


def rounded_weights(form: PublicForm, player: int, plan: Floats) -> Longs:
    """[sequence] the weight in parts of 2^-52; also from probabilities instead of weights."""
    whole = np.full(len(plan), GRID)
    share_out(form, player, plan, whole, _in_whole_numbers)
    return whole


def nearest_plan(form: PublicForm, player: int, approximate: Floats) -> Floats:
    """A plan from floats that need not be one, as a linear program returns them.

    Weights below zero count as zero. At every information set the weights, divided by their sum,
    are taken as probabilities; uniform ones where all are zero.

    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> nearest_plan(pennies(), 0, np.array([np.nan, 0.5, 1.5])).tolist()
    [1.0, 0.25, 0.75]
    """
    given = np.where(np.isfinite(approximate) & (approximate > 0), approximate, 0.0)
    weights = np.ones(len(given))
    share_out(form, player, given, weights, np.multiply)
    return weights


def share_out(
    form: PublicForm,
    player: int,
    given: Amounts,
    weights: npt.NDArray[Any],
    divided: Callable[[Any, Any], Any],
) -> None:
    """Divide the weight that leads to a set among its actions, in proportion to given numbers.

    Fractions must be probabilities already.
    """
    for number, one in enumerate(form.decisions[player]):
        own = form.sequences_at(player, number)
        probabilities = given[own].reshape(len(one.menu), len(one))
        if given.dtype != object:
            probabilities = conditional_probabilities(probabilities)
        weights[own] = divided(weights[form.leading_to(one)], probabilities).reshape(-1)


def changed_weights(
    form: PublicForm, player: int, weights: Amounts, local: Amounts, sets: Collection[Place]
) -> tuple[Longs, Amounts]:
    """The sequences at and below some sets, in order, and their weights by new probabilities."""
    named: dict[int, list[int]] = {}
    for decision, at in sets:
        named.setdefault(decision, []).append(at)
    found: dict[int, tuple[Truths, Amounts]] = {}  # by decision: which sets, and all its weights
    parts: list[tuple[Longs, Amounts]] = []
    for number, one in enumerate(form.decisions[player]):
        above = found.get(one.after)
        if above is None and number not in named:
            continue
        anew = np.zeros(len(one), bool) if above is None else above[0][one.before]
        anew[named.get(number, [])] = True
        where, own = np.flatnonzero(anew), form.sequences_at(player, number)
        if len(where):
            before = weights[form.leading_to(one)[where]]
            if above is not None:
                before = above[1][one.option][one.before[where]]
            own_weights = weights[own].reshape(len(one.menu), len(one)).copy()
            own_weights[:, where] = before * local[own].reshape(own_weights.shape)[:, where]
            found[number] = anew, own_weights
            numbers = own.start + np.arange(len(one.menu))[:, None] * len(one) + where
            parts.append((numbers.reshape(-1), own_weights[:, where].reshape(-1)))
    if not parts:
        return np.zeros(0, np.int64), weights[:0]
    sequences, anew_weights = zip(*parts, strict=True)
    return np.concatenate(sequences), np.concatenate(anew_weights)


def _in_whole_numbers(
    before: npt.NDArray[np.int64], probabilities: Floats
) -> npt.NDArray[np.int64]:
    """[action, set] integers in this proportion that add up; the largest takes what is left."""
    parts = (before * probabilities).astype(np.int64)
    parts[probabilities.argmax(axis=0), np.arange(len(before))] += before - parts.sum(axis=0)
    return parts


def conditional_probabilities(weights: Floats) -> Floats:
    """[action, set] weights over their sums; uniform where these are zero."""
    whole = weights.sum(axis=0)
    even = np.full(weights.shape, 1 / len(weights))
    return np.asarray(np.divide(weights, whole, out=even, where=whole > 0))


def work(form: PublicForm) -> int:
    """The number of entries at all ends: what a pass over the form takes."""
    sizes = [sum(block.entries.size for block in table.blocks) for table in form.tables]
    return sum(sizes[end.table] for end in form.leaves)


def best_actions(form: PublicForm, player: int, gradient: Amounts) -> Longs:
    """[sequence] 1 if a best response takes its last action, else 0: of equal actions the first."""
    left = gradient.copy()
    taken = np.ones(len(left), np.int64)
    for number in range(len(form.decisions[player]) - 1, -1, -1):
        one, own = form.decisions[player][number], form.sequences_at(player, number)
        actions = left[own].reshape(len(one.menu), len(one))
        taken[own] = (np.arange(len(one.menu))[:, None] == actions.argmax(axis=0)).reshape(-1)
        np.add.at(left, form.leading_to(one), actions.max(axis=0))
    return taken


def best_response_plan(form: PublicForm, player: int, gradient: Amounts) -> tuple[Numbers, Longs]:
    """The realization weights of a best response, and its choices as :func:`best_actions`."""
    taken = best_actions(form, player, gradient)
    plan = np.ones(len(taken), np.int64)
    for number, one in enumerate(form.decisions[player]):
        own = form.sequences_at(player, number)
        plan[own] = np.tile(plan[form.leading_to(one)], len(one.menu)) * taken[own]
    return Numbers(plan), taken


def best_actions_off_path(
    form: PublicForm, player: int, gradient: Amounts, plans: tuple[Amounts, Amounts]
) -> Longs:
    """[sequence] the best actions where only the player's own plan lets no play come, else 0.

    ``plans`` are the realization weights of both players, and ``gradient`` what sequences earn
    against the other's. Where chance or the other player let no play come, all is 0, too.
    """
    found = best_actions(form, player, gradient)
    for number, one in enumerate(form.decisions[player]):
        off_path = plans[player][form.leading_to(one)] == 0
        if off_path.any():
            off_path &= comes_about(form, player, one, plans[1 - player])
        found[form.sequences_at(player, number)] *= np.tile(off_path, len(one.menu))
    return found


def comes_about(form: PublicForm, player: int, decision: Decision, weights: Amounts) -> Truths:
    """[set] do chance and the other player let a play come there?"""
    found = np.zeros(len(decision), bool)
    for meeting in decision.meetings:
        first = form.first(1 - player, meeting.last)
        for block in form.tables[meeting.table].blocks:
            rows, columns, possible = block.rows, block.columns, block.entries > 0
            if player:
                rows, columns, possible = columns, rows, possible.T
            taken = weights[first + columns] > 0
            found[rows[possible[:, taken].any(axis=1)]] = True
    return found
