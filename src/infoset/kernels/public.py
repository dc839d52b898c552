"""Regret minimization on a public form: products of matrices, and panels of information sets.

An iteration is that of :mod:`infoset.kernels.regret`, sequence by sequence, but for the payoffs of
sequences. All ends of a table share its matrices, so that for a *block* M of it, with X the other
player's weights at its ends, one row for each end, times the end's factor,

    Y = X M'    are the payoffs of the player's sequences at these ends: Y[end, set] is added to the
                sequence that the player ended with.

BLAS does this product. Around it weights are gathered and payoffs scattered, in pieces as long as
the block is wide. Workers divide *items*: a block, or a panel of its rows if it has many. The items
are the same for any number of workers, and so are the results, to the last bit. Items of one *wave*
pay different sequences, so that workers do not write to the same numbers; between waves all workers
wait for each other.

Climbing and descending are divided by sets. Where a decision has the same sets as the player's
decision before it, each of them continued, the sets do not depend on each other: decisions that are
connected in this way are a *group*, and some neighbouring sets of all its decisions are a *panel*,
small enough for the cache, from the last decision to the first. The values of a panel are left
behind, and added to the sequence before the group when all panels of its *level* are done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infoset.kernels.barrier import wait
from infoset.kernels.compiling import compiled
from infoset.kernels.regret import (
    BLOCK,
    Floats,
    Form,
    State,
    U,
    average_block,
    best_block,
    climb_block,
    descend_block,
    discount_factor,
    finish,
)

FEW = 2  # ends up to which a product is done row by row: to pack the matrix would cost more

_compiled = compiled(nogil=True, error_model="numpy")


class Tables(NamedTuple):
    """Payoffs: matrices of all tables, for either player its own sets by the other's."""

    entries: Any  # all matrices, by rows, one after the other; player two's with its own payoffs
    items: Any  # [item] see the names below
    leaves: Any  # [end] the player's first sequence there, the other's first sequence
    factors: Any  # [end]
    sets: Any  # rows and columns of blocks, as sets
    waves: Any  # [player] first wave, one past the last
    worker_ranges: Any  # [wave, worker] first item, one past the last
    room: int  # numbers that the weights at an item's ends take, or the payoffs, at most


# What an item is: a row of numbers.
FIRST_END, END_OF_ENDS, AT_ONCE = 0, 1, 2  # of Tables.ends, and how many are done at a time
MATRIX, ROWS, COLUMNS = 3, 4, 5  # where the entries begin, and how many there are
ROW_SETS, COLUMN_SETS = 6, 7  # where the sets are listed
ROW_START, COLUMN_START = 8, 9  # the first set, if they are neighbours; else -1
ITEM = 10


@_compiled
def _gather(
    first: int, count: int, item: Any, tables: Tables, weight: Any, given: Any, columns: int
) -> None:
    start, at = item[COLUMN_START], item[COLUMN_SETS]
    for e in range(count):
        factor, begin = tables.factors[first + e], tables.leaves[first + e, 1]
        to = U(e * columns)
        if start >= 0:
            source = U(begin + start)
            for j in range(U(columns)):
                given[to + j] = factor * weight[source + j]
        else:
            for j in range(columns):
                given[to + U(j)] = factor * weight[begin + tables.sets[at + j]]


@_compiled
def _scatter(
    first: int, count: int, item: Any, tables: Tables, paid: Any, rows: int, pending: Any
) -> None:
    start, at = item[ROW_START], item[ROW_SETS]
    for e in range(count):
        begin, source = tables.leaves[first + e, 0], U(e * rows)
        if start >= 0:
            to = U(begin + start)
            for j in range(U(rows)):
                pending[to + j] += paid[source + j]
        else:
            for j in range(rows):
                pending[begin + tables.sets[at + j]] += paid[source + U(j)]


@_compiled
def product(
    first: int, end: int, tables: Tables, weight: Any, pending: Any, given: Any, paid: Any
) -> None:
    """Add the payoffs at the ends of some items to the player's sequences there."""
    for k in range(first, end):
        item = tables.items[k]
        rows, columns = item[ROWS], item[COLUMNS]
        matrix = tables.entries[item[MATRIX] : item[MATRIX] + rows * columns]
        by_rows = matrix.reshape((rows, columns))
        begin = item[FIRST_END]
        while begin < item[END_OF_ENDS]:
            count = min(item[AT_ONCE], item[END_OF_ENDS] - begin)
            _gather(begin, count, item, tables, weight, given, columns)
            if count <= FEW:
                for e in range(count):
                    own = paid[e * rows : (e + 1) * rows]
                    np.dot(by_rows, given[e * columns : (e + 1) * columns], own)
            else:
                out = paid[: count * rows].reshape((count, rows))
                weights = given[: count * columns].reshape((count, columns))
                np.dot(weights, by_rows.T, out)
            _scatter(begin, count, item, tables, paid, rows, pending)
            begin += count


class PanelArrays(NamedTuple):
    """The division of climbing and descending among workers."""

    members: Any  # the runs of groups, one group after the other, earlier decisions first
    panels: Any  # [panel] first member, one past the last; first set, one past the last
    levels: Any  # [player] first level, one past the last; what is above comes first
    worker_ranges: Any  # [level, worker] first panel, one past the last
    deferred_runs: Any  # the first runs of groups, those after the same option together
    deferred: Any  # [option] first of those runs, one past the last
    deferred_work: Any  # [level, worker] first option, one past the last


class Measuring(NamedTuple):
    """The results of measuring; all zero before."""

    plan: Any  # [sequence] the average plans; one more at the end that is never read
    pending: Any  # what sequences pay, likewise
    left: Any  # [set] what is left behind
    found: Any  # [player] its payoff by the plans, and by a best response to the other's


# ---------------------------------------------------------------------- up and down


@_compiled
def _climb_panels(
    first: int,
    end: int,
    panels: PanelArrays,
    form: Form,
    state: State,
    keep: Any,
    cut: Any,
    ahead: Any,
    room: Any,
) -> None:
    expected, total = room[0], room[1]
    strategy, pending, regret, left = state.strategy, state.pending, state.regret, state.left
    runs, before = form.runs, form.before
    for k in range(first, end):
        begin, size = U(panels.panels[k, 2]), U(panels.panels[k, 3] - panels.panels[k, 2])
        for member in range(panels.panels[k, 1] - 1, panels.panels[k, 0] - 1, -1):
            r = panels.members[member]
            climb_block(
                r,
                begin,
                size,
                runs,
                before,
                strategy,
                pending,
                regret,
                left,
                keep,
                cut,
                ahead,
                expected,
                total,
            )


@_compiled
def _descend_panels(
    first: int, end: int, panels: PanelArrays, form: Form, state: State, count: Any, room: Any
) -> None:
    reach, weight, summed = room[0], state.weight, state.summed
    strategy, pending, runs, before = state.strategy, state.pending, form.runs, form.before
    for k in range(first, end):
        begin, size = U(panels.panels[k, 2]), U(panels.panels[k, 3] - panels.panels[k, 2])
        for member in range(panels.panels[k, 0], panels.panels[k, 1]):
            r = panels.members[member]
            descend_block(
                r, begin, size, runs, before, weight, summed, strategy, pending, count, reach
            )


@_compiled
def _add_deferred(
    first: int, end: int, panels: PanelArrays, form: Form, pending: Any, left: Any
) -> None:
    """Add the values of groups to the sequences before them."""
    for option in range(first, end):
        for k in range(panels.deferred[option, 0], panels.deferred[option, 1]):
            r = panels.deferred_runs[k]
            for deferred in range(form.runs[r, 0], form.runs[r, 1]):
                pending[form.before[deferred]] += left[deferred]


@_compiled
def run(
    iterations: int,
    done: int,
    form: Form,
    panels: PanelArrays,
    tables: Tables,
    state: State,
    exponents: tuple[float, float, float],
    predictive: bool,
    alternating: bool,
    worker: int,
    workers: int,
    gate: Any,
) -> None:
    """More iterations, after those already done.

    Every worker calls it with the same arguments and its own number; the first one is 0.
    """
    kind = state.weight.dtype.type
    room = np.empty((2, BLOCK), state.weight.dtype)
    given = np.empty(tables.room, state.weight.dtype)
    paid = np.empty(tables.room, state.weight.dtype)
    ahead = kind(1.0 if predictive else 0.0)
    for time in range(done + 1, done + iterations + 1):
        keep, cut = (
            kind(discount_factor(time, exponents[0])),
            kind(discount_factor(time, exponents[1])),
        )
        count, last = float(time) ** exponents[2], 0.0
        if time > 1:  # what is played in this iteration was computed in the last one
            last = float(time - 1) ** exponents[2]
        for player in range(2):
            for wave in range(tables.waves[player, 0], tables.waves[player, 1]):
                first, end = (
                    tables.worker_ranges[wave, worker, 0],
                    tables.worker_ranges[wave, worker, 1],
                )
                product(first, end, tables, state.weight, state.pending, given, paid)
                wait(gate, workers)
            for level in range(panels.levels[player, 1] - 1, panels.levels[player, 0] - 1, -1):
                first, end = (
                    panels.worker_ranges[level, worker, 0],
                    panels.worker_ranges[level, worker, 1],
                )
                _climb_panels(first, end, panels, form, state, keep, cut, ahead, room)
                wait(gate, workers)
                deferred = panels.deferred_work[level, worker]
                _add_deferred(deferred[0], deferred[1], panels, form, state.pending, state.left)
                wait(gate, workers)
            if worker == 0:
                finish(player, form, state, last)
            if alternating:
                _descend_levels(
                    player, form, panels, state, kind(count), room, worker, workers, gate
                )
        if not alternating:
            for player in range(2):
                _descend_levels(
                    player, form, panels, state, kind(count), room, worker, workers, gate
                )


@_compiled
def _descend_levels(
    player: int,
    form: Form,
    panels: PanelArrays,
    state: State,
    count: Any,
    room: Any,
    worker: int,
    workers: int,
    gate: Any,
) -> None:
    for level in range(panels.levels[player, 0], panels.levels[player, 1]):
        first, end = panels.worker_ranges[level, worker, 0], panels.worker_ranges[level, worker, 1]
        _descend_panels(first, end, panels, form, state, count, room)
        wait(gate, workers)


# ---------------------------------------------------------------------- how good it is


@_compiled
def _average_panels(
    first: int, end: int, panels: PanelArrays, form: Form, summed: Any, plan: Floats, room: Floats
) -> None:
    for k in range(first, end):
        begin, size = panels.panels[k, 2], panels.panels[k, 3] - panels.panels[k, 2]
        for member in range(panels.panels[k, 0], panels.panels[k, 1]):
            average_block(panels.members[member], begin, size, form, summed, plan, room)


@_compiled
def _best_panels(
    first: int,
    end: int,
    panels: PanelArrays,
    form: Form,
    pending: Floats,
    left: Floats,
    best: Floats,
) -> None:
    for k in range(first, end):
        begin, size = panels.panels[k, 2], panels.panels[k, 3] - panels.panels[k, 2]
        for member in range(panels.panels[k, 1] - 1, panels.panels[k, 0] - 1, -1):
            r = panels.members[member]
            set_ = form.runs[r, 0] + begin
            best_block(r, begin, size, form, pending, best)
            if form.runs[r, 4]:
                left[set_ : set_ + size] = best[:size]
            else:
                for j in range(size):
                    pending[form.before[set_ + j]] += best[j]


@_compiled
def respond(
    form: Form,
    panels: PanelArrays,
    tables: Tables,
    summed: Any,
    measuring: Measuring,
    worker: int,
    workers: int,
    gate: Any,
) -> None:
    """Payoffs of the average plans, and best responses to them, in float64, by all workers.

    ``summed`` are the weights of which the plans are averages.
    """
    plan, pending, left, found = measuring
    given, paid, room = np.empty(tables.room), np.empty(tables.room), np.empty((2, BLOCK))
    for player in range(2):
        plan[form.roots[player]] = 1.0
    for level in range(len(panels.worker_ranges)):
        first, end = panels.worker_ranges[level, worker, 0], panels.worker_ranges[level, worker, 1]
        _average_panels(first, end, panels, form, summed, plan, room)
        wait(gate, workers)
    for player in range(2):
        for wave in range(tables.waves[player, 0], tables.waves[player, 1]):
            first, end = (
                tables.worker_ranges[wave, worker, 0],
                tables.worker_ranges[wave, worker, 1],
            )
            product(first, end, tables, plan, pending, given, paid)
            wait(gate, workers)
        root, last = form.roots[player], len(plan) - 1 if player else form.roots[1]
        if worker == 0:
            for k in range(root, last):
                found[player, 0] += plan[k] * pending[k]
        wait(gate, workers)
        for level in range(panels.levels[player, 1] - 1, panels.levels[player, 0] - 1, -1):
            first, end = (
                panels.worker_ranges[level, worker, 0],
                panels.worker_ranges[level, worker, 1],
            )
            _best_panels(first, end, panels, form, pending, left, room[0])
            wait(gate, workers)
            deferred = panels.deferred_work[level, worker]
            _add_deferred(deferred[0], deferred[1], panels, form, pending, left)
            wait(gate, workers)
        if worker == 0:
            found[player, 1] = pending[root]
