"""Regret minimization on a game laid out for it: the one loop of CFR and all its variants.

A player's choices are its *sequences*. A sequence has the realization weight x[a], the product of
the player's own probabilities up to it, and pays, against the others' weights,

    g[a] = sum of v[k] * (product of the others' weights at entry k)   over the entries of row a,

plus the counterfactual values of the information sets that follow it. An iteration does, for a
player:

    product   g of every sequence that ends a play, by one pass over the sparse rows;
    climb     last sets first: the set's value is the average of g by the current probabilities,
              which is added to g of the sequence before it; regrets grow by g minus that value;
              positive regrets, in proportion, are the new probabilities;
    descend   first sets first: the new weights, and the sums of weights that averages are made of.

The variants differ in three exponents and one switch. After iteration t, positive regrets are
multiplied by t^A / (t^A + 1), negative ones by t^B / (t^B + 1), and the weights of iteration t
count t^C in the average; a *predictive* player adds the last regret again before it plays,
expecting the same. A = inf keeps regrets, B = -inf drops negative ones.

The layout (:mod:`infoset.solvers.cfr.layout`): sets that are equally deep and have equally many
actions are in one *run*, the first actions of all of them first, then the second ones, and so on. A
step is done action by action for a *block* of sets, as short loops over contiguous numbers, which
the compiler turns into vector instructions; sums stay in the nearest cache meanwhile. Rows are
taken four at a time, mostly of equal length, as four independent sums; each is summed in its own
order. Nothing is reordered by the compiler (no "fast math"), so results are the same to the last
bit for any number of workers.

Workers divide the rows, and the sets below some depth, in parts that are whole subtrees. What is
above, the *crown*, is done by the first of them, when all others are done.

Average plans, and best responses to them, are computed at scheduled iterations, always in float64,
by one worker.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.kernels.barrier import wait
from infoset.kernels.compiling import compiled

BLOCK = 512  # sets done at a time
U = np.uint64  # an index that cannot be negative needs no test for it: half the time of a product

_compiled = compiled(nogil=True, error_model="numpy")
_inlined = compiled(nogil=True, error_model="numpy", inline="always")


# Each of these does one action of all sets of a block: ``size`` sets, from sequence ``a`` on.


@_compiled
def _add_value(size: Any, a: Any, expected: Any, strategy: Any, pending: Any) -> None:
    for j in range(size):
        expected[j] += strategy[a + j] * pending[a + j]


@_compiled
def _add_regret(
    size: Any,
    a: Any,
    expected: Any,
    pending: Any,
    regret: Any,
    strategy: Any,
    total: Any,
    keep: Any,
    cut: Any,
    ahead: Any,
) -> None:
    """Regrets; in place of probabilities, for now, their positive parts, and their sums."""
    for j in range(size):
        gain = pending[a + j] - expected[j]
        summed = regret[a + j] + gain
        summed = summed * keep if summed > 0 else summed * cut
        regret[a + j] = summed
        positive = max(summed + ahead * gain, expected.dtype.type(0))
        strategy[a + j] = positive
        total[j] += positive


@_compiled
def normalize(size: Any, a: Any, strategy: Any, total: Any, even: Any) -> None:
    """Divide by the total; uniform where that is zero."""
    for j in range(size):
        strategy[a + j] = strategy[a + j] / total[j] if total[j] > 0 else even


@_compiled
def _add_weight(
    size: Any, a: Any, weight: Any, summed: Any, strategy: Any, pending: Any, reach: Any, count: Any
) -> None:
    for j in range(size):
        now = reach[j] * strategy[a + j]
        weight[a + j] = now
        summed[a + j] += count * now
        pending[a + j] = 0


# And these do all actions of at most BLOCK sets of a run, from ``begin`` on. Arrays are handed over
# one by one: to take them out of a record for every block would cost small games a fifth.


@_inlined
def climb_block(
    r: int,
    begin: Any,
    size: Any,
    runs: Any,
    before: Any,
    strategy: Any,
    pending: Any,
    regret: Any,
    left: Any,
    keep: Any,
    cut: Any,
    ahead: Any,
    expected: Any,
    total: Any,
) -> None:
    """Values, regrets and new probabilities; ``expected`` and ``total`` hold BLOCK numbers."""
    set_, sets = U(runs[r, 0]), U(runs[r, 1] - runs[r, 0])
    sequence, actions = U(runs[r, 2]), U(runs[r, 3])
    even = expected.dtype.type(1 / runs[r, 3])
    for j in range(size):
        expected[j] = 0
        total[j] = 0
    for action in range(actions):
        _add_value(size, sequence + action * sets + begin, expected, strategy, pending)
    for action in range(actions):
        a = sequence + action * sets + begin
        _add_regret(size, a, expected, pending, regret, strategy, total, keep, cut, ahead)
    for action in range(actions):
        normalize(size, sequence + action * sets + begin, strategy, total, even)
    if runs[r, 4]:
        for j in range(size):
            left[set_ + begin + j] = expected[j]
    else:
        for j in range(size):
            pending[before[set_ + begin + j]] += expected[j]


@_inlined
def descend_block(
    r: int,
    begin: Any,
    size: Any,
    runs: Any,
    before: Any,
    weight: Any,
    summed: Any,
    strategy: Any,
    pending: Any,
    count: Any,
    reach: Any,
) -> None:
    """Weights by the new probabilities, and their sums; ``pending`` is reset."""
    set_, sets = U(runs[r, 0]), U(runs[r, 1] - runs[r, 0])
    sequence, actions = U(runs[r, 2]), U(runs[r, 3])
    for j in range(size):
        reach[j] = weight[before[set_ + begin + j]]
    for action in range(actions):
        a = sequence + action * sets + begin
        _add_weight(size, a, weight, summed, strategy, pending, reach, count)


LANES = 4  # rows done at a time

# A call hands over every array by its parts, a hundred numbers in all; small games would feel it.


class Form(NamedTuple):
    """A game laid out: what does not change during a run."""

    runs: Any  # [run] first set, one past its last, first sequence, actions, leave values behind?
    crown: Any  # [player] first run, one past the last: what one worker does
    parts: Any  # [player, worker] first run, one past the last
    worker_ranges: Any  # [player, worker] first slice of rows, one past the last
    deferred_ranges: Any  # [player] first, one past the last of its ``late_sets``
    deferred_sets: Any  # those whose values were left behind, in the order in which they are added
    before: Any  # [set] the sequence before it
    roots: Any  # [player] its empty sequence
    slices: Any  # [slice] where its entries begin, in units of LANES; one more at the end
    rows: Any  # [slice * LANES + lane] the sequence that a row belongs to
    partner: Any  # [entry, other player] a sequence of each other player
    value: Any  # [entry] what it pays


class State(NamedTuple):
    """What changes: one number for each sequence, and one more at the end that is never read."""

    weight: Any  # x: the realization weight
    pending: Any  # g, while it is being made; zero between iterations
    regret: Any
    strategy: Any  # the probability of the action at its set
    summed: Any  # weights of all iterations, by their weight in the average
    left: Any  # [set] values left for the first worker
    gradients: Any  # g of all iterations likewise; empty where it is not needed
    gained: Any  # [player] the payoffs of all iterations likewise


@_inlined
def product(first: int, end: int, form: Form, weight: Any, pending: Any) -> None:
    """The payoffs of the sequences of some slices of rows."""
    one, two, three, four = U(1), U(2), U(3), U(4)
    value, rows = form.value, form.rows
    k = U(form.slices[first]) * four
    if form.partner.shape[1] == 1:
        partner = form.partner[:, 0]
        for s in range(first, end):
            end_of_slice = U(form.slices[s + 1]) * four
            a = b = c = d = 0.0
            while k < end_of_slice:
                a += value[k] * weight[partner[k]]
                b += value[k + one] * weight[partner[k + one]]
                c += value[k + two] * weight[partner[k + two]]
                d += value[k + three] * weight[partner[k + three]]
                k += four
            row = U(s) * four
            pending[rows[row]] = a
            pending[rows[row + one]] = b
            pending[rows[row + two]] = c
            pending[rows[row + three]] = d
        return
    for s in range(first, end):
        for lane in range(LANES):
            total = 0.0
            for entry in range(LANES * form.slices[s] + lane, LANES * form.slices[s + 1], LANES):
                reach = 1.0
                for other in range(form.partner.shape[1]):
                    reach *= weight[form.partner[entry, other]]
                total += value[entry] * reach
            pending[rows[LANES * s + lane]] = total


@_inlined
def _climb(
    first: int, end: int, form: Form, state: State, keep: Any, cut: Any, ahead: Any, room: Any
) -> None:
    """Values, regrets and new probabilities of some runs, the last sets first."""
    expected, total = room[0], room[1]
    strategy, pending, regret, left = state.strategy, state.pending, state.regret, state.left
    runs, before = form.runs, form.before
    for r in range(end - 1, first - 1, -1):
        sets, begin = U(runs[r, 1] - runs[r, 0]), U(0)
        while begin < sets:
            size = min(U(BLOCK), sets - begin)
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
            begin += U(BLOCK)


@_inlined
def _descend(first: int, end: int, form: Form, state: State, count: Any, room: Any) -> None:
    """Weights of some runs, the first sets first."""
    reach, weight, summed = room[0], state.weight, state.summed
    strategy, pending, runs, before = state.strategy, state.pending, form.runs, form.before
    for r in range(first, end):
        sets, begin = U(runs[r, 1] - runs[r, 0]), U(0)
        while begin < sets:
            size = min(U(BLOCK), sets - begin)
            descend_block(
                r, begin, size, runs, before, weight, summed, strategy, pending, count, reach
            )
            begin += U(BLOCK)


@_inlined
def finish(player: int, form: Form, state: State, count: float) -> None:
    """At the root: the player's payoff in this iteration, and the iteration's weight."""
    root = form.roots[player]
    state.gained[player] += count * state.pending[root]
    state.pending[root] = 0
    state.summed[root] += count


@_inlined
def _sum_gradients(first: int, end: int, form: Form, state: State, count: Any) -> None:
    """Add the payoff gradient of some slices of rows to the sum over all iterations."""
    for row in range(LANES * first, LANES * end):
        a = form.rows[row]
        state.gradients[a] += count * state.pending[a]


@_compiled
def discount_factor(time: int, exponent: float) -> float:
    """``t^A / (t^A + 1)``: the factor of a sum after iteration t."""
    if exponent == np.inf:
        return 1.0
    if exponent == -np.inf:
        return 0.0
    kept: float = 1.0 / (1.0 + float(time) ** (-exponent))
    return kept


@_compiled
def run(
    iterations: int,
    done: int,
    form: Form,
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
    players = len(form.roots)
    ahead = kind(1.0 if predictive else 0.0)
    for time in range(done + 1, done + iterations + 1):
        keep, cut = (
            kind(discount_factor(time, exponents[0])),
            kind(discount_factor(time, exponents[1])),
        )
        count, last = float(time) ** exponents[2], 0.0
        if time > 1:  # what is played in this iteration was computed in the last one
            last = float(time - 1) ** exponents[2]
        for player in range(players):
            first, end = (
                form.worker_ranges[player, worker, 0],
                form.worker_ranges[player, worker, 1],
            )
            product(first, end, form, state.weight, state.pending)
            if len(state.gradients):
                _sum_gradients(first, end, form, state, last)
            wait(gate, workers)
            first, end = form.parts[player, worker, 0], form.parts[player, worker, 1]
            _climb(first, end, form, state, keep, cut, ahead, room)
            wait(gate, workers)
            if worker == 0:
                for k in range(form.deferred_ranges[player, 0], form.deferred_ranges[player, 1]):
                    deferred = form.deferred_sets[k]
                    state.pending[form.before[deferred]] += state.left[deferred]
                top, end_of_top = form.crown[player, 0], form.crown[player, 1]
                _climb(top, end_of_top, form, state, keep, cut, ahead, room)
                finish(player, form, state, last)
                if alternating:
                    _descend(top, end_of_top, form, state, kind(count), room)
            if alternating:
                wait(gate, workers)
                _descend(first, end, form, state, kind(count), room)
                wait(gate, workers)
        if not alternating:
            wait(gate, workers)
            if worker == 0:
                for player in range(players):
                    top, end_of_top = form.crown[player, 0], form.crown[player, 1]
                    _descend(top, end_of_top, form, state, kind(count), room)
            wait(gate, workers)
            for player in range(players):
                first, end = form.parts[player, worker, 0], form.parts[player, worker, 1]
                _descend(first, end, form, state, kind(count), room)
            wait(gate, workers)


Floats = npt.NDArray[np.float64]


@_inlined
def average_block(
    r: int, begin: int, size: int, form: Form, summed: Any, plan: Floats, room: Floats
) -> None:
    """The plan at some sets of a run, at most BLOCK, in proportion to sums of weights.

    Sums of many rounded weights do not quite add up; normalized at every set they do.
    """
    strategy, total = room[0], room[1]
    set_, sets = form.runs[r, 0], form.runs[r, 1] - form.runs[r, 0]
    sequence, actions = form.runs[r, 2], form.runs[r, 3]
    total[:size] = 0.0
    for action in range(actions):
        a = sequence + action * sets + begin
        total[:size] += summed[a : a + size]
    for action in range(actions):
        a = sequence + action * sets + begin
        strategy[:size] = summed[a : a + size]
        normalize(size, 0, strategy, total, 1.0 / actions)
        for j in range(size):
            plan[a + j] = plan[form.before[set_ + begin + j]] * strategy[j]


@_compiled
def average(form: Form, order: Any, summed: Any, plan: Floats) -> None:
    """The plan in proportion to sums of weights; uniform where they are zero.

    ``order`` lists the runs, parents first.
    """
    room = np.empty((2, BLOCK))
    for root in form.roots:
        plan[root] = 1.0
    for r in order:
        sets = form.runs[r, 1] - form.runs[r, 0]
        for begin in range(0, sets, BLOCK):
            average_block(r, begin, min(BLOCK, sets - begin), form, summed, plan, room)


@_inlined
def best_block(r: int, begin: int, size: int, form: Form, pending: Floats, best: Floats) -> None:
    """The best action's value at some sets of a run, at most BLOCK."""
    sets, sequence = form.runs[r, 1] - form.runs[r, 0], form.runs[r, 2]
    best[:size] = pending[sequence + begin : sequence + begin + size]
    for action in range(1, form.runs[r, 3]):
        a = sequence + action * sets + begin
        for j in range(size):
            best[j] = max(best[j], pending[a + j])


@_compiled
def _best(form: Form, order: Any, player: int, pending: Floats) -> float:
    """A player's best-response value, from what its sequences pay, which is reset."""
    best = np.empty(BLOCK)
    low, high = form.roots[player], len(pending) - 1
    if player + 1 < len(form.roots):
        high = form.roots[player + 1]
    for k in range(len(order) - 1, -1, -1):
        r = order[k]
        set_, sets = form.runs[r, 0], form.runs[r, 1] - form.runs[r, 0]
        if not low < form.runs[r, 2] < high:
            continue
        for begin in range(0, sets, BLOCK):
            size = min(BLOCK, sets - begin)
            best_block(r, begin, size, form, pending, best)
            for j in range(size):
                pending[form.before[set_ + begin + j]] += best[j]
    most = pending[low]
    pending[low:high] = 0.0
    return float(most)


@_compiled
def respond(form: Form, order: Any, every: Any, plan: Floats, pending: Floats, found: Any) -> None:
    """``found[player]``: a player's payoff by the plans, and by a best response to the others'.

    ``every`` says where sequences stand, in an order that is the same for any number of workers, so
    that sums are. ``pending`` is zero before and after, one place longer than the plan needs.
    """
    for player in range(len(form.roots)):
        first, end = form.worker_ranges[player, 0, 0], form.worker_ranges[player, -1, 1]
        product(first, end, form, plan, pending)
        low, high = form.roots[player], len(pending) - 1
        if player + 1 < len(form.roots):
            high = form.roots[player + 1]
        gets = 0.0
        for k in range(low, high):
            gets += plan[every[k]] * pending[every[k]]
        found[player, 0] = gets
        found[player, 1] = _best(form, order, player, pending)


@_compiled
def hindsight(form: Form, order: Any, gradients: Any, pending: Floats, found: Any) -> None:
    """``found[player]``: the payoff of the best single plan against the summed gradients."""
    pending[:] = gradients
    pending[len(pending) - 1] = 0.0
    for player in range(len(form.roots)):
        found[player] = _best(form, order, player, pending)
