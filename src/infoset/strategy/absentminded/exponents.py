"""The places of a Bernstein net, and the tables by which nets are made, cut and differentiated.

A net of degree d on a simplex of k corners has a number for every α, k whole numbers with sum d.
Everything here depends on d and k alone and is made once.
"""

from __future__ import annotations

from functools import cache
from math import comb, factorial, perm, prod

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Array

Longs = npt.NDArray[np.int64]


@cache
def exponents(degree: int, count: int) -> tuple[tuple[int, ...], ...]:
    """All ways to write a degree as a sum of so many whole numbers, in order.

    >>> exponents(2, 2)
    ((2, 0), (1, 1), (0, 2))
    """
    if count == 1:
        return ((degree,),)
    return tuple(
        (first, *rest)
        for first in range(degree, -1, -1)
        for rest in exponents(degree - first, count - 1)
    )


@cache
def corner_places(degree: int, count: int) -> Longs:
    """[corner] the place in the net that belongs to it."""
    place = {alpha: at for at, alpha in enumerate(exponents(degree, count))}
    return np.array(
        [place[tuple(degree * (i == corner) for i in range(count))] for corner in range(count)]
    )


@cache
def raised(degree: int, count: int, corner: int) -> Longs:
    """[α of one degree less] the place of α with one more of a corner."""
    place = {alpha: at for at, alpha in enumerate(exponents(degree, count))}
    return np.array(
        [
            place[tuple(power + (i == corner) for i, power in enumerate(alpha))]
            for alpha in exponents(degree - 1, count)
        ]
    )


@cache
def averages(degree: int, count: int, kept: int, lost: int) -> Array:
    """What a cut does to a net, times 2 to the degree: the corner ``lost`` moves halfway."""
    alphas = exponents(degree, count)
    place = {alpha: at for at, alpha in enumerate(alphas)}
    matrix = np.zeros((len(alphas), len(alphas)), object)
    for at, alpha in enumerate(alphas):
        power = alpha[lost]
        for moved in range(power + 1):
            source = list(alpha)
            source[kept] += moved
            source[lost] -= moved
            matrix[at, place[tuple(source)]] = comb(power, moved) << (degree - power)
    return matrix


@cache
def monomial_net(degree: int, powers: tuple[int, ...]) -> Array:
    """The net of a product of powers, times the factorial of the degree."""
    total = sum(powers)
    return np.array(
        [
            prod(perm(a, p) for a, p in zip(alpha, powers, strict=True)) * factorial(degree - total)
            for alpha in exponents(degree, len(powers))
        ],
        object,
    )
