"""Payoffs as whole numbers of one unit, for integer programs in floats.

All leaves are weighed by nature's probability and by what they pay, less the least that they pay.
Over the common denominator, and without common factor, these are whole numbers of one *unit*. Pure
strategies get whole units, so that the least gain is one.

Floats hold whole numbers exactly while they are not too large. So all weights together are brought
down to a million or so, by a power of two, which changes no digit. Where they are farther apart
than floats can say, a program is near to what was meant: whatever it finds must be judged by what
the players get from it, and that it finds nothing proves nothing.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import EXACT_FLOAT
from infoset.tree import Tree

LARGE = 1 << 20  # all weights together are made no larger than this, by powers of two
FINE = 2.0**-20  # a difference below this would be lost among floats

Floats = npt.NDArray[np.float64]


class Weights:
    """What a player weighs leaves by: whole numbers of one unit, and powers of two beyond.

    >>> from infoset.games import kuhn
    >>> weights = Weights(kuhn().tree(), 0)
    >>> weights.value(0), weights.value(1), weights.units(Fraction(-1, 6))
    (Fraction(-2, 1), Fraction(-11, 6), Fraction(11, 1))
    """

    def __init__(self, tree: Tree, number: int) -> None:
        stake = tree.stakes[number]
        least = min(map(int, stake.numerators))
        self.least = stake.values()[int(np.argmin(stake.numerators))]
        spread = [int(amount) - least for amount in stake.numerators]
        chance = tree.nature.take(tree.ends)
        whole = [int(n) * amount for n, amount in zip(chance.numerators, spread, strict=True)]
        self.unit = gcd(*whole) or 1  # of 1 over the two denominators
        self.over = chance.denominator * stake.denominator
        counts = [amount // self.unit for amount in whole]
        total = sum(counts)
        self.fits = total < EXACT_FLOAT  # so that all sums are exact as floats
        self.shift = max(total.bit_length() - LARGE.bit_length(), 0)
        self.scale = 2.0**-self.shift  # of a unit; 0 if that is too small for floats
        self.leaf: Floats = np.array([self.scaled(count) for count in counts])
        self.total = float(self.leaf.sum())

    def units(self, value: Fraction) -> Fraction:
        """A payoff in units; pure strategies get whole ones."""
        return Fraction((value - self.least) * self.over / self.unit)

    def scaled(self, units: Fraction | int) -> float:
        """A number of units as programs have it; also where there are more than floats can say."""
        return float(Fraction(units) / (1 << self.shift))

    def at_most(self, amount: float) -> int:
        """The whole units in an amount of a program, with what floats may have missed."""
        return floor(Fraction(amount) * (1 << self.shift))

    @property
    def half(self) -> float:
        """Half a unit, or more, if floats would not see that."""
        return max(self.scale / 2, FINE)

    def value(self, units: int) -> Fraction:
        """The payoff of a number of units."""
        return Fraction(Fraction(units * self.unit, self.over) + self.least)
