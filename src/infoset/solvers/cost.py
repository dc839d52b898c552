"""What two methods cost, estimated from the size of a game: which one reaches a regret first.

A zero-sum game of two with perfect recall has a linear program, which gives regret 0 or nothing,
and regret minimization, which gives any regret in time. Where a ``regret`` above 0 is asked for,
:mod:`infoset.solvers.registry` and :mod:`infoset.solvers.public` take the one that these estimates
say is done first. With n sequences, m payoffs (entries of the payoff matrix that are not 0) and
ε, the regret as a part of the range of payoffs,

    the program               1.5 µs · n · √m
    regret minimization       2 s + 2/√ε iterations of 4 ns · (n + m)

The 2 s are for loading compiled loops. Fitted to Kuhn poker of 3 to 600 ranks, Leduc poker of 3 to
13, liar's dice of 3 to 6 sides, goofspiel and rivers of hold'em, on one core. There the first is
within a factor of 6, and so are the iterations of discounted CFR from ε = 10⁻² to 10⁻⁵; the two
methods are then mostly apart by more:

    ==============================  =========  =========  =======  ===================
    game                            sequences  payoffs    lp       cfr to ε = 10⁻⁴
    ==============================  =========  =========  =======  ===================
    leduc()                         2,186      4,920      0.4 s    208 iterations
    kuhn(ranks=200)                 1,602      139,300    1.2 s    66
    liars_dice(sides=5)             10,232     12,784     0.5 s    208
    leduc(ranks=6)                  9,410      53,568     7.3 s    208, 0.2 s
    liars_dice(sides=6)             49,142     73,708     5.3 s    856, 0.8 s
    a river, 2 sizes of bets        6,610      862,722    52 s     156, 0.5 s
    ==============================  =========  =========  =======  ===================
"""

from __future__ import annotations

import sys
from fractions import Fraction
from math import inf, sqrt

from infoset.forms.public import PublicForm
from infoset.solvers.cfr.public_layout import payoff_range as public_payoff_range
from infoset.tree import Tree

PROGRAM = 1.5e-6  # seconds for each sequence and root of the number of payoffs
LOADING = 2.0  # seconds until compiled loops are ready
PASS = 4e-9  # seconds of an iteration for each sequence and payoff
ITERATIONS = 2.0  # over the root of the regret as a part of the range of payoffs


def program_seconds(sequences: int, payoffs: int) -> float:
    """Seconds that an exact linear program takes, roughly.

    >>> round(program_seconds(9_410, 53_568), 1)
    3.3
    """
    return PROGRAM * sequences * sqrt(payoffs)


def minimization_seconds(sequences: int, payoffs: int, accuracy: float) -> float:
    """Seconds until regret minimization is at an accuracy, roughly.

    ``accuracy`` is a regret as a part of the range of payoffs.

    >>> round(minimization_seconds(9_410, 53_568, 1e-4), 1)
    2.1
    """
    iterations = ITERATIONS / sqrt(accuracy) if accuracy > 0 else inf
    return LOADING + iterations * PASS * (sequences + payoffs)


def approximates_sooner(
    game: Tree | PublicForm, sequences: int, payoffs: int, regret: float | None
) -> bool:
    """Does regret minimization reach this regret before the linear program is solved?"""
    if not regret or program_seconds(sequences, payoffs) <= LOADING:
        return False
    scale = payoff_range(game)
    accuracy = float(regret) / scale if scale > 0 else inf
    return minimization_seconds(sequences, payoffs, accuracy) < program_seconds(sequences, payoffs)


def payoff_range(game: Tree | PublicForm) -> float:
    """How far apart the highest and the lowest payoff are: of the player where that is most."""
    if isinstance(game, PublicForm):
        return public_payoff_range(game)
    # Exactly: of payoffs far from zero floats may not see the range.
    ranges = (
        Fraction(int(own.numerators.max()) - int(own.numerators.min()), own.denominator)
        for own in game.leaf_payoffs
    )
    # Payoffs beyond floats can be unlikely enough for what they come to.
    return float(min(max(ranges), Fraction(sys.float_info.max)))
