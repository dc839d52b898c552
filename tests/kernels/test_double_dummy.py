"""The compiled search against its own Python, and the table of positions against a plain list."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from infoset.kernels import double_dummy as kernel
from infoset.kernels.double_dummy import table
from infoset.kernels.double_dummy.techniques import ORDER, PARTITION, TABLE
from infoset.kernels.double_dummy.workspace import CLEARED, Workspace

MODULES = [module for name, module in sys.modules.items() if name.startswith(kernel.__name__)]


def hands_of(random: Random, ranks: int) -> Any:
    """Four hands of the deck with so many ranks."""
    deck = [kernel.SUIT * suit + 12 - rank for suit in range(4) for rank in range(ranks)]
    random.shuffle(deck)
    return np.array([sum(1 << card for card in deck[seat::4]) for seat in range(4)], np.int64)


def solved(hands: Any, strain: int, leader: int, flags: int, work: Any = None) -> tuple[Any, ...]:
    """The value and all counts."""
    work = work or kernel.workspace(1)
    work.counters[:] = 0
    kernel.lay_out(hands, work.words)
    kernel.clear(work)
    full = int(hands.sum())
    found = kernel.value(hands, work, strain, flags, 0, full, full, leader, -1, 0, 0, 2, 1 << 40)
    return (*found, *work.counters.tolist())


@pytest.mark.parametrize("flags", [kernel.ALL, TABLE | PARTITION])
def test_compiled_and_python_agree(flags: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(flags)
    deals = [
        (hands_of(random, 3), random.randrange(5), random.randrange(4), flags) for _ in range(4)
    ]
    compiled = [solved(*deal) for deal in deals]
    for module in MODULES:
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    with np.errstate(over="ignore"):
        assert [solved(*deal) for deal in deals] == compiled


def test_it_stops_at_a_limit() -> None:
    hands, work = hands_of(Random(1), 13), kernel.workspace(1)
    kernel.lay_out(hands, work.words)
    full = int(hands.sum())
    status, _ = kernel.value(hands, work, 1, kernel.ALL, 0, full, full, 0, -1, 0, 0, 7, 500)
    assert status == kernel.LIMIT
    assert work.counters[kernel.NODES] == 501


def test_learning_changes_weights_and_no_value() -> None:
    random, work = Random(5), kernel.workspace(1, learning=True)
    kernel.seed(1)
    work.weights[:], work.learning.exact[:] = 0, 0
    rates = work.learning.rates
    rates[kernel.RATE], rates[kernel.SHARE], rates[kernel.POWER] = 0.3, 0.5, 0.6
    for _ in range(30):
        deal = hands_of(random, 5), random.randrange(5), random.randrange(4)
        assert solved(*deal, kernel.ALL | kernel.LEARN, work)[1] == solved(*deal, kernel.ALL)[1]
    assert np.count_nonzero(work.weights) > 50
    # what was learnt from thirty deals is better than no order at all
    deals = [(hands_of(random, 6), random.randrange(5), random.randrange(4)) for _ in range(40)]
    learnt = sum(solved(*deal, kernel.ALL, work)[2] for deal in deals)
    assert learnt < 0.8 * sum(solved(*deal, kernel.ALL & ~ORDER)[2] for deal in deals)


def looked_up(work: Workspace, key: int, one: int, two: int, need: int) -> int:
    found, _ = table.look_up(work, table.find_slot(work.slots, key), one, two, need)
    return int(found)


@pytest.mark.parametrize("seed", range(3))
def test_the_table_finds_what_a_plain_list_finds(seed: int) -> None:
    random, work, kept = Random(seed), kernel.workspace(1), []
    table.clear(work)
    for _ in range(3000):
        key, one, two = random.randrange(1, 4), random.getrandbits(6), random.getrandbits(6)
        one, two = one & 15 | (one >> 4) << 26, two & 15 | (two >> 4) << 26
        need, known = random.randrange(1, 6), -1
        for other, low, high, first, second, tops in kept:
            masks = work.masks[tops & 255], work.masks[tops >> 8]
            if other == key and not ((one ^ first) & masks[0] or (two ^ second) & masks[1]):
                known = 1 if need <= low else 0 if need > high else known
        assert looked_up(work, key, one, two, need) == known
        if known < 0:  # as the search does: what is consistent with a value of each position
            tops = random.choice((0, 1, 2)) | random.choice((0, 16)) | random.choice((0, 256, 512))
            value = (key + (one & 3) + (two & 3)) % 5
            if tops & 15 and tops >> 8 & 15:
                result = value >= need
                table.store(work, key, one, two, need, 5, result, tops, 7)
                kept.append((key, *((need, 5) if result else (0, need - 1)), one, two, tops))
                assert looked_up(work, key, one, two, need) == result
    assert len(kept) > 60
    assert work.counters[CLEARED] == 0
