"""Learning the weights of the order of moves from the search itself.

In a share of the positions the moves are tried in a random order. If one of them is good for who
moves, those that were tried before it cost so many positions for nothing; the weights go down the
gradient of the logistic loss of each such pair, the more the more it cost (to a power). Since the
order is random there, the pairs do not depend on what has been learnt so far. Steps are divided by
the root of the sum of the squares of earlier ones, weight by weight (AdaGrad).

Source: J. Duchi, E. Hazan and Y. Singer, Adaptive subgradient methods, 2011, for the steps.
"""

from __future__ import annotations

import math

import numpy as np

from infoset.kernels.double_dummy.cards import compact, inlined
from infoset.kernels.double_dummy.workspace import (
    AT,
    FEATURES,
    MOVES,
    NODES,
    POWER,
    RATE,
    SCALE,
    SHARE,
    UPDATES,
    Workspace,
)


@compact
def seed(number: int) -> None:
    """Begin with these random numbers."""
    np.random.seed(number)


@inlined
def note(
    work: Workspace, ply: int, card: int, one: int, two: int, three: int, four: int, five: int
) -> None:
    """Which weights are in the score of a card; 0 is none."""
    features = work.learning.features
    features[ply, card, 0], features[ply, card, 1], features[ply, card, 2] = one, two, three
    features[ply, card, 3], features[ply, card, 4] = four, five


@compact
def shuffle(work: Workspace, ply: int, count: int) -> None:
    """In a share of the positions, bring the moves into a random order."""
    spent, moves = work.learning.spent, work.moves
    spent[ply, MOVES] = 0
    if count < 2 or np.random.random() > work.learning.rates[SHARE]:
        return
    spent[ply, MOVES] = 1
    for at in range(ply * MOVES + count - 1, ply * MOVES, -1):
        other = ply * MOVES + int(np.random.random() * (at - ply * MOVES + 1))
        move = moves[at]
        moves[at] = moves[other]
        moves[other] = move


@compact
def begin(work: Workspace, ply: int) -> None:
    """The move on turn at this ply begins; those that were skipped before it cost nothing."""
    spent, now = work.learning.spent, work.counters[NODES]
    at = work.stack[ply, AT]
    spent[ply, at] = now
    before = at - 1
    while before >= 0 and spent[ply, before] < 0:
        spent[ply, before] = now
        before -= 1
    for later in range(at + 1, MOVES):
        spent[ply, later] = -1


@inlined
def score(work: Workspace, ply: int, card: int) -> float:
    """Of a card, from the exact weights."""
    total = -(card & 15) / SCALE
    for feature in range(FEATURES):
        weight = work.learning.features[ply, card, feature]
        if weight:
            total += work.learning.exact[weight]
    return total


@inlined
def change(work: Workspace, weight: int, gradient: float) -> None:
    """Go one step."""
    lesson = work.learning
    if weight:
        lesson.squares[weight] += gradient * gradient
        lesson.exact[weight] -= lesson.rates[RATE] * gradient / math.sqrt(lesson.squares[weight])
        work.weights[weight] = int(SCALE * lesson.exact[weight])


@compact
def learn(work: Workspace, ply: int) -> None:
    """The move on turn at this ply is good, and those before it were not."""
    lesson, base, at = work.learning, ply * MOVES, work.stack[ply, AT]
    if at == 0 or lesson.spent[ply, MOVES] == 0:
        return
    good = work.moves[base + at] & 255
    lesson.rates[UPDATES] += 1
    for turn in range(at):
        bad = work.moves[base + turn] & 255
        cost = lesson.spent[ply, turn + 1] - lesson.spent[ply, turn]
        if cost <= 0:
            continue
        ahead = score(work, ply, bad) - score(work, ply, good)
        gradient = (1.0 + cost) ** lesson.rates[POWER] / (1.0 + math.exp(-ahead))
        for feature in range(FEATURES):
            down, up = lesson.features[ply, bad, feature], lesson.features[ply, good, feature]
            if down != up:
                change(work, down, gradient)
                change(work, up, -gradient)
