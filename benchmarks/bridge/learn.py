"""Learn the weights by which the double-dummy search orders moves.

    python benchmarks/bridge/learn.py build/order.npy              from nothing, in a few minutes
    python benchmarks/bridge/learn.py build/order.npy --lessons 12:100:0.03 --go-on

A lesson is cards a hand, deals, and the rate of the steps: full tables of random deals are solved,
small ones first, and what is learnt in the last two thirds of a lesson is averaged. After each
lesson it says how many positions other deals take, as the mean of the logarithm, and keeps the
weights. The kernel reads src/infoset/kernels/double_dummy/order.npy.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from random import Random

import numpy as np

from infoset.kernels import double_dummy as kernel
from infoset.objects import Card, Deck

LESSONS = "5:300:0.3 7:200:0.2 8:100:0.2 9:200:0.1 10:500:0.1 11:200:0.05 12:150:0.1 12:150:0.03"
FIRST_SEED = 400_001
TEST_SEED = 320_001


def deal(seed: int, tricks: int) -> np.ndarray:
    """Four random hands of the highest cards."""
    cards: list[Card] = list(Deck()[-4 * tricks :])
    Random(seed).shuffle(cards)
    hands = [sum(1 << kernel.SUIT * c.suit + c.rank for c in cards[seat::4]) for seat in range(4)]
    return np.array(hands, np.int64)


def solve(work: kernel.Workspace, hands: np.ndarray, flags: int) -> int:
    """Positions of a full table."""
    work.counters[:] = 0
    full, guess, limit = int(hands.sum()), len(hands), np.iinfo(np.int64).max
    kernel.lay_out(hands, work.words)
    for trump in range(5):
        kernel.clear(work)
        for leader in (0, 2, 1, 3):
            place = (0, full, full, leader, -1, 0, 0)
            _, guess = kernel.value(hands, work, trump, flags, *place, guess, limit)
    return int(work.counters[kernel.NODES])


def lesson(work: kernel.Workspace, tricks: int, deals: int, rate: float, seed: int) -> None:
    """Learn from so many deals, and take the mean of the weights in the last two thirds."""
    total, exact = np.zeros(len(work.weights)), work.learning.exact
    work.learning.rates[kernel.RATE] = rate
    for number in range(deals):
        solve(work, deal(seed + number, tricks), kernel.ALL | kernel.LEARN)
        if number >= deals // 3:
            total += exact
    exact[:] = total / (deals - deals // 3)
    work.weights[:] = np.round(kernel.SCALE * exact)


def main() -> None:
    """Learn, and say what it brings."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the weights go")
    parser.add_argument("--go-on", action="store_true", help="from the weights in use")
    parser.add_argument("--lessons", default=LESSONS)
    parser.add_argument("--share", type=float, default=0.1, help="of positions in random order")
    parser.add_argument("--power", type=float, default=0.6, help="of what a bad move has cost")
    parser.add_argument("--test", type=int, default=50, help="deals of ten cards a hand")
    given = parser.parse_args()
    work = kernel.workspace(256, learning=True)
    if not given.go_on:
        work.weights[:], work.learning.exact[:] = 0, 0
    work.learning.rates[kernel.SHARE], work.learning.rates[kernel.POWER] = given.share, given.power
    seed = FIRST_SEED
    kernel.seed(1)
    for text in given.lessons.split():
        tricks, deals, rate = (float(part) for part in text.split(":"))
        began = time.process_time()
        lesson(work, int(tricks), int(deals), rate, seed)
        seed, spent = seed + int(deals), time.process_time() - began
        nodes = [solve(work, deal(TEST_SEED + at, 10), kernel.ALL) for at in range(given.test)]
        mean = sum(map(math.log, nodes)) / len(nodes)
        print(f"{text:14} {spent:6.1f} s   log of positions {mean:.4f}", flush=True)
        np.save(given.file, work.weights)


if __name__ == "__main__":
    main()
