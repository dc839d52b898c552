"""Average plans, and best responses to them, on a game laid out for regret minimization.

See :mod:`infoset.kernels.regret` for how it is laid out. These are measured now and then in a run,
always in float64, by one worker.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.kernels.blocks import BLOCK, normalize
from infoset.kernels.compiling import compiled
from infoset.kernels.regret import Form, product

Floats = npt.NDArray[np.float64]

_compiled = compiled(nogil=True, error_model="numpy")
_inlined = compiled(nogil=True, error_model="numpy", inline="always")


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
