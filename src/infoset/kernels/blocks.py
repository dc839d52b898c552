"""The steps of regret minimization at some neighbouring information sets of a run.

The sets of a *run* have equally many actions, and stand side by side: the first actions of all of
them, then the second ones, and so on (:mod:`infoset.kernels.regret`). A step is done action by
action for a *block* of sets, as short loops over neighbouring numbers, which the compiler turns
into vector instructions; sums stay in the nearest cache meanwhile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
