"""Answers that owe nothing to the package: computed here from the rules, by hand.

Floats come from scipy's linear programs, everything else is in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
from scipy.optimize import linprog

Matrix = Sequence[Sequence[Any]]


def matrix_value(payoffs: Matrix) -> float:
    """The value of a matrix game: maximize v with x'A >= v."""
    table = np.array(payoffs, float)
    rows, columns = table.shape
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-table.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert answer.status == 0
    return float(-answer.fun)


def kuhn_by_plans(ranks: int, ante: int, bet: int) -> float:
    """Kuhn poker as a matrix: a plan is an answer for every card and situation, all are tried."""
    # The gambler's plan for a card: bet; pass, then fold; pass, then call. The dealer's: whether
    # to bet after a pass, and whether to call a bet.
    gambler = list(product(("bet", "fold", "call"), repeat=ranks))
    dealer = list(product(list(product((False, True), repeat=2)), repeat=ranks))
    deals = list(permutations(range(ranks), 2))

    def paid(mine: int, yours: int, plan: str, answer: tuple[bool, ...]) -> int:
        sign = 1 if mine > yours else -1
        bets, calls = answer
        if plan == "bet":
            return sign * (ante + bet) if calls else ante
        if not bets:
            return sign * ante
        return -ante if plan == "fold" else sign * (ante + bet)

    table = [
        [sum([paid(i, j, one[i], two[j]) for i, j in deals]) / len(deals) for two in dealer]
        for one in gambler
    ]
    return matrix_value(table)


def kuhn_by_cards(ranks: int, ante: int, bet: int) -> float:
    """Kuhn poker's own linear program: what the gambler does with each card.

    Variables by card: pass, bet, pass and fold, pass and call; then, by the dealer's card, what it
    leaves the gambler after a pass and after a bet, at most what either of its answers does.
    """
    cards, high = range(ranks), ante + bet
    passes, bets, folds, calls, after_pass, after_bet = (
        [kind * ranks + card for card in cards] for kind in range(6)
    )
    probabilities: list[dict[int, int]] = []  # what leads to a choice is shared out: 1, or a pass
    limits: list[dict[int, int]] = []  # not above zero
    for card in cards:
        probabilities += [
            {passes[card]: 1, bets[card]: 1},
            {folds[card]: 1, calls[card]: 1, passes[card]: -1},
        ]
    for yours in cards:
        wins = {mine: 1 if mine > yours else -1 for mine in cards if mine != yours}
        met = {folds[i]: ante for i in wins} | {calls[i]: -high * sign for i, sign in wins.items()}
        limits += [
            {after_pass[yours]: 1} | {passes[i]: -ante * sign for i, sign in wins.items()},
            {after_pass[yours]: 1} | met,
            {after_bet[yours]: 1} | {bets[i]: -ante for i in wins},
            {after_bet[yours]: 1} | {bets[i]: -high * sign for i, sign in wins.items()},
        ]
    answer = linprog(
        [0] * (4 * ranks) + [-1] * (2 * ranks),
        A_ub=_rows(limits, 6 * ranks),
        b_ub=[0] * len(limits),
        A_eq=_rows(probabilities, 6 * ranks),
        b_eq=[1, 0] * ranks,
        bounds=[(0, None)] * (4 * ranks) + [(None, None)] * (2 * ranks),
    )
    assert answer.status == 0
    return float(-answer.fun) / (ranks * (ranks - 1))


def _rows(terms: list[dict[int, int]], size: int) -> list[list[int]]:
    return [[row.get(at, 0) for at in range(size)] for row in terms]


def two_by_two(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Fraction:
    """The value of [[a, b], [c, d]]: a saddle point, or the one that makes both indifferent."""
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low == high else (a * d - b * c) / (a + d - b - c)


@cache
def inspection_value(stages: int, inspections: int) -> Fraction:
    """What an inspector wins: each stage is a game of two by two, whose last row goes on.

    Both know how many stages and inspections are left, so what is left is a game of its own.
    """
    if inspections in (0, stages):
        return Fraction(1 if inspections else -1)
    return two_by_two(
        Fraction(1),
        Fraction(-1),
        inspection_value(stages - 1, inspections - 1),
        inspection_value(stages - 1, inspections),
    )


def solved(matrix: list[list[Fraction]], side: list[Fraction]) -> list[Fraction] | None:
    """The solution of a square system by elimination; None if there is not exactly one."""
    rows = [[*row, value] for row, value in zip(matrix, side, strict=True)]
    for at in range(len(rows)):
        pivot = next((row for row in range(at, len(rows)) if rows[row][at]), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [entry / rows[at][at] for entry in rows[at]]
        for row in range(len(rows)):
            if row != at and rows[row][at]:
                factor = rows[row][at]
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[at], strict=True)]
    return [row[-1] for row in rows]


def _indifferent(
    payoffs: Matrix, best: Sequence[int], played: Sequence[int], size: int
) -> list[Fraction] | None:
    """Weights on the strategies played that make all of the other's best ones equally good."""
    matrix = [[Fraction(payoffs[i][j]) for j in played] + [Fraction(-1)] for i in best]
    matrix.append([Fraction(1)] * len(played) + [Fraction(0)])
    found = solved(matrix, [Fraction(0)] * len(best) + [Fraction(1)])
    if found is None or min(found[:-1]) <= 0:
        return None
    weights = [Fraction(0)] * size
    for j, weight in zip(played, found, strict=False):
        weights[j] = weight
    level = found[-1]
    pays = [sum(row[j] * weights[j] for j in range(size)) for row in payoffs]
    return weights if max(pays) == level else None


def equilibria(first: Matrix, second: Matrix) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Every equilibrium of a nondegenerate game: all pairs of supports of one size are tried."""
    across = [list(column) for column in zip(*second, strict=True)]
    rows, columns = len(first), len(across)
    for size in range(1, min(rows, columns) + 1):
        for own in combinations(range(rows), size):
            for other in combinations(range(columns), size):
                y = _indifferent(first, own, other, columns)
                x = _indifferent(across, other, own, rows)
                if x is not None and y is not None:
                    yield x, y
