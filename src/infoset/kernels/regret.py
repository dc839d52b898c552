"""The steps of regret minimization at some neighbouring information sets of a run.

The sets of a *run* have equally many actions, and stand side by side: the first actions of all of
them, then the second ones, and so on (:mod:`infoset.kernels.regret`). A step is done action by
action for a *block* of sets, as short loops over neighbouring numbers, which the compiler turns
into vector instructions; sums stay in the nearest cache meanwhile.

Regret minimization on a game laid out for it: the one loop of CFR and all its relatives.

A player's choices are its *sequences*. A sequence weighs x[a], the product of the player's own
probabilities up to it, and pays, against the others' weights,

    g[a] = sum of v[k] * (product of the others' weights at entry k)   over the entries of row a,

plus what the information sets that come next after it are worth. An iteration does, for a player:

    product   g of every sequence that ends a play, by one pass over the sparse rows;
    climb     last sets first: the set's value is the average of g by its shares, which is added to
              g of the sequence before it; regrets grow by g minus that value; regrets above zero,
              in proportion, are the new shares;
    descend   first sets first: the new weights, and the sums of weights that averages are made of.

The variants differ in three exponents and one switch. After iteration t, regrets above zero are
multiplied by t^A / (t^A + 1), those below by t^B / (t^B + 1), and the weights of iteration t count
t^C in the average; a *predictive* player adds the regret just seen once more before it plays,
expecting to see the like again. A = inf keeps regrets, B = -inf forgets those below zero.

How it is laid out (:mod:`infoset.solvers.cfr.layout`): sets that are equally deep and have equally
many actions stand in one *run*, the first actions of all of them first, then the second ones, and
so on. Each step then is a row of short loops over neighbouring numbers, which the compiler turns
into vector instructions. Rows are taken four at a time, of equal length mostly, as four sums that
need not wait for each other; each is summed in its own order. Nothing is reordered by the compiler
(no "fast math"), so results are the same to the last bit on any number of workers.

Workers share the rows, and the sets below some depth, in parts that are whole subtrees. What is
above, the *crown*, is done by the first of them, when all are there.

Average plans, and best responses to them, on a game laid out for regret minimization.

See :mod:`infoset.kernels.regret` for how it is laid out. These are measured now and then in a run,
always in float64, by one worker.
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
def _add_worth(size: Any, a: Any, worth: Any, share: Any, pending: Any) -> None:
    for j in range(size):
        worth[j] += share[a + j] * pending[a + j]


@_compiled
def _add_regret(
    size: Any,
    a: Any,
    worth: Any,
    pending: Any,
    regret: Any,
    share: Any,
    total: Any,
    keep: Any,
    cut: Any,
    ahead: Any,
) -> None:
    """Regrets; as shares, for the time being, their parts above zero, and the sums of those."""
    for j in range(size):
        gain = pending[a + j] - worth[j]
        summed = regret[a + j] + gain
        summed = summed * keep if summed > 0 else summed * cut
        regret[a + j] = summed
        expected = max(summed + ahead * gain, worth.dtype.type(0))
        share[a + j] = expected
        total[j] += expected


@_compiled
def normalize(size: Any, a: Any, share: Any, total: Any, even: Any) -> None:
    """Shares of their total; even ones where there is none."""
    for j in range(size):
        share[a + j] = share[a + j] / total[j] if total[j] > 0 else even


@_compiled
def _add_weight(
    size: Any, a: Any, weight: Any, summed: Any, share: Any, pending: Any, reach: Any, count: Any
) -> None:
    for j in range(size):
        now = reach[j] * share[a + j]
        weight[a + j] = now
        summed[a + j] += count * now
        pending[a + j] = 0


# And these do all actions of at most BLOCK sets of a run, from ``begin`` on. Arrays are handed over
# one by one: to take them out of a record anew for every block would cost small games a fifth.


@_inlined
def climb_block(
    r: int,
    begin: Any,
    size: Any,
    runs: Any,
    before: Any,
    share: Any,
    pending: Any,
    regret: Any,
    left: Any,
    keep: Any,
    cut: Any,
    ahead: Any,
    worth: Any,
    total: Any,
) -> None:
    """Values, regrets and new shares; ``worth`` and ``total`` are room for BLOCK numbers."""
    set_, sets = U(runs[r, 0]), U(runs[r, 1] - runs[r, 0])
    sequence, actions = U(runs[r, 2]), U(runs[r, 3])
    even = worth.dtype.type(1 / runs[r, 3])
    for j in range(size):
        worth[j] = 0
        total[j] = 0
    for action in range(actions):
        _add_worth(size, sequence + action * sets + begin, worth, share, pending)
    for action in range(actions):
        a = sequence + action * sets + begin
        _add_regret(size, a, worth, pending, regret, share, total, keep, cut, ahead)
    for action in range(actions):
        normalize(size, sequence + action * sets + begin, share, total, even)
    if runs[r, 4]:
        for j in range(size):
            left[set_ + begin + j] = worth[j]
    else:
        for j in range(size):
            pending[before[set_ + begin + j]] += worth[j]


@_inlined
def descend_block(
    r: int,
    begin: Any,
    size: Any,
    runs: Any,
    before: Any,
    weight: Any,
    summed: Any,
    share: Any,
    pending: Any,
    count: Any,
    reach: Any,
) -> None:
    """Weights by the new shares, and their sums; what is pending is done with."""
    set_, sets = U(runs[r, 0]), U(runs[r, 1] - runs[r, 0])
    sequence, actions = U(runs[r, 2]), U(runs[r, 3])
    for j in range(size):
        reach[j] = weight[before[set_ + begin + j]]
    for action in range(actions):
        a = sequence + action * sets + begin
        _add_weight(size, a, weight, summed, share, pending, reach, count)


LANES = 4  # rows done at a time

# A call hands over every array by its parts, a hundred numbers in all; small games would feel it.


class Form(NamedTuple):
    """A game laid out: what does not change while it is played."""

    runs: Any  # [run] first set, one past its last, first sequence, actions, leave values behind?
    crown: Any  # [player] first run, one past the last: what one worker does
    parts: Any  # [player, worker] first run, one past the last
    shares: Any  # [player, worker] first slice of rows, one past the last
    deferred_ranges: Any  # [player] first, one past the last of its ``late_sets``
    deferred_sets: Any  # those whose values were left behind, in the order in which they are added
    before: Any  # [set] the sequence that leads there
    roots: Any  # [player] its empty sequence
    slices: Any  # [slice] where its entries begin, in units of LANES; one more at the end
    rows: Any  # [slice * LANES + lane] the sequence that a row belongs to
    partner: Any  # [entry, other player] a sequence of each other player
    value: Any  # [entry] what it pays


class State(NamedTuple):
    """What changes: one number for each sequence, one more at the end that nobody reads."""

    weight: Any  # x: the product of the player's own shares
    pending: Any  # g, while it is being made; zero between iterations
    regret: Any
    share: Any  # the probability of the action at its set
    summed: Any  # weights of all iterations, by their weight in the average
    left: Any  # [set] values left behind for the first worker
    faced: Any  # g of all iterations likewise; empty where that is not kept
    gained: Any  # [player] the values of all iterations likewise


@_inlined
def product(first: int, end: int, form: Form, weight: Any, pending: Any) -> None:
    """What the sequences of some slices of rows pay by themselves."""
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
    """Values, regrets and new shares of some runs, the last sets first."""
    worth, total = room[0], room[1]
    share, pending, regret, left = state.share, state.pending, state.regret, state.left
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
                share,
                pending,
                regret,
                left,
                keep,
                cut,
                ahead,
                worth,
                total,
            )
            begin += U(BLOCK)


@_inlined
def _descend(first: int, end: int, form: Form, state: State, count: Any, room: Any) -> None:
    """Weights of some runs, the first sets first."""
    reach, weight, summed = room[0], state.weight, state.summed
    share, pending, runs, before = state.share, state.pending, form.runs, form.before
    for r in range(first, end):
        sets, begin = U(runs[r, 1] - runs[r, 0]), U(0)
        while begin < sets:
            size = min(U(BLOCK), sets - begin)
            descend_block(
                r, begin, size, runs, before, weight, summed, share, pending, count, reach
            )
            begin += U(BLOCK)


@_inlined
def finish(player: int, form: Form, state: State, count: float) -> None:
    """At the root: what the player got in this iteration, and what the iteration counts."""
    root = form.roots[player]
    state.gained[player] += count * state.pending[root]
    state.pending[root] = 0
    state.summed[root] += count


@_inlined
def _remember(first: int, end: int, form: Form, state: State, count: Any) -> None:
    """Add what the rows of some slices paid to what was faced in all iterations."""
    for row in range(LANES * first, LANES * end):
        a = form.rows[row]
        state.faced[a] += count * state.pending[a]


@_compiled
def discount_factor(time: int, exponent: float) -> float:
    """``t^A / (t^A + 1)``: what is kept of a sum after iteration t."""
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
    """Some more iterations, after those already done.

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
        if time > 1:  # what was played in this iteration was made in the last one
            last = float(time - 1) ** exponents[2]
        for player in range(players):
            first, end = form.shares[player, worker, 0], form.shares[player, worker, 1]
            product(first, end, form, state.weight, state.pending)
            if len(state.faced):
                _remember(first, end, form, state, last)
            wait(gate, workers)
            first, end = form.parts[player, worker, 0], form.parts[player, worker, 1]
            _climb(first, end, form, state, keep, cut, ahead, room)
            wait(gate, workers)
            if worker == 0:
                for k in range(form.deferred_ranges[player, 0], form.deferred_ranges[player, 1]):
                    late = form.deferred_sets[k]
                    state.pending[form.before[late]] += state.left[late]
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
    """The plan at some sets of a run, at most BLOCK, of which some sums of weights are multiples.

    Sums of many rounded weights do not quite add up; taken as shares at every set they do.
    """
    share, total = room[0], room[1]
    set_, sets = form.runs[r, 0], form.runs[r, 1] - form.runs[r, 0]
    sequence, actions = form.runs[r, 2], form.runs[r, 3]
    total[:size] = 0.0
    for action in range(actions):
        a = sequence + action * sets + begin
        total[:size] += summed[a : a + size]
    for action in range(actions):
        a = sequence + action * sets + begin
        share[:size] = summed[a : a + size]
        normalize(size, 0, share, total, 1.0 / actions)
        for j in range(size):
            plan[a + j] = plan[form.before[set_ + begin + j]] * share[j]


@_compiled
def average(form: Form, order: Any, summed: Any, plan: Floats) -> None:
    """The plan of which some sums of weights are multiples; even shares where they are zero.

    ``order`` are the runs, what is before a set before it.
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
    """The most of what the actions pay at some sets of a run, at most BLOCK."""
    sets, sequence = form.runs[r, 1] - form.runs[r, 0], form.runs[r, 2]
    best[:size] = pending[sequence + begin : sequence + begin + size]
    for action in range(1, form.runs[r, 3]):
        a = sequence + action * sets + begin
        for j in range(size):
            best[j] = max(best[j], pending[a + j])


@_compiled
def _best(form: Form, order: Any, player: int, pending: Floats) -> float:
    """The most that a player can get of what its sequences pay; that is then gone."""
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
    """``found[player]``: what a player gets by the plans, and by a best response to the others'.

    ``every`` says where sequences stand, in an order that is the same for any number of workers, so
    that sums are. ``pending`` is zero before and after, one place longer than the plan needs.
    """
    for player in range(len(form.roots)):
        first, end = form.shares[player, 0, 0], form.shares[player, -1, 1]
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
def hindsight(form: Form, order: Any, faced: Any, pending: Floats, found: Any) -> None:
    """``found[player]``: the most that one plan would have got of all that a player faced."""
    pending[:] = faced
    pending[len(pending) - 1] = 0.0
    for player in range(len(form.roots)):
        found[player] = _best(form, order, player, pending)
