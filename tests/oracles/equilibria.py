"""Games of two whose whole set of extreme equilibria is known, and a plain way to find it.

:func:`extreme_equilibria` owes nothing to the package: it tries all choices of facets.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from infoset import matrix_game
from tests.oracles.independent import Matrix, solved

Plan = tuple[Fraction, ...]


@dataclass(frozen=True)
class Known:
    """A bimatrix game, how many extreme equilibria it has, and the dimensions of its components."""

    name: str
    source: str
    first: Matrix
    second: Matrix
    count: int
    dimensions: tuple[int, ...]
    equilibria: frozenset[tuple[Plan, Plan]] = frozenset()  # where they are published

    @property
    def game(self) -> Any:
        """As a game of the package."""
        return matrix_game(self.first, self.second)

    def __str__(self) -> str:
        return self.name


def _plans(*pairs: tuple[str, str]) -> frozenset[tuple[Plan, Plan]]:
    return frozenset(
        (tuple(map(Fraction, one.split())), tuple(map(Fraction, two.split()))) for one, two in pairs
    )


def _diagonal(size: int) -> list[list[int]]:
    return [[int(row == column) for column in range(size)] for row in range(size)]


KNOWN = (
    Known(
        "three",
        "von Stengel 2007, Equilibrium computation for two-player games, example (3.1)",
        [[3, 3], [2, 5], [0, 6]],
        [[3, 2], [2, 6], [3, 1]],
        3,
        (0, 0, 0),
        _plans(("1 0 0", "1 0"), ("4/5 1/5 0", "2/3 1/3"), ("0 1/3 2/3", "1/3 2/3")),
    ),
    Known(
        "segment",
        "von Stengel 2007, the same with a tie: (1, 0, 0) goes with all y between two",
        [[3, 3], [2, 5], [0, 6]],
        [[3, 3], [2, 6], [3, 1]],
        3,
        (1, 0),
        _plans(("1 0 0", "1 0"), ("1 0 0", "2/3 1/3"), ("0 1/3 2/3", "1/3 2/3")),
    ),
    Known(
        "all",
        "by hand: nobody's choice matters, so every pair of mixed strategies is an equilibrium",
        [[0, 0, 0], [0, 0, 0]],
        [[1, 1, 1], [1, 1, 1]],
        6,
        (3,),
        _plans(*((x, y) for x in ("1 0", "0 1") for y in ("1 0 0", "0 1 0", "0 0 1"))),
    ),
    Known(
        "path",
        "by hand: two segments of equilibria that meet in a corner",
        [[1, 1], [1, 0]],
        [[1, 1], [1, 0]],
        3,
        (1,),
        _plans(("1 0", "1 0"), ("1 0", "0 1"), ("0 1", "1 0")),
    ),
    *(
        Known(
            f"coordination {size}",
            "Quint & Shubik 1997: any set of choices, all alike, makes one: 2^d - 1 of them",
            _diagonal(size),
            _diagonal(size),
            2**size - 1,
            (0,) * (2**size - 1),
            _plans(
                *(
                    (" ".join(f"{int(at in own)}/{len(own)}" for at in range(size)),) * 2
                    for count in range(1, size + 1)
                    for own in combinations(range(size), count)
                )
            ),
        )
        for size in (2, 3, 4)
    ),
    Known(
        "seventy-five",
        "von Stengel 1999, New maximal numbers of equilibria in bimatrix games: 6 by 6",
        [
            [9504, -660, 19976, -20526, 1776, -8976],
            [-111771, 31680, -130944, 168124, -8514, 52764],
            [397584, -113850, 451176, -586476, 29216, -178761],
            [171204, -45936, 208626, -263076, 14124, -84436],
            [1303104, -453420, 1227336, -1718376, 72336, -461736],
            [737154, -227040, 774576, -1039236, 48081, -300036],
        ],
        [
            [72336, 48081, 29216, 14124, 1776, -8514],
            [-461736, -300036, -178761, -84436, -8976, 52764],
            [1227336, 774576, 451176, 208626, 19976, -130944],
            [-1718376, -1039236, -586476, -263076, -20526, 168124],
            [1303104, 737154, 397584, 171204, 9504, -111771],
            [-453420, -227040, -113850, -45936, -660, 31680],
        ],
        75,
        (0,) * 75,
    ),
)


def extreme_equilibria(first: Matrix, second: Matrix) -> set[tuple[Plan, Plan]]:
    """All pairs of corners of the two best-response polyhedra that have every label."""
    other = [list(column) for column in zip(*second, strict=True)]
    rows, columns = len(first), len(other)
    found = set()
    for x, one in _corners(other, rows):
        for y, two in _corners(first, columns):
            turned = {
                (label + rows) % (rows + columns) if label < columns else label - columns
                for label in two
            }
            if one | turned == set(range(rows + columns)):
                found.add((x, y))
    return found


def _corners(payoffs: Matrix, size: int) -> set[tuple[Plan, frozenset[int]]]:
    """Corners of { x, v: x >= 0, sum of x = 1, payoffs x <= v }, and which of these are equal.

    Labels: the weights first, then the rows of payoffs.
    """
    facets = [
        [Fraction(int(at == own)) for at in range(size)] + [Fraction(0)] for own in range(size)
    ]
    facets += [[Fraction(-amount) for amount in row] + [Fraction(1)] for row in payoffs]
    whole = [Fraction(1)] * size + [Fraction(0)]
    found = set()
    for chosen in combinations(facets, size):
        point = solved([*chosen, whole], [Fraction(0)] * size + [Fraction(1)])
        if point is None:
            continue
        slack = [sum(a * b for a, b in zip(facet, point, strict=True)) for facet in facets]
        if min(slack) >= 0:
            tight = frozenset(at for at, amount in enumerate(slack) if not amount)
            found.add((tuple(point[:size]), tight))
    return found
