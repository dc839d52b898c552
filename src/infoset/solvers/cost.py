"""What two methods cost, estimated from the size of a game: which one reaches a regret first.

A zero-sum game of two with perfect recall has a linear program, which gives regret 0 or nothing,
and regret minimization, which gives any regret in time. Where a ``regret`` above 0 is asked for,
:mod:`infoset.solvers.registry` and :mod:`infoset.solvers.public` take the one that these estimates
say is done first. With n sequences, m payoffs (entries of the payoff matrix that are not 0) and
ε, the regret as a part of the range of payoffs,

    the program               0.5 µs · n · √m
    regret minimization       0.6 s + 2/√ε iterations of 1.2 ns · (n + m)

The 0.6 s are for loading compiled loops. The constants are set by hand, from single runs of these
games on one otherwise idle machine of two cores:

    ==============================  =========  =========  =======  ======================
    game                            sequences  payoffs    lp       cfr to ε = 10⁻⁴
    ==============================  =========  =========  =======  ======================
    leduc()                         2,186      4,920      0.33 s   208 iterations, 0.01 s
    kuhn(ranks=200)                 1,602      139,300    0.34 s   66, 0.01 s
    liars_dice(sides=5)             10,232     12,784     0.13 s   208, 0.02 s
    leduc(ranks=6)                  9,410      53,568     1.5 s    208, 0.02 s
    liars_dice(sides=6)             49,142     73,708     0.9 s    856, 0.2 s
    a river, 2 sizes of bets        6,610      862,722    13.7 s   156, 0.2 s
    ==============================  =========  =========  =======  ======================

They are rough: the program takes from a seventh of its estimate (liar's dice) to 4.5 times as long
(rivers, small Leduc poker), and small games may take nine times the iterations. A slower machine
changes both estimates alike, so that the choice depends on their ratio only. On nine other games
and four regrets each, 28 of 36 choices were right; the others stayed with the program, and lost
0.55 s at most. The first run ever also compiles its loops, which is not counted.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from math import inf, sqrt

from infoset.forms.public import PublicForm
from infoset.solvers.cfr.public_layout import payoff_range as public_payoff_range
from infoset.tree import Tree

PROGRAM = 0.5e-6  # seconds for each sequence and root of the number of payoffs
LOADING = 0.6  # seconds until compiled loops are ready
PASS = 1.2e-9  # seconds of an iteration for each sequence and payoff
ITERATIONS = 2.0  # over the root of the regret as a part of the range of payoffs


def program_seconds(sequences: int, payoffs: int) -> float:
    """Seconds that an exact linear program takes, roughly.

    >>> round(program_seconds(9_410, 53_568), 1)
    1.1
    """
    return PROGRAM * sequences * sqrt(payoffs)


def minimization_seconds(sequences: int, payoffs: int, accuracy: float) -> float:
    """Seconds until regret minimization is at an accuracy, roughly.

    ``accuracy`` is a regret as a part of the range of payoffs.

    >>> round(minimization_seconds(9_410, 53_568, 1e-4), 1)
    0.6
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
