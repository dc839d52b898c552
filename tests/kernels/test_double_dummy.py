"""The compiled search against its own Python, and the sets of cards that it works with."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from infoset.kernels import double_dummy as kernel

FUNCTIONS = [name for name in vars(kernel) if hasattr(getattr(kernel, name), "py_func")]


def hands_of(random: Random, ranks: int) -> Any:
    """Four hands of the deck with so many ranks."""
    cards = [13 * suit + 12 - rank for suit in range(4) for rank in range(ranks)]
    random.shuffle(cards)
    return np.array([sum(1 << card for card in cards[seat::4]) for seat in range(4)], np.int64)


def solved(hands: Any, strain: int, leader: int, flags: int) -> tuple[Any, ...]:
    """The value and all counts."""
    work = kernel.workspace(1)
    kernel.lay_out(hands, work.words)
    kernel.clear(work)
    full = int(hands.sum())
    found = kernel.value(hands, work, strain, flags, 0, full, full, leader, -1, 0, 0, 2, 1 << 40)
    return (*found, *work.counters.tolist())


@pytest.mark.parametrize("flags", [kernel.ALL, kernel.TABLE | kernel.PARTITION])
def test_compiled_and_python_agree(flags: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(flags)
    deals = [
        (hands_of(random, 3), random.randrange(5), random.randrange(4), flags) for _ in range(4)
    ]
    compiled = [solved(*deal) for deal in deals]
    for name in FUNCTIONS:
        monkeypatch.setattr(kernel, name, getattr(kernel, name).py_func)
    with np.errstate(over="ignore"):
        assert [solved(*deal) for deal in deals] == compiled


def test_it_stops_at_a_limit() -> None:
    hands, work = hands_of(Random(1), 13), kernel.workspace(1)
    kernel.lay_out(hands, work.words)
    full = int(hands.sum())
    status, _ = kernel.value(hands, work, 1, kernel.ALL, 0, full, full, 0, -1, 0, 0, 7, 500)
    assert status == kernel.LIMIT
    assert work.counters[kernel.NODES] == 501
